import KinModel

/// A date and a time of day as a clock on some wall shows them, without saying where: `2026-11-22T18:00`.
public struct Civil: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// Milliseconds since 1970-01-01T00:00:00 on that wall, whatever its clock skipped or repeated.
    let milliseconds: Int64

    init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// A date of the Gregorian calendar, years 1 to 9999, and a time of day; `nil` when there is no such date or time.
    public init?(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
        guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
            day <= Instant.days(in: Int64(month), of: Int64(year)), (0..<24).contains(hour), (0..<60).contains(minute),
            (0..<60).contains(second)
        else { return nil }
        let days = Instant.daysSince1970(year: Int64(year), month: Int64(month), day: Int64(day))
        milliseconds = (days * 86_400 + Int64(hour * 3600 + minute * 60 + second)) * 1000
    }

    /// Reads `2026-11-22T18:00` or `2026-11-22T18:00:00`, a space or a lower-case letter in the place of `T`; `nil` for
    /// anything else, an offset included.
    public init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard bytes.count == 16 || bytes.count == 19 else { return nil }
        func number(_ range: Range<Int>) -> Int? {
            var value = 0
            for index in range {
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index]) else { return nil }
                value = value * 10 + Int(bytes[index] - UInt8(ascii: "0"))
            }
            return value
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
            let hour = number(11..<13), let minute = number(14..<16), bytes[4] == UInt8(ascii: "-"),
            bytes[7] == UInt8(ascii: "-"), bytes[10] | 0x20 == UInt8(ascii: "t") || bytes[10] == UInt8(ascii: " "),
            bytes[13] == UInt8(ascii: ":")
        else { return nil }
        var second = 0
        if bytes.count == 19 {
            guard bytes[16] == UInt8(ascii: ":"), let read = number(17..<19) else { return nil }
            second = read
        }
        self.init(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    }

    private var date: (year: Int64, month: Int64, day: Int64) {
        Instant.date(daysSince1970: milliseconds.flooredDivision(by: 86_400_000))
    }
    private var ofDay: Int64 { milliseconds - milliseconds.flooredDivision(by: 86_400_000) * 86_400_000 }

    /// The year.
    public var year: Int { Int(date.year) }
    /// The month, 1 to 12.
    public var month: Int { Int(date.month) }
    /// The day of the month, from 1.
    public var day: Int { Int(date.day) }
    /// The hour, 0 to 23.
    public var hour: Int { Int(ofDay / 3_600_000) }
    /// The minute, 0 to 59.
    public var minute: Int { Int(ofDay / 60_000 % 60) }
    /// The second, 0 to 59.
    public var second: Int { Int(ofDay / 1000 % 60) }
    /// The day of the week, 1 for Monday to 7 for Sunday (ISO 8601).
    public var weekday: Int {
        // 1970-01-01 was a Thursday.
        let days = milliseconds.flooredDivision(by: 86_400_000) + 3
        return Int(days - days.flooredDivision(by: 7) * 7) + 1
    }

    /// This many days later on the calendar, at the same time of day; stays within what a ``KinModel/Instant`` holds.
    public func adding(days: Int) -> Civil {
        Civil(milliseconds: Instant(milliseconds: milliseconds).adding(days: Int64(clamping: days)).milliseconds)
    }

    /// This many seconds later on the wall; stays within what a ``KinModel/Instant`` holds.
    public func adding(seconds: Int) -> Civil {
        Civil(milliseconds: Instant(milliseconds: milliseconds).adding(seconds: Int64(clamping: seconds)).milliseconds)
    }

    /// Seconds from another to this, on the wall.
    public func seconds(since other: Civil) -> Int { Int((milliseconds - other.milliseconds) / 1000) }

    /// Whole days of the calendar from another's day to this one's.
    public func days(since other: Civil) -> Int {
        Int(milliseconds.flooredDivision(by: 86_400_000) - other.milliseconds.flooredDivision(by: 86_400_000))
    }

    /// Midnight of the same day.
    public var startOfDay: Civil { Civil(milliseconds: milliseconds - ofDay) }

    /// The days of its month, 28 to 31.
    public var daysInMonth: Int {
        let date = date
        return Int(Instant.days(in: date.month, of: date.year))
    }

    /// `2026-11-22T18:00`, with seconds where there are any.
    public var description: String {
        let text = Instant(milliseconds: milliseconds).description
        return String(text.prefix(second == 0 ? 16 : 19))
    }

    /// By what the wall shows.
    public static func < (left: Self, right: Self) -> Bool { left.milliseconds < right.milliseconds }
}

extension Int64 {
    /// The quotient rounded down, not towards 0.
    func flooredDivision(by divisor: Int64) -> Int64 { self >= 0 ? self / divisor : (self - divisor + 1) / divisor }
}
