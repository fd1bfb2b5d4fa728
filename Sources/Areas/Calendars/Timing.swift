import KinCalendar
import KinICal
import KinKeeper
import KinModel

/// When an entry is, on the wall and on the earth's clock. An object, since questions hand on thousands of them.
final class Timing {
    /// When it begins, again and again.
    let series: Series
    /// The zone; `nil` for whole days.
    let zone: Zone?
    /// Seconds on the wall for whole days, else on the earth's clock.
    let seconds: Int
    /// Occurrences of the series that are remembered.
    private let years: SeriesYears?

    /// Of times that were checked when they were written; a zone that is gone since is universal time. With an almanac what it
    /// remembers is not read anew.
    convenience init?(_ times: EntryTimes, exceptions: [EntryException] = [], _ almanac: Almanac? = nil) {
        guard let start = Civil.read(times.start) else { return nil }
        self.init(start, times, exceptions: exceptions, almanac)
    }

    /// The same where its start was read before.
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

    /// When an occurrence begins and ends.
    func span(of start: Civil, seconds: Int? = nil, reader: Zone) -> (start: Instant, end: Instant) {
        let seconds = seconds ?? self.seconds
        guard let zone else {
            return (Self.moment(start, reader), Self.moment(start.adding(seconds: seconds), reader))
        }
        let begins = Self.moment(start, zone)
        return (begins, begins.adding(seconds: Int64(seconds)))
    }

    /// When it begins between two times on the wall, the first ones where there are more than `max`.
    func occurrences(from: Civil, to: Civil, max most: Int) -> Series.Found {
        years?.occurrences(from: from, to: to, max: most) ?? series.occurrences(from: from, to: to, max: most)
    }

    /// The moments between which all of it lies, wherever the reader is; `last` is the latest there is where it goes on. They
    /// are a day wider than they need be, for they are stored, and the rules of a zone may change.
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

    /// As the wire has it.
    func written(isAllDay: Bool) -> String { isAllDay ? String(description.prefix(10)) : description }
}

extension EntryTimes {
    /// When an occurrence is, in the words of its own clock.
    func name(of occurrence: Civil) -> String { occurrence.written(isAllDay: isAllDay) }
}
