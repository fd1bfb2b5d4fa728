import KinCalendar
import KinModel
import Testing

@testable import kin

@Suite struct TypedTimeTests {
    // A Friday, 19:04 in Berlin.
    let now = Instant("2026-11-20T18:04:05.000Z") ?? .earliest

    /// What is understood, as the zone's clocks show it.
    private func read(_ text: String, zone: String = "Europe/Berlin", lasts: Int64? = nil) throws -> String {
        let zone = try #require(Zone(zone))
        let time = try TypedTime(text, now: now, zone: zone, lastsSeconds: lasts)
        return "\(zone.civil(at: time.start)) \(zone.civil(at: time.end))"
    }

    private func sentence(_ text: String, at now: Instant? = nil, zone: String = "Europe/Berlin") throws -> String {
        let zone = try #require(Zone(zone))
        do throws(Problem) {
            _ = try TypedTime(text, now: now ?? self.now, zone: zone)
            return ""
        } catch { return error.sentence }
    }

    @Test(
        arguments: [
            ("sat 18:00-20:00", "2026-11-21T18:00 2026-11-21T20:00"),
            ("tomorrow 9-10:30", "2026-11-21T09:00 2026-11-21T10:30"),
            ("24.12. 18:00-20:00", "2026-12-24T18:00 2026-12-24T20:00"),
            ("2026-12-24 18:00", "2026-12-24T18:00 2026-12-24T19:00"),
            ("2026-12-24T18:00-20:00", "2026-12-24T18:00 2026-12-24T20:00"),
            ("2026-12-24 18:00 +2h", "2026-12-24T18:00 2026-12-24T20:00"),
            ("2026-12-24 18:00 for 90m", "2026-12-24T18:00 2026-12-24T19:30"),
            ("Samstag 18 Uhr bis 20 Uhr", "2026-11-21T18:00 2026-11-21T20:00"),
            ("sa 18-20", "2026-11-21T18:00 2026-11-21T20:00"),
            ("So., 12:00–14:00", "2026-11-22T12:00 2026-11-22T14:00"),
            ("so, 12:00–14:00", "2026-11-22T12:00 2026-11-22T14:00"),
            ("morgen um 9", "2026-11-21T09:00 2026-11-21T10:00"),
            ("übermorgen 9-10:30", "2026-11-22T09:00 2026-11-22T10:30"),
            ("heute 20:00-22:00", "2026-11-20T20:00 2026-11-20T22:00"), ("20-22", "2026-11-20T20:00 2026-11-20T22:00"),
            ("9-10", "2026-11-21T09:00 2026-11-21T10:00"), ("fri 18:00-20:00", "2026-11-27T18:00 2026-11-27T20:00"),
            ("fri 20:00-22:00", "2026-11-20T20:00 2026-11-20T22:00"),
            ("sat 20:00-01:00", "2026-11-21T20:00 2026-11-22T01:00"),
            ("sat 22-24", "2026-11-21T22:00 2026-11-22T00:00"), ("sat 6-8pm", "2026-11-21T18:00 2026-11-21T20:00"),
            ("sat 11am - 1 pm", "2026-11-21T11:00 2026-11-21T13:00"),
            ("sat 12am-1am", "2026-11-21T00:00 2026-11-21T01:00"), ("sat noon", "2026-11-21T12:00 2026-11-21T13:00"),
            ("24 dec 18:00-20:00", "2026-12-24T18:00 2026-12-24T20:00"),
            ("dec 24 18-20", "2026-12-24T18:00 2026-12-24T20:00"),
            ("24. Dezember 2027 18 Uhr", "2027-12-24T18:00 2027-12-24T19:00"),
            ("Do 24.12. 18.30-20.15", "2026-12-24T18:30 2026-12-24T20:15"),
            ("1.3. 10-12", "2027-03-01T10:00 2027-03-01T12:00"), ("29.2. 10-12", "2028-02-29T10:00 2028-02-29T12:00"),
            ("20.11. 10-12", "2027-11-20T10:00 2027-11-20T12:00"), ("24.12 18-20", "2026-12-24T18:00 2026-12-24T20:00"),
            ("fri 21:00 - sun 12:00", "2026-11-20T21:00 2026-11-22T12:00"),
            ("27.12. 18:00 bis 2.1. 12:00", "2026-12-27T18:00 2027-01-02T12:00"),
            ("24.12.26 18-20", "2026-12-24T18:00 2026-12-24T20:00"),
        ] as [(String, String)])
    func `times are read as people type them`(text: String, expected: String) throws {
        #expect(try read(text) == expected)
    }

