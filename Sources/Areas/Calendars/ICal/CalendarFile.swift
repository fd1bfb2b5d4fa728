import KinCalendar
import KinCrypto
import KinICal
import KinKeeper
import KinModel
import KinStore

/// What somebody sees of a calendar, or of all, as a file (RFC 5545), a piece at a time, in the order in which entries were made.
struct CalendarFile {
    private let sight: CalendarSight
    /// The one it is of; `nil`: every entry that the reader sees and does not leave out.
    private let calendar: StoredCalendar?
    private let now: Instant
    private let leavesBirthdaysOut: Bool

    /// A file of a calendar of which the reader sees something; 1404 for others.
    init(_ calendar: Identifier?, of reader: Identifier, _ act: Act) throws(Rejection) {
        let sight = try CalendarSight(of: reader, act)
        self.sight = sight
        let leftOut = try act.memory(CalendarMemory.self).leftOut(of: reader, act)
        leavesBirthdaysOut = leftOut.contains(.birthdays)
        now = act.now
        self.calendar = try calendar.map { (id) throws(Rejection) in
            guard let found = sight.calendars[id],
                found.right(of: sight.reader) > .none || found.isMade
            else { throw Rejection.notFound("calendar", id.description, field: "calendar") }
            return found
        }
    }

    private var values: [Value] { sight.values + [Value(calendar?.id)] }
    /// Of all calendars, those are none that the reader leaves out.
    private var condition: String {
        let leftOut = calendar == nil ? sight.leftOut.sorted().map { "\($0)" }.joined(separator: ", ") : ""
        return "\(sight.condition) AND (?4 IS NULL OR c.id = ?4) AND c.number NOT IN (\(leftOut))"
    }

    /// The next piece: the calendar's head before the first, its end behind the last.
    /// Of the first of several it says what state all of it is in, where that is wanted.
    func piece(after: Identifier?, hasState: Bool = false, _ act: Act) throws(Rejection) -> FilePiece {
        var place = try sight.place(after: after, act)
        var text = after == nil ? try head(act) : ""
        var (count, last, isLast) = (0, after, false)
        // Until there is something by which the next piece can be asked for: in a busy calendar much is not seen.
        repeat {
            let rows = try act.ask { (database) throws(StoreFailure) in
                try StoredEntry.rows(
                    "WHERE \(condition) AND e.number > ?5 ORDER BY e.number LIMIT \(Limits.entriesPerAnswerMax)",
                    values + [.int(place)], database)
            }
            let writer = EntryWriter(
                names: try Self.names(of: rows, sight.reader, act), reader: sight.reader.id, almanac: act.almanac,
                own: try EntryOwn(of: sight.reader.id, rows, act))
            // Entries with many answers are long: a piece ends where it is long enough.
            for stored in rows where text.utf8.count < Limits.calendarPieceBytes {
                place = stored.number
                guard sight.sees(stored) else { continue }
                last = stored.wire.id
                for component in writer.components(of: stored) { text += component.text }
                count += 1
            }
            isLast = rows.count < Int(Limits.entriesPerAnswerMax) && place >= rows.last?.number ?? place
        } while !isLast && count == 0
        if isLast { text += try busy(act) + birthdays(act) + "END:VCALENDAR\r\n" }
        return FilePiece(
            bytes: Array(text.utf8), count: count, of: "entries", next: isLast ? nil : last?.description,
            mediaType: "text/calendar", fileName: "calendar.ics",
            state: hasState && after == nil && !isLast ? try tag(act) : nil)
    }

    /// Names a state of all of it: another one when anything of it is otherwise for this reader.
    func tag(_ act: Act) throws(Rejection) -> String {
        let states = try act.ask { (database) throws(StoreFailure) in
            try database.rows(
                """
                SELECT e.number, e.position FROM entries e JOIN calendars c ON c.number = e.calendar
                WHERE \(condition) ORDER BY e.number
                """, values: values
            ) { row in "\(row.int(0)) \(row.int(1))" }
        }
        let rights = sight.calendars.values.sorted { $0.id < $1.id }.map {
            "\($0.id) \($0.right(of: sight.reader).rawValue) \($0.name ?? "")"
        }
        let ringing = try act.rows(
            "SELECT entry, text FROM entry_alarms WHERE member = ? ORDER BY entry", .id(sight.reader.id)
        ) { row in "\(row.int(0)) \(row.text(1))" }
        let reminders = try act.rows(
            "SELECT entry, minutes FROM entry_reminders WHERE member = ? ORDER BY entry, minutes", .id(sight.reader.id)
        ) { row in "\(row.int(0)) \(row.int(1))" }
        let placed = try act.ask { (database) throws(StoreFailure) in
            try StoredEntry.rows(
                "WHERE \(condition) AND (e.pin IS NOT NULL OR instr(e.exceptions, '\"place\":{') > 0) ORDER BY e.number",
                values, hasStars: false, database)
        }
        let own = try EntryOwn(of: sight.reader.id, placed, act)
        let places = own.places.values.sorted { $0.id < $1.id }.map { "\($0.id) \($0.lat) \($0.lon) \($0.name)" }
        let roster = try act.roster.entries.map { "\($0.id) \($0.role) \($0.household)" }
        let born = hasBirthdays ? BirthdayEntry.digest(try BirthdayEntry.all(to: sight.reader.id, act)) : ""
        // What is busy is told for some time from today on.
        let day = calendar == nil ? 0 : now.milliseconds / 86_400_000
        let all =
            states + ringing + reminders + places + rights + roster + [
                sight.reader.id.description, "\(day)", calendar?.id.description ?? "", born,
            ]
        return Hex.encode(Array(Digest.sha256(Array(all.joined(separator: "\n").utf8)).prefix(16)))
    }

