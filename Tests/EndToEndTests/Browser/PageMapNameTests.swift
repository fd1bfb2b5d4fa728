import KinModel
import Testing

/// Names on the map that give way to each other, and what an open map holds, in Debian's Chromium against the real daemon.
@Suite(.serialized, .enabled(if: Browser.isThere, "Chromium and its driver are not installed"))
struct PageMapNameTests {
    let stage: Stage
    let house: House

    init() throws {
        stage = try Stage()
        house = try House(stage, foundedNowWith: ["bob"])
    }

    @discardableResult
    private func place(_ name: String, lat: Double, _ more: JSON.Object = [:]) throws -> String {
        var params: JSON.Object = ["name": .string(name), "lat": .double(lat), "lon": 13.7302]
        for (name, value) in more.members { params[name] = value }
        let made = try house.door(as: "ada").call("place.add", .object(params))
        return try #require(made["place"]?["id"]?.string)
    }

    private func stand(_ username: String, lat: Double) throws {
        let door = try house.door(as: username)
        _ = try door.call(
            "sharing.set", ["state": "on", "rules": [["viewer": "everyone", "precision": "exact", "history": true]]])
        _ = try door.call(
            "position.report", ["lat": .double(lat), "lon": 13.7302, "accuracy": 8, "at": .time(Instant.now)])
    }

    /// The map's screen; nothing where Leaflet is not installed.
    private func map() throws -> Browser? {
        let browser = try Browser(stage)
        try browser.signIn(house, "ada")
        guard try browser.run("return document.querySelector('meta[name=leaflet]').content").string != "" else {
            return nil
        }
        try browser.click("[data-tab=map]")
        try browser.wait("the map") { try browser.run("return !!document.querySelector('kin-map')?.map").bool == true }
        return browser
    }

    private func look(_ browser: Browser, zoom: Int64) throws {
        try browser.run(
            "document.querySelector('kin-map').map.setView([45.5483, 13.7302], arguments[0], { animate: false })",
            .int(zoom))
    }

    /// The names of places that are written on the map.
    private func written(_ browser: Browser) throws -> Set<String> {
        let found = try browser.run(
            """
            return [...document.querySelectorAll(".pin[data-place] > span")]
              .filter(one => one.checkVisibility({ visibilityProperty: true })).map(one => one.textContent)
            """)
        return Set(found.array?.compactMap(\.string) ?? [])
    }

    /// Which of the written names lie over each other or over somebody's face.
    private func overlaps(_ browser: Browser) throws -> JSON {
        try browser.run(
            """
            const seen = [...document.querySelectorAll(".dot .name, .pin > span")].filter(one => one.checkVisibility({ visibilityProperty: true }))
            const faces = [...document.querySelectorAll(".dot .face")]
            const isOver = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
            return seen.flatMap((one, at) => [...seen.slice(at + 1), ...one.matches(".pin > span") ? faces : []]
              .filter(other => isOver(one.getBoundingClientRect(), other.getBoundingClientRect())).map(other => `${one.textContent} / ${other.textContent}`))
            """)
    }

    @Test func `two places that lie close have both their names, on other sides of their marks`() throws {
        try place("School", lat: 45.5483)
        try place("Gym of the school", lat: 45.54831)
        guard let browser = try map() else { return }
        try look(browser, zoom: 15)
        try browser.wait("both names") { try written(browser) == ["School", "Gym of the school"] }
        try browser.wait("names that are clear of each other") { try overlaps(browser) == [] }
        // Nothing is without a name, and nothing is said of that.
        #expect(try browser.run("return document.querySelector('#map-unnamed').textContent") == "")
        #expect(try browser.log() == [])
    }

    @Test func `the name of a place where somebody stands is written beside the face`() throws {
        try place("School", lat: 45.5483)
        try stand("bob", lat: 45.5483)
        guard let browser = try map() else { return }
        try browser.wait("the dot") { try browser.sees(".dot") }
        try look(browser, zoom: 17)
        try browser.wait("the name of the place") { try written(browser) == ["School"] }
        try browser.wait("names that are clear of all") { try overlaps(browser) == [] }
        #expect(try browser.run("return !!document.querySelector('.dot .name.covered')") == false)
        #expect(try browser.log() == [])
    }

