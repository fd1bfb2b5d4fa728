import Glibc
import KinCodec
import KinModel
import Testing

/// What the page costs, printed and never asserted: `KINWIRE_PAGE_FIGURES=1`, and in `KINWIRE_PAGE_EXTRACT` an extract of
/// OpenStreetMap for the tiles.
@Suite(
    .serialized, .enabled(if: Browser.isThere && getenv("KINWIRE_PAGE_FIGURES") != nil, "only where it is asked for"))
struct PageFigures {
    let stage: Stage
    let house: House

    init() throws {
        stage = try Stage()
        house = try House(stage)
        try house.found()
        try house.join("bob")
    }

    private func milliseconds(_ browser: Browser, _ script: String) throws -> Double {
        try browser.run(script).double ?? .nan
    }

    private func say(_ what: String, _ figure: Double, _ unit: String, _ beside: String = "") {
        print("\(what): \((figure * 10).rounded() / 10) \(unit)\(beside.isEmpty ? "" : " (\(beside))")")
    }

    /// In the middle of what was measured.
    private func middle(_ figures: [Double]) -> Double { figures.isEmpty ? .nan : figures.sorted()[figures.count / 2] }

    /// Opens the page anew: after how long it was usable, and of this how long the document and the modules took.
    private func visit(_ browser: Browser) throws -> (usable: Double, document: Double, modules: Double) {
        try browser.open(house.url + "/")
        try browser.wait("the family") { try browser.text("header").contains("Lovelace") }
        let usable = try milliseconds(
            browser, "return performance.getEntriesByName('kin-usable')[0]?.startTime ?? NaN")
        // Of these: until the document was there, and the last module of the first look.
        let document = try milliseconds(browser, "return performance.getEntriesByType('navigation')[0].responseEnd")
        let modules = try milliseconds(
            browser,
            """
            const usable = performance.getEntriesByName('kin-usable')[0]?.startTime ?? 0
            const ends = performance.getEntriesByType('resource').filter(one => one.name.endsWith('.js')).map(one => one.responseEnd)
            return Math.max(...ends.filter(one => one < usable))
            """)
        try browser.wait("the service worker") {
            try browser.run("return navigator.serviceWorker.ready.then(one => !!one.active)").bool ?? false
        }
        return (usable, document, modules)
    }

    @Test func `the first visit and later ones, throttled, and without the daemon`() throws {
        let browser = try Browser(stage, isNew: true)
        try browser.signIn(house, "ada")
        try browser.wait(for: "Lovelace", in: "header")
        // As Lighthouse simulates a mid phone on 4G: 150 ms, 1.6 Mbit/s, a quarter of this processor.
        try browser.tell("Network.enable")
        try browser.tell(
            "Network.emulateNetworkConditions",
            ["offline": false, "latency": 150, "downloadThroughput": 204_800, "uploadThroughput": 96_000])
        try browser.tell("Emulation.setCPUThrottlingRate", ["rate": 4])
        for (name, rounds) in [("first visit", 3), ("later visit", 5), ("visit without the daemon", 5)] {
            if name.hasSuffix("daemon") { house.kill() }
            var visits: [(usable: Double, document: Double, modules: Double)] = []
            for _ in 1...rounds {
                if name.hasPrefix("first") {
                    // From a page of the same origin that keeps nothing itself; the sign-in stays.
                    try browser.open(house.url + "/healthz")
                    try browser.tell("Network.clearBrowserCache")
                    try browser.tell(
                        "Storage.clearDataForOrigin",
                        [
                            "origin": .string(house.url),
                            "storageTypes": "cache_storage,indexeddb,local_storage,service_workers",
                        ])
                }
                visits.append(try visit(browser))
            }
            say(
                "\(name), usable after, median of \(rounds)", middle(visits.map { $0.usable }), "ms",
                "document \(middle(visits.map { $0.document }).rounded()), modules "
                    + "\(middle(visits.map { $0.modules }).rounded()), each \(visits.map { $0.usable.rounded() })")
        }
    }

