import Glibc
import KinCodec
import KinModel
import Testing

/// Rooms on the family's page, in Debian's Chromium against the real daemon.
@Suite(.serialized, .enabled(if: Browser.isThere, "Chromium and its driver are not installed"))
struct PageChatTests {
    let stage: Stage
    let house: House

    init() throws {
        stage = try Stage()
        house = try House(stage, family: ["carol"])
    }

    private func family() throws -> Identifier {
        try #require(try house.snapshot("ada").rooms.values.first { $0.room.kind == .family }).room.id
    }

    @Test func `two talk, each sees it at once; what is changed, removed and read is so for both`() throws {
        let room = try family()
        let (ada, carol) = (try Browser(stage), try Browser(stage))
        for (browser, name) in [(ada, "ada"), (carol, "carol")] { try browser.signIn(house, name) }
        try ada.click("[data-tab=chat]")
        try ada.click("#rooms a[href='#/chat/\(room)']")
        try ada.type("Soup is ready", into: "#message-text")
        try ada.click("#send-message")
        try ada.wait(for: "Soup is ready", in: ".message.own")
        try carol.wait(for: "1", in: "[data-tab=chat] .count")
        try carol.click("[data-tab=chat]")
        try carol.wait(for: "Soup is ready", in: "#rooms")
        try carol.click("#rooms a[href='#/chat/\(room)']")
        try carol.wait(for: "Soup is ready", in: ".message")
        try carol.wait("what is read not to be new") {
            try carol.run("return document.querySelector('[data-tab=chat] .count').textContent").string == ""
        }
        try carol.click(".message details summary")
        try carol.click(".answer-message")
        try carol.type("On my way", into: "#message-text")
        try ada.wait(for: "Carol is writing", in: "kin-chat .typing")
        try carol.click("#send-message")
        try ada.wait(for: "On my way", in: ".message:not(.own)")
        try ada.wait("that nobody writes any more") { try !ada.sees("kin-chat .typing") }
        try ada.wait(for: "Soup is ready", in: ".message:not(.own) .quote")
        // Escape closes what is opened of a message, and the keys stay there.
        try ada.click(".message.own details summary")
        try ada.wait("the menu") { try ada.sees(".edit-message") }
        try ada.run("document.querySelector('.edit-message').focus()")
        try ada.pressEscape()
        try ada.wait("the menu to close") { try !ada.sees(".edit-message") }
        #expect(try ada.run("return document.activeElement.matches('.message.own summary')") == true)
        try ada.click(".message.own details summary")
        try ada.click(".edit-message")
        try ada.wait("the form") { try ada.sees("#edit-text") }
        try ada.type("Soup is on the table", into: "#edit-text")
        try ada.click("dialog button[type=submit]")
        try carol.wait(for: "Soup is on the table", in: ".message .words")
        try carol.wait(for: "edited", in: ".message")
        #expect(try carol.run("return document.querySelectorAll('.message:not(.own) .edit-message').length").int == 0)
        if let axe = PageTests.axe {
            let found = try ada.violations(axe)
            #expect(found == [], "\(found)")
        }
        // Who shows it lets the others see how far one has read.
        try carol.click("#room-settings")
        try carol.wait("the form") { try carol.sees("#shows-read") }
        try carol.click("#shows-read")
        try carol.click("dialog button[type=submit]")
        try ada.wait(for: "Read by Carol", in: ".seen-by")
        // What is removed can be had back for a moment, and is gone for both then.
        try ada.click(".message.own details summary")
        try ada.click(".message.own .remove-message")
        try ada.wait("it to be out of sight") { try !ada.sees(".message.own") }
        try ada.click("#told button")
        try ada.wait("it to be there again") { try ada.sees(".message.own") }
        try ada.click(".message.own details summary")
        try ada.click(".message.own .remove-message")
        try carol.wait("the message to be gone") {
            try carol.run("return document.querySelectorAll('.message').length").int == 1
        }
        try carol.wait(for: "older or gone", in: ".quote")
        #expect(try ada.log() == [] && carol.log() == [])
    }

