import Glibc
import KinCrypto
import KinModel
import Testing

@testable import KinCalendars
@testable import KinFamilyBox

/// Zones by the names that Windows gives them, as Outlook and Exchange write them.
@Suite struct WindowsZoneTests {
    @Test func `every name of Windows stands for a zone that this machine has`() {
        #expect(WindowsZones.names.count >= 140)
        for (name, zone) in WindowsZones.names { #expect(access("/usr/share/zoneinfo/\(zone)", R_OK) == 0, "\(name)") }
    }

    @Test(arguments: [
        ("W. Europe Standard Time", "2026-07-14T17:30:00.000Z"),
        ("Venezuela Standard Time", "2026-07-14T23:30:00.000Z"),
        ("India Standard Time", "2026-07-14T14:00:00.000Z"), ("Belarus Standard Time", "2026-07-14T16:30:00.000Z"),
        ("Pacific Standard Time (Mexico)", "2026-07-15T02:30:00.000Z"), ("UTC-11", "2026-07-15T06:30:00.000Z"),
    ])
    func `an event in a zone of Windows is at its time there, and nothing has to be said of that`(
        name: String, start: String
    ) throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ics = [
            "BEGIN:VCALENDAR", "BEGIN:VEVENT", "UID:call", "DTSTART;TZID=\(name):20260714T193000", "SUMMARY:Call",
            "END:VEVENT", "END:VCALENDAR", "",
        ].joined(separator: "\r\n")
        let report = try box.call(ada, "calendar.import", ["ics": .string(Base64.encode(Array(ics.utf8)))])
        #expect(report["entries"]?.array?.first?["remarks"]?.array?.isEmpty ?? true, "\(report)")
        let listed = try box.call(ada, "entry.list", ["from": "2026-07-14", "to": "2026-07-16", "zone": "UTC"])
        #expect(listed["occurrences"]?.array?.map { $0["start"] } == [.string(start)])
    }
}