    /// How long a text takes to a bare server and back to a browser: the floor of what goes from one to another.
    private func echoed(_ browser: Browser, port: String) throws -> Double {
        // A page of its own: the family's allows its own daemon alone.
        let page = try browser.tab
        try browser.openTab()
        let bare = try milliseconds(
            browser,
            """
            return new Promise(done => {
              const socket = new WebSocket('ws://127.0.0.1:\(port)/'), times = []
              let at = 0
              socket.onopen = () => { at = performance.now(); socket.send('x'.repeat(200)) }
              socket.onmessage = () => { times.push(performance.now() - at); if (times.length > 60) { socket.close(); done(times.sort((a, b) => a - b)[30]) } else { at = performance.now(); socket.send('x'.repeat(200)) } }
              socket.onerror = () => done(NaN)
            })
            """)
        try browser.closeTab()
        try browser.go(to: page)
        return bare
    }

    @Test func `a vote in one browser until the other shows the tally, beside a bare echo`() throws {
        let (ada, bob) = (try Browser(stage, isNew: true), try Browser(stage, isNew: true))
        try ada.signIn(house, "ada")
        try bob.signIn(house, "bob")
        // Debian's python3-websockets, which asks no page where it comes from.
        let echo = stage.start([
            "/usr/bin/python3", "-c",
            """
            import asyncio, websockets
            async def echo(socket, path=None):
                async for message in socket: await socket.send(message)
            async def main():
                server = await websockets.serve(echo, '127.0.0.1', 0, compression=None)
                print(server.sockets[0].getsockname()[1], flush=True)
                await asyncio.Future()
            asyncio.run(main())
            """,
        ])
        try stage.wait("the echo") { !echo.lines.isEmpty || echo.status != nil }
        let port = echo.lines.first ?? ""
        let floors = [try echoed(ada, port: port), try echoed(bob, port: port)]
        let members = try house.door(as: "bob").call("member.list", [:])["members"]?.array ?? []
        let invitee = try #require(members.first { $0["username"] == "ada" }?["id"])
        let made = try house.door(as: "bob").call(
            "meeting.propose",
            [
                "title": "Sunday dinner", "kind": "group", "zone": "UTC", "invitees": [invitee],
                "slots": [["start": "2036-11-23T17:00:00Z", "end": "2036-11-23T19:00:00Z"]],
            ])
        let meeting = try #require(made["meeting"]?["id"]?.string)
        for browser in [ada, bob] {
            try browser.run("location.hash = arguments[0]", .string("#/meetings/\(meeting)"))
            try browser.wait(for: "Ada", in: "kin-meeting .grid")
        }
        var took: [Double] = []
        for number in 1...40 {
            // Bob hosts: what he sees change is the tally.
            try bob.run(
                """
                const tally = () => document.querySelector("kin-meeting kin-ballot .slots .grow .soft").textContent, before = tally()
                window.seen = new Promise(done => {
                  const look = () => { if (tally() !== before) { observer.disconnect(); done(performance.timeOrigin + performance.now()) } }
                  const observer = new MutationObserver(look)
                  observer.observe(document.body, { subtree: true, childList: true, characterData: true })
                })
                """)
            let sent =
                try ada.run(
                    """
                    const answer = document.querySelector(`kin-meeting kin-ballot .answer.${arguments[0]}`), at = performance.timeOrigin + performance.now()
                    answer.click()
                    return at
                    """, number.isMultiple(of: 2) ? "no" : "yes"
                ).double ?? .nan
            took.append(try milliseconds(bob, "return window.seen") - sent)
        }
        let (p50, floor) = (middle(took), floors.reduce(0, +) / Double(floors.count))
        say(
            "a vote in one browser until another shows the tally, p50", p50, "ms",
            "bare echo in the same browsers \(floors) ms; \(((p50 - floor) * 10).rounded() / 10) ms more, "
                + "\((p50 / floor).rounded()) times as long")
    }

