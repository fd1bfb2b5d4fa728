import KinCalendar
import KinCodec
import KinModel
import KinStore

/// Days of a family's calendars in which clocks change, from a seed. Members write, move, share, ask each other and decline; a
/// guest looks on. After every step each member's list is what a book kept beside it says: every occurrence at its hour, of
/// what is only shown as busy the times alone, of the rest nothing. And each is reminded at the minute, and once.
public final class CalendarTrial {
    /// What is planted, to see that the checkers see it.
    public enum Fault: String, Sendable, CaseIterable {
        /// Reminders are an hour late.
        case lateReminders
        /// What is private is taken for public.
        case privacyLost
        /// A reminder is lost.
        case lostReminders
    }

    /// Counts of a run.
    public struct Tally: Sendable, Equatable {
        /// Days that passed.
        public var days = 0
        /// Entries that were written.
        public var entries = 0
        /// Lists that were compared.
        public var lists = 0
        /// Occurrences in them.
        public var occurrences = 0
        /// Times of which a reader saw nothing else.
        public var busy = 0
        /// Members reminded.
        public var reminders = 0
    }

    private struct Shared {
        let owner: String
        let isPersonal: Bool
        /// `everyone` or a member, and their right.
        var rights: [String: FamilyCalendar.Right] = [:]
    }

    private let house: RingingHouse
    private let fault: Fault?
    private var isPlanted = false
    private var tally = Tally()
    private let names = ["ada", "ben", "cleo", "gus"]
    private let zones: [String: LegalZone] = [
        "ada": .berlin, "ben": .newYork, "cleo": .berlin, "gus": .universal,
    ]
    private var entries: [PlannedEntry] = []
    private var calendars: [Identifier: Shared] = [:]
    private var family = Identifier(high: 0, low: 0)
    /// Who was reminded of what since it was asked last.
    private var told: [(member: String, entry: Identifier, occurrence: String)] = []

    /// Clocks change in Berlin on 25 October 2026 and 28 March 2027, in New York on 1 November 2026 and 14 March 2027.
    private static let starts = [
        "2026-10-23T10:00:00Z", "2026-10-30T10:00:00Z", "2027-03-12T10:00:00Z", "2027-03-26T10:00:00Z",
    ]

    /// Runs one family for some days.
    @discardableResult
    public static func run(
        seed: UInt64, days: Int, fault: Fault? = nil, trace: ((String) -> Void)? = nil
    ) throws(Finding) -> Tally {
        let trial = try CalendarTrial(seed: seed, fault: fault)
        do throws(Finding) { for _ in 0..<days { try trial.day() } } catch {
            for line in trial.house.film { trace?(line) }
            throw error
        }
        return trial.tally
    }

    private init(seed: UInt64, fault: Fault?) throws(Finding) {
        let start = Instant(Self.starts[Int(seed % 4)]) ?? Instant(milliseconds: 0)
        house = try RingingHouse(seed: seed, at: start)
        self.fault = fault
        try house.found("ada")
        try house.add("ben")
        try house.add("cleo", kind: "child")
        try house.add("gus", role: "guest")
        for (name, zone) in zones.sorted(by: { $0.key < $1.key }) {
            try house.call(name, "settings.set", ["zone": .string(zone.rawValue)])
        }
        for name in names.dropLast() { calendars[id(of: name)] = Shared(owner: name, isPersonal: true) }
        family = try house.call("ada", "family.show")["family"]?["id"]?.identifier ?? family
        house.heard = { [unowned self] row in hear(row) }
    }

    private func id(of name: String) -> Identifier { house.people[name]?.id ?? Identifier(high: 0, low: 0) }

    private func hear(_ row: LogRow) {
        guard row.type == Entry.reminded.name else { return }
        let text = Array("{\"cursor\":\"\",".utf8) + row.payload + [UInt8(ascii: "}")]
        guard let data = (try? JSON.parse(text)).flatMap(Event.init)?[Entry.reminded] else { return }
        for (name, person) in house.people where row.audience.contains(person.number) {
            told.append((name, data.entry, data.occurrence))
        }
    }

    // MARK: A day

    private func day() throws(Finding) {
        let end = house.now.adding(days: 1)
        while house.now < end {
            for _ in 0...house.dice.below(3) { try act() }
            try look()
            if house.dice.once(in: 20) { try house.restart() }
            try plant()
            try pass()
        }
        tally.days += 1
    }

