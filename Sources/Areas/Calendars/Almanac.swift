import KinCalendar
import KinICal
import KinKeeper
import KinModel

/// What civil times of entries are reckoned with: zones, rules, and what series come to. Each is read or expanded once, and
/// again after an hour, for the zones of the machine may have been put right meanwhile.
final class Almanac {
    private var zones: [String: Zone] = [:]
    private var rules: [String: RecurrenceRule] = [:]
    private let series = SeriesMemory()
    private var begun = Instant.earliest
    /// Names of zones, and rules, that are remembered.
    private static let most = 2000
    private static let milliseconds: Int64 = 3_600_000

    /// Whether it is of the hour before a moment; else it begins anew, and what was made of it is not to be used any more.
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

    /// The zone of a name; one that is gone is universal time.
    func zone(_ name: String) -> Zone {
        if let known = zones[name] { return known }
        let zone = Zone(name) ?? .utc
        if zones.count >= Self.most { zones.removeAll() }
        zones[name] = zone
        return zone
    }

    /// The rule that a text is.
    func rule(_ text: String) -> RecurrenceRule? {
        if let known = rules[text] { return known }
        guard let rule = RecurrenceRule(text) else { return nil }
        if rules.count >= Self.most { rules.removeAll() }
        rules[text] = rule
        return rule
    }

    /// What is remembered of a series; `nil` for something that happens only once.
    func years(of series: Series) -> SeriesYears? {
        series.rules.isEmpty ? nil : self.series.years(of: series)
    }
}

extension Act {
    /// What civil times of entries are reckoned with.
    var almanac: Almanac { memory(CalendarMemory.self).almanac }
}
