internal import CICal
internal import KinCalendar
import KinModel

/// A recurrence rule (RFC 5545, 3.3.10), read and written by libical.
public struct RecurrenceRule: Sendable, Hashable, CustomStringConvertible {
    /// How often the rule counts on.
    public enum Frequency: Int, Sendable, Comparable {
        case secondly, minutely, hourly, daily, weekly, monthly, yearly

        /// The one that counts faster is less.
        public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// The rule as libical writes it, such as `FREQ=WEEKLY;COUNT=10`.
    public let description: String
    /// The rule's FREQ.
    public let frequency: Frequency
    /// The rule's INTERVAL.
    public let interval: Int
    /// The rule's COUNT.
    public let count: Int?
    /// The rule's UNTIL.
    public let until: ICalTime?
    /// Whether its occurrences are found. Rules that go by hours, minutes or seconds are kept and not expanded, as are those
    /// of another calendar than the Gregorian (RFC 7529), and those of more than ``KinModel/Limits/ruleTimesPerDayMax``
    /// times a day: one step of libical cannot be interrupted, and takes ten seconds where such a rule hardly ever matches.
    public let isExpanded: Bool
    /// Whether a start in the middle of the rule cannot be jumped to: with a COUNT, and with BYWEEKNO, where libical 3.0.16
    /// jumps to the wrong day.
    let isCounted: Bool
    /// What a rule by days asks of each.
    let days: DayFilter
    /// Which of its months or years have any of its days, where there may be none.
    let periods: PeriodFilter?
    /// At how many times of a day it repeats.
    let timesPerDay: Int
    /// What of it libical leaves undone.
    let mending: Mending?

    /// Reads a rule; `nil` for one that breaks the grammar, or has both COUNT and UNTIL.
    public init?(_ text: some StringProtocol) {
        let text = String(text).uppercased()
        guard text.utf8.count <= Limits.ruleBytesMax, !text.utf8.contains(0) else { return nil }
        let names = text.split(separator: ";").map { $0.prefix { $0 != "=" } }
        guard Set(names).count == names.count, !(names.contains("COUNT") && names.contains("UNTIL")) else { return nil }
        var rule = unsafe Library.use { unsafe icalrecurrencetype_from_string(text) }
        guard unsafe rule.freq.rawValue <= ICAL_YEARLY_RECURRENCE.rawValue,
            let frequency = unsafe Frequency(rawValue: Int(rule.freq.rawValue)), unsafe rule.interval >= 1,
            let written = Library.use({ unsafe Library.text(icalrecurrencetype_as_string_r(&rule)) })
        else { return nil }
        if names.contains("COUNT") {
            guard unsafe rule.count >= 1 else { return nil }
        }
        description = written
        self.frequency = frequency
        interval = unsafe Int(rule.interval)
        count = unsafe rule.count > 0 ? Int(rule.count) : nil
        until = unsafe icaltime_is_null_time(rule.until) == 1 ? nil : ICalTime(rule.until)
        if names.contains("UNTIL") {
            guard until != nil else { return nil }
        }
        let lists = unsafe Lists(&rule)
        // libical has room for a 13th month, which other calendars have.
        guard names.contains("RSCALE") || lists.months.allSatisfy({ (1...12).contains($0) }) else { return nil }
        let times = max(1, lists.hours.count) * max(1, lists.minutes.count) * max(1, lists.seconds.count)
        // Of the times of a day there are as many as positions among them.
        let hasPosition =
            frequency != .daily || lists.positions.isEmpty || lists.positions.contains { abs($0) <= times }
        isExpanded =
            frequency >= .daily && times <= Limits.ruleTimesPerDayMax && !names.contains("RSCALE") && hasPosition
        isCounted = count != nil || !lists.weeks.isEmpty
        timesPerDay = times
        days = DayFilter(interval: interval, months: lists.months, monthDays: lists.monthDays, weekdays: lists.weekdays)
        let weekStart = unsafe Lists.weekday(Int(rule.week_start.rawValue))
        let asked = PeriodFilter.Days(
            months: lists.months, monthDays: lists.monthDays, yearDays: lists.yearDays, weeks: lists.weeks,
            weekdays: lists.places, positions: lists.positions, weekStart: weekStart)
        periods =
            frequency > .daily && (asked.nameDays || !asked.months.isEmpty)
            ? PeriodFilter(frequency, interval: interval, asked) : nil
        switch frequency {
        case .daily where lists.monthDays.contains(where: { $0 < 0 }): mending = .days
        case .weekly where !lists.positions.isEmpty || interval > 1 && weekStart != 1:
            mending = .weeks(
                Week(
                    interval: interval, positions: lists.positions, weekStart: weekStart,
                    hasDays: !lists.weekdays.isEmpty))
        case .yearly where !lists.monthDays.isEmpty && lists.months.isEmpty && lists.weeks.isEmpty: mending = .months
        case .yearly where !lists.weeks.isEmpty: mending = .yearWeeks
        default: mending = nil
        }
    }

