import KinCalendar
import KinCrypto
import KinICal
import KinKeeper
import KinModel
import KinStore

/// A calendar, or all of them, as a file (RFC 5545) in the form for one reader. It is made a piece at a time, in the
/// order in which entries were made. This value has everything on which the reader's sight depends, except the entries
/// themselves, so that a worker can read by it.
struct CalendarFile: Sendable, Equatable {
    private let sight: CalendarSight
    /// The calendar of the file; `nil`: every entry that the reader sees and does not leave out.
    private let calendar: StoredCalendar?
    private let now: Instant
    private let leavesBirthdaysOut: Bool
    /// The zone in which the reader's times are written.
    private let zone: Zone
    private let family: String
    /// The names of members that the reader may know.
    private let names: [Identifier: String]
    private let places: PlacesOfMap

    /// A file of a calendar of which the reader sees something; 1404 for others. A file that is judged again keeps its
    /// time.
    init(
        _ calendar: Identifier?, of reader: Identifier, asked before: CalendarFile? = nil, _ act: Act
    ) throws(Rejection) {
        let sight = try CalendarSight(of: reader, act)
        self.sight = sight
        let leftOut = try act.memory(CalendarMemory.self).leftOut(of: reader, act)
        leavesBirthdaysOut = leftOut.contains(.birthdays)
        now = before?.now ?? act.now
        zone = try Calendars.zone(of: reader, act)
        family = try act.family().name
        names = try Self.names(to: sight.reader, act)
        places = PlacesOfMap(act)
        self.calendar = try calendar.map { (id) throws(Rejection) in
            guard let found = sight.calendars[id],
                found.right(of: sight.reader) > .none || found.isMade
            else { throw Rejection.notFound("calendar", id.description, field: "calendar") }
            return found
        }
    }

    private var values: [Value] { sight.values + [Value(calendar?.id)] }
    /// A file of all calendars has none that the reader leaves out.
    private var condition: String { condition("") }

    private func condition(_ not: String) -> String {
        let leftOut = calendar == nil ? sight.leftOut.sorted().map { "\($0)" }.joined(separator: ", ") : ""
        return "\(not) \(sight.condition) AND (?4 IS NULL OR c.id = ?4) AND c.number NOT IN (\(leftOut))"
    }

    // MARK: Pieces

    /// A piece while it is read.
    struct Piece: Sendable {
        /// Whether it begins with the calendar's head, and not behind an entry.
        fileprivate let isFirst: Bool
        fileprivate var text = ""
        fileprivate var count = 0
        /// The last entry that was looked at, and the last one that is in the piece.
        fileprivate var place: Int64
        fileprivate var last: Identifier?
        fileprivate var isLast = false
        /// The states of which the whole file is made. The first of several pieces has them.
        fileprivate var states: [String]?

        init(after: Identifier?, place: Int64) {
            isFirst = after == nil
            last = after
            self.place = place
        }
    }

    /// The place at which the piece behind an entry begins.
    func place(after: Identifier?, _ act: Act) throws(Rejection) -> Int64 { try sight.place(after: after, act) }

    /// Reads the next piece at once, for a program that reads an address.
    func piece(after: Identifier?, _ act: Act) throws(Rejection) -> FilePiece {
        var piece = Piece(after: after, place: try place(after: after, act))
        _ = try act.ask { (database) throws(StoreFailure) in
            try goOn(&piece, hasState: false, act.almanac, until: { false }, database)
        }
        return try finished(piece, act)
    }