    /// What the calendar says of itself, and the zones in it.
    private func head(_ act: Act) throws(Rejection) -> String {
        var lines = [
            ICalLine("VERSION", value: "2.0"), ICalLine("PRODID", value: "-//Kinwire//Calendar//EN"),
            ICalLine("CALSCALE", value: "GREGORIAN"),
        ]
        let family = try act.family().name
        let name = calendar?.name ?? family
        lines.append(ICalLine("NAME", text: name))
        lines.append(ICalLine("X-WR-CALNAME", text: name))
        if let color = calendar?.color { lines.append(ICalLine("X-APPLE-CALENDAR-COLOR", value: color)) }
        lines.append(ICalLine("REFRESH-INTERVAL", [ICalLine.Parameter("VALUE", "DURATION")], value: "PT1H"))
        lines.append(ICalLine("X-PUBLISHED-TTL", value: "PT1H"))
        let zones = try act.ask { (database) throws(StoreFailure) in
            try database.rows(
                """
                SELECT DISTINCT e.zone FROM entries e JOIN calendars c ON c.number = e.calendar
                WHERE \(condition) AND e.zone IS NOT NULL ORDER BY e.zone
                """, values: values
            ) { row in row.text(0) }
        }
        var text = ICalComponent("VCALENDAR", lines).text
        text = String(text.dropLast("END:VCALENDAR\r\n".count))
        for zone in zones where zone != Zone.utc.name {
            if let zone = Zone(zone) { text += ZoneWriter.component(zone, now: now).text }
        }
        return text + (try given(act))
    }

    /// What files say of zones that are not known here, each once.
    private func given(_ act: Act) throws(Rejection) -> String {
        let stored = try act.ask { (database) throws(StoreFailure) in
            try StoredEntry.rows(
                "WHERE \(condition) AND instr(e.raw, 'BEGIN:VTIMEZONE') > 0 ORDER BY e.number", values, database)
        }
        var names: Set<String> = []
        var text = ""
        for entry in stored where sight.sees(entry) {
            for zone in EntryWriter.zones(of: entry) where names.insert(zone["TZID"]?.text ?? "").inserted {
                text += zone.text
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

    /// Of what the reader sees only when it is, that: from a month ago until in a year.
    private func busy(_ act: Act) throws(Rejection) -> String {
        guard let calendar, calendar.right(of: sight.reader) >= .busy else { return "" }
        let today = Instant(milliseconds: now.milliseconds / 86_400_000 * 86_400_000)
        let (from, to) = (today.adding(days: -31), today.adding(days: 366))
        let stored = try act.ask { (database) throws(StoreFailure) in
            try StoredEntry.rows(
                "WHERE c.id = ?1 AND e.last >= ?2 AND e.first < ?3 AND e.status <> 'cancelled' ORDER BY e.id",
                [.id(calendar.id), .time(from), .time(to)], database)
        }
        let zone = try Calendars.zone(of: sight.reader.id, act)
        var spans: Set<[Instant]> = []
        for entry in stored where !sight.sees(entry) && sight.seesTimes(entry) {
            let left = Limits.occurrencesPerQuestionMax - spans.count
            guard left > 0 else { break }
            for one in Expansion(entry, reader: zone, act.almanac).occurrences(from: from, to: to, max: left).all {
                spans.insert([one.start, one.end])
            }
        }
        return spans.sorted { ($0[0], $0[1]) < ($1[0], $1[1]) }.map {
            EntryWriter.busy($0[0], $0[1], in: calendar.id, stamp: $0[0]).text
        }.joined()
    }

    /// What the members in entries are called, as far as the reader is told of them.
    static func names(
        of entries: [StoredEntry], _ reader: Roster.Entry, _ act: Act
    ) throws(Rejection) -> [Identifier: String] {
        guard entries.contains(where: { !$0.wire.invitees.isEmpty }) else { return [:] }
        let named = try act.rows("SELECT id, display_name, household FROM members") { row in
            (id: row.identifier(0), name: row.text(1), household: row.identifier(2))
        }
        let told = named.filter { reader.role != .guest || $0.household == reader.household }
        return Dictionary(told.map { ($0.id, $0.name) }) { one, _ in one }
    }
}

extension Calendars {
    static let export = Method.query(
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
        apply: { (act, params) throws(Rejection) in
            let file = try CalendarFile(params.optionalID("calendar"), of: try act.member.id, act)
            let piece = try file.piece(after: params.optionalID("after"), hasState: true, act)
            return .done(.null, effect: .piece(piece))
        }
    ).answering(["text/calendar"])
}
