import KinCodec
import KinModel
import Testing

/// Two tabs of one browser, and a browser that others use as well.
@Suite(.serialized, .enabled(if: Browser.isThere, "Chromium and its driver are not installed"))
struct TabTests {
    let stage: Stage
    let house: House

    init() throws {
        stage = try Stage()
        house = try House(stage, family: ["bob"])
    }

    /// How many WebSockets the daemon has.
    private func sockets() throws -> Int64? {
        try house.door(as: "ada").call("daemon.status", [:])["clients"]?["webSocket"]?.int
    }

    private func say(_ text: String) throws {
        _ = try house.door(as: "bob").call("activity.say", ["text": .string(text)])
    }

    @Test func `two tabs have one line, and the second takes it over when the first is closed`() throws {
        let browser = try Browser(stage)
        try browser.signIn(house, "ada")
        try say("Soup is ready")
        try browser.wait(for: "Soup is ready", in: "kin-home")
        let first = try browser.tab
        let second = try browser.openTab()
        try browser.open(house.url + "/")
        try browser.wait(for: "Soup is ready", in: "kin-home")
        try say("Come down")
        try browser.wait(for: "Come down", in: "kin-home")
        #expect(try sockets() == 1)
        // What is done in the tab without the line goes by way of the other.
        try browser.type("We come", into: "kin-home textarea")
        try browser.click("kin-home .say button")
        try browser.wait("it to be said") {
            try house.door(as: "bob").call("activity.list", ["limit": 10]).bytes.contains(Array("We come".utf8))
        }
        try browser.go(to: first)
        try browser.closeTab()
        try browser.go(to: second)
        try browser.wait("the line to be this tab's") { try sockets() == 1 }
        try say("At last")
        try browser.wait(for: "At last", in: "kin-home")
        // It was the daemon that was away, for both.
        house.kill()
        try browser.wait(for: "not reached", in: "header")
        try house.start()
        try say("Here again")
        try browser.wait(for: "Here again", in: "kin-home")
    }

    @Test func `what waits is said in both tabs, and in none when one of them has sent it`() throws {
        let browser = try Browser(stage)
        try browser.signIn(house, "ada")
        let first = try browser.tab
        let second = try browser.openTab()
        try browser.open(house.url + "/")
        try browser.wait("the page to be live") { try browser.sees("#show-me") && !browser.sees(".line") }
        house.kill()
        try browser.wait(for: "not reached", in: ".line")
        // In the tab without the line, while the other has it.
        try browser.type("We come", into: "#say")
        try browser.click(".say button")
        for tab in [second, first] {
            try browser.go(to: tab)
            try browser.wait(for: "1 thing you did waits", in: ".line")
            try browser.wait(for: "You: We come", in: "kin-said")
        }
        try house.start()
        for tab in [first, second] {
            try browser.go(to: tab)
            try browser.wait("nothing to wait") { try !browser.sees(".line") }
            try browser.wait("it to be said") {
                let text = try browser.text("kin-said")
                return text.contains("You: We come") && !text.contains("waits")
            }
        }
    }

    @Test func `a sign-in on a shared computer takes away what another tab keeps, while that is open`() throws {
        let browser = try Browser(stage)
        try browser.signIn(house, "ada")
        let count = "return indexedDB.databases().then(all => all.length)"
        try browser.wait("the page to keep something") { try browser.run(count) == 1 }
        try browser.openTab()
        try browser.signIn(house, "bob", isShared: true)
        try browser.wait("nothing to be kept") { try browser.run(count) == 0 }
    }

    /// Which lines a page opened: whether the one that knows how to resume did it.
    private static let lines = """
        window.lines = []
        const Real = window.WebSocket
        window.WebSocket = class extends Real {
          constructor(...how) {
            super(...how)
            lines.push(new Error().stack.includes("/line.js"))
          }
        }
        """

