import KinCalendar
import KinCodec
import KinCrypto
import KinICal
import KinKeeper
import KinModel
import KinStore

/// A question to a shelf, and the answer to it.
struct ShelfReading {
    private let shelf: Shelf
    private let made: ShelfMade
    /// Whether the text of each item is wanted.
    private let hasData: Bool
    /// The moments between which items must be on; `nil` for any time.
    private let span: (from: Instant, to: Instant)?
    /// The numbers of all entries that are on at the time, whoever sees them, as a list of JSON; `nil` where a very
    /// long time is asked for, and each entry is looked at by itself.
    private let on: Value?
    /// The moments between which each occurrence is written singly (RFC 4791, 9.6.5); `nil` if items are written whole.
    private let expansion: (from: Instant, to: Instant)?
    private let reader: Zone
    private let almanac: Almanac

    init(_ params: Params, _ act: Act) throws(Rejection) {
        shelf = try Shelf.named(params, act)
        made = try shelf.made(act)
        hasData = params["data"]?.bool ?? false
        expansion = Self.expansion(params)
        let reader = try Self.zone(params, of: shelf, act)
        self.reader = reader
        almanac = act.almanac
        span = Self.span(params)
        if let span, !Self.isLong(span) {
            let numbers = try act.memory(CalendarMemory.self).entries.near(span.from, span.to, act).filter {
                Self.isOn($0.timing, $0.exceptions, span, reader)
            }.map { JSON.int($0.number) }
            on = .text(JSON.array(numbers).text)
        } else {
            on = nil
        }
    }

    /// The zone in which days are read.
    static func zone(_ params: Params, of shelf: Shelf, _ act: Act) throws(Rejection) -> Zone {
        if let named = params.optionalString("zone").flatMap({ Zone($0) }) { return named }
        return try Calendars.zone(of: shelf.reader.id, act)
    }

    /// The items with these names.
    func named(_ names: [String], _ act: Act) throws(Rejection) -> JSON {
        var found: [StoredEntry] = []
        var items: [JSON] = []
        for name in names {
            if let one = made.busy.first(where: { $0.name.hasSameBytes(as: name) }) {
                items.append(json(one))
            } else if let one = made.birthdays.first(where: { $0.name.hasSameBytes(as: name) }) {
                items += json([one], act)
            } else if let stored = try shelf.entry(name, act), !found.contains(where: { $0.number == stored.number }) {
                found.append(stored)
            }
        }
        return ["items": .array(items + (try json(found, act)))]
    }

    /// Whether a question asks for the texts of a whole shelf, or of much of it. A worker then reads it.
    static func isLong(_ params: Params) -> Bool {
        guard params["data"]?.bool == true, !params.has("names"), !params.has("since") else { return false }
        guard let from = params.optionalTime("from"), let to = params.optionalTime("to") else { return true }
        return isLong((from, to))
    }

    /// Whether a time is so long that entries are looked at one by one.
    private static func isLong(_ span: (from: Instant, to: Instant)) -> Bool {
        span.to.milliseconds(since: span.from) > Limits.entryWindowDaysMax * 86_400_000
    }

    /// The entries of a page of a shelf.
    static func rows(of shelf: Shelf, on: Value?, since: Int64 = 0, until: Int64, _ params: Params) -> ShelfRows {
        let span = span(params)
        return ShelfRows(
            condition: shelf.condition, reader: shelf.reader.id, after: params.optionalInt("after") ?? since,
            until: until, limit: Int(clamping: params.optionalInt("limit") ?? Int64(Limits.shelfItemsMax)), on: on,
            from: span?.from, to: span?.to)
    }

    private static func span(_ params: Params) -> (from: Instant, to: Instant)? {
        guard params.has("from") || params.has("to") else { return nil }
        return (from: params.optionalTime("from") ?? .earliest, to: params.optionalTime("to") ?? .latest)
    }

    static func expansion(_ params: Params) -> (from: Instant, to: Instant)? {
        guard let from = params.optionalTime("expandFrom"), let to = params.optionalTime("expandTo") else { return nil }
        return (from: from, to: to)
    }

