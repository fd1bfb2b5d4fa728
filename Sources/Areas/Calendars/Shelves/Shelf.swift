import KinCalendar
import KinCodec
import KinCrypto
import KinKeeper
import KinModel
import KinStore

/// A calendar for a client that keeps a copy of it (RFC 4791, 4.2): the part that its reader sees, under the names that
/// the reader's clients gave. The reader's own calendar also has entries of calendars that are not shown to the reader,
/// if the reader owns them or is invited to them.
struct Shelf {
    let reader: Roster.Entry
    let calendar: StoredCalendar
    /// The reader's right in it.
    let right: StoredCalendar.Right
    /// The numbers and identifiers of all calendars that are shown to the reader.
    private let shown: [(number: Int64, id: Identifier)]

    var isOwn: Bool { calendar.id == reader.id }
    private var isOfMeetings: Bool { calendar.kind == .meetings || calendar.kind == .toDecide }
    /// Whether the reader can add entries to it.
    var isWritten: Bool { right >= .write }

    private init(_ calendar: StoredCalendar, _ reader: Roster.Entry, _ shown: [StoredCalendar]) {
        self.calendar = calendar
        self.reader = reader
        let isRead = reader.role == .guest && calendar.id == reader.id
        right =
            isRead
            ? .read
            : calendar.kind == .subscribed
                ? min(.read, calendar.right(of: reader)) : calendar.right(of: reader)
        self.shown = shown.map { ($0.number, $0.id) }
    }

    /// All shelves of a member, except those that the member leaves out. Entries of those stand on no other shelf
    /// instead.
    static func all(_ act: Act) throws(Rejection) -> [Shelf] {
        guard let reader = try act.roster[try act.member.id] else { return [] }
        var shown = try StoredCalendar.all(act).filter { calendar in
            calendar.right(of: reader) > .none || calendar.isMade
        }
        if !shown.contains(where: { $0.id == reader.id }) {
            shown.append(StoredCalendar(id: reader.id, kind: .personal, owner: reader.id))
        }
        let leftOut = try act.memory(CalendarMemory.self).leftOut(of: reader.id, act)
        return shown.filter { !leftOut.contains($0.kind) }.map { Shelf($0, reader, shown) }
    }

    /// The shelf with the name that the reader's clients have for it; `nil` if there is none.
    static func find(_ name: String, _ act: Act) throws(Rejection) -> Shelf? {
        let member = try act.member.id
        let named = try ShelfName.thing(name, in: nil, of: member, act)
        guard let id = named ?? Identifier(name), named != nil || id.description.hasSameBytes(as: name) else {
            return nil
        }
        if named == nil, try ShelfName.name(of: id, in: nil, of: member, act) != nil { return nil }
        return try all(act).first { $0.calendar.id == id }
    }

    /// The shelf with a name; 1404 if there is none.
    static func named(_ params: Params, _ act: Act) throws(Rejection) -> Shelf {
        let name = try params.string("shelf")
        guard let found = try find(name, act) else { throw Rejection.notFound("calendar", name, field: "shelf") }
        return found
    }

    // MARK: What is on it

    /// The condition for the entries on it that the reader sees whole. Its values are ``values``.
    var condition: String {
        let named = """
            (e.owner = ?1 OR EXISTS (SELECT 1 FROM entry_people i WHERE i.entry = e.number AND i.member = ?1))
            """
        let seen =
            calendar.owner == reader.id
            ? "?1 IS NOT NULL"
            : right >= .read
                ? "((e.privacy = 'public' AND \(EntryAudience.condition(for: reader))) OR \(named))" : named
        let standing = "(e.calendar = \(calendar.number) AND \(seen))"
        guard isOwn else { return standing }
        return """
            (\(standing) OR e.number IN (SELECT number FROM entries WHERE owner = ?1 UNION
            SELECT entry FROM entry_people WHERE member = ?1) AND e.calendar NOT IN (\(shownNumbers)))
            """
    }

    var values: [Value] { [.id(reader.id)] }

    private var shownNumbers: String { shown.map { "\($0.number)" }.joined(separator: ", ") }

