import Glibc

/// Where the time comes from, so that a simulation can bring its own.
public protocol TimeSource: AnyObject, Sendable {
    /// Milliseconds since 1970-01-01T00:00:00Z; may jump.
    func wallMilliseconds() -> Int64
    /// Nanoseconds of a clock that only goes forward, from an arbitrary start.
    func monotonicNanoseconds() -> UInt64
}

/// The machine's clocks.
public final class SystemTime: TimeSource {
    /// The machine's clocks.
    public init() {}

    /// See ``TimeSource/wallMilliseconds()``.
    public func wallMilliseconds() -> Int64 {
        let now = Self.read(CLOCK_REALTIME)
        return Int64(now.tv_sec) * 1_000 + Int64(now.tv_nsec) / 1_000_000
    }

    /// See ``TimeSource/monotonicNanoseconds()``.
    public func monotonicNanoseconds() -> UInt64 { Self.now() }

    static func now() -> UInt64 {
        let now = read(CLOCK_MONOTONIC)
        return UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec)
    }

    private static func read(_ clock: clockid_t) -> timespec {
        var now = timespec()
        let result = unsafe clock_gettime(clock, &now)
        precondition(result == 0, "the kernel has a real-time and a monotonic clock")
        return now
    }
}
