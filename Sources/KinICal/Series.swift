internal import CICal
public import KinCalendar
internal import KinModel

/// When something repeats: its start, the rules, the dates beside them and those left out (RFC 5545, 3.8.5), all as clocks
/// on the wall show them. libical expands the rules in floating time; where that is on the earth's clock is a matter of
/// ``KinCalendar/Zone``, for libical's own zones are wrong after 2037.
public struct Series: Sendable, Hashable {
    /// When it is first: always an occurrence, unless it is left out.
    public var start: Civil
    /// Whether it is of whole days.
    public var isAllDay: Bool
    /// The rules (RRULE); RFC 5545 has one.
    public var rules: [RecurrenceRule]
    /// Dates beside the rules (RDATE).
    public var dates: [Civil]
    /// Dates left out (EXDATE).
    public var exceptions: Set<Civil>
    /// The zone in which a UNTIL in UTC is read; `nil`: as it stands there.
    public var zone: Zone?

    /// A series.
    public init(
        start: Civil, isAllDay: Bool = false, rules: [RecurrenceRule] = [], dates: [Civil] = [],
        exceptions: Set<Civil> = [], zone: Zone? = nil
    ) {
        self.start = start
        self.isAllDay = isAllDay
        self.rules = rules
        self.dates = dates
        self.exceptions = exceptions
        self.zone = zone
    }

    /// What was found.
    public struct Found: Sendable, Hashable {
        /// When it is, ascending.
        public var all: [Civil]
        /// Whether there are more than were asked for, or than may be looked through (``KinModel/Limits/seriesStepsMax``).
        public var isCut: Bool
    }

    /// Occurrences that begin from one time until before another, the first ones where there are more than `max`.
    public func occurrences(from: Civil, to: Civil, max most: Int) -> Found {
        guard most > 0, from < to else { return Found(all: [], isCut: false) }
        if rules.isEmpty, dates.isEmpty {
            let isOn = from <= start && start < to && !exceptions.contains(start)
            return Found(all: isOn ? [start] : [], isCut: false)
        }
        var found = Set(([start] + dates.prefix(Limits.seriesDatesMax)).filter { from <= $0 && $0 < to })
        var isCut = false
        for rule in rules where rule.isExpanded {
            // What is left out is not counted among them.
            let more = expand(rule, from: from, to: to, max: most + exceptions.count)
            found.formUnion(more.all)
            isCut = isCut || more.isCut
        }
        found.subtract(exceptions)
        let all = found.sorted()
        return Found(all: Array(all.prefix(most)), isCut: isCut || all.count > most)
    }

    /// Whether it is then.
    public func contains(_ occurrence: Civil) -> Bool {
        occurrences(from: occurrence, to: occurrence.adding(seconds: 1), max: 1).all.first == occurrence
    }

    /// The first occurrence from a time on, within a number of years; `nil` where there is none.
    public func first(from: Civil, years: Int = 40) -> Civil? {
        let first = Swift.max(from, dates.min().map { Swift.min($0, start) } ?? start)
        return occurrences(from: first, to: first.adding(days: years * 366), max: 1).all.first
    }

    /// Before when all of it has begun; `nil` where it goes on without end, or nobody looked so far.
    public var end: Civil? {
        var last = ([start] + dates).max() ?? start
        for rule in rules where rule.isExpanded {
            if let until = rule.until {
                last = Swift.max(last, local(until))
            } else if rule.count != nil {
                let found = expand(
                    rule, from: start, to: start.adding(days: 400_000), max: Limits.seriesStepsMax)
                guard !found.isCut else { return nil }
                last = Swift.max(last, found.all.last ?? last)
            } else {
                return nil
            }
        }
        return last
    }

    /// Whether one of the rules ever repeats, within 40 years of the start: 29 February on a Monday comes every 28, or every
    /// 40 around 2100.
    public var repeatsEver: Bool {
        rules.contains { rule in
            rule.isExpanded
                && expand(rule, from: start.adding(seconds: 1), to: start.adding(days: 40 * 366), max: 1).all.first
                    != nil
        }
    }

    /// The same if nothing ended them: programs write what is once with COUNT=1, or with a UNTIL before the second time.
    public var mayRepeat: Bool {
        var endless = self
        endless.rules = rules.map { $0.counting(nil) ?? $0 }
        return endless.repeatsEver
    }

    /// What the clock on the series' wall shows at a UNTIL.
    private func local(_ until: ICalTime) -> Civil {
        if until.isDate { return isAllDay ? until.civil : until.civil.adding(seconds: 86_399) }
        if isAllDay { return (until.isUTC ? zone : nil).map { $0.civil(at: until.instant).startOfDay } ?? until.civil }
        guard until.isUTC, let zone else { return until.civil }
        return zone.civil(at: until.instant)
    }

