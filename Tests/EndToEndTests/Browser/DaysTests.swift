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
}
