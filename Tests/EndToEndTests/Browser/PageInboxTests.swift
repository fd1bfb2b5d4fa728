import KinModel
import Testing

/// The inbox on the page: grouped, official apart, in step on all devices, and what rings one step away.
@Suite(.serialized, .enabled(if: Browser.isThere, "Chromium and its driver are not installed"))
struct PageInboxTests {
    let stage: Stage
    let house: House

    init() throws {
        stage = try Stage()
        house = try House(stage, family: ["bob", "carol"])
    }

    /// A meeting on which both vote, so that one entry has several lines.
    private func meet(_ title: String = "Sunday dinner") throws {
        let ada = try house.door(as: "ada")
        let members = try ada.call("member.list", [:])["members"]?.array ?? []
        let made = try ada.call(
            "meeting.propose",
            [
                "title": .string(title), "kind": "group", "zone": "Europe/Berlin",
                "slots": [["start": "2036-11-23T17:00:00Z", "end": "2036-11-23T19:00:00Z"]],
                "invitees": .array(members.filter { $0["username"]?.string != "ada" }.compactMap { $0["id"] }),
            ])["meeting"]
        let votes: JSON = [["slot": made?["slots"]?.array?.first?["id"] ?? .null, "answer": "yes"]]
        for name in ["bob", "carol"] {
            _ = try house.door(as: name).call("meeting.vote", ["meeting": made?["id"] ?? .null, "votes": votes])
        }
    }

    private func announce(_ text: String) throws {
        _ = try house.door(as: "ada").call("activity.announce", ["text": .string(text)])
    }

    private func open(_ who: String) throws -> Browser {
        let browser = try Browser(stage)
        try browser.signIn(house, who)
        try browser.click("[data-tab=inbox]")
        try browser.wait("the inbox") { try browser.sees("kin-inbox h1") }
        return browser
    }

    /// How many entries that are unread name this.
    private func count(_ title: String, _ browser: Browser) throws -> Int64 {
        try browser.run(
            "return [...document.querySelectorAll('kin-inbox .rows:not(.old) > .row')].filter(one => one.textContent.includes(arguments[0])).length",
            .string(title)
        ).int ?? -1
    }

    /// Presses the button of an entry that is done with.
    private func dismiss(_ title: String, _ browser: Browser) throws {
        try browser.run(
            "[...document.querySelectorAll('kin-inbox .row')].find(one => one.textContent.includes(arguments[0])).querySelector('button').click()",
            .string(title))
        try browser.wait(for: "It is done with.", in: "#told")
    }

    /// Whether the daemon holds an unread entry of a meeting.
    private func isHeld() throws -> Bool {
        try house.snapshot("ada").inbox.entries.contains { $0.about.hasPrefix("meeting/") }
    }

    @Test func `what belongs together is one entry, and what two devices read and clear is so on both`() throws {
        try meet()
        let (phone, tablet) = (try open("ada"), try open("ada"))
        for browser in [phone, tablet] {
            try browser.wait("one entry of the meeting, with both votes") {
                let row = try browser.run(
                    "return [...document.querySelectorAll('kin-inbox .row')].find(one => one.textContent.includes('Sunday dinner'))?.textContent ?? ''"
                ).string
                let isWhole = row?.contains("Bob") == true && row?.contains("Carol") == true
                return try isWhole && count("Sunday dinner", browser) == 1
            }
        }
        // Done with on one: gone on the other when nobody had it back.
        try dismiss("Sunday dinner", phone)
        #expect(try count("Sunday dinner", phone) == 0)
        #expect(try count("Sunday dinner", tablet) == 1, "it can still be had back")
        try tablet.wait("it to go") { try count("Sunday dinner", tablet) == 0 }
        // Read on the other: nothing is left on either, nor counted.
        try meet("Breakfast")
        try tablet.wait(for: "Breakfast", in: "kin-inbox")
        try tablet.click("#read-all")
        for browser in [phone, tablet] {
            try browser.wait(for: "You have read everything", in: "kin-inbox")
            try browser.wait("no number on the tab") {
                try browser.run("return document.querySelector('[data-tab=inbox] .count').textContent").string == ""
            }
        }
        // What was read can be read again; what was cleared is gone for good.
        try phone.run("[...document.querySelectorAll('kin-inbox section > button.quiet')].at(-1).click()")
        try phone.wait(for: "Breakfast", in: "kin-inbox .old")
        #expect(try !phone.text("kin-inbox .old").contains("Sunday dinner"))
        #expect(try phone.log() == [] && tablet.log() == [])
    }

