import KinModel
import Testing

/// What is sent over a line that breaks, a daemon that is busy, or a proxy that answers in its place: it happens once, and
/// nothing of it is lost. And a device that does not know where it is.
@Suite(.serialized, .enabled(if: Browser.isThere, "Chromium and its driver are not installed"))
struct PageBadLineTests {
    let stage: Stage
    let house: House

    init() throws {
        stage = try Stage()
        house = try House(stage, family: ["bob"])
    }

    /// Lets the test lose the answer to a method (`lost`), refuse it (`refused`) for the moment or by a `code`, and hold it
    /// back (`held`).
    /// What is tried again after five seconds is tried again soon.
    private static let wire = """
        window.sockets = 0
        const Real = window.WebSocket, later = window.setTimeout
        window.setTimeout = (what, milliseconds, ...more) => later(what, milliseconds === 5_000 ? 200 : milliseconds, ...more)
        window.WebSocket = class extends Real {
          constructor(...how) { super(...how); window.sockets += 1 }
          send(text) {
            const isMeant = one => one && text.includes(`"method":"${one}"`)
            if (isMeant(window.refused)) {
              const { id } = JSON.parse(text), error = { code: window.code ?? 1503, message: "Too much is going on." }
              return void later(() => this.onmessage?.({ data: JSON.stringify({ jsonrpc: "2.0", id, error }) }))
            }
            if (isMeant(window.held)) {
              const { id } = JSON.parse(text), error = { code: 1403, message: "You may not do that." }
              window.letGo = () => super.send(text)
              window.deny = () => this.onmessage?.({ data: JSON.stringify({ jsonrpc: "2.0", id, error }) })
              return
            }
            super.send(text)
            if (isMeant(window.lost)) {
              this.onmessage = null
              this.close()
            }
          }
        }
        """

    private func page(_ script: String) throws -> Browser {
        let browser = try Browser(stage)
        try browser.beforehand(script)
        try browser.signIn(house, "ada")
        try browser.wait("the page to be live") { try browser.sees("#show-me") && !browser.sees(".line") }
        return browser
    }

    private func live(_ browser: Browser) throws {
        try browser.wait("the line to be there") {
            try browser.look("return import(folder + 'state.js').then(one => one.state.line)") == "live"
        }
    }

    /// Does something that does not wait for the daemon, as a form does it; what came of it.
    private func act(_ browser: Browser, _ method: String, _ params: JSON, isLost: Bool) throws -> JSON {
        let result = try browser.look(
            """
            const [method, params, isLost] = arguments[0]
            window.lost = isLost ? method : null
            return import(folder + 'base.js').then(all => all.act(method, params, { mayWait: false }))
            """, .string(method), params, .bool(isLost))
        try live(browser)
        return result
    }

    /// How often Ada said something.
    private func said() throws -> Int? {
        try house.door(as: "ada").call("activity.own", ["limit": 10])["sayings"]?.array?.count
    }

    @Test func `a meeting whose answer was lost is one meeting when it is sent again`() throws {
        let browser = try page(Self.wire)
        try browser.click("[data-tab=meetings]")
        try browser.click("#propose")
        try browser.type("Walk to the sea", into: "#propose-title")
        try browser.run("window.lost = 'meeting.propose'")
        try browser.click("dialog button[type=submit]")
        try browser.wait(for: "cannot be done now", in: "dialog form > .wrong")
        try browser.run("window.lost = null")
        try live(browser)
        try browser.click("dialog button[type=submit]")
        try browser.wait(for: "Walk to the sea", in: "kin-meeting")
        #expect(try house.snapshot("bob").meetings.count == 1)
    }

