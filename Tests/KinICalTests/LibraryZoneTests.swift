import CICal
import KinCalendar
import KinModel
import Testing

@testable import KinICal

/// Zones as `KinCalendar` reads them, beside libical's own, which go wrong after 2037. Where clocks changed by decree from
/// year to year (for carnival in São Paulo, by the Persian calendar in Tehran, for Ramadan in Gaza), libical makes a rule of
/// the years before and is wrong earlier; there Python's `zoneinfo` says what `KinCalendar` says (`RuleComparisonTests`).
@Suite struct LibraryZoneTests {
    static let names = [
        "Europe/Berlin", "Europe/London", "Europe/Dublin", "Europe/Istanbul", "Europe/Moscow", "America/New_York",
        "America/St_Johns", "America/Los_Angeles", "America/Caracas", "Africa/Casablanca",
        "Africa/Cairo", "Asia/Kolkata", "Asia/Kathmandu", "Asia/Tokyo", "Australia/Sydney",
        "Australia/Lord_Howe", "Pacific/Chatham", "Pacific/Apia", "Pacific/Auckland", "Antarctica/Troll",
    ]

    /// What libical's zone says that a clock shows at a moment.
    private static func civil(_ zone: OpaquePointer, at instant: Instant) -> Civil? {
        let time = unsafe icaltime_from_timet_with_zone(
            time_t(instant.milliseconds / 1000), 0, icaltimezone_get_utc_timezone())
        let local = unsafe icaltime_convert_to_zone(time, zone)
        return unsafe Civil(
            year: Int(local.year), month: Int(local.month), day: Int(local.day), hour: Int(local.hour),
            minute: Int(local.minute), second: Int(local.second))
    }

    @Test(arguments: names)
    func `until 2037 libical's zones say the same`(name: String) throws {
        try #require(Library.isReady)
        let zone = try #require(Zone(name))
        let other = try #require(unsafe icaltimezone_get_builtin_timezone(name))
        var at = try #require(Instant("2000-01-01T00:00:00Z"))
        let end = try #require(Instant("2037-12-31T00:00:00Z"))
        var wrong: [String] = []
        while at < end {
            if unsafe Self.civil(other, at: at) != zone.civil(at: at) { wrong.append("\(at)") }
            at = at.adding(seconds: 11 * 3600 + 7)
        }
        #expect(wrong.isEmpty, "\(wrong.count), the first at \(wrong.first ?? "")")
    }
}
