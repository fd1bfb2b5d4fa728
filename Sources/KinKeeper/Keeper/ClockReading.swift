public import KinModel

/// What the machine's clocks say at one moment: a value, so that a simulation can play every machine.
public struct ClockReading: Sendable, Equatable {
    /// The wall clock: what people go by, and what anybody can set.
    public let wall: Instant
    /// Milliseconds since the machine started, sleep included: nobody can set it.
    public let sinceBoot: Int64
    /// Which start of the machine that counts from.
    public let boot: String
    /// The kernel says that something sets its wall clock right, such as NTP.
    public let isSynchronised: Bool
    /// The same, now or earlier since the machine started. The kernel takes its word back after hours without a time
    /// server, and the clock is no worse for that.
    public let wasSynchronised: Bool

    /// A reading.
    public init(wall: Instant, sinceBoot: Int64, boot: String, isSynchronised: Bool, wasSynchronised: Bool) {
        self.wall = wall
        self.sinceBoot = sinceBoot
        self.boot = boot
        self.isSynchronised = isSynchronised
        self.wasSynchronised = wasSynchronised || isSynchronised
    }

    /// Of a machine whose clocks are right.
    public static func right(_ wall: Instant) -> ClockReading {
        ClockReading(
            wall: wall, sinceBoot: wall.milliseconds, boot: "", isSynchronised: true, wasSynchronised: true)
    }
}
