import Glibc
import KinCodec
import KinModel
import Testing

/// How something repeats, chosen in words on the page; clocks of other places, and the day on which weeks begin. All is in
/// November 2036, whose 24th is a Monday.
@Suite(.serialized, .enabled(if: Browser.isThere, "Chromium and its driver are not installed"))
struct PageRepeatTests {
    let stage: Stage
    let house: House

    init() throws {
        stage = try Stage()
        house = try House(stage, family: ["bob"])
    }

    private func open(
        at day: String = "2036-11-25", language: String = "en", width: Int = 1280, isDark: Bool = false
    ) throws -> Browser {
        let browser = try Browser(stage, language: language)
        try browser.screen(width: width, height: 844, isDark: isDark)
        try browser.signIn(house, "ada")
        try browser.click("[data-tab=calendar]")
        try browser.click("[data-view=month]")
        _ = try browser.run("location.hash = arguments[0]", .string("#/calendar/\(day)"))
        try browser.wait("the day") {
            try browser.run("return document.querySelector('kin-calendar').day").string == day
        }
        return browser
    }

    /// On which days something is, as the daemon has it.
    private func days(_ subject: String) throws -> [String] {
        let found = try house.door(as: "ada").call(
            "entry.list", ["from": "2036-11-01", "to": "2037-11-30", "zone": "UTC"])
        return (found["occurrences"]?.array ?? []).filter { $0["subject"]?.string == subject }
            .compactMap { $0["starts"]?.string.map { String($0.prefix(10)) } }
    }

    private func entry(_ subject: String) throws -> JSON {
        let all = try house.door(as: "ada").call("entry.all", [:])["entries"]?.array ?? []
        return try #require(all.first { $0["subject"]?.string == subject })
    }

    @discardableResult
    private func add(_ subject: String, _ start: String, _ rule: String, zone: String = "UTC") throws -> JSON {
        try house.door(as: "ada").call(
            "entry.add",
            [
                "subject": .string(subject), "start": .string(start), "zone": .string(zone), "repeat": .string(rule),
            ])
    }

    /// Fills fields of the form in, as choosing and typing do.
    private func fill(_ fields: KeyValuePairs<String, String>, _ browser: Browser) throws {
        for (name, value) in fields {
            try browser.run(
                """
                const input = document.querySelector(`#entry-form [name=${arguments[0]}]`)
                input.value = arguments[1]
                for (const type of ['input', 'change']) input.dispatchEvent(new Event(type, { bubbles: true }))
                """, .string(name), .string(value))
        }
    }

    private func openForm(_ browser: Browser) throws {
        try browser.click("#new-entry")
        try browser.wait("the form") { try browser.sees("#entry-form") }
    }

    private func save(_ browser: Browser) throws {
        try browser.click("#entry-form button[type=submit]")
        try browser.wait("the form to close") { try !browser.sees("#entry-form") }
    }

    /// The form of what stands on a day of the month.
    private func change(on day: String, _ browser: Browser) throws {
        try browser.wait("it to stand there") { try browser.sees("td[data-day=\"\(day)\"] .event") }
        try browser.click("td[data-day=\"\(day)\"] .event")
        try browser.click("#entry-change")
        try browser.wait("the form") { try browser.sees("#entry-form") }
    }

    private func value(_ name: String, _ browser: Browser) throws -> String? {
        try browser.run(
            "return document.querySelector(`#entry-form [name=${arguments[0]}]`)?.value", .string(name)
        ).string
    }

