import Glibc
import KinModel

/// Moments as the people at this machine read their clocks.
enum LocalTime {
    /// Now.
    static var now: Instant {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Instant(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    /// `18:04` today, `2026-11-20 18:04` on other days.
    static func short(_ instant: Instant, now: Instant = now) -> String {
        let (then, today) = (parts(instant), parts(now))
        let clock = "\(two(then.tm_hour)):\(two(then.tm_min))"
        return then.tm_year == today.tm_year && then.tm_yday == today.tm_yday ? clock : "\(date(then)) \(clock)"
    }

    /// `2026-11-20 18:04`.
    static func long(_ instant: Instant) -> String {
        let then = parts(instant)
        return "\(date(then)) \(two(then.tm_hour)):\(two(then.tm_min))"
    }

    /// `2026-11-20`.
    static func day(_ instant: Instant) -> String { date(parts(instant)) }

    /// The next moment at which the clock on the wall shows this.
    static func next(hour: Int, minute: Int, after now: Instant) -> Instant {
        let today = moment(of: now, hour: hour, minute: minute, addingDays: 0)
        return today > now ? today : moment(of: now, hour: hour, minute: minute, addingDays: 1)
    }

    /// Midnight at the start of a day, so many days from today.
    static func midnight(addingDays days: Int, to now: Instant) -> Instant {
        moment(of: now, hour: 0, minute: 0, addingDays: days)
    }

    /// Midnight at the start of a date; `nil` when there is no such date.
    static func midnight(year: Int, month: Int, day: Int) -> Instant? {
        guard (1970...9999).contains(year), (1...12).contains(month), (1...31).contains(day) else { return nil }
        var parts = tm()
        parts.tm_year = Int32(year - 1900)
        parts.tm_mon = Int32(month - 1)
        parts.tm_mday = Int32(day)
        parts.tm_isdst = -1
        let seconds = mktime(&parts)
        guard parts.tm_mday == Int32(day), seconds != -1 else { return nil }
        return Instant(milliseconds: 0).adding(seconds: Int64(seconds))
    }

    private static func moment(of now: Instant, hour: Int, minute: Int, addingDays days: Int) -> Instant {
        var day = parts(now)
        day.tm_mday += Int32(clamping: days)
        (day.tm_hour, day.tm_min, day.tm_sec) = (Int32(clamping: hour), Int32(clamping: minute), 0)
        day.tm_isdst = -1
        return Instant(milliseconds: 0).adding(seconds: Int64(mktime(&day)))
    }

    private static func parts(_ instant: Instant) -> tm {
        var seconds = time_t(
            instant.milliseconds >= 0 ? instant.milliseconds / 1000 : (instant.milliseconds - 999) / 1000)
        var parts = tm()
        localtime_r(&seconds, &parts)
        return parts
    }

    private static func date(_ parts: tm) -> String {
        phrase("time.date", ["year": parts.tm_year + 1900, "month": two(parts.tm_mon + 1), "day": two(parts.tm_mday)])
    }

    private static func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