    /// Whether libical finds something after an occurrence of a rule by days, and soon: within the time that was asked for, or
    /// where more may come on the same day, within 40 years.
    func mayGoOn(after occurrence: Civil, to last: Civil, start: Civil) -> Bool {
        let horizon = timesPerDay == 1 ? last : max(last, occurrence).adding(days: 40 * 366)
        return days.next(from: occurrence.startOfDay.adding(days: 1), to: horizon, start: start) != nil
    }

    /// The rule without its end, and with another.
    public func ending(at until: ICalTime) -> RecurrenceRule? {
        let kept = description.split(separator: ";").filter { !$0.hasPrefix("COUNT=") && !$0.hasPrefix("UNTIL=") }
        return RecurrenceRule((kept.map(String.init) + ["UNTIL=\(until)"]).joined(separator: ";"))
    }

    /// The rule with another COUNT, and without UNTIL.
    public func counting(_ count: Int?) -> RecurrenceRule? {
        let kept = description.split(separator: ";").filter { !$0.hasPrefix("COUNT=") && !$0.hasPrefix("UNTIL=") }
        return RecurrenceRule((kept.map(String.init) + (count.map { ["COUNT=\($0)"] } ?? [])).joined(separator: ";"))
    }

    /// Every month on a day, and on the month's last where it has no such day: 29 to 31.
    public static func monthly(clampedTo day: Int, interval: Int = 1) -> RecurrenceRule? {
        guard (29...31).contains(day) else { return nil }
        let days = (28...day).map(String.init).joined(separator: ",")
        return RecurrenceRule("FREQ=MONTHLY;INTERVAL=\(interval);BYMONTHDAY=\(days);BYSETPOS=-1")
    }

    /// The rule with its times of a day in order: libical finds them in the order in which they stand there.
    private var ordered: String {
        guard timesPerDay > 1 else { return description }
        let parts = description.split(separator: ";").map { part in
            guard ["BYHOUR=", "BYMINUTE=", "BYSECOND="].contains(where: { part.hasPrefix($0) }) else {
                return String(part)
            }
            let name = part.prefix { $0 != "=" }
            let times = part.dropFirst(name.count + 1).split(separator: ",").compactMap { Int($0) }.sorted()
            return "\(name)=" + times.map(String.init).joined(separator: ",")
        }
        return parts.joined(separator: ";")
    }

    /// Runs something on the rule as libical has it.
    func withRule<T>(_ body: (UnsafePointer<icalrecurrencetype>) -> T) -> T {
        let text = ordered
        return Library.use {
            var rule = unsafe icalrecurrencetype_from_string(text)
            return unsafe withUnsafePointer(to: &rule) { unsafe body($0) }
        }
    }

    /// The lists of a rule that are looked at here.
    private struct Lists {
        let seconds: [Int]
        let minutes: [Int]
        let hours: [Int]
        let months: [Int]
        let monthDays: [Int]
        let yearDays: [Int]
        let weeks: [Int]
        let positions: [Int]
        /// Weekdays, 1 for Monday to 7 for Sunday, and their places in the month or year.
        let places: [(place: Int, weekday: Int)]
        var weekdays: [Int] { places.map(\.weekday) }

        init(_ rule: UnsafePointer<icalrecurrencetype>) {
            func list(_ first: UnsafePointer<Int16>?, _ size: Int32) -> [Int] {
                guard let first = unsafe first else { return [] }
                let all = unsafe UnsafeBufferPointer(start: first, count: Int(size))
                return unsafe all.prefix { $0 != ICAL_RECURRENCE_ARRAY_MAX.rawValue }.map { Int($0) }
            }
            seconds = unsafe list(kin_ical_by_second(rule), ICAL_BY_SECOND_SIZE)
            minutes = unsafe list(kin_ical_by_minute(rule), ICAL_BY_MINUTE_SIZE)
            hours = unsafe list(kin_ical_by_hour(rule), ICAL_BY_HOUR_SIZE)
            months = unsafe list(kin_ical_by_month(rule), ICAL_BY_MONTH_SIZE)
            monthDays = unsafe list(kin_ical_by_month_day(rule), ICAL_BY_MONTHDAY_SIZE)
            yearDays = unsafe list(kin_ical_by_year_day(rule), ICAL_BY_YEARDAY_SIZE)
            weeks = unsafe list(kin_ical_by_week_no(rule), ICAL_BY_WEEKNO_SIZE)
            positions = unsafe list(kin_ical_by_set_pos(rule), ICAL_BY_YEARDAY_SIZE)
            places = unsafe list(kin_ical_by_day(rule), 7 * 55 + 1).map { day in
                (
                    Int(icalrecurrencetype_day_position(Int16(day))),
                    Self.weekday(Int(icalrecurrencetype_day_day_of_week(Int16(day)).rawValue))
                )
            }
        }

        /// 1 for Monday to 7 for Sunday; libical's week begins with Sunday, 1, and 0 is none said: Monday.
        static func weekday(_ number: Int) -> Int { number == 0 ? 1 : number == 1 ? 7 : number - 1 }
    }
}