    /// The whole shelf, or the changes since a client's position, a page at a time in the order of the last changes.
    func page(_ params: Params, _ act: Act) throws(Rejection) -> JSON {
        let newest = if let until = params.optionalInt("until") { until } else { try shelf.position(act) }
        var since: Int64 = 0
        var gone: [(entry: Identifier, position: Int64)] = []
        if let token = params.optionalString("since") {
            guard let position = shelf.position(of: token, made, act) else { return ["unknown": true] }
            since = position
            if position < newest {
                guard let told = try ShelfTrace.gone(shelf, after: position, act) else { return ["unknown": true] }
                gone = told
            }
        }
        let rows = Self.rows(of: shelf, on: on, since: since, until: newest, params)
        let page = try act.ask { (database) throws(StoreFailure) in try rows.page(database) }
        let (after, last) = (rows.after, page.last)
        var found = page.found
        if since > 0 { found += try touched(since, after, last, act) }
        let left = Set(found.map(\.wire.id))
        var names: [JSON] = []
        for one in gone where one.position > after && one.position <= last && !left.contains(one.entry) {
            if try shelf.holds(one.entry, act) { continue }
            names.append(
                .string(
                    try ShelfName.name(of: one.entry, in: shelf.calendar.id, of: shelf.reader.id, act)
                        ?? "\(one.entry)" + ShelfName.suffix))
        }
        let items = try json(found.filter { isOn($0) }, act)
        return whole(items, gone: names, last, isMore: page.isMore, rows, params, act)
    }

    /// A page that a worker read, completed with what only the keeper's turn knows.
    func page(_ list: ShelfList, _ found: ShelfList.Found, _ params: Params, _ act: Act) -> JSON {
        let items = found.items.map { item in
            JSON.object(leavingOut: [
                "name": .string(item.name ?? "\(item.id)" + ShelfName.suffix),
                "tag": .string(StoredEntry.tag(of: item.id, at: item.position, item.digest, act)),
                "plan": item.plan.map { .string($0) }, "data": .string(item.data),
            ])
        }
        return whole(items, gone: [], found.last, isMore: found.isMore, list.rows, params, act)
    }

    /// A page, with the items that nobody put on the shelf on the first one.
    private func whole(
        _ items: [JSON], gone: [JSON], _ last: Int64, isMore: Bool, _ rows: ShelfRows, _ params: Params, _ act: Act
    ) -> JSON {
        let isFirst = params["after"] == nil && !params.has("since")
        let times =
            isFirst ? made.busy.filter { one in span.map { one.start < $0.to && one.end > $0.from } ?? true } : []
        let birthdays =
            isFirst
            ? made.birthdays.filter { one in span.map { Self.isOn(one.stored, $0, reader, almanac) } ?? true } : []
        return .object(leavingOut: [
            "items": .array(times.map { json($0) } + json(birthdays, act) + items), "gone": .array(gone),
            "next": isMore ? .int(last) : nil, "until": .int(rows.until),
            "sync": .string(shelf.token(last, made, act)),
        ])
    }

    /// The entries that have changed for the reader alone, and that are otherwise as the client knows them.
    private func touched(
        _ since: Int64, _ after: Int64, _ until: Int64, _ act: Act
    ) throws(Rejection) -> [StoredEntry] {
        try act.ask { (database) throws(StoreFailure) in
            try StoredEntry.rows(
                """
                WHERE \(shelf.condition) AND e.position <= ?2 AND e.number IN (
                SELECT entry FROM entry_touched WHERE member = ?1 AND position > ?3 AND position <= ?4) ORDER BY e.number
                """, shelf.values + [.int(since), .int(after), .int(until)], hasStars: false, database)
        }
    }

    /// Whether an occurrence of an entry is on in the time that is asked for.
    private func isOn(_ stored: StoredEntry) -> Bool {
        guard let span, on == nil else { return true }
        return Self.isOn(stored, span, reader, almanac)
    }

    static func isOn(
        _ stored: StoredEntry, _ span: (from: Instant, to: Instant), _ reader: Zone, _ almanac: Almanac
    ) -> Bool {
        isOn(
            Timing(stored.wire.times, exceptions: stored.wire.exceptions, almanac), stored.wire.exceptions, span, reader
        )
    }

    private static func isOn(
        _ timing: Timing?, _ exceptions: [EntryException], _ span: (from: Instant, to: Instant), _ reader: Zone
    ) -> Bool {
        guard let timing else { return false }
        // The first occurrences that may be on can be over already if clocks changed in between, so some more are
        // examined.
        let near = 2 * Limits.ruleTimesPerDayMax + timing.series.dates.count
        return !timing.spans(exceptions, from: span.from, to: span.to, max: near, reader: reader).all.isEmpty
    }

    // MARK: What is told

    private func json(_ one: ShelfBusy) -> JSON {
        .object(leavingOut: [
            "name": .string(one.name), "tag": "\"busy\"",
            "data": hasData
                ? .string(
                    ShelfText.whole(
                        EntryWriter.busy(one.start, one.end, in: shelf.calendar.id, stamp: one.start).text, zones: ""))
                : nil,
        ])
    }