    /// Time goes to the next reminder, or less far; who is reminded then is reminded of that.
    private func pass() throws(Finding) {
        let most = house.now.adding(seconds: Int64(600 + house.dice.below(14_000)))
        var next = most
        for entry in entries {
            for (member, minutes) in entry.reminders {
                for due in dues(of: entry, member, minutes, until: most) where due.at < next { next = due.at }
            }
        }
        told = []
        try house.passes(seconds: max(1, next.milliseconds(since: house.now) / 1000))
        var missing: [String: Set<String>] = [:]
        for entry in entries {
            for (member, minutes) in entry.reminders {
                let due = dues(of: entry, member, minutes, until: house.now).filter { $0.at == house.now }
                guard !due.isEmpty else { continue }
                missing["\(member) \(entry.id)"] = Set(due.map { $0.name.written(isAllDay: entry.isAllDay) })
            }
        }
        for one in told where entries.first(where: { $0.id == one.entry })?.unsure.contains(one.member) != true {
            let key = "\(one.member) \(one.entry)"
            guard let names = missing.removeValue(forKey: key) else {
                throw Finding(checker: "reminders", what: "\(key) was reminded at \(house.now) for no reason")
            }
            guard names.contains(one.occurrence) else {
                throw Finding(
                    checker: "reminders",
                    what: "\(key) was reminded of \(one.occurrence) at \(house.now), not of \(names)")
            }
            tally.reminders += 1
        }
        if let one = missing.first {
            throw Finding(checker: "reminders", what: "\(one.key) was not reminded of \(one.value) at \(house.now)")
        }
    }

    /// When a member is to be reminded, from now on.
    private func dues(
        of entry: PlannedEntry, _ member: String, _ minutes: Set<Int>, until last: Instant
    ) -> [(at: Instant, name: Civil)] {
        let reader = zones[member] ?? .universal
        let far = reader.civil(at: last.adding(days: 3))
        return entry.names(until: far).flatMap { name -> [(at: Instant, name: Civil)] in
            guard !entry.isDeclined(by: member, name) else { return [] }
            let start = entry.occurrence(name, reader: reader).start
            return minutes.map { (start.adding(seconds: -Int64($0) * 60), name) }
        }.filter { $0.at >= house.now && $0.at <= last }
    }

    private func plant() throws(Finding) {
        guard let fault, !isPlanted, tally.entries > 4 else { return }
        switch fault {
        case .lateReminders: try house.write("UPDATE due SET at = at + 3600000 WHERE kind = 'entry.reminds'")
        case .lostReminders: try house.write("DELETE FROM due WHERE kind = 'entry.reminds'")
        case .privacyLost: try house.write("UPDATE entries SET privacy = 'public'")
        }
        try house.restart()
        // Reminders are put down anew with every change: they are spoiled again and again.
        isPlanted = fault == .privacyLost && entries.contains { !$0.isPublic }
    }

    // MARK: What they do

    private func act() throws(Finding) {
        let who = house.dice.pick(Array(names.dropLast()))
        if entries.isEmpty || house.dice.once(in: entries.count > 14 ? 12 : 3) { return try write(who) }
        let index = house.dice.below(entries.count)
        let entry = entries[index]
        let named: JSON.Object = ["entry": .id(entry.id)]
        switch house.dice.below(12) {
        case 0: try share(who)
        case 1: try remove(index, who, named)
        case 2, 3: try change(index, who, named)
        case 4: try follow(index, who, named)
        case 5:
            let isPublic = house.dice.once(in: 2)
            guard try attempt(who, "entry.update", named, ["privacy": isPublic ? "public" : "private"]) != nil else {
                return
            }
            entries[index].isPublic = isPublic
            forget()
        case 6:
            let invited = Set(names.filter { $0 != entry.owner && house.dice.once(in: 3) })
            let list = JSON.array(invited.sorted().map { .id(id(of: $0)) })
            guard try attempt(who, "entry.update", named, ["invitees": list]) != nil else { return }
            entries[index].invited = invited
            for name in names where !invited.contains(name) {
                if entries[index].declined[name]?.isEmpty == false {
                    entries[index].unsure.insert(name)
                    entries[index].reminders[name] = nil
                }
                entries[index].declined[name] = nil
            }
            forget()
        case 7, 8: try answer(index, named)
        case 9:
            let some: Set<String>? =
                house.dice.once(in: 3) ? nil : Set(names.filter { _ in house.dice.once(in: 2) })
            let list = some.map { JSON.array($0.sorted().map { .id(id(of: $0)) }) } ?? JSON.null
            guard try attempt(who, "entry.update", named, ["audience": list]) != nil else { return }
            entries[index].audience = some
            forget()
        default:
            let member = house.dice.pick(names)
            let minutes = Set((0...house.dice.below(2)).map { _ in house.dice.pick([0, 10, 30, 60, 90, 1440]) })
            let list = JSON.array(minutes.sorted().map { .int(Int64($0)) })
            guard try attempt(member, "entry.remind", named, ["minutes": list]) != nil else { return }
            entries[index].reminders[member] = minutes
            entries[index].unsure.remove(member)
        }
    }

