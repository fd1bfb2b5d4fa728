package import KinKeeper
import KinModel

/// Reports of many phones share a turn, and so a sync. While many arrive in a short time, the first that waits is held
/// a moment for those behind it. A report that comes alone, and every other request, is not held.
///
/// Reports are frequent when the last ``few`` were done within ``spell`` and came from several phones. A phone that
/// sends its day, one report after the other's answer, is never held alone. When every phone that reported lately waits
/// already, the turn begins: no other is expected.
package struct SharedTurn {
    /// Whether everything that waits may be held.
    private var isPatient = true
    /// When the first that waits came.
    private var since: UInt64?
    private var waiting: [Party] = []
    /// The reports done last, the newest at the end.
    private var done: [(party: Party, at: UInt64)] = []

    /// The number of reports, and of phones, that make a crowd.
    static let few = 8
    static let phones = 4
    /// Nanoseconds within which a crowd's reports were done.
    static let spell: UInt64 = 100_000_000
    /// Nanoseconds that a report is held at most.
    package static let longest: UInt64 = 40_000_000

    package init() {}

    /// Something came for the keeper; `party` is `nil` for a request that must not be held.
    package mutating func came(_ party: Party?, now: UInt64) {
        guard let party else { return isPatient = false }
        since = since ?? now
        waiting.append(party)
    }

    /// Nanoseconds to wait for more; `nil` when the turn is to begin.
    package func pause(now: UInt64) -> UInt64? {
        guard isPatient, let since, now < since &+ Self.longest else { return nil }
        let crowd = Set(done.map(\.party))
        guard done.count == Self.few, let oldest = done.first, now < oldest.at &+ Self.spell,
            crowd.count >= Self.phones, !crowd.isSubset(of: waiting)
        else { return nil }
        return since &+ Self.longest &- now
    }

    /// The turn is over.
    package mutating func turned(now: UInt64) {
        for party in waiting.suffix(Self.few) { done.append((party, now)) }
        if done.count > Self.few { done.removeFirst(done.count - Self.few) }
        waiting.removeAll(keepingCapacity: true)
        (isPatient, since) = (true, nil)
    }
}
