import KinCalendar
import KinICal
import KinKeeper
import KinModel

/// The time of one occurrence of an entry.
struct OccurrenceSpan {
    /// The time at which it begins by the rule: its name.
    let name: Civil
    /// The time at which it begins, by the clock on the wall.
    let starts: Civil
    let start: Instant
    let end: Instant
    /// Whether it differs from the entry in anything.
    var isOtherwise = false
}

extension Timing {
    /// The times of the occurrences between two moments, as a reader somewhere sees them, by their beginning. If there
    /// are more than `max`, these are the first ones. The exceptions are those with which the timing was made.
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
        // The bounds by the clock on the wall, with an hour to spare in case clocks change in between.
        let low = civil(from).adding(seconds: -seconds - 7200)
        let high = to == .latest ? low.adding(days: 40 * 366) : civil(to).adding(seconds: 7200)
        let found = occurrences(from: low, to: high, max: most)
        func isOn(_ span: (start: Instant, end: Instant)) -> Bool {
            span.start < to && (span.end > from || (span.start == span.end && span.start >= from))
        }
        var all: [OccurrenceSpan] = []
        all.reserveCapacity(found.all.count)
        for start in found.all {
            // Of whole days both ends are read by the clock on the wall. If no clock changes, the result is the same.
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

/// One occurrence of an entry, with its own changes applied.
struct OccurrenceTime {
    /// The time at which it begins by the rule: its name.
    let name: String
    /// The time at which it begins, by the clock on the wall.
    let starts: Civil
    /// The same as text.
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

    /// The occurrences between two moments, by their beginning. If there are more than `max`, these are the first ones.
    func occurrences(from: Instant, to: Instant, max most: Int) -> (all: [OccurrenceTime], isCut: Bool) {
        let (all, isCut) = spans(from: from, to: to, max: most)
        return (all.map { OccurrenceTime($0, of: entry) }, isCut)
    }

    /// The times of these occurrences.
    func spans(from: Instant, to: Instant, max most: Int) -> (all: [OccurrenceSpan], isCut: Bool) {
        timing?.spans(entry.exceptions, from: from, to: to, max: most, reader: reader) ?? ([], false)
    }
}
