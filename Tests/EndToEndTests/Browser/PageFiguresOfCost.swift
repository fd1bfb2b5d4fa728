import Glibc
import KinCodec
import KinModel
import Testing

/// What the page costs the wire, the daemon's memory and the browser's, printed and never asserted:
/// `KINWIRE_PAGE_FIGURES=1`.
@Suite(
    .serialized, .enabled(if: Browser.isThere && getenv("KINWIRE_PAGE_FIGURES") != nil, "only where it is asked for"))
struct PageFiguresOfCost {
    let stage: Stage
    let house: House

    init() throws {
        stage = try Stage()
        house = try House(stage)
        try house.found()
    }

    private func say(_ what: String, _ figure: Double, _ unit: String, _ beside: String = "") {
        print("\(what): \((figure * 10).rounded() / 10) \(unit)\(beside.isEmpty ? "" : " (\(beside))")")
    }

    /// Lets so many seconds go by, which a figure needs.
    private func rest(_ seconds: Double) throws {
        let end = Stage.seconds + seconds
        try stage.wait("time to pass") { Stage.seconds >= end }
    }

    @Test func `bytes over the wire of the first visit`() throws {
        let wire = stage.start(["python3", Stage.fixtures + "/wire.py", "\(house.port)"], input: "")
        try stage.wait("the wire") { !wire.lines.isEmpty || wire.status != nil }
        let port = try #require(wire.lines.first?.split(separator: " ").last.flatMap { UInt16($0) }, "\(wire.said)")
        var counted = 0
        func bytes() throws -> Double {
            wire.write("count\n")
            counted += 1
            try stage.wait("a count") { wire.lines.filter { $0.hasPrefix("bytes ") }.count == counted }
            return wire.lines.last { $0.hasPrefix("bytes ") }?.split(separator: " ").last.flatMap { Double($0) } ?? .nan
        }
        let url = "http://127.0.0.1:\(port)"
        let browser = try Browser(stage, isNew: true)
        try browser.open(url + "/signin")
        try browser.type("ada", into: "input[name=username]")
        try browser.type(House.password, into: "input[name=password]")
        try browser.click("form button:not([type])")
        try browser.wait(for: "Lovelace", in: "header")
        try browser.run(
            "return Promise.all([caches.keys().then(all => all.map(one => caches.delete(one))), navigator.serviceWorker.getRegistrations().then(all => Promise.all(all.map(one => one.unregister())))]).then(() => 1)"
        )
        try browser.open("about:blank")
        try browser.tell("Network.enable")
        try browser.tell("Network.clearBrowserCache")
        try rest(2)
        let before = try bytes()
        try browser.open(url + "/")
        try browser.wait("the page to be usable") {
            try browser.run("return performance.getEntriesByName('kin-usable').length") == 1
        }
        let usable = try bytes() - before
        try browser.wait("the service worker") {
            try browser.run("return navigator.serviceWorker.ready.then(one => !!one.active)").bool ?? false
        }
        try rest(5)
        let all = try bytes() - before
        // What was asked for before the page was usable, by what the browser itself counted, heads included.
        let first = try browser.run(
            """
            const usable = performance.getEntriesByName('kin-usable')[0].startTime
            const all = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
            const sum = some => some.reduce((sum, one) => sum + one.transferSize, 0)
            const isMap = one => /leaflet|\\/map\\.(js|css)|basemap|tile\\.js|placing|\\/app\\/map/.test(one.name)
            return { first: sum(all.filter(one => one.startTime < usable && !isMap(one))), page: sum(all.filter(one => !isMap(one))), map: sum(all.filter(isMap)), count: all.filter(one => one.startTime < usable).length }
            """)
        say(
            "first visit until usable, by the browser", (first["first"]?.double ?? .nan) / 1000, "kB",
            "\(first["count"]?.int ?? 0) requests")
        say(
            "the page's own with all screens, without Leaflet and map, by the browser",
            (first["page"]?.double ?? .nan) / 1000, "kB")
        say("Leaflet and map, by the browser", (first["map"]?.double ?? .nan) / 1000, "kB")
        say("on the wire until it was seen to be usable, both ways", usable / 1000, "kB")
        say("on the wire with what the worker keeps for later, both ways", all / 1000, "kB")
    }

