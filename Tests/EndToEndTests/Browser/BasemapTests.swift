import Glibc
import KinCodec
import KinModel
import Testing

/// The map beneath: from an extract to what is painted in the browser.
@Suite(.serialized) struct BasemapTests {
    static let canMakeTiles = ["/usr/bin/tilemaker", "/usr/bin/osmium"].allSatisfy { (path: String) in
        access(path, X_OK) == 0
    }
    static let shore = Stage.root + "/Tests/EndToEndTests/Fixtures/shore.osm"

    let stage: Stage
    let house: House

    init() throws {
        stage = try Stage()
        house = try House(stage, family: [])
    }

    private func kin(_ words: String..., exits code: Int32 = 0) throws -> Program {
        let program = stage.start(["kin"] + words + ["--data", house.data], input: "")
        program.closeInput()
        try stage.wait("kin to end") { program.status != nil }
        program.take()
        #expect(program.status == code, "\(words): \(program.said) \(program.lines)")
        return program
    }

    private func get(_ path: String, _ token: String?, _ more: String...) throws -> Program {
        let credential = token.map { ["-H", "Authorization: Bearer \($0)"] } ?? []
        let program = stage.start(["curl", "-s", "-i"] + more + credential + [house.url + path])
        try stage.wait("curl to end") { program.status != nil }
        program.take()
        return program
    }

    /// A file of tiles, made by hand: pictures of a few bytes.
    private func pictures(_ name: String) throws -> String {
        let path = "\(stage.folder)/\(name)"
        _ = try stage.run(
            "python3", "-c",
            """
            import sqlite3, sys
            d = sqlite3.connect(sys.argv[1])
            d.execute('create table metadata (name text, value text)')
            d.execute('create table tiles (zoom_level integer, tile_column integer, tile_row integer, tile_data blob)')
            d.executemany('insert into metadata values (?, ?)', [('format', 'png'), ('attribution', 'Ada'), ('minzoom', '0'), ('maxzoom', '1')])
            d.execute('insert into tiles values (1, 0, 1, ?)', (b'picture',))
            d.commit()
            """, path)
        return path
    }

