import KinCalendar
import KinKeeper
import KinModel
import KinStore

/// What of the calendars the caller sees.
struct CalendarSight {
    let reader: Roster.Entry
    let calendars: [Identifier: StoredCalendar]
    private let readable: Set<Int64>
    private let partly: Set<Int64>

    init(_ act: Act) throws(Rejection) { try self.init(of: try act.member.id, act) }

    init(of member: Identifier, _ act: Act) throws(Rejection) {
        guard let reader = try act.roster[member] else { throw Rejection(.notSignedIn, "Sign in first.") }
        let all = try StoredCalendar.all(act)
        self.reader = reader
        calendars = Dictionary(all.map { ($0.id, $0) }) { one, _ in one }
        let stored = all.filter { $0.number != 0 }
        readable = Set(stored.filter { $0.right(of: reader) >= .read }.map(\.number))
        partly = Set(stored.filter { $0.right(of: reader) >= .busy }.map(\.number))
    }

    /// Finds what stands in readable calendars, or names the reader. Privacy is looked at afterwards (``sees(_:)``).
    var condition: String {
        """
        (e.calendar IN (SELECT value FROM json_each(?1)) OR e.owner = ?2
        OR EXISTS (SELECT 1 FROM entry_people i WHERE i.entry = e.number AND i.member = ?3))
        """
    }

    /// What the condition asks for.
    var values: [Value] {
        [.text(JSON.array(partly.sorted().map { .int($0) }).text), .id(reader.id), .id(reader.id)]
    }

    /// Whether the reader sees all of an entry.
    func sees(_ stored: StoredEntry) -> Bool {
        calendars[stored.wire.calendar].map { stored.isSeen(by: reader, in: $0) } ?? false
    }

    /// The place of the entry that a page ended with, among all in the order in which they were made: refused where the reader
    /// sees none such, or no longer.
    func place(after id: Identifier?, _ act: Act) throws(Rejection) -> Int64 {
        guard let id else { return 0 }
        guard let stored = try StoredEntry.find(id, act), sees(stored) else {
            throw Rejection(
                .invalid, "The entry that the page before ended with is gone; leave after out to begin anew.",
                field: "after")
        }
        return stored.number
    }

    /// Whether the reader sees when an entry is.
    func seesTimes(_ stored: StoredEntry) -> Bool {
        calendars[stored.wire.calendar].map { $0.right(of: reader) >= .busy } ?? false
    }
}

/// A question for what is on between two times.
struct EntryQuestion {
    let from: Instant
    let to: Instant
    let zone: Zone
    private let words: String?
    private let hasWords: Bool
    private let members: Set<Identifier>?
    private let categories: [String]?
    private let calendars: Set<Identifier>?

    /// An occurrence in its place of the list.
    struct Found {
        var all: [(key: String, time: EntryOccurrence)] = []
        var entries: [Entry] = []
        var busy: [Busy] = []
    }

    /// When something is of which the reader sees nothing else.
    struct Busy {
        let calendar: Identifier
        let start: Instant
        let end: Instant
        var json: JSON { ["calendar": .id(calendar), "start": .time(start), "end": .time(end)] }
    }

    init(_ params: Params, _ act: Act) throws(Rejection) {
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
        guard to.milliseconds(since: from) <= (Limits.entryWindowDaysMax + 1) * 86_400_000 else {
            throw Rejection(.invalid, "Ask for \(Limits.entryWindowDaysMax) days at most.", field: "to")
        }
        words = params.optionalString("words").flatMap { EntryWords.query($0) }
        hasWords = params.has("words")
        members = params["members"]?.array.map { Set($0.compactMap(\.identifier)) }
        categories = params["categories"]?.array?.compactMap(\.string)
        calendars = params["calendars"]?.array.map { Set($0.compactMap(\.identifier)) }
    }

    /// For all that is on between two moments.
    init(_ from: Instant, _ to: Instant, _ zone: Zone) {
        (self.from, self.to, self.zone) = (from, to, zone)
        (words, hasWords, members, categories, calendars) = (nil, false, nil, nil, nil)
    }

    private var isChoosy: Bool { hasWords || members != nil || categories != nil }

    private func isChosen(_ entry: Entry) -> Bool {
        if let calendars, !calendars.contains(entry.calendar) { return false }
        if let members, !members.contains(entry.owner), !entry.invitees.contains(where: { members.contains($0.member) })
        {
            return false
        }
        if let categories, !categories.contains(where: { $0.hasSameBytes(as: entry.category ?? "none") }) {
            return false
        }
        return true
    }