    /// Does it, if it may be done; what one does not see is never changed.
    private func attempt(
        _ who: String, _ method: String, _ params: JSON.Object, _ more: JSON.Object
    ) throws(Finding) -> JSON? {
        var all = params
        for member in more.members { all[member.name] = member.value }
        let answer = try house.attempt(who, method, all)
        let entry = entries.first { params["entry"] == .id($0.id) }
        if answer != nil, let entry, !sees(who, entry) {
            throw Finding(checker: "sight", what: "\(who) did \(method) to an entry that \(who) does not see")
        }
        if answer != nil { house.note("\(who) \(method) \(JSON.object(all).text)") }
        return answer
    }

    private func write(_ who: String) throws(Finding) {
        let isAllDay = house.dice.once(in: 4)
        let zone = isAllDay ? nil : house.dice.pick(LegalZone.allCases)
        // Around the change of the clocks, at hours that come twice or never too.
        let day = LegalZone.universal.civil(at: house.now).startOfDay.adding(days: house.dice.below(5) - 1)
        let start = isAllDay ? day : day.adding(seconds: house.dice.pick([0, 1, 2, 3, 8, 14, 23]) * 3600 + 1800)
        let length = isAllDay ? 1 + house.dice.below(3) : 30 * (1 + house.dice.below(6))
        let step = house.dice.pick([0, 1, 1, 2, 7])
        let own = calendars.filter { $0.value.owner == who }.keys.sorted()
        let calendar = house.dice.once(in: 4) ? family : house.dice.once(in: 3) ? house.dice.pick(own) : id(of: who)
        var params: JSON.Object = [
            "subject": .string("Entry \(tally.entries)"), "start": .string(start.written(isAllDay: isAllDay)),
            "calendar": .id(calendar),
        ]
        if let zone {
            params["zone"] = .string(zone.rawValue)
            params["minutes"] = .int(Int64(length))
        } else {
            params["days"] = .int(Int64(length))
        }
        if step > 0 { params["repeat"] = .string("FREQ=DAILY;INTERVAL=\(step)") }
        // A time that the clock skips is refused, and nothing else.
        if let zone, zone.civil(at: zone.moment(of: start)) != start {
            guard try house.attempt(who, "entry.add", params) == nil else {
                throw Finding(checker: "lists", what: "\(start) in \(zone.rawValue) was taken, which no clock shows")
            }
            return
        }
        let made = try house.call(who, "entry.add", params)
        guard let id = made["entry"]?["id"]?.identifier else { throw Finding(checker: "lists", what: "no entry") }
        house.note("\(who) adds \(id): \(JSON.object(params).text)")
        entries.append(
            PlannedEntry(id: id, owner: who, calendar: calendar, start: start, zone: zone, length: length, step: step))
        tally.entries += 1
        if house.dice.once(in: 8) {
            let club = try house.call(who, "calendar.add", ["name": .string("Club \(tally.entries)")])
            if let id = club["calendar"]?["id"]?.identifier, calendars.count < 8 {
                calendars[id] = Shared(owner: who, isPersonal: false)
            }
        }
    }

    private func share(_ who: String) throws(Finding) {
        let own = calendars.filter { $0.value.owner == who }.keys.sorted()
        guard !own.isEmpty else { return }
        let calendar = house.dice.pick(own)
        let with = house.dice.pick(["everyone"] + names.filter { $0 != who })
        let right = house.dice.pick(FamilyCalendar.Right.allCases.filter { $0 != .own })
        let whom: JSON = with == "everyone" ? "everyone" : .id(id(of: with))
        let params: JSON.Object = ["calendar": .id(calendar), "with": whom, "right": .string(right.rawValue)]
        guard try attempt(who, "calendar.share", params, [:]) != nil else { return }
        calendars[calendar]?.rights[with] = right == .none ? nil : right
        forget()
    }

