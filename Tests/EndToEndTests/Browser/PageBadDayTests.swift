import Glibc
import KinCodec
import KinModel
import Testing

/// Bad days of the page: what a person sees when the connection, the storage, the clock or the browser's permission is
/// not as it should be.
@Suite(.serialized, .enabled(if: Browser.isThere, "Chromium and its driver are not installed"))
struct PageBadDayTests {
    let stage: Stage
    let house: House

    init() throws {
        stage = try Stage()
        house = try House(stage, foundedNowWith: ["bob"])
    }

    private func report(_ username: String, lat: Double, isFirst: Bool = false, secondsAgo: Int64 = 0) throws {
        let door = try house.door(as: username)
        if isFirst { _ = try door.call("sharing.set", ["state": "on"]) }
        _ = try door.call(
            "position.report",
            [
                "lat": .double(lat), "lon": 13.72, "accuracy": 8, "at": .time(Instant.now.adding(seconds: -secondsAgo)),
            ])
    }

    private func say(_ text: String) throws {
        _ = try house.door(as: "bob").call("activity.say", ["text": .string(text)])
    }

    private func live(_ browser: Browser) throws {
        try browser.wait("the page to be live") { try browser.sees("#show-me") && !browser.sees(".line") }
    }

    /// What the browser keeps of the family; nothing where there is nothing.
    private func held(_ browser: Browser) throws -> JSON {
        try browser.run(
            """
            return new Promise((done, fail) => {
              const asked = indexedDB.open("kinwire")
              asked.onerror = () => fail(asked.error)
              asked.onsuccess = () => {
                const got = asked.result.transaction("held").objectStore("held").get("family")
                got.onsuccess = () => { asked.result.close(); done(got.result ?? null) }
              }
            })
            """)
    }

    /// A page of the same origin that keeps nothing itself, and is there without the daemon.
    private func styleSheet(_ browser: Browser) throws -> String {
        try #require(try browser.run("return document.querySelector('link[rel=stylesheet]').href").string)
    }

    /// Sets what is kept back in time by so many seconds: all of it, or others' positions alone.
    private func setBack(_ browser: Browser, seconds: Double, positions: Bool) throws {
        try browser.run(
            """
            const [ms, isPositions] = arguments
            return new Promise((done, fail) => {
              const asked = indexedDB.open("kinwire")
              asked.onsuccess = () => {
                const work = asked.result.transaction("held", "readwrite"), store = work.objectStore("held")
                store.get("family").onsuccess = ({ target: { result } }) => {
                  if (isPositions) for (const one of result.snapshot.positions) one.at = new Date(new Date(one.at) - ms).toISOString()
                  else result.at -= ms
                  store.put(result, "family")
                }
                work.oncomplete = () => { asked.result.close(); done(true) }
                work.onabort = () => fail(work.error)
              }
            })
            """, .double(seconds * 1000), .bool(positions))
    }

    // MARK: The connection

    @Test func `a connection that is cut for a minute goes on without a reload, a gap or a repeat`() throws {
        let wire = stage.start(["python3", Stage.fixtures + "/wire.py", "\(house.port)"], input: "")
        try stage.wait("the wire") { !wire.lines.isEmpty || wire.status != nil }
        let port = try #require(wire.lines.first?.split(separator: " ").last.flatMap { UInt16($0) }, "\(wire.said)")
        let browser = try Browser(stage)
        try browser.open("http://127.0.0.1:\(port)/signin")
        try browser.type("ada", into: "input[name=username]")
        try browser.type(House.password, into: "input[name=password]")
        try browser.click("form button:not([type])")
        try browser.wait("the page to be live") { try browser.sees("#show-me") && !browser.sees(".line") }
        try browser.run(
            """
            window.heard = []
            addEventListener("kin-event", ({ detail }) => { if (detail.type === "activity.said") heard.push(detail.data.text) })
            """)
        func heard() throws -> [String] {
            try browser.run("return window.heard").array?.compactMap(\.string) ?? []
        }
        try say("1")
        try browser.wait("the first word") { try heard() == ["1"] }
        let count = try browser.look(
            "return import(folder + 'state.js').then(one => { window.resets = 0; one.hearers.add(event => { if (event === null) resets += 1 }); return resets })"
        )
        #expect(count == 0)
        wire.write("cut\n")
        try stage.wait("the cut") { wire.lines.contains("cut") }
        for number in 2...9 { try say("\(number)") }
        // A minute goes by, for the page: it has heard nothing in it, and gives the connection up.
        try browser.run(
            "const now = performance.now.bind(performance); performance.now = () => now() + 60_000; document.dispatchEvent(new Event('visibilitychange'))"
        )
        try browser.wait(for: "not reached", in: ".line")
        #expect(try heard() == ["1"], "nothing came through")
        wire.write("mend\n")
        try stage.wait("the wire to be whole") { wire.lines.contains("mend") }
        try browser.wait("the page to be live again") { try !browser.sees(".line") }
        try say("10")
        try browser.wait("the last word") { try heard().last == "10" }
        #expect(try heard() == (1...10).map { "\($0)" })
        #expect(try browser.run("return window.resets").int == 0, "it went on where it was")
        #expect(try browser.text("kin-said").contains("Bob: 9"))
    }