    @Test func `what was sent in vain happens once when it is sent again, and a secret is made anew`() throws {
        let browser = try page(Self.wire)
        let list: JSON = ["name": "Groceries", "kind": "shopping", "audience": "everyone"]
        #expect(try act(browser, "list.add", list, isLost: true) == .null)
        #expect(try act(browser, "list.add", list, isLost: false)["list"]?["name"] == "Groceries")
        #expect(try house.door(as: "ada").call("list.list", [:])["lists"]?.array?.count == 1)
        // Whoever adds another one of that name means another one.
        #expect(try act(browser, "list.add", list, isLost: false)["list"]?["name"] == "Groceries")
        #expect(try house.door(as: "ada").call("list.list", [:])["lists"]?.array?.count == 2)
        // The code of an invite is in no second answer.
        #expect(try act(browser, "invite.create", [:], isLost: true) == .null)
        #expect(try act(browser, "invite.create", [:], isLost: false)["code"]?.string != nil)
        // What was done in between is not taken for the repeat of what was before it.
        for (clock, isLost) in [("hours12", true), ("hours24", false), ("hours12", false)] {
            _ = try act(browser, "settings.set", ["clock": .string(clock)], isLost: isLost)
        }
        #expect(try house.door(as: "ada").call("settings.show", [:])["settings"]?["clock"] == "hours12")
    }

    @Test func `what the daemon cannot take just now is sent a little later, on the same line`() throws {
        let browser = try page(Self.wire)
        try browser.run("window.refused = 'activity.say'")
        try browser.type("We come", into: "#say")
        try browser.click(".say button")
        try browser.wait(for: "1 thing you did waits", in: ".line")
        let sockets = try browser.run("return window.sockets")
        try browser.run("window.refused = null")
        try browser.wait(for: "You: We come", in: "kin-said")
        try browser.wait("nothing to wait") { try !browser.sees(".line") }
        #expect(try browser.run("return window.sockets") == sockets)
        #expect(try said() == 1)
    }

    /// Bob asks Ada to a dinner at one time.
    private func propose() throws {
        let ada = try house.door(as: "ada")
        let members = try ada.call("member.list", [:])["members"]?.array ?? []
        _ = try house.door(as: "bob").call(
            "meeting.propose",
            [
                "title": "Sunday dinner", "kind": "group", "zone": "Europe/Berlin",
                "slots": [["start": "2036-11-23T17:00:00Z", "end": "2036-11-23T19:00:00Z"]],
                "invitees": .array(members.filter { $0["username"] == "ada" }.compactMap { $0["id"] }),
            ])
    }

    @Test func `a vote that waited and is refused is shown no more, and a question that is refused says why`() throws {
        try propose()
        let browser = try page(Self.wire)
        try browser.wait(for: "Sunday dinner", in: "kin-ballot")
        try browser.run("window.refused = 'meeting.vote'")
        try browser.click("kin-ballot .answer.yes")
        try browser.wait(for: "1 thing you did waits", in: ".line")
        let pressed = "return document.querySelector('kin-ballot .answer.yes').ariaPressed"
        #expect(try browser.run(pressed) == "true")
        try browser.run("window.code = 1409")
        try browser.wait(for: "Too much is going on.", in: "#told")
        try browser.wait("it to be as it was") { try browser.run(pressed) == "false" }
        try browser.wait("nothing to wait") { try !browser.sees(".line") }
        // What a button asks for.
        try browser.run("window.refused = 'session.list'; document.querySelector('#told').replaceChildren()")
        try browser.click("[data-tab=family]")
        try browser.click("[data-open='family.sessions']")
        try browser.wait(for: "Too much is going on.", in: "#told")
        // And a search, which does not say that nothing is reached.
        try browser.run("window.refused = 'search.find'; location.hash = '#search'")
        try browser.type("dinner", into: "#search-words")
        try browser.wait(for: "Too much is going on.", in: "kin-search")
        try browser.run("window.refused = null")
        try browser.type("Sunday", into: "#search-words")
        try browser.wait(for: "Sunday dinner", in: "kin-search .rows")
        #expect(try !browser.text("kin-search").contains("Too much"))
    }

