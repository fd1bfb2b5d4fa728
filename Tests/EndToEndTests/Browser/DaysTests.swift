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
        house = try House(stage)
        try house.found()
        try house.join("bob")
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
}
