import KinModel
import Testing

/// A meeting on the page, from the vote to what is agreed: refused, suggested, reminded, accepted, confirmed.
@Suite(.serialized, .enabled(if: Browser.isThere, "Chromium and its driver are not installed"))
struct PageMeetingTests {
    let stage: Stage
    let house: House

    init() throws {
        stage = try Stage()
        house = try House(stage, family: ["bob", "carol"])
    }

    /// Presses the button that says so.
    private func press(_ text: String, in selector: String, _ browser: Browser) throws {
        try browser.wait("“\(text)” in \(selector)") {
            try browser.run(
                """
                const one = [...document.querySelectorAll(`${arguments[0]} button`)].find(each => each.checkVisibility() && each.textContent.startsWith(arguments[1]))
                one?.click()
                return !!one
                """, .string(selector), .string(text)
            ).bool == true
        }
    }

    @Test
    func
        `one suggests another time, refuses with a reason that all read, who is silent is reminded, and it is agreed on`()
        throws
    {
        let members = try house.door(as: "ada").call("member.list", [:])["members"]?.array ?? []
        let invitees = members.filter { $0["username"]?.string != "ada" }.compactMap { $0["id"] }
        let made = try house.door(as: "ada").call(
            "meeting.propose",
            [
                "title": "Sunday dinner", "kind": "group", "zone": "Europe/Berlin",
                "slots": [["start": "2036-11-23T17:00:00Z", "end": "2036-11-23T19:00:00Z"]],
                "invitees": .array(invitees),
            ])
        let meeting = try #require(made["meeting"]?["id"]?.string)
        let (ada, bob) = (try Browser(stage), try Browser(stage, width: 320, height: 640))
        for (browser, name) in [(ada, "ada"), (bob, "bob")] {
            try browser.signIn(house, name)
            try browser.run("location.hash = arguments[0]", .string("#/meetings/\(meeting)"))
            try browser.wait(for: "Carol", in: "kin-meeting .grid")
        }
        // Another time, which becomes one to vote for.
        try press("Suggest another time", in: "kin-meeting", bob)
        try bob.wait("the form") { try bob.sees("dialog input[type=datetime-local]") }
        // One that is over is refused where it was typed, and stays there to be changed.
        let start = "document.querySelector('dialog input[type=datetime-local]').value"
        try bob.run("\(start) = '2020-11-24T18:00'")
        try bob.click("dialog button[type=submit]")
        try bob.wait(for: "is over", in: "dialog > .wrong")
        #expect(try bob.run("return \(start)").string == "2020-11-24T18:00")
        // It may be typed as well, one at a time.
        try bob.type("2036-11-24 18:00-19:20 2036-11-25 18:00-19:00", into: "#propose-typed")
        try bob.click("dialog button[type=submit]")
        try bob.wait(for: "one after the other", in: "dialog > .wrong")
        try bob.type("2036-11-24 18:00-19:20", into: "#propose-typed")
        try bob.click("dialog button[type=submit]")
        try bob.wait("the form to close") { try !bob.sees("dialog") }
        try ada.wait(for: "suggested by Bob", in: "kin-meeting")
        let suggested = try house.door(as: "ada").call("meeting.show", ["meeting": .string(meeting)])["meeting"]
        let slot = suggested?["suggestions"]?.array?.first
        let (from, to) = (slot?["start"]?.instant, slot?["end"]?.instant)
        #expect(to != nil && to == from?.adding(seconds: 80 * 60))
        try ada.click("kin-meeting .rows .small")
        try bob.wait("two times") {
            try bob.run("return document.querySelectorAll('kin-meeting .slots > li').length").int == 2
        }
        try press("I’m not taking part", in: "kin-meeting", bob)
        try bob.type("I work on Sundays", into: "dialog input")
        try bob.click("dialog button[type=submit]")
        // A finger reads it as well as a mouse.
        try ada.wait(for: "Bob: I work on Sundays", in: "#reasons")
        try bob.wait(for: "Bob: I work on Sundays", in: "#reasons")
        // Who has said nothing is reminded, and nobody else.
        try press("Remind the others", in: "kin-meeting", ada)
        try ada.wait(for: "1 was reminded", in: "#told")
        if let axe = PageTests.axe {
            for browser in [ada, bob] {
                let found = try browser.violations(axe)
                #expect(found == [], "\(found)")
            }
        }
        #expect(try bob.run("return document.documentElement.scrollWidth").int == 320)
        try bob.draw("meeting-refused")
        // Agreed on: the second one.
        try ada.click("kin-meeting > .actions button")
        try ada.wait("the choice") { try ada.sees("dialog form button") }
        try ada.click("dialog form button:nth-of-type(2)")
        try bob.wait("what is agreed") { try bob.sees("kin-meeting .agreed") }
        let slots = try #require(try house.snapshot("bob").meetings.values.first).meeting
        #expect(slots.confirmed == slots.slots.last?.id)
        #expect(try ada.log() == [] && bob.log() == [])
    }

    @Test func `a question about a meeting that failed once is asked again by itself`() throws {
        let members = try house.door(as: "ada").call("member.list", [:])["members"]?.array ?? []
        let made = try house.door(as: "ada").call(
            "meeting.propose",
            [
                "title": "Brunch", "kind": "group", "zone": "UTC",
                "slots": [["start": "2036-11-23T10:00:00Z", "end": "2036-11-23T12:00:00Z"]],
                "invitees": .array(members.filter { $0["username"]?.string != "ada" }.compactMap { $0["id"] }),
            ])
        let meeting = try #require(made["meeting"]?["id"]?.string)
        let browser = try Browser(stage)
        try browser.signIn(house, "bob")
        try browser.wait(for: "Brunch", in: "kin-ballot")
        // The first time the daemon hears another word, and refuses it.
        try browser.run(
            """
            const send = WebSocket.prototype.send
            window.spoiled = 0
            WebSocket.prototype.send = function (text) {
              if (window.spoiled || !text.includes('"meeting.show"')) return send.call(this, text)
              window.spoiled += 1
              return send.call(this, text.replace('"meeting.show"', '"meeting.unknown"'))
            }
            """)
        try browser.run("location.hash = arguments[0]", .string("#/meetings/\(meeting)"))
        try browser.wait(for: "Carol", in: "kin-meeting .grid")
        #expect(try browser.run("return window.spoiled").int == 1)
        #expect(try browser.log() == [])
    }
}
