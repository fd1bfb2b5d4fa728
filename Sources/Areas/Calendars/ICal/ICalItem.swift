import KinCalendar
import KinCrypto
import KinICal
import KinKeeper
import KinModel

/// One event of a file: all components of one UID. It is either an entry, whose calendar and owner are not known yet,
/// or has a reason why it cannot be one.
struct ICalItem: ImportedItem {
    let number: Int
    /// The title, shortened.
    private(set) var name = ""
    let uid: String?
    /// A name made from the contents of an event without a UID, by which the event is recognised again.
    private(set) var madeUID: String?
    /// The entry that it describes; `nil`: nothing of it is imported, and the last remark gives the reason.
    private(set) var entry: Entry?
    /// The lines that have no field here, to be given back as they came.
    private(set) var raw: String?
    /// The alarms of the event. They belong to the member who gave the file.
    private(set) var alarms: String?
    /// The members that it names by their addresses here.
    var members: [Identifier] = []
    /// Members' answers in it, for the whole event and for single occurrences.
    var said: [Said] = []
    /// Whether its invitees answer by other means than the daemon (RFC 6638, 7.1).
    private(set) var isAnsweredElsewhere = false
    /// The parts that were not imported unchanged, each with the reason.
    var remarks: [String] = []

    /// A member's answer in a file (PARTSTAT).
    struct Said: Sendable {
        let member: Identifier
        /// The occurrence that is answered; `nil`: all.
        let occurrence: String?
        let answer: Entry.Answer
    }

    /// Whether it is no event, but for instance a task.
    let isOtherThanEvent: Bool

    /// An item that cannot be read at all.
    init(number: Int, refused sentence: String, name: String = "", isOtherThanEvent: Bool = false) {
        self.number = number
        self.name = name
        self.isOtherThanEvent = isOtherThanEvent
        uid = nil
        remarks = [sentence]
    }

    /// Reads the components of one UID. Times without a zone are in the reader's.
    init(number: Int, _ components: [ICalComponent], _ zones: FileZones) {
        self.number = number
        isOtherThanEvent = false
        let master = components.first { $0["RECURRENCE-ID"] == nil } ?? components[0]
        uid = master["UID"].map { String($0.text.prefix(Limits.entryUIDCharactersMax)) }
        if uid == nil {
            let says = master.lines.filter { $0.name != "DTSTAMP" }.map(\.description).joined(separator: "\n")
            madeUID = Hex.encode(Array(Digest.sha256(Array(says.utf8)).prefix(16))) + "@kinwire"
        }
        name = String(Self.line(master["SUMMARY"]?.text ?? "", Limits.entrySubjectCharactersMax).prefix(64))
        guard master["RECURRENCE-ID"] == nil else {
            refuse("It changes one time of something that is not in the file.")
            return
        }
        guard var times = self.times(master, zones) else { return }
        var left = Self.rest(of: master)
        take(rules: master, into: &times, &left, zones)
        var entry = Entry(
            id: Identifier(high: 0, low: 0), calendar: Identifier(high: 0, low: 0), owner: Identifier(high: 0, low: 0),
            subject: text(master, "SUMMARY", Limits.entrySubjectCharactersMax, isLine: true) ?? "–", times: times,
            changed: Instant(milliseconds: 0))
        entry.note = text(master, "DESCRIPTION", Limits.entryNoteCharactersMax)
        entry.place = place(master)
        entry.status = Entry.Status(rawValue: master["STATUS"]?.value.lowercased() ?? "") ?? .confirmed
        entry.privacy = Entry.Privacy(class: master)
        take(category: master, into: &entry, &left)
        take(people: master, &left)
        for line in master.all("EXDATE") {
            for civil in self.civils(line, times, zones) where entry.exceptions.count < Limits.entryExceptionsMax {
                put(EntryException(occurrence: times.name(of: civil), isRemoved: true), &entry)
            }
        }
        guard let timing = Timing(entry.times), entry.times.repeats == nil || timing.series.mayRepeat else {
            refuse("By its rule it never repeats.")
            return
        }
        var rest = Rest(master: master, series: timing.series)
        for other in components where other["RECURRENCE-ID"] != nil { take(other, into: &entry, &rest, zones) }
        let strays = entry.exceptions.filter { one in
            one.isRemoved && !(Civil.read(one.occurrence).map { timing.series.contains($0) } ?? false)
        }
        if let stray = strays.first {
            remark("\(stray.occurrence) is left out and is none of its times; that is kept, and changes nothing.")
            entry.exceptions.removeAll { one in strays.contains { $0.occurrence.hasSameBytes(as: one.occurrence) } }
        }
        entry.exceptions.sort { $0.occurrence < $1.occurrence }
        self.entry = entry
        keep(master, left, rest, zones)
    }

