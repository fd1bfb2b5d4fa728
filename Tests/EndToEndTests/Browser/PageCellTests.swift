import KinModel
import Testing

/// Who sees about a kilometre, in Debian's Chromium against the real daemon: nothing finer comes to their browser at all,
/// so none of it can be in its memory.
@Suite(.serialized, .enabled(if: Browser.isThere, "Chromium and its driver are not installed"))
struct PageCellTests {
    let stage: Stage
    let house: House

    init() throws {
        stage = try Stage()
        house = try House(stage, foundedNowWith: ["bob"])
    }

    /// Where Bob is, each in another cell and far from its middle.
    private static let spots: [(lat: Double, lon: Double)] = [
        (45.280_234, 13.723_456), (45.307_321, 13.744_987), (45.343_765, 13.758_321), (45.361_543, 13.749_234),
    ]

    private func report(_ number: Int, secondsAgo: Int64) throws {
        let spot = Self.spots[number]
        _ = try house.door(as: "bob").call(
            "position.report",
            [
                "lat": .double(spot.lat), "lon": .double(spot.lon), "accuracy": 7, "speed": 1.25, "course": 87.5,
                "altitude": 311.25, "at": .time(Instant.now.adding(seconds: -secondsAgo)),
            ])
    }

    /// Keeps all that comes to the page: every message, and every answer that is none of its own files.
    private static let recorder = """
        window.came = []
        const Socket = window.WebSocket, load = window.fetch
        window.WebSocket = class extends Socket {
          constructor(...how) {
            super(...how)
            this.addEventListener("message", ({ data }) => came.push(data))
          }
        }
        window.fetch = async (...how) => {
          const answer = await load(...how)
          if (!answer.url.includes("/app/")) answer.clone().text().then(text => came.push(text), () => {})
          return answer
        }
        """

    /// All that came, what the page holds, what it keeps, and what stands in it; and which cells and what finer numbers are
    /// among them. Whatever has a time and a spot is somebody's position.
    private static let judge = """
        const spots = arguments[0][0]
        const { state } = await import(folder + "state.js")
        const database = await new Promise(done => {
          const asked = indexedDB.open("kinwire")
          asked.onsuccess = () => done(asked.result)
        })
        const kept = await Promise.all([...database.objectStoreNames].map(name => new Promise(done => {
          const asked = database.transaction(name).objectStore(name).getAll()
          asked.onsuccess = () => done(asked.result)
        })))
        database.close()
        const cells = new Set(), finer = []
        // Rows of cells are 0.009° high; each row has a whole number of them around the earth.
        const isMiddle = part => Math.abs(part - Math.floor(part) - 0.5) < 0.01
        const isCell = (lat, lon) => {
          const row = Math.floor((lat + 90) / 0.009), columns = Math.round(40_030 * Math.cos((-90 + (row + 0.5) * 0.009) * Math.PI / 180))
          return isMiddle((lat + 90) / 0.009) && isMiddle((lon + 180) * columns / 360)
        }
        const look = one => {
          if (Array.isArray(one)) return one.forEach(look)
          if (typeof one === "number" && spots.some(spot => spot.some(degrees => Math.abs(one - degrees) < 0.001))) finer.push(one)
          if (one === null || typeof one !== "object") return
          const { lat, lon, ...rest } = one
          look(Object.values(rest))
          if (typeof lat !== "number") return
          if ("at" in one && isCell(lat, lon)) cells.add(`${lat}/${lon}`)
          else if ("at" in one) finer.push([lat, lon])
          // A town's own spot is no secret.
          else if (!("name" in one)) look([lat, lon])
          for (const name of ["accuracy", "speed", "course", "altitude"]) if ("at" in one && name in one) finer.push([name, one[name]])
        }
        look([state.snapshot, kept])
        for (const text of came) try { look(JSON.parse(text)) } catch { /* It is no JSON, and is looked through as it is. */ }
        const text = [...came, JSON.stringify([state, kept, { ...localStorage }, { ...sessionStorage }]), document.documentElement.outerHTML].join()
        for (const degrees of spots.flat()) {
          const digits = String(degrees).slice(0, 7)
          if (text.includes(digits)) finer.push(digits)
        }
        return { cells: cells.size, finer, count: came.length }
        """

    @Test func `nothing finer than a cell comes to who sees cells, whatever they open and wherever somebody goes`()
        throws
    {
        _ = try house.door(as: "bob").call(
            "sharing.set", ["state": "on", "rules": [["viewer": "everyone", "precision": "coarse", "history": true]]])
        for (number, ago) in [(0, 5400), (1, 3600), (2, 60)] as [(Int, Int64)] { try report(number, secondsAgo: ago) }
        let bob = try #require(
            try house.door(as: "ada").call("member.list", [:])["members"]?.array?.first { $0["username"] == "bob" }?[
                "id"]?.string)
        let browser = try Browser(stage)
        try browser.beforehand(Self.recorder)
        try browser.signIn(house, "ada")
        try browser.wait(for: "Bob", in: ".people")
        func position() throws -> JSON {
            try browser.look(
                "return import(folder + 'state.js').then(one => one.state.snapshot.positions.find(one => one.member === arguments[0][0]) ?? null)",
                .string(bob))
        }
        let before = try position()
        #expect(before["precision"] == "coarse")
        // On the map, looked at all the while.
        try browser.run("location.hash = arguments[0]", .string("#/map/\(bob)"))
        try browser.wait("the card") { try browser.sees("kin-map > .opened .actions button") }
        try report(3, secondsAgo: 0)
        try browser.wait("another cell") { try position()["lat"] != before["lat"] }
        // And where they were: a trail, where there is a map to draw it on.
        if try browser.run("return document.querySelector('meta[name=leaflet]').content").string != "" {
            try browser.wait("the cell") { try browser.sees(".cell") }
            try browser.click("kin-map > .opened .actions button")
            try browser.wait("its cells") { try browser.sees(".trail-cell") }
            #expect(try !browser.sees(".dot") && !browser.sees(".trail"))
        }
        for screen in ["family/\(bob)", "home"] {
            try browser.run("location.hash = arguments[0]", .string("#/\(screen)"))
            try browser.wait(for: "Bob", in: "main")
        }
        try browser.run("dispatchEvent(new Event('pagehide'))")
        let spots = JSON.array(Self.spots.map { [.double($0.lat), .double($0.lon)] })
        let found = try browser.look(Self.judge, spots)
        #expect(found["finer"] == .array([]), "\(found)")
        // And there was something to look through.
        #expect(found["cells"]?.int ?? 0 >= 2, "\(found)")
        #expect(found["count"]?.int ?? 0 > 3, "\(found)")
        #expect(try browser.log() == [])
    }
}
