import KinCalendar
import KinICal
package import KinModel

/// Entries as calendar programs read them (RFC 5545). An entry and each of its occurrences that differs are components
/// with the same UID.
struct EntryWriter {
    /// The names of members that the reader may know.
    let names: [Identifier: String]
    /// The member whose programs read them.
    var reader: Identifier?
    /// Remembered calculations that need not be made anew for each entry.
    var almanac: Almanac?
    /// The parts that only the reader is told.
    var own = EntryOwn()
    /// Whether they are read by CalDAV, where the daemon invites the members (RFC 6638).
    var isScheduling = false

    /// A member's address. Programs offer answers only to an invitee who has one. Nothing is sent there (RFC 2606, 2).
    static func address(_ member: Identifier) -> String { Calendars.address(member) }

    /// An entry, and its occurrences that differ.
    func components(of stored: StoredEntry) -> [ICalComponent] { GivenLines.restored(written(of: stored)) }

    /// Descriptions of unknown zones, from the file that the entry came by.
    static func zones(of stored: StoredEntry) -> [ICalComponent] {
        guard let raw = stored.raw, raw.hasBytes(of: "BEGIN:VTIMEZONE"), let kept = try? ICalComponent(raw.utf8) else {
            return []
        }
        return kept.components.filter { $0.name == GivenLines.name }.flatMap(\.components).filter {
            $0.name == "VTIMEZONE"
        }
    }

    /// Names of zones in the lines that are kept of the file that an entry came by.
    static func zoneNames(of stored: StoredEntry) -> Set<String> {
        guard let raw = stored.raw, raw.hasBytes(of: "TZID="), let kept = try? ICalComponent(raw.utf8) else {
            return []
        }
        return kept.zoneNames
    }

    /// The same components without the lines of a file that would be written differently here, and those lines.
    func written(of stored: StoredEntry) -> [GivenLines.Written] {
        let entry = stored.wire
        var master = ICalComponent("VEVENT", head(stored) + when(entry.times))
        if let rule = entry.times.repeats { master.lines.append(ICalLine("RRULE", value: rule)) }
        master.lines += entry.times.dates.compactMap { time("RDATE", $0, entry.times.zone) }
        master.lines += entry.exceptions.filter(\.isRemoved).compactMap {
            time("EXDATE", $0.occurrence, entry.times.zone)
        }
        master.lines +=
            what(entry.subject, entry.note, entry.place?.told(own.places)) + rest(of: entry)
        // Lines that an entry has no field for are given back as they came.
        var kept: [String: ICalComponent] = [:]
        var given: ICalComponent?
        var beside: [ICalLine] = []
        if var raw = stored.raw.flatMap({ try? ICalComponent($0.utf8) }) {
            // The position that a program found for a place is hidden from a reader who does not see the place.
            if entry.place?.isHidden(own.places) == true { raw = raw.withoutLocations }
            beside = raw.lines
            master.lines += outside(raw.lines, of: entry)
            master.components += raw.components.filter { isGiven($0, of: entry) }
            given = raw.components.first { $0.name == GivenLines.name }
            // Lines of the file about days that no longer exist may name the place, too.
            if entry.mapPlaces.contains(where: { own.places[$0] == nil }) {
                given = given.map { one in
                    var told = one
                    told.components = one.components.map(\.withoutPlaces)
                    return told
                }
            }
            kept = named(raw, of: entry)
        }
        master.lines += people(entry, at: nil, beside: beside)
        var ringing: [String: ICalComponent] = [:]
        if let own = own.alarms[stored.number].flatMap({ try? ICalComponent($0.utf8) }) {
            master.lines += own.lines
            master.components += own.components.filter { $0.name == "VALARM" }
            ringing = named(own, of: entry)
        }
        master.components += reminders(of: stored, entry.subject, beside: master.components)
        return [GivenLines.Written(component: master, kept: given)] + others(of: stored, kept, ringing)
    }

    /// The reader's reminders, without those that the reader's programs have as alarms of their own.
    private func reminders(
        of stored: StoredEntry, _ subject: String, beside known: [ICalComponent]
    ) -> [ICalComponent] {
        guard let all = own.reminders[stored.number] else { return [] }
        let rung = Set(known.compactMap { EntryAlarms.minutes(of: $0, stored.wire.times) })
        return all.filter { !rung.contains($0) }.map { EntryAlarms.alarm($0, of: subject) }
    }