    /// The occurrences of an event that differ, and the form in which they are kept.
    private struct Rest {
        let master: ICalComponent
        let series: Series
        /// The lines of differing occurrences that an entry has no field for, with their alarms.
        var others: [ICalComponent] = []
        /// The same occurrences as the file has them.
        var given: [ICalComponent] = []
        /// Components of the file for times at which the event does not occur, or no longer does.
        var aside: [ICalComponent] = []
    }

    /// Keeps the lines that have no field here, and those that are written differently here (``GivenLines``).
    private mutating func keep(_ master: ICalComponent, _ left: [ICalLine], _ rest: Rest, _ zones: FileZones) {
        guard let entry else { return }
        var alarms = ICalComponent(
            "VEVENT", master.lines.filter(\.isOfRinging), components: Self.alarms(of: master))
        if ([master] + rest.given).contains(where: Self.hasNestedAlarm) {
            remark("What stands within an alarm was not taken.")
        }
        var raw = ICalComponent("VEVENT", left, components: master.components.filter { !Self.isOwn($0) })
        var named: [String: ICalComponent] = [:]
        for (other, given) in zip(rest.others, rest.given) {
            var own = other
            own.components = other.components.filter { !Self.isOwn($0) }.map { ICalComponent($0.name, $0.lines) }
            raw.components.append(own)
            let ringing = Self.alarms(of: other)
            let lines = given.lines.filter(\.isOfRinging)
            guard !ringing.isEmpty || !lines.isEmpty, let line = other["RECURRENCE-ID"] else { continue }
            alarms.components.append(ICalComponent("VEVENT", [line] + lines, components: ringing))
        }
        if !alarms.lines.isEmpty || !alarms.components.isEmpty { self.alarms = alarms.text }
        // This is the entry as it would be written without the file's lines. Lines that would be the same are not kept
        // twice.
        var stored = StoredEntry(entry, uid: uid)
        stored.raw = raw.lines.isEmpty && raw.components.isEmpty ? nil : raw.text
        self.raw = stored.raw
        var written = EntryWriter(names: [:]).written(of: stored)
        guard !written.isEmpty else { return }
        for index in written.indices {
            guard index > 0 else {
                var given = GivenLines.all(of: given(master, zones))
                given.components = rest.aside.map { Self.shallow($0) }
                written[0].kept = given
                continue
            }
            let name = written[index].component["RECURRENCE-ID"]?.value ?? ""
            guard let place = rest.others.firstIndex(where: { $0["RECURRENCE-ID"]?.value == name }) else { continue }
            written[index].kept = GivenLines.all(of: given(rest.given[place], zones))
            named[name] = written[index].kept
        }
        GivenLines.sign(&written)
        for index in written.indices.dropFirst() {
            named[written[index].component["RECURRENCE-ID"]?.value ?? ""] = written[index].kept
        }
        for index in raw.components.indices where raw.components[index].name == "VEVENT" {
            let name = raw.components[index]["RECURRENCE-ID"]?.value ?? ""
            if let kept = named[name] { raw.components[index].components.append(kept) }
        }
        if var kept = written[0].kept {
            kept.components += descriptions(of: [kept] + named.values, entry, zones)
            raw.components.insert(kept, at: 0)
        }
        let text = raw.lines.isEmpty && raw.components.isEmpty ? nil : raw.text
        guard let text, text.utf8.count > Limits.entryBytesMax / 4 * 3 || (try? ICalComponent(text.utf8)) == nil else {
            self.raw = text
            return
        }
        remark("It is too long to be kept to the letter; what is shown of it is kept.")
    }

