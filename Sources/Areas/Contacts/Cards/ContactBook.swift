import KinKeeper
import KinModel
import KinStore

/// The state of the contacts as a whole, for clients that keep a copy (CardDAV): a count of changes, and the removed
/// contacts. Each change has a number; a contact has that of its last one. Every reader sees every contact, so the
/// numbers tell nobody anything.
struct ContactBook: Sendable, Equatable {
    /// The identity of this count of changes. After a restore it is another, because the numbers would mean something
    /// else.
    private(set) var epoch = "0"
    /// The number of the last change.
    private(set) var changes: Int64 = 0
    /// The change up to which removed contacts are forgotten.
    private(set) var forgotten: Int64 = 0

    /// As it is now.
    static func read(_ database: Database) throws(StoreFailure) -> ContactBook {
        try database.first("SELECT epoch, changes, forgotten FROM contact_book") { row in
            var book = ContactBook()
            book.epoch = row.text("epoch")
            book.changes = row.int("changes")
            book.forgotten = row.int("forgotten")
            return book
        } ?? ContactBook()
    }

    // MARK: What clients hold

    /// The validator of what was changed last by that change.
    func tag(_ change: Int64) -> String { "\"\(epoch)-\(change)\"" }

    /// The token of a client that knows all changes up to this one.
    func token(_ change: Int64) -> String { "\(epoch)-\(change)" }

    /// The change that a client's token stands for; `nil` where it is not of this book, or contacts removed since then
    /// are forgotten.
    func change(of token: String) -> Int64? {
        let parts = token.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == epoch, let change = Int64(parts[1]), change >= forgotten, change <= changes
        else { return nil }
        return change
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
