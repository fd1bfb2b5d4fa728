import KinKeeper
import KinModel

/// The times at which members last said that they type. A member who says so with each key is told of every two
/// seconds.
final class Typists: AreaMemory {
    private var last: [Int32: Instant] = [:]

    init() {}

    func turn(_ turn: Turn) {}

    func forget() { last = [:] }

    /// Whether it is to be told now.
    func says(_ member: Int32, at now: Instant) -> Bool {
        if let before = last[member], abs(now.milliseconds(since: before)) < Self.pauseMilliseconds { return false }
        last[member] = now
        return true
    }

    private static let pauseMilliseconds: Int64 = 2000
}