    @Test func `while a daemon takes long to answer, what was seen last is there and says how old it is`() throws {
        let browser = try Browser(stage)
        try browser.signIn(house, "ada")
        try browser.wait("the service worker") {
            try browser.run("return !!navigator.serviceWorker.controller").bool == true
        }
        try browser.open(house.url + "/")
        try live(browser)
        // It takes connections, and says nothing.
        house.daemon.signal(SIGSTOP)
        defer { house.daemon.signal(SIGCONT) }
        try browser.open(house.url + "/")
        try browser.wait(for: "Lovelace", in: "header")
        try browser.wait(for: "Until then you see the state as of", in: ".line")
        house.daemon.signal(SIGCONT)
        try live(browser)
    }

    // MARK: Old page, new daemon

    @Test func `a page that is open while Kinwire is renewed works on, says so, and loads the newer one when asked`()
        throws
    {
        let web = stage.folder + "/web"
        try stage.run("cp", "-r", Stage.root + "/Sources/KinWeb/App", web)
        house.kill()
        let other = try Stage()
        let renewed = try House(other, flags: ["--web", web])
        try renewed.found()
        try renewed.join("bob")
        let browser = try Browser(other)
        try browser.signIn(renewed, "ada")
        try browser.wait("the service worker") {
            try browser.run("return !!navigator.serviceWorker.controller").bool == true
        }
        try browser.open(renewed.url + "/")
        try live(browser)
        #expect(try !browser.sees(".newer"))
        try browser.run("window.isTheSamePage = true")
        let before = try browser.run("return document.querySelector('script[type=module]').src")
        renewed.kill()
        try stage.run("sh", "-c", "echo '/* newer */' >> \(web)/app.css")
        try renewed.start()
        try browser.wait("it to say so") { try browser.sees(".newer") }
        #expect(try browser.text(".newer").contains("A newer version"))
        // It goes on: it hears, it does, it opens screens.
        _ = try renewed.door(as: "bob").call("activity.say", ["text": "Soup is ready"])
        try browser.wait(for: "Soup is ready", in: "kin-home")
        try browser.type("We come", into: "#say")
        try browser.click(".say button")
        try browser.wait(for: "We come", in: "kin-said")
        for tab in ["map", "lists", "family", "home"] {
            try browser.click("[data-tab=\(tab)]")
            try browser.wait("the screen \(tab)") { try browser.sees("kin-\(tab)") }
        }
        // What this page never loaded is served no more: it says what to do, and does not fail without a word.
        try browser.click("[data-tab=meetings]")
        try browser.click("#propose")
        try browser.wait(for: "A newer version", in: "#told")
        try browser.run("location.hash = '#/home'")
        try browser.wait("home again") { try browser.sees("#say") }
        #expect(try browser.run("return window.isTheSamePage").bool == true)
        // What is typed and not sent is still there in the newer page.
        try browser.type("half a sentence", into: "#say")
        #expect(try browser.run("return window.isTheSamePage").bool == true)
        try browser.click("#load-newer")
        try browser.wait("the newer page") {
            try browser.run(
                "return !window.isTheSamePage && document.querySelector('script[type=module]')?.src !== arguments[0]",
                before
            ).bool == true
        }
        try live(browser)
        #expect(try !browser.sees(".newer"))
        #expect(try browser.run("return document.querySelector('#say').value").string == "half a sentence")
    }

    // MARK: Storage

