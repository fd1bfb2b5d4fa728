import KinKeeper
import KinModel
import KinStore

/// The moments between which an entry lies, as its row has them. Versions before migration 58 took the end of some
/// rules for earlier than it is, so that the last occurrences were not found.
enum EntryBounds {
    /// Due work that calculates the bounds of repeating entries anew, some at a time. It is about the entry behind
    /// which it goes on.
    static let due = "entries.measure"

    /// Entries in one turn. A rule with a count has to be walked through from its beginning.
    private static let most = 25

    static func measure(_ about: String, _ act: Act) throws(Rejection) {
        let after = about.split(separator: "/").last.flatMap { Int64($0) } ?? 0
        let some = try act.ask { (database) throws(StoreFailure) in
            try StoredEntry.rows(
                "WHERE e.rule IS NOT NULL AND e.number > ?1 ORDER BY e.number LIMIT \(most)", [.int(after)], database)
        }
        for stored in some {
            guard let bounds = stored.timing?.bounds(stored.wire.exceptions) else { continue }
            try act.run(
                "UPDATE entries SET first = ?1, last = ?2 WHERE number = ?3 AND (first <> ?1 OR last <> ?2)",
                .time(bounds.first), .time(bounds.last), .int(stored.number))
        }
        guard some.count == most, let last = some.last else { return }
        try act.plan(due, about: "entries/\(last.number)", at: act.now)
    }
}