    /// The file's descriptions of unknown zones, as far as kept lines name these zones.
    private func descriptions(
        of kept: [ICalComponent], _ entry: Entry, _ zones: FileZones
    ) -> [ICalComponent] {
        let lines = kept.flatMap { $0.lines + $0.components.flatMap(\.lines) }
        let names = Set(lines.compactMap { $0["TZID"] }).filter { FileZones.known($0) == nil }
        let start = Civil.read(entry.times.start) ?? Calendars.epoch
        return names.sorted().map { zones.description(of: $0, near: start) }
    }

    /// An event whose times name zones as they are named here.
    private func given(_ event: ICalComponent, _ zones: FileZones) -> ICalComponent {
        var event = event
        for index in event.lines.indices {
            let line = event.lines[index]
            guard let name = line["TZID"], let zone = FileZones.known(name), !zone.name.hasSameBytes(as: name) else {
                continue
            }
            let parameters = line.parameters.map { $0.name == "TZID" ? ICalLine.Parameter("TZID", zone.name) : $0 }
            event.lines[index] = ICalLine(line.name, parameters, value: line.value)
        }
        return event
    }

    /// Whether a component within an event is kept separately.
    private static func isOwn(_ component: ICalComponent) -> Bool {
        ["VEVENT", "VALARM", GivenLines.name].contains(component.name)
    }

    /// The lines of an event that have no field here.
    private static func rest(of event: ICalComponent) -> [ICalLine] {
        event.lines.filter { !known.contains($0.name) && !$0.isOfRinging }
    }

    /// The alarms of an event, without components nested in them.
    private static func alarms(of event: ICalComponent) -> [ICalComponent] {
        event.components.filter { $0.name == "VALARM" }.map { ICalComponent($0.name, $0.lines) }
    }

    private static func hasNestedAlarm(_ event: ICalComponent) -> Bool {
        event.components.contains { $0.name == "VALARM" && !$0.components.isEmpty }
    }

    private static func shallow(_ event: ICalComponent) -> ICalComponent {
        ICalComponent(
            event.name, event.lines,
            components: event.components.filter { !isOwn($0) || $0.name == "VALARM" }.map {
                ICalComponent($0.name, $0.lines)
            })
    }

    /// Forgets the version of the file that it has.
    mutating func withoutVersion() { raw = GivenLines.withoutVersion(raw) }

    /// Changes the other kept lines.
    mutating func keep(_ change: (inout ICalComponent) -> Void) {
        guard let raw, var component = try? ICalComponent(raw.utf8) else { return }
        change(&component)
        self.raw = component.lines.isEmpty && component.components.isEmpty ? nil : component.text
    }

    private mutating func refuse(_ sentence: String) { remark(sentence, isLast: true) }

    private mutating func remark(_ sentence: String, isLast: Bool = false) {
        guard !remarks.contains(where: { $0.hasSameBytes(as: sentence) }) else { return }
        if remarks.count >= Limits.importRemarksMax {
            guard isLast else { return }
            remarks.removeLast()
        }
        remarks.append(sentence)
    }

    // MARK: Times

