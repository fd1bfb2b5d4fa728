public import KinModel

/// A reading of the machine's clocks at one moment: a value, so that a simulation can play every machine.
public struct ClockReading: Sendable, Equatable {
    /// The wall clock. People go by it, and anybody can set it.
    public let wall: Instant
    /// Milliseconds since the machine started, sleep included. Nobody can set this clock.
    public let sinceBoot: Int64
    /// The start of the machine that `sinceBoot` counts from.
    public let boot: String
    /// Whether the kernel says that something keeps its wall clock right, such as NTP.
    public let isSynchronised: Bool
    /// Whether the kernel says so now, or said so earlier since the machine started. After hours without a time server
    /// it no longer does, although the clock is as good as before.
    public let wasSynchronised: Bool

    /// A reading.
    public init(wall: Instant, sinceBoot: Int64, boot: String, isSynchronised: Bool, wasSynchronised: Bool) {
        self.wall = wall
        self.sinceBoot = sinceBoot
        self.boot = boot
        self.isSynchronised = isSynchronised
        self.wasSynchronised = wasSynchronised || isSynchronised
    }

    /// The reading of a machine whose clocks are right.
    public static func right(_ wall: Instant) -> ClockReading {
        ClockReading(
            wall: wall, sinceBoot: wall.milliseconds, boot: "", isSynchronised: true, wasSynchronised: true)
    }
}
