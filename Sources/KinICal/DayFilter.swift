internal import KinCalendar

/// What a rule by days (FREQ=DAILY) asks of a day. libical goes from day to day until one matches or the year 2582 is
/// over, which takes half a second and cannot be interrupted; so the next day is found here first, and libical is asked
/// only where there is one.
struct DayFilter: Sendable, Hashable {
    let interval: Int
    let months: [Int]
    let monthDays: [Int]
    let weekdays: [Int]

    private var asksNothing: Bool { months.isEmpty && monthDays.isEmpty && weekdays.isEmpty }

    /// The first day from a day to another that is in step with a start and is what the rule asks; `nil` where there is
    /// none.
    func next(from: Civil, to: Civil, start: Civil) -> Civil? {
        var day = max(from, start).startOfDay
        let since = day.days(since: start)
        let late = since % interval
        if late != 0 { day = day.adding(days: interval - late) }
        while day <= to {
            if asksNothing || matches(day) { return day }
            day = day.adding(days: interval)
        }
        return nil
    }

    /// Whether a day is what the rule asks.
    func matches(_ day: Civil) -> Bool {
        if !weekdays.isEmpty, !weekdays.contains(day.weekday) { return false }
        if months.isEmpty, monthDays.isEmpty { return true }
        if !months.isEmpty, !months.contains(day.month) { return false }
        guard !monthDays.isEmpty else { return true }
        return monthDays.contains(day.day) || monthDays.contains(day.day - day.daysInMonth - 1)
    }
}