    private func memory(_ name: String) throws -> Double {
        let line = try stage.run("grep", name + ":", "/proc/\(house.daemon.process)/status").lines.first ?? ""
        return line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Double($0) } ?? .nan
    }

    @Test func `the daemon's memory for the page`() throws {
        let token = try house.token("ada")
        // What every visitor costs comes first: a connection, requests, a snapshot.
        for _ in 1...20 {
            try stage.run(
                "curl", "-s", "-o", "/dev/null", "-H", "Authorization: Bearer \(token)", house.url + "/api/settings")
        }
        _ = try house.snapshot("ada")
        try rest(20)
        let before = (try memory("VmRSS"), try memory("RssAnon"))
        for _ in 1...3 {
            let browser = try Browser(stage, isNew: true)
            try browser.signIn(house, "ada")
            try browser.wait("the service worker") {
                try browser.run("return navigator.serviceWorker.ready.then(one => !!one.active)").bool ?? false
            }
            try rest(3)
            say("while it is open, resident", (try memory("VmRSS") - before.0) / 1000, "MB more")
        }
        try rest(20)
        let after = (try memory("VmRSS"), try memory("RssAnon"))
        say("after three visits, resident", (after.0 - before.0) / 1000, "MB more", "\(before.0 / 1000) MB before")
        say("of this the daemon's own, not its program's file", (after.1 - before.1) / 1000, "MB more")
    }

    @Test func `an idle connection of the page, beside any other`() throws {
        let idle = stage.start(
            ["python3", Stage.fixtures + "/idle.py", "\(house.port)", try house.token("ada")], input: "")
        var open = 0
        /// How many kilobytes each of so many more took, when nothing has happened for a while.
        func grown(_ kind: String, _ count: Int) throws -> Double {
            let before = try memory("RssAnon")
            open += count
            idle.write("\(kind) \(count)\n")
            try stage.wait("\(count) to follow") { idle.lines.last == "open \(open)" || idle.status != nil }
            try #require(idle.status == nil, "\(idle.said)")
            try rest(20)
            return (try memory("RssAnon") - before) / Double(count)
        }
        // What the first ones cost besides comes first.
        for kind in ["other", "page"] { _ = try grown(kind, 50) }
        var (page, other): ([Double], [Double]) = ([], [])
        for _ in 1...3 {
            other.append(try grown("other", 100))
            page.append(try grown("page", 100))
        }
        let (mine, floor) = (page.sorted()[1], other.sorted()[1])
        say("an idle connection of the page", mine, "kB", "any other's \(floor) kB; \(mine / floor) times as much")
    }

    @Test func `the browser's memory after ten minutes' moves of fifty members`() throws {
        let browser = try Browser(stage, isNew: true)
        // The page's own socket, so that moves come as the daemon's do.
        try browser.beforehand(
            "window.WebSocket = class extends WebSocket { constructor(...all) { super(...all); window.socket = this } }"
        )
        try browser.signIn(house, "ada")
        for number in 1...50 {
            try house.join("m\(number)")
            let door = try house.door(as: "m\(number)")
            let seers = try door.call("sharing.show", [:])["sharing"]?["seenBy"]?.array ?? []
            _ = try door.call("sharing.set", ["state": "on", "confirms": .array(seers.compactMap { $0["id"] })])
            var now = timespec()
            clock_gettime(CLOCK_REALTIME, &now)
            let at = Instant(milliseconds: Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000)
            _ = try door.call(
                "position.report",
                [
                    "lat": .double(60.17 + Double(number) / 5_000), "lon": .double(24.94 + Double(number % 7) / 2_000),
                    "accuracy": 8, "at": .time(at),
                ])
        }
        for screen in ["map", "home"] {
            try browser.click("[data-tab=\(screen)]")
            try browser.wait("everybody") {
                try browser.look(
                    "return import(folder + 'state.js').then(one => one.state.snapshot.positions.length)"
                ) == 50
            }
            var figures: [(Double, Double, Double)] = []
            for minutes in [1, 10, 10] {
                for _ in 1...minutes {
                    try browser.look(
                        """
                        const seconds = 60
                        return import(folder + 'state.js').then(({ state }) => new Promise(done => {
                          let second = 0
                          const move = () => {
                            window.second = (window.second ?? 0) + 1
                            for (const one of state.snapshot.positions) {
                              const data = { ...one, lat: one.lat + 0.000_05 * (window.second % 40 < 20 ? 1 : -1), at: new Date(Date.now() - 1000).toISOString() }
                              socket.onmessage({ data: JSON.stringify({ jsonrpc: "2.0", method: "event", params: { cursor: window.cursor ?? "0", type: "position", at: data.at, by: one.member, data } }) })
                            }
                            if ((second += 1) < seconds) requestAnimationFrame(move)
                            else done()
                          }
                          move()
                        }))
                        """)
                }
                for _ in 1...2 { try browser.tell("HeapProfiler.collectGarbage") }
                let heap = try browser.tell("Runtime.getHeapUsage")["usedSize"]?.double ?? .nan
                try browser.tell("Performance.enable")
                let metrics = try browser.tell("Performance.getMetrics")["metrics"]?.array ?? []
                func metric(_ name: String) -> Double {
                    metrics.first { $0["name"]?.string == name }?["value"]?.double ?? .nan
                }
                figures.append((heap / 1e6, metric("Nodes"), metric("JSEventListeners")))
                say(
                    "\(screen), after \(minutes) more minutes' moves and a collection, heap", heap / 1e6, "MB",
                    "\(metric("Nodes")) nodes, \(metric("JSEventListeners")) listeners")
            }
            // Nothing is left behind by twenty minutes of moves.
            #expect(figures[2].1 <= figures[0].1 * 1.1 && figures[2].2 <= figures[0].2 * 1.1, "\(figures)")
        }
    }
}
