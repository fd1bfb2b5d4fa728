/// What a daemon and its service manager tell each other: systemd's notification protocol, spoken without its library.
///
/// Without `NOTIFY_SOCKET` in the environment every notice is silent.
public enum ServiceNotice {
    /// The daemon serves.
    public static func ready() {}
    /// The daemon is on its way out.
    public static func stopping() {}
    /// Certificates and the like are being read anew; ``ready()`` follows.
    public static func reloading() {}
    /// The daemon lives; to be sent at least every ``watchdogIntervalMicroseconds``.
    public static func watchdog() {}
    /// One line for `systemctl status`.
    public static func status(_ line: String) {}
    /// Within which time each ``watchdog()`` must follow the last; `nil` when nobody watches this process.
    public static var watchdogIntervalMicroseconds: UInt64? { nil }
    /// The sockets the service manager opened for this process (`LISTEN_FDS`), the caller's from now on. Asked once.
    public static func adoptListeners() throws(LoopFailure) -> [Int32] { [] }
}
