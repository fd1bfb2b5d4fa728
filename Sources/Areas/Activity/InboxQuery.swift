import KinKeeper
import KinModel
import KinStore

/// The content of an inbox, read the same way for a snapshot, a list and an event.
///
/// A member's own entries and the announcements, of which there is one row for everybody, are put together here. Every
/// query goes down an index from the newest and stops at its limit, so ten years cost as much as a day.
struct InboxQuery {
    let database: Database
    let kinds: InboxKinds
    let member: Identifier
    /// Guests are told no announcements.
    let isGuest: Bool
    private let joined: Int64
    private let seen: Int64

    init(_ database: Database, _ kinds: InboxKinds, member: Identifier, role: Role) throws(StoreFailure) {
        self.database = database
        self.kinds = kinds
        self.member = member
        isGuest = role == .guest
        let told = try database.first("SELECT joined, seen FROM inbox_members WHERE member = ?", .id(member)) { row in
            (row.int("joined"), row.int("seen"))
        }
        (joined, seen) = told ?? (.max, .max)
    }

    // MARK: Unread

    /// The inbox as a snapshot has it.
    func inbox() throws(StoreFailure) -> Inbox {
        Inbox(try window(), unread: try unread())
    }

    /// How many entries are unread, ``Inbox/unreadMax`` at most.
    func unread() throws(StoreFailure) -> Int64 {
        let own = try database.first(
            "SELECT count(*) FROM (SELECT 1 FROM inbox WHERE member = ? AND state = 0 LIMIT ?)", .id(member),
            .int(Inbox.unreadMax)
        ) { row in row.int(0) }
        return min((own ?? 0) + (try unreadAnnouncements()), Inbox.unreadMax)
    }

    /// How many of these are announcements.
    func unreadAnnouncements() throws(StoreFailure) -> Int64 {
        guard !isGuest else { return 0 }
        return try database.first(
            """
            SELECT count(*) FROM (
                SELECT 1 FROM announcements a WHERE seq > ?1 AND author IS NOT ?2 AND NOT EXISTS
                    (SELECT 1 FROM inbox_dismissed d WHERE d.member = ?2 AND d.announcement = a.id)
                LIMIT ?3)
            """, .int(seen), .id(member), .int(Inbox.unreadMax)
        ) { row in row.int(0) } ?? 0
    }

    /// The entries in view, newest first.
    func window() throws(StoreFailure) -> [InboxEntry] { Inbox.window(try newest(Inbox.entriesMax)) }

    /// The newest unread entries, newest first.
    func newest(_ count: Int) throws(StoreFailure) -> [InboxEntry] {
        let own = try entries(
            "WHERE member = ?1 AND state = 0 ORDER BY at DESC, id DESC LIMIT ?2", .id(member), Value(count))
        let told = try announcements(after: seen, count: count)
        return Array((own + told).sorted(by: InboxEntry.isNewer).prefix(count))
    }

    // MARK: The list

    /// A place in the list from which the next page goes on.
    struct Place {
        let at: Instant
        let id: Identifier

        init(_ entry: InboxEntry) { (at, id) = (entry.at, entry.id) }

        init?(_ text: String) {
            let parts = text.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count == 2, let at = Int64(parts[0]), let id = Identifier(parts[1]) else { return nil }
            (self.at, self.id) = (Instant(milliseconds: at), id)
        }

        var text: String { "\(at.milliseconds).\(id)" }
    }

    /// The listed entries, read and unread, newest first; read ones only since `readSince`.
    func page(before place: Place?, count: Int, readSince: Instant) throws(StoreFailure) -> [InboxEntry] {
        let at = place?.at ?? .latest
        let id = place?.id ?? Identifier(high: .max, low: .max)
        let own = try entries(
            """
            WHERE member = ?1 AND (at, id) < (?2, ?3) AND (state = 0 OR (state = 2 AND at >= ?4))
            ORDER BY at DESC, id DESC LIMIT ?5
            """, .id(member), .time(at), .id(id), .time(readSince), Value(count))
        let told = try announcements(after: joined, before: place, count: count).filter {
            $0.isUnread || $0.at >= readSince
        }
        return Array((own + told).sorted(by: InboxEntry.isNewer).prefix(count))
    }

    // MARK: Inside

    /// The member's own entry.
    func entry(_ id: Identifier) throws(StoreFailure) -> InboxEntry? {
        try entries("WHERE id = ?1 AND member = ?2", .id(id), .id(member)).first
    }

    /// An entry or an announcement that the member has not read.
    func unread(_ id: Identifier) throws(StoreFailure) -> InboxEntry? {
        if let own = try entries("WHERE id = ?1 AND member = ?2 AND state = 0", .id(id), .id(member)).first {
            return own
        }
        guard try isAnnouncement(id) else { return nil }
        return try announcements(after: seen, only: id, count: 1).first
    }

