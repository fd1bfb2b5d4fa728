import KinCodec
import KinModel
import Testing

/// When a calendar reminds of what is new in it, as the page sets it: its owner for all, and each reader for themselves.
@Suite(.serialized, .enabled(if: Browser.isThere, "Chromium and its driver are not installed"))
struct PageCalendarReminderTests {
    let stage: Stage
    let house: House

    init() throws {
        stage = try Stage()
        house = try House(stage)
        try house.found()
        try house.join("bob")
    }

    /// The calendars, open, as somebody sees them.
    private func open(_ who: String) throws -> Browser {
        let browser = try Browser(stage, width: 1280, height: 900)
        try browser.signIn(house, who)
        try browser.click("[data-tab=calendar]")
        try browser.click("#calendar-sources summary")
        try browser.wait("the calendars") { try browser.sees("#calendar-sources .swatch") }
        return browser
    }

    /// Presses the button of a calendar that is so called.
    private func press(_ label: String, _ browser: Browser) throws {
        try browser.wait(label) {
            try browser.run(
                "const one = [...document.querySelectorAll('#calendar-sources button')].find(one => one.ariaLabel === arguments[0]); one?.click(); return !!one",
                .string(label)
            ).bool == true
        }
    }

    private func ticked(_ browser: Browser) throws -> [String] {
        let all = try browser.run(
            "return [...document.querySelectorAll('dialog [name=remind]:checked')].map(one => one.value)")
        return (all.array ?? []).compactMap(\.string)
    }

    private func list(_ who: String, _ part: String) throws -> [JSON] {
        try house.door(as: who).call("calendar.list", [:])[part]?.array ?? []
    }

    @Test func `an owner sets when a calendar reminds, a reader sets another, and the form of a new entry has it`()
        throws
    {
        let ada = try house.door(as: "ada")
        let club = try #require(try ada.call("calendar.add", ["name": "Club"])["calendar"]?["id"])
        _ = try ada.call("calendar.share", ["calendar": club, "with": "everyone", "right": "write"])
        func remind(_ who: String) throws -> JSON? { try list(who, "calendars").first { $0["id"] == club }?["remind"] }
        let owner = try open("ada")
        try press("The calendar Club", owner)
        try owner.click("#calendar-remind summary")
        for minutes in ["60", "1440"] { try owner.click("#calendar-remind [value=\"\(minutes)\"]") }
        if let axe = PageTests.axe { #expect(try owner.violations(axe) == []) }
        try owner.click("dialog button[type=submit]")
        try owner.wait("it to be kept") { try remind("ada") == [1440, 60] }
        #expect(try owner.log() == [])
        // Bob reads it, and is reminded otherwise.
        let reader = try open("bob")
        try press("Your reminders of what is new in Club", reader)
        try reader.wait("the owner's") { try ticked(reader) == ["60", "1440"] }
        #expect(try !reader.sees("[data-do=remind-as-owner]"))
        try reader.click("dialog [value=\"1440\"]")
        try reader.click("dialog button[type=submit]")
        try reader.wait("it to be kept") {
            try list("bob", "reminders") == [["calendar": club, "remind": [60]]]
        }
        #expect(try remind("bob") == [1440, 60] && list("ada", "reminders") == [])
        try reader.wait("the page to know it") {
            try press("Your reminders of what is new in Club", reader)
            try reader.wait("the dialog") { try reader.sees("dialog [name=remind]") }
            let isKnown = try ticked(reader) == ["60"]
            try reader.pressEscape()
            try reader.wait("the dialog to close") { try !reader.sees("dialog") }
            return isKnown
        }
        // A new entry has what counts for its calendar, until another choice is made.
        try reader.click("#new-entry")
        try reader.type("Choir", into: "#entry-subject")
        #expect(try ticked(reader) == [])
        func choose(_ calendar: JSON) throws {
            _ = try reader.run(
                "const one = document.querySelector('#entry-form [name=calendar]'); one.value = arguments[0]; for (const type of ['input', 'change']) one.dispatchEvent(new Event(type, { bubbles: true }))",
                calendar)
        }
        try reader.wait("Bob's own choice") {
            try choose(club)
            return try ticked(reader) == ["60"]
        }
        try reader.click("#entry-form button[type=submit]")
        try reader.wait("the form to close") { try !reader.sees("dialog") }
        let entry = try #require(try house.door(as: "bob").call("entry.all", [:])["entries"]?.array?.first?["id"])
        #expect(try house.door(as: "bob").call("entry.show", ["entry": entry])["remind"] == [60])
        // As the owner has it again.
        try press("Your reminders of what is new in Club", reader)
        try reader.click("[data-do=remind-as-owner]")
        try reader.wait("it to be taken back") { try list("bob", "reminders") == [] }
        #expect(try reader.log() == [])
    }
}
