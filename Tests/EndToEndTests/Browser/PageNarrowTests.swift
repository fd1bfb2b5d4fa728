import Glibc
import KinModel
import Testing

/// What fits: a small phone with the largest text, what is said beside what one writes, and what stands above dialogs.
@Suite(.serialized, .enabled(if: Browser.isThere, "Chromium and its driver are not installed"))
struct PageNarrowTests {
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

    /// The words of buttons, headings and names that are broken although nothing is as long as the screen is wide.
    private func broken(_ browser: Browser) throws -> JSON {
        try browser.run(
            """
            const found = [], top = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document
            for (const element of top.querySelectorAll('button, .button, h1, h2, strong, label, summary')) {
              if (!element.checkVisibility() || element.closest('.hidden, .scroll, .tabs, .map')) continue
              const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
              for (let text = texts.nextNode(); text; text = texts.nextNode()) {
                for (const { 0: word, index } of text.data.matchAll(/[^\\s-]+/g)) {
                  const range = document.createRange()
                  range.setStart(text, index)
                  range.setEnd(text, index + word.length)
                  if (new Set([...range.getClientRects()].map(one => Math.round(one.top))).size > 1) found.push(`${element.localName}: ${word}`)
                }
              }
            }
            return found
            """)
    }

    @Test(arguments: ["en", "de"])
    func `with the largest text no word of a button, a heading or a name is broken, and one can write`(
        language: String
    ) throws {
        let door = try house.door(as: "ada")
        _ = try door.call("settings.set", ["textSize": 30])
        _ = try door.call("notice.add", ["name": "My phone", "app": "ntfy"])
        let personal = (try door.call("calendar.list", [:])["calendars"]?.array ?? []).first {
            $0["kind"] == "personal"
        }
        _ = try door.call(
            "calendar.share", ["calendar": personal?["id"] ?? .null, "with": try id("bob"), "right": "read"])
        let list = try door.call("list.add", ["name": "Shop", "kind": "shopping"])
        let room = try door.call("room.list", [:])["rooms"]?.array?.first { $0["room"]?["kind"] == "family" }
        let browser = try Browser(stage, language: language)
        try browser.signIn(house, "ada")
        func look(_ screen: String, _ what: String, until shown: String) throws {
            try browser.run("location.hash = arguments[0]", .string(screen))
            try browser.wait(what) { try browser.sees(shown) }
            #expect(try broken(browser) == .array([]), "\(what)")
            try browser.draw("narrow-\(language)-\(what)")
        }
        try look("#/family", "family", until: "#invite")
        for (dialog, shown) in [
            ("family.ringing", "[data-try]"), ("family.sessions", "dialog .rows button, dialog .rows li"),
        ] {
            try browser.click("[data-open='\(dialog)']")
            try browser.wait("the dialog") { try browser.sees(shown) }
            #expect(try broken(browser) == .array([]), "\(dialog)")
            try browser.draw("narrow-\(language)-\(dialog)")
            try browser.pressEscape()
        }
        try look("#/calendar", "calendar", until: "#calendar-sources summary")
        try browser.click("#calendar-sources summary")
        try browser.wait("the calendars") { try browser.sees("#calendar-sources .swatch") }
        #expect(try broken(browser) == .array([]), "calendars")
        // The box, the dot and the name stand beside each other.
        let apart = try browser.run(
            """
            const [box, dot] = ['input', '.swatch'].map(one => document.querySelector('#calendar-sources label ' + one).getBoundingClientRect())
            return Math.abs((box.top + box.bottom) / 2 - (dot.top + dot.bottom) / 2)
            """)
        #expect(try #require(apart.double) < 4)
        try browser.run(
            "[...document.querySelectorAll('#calendar-sources button')].find(one => one.getAttribute('aria-label')?.includes('Ada')).click()"
        )
        try browser.wait("the calendar's dialog") { try browser.sees("dialog select") }
        #expect(try broken(browser) == .array([]), "shared with")
        try browser.draw("narrow-\(language)-shared")
        try browser.pressEscape()
        let hold = [
            ("#/chat/\(room?["room"]?["id"]?.string ?? "")", "chat", "#message-text", "#send-message"),
            ("#/lists/\(list["list"]?["id"]?.string ?? "")", "list", "#add-item", ".say button"),
        ]
        for (screen, what, field, send) in hold {
            try look(screen, what, until: field)
            let wide = try browser.run("return document.querySelector(arguments[0]).clientWidth", .string(field))
            #expect(try #require(wide.int) > 120, "\(what): one can read what one writes")
            let button = try browser.run(
                "const box = document.querySelector(arguments[0]).getBoundingClientRect(); return box.left >= 0 && box.right <= innerWidth",
                .string(send))
            #expect(button == true, "\(what)")
        }
        #expect(try browser.log() == [])
    }

