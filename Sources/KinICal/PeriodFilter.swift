internal import KinCalendar

/// Which months of a rule by months, or years of one by years, have any of its days. libical goes from month to month until one
/// has, or the year 20000 is over: that takes seconds and cannot be interrupted. So this is asked first, and libical only where
/// there is one.
///
/// A month is of one of 28 shapes, by its length and first weekday, and a year of one of 14: which of them have days is found
/// once for a rule.
struct PeriodFilter: Sendable, Hashable {
    /// What a rule says of its days.
    struct Days {
        var months: [Int] = []
        var monthDays: [Int] = []
        var yearDays: [Int] = []
        var weeks: [Int] = []
        /// Weekdays, 1 for Monday to 7 for Sunday, each with its place in the month or year, which is 0 for all.
        var weekdays: [(place: Int, weekday: Int)] = []
        var positions: [Int] = []
        /// The rule's WKST, 1 for Monday to 7 for Sunday.
        var weekStart = 1

        /// Whether it names any day, and not months alone.
        var nameDays: Bool { !monthDays.isEmpty || !yearDays.isEmpty || !weeks.isEmpty || !weekdays.isEmpty }
    }

    private let frequency: RecurrenceRule.Frequency
    private let interval: Int
    private let months: [Int]
    private let nameDays: Bool
    /// A bit for each shape.
    private let shapes: UInt32

    /// For a rule by weeks, months or years.
    init(_ frequency: RecurrenceRule.Frequency, interval: Int, _ days: Days) {
        self.frequency = frequency
        self.interval = interval
        months = days.months
        nameDays = days.nameDays
        var shapes: UInt32 = 0
        switch frequency {
        case .monthly:
            for length in 28...31 {
                for weekday in 1...7 where days.isMet(by: days.count(monthOf: length, from: weekday)) {
                    shapes |= 1 << Self.shape(length - 28, weekday)
                }
            }
        case .yearly:
            for leap in 0...1 {
                for weekday in 1...7 where days.isMet(by: days.count(yearOf: 365 + leap, from: weekday)) {
                    shapes |= 1 << Self.shape(leap, weekday)
                }
            }
        default: break
        }
        self.shapes = shapes
    }

    private static func shape(_ kind: Int, _ weekday: Int) -> Int { kind * 7 + weekday - 1 }

    /// Whether the rule may have an occurrence from one time to another, for a start.
    func mayMatch(from: Civil, to: Civil, start: Civil) -> Bool {
        switch frequency {
        case .weekly:
            guard !months.isEmpty else { return true }
            // A week may begin in the month before.
            return (number(ofMonth: from) - 1...number(ofMonth: to) + 1).contains { months.contains($0 % 12 + 1) }
        case .monthly:
            let first = number(ofMonth: start)
            return any(from: number(ofMonth: from), to: number(ofMonth: to), in: first) { number in
                guard months.isEmpty || months.contains(number % 12 + 1),
                    let day = Civil(year: number / 12, month: number % 12 + 1, day: 1)
                else { return false }
                let length = day.daysInMonth
                return nameDays ? has(length - 28, day.weekday) : start.day <= length
            }
        case .yearly:
            // Of its first and last week days may lie in the years beside.
            return any(from: from.year - 1, to: to.year + 1, in: start.year) { year in
                guard let day = Civil(year: year, month: 1, day: 1) else { return false }
                if nameDays { return has(Civil(year: year, month: 2, day: 29) == nil ? 0 : 1, day.weekday) }
                return (months.isEmpty ? [start.month] : months).contains { month in
                    Civil(year: year, month: month, day: start.day) != nil
                }
            }
        default: return true
        }
    }

    private func has(_ kind: Int, _ weekday: Int) -> Bool { shapes & 1 << Self.shape(kind, weekday) != 0 }

    private func number(ofMonth civil: Civil) -> Int { civil.year * 12 + civil.month - 1 }

    /// Whether one of the numbers between two that are in step with a first one is so.
    private func any(from: Int, to: Int, in first: Int, _ isSo: (Int) -> Bool) -> Bool {
        let begin = max(from, first)
        let late = (begin - first) % interval
        var number = late == 0 ? begin : begin + interval - late
        while number <= to {
            if isSo(number) { return true }
            number += interval
        }
        return false
    }
}

extension PeriodFilter.Days {
    /// Whether so many days are enough for one of the positions.
    fileprivate func isMet(by count: Int) -> Bool {
        count > 0 && (positions.isEmpty || positions.contains { abs($0) <= count })
    }

    fileprivate func count(monthOf length: Int, from weekday: Int) -> Int {
        (1...length).count { day in
            (monthDays.isEmpty || monthDays.contains(day) || monthDays.contains(day - length - 1))
                && isNamed((weekday + day - 2) % 7 + 1, place: day, of: length)
        }
    }

    private func isNamed(_ weekday: Int, place: Int, of length: Int) -> Bool {
        weekdays.isEmpty
            || weekdays.contains { named in
                named.weekday == weekday
                    && (named.place == 0 || named.place == (place - 1) / 7 + 1
                        || named.place == -((length - place) / 7 + 1))
            }
    }

    fileprivate func count(yearOf length: Int, from weekday: Int) -> Int {
        // The day, from 1, on which the first week begins that has four days in the year.
        let ahead = (weekday - weekStart + 7) % 7
        let firstWeek = 1 - ahead + (ahead > 3 ? 7 : 0)
        let nextAhead = (weekday + length - 1 - weekStart + 7) % 7
        let weeksOfYear = (length + 1 - nextAhead + (nextAhead > 3 ? 7 : 0) - firstWeek) / 7
        let days = weeks.isEmpty ? 1...length : firstWeek...firstWeek + weeksOfYear * 7 - 1
        return days.count { day in
            if !weeks.isEmpty {
                let week = (day - firstWeek) / 7 + 1
                guard weeks.contains(week) || weeks.contains(week - weeksOfYear - 1) else { return false }
            }
            guard yearDays.isEmpty || yearDays.contains(day) || yearDays.contains(day - length - 1) else {
                return false
            }
            let (month, dayOfMonth, monthLength) = place(of: day, in: length)
            guard months.isEmpty || months.contains(month) else { return false }
            guard
                monthDays.isEmpty || monthDays.contains(dayOfMonth)
                    || monthDays.contains(dayOfMonth - monthLength - 1)
            else { return false }
            let weekdayOfDay = (weekday + day - 2 + 14) % 7 + 1
            if !weeks.isEmpty { return weekdays.isEmpty || weekdays.contains { $0.weekday == weekdayOfDay } }
            return months.isEmpty
                ? isNamed(weekdayOfDay, place: day, of: length)
                : isNamed(weekdayOfDay, place: dayOfMonth, of: monthLength)
        }
    }

    /// The month, the day in it, and its length; of days in the years beside too.
    private func place(of day: Int, in length: Int) -> (month: Int, day: Int, length: Int) {
        if day < 1 { return (12, day + 31, 31) }
        if day > length { return (1, day - length, 31) }
        var rest = day
        for month in 1...12 {
            let most = month == 2 ? length - 337 : [4, 6, 9, 11].contains(month) ? 30 : 31
            if rest <= most { return (month, rest, most) }
            rest -= most
        }
        return (12, 31, 31)
    }
}