    /// Goes on with a piece until it is whole or the time is over. Answers whether it is whole. In a calendar of which
    /// the reader sees little, many entries are looked at before there is one by which the next piece can be asked for.
    func goOn(
        _ piece: inout Piece, hasState: Bool, _ almanac: Almanac, until isOver: () -> Bool, _ database: Database
    ) throws(StoreFailure) -> Bool {
        if piece.isFirst, piece.text.isEmpty { piece.text = try head(database) }
        while !piece.isLast, piece.count == 0 {
            let rows = try StoredEntry.rows(
                "WHERE \(condition) AND e.number > ?5 ORDER BY e.number LIMIT \(Limits.entriesPerAnswerMax)",
                values + [.int(piece.place)], database)
            let writer = EntryWriter(
                names: names, reader: sight.reader.id, almanac: almanac,
                own: try EntryOwn(of: sight.reader.id, rows, places: places.hook, database))
            // Entries with many answers are long, so a piece ends once it is long enough.
            for stored in rows where piece.text.utf8.count < Limits.calendarPieceBytes {
                piece.place = stored.number
                guard sight.sees(stored) else { continue }
                piece.last = stored.wire.id
                for component in writer.components(of: stored) { piece.text += component.text }
                piece.count += 1
            }
            piece.isLast =
                rows.count < Int(Limits.entriesPerAnswerMax) && piece.place >= rows.last?.number ?? piece.place
            if !piece.isLast, piece.count == 0, isOver() { return false }
        }
        if piece.isLast {
            piece.text += try busy(almanac, database)
        } else if hasState, piece.isFirst {
            piece.states = try states(database)
        }
        return true
    }

    /// Completes a piece with what only the keeper's turn knows.
    func finished(_ piece: Piece, _ act: Act) throws(Rejection) -> FilePiece {
        var text = piece.text
        if piece.isLast { text += try birthdays(act) + "END:VCALENDAR\r\n" }
        return FilePiece(
            bytes: Array(text.utf8), count: piece.count, of: "entries",
            next: piece.isLast ? nil : piece.last?.description, mediaType: "text/calendar", fileName: "calendar.ics",
            state: try piece.states.map { (states) throws(Rejection) in try tag(states, act) })
    }

    /// A validator of the whole file. It changes when anything in the file changes for this reader. For entries of
    /// which the reader sees only the times, the times alone count.
    func tag(_ act: Act) throws(Rejection) -> String {
        try tag(try act.ask { (database) throws(StoreFailure) in try states(database) }, act)
    }

    private func tag(_ states: [String], _ act: Act) throws(Rejection) -> String {
        let rights = sight.calendars.values.sorted { $0.id < $1.id }.map {
            "\($0.id) \($0.right(of: sight.reader).rawValue) \($0.name ?? "")"
        }
        let roster = try act.roster.entries.map { "\($0.id) \($0.role) \($0.household)" }
        let born = hasBirthdays ? BirthdayEntry.digest(try BirthdayEntry.all(to: sight.reader.id, act)) : ""
        let almanac = act.almanac
        let times = try act.ask { (database) throws(StoreFailure) in try busy(almanac, database) }
        // Busy times cover a limited time from today on.
        let day = calendar == nil ? 0 : now.milliseconds / 86_400_000
        let all =
            states + rights + roster + [
                sight.reader.id.description, "\(day)", calendar?.id.description ?? "", born, times, family,
                calendar?.color ?? "",
            ] + names.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        return Hex.encode(Array(Digest.sha256(Array(all.joined(separator: "\n").utf8)).prefix(16)))
    }

    /// The states of the parts that stand in tables: the entries, the reader's alarms, and the places.
    private func states(_ database: Database) throws(StoreFailure) -> [String] {
        var states = try database.rows(
            """
            SELECT e.number, e.position FROM entries e JOIN calendars c ON c.number = e.calendar
            WHERE \(condition) ORDER BY e.number
            """, values: values
        ) { row in "\(row.int("number")) \(row.int("position"))" }
        states += try database.rows(
            "SELECT entry, text FROM entry_alarms WHERE member = ? ORDER BY entry", .id(sight.reader.id)
        ) { row in "\(row.int("entry")) \(row.text("text"))" }
        states += try database.rows(
            "SELECT entry, minutes FROM entry_reminders WHERE member = ? ORDER BY entry, minutes", .id(sight.reader.id)
        ) { row in "\(row.int("entry")) \(row.int("minutes"))" }
        let placed = try StoredEntry.rows(
            "WHERE \(condition) AND (e.map_place IS NOT NULL OR instr(e.exceptions, '\"place\":{') > 0) ORDER BY e.number",
            values, hasStars: false, database)
        let own = try EntryOwn(of: sight.reader.id, placed, places: places.hook, database)
        return states
            + own.places.values.sorted { $0.id < $1.id }.map { "\($0.id) \($0.lat) \($0.lon) \($0.name)" }
    }

