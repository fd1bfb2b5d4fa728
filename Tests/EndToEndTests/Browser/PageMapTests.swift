import Glibc
import KinCodec
import KinModel
import Testing

/// What hands do on the page's map, in Debian's Chromium against the real daemon.
@Suite(.serialized, .enabled(if: Browser.isThere, "Chromium and its driver are not installed"))
struct PageMapTests {
    let stage: Stage
    let house: House

    init() throws {
        stage = try Stage()
        house = try House(stage, foundedNowWith: ["bob"])
    }

    private func report(_ username: String, lat: Double, secondsAgo: Int64 = 0) throws {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let at = Instant(milliseconds: (Int64(now.tv_sec) - secondsAgo) * 1000 + Int64(now.tv_nsec) / 1_000_000)
        _ = try house.door(as: username).call(
            "position.report", ["lat": .double(lat), "lon": 13.72, "accuracy": 8, "at": .time(at)])
    }

    private func id(_ username: String) throws -> String {
        let members = try house.door(as: "ada").call("member.list", [:])["members"]?.array ?? []
        return try #require(members.first { $0["username"]?.string == username }?["id"]?.string)
    }

    /// The map's screen; nothing where Leaflet is not installed.
    private func map(beforehand script: String? = nil) throws -> Browser? {
        let browser = try Browser(stage)
        if let script { try browser.beforehand(script) }
        try browser.signIn(house, "ada")
        guard try browser.run("return document.querySelector('meta[name=leaflet]').content").string != "" else {
            return nil
        }
        try browser.click("[data-tab=map]")
        try browser.wait("the map") { try browser.run("return !!document.querySelector('kin-map')?.map").bool == true }
        return browser
    }

    @Test func `a day is a trail whose times a slider goes through, by keys as well`() throws {
        _ = try house.door(as: "ada").call("sharing.set", ["state": "on"])
        for (lat, ago) in [(45.28, 7200), (45.30, 3600), (45.32, 60)] as [(Double, Int64)] {
            try report("ada", lat: lat, secondsAgo: ago)
        }
        guard let browser = try map() else { return }
        try browser.click(".people li a")
        try browser.click("kin-map .card .actions button")
        try browser.wait("the trail") { try browser.sees(".trail") }
        let slider = "kin-map .card input[type=range]"
        #expect(try browser.run("return document.querySelector('\(slider)').max") == "2")
        func mark() throws -> JSON { try browser.run("return document.querySelector('.trail-mark').getAttribute('d')") }
        let (last, words) = (try mark(), try browser.text("kin-map .card output"))
        try browser.run("document.querySelector('\(slider)').focus()")
        try browser.press("ArrowLeft", code: 37)
        try browser.wait("the time before") { try browser.text("kin-map .card output") != words && mark() != last }
        // The whole of it is on the screen.
        let isInside = try browser.run(
            """
            const { map, trail } = document.querySelector("kin-map")
            return trail.getLayers().every(one => map.getBounds().contains(one.getBounds ? one.getBounds() : one.getLatLng()))
            """)
        #expect(isInside == true)
        // A trail is looked at, and kept nowhere: what is kept has where one is now.
        try browser.run("dispatchEvent(new Event('pagehide'))")
        let kept =
            try browser.run(
                """
                const database = await new Promise(done => {
                  const asked = indexedDB.open("kinwire")
                  asked.onsuccess = () => done(asked.result)
                })
                const all = await Promise.all([...database.objectStoreNames].map(name => new Promise(done => {
                  const asked = database.transaction(name).objectStore(name).getAll()
                  asked.onsuccess = () => done(asked.result)
                })))
                return JSON.stringify([all, { ...localStorage }, { ...sessionStorage }])
                """
            ).string ?? ""
        #expect(kept.contains(#""lat":45.32"#) && !kept.contains(#""lat":45.28"#))
        #expect(try browser.log() == [])
    }

    /// Answers the question for a day with one point in three seconds, five thousand at a time.
    private static let longDay = """
        const Real = window.WebSocket, all = 28_800
        window.WebSocket = class extends Real {
          send(text) {
            const { id, method, params } = JSON.parse(text)
            if (method !== "position.history") return super.send(text)
            const first = Number(params.after ?? 0), count = Math.min(params.limit, all - first), begun = new Date(params.from).getTime()
            const positions = Array.from({ length: count }, (_, at) => ({
              member: params.member, at: new Date(begun + (first + at) * 3_000).toISOString(), lat: 45 + (first + at) / 100_000, lon: 13.72, accuracy: 8 }))
            const more = first + count < all, result = { positions, more, ...(more ? { next: String(first + count) } : {}) }
            setTimeout(() => this.onmessage?.({ data: JSON.stringify({ jsonrpc: "2.0", id, result }) }))
          }
        }
        """