    @Test func `a repeat is chosen in words, says what it comes to, and comes on just those days`() throws {
        let browser = try open()
        func put(
            _ subject: String, on day: String, _ fields: KeyValuePairs<String, String>, tick: Int? = nil,
            says words: String
        ) throws {
            try openForm(browser)
            try browser.type(subject, into: "#entry-subject")
            try fill(["startDay": day], browser)
            try fill(fields, browser)
            if let tick {
                try browser.click("#entry-form [name=days][value=\"\(tick)\"]")
            }
            #expect(try browser.text("#rule-words") == words)
            try save(browser)
        }
        try put(
            "Water", on: "2036-11-25", ["repeat": "daily", "every": "3", "end": "count", "count": "4"],
            says: "Every 3 days, 4 times")
        #expect(try days("Water") == ["2036-11-25", "2036-11-28", "2036-12-01", "2036-12-04"])
        // The day on which it begins is ticked already; another is ticked beside it.
        try put(
            "Choir", on: "2036-11-25", ["repeat": "weekly", "end": "until", "until": "2036-12-04"], tick: 4,
            says: "Every week on Tuesday and Thursday, until 4 Dec 2036")
        #expect(try days("Choir") == ["2036-11-25", "2036-11-27", "2036-12-02", "2036-12-04"])
        try put(
            "Chess", on: "2036-11-25", ["repeat": "monthly", "by": "last", "end": "count", "count": "3"],
            says: "Every month on the last Tuesday, 3 times")
        #expect(try days("Chess") == ["2036-11-25", "2036-12-30", "2037-01-27"])
        try put(
            "Market", on: "2036-11-11", ["repeat": "monthly", "by": "nth", "end": "count", "count": "3"],
            says: "Every month on the second Tuesday, 3 times")
        #expect(try days("Market") == ["2036-11-11", "2036-12-09", "2037-01-13"])
        // The 31st: on the last day where there is none, or not at all.
        try put(
            "Rent", on: "2036-12-31", ["repeat": "monthly", "end": "count", "count": "4"],
            says: "Every month on day 31 or the month’s last day, 4 times")
        #expect(try days("Rent") == ["2036-12-31", "2037-01-31", "2037-02-28", "2037-03-31"])
        try put(
            "Stock", on: "2036-12-31", ["repeat": "monthly", "short": "skip", "end": "count", "count": "4"],
            says: "Every month, 4 times")
        #expect(try days("Stock") == ["2036-12-31", "2037-01-31", "2037-03-31", "2037-05-31"])
        try put(
            "Fair", on: "2036-11-25", ["repeat": "yearly", "by": "nth"],
            says: "Every year in November on the fourth Tuesday")
        #expect(try days("Fair") == ["2036-11-25", "2037-11-24"])
        // It is said so where it is read, and the form has it again.
        _ = try browser.run("location.hash = '#/calendar/2036-11-11'")
        try change(on: "2036-11-11", browser)
        #expect(try value("repeat", browser) == "monthly")
        #expect(try value("by", browser) == "nth" && value("count", browser) == "3")
        #expect(try browser.log() == [])
    }

