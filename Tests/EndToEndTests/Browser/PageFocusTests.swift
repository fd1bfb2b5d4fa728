import KinModel
import Testing

/// What has the focus is not lost with what was pressed: whoever goes by keys, or listens, goes on where they were.
@Suite(.serialized, .enabled(if: Browser.isThere, "Chromium and its driver are not installed"))
struct PageFocusTests {
    let stage: Stage
    let house: House
    let browser: Browser

    init() throws {
        stage = try Stage()
        house = try House(stage, family: ["bob"])
        browser = try Browser(stage)
    }

    /// Presses what has the focus.
    private func press() throws { try browser.run("document.activeElement.click()") }

    @Test func `after an entry is done with the next has the focus, and after the last what stands there`() throws {
        // What was before is read, and what is official stands apart.
        _ = try house.door(as: "ada").call("activity.read", ["upTo": .time(Instant.now)])
        for text in ["Soup", "Bread", "Salt"] {
            _ = try house.door(as: "bob").call("activity.say", ["text": .string(text)])
        }
        try browser.signIn(house, "ada")
        try browser.click("[data-tab=inbox]")
        try browser.run(
            "window.said = () => [...document.querySelectorAll('kin-inbox .row')].filter(one => /Soup|Bread|Salt/.test(one.textContent))"
        )
        let rows = "return said().length"
        try browser.wait("the entries") { try browser.run(rows) == 3 }
        try browser.run("said()[0].querySelector('button').focus()")
        // A key that is held does not go through them all.
        try browser.tell(
            "Input.dispatchKeyEvent",
            [
                "type": "keyDown", "key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13, "text": "\r",
                "autoRepeat": true,
            ])
        #expect(try browser.run(rows) == 3)
        for left in [2, 1] as [Int64] {
            try press()
            #expect(try browser.run(rows) == .int(left))
            #expect(
                try browser.run("return document.activeElement === said()[0].querySelector('button')") == true)
        }
        try press()
        #expect(try browser.run(rows) == 0)
        // The next is a row of another kind, or else the screen itself.
        #expect(try browser.run("return document.activeElement.matches('main, main .row button')") == true)
        // Whoever undoes it is back on the screen, too.
        try browser.run("document.querySelector('#told button').focus()")
        try press()
        #expect(try browser.run(rows) == 1)
        #expect(try browser.run("return document.activeElement.matches('main, main .row button')") == true)
    }

    @Test func `a sign-in that ends leaves the focus to the next, and has it again when that is undone`() throws {
        for _ in 1...2 { _ = try house.token("ada") }
        try browser.signIn(house, "ada")
        try browser.click("[data-tab=family]")
        try browser.click("[data-open='family.sessions']")
        let button = "dialog .rows li:not([hidden]) button"
        try browser.wait("the other sign-ins") {
            try browser.run("return document.querySelectorAll(arguments[0]).length > 1", .string(button)) == true
        }
        try browser.run("window.first = document.querySelector(arguments[0]); first.focus()", .string(button))
        try press()
        #expect(
            try browser.run(
                "return document.activeElement !== first && document.activeElement.matches(arguments[0])",
                .string(button)) == true)
        try browser.run("document.querySelector('#told button').focus()")
        try press()
        #expect(try browser.run("return document.activeElement === first") == true)
        // After the last one it is in the dialog still.
        let count = "return document.querySelectorAll(arguments[0]).length"
        while try browser.run(count, .string(button)) != 0 { try press() }
        #expect(try browser.run("return !!document.activeElement.closest('dialog')") == true)
    }

    @Test func `a screen that is moved on in the order keeps the focus`() throws {
        try browser.signIn(house, "ada")
        try browser.click("[data-tab=family]")
        try browser.click("[data-open='family.my-settings']")
        let own = "dialog [aria-label='Move Calendar up']"
        try browser.wait("the order") { try browser.sees(own) }
        try browser.run("document.querySelector(arguments[0]).focus()", .string(own))
        let place =
            "return [document.activeElement.ariaLabel, [...document.querySelectorAll('dialog ol > li')].indexOf(document.activeElement.closest('li'))]"
        let first = try browser.run(place).array?.last?.int ?? 0
        #expect(first > 1)
        for at in (0..<first).reversed() {
            try press()
            #expect(try browser.run(place) == ["Move Calendar up", .int(at)])
        }
        // Before the first there is nothing.
        try press()
        #expect(try browser.run(place) == ["Move Calendar up", 0])
    }

    @Test func `a button that is drawn anew by what it did keeps the focus`() throws {
        let (ada, bob) = (try house.door(as: "ada"), try house.door(as: "bob"))
        let members = try ada.call("member.list", [:])["members"]?.array ?? []
        let made = try bob.call(
            "meeting.propose",
            [
                "title": "Sunday dinner", "kind": "group", "zone": "Europe/Berlin",
                "slots": [["start": "2036-11-23T17:00:00Z", "end": "2036-11-23T19:00:00Z"]],
                "invitees": .array(members.filter { $0["username"] == "ada" }.compactMap { $0["id"] }),
            ])["meeting"]
        let meeting = try #require(made?["id"]?.string)
        _ = try bob.call(
            "meeting.confirm",
            ["meeting": .string(meeting), "slot": made?["slots"]?.array?.first?["id"] ?? .null])
        try browser.signIn(house, "ada")
        try browser.run("location.hash = arguments[0]", .string("#/meetings/\(meeting)"))
        let button = "kin-meeting > .actions [aria-pressed]"
        try browser.wait("the answers") { try browser.sees(button) }
        try browser.run("window.first = document.querySelector(arguments[0]); first.focus()", .string(button))
        try press()
        try browser.wait("the answer to be taken") {
            try browser.run("return document.querySelector(arguments[0])?.ariaPressed", .string(button)) == "true"
        }
        #expect(try browser.run("return first.isConnected") == false, "it was drawn anew")
        #expect(
            try browser.run("return document.activeElement === document.querySelector(arguments[0])", .string(button))
                == true)
    }
}