    @Test func `a day of very many points is there whole`() throws {
        _ = try house.door(as: "ada").call("sharing.set", ["state": "on"])
        try report("ada", lat: 45.32)
        guard let browser = try map(beforehand: Self.longDay) else { return }
        try browser.click(".people li a")
        try browser.click("kin-map .card .actions button")
        try browser.wait("the trail") { try browser.sees(".trail") }
        #expect(try browser.run("return document.querySelector('kin-map .card input[type=range]').max") == "28799")
        let isWhole = try browser.run(
            """
            const { map, trail } = document.querySelector("kin-map")
            return map.getBounds().contains([45, 13.72]) && map.getBounds().contains([45.287_99, 13.72])
            """)
        #expect(isWhole == true)
        #expect(try browser.log() == [])
    }

    @Test func `whoever is asked where they are is told so, and the asker what comes of it`() throws {
        _ = try house.door(as: "bob").call("sharing.set", ["state": "on"])
        try report("bob", lat: 45.28)
        guard let browser = try map() else { return }
        try browser.run("location.hash = arguments[0]", .string("#/map/\(try id("bob"))"))
        try browser.wait("the card") { try browser.sees("kin-map .card .actions button") }
        try browser.run(
            "[...document.querySelectorAll('kin-map .card .actions button')].find(one => one.textContent === 'Where are you?').click()"
        )
        try browser.wait(for: "Bob reads that you asked", in: "#told")
        let asked = try house.snapshot("bob").inbox.entries.contains { entry in
            entry.lines.contains { $0["kind"] == "positionAsked" }
        }
        #expect(asked)
        #expect(try browser.log() == [])
    }

    @Test func `whoever is followed stays on the screen until the map is dragged, and one button shows all`() throws {
        for (name, lat) in [("ada", 45.28), ("bob", 45.40)] {
            _ = try house.door(as: name).call("sharing.set", ["state": "on"])
            try report(name, lat: lat, secondsAgo: 1200)
        }
        guard let browser = try map() else { return }
        func shows(_ username: String) throws -> Bool {
            try browser.run(
                """
                const box = document.querySelector(".map").getBoundingClientRect()
                const dot = document.querySelector(`.dot[data-member="${arguments[0]}"] .face`)?.getBoundingClientRect()
                return !!dot && dot.left >= box.left && dot.right <= box.right && dot.top >= box.top && dot.bottom <= box.bottom
                """, .string(try id(username))
            ).bool == true
        }
        try browser.wait("both") { try shows("ada") && shows("bob") }
        try browser.run("location.hash = arguments[0]", .string("#/map/\(try id("bob"))"))
        try browser.wait("Bob alone") { try shows("bob") && !shows("ada") }
        // Ten kilometres in twenty minutes: far off the screen as it was.
        try report("bob", lat: 45.50)
        try browser.wait("the position") {
            try browser.look(
                "return import(folder + 'state.js').then(one => one.state.snapshot.positions.some(one => one.lat === 45.5))"
            ).bool == true
        }
        try browser.wait("Bob to be followed") { try shows("bob") }
        let box = try browser.middle(".map")
        for _ in 1...3 { try browser.drag(from: (box.x - 100, box.y + 120), by: (60, -220)) }
        try browser.wait("Bob to be off the screen") { try !shows("bob") }
        // It glides on for a while.
        try browser.wait("the map to stand") {
            try browser.run(
                """
                const { map } = document.querySelector('kin-map'), before = map.getCenter()
                return new Promise(done => setTimeout(() => done(map.getCenter().equals(before)), 400))
                """) == true
        }
        let centre = try browser.run("return document.querySelector('kin-map').map.getCenter().lat")
        try report("bob", lat: 45.5002)
        try browser.wait("Bob's dot to move") {
            try browser.look(
                "return import(folder + 'state.js').then(one => one.state.snapshot.positions.some(one => one.lat === 45.5002))"
            ).bool == true
        }
        #expect(try browser.run("return document.querySelector('kin-map').map.getCenter().lat") == centre)
        try browser.click("kin-map .map-frame .actions button")
        try browser.wait("both again") { try shows("ada") && shows("bob") }
        #expect(try browser.log() == [])
    }

    private func place(_ id: JSON) throws -> JSON {
        let places = try house.door(as: "ada").call("place.list", [:])["places"]?.array ?? []
        return try #require(places.first { $0["id"] == id })
    }

