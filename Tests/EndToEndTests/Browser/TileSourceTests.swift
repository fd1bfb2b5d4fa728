import Glibc
import KinCodec
import KinModel
import Testing

/// Pictures of the map from outside: the daemon as it is asks a source on loopback, by an admin's word.
@Suite(.serialized) struct TileSourceTests {
    let stage: Stage
    let house: House
    let source: Program
    let port: String

    init() throws {
        stage = try Stage()
        house = try House(stage, family: ["bob"])
        let source = stage.start(["python3", Stage.fixtures + "/tiles.py"], input: "")
        self.source = source
        try stage.wait("the source") { !source.lines.isEmpty || source.status != nil }
        port = try #require(source.lines.first?.split(separator: " ").last.map(String.init), "\(source.said)")
    }

    /// What the source was asked so far.
    private func asked() throws -> [JSON] {
        source.take()
        return try source.lines.filter { $0.hasPrefix("{") }.map { try JSON.parse(Array($0.utf8)) }
    }

    private func source(is manner: String) throws {
        source.write(manner + "\n")
        try stage.wait("the source to be so") { source.lines.contains("is \(manner)") }
    }

    private func kin(_ words: String..., exits code: Int32 = 0) throws -> Program {
        let program = stage.start(["kin"] + words, input: "")
        program.closeInput()
        try stage.wait("kin to end") { program.status != nil }
        program.take()
        #expect(program.status == code, "\(words): \(program.said) \(program.lines)")
        return program
    }

    private func name() throws {
        _ = try kin("outside", "allow", "127.0.0.1:\(port)", "--plain", "--as", "ada")
        _ = try kin(
            "map", "source", "http://127.0.0.1:\(port)/{z}/{x}/{y}.png", "--attribution", "© Somebody", "--as", "ada")
    }

    private func get(_ path: String, _ token: String?) throws -> Program {
        let credential = token.map { ["-H", "Authorization: Bearer \($0)"] } ?? []
        let program = stage.start(
            ["curl", "-s", "-D", "-", "-o", "\(stage.folder)/got"] + credential + [house.url + path])
        try stage.wait("curl to end") { program.status != nil }
        program.take()
        return program
    }

    private func version(_ token: String) throws -> String? {
        let file = try get("/app/map", token)
        #expect(file.lines.first?.contains(" 200 ") == true)
        let text = try stage.run("cat", "\(stage.folder)/got").unended
        let first = try JSON.parse(Array(text.utf8), depthMax: 16)["regions"]?.array?.first
        return first?["version"]?.string
    }

