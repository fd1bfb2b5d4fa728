import KinModel
import Testing

/// Members on the family's page: the tree, what somebody may do, what one says of oneself, leaving and the end.
@Suite(.serialized, .enabled(if: Browser.isThere, "Chromium and its driver are not installed"))
struct PageFamilyTests {
    let stage: Stage
    let house: House

    init() throws {
        stage = try Stage()
        house = try House(stage, family: ["bob", "carol"])
    }

    private func id(_ username: String) throws -> String {
        let members = try house.door(as: "ada").call("member.list", [:])["members"]?.array ?? []
        return try #require(members.first { $0["username"]?.string == username }?["id"]?.string)
    }

    /// The page of one member.
    private func go(_ username: String, _ browser: Browser) throws {
        try browser.run("location.hash = arguments[0]", .string("#/family/\(try id(username))"))
        try browser.wait(for: username.prefix(1).uppercased() + username.dropFirst(), in: "kin-family .card.person h1")
    }

    private func choose(_ value: String, in selector: String, _ browser: Browser) throws {
        try browser.wait("\(selector) to be there") { try browser.sees(selector) }
        try browser.run(
            """
            const one = document.querySelector(arguments[0])
            one.value = arguments[1]
            one.dispatchEvent(new Event('change', { bubbles: true }))
            """, .string(selector), .string(value))
    }

    private func judge(_ browser: Browser) throws {
        guard let axe = PageTests.axe else { return }
        let found = try browser.violations(axe)
        #expect(found == [], "\(found)")
    }

    @Test func `who holds a child's settings sees with whom it talks, and not what; others see neither`() throws {
        let ada = try house.door(as: "ada")
        let code = try ada.call("invite.create", ["kind": "child"])["code"] ?? .null
        _ = try house.door().call(
            "member.join",
            [
                "code": code, "username": "kim", "password": .string(House.password), "displayName": "Kim",
                "asChild": true,
            ])
        let (own, kim, bob, carol) = (try id("ada"), try id("kim"), try id("bob"), try id("carol"))
        _ = try ada.call("member.relate", ["member": .string(own), "parentOf": .string(kim)])
        _ = try ada.call("sharing.hold", ["member": .string(kim), "hold": true])
        let (parent, other) = (try Browser(stage, width: 320, height: 640), try Browser(stage))
        try parent.signIn(house, "ada")
        try go("kim", parent)
        try parent.wait("the way there") { try parent.sees("#talks") }
        try parent.click("#talks")
        try parent.wait(for: "Nobody yet", in: "dialog")
        try parent.pressEscape()
        try parent.wait("the dialog to close") { try !parent.sees("dialog") }
        let child = try house.door(as: "kim")
        let room = try child.call("room.open", ["with": [.string(bob), .string(carol)], "name": "Secret club"])
        _ = try child.call("room.open", ["with": [.string(bob)]])
        _ = try child.call(
            "message.send", ["room": room["room"]?["room"]?["id"] ?? .null, "text": "The tree house at four"])
        try parent.click("#talks")
        try parent.wait("both rooms") {
            try parent.run("return document.querySelectorAll('#rooms-of li').length").int == 2
        }
        let said = try parent.text("dialog")
        #expect(said.contains("Bob") && said.contains("Carol") && said.contains("a group"))
        #expect(!said.contains("Secret club") && !said.contains("tree house"))
        #expect(try parent.run("return document.documentElement.scrollWidth").int == 320)
        try judge(parent)
        try parent.draw("family-talks")
        try other.signIn(house, "bob")
        try go("kim", other)
        // What is told of the settings' hands is there; the way to the rooms is not.
        try other.wait("the child's page") { try other.sees("kin-family .card.person") }
        #expect(try !other.sees("#talks"))
        #expect(try parent.log() == [])
    }

