import KinCalendar
import KinICal
import KinModel

/// Whether a component of a thing is on within a time (RFC 4791, 9.9). When an event is on is the area's own question; this
/// looks at tasks, alarms and properties, by what their text says. Times without a zone, and days, are read in universal time.
struct ComponentTime {
    let from: Instant
    let to: Instant

    init(_ from: Instant?, _ to: Instant?) {
        (self.from, self.to) = (from ?? .earliest, to ?? .latest)
    }

    /// Occurrences that are looked at, of what repeats.
    private static let occurrencesMax = 1000

    // MARK: Tasks

    /// The table of RFC 4791, 9.9, for VTODO. Of one that repeats each occurrence is looked at.
    func holds(task: ICalComponent) -> Bool {
        let times = starts(of: task)
        guard !times.isEmpty || task["DTSTART"] == nil else { return false }
        guard task["DTSTART"] != nil else { return holds(task: task, start: nil) }
        return times.contains { holds(task: task, start: $0) }
    }

    private func holds(task: ICalComponent, start: Instant?) -> Bool {
        var due = Self.moment(task["DUE"])
        if let start, let first = Self.moment(task["DTSTART"]), let known = due {
            due = start.adding(milliseconds: known.milliseconds(since: first))
        }
        let length = task["DURATION"].flatMap { ICalText.seconds(ofDuration: $0.value) }
        switch (start, length, due) {
        case (let start?, let length?, nil):
            let end = start.adding(seconds: Int64(length))
            return from <= end && (to > start || to >= end)
        case (let start?, _, let due?): return (from < due || from <= start) && (to > start || to >= due)
        case (let start?, nil, nil): return from <= start && to > start
        case (nil, _, let due?): return from < due && to >= due
        case (nil, _, nil): break
        }
        let (made, done) = (Self.moment(task["CREATED"]), Self.moment(task["COMPLETED"]))
        switch (made, done) {
        case (let made?, let done?): return (from <= made || from <= done) && (to >= made || to >= done)
        case (nil, let done?): return from <= done && to >= done
        case (let made?, nil): return to > made
        case (nil, nil): return true
        }
    }

    // MARK: Alarms

    /// Whether an alarm of a component goes off then, once or as often as it is repeated.
    func holds(alarm: ICalComponent, of parent: ICalComponent) -> Bool {
        guard let trigger = alarm["TRIGGER"] else { return false }
        var again: [Int64] = [0]
        if let count = alarm["REPEAT"].flatMap({ Int($0.value) }), (1...100).contains(count),
            let pause = alarm["DURATION"].flatMap({ ICalText.seconds(ofDuration: $0.value) })
        {
            again += (1...count).map { Int64($0 * pause) }
        }
        func isIn(_ moment: Instant) -> Bool {
            again.contains { from <= moment.adding(seconds: $0) && moment.adding(seconds: $0) < to }
        }
        if let moment = Self.moment(trigger) { return isIn(moment) }
        guard let offset = ICalText.seconds(ofDuration: trigger.value) else { return false }
        let isAtEnd = trigger["RELATED"]?.uppercased() == "END"
        let longest = Int64(abs(offset)) + (again.last ?? 0) + Int64(abs(length(of: parent)))
        return ComponentTime(from.adding(seconds: -longest), to.adding(seconds: longest)).starts(of: parent).contains {
            isIn($0.adding(seconds: Int64(offset) + (isAtEnd ? Int64(length(of: parent)) : 0)))
        }
    }

    /// Seconds from the beginning of a component to its end.
    private func length(of component: ICalComponent) -> Int {
        if let text = component["DURATION"]?.value, let seconds = ICalText.seconds(ofDuration: text) { return seconds }
        guard let start = component["DTSTART"], let first = Self.moment(start) else { return 0 }
        guard let end = Self.moment(component["DTEND"] ?? component["DUE"]) else {
            return ICalTime(start.value)?.isDate == true ? 86_400 : 0
        }
        return Int(clamping: end.milliseconds(since: first) / 1000)
    }

    // MARK: Properties

    /// Whether one of the times that a property says is then: a date, a time, or a period of which something is then.
    func holds(property line: ICalLine) -> Bool {
        line.value.split(separator: ",").prefix(Self.occurrencesMax).contains { value in
            let parts = value.split(separator: "/", maxSplits: 1)
            guard let first = parts.first, let start = ICalTime(first) else { return false }
            let begins = Self.moment(start.civil, Self.zone(of: line, start))
            guard parts.count == 2 else { return from <= begins && begins < to }
            let length = ICalText.seconds(ofDuration: String(parts[1])).map { begins.adding(seconds: Int64($0)) }
            let end = ICalTime(parts[1]).map { Self.moment($0.civil, Self.zone(of: line, $0)) } ?? length
            return begins < to && from < end ?? begins
        }
    }

    // MARK: Times

    /// When a component begins: once, or of one that repeats each time, with a day to spare on both sides.
    private func starts(of component: ICalComponent) -> [Instant] {
        guard let line = component["DTSTART"], let start = ICalTime(line.value), let first = Self.moment(line) else {
            return Self.moment(component["DUE"]).map { [$0] } ?? []
        }
        let rules = component.all("RRULE").compactMap { RecurrenceRule($0.value) }
        let dates = Self.times(component.all("RDATE"))
        guard !rules.isEmpty || !dates.isEmpty else { return [first] }
        let zone = Self.zone(of: line, start)
        let series = Series(
            start: start.civil, isAllDay: start.isDate, rules: rules, dates: dates,
            exceptions: Set(Self.times(component.all("EXDATE"))), zone: zone)
        let spare = length(of: component) + 2 * 86_400
        let low = from == .earliest ? start.civil : zone.civil(at: from).adding(seconds: -spare)
        let high = to == .latest ? low.adding(days: 40 * 366) : zone.civil(at: to).adding(seconds: spare)
        return series.occurrences(from: low, to: high, max: Self.occurrencesMax).all.map { Self.moment($0, zone) }
    }

    private static func times(_ lines: [ICalLine]) -> [Civil] {
        lines.flatMap { $0.value.split(separator: ",").prefix(1000).compactMap { ICalTime($0)?.civil } }
    }

    private static func zone(of line: ICalLine, _ time: ICalTime) -> Zone {
        time.isUTC || time.isDate ? .utc : line["TZID"].flatMap { Zone($0) } ?? .utc
    }

    private static func moment(_ line: ICalLine?) -> Instant? {
        guard let line, let time = ICalTime(line.value) else { return nil }
        return moment(time.civil, zone(of: line, time))
    }

    static func moment(_ civil: Civil, _ zone: Zone) -> Instant {
        switch zone.instant(of: civil) {
        case .one(let instant), .repeated(let instant, _), .skipped(_, let instant): instant
        }
    }
}