    @Test func `a vote of a tab that goes by another's line is taken back there when it is refused later`() throws {
        try propose()
        let browser = try page(Self.wire)
        let first = try browser.tab
        try browser.run("window.refused = 'meeting.vote'")
        let second = try browser.openTab()
        try browser.open(house.url + "/")
        try browser.wait("the page to be live") { try browser.sees("#show-me") && !browser.sees(".line") }
        try browser.wait(for: "Sunday dinner", in: "kin-ballot")
        try browser.click("kin-ballot .answer.yes")
        try browser.wait(for: "1 thing you did waits", in: ".line")
        let pressed = "return document.querySelector('kin-ballot .answer.yes').ariaPressed"
        #expect(try browser.run(pressed) == "true")
        // What was said of the vote that waits is not what is said of the one that is refused.
        try browser.run("document.querySelector('#told').replaceChildren()")
        try browser.go(to: first)
        try browser.run("window.code = 1409")
        try browser.wait("nothing to wait") { try !browser.sees(".line") }
        try browser.go(to: second)
        try browser.wait(for: "Too much is going on.", in: "#told")
        try browser.wait("it to be as it was") { try browser.run(pressed) == "false" }
        try browser.wait("nothing to wait") { try !browser.sees(".line") }
        // It is free to be pressed again, and counts.
        try browser.go(to: first)
        try browser.run("window.refused = null")
        try browser.go(to: second)
        try browser.click("kin-ballot .answer.yes")
        try browser.wait("the vote to be done with") { try !browser.sees("kin-home kin-ballot") }
    }

    @Test func `without locks, as on plain http, a vote that another tab sends and is refused is taken back as well`()
        throws
    {
        let script = "Object.defineProperty(navigator, 'locks', { value: undefined })\n" + Self.wire
        try propose()
        let browser = try page(script)
        let first = try browser.tab
        try browser.run("Object.assign(window, { refused: 'meeting.vote', code: 1409 })")
        let second = try browser.openTab()
        try browser.beforehand(script)
        try browser.open(house.url + "/")
        try browser.wait("the page to be live") { try browser.sees("#show-me") && !browser.sees(".line") }
        try browser.wait(for: "Sunday dinner", in: "kin-ballot")
        // To this tab the daemon has too much to do, as often as it tries.
        try browser.run("window.refused = 'meeting.vote'")
        try browser.click("kin-ballot .answer.yes")
        try browser.wait(for: "1 thing you did waits", in: ".line")
        let pressed = "return document.querySelector('kin-ballot .answer.yes').ariaPressed"
        #expect(try browser.run(pressed) == "true")
        try browser.run("document.querySelector('#told').replaceChildren()")
        // The other heard that something waits, and sends it as its line comes anew.
        try browser.go(to: first)
        try browser.wait(for: "1 thing you did waits", in: ".line")
        try browser.look("return import(folder + 'base.js').then(all => all.sendWaiting())")
        try browser.go(to: second)
        try browser.wait(for: "Too much is going on.", in: "#told")
        try browser.wait("it to be as it was") { try browser.run(pressed) == "false" }
        try browser.wait("nothing to wait") { try !browser.sees(".line") }
    }

    /// A device that is elsewhere each time that it is asked.
    private static let roaming = """
        window.latitude = 52.5
        navigator.geolocation.getCurrentPosition = done => {
          window.latitude += 1
          done({ timestamp: Date.now(), coords: { latitude, longitude: 13.5, accuracy: 8 } })
        }
        """

