import KinCalendar
import KinKeeper
import KinModel
import KinStore

/// Which entries of a shelf a page has: those whose last change is behind one position and not behind another, in that
/// order.
struct ShelfRows: Sendable, Equatable {
    /// Finds the entries that the reader sees (``Shelf/condition``).
    let condition: String
    let reader: Identifier
    let after: Int64
    let until: Int64
    /// Whether entries that were changed behind the second position are taken, too: what is read later than that was
    /// reckoned loses none of them.
    var isOpen = false
    let limit: Int
    /// Only entries by these numbers, as a list of JSON; or only those that may be on between these moments.
    var on: Value?
    var from: Instant?
    var to: Instant?

    /// A page, with the position up to which it has everything, and whether there are more.
    struct Page {
        var found: [StoredEntry]
        var last: Int64
        var isMore: Bool
    }

    func page(_ database: Database) throws(StoreFailure) -> Page {
        let found = try rows(behind: after, isOpen ? .max : until, most: limit + 1, database)
        guard found.count > limit, let next = found.last?.position else {
            return Page(found: found, last: until, isMore: false)
        }
        // Several may have been changed at once: they stay together.
        guard found.first?.position == next else {
            return Page(found: found.filter { $0.position < next }, last: next - 1, isMore: true)
        }
        let all = try rows(behind: next - 1, next, most: Int(Limits.entriesMax), database)
        return Page(found: all, last: next, isMore: next < until)
    }

    private func rows(
        behind after: Int64, _ until: Int64, most: Int, _ database: Database
    ) throws(StoreFailure) -> [StoredEntry] {
        var conditions = [condition, "e.position > ?2", "e.position <= ?3"]
        var values: [Value] = [.id(reader), .int(after), .int(until)]
        if let on {
            conditions.append("e.number IN (SELECT value FROM json_each(?4))")
            values.append(on)
        } else if let from, let to {
            conditions.append("e.last >= ?4 AND e.first < ?5")
            values += [.time(from), .time(to)]
        }
        return try StoredEntry.rows(
            "WHERE \(conditions.joined(separator: " AND ")) ORDER BY e.position, e.number LIMIT \(most)", values,
            hasStars: false, database)
    }
}

/// A list of all of a shelf, with the text of each thing: a page of it is read by a worker, from this value and the
/// database alone. It has everything that the reader's sight depends on, but for the entries themselves.
struct ShelfList: Sendable, Equatable {
    private(set) var rows: ShelfRows
    private let calendar: Identifier
    /// Names of members, as far as the reader is told of them.
    private let names: [Identifier: String]
    private let places: PlacesOfMap
    private let zone: Zone
    /// Between which moments each occurrence is written by itself; `nil` where things are written whole.
    private let expandFrom: Instant?
    private let expandTo: Instant?
    private let now: Instant

    /// A list that is judged again keeps its time, and the position up to which it has everything.
    init(_ params: Params, asked before: ShelfList?, _ act: Act) throws(Rejection) {
        let shelf = try Shelf.named(params, act)
        let until = params.optionalInt("until") ?? before?.rows.until
        let newest = if let until { until } else { try shelf.position(act) }
        rows = ShelfReading.rows(of: shelf, on: nil, until: newest, params)
        rows.isOpen = !params.has("until")
        calendar = shelf.calendar.id
        names = try CalendarFile.names(to: shelf.reader, act)
        places = PlacesOfMap(act)
        zone = try ShelfReading.zone(params, of: shelf, act)
        let expansion = ShelfReading.expansion(params)
        (expandFrom, expandTo) = (expansion?.from, expansion?.to)
        now = before?.now ?? act.now
    }

    /// What a page has of the database.
    struct Found: Sendable {
        /// An entry as a client that keeps a copy has it.
        struct Item: Sendable {
            let id: Identifier
            let position: Int64
            /// The name that a client gave it.
            let name: String?
            /// A digest of the parts that only this reader is told.
            let digest: String?
            let plan: String?
            let data: String
        }

        var items: [Item] = []
        var last: Int64 = 0
        var isMore = false
    }

    func read(_ found: inout Found, _ database: Database) throws(StoreFailure) {
        let page = try rows.page(database)
        let almanac = Almanac()
        var entries = page.found
        if let from = rows.from, let to = rows.to {
            entries = entries.filter { ShelfReading.isOn($0, (from, to), zone, almanac) }
        }
        let own = try EntryOwn(of: rows.reader, entries, places: places.hook, database)
        let given = try ShelfName.names(of: entries, in: calendar, of: rows.reader, database)
        let writer = EntryWriter(names: names, reader: rows.reader, almanac: almanac, own: own, isScheduling: true)
        let texts = ShelfText(writer, ZoneTexts(now: now), almanac)
        found.items = entries.map { stored in
            Found.Item(
                id: stored.wire.id, position: stored.position, name: given[stored.wire.id],
                digest: own.digest(of: stored), plan: stored.isPlanned ? stored.planTag : nil,
                data: texts.occurrences(of: stored, from: expandFrom, to: expandTo, reader: zone))
        }
        found.last = page.last
        found.isMore = page.isMore
    }
}
