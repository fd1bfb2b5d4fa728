import KinCalendar
import KinKeeper
import KinModel
import KinStore

/// The part of the calendars that the caller sees.
struct CalendarSight: Sendable, Equatable {
    let reader: Roster.Entry
    let calendars: [Identifier: StoredCalendar]
    /// The reader's rights in calendars that have a row, by the calendars' numbers.
    private let places: [Int64: Place]
    private let readable: [Int64]
    /// The numbers of calendars that the reader leaves out when the question names none.
    let leftOut: Set<Int64>

    private struct Place: Equatable {
        let id: Identifier
        let right: FamilyCalendar.Right
        let isOwn: Bool
    }

    init(_ act: Act) throws(Rejection) { try self.init(of: try act.member.id, act) }

    init(of member: Identifier, _ act: Act) throws(Rejection) {
        guard let reader = try act.roster[member] else { throw Rejection(.notSignedIn, "Sign in first.") }
        let all = try StoredCalendar.all(act)
        self.reader = reader
        calendars = Dictionary(all.map { ($0.id, $0) }) { one, _ in one }
        let stored = all.filter { $0.number != 0 }.map {
            ($0.number, Place(id: $0.id, right: $0.right(of: reader), isOwn: $0.owner == reader.id))
        }
        places = Dictionary(stored) { one, _ in one }
        readable = stored.filter { $0.1.right >= .read }.map(\.0).sorted()
        let kinds = try act.memory(CalendarMemory.self).leftOut(of: member, act)
        leftOut = kinds.isEmpty ? [] : Set(all.filter { $0.number != 0 && kinds.contains($0.kind) }.map(\.number))
    }

    /// Finds, of entries `e` and their calendars `c`, those that the reader sees whole
    /// (``StoredEntry/isSeen(by:in:)``).
    var condition: String {
        """
        (e.owner = ?2 OR c.owner IS ?2 OR (e.privacy = 'public' AND e.calendar IN (SELECT value FROM json_each(?1))
        AND \(EntryAudience.condition(for: reader)))
        OR EXISTS (SELECT 1 FROM entry_people i WHERE i.entry = e.number AND i.member = ?3))
        """
    }

    /// The values for the condition.
    var values: [Value] {
        [.text(JSON.array(readable.map { .int($0) }).text), .id(reader.id), .id(reader.id)]
    }

    /// Whether the reader sees an entry whole.
    func sees(_ stored: StoredEntry) -> Bool {
        calendars[stored.wire.calendar].map { stored.isSeen(by: reader, in: $0) } ?? false
    }

    /// The place of the entry with which a page ended, in the order in which all entries were made. It is refused if
    /// the reader does not see that entry, or no longer does.
    func place(after id: Identifier?, _ act: Act) throws(Rejection) -> Int64 {
        guard let id else { return 0 }
        guard let stored = try StoredEntry.find(id, act), sees(stored) else {
            throw Rejection(
                .invalid, "The entry that the page before ended with is gone; leave after out to begin anew.",
                field: "after")
        }
        return stored.number
    }

    /// Whether the reader sees an entry whole without being invited to it (``StoredEntry/isSeen(by:in:)``).
    func sees(_ sketch: EntrySketch) -> Bool {
        if sketch.owner == reader.id { return true }
        guard let place = places[sketch.calendar] else { return false }
        return place.isOwn || sketch.isPublic && place.right >= .read && sketch.isFor(reader)
    }

    /// The calendar of an entry whose times the reader sees; `nil` if the reader does not see them.
    func calendarOfTimes(_ sketch: EntrySketch) -> Identifier? {
        places[sketch.calendar].flatMap { $0.right >= .busy && sketch.isFor(reader) ? $0.id : nil }
    }

    /// Whether the reader sees the times of an entry.
    func seesTimes(_ stored: StoredEntry) -> Bool {
        calendars[stored.wire.calendar].map { $0.right(of: reader) >= .busy && stored.isFor(reader) } ?? false
    }
}