    @Test func `a browser that keeps nothing shows the page live, says so, and loses nothing that was typed`() throws {
        let browser = try Browser(stage)
        try browser.beforehand(
            """
            IDBFactory.prototype.open = () => { throw new DOMException("forbidden", "SecurityError") }
            for (const name of ["localStorage", "sessionStorage"]) Object.defineProperty(window, name, { get() { throw new DOMException("forbidden", "SecurityError") } })
            """)
        try browser.signIn(house, "ada")
        try browser.wait(for: "This browser keeps nothing of this page", in: "#told")
        try live(browser)
        try say("Soup is ready")
        try browser.wait(for: "Soup is ready", in: "kin-home")
        // By their addresses: what was said stands before the tabs for a while.
        for tab in ["map", "chat", "calendar", "lists", "family", "home"] {
            try browser.run("location.hash = arguments[0]", .string("#/\(tab)"))
            try browser.wait("the screen \(tab)") { try browser.sees("kin-\(tab)") }
        }
        house.kill()
        try browser.wait(for: "not reached", in: ".line")
        try browser.type("We come", into: "#say")
        try browser.click(".say button")
        try browser.wait(for: "cannot be done now", in: "#told")
        // Another screen and back: the page itself remembers.
        for tab in ["meetings", "home"] {
            try browser.run("location.hash = arguments[0]", .string("#/\(tab)"))
            try browser.wait("the screen \(tab)") { try browser.sees("kin-\(tab)") }
        }
        try browser.wait("what was typed") {
            try browser.run("return document.querySelector('#say')?.value") == "We come"
        }
        try house.start()
        try browser.wait("the line to be live") { try !browser.sees(".line") }
        try browser.click(".say button")
        try browser.wait(for: "You: We come", in: "kin-said")
    }

    @Test func `a full disk is told of, and what could not be kept is not said to wait`() throws {
        let browser = try Browser(stage)
        try browser.signIn(house, "ada")
        try live(browser)
        // The disk refuses when it is to be written down, and not before.
        try browser.run(
            """
            const put = IDBObjectStore.prototype.put
            IDBObjectStore.prototype.put = function (...what) {
              const asked = put.apply(this, what), { transaction } = this
              asked.addEventListener("success", () => {
                Object.defineProperty(transaction, "error", { value: new DOMException("full", "QuotaExceededError") })
                transaction.abort()
              })
              return asked
            }
            """)
        try say("Soup is ready")
        try browser.wait(for: "no room left", in: "#told")
        try browser.wait(for: "Soup is ready", in: "kin-home")
        house.kill()
        try browser.wait(for: "not reached", in: ".line")
        try browser.type("We come", into: "#say")
        try browser.click(".say button")
        try browser.wait(for: "cannot be done now", in: "#told")
        #expect(try !browser.text(".line").contains("waits"))
        #expect(try browser.run("return document.querySelector('#say').value") == "We come")
        try house.start()
        try browser.wait("the line to be live") { try !browser.sees(".line") }
        try browser.run("location.hash = '#/family'")
        try browser.click("[data-open='family.this-browser']")
        try browser.wait(for: "no room left", in: "dialog")
    }

    @Test func `others' positions are kept for an hour and marked old, and come back with the daemon`() throws {
        try report("bob", lat: 45.28, isFirst: true, secondsAgo: 300)
        let browser = try Browser(stage)
        try browser.signIn(house, "ada")
        try browser.wait(for: "Bob", in: ".people")
        try browser.wait("the service worker") {
            try browser.run("return !!navigator.serviceWorker.controller").bool == true
        }
        try browser.open(house.url + "/")
        try live(browser)
        #expect(try !browser.sees(".people li.old"))
        let style = try styleSheet(browser)
        house.kill()
        try browser.open(house.url + "/")
        try browser.wait(for: "Bob", in: ".people")
        try browser.wait("it to be marked old") { try browser.sees(".people li.old") }
        try browser.wait(for: "as of", in: ".line")
        // An hour after Bob's phone told it, nothing of it is shown or kept.
        try browser.open(style)
        try setBack(browser, seconds: 3_600, positions: true)
        try browser.open(house.url + "/")
        try browser.wait(for: "as of", in: ".line")
        #expect(try !browser.text(".people").contains("Bob"))
        try browser.wait("it to be gone from what is kept") {
            try held(browser)["snapshot"]?["positions"] == .array([])
        }
        // The daemon knows it still, and nobody moved meanwhile.
        try house.start()
        try browser.wait(for: "Bob", in: ".people")
    }

