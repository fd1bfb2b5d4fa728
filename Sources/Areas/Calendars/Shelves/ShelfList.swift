import KinCalendar
import KinKeeper
import KinModel
import KinStore

/// The entries of a page of a shelf: those whose last change is behind one position and not behind another, in that
/// order.
struct ShelfRows: Sendable, Equatable {
    /// The condition for entries that the reader sees (``Shelf/condition``).
    let condition: String
    let reader: Identifier
    let after: Int64
    let until: Int64
    /// Whether entries that were changed behind the second position are included, too. A page that is read later than
    /// its bounds were calculated then loses none of them.
    var isOpen = false
    let limit: Int
    /// Only entries by these numbers, as a list of JSON; or only those that may be on between these moments.
    var on: Value?
    var from: Instant?
    var to: Instant?

    /// A page, with the position up to which it is complete, and whether there are more.
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
        // Several entries may have been changed at one position: they stay together.
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

/// A list of a whole shelf, with the text of each item. A worker reads a page of it, from this value and the database
/// alone. The value has everything on which the reader's sight depends, except the entries themselves.
struct ShelfList: Sendable, Equatable {
    private(set) var rows: ShelfRows
    private let calendar: Identifier
    /// The names of members that the reader may know.
    private let names: [Identifier: String]
    private let places: PlacesOfMap
    private let zone: Zone
    /// The moments between which each occurrence is written singly; `nil` if items are written whole.
    private let expandFrom: Instant?
    private let expandTo: Instant?
    private let now: Instant

    /// A list that is judged again keeps its time, and the position up to which it is complete.
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

    /// The part of a page that comes from the database.
    struct Found: Sendable {
        /// An entry for a client that keeps a copy.
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
        let own = try EntryOwn(of: rows.reader, entries, names: names, places: places.hook, database)
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