    /// `KINWIRE_PAGE_MINUTES=10`: for so many minutes instead of one.
    @Test func `fifty members who move once a second, for a minute or longer`() throws {
        let minutes = getenv("KINWIRE_PAGE_MINUTES").flatMap { Int(String(cString: $0)) } ?? 1
        let browser = try Browser(stage, isNew: true)
        try browser.signIn(house, "ada")
        var doors: [LineClient] = []
        for number in 1...50 {
            try house.join("m\(number)")
            doors.append(try house.door(as: "m\(number)"))
            let seers = try doors[number - 1].call("sharing.show", [:])["sharing"]?["seenBy"]?.array ?? []
            _ = try doors[number - 1].call(
                "sharing.set", ["state": "on", "confirms": .array(seers.compactMap { $0["id"] })])
        }
        try browser.tell("Performance.enable")
        /// After a collection: what is still held then has grown.
        func metrics() throws -> JSON {
            for _ in 1...2 { try browser.tell("HeapProfiler.collectGarbage") }
            return try browser.tell("Performance.getMetrics")
        }
        for screen in ["map", "home"] {
            try browser.click("[data-tab=\(screen)]")
            var before: JSON = .null
            for second in 0..<(10 + 60 * minutes) {
                let start = Stage.seconds
                for (index, door) in doors.enumerated() {
                    var now = timespec()
                    clock_gettime(CLOCK_REALTIME, &now)
                    let at = Instant(milliseconds: Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000)
                    _ = try door.call(
                        "position.report",
                        [
                            // There and back, a few metres a second.
                            "lat": .double(60.17 + Double(index) / 5_000 + Double(abs(second % 120 - 60)) / 20_000),
                            "lon": .double(24.94 + Double(index % 7) / 2_000), "accuracy": 8, "at": .time(at),
                        ])
                }
                if second == 10 { before = try metrics() }
                try stage.wait("the next second") { Stage.seconds >= start + 1 }
            }
            let after = try metrics()
            func metric(_ name: String, _ all: JSON) -> Double {
                all["metrics"]?.array?.first { $0["name"]?.string == name }?["value"]?.double ?? .nan
            }
            let seconds = metric("Timestamp", after) - metric("Timestamp", before)
            // Where the machine does not keep up, fewer come, and the shares mean less.
            say("\(screen), moves told", Double(50 * 60 * minutes) / seconds, "a second", "50 are meant")
            // All tasks of the main thread: script, style, layout and paint among them.
            for name in ["TaskDuration", "ScriptDuration", "RecalcStyleDuration", "LayoutDuration"] {
                say("\(screen), \(name)", (metric(name, after) - metric(name, before)) / seconds * 100, "% of a core")
            }
            say(
                "\(screen), heap after \(minutes) min", metric("JSHeapUsedSize", after) / 1e6, "MB",
                "\(metric("JSHeapUsedSize", before) / 1e6) before; nodes \(metric("Nodes", after)) and "
                    + "\(metric("Nodes", before)) before")
        }
    }

    @Test(.enabled(if: getenv("KINWIRE_PAGE_EXTRACT") != nil, "no extract is named"))
    func `a tile of a city`() throws {
        let extract = String(cString: getenv("KINWIRE_PAGE_EXTRACT"))
        try stage.run("kin", "map", "add", extract, "--name", "city", "--yes", "--data", house.data)
        let browser = try Browser(stage, isNew: true)
        try browser.signIn(house, "ada")
        for zoom in [15, 16, 17] {
            let painted = try milliseconds(
                browser,
                """
                const folder = document.querySelector('script[type=module][src]').src.replace(/[^/]+$/, '')
                return Promise.all([import(folder + 'basemap.js'), import('/' + document.querySelector('meta[name=leaflet]').content.slice(1) + '/leaflet.js')]).then(async ([map, leaflet]) => {
                  const all = await map.regions(), [west, south, east, north] = all[0].bounds, z = \(zoom), count = 2 ** z
                  const column = lon => Math.floor((lon + 180) / 360 * count)
                  const row = lat => Math.floor((1 - Math.asinh(Math.tan(lat * Math.PI / 180)) / Math.PI) / 2 * count)
                  const tiles = map.layer(leaflet.default ?? leaflet, all), times = []
                  const canvas = document.createElement('canvas')
                  canvas.width = canvas.height = 512
                  const context = canvas.getContext('2d')
                  for (let round = 0; round < 5; round += 1) for (let x = column(west); x <= column(east); x += 1) for (let y = row(north); y <= row(south); y += 1) {
                    const at = performance.now()
                    await map.paint(context, tiles.regions[0], { x, y, z }, 512, 'light')
                    context.getImageData(0, 0, 1, 1)
                    if (round > 0) times.push(performance.now() - at)
                  }
                  return times.sort((a, b) => a - b)[times.length >> 1]
                })
                """)
            say("a tile of 512 pixels at zoom \(zoom), painted, median", painted, "ms")
        }
    }
}
