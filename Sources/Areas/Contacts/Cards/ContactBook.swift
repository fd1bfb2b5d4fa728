import KinKeeper
import KinModel
import KinStore

/// The contacts as a whole, for clients that keep a copy (CardDAV): the count of their changes, and the removed ones. Every
/// reader sees every contact, so the numbers tell nobody anything.
enum ContactBook {
    /// The count as it is now.
    static func read(_ database: Database) throws(StoreFailure) -> ChangeCount {
        try database.first("SELECT epoch, changes, forgotten FROM contact_book") { row in
            ChangeCount(epoch: row.text("epoch"), changes: row.int("changes"), forgotten: row.int("forgotten"))
        } ?? ChangeCount()
    }

    // MARK: Changing

    /// The number of one more change.
    static func next(_ act: Act) throws(Rejection) -> Int64 {
        // A moment that never was before: after a restore, or where another family begins at the same address.
        try act.run(
            "INSERT OR IGNORE INTO contact_book (one, epoch, changes, forgotten) VALUES (1, '0', 0, 0)")
        try act.run(
            "UPDATE contact_book SET changes = changes + 1, epoch = CASE epoch WHEN '0' THEN ? ELSE epoch END",
            .text(String(act.now.milliseconds, radix: 36)))
        return try act.first("SELECT changes FROM contact_book", map: { row in row.int(0) }) ?? 0
    }

    /// Notes that a contact was removed, by the name that clients know.
    static func went(_ name: String, _ act: Act) throws(Rejection) {
        try act.run(
            "INSERT INTO contacts_gone (changed, name, at) VALUES (?, ?, ?)", .int(try next(act)), .text(name),
            .time(act.now))
    }

    /// Forgets removed contacts once the log no longer reaches back to them.
    static func forget(_ act: Act) throws(Rejection) {
        let before = Value.time(act.now.adding(days: -Limits.logDays))
        let last = try act.first("SELECT max(changed) AS last FROM contacts_gone WHERE at < ?", before) { row in
            row.optionalInt("last")
        }
        guard let last = last.flatMap(\.self) else { return }
        try act.run("DELETE FROM contacts_gone WHERE changed <= ?", .int(last))
        try act.run("UPDATE contact_book SET forgotten = max(forgotten, ?)", .int(last))
    }

    /// Makes everything that clients hold from before invalid.
    static func begin(_ act: Act) throws(Rejection) {
        try act.run("DELETE FROM contacts_gone")
        try act.run(
            "UPDATE contact_book SET epoch = ?, forgotten = changes", .text(String(act.now.milliseconds, radix: 36)))
    }
}
