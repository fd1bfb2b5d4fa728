import KinCalendar
import KinCodec
package import KinKeeper
package import KinModel
package import KinStore

/// An entry as it is stored: its visible part, and the identifiers by which calendar programs know it.
package struct StoredEntry {
    /// The small number that other tables name it by; 0 before it is stored.
    package internal(set) var number: Int64 = 0
    /// The part that members who see it are told.
    package var wire: Entry
    /// The identifier by which calendar programs know it (UID).
    package var uid: String
    /// The UID under which its owner's programs know it, if another entry that the owner does not see has its UID.
    package internal(set) var shownUID: String?
    /// Lines of iCalendar for which there is no field here, kept as they came.
    package var raw: String?
    /// The slot of the meeting for which it stands.
    package var slot: Identifier?
    /// The audience among the readers of its calendar; `nil`: all of them. Members who see the entry are not told it.
    package var sharedWith: SharedWith?
    /// The time at which it was made.
    package var made: Instant
    /// The position of the log at its last change. Together with the identifier it names a state of the entry.
    package internal(set) var position: Int64 = 0

    init(_ wire: Entry, uid: String? = nil, slot: Identifier? = nil) {
        self.wire = wire
        self.uid = uid ?? "\(wire.id)@kinwire"
        self.slot = slot
        made = wire.changed
    }

    /// The UID under which a reader's programs know it.
    func uid(to reader: Identifier?) -> String { reader == wire.owner ? shownUID ?? uid : uid }

    /// Its times.
    var timing: Timing? { Timing(wire.times, exceptions: wire.exceptions) }

    // MARK: Reading

    /// Its times and its place have columns of the same row. Lists are texts of JSON there, or rows of other tables.
    static let columns = Columns<Entry>(
        called: ["changed": "changed_at"],
        elsewhere: ["calendar", "times", "place", "exceptions", "invitees", "answers", "stars"])
    static let times = Columns<EntryTimes>(called: ["repeat": "rule"], elsewhere: ["start", "dates"])
    static let places = Columns<EntryPlace>(called: ["text": "place"])
    static let invitees = Columns<EntryInvitee>()

    private static let selected = """
        SELECT e.number, c.id AS calendar_id, e.uid, e.slot, e.made_at, e.position, e.raw, e.shown_uid, e.audience,
        e.audience_ids, e.start, e.dates, e.exceptions, e.answers, \(columns.names(of: "e")),
        \(times.names(of: "e")), \(places.names(of: "e"))
        FROM entries e JOIN calendars c ON c.number = e.calendar
        """

    /// It stands in for the times until they are read.
    private static let noTimes: JSON = ["start": ""]

    private init(_ row: borrowing Row) throws(StoreFailure) {
        number = row.int("number")
        wire = try Self.columns.read(
            row, ["calendar": .id(row.identifier("calendar_id")), "times": Self.noTimes])
        uid = row.text("uid")
        slot = row.optionalIdentifier("slot")
        made = row.instant("made_at")
        position = row.int("position")
        raw = row.optionalText("raw")
        shownUID = row.optionalText("shown_uid")
        sharedWith = EntryAudience.read(row, "audience", "audience_ids")
        let start = Civil(secondsSince1970: row.int("start")).written(isAllDay: row.isNull("zone"))
        wire.times = try Self.times.read(row, ["start": .string(start)])
        wire.times.dates = row.list("dates", \.string)
        wire.place = try Self.places.readUnlessNull(row)
        wire.exceptions = row.list("exceptions", EntryException.init)
        wire.answers = row.list("answers", EntryAnswer.init)
    }

    /// Entries with their invitees and stars. This takes three statements, however many entries there are, and two
    /// without the stars.
    package static func rows(
        _ rest: String, _ values: [Value], hasStars: Bool = true, _ database: Database
    ) throws(StoreFailure) -> [StoredEntry] {
        var found = try database.rows(selected + " " + rest, values: values) { (row) throws(StoreFailure) in
            try StoredEntry(row)
        }
        guard !found.isEmpty else { return [] }
        var indices: [Int64: Int] = [:]
        for (index, entry) in found.enumerated() { indices[entry.number] = index }
        let numbers = Value.text(JSON.array(found.map { .int($0.number) }).text)
        try database.each(
            """
            SELECT p.entry, \(invitees.names(of: "p")) FROM json_each(?) j CROSS JOIN entry_people p
            ON p.entry = j.value ORDER BY p.entry, p.member
            """, numbers
        ) { (row) throws(StoreFailure) in
            if let index = indices[row.int("entry")] { found[index].wire.invitees.append(try invitees.read(row)) }
            return true
        }
        guard hasStars else { return found }
        try database.each(
            """
            SELECT s.entry, s.member FROM json_each(?) j CROSS JOIN entry_stars s ON s.entry = j.value
            ORDER BY s.entry, s.member
            """, numbers
        ) { (row) throws(StoreFailure) in
            if let index = indices[row.int("entry")] { found[index].wire.stars.append(row.identifier("member")) }
            return true
        }
        return found
    }

    /// The entry with an identifier, whoever sees it.
    package static func find(_ id: Identifier, _ act: Act) throws(Rejection) -> StoredEntry? {
        try act.ask { (database) throws(StoreFailure) in try rows("WHERE e.id = ?", [.id(id)], database).first }
    }

    /// The entry that a subject such as `entry/0198…` names.
    static func of(_ about: String, _ act: Act) throws(Rejection) -> StoredEntry? {
        let parts = about.split(separator: "/")
        guard parts.count >= 2, let id = Identifier(parts[1]) else { return nil }
        return try find(id, act)
    }

    /// An entry that the caller sees; 1404 for any other, whether it exists or not.
    package static func visible(_ act: Act, _ id: Identifier) throws(Rejection) -> StoredEntry {
        let member = try act.member
        guard let found = try find(id, act), let reader = try act.roster[member.id],
            let calendar = try StoredCalendar.find(found.wire.calendar, act), found.isSeen(by: reader, in: calendar)
        else { throw Rejection.notFound("entry", id.description, field: "entry") }
        return found
    }

    // MARK: Who

    /// Whether a member sees it whole.
    func isSeen(by reader: Roster.Entry, in calendar: StoredCalendar) -> Bool {
        if wire.owner == reader.id || calendar.owner == reader.id { return true }
        if wire.invitees.contains(where: { $0.member == reader.id }) { return true }
        return wire.privacy == .public && isFor(reader) && calendar.right(of: reader) >= .read
    }

    /// The members who see it whole.
    func seers(in calendar: StoredCalendar, _ roster: Roster) -> Audience {
        Audience(roster.entries.filter { isSeen(by: $0, in: calendar) }.map(\.number))
    }

    /// The members who see it whole.
    func seers(_ act: Act) throws(Rejection) -> Audience {
        guard let calendar = try StoredCalendar.find(wire.calendar, act) else { return Audience() }
        return seers(in: calendar, try act.roster)
    }

    /// For whom it is, as far as the caller may know it; `nil`: every member. The owner and admins are told its
    /// audience, but only the owner of a calendar knows with whom that is shared; everybody else knows who is invited.
    func readers(_ act: Act) throws(Rejection) -> Audience? {
        guard let calendar = try StoredCalendar.find(wire.calendar, act) else { return Audience() }
        let roster = try act.roster
        let seers = seers(in: calendar, roster)
        if wire.privacy == .public, sharedWith == nil || sharedWith == .everyone,
            roster.everyone.subtracting(seers).isEmpty
        {
            return nil
        }
        if act.isOneself(wire.owner) || act.isAdministrator, calendar.owner.map(act.isOneself) ?? true { return seers }
        let named = wire.invitees.map(\.member) + [wire.owner]
        return Audience(named.compactMap { roster[$0]?.number }).intersection(seers)
    }

    /// Refuses a caller who sees it but may not change it.
    func requireChangeable(_ act: Act) throws(Rejection) {
        guard wire.meeting == nil else {
            throw Rejection(
                .conflict, "This was made from a meeting and changes with it; change the meeting.", field: "entry")
        }
        guard try StoredCalendar.find(wire.calendar, act)?.kind != .subscribed else {
            throw StoredCalendar.readOutside(field: "entry")
        }
        if act.isOneself(wire.owner) || act.isAdministrator { return }
        let member = try act.member
        if let reader = try act.roster[member.id], let calendar = try StoredCalendar.find(wire.calendar, act),
            calendar.right(of: reader) >= .write, wire.privacy == .public || calendar.owner == member.id
        {
            return
        }
        throw Rejection(
            .forbidden, "Only its owner, admins, and who may write into its calendar change an entry.", field: "entry")
    }
}

extension Civil {
    /// Reads seconds since 1970 by the clock on the wall, as tables have them.
    init(secondsSince1970 seconds: Int64) {
        self = Calendars.epoch.adding(seconds: Int(clamping: seconds))
    }

    /// Seconds since 1970 by the clock on the wall.
    var secondsSince1970: Int64 { Int64(seconds(since: Calendars.epoch)) }
}
