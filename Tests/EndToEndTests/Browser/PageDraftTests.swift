import Glibc
import KinModel
import Testing

/// What is typed into a dialog or a box and not sent, in Debian's Chromium against the real daemon.
@Suite(.serialized, .enabled(if: Browser.isThere, "Chromium and its driver are not installed"))
struct PageDraftTests {
    let stage: Stage
    let house: House

    init() throws {
        stage = try Stage()
        house = try House(stage)
        try house.found()
    }

    private func value(_ selector: String, _ browser: Browser) throws -> String? {
        try browser.run("return document.querySelector(arguments[0])?.value ?? null", .string(selector)).string
    }

    /// The page anew, in the same tab.
    private func load(_ browser: Browser, _ screen: String) throws {
        try browser.open(house.url + "/healthz")
        try browser.open(house.url + "/" + screen)
    }

    private func openName(_ browser: Browser) throws {
        try browser.click("[data-open='family.my-name']")
        try browser.wait("the dialog") { try browser.sees("dialog input") }
    }

    /// Types until the page has taken note: its keeper of drafts comes a moment after the dialog.
    private func type(_ text: String, into selector: String, _ browser: Browser) throws {
        try browser.wait("what is typed to be kept") {
            try browser.type(text, into: selector)
            return try browser.run(
                "return Object.values(sessionStorage).some(one => one.includes(arguments[0]))", .string(text)
            ).bool == true
        }
    }

