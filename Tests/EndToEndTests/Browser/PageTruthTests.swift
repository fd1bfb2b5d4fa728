import Glibc
import KinModel
import Testing

/// What the page says is so: in the inbox, at home, of what ends, to guests and in the calendar's dialogs.
@Suite(.serialized, .enabled(if: Browser.isThere, "Chromium and its driver are not installed"))
struct PageTruthTests {
    let stage: Stage
    let house: House

    init() throws {
        stage = try Stage()
        house = try House(stage, family: ["bob"])
    }

    private func id(_ username: String) throws -> JSON {
        let members = try house.door(as: "ada").call("member.list", [:])["members"]?.array ?? []
        return try #require(members.first { $0["username"]?.string == username }?["id"])
    }

    /// A civil day so many days from now.
    private func day(_ days: Int) -> String {
        String(Instant(milliseconds: (Int64(time(nil)) + Int64(days) * 86_400) * 1000).description.prefix(10))
    }

    @Test func `the inbox names the entry and the calendar that it tells of, and home what stands in the calendar`()
        throws
    {
        let ada = try house.door(as: "ada")
        let personal = try #require(
            (try ada.call("calendar.list", [:])["calendars"]?.array ?? []).first { $0["kind"] == "personal" }?["id"])
        _ = try ada.call("calendar.share", ["calendar": personal, "with": try id("bob"), "right": "read"])
        _ = try ada.call(
            "entry.add",
            [
                "subject": "Cinema", "start": .string("\(day(1))T18:00"), "end": .string("\(day(1))T20:00"),
                "zone": "Etc/UTC", "invitees": [try id("bob")],
            ])
        _ = try ada.call("entry.add", ["subject": "School fair", "start": .string(day(2)), "end": .string(day(2))])
        let room = try ada.call("room.list", [:])["rooms"]?.array?.first { $0["room"]?["kind"] == "family" }
        _ = try ada.call("message.send", ["room": room?["room"]?["id"] ?? .null, "text": "Soup is ready"])
        let browser = try Browser(stage)
        try browser.signIn(house, "bob")
        try browser.wait(for: "Cinema", in: "[aria-labelledby=home-next]")
        try browser.wait(for: "all day", in: "[aria-labelledby=home-next]")
        // What was said is said with its words.
        try browser.wait(for: "Soup is ready", in: "kin-said")
        try browser.draw("home-next")
        try browser.click("[data-tab=inbox]")
        try browser.wait(for: "Cinema", in: "kin-inbox")
        let inbox = try browser.text("kin-inbox")
        #expect(inbox.contains("The calendar Ada"))
        #expect(inbox.contains("Official"), "that a calendar is shared is told officially")
        #expect(try browser.log() == [])
    }

    @Test func `a meeting that is being cancelled is shown as cancelled, and as before when that is undone`() throws {
        _ = try house.door(as: "ada").call(
            "meeting.propose",
            [
                "title": "Brunch", "kind": "group", "zone": "Europe/Berlin",
                "slots": [["start": "2036-11-23T10:00:00Z", "end": "2036-11-23T12:00:00Z"]],
                "invitees": [try id("bob")],
            ])
        let browser = try Browser(stage)
        try browser.signIn(house, "ada")
        try browser.click("[data-tab=meetings]")
        try browser.click("kin-ballot h3 a")
        try browser.wait("its buttons") { try browser.sees("kin-meeting > .actions button") }
        try browser.run(
            "[...document.querySelectorAll('kin-meeting > .actions button')].find(one => one.textContent.startsWith('Cancel')).click()"
        )
        try browser.wait(for: "cancelled", in: "kin-meeting .agreed")
        try browser.wait("the buttons to go") { try !browser.sees("kin-meeting > .actions button") }
        try browser.click("#told button")
        try browser.wait("them again") { try browser.sees("kin-meeting > .actions button") }
        #expect(try browser.log() == [])
    }

    @Test func `app passwords and addresses of calendars are listed where sign-ins are, and end there`() throws {
        let ada = try house.door(as: "ada")
        _ = try ada.call("appPassword.create", ["device": "Ada's phone", "scope": "report"])
        _ = try ada.call("calendar.addFeed", ["name": "Desk"])
        let browser = try Browser(stage)
        try browser.signIn(house, "ada")
        try browser.click("[data-tab=family]")
        try browser.click("[data-open='family.sessions']")
        try browser.wait(for: "Ada's phone", in: "[data-given=appPassword]")
        try browser.wait(for: "Desk", in: "[data-given=feed]")
        try browser.draw("sessions-given")
        // For a while it can be had back.
        try browser.click("[data-given=appPassword] button")
        try browser.wait("it to go") { try !browser.sees("[data-given=appPassword] li") }
        try browser.click("#told button")
        try browser.wait("it again") { try browser.sees("[data-given=appPassword] li") }
        #expect(try ada.call("appPassword.list", [:])["appPasswords"]?.array?.count == 1)
        try browser.click("[data-given=appPassword] button")
        try browser.click("[data-given=feed] button")
        try stage.wait("both to end") {
            try ada.call("appPassword.list", [:])["appPasswords"]?.array?.isEmpty == true
                && ada.call("calendar.feeds", [:])["feeds"]?.array?.isEmpty == true
        }
        #expect(try browser.log() == [])
    }

    @Test func `a sign-in and an invite end on the page, and can be had back for a while`() throws {
        let ada = try house.door(as: "ada")
        _ = try ada.call("invite.create", [:])
        let (phone, tablet) = (try Browser(stage), try Browser(stage))
        try phone.signIn(house, "ada")
        try tablet.signIn(house, "ada")
        try phone.click("[data-tab=family]")
        try phone.click("[data-open='family.sessions']")
        let button = "dialog .rows li:not([hidden]) button"
        func buttons() throws -> Int64 {
            try phone.run("return document.querySelectorAll(arguments[0]).length", .string(button)).int ?? -1
        }
        try phone.wait("the other sign-ins") { try buttons() > 0 }
        let others = try buttons()
        try phone.click(button)
        try phone.wait("one to go") { try buttons() == others - 1 }
        try phone.click("#told button")
        try phone.wait("it again") { try buttons() == others }
        for left in (0..<others).reversed() {
            try phone.click(button)
            try phone.wait("one to go") { try buttons() == left }
        }
        try tablet.wait("the sign-in") { try tablet.url.contains("/signin") }
        #expect(try phone.sees("dialog"), "one's own stays")
        try phone.pressEscape()
        try phone.wait("the dialog to close") { try !phone.sees("dialog") }
        func invites() throws -> Int { try ada.call("invite.list", [:])["invites"]?.array?.count ?? -1 }
        let before = try invites()
        #expect(before > 0)
        try phone.click("#invites")
        for _ in 0..<before { try phone.click(button) }
        try phone.wait(for: "No invitation is open.", in: "dialog")
        try phone.click("#told button")
        try phone.wait("the last one again") { try buttons() == 1 }
        #expect(try invites() > 0)
        try phone.click(button)
        try phone.wait("all to end") { try invites() == 0 }
    }

    @Test func `a calendar's dialog holds its name and colour, and saves whom it is shared with by the same button`()
        throws
    {
        let ada = try house.door(as: "ada")
        func personal() throws -> JSON {
            try #require(
                (try ada.call("calendar.list", [:])["calendars"]?.array ?? []).first { $0["kind"] == "personal" })
        }
        let browser = try Browser(stage)
        try browser.signIn(house, "ada")
        try browser.click("[data-tab=calendar]")
        try browser.click("#calendar-sources summary")
        try browser.wait("the calendars") { try browser.sees("#calendar-sources .swatch") }
        try browser.run(
            "[...document.querySelectorAll('#calendar-sources button')].find(one => one.getAttribute('aria-label')?.includes('Ada')).click()"
        )
        try browser.wait("the dialog") { try browser.sees("dialog #calendar-name") }
        #expect(
            try browser.run("return document.querySelector('#calendar-name').value").string?.contains("Ada") == true)
        try browser.run(
            "const one = document.querySelector('#share-with'); one.value = arguments[0]", try id("bob"))
        try browser.click("dialog button[type=submit]")
        try browser.wait("the dialog to close") { try !browser.sees("dialog") }
        let after = try personal()
        #expect(after["color"] == nil && after["name"] == nil, "what was not touched stays: \(after.text)")
        let shared = try ada.call("calendar.list", [:])["shared"]?.text ?? ""
        #expect(shared.contains(try id("bob").text))
        // An end before the beginning is said in people's words.
        try browser.click("#new-entry")
        try browser.type("Choir", into: "#entry-subject")
        try browser.run("document.querySelector('[name=endDay]').value = '2020-01-01'")
        try browser.click("#entry-form button[type=submit]")
        try browser.wait(for: "It ends before it begins.", in: "#entry-form")
        #expect(try browser.log() == [])
    }

    @Test func `a guest is offered nothing that guests cannot do`() throws {
        let code = try house.door(as: "ada").call("invite.create", ["role": "guest"])["code"] ?? .null
        _ = try house.door().call(
            "member.join",
            ["code": code, "username": "gil", "password": .string(House.password), "displayName": "Gil"])
        let browser = try Browser(stage)
        try browser.signIn(house, "gil")
        // By their addresses: what shows nothing has no tab.
        for (tab, says) in [
            ("lists", "No list is shown to you yet."), ("meetings", "There are no meetings for you yet."),
            ("posts", "No post is shown to you yet."), ("pictures", "No picture is shown to you yet."),
        ] {
            try browser.run("location.hash = arguments[0]", .string("#/\(tab)"))
            try browser.wait(for: says, in: "main")
        }
        #expect(try !browser.sees("#new-list") && !browser.sees("#propose") && !browser.sees("#new-room"))
        try browser.run("location.hash = '#/home'")
        func tabs() throws -> [String] {
            try browser.run("return [...document.querySelectorAll('[data-tab]')].map(one => one.dataset.tab)").array?
                .compactMap(\.string) ?? []
        }
        try browser.wait("the tabs of what there is") {
            try Set(tabs()) == ["home", "map", "meetings", "calendar", "posts", "inbox", "family"]
        }
        // Somebody names the guest: at once there is something to look at.
        let file = stage.folder + "/picture.png"
        try stage.run("sh", "-c", "printf %s '\(UpkeepTests.picture)' | base64 -d >\(file)")
        try stage.run("kin", "pictures", "add", file, "--for", "gil", "--as", "ada")
        try browser.wait("the tab of pictures") { try tabs().contains("pictures") }
        #expect(try !tabs().contains("lists"))
        try browser.click("[data-tab=pictures]")
        try browser.wait("the picture") {
            try browser.run("return document.querySelectorAll('#pictures img').length").int == 1
        }
        let picture = try #require(try house.snapshot("ada").pictures.keys.first)
        _ = try house.door(as: "ada").call("picture.remove", ["picture": .id(picture), "atOnce": true])
        try browser.wait(for: "No picture is shown to you yet.", in: "main")
        try browser.run("location.hash = '#/home'")
        try browser.wait("the tab to go") { try !tabs().contains("pictures") }
        try browser.click("[data-tab=family]")
        try browser.wait("the family") { try browser.sees("[data-open='family.my-name']") }
        #expect(try !browser.sees("[data-open='family.contacts']"))
        #expect(try browser.log() == [])
    }

    @Test func `a spot is chosen on a map, and its name stands on the map that the message leads to`() throws {
        let browser = try Browser(stage)
        try browser.signIn(house, "ada")
        try browser.click("[data-tab=chat]")
        try browser.click("#rooms a")
        try browser.click("#attach")
        try browser.click("#chat-spot")
        try browser.type("Hut", into: "#spot-name")
        try browser.type("52,52 13,405", into: "#spot-at")
        try browser.draw("chat-spot")
        let hasMap = try browser.sees("dialog .leaflet-container")
        if hasMap {
            try browser.click("dialog .map")
            try browser.wait("the degrees of the tap") {
                try browser.run("return document.querySelector('#spot-at').value").string != "52,52 13,405"
            }
            try browser.type("52,52 13,405", into: "#spot-at")
        }
        try browser.click("dialog form button[type=submit]")
        try browser.wait(for: "Hut", in: ".message .spot")
        try browser.click(".message .spot")
        if hasMap { try browser.wait(for: "Hut", in: ".map .pin") }
        #expect(try browser.log() == [])
    }
}