/// A question about the occurrences between two times.
struct EntryQuestion {
    private(set) var from: Instant
    private(set) var to: Instant
    let zone: Zone
    private let words: String?
    private let hasWords: Bool
    private let members: Set<Identifier>?
    private let categories: [String]?
    private let calendars: Set<Identifier>?
    /// The entries that are asked about, by their numbers; `nil`: all.
    var only: Set<Int64>?

    /// The result.
    struct Found {
        /// The occurrences, in no order.
        var all: [Place] = []
        var busy: [Busy] = []
        /// The sketches of the entries to which the places belong.
        fileprivate(set) var sketches: [EntrySketch] = []
        /// The number of occurrences in it.
        var count: Int { all.count + busy.count }

        /// Removes the occurrences of these entries, given by their numbers.
        mutating func leaveOut(_ numbers: Set<Int64>) {
            all.removeAll { numbers.contains($0.number) }
            busy.removeAll { numbers.contains($0.number) }
        }

        /// The occurrences by their beginning, and then by the entry: as many of those behind a key as are wanted, and
        /// whether there are more. Places are large, so small keys are sorted in their stead.
        func page(behind key: String?, _ most: Int) -> (places: [Place], hasMore: Bool) {
            var order: [Key] = []
            order.reserveCapacity(all.count)
            // Occurrences that begin before the key's moment stand before it.
            guard let least = key.map({ Place.moment(of: $0) }) ?? .min else { return ([], false) }
            for index in all.indices {
                let start = all[index].span.start.milliseconds
                guard start >= least else { continue }
                if start == least, let key, all[index].key <= key { continue }
                order.append((start, index))
            }
            Self.dropFar(&order, behind: most + 1)
            order.sort { one, other in
                one.start != other.start
                    ? one.start < other.start : Place.isBefore(all[one.place], all[other.place])
            }
            return (order.prefix(most).map { all[$0.place] }, order.count > most)
        }

        private typealias Key = (start: Int64, place: Int)

        /// Drops keys that are certainly not among the first ones, so that few of a month's thousands are sorted. For
        /// that it counts how many occurrences begin in each 256th of the time.
        private static func dropFar(_ order: inout [Key], behind most: Int) {
            guard order.count > 2 * most else { return }
            var (low, high) = (Int64.max, Int64.min)
            for one in order { (low, high) = (min(low, one.start), max(high, one.start)) }
            let width = (high - low) / 256 + 1
            var counts = [Int](repeating: 0, count: 256)
            for one in order { counts[Int((one.start - low) / width)] += 1 }
            var (sum, parts) = (0, 0)
            while sum < most {
                sum += counts[parts]
                parts += 1
            }
            let end = low + Int64(parts) * width
            order.removeAll { $0.start >= end }
        }
    }

    /// An occurrence in the list. Thousands are sorted, so it holds no reference-counted object.
    struct Place {
        let entry: Identifier
        /// The entry's number.
        let number: Int64
        /// The entry's index among ``Found/sketches``.
        let sketch: Int
        let isCancelled: Bool
        let isAllDay: Bool
        let span: OccurrenceSpan

        fileprivate init(_ span: OccurrenceSpan, of sketch: EntrySketch, at index: Int) {
            entry = sketch.id
            number = sketch.number
            self.sketch = index
            isCancelled = sketch.isCancelled
            isAllDay = sketch.timing.zone == nil
            self.span = span
        }

        /// The place as a text. Texts have the same order as places.
        var key: String { Self.key(at: span.start) + "\(entry)/" + span.name.written(isAllDay: isAllDay) }

        /// The key before all occurrences that begin at a moment.
        static func key(at moment: Instant) -> String {
            let milliseconds = String(moment.milliseconds - Instant.earliest.milliseconds)
            return String(repeating: "0", count: max(0, 15 - milliseconds.utf8.count)) + milliseconds + "/"
        }

        /// The beginning that a key names.
        static func moment(of key: String) -> Int64? {
            Int64(key.prefix { $0 != "/" }).map { $0 &+ Instant.earliest.milliseconds }
        }