    @Test func `older messages are asked for, words are found, and a conversation does not grow without end`() throws {
        let room = try family()
        let door = try house.door(as: "ada")
        for number in 1...430 {
            _ = try door.call("message.send", ["room": .id(room), "text": .string("Day \(number)")])
        }
        let browser = try Browser(stage)
        try browser.signIn(house, "carol")
        _ = try browser.run("location.hash = '#/chat/\(room)'")
        try browser.wait(for: "Day 430", in: ".message:last-child")
        let count = "return document.querySelectorAll('.message').length"
        #expect(try browser.run(count).int == 50)
        let isAtEnd =
            "const l = document.querySelector('.messages'); return l.scrollHeight - l.scrollTop - l.clientHeight < 5"
        try browser.wait("the newest to be in sight") { try browser.run(isAtEnd).bool == true }
        for _ in 1...8 {
            let before = try browser.run("return document.querySelector('.message .words').textContent").string
            try browser.run("document.querySelector('#older-messages').click()")
            try browser.wait("older ones") {
                try browser.run("return document.querySelector('.message .words').textContent").string != before
            }
        }
        try browser.wait(for: "Day 1", in: ".message")
        #expect(try browser.run(count).int ?? 0 <= 300)
        try browser.click("#newest-messages")
        try browser.wait(for: "Day 430", in: ".message:last-child")
        _ = try browser.run("location.hash = '#/chat'")
        try browser.type("day 17", into: "#search-messages")
        try browser.wait(for: "Day 179", in: "kin-chat")
        #expect(try browser.log() == [])
    }

    @Test func `what is written while the daemon is away waits, and is sent once`() throws {
        let room = try family()
        let browser = try Browser(stage)
        try browser.signIn(house, "carol")
        _ = try browser.run("location.hash = '#/chat/\(room)'")
        try browser.wait(for: "Begin below", in: "kin-chat")
        house.kill()
        try browser.wait(for: "not reached", in: ".line")
        try browser.type("From the cellar", into: "#message-text")
        try browser.click("#send-message")
        try browser.wait(for: "From the cellar", in: ".message.pending")
        try house.start()
        try browser.wait("it to be sent") {
            try browser.run("return document.querySelectorAll('.message:not(.pending)').length").int == 1
        }
        let said = try house.door(as: "ada").call("message.list", ["room": .id(room)])["messages"]?.array ?? []
        #expect(said.compactMap { $0["text"]?.string } == ["From the cellar"])
    }

