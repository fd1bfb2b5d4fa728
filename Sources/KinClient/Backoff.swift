/// How long to wait before the next attempt: the bound doubles with each failure, and the wait is drawn evenly from zero
/// up to the bound ("full jitter"), so that a family's phones do not all knock at once after a restart.
public struct Backoff: Sendable, Hashable {
    /// The bound before the first attempt, in milliseconds.
    public static let boundMillisecondsMin: UInt64 = 500
    /// The bound never exceeds this, in milliseconds.
    public static let boundMillisecondsMax: UInt64 = 60_000
    /// The longest wait a daemon can ask for, in seconds.
    public static let retryAfterSecondsMax = 3600

    /// Attempts that failed since the last success.
    public private(set) var failures = 0

    /// No failure so far.
    public init() {}

    /// It worked.
    public mutating func succeeded() { failures = 0 }

    /// It failed.
    ///
    /// - Parameters:
    ///   - retryAfter: Seconds the daemon asked for; the jitter comes on top.
    ///   - random: 64 random bits.
    /// - Returns: Milliseconds to wait before the next attempt.
    public mutating func failed(retryAfter: Int? = nil, random: UInt64) -> UInt64 {
        let bound = min(Self.boundMillisecondsMin << UInt64(min(failures, 16)), Self.boundMillisecondsMax)
        failures = min(failures + 1, 16)
        let asked = UInt64(min(max(retryAfter ?? 0, 0), Self.retryAfterSecondsMax)) * 1000
        // The high half of the product is even over 0...bound to within 2⁻⁴⁸.
        return asked + random.multipliedFullWidth(by: bound + 1).high
    }
}
