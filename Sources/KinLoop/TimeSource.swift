import CLinux
import Glibc

/// Where the time comes from, so that a simulation can bring its own.
public protocol TimeSource: AnyObject, Sendable {
    /// Milliseconds since 1970-01-01T00:00:00Z; may jump.
    func wallMilliseconds() -> Int64
    /// Nanoseconds since the machine started, sleep included: they only go forward.
    func monotonicNanoseconds() -> UInt64
    /// Whether something keeps the wall clock right.
    func synchronisation() -> Synchronisation
    /// A text that identifies this start of the machine; no other start has the same.
    var boot: String { get }
}

/// How far the wall clock is known to be right.
public struct Synchronisation: Sendable, Equatable {
    /// The kernel says now that it is right.
    public let isNow: Bool
    /// It was so at some time since the machine started.
    public let wasSinceBoot: Bool

    /// Two answers.
    public init(isNow: Bool, wasSinceBoot: Bool) {
        self.isNow = isNow
        self.wasSinceBoot = wasSinceBoot
    }
}

/// The machine's clocks.
public final class SystemTime: TimeSource {
    /// See ``TimeSource/boot``. A service manager that hides the file says it in the environment.
    public let boot: String
    private let wasSynchronised: Bool

    /// The machine's clocks.
    public init() {
        boot = Self.boot(
            said: Machine.environment("KINWIRE_BOOT"), file: try? Files.read("/proc/sys/kernel/random/boot_id", max: 64)
        )
        // systemd-timesyncd(8) leaves this behind once it has set the clock.
        wasSynchronised = Files.size(of: "/run/systemd/timesync/synchronized") != nil
    }

    /// Identifies the start of the machine, from whichever source is there. systemd writes the kernel's digits without
    /// hyphens. Without a source, no two starts of the daemon are taken to be within one start of the machine.
    static func boot(said: String?, file: [UInt8]?) -> String {
        for text in [said, file.map { String(decoding: $0, as: UTF8.self) }] {
            let digits = (text ?? "").filter { $0.isASCII && $0.isHexDigit }.lowercased()
            if digits.utf8.count == 32 { return digits }
        }
        return "unknown \(UInt64.random(in: 0 ... .max))"
    }

    /// See ``TimeSource/wallMilliseconds()``.
    public func wallMilliseconds() -> Int64 {
        let now = Self.read(CLOCK_REALTIME)
        return Int64(now.tv_sec) * 1_000 + Int64(now.tv_nsec) / 1_000_000
    }

    /// See ``TimeSource/monotonicNanoseconds()``.
    public func monotonicNanoseconds() -> UInt64 { Self.now() }

    /// See ``TimeSource/synchronisation()``.
    public func synchronisation() -> Synchronisation {
        let isNow = kin_clock_is_synchronised() != 0
        return Synchronisation(isNow: isNow, wasSinceBoot: isNow || wasSynchronised)
    }

    // CLOCK_MONOTONIC stands still while a laptop sleeps: a wait of a minute would last a minute of waking time.
    static func now() -> UInt64 {
        let now = read(CLOCK_BOOTTIME)
        return UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec)
    }

    /// Nanoseconds of the clock that stands still while the machine sleeps: what a service manager asks for.
    static func awakeNanoseconds() -> UInt64 {
        let now = read(CLOCK_MONOTONIC)
        return UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec)
    }

    private static func read(_ clock: clockid_t) -> timespec {
        var now = timespec()
        let result = unsafe clock_gettime(clock, &now)
        precondition(result == 0, "the kernel has a real-time clock, and one since its start")
        return now
    }
}
