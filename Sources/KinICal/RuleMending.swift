internal import KinCalendar

extension RecurrenceRule {
    /// What libical 3.0.16 leaves undone of a rule, or does wrong. It is done here; what stays wrong is named in the
    /// catalogue's page Calendars.
    enum Mending: Sendable, Hashable {
        /// FREQ=DAILY with days counted from the month's end (BYMONTHDAY=-1) never matches: libical counts the days, and
        /// which of them are meant is looked at here.
        case days
        /// FREQ=WEEKLY takes no notice of BYSETPOS, and its INTERVAL goes astray where WKST is not Monday: libical has
        /// every week, and which of them and of their days are meant is looked at here.
        case weeks(Week)
        /// FREQ=YEARLY with BYMONTHDAY alone has only the month of the start: libical is told all twelve.
        case months
        /// FREQ=YEARLY with BYWEEKNO names, in the first year, days of a week that began in the year before as days at this
        /// year's end: they come before earlier ones, and are left out here.
        case yearWeeks
    }

    /// Which weeks of a rule are meant, and which of their times.
    struct Week: Sendable, Hashable {
        /// The rule's INTERVAL.
        let interval: Int
        /// The rule's BYSETPOS; empty where all are meant.
        let positions: [Int]
        /// The rule's WKST, 1 for Monday to 7 for Sunday.
        let weekStart: Int
        /// Whether the rule says which days of a week it is.
        let hasDays: Bool

        /// Which day of its week something is, from 0.
        func day(of time: Civil) -> Int { (time.weekday - weekStart + 7) % 7 }

        /// The first day of its week.
        func first(of time: Civil) -> Civil { time.startOfDay.adding(days: -day(of: time)) }

        /// Whether a week is one of those that are meant, counted from that of the start.
        func isMeant(_ time: Civil, from start: Civil) -> Bool {
            first(of: time).days(since: first(of: start)) / 7 % interval == 0
        }

        /// Those of a week that are meant.
        func picked(of week: [Civil]) -> [Civil] {
            guard !positions.isEmpty else { return week }
            let places = positions.map { $0 > 0 ? $0 - 1 : week.count + $0 }
            return Set(places).sorted().filter { week.indices.contains($0) }.map { week[$0] }
        }

        /// From where libical goes through all weeks, so that it comes by the first that is asked for: the week of the start
        /// counts from its first day on.
        func begin(_ start: Civil, from: Civil?) -> Civil {
            let first = hasDays ? start.adding(days: -day(of: start)) : start
            guard let from, from > first else { return first }
            return first.adding(days: max(0, from.days(since: first) / 7 - 1) * 7)
        }
    }
}
