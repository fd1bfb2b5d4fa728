/// A moment in UTC with millisecond precision, from the year 0001 to 9999: RFC 3339 on the wire, an integer in the
/// database.
public struct Instant: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// Milliseconds since 1970-01-01T00:00:00Z; negative before.
    public let milliseconds: Int64

    /// The earliest and latest moments that can be written with a four-digit year.
    public static let earliest = Instant(unchecked: -62_135_596_800_000)
    /// See ``earliest``.
    public static let latest = Instant(unchecked: 253_402_300_799_999)

    private init(unchecked: Int64) { milliseconds = unchecked }

    /// A moment; clamped to ``earliest`` and ``latest``.
    public init(milliseconds: Int64) {
        self.milliseconds = min(max(milliseconds, Self.earliest.milliseconds), Self.latest.milliseconds)
    }

    /// Reads RFC 3339 §5.6 (`T` and `Z` in either case, any offset, any number of fraction digits; digits past the
    /// third are dropped, a leap second counts as the last millisecond before it). `nil` for anything else.
    public init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, bytes.count <= 64 else { return nil }
        func number(_ range: Range<Int>) -> Int64? {
            var value: Int64 = 0
            for index in range {
                guard bytes[index] >= UInt8(ascii: "0"), bytes[index] <= UInt8(ascii: "9") else { return nil }
                value = value * 10 + Int64(bytes[index] - UInt8(ascii: "0"))
            }
            return value
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
            let hour = number(11..<13), let minute = number(14..<16), var second = number(17..<19),
            bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"), bytes[10] | 0x20 == UInt8(ascii: "t"),
            bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
            year >= 1, (1...12).contains(month), day >= 1, day <= Self.days(in: month, of: year),
            hour < 24, minute < 60, second <= 60
        else { return nil }
        var fraction: Int64 = 0
        if second == 60 { (second, fraction) = (59, 999) }
        var index = 19
        if bytes[index] == UInt8(ascii: ".") {
            index += 1
            var scale: Int64 = 100
            let start = index
            var read: Int64 = 0
            while index < bytes.count, let digit = number(index..<(index + 1)) {
                read += digit * scale
                scale /= 10
                index += 1
            }
            guard index > start else { return nil }
            if fraction == 0 { fraction = read }
        }
        guard index < bytes.count else { return nil }
        var offset: Int64 = 0
        if bytes[index] | 0x20 == UInt8(ascii: "z") {
            guard index + 1 == bytes.count else { return nil }
        } else {
            guard bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-"), index + 6 == bytes.count,
                bytes[index + 3] == UInt8(ascii: ":"), let hours = number((index + 1)..<(index + 3)),
                let minutes = number((index + 4)..<(index + 6)), hours < 24, minutes < 60
            else { return nil }
            offset = (hours * 60 + minutes) * (bytes[index] == UInt8(ascii: "-") ? -60_000 : 60_000)
        }
        let seconds =
            Self.daysSince1970(year: year, month: month, day: day) * 86400 + hour * 3600 + minute * 60 + second
        let milliseconds = seconds * 1000 + fraction - offset
        // An offset can lead out of the years that can be written.
        guard milliseconds >= Self.earliest.milliseconds, milliseconds <= Self.latest.milliseconds else { return nil }
        self.init(milliseconds: milliseconds)
    }

    /// RFC 3339 in UTC with three fraction digits: `2026-11-20T18:04:05.123Z`.
    public var description: String {
        let dayMilliseconds: Int64 = 86_400_000
        var days = milliseconds / dayMilliseconds
        var rest = milliseconds % dayMilliseconds
        if rest < 0 {
            rest += dayMilliseconds
            days -= 1
        }
        let (year, month, day) = Self.date(daysSince1970: days)
        // Every event carries one of these: digits are put down as bytes, without a string for each number.
        var text = InlineArray<24, UInt8>(repeating: 0)
        var index = 0
        func put(_ value: Int64, digits: Int, then mark: UInt8) {
            var rest = value
            for place in (index..<index + digits).reversed() {
                text[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            }
            text[index + digits] = mark
            index += digits + 1
        }
        put(year, digits: 4, then: UInt8(ascii: "-"))
        put(month, digits: 2, then: UInt8(ascii: "-"))
        put(day, digits: 2, then: UInt8(ascii: "T"))
        put(rest / 3_600_000, digits: 2, then: UInt8(ascii: ":"))
        put(rest / 60_000 % 60, digits: 2, then: UInt8(ascii: ":"))
        put(rest / 1000 % 60, digits: 2, then: UInt8(ascii: "."))
        put(rest % 1000, digits: 3, then: UInt8(ascii: "Z"))
        // Digits and marks are ASCII.
        return unsafe String(copying: UTF8Span(unchecked: text.span, isKnownASCII: true))
    }

    /// Earlier or later.
    public static func < (left: Self, right: Self) -> Bool { left.milliseconds < right.milliseconds }

    /// The moment this much later; stays within ``earliest`` and ``latest``.
    public func adding(milliseconds delta: Int64) -> Instant {
        let (sum, overflow) = milliseconds.addingReportingOverflow(delta)
        return overflow ? (delta < 0 ? .earliest : .latest) : Instant(milliseconds: sum)
    }
    /// The moment this many seconds later.
    public func adding(seconds: Int64) -> Instant {
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        return overflow ? (seconds < 0 ? .earliest : .latest) : adding(milliseconds: product)
    }
    /// The moment this many days of 24 hours later.
    public func adding(days: Int64) -> Instant {
        let (product, overflow) = days.multipliedReportingOverflow(by: 86400)
        return overflow ? (days < 0 ? .earliest : .latest) : adding(seconds: product)
    }
    /// Milliseconds from another moment to this one.
    public func milliseconds(since other: Instant) -> Int64 { milliseconds - other.milliseconds }

    package static func days(in month: Int64, of year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days of the proleptic Gregorian calendar, counted in eras of 400 years that begin on 1 March.
    package static func daysSince1970(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    package static func date(daysSince1970 days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let index = (5 * dayOfYear + 2) / 153
        let month = index < 10 ? index + 3 : index - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * index + 2) / 5 + 1)
    }
}

extension JSON {
    /// A moment as RFC 3339 text.
    public static func time(_ instant: Instant) -> JSON { .string(instant.description) }
    /// The moment if this is a string that holds one.
    public var instant: Instant? { string.flatMap { Instant($0) } }
}