    /// An entry that the member has, read or not; of announcements those that are unread.
    func listed(_ id: Identifier) throws(StoreFailure) -> InboxEntry? {
        let own = try entries("WHERE id = ?1 AND member = ?2 AND state IN (0, 2)", .id(id), .id(member)).first
        if let own { return own }
        return try unread(id)
    }

    /// Whether it is an announcement that the member was told, dismissed or not.
    func isAnnouncement(_ id: Identifier) throws(StoreFailure) -> Bool {
        guard !isGuest else { return false }
        return try database.first(
            "SELECT 1 FROM announcements WHERE id = ? AND seq > ? AND author IS NOT ?", .id(id), .int(joined),
            .id(member)
        ) { row in row.bool(0) } ?? false
    }

    /// Announcements told to the member up to a moment and not dismissed.
    func announced(upTo: Instant) throws(StoreFailure) -> [Identifier] {
        guard !isGuest else { return [] }
        return try database.rows(
            """
            SELECT id FROM announcements a WHERE seq > ?1 AND author IS NOT ?2 AND at <= ?3 AND NOT EXISTS
                (SELECT 1 FROM inbox_dismissed d WHERE d.member = ?2 AND d.announcement = a.id)
            ORDER BY seq
            """, .int(joined), .id(member), .time(upTo)
        ) { row in row.identifier(0) }
    }

    /// When a listed entry's last line was added.
    func at(_ id: Identifier) throws(StoreFailure) -> Instant? {
        let own = try database.first(
            "SELECT at FROM inbox WHERE id = ? AND member = ? AND state IN (0, 2)", .id(id), .id(member)
        ) { row in row.instant(0) }
        if let own { return own }
        guard try isAnnouncement(id) else { return nil }
        return try database.first("SELECT at FROM announcements WHERE id = ?", .id(id)) { row in row.instant(0) }
    }

    /// The columns of `inbox`. The entry's `at` is called `latest` there, because its lines have an `at` too.
    private static let columns = Columns<InboxEntry>(called: ["at": "latest"], elsewhere: ["unread", "lines"])

    /// Own entries by a condition, newest first, with their lines: one statement for all of them.
    func entries(_ condition: String, _ values: Value...) throws(StoreFailure) -> [InboxEntry] {
        var entries: [InboxEntry] = []
        try database.each(
            """
            SELECT i.*, \(InboxLine.columns) FROM
            (SELECT id, about, official, state, at AS latest, title, more FROM inbox \(condition)) i
            LEFT JOIN inbox_lines l ON l.entry = i.id ORDER BY latest DESC, id DESC, number
            """, values: values
        ) { (row) throws(StoreFailure) in
            if entries.last?.id != row.identifier("id") {
                let isUnread = row.int("state") <= EntryState.held.rawValue
                entries.append(try Self.columns.read(row, ["unread": .bool(isUnread), "lines": []]))
            }
            if !row.isNull("kind"), let line = InboxLine(row, kinds) {
                entries[entries.count - 1].lines.append(line.json(kinds))
            }
            return true
        }
        return entries
    }

    /// Announcements told to the member after a watermark and not dismissed, newest first: at least `count` where there
    /// are as many, and all of the last one's millisecond, within which the identifier decides the order. `id`: that one alone.
    private func announcements(
        after watermark: Int64, before place: Place? = nil, only id: Identifier? = nil, count: Int
    ) throws(StoreFailure) -> [InboxEntry] {
        guard !isGuest else { return [] }
        var found: [InboxEntry] = []
        try database.each(
            """
            SELECT id, at, author, substr(text, 1, ?3) AS title, seq FROM announcements a
            WHERE seq > ?1 AND author IS NOT ?2 AND at <= ?4 \(id == nil ? "" : "AND id = ?5") AND NOT EXISTS
                (SELECT 1 FROM inbox_dismissed d WHERE d.member = ?2 AND d.announcement = a.id)
            ORDER BY seq DESC
            """,
            values: [
                .int(watermark), .id(member), Value(InboxEntry.titleCharactersMax + 1), .time(place?.at ?? .latest),
            ] + (id.map { [.id($0)] } ?? [])
        ) { row in
            let at = row.instant("at")
            if found.count >= count, let last = found.last, at < last.at { return false }
            let entry = InboxEntry.announcement(
                row.identifier("id"), at: at, by: row.optionalIdentifier("author"), text: row.text("title"),
                isUnread: row.int("seq") > seen)
            if let place, (at, entry.id) >= (place.at, place.id) { return true }
            found.append(entry)
            return true
        }
        return found
    }
}