    @Test func `a phone that is back after a week opens with what it had, says how old that is, and hears the rest`()
        throws
    {
        try report("bob", lat: 45.28, isFirst: true)
        try say("Before the holidays")
        let browser = try Browser(stage)
        try browser.signIn(house, "ada")
        try browser.wait(for: "Before the holidays", in: "kin-said")
        try browser.wait("the service worker") {
            try browser.run("return !!navigator.serviceWorker.controller").bool == true
        }
        try browser.open(house.url + "/")
        try live(browser)
        let style = try styleSheet(browser)
        house.kill()
        try browser.open(style)
        for isPositions in [true, false] { try setBack(browser, seconds: 7 * 86_400, positions: isPositions) }
        try browser.open(house.url + "/")
        try browser.wait(for: "What you see is as of", in: ".line")
        try browser.wait(for: "Before the holidays", in: "kin-said")
        #expect(try !browser.text(".people").contains("Bob"), "where somebody was a week ago is not kept")
        try house.start()
        for number in 1...20 { try say("Day \(number)") }
        try live(browser)
        try browser.wait(for: "Day 20", in: "kin-said")
        try browser.wait(for: "Bob", in: ".people")
        let unread = try browser.look("return import(folder + 'state.js').then(one => one.state.snapshot.inbox.unread)")
        let known = try house.snapshot("ada").inbox.unread
        #expect(unread.int == known)
    }

    @Test func `after thirty days without the daemon nothing is left`() throws {
        try report("bob", lat: 45.28, isFirst: true)
        let browser = try Browser(stage)
        try browser.signIn(house, "ada")
        try browser.wait(for: "Bob", in: ".people")
        try browser.wait("the service worker") {
            try browser.run("return !!navigator.serviceWorker.controller").bool == true
        }
        _ = try house.door(as: "ada").call("settings.set", ["clock": "hours24"])
        try browser.open(house.url + "/")
        try live(browser)
        func cookie() throws -> JSON? {
            try browser.tell("Network.getCookies")["cookies"]?.array?.first { $0["name"] == "kinwire-clock" }
        }
        try browser.wait("the settings to be told") { try cookie() != nil }
        // A browser that is never opened again erases it by itself.
        let end = try #require(try cookie()?["expires"]?.double)
        let days = (end - Double(Instant.now.milliseconds) / 1000) / 86_400
        #expect(days > 29 && days < 30.1, "\(days)")
        let style = try styleSheet(browser)
        house.kill()
        // 29 days: it is there. 31: it is not, and nothing of it lies there.
        for (days, isThere) in [(29.0, true), (2.0, false)] {
            try browser.open(style)
            try setBack(browser, seconds: days * 86_400, positions: false)
            // The map's regions and the switch of reporting, as the page keeps them.
            for (name, value) in [("regions", "[]"), ("report", "on")] {
                try browser.run("localStorage.setItem('kinwire.\(name)', arguments[0])", .string(value))
            }
            try browser.open(house.url + "/")
            try browser.wait(for: isThere ? "as of" : "Kinwire is not reached", in: ".line")
            #expect(try browser.text("header").contains("Lovelace") == isThere, "\(days)")
            let regions = try browser.run("return localStorage.getItem('kinwire.regions')")
            #expect(regions == (isThere ? "[]" : .null), "\(days)")
            #expect(try (cookie() != nil) == isThere, "\(days)")
        }
        #expect(try held(browser) == .null)
        #expect(try browser.run("return Object.keys(localStorage)") == .array([]))
    }

    @Test func `a page that is left open without the daemon keeps nothing for longer than one that is opened anew`()
        throws
    {
        try report("bob", lat: 45.28, isFirst: true, secondsAgo: 300)
        let browser = try Browser(stage)
        // Twenty seconds are a moment.
        try browser.beforehand(
            "const every = setInterval; window.setInterval = (what, milliseconds) => every(what, milliseconds === 20_000 ? 300 : milliseconds)"
        )
        try browser.signIn(house, "ada")
        try browser.wait(for: "Bob", in: ".people")
        try browser.wait("the service worker") {
            try browser.run("return !!navigator.serviceWorker.controller").bool == true
        }
        try browser.open(house.url + "/")
        try live(browser)
        house.kill()
        try browser.wait(for: "as of", in: ".line")
        func positions() throws -> Int? { try held(browser)["snapshot"]?["positions"]?.array?.count }
        try browser.wait("Bob's position to be kept") { try positions() == 1 }
        try setBack(browser, seconds: 3_600, positions: true)
        try browser.wait("it to be gone from what is kept") { try positions() == 0 }
        try browser.run("window.isTheSamePage = true; localStorage.setItem('kinwire.regions', '[]')")
        try setBack(browser, seconds: 31 * 86_400, positions: false)
        try browser.wait("the page to begin anew") { try browser.run("return !window.isTheSamePage").bool == true }
        try browser.wait(for: "Kinwire is not reached", in: ".line")
        #expect(try !browser.text("body").contains("Lovelace") && !browser.text("body").contains("Bob"))
        #expect(try held(browser) == .null)
        #expect(try browser.run("return Object.keys(localStorage)") == .array([]))
        // It stays open, and is whole again as soon as somebody answers.
        try house.start()
        try browser.wait(for: "Bob", in: ".people")
    }

