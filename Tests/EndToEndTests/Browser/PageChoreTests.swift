import KinCodec
import KinModel
import Testing

/// What is done with lists less often, on the family's page, in Debian's Chromium against the real daemon.
@Suite(.serialized, .enabled(if: Browser.isThere, "Chromium and its driver are not installed"))
struct PageChoreTests {
    let stage: Stage
    let house: House

    init() throws {
        stage = try Stage()
        house = try House(stage, family: ["carol"])
    }

    private func choose(_ value: String, in selector: String, _ browser: Browser) throws {
        let chosen = try browser.run(
            """
            const choice = document.querySelector(arguments[0])
            const isThere = [...choice.options].some(one => one.value === arguments[1])
            choice.value = arguments[1]
            choice.dispatchEvent(new Event("change"))
            return isThere
            """, .string(selector), .string(value))
        #expect(chosen.bool == true, "\(selector) has no \(value)")
    }

    private func add(_ text: String, _ browser: Browser) throws {
        try browser.type(text, into: "#add-item")
        try browser.click(".say button")
        try browser.wait(for: text, in: "kin-lists section")
    }

    private func texts(_ selector: String, _ browser: Browser) throws -> [String] {
        let found = try browser.run(
            "return [...document.querySelectorAll(arguments[0])].map(one => one.textContent)", .string(selector))
        return (found.array ?? []).compactMap(\.string)
    }

    @Test func `a chore gets its rule and its turns on its sheet, and what was ticked is taken back there`() throws {
        let made = try house.door(as: "ada").call("list.add", ["name": "Chores", "kind": "tasks"])
        let list = try #require(made["list"]?["id"]?.string)
        let ids = try ["ada", "carol"].map { try #require(try house.snapshot($0).me) }
        let browser = try Browser(stage)
        try browser.screen(width: 320, height: 700, isDark: true)
        try browser.signIn(house, "carol")
        try browser.run("location.hash = arguments[0]", .string("#/lists/" + list))
        try add("Bins", browser)
        func item() throws -> ListItem { try #require(try house.snapshot("ada").listItems.values.first) }
        func open() throws {
            try browser.click(".item .edit")
            try browser.wait("the sheet") { try browser.sees("#item-repeat") }
        }
        func save() throws {
            try browser.click("dialog button[type=submit]")
            try browser.wait("the sheet to close") { try !browser.sees("dialog") }
        }
        try open()
        #expect(try !browser.sees("#item-takes"), "what is done once goes round among nobody")
        try browser.run("document.querySelector('#item-due').value = '2090-03-02'")
        try choose("weekly", in: "#item-repeat", browser)
        for id in [ids[1], ids[0]] { try choose(id.description, in: "#item-takes", browser) }
        #expect(try texts("#item-turns .grow", browser) == ["Carol", "Ada"])
        if let axe = PageTests.axe { #expect(try browser.violations(axe) == []) }
        #expect(try browser.run("return document.documentElement.scrollWidth").int == 320)
        try browser.draw("list-turns")
        try save()
        try browser.wait(for: "Carol's turn", in: "section .item .soft")
        try browser.wait("it to be so for all") {
            try item().turns == [ids[1], ids[0]] && item().due == "2090-03-02" && item().repeats != nil
        }
        // Whoever stands first has it now.
        try open()
        try browser.click("#item-turns li:nth-child(2) button")
        try save()
        try browser.wait(for: "Ada's turn", in: "section .item .soft")
        try browser.wait("it to be so for all") { try item().turns == ids }
        try browser.click(".item .tick")
        try browser.wait(for: "Carol's turn", in: "section .item .soft")
        try browser.wait("the next day to be due") { try item().due == "2090-03-09" }
        try open()
        try browser.click("#item-undone")
        try browser.wait(for: "Ada's turn", in: "section .item .soft")
        try browser.wait("the day to be due again") { try item().due == "2090-03-02" }
        #expect(try browser.log() == [])
    }

    @Test func `a list is for some, what is done is cleared away, and it is removed`() throws {
        try house.join("dan")
        let (ada, carol) = (try Browser(stage), try Browser(stage))
        for (browser, name) in [(ada, "ada"), (carol, "carol")] {
            try browser.signIn(house, name)
            try browser.click("[data-tab=lists]")
        }
        func tick(_ name: String) throws {
            let wasThere = try ada.run(
                """
                const box = [...document.querySelectorAll("dialog fieldset label")].find(one => one.textContent === arguments[0])
                box?.querySelector("input").click()
                return !!box
                """, .string(name))
            #expect(wasThere.bool == true, "\(name) cannot be chosen")
        }
        try ada.click("#new-list")
        try ada.type("Party", into: "#list-name")
        try choose("some", in: "#list-audience", ada)
        try tick("Carol")
        try ada.click("dialog button[type=submit]")
        try carol.wait(for: "Party", in: "kin-lists")
        #expect(try house.snapshot("dan").lists.isEmpty)
        for text in ["Candles", "Napkins", "Cake"] { try add(text, ada) }
        try carol.click("kin-lists .rows a")
        try carol.wait("all of them") { try texts("kin-lists section .item .text", carol).count == 3 }
        for count in [2, 1] {
            try carol.click("kin-lists section .item .tick")
            try carol.wait("one less") { try texts("kin-lists section .item .text", carol).count == count }
        }
        // What is ticked goes at once, and can be had back for a moment.
        try ada.wait(for: "2 done", in: "kin-lists summary")
        try ada.click("kin-lists summary")
        try ada.click("#clear-ticked")
        try ada.wait("them to be out of sight") { try texts("kin-lists details .item .text", ada).isEmpty }
        try ada.click("#told button")
        try ada.wait("them to be there again") { try texts("kin-lists details .item .text", ada).count == 2 }
        #expect(try house.snapshot("carol").listItems.count == 3)
        try ada.click("#clear-ticked")
        try carol.wait("one to be left") { try house.snapshot("carol").listItems.count == 1 }
        // Who sees it no more has nothing of it.
        try ada.click("#list-settings")
        try ada.wait("the form") { try ada.sees("#list-audience") }
        try tick("Carol")
        try tick("Dan")
        try ada.click("dialog button[type=submit]")
        try carol.wait("the list to go") { try house.snapshot("carol").lists.isEmpty }
        #expect(try house.snapshot("dan").lists.count == 1)
        try ada.click("#list-settings")
        try ada.wait("the form") { try ada.sees("#list-audience") }
        try ada.click("dialog button.danger")
        try ada.wait("it to be gone") { try house.snapshot("dan").lists.isEmpty }
        #expect(try ada.log() == [])
    }
}
