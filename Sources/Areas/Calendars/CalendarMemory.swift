import KinKeeper
import KinModel
import KinStore

/// The family's calendars, as every entry asks for one: read once, and again when one of them changed.
final class CalendarMemory: KeptFileMemory {
    /// The calendars that do not depend on who is a member.
    struct Known {
        /// Those that have a row, by identifier.
        var stored: [Identifier: StoredCalendar] = [:]
        /// The family's, the households' and those of meetings, as they are without a row.
        var implied: [StoredCalendar] = []
    }

    private var remembered = Remembered<Int, Known>(
        of: ["calendars", "calendar_rights", "family", "households"], most: 1)

    private var leftOut = Remembered<Identifier, Set<FamilyCalendar.Kind>>(
        of: ["settings"], most: Limits.membersMax)

    /// Zones as calendar programs read them: the same all year.
    private var texts: ZoneTexts?

    /// What civil times are reckoned with.
    let almanac = Almanac()
    private var sketches = Remembered<Int, [EntrySketch]>(of: ["entries", "calendars"], most: 1)
    private var stretches = Remembered<Int64, [EntrySketch]>(of: ["entries", "calendars"], most: 200)
    /// Outlines in those.
    private var held = 0
    private var wires = Remembered<Int64, ToldEntry>(
        of: ["entries", "entry_people", "entry_stars", "calendars"], most: Limits.entriesToldMax)

    private var findings = Remembered<Asked, Finding>(
        of: ["entries", "entry_people", "calendars"], most: CalendarMemory.findingsMost)

    private static let findingsMost = 16
    /// Places of a finding that is remembered: a month has so many, a year of a large family more.
    private static let findingPlacesMost = 2500

    /// Who asked for a time, and nothing else of it.
    struct Asked: Hashable {
        let reader: Identifier
        let from: Instant
        let to: Instant
        /// The zone in which whole days are read.
        let zone: String
    }

    /// What was found then.
    struct Finding {
        /// What of the calendars its reader saw.
        let sight: CalendarSight
        let found: EntryQuestion.Found
        /// Occurrences that were looked through for it.
        let steps: Int
    }

    /// An entry as whoever sees it is told, ready for the wire.
    struct ToldEntry {
        let entry: Entry
        let json: JSON
    }

    /// Imports that are under way, by their numbers.
    var filesUnderWay: [Int64: FileUnderWay] = [:]

    init() {}

    func turn(_ turn: Turn) {
        if !almanac.isOf(turn.now) { forgetSketches() }
    }

    private func forgetSketches() {
        sketches.forget()
        stretches.forget()
        held = 0
        findings.forget()
    }

    func forget() {
        remembered.forget()
        leftOut.forget()
        forgetSketches()
        wires.forget()
        almanac.forget()
        filesUnderWay = [:]
    }

    /// What was found for a question, if no entry has changed since and the reader sees the same of the calendars: a list's
    /// next page, and the marks of its days, are of the same time as the page before.
    func finding(of asked: Asked, _ sight: CalendarSight, _ act: Act) -> Finding? {
        findings.value(of: asked, act).flatMap { $0.sight == sight ? $0 : nil }
    }

    /// Keeps what was found.
    func remember(_ finding: Finding, of asked: Asked, _ act: Act) {
        guard finding.found.all.count + finding.found.busy.count <= Self.findingPlacesMost else { return }
        findings.remember(finding, of: asked, act)
    }

    /// All that repeats or lasts for long, that a month may have some of it: they are read anew when an entry has changed, and
    /// what their rules come to is remembered beyond that. More than ``KinModel/Limits/entriesRememberedMax`` are read each
    /// time.
    func long(from: Instant, to: Instant, _ act: Act) throws(Rejection) -> [EntrySketch] {
        if let all = sketches.value(of: 0, act) { return all.filter { $0.last >= from && $0.first < to } }
        let count = try act.first("SELECT count(*) FROM entries WHERE is_long = 1") { row in row.int(0) } ?? 0
        guard count <= Limits.entriesRememberedMax else {
            return try act.ask { (database) throws(StoreFailure) in
                try EntrySketch.rows(
                    "WHERE e.is_long = 1 AND e.last >= ? AND e.first < ?", [.time(from), .time(to)], almanac, database)
            }
        }
        let all = try act.ask { (database) throws(StoreFailure) in
            try EntrySketch.rows("WHERE e.is_long = 1", [], almanac, database)
        }
        sketches.remember(all, of: 0, act)
        return all.filter { $0.last >= from && $0.first < to }
    }

    /// What is once and short, and may be on between two moments: by the stretch of time in which it begins, each read once
    /// until an entry changes. For very long times, what begins in them is read each time.
    func short(from: Instant, to: Instant, _ act: Act) throws(Rejection) -> [EntrySketch] {
        let length = Calendars.shortMilliseconds
        let early = from.adding(milliseconds: -length)
        func stretch(_ moment: Instant) -> Int64 {
            let milliseconds = moment.milliseconds - Instant.earliest.milliseconds
            return milliseconds / length
        }
        let (first, last) = (stretch(max(early, .earliest)), stretch(to))
        guard last - first < 20 else {
            return try short(beginning: early, to, act).filter { $0.last >= from }
        }
        var found: [EntrySketch] = []
        for number in first...max(first, last) {
            for one in try short(in: number, act) where one.first >= early && one.first < to && one.last >= from {
                found.append(one)
            }
        }
        return found
    }