    /// The head of the file: the calendar's own properties, and its zones.
    private func head(_ database: Database) throws(StoreFailure) -> String {
        var lines = [
            ICalLine("VERSION", value: "2.0"), ICalLine("PRODID", value: "-//Kinwire//Calendar//EN"),
            ICalLine("CALSCALE", value: "GREGORIAN"),
        ]
        let name = calendar?.name ?? family
        lines.append(ICalLine("NAME", text: name))
        lines.append(ICalLine("X-WR-CALNAME", text: name))
        if let color = calendar?.color { lines.append(ICalLine("X-APPLE-CALENDAR-COLOR", value: color)) }
        lines.append(ICalLine("REFRESH-INTERVAL", [ICalLine.Parameter("VALUE", "DURATION")], value: "PT1H"))
        lines.append(ICalLine("X-PUBLISHED-TTL", value: "PT1H"))
        let zones = try database.rows(
            """
            SELECT DISTINCT e.zone FROM entries e JOIN calendars c ON c.number = e.calendar
            WHERE \(condition) AND e.zone IS NOT NULL ORDER BY e.zone
            """, values: values
        ) { row in row.text(0) }
        var text = ICalComponent("VCALENDAR", lines).text
        text = String(text.dropLast("END:VCALENDAR\r\n".count))
        for zone in zones where zone != Zone.utc.name {
            if let zone = Zone(zone) { text += ZoneWriter.component(zone, now: now).text }
        }
        return text + (try given(beside: Set(zones), database))
    }

    /// Zones that lines of files name and no entry is in, each once: as they are known here, or as the files describe them.
    private func given(beside written: Set<String>, _ database: Database) throws(StoreFailure) -> String {
        let stored = try StoredEntry.rows(
            """
            WHERE \(condition) AND (instr(e.raw, 'BEGIN:VTIMEZONE') > 0
            OR instr(replace(e.raw, 'TZID=' || ifnull(e.zone, '/'), ''), 'TZID=') > 0) ORDER BY e.number
            """, values, hasStars: false, database)
        var names = written
        var text = ""
        for entry in stored where sight.sees(entry) {
            for zone in EntryWriter.zones(of: entry) where names.insert(zone["TZID"]?.text ?? "").inserted {
                text += zone.text
            }
            for name in EntryWriter.zoneNames(of: entry).sorted() where name != Zone.utc.name {
                guard let zone = Zone(name), names.insert(name).inserted else { continue }
                text += ZoneWriter.component(zone, now: now).text
            }
        }
        return text
    }

    private var hasBirthdays: Bool { calendar.map { $0.kind == .birthdays } ?? !leavesBirthdaysOut }

    private func birthdays(_ act: Act) throws(Rejection) -> String {
        guard hasBirthdays else { return "" }
        let writer = EntryWriter(names: [:], reader: sight.reader.id, almanac: act.almanac)
        return try BirthdayEntry.all(to: sight.reader.id, act).flatMap { writer.components(of: $0.stored) }
            .map(\.text).joined()
    }

