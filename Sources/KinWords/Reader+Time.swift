package import KinCalendar
package import KinModel

extension Reader {
    /// `just now`, `3 min ago`, `2 h ago`, `5 days ago`; what lies ahead is `in 3 min`.
    package func age(_ instant: Instant, now: Instant) -> String {
        let seconds = now.milliseconds(since: instant) / 1000
        if (-30..<60).contains(seconds) { return phrase("age.now") }
        let span = span(seconds: seconds < 0 ? -seconds : seconds, isAfterPreposition: true)
        return phrase(seconds < 0 ? "age.ahead" : "age.behind", ["span": span])
    }

    /// `40 s`, `3 min`, `2 h`, `5 days`. Some languages say days otherwise after a preposition.
    package func span(seconds: Int64, isAfterPreposition: Bool = false) -> String {
        switch seconds {
        case ..<60: phrase("span.seconds", ["n": seconds])
        case ..<3600: phrase("span.minutes", ["n": seconds / 60])
        case ..<172_800: phrase("span.hours", ["n": seconds / 3600])
        default: phrase(isAfterPreposition ? "span.of-days" : "span.days", ["n": seconds / 86_400])
        }
    }

    /// `18:04` today, `2026-11-20 18:04` on other days.
    package func short(_ instant: Instant, now: Instant) -> String {
        let (then, today) = (civil(instant), civil(now))
        return then.isSameDay(as: today) ? time(then) : "\(date(then)) \(time(then))"
    }

    /// `2026-11-20 18:04`.
    package func long(_ instant: Instant) -> String {
        let then = civil(instant)
        return "\(date(then)) \(time(then))"
    }

    /// `18:04` today, `Sun 18:04` within six days, `22 Nov 18:04` within the year, `22 Nov 2027 18:04` else.
    package func near(_ instant: Instant, now: Instant) -> String {
        let (then, today) = (civil(instant), civil(now))
        if then.isSameDay(as: today) { return time(then) }
        let days = instant.milliseconds(since: now) / 86_400_000
        // A week ago has today's weekday.
        return (-5...5).contains(days)
            ? "\(weekday(then)) \(time(then))" : "\(day(then, today: today)) \(time(then))"
    }

    /// `Sun 22 Nov 17:00–19:00`, and `Fri 20 Nov 18:00 – Sun 22 Nov 12:00` over days; with the year when it is another.
    package func range(_ start: Instant, _ end: Instant, now: Instant) -> String {
        let (from, to, today) = (civil(start), civil(end), civil(now))
        func whole(_ civil: Civil) -> String { "\(weekday(civil)) \(day(civil, today: today)) \(time(civil))" }
        let isShort = from.isSameDay(as: to) || end.milliseconds(since: start) < 18 * 3_600_000
        return isShort ? "\(whole(from))–\(time(to))" : "\(whole(from)) – \(whole(to))"
    }

    // MARK: What a clock and a calendar on the wall show

    /// `18:04`, or `6:04 PM`.
    package func time(_ civil: Civil) -> String {
        guard clock == .hours12 else { return "\(Self.two(civil.hour)):\(Self.two(civil.minute))" }
        let text = "\((civil.hour + 11) % 12 + 1):\(Self.two(civil.minute))"
        return phrase(civil.hour < 12 ? "time.morning" : "time.afternoon", ["time": text])
    }

    /// `2026-11-20`.
    package func date(_ civil: Civil) -> String {
        phrase("time.date", ["year": civil.year, "month": Self.two(civil.month), "day": Self.two(civil.day)])
    }

    /// `Sun`.
    package func weekday(_ civil: Civil) -> String { phrase("weekday.\(civil.weekday)") }

    /// `22 Nov`, with the year unless it is this one's.
    package func day(_ civil: Civil, today: Civil) -> String {
        let name = phrase("month.\(civil.month)")
        return civil.year == today.year
            ? phrase("time.day", ["day": civil.day, "month": name])
            : phrase("time.day-of-year", ["day": civil.day, "month": name, "year": civil.year])
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

extension Civil {
    package func isSameDay(as other: Civil) -> Bool { (year, month, day) == (other.year, other.month, other.day) }
}