    /// The kept components of single times, by their names; only of times at which the entry still occurs.
    private func named(_ raw: ICalComponent, of entry: Entry) -> [String: ICalComponent] {
        var named: [String: ICalComponent] = [:]
        let others = raw.components.filter { $0.name == "VEVENT" }
        guard !others.isEmpty, let series = Timing(entry.times, almanac)?.series else { return [:] }
        for other in others {
            guard let civil = other["RECURRENCE-ID"].flatMap({ ICalTime($0.value) })?.civil, series.contains(civil)
            else { continue }
            named[entry.times.name(of: civil)] = other
        }
        return named
    }

    /// Whether a component within an event is given back as it came. An alarm without a known member is the owner's.
    private func isGiven(_ component: ICalComponent, of entry: Entry) -> Bool {
        switch component.name {
        case "VEVENT", GivenLines.name: false
        case "VALARM": reader == entry.owner
        default: true
        }
    }

    /// The occurrences that differ, or that somebody answers singly. `kept` has their other lines.
    private func others(
        of stored: StoredEntry, _ kept: [String: ICalComponent], _ ringing: [String: ICalComponent]
    ) -> [GivenLines.Written] {
        let entry = stored.wire
        let removed = Set(entry.exceptions.filter(\.isRemoved).map(\.occurrence))
        let names = Set(entry.exceptions.map(\.occurrence) + entry.answers.map(\.occurrence))
            .union(kept.keys).union(ringing.keys).subtracting(removed)
        return names.sorted().map { name in
            let other = entry.exceptions.first { $0.occurrence.hasSameBytes(as: name) }
            var times = EntryTimes(start: other?.start ?? name, zone: entry.times.zone)
            times.minutes = other?.minutes ?? entry.times.minutes
            times.days = other?.days ?? entry.times.days
            let named = [time("RECURRENCE-ID", name, entry.times.zone)].compactMap(\.self)
            let (subject, place) = (other?.subject ?? entry.subject, other?.place ?? entry.place)
            let lines =
                head(stored) + named + when(times)
                + what(subject, other?.note ?? entry.note, place?.told(own.places))
            let said = OccurrenceLines.told(kept[name]?.lines ?? [], of: entry)
            let alike = rest(of: entry, at: other).filter { line in !said.contains { $0.name == line.name } }
            var component = ICalComponent("VEVENT", lines + alike)
            var beside: [ICalLine] = []
            if var kept = kept[name] {
                if place?.isHidden(own.places) == true { kept = kept.withoutLocations }
                beside = kept.lines
                component.lines += outside(OccurrenceLines.told(kept.lines, of: entry), of: entry)
                component.components = kept.components.filter { isGiven($0, of: entry) }
            }
            component.lines += people(entry, at: name, beside: beside)
            if let ringing = ringing[name] {
                component.lines += ringing.lines.filter { $0.name != "RECURRENCE-ID" }
                component.components += ringing.components
            }
            component.components += reminders(of: stored, subject, beside: component.components)
            let given = kept[name]?.components.first { $0.name == GivenLines.name }
            return GivenLines.Written(
                component: component, kept: given, isState: other != nil || kept[name] != nil)
        }
    }

    private func head(_ stored: StoredEntry) -> [ICalLine] {
        [
            ICalLine("UID", text: stored.uid(to: reader)), Self.moment("DTSTAMP", stored.wire.changed),
            Self.moment("CREATED", stored.made), Self.moment("LAST-MODIFIED", stored.wire.changed),
            ICalLine("SEQUENCE", value: String(stored.wire.sequence)),
        ]
    }

    /// The beginning and the end. An end makes an occurrence last equally long whatever clocks do (RFC 5545, 3.8.5.3).
    private func when(_ times: EntryTimes) -> [ICalLine] {
        guard let start = Civil.read(times.start), let timing = Timing(times, almanac) else { return [] }
        var lines = [Self.time("DTSTART", start, times.zone)]
        guard let zone = timing.zone else {
            return lines + [Self.time("DTEND", start.adding(days: Int(times.days ?? 1)), nil)]
        }
        if timing.seconds > 0 {
            let end = Timing.moment(start, zone).adding(seconds: Int64(timing.seconds))
            lines.append(Self.time("DTEND", zone.civil(at: end), times.zone))
        }
        return lines
    }