    @Test func `who is whose parent and partner is said on the page, and the household is drawn as the tree it is`()
        throws
    {
        let code = try house.door(as: "ada").call("invite.create", ["kind": "child"])["code"] ?? .null
        _ = try house.door().call(
            "member.join",
            [
                "code": code, "username": "kim", "password": .string(House.password), "displayName": "Kim",
                "asChild": true,
            ])
        let browser = try Browser(stage, width: 320, height: 640)
        try browser.signIn(house, "ada")
        for (username, relation) in [("kim", "parent"), ("bob", "partner")] {
            try go(username, browser)
            // It is the mother who is said to be the child's parent, and Bob's partner.
            try browser.click("#relations")
            try choose(try id("ada"), in: "#relative", browser)
            try choose(relation, in: "#relation", browser)
            try judge(browser)
            try browser.click("dialog button[type=submit]")
            try browser.wait("the dialog to close") { try !browser.sees("dialog") }
        }
        try browser.run("location.hash = '#/family'")
        try browser.wait("the tree") {
            try browser.run(
                """
                const pair = [...document.querySelectorAll('.tree > li')].find(one => one.querySelector('.pair').innerText.includes('Ada'))
                return !!pair?.querySelector('.pair').innerText.includes('Bob') && !!pair?.querySelector('ul')?.innerText.includes('Kim')
                """
            ).bool == true
        }
        #expect(try browser.run("return document.documentElement.scrollWidth").int == 320)
        try judge(browser)
        try browser.draw("family-tree")
        // What was said by mistake is taken back; what the daemon refuses says why, in the dialog.
        try go("bob", browser)
        try browser.click("#relations")
        try browser.click("dialog .rows button")
        try browser.wait("the dialog to close") { try !browser.sees("dialog") }
        try browser.wait("it to be gone") { try !browser.text("kin-family dl").contains("Ada") }
        try browser.click("#relations")
        try choose(try id("carol"), in: "#relative", browser)
        try choose("parent", in: "#relation", browser)
        try browser.click("dialog button[type=submit]")
        try browser.wait(for: "An adult alone says who their parents are", in: "dialog > .wrong")
        #expect(try browser.log() == [])
    }

    @Test func `a role is another at once, and removing somebody asks first and signs them out`() throws {
        let (ada, bob) = (try Browser(stage), try Browser(stage))
        try ada.signIn(house, "ada")
        try bob.signIn(house, "bob")
        try bob.click("[data-tab=family]")
        try bob.wait("the family") { try bob.sees("#sign-out") }
        #expect(try !bob.sees("#invite"))
        try go("bob", ada)
        try ada.click("#role")
        try choose("head", in: "#member-role", ada)
        try judge(ada)
        try ada.click("dialog button[type=submit]")
        try ada.wait(for: "Head of the household", in: "kin-family dl")
        try bob.wait("what heads may") { try bob.sees("#invite") }
        // Left as it is, nothing happens.
        try ada.click("#remove")
        try ada.wait(for: "cannot be undone", in: "dialog")
        try judge(ada)
        try ada.pressEscape()
        try ada.wait("the dialog to close") { try !ada.sees("dialog") }
        #expect(try house.snapshot("ada").members.count == 3)
        try ada.click("#remove")
        try choose("delete", in: "#keep-what", ada)
        #expect(try !ada.sees("#heir"))
        try ada.click("dialog button[type=submit]")
        try ada.wait(for: "Bob is no longer in the family", in: "#told")
        try bob.wait("the sign-in") { try bob.url.contains("/signin") }
        #expect(try house.snapshot("ada").members.count == 2)
        #expect(try ada.log() == [])
    }

    @Test func `whoever leaves says who gets their things, and is signed out`() throws {
        _ = try house.door(as: "carol").call("list.add", ["name": "Groceries", "audience": "everyone"])
        let browser = try Browser(stage)
        try browser.signIn(house, "carol")
        try go("carol", browser)
        #expect(try !browser.sees("#role"))
        try browser.click("#remove")
        try choose(try id("bob"), in: "#heir", browser)
        try browser.click("dialog button[type=submit]")
        try browser.wait("the sign-in") { try browser.url.contains("/signin") }
        let seen = try house.snapshot("bob")
        #expect(seen.members.count == 2)
        let heir = try #require(seen.me)
        #expect(seen.lists.values.map(\.owner) == [heir])
    }

