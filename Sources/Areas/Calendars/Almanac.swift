import KinCalendar
import KinICal
import KinKeeper
import KinModel

/// Zones, rules, and the occurrences of series, for calculations with entries' civil times. Each is read or expanded
/// once, and again after an hour, because the machine's zones may have been corrected meanwhile.
final class Almanac {
    private var zones: [String: Zone] = [:]
    private var rules: [String: RecurrenceRule] = [:]
    private let series = SeriesMemory()
    private var begun = Instant.earliest
    /// The number of zones, and of rules, that are remembered.
    private static let most = 2000
    private static let milliseconds: Int64 = 3_600_000

    /// Whether it was made in the hour before a moment. If not, it begins anew, and results made from it are no longer
    /// valid.
    func isOf(_ now: Instant) -> Bool {
        if (0..<Self.milliseconds).contains(now.milliseconds(since: begun)) { return true }
        forget()
        begun = now
        return false
    }

    func forget() {
        zones.removeAll()
        rules.removeAll()
        series.forget()
    }

    /// The zone with a name. If there is none any more, it is universal time.
    func zone(_ name: String) -> Zone {
        if let known = zones[name] { return known }
        let zone = Zone(name) ?? .utc
        if zones.count >= Self.most { zones.removeAll() }
        zones[name] = zone
        return zone
    }

    /// The rule that a text has.
    func rule(_ text: String) -> RecurrenceRule? {
        if let known = rules[text] { return known }
        guard let rule = RecurrenceRule(text) else { return nil }
        if rules.count >= Self.most { rules.removeAll() }
        rules[text] = rule
        return rule
    }

    /// The remembered occurrences of a series; `nil` for something that happens only once.
    func years(of series: Series) -> SeriesYears? {
        series.rules.isEmpty ? nil : self.series.years(of: series)
    }
}

extension Act {
    /// The zones and rules with which civil times of entries are calculated.
    var almanac: Almanac { memory(CalendarMemory.self).almanac }
}