    @Test func `rooms and a talk stay within small phones and wide screens, light and dark, in both languages`() throws
    {
        let room = try family()
        let (door, other) = (try house.door(as: "ada"), try house.door(as: "carol"))
        let first = try door.call(
            "message.send", ["room": .id(room), "text": "Soup is ready.\n\nThere is bread, too."])
        _ = try other.call(
            "message.send",
            ["room": .id(room), "text": "On my way, @ada", "reply": first["message"]?["id"] ?? .null])
        let list = try door.call("list.add", ["name": "Groceries", "kind": "shopping"])["list"]?["id"]?.string ?? ""
        _ = try door.call("message.send", ["room": .id(room), "about": .string("list/" + list)])
        _ = try door.call(
            "room.open", ["with": [.id(try #require(house.snapshot("carol").me))], "name": "Kites on Sunday"])
        for (language, width, isDark) in [
            ("en", 390, false), ("de", 320, true), ("de", 1280, false), ("en", 1280, true),
        ] {
            let browser = try Browser(stage, language: language)
            try browser.screen(width: width, height: 844, isDark: isDark)
            try browser.signIn(house, "carol")
            for part in ["rooms", "talk", "more"] {
                switch part {
                case "rooms":
                    try browser.click("[data-tab=chat]")
                    try browser.wait(for: "Kites on Sunday", in: "#rooms")
                case "talk":
                    try browser.click("#rooms a[href='#/chat/\(room)']")
                    try browser.wait(for: "Groceries", in: ".messages")
                default:
                    guard width < 1000 else { continue }
                    try browser.click("#more")
                    try browser.wait("what has no room in the bar") { try browser.sees("#rest a") }
                }
                #expect(try browser.run("return document.documentElement.scrollWidth").int == Int64(width), "\(part)")
                if let axe = PageTests.axe {
                    let found = try browser.violations(axe)
                    #expect(found == [], "\(part): \(found)")
                }
                #expect(try browser.log() == [])
                try browser.draw("chat-\(part)-\(language)-\(width)")
            }
        }
    }

    @Test(arguments: [("en", 1280, false), ("de", 320, true)])
    func `something of the family's is shown in a room by its dialog, and leads there`(
        language: String, width: Int, isDark: Bool
    ) throws {
        let room = try family()
        let list = try house.door(as: "ada").call("list.add", ["name": "Groceries", "kind": "shopping"])["list"]?["id"]
        let ada = try Browser(stage, language: language)
        try ada.screen(width: width, height: 844, isDark: isDark)
        let carol = try Browser(stage)
        for (browser, name) in [(ada, "ada"), (carol, "carol")] {
            try browser.signIn(house, name)
            _ = try browser.run("location.hash = '#/chat/\(room)'")
            try browser.wait("the room") { try browser.sees("#message-text") }
        }
        try ada.click("#attach")
        try ada.wait(for: "Groceries", in: "dialog")
        if let axe = PageTests.axe { #expect(try ada.violations(axe) == []) }
        try ada.draw("chat-attach-\(language)")
        try ada.pressEscape()
        try ada.wait("the dialog to go") { try !ada.sees("dialog") }
        #expect(try !ada.sees(".message"), "who leaves it sends nothing")
        try ada.click("#attach")
        try ada.click("dialog .rows button")
        try carol.wait(for: "Groceries", in: ".message .about")
        #expect(try !ada.sees("dialog"))
        try carol.click(".message .about")
        try carol.wait("the list") {
            try carol.run("return location.hash").string == "#/lists/\(list?.string ?? "-")"
        }
        #expect(try ada.log() == [] && carol.log() == [])
    }

    @Test func `what one room refused is not typed into another that was opened meanwhile`() throws {
        let room = try family()
        let carolsID = try #require(try house.snapshot("carol").me)
        let door = try house.door(as: "ada")
        let made = try door.call("room.open", ["with": [.id(carolsID)], "name": "Kites"])
        let group = try #require(made["room"]?["room"]?["id"]?.identifier)
        let carol = try Browser(stage)
        try carol.signIn(house, "carol")
        _ = try carol.run("location.hash = '#/chat/\(group)'")
        try carol.wait("the room") { try carol.sees("#message-text") }
        // What is sent is held up on its way.
        try carol.run(
            """
            const real = WebSocket.prototype.send
            WebSocket.prototype.send = function (text) {
              if (!String(text).includes("message.send")) return real.call(this, text)
              window.goOn = () => real.call(this, text)
            }
            """)
        try carol.type("A kite for Ada?", into: "#message-text")
        try carol.click("#send-message")
        try carol.wait("it to be on its way") { try carol.run("return !!window.goOn").bool == true }
        _ = try door.call("room.update", ["room": .id(group), "remove": [.id(carolsID)]])
        _ = try carol.run("location.hash = '#/chat/\(room)'")
        try carol.wait("the other room") {
            try carol.sees("#message-text") && carol.text(".talk h1") != "Kites"
        }
        try carol.run("window.goOn()")
        try carol.wait("the refusal") { try carol.sees("#told .wrong") }
        #expect(try carol.run("return document.querySelector('#message-text').value") == "")
        #expect(try door.call("message.list", ["room": .id(room)])["messages"] == [])
    }

    @Test func `a meal of an earlier month is named, and is not said to be out of sight`() throws {
        let room = try family()
        let door = try house.door(as: "ada")
        let day = String(Instant(milliseconds: Int64(time(nil)) * 1000).adding(days: -30).description.prefix(10))
        let meal = try #require(
            try door.call("meal.put", ["title": "Soup", "date": .string(day), "slot": "dinner"])["meal"]?["id"]?.string)
        let carol = try Browser(stage)
        try carol.signIn(house, "carol")
        _ = try carol.run("location.hash = '#/chat/\(room)'")
        _ = try door.call("message.send", ["room": .id(room), "text": "As then", "about": .string("meal/" + meal)])
        try carol.wait(for: "As then", in: ".message .words")
        try carol.wait(for: "Meal: Soup", in: ".message .about")
        #expect(try !carol.text("kin-chat").contains("do not see"))
        #expect(try carol.log() == [])
    }

    @Test func `a vote comes of what was said: who is in the room is asked, and is shown it as an answer`() throws {
        let room = try family()
        _ = try house.door(as: "carol").call("message.send", ["room": .id(room), "text": "Shall we grill?\nOn Sunday"])
        let (ada, carol) = (try Browser(stage), try Browser(stage))
        for (browser, name) in [(ada, "ada"), (carol, "carol")] {
            try browser.signIn(house, name)
            _ = try browser.run("location.hash = '#/chat/\(room)'")
            try browser.wait(for: "Shall we grill?", in: ".message .words")
        }
        try ada.click(".message details summary")
        try ada.click(".vote-message")
        try ada.wait("the form, with what was said") {
            try ada.run("return document.querySelector('#propose-title')?.value ?? null").string == "Shall we grill?"
        }
        if let axe = PageTests.axe { #expect(try ada.violations(axe) == []) }
        try ada.draw("chat-vote")
        try ada.click("dialog button[type=submit]")
        try carol.wait(for: "Shall we grill?", in: ".message:last-child .about")
        try carol.wait(for: "Shall we grill?", in: ".message:last-child .quote")
        let seen = try house.snapshot("carol").meetings.values
        #expect(seen.count == 1 && seen.first?.own.isInvited == true && seen.first?.meeting.title == "Shall we grill?")
        try carol.click(".message:last-child .about")
        try carol.wait("the vote") {
            let meeting = seen.first?.meeting.id.description ?? "-"
            return try carol.run("return location.hash").string?.contains(meeting) == true
        }
        #expect(try ada.log() == [] && carol.log() == [])
    }

    @Test func `what one reads or says on one device is read and said on the other`() throws {
        let room = try family()
        let (phone, desk) = (try Browser(stage), try Browser(stage))
        for browser in [phone, desk] { try browser.signIn(house, "carol") }
        let ada = try house.door(as: "ada")
        for text in ["Soup is ready", "Bring bread"] {
            _ = try ada.call("message.send", ["room": .id(room), "text": .string(text)])
        }
        for browser in [phone, desk] { try browser.wait(for: "2", in: "[data-tab=chat] .count") }
        try phone.click("[data-tab=chat]")
        try phone.click("#rooms a[href='#/chat/\(room)']")
        try phone.wait(for: "Bring bread", in: ".message:last-child")
        for browser in [phone, desk] {
            try browser.wait("nothing to be new") {
                try browser.run("return document.querySelector('[data-tab=chat] .count').textContent").string == ""
            }
        }
        // Nobody else learns how far that is.
        let shown = try ada.call("message.list", ["room": .id(room)])
        #expect(shown["reads"]?.array?.isEmpty == true && shown["messages"]?.array?.count == 2)
        // What is said on one stands on the other as one's own.
        try desk.click("[data-tab=chat]")
        try desk.click("#rooms a[href='#/chat/\(room)']")
        try phone.type("On my way", into: "#message-text")
        try phone.click("#send-message")
        try desk.wait(for: "On my way", in: ".message.own:last-child")
        #expect(try phone.log() == [] && desk.log() == [])
    }

    @Test func `a group is opened by its name, has others in it for a while, and is left`() throws {
        try house.join("dan")
        func group(_ who: String) throws -> Room? {
            try house.snapshot(who).rooms.values.first { $0.room.kind == .group }?.room
        }
        func tick(_ name: String, _ browser: Browser) throws {
            let wasThere = try browser.run(
                """
                const box = [...document.querySelectorAll("dialog label.check")].find(one => one.textContent === arguments[0])
                box?.querySelector("input").click()
                return !!box
                """, .string(name))
            #expect(wasThere.bool == true, "\(name) cannot be chosen")
        }
        func change(_ name: String, _ browser: Browser) throws {
            try browser.click("#room-settings")
            try browser.wait("the form") { try browser.sees("#mute-room") }
            try tick(name, browser)
            try browser.click("dialog button[type=submit]")
            try browser.wait("it to be kept") { try !browser.sees("dialog") }
        }
        func say(_ text: String, _ browser: Browser) throws {
            try browser.wait("the room") { try browser.sees("#message-text") }
            try browser.type(text, into: "#message-text")
            try browser.click("#send-message")
            try browser.wait(for: text, in: ".message.own:last-child")
        }
        let (ada, carol, dan) = (try Browser(stage), try Browser(stage), try Browser(stage))
        for (browser, name) in [(ada, "ada"), (carol, "carol"), (dan, "dan")] {
            try browser.signIn(house, name)
            try browser.click("[data-tab=chat]")
        }
        try ada.click("#new-room")
        try ada.wait("the form") { try ada.sees("#room-name") }
        if let axe = PageTests.axe { #expect(try ada.violations(axe) == []) }
        try tick("Carol", ada)
        try ada.type("Kites", into: "#room-name")
        try ada.click("dialog button[type=submit]")
        try say("Wind on Sunday", ada)
        try carol.wait(for: "Kites", in: "#rooms")
        #expect(try !dan.text("kin-chat").contains("Kites"))
        // Who comes later sees what is said from then on.
        try change("Dan", ada)
        try say("Bring string", ada)
        try dan.wait(for: "Kites", in: "#rooms")
        let id = try #require(try group("dan")).id
        try dan.click("#rooms a[href='#/chat/\(id)']")
        try dan.wait(for: "Bring string", in: ".message")
        #expect(try !dan.text("kin-chat").contains("Wind on Sunday"))
        // Who is not in it any more is shown nothing of it; only who opened it takes others out.
        try change("Carol", ada)
        try carol.wait("the group to go") { try !carol.text("kin-chat").contains("Kites") }
        try dan.click("#room-settings")
        try dan.wait("the form") { try dan.sees("#leave-room") }
        let inside = "return [...document.querySelectorAll('dialog label.check')].map(one => one.textContent).join()"
        #expect(try dan.run(inside).string?.contains("Ada") == false)
        try dan.click("#leave-room")
        try dan.wait("the group to be left") { try group("dan") == nil }
        try dan.wait("it to be out of sight") { try !dan.text("#rooms").contains("Kites") }
        #expect(try group("ada")?.members.count == 1)
        #expect(try ada.log() == [] && carol.log() == [] && dan.log() == [])
    }

    @Test func `a room is silent for an hour, until tomorrow or for good, and says until when`() throws {
        let room = try family()
        let browser = try Browser(stage)
        try browser.signIn(house, "carol")
        func until() throws -> Instant? {
            try house.snapshot("carol").rooms.values.first { $0.room.id == room }?.own.mutedUntil
        }
        func choose(_ how: String) throws {
            try browser.click("#room-settings")
            try browser.wait("the form") { try browser.sees("#mute-room") }
            try browser.run(
                "document.querySelector('#mute-room').value = arguments[0]", .string(how))
            try browser.click("dialog button[type=submit]")
            try browser.wait("it to be kept") { try !browser.sees("dialog") }
        }
        try browser.run("location.hash = arguments[0]", .string("#/chat/\(room)"))
        let begun = try #require(try browser.run("return Date.now()").int)
        try choose("hour")
        let hour = try #require(try until()).milliseconds - Int64(begun)
        #expect((3_500_000...3_900_000).contains(hour), "\(hour)")
        // What was chosen is there again, with its time, and stays where nothing else is chosen.
        try browser.click("#room-settings")
        try browser.wait("the form") { try browser.sees("#mute-room") }
        #expect(try browser.run("return document.querySelector('#mute-room').value").string == "kept")
        for width in [320, 390, 1280] {
            try browser.screen(width: width, height: 844, isDark: false)
            try browser.draw("chat-room-\(width)")
        }
        if let axe = PageTests.axe {
            let found = try browser.violations(axe)
            #expect(found == [], "\(found)")
        }
        try browser.click("dialog button[type=submit]")
        try browser.wait("it to be kept") { try !browser.sees("dialog") }
        #expect(try #require(try until()).milliseconds - Int64(begun) == hour)
        try choose("tomorrow")
        let morning = try #require(try until()).milliseconds - Int64(begun)
        #expect((5 * 3_600_000...34 * 3_600_000).contains(morning), "\(morning)")
        try choose("always")
        #expect(try #require(try until()).milliseconds - Int64(begun) > 3000 * 86_400_000)
        try choose("none")
        #expect(try until() == nil)
    }
}