    @Test func `what was typed into a dialog is there after a reload and after Escape, and not after it was left`()
        throws
    {
        let browser = try Browser(stage)
        try browser.signIn(house, "ada")
        try load(browser, "#/family")
        try openName(browser)
        let name = try #require(try value("dialog input", browser))
        // Each time the dialog opens, what stands there is looked at before one types.
        try browser.wait("the keeper of drafts") {
            try browser.run(
                "return performance.getEntriesByType('resource').some(one => one.name.endsWith('/drafts.js'))"
            )
            .bool == true
        }
        try type("Ada the Great", into: "dialog input", browser)
        try load(browser, "#/family")
        try openName(browser)
        try browser.wait("the draft") { try value("dialog input", browser) == "Ada the Great" }
        #expect(try browser.sees("dialog #draft"))
        try browser.pressEscape()
        try browser.wait("no dialog") { try !browser.sees("dialog") }
        try openName(browser)
        try browser.wait("the draft") { try value("dialog input", browser) == "Ada the Great" }
        // Begun anew, it is as it was.
        try browser.click("dialog #draft button")
        #expect(try value("dialog input", browser) == name)
        try type("Ada the Small", into: "dialog input", browser)
        try browser.click("dialog form > button.quiet")
        try browser.wait("no dialog") { try !browser.sees("dialog") }
        try openName(browser)
        #expect(try value("dialog input", browser) == name)
        #expect(
            try browser.run("return Object.keys(sessionStorage).filter(one => one.startsWith('kinwire.form.')).length")
                .int == 0)
    }

    @Test func `the draft of one list is not that of another, and no password is kept`() throws {
        let door = try house.door(as: "ada")
        let lists = try ["Shop", "Garden"].map { name in
            try #require(try door.call("list.add", ["name": .string(name), "kind": "shopping"])["list"]?["id"]?.string)
        }
        let browser = try Browser(stage)
        try browser.signIn(house, "ada")
        func settings(_ list: String) throws {
            try load(browser, "#/lists/\(list)")
            try browser.click("#list-settings")
            try browser.wait("the dialog") { try browser.sees("dialog input") }
        }
        try settings(lists[0])
        try browser.wait("the keeper of drafts") {
            try browser.run(
                "return performance.getEntriesByType('resource').some(one => one.name.endsWith('/drafts.js'))"
            )
            .bool == true
        }
        try type("Market", into: "dialog input", browser)
        try settings(lists[1])
        #expect(try value("dialog input", browser) == "Garden")
        try settings(lists[0])
        try browser.wait("the draft") { try value("dialog input", browser) == "Market" }
        try browser.pressEscape()
        // An item that was begun is there as well.
        try browser.type("Apples", into: "#add-item")
        try load(browser, "#/lists/\(lists[0])")
        try browser.wait("the item") { try value("#add-item", browser) == "Apples" }
        try load(browser, "#/family")
        try browser.click("[data-open='family.password']")
        try browser.wait("the dialog") { try browser.sees("dialog input[type=password]") }
        try browser.type("correct-horse-battery", into: "dialog input[type=password]")
        #expect(
            try browser.run("return Object.values(sessionStorage).some(one => one.includes('correct-horse'))").bool
                == false)
    }

    @Test func `an entry that was begun goes on with its words, on the day that was chosen now`() throws {
        let browser = try Browser(stage)
        try browser.signIn(house, "ada")
        func begin(_ day: String) throws {
            try load(browser, "#/calendar/\(day)")
            try browser.click("#new-entry")
            try browser.wait("the form") { try browser.sees("#entry-form") }
        }
        func set(_ name: String, _ value: String) throws {
            try browser.run(
                """
                const input = document.querySelector(`#entry-form [name=${arguments[0]}]`)
                input.value = arguments[1]
                for (const type of ["input", "change", "input"]) input.dispatchEvent(new Event(type, { bubbles: true }))
                """, .string(name), .string(value))
        }
        func stands() throws -> [String?] {
            try ["subject", "startDay", "startTime", "endDay", "endTime"].map {
                try value("#entry-form [name=\($0)]", browser)
            }
        }
        try begin("2036-11-24")
        try set("subject", "Dentist")
        try set("startTime", "09:30")
        try begin("2036-11-24")
        #expect(try stands() == ["Dentist", "2036-11-24", "09:30", "2036-11-24", "10:30"])
        try set("endDay", "2036-11-25")
        try begin("2036-11-27")
        #expect(try stands() == ["Dentist", "2036-11-27", "09:30", "2036-11-28", "10:30"])
        // A day that was typed stays where the same one is chosen again.
        try set("startDay", "2036-12-01")
        try begin("2036-11-27")
        #expect(try stands() == ["Dentist", "2036-12-01", "09:30", "2036-12-02", "10:30"])
        // Between two visits stands an address without a page, of which the browser asks an icon.
        let log = try browser.log().filter { !$0.contains("/favicon.ico") }
        #expect(log == [])
    }

    @Test func `what was chosen beside what was typed comes back with it, who is to see it above all`() throws {
        try house.join("bob")
        let door = try house.door(as: "ada")
        _ = try door.call("place.add", ["name": "School", "lat": 45.28, "lon": 13.72, "radius": 100])
        let members = try door.call("member.list", [:])["members"]?.array ?? []
        let bob = try #require(members.first { $0["username"]?.string == "bob" }?["id"]?.string)
        let browser = try Browser(stage)
        try browser.signIn(house, "ada")
        func change() throws {
            try load(browser, "#/map")
            try browser.wait("the line to be live") {
                try browser.look("return import(folder + 'state.js').then(one => one.state.line)") == "live"
            }
            try browser.click("kin-map section .rows li.row button")
            try browser.wait("the dialog") { try browser.sees("dialog #place-name") }
        }
        try change()
        try type("Our school", into: "#place-name", browser)
        try browser.run(
            """
            const choice = [...document.querySelectorAll("dialog select")].at(-1)
            choice.value = "some"
            for (const type of ["input", "change"]) choice.dispatchEvent(new Event(type, { bubbles: true }))
            document.querySelector(`dialog [value='${arguments[0]}']`).click()
            """, .string(bob))
        try change()
        try browser.wait("the draft") { try value("#place-name", browser) == "Our school" }
        let chosen = try browser.run(
            """
            const choice = [...document.querySelectorAll("dialog select")].at(-1)
            return [choice.value, document.querySelector(`dialog [value='${arguments[0]}']`)?.checked ?? null]
            """, .string(bob))
        #expect(chosen == ["some", true])
        try browser.click("dialog button[type=submit]")
        try browser.wait("the dialog to close") { try !browser.sees("dialog") }
        let id = try #require(try door.call("place.list", [:])["places"]?.array?.first?["id"])
        let place = try door.call("place.show", ["place": id])["place"]
        #expect(place?["name"] == "Our school" && place?["audience"] == .array([.string(bob)]), "\(place?.text ?? "")")
    }

    @Test func `a post that was begun is there again with its link and for whom it is`() throws {
        try house.join("bob")
        let browser = try Browser(stage)
        try browser.signIn(house, "ada")
        try load(browser, "#/posts")
        try browser.type("Half a story", into: "#post-text")
        try browser.run(
            """
            const { link, who } = document.querySelector('kin-posts')
            link.value = 'https:' + '//kin.example/'
            link.dispatchEvent(new Event('input', { bubbles: true }))
            who.choice.value = 'some'
            who.choice.dispatchEvent(new Event('change', { bubbles: true }))
            const box = who.people.querySelector('input')
            box.checked = true
            box.dispatchEvent(new Event('change', { bubbles: true }))
            """)
        try load(browser, "#/posts")
        try browser.wait("what was typed") { try value("#post-text", browser) == "Half a story" }
        #expect(try value("kin-posts input[type=url]", browser) == "https://kin.example/")
        try browser.wait("the page to be live") { try !browser.sees(".line") }
        try browser.click("#send-post")
        try browser.wait(for: "Half a story", in: ".post")
        let post = try #require(try house.door(as: "ada").call("post.list", [:])["posts"]?.array?.first)
        let bob = try #require(try house.snapshot("bob").me)
        let shown = try house.door(as: "ada").call("post.show", ["post": post["id"] ?? .null])["post"]
        #expect(shown?["audience"]?.array?.compactMap(\.identifier) == [bob])
        #expect(shown?["link"] == "https://kin.example/")
        #expect(try value("kin-posts input[type=url]", browser) == "")
    }
}