    /// Some occurrence of an entry, near the present.
    private func pick(_ entry: PlannedEntry) -> Civil? {
        let all = entry.names(until: LegalZone.universal.civil(at: house.now.adding(days: 6)))
        return all.isEmpty ? nil : house.dice.pick(Array(all.suffix(9)))
    }

    private func remove(_ index: Int, _ who: String, _ named: JSON.Object) throws(Finding) {
        let entry = entries[index]
        if house.dice.once(in: 3) {
            guard try attempt(who, "entry.remove", named, ["erase": true]) != nil else { return }
            entries.remove(at: index)
            return
        }
        guard entry.step > 0, let name = pick(entry) else { return }
        let one: JSON.Object = ["scope": "this", "occurrence": .string(name.written(isAllDay: entry.isAllDay))]
        guard try attempt(who, "entry.remove", named, one) != nil else { return }
        entries[index].removed.insert(name)
        entries[index].moved[name] = nil
        for member in names { entries[index].declined[member]?.remove(name) }
        // The last one takes all of it along.
        let last = name.adding(days: 400)
        if entries[index].names(until: last).isEmpty { entries.remove(at: index) }
    }

    private func change(_ index: Int, _ who: String, _ named: JSON.Object) throws(Finding) {
        let entry = entries[index]
        guard entry.step > 0, let name = pick(entry) else { return }
        let to = name.adding(seconds: (house.dice.below(5) - 2) * (entry.isAllDay ? 86_400 : 5400))
        let params: JSON.Object = [
            "scope": "this", "occurrence": .string(name.written(isAllDay: entry.isAllDay)),
            "start": .string(to.written(isAllDay: entry.isAllDay)),
        ]
        guard try attempt(who, "entry.update", named, params) != nil else { return }
        entries[index].moved[name] = to == name ? nil : to
    }

    private func follow(_ index: Int, _ who: String, _ named: JSON.Object) throws(Finding) {
        let entry = entries[index]
        guard entry.step > 0, let name = pick(entry), name != entry.start else { return }
        let params: JSON.Object = [
            "scope": "following", "occurrence": .string(name.written(isAllDay: entry.isAllDay)), "subject": "Behind",
        ]
        guard let answer = try attempt(who, "entry.update", named, params) else { return }
        guard let id = answer["entry"]?["id"]?.identifier, id != entry.id else {
            throw Finding(checker: "lists", what: "what is behind \(entry.id) is no entry of its own")
        }
        var behind = PlannedEntry(
            id: id, owner: entry.owner, calendar: entry.calendar, isPublic: entry.isPublic, invited: entry.invited,
            declined: entry.declined, start: name, zone: entry.zone, length: entry.length, step: entry.step,
            end: entry.end, removed: entry.removed, moved: entry.moved, reminders: entry.reminders)
        behind.audience = entry.audience
        behind.unsure = entry.unsure
        behind.removed = behind.removed.filter { $0 >= name }
        behind.moved = behind.moved.filter { $0.key >= name }
        behind.declined = behind.declined.mapValues { $0.filter { $0.map { $0 >= name } ?? true } }
        entries[index].end = name
        entries[index].removed = entry.removed.filter { $0 < name }
        entries[index].moved = entry.moved.filter { $0.key < name }
        entries[index].declined = entry.declined.mapValues { $0.filter { $0.map { $0 < name } ?? true } }
        entries.append(behind)
    }

    private func answer(_ index: Int, _ named: JSON.Object) throws(Finding) {
        let entry = entries[index]
        guard let who = entry.invited.sorted().randomElement(using: &house.dice) else { return }
        let declines = house.dice.once(in: 2)
        var params: JSON.Object = ["answer": declines ? "declined" : "accepted"]
        let name = house.dice.once(in: 2) && entry.step > 0 ? pick(entry) : nil
        if let name { params["occurrence"] = .string(name.written(isAllDay: entry.isAllDay)) }
        guard try attempt(who, "entry.answer", named, params) != nil else { return }
        // An answer to all replaces those to single ones.
        guard let name else {
            entries[index].declined[who] = declines ? [nil] : []
            return
        }
        if declines {
            entries[index].declined[who, default: []].insert(name)
        } else if entry.declined[who]?.contains(Civil?.none) == true {
            // Declined but for one: nothing here says so, so it is asked for again.
            guard try attempt(who, "entry.answer", named, ["answer": "accepted"]) != nil else { return }
            entries[index].declined[who] = []
        } else {
            entries[index].declined[who]?.remove(name)
        }
    }

