import KinCalendar
import KinModel
import KinWords

/// A span of time as people type it: `sat 18:00-20:00`, `morgen 9-10:30`, `24.12. 18 Uhr +2h`.
///
/// A day without a date is the next such day, today included while the time is ahead. A time without a day is the next
/// such time. An end before the beginning is on the next day. Without an end the span lasts as long as the caller says.
struct TypedTime: Equatable {
    let start: Instant
    let end: Instant
    /// Whether the end was not typed.
    let isEndAssumed: Bool
    /// Whether clocks show the beginning twice that night; the first time is meant.
    let isRepeated: Bool
    /// Whether a part of the day was typed, without a time.
    let isStartAssumed: Bool
    /// Whether `next` was typed for a day that is still in this week.
    let isNextWithinWeek: Bool
    /// Whether the day was typed after its time.
    private let isDayBehind: Bool

    init(
        _ text: String, now: Instant, zone: Zone, lastsSeconds: Int64? = nil, order: DateOrder? = LocalTime.dateOrder
    ) throws(Problem) {
        var reading = Reading(text, today: zone.civil(at: now), order: order)
        try reading.read()
        let from: Civil
        if let ahead = reading.ahead {
            // The moment is cut to the minute, like all typed times.
            let moment = now.adding(seconds: ahead)
            start = moment.adding(milliseconds: -(moment.milliseconds % 60_000))
            from = zone.civil(at: start)
            isRepeated = false
        } else {
            from = try reading.start(after: zone.civil(at: now))
            (start, isRepeated) = try Self.moment(from, zone, text)
        }
        isStartAssumed = reading.isStartAssumed
        isNextWithinWeek = reading.isNextWithinWeek
        isDayBehind = reading.isDayBehind
        if let to = try reading.end(after: from) {
            let moment = try Self.moment(to, zone, text).0
            // If a clock is put back between the two, an end that a clock shows twice is the later one.
            end = moment > start ? moment : try Self.last(to, zone)
            isEndAssumed = false
        } else {
            end = start.adding(seconds: reading.spanSeconds ?? lastsSeconds ?? 3600)
            isEndAssumed = reading.spanSeconds == nil && lastsSeconds == nil
        }
        guard end > start else { throw .usage(phrase("when.ends-first", ["text": Plain.line(text)])) }
        guard end > now else {
            throw .usage(
                phrase("when.over", ["text": Plain.line(text), "understood": LocalTime.span(start, end, now: now)]))
        }
    }

    /// One moment ahead, as people type it: a span from now (`2h`, `in 2 days`), a time, or the start of a day.
    static func moment(
        _ text: String, now: Instant, zone: Zone, order: DateOrder? = LocalTime.dateOrder
    ) throws(Problem) -> Instant {
        if let seconds = Words.seconds(text) { return now.adding(seconds: seconds) }
        if let instant = Instant(text) { return instant }
        var reading = Reading(text, today: zone.civil(at: now), order: order)
        try reading.readWords()
        if let day = reading.day(zone.civil(at: now)) {
            switch zone.instant(of: day) {
            case .one(let instant), .repeated(let instant, _), .skipped(_, let instant): return instant
            }
        }
        return try TypedTime(text, now: now, zone: zone, order: order).start
    }

    /// A clock that is put forward skips times. A clock that is put back shows times twice.
    private static func moment(_ civil: Civil, _ zone: Zone, _ text: String) throws(Problem) -> (Instant, Bool) {
        switch zone.instant(of: civil) {
        case .one(let instant): return (instant, false)
        case .repeated(let first, _): return (first, true)
        case .skipped(let before, let after):
            throw .usage(
                phrase(
                    "when.skipped",
                    [
                        "text": Plain.line(text), "time": civil.clock, "zone": zone.name,
                        "before": zone.civil(at: before).clock, "after": zone.civil(at: after).clock,
                    ]))
        }
    }

    private static func last(_ civil: Civil, _ zone: Zone) throws(Problem) -> Instant {
        switch zone.instant(of: civil) {
        case .one(let instant), .repeated(_, let instant), .skipped(_, let instant): return instant
        }
    }

    /// The spans that the words make, as many as there are. The words of one span may be one argument or several: `"sat
    /// 18-20" "sun 12-14"` or `sat 18-20 sun 12-14`.
    static func all(
        _ words: [String], now: Instant, zone: Zone, lastsSeconds: Int64? = nil
    ) throws(Problem) -> [TypedTime] {
        var times: [TypedTime] = []
        var rest = words[...]
        while !rest.isEmpty {
            var found: (TypedTime, Int)?
            // The problem of the longest attempt is kept, because its sentence names all of the words.
            var trouble: Problem?
            for count in stride(from: min(rest.count, wordsMax), through: 1, by: -1) {
                do throws(Problem) {
                    let text = rest.prefix(count).joined(separator: " ")
                    found = (try TypedTime(text, now: now, zone: zone, lastsSeconds: lastsSeconds), count)
                    break
                } catch { trouble = trouble ?? error }
            }
            guard let (time, count) = found else {
                throw trouble ?? .usage(phrase("when.nothing"))
            }
            if time.isDayBehind, count > 1 { try checkApart(rest, count, now, zone) }
            times.append(time)
            rest = rest.dropFirst(count)
        }
        return times
    }

    /// Words that one span may have: `nächsten Freitag um 18 Uhr bis 20 Uhr`.
    private static let wordsMax = 9

    /// `6pm sat 8pm` may be Saturday at six and the next eight, or the next six and Saturday at eight.
    private static func checkApart(
        _ words: ArraySlice<String>, _ count: Int, _ now: Instant, _ zone: Zone
    ) throws(Problem) {
        let (first, others) = (words.prefix(count - 1).joined(separator: " "), Array(words.dropFirst(count - 1)))
        guard (try? TypedTime(first, now: now, zone: zone)) != nil, (try? all(others, now: now, zone: zone)) != nil
        else { return }
        throw .usage(
            phrase(
                "when.apart",
                [
                    "one": Plain.line(words.prefix(count).joined(separator: " ")),
                    "first": Plain.line(first), "second": Plain.line(others.joined(separator: " ")),
                ]))
    }

    func said(now: Instant) -> String {
        var text = LocalTime.span(start, end, now: now)
        if isNextWithinWeek { text += " " + phrase("when.next") }
        if isStartAssumed { text += " " + phrase("when.assumed-start") }
        if isEndAssumed { text += " " + phrase("when.assumed") }
        if isRepeated { text += " " + phrase("when.repeated") }
        return text
    }
}