    @Test func `what one says of oneself is written, changed and taken back on the page, for whom one chooses`() throws
    {
        let (ada, bob) = (try Browser(stage), try Browser(stage))
        try ada.signIn(house, "ada")
        try bob.signIn(house, "bob")
        try go("ada", bob)
        try ada.click("[data-tab=family]")
        try ada.click("[data-open='family.my-profile']")
        try ada.wait(for: "You say nothing of yourself yet", in: "dialog")
        try judge(ada)
        try ada.click("[data-kind=phone]")
        try ada.type("+49 30 1234", into: "#profile-value")
        try judge(ada)
        try ada.click("dialog button[type=submit]")
        try ada.wait(for: "+49 30 1234", in: "#my-entries")
        try bob.wait(for: "+49 30 1234", in: "kin-family dl")
        #expect(try bob.run("return document.querySelector('kin-family dd a').getAttribute('href')") == "tel:+49301234")
        try ada.click("#my-entries button")
        try ada.wait("what was said") {
            try ada.run("return document.querySelector('#profile-value')?.value") == "+49 30 1234"
        }
        try ada.type("+49 30 4321", into: "#profile-value")
        try ada.click("dialog button[type=submit]")
        try bob.wait(for: "+49 30 4321", in: "kin-family dl")
        try ada.wait(for: "+49 30 4321", in: "#my-entries")
        try ada.click("#my-entries button:last-child")
        try ada.wait(for: "You say nothing of yourself yet", in: "dialog")
        // It can be had back for a while, and nobody else saw it go.
        try ada.click("#told button")
        try ada.wait(for: "+49 30 4321", in: "#my-entries")
        #expect(try bob.text("kin-family dl").contains("+49 30 4321"))
        try ada.click("#my-entries button:last-child")
        try ada.wait(for: "You say nothing of yourself yet", in: "dialog")
        try bob.wait("it to be gone") { try !bob.text("kin-family dl").contains("+49") }
        #expect(try ada.log() == [] && bob.log() == [])
    }

    @Test func `the family is deleted by whoever types its name, and by nobody else`() throws {
        let browser = try Browser(stage)
        try browser.signIn(house, "ada")
        try browser.click("[data-tab=family]")
        try browser.click("kin-family .danger")
        try browser.type("Babbage", into: "dialog input")
        try browser.click("dialog button[type=submit]")
        try browser.wait("why not") { try browser.sees("dialog > .wrong") }
        #expect(try house.snapshot("ada").members.count == 3)
        try browser.type("Lovelace", into: "dialog input")
        try browser.click("dialog button[type=submit]")
        try browser.wait("the family to be gone from the browser") { try !browser.sees("kin-family") }
        #expect(throws: LineClient.Refusal.self) { try house.door().call("family.show", [:]) }
    }

    @Test(arguments: [("en", "more than 8 combining marks"), ("de", "mehr als 8 Zeichen, die sich")])
    func `a name with sixty-four marks on a letter is refused in words beside it, and stays typed`(
        language: String, said: String
    ) throws {
        let browser = try Browser(stage, language: language)
        try browser.signIn(house, "bob")
        try browser.click("[data-tab=family]")
        try browser.click("[data-open='family.my-name']")
        try browser.wait("the dialog") { try browser.sees("dialog input") }
        let name = "B" + String(repeating: "\u{301}", count: 64)
        try browser.run("document.querySelector('dialog input').value = arguments[0]", .string(name))
        try browser.click("dialog button[type=submit]")
        try browser.wait(for: said, in: "dialog > .wrong")
        #expect(
            try browser.run("return [...document.querySelector('dialog input').value].length").int == 65)
        let wide = try browser.run("return document.documentElement.scrollWidth").int
        #expect(try wide == browser.run("return innerWidth").int)
        // Changed, it is taken.
        try browser.type("Bobby", into: "dialog input")
        try browser.click("dialog button[type=submit]")
        try browser.wait("the dialog to close") { try !browser.sees("dialog") }
        try browser.wait(for: "Bobby", in: "kin-family")
        #expect(try browser.log() == [])
    }
}