    @Test func `a name without room is read out, and is had by opening its place or going nearer`() throws {
        let names = ["Pharmacy", "Swimming pool", "Library", "Playground", "Bus stop"]
        var ids: [String: String] = [:]
        for (number, name) in names.enumerated() { ids[name] = try place(name, lat: 45.548 + Double(number) / 10_000) }
        ids["Nest"] = try place("Nest", lat: 45.54825, ["radius": 100, "home": true])
        guard let browser = try map() else { return }
        let all = Set(ids.keys)
        func unnamed() throws -> Set<String> {
            let text = try browser.run("return document.querySelector('#map-unnamed').textContent").string ?? ""
            return all.filter { text.contains($0) }
        }
        try look(browser, zoom: 15)
        try browser.wait("names without room") { try unnamed().count > 1 && written(browser).union(unnamed()) == all }
        // The more important one stays: it came last, and is the home.
        #expect(try written(browser).contains("Nest"))
        #expect(try written(browser).isDisjoint(with: unnamed()))
        #expect(try overlaps(browser) == [])
        #expect(
            try browser.run("return document.querySelector('kin-map .map').getAttribute('aria-describedby')")
                == "map-unnamed")
        // Each mark is there, and has its name for who points at it and for who hears it.
        let marks = try browser.run(
            """
            return [...document.querySelectorAll(".pin[data-place]")].filter(one => one.checkVisibility({ visibilityProperty: true })
              && one.title === one.getAttribute("aria-label")).map(one => one.title).sort()
            """)
        #expect(marks == .array(all.sorted().map { .string($0) }))
        if let axe = PageTests.axe { #expect(try browser.violations(axe) == []) }
        try browser.draw("map-names")
        // What is opened has its name.
        let hidden = try #require(try unnamed().sorted().first)
        try browser.run("location.hash = arguments[0]", .string("#/map/\(try #require(ids[hidden]))"))
        try browser.wait("the name of what is opened") { try written(browser).contains(hidden) }
        #expect(try overlaps(browser) == [])
        try browser.run("location.hash = '#/map'")
        // Nearer by all have room, and a tap on a mark opens what it is.
        try look(browser, zoom: 19)
        try browser.wait("all in sight to be named") { try unnamed().isEmpty && written(browser) == all }
        let playground = try #require(ids["Playground"])
        try browser.drag(from: browser.middle(".pin[data-place='\(playground)']"), by: (0, 0))
        try browser.wait(for: "Playground", in: "kin-map > .opened h2")
        #expect(try browser.log() == [])
    }

    @Test func `on the small map of a chat names give way as well`() throws {
        let names = ["Pharmacy", "Swimming pool", "Library", "Playground", "Bus stop"]
        for (number, name) in names.enumerated() { try place(name, lat: 45.548 + Double(number) / 10_000) }
        guard let browser = try map() else { return }
        try browser.click("[data-tab=chat]")
        try browser.click("#rooms a")
        try browser.click("#attach")
        try browser.click("#chat-spot")
        try browser.type("45.548, 13.7302", into: "#spot-at")
        try browser.wait("the marks") {
            try browser.run("return document.querySelectorAll('dialog .pin[data-place]').length").int == 5
        }
        // Leaving the field shows what was typed on the map.
        try browser.run("document.querySelector('#spot-at').dispatchEvent(new Event('change'))")
        try browser.wait("names that are clear of each other") {
            try !written(browser).isEmpty && overlaps(browser) == []
        }
        #expect(try written(browser).contains("Pharmacy"), "the one at the spot comes first")
        #expect(try written(browser).count < names.count)
        let marks = try browser.run(
            "return [...document.querySelectorAll('dialog .pin[data-place]')].map(one => one.title).sort()")
        #expect(marks == .array(names.sorted().map { .string($0) }))
        try browser.draw("chat-spot-names")
        #expect(try browser.log() == [])
    }

    @Test func `an open map holds no more after many moves, and a day's points go with its card`() throws {
        try stand("bob", lat: 45.5483)
        try place("School", lat: 45.5483)
        guard let browser = try map() else { return }
        try browser.wait("the dot") { try browser.sees(".dot") }
        try browser.run("location.hash = '#/map/45.552,13.7302,Beach'")
        try browser.wait(for: "Beach", in: ".pin:not([data-place])")
        func held() throws -> JSON {
            try browser.run(
                """
                // The towns around come when the daemon has answered.
                const { map, marks, towns } = document.querySelector("kin-map")
                return [Object.keys(map._layers).length - towns.getLayers().length, Object.keys(map._targets).length, marks.size,
                  document.querySelectorAll("kin-map :not(.town, .town *)").length]
                """)
        }
        func move(_ times: Int64) throws {
            try browser.look(
                """
                const [times] = arguments[0], { state, takeEvent } = await import(folder + "state.js")
                for (let time = 0; time < times; time += 1) {
                  const one = state.snapshot.positions.find(one => one.lat !== undefined), at = new Date().toISOString()
                  takeEvent({ type: "position", at, by: one.member, data: { ...one, at, lat: one.lat + (time % 2 ? 1 : -1) * 0.000_1 } })
                  await new Promise(requestAnimationFrame)
                }
                return null
                """, .int(times))
        }
        try move(2)
        let before = try held()
        try browser.run("window.pin = document.querySelector('kin-map').pin")
        try move(100)
        #expect(try held() == before)
        // What is opened is not made anew with each move of another.
        #expect(try browser.run("return window.pin === document.querySelector('kin-map').pin") == true)
        let members = try house.door(as: "ada").call("member.list", [:])["members"]?.array ?? []
        let bob = try #require(members.first { $0["username"]?.string == "bob" }?["id"]?.string)
        try browser.run("location.hash = arguments[0]", .string("#/map/\(bob)"))
        try browser.wait("the card") { try browser.sees("kin-map > .opened .actions button") }
        try browser.click("kin-map > .opened .actions button")
        try browser.wait("the slider") { try browser.sees("kin-map input[type=range]") }
        try browser.run("location.hash = '#/map'")
        try browser.wait("it to go") {
            try browser.run("return !document.querySelector('kin-map input[type=range]')") == true
        }
        #expect(try browser.log() == [])
    }
}
