import KinModel
import KinWords

/// Reads and writes times in people's words.
enum Words {
    /// `just now`, `3 min ago`, `2 h ago`, `5 days ago`; what lies ahead is `in 3 min`.
    static func age(_ instant: Instant, now: Instant) -> String {
        Reader.here.age(instant, now: now)
    }

    /// `40 s`, `3 min`, `2 h`, `5 days`.
    static func span(seconds: Int64) -> String { Reader.here.span(seconds: seconds) }

    /// Reads `90s`, `10m`, `2h`, `7d`, `2w`, or several together (`1h30m`), in seconds; at most ten years.
    static func seconds(_ text: String) -> Int64? {
        var total: Int64 = 0
        var number: Int64?
        for character in text {
            if let digit = character.wholeNumberValue, character.isASCII {
                let (product, overflow) = (number ?? 0).multipliedReportingOverflow(by: 10)
                guard !overflow, product < 1_000_000_000 else { return nil }
                number = product + Int64(digit)
                continue
            }
            guard let count = number else { return nil }
            let unit: Int64
            switch character {
            case "s": unit = 1
            case "m": unit = 60
            case "h": unit = 3600
            case "d": unit = 86_400
            case "w": unit = 604_800
            default: return nil
            }
            let (product, overflow) = count.multipliedReportingOverflow(by: unit)
            guard !overflow, product <= 316_000_000 else { return nil }
            total += product
            number = nil
        }
        return number == nil && total > 0 && total <= 316_000_000 ? total : nil
    }

    /// A moment ahead: a span from now (`2h`), the next `18:00`, a date, RFC 3339, or people's words (``TypedTime``).
    static func ahead(_ text: String, now: Instant) -> Instant? {
        if let seconds = seconds(text) { return now.adding(seconds: seconds) }
        if let (hour, minute) = clock(text) { return LocalTime.next(hour: hour, minute: minute, after: now) }
        if ["tomorrow", "morgen"].contains(text) { return LocalTime.midnight(addingDays: 1, to: now) }
        if let instant = Instant(text) ?? date(text) { return instant }
        return LocalTime.zone.flatMap { try? TypedTime.moment(text, now: now, zone: $0) }
    }

    /// A moment in the past: a span back from now, `today`, `yesterday`, the last `18:00`, a date, RFC 3339, or
    /// people's words (``TypedTime``).
    static func behind(_ text: String, now: Instant) -> Instant? {
        if let seconds = seconds(text) { return now.adding(seconds: -seconds) }
        if let (hour, minute) = clock(text) {
            return LocalTime.next(hour: hour, minute: minute, after: now.adding(days: -1))
        }
        switch text {
        case "today", "heute": return LocalTime.midnight(addingDays: 0, to: now)
        case "yesterday", "gestern": return LocalTime.midnight(addingDays: -1, to: now)
        default:
            if let instant = Instant(text) ?? date(text) { return instant }
            return LocalTime.zone.flatMap { TypedTime.past(text, now: now, zone: $0) }
        }
    }

    /// `18:00`.
    private static func clock(_ text: String) -> (Int, Int)? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, (1...2).contains(parts[0].count), parts[1].count == 2, let hour = Int(parts[0]),
            let minute = Int(parts[1]), (0..<24).contains(hour), (0..<60).contains(minute)
        else { return nil }
        return (hour, minute)
    }

    /// The beginning of a day such as `2026-11-20`.
    private static func date(_ text: String) -> Instant? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].count == 4, parts[1].count == 2, parts[2].count == 2, let year = Int(parts[0]),
            let month = Int(parts[1]), let day = Int(parts[2])
        else { return nil }
        return LocalTime.midnight(year: year, month: month, day: day)
    }
}

extension Words {
    /// `812 bytes`, `294 KiB`, `85 GiB`: whole numbers up to three or four digits.
    static func bytes(_ count: Int64) -> String {
        guard count >= 1024 else { return phrase("size.bytes", ["n": max(0, count)]) }
        var rest = count
        for unit in ["KiB", "MiB", "GiB"] {
            rest >>= 10
            if rest < 1024 { return "\(rest) \(unit)" }
        }
        return "\(rest >> 10) TiB"
    }
}
