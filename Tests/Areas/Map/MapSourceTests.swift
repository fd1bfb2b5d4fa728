import KinCrypto
import KinKeeper
import KinModel
import KinStore
import Synchronization
import Testing

@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinMap

/// A source of the map, as far as the daemon sees one: it shows what a test says.
private final class Shop: OutsideDesk, Sendable {
    private let looks = Mutex<[OutsideLook]>([])
    private let answer = Mutex<OutsideSight>(.failed(OutsideFailure(.unreachable, "nothing yet")))

    /// What was looked at since somebody asked.
    func looked() -> [OutsideLook] {
        looks.withLock { looks in
            defer { looks = [] }; return looks
        }
    }
    func shows(_ sight: OutsideSight) { answer.withLock { $0 = sight } }

    func send(_ letter: OutsideLetter) -> OutsideAnswer { .failed("no letters") }
    func look(_ look: OutsideLook) -> OutsideSight {
        looks.withLock { $0.append(look) }
        return answer.withLock { $0 }
    }
}

/// Pictures of the map from outside, by an admin's word.
@Suite struct MapSourceTests {
    private static let address = "https://tiles.example.org/{z}/{x}/{y}.png?key=secret"
    private static let picture: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3]

    private let box: FamilyBox
    private let ada, ben: FamilyBox.Person
    private let shop = Shop()

    init() throws {
        box = try FamilyBox()
        ada = try box.found()
        ben = try box.join("ben", by: ada)
        let shop = shop
        box.substitute = { work in (work as? TileWork)?.run(at: Workplace(store: nil, outside: shop)) }
    }

    @discardableResult
    private func name(_ more: JSON.Object = [:]) throws -> JSON {
        var params: JSON.Object = [
            "on": true, "address": .string(Self.address), "attribution": "© OpenStreetMap contributors",
        ]
        for (name, value) in more.members { params[name] = value }
        return try box.call(ada, "map.setSource", params)
    }

    private func tile(_ zoom: Int64, _ column: Int64, _ row: Int64) throws -> JSON.Object {
        let version = try box.call(ben, "map.source")["version"] ?? "outside-0000000000000000"
        return ["version": version, "z": .int(zoom), "x": .int(column), "y": .int(row)]
    }

    @Test func `nobody is asked at first, an admin names a source, and takes it back`() throws {
        #expect(try box.call(ben, "map.source") == ["on": false])
        #expect(try box.refusal(ben, "map.tile", tile(1, 0, 0))?.kind == .notFound)
        #expect(try box.refusal(ben, "map.setSource", ["on": true])?.kind == .forbidden)
        #expect(try box.refusal(ada, "map.setSource", ["on": true])?.field == "address")
        #expect(
            try box.refusal(ada, "map.setSource", ["on": true, "address": .string(Self.address)])?.field
                == "attribution")
        try name()
        let seen = try box.call(ben, "map.source")
        #expect(seen["on"] == true && seen["attribution"] == "© OpenStreetMap contributors" && seen["zoomMax"] == 19)
        #expect(seen["address"] == nil, "a key in it is for admins")
        #expect(try box.call(ada, "map.source")["address"] == .string(Self.address))
        shop.shows(.shown(OutsidePage(status: 200, content: Self.picture)))
        let asked = try tile(3, 4, 2)
        #expect(try box.call(ben, "map.tile", asked)["content"] == .string(Base64.encode(Self.picture)))
        let looked = shop.looked()
        #expect(looked.map(\.address) == ["https://tiles.example.org/3/4/2.png?key=secret"])
        #expect(looked.first?.hosts == ["tiles.example.org"])
        try box.call(ada, "map.setSource", ["on": false])
        #expect(try box.refusal(ben, "map.tile", asked)?.kind == .notFound)
        #expect(shop.looked().isEmpty)
    }

    @Test func `what is no address of tiles is refused with a sentence`() throws {
        for address in [
            "ftp://tiles.example.org/{z}/{x}/{y}", "https://tiles.example.org/{z}/{x}",
            "https://{z}.example.org/{x}/{y}",
            "https://tiles.example.org/{z}/{x}/{y}/{x}", "https://tiles.example.org/{z}/{x}/{y}/{s}",
            "https://ada:pw@tiles.example.org/{z}/{x}/{y}", "https://tiles.example.org/{z}/{x}/{y} ", "{z}{x}{y}",
            "https:///{z}/{x}/{y}",
        ] {
            let refusal = try box.refusal(ada, "map.setSource", ["address": .string(address)])
            #expect(refusal?.field == "address", "\(address)")
        }
    }

    @Test func `what the source shows is a picture, nothing, or a sentence`() throws {
        try name()
        let cases: [(OutsideSight, content: Bool?)] = [
            (.shown(OutsidePage(status: 200, content: Self.picture)), true),
            (.shown(OutsidePage(status: 200, content: [0xFF, 0xD8, 0xFF, 0xE0])), true),
            (.shown(OutsidePage(status: 200, content: Array("RIFF....WEBPVP8 ".utf8))), true),
            (.shown(OutsidePage(status: 404, content: [])), false),
            (.shown(OutsidePage(status: 204, content: [])), false),
            (.shown(OutsidePage(status: 200, content: [])), false),
            (.shown(OutsidePage(status: 200, content: Array("<html>".utf8))), nil),
            (.shown(OutsidePage(status: 403, content: Self.picture)), nil),
            (.shown(OutsidePage(status: 500, content: [])), nil),
            (.failed(OutsideFailure(.unreachable, "tiles.example.org does not answer.")), nil),
        ]
        for (sight, hasContent) in cases {
            shop.shows(sight)
            if let hasContent {
                #expect(try (box.call(ben, "map.tile", tile(1, 0, 1))["content"] != nil) == hasContent, "\(sight)")
            } else {
                #expect(try box.refusal(ben, "map.tile", tile(1, 0, 1))?.kind == .unavailable, "\(sight)")
            }
        }
    }

    @Test func `no tile is asked for that cannot be`() throws {
        try name(["zoomMax": 5])
        for (zoom, column, row) in [(6, 0, 0), (1, 2, 0), (1, 0, 2), (0, 0, 1)] as [(Int64, Int64, Int64)] {
            #expect(try box.refusal(ben, "map.tile", tile(zoom, column, row)) != nil, "\(zoom) \(column) \(row)")
        }
        var old = try tile(1, 0, 0)
        try name(["address": "https://other.example.org/{z}/{x}/{y}.png"])
        #expect(try box.refusal(ben, "map.tile", old)?.kind == .notFound, "another source is another version")
        old["version"] = try tile(1, 0, 0)["version"]
        shop.shows(.shown(OutsidePage(status: 404, content: [])))
        #expect(try box.call(ben, "map.tile", old) == [:])
        #expect(shop.looked().map(\.address) == ["https://other.example.org/1/0/0.png"])
    }

    @Test func `a guest and a screen on the wall see the map as others do, and nobody else`() throws {
        try name()
        shop.shows(.shown(OutsidePage(status: 200, content: Self.picture)))
        let wall = try box.hang("Kitchen wall", by: ada)
        #expect(try box.call(wall, "map.tile", tile(1, 0, 0))["content"] != nil)
        #expect(try box.refusal(.none, "map.tile", tile(1, 0, 0))?.kind == .notSignedIn)
        #expect(try box.refusal(.none, "map.source")?.kind == .notSignedIn)
    }
}