    @Test func `a span over the new year is read with the year it means`() throws {
        #expect(try read("27.12. 18:00 bis 2027-01-02 12:00") == "2026-12-27T18:00 2027-01-02T12:00")
    }

    @Test(arguments: [
        ("", "no time"), ("sat", "understood: Sat"), ("sat 18:00 blah", "\"blah\""), ("5/6 18:00", "5.6. or 6.5."),
        ("12.10 18:00", "12.10. or 12:10"), ("31.11. 18:00", "no date"), ("2026-02-30 10:00", "no date"),
        ("sat 25:00", "\"25:00\""), ("sat 18:00-20:00-22:00", "\"-\""), ("sat sun 18:00", "\"sun\""),
        ("2026-11-19 10:00-11:00", "is over"), ("fri 24.12. 18:00", "is a Thu, not a Fri"),
        ("sat 13pm", "\"13pm\""), ("next 18:00", "\"next 18:00\""), ("sat 18:00 - ", "no time of day"),
        ("2026-12-24 18:00 - 2026-12-23 20:00", "ends before"),
    ])
    func `what is not understood is said with what was`(text: String, words: String) throws {
        let said = try sentence(text)
        #expect(said.contains(words), "\(said)")
    }

    @Test
    func
        `a time that daylight saving skips is refused with its neighbours, and of one that comes twice the first counts`()
        throws
    {
        let spring = Instant("2026-03-27T10:00:00Z")
        let said = try sentence("2026-03-29 02:30-04:00", at: spring)
        #expect(said.contains("01:30") && said.contains("03:30") && said.contains("Europe/Berlin"), "\(said)")
        let autumn = try #require(Instant("2026-10-20T10:00:00Z"))
        let zone = try #require(Zone("Europe/Berlin"))
        let twice = try TypedTime("2026-10-25 02:30-04:00", now: autumn, zone: zone)
        #expect(twice.start == Instant("2026-10-25T00:30:00Z"))
        #expect(twice.isRepeated)
        #expect(twice.said(now: autumn).contains("twice"))
        // Half an hour by the clock, and an hour and a half in truth.
        let across = try TypedTime("2026-10-25 02:50-02:10", now: autumn, zone: zone)
        #expect(across.end > across.start)
    }

    @Test func `several spans are told apart, whether quoted or not`() throws {
        let zone = try #require(Zone("Europe/Berlin"))
        let apart = try TypedTime.all(["sat", "18-20", "sun", "12:00-14:00"], now: now, zone: zone)
        let quoted = try TypedTime.all(["sat 18-20", "sun 12:00-14:00"], now: now, zone: zone)
        #expect(apart == quoted && apart.count == 2)
        #expect(try TypedTime.all(["tomorrow", "9", "+2h"], now: now, zone: zone).first?.isEndAssumed == false)
        #expect(throws: Problem.self) { try TypedTime.all(["sat 18-20", "what"], now: now, zone: zone) }
        #expect(try read("sat 18:00", lasts: 7200) == "2026-11-21T18:00 2026-11-21T20:00")
    }

    @Test func `the same words mean the same clock in another zone`() throws {
        #expect(try read("sat 18:00-20:00", zone: "America/New_York") == "2026-11-21T18:00 2026-11-21T20:00")
        // It is Saturday already there.
        #expect(try read("sat 18:00-20:00", zone: "Pacific/Auckland") == "2026-11-21T18:00 2026-11-21T20:00")
    }
}