    @Test func `it is asked by the daemon alone, once for all, and learns nobody's name`() throws {
        let (ada, bob) = (try house.token("ada"), try house.token("bob"))
        #expect(try kin("map", "source", "--as", "bob").lines.first?.hasPrefix("No source outside") == true)
        #expect(try version(bob) == nil)
        _ = try kin(
            "map", "source", "http://127.0.0.1:\(port)/{z}/{x}/{y}.png", "--attribution", "© Somebody", "--as", "bob",
            exits: 5)
        let named = try kin(
            "map", "source", "http://127.0.0.1:\(port)/{z}/{x}/{y}.png", "--attribution", "© Somebody", "--as", "ada")
        #expect(named.lines.first?.contains("The map names: © Somebody") == true)
        let own = try #require(try version(bob))
        // Named, and yet closed: it is a machine of the house.
        #expect(try get("/app/map/\(own)/3/4/2", bob).lines.first?.contains(" 503 ") == true)
        #expect(try asked().isEmpty)
        _ = try kin("outside", "allow", "127.0.0.1:\(port)", "--plain", "--as", "ada")
        let tile = try get("/app/map/\(own)/3/4/2", bob)
        #expect(tile.lines.first?.contains(" 200 ") == true, "\(tile.lines)")
        #expect(tile.lines.contains("Content-Type: image/png\r"))
        #expect(tile.lines.contains("X-Content-Type-Options: nosniff\r"))
        #expect(tile.lines.contains("Content-Security-Policy: sandbox; default-src 'none'\r"))
        #expect(!tile.lines.contains { $0.lowercased().hasPrefix("set-cookie") })
        // Another asks for the same: the source hears nothing of it.
        #expect(try get("/app/map/\(own)/3/4/2", ada).lines.first?.contains(" 200 ") == true)
        let all = try asked()
        #expect(all.compactMap { $0["path"]?.string } == ["/3/4/2.png"])
        let fields = Set(all.first?["fields"]?.object?.members.map { $0.name.lowercased() } ?? [])
        #expect(fields == ["host", "connection", "accept-encoding", "user-agent", "accept"])
        // It is kept on disk: after a restart, and while nobody is reached outside.
        house.kill()
        source.kill()
        try house.start()
        #expect(try get("/app/map/\(own)/3/4/2", try house.token("bob")).lines.first?.contains(" 200 ") == true)
        let bob2 = try house.token("bob")
        #expect(try get("/app/map/\(own)/3/4/3", bob2).lines.first?.contains(" 503 ") == true)
        // Nobody else, no such tile, and taken back.
        #expect(try get("/app/map/\(own)/3/4/2", nil).lines.first?.contains(" 401 ") == true)
        #expect(try get("/app/map/\(own)/3/8/2", bob2).lines.first?.contains(" 422 ") == true)
        _ = try kin("map", "source", "off", "--as", "ada")
        #expect(try get("/app/map/\(own)/3/4/2", bob2).lines.first?.contains(" 404 ") == true)
        #expect(try version(bob2) == nil)
        #expect(!house.daemon.said.contains("/3/4/2"))
    }

    @Test func `what it should not answer reaches no browser, and what is old is confirmed`() throws {
        try name()
        let bob = try house.token("bob")
        let own = try #require(try version(bob))
        for manner in ["page", "large", "away http://127.0.0.1:1/x.png", "away https://example.org/x.png"] {
            try source(is: manner)
            let got = try get("/app/map/\(own)/3/0/0", bob)
            #expect(got.lines.first?.contains(" 503 ") == true, "\(manner): \(got.lines)")
        }
        try source(is: "stale")
        for _ in 1...2 { #expect(try get("/app/map/\(own)/3/1/0", bob).lines.first?.contains(" 200 ") == true) }
        let last = try #require(try asked().last)
        #expect(last["path"] == "/3/1/0.png" && last["fields"]?["If-None-Match"]?.string == "\"one\"")
    }

    @Test(.enabled(if: Browser.isThere, "Chromium and its driver are not installed"))
    func `the page paints it, names whom it is from, and asks its own daemon alone`() throws {
        try name()
        let browser = try Browser(stage)
        try browser.signIn(house, "bob")
        guard try browser.run("return document.querySelector('meta[name=leaflet]').content").string != "" else {
            return
        }
        try browser.click("[data-tab=map]")
        try browser.wait(for: "© Somebody", in: ".attribution")
        try browser.wait("a tile to be red") {
            let colour =
                try browser.run(
                    """
                    const tile = document.querySelector('.basemap canvas.leaflet-tile-loaded')
                    return tile ? [...tile.getContext('2d').getImageData(tile.width / 2, tile.height / 2, 1, 1).data] : null
                    """
                ).array?.compactMap(\.int) ?? []
            return colour == [200, 30, 30, 255]
        }
        #expect(try !browser.sees(".graticule"))
        let origins = try browser.run(
            "return [...new Set(performance.getEntriesByType('resource').map(one => new URL(one.name).origin))]")
        #expect(origins == [.string(house.url)])
        // The small map on which a spot is chosen names it as well.
        try browser.click("[data-tab=chat]")
        try browser.click("#rooms a")
        try browser.click("#attach")
        try browser.click("#chat-spot")
        try browser.wait(for: "© Somebody", in: "dialog .map .attribution")
        let isInSight = try browser.run(
            """
            const one = document.querySelector("dialog .map .attribution")
            one.scrollIntoView({ block: "center" })
            const box = one.getBoundingClientRect()
            return document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2) === one
            """)
        #expect(isInSight == true)
        #expect(try browser.log() == [])
    }
}
