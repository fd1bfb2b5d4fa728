import KinCalendar
import KinICal
import KinModel

/// The items of a shelf as text, each as one object of iCalendar (RFC 4791, 4.1).
struct ShelfText {
    private let writer: EntryWriter
    private let zones: ZoneTexts
    private let almanac: Almanac

    init(_ writer: EntryWriter, _ zones: ZoneTexts, _ almanac: Almanac) {
        self.writer = writer
        self.zones = zones
        self.almanac = almanac
    }

    /// The object around its components.
    static func whole(_ components: String, zones: String) -> String {
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Kinwire//Calendar//EN\r\nCALSCALE:GREGORIAN\r\n" + zones
            + components + "END:VCALENDAR\r\n"
    }

    /// An entry, with its occurrences that differ.
    func text(of stored: StoredEntry) -> String {
        let components = writer.components(of: stored)
        var names = [stored.wire.times.zone].compactMap(\.self)
        // The lines of a file may name another zone, such as the one in which a flight ends. Each zone must be
        // described (RFC 4791, 4.1).
        if stored.raw?.hasBytes(of: "TZID=") == true {
            names += Set(components.flatMap(\.zoneNames)).subtracting(names).sorted()
        }
        return Self.whole(
            components.map(\.text).joined(),
            zones: names.map { zones[$0] }.joined() + EntryWriter.zones(of: stored).map(\.text).joined())
    }

    /// The occurrences of an entry within a time, each singly, in universal time. Without a time it is the whole entry.
    func occurrences(of stored: StoredEntry, from: Instant?, to: Instant?, reader: Zone) -> String {
        guard let from, let to else { return text(of: stored) }
        let written = writer.written(of: stored)
        let components = GivenLines.restored(written)
        guard let master = components.first else { return text(of: stored) }
        let found = Expansion(stored, reader: reader, almanac).occurrences(from: from, to: to, max: Limits.expandedMax)
            .all
        let repeats = stored.wire.times.repeats != nil || !stored.wire.times.dates.isEmpty
        let made: Set = ["DTSTART", "DTEND", "DURATION", "RRULE", "RDATE", "EXDATE", "RECURRENCE-ID"]
        let text = found.map { one in
            let place = written.firstIndex { other in
                other.component["RECURRENCE-ID"].flatMap { ICalTime($0.value) }.map {
                    stored.wire.times.name(of: $0.civil).hasSameBytes(as: one.name)
                } ?? false
            }
            var component = place.map { components[$0] } ?? master
            component.lines.removeAll { made.contains($0.name) }
            if stored.wire.times.isAllDay {
                component.lines += [("DTSTART", one.start), ("DTEND", one.end)].map {
                    EntryWriter.time($0.0, reader.civil(at: $0.1), nil)
                }
                if repeats, let name = Civil.read(one.name) {
                    component.lines.append(EntryWriter.time("RECURRENCE-ID", name, nil))
                }
            } else {
                component.lines += [EntryWriter.moment("DTSTART", one.start), EntryWriter.moment("DTEND", one.end)]
                if repeats, let name = Civil.read(one.name), let zone = stored.timing?.zone {
                    component.lines.append(EntryWriter.moment("RECURRENCE-ID", Timing.moment(name, zone)))
                }
            }
            return component.text
        }
        return Self.whole(text.joined(), zones: "")
    }
}

/// The texts of zones, each made once.
final class ZoneTexts {
    private var texts: [String: String] = [:]
    private let now: Instant

    init(now: Instant) { self.now = now }

    /// Whether the texts are of the same year as a moment.
    func isOf(_ moment: Instant) -> Bool { Zone.utc.civil(at: moment).year == Zone.utc.civil(at: now).year }

    subscript(name: String) -> String {
        if name.hasSameBytes(as: Zone.utc.name) { return "" }
        if let known = texts[name] { return known }
        let text = Zone(name).map { ZoneWriter.component($0, now: now).text } ?? ""
        texts[name] = text
        return text
    }
}
