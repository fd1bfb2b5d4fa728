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
    /// Milliseconds from the beginning to the end of what repeats.
    private var length: Int64 = 0

    private struct Open {
        let part: CalendarPart?
        /// Where what is written of it begins.
        let begin: Int
        /// The lines that say when it is.
        var times: [String: ICalLine] = [:]
    }

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
        let start = ended.times["DTSTART"].flatMap { moment($0) }
        guard let named = ended.times["RECURRENCE-ID"] else {
            if let start { length = length(of: ended, from: start) }
            return false
        }
        guard let original = moment(named) else { return false }
        let begins = start ?? original
        // All that come after it are otherwise as well.
        if named["RANGE"] != nil { return min(original, begins) >= within.to }
        return !within.touches(original, length) && !within.touches(begins, length(of: ended, from: begins))
    }

    /// Milliseconds from the beginning of a component to its end.
    private func length(of one: Open, from start: Instant) -> Int64 {
        if let text = one.times["DURATION"]?.value, let seconds = ICalText.seconds(ofDuration: text) {
            return Int64(seconds) * 1000
        }
        if let end = (one.times["DTEND"] ?? one.times["DUE"]).flatMap({ moment($0) }) {
            return end.milliseconds(since: start)
        }
        return one.times["DTSTART"].flatMap { ICalTime($0.value) }?.isDate == true ? 86_400_000 : 0
    }

    private func moment(_ line: ICalLine) -> Instant? {
        guard let time = ICalTime(line.value) else { return nil }
        let own: Zone? = time.isUTC ? Zone.utc : time.isDate ? nil : line["TZID"].flatMap { Zone($0) }
        return ComponentTime.moment(time.civil, own ?? zone)
    }
}

extension ComponentTime {
    /// Whether something that begins at a moment and lasts some milliseconds is then.
    fileprivate func touches(_ start: Instant, _ length: Int64) -> Bool {
        start < to && (start >= from || start.adding(milliseconds: length) > from)
    }
}
