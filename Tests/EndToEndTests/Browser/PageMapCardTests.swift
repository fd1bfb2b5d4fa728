import Glibc
import KinModel
import Testing

/// What the map says in cards, in Debian's Chromium against the real daemon: places, hotspots and notes, who shows no
/// spot, and oneself.
@Suite(.serialized, .enabled(if: Browser.isThere, "Chromium and its driver are not installed"))
struct PageMapCardTests {
    let stage: Stage
    let house: House

    init() throws {
        stage = try Stage()
        house = try House(stage, foundedNowWith: ["bob"])
    }

    private func report(_ username: String, lat: Double, speed: Double? = nil) throws {
        var point: JSON.Object = ["lat": .double(lat), "lon": 13.723_456, "accuracy": 8, "at": .time(Instant.now)]
        point["speed"] = speed.map { .double($0) }
        _ = try house.door(as: username).call("position.report", .object(point))
    }

    /// Somewhere for ten minutes, until now.
    private func stay(_ username: String, lat: Double) throws {
        let now = Instant.now
        let points: [JSON] = stride(from: Int64(-600), through: 0, by: 20).map { seconds in
            ["lat": .double(lat), "lon": 13.723_456, "accuracy": 8, "at": .time(now.adding(seconds: seconds))]
        }
        _ = try house.door(as: username).call("position.report", ["positions": .array(points)])
    }

    private func place(_ name: String, lat: Double, _ more: JSON.Object = [:]) throws -> String {
        var params: JSON.Object = ["name": .string(name), "lat": .double(lat), "lon": 13.723]
        for (name, value) in more.members { params[name] = value }
        let made = try house.door(as: "ada").call("place.add", .object(params))
        return try #require(made["place"]?["id"]?.string)
    }

    private func id(_ username: String) throws -> String {
        let members = try house.door(as: "ada").call("member.list", [:])["members"]?.array ?? []
        return try #require(members.first { $0["username"]?.string == username }?["id"]?.string)
    }

    /// The map's screen; it is there without Leaflet, too.
    private func map(_ username: String = "ada", language: String = "en") throws -> Browser {
        let browser = try Browser(stage, language: language)
        try browser.signIn(house, username)
        try browser.click("[data-tab=map]")
        try browser.wait("the screen") { try browser.sees("kin-own-sharing") }
        return browser
    }

    private func hasLeaflet(_ browser: Browser) throws -> Bool {
        try browser.run("return document.querySelector('meta[name=leaflet]').content").string != ""
    }

