import KinCalendar
import KinICal
import KinKeeper
import KinModel

/// One event of a file: all components of one UID. What it says is an entry whose calendar and owner are not known yet, or
/// there is a reason why it is none.
struct ICalItem: ImportedItem {
    let number: Int
    /// What it calls itself, shortened.
    private(set) var name = ""
    let uid: String?
    /// What it says; `nil`: nothing of it is taken, and the last remark says why.
    private(set) var entry: Entry?
    /// What else stands there, to be given back as it came.
    private(set) var raw: String?
    /// Members that it names, by their addresses here.
    private(set) var members: [Identifier] = []
    /// What members say by it, to all of it and to single occurrences.
    private(set) var said: [Said] = []
    /// What was not taken as it is, and why.
    var remarks: [String] = []

    /// What a member says by a file (PARTSTAT).
    struct Said: Sendable {
        let member: Identifier
        /// To this one alone; `nil`: to all.
        let occurrence: String?
        let answer: Entry.Answer
    }

    /// Whether it is something else than an event, such as a task.
    let isOtherThanEvent: Bool

    /// What cannot be read at all.
    init(number: Int, refused sentence: String, name: String = "", isOtherThanEvent: Bool = false) {
        self.number = number
        self.name = name
        self.isOtherThanEvent = isOtherThanEvent
        uid = nil
        remarks = [sentence]
    }

    /// Reads components of one UID; times without a zone are the reader's.
    init(number: Int, _ components: [ICalComponent], reader: Zone) {
        self.number = number
        isOtherThanEvent = false
        let master = components.first { $0["RECURRENCE-ID"] == nil } ?? components[0]
        uid = master["UID"].map { String($0.text.prefix(Limits.entryUIDCharactersMax)) }
        name = String(Self.line(master["SUMMARY"]?.text ?? "", Limits.entrySubjectCharactersMax).prefix(64))
        guard master["RECURRENCE-ID"] == nil else {
            refuse("It changes one time of something that is not in the file.")
            return
        }
        guard master["STATUS"]?.value.uppercased() != "CANCELLED" || master["RRULE"] == nil else {
            refuse("All of it is cancelled.")
            return
        }
        guard var times = self.times(master, reader) else { return }
        var left = master.lines.filter { !Self.known.contains($0.name) }
        take(rules: master, into: &times, &left)
        var entry = Entry(
            id: Identifier(high: 0, low: 0), calendar: Identifier(high: 0, low: 0), owner: Identifier(high: 0, low: 0),
            subject: text(master, "SUMMARY", Limits.entrySubjectCharactersMax, isLine: true) ?? "–", times: times,
            changed: Instant(milliseconds: 0))
        entry.note = text(master, "DESCRIPTION", Limits.entryNoteCharactersMax)
        entry.place = place(master)
        entry.status = Entry.Status(rawValue: master["STATUS"]?.value.lowercased() ?? "") ?? .confirmed
        entry.privacy = Entry.Privacy(rawValue: master["CLASS"]?.value.lowercased() ?? "") ?? .public
        take(category: master, into: &entry, &left)
        take(people: master, &left)
        for line in master.all("EXDATE") {
            for civil in self.civils(line, times, reader) where entry.exceptions.count < Limits.entryExceptionsMax {
                put(EntryException(occurrence: times.name(of: civil), isRemoved: true), &entry)
            }
        }
        var kept: [ICalComponent] = []
        for other in components where other["RECURRENCE-ID"] != nil { take(other, into: &entry, &kept, reader) }
        guard let timing = Timing(entry.times), entry.times.repeats == nil || timing.series.repeatsEver else {
            refuse("By its rule it never repeats.")
            return
        }
        entry.exceptions.removeAll { Civil.read($0.occurrence).map { !timing.series.contains($0) } ?? true }
        entry.exceptions.sort { $0.occurrence < $1.occurrence }
        self.entry = entry
        kept.removeAll { other in
            other["RECURRENCE-ID"].flatMap { ICalTime($0.value) }.map { !timing.series.contains($0.civil) } ?? true
        }
        let within = master.components.filter { $0.name != "VEVENT" } + kept
        if !left.isEmpty || !within.isEmpty { raw = ICalComponent("VEVENT", left, components: within).text }
    }

    /// Changes what else is kept of it.
    mutating func keep(_ change: (inout ICalComponent) -> Void) {
        guard let raw, var component = try? ICalComponent(raw.utf8) else { return }
        change(&component)
        self.raw = component.lines.isEmpty && component.components.isEmpty ? nil : component.text
    }

    private mutating func refuse(_ sentence: String) { remark(sentence, isLast: true) }

    private mutating func remark(_ sentence: String, isLast: Bool = false) {
        if remarks.count >= Limits.importRemarksMax {
            guard isLast else { return }
            remarks.removeLast()
        }
        remarks.append(sentence)
    }

