import KinModel
import Testing

/// What was put down on a clock stays on that clock when a government changes it, and Debian's `tzdata` with it.
@Suite struct ZoneChangeTests {
    @Test func `civil times stay when a zone's rules change, and what is at a day's edge is still found on that day`()
        throws
    {
        let stage = try Stage()
        let zones = stage.folder + "/zoneinfo"
        func decree(_ hours: Int) throws {
            try stage.run("/usr/sbin/zic", "-d", zones, "-", input: "Zone Europe/Berlin \(hours):00 - XXT\n")
        }
        try decree(1)
        let house = try House(stage, environment: ["TZDIR=\(zones)"])
        try house.found()
        let ada = try house.door(as: "ada")
        for (subject, start) in [("Early", "2027-03-01T00:30"), ("Late", "2027-03-01T23:30")] {
            for rule in [nil, "weekly"] as [String?] {
                _ = try ada.call(
                    "entry.add",
                    .object(leavingOut: [
                        "subject": .string(subject), "start": .string(start), "minutes": 20,
                        "zone": "Europe/Berlin", "repeat": rule.map { .string($0) },
                    ]))
            }
        }
        func day() throws -> [JSON] {
            let answer = try house.door(as: "ada").call(
                "entry.list", ["from": "2027-03-01", "to": "2027-03-01", "zone": "Europe/Berlin"])
            return answer["occurrences"]?.array ?? []
        }
        let before = try day()
        #expect(before.count == 4 && before[0]["start"]?.instant == Instant("2027-02-28T23:30:00Z"), "\(before)")
        house.kill()
        try decree(3)
        try house.start()
        let after = try day()
        #expect(after.map { $0["starts"] } == before.map { $0["starts"] })
        #expect(after.count == 4 && after[0]["start"]?.instant == Instant("2027-02-28T21:30:00Z"), "\(after)")
    }
}
