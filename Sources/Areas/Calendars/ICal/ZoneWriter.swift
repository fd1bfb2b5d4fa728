import KinCalendar
import KinICal
import KinModel

/// A time zone for calendar programs that know no IANA names (RFC 5545, 3.6.5). It is written as the rule that its
/// clocks follow now, as if it had always been so. If the clocks follow no rule, each change is written.
enum ZoneWriter {
    /// A change of a zone's clocks.
    private struct Change {
        let at: Instant
        let before: Int
        let after: Int
        /// The clock time of the change.
        var civil: Civil { Zone.utc.civil(at: at.adding(seconds: Int64(before))) }
        /// Its weekday's place in the month, counted from one, and whether it is the last such weekday.
        var place: Int { (civil.day - 1) / 7 + 1 }
        var isLast: Bool { civil.day + 7 > civil.daysInMonth }
    }

    /// Years whose changes are examined for a rule, and written if there is none.
    private static let years = 10

    static func component(_ zone: Zone, now: Instant) -> ICalComponent {
        let year = zone.civil(at: now).year
        let changes = (0...years).map { Self.changes(of: zone, in: year + $0) }
        var parts: [ICalComponent] = []
        if changes.allSatisfy({ $0.count == 2 }),
            let rules = [rule(changes.map { $0[0] }), rule(changes.map { $0[1] })] as? [ICalComponent]
        {
            parts = rules
        } else if changes.allSatisfy(\.isEmpty) {
            let offset = zone.offset(at: now)
            parts = [observance("STANDARD", Self.first(1, 0, 0), from: offset, to: offset)]
        } else {
            let offset = changes.first { !$0.isEmpty }?[0].before ?? zone.offset(at: now)
            parts = [observance("STANDARD", Self.first(1, 0, 0), from: offset, to: offset)]
            parts += changes.joined().map { change in
                observance(
                    change.after > change.before ? "DAYLIGHT" : "STANDARD", change.civil, from: change.before,
                    to: change.after)
            }
        }
        return ICalComponent("VTIMEZONE", [ICalLine("TZID", text: zone.name)], components: parts)
    }

    private static func first(_ month: Int, _ hour: Int, _ minute: Int) -> Civil {
        Civil(year: 1970, month: month, day: 1, hour: hour, minute: minute) ?? Calendars.epoch
    }

    /// The rule that the changes of many years follow, such as the last Sunday in March; `nil` if they follow none.
    private static func rule(_ changes: [Change]) -> ICalComponent? {
        guard let one = changes.first else { return nil }
        let isSame = changes.allSatisfy {
            $0.before == one.before && $0.after == one.after && $0.civil.month == one.civil.month
                && $0.civil.weekday == one.civil.weekday && $0.civil.hour == one.civil.hour
                && $0.civil.minute == one.civil.minute
        }
        guard isSame else { return nil }
        let place: Int
        if changes.allSatisfy(\.isLast) {
            place = -1
        } else if changes.allSatisfy({ $0.place == one.place }) {
            place = one.place
        } else {
            return nil
        }
        let day = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"][one.civil.weekday - 1]
        let (month, weekday) = (one.civil.month, one.civil.weekday)
        // Its first day in 1970, because programs expect that year.
        let begin = first(month, one.civil.hour, one.civil.minute)
        let days = (0..<begin.daysInMonth).map { begin.adding(days: $0) }.filter { $0.weekday == weekday }
        let start = place < 0 ? days.last : days[place - 1]
        var part = observance(
            one.after > one.before ? "DAYLIGHT" : "STANDARD", start ?? begin, from: one.before, to: one.after)
        part.lines.append(ICalLine("RRULE", value: "FREQ=YEARLY;BYMONTH=\(month);BYDAY=\(place)\(day)"))
        return part
    }

    private static func observance(_ name: String, _ start: Civil, from: Int, to: Int) -> ICalComponent {
        ICalComponent(
            name,
            [
                ICalLine("DTSTART", value: ICalTime(start).description), ICalLine("TZOFFSETFROM", value: offset(from)),
                ICalLine("TZOFFSETTO", value: offset(to)),
            ])
    }

    private static func offset(_ seconds: Int) -> String {
        func two(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
        let all = abs(seconds)
        return (seconds < 0 ? "-" : "+") + two(all / 3600) + two(all / 60 % 60) + (all % 60 > 0 ? two(all % 60) : "")
    }

    /// The changes of a year, to the second.
    private static func changes(of zone: Zone, in year: Int) -> [Change] {
        guard let first = Civil(year: year, month: 1, day: 1), let end = Civil(year: year + 1, month: 1, day: 1) else {
            return []
        }
        var changes: [Change] = []
        var at = Timing.moment(first, .utc)
        let last = Timing.moment(end, .utc)
        while at < last {
            let next = at.adding(days: 7)
            let (before, after) = (zone.offset(at: at), zone.offset(at: next))
            if before != after {
                var (low, high) = (at, next)
                while high.milliseconds(since: low) > 1000 {
                    let middle = low.adding(seconds: high.milliseconds(since: low) / 2000)
                    if zone.offset(at: middle) == before { low = middle } else { high = middle }
                }
                if high < last { changes.append(Change(at: high, before: before, after: after)) }
            }
            at = next
        }
        return changes
    }
}