    @Test func `a call whose answer was lost is one call when it is tried again, and one that was refused is over`()
        throws
    {
        let (ada, bob) = (try house.door(as: "ada"), try house.door(as: "bob"))
        let browser = try page(Self.wire + "\n" + Self.roaming)
        /// The call that goes on: which, and from where.
        func call() throws -> (id: JSON, lat: JSON?)? {
            let all = try bob.call("alarm.list", [:])["alarms"]?.array ?? []
            #expect(all.count < 2)
            return all.first.map { (id: $0["id"] ?? .null, lat: $0["position"]?["lat"]) }
        }
        func press(says words: String) throws {
            try browser.wait("the dialog") { try browser.sees("dialog [data-alarm=come]") }
            try browser.run(
                """
                document.querySelector("#told").replaceChildren()
                document.querySelector("dialog [data-alarm=come]").click()
                """)
            try browser.wait(for: words, in: "#told")
        }
        try browser.click("#call-others")
        try browser.run("window.lost = 'alarm.raise'")
        try press(says: "cannot be done now")
        try live(browser)
        try browser.wait(for: "You asked others to come", in: "kin-alarms")
        let first = try #require(try call())
        #expect(first.lat?.double == 53.5)
        // What is done in between makes it no other call.
        _ = try act(browser, "settings.set", ["clock": "hours12"], isLost: true)
        try press(says: "They are being called")
        let again = try #require(try call())
        #expect(again.id == first.id && again.lat?.double == 53.5)
        // A call that is over while one tries again is raised anew.
        _ = try ada.call("alarm.end", ["alarm": first.id])
        try browser.click("#call-others")
        try browser.run("window.lost = 'alarm.raise'")
        try press(says: "cannot be done now")
        try live(browser)
        let second = try #require(try call())
        #expect(second.id != first.id && second.lat?.double == 54.5)
        _ = try ada.call("alarm.end", ["alarm": second.id])
        try browser.run("window.lost = null")
        try press(says: "They are being called")
        let third = try #require(try call())
        #expect(third.id != second.id)
        _ = try ada.call("alarm.end", ["alarm": third.id])
        // One that was surely refused was none: the next is from where one is then.
        try browser.click("#call-others")
        try browser.run("window.refused = 'alarm.raise'; window.code = 1403")
        try press(says: "Too much is going on.")
        try browser.run("window.refused = null")
        try press(says: "They are being called")
        #expect(try call()?.lat?.double == 56.5)
    }

    @Test func `where something else answers in the daemon's place, what was done waits and is sent once`() throws {
        let browser = try page(
            """
            const later = window.setTimeout, real = window.fetch
            window.setTimeout = (what, milliseconds, ...more) => later(what, milliseconds === 5_000 ? 200 : milliseconds, ...more)
            window.WebSocket = class { constructor() { later(() => this.onclose?.({})) } close() {} }
            window.fetch = (what, how) => window.isProxied && how?.method === "POST"
              ? Promise.resolve(new Response("<h1>Bad Gateway</h1>", { status: 502 })) : real(what, how)
            """)
        try browser.run("window.isProxied = true")
        try browser.type("We come", into: "#say")
        try browser.click(".say button")
        try browser.wait(for: "1 thing you did waits", in: ".line")
        #expect(try browser.run("return document.querySelector('#say').value") == "")
        try browser.run("window.isProxied = false")
        try browser.wait(for: "You: We come", in: "kin-said")
        try browser.wait("nothing to wait") { try !browser.sees(".line") }
        #expect(try said() == 1)
    }

    @Test func `what is typed while something is on its way is of the next`() throws {
        let browser = try page(Self.wire)
        try browser.run("window.held = 'activity.say'")
        try browser.type("We come", into: "#say")
        try browser.click(".say button")
        try browser.wait("it to be on its way") { try browser.run("return !!window.letGo").bool == true }
        try browser.type("And bring bread", into: "#say")
        try browser.run("window.held = null; window.letGo()")
        try browser.wait(for: "You: We come", in: "kin-said")
        try browser.wait("the button to be free") {
            try browser.run("return document.querySelector('.say button').ariaBusy").string != "true"
        }
        #expect(try browser.run("return document.querySelector('#say').value") == "And bring bread")
    }

