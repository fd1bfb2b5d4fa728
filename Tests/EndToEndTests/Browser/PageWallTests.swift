import Glibc
import KinCodec
import KinModel
import Testing

/// The screen on the kitchen wall, in Chromium, against the real daemon.
@Suite(.serialized, .enabled(if: Browser.isThere, "Chromium and its driver are not installed"))
struct PageWallTests {
    let stage: Stage
    let house: House

    init() throws {
        stage = try Stage()
        house = try House(stage, family: ["bob"])
    }

    private func report(_ username: String, lat: Double, lon: Double) throws {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        _ = try house.door(as: username).call(
            "position.report",
            [
                "lat": .double(lat), "lon": .double(lon), "accuracy": 8,
                "at": .time(Instant(milliseconds: Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000)),
            ])
    }

    private func propose() throws {
        _ = try house.door(as: "bob").call(
            "meeting.propose",
            [
                "title": "Sunday dinner", "kind": "public", "zone": "Europe/Berlin",
                "slots": [["start": "2036-11-23T17:00:00Z", "end": "2036-11-23T19:00:00Z"]], "invitees": [],
            ])
    }

    /// A tablet that is paired by the link.
    private func hang(_ link: String, language: String = "en") throws -> Browser {
        let wall = try Browser(stage, language: language, width: 1280, height: 800)
        try wall.open(link)
        try wall.click("form button")
        try wall.wait("the screen") { try wall.sees("body.wall header .clock") }
        return wall
    }

    @Test func `it is added in the page, paired once, shows what it may, does nothing, and ends when it is removed`()
        throws
    {
        _ = try house.door(as: "bob").call("sharing.set", ["state": "on"])
        try report("bob", lat: 45.28, lon: 13.72)
        let ada = try Browser(stage)
        try ada.signIn(house, "ada")
        try ada.click("[data-tab=family]")
        try ada.click("#walls")
        try ada.wait(for: "There is no screen yet", in: "dialog")
        // The family has an address that other devices reach: so there is a code, which the tablet's camera reads.
        let outside = "https://kin.example:5469"
        try ada.run("document.querySelector('meta[name=canonical]').content = arguments[0]", .string(outside))
        try ada.click("#wall-add")
        try ada.wait(for: "/wall/", in: "dialog .link")
        let written = try ada.text("dialog .link")
        let link = try ada.code(in: "dialog .qr", stage) ?? written
        #expect(link == written && link.hasPrefix(outside + "/wall/"))
        let wall = try hang(link.replacing(outside, with: house.url))
        // The day, and not the night of whoever runs this.
        try wall.run("localStorage.setItem('kinwire.wall', '{\"nightFrom\":\"00:00\",\"nightTo\":\"00:00\"}')")
        try wall.open(house.url + "/wall")
        try wall.wait(for: "Nobody shows this screen")
        let members = try house.door(as: "ada").call("member.list", [:])["members"]?.array ?? []
        let id = try #require(members.first { $0["kind"] == "wall" }?["id"])
        _ = try house.door(as: "bob").call("sharing.admit", ["viewer": id, "admit": true])
        try wall.wait(for: "Bob", in: ".people")
        try wall.draw("wall-people")
        try propose()
        try wall.click("[data-view=votes]")
        try wall.wait(for: "Sunday dinner", in: "kin-ballot")
        #expect(try !wall.sees(".answer"), "nobody votes at the wall")
        try wall.draw("wall-votes")
        _ = try house.door(as: "ada").call("activity.say", ["text": "Not for the wall"])
        if try wall.run("return document.querySelector('meta[name=leaflet]').content").string != "" {
            try wall.click("[data-view=map]")
            try wall.wait("Bob's dot") { try wall.sees(".dot") }
            #expect(try !wall.sees("#add-place"))
            try wall.draw("wall-map")
        }
        #expect(try !wall.run("return document.documentElement.outerHTML").text.contains("Not for the wall"))
        let status = try wall.run(
            """
            return fetch("/api/households/x/walls", { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" })
              .then(one => one.status)
            """)
        #expect(status == 403)
        let log = try wall.log().filter { !$0.contains("403") }
        #expect(log == [], "\(log)")
        // The page of the family is not for it either.
        try wall.open(house.url + "/")
        try wall.wait("the screen again") { try wall.url.hasSuffix("/wall") }
        // Who looked names it.
        let looks = try house.door(as: "bob").call("sharing.looks", [:])["looks"]?.array ?? []
        #expect(looks.contains { $0["viewer"] == id })
        // Taken away where it was added; for a while it can be had back.
        try ada.pressEscape()
        try ada.wait("the dialog to close") { try !ada.sees("dialog") }
        try ada.click("#walls")
        try ada.click("dialog .rows .danger")
        try ada.wait(for: "There is no screen yet", in: "dialog")
        try ada.click("#told button")
        try ada.wait("it again") { try ada.sees("dialog .rows .danger") }
        try ada.click("dialog .rows .danger")
        try wall.wait(for: "This device is not paired")
        #expect(try wall.run("return localStorage.length").int == 0)
    }