    private func short(in stretch: Int64, _ act: Act) throws(Rejection) -> [EntrySketch] {
        if let known = stretches.value(of: stretch, act) { return known }
        let begin = Instant.earliest.adding(milliseconds: stretch * Calendars.shortMilliseconds)
        let found = try short(beginning: begin, begin.adding(milliseconds: Calendars.shortMilliseconds), act)
        if held + found.count > Int(Limits.entriesRememberedMax) {
            stretches.forget()
            held = 0
        }
        held += found.count
        stretches.remember(found, of: stretch, act)
        return found
    }

    private func short(beginning from: Instant, _ to: Instant, _ act: Act) throws(Rejection) -> [EntrySketch] {
        try act.ask { (database) throws(StoreFailure) in
            try EntrySketch.rows(
                "WHERE e.is_long = 0 AND e.first >= ? AND e.first < ?", [.time(from), .time(to)], almanac, database)
        }
    }

    /// Entries by their numbers, as they are told. A month is looked at again and again, by each of a family: what was told
    /// is remembered until something of an entry changes. What is long is read anew each time.
    func told(_ numbers: [Int64], _ act: Act) throws(Rejection) -> [Int64: ToldEntry] {
        var found: [Int64: ToldEntry] = [:]
        found.reserveCapacity(numbers.count)
        var missing: [JSON] = []
        for number in numbers {
            if let known = wires.value(of: number, act) { found[number] = known } else { missing.append(.int(number)) }
        }
        guard !missing.isEmpty else { return found }
        let stored = try act.ask { (database) throws(StoreFailure) in
            try StoredEntry.rows(
                "WHERE e.number IN (SELECT value FROM json_each(?)) ORDER BY e.number",
                [.text(JSON.array(missing).text)], database)
        }
        for one in stored {
            let entry = ToldEntry(entry: one.wire, json: one.wire.json)
            found[one.number] = entry
            let parts = one.wire.exceptions.count + one.wire.answers.count + one.wire.times.dates.count
            if parts <= 50 { wires.remember(entry, of: one.number, act) }
        }
        return found
    }

    func zones(_ act: Act) -> ZoneTexts {
        if let texts, texts.isOf(act.now) { return texts }
        let made = ZoneTexts(now: act.now)
        texts = made
        return made
    }

    /// The calendars that a member leaves out, as their settings say.
    func leftOut(of member: Identifier, _ act: Act) throws(Rejection) -> Set<FamilyCalendar.Kind> {
        if let known = leftOut.value(of: member, act) { return known }
        let own = try act.hooks.settings?(act, member).leftOut ?? []
        let kinds = Set(own.compactMap { FamilyCalendar.Kind(rawValue: $0.rawValue) })
        leftOut.remember(kinds, of: member, act)
        return kinds
    }

    func known(_ act: Act) throws(Rejection) -> Known {
        if let known = remembered.value(of: 0, act) { return known }
        let known = try act.ask { (database) throws(StoreFailure) in try Self.read(database) }
        remembered.remember(known, of: 0, act)
        return known
    }

    private static func read(_ database: Database) throws(StoreFailure) -> Known {
        guard let family = try People.family(database)?.id else { return Known() }
        var known = Known()
        var grants: [Int64: [StoredCalendar.Grant]] = [:]
        try database.each("SELECT calendar, kind, grantee, power FROM calendar_rights ORDER BY calendar, kind, grantee")
        {
            (row) throws(StoreFailure) in
            let whom: StoredCalendar.Grant.Whom =
                switch row.text(1) {
                case "everyone": .everyone
                case "household": .household(row.identifier(2))
                case "member": .member(row.identifier(2))
                default: throw .corrupt("a calendar is shared with whom this program does not know")
                }
            grants[row.int(0), default: []].append(StoredCalendar.Grant(whom: whom, right: row.word(3)))
            return true
        }
        try database.each("SELECT number, id, kind, name, color, owner FROM calendars") { (row) throws(StoreFailure) in
            let calendar = StoredCalendar(row, grants: grants[row.int(0)] ?? [])
            known.stored[calendar.id] = calendar
            return true
        }
        known.implied = [
            StoredCalendar(id: family, kind: .family),
            StoredCalendar(id: StoredCalendar.ofMeetings(family), kind: .meetings),
            StoredCalendar(id: StoredCalendar.toDecide(family), kind: .toDecide),
            StoredCalendar(id: StoredCalendar.birthdays(family), kind: .birthdays),
        ]
        known.implied += try People.households(database, in: .all).map { StoredCalendar(id: $0.id, kind: .household) }
        return known
    }
}