    /// Its times; `nil` if they are impossible, with a remark.
    private mutating func times(_ event: ICalComponent, _ zones: FileZones) -> EntryTimes? {
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
            let isRepeated = event["RRULE"] != nil || event["RDATE"] != nil || event["RECURRENCE-ID"] != nil
            let (civil, zone) = place(line, start, zones, isRepeated: isRepeated)
            times.start = civil.written(isAllDay: false)
            times.zone = zone.name
            times.minutes = 0
            let begins = Timing.moment(civil, zone)
            if let line = event["DTEND"], let end = ICalTime(line.value) {
                let (civil, zone) = place(line, end, zones, isRepeated: isRepeated)
                let ends = Timing.moment(civil, zone)
                times.minutes = max(0, ends.milliseconds(since: begins) / 60_000)
            } else if let text = event["DURATION"]?.value, let seconds = ICalText.seconds(ofDuration: text),
                seconds > 0
            {
                // Days of a duration are days of the calendar. The rest of it is elapsed time (RFC 5545, 3.3.6).
                let clock = text.firstIndex(of: "T").flatMap { ICalText.seconds(ofDuration: "P" + text[$0...]) } ?? 0
                let ends = Timing.moment(civil.adding(days: (seconds - clock) / 86_400), zone)
                times.minutes = (ends.milliseconds(since: begins) + Int64(clock) * 1000) / 60_000
            }
        }
        guard times.days ?? 1 <= Limits.entryDaysMax, times.minutes ?? 0 <= Limits.entryMinutesMax else {
            refuse("It lasts longer than an entry may.")
            return nil
        }
        return times
    }

    /// The zone of a time, and the clock's time there. If only the file defines the zone, a single event is converted, and one
    /// that repeats keeps its clock's time.
    private mutating func place(
        _ line: ICalLine, _ time: ICalTime, _ zones: FileZones, isRepeated: Bool
    ) -> (civil: Civil, zone: Zone) {
        if time.isUTC { return (time.civil, .utc) }
        guard let name = line["TZID"] else { return (time.civil, zones.reader) }
        let found = zones.find(name, near: time.civil)
        guard !found.isKnown else { return (time.civil, found.zone) }
        let quoted = Text.quoted(String(name.prefix(60)))
        if let rules = found.rules, !isRepeated {
            remark("The time zone \(quoted) is not known; its times are placed by the file's own rules.")
            let moment = Timing.moment(time.civil, .utc).adding(seconds: -Int64(rules.offset(at: time.civil)))
            return (found.zone.civil(at: moment), found.zone)
        }
        if found.isPlaced, found.rules == nil {
            remark(
                "The time zone \(quoted) is not known; by the file's own rules its times are those of \(found.zone.name)."
            )
        } else {
            remark("The time zone \(quoted) is not known; its times are read in \(found.zone.name).")
        }
        return (time.civil, found.zone)
    }

    /// The times of a list such as EXDATE, on the entry's own clock.
    private mutating func civils(_ line: ICalLine, _ times: EntryTimes, _ zones: FileZones) -> [Civil] {
        let own = times.zone.flatMap { Zone($0) }
        var civils: [Civil] = []
        for text in ICalText.parts(line.value).prefix(Limits.entryDatesMax) {
            guard let time = ICalTime(text) else { continue }
            guard let own, !time.isDate else {
                civils.append(time.isDate == times.isAllDay ? time.civil : time.civil.startOfDay)
                continue
            }
            guard line["TZID"] != nil || time.isUTC else {
                civils.append(time.civil)
                continue
            }
            let (civil, zone) = place(line, time, zones, isRepeated: true)
            civils.append(zone == own ? civil : own.civil(at: Timing.moment(civil, zone)))
        }
        return civils
    }

    private mutating func take(
        rules event: ICalComponent, into times: inout EntryTimes, _ left: inout [ICalLine], _ zones: FileZones
    ) {
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
            for civil in civils(line, times, zones) where times.dates.count < Limits.entryDatesMax {
                let name = times.name(of: civil)
                if !times.dates.contains(where: { $0.hasSameBytes(as: name) }) { times.dates.append(name) }
            }
        }
        times.dates.sort()
    }

    // MARK: The rest

    /// Takes an occurrence that differs.
    private mutating func take(
        _ other: ICalComponent, into entry: inout Entry, _ rest: inout Rest, _ zones: FileZones
    ) {
        guard let line = other["RECURRENCE-ID"], let civil = civils(line, entry.times, zones).first else {
            remark("It has a time that is otherwise, and does not say which; that is kept, and not shown.")
            return rest.aside.append(other)
        }
        let name = entry.times.name(of: civil)
        guard rest.series.contains(civil) else {
            remark("\(name) is otherwise and is none of its times; that is kept, and not shown.")
            return rest.aside.append(other)
        }
        guard entry.exceptions.count < Limits.entryExceptionsMax else {
            remark(
                "More than \(Limits.entryExceptionsMax) of its times are otherwise; the rest is kept, and not shown.")
            return rest.aside.append(other)
        }
        if line["RANGE"]?.uppercased() == "THISANDFUTURE" {
            remark("From \(name) on all of it is otherwise; that is kept, and here only that one time is otherwise.")
        }
        // If the whole event is cancelled, each of its days says so. That leaves no day out.
        if other["STATUS"]?.value.uppercased() == "CANCELLED", entry.status != .cancelled {
            rest.aside.append(other)
            return put(EntryException(occurrence: name, isRemoved: true), &entry)
        }
        let own = EntryWriter.time("RECURRENCE-ID", civil, entry.times.zone)
        guard !rest.others.contains(where: { $0["RECURRENCE-ID"] == own }) else {
            remark("\(name) is otherwise twice; only the first of it is taken.")
            return
        }
        // No entry here can be private on one day alone. To hide what it has on that day, the whole entry is made
        // private.
        let privacy = Entry.Privacy(class: other)
        if privacy.stricter(entry.privacy) != entry.privacy {
            remark("On \(name) it is not public; so all of it is not.")
            entry.privacy = privacy
        }
        // Lines of this occurrence that an entry has no field for are kept with those of the whole event.
        var left = Self.rest(of: other) + OccurrenceLines.own(other, beside: rest.master)
        take(people: other, &left, at: name)
        rest.others.append(ICalComponent("VEVENT", [own] + left, components: other.components))
        rest.given.append(other)
        guard let when = times(other, zones) else { return }
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
        OccurrenceLines.take(other, beside: rest.master, of: entry, into: &one)
        if one != EntryException(occurrence: name) { put(one, &entry) }
    }

    private func put(_ one: EntryException, _ entry: inout Entry) {
        entry.exceptions.removeAll { $0.occurrence.hasSameBytes(as: one.occurrence) }
        entry.exceptions.append(one)
    }

    private mutating func text(_ event: ICalComponent, _ name: String, _ most: Int, isLine: Bool = false) -> String? {
        guard let given = event[name]?.text else { return nil }
        let clean = Self.line(given, most, isLine: isLine)
        if given.count > most {
            remark("\(name) is longer than \(most) characters; it is shown cut, and given back whole.")
        }
        return clean.isEmpty ? nil : clean
    }

    /// A text within bounds, without characters that are not allowed in one.
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

    /// Takes the first category that every family has; the others are kept.
    private mutating func take(category event: ICalComponent, into entry: inout Entry, _ left: inout [ICalLine]) {
        for line in event.all("CATEGORIES") {
            let names = ICalText.parts(line.value).map { ICalText.unescaped($0).lowercased() }
            let known = names.first { name in Entry.categories.contains { $0.hasSameBytes(as: name) } }
            if entry.category == nil { entry.category = known }
            if known == nil || names.count > 1 { left.append(line) }
        }
    }

    /// Takes members by their addresses here, with their answers; others are kept.
    private mutating func take(people event: ICalComponent, _ left: inout [ICalLine], at occurrence: String? = nil) {
        for line in event.all("ATTENDEE") + event.all("ORGANIZER") {
            let isOrganizer = line.name == "ORGANIZER"
            guard let id = Calendars.member(at: line.value), isOrganizer || !line.isScheduledElsewhere else {
                left.append(line)
                continue
            }
            if isOrganizer, line.isScheduledElsewhere { isAnsweredElsewhere = true }
            guard !isOrganizer, said.count < Limits.entryAnswersMax else { continue }
            if occurrence == nil, members.count < Limits.membersMax { members.append(id) }
            said.append(Said(member: id, occurrence: occurrence, answer: Entry.Answer(partstat: line["PARTSTAT"])))
        }
    }

    /// Lines that an entry has fields for, or that are written anew.
    private static let known: Set = [
        GivenLines.head, "UID", "DTSTAMP", "CREATED", "LAST-MODIFIED", "SEQUENCE", "DTSTART", "DTEND", "DURATION",
        "RRULE", "RDATE",
        "EXDATE", "SUMMARY", "DESCRIPTION", "LOCATION", "GEO", "STATUS", "CLASS", "CATEGORIES", "ORGANIZER",
        "ATTENDEE", "RECURRENCE-ID",
    ]
}
