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

    @Test func `a note beside an answer is said, stays with a later answer, and is taken back`() throws {
        let entry = try add(["invitees": [try bob()]])
        func told(_ answer: JSON, _ note: JSON?) throws -> Bool {
            let invitee = try shown(entry)["entry"]?["invitees"]?.array?.first
            return invitee?["answer"] == answer && invitee?["note"] == note
        }
        let browser = try open()
        try openEntry(browser)
        try browser.wait("a field for it") { try browser.sees("#answer-note") }
        try browser.type("I come later", into: "#answer-note")
        // What others do meanwhile takes nothing of what was typed.
        let ada = try house.door(as: "ada")
        _ = try ada.call("entry.update", ["entry": entry, "note": "In the hall"])
        try browser.wait(for: "In the hall", in: "dialog .entry")
        #expect(try browser.run("return document.querySelector('#answer-note').value").string == "I come later")
        try browser.click("dialog .answers [data-answer=accepted]")
        try browser.wait("both to be told") { try told("accepted", "I come later") }
        try browser.wait(for: "I come later", in: "dialog .rows")
        if let axe = PageTests.axe { #expect(try browser.violations(axe) == []) }
        // Another answer by a tap in the list leaves it.
        try close(browser)
        try browser.wait("the list to know it") {
            try browser.sees(".day-list [data-answer=accepted][aria-pressed=true]")
        }
        try browser.click(".day-list [data-answer=tentative]")
        try browser.wait("the other answer") { try told("tentative", "I come later") }
        try openEntry(browser)
        try browser.wait("it to stand there") {
            try browser.run("return document.querySelector('#answer-note')?.value ?? null").string == "I come later"
        }
        _ = try browser.run("document.querySelector('#answer-note').select()")
        try browser.type("By bus", into: "#answer-note")
        try browser.click("dialog [data-do=note]")
        try browser.wait("the other note") { try told("tentative", "By bus") }
        _ = try browser.run(
            "const it = document.querySelector('#answer-note'); it.value = ''; it.dispatchEvent(new Event('input', { bubbles: true }))"
        )
        try browser.click("dialog [data-do=note]")
        try browser.wait("it to be taken back") { try told("tentative", nil) }
        #expect(try browser.log() == [])
    }

    @Test func `a note that is refused with its answer stays typed`() throws {
        let entry = try add(["invitees": [try bob()]])
        let browser = try open()
        try openEntry(browser)
        try browser.wait("a field for it") { try browser.sees("#answer-note") }
        try browser.type("I come later", into: "#answer-note")
        let ada = try house.door(as: "ada")
        // The daemon refuses what is too long, which the field itself does not let one type.
        try browser.run(
            """
            const said = document.querySelector("#answer-note")
            said.removeAttribute("maxlength")
            said.value += " " + "x".repeat(5_000)
            said.dispatchEvent(new Event("input", { bubbles: true }))
            """)
        try browser.click("dialog .answers [data-answer=accepted]")
        try browser.wait("the refusal in the dialog") { try browser.sees("dialog > .wrong") }
        _ = try ada.call("entry.update", ["entry": entry, "note": "In the hall"])
        try browser.wait(for: "In the hall", in: "dialog .entry")
        #expect(
            try browser.run("return document.querySelector('#answer-note').value.startsWith('I come later')").bool
                == true)
    }

    @Test func `a note of a series is said with an answer to all of it`() throws {
        let entry = try add(["repeat": "weekly", "until": "2036-12-20", "invitees": [try bob()]])
        let browser = try open()
        try openEntry(browser)
        try browser.wait("a field for it") { try browser.sees("#answer-note") }
        #expect(try !browser.sees("dialog [data-do=note]"))
        try browser.type("Not in May", into: "#answer-note")
        try browser.click("dialog .answers [data-answer=accepted]")
        try browser.wait("the answer to one") { try shown(entry)["entry"]?["answers"]?.array?.count == 1 }
        try browser.wait("the answer to be shown") {
            try browser.sees("dialog .answers [data-answer=accepted][aria-pressed=true]")
        }
        #expect(try shown(entry)["entry"]?["invitees"]?.array?.first?["note"] == nil)
        try browser.click("dialog .answers > .small")
        try browser.wait("the answer to all") {
            try shown(entry)["entry"]?["invitees"]?.array?.first?["note"] == "Not in May"
        }
        #expect(try browser.log() == [])
    }
}
