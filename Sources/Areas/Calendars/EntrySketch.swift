import KinCalendar
import KinCodec
import KinKeeper
import KinModel
import KinStore

/// The part of an entry that decides when it is and who sees it. A month needs no more of the entries that it does not
/// show. A sketch is remembered until its entry changes (``EntryMemory``). It is an object, because a month picks many
/// out of more.
final class EntrySketch {
    let number: Int64
    let id: Identifier
    /// The number of the entry's calendar.
    let calendar: Int64
    let owner: Identifier
    let category: String?
    let isCancelled: Bool
    let isPublic: Bool
    /// The audience among the readers of its calendar; `nil`: all of them.
    private let sharedWith: SharedWith?
    /// The moments between which the entry lies.
    let first: Instant
    let last: Instant
    /// Whether it repeats or lasts for long.
    let isLong: Bool
    let exceptions: [EntryException]
    let timing: Timing

    private static let selected = """
        SELECT e.number, e.id, e.calendar, e.owner, e.category, e.status, e.privacy, e.first, e.last, e.is_long, e.exceptions,
        e.start, e.zone, e.minutes, e.days, e.rule, e.dates, e.audience, e.audience_ids FROM entries e
        """

    private init(_ row: borrowing Row, _ almanac: Almanac) {
        // The columns are read in their order, which finds each at once.
        number = row.int("number")
        id = row.identifier("id")
        calendar = row.int("calendar")
        owner = row.identifier("owner")
        category = row.optionalText("category")
        isCancelled = row.text("status").hasSameBytes(as: Entry.Status.cancelled.rawValue)
        isPublic = row.text("privacy").hasSameBytes(as: Entry.Privacy.public.rawValue)
        first = row.instant("first")
        last = row.instant("last")
        isLong = row.int("is_long") == 1
        exceptions = row.list("exceptions", EntryException.init)
        let start = Civil(secondsSince1970: row.int("start"))
        let zone = row.optionalText("zone")
        let times = EntryTimes(
            start: "", zone: zone, minutes: row.optionalInt("minutes"), days: row.optionalInt("days"),
            repeats: row.optionalText("rule"), dates: row.list("dates", \.string))
        timing = Timing(start, times, exceptions: exceptions, almanac)
        sharedWith = EntryAudience.read(row, "audience", "audience_ids")
    }

    /// Whether a reader may know that the entry exists (``StoredEntry/isFor(_:)``).
    func isFor(_ reader: Roster.Entry) -> Bool { sharedWith?.includes(reader, of: owner) ?? true }

    /// The category of an occurrence.
    func category(at span: OccurrenceSpan) -> String? {
        guard span.isOtherwise else { return category }
        let name = span.name.written(isAllDay: timing.zone == nil)
        return exceptions.first { $0.occurrence.hasSameBytes(as: name) }?.category ?? category
    }

    /// Whether the entry, or an occurrence of it, has one of these categories.
    func isOf(_ categories: [String]) -> Bool {
        func has(_ category: String) -> Bool { categories.contains { $0.hasSameBytes(as: category) } }
        return has(category ?? "none") || exceptions.contains { $0.category.map(has) ?? false }
    }

    /// The sketches of entries that a condition finds.
    static func rows(
        _ rest: String, _ values: [Value], _ almanac: Almanac, _ database: Database
    ) throws(StoreFailure) -> [EntrySketch] {
        try database.rows(selected + " " + rest, values: values) { row in EntrySketch(row, almanac) }
    }

    /// The entries, among some, to which one of these members is invited, by their numbers.
    static func invited(
        _ members: Set<Identifier>, among some: [EntrySketch], _ act: Act
    ) throws(Rejection) -> Set<Int64> {
        guard !some.isEmpty else { return [] }
        var found: Set<Int64> = []
        try act.ask { (database) throws(StoreFailure) in
            try database.each(
                "SELECT p.entry, p.member FROM json_each(?) j CROSS JOIN entry_people p ON p.entry = j.value",
                .text(JSON.array(some.map { .int($0.number) }).text)
            ) { (row) throws(StoreFailure) in
                if members.contains(row.identifier("member")) { found.insert(row.int("entry")) }
                return true
            }
        }
        return found
    }
}