    @Test func `a region that is added is told to members and nobody else, tile by tile`() throws {
        let token = try house.token("ada")
        #expect(try get("/app/map", token).unended == #"{"regions":[]}"#)
        #expect(try kin("map", "list").lines == ["There is no region beneath the map."])
        let added = try kin("map", "add", try pictures("Home.mbtiles"))
        #expect(added.lines == ["The region “Home” is beneath the map: png tiles, zooms 0 to 1."])
        let list = try get("/app/map", token)
        #expect(list.lines.first?.hasPrefix("HTTP/1.1 200") == true)
        let region = try #require(JSON.parse(list.unended, depthMax: 64)["regions"]?.array?.first)
        #expect(region["name"]?.string == "Home" && region["format"]?.string == "png")
        #expect(region["attribution"]?.string == "Ada")
        let version = try #require(region["version"]?.string)
        let tile = try get("/app/map/\(version)/1/0/0", token)
        #expect(
            tile.lines.contains("Content-Type: image/png\r") && tile.lines.contains("X-Content-Type-Options: nosniff\r")
        )
        #expect(tile.lines.contains("Content-Security-Policy: sandbox; default-src 'none'\r"))
        #expect(tile.lines.contains("Cache-Control: private, max-age=31536000, immutable\r"))
        #expect(tile.unended == "picture")
        // Nothing is there; no such region; no numbers; another verb; nobody.
        for (path, status) in [
            ("/app/map/\(version)/1/1/1", "204"), ("/app/map/\(version)/9/1/1", "204"),
            ("/app/map/0000000000000000/1/0/0", "404"), ("/app/map/\(version)/1/0/x", "404"),
        ] {
            #expect(try get(path, token).lines.first?.contains(" \(status) ") == true, "\(path)")
        }
        #expect(try get("/app/map", token, "-X", "POST").lines.first?.contains(" 405 ") == true)
        for path in ["/app/map", "/app/map/\(version)/1/0/0"] {
            #expect(try get(path, nil).lines.first?.contains(" 401 ") == true, "\(path)")
        }
        // Another file of the same name is another version; and one that is taken away is gone at once.
        _ = try kin("map", "add", try pictures("again.mbtiles"), "--name", "Home")
        #expect(try get("/app/map/\(version)/1/0/0", token).lines.first?.contains(" 404 ") == true)
        #expect(try kin("map", "remove", "Home").lines == ["The region “Home” is gone."])
        #expect(try get("/app/map", token).unended == #"{"regions":[]}"#)
    }

    @Test func `what is no map is refused, and nothing of it stays`() throws {
        let bad = "\(stage.folder)/bad.mbtiles"
        _ = try stage.run("python3", "-c", "import sys; open(sys.argv[1], 'w').write('<html>')", bad)
        #expect(try kin("map", "add", bad, exits: 1).said.contains("is no file of map tiles (MBTiles)"))
        #expect(try kin("map", "add", "\(stage.folder)/absent.mbtiles", exits: 1).said.contains("absent.mbtiles"))
        #expect(try kin("map", "add", Self.shore + "x", exits: 1).said.contains("shore.osmx"))
        #expect(try kin("map", "add", house.data + "/kinwire.db", exits: 2).said.contains("is no map"))
        let good = try pictures("good.mbtiles")
        #expect(try kin("map", "add", good, "--name", "../x", exits: 1).said.contains("no “/”"))
        #expect(try kin("map", "remove", "Rome", exits: 1).said.contains("There is no region “Rome”"))
        #expect(try kin("map").lines == ["There is no region beneath the map."])
    }

    @Test(.enabled(if: canMakeTiles, "tilemaker and osmium are not installed"))
    func `making tiles says what it takes first, and does nothing without a yes`() throws {
        let asked = try kin("map", "add", Self.shore, exits: 2)
        #expect(asked.lines.joined().contains("minute") && asked.said.contains("--yes"))
        #expect(try kin("map").lines == ["There is no region beneath the map."])
    }

    @Test(.enabled(if: canMakeTiles && Browser.isThere, "tilemaker or Chromium is not installed"))
    func `an extract with broken ways becomes streets, sea and names in the browser`() throws {
        let added = try kin("map", "add", Self.shore, "--yes")
        #expect(added.lines.last == "The region “shore” is beneath the map: pbf tiles, zooms 0 to 14.")
        _ = try house.door(as: "ada").call(
            "place.add", ["name": "Harbour", "lat": 54.002, "lon": 10.009, "radius": 100])
        let browser = try Browser(stage)
        try browser.beforehand(
            """
            window.written = new Set()
            const write = CanvasRenderingContext2D.prototype.fillText
            CanvasRenderingContext2D.prototype.fillText = function (text, ...at) { written.add(text); return write.call(this, text, ...at) }
            """)
        try browser.signIn(house, "ada")
        try browser.wait(for: "Lovelace", in: "header")
        try browser.click("[data-tab=map]")
        try browser.wait(for: "© OpenStreetMap contributors", in: ".attribution")
        func painted(_ lat: Double, _ lon: Double) throws -> [Int64] {
            try browser.run(Self.colour, .double(lat), .double(lon)).array?.compactMap(\.int) ?? []
        }
        for (zoom, isDark) in [(15, false), (17, false), (15, true)] {
            try browser.screen(width: 390, height: 844, isDark: isDark)
            try browser.run(
                """
                const screen = document.querySelector('kin-map')
                screen.map.setView([54.0052, 10.0095], \(zoom), { animate: false })
                """)
            // West of the coast is land, east of it the sea, whether or not the tile has a coast of its own.
            for (lat, lon, isSea) in [(54.0055, 10.0085, false), (54.0055, 10.0125, true)] {
                try browser.wait("\(isSea ? "the sea" : "the land") at zoom \(zoom), dark: \(isDark)") {
                    let colour = try painted(lat, lon)
                    guard colour.count == 4, colour[3] == 255 else { return false }
                    // Water is blue, and land is not.
                    return (colour[2] > colour[0] + 12) == isSea
                }
            }
            if zoom == 15, !isDark {
                // Names by the reader's language, along their road and over their village.
                for name in ["Anchorham", "Deichweg"] {
                    try browser.wait("\(name) to be written") {
                        try browser.run("return written.has(arguments[0])", .string(name)) == true
                    }
                }
                #expect(try browser.run("return written.has('Ankerort')") == false)
            }
            for (what, spot, day, night) in Self.drawn {
                try browser.wait("\(what) at zoom \(zoom), dark: \(isDark)") {
                    let colour = try painted(spot.lat, spot.lon)
                    return colour.count == 4
                        && zip(colour, isDark ? night : day).allSatisfy { one, other in abs(one - other) <= 12 }
                }
            }
        }
        try browser.wait("the island to be land") {
            let colour = try painted(54.0042, 10.0155)
            return colour.count == 4 && colour[3] == 255 && colour[2] <= colour[0] + 12
        }
        #expect(try browser.log() == [])
    }

    /// What else the fixture has, a spot in the middle of each, and its colour by day and by night.
    private static let drawn: [(what: String, spot: (lat: Double, lon: Double), day: [Int64], night: [Int64])] = [
        ("the road", (54.0050, 10.0050), [251, 227, 164], [106, 90, 47]),
        ("the park", (54.0020, 10.0035), [207, 230, 189], [31, 51, 36]),
        ("the house", (54.0061, 10.0032), [216, 207, 196], [48, 52, 58]),
    ]

    /// What is painted at a spot.
    private static let colour = """
        const [lat, lon] = arguments, { map } = document.querySelector('kin-map')
        if (!map.getBounds().contains([lat, lon])) map.panTo([lat, lon], { animate: false })
        const box = map.getContainer().getBoundingClientRect(), at = map.latLngToContainerPoint([lat, lon])
        for (const tile of document.querySelectorAll('.basemap canvas.leaflet-tile-loaded')) {
          const one = tile.getBoundingClientRect(), x = at.x + box.left - one.left, y = at.y + box.top - one.top
          if (x < 0 || y < 0 || x >= one.width || y >= one.height) continue
          return [...tile.getContext('2d').getImageData(x / one.width * tile.width, y / one.height * tile.height, 1, 1).data]
        }
        return null
        """

    @Test(.enabled(if: Browser.isThere, "Chromium is not installed"))
    func `the sea lies to the right of the coast`() throws {
        let browser = try Browser(stage)
        try browser.signIn(house, "ada")
        try browser.wait(for: "Lovelace", in: "header")
        try browser.run(
            """
            const folder = document.querySelector('script[type=module][src]').src.replace(/[^/]+$/, '')
            return import(folder + 'tile.js').then(module => { window.tile = module })
            """)
        let box = #"{ west: 0, north: 0, east: 100, south: 100 }"#
        /// Lines of a coast, and for a few spots whether they are sea.
        let cases: [(coast: String, sea: [(Int, Int)], land: [(Int, Int)])] = [
            ("[[50,-10,50,110]]", [(20, 50)], [(80, 50)]), ("[[50,110,50,-10]]", [(80, 50)], [(20, 50)]),
            ("[[40,40,40,60,60,60,60,40,40,40]]", [(10, 10), (90, 50)], [(50, 50)]),
            ("[[40,40,60,40,60,60,40,60,40,40]]", [(50, 50)], [(10, 10), (90, 50)]),
            // A headland: in and out on the same side. A strait: two coasts.
            ("[[-10,60,50,60],[50,60,50,40,-10,40]]", [(80, 50), (20, 20), (20, 80)], [(20, 50)]),
            ("[[30,-10,30,110],[70,110,70,-10]]", [(10, 50), (90, 50)], [(50, 50)]),
            ("[[30,110,30,-10],[70,-10,70,110]]", [(50, 50)], [(10, 50), (90, 50)]),
            // A corner, and one beside an island.
            ("[[10,-5,10,30,-5,30]]", [(5, 5)], [(50, 50), (90, 90)]),
            ("[[50,110,50,-10],[70,40,70,60,90,60,90,40,70,40]]", [(60, 50), (95, 5)], [(20, 50), (80, 50)]),
            // An extract cut short of its own border.
            ("[[50,6,50,94]]", [(20, 50)], [(80, 50)]),
        ]
        for (coast, sea, land) in cases {
            for (spots, isSea) in [(sea, true), (land, false)] {
                for (x, y) in spots {
                    let found = try browser.run(
                        """
                        const path = new Path2D()
                        for (const ring of window.tile.sea(\(coast), \(box)) ?? []) {
                          path.moveTo(ring[0], ring[1])
                          for (let at = 2; at < ring.length; at += 2) path.lineTo(ring[at], ring[at + 1])
                          path.closePath()
                        }
                        return document.createElement('canvas').getContext('2d').isPointInPath(path, \(x), \(y), 'evenodd')
                        """)
                    #expect(found.bool == isSea, "\(coast) at \(x), \(y)")
                }
            }
        }
        // No coast says nothing; and what is no tile is refused, whatever its bytes.
        #expect(try browser.run("return window.tile.sea([], \(box))") == .null)
        let unreadable = try browser.run(
            """
            let random = 7, thrown = 0
            for (let round = 0; round < 2000; round += 1) {
              const bytes = new Uint8Array(1 + round % 300).map(() => (random = (random * 1103515245 + 12345) % 2147483648) >> 16)
              if (round % 3 === 0) bytes[0] = 26
              try { window.tile.readTile(bytes.buffer) } catch (error) { if (!(error instanceof RangeError)) return String(error); thrown += 1 }
            }
            return thrown > 1000
            """)
        #expect(unreadable == .bool(true))
    }
}