    // MARK: Times

    /// When it is; `nil` where that cannot be, which is said then.
    private mutating func times(_ event: ICalComponent, _ reader: Zone) -> EntryTimes? {
        guard let line = event["DTSTART"], let start = ICalTime(line.value) else {
            refuse("It has no time at which it begins.")
            return nil
        }
        guard (1900...2500).contains(start.civil.year) else {
            refuse("It is not between the years 1900 and 2500.")
            return nil
        }
        var times = EntryTimes(start: start.civil.written(isAllDay: start.isDate))
        if start.isDate {
            times.days = 1
            if let end = event["DTEND"].flatMap({ ICalTime($0.value) }) {
                times.days = max(1, Int64(end.civil.days(since: start.civil)))
            } else if let seconds = event["DURATION"].flatMap({ ICalText.seconds(ofDuration: $0.value) }) {
                times.days = max(1, Int64(seconds) / 86_400)
            }
        } else {
            let zone = zone(line, start, reader)
            times.zone = zone.name
            times.minutes = 0
            let begins = Timing.moment(start.civil, zone)
            if let line = event["DTEND"], let end = ICalTime(line.value) {
                let ends = Timing.moment(end.civil, end.isUTC ? .utc : self.zone(line, end, reader))
                times.minutes = max(0, ends.milliseconds(since: begins) / 60_000)
            } else if let seconds = event["DURATION"].flatMap({ ICalText.seconds(ofDuration: $0.value) }) {
                times.minutes = max(0, Int64(seconds) / 60)
            }
        }
        guard times.days ?? 1 <= Limits.entryDaysMax, times.minutes ?? 0 <= Limits.entryMinutesMax else {
            refuse("It lasts longer than an entry may.")
            return nil
        }
        return times
    }

    /// The zone of a time: by its IANA name, or by the one that Windows has for it.
    private mutating func zone(_ line: ICalLine, _ time: ICalTime, _ reader: Zone) -> Zone {
        if time.isUTC { return .utc }
        guard let name = line["TZID"] else { return reader }
        if let zone = Zone(name) ?? WindowsZones.names[name].flatMap({ Zone($0) }) { return zone }
        // Some write a path before the name, such as /freeassociation.sourceforge.net/Europe/Berlin.
        let parts = name.split(separator: "/")
        if parts.count > 2, let zone = Zone(parts.suffix(2).joined(separator: "/")) { return zone }
        remark(
            "The time zone \(Text.quoted(String(name.prefix(60)))) is not known; its times are read in \(reader.name).")
        return reader
    }

    /// The times of a list such as EXDATE, on the entry's own clock.
    private mutating func civils(_ line: ICalLine, _ times: EntryTimes, _ reader: Zone) -> [Civil] {
        let own = times.zone.flatMap { Zone($0) }
        return ICalText.parts(line.value).prefix(Limits.entryDatesMax).compactMap { text in
            guard let time = ICalTime(text) else { return nil }
            guard let own, !time.isDate else {
                return time.isDate == times.isAllDay ? time.civil : time.civil.startOfDay
            }
            let zone = zone(line, time, own)
            return zone == own ? time.civil : own.civil(at: Timing.moment(time.civil, zone))
        }
    }

    private mutating func take(rules event: ICalComponent, into times: inout EntryTimes, _ left: inout [ICalLine]) {
        let rules = event.all("RRULE")
        for (index, line) in rules.enumerated() {
            if index == 0, let rule = RecurrenceRule(line.value), rule.isExpanded {
                times.repeats = rule.description
            } else {
                left.append(line)
                remark("The rule \(Text.quoted(String(line.value.prefix(80)))) is kept, and not followed.")
            }
        }
        for line in event.all("RDATE") {
            guard line["VALUE"]?.uppercased() != "PERIOD" else {
                left.append(line)
                remark("Times beside the rule that are periods are kept, and not followed.")
                continue
            }
            let zone = times.zone.flatMap { Zone($0) } ?? .utc
            for civil in civils(line, times, zone) where times.dates.count < Limits.entryDatesMax {
                let name = times.name(of: civil)
                if !times.dates.contains(where: { $0.hasSameBytes(as: name) }) { times.dates.append(name) }
            }
        }
        times.dates.sort()
    }

    // MARK: The rest