    @Test func `a place is moved on the map by dragging, tapping or keys, with its circle`() throws {
        let made = try house.door(as: "ada").call(
            "place.add", ["name": "School", "lat": 45.28, "lon": 13.72, "radius": 200])
        let school = try #require(made["place"]?["id"])
        guard let browser = try map() else { return }
        func start() throws {
            try browser.click("kin-map section .rows li.row button")
            try browser.click("#place-by-hand")
            try browser.wait("the mark") { try browser.sees(".placing-mark.middle") }
        }
        func end() throws {
            try browser.click("#placing-done")
            try browser.wait("the mark to go") { try !browser.sees(".placing-mark") }
        }
        func at() throws -> (lat: Double, lon: Double, radius: Double) {
            let one = try place(school)
            return (
                try #require(one["lat"]?.double), try #require(one["lon"]?.double), try #require(one["radius"]?.double)
            )
        }
        try start()
        // Left as it is, it stays as it was.
        try browser.drag(from: browser.middle(".placing-mark.middle"), by: (0, -60))
        try browser.click("kin-map .card .actions button.quiet")
        #expect(try at() == (45.28, 13.72, 200))
        // By dragging, to the north; its circle goes with it.
        try start()
        if let axe = PageTests.axe { #expect(try browser.violations(axe) == []) }
        try browser.drag(from: browser.middle(".placing-mark.middle"), by: (0, -60))
        try browser.draw("placing")
        try end()
        try browser.wait("it to be moved") { try at().lat > 45.28 }
        let north = try at()
        #expect(abs(north.lon - 13.72) < 0.0005 && north.radius == 200)
        // Wider, by its edge.
        try start()
        try browser.drag(from: browser.middle(".placing-mark.rim"), by: (40, 0))
        try end()
        try browser.wait("it to be wider") { try at().radius > 200 }
        #expect(try abs(at().lat - north.lat) < 0.000_01)
        // By a tap, to the west.
        try start()
        let middle = try browser.middle(".placing-mark.middle")
        try browser.drag(from: (middle.x - 90, middle.y + 10), by: (0, 0))
        try end()
        try browser.wait("it to be where was tapped") { try at().lon < 13.7195 }
        // By keys: the mark has the focus as soon as it is there.
        let before = try at()
        try start()
        for _ in 1...5 { try browser.press("ArrowRight", code: 39) }
        try end()
        try browser.wait("it to be moved by keys") { try at().lon > before.lon }
        #expect(try browser.log() == [])
    }

    @Test func `who becomes an admin is told on the open map how a region comes onto it, and others are not`()
        throws
    {
        guard let browser = try map() else { return }
        func isTold() throws -> Bool? {
            try browser.run(
                "return document.querySelector('kin-map').textContent.includes('kin map add region.osm.pbf')"
            )
            .bool
        }
        try browser.wait("the admin to be told") { try isTold() == true }
        let ada = try house.door(as: "ada")
        _ = try ada.call("member.setRole", ["member": .string(try id("bob")), "role": "admin"])
        let bob = try house.door(as: "bob")
        _ = try bob.call("member.setRole", ["member": .string(try id("ada")), "role": "member"])
        try browser.wait("who is none any more not to be told") { try isTold() == false }
        _ = try bob.call("member.setRole", ["member": .string(try id("ada")), "role": "admin"])
        try browser.wait("the new admin to be told") { try isTold() == true }
    }

    @Test func `a place is put on the map where it is tapped, and then named`() throws {
        _ = try house.door(as: "ada").call("sharing.set", ["state": "on"])
        try report("ada", lat: 45.28)
        guard let browser = try map() else { return }
        try browser.wait("the dot") { try browser.sees(".dot") }
        try browser.click("#add-place")
        try browser.wait("the mark") { try browser.sees(".placing-mark.middle") }
        let middle = try browser.middle(".placing-mark.middle")
        try browser.drag(from: (middle.x, middle.y + 70), by: (0, 0))
        try browser.click("#placing-done")
        try browser.type("School", into: "#place-name")
        try browser.click("dialog button[type=submit]")
        try browser.wait(for: "School", in: "kin-map")
        let places = try house.door(as: "bob").call("place.list", [:])["places"]?.array ?? []
        let school = try #require(places.first { $0["name"]?.string == "School" })
        #expect(try #require(school["lat"]?.double) < 45.28)
        #expect(school["radius"]?.double == 100)
        #expect(try browser.log() == [])
    }
}
