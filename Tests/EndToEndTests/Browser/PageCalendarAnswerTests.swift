import KinCodec
import KinModel
import Testing

/// What one says of an entry on the page besides changing it: that one is interested, when one is reminded, and one answer
/// to all of a series. All is on 24 November 2036 and later.
@Suite(.serialized, .enabled(if: Browser.isThere, "Chromium and its driver are not installed"))
struct PageCalendarAnswerTests {
    let stage: Stage
    let house: House

    init() throws {
        stage = try Stage()
        house = try House(stage)
        try house.found()
        try house.join("bob")
    }

    private static let event = ".day-list .event"

    private func bob() throws -> JSON {
        let members = try house.door(as: "ada").call("member.list", [:])["members"]?.array ?? []
        return try #require(members.first { $0["username"]?.string == "bob" }?["id"])
    }

    /// Ada puts something down.
    private func add(_ more: JSON.Object) throws -> JSON {
        var params: JSON.Object = ["subject": "Concert", "start": "2036-11-24T18:00", "zone": "UTC"]
        for member in more.members { params[member.name] = member.value }
        return try #require(try house.door(as: "ada").call("entry.add", .object(params))["entry"]?["id"])
    }

    private func shown(_ entry: JSON) throws -> JSON {
        try house.door(as: "bob").call("entry.show", ["entry": entry])
    }

    /// Bob's list of what is on.
    private func open() throws -> Browser {
        let browser = try Browser(stage, width: 1280, height: 900)
        try browser.signIn(house, "bob")
        try browser.click("[data-tab=calendar]")
        try browser.click("[data-view=agenda]")
        _ = try browser.run("location.hash = '#/calendar/2036-11-24'")
        try browser.wait("it to stand there") { try browser.sees(Self.event) }
        return browser
    }

    private func openEntry(_ browser: Browser) throws {
        try browser.click(Self.event)
        try browser.wait("all there is to it") { try browser.sees("dialog dl") }
    }

    private func close(_ browser: Browser) throws {
        try browser.pressEscape()
        try browser.wait("the dialog to close") { try !browser.sees("dialog") }
    }

    @Test func `who is not asked says that they are interested, and when to be reminded, as the list says too`() throws
    {
        let ada = try house.door(as: "ada")
        let club = try #require(try ada.call("calendar.add", ["name": "Club"])["calendar"]?["id"])
        _ = try ada.call("calendar.share", ["calendar": club, "with": "everyone", "right": "read"])
        let entry = try add(["calendar": club])
        let browser = try open()
        #expect(try !browser.text(Self.event).contains("★"))
        try openEntry(browser)
        try browser.click("dialog .entry .actions [aria-pressed=false]")
        try browser.wait(for: "Interested", in: "dialog dl")
        #expect(try shown(entry)["entry"]?["stars"] == [try bob()])
        try browser.click("dialog [data-do=remind]")
        try browser.click("[name=remind][value=\"15\"]")
        try browser.click("form:has([name=remind]) button[type=submit]")
        try browser.wait("the reminder to be kept") { try shown(entry)["remind"] == [15] }
        try close(browser)
        try browser.wait("the list to say so") { try browser.text(Self.event).contains("★") }
        let label = try browser.run("return document.querySelector(arguments[0]).ariaLabel", .string(Self.event))
        #expect(label.string?.contains("you are interested") == true, "\(label.text)")
        if let axe = PageTests.axe { #expect(try browser.violations(axe) == []) }
        try openEntry(browser)
        try browser.click("dialog .entry .actions [aria-pressed=true]")
        try browser.wait("it to be taken back") { try shown(entry)["entry"]?["stars"] == [] }
        try close(browser)
        try browser.wait("the list to say so") { try !browser.text(Self.event).contains("★") }
        #expect(try browser.log() == [])
    }

    @Test func `an answer to one of a series is given to all of it by a second tap`() throws {
        let entry = try add(["repeat": "weekly", "until": "2036-12-20", "invitees": [try bob()]])
        let browser = try open()
        try browser.click(".day-list [data-answer=accepted]")
        try browser.wait("the answer to one") { try shown(entry)["entry"]?["answers"]?.array?.count == 1 }
        #expect(try shown(entry)["entry"]?["invitees"]?.array?.first?["answer"] == "none")
        try openEntry(browser)
        try browser.wait("the answer to be shown") {
            try browser.sees("dialog .answers [data-answer=accepted][aria-pressed=true]")
        }
        try browser.click("dialog .answers > .small")
        try browser.wait("the answer to all") {
            try shown(entry)["entry"]?["invitees"]?.array?.first?["answer"] == "accepted"
        }
        #expect(try shown(entry)["entry"]?["answers"] == [])
        #expect(try browser.log() == [])
    }
}