    /// Entries that may be on then: those that begin then or not long before, and those that go on for long.
    private func candidates(
        _ condition: String, _ values: [Value], _ database: Database
    ) throws(StoreFailure) -> [StoredEntry] {
        guard !hasWords || words != nil else { return [] }
        let match = words == nil ? "" : " AND e.number IN (SELECT rowid FROM entry_words WHERE entry_words MATCH ?4)"
        let word: Value = words.map { .text($0) } ?? .null
        let early = from.adding(milliseconds: -Calendars.shortMilliseconds)
        let short = try StoredEntry.rows(
            "WHERE \(condition) AND e.is_long = 0 AND e.first >= ?5 AND e.first < ?6 AND e.last >= ?7" + match,
            values + [word, .time(early), .time(to), .time(from)], database)
        let long = try StoredEntry.rows(
            "WHERE \(condition) AND e.is_long = 1 AND e.last >= ?5 AND e.first < ?6" + match,
            values + [word, .time(from), .time(to)], database)
        return short + long
    }

    /// What is on, as the caller sees it.
    func find(_ act: Act) throws(Rejection) -> Found {
        let sight = try CalendarSight(act)
        let stored = try act.ask { (database) throws(StoreFailure) in
            try candidates(sight.condition, sight.values, database)
        }
        var found = Found()
        var steps = 0
        for entry in stored where isChosen(entry.wire) {
            let isSeen = sight.sees(entry)
            // What one only knows the time of is found by no word, person or category.
            guard isSeen || (!isChoosy && sight.seesTimes(entry)) else { continue }
            let occurrences = Expansion(entry, reader: zone).occurrences(
                from: from, to: to, max: Limits.occurrencesPerQuestionMax - steps)
            steps += occurrences.all.count
            guard !occurrences.isCut, steps < Limits.occurrencesPerQuestionMax else {
                throw Rejection(
                    .tooLarge,
                    "There are more than \(Limits.occurrencesPerQuestionMax) entries in that time; ask for less of it.",
                    field: "to")
            }
            guard !occurrences.all.isEmpty else { continue }
            if isSeen { found.entries.append(entry.wire) }
            for one in occurrences.all {
                guard isSeen else {
                    if entry.wire.status != .cancelled {
                        found.busy.append(Busy(calendar: entry.wire.calendar, start: one.start, end: one.end))
                    }
                    continue
                }
                found.all.append(
                    (
                        Self.key(one.start, entry.wire.id, one.name),
                        EntryOccurrence(
                            entry: entry.wire.id, occurrence: one.name,
                            starts: one.starts.written(isAllDay: entry.wire.times.isAllDay), start: one.start,
                            end: one.end, subject: one.subject, place: one.place,
                            answer: entry.wire.answer(of: sight.reader.id, to: one.name))
                    ))
            }
        }
        found.all.sort { $0.key < $1.key }
        found.busy.sort { ($0.start, $0.end, $0.calendar) < ($1.start, $1.end, $1.calendar) }
        return found
    }

    /// The place of an occurrence in a list: by its beginning, then by the entry.
    private static func key(_ start: Instant, _ entry: Identifier, _ name: String) -> String {
        let milliseconds = String(start.milliseconds - Instant.earliest.milliseconds)
        return String(repeating: "0", count: max(0, 15 - milliseconds.utf8.count)) + milliseconds + "/\(entry)/\(name)"
    }

    /// When a member is busy, as far as the caller may know; `nil` where the caller sees nothing of their own calendar.
    func busy(_ member: Identifier, _ act: Act) throws(Rejection) -> [(start: Instant, end: Instant)]? {
        try plans(of: member, act)?.reduce(into: []) { merged, plan in
            if let last = merged.last, plan.start <= last.end {
                merged[merged.count - 1].end = max(last.end, plan.end)
            } else {
                merged.append((plan.start, plan.end))
            }
        }
    }

    /// What a member has on, as far as the caller may know; `nil` where the caller sees nothing of their own calendar.
    func plans(of member: Identifier, _ act: Act) throws(Rejection) -> [Plan]? {
        let sight = try CalendarSight(act)
        let isOneself = sight.reader.id == member
        guard isOneself || (sight.calendars[member].map { $0.right(of: sight.reader) >= .busy } ?? false) else {
            return nil
        }
        // Their own calendar, and what they are asked to and have not declined.
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
            for one in Expansion(entry, reader: zone).occurrences(from: from, to: to, max: 1000).all {
                if entry.wire.owner != member, entry.wire.calendar != member,
                    entry.wire.answer(of: member, to: one.name) == .declined
                {
                    continue
                }
                plans.append(
                    Plan(
                        start: max(from, one.start), end: min(to, one.end), subject: isSeen ? one.subject : nil,
                        source: isSeen ? entry.wire.meeting : nil))
            }
        }
        return plans.sorted { ($0.start, $0.end) < ($1.start, $1.end) }
    }
}
