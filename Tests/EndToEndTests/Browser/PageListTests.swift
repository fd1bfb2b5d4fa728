import Glibc
import KinCodec
import KinModel
import Testing

/// Lists on the family's page, in Debian's Chromium against the real daemon.
@Suite(.serialized, .enabled(if: Browser.isThere, "Chromium and its driver are not installed"))
struct PageListTests {
    let stage: Stage
    let house: House

    init() throws {
        stage = try Stage()
        house = try House(stage, family: ["carol"])
    }

    private func add(_ text: String, in browser: Browser) throws {
        try browser.type(text, into: "#add-item")
        try browser.click(".say button")
    }

    private func onList(_ selector: String, _ browser: Browser) throws -> [String] {
        let texts = try browser.run(
            "return [...document.querySelectorAll(arguments[0])].map(one => one.textContent)",
            .string("kin-lists \(selector) .text"))
        return (texts.array ?? []).compactMap(\.string)
    }

    @Test func `a list is made, filled by one and ticked by another, and each sees it at once`() throws {
        let (ada, carol) = (try Browser(stage), try Browser(stage))
        for (browser, name) in [(ada, "ada"), (carol, "carol")] {
            try browser.signIn(house, name)
            try browser.click("[data-tab=lists]")
        }
        try ada.wait(for: "There is no list yet", in: "kin-lists")
        try ada.click("#new-list")
        try ada.type("Groceries", into: "#list-name")
        try ada.click("dialog button[type=submit]")
        try ada.wait(for: "Nothing is on it yet", in: "kin-lists")
        try add("2 l milk", in: ada)
        try add("Bread", in: ada)
        try ada.wait("both to stand there") { try onList(".item", ada) == ["milk · 2 l", "Bread"] }
        try carol.wait(for: "2 open", in: "kin-lists")
        try carol.click("kin-lists .rows a")
        try carol.wait(for: "milk", in: ".item")
        // Ada asks to be told of what others do here.
        try ada.wait("the button") { try ada.sees("#list-notify") }
        try ada.click("#list-notify")
        try ada.wait(for: "Tell me no more", in: "#list-notify")
        try carol.click(".item .tick")
        try ada.wait("the entry") {
            try house.snapshot("ada").inbox.entries.contains { $0.about.hasPrefix("list/") }
        }
        try ada.wait(for: "1 done", in: "kin-lists summary")
        try ada.wait("one to be open") { try onList("section .item", ada) == ["Bread"] }
        // What was bought before is wanted again: the same item, and no second one.
        try add("3 l Milk", in: ada)
        try carol.wait("the milk to be open again") { try onList("section .item", carol).contains("Milk · 3 l") }
        let items = try house.snapshot("carol").listItems.values
        #expect(items.count == 2 && items.allSatisfy { !$0.isTicked })
        if let axe = PageTests.axe { #expect(try ada.violations(axe) == []) }
        #expect(try ada.log() == [] && carol.log() == [])
    }

    @Test func `several lines are pasted at once, moved by their sheets, and what is known goes to its section`() throws
    {
        let door = try house.door(as: "ada")
        let made = try door.call("list.add", ["name": "Groceries", "sections": ["Dairy", "Bakery"]])
        let list = try #require(made["list"]?["id"]?.string)
        let other = try #require(try door.call("list.add", ["name": "Party"])["list"]?["id"])
        _ = try door.call(
            "item.put",
            [
                "list": other,
                "items": [["id": "01980000-0000-7000-8000-00000000000a", "text": "Goat cheese", "section": "Dairy"]],
            ])
        let browser = try Browser(stage)
        try browser.signIn(house, "carol")
        _ = try browser.run("location.hash = arguments[0]", .string("#/lists/" + list))
        try browser.wait("the list") { try browser.sees("#add-item") }
        try browser.run(
            """
            const data = new DataTransfer()
            data.setData("text", "- Candles\\n- 2 l milk\\n\\n- Napkins\\n")
            document.querySelector("#add-item").dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }))
            """)
        try browser.wait("three") { try onList("section .item", browser) == ["Candles", "milk · 2 l", "Napkins"] }
        func sheet(_ number: Int, _ button: String) throws {
            try browser.click("section .item:nth-child(\(number)) .edit")
            try browser.wait("the sheet") { try browser.sees("#item-text") }
            try browser.run(
                "[...document.querySelectorAll('dialog button')].find(one => one.textContent === arguments[0]).click()",
                .string(button))
            try browser.wait("the sheet to close") { try !browser.sees("dialog") }
        }
        try sheet(3, "Move up")
        try browser.wait("it to be moved") {
            try onList("section .item", browser) == ["Candles", "Napkins", "milk · 2 l"]
        }
        try sheet(1, "Move down")
        try browser.wait("it to be moved") {
            try onList("section .item", browser) == ["Napkins", "Candles", "milk · 2 l"]
        }
        // As everybody has it, by the order that is kept.
        let shown = try door.call("list.show", ["list": .string(list)])["items"]?.array ?? []
        #expect(shown.compactMap { $0["text"]?.string } == ["Napkins", "Candles", "milk"])
        // What stands on another list that one sees is suggested, and goes where it stood there.
        try browser.type("goat", into: "#add-item")
        try browser.wait("what is suggested") {
            try browser.run(
                """
                return !!document.querySelector("kin-lists").lore?.has("goat cheese")
                  && [...document.querySelectorAll("#known-items option")].some(one => one.value === "Goat cheese")
                """
            ).bool == true
        }
        try add("goat cheese", in: browser)
        try browser.wait("its section") {
            try house.snapshot("ada").listItems.values.contains { $0.text == "goat cheese" && $0.section == "Dairy" }
        }
        try browser.wait(for: "Dairy", in: "kin-lists section h2:not([hidden])")
        // Sections stand in the order of the shop, not of the alphabet.
        let rye: JSON = ["id": "01980000-0000-7000-8000-00000000000b", "text": "Rye", "section": "Bakery"]
        _ = try door.call("item.put", ["list": .string(list), "items": [rye]])
        try browser.wait("their order") { try onList("section .item", browser).suffix(2) == ["goat cheese", "Rye"] }
        #expect(try browser.log() == [])
    }

    @Test func `all that is said of an item is said on its sheet, and what another says meanwhile stands`() throws {
        let door = try house.door(as: "ada")
        let list = try #require(
            try door.call("list.add", ["name": "Groceries", "sections": ["Bakery", "Dairy"]])["list"]?["id"])
        let milk: JSON = "01980000-0000-7000-8000-00000000000a"
        let rolls: JSON = "01980000-0000-7000-8000-00000000000b"
        _ = try door.call(
            "item.put",
            [
                "list": list,
                "items": [["id": milk, "text": "Milk"], ["id": rolls, "text": "Rolls", "section": "Bakery"]],
            ])
        let carol = JSON.id(try #require(try house.snapshot("carol").me))
        let (one, other) = (try Browser(stage), try Browser(stage))
        for (browser, name) in [(one, "ada"), (other, "carol")] {
            try browser.signIn(house, name)
            _ = try browser.run("location.hash = arguments[0]", .string("#/lists/\(list.string ?? "")"))
            try browser.wait("both") { try onList("section .item", browser) == ["Milk", "Rolls"] }
        }
        try one.click("section .item:nth-child(1) .edit")
        try one.wait("the sheet") { try one.sees("#item-text") }
        _ = try house.door(as: "carol").call(
            "item.put", ["list": list, "items": [["id": milk, "note": "the blue one"]]])
        try one.type("2 l Milk", into: "#item-text")
        try one.type("Dairy", into: "#item-section")
        for (field, value) in [("#item-due", "2090-03-02"), ("#item-who", carol)] as [(String, JSON)] {
            try one.run("document.querySelector(arguments[0]).value = arguments[1]", .string(field), value)
        }
        try one.click("dialog button[type=submit]")
        try other.wait("it in its section, behind the one that comes first in the shop") {
            try onList("section .item", other) == ["Rolls", "Milk · 2 l"]
        }
        let headings = try other.run(
            "return [...document.querySelectorAll('kin-lists section h2:not([hidden])')].map(one => one.textContent)")
        #expect(headings == ["Bakery", "Dairy"])
        try other.wait(for: "the blue one", in: "kin-lists section .item .soft:not([hidden])")
        let soft = try other.text("kin-lists section .item .soft:not([hidden])")
        #expect(soft.contains("Carol"), "\(soft)")
        let kept = try #require(try house.snapshot("carol").listItems.values.first { $0.text == "Milk" })
        #expect(kept.amount == 2 && kept.unit == "l" && kept.section == "Dairy" && kept.due == "2090-03-02")
        #expect(kept.note == "the blue one" && kept.member?.description == carol.string)
        // What is taken away on the sheet is gone for everybody.
        try one.click("section .item .edit[aria-label*=Milk]")
        try one.wait("the sheet") { try one.sees("#item-note") }
        try one.run("document.querySelector('#item-note').value = ''")
        try one.click("dialog button[type=submit]")
        try other.wait("the note to be gone") {
            try house.snapshot("carol").listItems.values.contains { $0.text == "Milk" && $0.note == nil }
        }
        #expect(try one.log() == [] && other.log() == [])
    }

    @Test func `a chore goes round: ticked, it is due again and the next one's turn; a tick is taken back`() throws {
        let door = try house.door(as: "ada")
        let members = try door.call("member.list", [:])["members"]?.array ?? []
        let ids = try ["ada", "carol"].map { name in
            try #require(members.first { $0["username"]?.string == name }?["id"])
        }
        let list = try #require(try door.call("list.add", ["name": "Chores", "kind": "tasks"])["list"]?["id"])
        let bins: JSON = "01980000-0000-7000-8000-00000000000a"
        _ = try door.call(
            "item.put",
            [
                "list": list,
                "items": [
                    [
                        "id": bins, "text": "Bins", "due": "2090-03-02", "repeat": "weekly",
                        "turns": [ids[1], ids[0]],
                    ]
                ],
            ])
        let browser = try Browser(stage)
        try browser.signIn(house, "carol")
        try browser.click("[data-tab=lists]")
        try browser.click("kin-lists .rows a")
        try browser.wait(for: "Carol's turn", in: ".item .soft")
        try browser.click(".item .tick")
        try browser.wait(for: "Ada's turn", in: "section .item .soft")
        #expect(try house.snapshot("ada").listItems.values.first?.due == "2090-03-09")
        try browser.click("#told button")
        try browser.wait(for: "Carol's turn", in: "section .item .soft")
        // Passed on, once, by whom it would have been.
        try browser.click(".item .edit")
        try browser.wait("the turns") { try browser.sees("#item-skip") }
        if let axe = PageTests.axe { #expect(try browser.violations(axe) == []) }
        try browser.click("#item-skip")
        try browser.wait(for: "Ada's turn", in: "section .item .soft")
        #expect(try house.snapshot("ada").listItems.values.first?.due == "2090-03-02")
        #expect(try browser.log() == [])
    }

    @Test func `a list is made for an entry of the calendar where one looks at it, and leads back to it`() throws {
        let browser = try Browser(stage)
        try browser.signIn(house, "carol")
        let day = try browser.run("return new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)")
        let made = try house.door(as: "carol").call(
            "entry.add", ["subject": "Fair", "start": day, "end": day, "zone": "UTC", "privacy": "private"])
        let entry = "#/calendar/" + (try #require(made["entry"]?["id"]?.string))
        _ = try browser.run("location.hash = arguments[0]", .string(entry))
        try browser.wait("the way to make a list") { try browser.sees("dialog .list-for") }
        try browser.click("dialog .list-for")
        try browser.wait(for: "Belongs to Entry: Fair", in: "#list-belongs")
        #expect(try house.snapshot("ada").lists.isEmpty, "nobody else sees the entry")
        _ = try browser.run("location.hash = arguments[0]", .string(entry))
        try browser.wait(for: "List: Fair", in: "dialog .ties")
        #expect(try browser.log() == [])
    }

    @Test func `what is ticked as fast as one can is what was ticked, and nothing else`() throws {
        let door = try house.door(as: "ada")
        let list = try #require(try door.call("list.add", ["name": "Groceries"])["list"]?["id"])
        let items = (0..<10).map {
            ["id": .string("01980000-0000-7000-8000-00000000000\($0)"), "text": .string("No. \($0)")] as JSON
        }
        _ = try door.call("item.put", ["list": list, "items": .array(items)])
        let browser = try Browser(stage)
        try browser.signIn(house, "carol")
        _ = try browser.run("location.hash = arguments[0]", .string("#/lists/\(list.string ?? "")"))
        try browser.wait("all") { try onList("section .item", browser).count == 10 }
        // Each is looked for where it stands by then: what is ticked leaves its place.
        try browser.run(
            """
            for (const number of [0, 2, 4, 6, 8]) [...document.querySelectorAll("kin-lists section .item")]
              .find(one => one.querySelector(".text").textContent === `No. ${number}`).querySelector(".tick").click()
            """)
        try browser.wait("five to be ticked") {
            try house.snapshot("ada").listItems.values.filter(\.isTicked).count == 5
        }
        let open = try house.snapshot("ada").listItems.values.filter { !$0.isTicked }.map(\.text).sorted()
        #expect(open == ["No. 1", "No. 3", "No. 5", "No. 7", "No. 9"])
        #expect(try onList("section .item", browser) == open && browser.log() == [])
    }

    @Test func `a finger swiped over an item ticks it, and opens it the other way`() throws {
        let made = try house.door(as: "ada").call("list.add", ["name": "Groceries"])
        let list = try #require(made["list"]?["id"])
        let milk: JSON = "01980000-0000-7000-8000-00000000000a"
        _ = try house.door(as: "ada").call("item.put", ["list": list, "items": [["id": milk, "text": "Milk"]]])
        let browser = try Browser(stage)
        try browser.signIn(house, "carol")
        try browser.click("[data-tab=lists]")
        try browser.click("kin-lists .rows a")
        try browser.wait(for: "Milk", in: ".item")
        func swipe(_ pixels: Int64) throws {
            _ = try browser.run(
                """
                const row = document.querySelector("kin-lists .item")
                const at = (type, clientX) => row.dispatchEvent(new PointerEvent(type,
                  { bubbles: true, isPrimary: true, pointerId: 7, pointerType: "touch", clientX, clientY: 9 }))
                at("pointerdown", 150)
                at("pointermove", 150 + arguments[0])
                at("pointerup", 150 + arguments[0])
                """, .int(pixels))
        }
        // Not far enough; what follows would find it ticked, and open it again.
        try swipe(30)
        try swipe(90)
        try browser.wait("it to be ticked") { try onList("details .item", browser) == ["Milk"] }
        try swipe(90)
        try browser.wait("it to be open") { try onList("section .item", browser) == ["Milk"] }
        try swipe(-90)
        try browser.wait("what it says") { try browser.sees("#item-text") }
        #expect(try browser.log() == [])
    }

    @Test func `in the shop's cellar it is ticked all the same, and merged when the daemon is reached again`() throws {
        let made = try house.door(as: "ada").call("list.add", ["name": "Groceries"])
        let list = try #require(made["list"]?["id"])
        let milk: JSON = "01980000-0000-7000-8000-00000000000a"
        _ = try house.door(as: "ada").call(
            "item.put", ["list": list, "items": [["id": milk, "text": "Milk"]]])
        let browser = try Browser(stage)
        try browser.signIn(house, "carol")
        try browser.click("[data-tab=lists]")
        try browser.click("kin-lists .rows a")
        try browser.wait(for: "Milk", in: ".item")
        // The worker holds the files once it controls the page; what is held is written when the page is left.
        try browser.wait("the service worker") {
            try browser.run("return !!navigator.serviceWorker.controller").bool == true
        }
        _ = try browser.run("location.reload()")
        try browser.wait(for: "Milk", in: ".item")
        house.kill()
        try browser.wait(for: "not reached", in: ".line")
        try browser.click(".item .tick")
        try add("Eggs", in: browser)
        try browser.wait("both to show") {
            try onList("details .item", browser) == ["Milk"] && onList("section .item", browser) == ["Eggs"]
        }
        try browser.wait(for: "2 things you did wait", in: ".line")
        // The page is opened anew, still without the daemon: what waits is shown.
        _ = try browser.run("location.reload()")
        try browser.wait("what waits") { try onList("section .item", browser) == ["Eggs"] }
        try house.start()
        try browser.wait("the line to be live") { try !browser.sees(".line") }
        try browser.wait("all to be sent") {
            let items = try house.snapshot("ada").listItems.values
            return items.count == 2 && items.contains { $0.text == "Milk" && $0.isTicked }
        }
        #expect(try onList("section .item", browser) == ["Eggs"])
    }

    @Test func `a list that the snapshot had no room for is in the cellar once it was looked at`() throws {
        let door = try house.door(as: "ada")
        let list = try #require(try door.call("list.add", ["name": "Groceries"])["list"]?["id"]?.string)
        func put(_ list: JSON, _ items: [JSON]) throws {
            _ = try door.call("item.put", ["list": list, "items": .array(items)])
        }
        try put(.string(list), [["id": "01980000-0000-7000-8000-00000000000a", "text": "Milk"]])
        // What is newer takes all the room that there is.
        let other = try #require(try door.call("list.add", ["name": "Everything"])["list"]?["id"])
        let note = JSON.string(String(repeating: "n", count: 500))
        for hundred in 1...4 {
            try put(
                other,
                (0..<100).map { number in
                    let id = "01980000-0000-7000-8000-000000000\(hundred)\(number < 10 ? "0" : "")\(number)"
                    return ["id": .string(id), "text": .string("Thing \(hundred) \(number)"), "note": note]
                })
        }
        #expect(try !house.snapshot("carol").listItems.values.contains { $0.text == "Milk" })
        let browser = try Browser(stage)
        try browser.signIn(house, "carol")
        _ = try browser.run("location.hash = arguments[0]", .string("#/lists/" + list))
        try browser.wait("the milk") { try onList("section .item", browser) == ["Milk"] }
        try browser.wait("the service worker") {
            try browser.run("return !!navigator.serviceWorker.controller").bool == true
        }
        // What is held is written when the page is left.
        house.kill()
        try browser.wait(for: "not reached", in: ".line")
        _ = try browser.run("location.reload()")
        try browser.wait("the milk") { try onList("section .item", browser) == ["Milk"] }
        try browser.click("section .item .tick")
        try browser.wait(for: "1 thing you did waits", in: ".line")
        try house.start()
        try browser.wait("it to be ticked") {
            let shown = try house.door(as: "ada").call("list.show", ["list": .string(list)])
            return shown["items"]?.array?.first?["ticked"] == true
        }
    }

    /// Three hours behind; and half a minute, which no age on a screen tells, but which decides whose word is the later one.
    @Test(arguments: [3 * 3600, 30])
    func `what a phone whose clock is behind does in the cellar counts by its moment`(behind seconds: Int) throws {
        let door = try house.door(as: "ada")
        let list = try #require(try door.call("list.add", ["name": "Groceries"])["list"]?["id"])
        func item(_ letter: String) -> JSON { .string("01980000-0000-7000-8000-00000000000\(letter)") }
        let (milk, bread) = (item("a"), item("b"))
        let browser = try Browser(stage)
        try browser.beforehand(
            """
            const Real = Date, behind = \(seconds * 1000)
            Date = class extends Real {
              constructor(...all) { if (all.length) super(...all); else super(Real.now() - behind) }
              static now() { return Real.now() - behind }
            }
            """)
        try browser.signIn(house, "carol")
        try browser.wait("the daemon's clock to be known") {
            let off = try browser.look("return import(folder + 'served.js').then(one => one.served.skewMs)").int
            return abs((off ?? 0) + Int64(seconds * 1000)) < 2500
        }
        // Ada says of both that they are open, a moment before.
        _ = try door.call(
            "item.put",
            [
                "list": list,
                "items": [
                    ["id": milk, "text": "Milk", "ticked": false], ["id": bread, "text": "Bread", "ticked": false],
                ],
            ])
        func isTicked(_ text: String) throws -> Bool {
            try house.snapshot("ada").listItems.values.contains { $0.text == text && $0.isTicked }
        }
        try browser.click("[data-tab=lists]")
        try browser.click("kin-lists .rows a")
        try browser.wait("both") { try onList("section .item", browser) == ["Milk", "Bread"] }
        // The head of an answer tells the time to a second.
        let clock = "return import(folder + 'served.js').then(one => one.exactly())"
        let begun = try #require(try browser.look(clock).int)
        try browser.wait("a second to pass") { try browser.look(clock).int ?? 0 > begun + 1500 }
        try browser.click(".item .tick")
        try browser.wait("the milk to be ticked") { try isTicked("Milk") }
        try browser.wait("the service worker") {
            try browser.run("return !!navigator.serviceWorker.controller").bool == true
        }
        house.kill()
        try browser.wait(for: "not reached", in: ".line")
        // Opened anew without the daemon, it goes by what it knew of the clock.
        _ = try browser.run("location.reload()")
        try browser.wait("the bread") { try onList("section .item", browser) == ["Bread"] }
        try browser.click("section .item .tick")
        try add("Eggs", in: browser)
        try browser.wait(for: "2 things you did wait", in: ".line")
        try house.start()
        try browser.wait("the bread to be ticked, and the eggs to be there") {
            try isTicked("Bread") && house.snapshot("ada").listItems.count == 3
        }
        #expect(try onList("section .item", browser) == ["Eggs"])
    }

    /// With `KINWIRE_SCREENSHOTS=DIR` pictures are written there, to be looked at.
    @Test func `a list is read and changed on a small phone, light and dark, in both languages`() throws {
        let axe = try #require(PageTests.axe)
        let door = try house.door(as: "ada")
        let members = try door.call("member.list", [:])["members"]?.array ?? []
        let carol = try #require(members.first { $0["username"]?.string == "carol" }?["id"])
        let made = try door.call(
            "list.add", ["name": "Groceries for the long weekend", "sections": ["Fruit", "Dairy"]])
        let list = try #require(made["list"]?["id"])
        func item(_ number: Int) -> JSON { .string("01980000-0000-7000-8000-00000000000\(number)") }
        _ = try door.call(
            "item.put",
            [
                "list": list,
                "items": [
                    ["id": item(1), "text": "Milk", "amount": 2, "unit": "l", "section": "Dairy"],
                    ["id": item(2), "text": "Apples", "section": "Fruit", "note": "the red ones", "member": carol],
                    ["id": item(3), "text": .string("Donaudampfschifffahrtsgesellschaftskapitänskuchen")],
                    ["id": item(4), "text": "Take back the bottles", "due": "2036-11-24"],
                    ["id": item(5), "text": "Bread", "ticked": true],
                ],
            ])
        for (language, width, isDark) in [("en", 390, false), ("de", 320, true)] {
            let browser = try Browser(stage, language: language)
            try browser.screen(width: width, height: 844, isDark: isDark)
            func judge(_ screen: String) throws {
                #expect(try browser.violations(axe) == [], "\(screen), \(language)")
                #expect(try browser.run("return document.documentElement.scrollWidth").int == Int64(width), "\(screen)")
                try browser.draw("list-\(screen)-\(language)")
            }
            try browser.signIn(house, "ada")
            try browser.click("[data-tab=lists]")
            try browser.wait(for: "Groceries", in: "kin-lists .rows")
            try judge("all")
            try browser.click("kin-lists .rows a")
            try browser.wait("the items") { try onList("section .item", browser).count == 4 }
            #expect(try browser.text("kin-lists").contains("Fruit"))
            #expect(try onList("section .item", browser).dropFirst(2) == ["Apples", "Milk · 2 l"])
            try browser.click("details.done summary")
            try judge("one")
            try browser.click(".item .edit")
            try browser.wait("the form") { try browser.sees("#item-text") }
            try judge("item")
            try browser.pressEscape()
            try browser.wait("the form to close") { try !browser.sees("dialog") }
            try browser.click("#list-settings")
            try browser.wait("the form") { try browser.sees("#list-name") }
            try judge("settings")
            #expect(try browser.log() == [])
        }
    }
}