    /// The busy times of entries of which the reader sees only the times, from a month ago until a year from now.
    private func busy(_ almanac: Almanac, _ database: Database) throws(StoreFailure) -> String {
        guard let calendar, calendar.right(of: sight.reader) >= .busy else { return "" }
        let today = Instant(milliseconds: now.milliseconds / 86_400_000 * 86_400_000)
        let (from, to) = (today.adding(days: -31), today.adding(days: 366))
        // If the reader reads the calendar, only private entries are hidden; there is an index for those.
        let hiding = calendar.right(of: sight.reader) >= .read ? " AND e.privacy <> 'public'" : ""
        let stored = try StoredEntry.rows(
            "WHERE \(condition("NOT")) AND e.last >= ?5 AND e.first < ?6 AND e.status <> 'cancelled'\(hiding) ORDER BY e.id",
            values + [.time(from), .time(to)], hasStars: false, database)
        var spans: Set<[Instant]> = []
        for entry in stored where !sight.sees(entry) && sight.seesTimes(entry) {
            let left = Limits.occurrencesPerQuestionMax - spans.count
            guard left > 0 else { break }
            for one in Expansion(entry, reader: zone, almanac).occurrences(from: from, to: to, max: left).all {
                spans.insert([one.start, one.end])
            }
        }
        return spans.sorted { ($0[0], $0[1]) < ($1[0], $1[1]) }.map {
            EntryWriter.busy($0[0], $0[1], in: calendar.id, stamp: $0[0]).text
        }.joined()
    }

    /// The names of members, as far as a reader may know them.
    static func names(to reader: Roster.Entry, _ act: Act) throws(Rejection) -> [Identifier: String] {
        let named = try act.rows("SELECT id, display_name, household FROM members") { row in
            (id: row.identifier("id"), name: row.text("display_name"), household: row.identifier("household"))
        }
        let told = named.filter { reader.role != .guest || $0.household == reader.household }
        return Dictionary(told.map { ($0.id, $0.name) }) { one, _ in one }
    }
}

/// The way in which places of the map are read. It is the same for everybody who may see them.
struct PlacesOfMap: Sendable, Equatable {
    /// `nil`: the caller sees no places, because the session was opened by somebody else and waits.
    let hook: Area.PlacesHook?

    init(_ act: Act) {
        if case .member(let member) = act.caller, member.isWaiting {
            hook = nil
        } else {
            hook = act.hooks.places
        }
    }

    static func == (one: Self, other: Self) -> Bool { (one.hook == nil) == (other.hook == nil) }
}

extension Calendars {
    /// The piece and the file that somebody asks for.
    private struct ExportAsked: Sendable, Equatable {
        let file: CalendarFile
        let after: Identifier?
        let place: Int64
    }

    static let export = Method.longRead(
        "calendar.export",
        "What the caller sees of a calendar as a file, iCalendar (RFC 5545); of what they see only when it is, that. Over HTTP it is the file; elsewhere it comes in pieces, whose texts one after the other are the file.",
        access: .signedIn, note: "who sees something of it",
        [
            .optional(
                "calendar", .id, "Every entry that the caller sees and does not leave out (settings.set), if left out."),
            .optional("after", .id, "next of the piece before, for the piece after it."),
        ],
        result: .object([
            .required("text", .text(max: 64 << 20), "The next piece of the file."),
            .required("entries", .integer(0...Limits.entriesPerAnswerMax), "How many are in it."),
            .optional("next", .id, "To be given as after; left out with the last."),
        ]),
        route: Route("GET", "/api/calendars/export"),
        admit: { (act, params, before: ExportAsked?) throws(Rejection) in
            let file = try CalendarFile(
                params.optionalID("calendar"), of: try act.member.id, asked: before?.file, act)
            let after = params.optionalID("after")
            return ExportAsked(file: file, after: after, place: try file.place(after: after, act))
        },
        begin: { (asked) in CalendarFile.Piece(after: asked.after, place: asked.place) },
        read: { (database, asked, found, time) throws(StoreFailure) in
            try asked.file.goOn(&found, hasState: true, Almanac(), until: { time.isOver }, database)
        },
        answer: { (act, _, asked, found) throws(Rejection) in
            .done(.null, effect: .piece(try asked.file.finished(found, act)))
        }
    ).answering(["text/calendar"])
}