    // MARK: Who sees what

    private func right(_ who: String, _ calendar: Identifier) -> FamilyCalendar.Right {
        let isGuest = who == "gus"
        if calendar == family { return isGuest ? .none : who == "ada" ? .own : .write }
        guard let shared = calendars[calendar] else { return .none }
        if shared.owner == who { return .own }
        let everyone = isGuest ? FamilyCalendar.Right.none : shared.rights["everyone"] ?? .none
        return max(everyone, shared.rights[who] ?? .none)
    }

    private func sees(_ who: String, _ entry: PlannedEntry) -> Bool {
        entry.owner == who || calendars[entry.calendar]?.owner == who || entry.invited.contains(who)
            || entry.isPublic && entry.isFor(who) && right(who, entry.calendar) >= .read
    }

    /// Who sees something no longer is reminded of it no more.
    private func forget() {
        for index in entries.indices {
            for name in names where entries[index].reminders[name] != nil && !sees(name, entries[index]) {
                entries[index].reminders[name] = nil
                entries[index].unsure.insert(name)
            }
        }
    }

    /// Each member's fortnight, a page at a time, beside the book.
    private func look() throws(Finding) {
        let who = house.dice.pick(names)
        let zone = house.dice.pick(LegalZone.allCases)
        let day = zone.civil(at: house.now).startOfDay.adding(days: -house.dice.below(3))
        let (from, to) = (zone.moment(of: day), zone.moment(of: day.adding(days: 6)))
        var (wanted, busy): ([String], [String]) = ([], [])
        for entry in entries {
            let isSeen = sees(who, entry)
            guard isSeen || entry.isFor(who) && right(who, entry.calendar) >= .busy else { continue }
            for name in entry.names(until: day.adding(days: 12)) {
                let one = entry.occurrence(name, reader: zone)
                guard one.start < to, one.end > from || one.start == one.end && one.start >= from else { continue }
                if isSeen {
                    wanted.append(
                        "\(one.start) \(entry.id) \(one.name.written(isAllDay: entry.isAllDay)) \(one.starts.written(isAllDay: entry.isAllDay)) \(one.end)"
                    )
                } else {
                    busy.append("\(one.start) \(one.end) \(entry.calendar)")
                }
            }
        }
        var params: JSON.Object = [
            "from": .time(from), "to": .time(to), "zone": .string(zone.rawValue),
            "limit": .int(Int64(1 + house.dice.below(9))),
        ]
        var (found, times): ([String], [String]) = ([], [])
        while true {
            let page = try house.call(who, "entry.list", params)
            for one in page["occurrences"]?.array ?? [] {
                guard let start = one["start"]?.instant, let end = one["end"]?.instant,
                    let entry = one["entry"]?.identifier, let name = one["occurrence"]?.string,
                    let starts = one["starts"]?.string
                else { throw Finding(checker: "lists", what: "an occurrence says too little: \(one.text)") }
                found.append("\(start) \(entry) \(name) \(starts) \(end)")
            }
            for one in page["busy"]?.array ?? [] {
                guard let start = one["start"]?.instant, let end = one["end"]?.instant,
                    let calendar = one["calendar"]?.identifier
                else { throw Finding(checker: "lists", what: "a busy time says too little: \(one.text)") }
                times.append("\(start) \(end) \(calendar)")
            }
            guard let next = page["next"] else { break }
            params["after"] = next
        }
        tally.lists += 1
        tally.occurrences += found.count
        tally.busy += times.count
        try compare(found, wanted.sorted(), who, "sees", zone, day)
        try compare(times.sorted(), busy.sorted(), who, "sees as busy", zone, day)
    }

    private func compare(
        _ found: [String], _ wanted: [String], _ who: String, _ verb: String, _ zone: LegalZone, _ day: Civil
    ) throws(Finding) {
        guard found.sorted() != wanted else { return }
        let (more, less) = (Set(found).subtracting(wanted), Set(wanted).subtracting(found))
        throw Finding(
            checker: more.isEmpty ? "lists" : "sight",
            what:
                "\(who) \(verb) on six days from \(day) in \(zone.rawValue) what is not meant: \(more.sorted().prefix(3)), and misses \(less.sorted().prefix(3)); \(found.count) and \(wanted.count) in all"
        )
    }
}

extension Civil {
    fileprivate func written(isAllDay: Bool) -> String { isAllDay ? String(description.prefix(10)) : description }
}