        static func isBefore(_ one: Place, _ other: Place) -> Bool {
            if one.span.start != other.span.start { return one.span.start < other.span.start }
            if one.number == other.number { return one.span.name < other.span.name }
            return one.entry < other.entry
        }
    }

    /// The time of an occurrence of which the reader sees nothing else.
    struct Busy {
        /// The number of the entry. The reader is not told it.
        let number: Int64
        let calendar: Identifier
        /// The time at which the occurrence begins by the rule. The reader is not told it either.
        let name: Civil
        let start: Instant
        let end: Instant

        /// The part of it that the reader is told.
        struct Told: WireRecord {
            let calendar: Identifier
            let start: Instant
            let end: Instant

            static let fields = Fields(
                nil, Told.init(calendar:start:end:), .required("calendar", \.calendar, .id),
                .required("start", \.start, .time), .required("end", \.end, .time))
        }

        var told: Told { Told(calendar: calendar, start: start, end: end) }
    }

    /// `isOfAnyLength` is for questions that are answered in pages (``page(behind:_:_:_:)``, ``EntryDays``), however
    /// long the time is.
    init(_ params: Params, isOfAnyLength: Bool = false, _ act: Act) throws(Rejection) {
        guard let zone = Zone(try EntryEdit.zone(params, act)) else { throw EntryEdit.badTime("zone") }
        func moment(_ field: String, isEnd: Bool) throws(Rejection) -> Instant {
            let text = try params.string(field)
            if let instant = Instant(text) { return instant }
            guard let civil = Civil.read(text), (1900...2500).contains(civil.year) else {
                throw EntryEdit.badTime(field)
            }
            return Timing.moment(isEnd && text.utf8.count == 10 ? civil.adding(days: 1) : civil, zone)
        }
        from = try moment("from", isEnd: false)
        to = try moment("to", isEnd: true)
        self.zone = zone
        guard from < to else { throw Rejection(.invalid, "to is before from.", field: "to") }
        let isLong = Self.isLong(from, to)
        guard isOfAnyLength || !isLong else {
            throw Rejection(.invalid, "Ask for \(Limits.entryWindowDaysMax) days at most.", field: "to")
        }
        words = params.optionalString("words").flatMap { EntryWords.query($0) }
        hasWords = params.has("words")
        members = params["members"]?.array.map { Set($0.compactMap(\.identifier)) }
        categories = params["categories"]?.array?.compactMap(\.string)
        calendars = params["calendars"]?.array.map { Set($0.compactMap(\.identifier)) }
    }

    /// A question about everything between two moments.
    init(_ from: Instant, _ to: Instant, _ zone: Zone) {
        (self.from, self.to, self.zone) = (from, to, zone)
        (words, hasWords, members, categories, calendars) = (nil, false, nil, nil, nil)
    }

    /// The same question for another time.
    func within(_ from: Instant, _ to: Instant) -> EntryQuestion {
        var question = self
        (question.from, question.to) = (from, to)
        return question
    }

    /// Whether the time is longer than what is searched at once.
    var isLong: Bool { Self.isLong(from, to) }

    private static func isLong(_ from: Instant, _ to: Instant) -> Bool {
        to.milliseconds(since: from) > (Limits.entryWindowDaysMax + 1) * 86_400_000
    }

    private var isChoosy: Bool { hasWords || members != nil || categories != nil }

    /// Sketches of entries that may be on at the time, with the calendars, categories and words that are asked for.
    private func sketches(_ sight: CalendarSight, _ act: Act) throws(Rejection) -> [EntrySketch] {
        guard !hasWords || words != nil else { return [] }
        var all = try act.memory(CalendarMemory.self).entries.near(from, to, act)
        if let only { all.removeAll { !only.contains($0.number) } }
        if let words {
            let found = Set(
                try act.rows("SELECT rowid FROM entry_words WHERE entry_words MATCH ?", .text(words)) { $0.int(0) })
            all.removeAll { !found.contains($0.number) }
        }
        if let calendars {
            let numbers = Set(calendars.compactMap { sight.calendars[$0]?.number })
            all.removeAll { !numbers.contains($0.calendar) }
        } else if !sight.leftOut.isEmpty {
            all.removeAll { sight.leftOut.contains($0.calendar) }
        }
        if let categories { all.removeAll { !$0.isOf(categories) } }
        guard let members else { return all }
        let invited = try EntrySketch.invited(members, among: all.filter { !members.contains($0.owner) }, act)
        return all.filter { members.contains($0.owner) || invited.contains($0.number) }
    }

