import KinKeeper
import KinModel
import KinStore

/// A list as a whole, for clients that keep a copy of it: the count of its changes. A removed item has the number of
/// its removal. Each member who sees a list sees all its items. A client is told nothing of changes from before the
/// list came into sight.
enum ListBook {
    /// The count of changes of a list, as it now is for the caller.
    static func read(_ list: StoredList, _ act: Act) throws(Rejection) -> ChangeCount {
        try act.first(
            """
            SELECT epoch, changes, max(forgotten, coalesce(
                (SELECT seen_from FROM list_readers WHERE list = number AND member = ?2), 0)) AS forgotten_then
            FROM lists WHERE number = ?1
            """, .int(list.number), .id(try act.member.id)
        ) { row in
            ChangeCount(epoch: row.text("epoch"), changes: row.int("changes"), forgotten: row.int("forgotten_then"))
        } ?? ChangeCount()
    }

    // MARK: Readers

    /// Notes that some members see a list from now on, and that others no longer do.
    static func seen(by gained: Audience, notBy lost: Audience, _ list: Int64, _ act: Act) throws(Rejection) {
        for reader in try act.roster.entries(in: lost) {
            try act.run("DELETE FROM list_readers WHERE list = ? AND member = ?", .int(list), .id(reader.id))
        }
        for reader in try act.roster.entries(in: gained) {
            try act.run(
                """
                INSERT OR REPLACE INTO list_readers (list, member, seen_from)
                SELECT number, ?2, changes FROM lists WHERE number = ?1
                """, .int(list), .id(reader.id))
        }
    }

    // MARK: Changing

    /// Counts one more change of a list, and answers its number.
    static func next(in list: Int64, _ act: Act) throws(Rejection) -> Int64 {
        try act.run("UPDATE lists SET changes = changes + 1 WHERE number = ?", .int(list))
        return try act.first("SELECT changes FROM lists WHERE number = ?", .int(list), map: { row in row.int(0) }) ?? 0
    }

    /// A name for the count of a new list.
    static func newEpoch(_ act: Act) -> String { String(act.randomNumber(), radix: 36) }

    /// The family was restored from a backup, so the numbers mean other changes now.
    static func renew(_ act: Act) throws(Rejection) {
        for list in try act.rows("SELECT number FROM lists ORDER BY number", map: { row in row.int(0) }) {
            try act.run("UPDATE lists SET epoch = ? WHERE number = ?", .text(newEpoch(act)), .int(list))
        }
    }
}