    @Test func `without the daemon a room shows what was said and what waits, and nothing covers where one writes`()
        throws
    {
        let room = try house.door(as: "bob").call("room.list", [:])["rooms"]?.array?.first {
            $0["room"]?["kind"] == "family"
        }
        let id = try #require(room?["room"]?["id"]?.string)
        _ = try house.door(as: "bob").call("message.send", ["room": .string(id), "text": "Soup is ready"])
        let browser = try Browser(stage)
        try browser.signIn(house, "ada")
        try browser.click("[data-tab=chat]")
        try browser.click("#rooms a[href$='\(id)']")
        try browser.wait(for: "Soup is ready", in: ".messages")
        try browser.run("location.hash = '#/chat'")
        house.kill()
        try browser.wait(for: "not reached", in: ".line")
        try browser.run("location.hash = arguments[0]", .string("#/chat/\(id)"))
        try browser.wait(for: "Soup is ready", in: ".messages")
        try browser.type("We come", into: "#message-text")
        try browser.click("#send-message")
        try browser.wait("what waits") { try browser.text(".message.pending").contains("We come") }
        try browser.wait(for: "waits to be sent", in: ".message.pending")
        try browser.wait("what is said") { try browser.sees(".told") }
        try browser.draw("offline-room")
        // It lies over nothing that one presses.
        let covered = try browser.run(
            """
            const told = document.querySelector('.told').getBoundingClientRect()
            return ['#send-message', '#message-text', '#attach', '.tabs'].filter(one => {
              const box = document.querySelector(one).getBoundingClientRect()
              return box.top < told.bottom && told.top < box.bottom && box.left < told.right && told.left < box.right
            })
            """)
        #expect(covered == .array([]))
        try browser.type("At once", into: "#message-text")
        try browser.click("#send-message")
        try browser.click("#more")
        try browser.click(".rest [data-tab=family]")
        try browser.wait("the family") { try browser.sees("kin-family") }
        try house.start()
        try browser.wait("it to be sent") {
            let found = try house.door(as: "bob").call("message.list", ["room": .string(id)])["messages"]?.array ?? []
            return found.compactMap { $0["text"]?.string }.suffix(2) == ["We come", "At once"]
        }
    }

    @Test func `an alarm is seen wherever one has scrolled and above a dialog, and is one line once it is answered`()
        throws
    {
        let browser = try Browser(stage)
        try browser.signIn(house, "ada")
        try browser.click("[data-tab=family]")
        try browser.run("scrollTo(0, document.body.scrollHeight)")
        try browser.click("[data-open='family.my-name']")
        try browser.wait("the dialog") { try browser.sees("dialog input") }
        let raised = try house.door(as: "bob").call(
            "alarm.raise",
            [
                "kind": "sos", "text": "Flat tyre",
                "position": [
                    "lat": 52.5123, "lon": 13.4011, "accuracy": 5,
                    "at": .time(Instant(milliseconds: Int64(time(nil)) * 1000)),
                ],
            ])
        try browser.wait(for: "Bob needs help", in: "kin-alarms")
        let isSeen = try browser.run(
            """
            const button = document.querySelector('[data-answer=coming]'), box = button.getBoundingClientRect()
            return box.top >= 0 && box.bottom <= innerHeight && document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2) === button
            """)
        #expect(isSeen == true)
        #expect(try browser.run("return document.title").string?.contains("Bob needs help") == true)
        try browser.draw("alarm-above-dialog")
        let links =
            try browser.run("return [...document.querySelectorAll('kin-alarms a')].map(one => one.href)").array ?? []
        #expect(links.first?.string?.contains("#/map/52.5123,13.4011") == true, "the page's own map comes first")
        #expect(links.allSatisfy { $0.string?.hasPrefix("http://www") != true })
        try browser.click("kin-alarms [data-answer=coming]")
        try browser.wait("it to fold") { try !browser.sees("kin-alarms [data-answer=coming]") }
        #expect(try #require(try browser.run("return document.querySelector('kin-alarms').offsetHeight").int) < 110)
        #expect(try browser.run("return document.title").string?.contains("Bob needs help") == false)
        try browser.pressEscape()
        try browser.wait("the dialog to close") { try !browser.sees("dialog") }
        // A browser says a moment later that a dialog has closed: the alarm moves out of it then.
        try browser.wait("the alarm above the page") { try browser.sees("kin-alarms .card") }
        // The page begins below it, and a room keeps its end on the screen.
        try browser.click("[data-tab=chat]")
        try browser.click("#rooms a")
        try browser.wait("the room") { try browser.sees("#send-message") }
        try browser.run("scrollTo(0, 0)")
        let bottom = try browser.run(
            "return document.querySelector('#send-message').getBoundingClientRect().bottom <= document.querySelector('.tabs').getBoundingClientRect().top"
        )
        #expect(bottom == true)
        #expect(raised["alarm"] != nil)
        #expect(try browser.log() == [])
    }

    @Test func `a dialog says itself why it was refused, and does not stay over another screen`() throws {
        let browser = try Browser(stage)
        try browser.signIn(house, "ada")
        try browser.click("[data-tab=family]")
        try browser.click("[data-open='family.my-settings']")
        try browser.type("Mars/Crater", into: "dialog input[list=zones]")
        try browser.click("dialog button[type=submit]")
        try browser.wait("the refusal in the dialog") { try browser.sees("dialog > .wrong") }
        #expect(try !browser.sees(".told"))
        // It is seen, and told to who does not see, wherever in the dialog one is.
        for end in [0, 100_000] {
            let seen = try browser.run(
                """
                document.querySelector("dialog").scrollTop = arguments[0]
                const wrong = document.querySelector("dialog > .wrong"), { left, right, top, bottom } = wrong.getBoundingClientRect()
                return [top >= 0 && bottom <= innerHeight, wrong.getAttribute("role"), wrong === document.elementFromPoint((left + right) / 2, (top + bottom) / 2)]
                """, .int(Int64(end)))
            #expect(seen == [true, "alert", true], "\(end)")
        }
        try browser.draw("refused-in-dialog")
        try browser.run("history.back()")
        try browser.wait("the dialog to close") { try !browser.sees("dialog") }
        // A member's own rules are nobody else's: no device is named.
        try browser.click("[data-tab=family]")
        try browser.click("[data-open='family.rules']")
        try browser.wait(for: "What rings, and when", in: "dialog h2")
        #expect(try browser.log() == [])
    }
}