    @Test(arguments: ["en", "de"])
    func `who shows the name of a place, or whether it is home, is a card with that word, and never a dot`(
        language: String
    ) throws {
        try house.join("carol")
        _ = try place("School", lat: 45.28, ["radius": 300])
        _ = try place("Nest", lat: 45.35, ["radius": 300, "home": true])
        try stay("bob", lat: 45.281_534)
        try stay("carol", lat: 45.351_534)
        for (username, precision) in [("bob", "place"), ("carol", "home")] as [(String, JSON)] {
            _ = try house.door(as: username).call(
                "sharing.set", ["state": "on", "rules": [["viewer": "everyone", "precision": precision]]])
        }
        try report("bob", lat: 45.281_534)
        try report("carol", lat: 45.351_534)
        let browser = try map(language: language)
        let (atSchool, atHome) = language == "de" ? ("School", "zu Hause") : ("at School", "at home")
        try browser.wait(for: atSchool, in: ".where-cards")
        try browser.wait(for: atHome, in: ".where-cards")
        if try hasLeaflet(browser) {
            try browser.wait("the places") { try browser.sees(".pin.place") }
        }
        #expect(try !browser.sees(".dot") && !browser.sees(".cell"), "no dot is guessed")
        try browser.draw("map-cards-\(language)")
        if let axe = PageTests.axe { #expect(try browser.violations(axe) == []) }
        for (width, height) in [(320, 640), (1280, 800), (390, 844)] {
            try browser.screen(width: width, height: height)
            #expect(try (browser.run("return document.documentElement.scrollWidth").int ?? .max) <= Int64(width))
        }
        try browser.run("dispatchEvent(new Event('pagehide'))")
        let held = try browser.look(
            """
            const { state } = await import(folder + "state.js")
            const database = await new Promise(done => {
              const asked = indexedDB.open("kinwire")
              asked.onsuccess = () => done(asked.result)
            })
            const held = await new Promise(done => {
              const asked = database.transaction("held").objectStore("held").getAll()
              asked.onsuccess = () => done(asked.result)
            })
            return JSON.stringify([state, held, document.documentElement.outerHTML])
            """)
        let text = try #require(held.string)
        for degrees in ["45.2815", "45.3515", "13.7234"] { #expect(!text.contains(degrees), "\(degrees)") }
        // A tap says the rest, and shows no spot either.
        try browser.click(".where-cards a")
        try browser.wait("the card") { try browser.sees("kin-map > .opened h2") }
        #expect(try !browser.sees(".dot") && !browser.sees(".cell"))
        #expect(try browser.log() == [])
    }

    @Test func `a note is tapped for what stands in it, and is changed there with who sees it`() throws {
        _ = try place("Beach", lat: 45.30, ["kind": "hotspot"])
        let bakery = try place("Bakery", lat: 45.28, ["kind": "note", "note": "Closed on Mondays"])
        let browser = try map()
        if try hasLeaflet(browser) {
            try browser.wait("both") { try browser.sees(".pin.hotspot") && browser.sees(".pin.note") }
            #expect(try browser.text(".pin.note > span") == "✎ Bakery")
            try browser.click(".pin.note > span")
        } else {
            try browser.run("location.hash = arguments[0]", .string("#/map/\(bakery)"))
        }
        try browser.wait(for: "Closed on Mondays", in: "kin-map > .opened .note")
        #expect(try browser.text("kin-map > .opened").contains("put here by Ada"))
        try browser.draw("map-note")
        if let axe = PageTests.axe { #expect(try browser.violations(axe) == []) }
        // What another changes is seen at once, even where it is the note alone.
        _ = try house.door(as: "ada").call(
            "place.update", ["place": .string(bakery), "note": "Closed on Mondays and Tuesdays"])
        try browser.wait(for: "Tuesdays", in: "kin-map > .opened .note")
        let names = { () throws -> [String] in
            (try house.door(as: "bob").call("place.list", [:])["places"]?.array ?? []).compactMap { $0["name"]?.string }
        }
        #expect(try names().contains("Bakery"))
        try browser.click("#change-place")
        try browser.type("Open all week", into: "#place-note")
        try browser.run(
            """
            const one = [...document.querySelectorAll("dialog select")].at(-1)
            one.value = "me"
            one.onchange()
            """)
        if let axe = PageTests.axe { #expect(try browser.violations(axe) == []) }
        try browser.click("dialog button[type=submit]")
        try browser.wait(for: "Open all week", in: "kin-map > .opened .note")
        #expect(try names() == ["Beach"])
        // Emptied, it is taken away; who sees it stays.
        try browser.click("#change-place")
        try browser.type("", into: "#place-note")
        try browser.click("dialog button[type=submit]")
        try browser.wait("it to go") { try !browser.sees("kin-map > .opened .note") }
        #expect(try names() == ["Beach"])
        // What is searched for leads to its card.
        try browser.run("location.hash = '#search?q=Bakery'")
        try browser.click("kin-search a[href='#/map/\(bakery)']")
        try browser.wait(for: "✎ Bakery", in: "kin-map > .opened h2")
        #expect(try browser.log() == [])
    }

    @Test func `a place's card names who is there, is opened from the list by keys, and leaves the map to its reader`()
        throws
    {
        let school = try place("School", lat: 45.28, ["radius": 300])
        try stay("bob", lat: 45.281_534)
        _ = try house.door(as: "bob").call("sharing.set", ["state": "on"])
        try report("bob", lat: 45.281_534)
        let browser = try map()
        let row = "kin-map .rows a[href='#/map/\(school)']"
        try browser.wait("the list") { try browser.sees(row) }
        try browser.run("document.querySelector(arguments[0]).focus()", .string(row))
        try browser.run("document.activeElement.click()")
        try browser.wait(for: "There now: Bob", in: "kin-map > .opened")
        guard try hasLeaflet(browser) else { return }
        try browser.wait("the map") { try browser.run("return !!document.querySelector('kin-map')?.map").bool == true }
        // Moved away, it stays there, whatever is told of others.
        try browser.run("document.querySelector('kin-map').map.setView([46, 14], 12, { animate: false })")
        try report("bob", lat: 45.281_6)
        try browser.wait("Bob's dot to move") {
            try browser.look(
                "return import(folder + 'state.js').then(one => one.state.snapshot.positions.some(one => one.lat === 45.2816))"
            ).bool == true
        }
        #expect(try browser.run("return document.querySelector('kin-map').map.getCenter().lat").double == 46)
        #expect(try browser.log() == [])
    }

    @Test func `one tap on the map shares where one is, after asking, and one ends it; and who looked is beside it`()
        throws
    {
        let ada = try house.door(as: "ada")
        func state() throws -> JSON? { try ada.call("sharing.show", [:])["sharing"]?["state"] }
        let browser = try map()
        try browser.wait(for: "Nobody sees where you are", in: "kin-own-sharing")
        try browser.click("#share-me")
        try browser.wait(for: "Bob", in: "dialog")
        #expect(try state() == "off", "widening asks first")
        try browser.click("dialog button[type=submit]")
        // Nothing is known of where one is: nobody sees anything, and here it can be reported.
        try browser.wait(for: "nothing reports where you are yet", in: "kin-own-sharing")
        #expect(try state() == "on" && browser.sees("#share-me"))
        try browser.click("[data-tab=home]")
        try browser.wait(for: "nothing reports where you are yet", in: "kin-report")
        #expect(try browser.sees("#show-me"))
        try browser.click("[data-tab=map]")
        try report("ada", lat: 45.28)
        try browser.wait(for: "The others see where you are", in: "kin-own-sharing")
        #expect(try !browser.sees("#share-me"))
        _ = try house.door(as: "bob").call("position.latest", [:])
        try browser.click("#who-looked")
        try browser.wait(for: "Bob", in: "dialog")
        try browser.pressEscape()
        try browser.click("#unshare-me")
        try browser.wait(for: "Nobody sees where you are", in: "kin-own-sharing")
        #expect(try state() == "off")
        #expect(try browser.log() == [])
    }

    @Test func `whose sharing an adult holds reads that, and has no button for it`() throws {
        let ada = try house.door(as: "ada")
        let code = try ada.call("invite.create", ["kind": "child"])["code"] ?? .null
        _ = try house.door().call(
            "member.join",
            [
                "code": code, "username": "kim", "password": .string(House.password), "displayName": "Kim",
                "asChild": true,
            ])
        let kim = JSON.string(try id("kim"))
        _ = try ada.call("member.relate", ["member": .string(try id("ada")), "parentOf": kim])
        _ = try ada.call("sharing.hold", ["member": kim, "hold": true])
        let browser = try map("kim")
        try browser.wait(for: "An adult holds your sharing", in: "kin-own-sharing")
        #expect(try !browser.sees("#share-me") && !browser.sees("#unshare-me") && browser.sees("#who-looked"))
        #expect(try browser.log() == [])
    }

    @Test func `a dot says how old it is, and whether its member moves or stays`() throws {
        try stay("ada", lat: 45.28)
        _ = try house.door(as: "bob").call("sharing.set", ["state": "on"])
        try report("bob", lat: 45.30, speed: 6)
        let browser = try map()
        guard try hasLeaflet(browser) else { return }
        func says(_ username: String) throws -> String {
            let of = "document.querySelector(`.dot[data-member=\"${arguments[0]}\"]`)"
            return try browser.run(
                "return \(of)?.closest('.leaflet-marker-icon').title ?? ''", .string(id(username))
            ).string ?? ""
        }
        try browser.wait("both dots") { try says("ada").hasPrefix("Ada · ") && says("bob").hasPrefix("Bob · ") }
        #expect(try says("ada").contains("here for 10 min"))
        #expect(try says("bob").contains("moving for"))
        #expect(try browser.sees(".dot.moving[data-member='\(try id("bob"))']"))
        #expect(try !browser.sees(".dot.moving[data-member='\(try id("ada"))']"))
        // As wide as the phone itself is unsure, on the map and in words.
        let circles = try browser.run("return document.querySelectorAll('kin-map path.accuracy').length")
        #expect(circles == 2)
        try browser.run("location.hash = arguments[0]", .string("#/map/\(try id("bob"))"))
        try browser.wait(for: "±8 m", in: "kin-map > .opened")
        #expect(try browser.log() == [])
    }

    @Test func `where one sees about a kilometre, a trail is its cells, and no line and no dot`() throws {
        _ = try house.door(as: "bob").call(
            "sharing.set", ["state": "on", "rules": [["viewer": "everyone", "precision": "coarse", "history": true]]])
        try report("bob", lat: 45.281_534)
        let browser = try map()
        guard try hasLeaflet(browser) else { return }
        try browser.run("location.hash = arguments[0]", .string("#/map/\(try id("bob"))"))
        try browser.wait("the cell") { try browser.sees(".cell") }
        try browser.click("kin-map > .opened .actions button")
        try browser.wait("its cells") { try browser.sees(".trail-cell") && browser.sees(".trail-here") }
        #expect(try !browser.sees(".trail") && !browser.sees(".trail-mark") && !browser.sees(".dot"))
        #expect(try browser.sees("kin-map > .opened input[type=range]"))
        #expect(try browser.log() == [])
    }

    @Test func `who shows where they are, and not where they were, has no trail, and that is said`() throws {
        _ = try house.door(as: "bob").call(
            "sharing.set", ["state": "on", "rules": [["viewer": "everyone", "precision": "exact", "history": false]]])
        try report("bob", lat: 45.281_534)
        let browser = try map()
        try browser.run("location.hash = arguments[0]", .string("#/map/\(try id("bob"))"))
        try browser.wait("the card") { try browser.sees("kin-map > .opened .actions button") }
        try browser.click("kin-map > .opened .actions button")
        try browser.wait(for: "Bob does not show you where they were", in: "#told")
        #expect(try !browser.sees(".trail") && !browser.sees("kin-map > .opened input[type=range]"))
        #expect(try browser.log() == [])
    }

    @Test func `another day is chosen, and one of which nothing is known says so`() throws {
        try stay("ada", lat: 45.28)
        let browser = try map()
        try browser.run("location.hash = arguments[0]", .string("#/map/\(try id("ada"))"))
        try browser.wait("the card") { try browser.sees("kin-map > .opened .actions button") }
        #expect(try !browser.sees("#trail-day"))
        try browser.click("kin-map > .opened .actions button")
        try browser.wait("the slider") { try browser.sees("kin-map > .opened input[type=range]") }
        func choose(_ daysAgo: Int64) throws {
            try browser.run(
                """
                const field = document.querySelector("#trail-day"), ago = new Date(Date.now() - arguments[0] * 86_400_000)
                field.value = `${ago.getFullYear()}-${String(ago.getMonth() + 1).padStart(2, "0")}-${String(ago.getDate()).padStart(2, "0")}`
                field.dispatchEvent(new Event("change"))
                """, .int(daysAgo))
        }
        try choose(3)
        try browser.wait(for: "Nothing was reported on that day", in: "#told")
        #expect(try !browser.sees("kin-map > .opened input[type=range]"))
        // Now, by the browser's own day.
        try choose(0)
        try browser.wait("the slider again") { try browser.sees("kin-map > .opened input[type=range]") }
        if let axe = PageTests.axe { #expect(try browser.violations(axe) == []) }
        #expect(try browser.log() == [])
    }

    @Test func `home says where somebody is in words, with age and battery, and what a page cannot report`() throws {
        _ = try place("School", lat: 45.28, ["radius": 300])
        _ = try house.door(as: "bob").call("sharing.set", ["state": "on"])
        _ = try house.door(as: "bob").call(
            "position.report",
            [
                "lat": 45.29, "lon": 13.723, "accuracy": 8, "battery": 41, "charging": true,
                "at": .time(Instant.now.adding(seconds: -1)),
            ])
        let browser = try Browser(stage)
        try browser.signIn(house, "ada")
        try browser.wait(for: "Bob", in: "kin-home .people")
        let row = try browser.text("kin-home .people li")
        for says in ["1.1 km north of School", "just now", "41 % (charging)"] {
            #expect(row.contains(says), "\(says): \(row)")
        }
        // What it cannot do, and what can, one tap away.
        #expect(try browser.text("kin-report").contains("only while it is on the screen"))
        #expect(try browser.sees("kin-report a[href='/phone']") && browser.sees("kin-report a[href='/sharing']"))
        #expect(try browser.log() == [])
    }

    @Test func `home says how much is unread, and leads there`() throws {
        let browser = try Browser(stage)
        try browser.signIn(house, "ada")
        try browser.wait("home") { try browser.sees("kin-home h2") }
        let before = try house.snapshot("ada").inbox.unread
        _ = try house.door(as: "bob").call("activity.say", ["text": "Soup is ready"])
        try browser.wait(for: "\(before + 1) unread", in: "#home-unread")
        try browser.click("#home-unread")
        try browser.wait(for: "Soup is ready", in: "kin-inbox")
        #expect(try browser.log() == [])
    }
}