    @Test func `a child is on it as long as the parent who holds the child's settings says so`() throws {
        let ada = try house.door(as: "ada")
        let code = try ada.call("invite.create", ["kind": "child"])["code"] ?? .null
        _ = try house.door().call(
            "member.join",
            [
                "code": code, "username": "kim", "password": .string(House.password), "displayName": "Kim",
                "asChild": true,
            ])
        let seen = try house.snapshot("ada")
        let (me, household) = (try #require(seen.me), try #require(seen.households.keys.first))
        let members = try ada.call("member.list", [:])["members"]?.array ?? []
        let kim = try #require(members.first { $0["username"] == "kim" }?["id"])
        _ = try ada.call("member.relate", ["member": .id(me), "parentOf": kim])
        _ = try ada.call("sharing.hold", ["member": kim, "hold": true])
        let seers = try ada.call("sharing.show", ["member": kim])["sharing"]?["seenBy"]?.array ?? []
        _ = try ada.call(
            "sharing.set", ["member": kim, "state": "on", "confirms": .array(seers.compactMap { $0["id"] })])
        try report("kim", lat: 45.28, lon: 13.72)
        let made = try ada.call("wall.add", ["name": "Kitchen wall", "household": .id(household)])
        let wall = try hang(house.url + "/wall/" + (made["link"]?.string ?? ""))
        try wall.run("localStorage.setItem('kinwire.wall', '{\"nightFrom\":\"00:00\",\"nightTo\":\"00:00\"}')")
        try wall.open(house.url + "/wall")
        try wall.wait(for: "Nobody shows this screen")
        let screens = try ada.call("member.list", [:])["members"]?.array ?? []
        let id = try #require(screens.first { $0["kind"] == "wall" }?["id"])
        #expect(throws: LineClient.Refusal.self) {
            try house.door(as: "kim").call("sharing.admit", ["viewer": id, "admit": true])
        }
        #expect(throws: LineClient.Refusal.self) {
            try house.door(as: "bob").call("sharing.admit", ["member": kim, "viewer": id, "admit": true])
        }
        #expect(try wall.text(".people").isEmpty)
        // Whoever holds the settings says so, and takes it back.
        _ = try ada.call("sharing.admit", ["member": kim, "viewer": id, "admit": true])
        try wall.wait(for: "Kim", in: ".people")
        _ = try ada.call("sharing.admit", ["member": kim, "viewer": id, "admit": false])
        try wall.wait(for: "Nobody shows this screen")
        #expect(try wall.log() == [])
    }

    @Test func `it says how charged a phone is, and has a card where one shows a place and no spot`() throws {
        try house.join("carol")
        _ = try house.door(as: "bob").call("sharing.set", ["state": "on"])
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        _ = try house.door(as: "bob").call(
            "position.report",
            [
                "lat": 45.28, "lon": 13.72, "accuracy": 8, "battery": 40,
                "at": .time(Instant(milliseconds: Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000)),
            ])
        _ = try house.door(as: "carol").call(
            "sharing.set", ["state": "on", "rules": [["viewer": "everyone", "precision": "place"]]])
        try report("carol", lat: 45.361_234, lon: 13.72)
        let made = try house.door(as: "ada").call(
            "wall.add",
            [
                "name": "Kitchen wall",
                "household": try #require(try house.snapshot("ada").households.keys.first.map { .id($0) }),
            ])
        let wall = try hang(house.url + "/wall/" + (made["link"]?.string ?? ""))
        let members = try house.door(as: "ada").call("member.list", [:])["members"]?.array ?? []
        let id = try #require(members.first { $0["kind"] == "wall" }?["id"])
        for name in ["bob", "carol"] {
            _ = try house.door(as: name).call("sharing.admit", ["viewer": id, "admit": true])
        }
        try wall.run("localStorage.setItem('kinwire.wall', '{\"nightFrom\":\"00:00\",\"nightTo\":\"00:00\"}')")
        try wall.open(house.url + "/wall")
        try wall.wait(for: "40 %", in: ".people")
        // It is read from across the kitchen.
        for (what, least) in [(".people strong", 24.0), ("header .clock", 48)] {
            let size = try wall.run(
                "return parseFloat(getComputedStyle(document.querySelector(arguments[0])).fontSize)", .string(what))
            #expect(try #require(size.double) >= least, "\(what)")
        }
        try wall.click("[data-view=map]")
        try wall.wait(for: "Carol", in: ".where-cards")
        #expect(try wall.text(".where-cards").contains("at no known place"))
        #expect(try !wall.sees("kin-own-sharing"), "it shares nothing, and nobody does at it")
        #expect(try !wall.run("return document.documentElement.outerHTML").text.contains("45.36"))
        try wall.draw("wall-map-cards")
        if let axe = PageTests.axe { #expect(try wall.violations(axe) == []) }
        #expect(try wall.log() == [])
    }

    @Test func `at night only the clock is to be seen, until somebody touches it`() throws {
        let made = try house.door(as: "ada").call(
            "wall.add",
            [
                "name": "Kitchen wall",
                "household": try #require(try house.snapshot("ada").households.keys.first.map { .id($0) }),
            ])
        let wall = try hang(house.url + "/wall/" + (made["link"]?.string ?? ""), language: "de")
        try wall.run("localStorage.setItem('kinwire.wall', '{\"nightFrom\":\"00:00\",\"nightTo\":\"23:59\"}')")
        try wall.open(house.url + "/wall")
        try wall.wait("the dark") { try wall.sees(".dark .clock") }
        try wall.draw("wall-night")
        try wall.click(".dark")
        try wall.wait("the light") { try !wall.sees(".dark") }
        try wall.wait(for: "Niemand zeigt diesem Bildschirm")
        // A time that was taken away: there is no night.
        try wall.run("localStorage.setItem('kinwire.wall', '{\"nightFrom\":\"\",\"nightTo\":\"23:59\"}')")
        try wall.open(house.url + "/wall")
        try wall.wait(for: "Niemand zeigt diesem Bildschirm")
        #expect(try !wall.sees(".dark"))
        if let axe = PageTests.axe { #expect(try wall.violations(axe) == []) }
        for (width, height) in [(320, 568), (3840, 2160)] {
            try wall.screen(width: width, height: height, isDark: true)
            #expect(
                try (wall.run("return document.documentElement.scrollWidth").int ?? .max) <= Int64(width), "\(width)")
        }
    }

    @Test func `people, map and votes take turns, and stand still when somebody says so`() throws {
        _ = try house.door(as: "bob").call("sharing.set", ["state": "on"])
        try report("bob", lat: 45.28, lon: 13.72)
        try propose()
        let made = try house.door(as: "ada").call(
            "wall.add",
            [
                "name": "Kitchen wall",
                "household": try #require(try house.snapshot("ada").households.keys.first.map { .id($0) }),
            ])
        let wall = try hang(house.url + "/wall/" + (made["link"]?.string ?? ""))
        let members = try house.door(as: "ada").call("member.list", [:])["members"]?.array ?? []
        let id = try #require(members.first { $0["kind"] == "wall" }?["id"])
        _ = try house.door(as: "bob").call("sharing.admit", ["viewer": id, "admit": true])
        try wall.run("localStorage.setItem('kinwire.wall', '{\"nightFrom\":\"00:00\",\"nightTo\":\"00:00\"}')")
        // Twenty seconds are a moment.
        try wall.beforehand(
            "const every = setInterval; window.setInterval = (what, milliseconds) => every(what, milliseconds === 20_000 ? 300 : milliseconds)"
        )
        try wall.open(house.url + "/wall")
        try wall.wait(for: "Bob", in: ".people")
        let hasMap = try wall.run("return document.querySelector('meta[name=leaflet]').content").string != ""
        for view in (hasMap ? ["map"] : []) + ["votes", "people", "votes"] {
            try wall.wait("\(view) to have its turn") {
                try wall.run("return document.querySelector(`[data-view=${arguments[0]}]`).ariaPressed", .string(view))
                    == "true"
            }
        }
        try wall.click("#pause")
        let stays = try wall.run(
            """
            const pressed = () => document.querySelector("[data-view][aria-pressed=true]").dataset.view, before = pressed()
            return new Promise(done => setTimeout(() => done(before === pressed()), 1_500))
            """)
        #expect(stays == true)
        #expect(try wall.log() == [])
    }

    @Test(arguments: ["en", "de"])
    func `each of its views fits a phone and a tablet, light and dark, and keeps the rules of accessibility`(
        language: String
    ) throws {
        _ = try house.door(as: "bob").call("sharing.set", ["state": "on"])
        try report("bob", lat: 45.28, lon: 13.72)
        try propose()
        let made = try house.door(as: "ada").call(
            "wall.add",
            [
                "name": "Kitchen wall",
                "household": try #require(try house.snapshot("ada").households.keys.first.map { .id($0) }),
            ])
        let wall = try hang(house.url + "/wall/" + (made["link"]?.string ?? ""), language: language)
        let members = try house.door(as: "ada").call("member.list", [:])["members"]?.array ?? []
        let id = try #require(members.first { $0["kind"] == "wall" }?["id"])
        _ = try house.door(as: "bob").call("sharing.admit", ["viewer": id, "admit": true])
        try wall.run("localStorage.setItem('kinwire.wall', '{\"nightFrom\":\"00:00\",\"nightTo\":\"00:00\"}')")
        try wall.open(house.url + "/wall")
        try wall.wait(for: "Bob", in: ".people")
        let hasMap = try wall.run("return document.querySelector('meta[name=leaflet]').content").string != ""
        for (view, sign) in [("people", ".people strong"), ("votes", "kin-ballot")] + (hasMap ? [("map", ".dot")] : [])
        {
            try wall.click("[data-view=\(view)]")
            try wall.wait("the view \(view)") { try wall.sees(sign) }
            for (width, height, isDark) in [
                (390, 844, false), (390, 844, true), (1280, 800, false), (1280, 800, true),
            ] {
                try wall.screen(width: width, height: height, isDark: isDark)
                let look = "wall-\(view)-\(width)-\(isDark ? "dark" : "light")-\(language)"
                try wall.run(
                    "return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")
                let wide = try wall.run("return document.documentElement.scrollWidth").int ?? .max
                #expect(wide <= Int64(width), "\(look)")
                if let axe = PageTests.axe { #expect(try wall.violations(axe) == [], "\(look)") }
                try wall.draw("look-\(look)")
            }
        }
        #expect(try wall.log() == [])
    }

    @Test func `where Kinwire is renewed it loads the newer page by itself`() throws {
        let web = stage.folder + "/web"
        try stage.run("cp", "-r", Stage.root + "/Sources/KinWeb/App", web)
        house.kill()
        let other = try Stage()
        let renewed = try House(other, flags: ["--web", web])
        try renewed.found()
        let made = try renewed.door(as: "ada").call(
            "wall.add",
            [
                "name": "Kitchen wall",
                "household": try #require(try renewed.snapshot("ada").households.keys.first.map { .id($0) }),
            ])
        let wall = try Browser(other, width: 1280, height: 800)
        try wall.open(renewed.url + "/wall/" + (made["link"]?.string ?? ""))
        try wall.click("form button")
        try wall.wait(for: "Nobody shows this screen")
        let before = try wall.run(
            "window.isTheSamePage = true; return document.querySelector('script[type=module]').src")
        renewed.kill()
        try wall.wait("it to say that nobody is reached") { try wall.sees(".line") }
        try stage.run("sh", "-c", "echo '/* newer */' >> \(web)/wall.css")
        try renewed.start()
        try wall.wait("the newer page") {
            try wall.run(
                "return !window.isTheSamePage && document.querySelector('script[type=module]')?.src !== arguments[0]",
                before
            ).bool == true
        }
        // It is paired still, and goes on.
        try wall.wait(for: "Nobody shows this screen")
    }

    @Test func `where WebSockets are refused it is live all the same`() throws {
        let made = try house.door(as: "ada").call(
            "wall.add",
            [
                "name": "Kitchen wall",
                "household": try #require(try house.snapshot("ada").households.keys.first.map { .id($0) }),
            ])
        let wall = try Browser(stage, width: 1280, height: 800)
        try wall.beforehand(
            "window.WebSocket = class { constructor() { setTimeout(() => this.onclose?.({})) } close() {} }")
        try wall.open(house.url + "/wall/" + (made["link"]?.string ?? ""))
        try wall.click("form button")
        try wall.wait(for: "Nobody shows this screen")
        let members = try house.door(as: "ada").call("member.list", [:])["members"]?.array ?? []
        let id = try #require(members.first { $0["kind"] == "wall" }?["id"])
        _ = try house.door(as: "bob").call("sharing.set", ["state": "on"])
        _ = try house.door(as: "bob").call("sharing.admit", ["viewer": id, "admit": true])
        try report("bob", lat: 45.28, lon: 13.72)
        try wall.wait(for: "Bob", in: ".people")
        try propose()
        // Not by a finger: at night the screen is dark, and the first tap wakes it.
        try wall.run("document.querySelector('[data-view=votes]').click()")
        try wall.wait(for: "Sunday dinner", in: "kin-ballot")
        #expect(try house.door(as: "ada").call("daemon.status", [:])["clients"]?["webSocket"]?.int == 0)
    }

    @Test func `kin adds, lists, pairs and removes one`() throws {
        #expect(try stage.run("kin", "wall", "--as", "ada").lines.first?.contains("There is no screen") == true)
        let added = try stage.run("kin", "wall", "add", "Kitchen wall", "--as", "ada").lines
        #expect(added.first?.contains("/wall/") == true, "\(added)")
        #expect(
            try stage.run("kin", "wall", "list", "--as", "bob").lines.contains { $0.contains("no device is paired") })
        #expect(try stage.run("kin", "members", "--as", "bob").lines.contains { $0.contains("screen on the wall") })
        #expect(try stage.run("kin", "wall", "add", "Mine", "--as", "bob", exits: nil).status != 0)
        #expect(
            try stage.run("kin", "wall", "pair", "kitchen wall", "--as", "ada").lines.first?.contains("/wall/") == true)
        #expect(
            try stage.run("kin", "wall", "rm", "Kitchen wall", "--as", "ada").lines
                == ["Kitchen wall is removed; its device shows nothing more."])
        #expect(try stage.run("kin", "wall", "rm", "ada", "--as", "ada", exits: nil).status != 0)
    }
}
