import KinModel
import Testing

/// A day of a family on two phones, from the first picture to the week's meals, in Debian's Chromium against the real
/// daemon: one phone in English and light, the other in German and dark.
@Suite(.serialized, .enabled(if: Browser.isThere, "Chromium and its driver are not installed"))
struct PageSharedDayTests {
    let stage: Stage
    let house: House
    let ada: Browser
    let carol: Browser

    init() throws {
        stage = try Stage()
        house = try House(stage, family: ["carol"])
        ada = try Browser(stage)
        carol = try Browser(stage, language: "de")
        try carol.screen(width: 390, height: 844, isDark: true)
        try carol.beforehand(Self.cellar)
        try ada.signIn(house, "ada")
        try carol.signIn(house, "carol")
    }

    /// Lets a page lose its network, and find it again: `leave()` and `comeBack()`. Nothing else of the phone is another.
    private static let cellar = """
        {
          const [Real, take, lines] = [window.WebSocket, window.fetch, new Set()]
          let isAway = false
          window.WebSocket = function (...how) {
            if (isAway) {
              const none = { close() {}, send() {}, readyState: 3 }
              setTimeout(() => none.onclose?.({}))
              return none
            }
            const line = new Real(...how)
            lines.add(line)
            return line
          }
          window.WebSocket.OPEN = Real.OPEN
          window.fetch = (...what) => isAway ? Promise.reject(new TypeError("away")) : take(...what)
          window.leave = () => { isAway = true; for (const line of lines) line.close(); lines.clear() }
          window.comeBack = () => { isAway = false; dispatchEvent(new Event("online")) }
        }
        """

    private func go(_ address: String, _ browsers: Browser...) throws {
        for browser in browsers { _ = try browser.run("location.hash = arguments[0]", .string(address)) }
    }

    /// What elements say, one by one.
    private func texts(_ selector: String, _ browser: Browser) throws -> [String] {
        let found = try browser.run(
            "return [...document.querySelectorAll(arguments[0])].map(one => one.textContent)", .string(selector))
        return (found.array ?? []).compactMap(\.string)
    }

    private func open(_ browser: Browser) throws -> [String] {
        try texts("kin-lists section .item .text", browser).sorted()
    }

    private func done(_ browser: Browser) throws -> [String] {
        try texts("kin-lists details .item .text", browser).sorted()
    }

    /// Presses a button of the item that says so.
    private func press(_ button: String, of item: String, _ browser: Browser) throws {
        let wasThere = try browser.run(
            """
            const item = [...document.querySelectorAll("kin-lists .item")]
              .find(one => one.querySelector(".text").textContent === arguments[0])
            item?.querySelector(arguments[1]).click()
            return !!item
            """, .string(item), .string(button))
        #expect(wasThere.bool == true, "\(item) does not stand on the list")
    }

    private func add(_ text: String, _ browser: Browser) throws {
        try browser.type(text, into: "#add-item")
        try browser.click(".say button")
    }

    /// Both screens keep within the phone and the rules of accessibility. With `KINWIRE_SCREENSHOTS=DIR` they are drawn.
    private func look(_ part: String) throws {
        for (browser, who) in [(ada, "ada"), (carol, "carol")] {
            #expect(try browser.run("return document.documentElement.scrollWidth").int == 390, "\(part), \(who)")
            if let axe = PageTests.axe {
                let found = try browser.violations(axe)
                #expect(found == [], "\(part), \(who): \(found)")
            }
            try browser.draw("day-\(part)-\(who)")
        }
    }

    @Test func `a family's day: pictures, words, a talk, a list from the cellar, and the week's meals on it`() throws {
        try morning()
        try noon()
        try afternoon()
        try evening()
        #expect(try ada.log() == [] && carol.log() == [])
    }

    /// Three pictures in a post, a comment under it, and both like it.
    private func morning() throws {
        try go("#/posts", ada, carol)
        try ada.wait("the form") { try ada.sees("#post-text") }
        try ada.drop(pictures: 3, into: "#post-text")
        try ada.wait("three to be there") { try texts(".hung", ada).count == 3 }
        try ada.type("At the lake", into: "#post-text")
        try ada.click("#send-post")
        try carol.wait(for: "At the lake", in: ".post .words")
        let loaded = """
            return [...document.querySelectorAll(".post .shots img")].filter(one => one.complete && one.naturalWidth > 0).length
            """
        for browser in [ada, carol] {
            try browser.wait("three pictures") { try browser.run(loaded).int == 3 }
        }
        try carol.type("Wie schön!", into: ".comment-text")
        try carol.click(".send-comment")
        try ada.wait(for: "Wie schön!", in: ".comment")
        for browser in [carol, ada] { try browser.click(".post > .likes [data-word=love]") }
        for browser in [carol, ada] {
            try browser.wait(for: "2", in: ".post > .likes [data-word=love] .n")
            try browser.wait("the own word to be marked") {
                try browser.run("return document.querySelector('.post > .likes [data-word=love]').ariaPressed").string
                    == "true"
            }
        }
        let post = try #require(try house.snapshot("carol").posts.values.first)
        #expect(post.pictures.count == 3 && post.likes.count == 2 && post.comments == 1)
        try look("feed")
    }

