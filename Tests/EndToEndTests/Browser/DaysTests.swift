import KinCalendar
import KinCodec
import KinModel
import Testing

/// Days are picked in a small calendar where a meeting is proposed.
@Suite(.serialized, .enabled(if: Browser.isThere, "Chromium and its driver are not installed"))
struct DaysTests {
    let stage: Stage
    let house: House

    init() throws {
        stage = try Stage()
        house = try House(stage, family: ["bob"])
    }

    @Test func `a tap adds a day with the last time of day, and another takes it away`() throws {
        _ = try house.door(as: "ada").call("settings.set", ["weekStart": "sunday"])
        let browser = try Browser(stage)
        try browser.signIn(house, "ada")
        try browser.click("[data-tab=meetings]")
        try browser.click("#propose")
        try browser.type("Walk", into: "#propose-title")
        #expect(try browser.text(".days .week span:first-child") == "Sun")
        func slots() throws -> [String] {
            let all = try browser.run(
                "return [...document.querySelectorAll('dialog li.slot input[type=datetime-local]')].map(one => one.value)"
            )
            return all.array?.compactMap(\.string) ?? []
        }
        let first = try #require(try slots().first)
        try browser.run(
            """
            const one = document.querySelector('dialog li.slot input')
            one.value = one.value.slice(0, 11) + '17:30'
            one.dispatchEvent(new Event('change', { bubbles: true }))
            """)
        // A month on every day is still to come.
        try browser.click(".days .next")
        try browser.click(".days .day:nth-of-type(3)")
        let day = try browser.run("return document.activeElement.dataset.day").string ?? ""
        #expect(try slots() == [first.prefix(11) + "17:30", day + "T17:30"])
        #expect(try browser.run("return document.activeElement.getAttribute('aria-pressed')").string == "true")
        // The day is called as the calendar calls it.
        let label = try browser.run("return document.activeElement.ariaLabel").string
        let long = try browser.look(
            "return import(folder + 'calendar-days.js').then(all => all.longDay(arguments[0][0]))", .string(day))
        #expect(label == long.string)
        // By keyboard as well.
        try browser.run("document.activeElement.click()")
        #expect(try slots().count == 1)
        try browser.click(".days .day:nth-of-type(5)")
        try browser.click("dialog button[type=submit]")
        try browser.wait("the meeting") {
            let meetings =
                try house.door(as: "bob").call("meeting.list", ["view": "invitations"])["meetings"]?.array ?? []
            return meetings.contains { $0.bytes.count > 0 }
        }
        #expect(try browser.log() == [])
    }