    @Test func `where nothing is kept the line is opened while the modules are on their way, and no other`() throws {
        let browser = try Browser(stage)
        try browser.beforehand(Self.lines)
        try browser.signIn(house, "ada")
        try say("Soup is ready")
        try browser.wait(for: "Soup is ready", in: "kin-home")
        #expect(try browser.run("return lines") == [false])
        #expect(try sockets() == 1)
        // What was seen last is shown at once then, and nobody waits for a line.
        try browser.open(house.url + "/")
        try browser.wait("the page to be live") { try browser.sees("#show-me") && !browser.sees("header .line") }
        try say("Come down")
        try browser.wait(for: "Come down", in: "kin-home")
        #expect(try browser.run("return lines") == [true])
        // A line that ends is opened anew as ever.
        house.kill()
        try browser.wait(for: "not reached", in: "header")
        try house.start()
        try say("Here again")
        try browser.wait(for: "Here again", in: "kin-home")
        let isOf = try browser.run("return lines.every(one => one)")
        #expect(isOf == true)
    }

    @Test func `a tab that was asleep while another took its line hears again when it wakes`() throws {
        let browser = try Browser(stage)
        try browser.signIn(house, "ada")
        let first = try browser.tab
        try say("Soup is ready")
        try browser.wait(for: "Soup is ready", in: "kin-home")
        let second = try browser.openTab()
        try browser.open(house.url + "/")
        try browser.wait(for: "Soup is ready", in: "kin-home")
        // To the second tab the first has said nothing for a minute: it takes the line.
        try browser.run(
            """
            const now = performance.now.bind(performance)
            performance.now = () => now() + 60000
            document.dispatchEvent(new Event("visibilitychange"))
            """)
        try browser.wait("the line to be the second's") { try sockets() == 1 }
        try say("Come down")
        try browser.wait(for: "Come down", in: "kin-home")
        try browser.go(to: first)
        try browser.wait(for: "Come down", in: "kin-home")
        try say("It is getting cold")
        try browser.wait(for: "It is getting cold", in: "kin-home")
        #expect(try sockets() == 1)
        try browser.go(to: second)
        try browser.wait(for: "It is getting cold", in: "kin-home")
    }

    @Test func `a position that could not be told is told again, although nobody moves`() throws {
        let browser = try Browser(stage)
        try browser.tell("Browser.grantPermissions", ["permissions": ["geolocation"]])
        try browser.stand(lat: 45.28, lon: 13.72)
        try browser.signIn(house, "bob")
        // Before the daemon is reached nothing is asked of it.
        try browser.wait("the line to be live") { try browser.sees("#show-me") && !browser.sees(".line") }
        try browser.click("#show-me")
        try browser.click("dialog button[type=submit]")
        func isAt(_ lat: Double) throws -> Bool {
            try house.door(as: "bob").call("position.latest", [:])["positions"]?.array?.first?["lat"]?.double == lat
        }
        try browser.wait("the first position") { try isAt(45.28) }
        house.kill()
        try browser.wait(for: "not reached", in: "header")
        try browser.stand(lat: 45.281, lon: 13.72)
        try house.start()
        try browser.wait("the position to be told") { try isAt(45.281) }
    }

    @Test func `who signs in anew in the same browser never sees by the other's line`() throws {
        let browser = try Browser(stage)
        try browser.signIn(house, "ada")
        try browser.wait("Ada's family") {
            try browser.run("return !!document.cookie.match('kinwire-page=')").bool ?? false
        }
        try browser.openTab()
        try browser.signIn(house, "bob")
        try browser.click("[data-tab=family]")
        try browser.wait("Bob's own settings") {
            try browser.run("return document.querySelector('kin-family')?.innerText.includes('Bob') ?? false").bool
                ?? false
        }
        try browser.wait("two lines") { try sockets() == 2 }
    }