    /// A talk in the family's room.
    private func noon() throws {
        let room = try #require(try house.snapshot("ada").rooms.values.first { $0.room.kind == .family }).room.id
        try go("#/chat/\(room)", ada, carol)
        try ada.type("Who goes shopping?", into: "#message-text")
        try ada.click("#send-message")
        try carol.wait(for: "Who goes shopping?", in: ".message:not(.own)")
        try carol.type("Ich, im Keller vom Markt", into: "#message-text")
        try carol.click("#send-message")
        try ada.wait(for: "Ich, im Keller vom Markt", in: ".message:not(.own)")
        try carol.wait(for: "Ich, im Keller vom Markt", in: ".message.own:not(.pending)")
        try look("chat")
    }

    /// One list on two phones, of which one is in a cellar for a while.
    private func afternoon() throws {
        try go("#/lists", ada)
        try ada.click("#new-list")
        try ada.type("Groceries", into: "#list-name")
        try ada.click("dialog button[type=submit]")
        try ada.wait("the list") { try ada.sees("#add-item") }
        for text in ["Coffee", "6 Apples", "Bread"] { try add(text, ada) }
        try ada.wait("three to stand there") { try open(ada) == ["Apples · 6", "Bread", "Coffee"] }
        let list = try #require(try house.snapshot("carol").lists.keys.first)
        try go("#/lists/\(list)", carol)
        try carol.wait("three to stand there") { try open(carol) == ["Apples · 6", "Bread", "Coffee"] }

        #expect(try carol.log() == [])
        try carol.run("leave()")
        try carol.wait("it to be said that nothing is reached") { try carol.sees(".line") }
        try press(".tick", of: "Coffee", carol)
        try add("Batteries", carol)
        try carol.wait("both to show") { try open(carol) == ["Apples · 6", "Batteries", "Bread"] }
        try carol.wait(for: "2 Sachen", in: ".line")
        try carol.draw("day-cellar-carol")
        try press(".edit", of: "Coffee", ada)
        try ada.wait("the form") { try ada.sees("#item-text") }
        try ada.type("Dark coffee", into: "#item-text")
        try ada.click("dialog button[type=submit]")
        try ada.wait("the form to close") { try !ada.sees("dialog") }
        try press(".tick", of: "Bread", ada)
        try add("Butter", ada)
        try ada.wait("what was done at home") { try open(ada) == ["Apples · 6", "Butter", "Dark coffee"] }
        // Neither knows of the other's.
        #expect(try done(ada) == ["Bread"] && done(carol) == ["Coffee"])

        try carol.run("comeBack()")
        for browser in [ada, carol] {
            try browser.wait("both phones' edits") {
                try open(browser) == ["Apples · 6", "Batteries", "Butter"] && done(browser) == ["Bread", "Dark coffee"]
            }
        }
        try carol.wait("nothing to wait any more") { try !carol.sees(".line") }
        // What the browser complained of in the cellar is no fault.
        _ = try carol.log()
        let snapshot = try house.snapshot("ada")
        let items = snapshot.listItems.values
        #expect(items.count == 5)
        let coffee = try #require(items.first { $0.text == "Dark coffee" })
        let bread = try #require(items.first { $0.text == "Bread" })
        #expect(coffee.tickedBy != snapshot.me && bread.tickedBy == snapshot.me)
        try look("list")
    }

    /// Two dishes of the week, whose ingredients go on the list, summed by unit.
    private func evening() throws {
        let door = try house.door(as: "ada")
        for (title, servings, lines) in [
            ("Pancakes", 2, ["250 g flour", "2 eggs", "250 ml milk"]),
            ("Bread rolls", 4, ["0.5 kg flour", "0.5 l milk"]),
        ] as [(String, Int64, [String])] {
            _ = try door.call(
                "dish.add",
                [
                    "title": .string(title), "servings": .int(servings),
                    "ingredients": .array(lines.map { .string($0) }),
                ])
        }
        try go("#/meals", ada, carol)
        // Weeks begin on Sundays in one language and on Mondays in the other: today is in both.
        let today = try #require(
            try ada.run("return new Date().toLocaleDateString('sv', { timeZone: 'UTC' })").string)
        for (slot, title) in [("dinner", "Pancakes"), ("breakfast", "Bread rolls")] {
            try ada.click(".meal-day .day[data-day='\(today)']")
            try ada.wait("the form") { try ada.sees("#meal-what") }
            try ada.type(title, into: "#meal-what")
            try ada.run("document.querySelector('#meal-slot').value = arguments[0]", .string(slot))
            try ada.type("4", into: "#meal-servings")
            try ada.click("dialog button[type=submit]")
            try ada.wait("the form to close") { try !ada.sees("dialog") }
            try carol.wait(for: title, in: "kin-meals")
        }
        try carol.click("kin-meals .meal")
        try carol.wait("the meal") { try carol.sees("#eats-in") }
        try carol.click("#eats-in")
        try carol.click("#meal-close")
        try ada.wait(for: "1 eats", in: "kin-meals")
        try look("meals")
        try ada.click("#fill-list")
        try ada.wait("the form") { try ada.sees("#meal-list") }
        try ada.click("#fill-now")
        try ada.wait(for: "3 things stand on Groceries", in: "#told")
        try go("#/lists", carol)
        try carol.click("kin-lists .rows a")
        try carol.wait("what the week needs, beside what stood there") {
            try open(carol)
                == ["Apples · 6", "Batteries", "Butter", "eggs · 4", "flour · 1 kg", "milk · 1 l"]
        }
        try look("meals-on-list")
    }
}