    private func expand(_ rule: RecurrenceRule, from: Civil, to: Civil, max most: Int) -> Found {
        let last = rule.until.map { Swift.min(local($0), to.adding(seconds: -1)) } ?? to.adding(seconds: -1)
        guard start <= last, from <= last else { return Found(all: [], isCut: false) }
        if let periods = rule.periods, !periods.mayMatch(from: Swift.max(from, start), to: last, start: start) {
            return Found(all: [], isCut: false)
        }
        let isDaily = rule.frequency == .daily
        // A day in step, where libical would look for it without end.
        let first = isDaily ? rule.days.next(from: rule.isCounted ? start : from, to: last, start: start) : from
        guard let first else { return Found(all: [], isCut: false) }
        // From the day's beginning: in the middle of one libical leaves out a time, or takes one that is none.
        let day = Swift.max(from, first).startOfDay
        let jump = !rule.isCounted && day > start ? day : nil
        switch rule.mending {
        case .days: return expandDays(of: rule, from: from, to: last, jump: jump, max: most)
        case .weeks(let week): return expand(week, of: rule, from: from, to: last, max: most)
        case .yearWeeks: return expandYearWeeks(of: rule, from: from, to: last, max: most)
        case .months, nil: break
        }
        var found = Found(all: [], isCut: false)
        found.isCut = each(of: rule, from: start, jump: jump) { one in
            guard one <= last else { return .end }
            if one >= from {
                guard found.all.count < most else { return .cut }
                found.all.append(one)
            }
            return isDaily && !rule.mayGoOn(after: one, to: last, start: start) ? .end : .more
        }
        return found
    }

    /// What to do after an occurrence.
    private enum Step { case more, end, cut }

    /// Goes through what libical finds, from a jump on where there is one. Answers whether there is more than was looked
    /// through.
    private func each(of rule: RecurrenceRule, from begin: Civil, jump: Civil?, _ body: (Civil) -> Step) -> Bool {
        unsafe rule.withRule { pointer in
            var libicals = unsafe pointer.pointee
            // UNTIL is looked at here, in the zone of the series.
            unsafe libicals.until = icaltime_null_time()
            switch rule.mending {
            case .days: unsafe kin_ical_drop_days(&libicals)
            case .weeks: unsafe kin_ical_drop_positions(&libicals)
            case .months: unsafe kin_ical_all_months(&libicals)
            case .yearWeeks: unsafe kin_ical_drop_count(&libicals)
            case nil: break
            }
            let first = unsafe ICalTime(begin, isDate: isAllDay).floating
            guard let iterator = unsafe kin_ical_iterate(&libicals, first) else { return false }
            defer { unsafe icalrecur_iterator_free(iterator) }
            if let jump {
                let place = unsafe ICalTime(jump, isDate: isAllDay).floating
                guard unsafe icalrecur_iterator_set_start(iterator, place) == 1 else { return false }
            }
            for _ in 0..<Limits.seriesStepsMax {
                let next = unsafe icalrecur_iterator_next(iterator)
                guard unsafe icaltime_is_null_time(next) == 0, let time = unsafe ICalTime(next) else { return false }
                switch body(time.civil) {
                case .more: break
                case .end: return false
                case .cut: return true
                }
            }
            return true
        }
    }

    /// What is left of what libical finds, with the COUNT of a rule that libical does not count.
    private struct Sieve {
        let start: Civil
        let from: Civil
        let last: Civil
        let most: Int
        var left: Int
        var found = Found(all: [], isCut: false)

        mutating func take(_ one: Civil) -> Step {
            guard one >= start else { return .more }
            guard one <= last, left > 0 else { return .end }
            left -= 1
            if one >= from {
                guard found.all.count < most else { return .cut }
                found.all.append(one)
            }
            return left > 0 ? .more : .end
        }
    }

    private func expandDays(
        of rule: RecurrenceRule, from: Civil, to last: Civil, jump: Civil?, max most: Int
    ) -> Found {
        var sieve = Sieve(start: start, from: from, last: last, most: most, left: rule.count ?? .max)
        sieve.found.isCut = each(of: rule, from: start, jump: jump) { one in
            guard one <= last else { return .end }
            return rule.days.matches(one) ? sieve.take(one) : .more
        }
        return sieve.found
    }

    private func expandYearWeeks(of rule: RecurrenceRule, from: Civil, to last: Civil, max most: Int) -> Found {
        var sieve = Sieve(start: start, from: from, last: last, most: most, left: rule.count ?? .max)
        var firstYear: [Civil] = []
        func takeFirstYear() -> Step {
            defer { firstYear = [] }
            for one in firstYear {
                let step = sieve.take(one)
                if step != .more { return step }
            }
            return .more
        }
        let isCut = each(of: rule, from: start, jump: nil) { one in
            if one.year == start.year {
                firstYear.removeAll { $0 > one }
                firstYear.append(one)
                return .more
            }
            let step = takeFirstYear()
            return step == .more ? sieve.take(one) : step
        }
        sieve.found.isCut = isCut || takeFirstYear() == .cut
        return sieve.found
    }

    private func expand(
        _ week: RecurrenceRule.Week, of rule: RecurrenceRule, from: Civil, to last: Civil, max most: Int
    ) -> Found {
        var sieve = Sieve(start: start, from: from, last: last, most: most, left: rule.count ?? .max)
        var some: [Civil] = []
        func takeWeek() -> Step {
            defer { some = [] }
            guard let first = some.first, week.isMeant(first, from: start) else { return .more }
            for one in week.picked(of: some) {
                let step = sieve.take(one)
                if step != .more { return step }
            }
            return .more
        }
        let begin = week.begin(start, from: rule.count == nil ? from : nil)
        let isCut = each(of: rule, from: begin, jump: nil) { one in
            if let before = some.first, week.first(of: before) != week.first(of: one) {
                let step = takeWeek()
                guard step == .more else { return step }
            }
            guard week.first(of: one) <= last else { return .end }
            some.append(one)
            return .more
        }
        sieve.found.isCut = isCut || takeWeek() == .cut
        return sieve.found
    }
}
