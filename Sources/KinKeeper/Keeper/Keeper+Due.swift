import KinModel
import KinStore

extension Keeper {
    /// Does what fell due, each by itself: what is refused takes nothing else along, and is tried again.
    func fallDue(_ now: Instant, _ commit: inout Commit) throws(StoreFailure) {
        let kinds = isClockDoubted ? Set(registry.areas.flatMap(\.dueInDoubt) + [SharedThings.goOnDue]) : nil
        for due in try store.due.popDue(now: now, limit: 4096, of: kinds) {
            beat()
            let isDone = try asDaemon(now, &commit) { (act) throws(Rejection) in
                if due.kind == Self.restoredDue { try restored(act) }
                if due.kind == SharedThings.goOnDue {
                    for things in registry.areas.flatMap(\.shared) { try things.goOn(due.about, act) }
                }
                for area in registry.areas { try area.due[due.kind]?(act, due.about) }
            }
            if isDone {
                refusedDues.done(due)
            } else {
                // It was taken out before the savepoint, so it has to be put back: a removal in turns would stop here.
                try store.due.addAgain(due, at: now.adding(seconds: refusedDues.secondsUntilNext(due)))
            }
        }
    }

    // MARK: What areas keep in memory

    /// The work of an area whose memory says that it is due (``AreaMemory/due``).
    static let memoryWork = "memory"

    /// When such work falls due next, by the clock that nobody can set.
    private var memoryDueUp: Instant? { memories.values.compactMap { $0.due }.min() }

    /// When such work falls due next.
    var memoryDue: Instant? {
        memoryDueUp.map { due in now.adding(milliseconds: max(0, due.milliseconds(since: uptime))) }
    }

    /// Does such work.
    func settleMemories(_ now: Instant, _ commit: inout Commit) throws(StoreFailure) {
        guard let due = memoryDueUp, uptime >= due else { return }
        try asDaemon(now, &commit) { (act) throws(Rejection) in
            for area in registry.areas { try area.due[Self.memoryWork]?(act, "") }
        }
    }
}

/// The waits of due work that was refused, by the work. They grow with each refusal in a row, so that work that is
/// always refused costs next to nothing. After a start they begin anew.
struct RefusedDues {
    private static let secondsMin: Int64 = 60
    private static let secondsMax: Int64 = 86_400
    /// Works that are remembered. Some may be gone by now: with one more all waits begin anew.
    private static let most = 1024

    private var seconds: [Key: Int64] = [:]

    private struct Key: Hashable {
        let kind: String
        let about: String

        init(_ due: Due) { (kind, about) = (due.kind, due.about) }
    }

    mutating func done(_ due: Due) {
        if !seconds.isEmpty { seconds[Key(due)] = nil }
    }

    /// Notes that it was refused once more; answers after how many seconds it is tried again.
    mutating func secondsUntilNext(_ due: Due) -> Int64 {
        let key = Key(due)
        let next = seconds[key].map { min($0 * 2, Self.secondsMax) } ?? Self.secondsMin
        if seconds.count >= Self.most, seconds[key] == nil { seconds = [:] }
        seconds[key] = next
        return next
    }
}