    /// The condition for its traces; the second value is the calendar.
    var tracesCondition: String {
        guard isOwn else { return "calendar = ?2" }
        let others = shown.filter { $0.id != calendar.id }
        guard !others.isEmpty else { return "1" }
        return
            "calendar NOT IN (\(others.map { "x'\(Hex.encode($0.id.bytes))'" }.joined(separator: ", "))) AND ?2 IS NOT NULL"
    }

    /// Whether it has entries of which the reader sees only the times.
    private var hasBusy: Bool {
        calendar.number != 0 && calendar.owner != reader.id && right >= .busy && !isOfMeetings
    }

    /// The items on it that nobody put there.
    func made(_ act: Act) throws(Rejection) -> ShelfMade {
        calendar.kind == .birthdays
            ? ShelfMade(birthdays: try BirthdayEntry.all(to: reader.id, act)) : ShelfMade(busy: try busy(act))
    }

    /// The times of entries of which the reader sees nothing else, from last month until a year from now, each time
    /// once.
    private func busy(_ act: Act) throws(Rejection) -> [ShelfBusy] {
        guard hasBusy else { return [] }
        // If the reader reads the calendar, only private entries are hidden; there is an index for those.
        let hiding = right >= .read ? " AND e.privacy <> 'public'" : ""
        let month = Zone.utc.civil(at: act.now).startOfDay
        let first = month.adding(days: 1 - month.day)
        let (from, to) = (Timing.moment(first.adding(days: -31), .utc), Timing.moment(first.adding(days: 397), .utc))
        let stored = try act.ask { (database) throws(StoreFailure) in
            try StoredEntry.rows(
                """
                WHERE e.calendar = \(calendar.number) AND NOT \(condition) AND e.last >= ?2 AND e.first < ?3
                AND e.status <> 'cancelled'\(hiding) AND \(EntryAudience.condition(for: reader))
                """, values + [.time(from), .time(to)], hasStars: false, database)
        }
        let zone = try Calendars.zone(of: reader.id, act)
        var spans: Set<ShelfBusy> = []
        for entry in stored {
            let left = Limits.occurrencesPerQuestionMax - spans.count
            guard left > 0 else { break }
            for one in Expansion(entry, reader: zone, act.almanac).occurrences(from: from, to: to, max: left).all {
                spans.insert(ShelfBusy(start: one.start, end: one.end))
            }
        }
        return spans.sorted { ($0.start, $0.end) < ($1.start, $1.end) }
    }

    // MARK: Where a client stands

    /// The position of the last change that the reader could see on it.
    func position(_ act: Act) throws(Rejection) -> Int64 {
        let newest = try act.ask { (database) throws(StoreFailure) in
            try database.first(
                """
                SELECT e.position FROM entries e WHERE \(condition) ORDER BY e.position DESC LIMIT 1
                """, values: values
            ) { row in row.int(0) }
        }
        let touched = try act.ask { (database) throws(StoreFailure) in
            try database.first(
                """
                SELECT t.position FROM entry_touched t JOIN entries e ON e.number = t.entry
                WHERE t.member = ?1 AND \(condition) ORDER BY t.position DESC LIMIT 1
                """, values: values
            ) { row in row.int(0) }
        }
        return max(newest ?? 0, touched ?? 0, try ShelfTrace.last(self, act))
    }

    /// The form of the items' validators. It changes when the same entry gets another validator than before without a
    /// change of the entry: then all clients begin anew.
    private static let form = "2"

    /// The token of a client that has all changes up to a position, and the items that nobody put there.
    func token(_ position: Int64, _ made: ShelfMade, _ act: Act) -> String {
        let place = position == 0 ? "0" : act.cursor(at: position, of: calendar.id)
        return "\(place).\(made.digest).\(Self.form)"
    }

