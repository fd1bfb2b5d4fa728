import Glibc
import KinCalendar
import KinLoop
import KinModel
import KinWords

/// Moments in local time, as people at this machine read them.
enum LocalTime {
    /// The zone in which times are read and shown; tests set their own.
    @TaskLocal static var zone = Zone.terminal

    /// The order of day and month in a date such as `12/25`; tests set their own.
    @TaskLocal static var dateOrder = DateOrder.here()

    /// Now.
    static var now: Instant {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Instant(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    /// The local civil time at a moment.
    static func civil(_ instant: Instant) -> Civil { civil(instant, in: zone) }

    /// The civil time at a moment in a zone. If the zone has no name, the C library calculates it.
    static func civil(_ instant: Instant, in zone: Zone?) -> Civil {
        if let zone { return zone.civil(at: instant) }
        var seconds = time_t(
            instant.milliseconds >= 0 ? instant.milliseconds / 1000 : (instant.milliseconds - 999) / 1000)
        var parts = tm()
        localtime_r(&seconds, &parts)
        return Civil(
            year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday),
            hour: Int(parts.tm_hour), minute: Int(parts.tm_min), second: min(59, Int(parts.tm_sec))) ?? .epoch
    }

    /// The moment at which the local clock shows this time. If there are two, it is the first. If the clock skips the
    /// time, it is the moment after the gap.
    static func instant(_ civil: Civil) -> Instant {
        if let zone {
            switch zone.instant(of: civil) {
            case .one(let instant), .repeated(let instant, _), .skipped(_, let instant): return instant
            }
        }
        var parts = tm()
        parts.tm_year = Int32(civil.year - 1900)
        (parts.tm_mon, parts.tm_mday) = (Int32(civil.month - 1), Int32(civil.day))
        (parts.tm_hour, parts.tm_min, parts.tm_sec) = (Int32(civil.hour), Int32(civil.minute), Int32(civil.second))
        parts.tm_isdst = -1
        return Instant(milliseconds: 0).adding(seconds: Int64(mktime(&parts)))
    }

    /// `18:04` today, `2026-11-20 18:04` on other days.
    static func short(_ instant: Instant, now: Instant = now) -> String { Reader.here.short(instant, now: now) }

    /// `2026-11-20 18:04`.
    static func long(_ instant: Instant) -> String { Reader.here.long(instant) }

    /// `2026-11-20`.
    static func day(_ instant: Instant) -> String { Reader.here.date(civil(instant)) }

    /// `2026-11-20`, for a day that is the same everywhere: its midnight in universal time.
    static func wholeDay(_ instant: Instant) -> String { Reader.here.date(Zone.utc.civil(at: instant)) }

    /// `18:04` today, `Sun 18:04` within six days, `22 Nov 18:04` within the year, `22 Nov 2027 18:04` else.
    static func near(_ instant: Instant, now: Instant = now) -> String { Reader.here.near(instant, now: now) }

    /// `Sun 22 Nov 17:00–19:00`, and `Fri 20 Nov 18:00 – Sun 22 Nov 12:00` over days; with the year when it is another.
    static func span(_ start: Instant, _ end: Instant, now: Instant = now) -> String {
        Reader.here.range(start, end, now: now)
    }

    /// The next moment at which the local clock shows this time.
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
        guard (1970...9999).contains(year) else { return nil }
        return Civil(year: year, month: month, day: day).map { instant($0) }
    }

    private static func moment(of now: Instant, hour: Int, minute: Int, addingDays days: Int) -> Instant {
        let day = civil(now).adding(days: days)
        return Civil(year: day.year, month: day.month, day: day.day, hour: hour, minute: minute).map { instant($0) }
            ?? now
    }
}

extension Zone {
    /// The zone of the terminal: `TZ`, else the machine's. `nil` when that has no name in the IANA database; then the C
    /// library knows how to read it.
    static var terminal: Zone? {
        if let name = Machine.environment("TZ") {
            let bare = name.hasPrefix(":") ? String(name.dropFirst()) : name
            return bare.isEmpty ? Zone("UTC") : Zone(bare)
        }
        return system
    }
}

extension Civil {
    static var epoch: Civil {
        guard let epoch = Civil(year: 1970, month: 1, day: 1) else { preconditionFailure("1970 began") }
        return epoch
    }

    /// `18:04`.
    var clock: String { Reader.here.time(self) }
    /// `2026-11-20` in every language, which is the form for the daemon. The form for people is `Reader.here.date`.
    var isoDay: String { String(description.prefix(10)) }
    /// `Sun`.
    var weekdayName: String { Reader.here.weekday(self) }
    /// `22 Nov`; in another year with the year.
    func dayAndMonth(_ today: Civil) -> String { Reader.here.day(self, today: today) }
}

extension JSON {
    /// A day in the form for the daemon, whatever language people read.
    static func day(_ civil: Civil) -> JSON { .string(civil.isoDay) }
}
