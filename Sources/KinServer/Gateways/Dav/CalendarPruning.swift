import KinCalendar
import KinICal
import KinModel

/// Writes the parts of a thing that a report wants (RFC 4791, 9.6). It reads the text once, line by line: what is wanted is
/// given as it stands there, whatever it is and however long, and nothing else is remembered of it than when the present
/// component is.
struct CalendarPruning {
    private let whole: CalendarPart
    /// Of the occurrences that are otherwise, only those that are in this time, or would be (RFC 4791, 9.6.6); `nil`: all.
    private let within: ComponentTime?
    /// The zone of times without one.
    private let zone: Zone
    private var out: [UInt8] = []
    private var open: [Open] = []
    /// What repeats, by whose length its occurrences last.
    private var master: Open?
    /// Zones by the names that the text has for them: each is read of the disk once.
    private var zones: [String: Zone?] = [:]

    private struct Open {
        let part: CalendarPart?
        /// Where what is written of it begins.
        let begin: Int
        /// The lines that say when it is.
        var times: [String: ICalLine] = [:]
    }

    /// Zones that one text may name. Times in others are read in the zone of times without one.
    private static let zonesMax = 8
    private static let timed: Set = ["DTSTART", "DTEND", "DUE", "DURATION", "RECURRENCE-ID"]

    private init(_ whole: CalendarPart, _ within: ComponentTime?, _ zone: Zone) {
        (self.whole, self.within, self.zone) = (whole, within, zone)
    }

    static func text(
        of text: String, _ whole: CalendarPart, within: ComponentTime?, zone: Zone
    ) -> String {
        var pruning = CalendarPruning(whole, within, zone)
        for line in TextLines(text) { pruning.take(line) }
        return String(decoding: pruning.out, as: UTF8.self)
    }

    private mutating func take(_ line: TextLines.Line) {
        switch line.name {
        case "BEGIN":
            let name = line.value.uppercased()
            let part: CalendarPart? =
                if let outer = open.last { outer.part?.part(name) } else { name == "VCALENDAR" ? whole : nil }
            open.append(Open(part: part, begin: out.count))
            if part != nil { out += line.bytes }
        case "END":
            guard let ended = open.popLast() else { return }
            if ended.part != nil { out += line.bytes }
            if open.count == 1, isElsewhere(ended) { out.removeSubrange(ended.begin...) }
        default:
            guard let present = open.last else { return }
            if within != nil, open.count == 2, Self.timed.contains(line.name) {
                open[open.count - 1].times[line.name] = ICalLine(line.text)
            }
            switch present.part?.line(line.name) {
            case nil: break
            case true?: out += line.bytes
            case false?: out += line.withoutValue
            }
        }
    }

    // MARK: Occurrences that are otherwise

    /// Whether a component is an occurrence that is otherwise, and neither it nor the time that it had before are in the time
    /// that is asked for.
    private mutating func isElsewhere(_ ended: Open) -> Bool {
        guard let within else { return false }
        guard let named = ended.times["RECURRENCE-ID"] else {
            if ended.times["DTSTART"] != nil { master = ended }
            return false
        }
        guard let original = moment(named) else { return false }
        var begins = original
        if let start = ended.times["DTSTART"], let own = moment(start) { begins = own }
        // All that come after it are otherwise as well.
        if named["RANGE"] != nil { return min(original, begins) >= within.to }
        var usual: Int64 = 0
        if let master { usual = length(of: master) }
        return !within.touches(original, usual) && !within.touches(begins, length(of: ended))
    }

    /// Milliseconds from the beginning of a component to its end.
    private mutating func length(of one: Open) -> Int64 {
        if let text = one.times["DURATION"]?.value, let seconds = ICalText.seconds(ofDuration: text) {
            return Int64(seconds) * 1000
        }
        guard let start = one.times["DTSTART"] else { return 0 }
        if let end = one.times["DTEND"] ?? one.times["DUE"], let first = moment(start), let last = moment(end) {
            return last.milliseconds(since: first)
        }
        return ICalTime(start.value)?.isDate == true ? 86_400_000 : 0
    }

    private mutating func moment(_ line: ICalLine) -> Instant? {
        guard let time = ICalTime(line.value) else { return nil }
        if time.isUTC { return ComponentTime.moment(time.civil, .utc) }
        guard !time.isDate, let name = line["TZID"] else { return ComponentTime.moment(time.civil, zone) }
        if let known = zones[name] { return ComponentTime.moment(time.civil, known ?? zone) }
        guard zones.count < Self.zonesMax else { return ComponentTime.moment(time.civil, zone) }
        let read = Zone(name)
        zones.updateValue(read, forKey: name)
        return ComponentTime.moment(time.civil, read ?? zone)
    }
}

extension ComponentTime {
    /// Whether something that begins at a moment and lasts some milliseconds is then.
    fileprivate func touches(_ start: Instant, _ length: Int64) -> Bool {
        start < to && (start >= from || start.adding(milliseconds: length) > from)
    }
}
