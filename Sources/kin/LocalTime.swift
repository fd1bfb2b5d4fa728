import Glibc
import KinCalendar
import KinLoop
import KinModel

/// Moments as the people at this machine read their clocks.
enum LocalTime {
    /// The zone that times are said and read in; tests have their own.
    @TaskLocal static var zone = Zone.terminal

    /// Now.
    static var now: Instant {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Instant(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    /// What the clock on the wall shows at a moment.
    static func civil(_ instant: Instant) -> Civil {
        if let zone { return zone.civil(at: instant) }
        var seconds = time_t(
            instant.milliseconds >= 0 ? instant.milliseconds / 1000 : (instant.milliseconds - 999) / 1000)
        var parts = tm()
        localtime_r(&seconds, &parts)
        return Civil(
            year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday),
            hour: Int(parts.tm_hour), minute: Int(parts.tm_min), second: min(59, Int(parts.tm_sec))) ?? .epoch
    }

    /// The moment at which the clock shows this: the first of two, the one after the gap for what is skipped.
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
    static func short(_ instant: Instant, now: Instant = now) -> String {
        let (then, today) = (civil(instant), civil(now))
        return then.isSameDay(as: today) ? then.clock : "\(then.date) \(then.clock)"
    }

    /// `2026-11-20 18:04`.
    static func long(_ instant: Instant) -> String {
        let then = civil(instant)
        return "\(then.date) \(then.clock)"
    }

    /// `2026-11-20`.
    static func day(_ instant: Instant) -> String { civil(instant).date }

    /// `18:04` today, `Sun 18:04` within six days, `22 Nov 18:04` within the year, `22 Nov 2027 18:04` else.
    static func near(_ instant: Instant, now: Instant = now) -> String {
        let (then, today) = (civil(instant), civil(now))
        if then.isSameDay(as: today) { return then.clock }
        let days = instant.milliseconds(since: now) / 86_400_000
        return (-6...5).contains(days)
            ? "\(then.weekdayName) \(then.clock)" : "\(then.dayAndMonth(today)) \(then.clock)"
    }

    /// `Sun 22 Nov 17:00–19:00`, and `Fri 20 Nov 18:00 – Sun 22 Nov 12:00` over days; with the year when it is another.
    static func span(_ start: Instant, _ end: Instant, now: Instant = now) -> String {
        let (from, to, today) = (civil(start), civil(end), civil(now))
        func whole(_ civil: Civil) -> String { "\(civil.weekdayName) \(civil.dayAndMonth(today)) \(civil.clock)" }
        let isShort = from.isSameDay(as: to) || end.milliseconds(since: start) < 18 * 3_600_000
        return isShort ? "\(whole(from))–\(to.clock)" : "\(whole(from)) – \(whole(to))"
    }

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
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink("/etc/localtime", &buffer, buffer.count - 1)
        if count > 0 {
            let path = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
            if let lead = path.firstRange(of: "zoneinfo/") { return Zone(path[lead.upperBound...]) }
        }
        guard let bytes = try? Files.read("/etc/timezone", max: 4096) else {
            return access("/etc/localtime", F_OK) == 0 ? nil : Zone("UTC")
        }
        return Zone(String(decoding: bytes.prefix { $0 > 0x20 }, as: UTF8.self))
    }
}

extension Civil {
    static var epoch: Civil {
        guard let epoch = Civil(year: 1970, month: 1, day: 1) else { preconditionFailure("1970 began") }
        return epoch
    }

    func isSameDay(as other: Civil) -> Bool { (year, month, day) == (other.year, other.month, other.day) }

    /// `18:04`.
    var clock: String { "\(Self.two(hour)):\(Self.two(minute))" }
    /// `2026-11-20`.
    var date: String { phrase("time.date", ["year": year, "month": Self.two(month), "day": Self.two(day)]) }
    /// `Sun`.
    var weekdayName: String { phrase("weekday.\(weekday)") }
    /// `22 Nov`, with the year unless it is this one's.
    func dayAndMonth(_ today: Civil) -> String {
        let name = phrase("month.\(month)")
        return year == today.year
            ? phrase("time.day", ["day": day, "month": name])
            : phrase("time.day-of-year", ["day": day, "month": name, "year": year])
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