    /// The position that a client's token names, if the client has the present items that nobody put there.
    func position(of token: String, _ made: ShelfMade, _ act: Act) -> Int64? {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[1] == made.digest, parts[2] == Self.form else { return nil }
        guard parts[0] != "0" else { return 0 }
        guard let position = act.position(of: String(parts[0])), position <= act.logPosition,
            act.cursor(at: position, of: calendar.id).hasSameBytes(as: String(parts[0]))
        else { return nil }
        return position
    }
}

/// The items on a shelf that nobody put there: times of which the reader sees nothing else, or birthdays. They change
/// as a whole: a client that has another state begins anew.
struct ShelfMade {
    var busy: [ShelfBusy] = []
    var birthdays: [BirthdayEntry] = []

    /// A digest of its state.
    var digest: String { birthdays.isEmpty ? ShelfBusy.digest(busy) : BirthdayEntry.digest(birthdays) }
}

/// A busy time of which the reader sees nothing else. It is an item of its own, under a name that reveals nothing more.
struct ShelfBusy: Hashable {
    let start: Instant
    let end: Instant

    private static let head = "busy-"

    var name: String { "\(Self.head)\(start.milliseconds / 1000)-\(end.milliseconds / 1000).ics" }

    /// Whether a name is that of a busy time, so that nothing else gets it.
    static func isName(_ name: String) -> Bool { name.hasPrefix(head) }

    /// A digest of all busy times together.
    static func digest(_ all: [ShelfBusy]) -> String {
        guard !all.isEmpty else { return "0" }
        return Hex.encode(Array(Digest.sha256(Array(all.map(\.name).joined().utf8)).prefix(8)))
    }
}

/// The names by which members' clients know items: the name that a client chose when it made the item, or else the
/// item's identifier.
enum ShelfName {
    static let suffix = ".ics"

    private static func place(_ calendar: Identifier?) -> Value { calendar.map { .id($0) } ?? .blob([]) }

    /// The item with a name in a calendar; without a calendar, the calendar with that name.
    static func thing(
        _ name: String, in calendar: Identifier?, of member: Identifier, _ act: Act
    ) throws(Rejection) -> Identifier? {
        try act.first(
            "SELECT thing FROM shelf_names WHERE member = ? AND calendar = ? AND name = ?", .id(member),
            place(calendar), .text(name)
        ) { row in row.identifier(0) }
    }

    /// The name that a client gave an item, if one did.
    static func name(
        of thing: Identifier, in calendar: Identifier?, of member: Identifier, _ act: Act
    ) throws(Rejection) -> String? {
        try act.first(
            "SELECT name FROM shelf_names WHERE member = ? AND calendar = ? AND thing = ?", .id(member),
            place(calendar), .id(thing)
        ) { row in row.text(0) }
    }

    /// The names of those among entries to which a client gave one.
    static func names(
        of entries: [StoredEntry], in calendar: Identifier, of member: Identifier, _ act: Act
    ) throws(Rejection) -> [Identifier: String] {
        try act.ask { (database) throws(StoreFailure) in try names(of: entries, in: calendar, of: member, database) }
    }

    static func names(
        of entries: [StoredEntry], in calendar: Identifier, of member: Identifier, _ database: Database
    ) throws(StoreFailure) -> [Identifier: String] {
        guard !entries.isEmpty else { return [:] }
        let found = try database.rows(
            """
            SELECT n.thing, n.name FROM json_each(?1) j CROSS JOIN entries e ON e.number = j.value
            CROSS JOIN shelf_names n ON n.member = ?2 AND n.calendar = ?3 AND n.thing = e.id
            """, .text(JSON.array(entries.map { .int($0.number) }).text), .id(member), .id(calendar)
        ) { row in (thing: row.identifier("thing"), name: row.text("name")) }
        return Dictionary(found.map { ($0.thing, $0.name) }) { one, _ in one }
    }

    /// Gives an item the name that a client chose.
    static func give(
        _ name: String, to thing: Identifier, in calendar: Identifier?, of member: Identifier, _ act: Act
    ) throws(Rejection) {
        try act.run(
            "INSERT OR REPLACE INTO shelf_names (member, calendar, name, thing) VALUES (?, ?, ?, ?)", .id(member),
            place(calendar), .text(name), .id(thing))
    }
}