    /// A time of it that is otherwise.
    private mutating func take(
        _ other: ICalComponent, into entry: inout Entry, _ kept: inout [ICalComponent], _ reader: Zone
    ) {
        guard entry.exceptions.count < Limits.entryExceptionsMax, let line = other["RECURRENCE-ID"],
            let civil = civils(line, entry.times, reader).first
        else { return }
        let name = entry.times.name(of: civil)
        if other["STATUS"]?.value.uppercased() == "CANCELLED" {
            return put(EntryException(occurrence: name, isRemoved: true), &entry)
        }
        // What nothing here says of it is kept with what is kept of all.
        var left = other.lines.filter { !Self.known.contains($0.name) }
        take(people: other, &left, at: name)
        if !left.isEmpty || !other.components.isEmpty {
            let own = EntryWriter.time("RECURRENCE-ID", civil, entry.times.zone)
            kept.append(ICalComponent("VEVENT", [own] + left, components: other.components))
        }
        guard let when = times(other, reader) else { return }
        guard when.isAllDay == entry.times.isAllDay else {
            return remark("On \(name) it is by the day or by the clock, and otherwise not; that was passed over.")
        }
        var one = EntryException(occurrence: name)
        var start = when.start
        if let own = entry.times.zone.flatMap({ Zone($0) }), let zone = when.zone.flatMap({ Zone($0) }), zone != own,
            let civil = Civil.read(start)
        {
            start = own.civil(at: Timing.moment(civil, zone)).description
        }
        if !start.hasSameBytes(as: name) { one.start = start }
        if when.minutes != entry.times.minutes { one.minutes = when.minutes }
        if when.days != entry.times.days { one.days = when.days }
        let subject = text(other, "SUMMARY", Limits.entrySubjectCharactersMax, isLine: true)
        if let subject, !subject.hasSameBytes(as: entry.subject) { one.subject = subject }
        let note = text(other, "DESCRIPTION", Limits.entryNoteCharactersMax)
        if let note, note != entry.note { one.note = note }
        let place = place(other)
        if let place, place != entry.place { one.place = place }
        if one != EntryException(occurrence: name) { put(one, &entry) }
    }

    private func put(_ one: EntryException, _ entry: inout Entry) {
        entry.exceptions.removeAll { $0.occurrence.hasSameBytes(as: one.occurrence) }
        entry.exceptions.append(one)
    }

    private mutating func text(_ event: ICalComponent, _ name: String, _ most: Int, isLine: Bool = false) -> String? {
        guard let given = event[name]?.text else { return nil }
        let clean = Self.line(given, most, isLine: isLine)
        if given.count > most { remark("\(name) is longer than \(most) characters and was cut.") }
        return clean.isEmpty ? nil : clean
    }

    /// A text within bounds, without what may not stand in one.
    private static func line(_ text: String, _ most: Int, isLine: Bool = true) -> String {
        var kept = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(most) {
            if scalar == "\n" || scalar == "\t" || scalar == "\u{2028}" || scalar == "\u{2029}" {
                kept.append(isLine ? " " : "\n")
            } else if scalar.value >= 0x20, scalar.value != 0x7F, !(0x80...0x9F).contains(scalar.value) {
                kept.append(scalar)
            }
        }
        return String(kept)
    }

    private mutating func place(_ event: ICalComponent) -> EntryPlace? {
        var place = EntryPlace(text: text(event, "LOCATION", Limits.entryPlaceCharactersMax, isLine: true))
        let parts = event["GEO"]?.value.split(separator: ";").compactMap { Double($0) } ?? []
        if parts.count == 2, (-90...90).contains(parts[0]), (-180...180).contains(parts[1]) {
            (place.lat, place.lon) = (parts[0], parts[1])
        }
        return place == EntryPlace() ? nil : place
    }

    /// The first of its categories that every family has; the others are kept.
    private mutating func take(category event: ICalComponent, into entry: inout Entry, _ left: inout [ICalLine]) {
        for line in event.all("CATEGORIES") {
            let names = ICalText.parts(line.value).map { ICalText.unescaped($0).lowercased() }
            let known = names.first { name in Entry.categories.contains { $0.hasSameBytes(as: name) } }
            if entry.category == nil { entry.category = known }
            if known == nil || names.count > 1 { left.append(line) }
        }
    }

    /// Members by their addresses here, and what they say; others are kept.
    private mutating func take(people event: ICalComponent, _ left: inout [ICalLine], at occurrence: String? = nil) {
        for line in event.all("ATTENDEE") + event.all("ORGANIZER") {
            guard let id = Calendars.member(at: line.value)
            else {
                left.append(line)
                continue
            }
            guard line.name == "ATTENDEE", said.count < Limits.entryAnswersMax else { continue }
            if occurrence == nil, members.count < Limits.membersMax { members.append(id) }
            said.append(Said(member: id, occurrence: occurrence, answer: Entry.Answer(partstat: line["PARTSTAT"])))
        }
    }

    /// Lines that an entry says itself, or that are made anew.
    private static let known: Set = [
        "UID", "DTSTAMP", "CREATED", "LAST-MODIFIED", "SEQUENCE", "DTSTART", "DTEND", "DURATION", "RRULE", "RDATE",
        "EXDATE", "SUMMARY", "DESCRIPTION", "LOCATION", "GEO", "STATUS", "CLASS", "CATEGORIES", "ORGANIZER",
        "ATTENDEE", "RECURRENCE-ID",
    ]
}
