import KinCalendar
import KinModel
import Testing

@testable import kin

/// Times as people say them, by tables: what is typed, when and where, and what the clocks there show.
@Suite struct SpokenTimeTests {
    /// A Friday, 19:04 in Berlin.
    private static let friday = "2026-11-20T18:04:05Z"

    private func civil(
        _ text: String, at moment: String = friday, zone name: String = "Europe/Berlin", order: DateOrder? = nil
    ) throws -> String {
        let (zone, now) = (try #require(Zone(name)), try #require(Instant(moment)))
        do throws(Problem) {
            let time = try TypedTime(text, now: now, zone: zone, order: order)
            return zone.civil(at: time.start).description
        } catch { return "? " + error.sentence }
    }

    @Test(
        arguments: [
            // The time before its day.
            ("6pm sat", "2026-11-21T18:00"), ("18 Uhr Samstag", "2026-11-21T18:00"),
            ("6 pm on sat", "2026-11-21T18:00"),
            ("18:00 Do 24.12.", "2026-12-24T18:00"), ("18 Uhr am Samstag", "2026-11-21T18:00"),
            ("am Samstag um 18 Uhr", "2026-11-21T18:00"), ("9am tomorrow", "2026-11-21T09:00"),
            // Parts of a day.
            ("tonight", "2026-11-20T20:00"), ("heute Abend", "2026-11-20T20:00"), ("tonight 8", "2026-11-20T20:00"),
            ("heute abend um 9", "2026-11-20T21:00"), ("8pm tonight", "2026-11-20T20:00"),
            ("this evening 20:30", "2026-11-20T20:30"), ("tomorrow evening", "2026-11-21T19:00"),
            ("morgen Abend 8", "2026-11-21T20:00"), ("sat morning", "2026-11-21T09:00"),
            ("morgen früh", "2026-11-21T09:00"), ("Samstag morgen 8:30", "2026-11-21T08:30"),
            ("morgen nachmittag um 3", "2026-11-21T15:00"), ("sat in the afternoon", "2026-11-21T15:00"),
            ("morgen Mittag", "2026-11-21T12:00"), ("20 Uhr abends", "2026-11-20T20:00"),
            // What goes by until then.
            ("in 2 hours", "2026-11-20T21:04"), ("in 2h", "2026-11-20T21:04"), ("in 2 Stunden", "2026-11-20T21:04"),
            ("in 90 minutes", "2026-11-20T20:34"), ("in einer Stunde", "2026-11-20T20:04"),
            ("in half an hour", "2026-11-20T19:34"), ("in einer halben Stunde", "2026-11-20T19:34"),
            ("in 2 days 18:00", "2026-11-22T18:00"), ("18:00 in 2 days", "2026-11-22T18:00"),
            ("in einer Woche 18 Uhr", "2026-11-27T18:00"), ("in 3 Tagen um 9", "2026-11-23T09:00"),
            // The next, this and the coming one; the week after this.
            ("next friday 18:00", "2026-11-27T18:00"), ("nächsten Freitag 18 Uhr", "2026-11-27T18:00"),
            ("next friday 20:00", "2026-11-27T20:00"), ("this friday 20:00", "2026-11-20T20:00"),
            ("kommenden Freitag 20 Uhr", "2026-11-20T20:00"), ("next mon 8", "2026-11-23T08:00"),
            ("friday next week 18:00", "2026-11-27T18:00"), ("nächste Woche Montag 8 Uhr", "2026-11-23T08:00"),
            ("next sat 10:00", "2026-11-21T10:00"),
            // Months by name, hours with an h.
            ("25 Dec 18h", "2026-12-25T18:00"), ("25. Dez 18 Uhr", "2026-12-25T18:00"),
            ("25. Dez. 18h", "2026-12-25T18:00"), ("Dec 25th 6pm", "2026-12-25T18:00"), ("18h", "2026-11-21T18:00"),
            ("20h", "2026-11-20T20:00"), ("sat 18h30", "2026-11-21T18:30"), ("18h Samstag", "2026-11-21T18:00"),
            ("morgen 18 Uhr", "2026-11-21T18:00"),
        ])
    func `what people say is read`(text: String, expected: String) throws {
        #expect(try civil(text) == expected)
    }

    @Test func `spans that people say have their end`() throws {
        let zone = try #require(Zone("Europe/Berlin"))
        let now = try #require(Instant(Self.friday))
        for (text, hours) in [
            ("18h-20h sat", 2), ("6-8pm sat", 2), ("in 2 hours +3h", 3), ("heute abend 8 bis 11", 3), ("sat 18h 2h", 2),
        ] {
            let time = try TypedTime(text, now: now, zone: zone)
            #expect(time.end.milliseconds(since: time.start) == Int64(hours) * 3_600_000, "\(text)")
            #expect(!time.isEndAssumed, "\(text)")
        }
    }

    @Test func `12/25 is read by the territory, and refused with both readings without one`() throws {
        #expect(try civil("12/25 18:00", order: .monthFirst) == "2026-12-25T18:00")
        #expect(try civil("25/12 18:00", order: .dayFirst) == "2026-12-25T18:00")
        #expect(try civil("5/6 18:00", order: .monthFirst) == "2027-05-06T18:00")
        #expect(try civil("5/6/2027 18:00", order: .dayFirst) == "2027-06-05T18:00")
        #expect(try civil("12/25 18:00", order: .dayFirst).contains("no date"))
        let refused = try civil("12/25 18:00")
        #expect(refused.contains("12.25.") && refused.contains("25.12."), "\(refused)")
        for (locale, order) in [
            ("en_US.UTF-8", .monthFirst), ("en_GB.UTF-8", .dayFirst), ("de_AT", .dayFirst), ("es-PR", .monthFirst),
            ("en_CA.UTF-8", nil), ("sv_SE", nil), ("C.UTF-8", nil), ("POSIX", nil), ("en", nil),
            ("de_DE@euro", .dayFirst),
        ] as [(String, DateOrder?)] {
            #expect(DateOrder(locale: locale) == order, "\(locale)")
        }
        let variables = ["LC_ALL": "", "LC_TIME": "en_US.UTF-8", "LANG": "de_DE.UTF-8"]
        #expect(DateOrder.here { variables[$0] } == .monthFirst)
        #expect(DateOrder.here { _ in nil } == nil)
    }

    @Test(arguments: [
        // Over the end of the year, and on its last evening.
        ("2026-12-31T22:30:00Z", "1 Jan 18:00", "2027-01-01T18:00"),
        ("2026-12-31T21:30:00Z", "tonight", "2026-12-31T23:00"),
        ("2026-12-31T12:00:00Z", "in 2 days 9:00", "2027-01-02T09:00"),
        ("2026-12-31T22:30:00Z", "in 2 hours", "2027-01-01T01:30"),
        ("2026-12-31T12:00:00Z", "next fri 9:00", "2027-01-01T09:00"),
        ("2026-12-31T12:00:00Z", "31.12. 22-24", "2026-12-31T22:00"),
        ("2026-12-31T22:30:00Z", "31 Dec 18:00", "2027-12-31T18:00"),
        // A leap day, and the day before one.
        ("2027-03-01T12:00:00Z", "29 Feb 18:00", "2028-02-29T18:00"),
        ("2028-02-28T12:00:00Z", "tomorrow 9:00", "2028-02-29T09:00"),
        ("2028-02-28T12:00:00Z", "in 2 days 9:00", "2028-03-01T09:00"),
        ("2027-02-28T12:00:00Z", "tomorrow 9:00", "2027-03-01T09:00"),
        // Clocks go forward on 28 March 2027, back on 31 October: hours go by, days are counted.
        ("2027-03-28T00:30:00Z", "in 1 hour", "2027-03-28T03:30"),
        ("2027-03-27T17:00:00Z", "in 24 hours", "2027-03-28T19:00"),
        ("2027-03-27T17:00:00Z", "tomorrow 18:00", "2027-03-28T18:00"),
        ("2027-03-27T17:00:00Z", "in 1 day 18:00", "2027-03-28T18:00"),
        ("2027-10-30T23:30:00Z", "in 1 hour", "2027-10-31T02:30"),
        ("2027-10-31T00:30:00Z", "in 1 hour", "2027-10-31T02:30"),
    ])
    func `years end, days leap, clocks are put forward and back`(now: String, text: String, expected: String) throws {
        #expect(try civil(text, at: now) == expected)
    }

    @Test(arguments: [
        ("2026-03-27T10:00:00Z", "29.3. 2:30", "does not exist"), (friday, "2026-11-19 10:00-11:00", "is over"),
        (friday, "this morning", "is over"), ("2026-11-20T22:30:00Z", "tonight", "is over"),
        (friday, "today 18:00-19:00", "is over"), (friday, "next friday", "no time of day (understood: Fri)"),
        (friday, "25 Dec", "no time of day (understood: Fri 25 Dec)"), (friday, "in 2 days", "no time of day"),
        (friday, "in 0 hours", "\"in\""), (friday, "in 2", "\"in\""), (friday, "tonight 12", "no part of a time"),
        (friday, "6am tonight", "no part of a time"), (friday, "next week 18:00", "no part of a time"),
        (friday, "in 2 hours 18:00", "\"18:00\""), (friday, "sat 18:00 sun", "\"sun\""),
        (friday, "sat in 2 hours", "\"in\""), (friday, "next", "no part of a time"),
        (friday, "morning evening", "\"evening\""),
    ])
    func `what cannot be is refused with what was understood`(now: String, text: String, words: String) throws {
        let said = try civil(text, at: now)
        #expect(said.hasPrefix("? ") && said.contains(words), "\(said)")
    }

    @Test func `each hour of each day is read alike in every order and language`() throws {
        let zone = try #require(Zone("Europe/Berlin"))
        let now = try #require(Instant(Self.friday))
        let days = [
            ("mon", "Montag"), ("tue", "Di"), ("wed", "Mittwoch"), ("thu", "Do."), ("sat", "Samstag"), ("sun", "So"),
        ]
        for (english, german) in days {
            for hour in 0..<24 {
                let half = hour < 12 ? "am" : "pm"
                let times = try [
                    "\(english) \(hour):00", "\(hour):00 \(english)", "\(german) \(hour) Uhr",
                    "\(hour) Uhr am \(german)",
                    "\(english) \((hour + 11) % 12 + 1)\(half)", "\((hour + 11) % 12 + 1)\(half) \(english)",
                    "\(german) \(hour)h",
                ].map { try TypedTime($0, now: now, zone: zone).start }
                #expect(Set(times).count == 1, "\(english) \(hour)")
                let civil = zone.civil(at: times[0])
                #expect(civil.hour == hour && times[0] > now && times[0].milliseconds(since: now) < 7 * 86_400_000)
            }
        }
    }

    @Test func `words of several times that stand apart are told apart, or asked about`() throws {
        let zone = try #require(Zone("Europe/Berlin"))
        let now = try #require(Instant(Self.friday))
        func read(_ words: String...) throws -> [String] {
            try TypedTime.all(words, now: now, zone: zone).map { zone.civil(at: $0.start).description }
        }
        #expect(try read("18:00", "sat", "20:00", "sun") == ["2026-11-21T18:00", "2026-11-22T20:00"])
        #expect(try read("sat", "18", "tomorrow", "20") == ["2026-11-21T18:00", "2026-11-21T20:00"])
        #expect(try read("in", "2", "days", "18:00", "sat", "9") == ["2026-11-22T18:00", "2026-11-21T09:00"])
        #expect(try read("6pm sat", "8pm") == ["2026-11-21T18:00", "2026-11-20T20:00"])
        do throws(Problem) {
            _ = try TypedTime.all(["6pm", "sat", "8pm"], now: now, zone: zone)
            Issue.record("it could be either")
        } catch {
            #expect(error.sentence.contains("\"6pm\" and \"sat 8pm\""), "\(error.sentence)")
        }
    }

    @Test func `a moment ahead may be a day or a span`() throws {
        let zone = try #require(Zone("Europe/Berlin"))
        let now = try #require(Instant(Self.friday))
        try LocalTime.$zone.withValue(zone) {
            for (text, expected) in [
                ("tonight", "2026-11-20T20:00"), ("next friday", "2026-11-27T00:00"), ("25 Dec", "2026-12-25T00:00"),
                ("in 2 days", "2026-11-22T19:04"), ("sat 18:00", "2026-11-21T18:00"), ("Samstag", "2026-11-21T00:00"),
            ] {
                let moment = try #require(Words.ahead(text, now: now), "\(text)")
                #expect(zone.civil(at: moment).description.prefix(16) == expected, "\(text)")
            }
            #expect(Words.ahead("in 2 hours", now: now) == Instant("2026-11-20T20:04:00Z"))
            #expect(Words.ahead("2h", now: now) == now.adding(seconds: 7200))
            #expect(Words.ahead("soon", now: now) == nil)
        }
    }

    @Test(arguments: [
        ("yesterday 18:00", "2026-11-19T18:00"), ("gestern Abend", "2026-11-19T19:00"),
        ("vorgestern 9 Uhr", "2026-11-18T09:00"),
        ("2 hours ago", "2026-11-20T17:04"), ("vor einer halben Stunde", "2026-11-20T18:34"),
        ("vor 2 Tagen", "2026-11-18T19:04"),
        ("fri 18:00", "2026-11-20T18:00"), ("fri 20:00", "2026-11-13T20:00"), ("last friday 20:00", "2026-11-13T20:00"),
        ("letzten Montag", "2026-11-16T00:00"), ("24 Dec", "2025-12-24T00:00"), ("24.12. 18 Uhr", "2025-12-24T18:00"),
        ("heute 18:00", "2026-11-20T18:00"), ("heute 20:00", "?"), ("tomorrow 9:00", "?"), ("some day", "?"),
        ("ago 2", "?"),
        ("in 2 hours", "?"), ("3 hours vor", "?"),
    ])
    func `times that have been are read back from now`(text: String, expected: String) throws {
        let zone = try #require(Zone("Europe/Berlin"))
        let now = try #require(Instant(Self.friday))
        let moment = LocalTime.$zone.withValue(zone) { Words.behind(text, now: now) }
        #expect(moment.map { String(zone.civil(at: $0).description.prefix(16)) } ?? "?" == expected)
    }

    @Test func `what was taken for granted is said`() throws {
        let zone = try #require(Zone("Europe/Berlin"))
        let now = try #require(Instant(Self.friday))
        func said(_ text: String) throws -> String { try TypedTime(text, now: now, zone: zone).said(now: now) }
        #expect(try said("tonight 8-10").contains("(") == false)
        #expect(try said("tonight").contains("since no time of day was given"))
        #expect(try said("next sat 10:00").contains("the first one after today"))
        #expect(try !said("next mon 10:00").contains("the first one after today"))
    }
}