    @Test func `who proposes sees at each time who is busy then, and of whom nothing is known`() throws {
        try house.join("carol")
        let bob = try house.door(as: "bob")
        let own = (try bob.call("calendar.list", [:])["calendars"]?.array ?? []).first {
            $0["kind"] == "personal" && $0["right"] == "own"
        }
        let calendar = try #require(own?["id"])
        _ = try bob.call("calendar.share", ["calendar": calendar, "with": "everyone", "right": "busy"])
        _ = try bob.call(
            "entry.add",
            [
                "subject": "Surgery", "start": "2036-11-24T18:30", "end": "2036-11-24T19:30", "zone": "UTC",
                "calendar": calendar,
            ])
        let browser = try Browser(stage, width: 320)
        _ = try house.door(as: "ada").call("settings.set", ["zone": "UTC"])
        try browser.signIn(house, "ada")
        try browser.click("[data-tab=meetings]")
        try browser.click("#propose")
        try browser.wait("the form") { try browser.sees("#propose-title") }
        func begin(_ start: String) throws {
            // The browser's own clock reads what is typed; it need not be the daemon's.
            try browser.run(
                """
                const one = document.querySelector('dialog li.slot input'), at = new Date(arguments[0]), two = number => String(number).padStart(2, '0')
                one.value = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}`
                for (const type of ['input', 'change']) one.dispatchEvent(new Event(type, { bubbles: true }))
                """, .string(start))
        }
        try begin("2036-11-24T18:00:00Z")
        try browser.wait(for: "Busy then: Bob", in: "dialog li.slot")
        try browser.wait(for: "they show you nothing of their calendar: Carol", in: "dialog li.slot")
        #expect(try !browser.run("return document.documentElement.outerHTML").text.contains("Surgery"))
        if let axe = PageTests.axe { #expect(try browser.violations(axe) == []) }
        let wide = try browser.run(
            "const one = document.querySelector('dialog'); return one.scrollWidth - one.clientWidth")
        #expect(wide.int == 0, "nothing overflows")
        try browser.draw("propose-busy")
        // At another time, and without who is not asked, it is otherwise.
        try begin("2036-11-25T18:00:00Z")
        try browser.wait(for: "Nobody is busy then who shows it.", in: "dialog li.slot")
        #expect(try !browser.text("dialog li.slot").contains("Bob"))
        try browser.run(
            "[...document.querySelectorAll('dialog label.check')].find(one => one.textContent === 'Carol').click()")
        try browser.wait("nothing to be said of her") { try !browser.text("dialog li.slot").contains("Carol") }
        #expect(try browser.log() == [])
    }

    @Test func `times at which nobody is busy are looked for within hours of the day, and stand in the form`() throws {
        let bob = try house.door(as: "bob")
        let own = (try bob.call("calendar.list", [:])["calendars"]?.array ?? []).first { $0["kind"] == "personal" }
        let calendar = try #require(own?["id"])
        _ = try bob.call("calendar.share", ["calendar": calendar, "with": "everyone", "right": "busy"])
        _ = try bob.call(
            "entry.add",
            ["subject": "Surgery", "start": "2036-11-24T18:30", "minutes": 60, "zone": "UTC", "calendar": calendar])
        _ = try house.door(as: "ada").call("settings.set", ["zone": "UTC"])
        let browser = try Browser(stage, width: 320)
        try browser.signIn(house, "ada")
        try browser.click("[data-tab=meetings]")
        try browser.click("#propose")
        try browser.wait("the form") { try browser.sees("#propose-title") }
        func find(_ fields: KeyValuePairs<String, String>) throws {
            _ = try browser.run("document.querySelector('#find-times').open = true")
            for (name, value) in fields {
                try browser.run(
                    "document.querySelector(`#find-times [name=find-${arguments[0]}]`).value = arguments[1]",
                    .string(name), .string(value))
            }
            try browser.click("#find-times button")
        }
        func slots() throws -> [String] {
            let all = try browser.run(
                "return [...document.querySelectorAll('dialog li.slot input[type=datetime-local]')].map(one => one.value)"
            )
            return all.array?.compactMap(\.string) ?? []
        }
        try find(["from": "2036-11-24", "to": "2036-11-25", "earliest": "18:00", "latest": "22:00"])
        try browser.wait(for: "3 times are found", in: "#find-times")
        #expect(try slots() == ["2036-11-24T19:30", "2036-11-25T18:00", "2036-11-25T20:00"])
        if let axe = PageTests.axe { #expect(try browser.violations(axe) == []) }
        // Where somebody is always busy, what stood there stays.
        try find(["to": "2036-11-24", "latest": "20:00"])
        try browser.wait(for: "In those days and hours somebody is always busy.", in: "#find-times")
        #expect(try slots().count == 3)
        #expect(try browser.log() == [])
    }

    @Test(arguments: [
        (
            "en",
            [
                "tomorrow 18:30", "6:30 PM–", "sat", "has no time of day", "sat blah", "“blah”",
                "sat 15:00 sun 9-10:30",
            ]
        ),
        ("de", ["morgen 18:30", "18:30–", "sa", "hat keine Uhrzeit", "sa bla", "„bla“", "sa 15 Uhr so 9-10:30"]),
    ])
    func `times are typed as kin reads them, and what is none is said and stays typed`(
        language: String, texts: [String]
    ) throws {
        _ = try house.door(as: "ada").call("settings.set", ["zone": "Europe/Berlin"])
        let browser = try Browser(stage, language: language, width: 320)
        try browser.signIn(house, "ada")
        try browser.click("[data-tab=meetings]")
        try browser.click("#propose")
        try browser.type("Walk", into: "#propose-title")
        func slots() throws -> [String] {
            let all = try browser.run(
                "return [...document.querySelectorAll('dialog li.slot')].map(one => [...one.querySelectorAll('input')].map(each => each.value).join(' '))"
            )
            return all.array?.compactMap(\.string) ?? []
        }
        #expect(try slots().count == 1)
        // It says how it is understood before it is taken; then it stands in the place of what was offered.
        try browser.type(texts[0], into: "#propose-typed")
        try browser.wait(for: texts[1], in: "#propose-understood")
        try browser.click("#propose-take")
        try browser.wait("the time") { try slots().first?.hasSuffix("T18:30 2") == true }
        #expect(try slots().count == 1)
        #expect(try browser.run("return document.querySelector('#propose-typed').value") == "")
        for (typed, said) in [(texts[2], texts[3]), (texts[4], texts[5])] {
            try browser.type(typed, into: "#propose-typed")
            try browser.press("Enter", code: 13)
            try browser.wait(for: said, in: "#typed-times .wrong")
            #expect(try browser.run("return document.querySelector('#propose-typed').value").string == typed)
        }
        if let axe = PageTests.axe { #expect(try browser.violations(axe) == []) }
        try browser.draw("propose-typed-\(language)")
        // Several at once, entered by sending the form.
        try browser.type(texts[6], into: "#propose-typed")
        try browser.click("dialog button[type=submit]")
        try browser.wait("the meeting") { try house.snapshot("bob").meetings.values.first != nil }
        let meeting = try #require(try house.snapshot("bob").meetings.values.first?.meeting)
        let zone = try #require(Zone("Europe/Berlin"))
        let times = Set(
            meeting.slots.map {
                let (start, end) = (zone.civil(at: $0.start), zone.civil(at: $0.end))
                return "\(start.weekday) \(start.description.suffix(5)) \(end.description.suffix(5))"
            })
        #expect(meeting.slots.count == 3)
        #expect(times.isSuperset(of: ["6 15:00 17:00", "7 09:00 10:30"]), "\(times)")
        #expect(try browser.log() == [])
    }

    @Test func `on a device whose clock is wrong by months the days to pick are those to come`() throws {
        let browser = try Browser(stage)
        try browser.beforehand(
            """
            const Real = Date, ahead = 100 * 86_400_000
            Date = class extends Real {
              constructor(...all) { if (all.length) super(...all); else super(Real.now() + ahead) }
              static now() { return Real.now() + ahead }
            }
            window.Real = Real
            """)
        try browser.signIn(house, "ada")
        try browser.wait("the clock to be found wrong") { try browser.sees(".clock-wrong") }
        try browser.click("[data-tab=meetings]")
        try browser.click("#propose")
        try browser.wait("the form") { try browser.sees(".days .day") }
        let offered = try browser.run(
            """
            const { value } = document.querySelector('dialog li.slot input'), first = document.querySelector('.days .day:not(:disabled)').dataset.day
            return [value, first].map(one => (Real.parse(one) - Real.now()) / 86_400_000)
            """)
        let far = (offered.array ?? []).compactMap(\.double)
        #expect(far.count == 2 && far.allSatisfy { abs($0) < 3 }, "\(offered)")
    }
}
