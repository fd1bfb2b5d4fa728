public import KinModel

/// Counts since the start, kept by the keeper on its own thread.
public struct KeeperCounters: Sendable {
    /// Turns: transactions begun.
    public var turns = 0
    /// Requests answered.
    public var commands = 0
    /// Rows appended to the log.
    public var events = 0
    /// What areas count, by name (``Counter``).
    public var own: [String: Int] = [:]
    /// Requests by method family and outcome: `family * (kinds + 1) + outcome`. Outcome 0 is "done"; the others are the
    /// ``Rejection/Kind``s in their order.
    public var requests: [UInt64]
    /// Requests per turn; turns without any are not counted.
    public var batch = Histogram(bounds: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024])
    /// Nanoseconds a turn took, with its commit.
    public var turnNanoseconds = Histogram(
        bounds: [100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000, 50_000_000]
            + [100_000_000, 250_000_000, 500_000_000, 1_000_000_000, 2_500_000_000])

    /// Outcomes of a request: done, or one of the kinds of refusal.
    public static let outcomes = ["ok"] + Rejection.Kind.allCases.map(\.word)

    package init(families: Int) { requests = Array(repeating: 0, count: families * Self.outcomes.count) }

    package mutating func count(family: Int, outcome: Int) { requests[family * Self.outcomes.count + outcome] &+= 1 }
}

extension Rejection.Kind {
    /// Its place among the outcomes; 0 is "done".
    package var outcome: Int {
        switch self {
        case .parse: 1
        case .request: 2
        case .method: 3
        case .params: 4
        case .notSignedIn: 5
        case .forbidden: 6
        case .notFound: 7
        case .conflict: 8
        case .tooLarge: 9
        case .invalid: 10
        case .slowDown: 11
        case .unavailable: 12
        }
    }
}

/// The keeper's facts about itself and its store, for metrics and `kin status`.
public struct KeeperStatus: Sendable {
    /// Counts since the start.
    public let counters: KeeperCounters
    /// COMMITs that wrote something.
    public let commits: Int
    /// Files and directories synced through the store.
    public let syncs: Int
    /// Rows of the log.
    public let logRows: Int64
    /// Bytes of their payload.
    public let logBytes: Int
    /// The disk was full: ordinary commands are refused.
    public let isShortOfRoom: Bool
    /// When the last backup was made, and its size in bytes.
    public let lastBackup: (at: Instant, bytes: Int64)?
    /// Whether the time is in doubt.
    public let isClockDoubted: Bool
    /// The clock, as `daemon.status` answers it; `nil` before it was read.
    public let clock: JSON?
    /// What all members used together; no member's own use.
    public let sums: JSON.Object
}