    /// Entries that may be on at the time: those that begin then or not long before, and those that last long.
    private func candidates(
        _ condition: String, _ values: [Value], _ database: Database
    ) throws(StoreFailure) -> [StoredEntry] {
        let early = from.adding(milliseconds: -Calendars.shortMilliseconds)
        let short = try StoredEntry.rows(
            "WHERE \(condition) AND e.is_long = 0 AND e.first >= ?4 AND e.first < ?5 AND e.last >= ?6",
            values + [.time(early), .time(to), .time(from)], database)
        let long = try StoredEntry.rows(
            "WHERE \(condition) AND e.is_long = 1 AND e.last >= ?4 AND e.first < ?5",
            values + [.time(from), .time(to)], database)
        return short + long
    }

    /// The occurrences in the time, as the caller sees them.
    func find(_ act: Act) throws(Rejection) -> Found {
        guard let found = try look(act) else { throw Self.tooMany }
        return found
    }

    static var tooMany: Rejection {
        Rejection(
            .tooLarge,
            "There are more than \(Limits.occurrencesPerQuestionMax) entries in that time; ask for less of it.",
            field: "to")
    }

    /// The occurrences in the time, as the caller sees them; `nil` where there are more than may be looked through.
    func look(most: Int = Limits.occurrencesPerQuestionMax, _ act: Act) throws(Rejection) -> Found? {
        let sight = try CalendarSight(act)
        let memory = act.memory(CalendarMemory.self).entries
        let asked =
            isChoosy || calendars != nil || only != nil
            ? nil : EntryMemory.Asked(reader: sight.reader.id, from: from, to: to, zone: zone.name)
        var found = Found()
        if let asked, let known = try memory.finding(of: asked, sight, act) {
            guard !known.changed.isEmpty else { return known.found.count < most ? known.found : nil }
            found = known.found
            found.leaveOut(known.changed)
            let some = try sketches(sight, act).filter { known.changed.contains($0.number) }
            guard try add(some, to: &found, most, sight, act) else { return nil }
        } else {
            guard try add(try sketches(sight, act), to: &found, most, sight, act) else { return nil }
        }
        guard found.count < most else { return nil }
        if let asked { memory.remember(EntryMemory.Finding(sight: sight, found: found), of: asked) }
        return found
    }

    /// Adds the occurrences of these sketches, as far as the reader sees them. Answers `false` if there are more than
    /// may be looked through.
    private func add(
        _ some: [EntrySketch], to found: inout Found, _ most: Int, _ sight: CalendarSight, _ act: Act
    ) throws(Rejection) -> Bool {
        let seen = some.map { sight.sees($0) }
        let invited = try EntrySketch.invited(
            [sight.reader.id], among: some.indices.filter { !seen[$0] }.map { some[$0] }, act)
        found.all.reserveCapacity(found.all.count + 2 * some.count)
        for (index, one) in some.enumerated() {
            let isSeen = seen[index] || invited.contains(one.number)
            // An entry of which the caller sees only the time is found by no word, person or category.
            let busy = isSeen || isChoosy || one.isCancelled ? nil : sight.calendarOfTimes(one)
            guard isSeen || busy != nil else { continue }
            guard found.count < most else { return false }
            let (spans, isCut) = one.timing.spans(
                one.exceptions, from: from, to: to, max: most - found.count, reader: zone)
            guard !isCut else { return false }
            if isSeen, !spans.isEmpty {
                for span in spans where isAsked(span, of: one) {
                    found.all.append(Place(span, of: one, at: found.sketches.count))
                }
                found.sketches.append(one)
            } else if let busy {
                found.busy += spans.map {
                    Busy(number: one.number, calendar: busy, name: $0.name, start: $0.start, end: $0.end)
                }
            }
        }
        found.busy.sort { ($0.start, $0.end, $0.calendar) < ($1.start, $1.end, $1.calendar) }
        return true
    }