    @Test func `what is held back for seven seconds is sent when one leaves the page`() throws {
        try meet()
        let browser = try open("ada")
        try browser.wait(for: "Sunday dinner", in: "kin-inbox")
        try dismiss("Sunday dinner", browser)
        #expect(try isHeld(), "it is not sent yet")
        try browser.open(house.url + "/phone")
        try browser.wait("it to be sent") { try !isHeld() }
    }

    @Test func `official words stand apart, and what comes and rings is set from here`() throws {
        try announce("Water is off on Monday")
        _ = try house.door(as: "ada").call("activity.say", ["text": "Soup is ready"])
        let browser = try open("bob")
        try browser.wait(for: "Water is off on Monday", in: "kin-inbox")
        try browser.wait(for: "Soup is ready", in: "kin-inbox")
        let parts = try browser.run(
            """
            return [...document.querySelectorAll('kin-inbox section:not([hidden])')].filter(one => one.querySelector('h2'))
              .map(one => [one.querySelector('h2').textContent, one.textContent.includes('Water is off'), one.textContent.includes('Soup is ready')])
            """)
        #expect(parts == [["Official", true, false], ["What happened", false, true]], "\(parts)")
        // Muted, and quiet at night.
        try browser.click("#inbox-rules")
        try browser.wait("the rules") { try browser.sees("#save-rules") }
        try browser.click("[data-kinds=said]")
        try browser.click("#rules-quiet")
        try browser.click("#save-rules")
        try browser.wait("it to be saved") { try !browser.sees("#save-rules") }
        let rules = try house.door(as: "bob").call("activity.rules", [:])["rules"]
        #expect(rules?["mute"] == ["said"] && rules?["quiet"]?["from"] == "22:00", "\(rules ?? .null)")
        _ = try house.door(as: "ada").call("activity.say", ["text": "There is cake as well"])
        try announce("Water is back")
        try browser.wait(for: "Water is back", in: "kin-inbox")
        #expect(try !browser.text("kin-inbox").contains("There is cake"))
        if let axe = PageTests.axe { #expect(try browser.violations(axe) == []) }
        try browser.draw("inbox")
        #expect(try browser.log() == [])
    }

    @Test func `what is unread above is not said to be all that there was`() throws {
        let (ada, bob) = (try house.door(as: "ada"), try house.door(as: "bob"))
        _ = try bob.call("activity.say", ["text": "Soup"])
        _ = try ada.call("activity.read", ["upTo": .time(Instant.now)])
        for text in ["Bread", "Salt", "Wine"] { _ = try bob.call("activity.say", ["text": .string(text)]) }
        let browser = try Browser(stage)
        // A page of the list has two entries instead of thirty.
        try browser.beforehand(
            """
            const Real = window.WebSocket
            window.WebSocket = class extends Real {
              send(text) { super.send(text.replace('"method":"activity.list","params":{"limit":30', '"method":"activity.list","params":{"limit":2')) }
            }
            """)
        try browser.signIn(house, "ada")
        try browser.click("[data-tab=inbox]")
        try browser.wait(for: "Wine", in: "kin-inbox")
        try browser.click("kin-inbox section:last-child button")
        try browser.wait(for: "Soup", in: "kin-inbox .rows.old")
        #expect(try !browser.text("kin-inbox").contains("There is nothing earlier"))
    }
}