    private func what(_ subject: String, _ note: String?, _ place: EntryPlace?) -> [ICalLine] {
        var lines = [ICalLine("SUMMARY", text: subject)]
        if let note { lines.append(ICalLine("DESCRIPTION", text: note)) }
        if let text = place?.text { lines.append(ICalLine("LOCATION", text: text)) }
        if let lat = place?.lat, let lon = place?.lon { lines.append(ICalLine("GEO", value: "\(lat);\(lon)")) }
        return lines
    }

    private func rest(of entry: Entry, at other: EntryException? = nil) -> [ICalLine] {
        var lines = [ICalLine("STATUS", value: entry.status(at: other).rawValue.uppercased())]
        // PUBLIC is the default (RFC 5545, 3.8.1.3): it is not written, and clients search for events without CLASS.
        if entry.privacy != .public { lines.append(ICalLine("CLASS", value: entry.privacy.rawValue.uppercased())) }
        if let category = entry.category(at: other) { lines.append(ICalLine("CATEGORIES", text: category)) }
        return lines
    }

    // MARK: Times

    private func time(_ name: String, _ text: String, _ zone: String?) -> ICalLine? {
        Civil.read(text).map { Self.time(name, $0, zone) }
    }

    /// A time in a zone, or a date if there is no zone.
    static func time(_ name: String, _ civil: Civil, _ zone: String?) -> ICalLine {
        guard let zone else {
            return ICalLine(
                name, [ICalLine.Parameter("VALUE", "DATE")], value: ICalTime(civil, isDate: true).description)
        }
        guard zone != Zone.utc.name else { return ICalLine(name, value: ICalTime(civil, isUTC: true).description) }
        return ICalLine(name, [ICalLine.Parameter("TZID", zone)], value: ICalTime(civil).description)
    }

    /// A moment, in universal time and whole seconds.
    static func moment(_ name: String, _ instant: Instant) -> ICalLine {
        let whole = Instant(milliseconds: instant.milliseconds / 1000 * 1000)
        return time(name, Zone.utc.civil(at: whole), Zone.utc.name)
    }

    /// A time of which the reader sees nothing else, under a name that reveals nothing more.
    static func busy(_ start: Instant, _ end: Instant, in calendar: Identifier, stamp: Instant) -> ICalComponent {
        ICalComponent(
            "VEVENT",
            [
                ICalLine(
                    "UID", text: "busy-\(start.milliseconds / 1000)-\(end.milliseconds / 1000)-\(calendar)@kinwire"),
                moment("DTSTAMP", stamp), moment("DTSTART", start), moment("DTEND", end),
                ICalLine("SUMMARY", text: "Busy"), ICalLine("CLASS", value: "PRIVATE"),
            ])
    }
}

extension ICalComponent {
    /// The names of the zones in its lines and in those of its components.
    var zoneNames: Set<String> {
        components.reduce(into: Set(lines.compactMap { $0["TZID"] })) { names, part in names.formUnion(part.zoneNames) }
    }
}

extension Calendars {
    /// A member's made-up address, by which programs invite the member.
    package static func address(_ member: Identifier) -> String { "mailto:\(member)@kinwire.invalid" }

    /// The member who has this address.
    package static func member(at address: String) -> Identifier? {
        let address = address.lowercased()
        guard address.hasPrefix("mailto:"), address.hasSuffix("@kinwire.invalid") else { return nil }
        return Identifier(address.dropFirst(7).prefix { $0 != "@" })
    }
}

extension Entry.Answer {
    /// Reads a PARTSTAT. Any other value, such as DELEGATED, counts as no answer.
    init(partstat: String?) {
        self =
            switch partstat?.uppercased() {
            case "ACCEPTED": .accepted
            case "TENTATIVE": .tentative
            case "DECLINED": .declined
            default: .none
            }
    }

    /// The answer in iCalendar (RFC 5545, 3.2.12).
    var partstat: String {
        switch self {
        case .accepted: "ACCEPTED"
        case .tentative: "TENTATIVE"
        case .declined: "DECLINED"
        case .none: "NEEDS-ACTION"
        }
    }
}
