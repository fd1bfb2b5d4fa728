import KinCalendar
import KinModel
import Testing

@testable import KinICal

/// What a rule comes to: RFC 5545's own examples, what is never asked of libical, and what is bounded.
@Suite struct RecurrenceTests {
    private static func times(
        _ rule: String, from start: String = "1997-09-02T09:00", max most: Int = 40, until: String = "2010-01-01T00:00",
        zone: String = "America/New_York"
    ) throws -> [String] {
        let begin = try #require(Civil(start))
        let read = try #require(RecurrenceRule(rule), "\(rule)")
        let series = Series(start: begin, rules: [read], zone: Zone(zone))
        let found = series.occurrences(from: begin, to: try #require(Civil(until)), max: most)
        return found.all.map { $0.description }
    }

    /// A rule of RFC 5545, 3.8.5.3, its first occurrences, and how many it has in all where it ends.
    struct Example: Sendable, CustomTestStringConvertible {
        let rule: String
        let days: String
        var count: Int?
        var start = "1997-09-02T09:00"
        var testDescription: String { rule }
    }

    static let examples = [
        Example(
            rule: "FREQ=DAILY;COUNT=10", days: "09-02 09-03 09-04 09-05 09-06 09-07 09-08 09-09 09-10 09-11", count: 10),
        Example(rule: "FREQ=DAILY;UNTIL=19971224T000000Z", days: "09-02 09-03", count: 113),
        Example(rule: "FREQ=DAILY;INTERVAL=2", days: "09-02 09-04 09-06"),
        Example(rule: "FREQ=DAILY;INTERVAL=10;COUNT=5", days: "09-02 09-12 09-22 10-02 10-12", count: 5),
        Example(
            rule: "FREQ=YEARLY;UNTIL=20000131T140000Z;BYMONTH=1;BYDAY=SU,MO,TU,WE,TH,FR,SA", days: "01-01 01-02 01-03",
            count: 93, start: "1998-01-01T09:00"),
        Example(
            rule: "FREQ=DAILY;UNTIL=20000131T140000Z;BYMONTH=1", days: "01-01 01-02 01-03", count: 93,
            start: "1998-01-01T09:00"),
        Example(
            rule: "FREQ=WEEKLY;COUNT=10", days: "09-02 09-09 09-16 09-23 09-30 10-07 10-14 10-21 10-28 11-04", count: 10
        ),
        Example(rule: "FREQ=WEEKLY;UNTIL=19971224T000000Z", days: "09-02 09-09 09-16", count: 17),
        Example(rule: "FREQ=WEEKLY;INTERVAL=2;WKST=SU", days: "09-02 09-16 09-30 10-14"),
        Example(
            rule: "FREQ=WEEKLY;UNTIL=19971007T000000Z;WKST=SU;BYDAY=TU,TH",
            days: "09-02 09-04 09-09 09-11 09-16 09-18 09-23 09-25 09-30 10-02", count: 10),
        Example(
            rule: "FREQ=WEEKLY;COUNT=10;WKST=SU;BYDAY=TU,TH",
            days: "09-02 09-04 09-09 09-11 09-16 09-18 09-23 09-25 09-30 10-02", count: 10),
        Example(
            rule: "FREQ=WEEKLY;INTERVAL=2;UNTIL=19971224T000000Z;WKST=SU;BYDAY=MO,WE,FR",
            days: "09-01 09-03 09-05 09-15 09-17", count: 25, start: "1997-09-01T09:00"),
        Example(
            rule: "FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH",
            days: "09-02 09-04 09-16 09-18 09-30 10-02 10-14 10-16", count: 8),
        Example(
            rule: "FREQ=MONTHLY;COUNT=10;BYDAY=1FR",
            days: "09-05 10-03 11-07 12-05 01-02 02-06 03-06 04-03 05-01 06-05", count: 10, start: "1997-09-05T09:00"),
        Example(
            rule: "FREQ=MONTHLY;UNTIL=19971224T000000Z;BYDAY=1FR", days: "09-05 10-03 11-07 12-05", count: 4,
            start: "1997-09-05T09:00"),
        Example(
            rule: "FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU",
            days: "09-07 09-28 11-02 11-30 01-04 01-25 03-01 03-29 05-03 05-31", count: 10, start: "1997-09-07T09:00"),
        Example(
            rule: "FREQ=MONTHLY;COUNT=6;BYDAY=-2MO", days: "09-22 10-20 11-17 12-22 01-19 02-16", count: 6,
            start: "1997-09-22T09:00"),
        Example(
            rule: "FREQ=MONTHLY;BYMONTHDAY=-3", days: "09-28 10-29 11-28 12-29 01-29 02-26", start: "1997-09-28T09:00"),
        Example(
            rule: "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=2,15",
            days: "09-02 09-15 10-02 10-15 11-02 11-15 12-02 12-15 01-02 01-15", count: 10),
        Example(
            rule: "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1",
            days: "09-30 10-01 10-31 11-01 11-30 12-01 12-31 01-01 01-31 02-01", count: 10, start: "1997-09-30T09:00"),
        Example(
            rule: "FREQ=MONTHLY;INTERVAL=18;COUNT=10;BYMONTHDAY=10,11,12,13,14,15",
            days: "09-10 09-11 09-12 09-13 09-14 09-15 03-10 03-11 03-12 03-13", count: 10, start: "1997-09-10T09:00"),
        Example(
            rule: "FREQ=MONTHLY;INTERVAL=2;BYDAY=TU",
            days: "09-02 09-09 09-16 09-23 09-30 11-04 11-11 11-18 11-25 01-06"),
        Example(
            rule: "FREQ=YEARLY;COUNT=10;BYMONTH=6,7", days: "06-10 07-10 06-10 07-10", count: 10,
            start: "1997-06-10T09:00"),
        Example(
            rule: "FREQ=YEARLY;INTERVAL=2;COUNT=10;BYMONTH=1,2,3", days: "03-10 01-10 02-10 03-10", count: 10,
            start: "1997-03-10T09:00"),
        Example(
            rule: "FREQ=YEARLY;INTERVAL=3;COUNT=10;BYYEARDAY=1,100,200",
            days: "01-01 04-10 07-19 01-01 04-09 07-18 01-01 04-10 07-19 01-01", count: 10, start: "1997-01-01T09:00"),
        Example(rule: "FREQ=YEARLY;BYDAY=20MO", days: "05-19 05-18 05-17", start: "1997-05-19T09:00"),
        Example(rule: "FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO", days: "05-12 05-11 05-17", start: "1997-05-12T09:00"),
        Example(
            rule: "FREQ=YEARLY;BYMONTH=3;BYDAY=TH", days: "03-13 03-20 03-27 03-05 03-12", start: "1997-03-13T09:00"),
        Example(
            rule: "FREQ=YEARLY;BYDAY=TH;BYMONTH=6,7,8", days: "06-05 06-12 06-19 06-26 07-03", start: "1997-06-05T09:00"
        ),
        Example(rule: "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13", days: "09-02 02-13 03-13 11-13 08-13 10-13"),
        Example(
            rule: "FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13", days: "09-13 10-11 11-08 12-13 01-10",
            start: "1997-09-13T09:00"),
        Example(
            rule: "FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8", days: "11-05 11-07 11-02",
            start: "1996-11-05T09:00"),
        Example(
            rule: "FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3", days: "09-04 10-07 11-06", count: 3,
            start: "1997-09-04T09:00"),
        Example(
            rule: "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2", days: "09-29 10-30 11-27 12-30 01-29",
            start: "1997-09-29T09:00"),
        Example(
            rule: "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO", days: "08-05 08-10 08-19 08-24", count: 4,
            start: "1997-08-05T09:00"),
        Example(
            rule: "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU", days: "08-05 08-17 08-19 08-31", count: 4,
            start: "1997-08-05T09:00"),
        Example(
            rule: "FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5", days: "01-15 01-30 02-15 03-15 03-30", count: 5,
            start: "2007-01-15T09:00"),
    ]

    @Test(arguments: examples)
    func `RFC 5545's examples come out as they stand there`(_ example: Example) throws {
        let all = try Self.times(example.rule, from: example.start, max: 1000)
        let days = example.days.split(separator: " ").map(String.init)
        #expect(all.prefix(days.count).map { String($0.dropFirst(5).prefix(5)) } == days)
        #expect(all.allSatisfy { $0.hasSuffix("T09:00") })
        if let count = example.count { #expect(all.count == count) }
    }

    @Test(arguments: [
        Example(rule: "FREQ=DAILY;BYMONTHDAY=-1", days: "01-31 02-28 03-31 04-30", start: "2026-01-31T09:00"),
        Example(
            rule: "FREQ=DAILY;BYMONTHDAY=-2,1;BYHOUR=9;COUNT=4", days: "02-27 03-01 03-30 04-01", count: 4,
            start: "2026-02-27T09:00"),
        Example(
            rule: "FREQ=DAILY;INTERVAL=2;BYHOUR=19,9;BYMINUTE=0", days: "02-01 02-01 02-03 02-03",
            start: "2026-02-01T09:00"),
        Example(rule: "FREQ=WEEKLY;BYDAY=MO,WE,FR;BYSETPOS=-1", days: "01-02 01-09 01-16", start: "2026-01-02T09:00"),
        Example(
            rule: "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE,FR;BYSETPOS=1,-1;COUNT=4", days: "01-02 01-12 01-16 01-26",
            count: 4, start: "2026-01-02T09:00"),
        Example(
            rule: "FREQ=WEEKLY;INTERVAL=5;BYDAY=MO,TU,FR,SU;WKST=SA;COUNT=6",
            days: "07-30 08-29 08-30 08-31 09-03 10-03", count: 6, start: "1999-07-30T09:00"),
        Example(
            rule: "FREQ=WEEKLY;INTERVAL=2;WKST=SU;UNTIL=19991001T235959Z", days: "07-30 08-13 08-27 09-10 09-24",
            count: 5, start: "1999-07-30T09:00"),
        Example(
            rule: "FREQ=YEARLY;INTERVAL=4;BYMONTHDAY=31,-29", days: "03-03 03-31 04-02 05-03 05-31 06-02",
            start: "2006-03-03T09:00"),
    ])
    func `what libical leaves undone or does wrong is done here, from the start and from the middle`(
        _ example: Example
    ) throws {
        let days = example.days.split(separator: " ").map(String.init)
        let all = try Self.times(example.rule, from: example.start, max: 1000, until: "2040-01-01T00:00")
        #expect(all.prefix(days.count).map { String($0.dropFirst(5).prefix(5)) } == days)
        if let count = example.count { #expect(all.count == count) }
        let series = Series(
            start: try #require(Civil(example.start)), rules: [try #require(RecurrenceRule(example.rule))],
            zone: Zone("America/New_York"))
        let whole = series.occurrences(from: series.start, to: series.start.adding(days: 6000), max: 5000)
        for day in stride(from: 3, to: 3000, by: 97) {
            let from = series.start.adding(days: day).adding(seconds: day * 60)
            let found = series.occurrences(from: from, to: from.adding(days: 90), max: 100)
            #expect(found.all == whole.all.filter { from <= $0 && $0 < from.adding(days: 90) }, "\(from)")
        }
    }

    @Test(arguments: [
        ("FREQ=YEARLY;INTERVAL=4;BYWEEKNO=1;BYDAY=MO,TU,SU", ["2036-01-01", "2036-01-06", "2040-01-02", "2040-01-03"]),
        ("FREQ=YEARLY;BYWEEKNO=1;BYDAY=MO,TU;COUNT=3", ["2036-01-01", "2036-12-29", "2036-12-30"]),
        ("FREQ=YEARLY;BYWEEKNO=1;BYDAY=MO;COUNT=2", ["2036-01-01", "2036-12-29", "2038-01-04"]),
    ])
    func `the first week's days in the year before are not taken for days at the year's end`(
        rule: String, days: [String]
    ) throws {
        let start = try #require(Civil("2036-01-01T00:00"))
        let series = Series(start: start, isAllDay: true, rules: [try #require(RecurrenceRule(rule))])
        let found = series.occurrences(from: start, to: try #require(Civil("2041-01-01T00:00")), max: 4)
        #expect(found.all.prefix(days.count).map { String($0.description.prefix(10)) } == days)
    }

    @Test func `RFC 5545's days of twenty-minute steps come out, and the same said by the minute is kept`() throws {
        let hours = "9,10,11,12,13,14,15,16"
        let steps = (9...16).flatMap { hour in
            ["00", "20", "40"].map { "T\(hour < 10 ? "0" : "")\(hour):\($0)" }
        }
        let all = try Self.times("FREQ=DAILY;BYHOUR=\(hours);BYMINUTE=0,20,40", max: 48)
        #expect(all == ["1997-09-02", "1997-09-03"].flatMap { day in steps.map { day + $0 } })
        for text in ["FREQ=MINUTELY;INTERVAL=20;BYHOUR=\(hours)", "FREQ=MINUTELY;INTERVAL=90;COUNT=4"] {
            let rule = try #require(RecurrenceRule(text))
            #expect(!rule.isExpanded)
            #expect(try Self.times(text) == ["1997-09-02T09:00"], "\(text)")
        }
    }

    @Test func `a rule by hours or less is kept and not expanded`() throws {
        for text in [
            "FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T170000Z", "FREQ=MINUTELY;INTERVAL=15;COUNT=6",
            "FREQ=SECONDLY", "FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=30",
            "FREQ=DAILY;BYHOUR=9,10,11,12,13,14,15,16;BYMINUTE=0,20,40;BYSECOND=0,10,20",
        ] {
            let rule = try #require(RecurrenceRule(text))
            #expect(!rule.isExpanded && rule.description.hasPrefix(text.prefix(10)))
            #expect(try Self.times(text) == ["1997-09-02T09:00"], "\(text)")
        }
    }

    @Test(arguments: [
        ("FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYSETPOS=300", "2026-01-05"),
        ("FREQ=MONTHLY;BYDAY=MO;BYSETPOS=6,-6", "2026-01-05"), ("FREQ=MONTHLY;BYMONTHDAY=31;BYMONTH=2,4", "2026-01-05"),
        ("FREQ=MONTHLY;BYDAY=6MO", "2026-01-05"), ("FREQ=MONTHLY;INTERVAL=12;BYMONTH=3", "2026-02-05"),
        ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "2026-01-05"), ("FREQ=YEARLY;BYMONTH=2,4", "2026-01-31"),
        ("FREQ=YEARLY;BYDAY=54MO", "2026-01-05"), ("FREQ=YEARLY;BYMONTH=5;BYDAY=-6FR", "2026-01-05"),
        ("FREQ=YEARLY;BYWEEKNO=20;BYMONTH=1", "2026-01-05"), ("FREQ=YEARLY;BYYEARDAY=366;BYDAY=MO", "2026-01-05"),
        ("FREQ=YEARLY;INTERVAL=4;BYMONTH=2;BYMONTHDAY=29", "2026-02-05"),
    ])
    func `libical is not asked for what never comes, or not within the time`(text: String, from: String) throws {
        let rule = try #require(RecurrenceRule(text))
        let start = try #require(Civil(from + "T00:00"))
        let periods = try #require(rule.periods)
        // The last day of a leap year is a Monday in 2040 again.
        #expect(!periods.mayMatch(from: start, to: start.adding(days: 10 * 366), start: start))
        #expect(
            Series(start: start, isAllDay: true, rules: [rule]).occurrences(
                from: start, to: start.adding(days: 3660), max: 9
            ).all == [start])
    }

    @Test(arguments: [
        ("FREQ=MONTHLY;BYDAY=5MO", "2026-01-05", "2026-03-30"),
        ("FREQ=MONTHLY;BYMONTHDAY=-31", "2026-01-05", "2026-03-01"),
        ("FREQ=YEARLY;BYDAY=53TH", "2026-01-05", "2026-12-31"),
        ("FREQ=YEARLY;BYYEARDAY=366", "2026-01-05", "2028-12-31"),
        ("FREQ=YEARLY;BYWEEKNO=53;BYDAY=MO", "2026-01-05", "2026-12-28"),
        ("FREQ=YEARLY;BYMONTH=2;BYDAY=SU;BYSETPOS=5", "2026-01-05", "2032-02-29"),
        ("FREQ=YEARLY;INTERVAL=2;BYMONTH=2;BYMONTHDAY=29", "2026-01-05", "2028-02-29"),
        ("FREQ=WEEKLY;INTERVAL=40;BYMONTH=3", "2026-01-05", "2035-03-19"),
    ])
    func `what comes seldom is found`(text: String, from: String, next: String) throws {
        let start = try #require(Civil(from + "T00:00"))
        let series = Series(start: start, isAllDay: true, rules: [try #require(RecurrenceRule(text))])
        let found = try #require(series.first(from: start.adding(days: 1)))
        #expect(found.description.prefix(10) == next)
    }

    @Test func `a rule that never matches is found at once, and one that hardly does costs little`() throws {
        let clock = ContinuousClock()
        for text in [
            "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30",
            "FREQ=MONTHLY;BYMONTHDAY=31;BYMONTH=2,4",
            "FREQ=WEEKLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=DAILY;INTERVAL=7;BYDAY=MO",
            "FREQ=MONTHLY;BYDAY=MO;BYSETPOS=300",
            "FREQ=YEARLY;BYYEARDAY=366;BYMONTH=3", "FREQ=DAILY;BYDAY=MO;BYSETPOS=3;BYHOUR=1",
            "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30;BYHOUR=1,2",
        ] {
            guard let rule = RecurrenceRule(text) else { continue }
            let series = Series(start: try #require(Civil("1997-09-02T09:00")), rules: [rule])
            let took = clock.measure { #expect(!series.repeatsEver, "\(text)") }
            // Not asserted as a time: libical alone takes half a second for some of these, and stands still meanwhile.
            #expect(took < .seconds(5), "\(text)")
        }
        #expect(
            try Self.times("FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO", until: "2060-01-01T00:00").dropFirst()
                == ["2016-02-29T09:00", "2044-02-29T09:00"])
        #expect(
            try Self.times("FREQ=DAILY;BYMONTH=1;BYHOUR=9,14", max: 3, until: "1999-12-31T00:00")
                == ["1997-09-02T09:00", "1998-01-01T09:00", "1998-01-01T14:00"])
    }

    @Test func `the 29th to 31st are the month's last day where they are clamped`() throws {
        let thirty = try #require(RecurrenceRule.monthly(clampedTo: 30))
        #expect(thirty.description == "FREQ=MONTHLY;BYMONTHDAY=28,29,30;BYSETPOS=-1")
        let days = try Self.times(thirty.description, from: "2024-01-30T09:00", max: 5, until: "2030-01-01T00:00")
        #expect(days.map { $0.prefix(10) } == ["2024-01-30", "2024-02-29", "2024-03-30", "2024-04-30", "2024-05-30"])
        let last = try #require(RecurrenceRule.monthly(clampedTo: 31)).description
        #expect(
            try Self.times(last, from: "2026-01-31T09:00", max: 4, until: "2030-01-01T00:00").map {
                $0.suffix(11).prefix(5)
            }
                == ["01-31", "02-28", "03-31", "04-30"])
        #expect(RecurrenceRule.monthly(clampedTo: 28) == nil)
    }

    @Test func `from a year in the middle the same comes as from the start`() throws {
        let start = try #require(Civil("2018-11-27T18:00"))
        for text in [
            "FREQ=YEARLY", "FREQ=MONTHLY;INTERVAL=3;BYDAY=-1FR", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE;WKST=SU",
            "FREQ=DAILY;INTERVAL=10", "FREQ=DAILY;BYDAY=MO,TU;BYMONTH=1,6", "FREQ=YEARLY;BYWEEKNO=1,53;BYDAY=MO",
            "FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1", "FREQ=DAILY;INTERVAL=3;BYHOUR=9,14",
            "FREQ=WEEKLY;COUNT=300", "FREQ=MONTHLY;UNTIL=20350101T000000Z",
        ] {
            let series = Series(start: start, rules: [try #require(RecurrenceRule(text))], zone: Zone("Europe/Berlin"))
            let all = series.occurrences(from: start, to: start.adding(days: 366 * 24), max: 10_000).all
            for year in stride(from: 2019, to: 2040, by: 3) {
                let from = try #require(Civil(year: year, month: 3, day: 15, hour: 12))
                let to = from.adding(days: 200)
                let part = series.occurrences(from: from, to: to, max: 10_000).all
                #expect(part == all.filter { from <= $0 && $0 < to }, "\(text) from \(from)")
            }
        }
    }

    @Test func `dates beside the rule come in, those left out go, and the end is known`() throws {
        let start = try #require(Civil("2026-11-24T18:00"))
        var series = Series(start: start, rules: [try #require(RecurrenceRule("FREQ=WEEKLY;COUNT=3"))])
        series.dates = [try #require(Civil("2026-11-25T19:00"))]
        series.exceptions = [try #require(Civil("2026-12-01T18:00"))]
        let all = series.occurrences(from: start, to: start.adding(days: 400), max: 10)
        #expect(
            all.all.map(\.description) == ["2026-11-24T18:00", "2026-11-25T19:00", "2026-12-08T18:00"] && !all.isCut)
        #expect(series.end?.description == "2026-12-08T18:00")
        #expect(series.occurrences(from: start, to: start.adding(days: 400), max: 2).isCut)
        #expect(series.contains(try #require(Civil("2026-12-08T18:00"))))
        #expect(!series.contains(try #require(Civil("2026-12-01T18:00"))))
        series.rules = [try #require(RecurrenceRule("FREQ=WEEKLY"))]
        #expect(series.end == nil && series.first(from: start.adding(days: 1))?.description == "2026-11-25T19:00")
    }

    @Test func `UNTIL in universal time is read in the series' zone, and a date counts to its evening`() throws {
        // 18:00 in Berlin is 17:00 in winter.
        for (until, count) in [("20261208T170000Z", 3), ("20261208T165959Z", 2), ("20261208", 3), ("20261207", 2)] {
            let days = try Self.times(
                "FREQ=WEEKLY;UNTIL=\(until)", from: "2026-11-24T18:00", until: "2030-01-01T00:00", zone: "Europe/Berlin"
            )
            #expect(days.count == count, "\(until)")
        }
        let rule = try #require(RecurrenceRule("FREQ=WEEKLY;COUNT=9"))
        let until = try #require(ICalTime("20261208T165959Z"))
        #expect(rule.ending(at: until)?.description == "FREQ=WEEKLY;UNTIL=20261208T165959Z")
        #expect(rule.ending(at: until)?.counting(4)?.description == "FREQ=WEEKLY;COUNT=4")
    }

    @Test func `what is no rule is none`() {
        for text in [
            "", "FREQ=", "FREQ=NEVER", "COUNT=3", "FREQ=DAILY;COUNT=3;UNTIL=20300101", "FREQ=DAILY;INTERVAL=0",
            "FREQ=DAILY;COUNT=0", "FREQ=DAILY;BYMONTH=13", "FREQ=DAILY;FREQ=DAILY", "FREQ=DAILY;UNTIL=never",
            "FREQ=DAILY;BYDAY=" + String(repeating: "MO,", count: 2000) + "MO",
        ] { #expect(RecurrenceRule(text) == nil, "\(text)") }
        #expect(RecurrenceRule("freq=daily")?.description == "FREQ=DAILY")
    }
}