    @Test func `a message that is refused stands before what was typed meanwhile`() throws {
        let room = try #require(
            try house.door(as: "ada").call("room.list", [:])["rooms"]?.array?
                .first { $0["room"]?["kind"] == "family" }?["room"]?["id"]?.string)
        let browser = try page(Self.wire)
        try browser.run("location.hash = arguments[0]", .string("#/chat/\(room)"))
        try browser.run("window.held = 'message.send'")
        try browser.type("We come", into: "#message-text")
        try browser.click("#send-message")
        try browser.wait("it to be on its way") { try browser.run("return !!window.deny").bool == true }
        try browser.type("And bring bread", into: "#message-text")
        try browser.run("window.held = null; window.deny()")
        let typed = "return document.querySelector('#message-text').value"
        try browser.wait("both to stand there") { try browser.run(typed) == "We come\nAnd bring bread" }
        // On another screen and back, too.
        for screen in ["home", "chat/\(room)"] {
            try browser.run("location.hash = arguments[0]", .string("#/\(screen)"))
            try browser.wait("the screen") { try browser.sees(screen == "home" ? "#say" : "#message-text") }
        }
        #expect(try browser.run(typed) == "We come\nAnd bring bread")
    }

    @Test func `without the daemon nobody is signed out, and a dialog whose words wait closes`() throws {
        let browser = try page(Self.wire)
        try browser.click("[data-tab=family]")
        try browser.wait("the family") { try browser.sees("#sign-out") }
        house.kill()
        try browser.wait(for: "not reached", in: ".line")
        try browser.click("#sign-out")
        try browser.wait(for: "cannot be done now", in: "#told")
        #expect(try browser.text("header").contains("Lovelace"))
        try browser.click("[data-open='family.my-name']")
        try browser.type("Ada the Great", into: "dialog input")
        try browser.click("dialog button[type=submit]")
        try browser.wait("the dialog to close") { try !browser.sees("dialog") }
        try browser.wait(for: "1 thing you did waits", in: ".line")
        try house.start()
        try browser.wait(for: "Ada the Great", in: "kin-family")
        try browser.click("#sign-out")
        try browser.wait("the sign-in") { try browser.url.hasSuffix("/signin") }
    }

    @Test func `what lies beneath the map and could not be had comes with the daemon`() throws {
        // A region of one colour, of which nothing is had for now.
        let browser = try page(
            """
            const real = window.fetch
            window.tiles = 0
            window.fetch = async (what, how) => {
              if (!String(what).startsWith("/app/map")) return real(what, how)
              if (window.cut === "all" || window.cut === "tiles" && what !== "/app/map") throw new TypeError("cut")
              if (what === "/app/map") {
                const region = { name: "sea", version: "1", format: "png", minzoom: 0, maxzoom: 4, bounds: [-180, -85, 180, 85], attribution: "Those who drew it" }
                return Response.json({ regions: [region] })
              }
              window.tiles += 1
              const canvas = new OffscreenCanvas(8, 8)
              canvas.getContext("2d").fillRect(0, 0, 8, 8)
              return new Response(await canvas.convertToBlob())
            }
            """)
        try browser.run("window.cut = 'all'")
        try browser.click("[data-tab=map]")
        try browser.wait("the screen") { try browser.sees("kin-map") }
        // Without Leaflet there is the list alone.
        guard try browser.look("return !!document.querySelector('meta[name=leaflet]').content") == true else { return }
        try browser.wait("the map") { try browser.run("return !!document.querySelector('kin-map').map") == true }
        #expect(try !browser.sees("kin-map .attribution"))
        // The line breaks and is there again, with the list of regions, and without their tiles.
        for (cut, isThere) in [("tiles", false), ("", true)] {
            house.kill()
            try browser.wait(for: "not reached", in: ".line")
            try browser.run("window.cut = arguments[0]", .string(cut))
            try house.start()
            try live(browser)
            try browser.wait(for: "Those who drew it", in: "kin-map .attribution")
            if isThere {
                try browser.wait("the tiles") { try browser.run("return window.tiles > 0") == true }
            } else {
                try browser.wait("a gap") {
                    try browser.run("return document.querySelector('kin-map').ground.regions[0].hasMissed") == true
                }
            }
        }
    }

    // MARK: The device

    @Test func `a device that does not know where it is says so, and goes on looking`() throws {
        let browser = try Browser(stage)
        try browser.tell("Browser.grantPermissions", ["permissions": ["geolocation"]])
        // Without a spot: where it is cannot be told.
        try browser.tell("Emulation.setGeolocationOverride")
        try browser.signIn(house, "ada")
        try browser.wait("the page to be live") { try browser.sees("#show-me") && !browser.sees(".line") }
        try browser.click("#show-me")
        try browser.click("dialog button[type=submit]")
        try browser.wait(for: "does not know where it is", in: "kin-report")
        try browser.draw("report-lost")
        try browser.stand(lat: 45.28, lon: 13.72)
        try browser.wait(for: "This page tells where you are", in: "kin-report")
        try browser.wait(for: "Ada (you)", in: ".people")
    }
}