    private func json(_ entries: [StoredEntry], _ act: Act) throws(Rejection) -> [JSON] {
        let names = try ShelfName.names(of: entries, in: shelf.calendar.id, of: shelf.reader.id, act)
        let own = try EntryOwn(of: shelf.reader.id, entries, act)
        var texts: ShelfText?
        if hasData {
            texts = ShelfText(
                EntryWriter(
                    names: own.names, reader: shelf.reader.id, almanac: almanac, own: own, isScheduling: true),
                act.memory(CalendarMemory.self).zones(act), almanac)
        }
        return entries.map { stored in
            .object(leavingOut: [
                "name": .string(names[stored.wire.id] ?? "\(stored.wire.id)" + ShelfName.suffix),
                "tag": .string(stored.tag(own, act)),
                "plan": stored.isPlanned ? .string(stored.planTag) : nil, "data": texts.map { data(of: stored, $0) },
            ])
        }
    }

    private func json(_ birthdays: [BirthdayEntry], _ act: Act) -> [JSON] {
        let writer = EntryWriter(names: [:], reader: shelf.reader.id, almanac: almanac)
        let texts = hasData ? ShelfText(writer, act.memory(CalendarMemory.self).zones(act), almanac) : nil
        return birthdays.map { one in
            .object(leavingOut: [
                "name": .string(one.name), "tag": .string(one.tag), "data": texts.map { data(of: one.stored, $0) },
            ])
        }
    }

    private func data(of stored: StoredEntry, _ texts: ShelfText) -> JSON {
        .string(
            expansion.map { texts.occurrences(of: stored, from: $0.from, to: $0.to, reader: reader) }
                ?? texts.text(of: stored))
    }
}

extension Shelf {
    /// The entry with a name, if the reader sees it whole.
    func entry(_ name: String, _ act: Act) throws(Rejection) -> StoredEntry? {
        let named = try ShelfName.thing(name, in: calendar.id, of: reader.id, act)
        let plain = name.hasSuffix(ShelfName.suffix) ? Identifier(name.dropLast(ShelfName.suffix.count)) : nil
        guard let id = named ?? plain else { return nil }
        if named == nil {
            let isPlain = "\(id)\(ShelfName.suffix)".hasSameBytes(as: name)
            guard isPlain, try ShelfName.name(of: id, in: calendar.id, of: reader.id, act) == nil else { return nil }
        }
        return try act.ask { (database) throws(StoreFailure) in
            try StoredEntry.rows(
                "WHERE e.id = ?2 AND \(condition)", values + [.id(id)], hasStars: true, database
            ).first
        }
    }

    /// The entry that the reader's programs know by a UID.
    func entry(uid: String, _ act: Act) throws(Rejection) -> StoredEntry? {
        try act.ask { (database) throws(StoreFailure) in
            try StoredEntry.rows(
                "WHERE (e.uid = ?2 OR e.shown_uid = ?2) AND \(condition)", values + [.text(uid)], database)
        }.first { $0.uid(to: reader.id).hasSameBytes(as: uid) }
    }

    /// Whether an entry stands on it.
    func holds(_ entry: Identifier, _ act: Act) throws(Rejection) -> Bool {
        try act.ask { (database) throws(StoreFailure) in
            try database.first(
                "SELECT 1 FROM entries e WHERE e.id = ?2 AND \(condition)", values: values + [.id(entry)]
            ) { row in row.bool(0) }
        } ?? false
    }
}

extension StoredEntry {
    /// The validator of its state for a reader who sees it, including the parts that only this reader is told.
    func tag(_ own: EntryOwn, _ act: Act) -> String {
        Self.tag(of: wire.id, at: position, own.digest(of: self), act)
    }

    /// The same for an entry's identifier, the position of its last change, and the digest of what only the reader is
    /// told.
    static func tag(of id: Identifier, at position: Int64, _ digest: String?, _ act: Act) -> String {
        "\"\(act.cursor(at: position, of: id))\(digest.map { "." + $0 } ?? "")\""
    }

    /// Whether it has invitees: members, or people outside, about whom only the owner's programs keep lines (RFC 6638,
    /// 3.2).
    var isPlanned: Bool { !wire.invitees.isEmpty || raw?.hasBytes(of: "ATTENDEE") == true }

    /// The validator of what its owner wrote last; answers do not change it (RFC 6638, 3.2.10).
    var planTag: String {
        var said = wire
        said.invitees = said.invitees.map { EntryInvitee(member: $0.member) }
        said.answers = []
        said.stars = []
        return "\"\(Hex.encode(Array(Digest.sha256(said.json.bytes).prefix(12))))\""
    }
}
