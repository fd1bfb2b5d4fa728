package import KinKeeper
import KinModel

/// Reports of many phones share a turn, and so a sync: while they come thick and fast, the first that waits is held a moment
/// for those behind it. Whoever reports alone, or asks for anything else, waits for nothing.
///
/// They come thick when the last ``few`` were done within ``spell``, of several phones. A phone that brings its day, one
/// report after the other's answer, is never held alone; and where all that reported of late wait already, nobody is to come.
package struct SharedTurn {
    /// What waits is patient, all of it.
    private var isPatient = true
    /// When the first that waits came.
    private var since: UInt64?
    private var waiting: [Party] = []
    /// Of the last that were done, the newest at the end.
    private var done: [(party: Party, at: UInt64)] = []

    /// So many reports make a crowd, where they are of so many phones at least.
    static let few = 8
    static let phones = 4
    /// Nanoseconds within which they come then.
    static let spell: UInt64 = 100_000_000
    /// Nanoseconds that a report is held at most.
    package static let longest: UInt64 = 40_000_000

    package init() {}

    /// Something came for the keeper; `party` is `nil` for what is not patient.
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