    @Test func `a rule that the form cannot show is said in words, and stays as it is when the rest is changed`() throws
    {
        try add("Pay day", "2036-11-28T09:00", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=3")
        let rule = try entry("Pay day")["times"]?["repeat"]
        let words = "Every month on Monday, Tuesday, Wednesday, Thursday and Friday (of these only the last), 3 times"
        let browser = try open(at: "2036-11-28")
        try browser.wait("it to stand there") { try browser.sees("td[data-day=\"2036-11-28\"] .event") }
        try browser.click("td[data-day=\"2036-11-28\"] .event")
        try browser.wait(for: words, in: "dialog dl")
        try browser.pressEscape()
        try browser.wait("the dialog to close") { try !browser.sees("dialog") }
        try change(on: "2036-11-28", browser)
        #expect(try value("repeat", browser) == "custom")
        #expect(try browser.text("#rule-words") == words)
        #expect(try !browser.sees("#entry-form [name=every]"), "what cannot be shown is not offered")
        try browser.type("Wages", into: "#entry-subject")
        try browser.click("#entry-form button[type=submit]")
        try browser.click("[data-scope=all]")
        try browser.wait("the form to close") { try !browser.sees("dialog") }
        #expect(try entry("Wages")["times"]?["repeat"] == rule)
        #expect(try days("Wages") == ["2036-11-28", "2036-12-31", "2037-01-30"])
        // And it can be given up.
        try change(on: "2036-11-28", browser)
        try fill(["repeat": ""], browser)
        try browser.click("#entry-form button[type=submit]")
        try browser.click("[data-scope=all]")
        try browser.wait("the form to close") { try !browser.sees("dialog") }
        #expect(try days("Wages") == ["2036-11-28"])
        #expect(try browser.log() == [])
    }

    @Test func `one of a series with weekdays is moved alone, and a series moves along with its weekday`() throws {
        try add("Lesson", "2036-11-24T15:00", "FREQ=WEEKLY;BYDAY=MO,WE;COUNT=4")
        try add("Swim", "2036-11-28T15:00", "FREQ=WEEKLY;BYDAY=FR;COUNT=3")
        let browser = try open()
        try change(on: "2036-11-26", browser)
        try fill(["startDay": "2036-11-27"], browser)
        try browser.click("#entry-form button[type=submit]")
        try browser.click("[data-scope=this]")
        try browser.wait("the form to close") { try !browser.sees("dialog") }
        #expect(try days("Lesson") == ["2036-11-24", "2036-11-27", "2036-12-01", "2036-12-03"])
        try change(on: "2036-11-28", browser)
        try fill(["startDay": "2036-11-29"], browser)
        #expect(try browser.text("#rule-words") == "Every week on Saturday, 3 times")
        try browser.click("#entry-form button[type=submit]")
        try browser.click("[data-scope=all]")
        try browser.wait("the form to close") { try !browser.sees("dialog") }
        #expect(try days("Swim") == ["2036-11-29", "2036-12-06", "2036-12-13"])
        #expect(try browser.log() == [])
    }

    @Test func `what a phone says of a single day, its kind and that it may not be, is shown on that day alone`() throws
    {
        func event(_ day: String, _ lines: [String]) -> [String] {
            ["BEGIN:VEVENT", "UID:choir", "DTSTART:\(day)T120000Z", "DURATION:PT1H", "SUMMARY:Choir"] + lines
                + ["END:VEVENT"]
        }
        let lines =
            ["BEGIN:VCALENDAR", "VERSION:2.0"] + event("20361111", ["RRULE:FREQ=WEEKLY;COUNT=3", "CATEGORIES:music"])
            + event("20361118", ["RECURRENCE-ID:20361118T120000Z", "STATUS:TENTATIVE", "CATEGORIES:club"])
            + ["END:VCALENDAR", ""]
        let path = stage.folder + "/choir.ics"
        try Array(lines.joined(separator: "\r\n").utf8).write(file: path)
        try stage.run("kin", "calendar", "import", path, "--as", "ada")
        let browser = try open()
        func chips(_ part: String) throws -> [String?] {
            let found = try browser.run(
                "return ['11', '18', '25'].map(day => { const one = document.querySelector(`td[data-day=\"2036-11-${day}\"] .event`); return one && (\(part)) })"
            )
            return (found.array ?? []).map(\.string)
        }
        try browser.wait("the days") { try chips("one.textContent").allSatisfy { $0 != nil } }
        #expect(try chips("one.querySelector('.what').textContent") == ["🎵 Choir", "👥 Choir", "🎵 Choir"])
        #expect(try chips("one.dataset.is ?? '-'") == ["-", "tentative", "-"])
        for (day, state, category) in [("11", nil, "Music"), ("18", "not decided", "Club")]
            as [(String, String?, String)]
        {
            try browser.click("td[data-day=\"2036-11-\(day)\"] .event")
            try browser.wait(for: category, in: "dialog dl")
            #expect(try browser.text("dialog dl").contains("not decided") == (state != nil), "\(day)")
            try browser.pressEscape()
            try browser.wait("the dialog to close") { try !browser.sees("dialog") }
        }
        #expect(try browser.log() == [])
    }

    @Test func `an entry in another zone says what that is here, and its zone can be chosen`() throws {
        _ = try house.door(as: "ada").call("settings.set", ["zone": "Europe/Berlin"])
        _ = try house.door(as: "ada").call(
            "entry.add", ["subject": "Call", "start": "2036-11-24T18:00", "zone": "America/New_York"])
        let browser = try open()
        try browser.wait("it to stand there") { try browser.sees("td[data-day=\"2036-11-25\"] .event") }
        try browser.click("td[data-day=\"2036-11-25\"] .event")
        try browser.wait(for: "18:00 America/New_York", in: "dialog dl")
        try browser.click("#entry-change")
        try browser.wait("the form") { try browser.sees("#entry-zone") }
        #expect(try value("zone", browser) == "America/New_York" && value("startTime", browser) == "18:00")
        try browser.wait(for: "Times are what a clock in America/New_York shows. For you that is", in: "#zone-there")
        #expect(try browser.text("#zone-there").contains("25 Nov"))
        try fill(["zone": "Mars/Crater"], browser)
        try browser.click("#entry-form button[type=submit]")
        try browser.wait(for: "There is no such time zone.", in: "#entry-form")
        try fill(["zone": "Asia/Tokyo"], browser)
        try browser.wait(for: "24 Nov", in: "#zone-there")
        try save(browser)
        let times = try entry("Call")["times"]
        #expect(times?["zone"] == "Asia/Tokyo" && times?["start"] == "2036-11-24T18:00")
        // A new one is here, unless another place is chosen; whole days have none.
        try openForm(browser)
        #expect(try !browser.sees("#entry-zone"))
        try browser.click("#entry-elsewhere summary")
        try browser.type("Flight", into: "#entry-subject")
        try fill(["zone": "Europe/Lisbon", "startDay": "2036-11-26", "startTime": "07:15"], browser)
        try save(browser)
        #expect(try entry("Flight")["times"]?["zone"] == "Europe/Lisbon")
        #expect(try browser.log() == [])
    }

    @Test func `weeks begin where the member has them begin, on every screen`() throws {
        _ = try house.door(as: "ada").call("settings.set", ["weekStart": "saturday"])
        let browser = try open()
        try browser.wait("the month's weeks") { try browser.text(".month th:first-child") == "Sat" }
        // In the form, too.
        try openForm(browser)
        try fill(["repeat": "weekly"], browser)
        #expect(try browser.run("return document.querySelector('#entry-form [name=days]').value").string == "6")
        try browser.pressEscape()
        try browser.wait("the form to close") { try !browser.sees("dialog") }
        try browser.click("[data-view=week]")
        try browser.wait("the week") {
            try browser.run("return document.querySelector('.heads [data-day]')?.dataset.day").string == "2036-11-22"
        }
        try browser.click("[data-view=wall]")
        func begun() throws -> [String] {
            let found = try browser.run(
                "return [...document.querySelectorAll('.wall tr[data-begins=week] td:nth-child(2)')].map(one => one.dataset.day)"
            )
            return (found.array ?? []).compactMap(\.string)
        }
        try browser.wait("the planner's weeks") {
            try begun() == ["2036-11-01", "2036-11-08", "2036-11-15", "2036-11-22", "2036-11-29"]
        }
        // Another setting shows at once.
        _ = try house.door(as: "ada").call("settings.set", ["weekStart": "sunday"])
        try browser.wait("the planner's weeks") {
            try begun() == ["2036-11-02", "2036-11-09", "2036-11-16", "2036-11-23", "2036-11-30"]
        }
        try browser.click("[data-view=month]")
        try browser.wait("the month's weeks") { try browser.text(".month th:first-child") == "Sun" }
        #expect(try browser.log() == [])
    }

    @Test func `days beside the rule are added and left out in the form, and move along with all of it`() throws {
        let browser = try open()
        func another(_ day: String) throws {
            try browser.run(
                """
                const day = document.querySelector('#entry-date')
                day.value = arguments[0]
                day.dispatchEvent(new Event('input', { bubbles: true }))
                """, .string(day))
        }
        try openForm(browser)
        try browser.type("Choir", into: "#entry-subject")
        try fill(
            ["startDay": "2036-11-25", "startTime": "19:30", "repeat": "weekly", "end": "count", "count": "2"], browser)
        try browser.click("#entry-dates summary")
        try another("2036-11-27")
        try browser.click("#entry-date-add")
        try browser.wait("it to be listed") { try browser.sees("[data-date=\"2036-11-27\"]") }
        // One that is chosen and not added counts, too.
        try another("2036-11-28")
        try save(browser)
        #expect(try days("Choir") == ["2036-11-25", "2036-11-27", "2036-11-28", "2036-12-02"])
        #expect(try entry("Choir")["times"]?["dates"] == ["2036-11-27T19:30", "2036-11-28T19:30"])

        try change(on: "2036-11-25", browser)
        try browser.click("[data-date=\"2036-11-27T19:30\"]")
        try another("2036-11-29")
        try fill(["startTime": "20:00"], browser)
        #expect(try browser.violations(try #require(PageTests.axe)) == [])
        try browser.click("#entry-form button[type=submit]")
        try browser.wait("the question") { try browser.sees("[data-scope=all]") }
        #expect(try !browser.sees("[data-scope=this]"), "one day alone has no other days")
        try browser.click("[data-scope=all]")
        try browser.wait("the form to close") { try !browser.sees("dialog") }
        #expect(try entry("Choir")["times"]?["start"] == "2036-11-25T20:00")
        #expect(try entry("Choir")["times"]?["dates"] == ["2036-11-28T20:00", "2036-11-29T20:00"])
        // What was before is not what is changed from one day on.
        try browser.wait("the month to be as it is now") {
            try !browser.sees("td[data-day=\"2036-11-27\"] .event")
        }
        try change(on: "2036-12-02", browser)
        try another("2036-12-05")
        try browser.click("#entry-form button[type=submit]")
        try browser.click("[data-scope=following]")
        try browser.wait("the form to close") { try !browser.sees("dialog") }
        #expect(try days("Choir").sorted() == ["2036-11-25", "2036-11-28", "2036-11-29", "2036-12-02", "2036-12-05"])
        #expect(try browser.log() == [])
    }

    /// With `KINWIRE_SCREENSHOTS=DIR` pictures are written there, to be looked at.
    @Test func `every way of repeating fits its screen and keeps the rules of accessibility`() throws {
        let axe = try #require(PageTests.axe)
        for (language, width, isDark) in [("en", 1280, false), ("de", 320, true)] {
            let browser = try open(at: "2036-12-31", language: language, width: width, isDark: isDark)
            try openForm(browser)
            try browser.click("#entry-elsewhere summary")
            try fill(["zone": "America/Argentina/ComodRivadavia"], browser)
            for (name, fields) in [
                ("daily", ["repeat": "daily", "end": "count"]), ("weekly", ["repeat": "weekly", "end": "until"]),
                ("monthly", ["repeat": "monthly", "end": "never"]), ("yearly", ["repeat": "yearly"]),
            ] as [(String, KeyValuePairs<String, String>)] {
                try fill(fields, browser)
                try browser.wait("the words") { try browser.sees("#rule-words") }
                #expect(try browser.violations(axe) == [], "\(name), \(language)")
                let wide = try browser.run(
                    """
                    const dialog = document.querySelector('dialog[open]')
                    return Math.max(document.documentElement.scrollWidth - innerWidth, dialog.scrollWidth - dialog.clientWidth)
                    """)
                #expect(wide.int == 0, "\(name), \(width)")
                try browser.run("document.querySelector('.rule').scrollIntoView()")
                try browser.draw("repeat-\(name)-\(width)-\(language)")
            }
            #expect(try browser.log() == [])
        }
    }
}
