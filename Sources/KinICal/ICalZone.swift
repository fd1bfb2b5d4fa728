public import KinCalendar
import KinModel

/// A time zone as a file itself describes it (RFC 5545, 3.6.5), where its rules are plain: each once a year, or dates that
/// are named. libical finds when they are; its own zones are not used.
public struct ICalZone: Sendable {
    /// A change of its clocks.
    public struct Change: Sendable, Hashable {
        /// What clocks show when it comes.
        public let at: Civil
        /// Seconds that clocks are ahead of universal time before it.
        public let before: Int
        /// The same from it on.
        public let after: Int
    }

    private struct Observance {
        let series: Series
        let before: Int
        let after: Int
    }

    private let observances: [Observance]
    private static let observancesMax = 50
    private static let datesMax = 200
    private static let changesMax = 100

    /// Reads a VTIMEZONE; `nil` for one whose rules are not plain.
    public init?(_ component: ICalComponent) {
        guard component.name == "VTIMEZONE", (1...Self.observancesMax).contains(component.components.count) else {
            return nil
        }
        var all: [Observance] = []
        for part in component.components {
            guard let begin = part["DTSTART"].flatMap({ ICalTime($0.value) }), !begin.isDate,
                (1000...2500).contains(begin.civil.year),
                let before = part["TZOFFSETFROM"].flatMap({ Self.seconds($0.value) }),
                let after = part["TZOFFSETTO"].flatMap({ Self.seconds($0.value) })
            else { return nil }
            var series = Series(start: begin.civil)
            let rules = part.all("RRULE").map { RecurrenceRule($0.value) }
            guard rules.count <= 1 else { return nil }
            if let first = rules.first {
                guard let rule = first, rule.isExpanded, rule.frequency == .yearly, rule.timesPerDay == 1 else {
                    return nil
                }
                series.rules = [rule]
            }
            for line in part.all("RDATE") {
                let dates = ICalText.parts(line.value).map { ICalTime($0)?.civil }
                guard series.dates.count + dates.count <= Self.datesMax, !dates.contains(nil) else { return nil }
                series.dates += dates.compactMap(\.self)
            }
            all.append(Observance(series: series, before: before, after: after))
        }
        observances = all
    }

    /// The changes from one time on the wall until before another, in their order; the first hundred.
    public func changes(from: Civil, to: Civil) -> [Change] {
        let all = observances.flatMap { one in
            one.series.occurrences(from: from, to: to, max: Self.changesMax).all.map {
                Change(at: $0, before: one.before, after: one.after)
            }
        }
        return Array(all.sorted { $0.at < $1.at }.prefix(Self.changesMax))
    }

    /// Seconds that its clocks are ahead of universal time when they show something.
    public func offset(at civil: Civil) -> Int {
        let end = civil.adding(seconds: 1)
        var last: Change?
        for one in observances {
            let near = one.series.occurrences(from: civil.adding(days: -800), to: end, max: Self.changesMax).all.last
            let found =
                near ?? one.series.occurrences(from: one.series.start, to: end, max: 2 * Self.datesMax).all.last
            guard let found, last.map({ $0.at <= found }) ?? true else { continue }
            last = Change(at: found, before: one.before, after: one.after)
        }
        if let last { return last.after }
        return observances.min { $0.series.start < $1.series.start }?.before ?? 0
    }

    /// Reads an offset such as `+0100` (RFC 5545, 3.3.14).
    private static func seconds(_ text: String) -> Int? {
        let digits = text.dropFirst().utf8.map { Int($0) - 48 }
        guard text.hasPrefix("+") || text.hasPrefix("-"), digits.count == 4 || digits.count == 6,
            digits.allSatisfy({ (0...9).contains($0) })
        else { return nil }
        let parts = stride(from: 0, to: digits.count, by: 2).map { digits[$0] * 10 + digits[$0 + 1] }
        guard parts[0] <= 18, parts[1] < 60, parts.dropFirst(2).allSatisfy({ $0 < 60 }) else { return nil }
        let seconds = parts[0] * 3600 + parts[1] * 60 + (parts.dropFirst(2).first ?? 0)
        return text.hasPrefix("-") ? -seconds : seconds
    }
}
