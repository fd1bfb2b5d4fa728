import KinCalendar
import KinICal
import KinKeeper
import KinModel

/// The times of an entry, by the clock on the wall and as moments. It is an object, because questions pass on thousands
/// of them.
final class Timing {
    /// The civil times at which it begins.
    let series: Series
    /// The zone; `nil` for whole days.
    let zone: Zone?
    /// Its length: by the clock on the wall for whole days, in elapsed time otherwise.
    let seconds: Int
    /// The remembered occurrences of the series.
    private let years: SeriesYears?

    /// Reads times that were checked when they were written. A zone that no longer exists becomes universal time. With
    /// an almanac, what it remembers is not read anew.
    convenience init?(_ times: EntryTimes, exceptions: [EntryException] = [], _ almanac: Almanac? = nil) {
        guard let start = Civil.read(times.start) else { return nil }
        self.init(start, times, exceptions: exceptions, almanac)
    }

    /// The same for a start that is read already.
    init(_ start: Civil, _ times: EntryTimes, exceptions: [EntryException], _ almanac: Almanac?) {
        let zone = times.zone.map { almanac?.zone($0) ?? Zone($0) ?? .utc }
        let rule = times.repeats.flatMap { text in
            if let almanac { almanac.rule(text) } else { RecurrenceRule(text) }
        }
        let series = Series(
            start: start, isAllDay: times.isAllDay, rules: rule.map { [$0] } ?? [],
            dates: times.dates.compactMap { Civil.read($0) },
            exceptions: Set(exceptions.compactMap { Civil.read($0.occurrence) }), zone: zone)
        self.zone = zone
        self.series = series
        seconds = times.days.map { Int($0) * 86_400 } ?? Int(times.minutes ?? 0) * 60
        years = almanac?.years(of: series)
    }

    /// The moment at which a clock on the wall shows something; for whole days, in the reader's zone. A time that the
    /// clocks skip is read with the offset before (RFC 5545, 3.3.5). Of a time that comes twice the first counts.
    static func moment(_ civil: Civil, _ zone: Zone) -> Instant {
        switch zone.instant(of: civil) {
        case .one(let instant), .repeated(let instant, _), .skipped(_, let instant): instant
        }
    }

    /// The beginning and the end of an occurrence.
    func span(of start: Civil, seconds: Int? = nil, reader: Zone) -> (start: Instant, end: Instant) {
        let seconds = seconds ?? self.seconds
        guard let zone else {
            return (Self.moment(start, reader), Self.moment(start.adding(seconds: seconds), reader))
        }
        let begins = Self.moment(start, zone)
        return (begins, begins.adding(seconds: Int64(seconds)))
    }

    /// The civil times at which it begins, between two of them. If there are more than `max`, these are the first ones.
    func occurrences(from: Civil, to: Civil, max most: Int) -> Series.Found {
        years?.occurrences(from: from, to: to, max: most) ?? series.occurrences(from: from, to: to, max: most)
    }

    /// The moments between which the entry lies, wherever the reader is. `last` is the latest possible moment if it has
    /// no end. The bounds are a day wider than necessary, because they are stored, and a zone's rules may change.
    func bounds(_ exceptions: [EntryException]) -> (first: Instant, last: Instant) {
        let moved = exceptions.compactMap { $0.start.flatMap { Civil.read($0) } }
        let longest = max(
            seconds,
            exceptions.map { $0.days.map { Int($0) * 86_400 } ?? $0.minutes.map { Int($0) * 60 } ?? 0 }.max() ?? 0)
        let earliest = ([series.start] + series.dates + moved).min() ?? series.start
        let place = zone ?? .utc
        // Whole days begin up to 14 hours earlier and end up to 12 later than in universal time; the largest change of a zone
        // by decree was a day, in Samoa.
        let margin: Int64 = 86_400
        let first = Self.moment(earliest, place).adding(seconds: -margin)
        guard let end = series.end else { return (first, .latest) }
        let latest = ([end] + moved).max() ?? end
        return (first, Self.moment(latest, place).adding(seconds: Int64(longest) + margin))
    }
}

extension Civil {
    /// Reads `2026-11-24T18:00`, or `2026-11-24` as its midnight.
    static func read(_ text: String) -> Civil? { text.utf8.count == 10 ? Civil(text + "T00:00") : Civil(text) }

    /// The text on the wire.
    func written(isAllDay: Bool) -> String { isAllDay ? String(description.prefix(10)) : description }
}

extension EntryTimes {
    /// The time of an occurrence as text, by its own clock.
    func name(of occurrence: Civil) -> String { occurrence.written(isAllDay: isAllDay) }
}