    // MARK: The device

    @Test func `on a device whose clock is wrong ages are right, a position is taken, and the clock is named`() throws {
        try report("bob", lat: 45.28, isFirst: true, secondsAgo: 600)
        let browser = try Browser(stage)
        // Three hours ahead, in every way that a page asks for the time.
        try browser.beforehand(Self.ahead)
        try browser.tell("Browser.grantPermissions", ["permissions": ["geolocation"]])
        try browser.stand(lat: 45.281, lon: 13.72)
        try browser.signIn(house, "ada")
        try browser.wait(for: "The clock of this device is 3 h ahead", in: ".clock-wrong")
        try browser.wait(for: "10 min ago", in: ".people")
        #expect(try !browser.sees(".people li.old"))
        try browser.click("#show-me")
        try browser.click("dialog button[type=submit]")
        let door = try house.door(as: "ada")
        try browser.wait("the position to be taken") {
            try door.call("position.latest", [:])["positions"]?.array?.contains { $0["lat"]?.double == 45.281 } == true
        }
        try browser.wait(for: "Ada (you)", in: ".people")
        #expect(try browser.log() == [])
    }

    /// How a page asks for the time on a device whose clock is three hours ahead.
    private static let ahead = """
        const Real = Date, ahead = 3 * 3_600_000
        Date = class extends Real {
          constructor(...all) { if (all.length) super(...all); else super(Real.now() + ahead) }
          static now() { return Real.now() + ahead }
        }
        """

    @Test func `on a device whose clock is wrong ages are right without the daemon, too`() throws {
        try report("bob", lat: 45.28, isFirst: true, secondsAgo: 600)
        let browser = try Browser(stage)
        try browser.beforehand(Self.ahead)
        try browser.signIn(house, "ada")
        try browser.wait(for: "The clock of this device is 3 h ahead", in: ".clock-wrong")
        try browser.wait(for: "10 min ago", in: ".people")
        try browser.wait("the service worker") {
            try browser.run("return !!navigator.serviceWorker.controller").bool == true
        }
        try browser.wait("the clock to be kept") { try held(browser)["off"]?.int ?? 0 > 3 * 3_500_000 }
        house.kill()
        try browser.wait(for: "not reached", in: ".line")
        _ = try browser.run("location.reload()")
        try browser.wait("the page, opened anew") {
            try browser.text(".line").contains("not reached") && browser.text(".people").contains("min ago")
        }
        // Whether the clock is wrong still, nobody knows now.
        #expect(try !browser.sees(".clock-wrong"))
        try house.start()
        try browser.wait(for: "The clock of this device is 3 h ahead", in: ".clock-wrong")
    }

    @Test func `where the browser refuses the position the page says what to do, and shows nothing`() throws {
        let browser = try Browser(stage)
        try browser.tell(
            "Browser.setPermission",
            ["permission": ["name": "geolocation"], "setting": "denied", "origin": .string(house.url)])
        try browser.signIn(house, "ada")
        try live(browser)
        try browser.click("#show-me")
        try browser.click("dialog button[type=submit]")
        try browser.wait(for: "Allow the location for this page", in: "kin-report")
        #expect(try house.door(as: "ada").call("position.latest", [:])["positions"] == .array([]))
        // It is not tried behind one's back the next time.
        #expect(try browser.run("return localStorage.getItem('kinwire.report')") == .null)
        // Allowed in the browser's settings, and loaded again.
        try browser.tell(
            "Browser.setPermission",
            ["permission": ["name": "geolocation"], "setting": "granted", "origin": .string(house.url)])
        try browser.stand(lat: 45.28, lon: 13.72)
        try browser.open(house.url + "/")
        try live(browser)
        try browser.click("#show-me")
        try browser.wait(for: "Ada (you)", in: ".people")
    }
}