    @Test func `a tab that is left open begins anew as the member who signed in beside it, with nothing of before`()
        throws
    {
        let browser = try Browser(stage)
        try browser.signIn(house, "ada")
        let first = try browser.tab
        try browser.wait("the page to be live") { try browser.sees("#show-me") && !browser.sees(".line") }
        try browser.type("half a sentence", into: "#say")
        try browser.openTab()
        try browser.signIn(house, "bob")
        try browser.wait("the page to be live") { try browser.sees("#show-me") && !browser.sees(".line") }
        let bob = JSON.id(try #require(try house.snapshot("bob").me))
        try browser.wait("Bob's to be kept") { try kept(browser).array?.first == bob }
        // Ada's tab has her line still, and keeps nothing of what it hears in Bob's place.
        try browser.go(to: first)
        try say("Soup is ready")
        try browser.wait(for: "Soup is ready", in: "kin-home")
        try browser.run("dispatchEvent(new Event('pagehide'))")
        #expect(try kept(browser).array?.first == bob)
        // Its next line is Bob's.
        house.kill()
        try browser.wait(for: "not reached", in: "header")
        try house.start()
        try browser.wait("the box to be empty") {
            try browser.run("return document.querySelector('#say')?.value ?? null") == ""
        }
        try browser.wait("the page to be live") { try browser.sees("#show-me") && !browser.sees(".line") }
        try browser.click("[data-tab=family]")
        try browser.wait(for: "Bob", in: "kin-family")
        #expect(try kept(browser).array?.first == bob)
    }

    /// Whose snapshot the browser keeps, and how many commands wait in it; nothing where it keeps nothing.
    private func kept(_ browser: Browser) throws -> JSON {
        try browser.run(
            """
            return indexedDB.databases().then(all => all.length === 0 ? null : new Promise((done, fail) => {
              const asked = indexedDB.open("kinwire")
              asked.onerror = () => fail(asked.error)
              asked.onsuccess = () => {
                const work = asked.result.transaction(["held", "queue"])
                const [held, waiting] = [work.objectStore("held").get("family"), work.objectStore("queue").count()]
                work.oncomplete = () => { asked.result.close(); done([held.result?.snapshot.me ?? null, waiting.result]) }
              }
            }))
            """)
    }

    @Test(arguments: [false, true])
    func `whoever signs in where another did not sign out sees nothing of theirs, and nothing of theirs is sent`(
        isShared: Bool
    ) throws {
        try house.join("carol")
        let members = try house.door(as: "ada").call("member.list", [:])["members"]?.array ?? []
        func id(_ username: String) throws -> JSON {
            try #require(members.first { $0["username"]?.string == username }?["id"])
        }
        _ = try house.door(as: "carol").call(
            "meeting.propose",
            [
                "title": "Surprise", "kind": "group", "zone": "UTC", "invitees": [try id("ada")],
                "slots": [["start": "2036-11-23T17:00:00Z", "end": "2036-11-23T19:00:00Z"]],
            ])
        let browser = try Browser(stage)
        try browser.signIn(house, "ada")
        try browser.wait(for: "Surprise", in: "kin-ballot")
        let ada = try id("ada")
        try browser.wait("it to be kept") { try kept(browser).array?.first == ada }
        try browser.run("localStorage.setItem('kinwire.report', 'on')")
        // A page of the same origin that runs nothing; it is there without the daemon.
        let style = try #require(try browser.run("return document.querySelector('link[rel=stylesheet]').href").string)
        try browser.wait("the service worker") {
            try browser.run("return !!navigator.serviceWorker.controller").bool == true
        }
        house.kill()
        try browser.wait(for: "not reached", in: "header .line")
        try browser.type("We come", into: "#say")
        try browser.click(".say button")
        try browser.wait("it to wait") { try kept(browser) == [ada, 1] }
        try browser.type("half a sentence", into: "#say")
        try browser.open(style)
        try house.start()
        try browser.beforehand(
            """
            window.seen = 0
            new MutationObserver(() => { if (document.body?.textContent.includes("Surprise")) seen += 1 })
              .observe(document, { childList: true, subtree: true, characterData: true })
            """)
        try browser.signIn(house, "bob", isShared: isShared)
        try browser.wait("the page to be live") { try browser.sees("#show-me") && !browser.sees("header .line") }
        let bob = try id("bob")
        let wanted: JSON = isShared ? .null : [bob, 0]
        try browser.wait("it to keep Bob's, or nothing") { try kept(browser) == wanted }
        let found = try browser.run(
            "return [window.seen, document.querySelector('#say').value, localStorage.getItem('kinwire.report')]")
        #expect(found == [0, "", .null])
        // What is said now is said after all that waited.
        try browser.type("Here is Bob", into: "#say")
        try browser.click(".say button")
        try browser.wait(for: "Here is Bob", in: "kin-said")
        let said = try house.door(as: "carol").call("activity.list", ["limit": 20]).text
        #expect(said.contains("Here is Bob") && !said.contains("We come"))
    }

    @Test func `a page whose sign-in the browser no longer names is told it anew, and sends as before`() throws {
        let browser = try Browser(stage)
        try browser.signIn(house, "ada")
        try say("Soup is ready")
        try browser.wait(for: "Soup is ready", in: "kin-home")
        func name() throws -> String? {
            try browser.run("return document.cookie.match('kinwire-page=([0-9a-f]+)')?.[1] ?? null").string
        }
        let own = try #require(try name())
        try browser.tell("Network.deleteCookies", ["name": "kinwire-page", "url": .string(house.url + "/")])
        try browser.wait("it to be gone") { try name() == nil }
        try browser.open(house.url + "/healthz")
        try browser.open(house.url + "/")
        try browser.wait("the same name") { try name() == own }
        try browser.wait(for: "Soup is ready", in: "kin-home")
        house.kill()
        try browser.wait(for: "not reached", in: "header")
        try browser.type("We come", into: "kin-home textarea")
        try browser.click("kin-home .say button")
        try browser.wait(for: "1 thing you did waits", in: "header")
        try house.start()
        try browser.wait("it to be said") {
            try house.door(as: "bob").call("activity.list", ["limit": 10]).text.contains("We come")
        }
    }

    @Test func `on a shared computer nothing is kept, and the sign-in ends with the browser`() throws {
        let browser = try Browser(stage)
        try browser.signIn(house, "ada", isShared: true)
        try say("Soup is ready")
        try browser.wait(for: "Soup is ready", in: "kin-home")
        let kept = try browser.run(
            """
            return Promise.all([indexedDB.databases(), navigator.serviceWorker.getRegistrations(), caches.keys()])
              .then(all => [...all.flat().map(String), ...Object.keys(localStorage)])
            """)
        #expect(kept == .array([]))
        let cookies = try browser.tell("Network.getCookies")["cookies"]?.array ?? []
        #expect(Set(cookies.compactMap { $0["name"]?.string }) == ["kinwire", "kinwire-page"])
        #expect(cookies.allSatisfy { $0["session"]?.bool == true })
        // What cannot wait says so, and stays typed.
        house.kill()
        try browser.wait(for: "not reached", in: "header")
        try browser.type("We come", into: "kin-home textarea")
        try browser.click("kin-home .say button")
        try browser.wait(for: "cannot be done now", in: "#told")
        #expect(try browser.run("return document.querySelector('kin-home textarea').value").string == "We come")
    }

    @Test func `a shared computer that loses the page's cookie stays one, and nothing is kept`() throws {
        let browser = try Browser(stage)
        try browser.signIn(house, "ada", isShared: true)
        try say("Soup is ready")
        try browser.wait(for: "Soup is ready", in: "kin-home")
        try browser.tell("Network.deleteCookies", ["name": "kinwire-page", "url": .string(house.url + "/")])
        try browser.open(house.url + "/healthz")
        try browser.open(house.url + "/")
        try browser.wait(for: "Soup is ready", in: "kin-home")
        try browser.wait("the page to be live") { try browser.sees("#show-me") && !browser.sees("header .line") }
        #expect(try browser.run("return /kinwire-page=[0-9a-f]+\\.shared/.test(document.cookie)") == true)
        try browser.run("dispatchEvent(new Event('pagehide'))")
        let kept = try browser.run(
            """
            return Promise.all([indexedDB.databases(), navigator.serviceWorker.getRegistrations(), caches.keys()])
              .then(all => [...all.flat().map(String), ...Object.keys(localStorage)])
            """)
        #expect(kept == .array([]))
        // It is said, with what to do where that is wrong.
        try browser.click("[data-tab=family]")
        try browser.click("[data-open='family.this-browser']")
        try browser.wait(for: "counts as a shared computer", in: "dialog [data-grade=shared]")
    }
}

extension [UInt8] {
    fileprivate func contains(_ other: [UInt8]) -> Bool {
        indices.contains { self[$0...].starts(with: other) }
    }
}
