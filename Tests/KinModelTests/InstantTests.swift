import Testing

@testable import KinModel

@Suite struct InstantTests {
    // RFC 3339 §5.8, and the edges of the calendar.
    @Test(arguments: [
        ("1985-04-12T23:20:50.52Z", "1985-04-12T23:20:50.520Z"),
        ("1996-12-19T16:39:57-08:00", "1996-12-20T00:39:57.000Z"),
        ("1990-12-31T23:59:60Z", "1990-12-31T23:59:59.999Z"), ("1990-12-31T15:59:60-08:00", "1990-12-31T23:59:59.999Z"),
        ("1937-01-01T12:00:27.87+00:20", "1937-01-01T11:40:27.870Z"),
        ("2026-11-20t18:04:05.1239999z", "2026-11-20T18:04:05.123Z"),
        ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"), ("9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"),
        ("2000-02-29T00:00:00Z", "2000-02-29T00:00:00.000Z"), ("1969-12-31T23:59:59.001Z", "1969-12-31T23:59:59.001Z"),
        ("2026-01-01T00:00:00-00:00", "2026-01-01T00:00:00.000Z"),
    ])
    func `RFC 3339 is read and written in UTC with milliseconds`(text: String, written: String) throws {
        let instant = try #require(Instant(text))
        #expect(instant.description == written)
        #expect(JSON.time(instant).instant == instant)
    }

    @Test(arguments: [
        "", "2026-11-20", "2026-11-20T18:04:05", "2026-11-20 18:04:05Z", "2026-11-20T18:04Z", "2026-11-20T18:04:05.Z",
        "2026-13-20T18:04:05Z", "2026-00-20T18:04:05Z", "2026-02-29T18:04:05Z", "1900-02-29T18:04:05Z",
        "2026-04-31T18:04:05Z", "2026-11-00T18:04:05Z", "2026-11-20T24:00:00Z", "2026-11-20T18:60:05Z",
        "2026-11-20T18:04:61Z", "2026-11-20T18:04:05+24:00", "2026-11-20T18:04:05+01:60", "2026-11-20T18:04:05+0100",
        "2026-11-20T18:04:05+01", "2026-11-20T18:04:05ZZ", "2026-11-20T18:04:05 Z", "0000-11-20T18:04:05Z",
        "-026-11-20T18:04:05Z", "20026-11-20T18:04:05Z", "2026-11-20T18:04:05,5Z", "2026-11-20T1８:04:05Z",
        "0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01",
        "2026-11-20T18:04:05.1234567890123456789012345678901234567890123456Z",
    ])
    func `other forms are refused`(text: String) {
        #expect(Instant(text) == nil)
    }

    @Test func `days all over ten thousand years are read back`() {
        var day = Instant.earliest
        var count = 0
        while day < Instant.latest {
            // Odd steps, so that every part of the day and the month is met.
            if Instant(day.description) != day { Issue.record("\(day)") }
            day = day.adding(milliseconds: 86_400_000 * 131 + 3_723_457)
            count += 1
        }
        #expect(count > 27_000)
    }

    @Test func `arithmetic stops at the ends`() {
        #expect(Instant(milliseconds: .max) == .latest)
        #expect(Instant(milliseconds: .min) == .earliest)
        #expect(Instant.latest.adding(milliseconds: 1) == .latest)
        #expect(Instant.earliest.adding(days: -1) == .earliest)
        #expect(Instant(milliseconds: 0).adding(seconds: .max) == .latest)
        #expect(Instant(milliseconds: 0).adding(days: .min) == .earliest)
        #expect(Instant(milliseconds: -1).adding(milliseconds: .min) == .earliest)
        #expect(Instant(milliseconds: 0).adding(days: 1).milliseconds == 86_400_000)
        #expect(Instant.latest.milliseconds(since: .earliest) > 0)
        #expect(Instant.earliest.description == "0001-01-01T00:00:00.000Z")
        #expect(Instant.latest.description == "9999-12-31T23:59:59.999Z")
    }
}
