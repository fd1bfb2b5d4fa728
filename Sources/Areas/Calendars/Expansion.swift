import KinCalendar
import KinICal
import KinKeeper
import KinModel

/// One occurrence of an entry, with what is otherwise there worked in.
struct OccurrenceTime {
    /// When it begins by the rule: its name.
    let name: String
    /// When it begins on the wall.
    let starts: Civil
    let start: Instant
    let end: Instant
    let subject: String
    let place: EntryPlace?
}

/// An entry's occurrences within a time, as a reader somewhere sees them.
struct Expansion {
    private let entry: Entry
    private let timing: Timing?
    private let reader: Zone

    init(_ stored: StoredEntry, reader: Zone) {
        entry = stored.wire
        timing = stored.timing
        self.reader = reader
    }

    /// Those that are on between two moments, by their beginning; the first ones where there are more than `max`.
    func occurrences(from: Instant, to: Instant, max most: Int) -> (all: [OccurrenceTime], isCut: Bool) {
        guard let timing, from < to else { return ([], false) }
        let zone = timing.zone ?? reader
        // On the wall, with an hour to spare where clocks change between.
        let low = zone.civil(at: from).adding(seconds: -timing.seconds - 7200)
        let high = to == .latest ? low.adding(days: 40 * 366) : zone.civil(at: to).adding(seconds: 7200)
        let found = timing.series.occurrences(from: low, to: high, max: most)
        var all: [OccurrenceTime] = []
        for start in found.all {
            let span = timing.span(of: start, reader: reader)
            if span.start < to, span.end > from || (span.start == span.end && span.start >= from) {
                all.append(
                    OccurrenceTime(
                        name: entry.times.name(of: start), starts: start, start: span.start, end: span.end,
                        subject: entry.subject, place: entry.place))
            }
        }
        for exception in entry.exceptions where !exception.isRemoved {
            guard let start = Civil.read(exception.start ?? exception.occurrence) else { continue }
            let seconds = exception.days.map { Int($0) * 86_400 } ?? exception.minutes.map { Int($0) * 60 }
            let span = timing.span(of: start, seconds: seconds, reader: reader)
            guard span.start < to, span.end > from || (span.start == span.end && span.start >= from) else { continue }
            all.append(
                OccurrenceTime(
                    name: exception.occurrence, starts: start, start: span.start, end: span.end,
                    subject: exception.subject ?? entry.subject, place: exception.place ?? entry.place))
        }
        if !entry.exceptions.isEmpty { all.sort { ($0.start, $0.name) < ($1.start, $1.name) } }
        return (all, found.isCut)
    }
}
