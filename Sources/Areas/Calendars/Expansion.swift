import KinCalendar
import KinICal
import KinKeeper
import KinModel

/// When one occurrence of an entry is.
struct OccurrenceSpan {
    /// When it begins by the rule: its name.
    let name: Civil
    /// When it begins on the wall.
    let starts: Civil
    let start: Instant
    let end: Instant
    /// Whether something of it is otherwise than of the entry.
    var isOtherwise = false
}

extension Timing {
    /// When those are that are on between two moments, as a reader somewhere sees them, by their beginning; the first ones
    /// where there are more than `max`. The exceptions are those that the timing was made with.
    func spans(
        _ exceptions: [EntryException], from: Instant, to: Instant, max most: Int, reader: Zone
    ) -> (all: [OccurrenceSpan], isCut: Bool) {
        guard from < to else { return ([], false) }
        let place = zone ?? reader
        // Most months have no change of clocks.
        let steady =
            to == .latest
            ? nil
            : place.steady(
                from: from.adding(seconds: -Int64(seconds)),
                to: zone == nil ? to.adding(seconds: Int64(seconds)) : to)
        func civil(_ moment: Instant) -> Civil { steady?.civil(at: moment) ?? place.civil(at: moment) }
        // On the wall, with an hour to spare where clocks change between.
        let low = civil(from).adding(seconds: -seconds - 7200)
        let high = to == .latest ? low.adding(days: 40 * 366) : civil(to).adding(seconds: 7200)
        let found = occurrences(from: low, to: high, max: most)
        func isOn(_ span: (start: Instant, end: Instant)) -> Bool {
            span.start < to && (span.end > from || (span.start == span.end && span.start >= from))
        }
        var all: [OccurrenceSpan] = []
        all.reserveCapacity(found.all.count)
        for start in found.all {
            // Of whole days both ends are read on the wall: where no clock changes that comes to the same.
            let span: (start: Instant, end: Instant)
            if let begins = steady?.instant(of: start) {
                span = (begins, begins.adding(seconds: Int64(seconds)))
            } else {
                span = self.span(of: start, reader: reader)
            }
            if isOn(span) { all.append(OccurrenceSpan(name: start, starts: start, start: span.start, end: span.end)) }
        }
        guard !exceptions.isEmpty else { return (all, found.isCut) }
        for exception in exceptions where !exception.isRemoved {
            guard let start = Civil.read(exception.start ?? exception.occurrence),
                let name = Civil.read(exception.occurrence)
            else { continue }
            let seconds = exception.days.map { Int($0) * 86_400 } ?? exception.minutes.map { Int($0) * 60 }
            let span = span(of: start, seconds: seconds, reader: reader)
            if isOn(span) {
                all.append(
                    OccurrenceSpan(name: name, starts: start, start: span.start, end: span.end, isOtherwise: true))
            }
        }
        all.sort { ($0.start, $0.name) < ($1.start, $1.name) }
        return (all, found.isCut)
    }
}

/// One occurrence of an entry, with what is otherwise there worked in.
struct OccurrenceTime {
    /// When it begins by the rule: its name.
    let name: String
    /// When it begins on the wall.
    let starts: Civil
    /// The same in words.
    let written: String
    let start: Instant
    let end: Instant
    let subject: String
    let place: EntryPlace?
    let category: String?
    let status: Entry.Status

    init(_ span: OccurrenceSpan, of entry: Entry) {
        let name = entry.times.name(of: span.name)
        let isAllDay = entry.times.isAllDay
        written = span.starts == span.name ? name : span.starts.written(isAllDay: isAllDay)
        let other =
            span.isOtherwise ? entry.exceptions.first { $0.occurrence.hasSameBytes(as: name) && !$0.isRemoved } : nil
        self.name = name
        starts = span.starts
        start = span.start
        end = span.end
        subject = other?.subject ?? entry.subject
        place = other?.place ?? entry.place
        category = entry.category(at: other)
        status = entry.status(at: other)
    }
}

/// An entry's occurrences within a time, as a reader somewhere sees them.
struct Expansion {
    private let entry: Entry
    private let timing: Timing?
    private let reader: Zone

    init(_ stored: StoredEntry, reader: Zone, _ almanac: Almanac) {
        entry = stored.wire
        timing = Timing(entry.times, exceptions: entry.exceptions, almanac)
        self.reader = reader
    }

    /// Those that are on between two moments, by their beginning; the first ones where there are more than `max`.
    func occurrences(from: Instant, to: Instant, max most: Int) -> (all: [OccurrenceTime], isCut: Bool) {
        let (all, isCut) = spans(from: from, to: to, max: most)
        return (all.map { OccurrenceTime($0, of: entry) }, isCut)
    }

    /// When those are.
    func spans(from: Instant, to: Instant, max most: Int) -> (all: [OccurrenceSpan], isCut: Bool) {
        timing?.spans(entry.exceptions, from: from, to: to, max: most, reader: reader) ?? ([], false)
    }
}
