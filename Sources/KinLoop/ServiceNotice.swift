import CLinux
import Glibc

/// What a daemon and its service manager tell each other: systemd's notification protocol (sd_notify(3),
/// sd_watchdog_enabled(3), sd_listen_fds(3)), spoken without its library.
///
/// Without `NOTIFY_SOCKET` in the environment every notice is silent. A notice that cannot be delivered is dropped: the
/// manager's own time limits deal with that.
public enum ServiceNotice {
    /// The daemon serves.
    public static func ready() { send("READY=1") }

    /// The daemon is on its way out.
    public static func stopping() { send("STOPPING=1") }

    /// Certificates and the like are being read anew; ``ready()`` follows.
    public static func reloading() { send("RELOADING=1\nMONOTONIC_USEC=\(SystemTime.awakeNanoseconds() / 1_000)") }

    /// The daemon lives; to be sent at least every ``watchdogIntervalMicroseconds``.
    public static func watchdog() { send("WATCHDOG=1") }

    /// One line for `systemctl status`; line breaks become spaces.
    public static func status(_ line: String) {
        let flat = line.utf8.map { $0 < 0x20 ? 0x20 : $0 }
        send("STATUS=" + String(decoding: flat, as: UTF8.self))
    }

    /// The time within which each ``watchdog()`` must follow the last; `nil` when nobody watches this process.
    public static var watchdogIntervalMicroseconds: UInt64? {
        watchdogInterval(environment: Machine.environment, processID: Machine.processID)
    }

    /// The sockets the service manager opened for this process (`LISTEN_FDS`); the caller's from now on, and no longer
    /// in the environment.
    public static func adoptListeners() -> [Int32] {
        let adopted = listeners(environment: Machine.environment, processID: Machine.processID)
        for name in ["LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES"] { unsafe unsetenv(name) }
        return adopted.filter { kin_set_close_on_exec($0) >= 0 }
    }

    static func watchdogInterval(environment: (String) -> String?, processID: Int32) -> UInt64? {
        if let watched = environment("WATCHDOG_PID"), watched != String(processID) { return nil }
        guard let interval = environment("WATCHDOG_USEC").flatMap({ UInt64($0) }), interval > 0 else { return nil }
        return interval
    }

    static func listeners(environment: (String) -> String?, processID: Int32) -> [Int32] {
        guard environment("LISTEN_PID") == String(processID),
            let count = environment("LISTEN_FDS").flatMap({ Int32($0) }), (1...1_024).contains(count)
        else { return [] }
        return Array(3..<(3 + count))
    }

    private static func send(_ notice: String) {
        if let place = Machine.environment("NOTIFY_SOCKET") { send(notice, to: place) }
    }

    /// Sends one datagram to a path or, after an `@`, an abstract name.
    static func send(_ notice: String, to place: String) {
        guard place.hasPrefix("/") || place.hasPrefix("@") else { return }
        var storage = sockaddr_storage()
        let length = unixAddress(place, abstractAllowed: true, &storage)
        let fd = kin_socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue))
        guard length > 0, fd >= 0 else { return }
        let descriptor = Descriptor(owning: fd)
        // Connected, so that the notice can wait for a full queue: a lost READY would hang the start.
        guard unsafe kin_connect(descriptor.number, &storage, length) >= 0 else { return }
        let bytes = Array(notice.utf8)
        let sent = unsafe kin_send(descriptor.number, bytes, bytes.count)
        if sent == -Int(EAGAIN),
            Readiness.wait(descriptor.number, readable: false, writable: true, timeoutMilliseconds: 1_000) != .timedOut
        {
            _ = unsafe kin_send(descriptor.number, bytes, bytes.count)
        }
    }
}