    /// Whether an occurrence has a category that is asked for. A single day may have another category than the entry.
    private func isAsked(_ span: OccurrenceSpan, of one: EntrySketch) -> Bool {
        guard let categories else { return true }
        let category = one.category(at: span) ?? "none"
        return categories.contains { $0.hasSameBytes(as: category) }
    }

    /// The occurrences in the form for the caller, and their entries in the form for the wire, each entry once.
    static func told(
        _ places: [Place], _ act: Act
    ) throws(Rejection) -> (occurrences: [EntryOccurrence], entries: [JSON]) {
        let reader = try act.member.id
        let numbers = Set(places.map(\.number)).sorted()
        let entries = try act.memory(CalendarMemory.self).entries.told(numbers, act)
        let occurrences = places.compactMap { place -> EntryOccurrence? in
            guard let entry = entries[place.number]?.entry else { return nil }
            let one = OccurrenceTime(place.span, of: entry)
            return EntryOccurrence(
                entry: entry.id, occurrence: one.name, starts: one.written,
                start: one.start, end: one.end, subject: one.subject, place: one.place, category: one.category,
                status: one.status, answer: entry.answer(of: reader, to: one.name))
        }
        return (occurrences, numbers.compactMap { entries[$0]?.json })
    }

    /// The times at which a member is busy, as far as the caller may know them; `nil` if the caller sees nothing of
    /// that member's own calendar.
    func busy(_ member: Identifier, _ act: Act) throws(Rejection) -> [(start: Instant, end: Instant)]? {
        try plans(of: member, act)?.reduce(into: []) { merged, plan in
            if let last = merged.last, plan.start <= last.end {
                merged[merged.count - 1].end = max(last.end, plan.end)
            } else {
                merged.append((plan.start, plan.end))
            }
        }
    }

    /// A member's plans, as far as the caller may know them; `nil` where the caller sees nothing of that member's own
    /// calendar.
    func plans(of member: Identifier, _ act: Act) throws(Rejection) -> [Plan]? {
        let sight = try CalendarSight(act)
        let isOneself = sight.reader.id == member
        guard isOneself || (sight.calendars[member].map { $0.right(of: sight.reader) >= .busy } ?? false) else {
            return nil
        }
        // The member's own calendar, and entries to which the member is invited and that the member has not declined.
        let stored = try act.ask { (database) throws(StoreFailure) in
            try candidates(
                """
                ((c.id = ?1 AND c.id = ?2) OR e.owner = ?2
                OR EXISTS (SELECT 1 FROM entry_people i WHERE i.entry = e.number AND i.member = ?3))
                """, [.id(member), .id(member), .id(member)], database)
        }
        var plans: [Plan] = []
        for entry in stored where entry.wire.status != .cancelled {
            let isSeen = isOneself || sight.sees(entry)
            guard isSeen || sight.seesTimes(entry) else { continue }
            // A reader of a school's calendar is not busy on its holidays.
            if entry.wire.times.isAllDay, sight.calendars[entry.wire.calendar]?.kind == .subscribed { continue }
            let transparency = Transparency(entry.raw)
            for one in Expansion(entry, reader: zone, act.almanac).occurrences(from: from, to: to, max: 1000).all
            where !transparency.isFree(at: one.name) {
                let answer = entry.wire.answer(of: member, to: one.name)
                if entry.wire.owner != member, entry.wire.calendar != member, answer == .declined { continue }
                let isTentative = one.status == .tentative || answer == .tentative
                plans.append(
                    Plan(
                        start: max(from, one.start), end: min(to, one.end), subject: isSeen ? one.subject : nil,
                        source: isSeen ? entry.wire.meeting : nil, isTentative: isSeen && isTentative))
            }
        }
        return plans.sorted { ($0.start, $0.end) < ($1.start, $1.end) }
    }
}
