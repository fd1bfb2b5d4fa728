import KinCrypto
import KinModel
import KinPictures
import Testing

@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinStore

/// A collage: two to twelve pictures beside each other, which are one.
@Suite struct `A collage` {
    private let box: FamilyBox
    private let ada: FamilyBox.Person
    private let ben: FamilyBox.Person

    init() throws {
        box = try FamilyBox()
        ada = try box.found()
        ben = try box.join("ben", by: ada)
    }

    /// A picture of one pixel: a GIF made by code, another for each number.
    private func send(_ person: FamilyBox.Person, _ number: UInt8, _ audience: JSON) throws -> Identifier {
        let bytes: [UInt8] =
            Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, number, 0, 0, 255, 255, 255]
            + [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B]
        let params: JSON.Object = ["picture": .string(Base64.encode(bytes)), "audience": audience]
        return try #require(try box.call(person, "picture.add", params)["picture"]?["id"]?.identifier)
    }

    private func ids(_ pictures: [Identifier]) -> JSON { .array(pictures.map { .id($0) }) }

    @Test func `is a picture of its maker's own, of pictures that the maker sees, and stays when they go`() throws {
        let pictures = [try send(ada, 1, "everyone"), try send(ben, 2, []), try send(ben, 3, [])]
        let result = try box.call(
            ben, "picture.collage", ["pictures": ids(pictures), "caption": "Summer", "audience": [.id(ada.id)]])
        let made = try #require(result["picture"].flatMap(Picture.init))
        #expect(made.author == ben.id && made.width == 1920 && made.height == 1280 && made.caption == "Summer")
        // Who sees it sees its pixels, and not those of the others by their addresses.
        try box.call(ada, "picture.image", ["picture": .id(made.id), "size": "small"])
        #expect(
            try box.refusal(ada, "picture.image", ["picture": .id(pictures[1]), "size": "small"])?.kind == .notFound)
        for picture in pictures.dropFirst() {
            try box.call(ben, "picture.remove", ["picture": .id(picture), "atOnce": true])
        }
        #expect(try box.fresh(ada.id).pictures[made.id]?.caption == "Summer")
    }

    @Test func `of the same pictures in the same order is one, and in another order another`() throws {
        let pictures = [try send(ben, 1, []), try send(ben, 2, [])]
        func make(_ pictures: [Identifier], _ who: FamilyBox.Person) throws -> Identifier? {
            try box.call(who, "picture.collage", ["pictures": ids(pictures)])["picture"]?["id"]?.identifier
        }
        let first = try make(pictures, ben)
        #expect(try make(pictures, ben) == first)
        #expect(try make(pictures.reversed(), ben) != first)
        #expect(try box.count("SELECT count(*) FROM pictures") == 4)
        // Another member's is another: that there is one already is not told.
        for picture in pictures {
            try box.call(ben, "picture.update", ["picture": .id(picture), "audience": "everyone"])
        }
        #expect(try make(pictures, ada) != first)
    }

    @Test(arguments: [("mosaic", 1920, 720), ("grid", 1920, 1920), ("row", 1920, 640), ("column", 640, 1920)])
    func `stands as its maker wants it, and another layout is another one`(
        layout: String, width: Int, height: Int
    ) throws {
        let count = layout == "mosaic" ? 2 : 3
        let pictures = try (1...UInt8(count)).map { try send(ben, $0, []) }
        let first = try box.call(ben, "picture.collage", ["pictures": ids(pictures)])["picture"].flatMap(Picture.init)
        let params: JSON.Object = ["pictures": ids(pictures), "layout": .string(layout)]
        let made = try #require(try box.call(ben, "picture.collage", params)["picture"].flatMap(Picture.init))
        #expect(made.width == width && made.height == height)
        // Left out it is a mosaic, which is the same one.
        #expect((made.id == first?.id) == (layout == "mosaic"))
        #expect(try box.call(ben, "picture.collage", params)["picture"]?["id"] == .id(made.id))
        let refusal = try box.refusal(ben, "picture.collage", ["pictures": ids(pictures), "layout": "heap"])
        #expect(refusal?.kind == .invalid && refusal?.field == "layout")
    }

    @Test func `of one, of one twice, of too many, or of what is not in sight is none, and leaves nothing`() throws {
        let own = [try send(ada, 1, []), try send(ada, 2, [])]
        let (others, binned) = (try send(ben, 3, []), try send(ada, 4, []))
        try box.call(ada, "picture.remove", ["picture": .id(binned)])
        let before = try box.store.blobs.all()
        for pictures in [[], [own[0]], [own[0], own[0]]] {
            let refusal = try box.refusal(ada, "picture.collage", ["pictures": ids(pictures)])
            #expect(refusal?.kind == .invalid && refusal?.field == "pictures")
        }
        let many = (0..<13).map { Identifier(high: 1, low: $0) }
        #expect(try box.refusal(ada, "picture.collage", ["pictures": ids(many)])?.field == "pictures")
        for picture in [others, binned, Identifier(high: 1, low: 1)] {
            let refusal = try box.refusal(ada, "picture.collage", ["pictures": ids([own[0], picture])])
            #expect(refusal?.kind == .notFound && refusal?.field == "pictures")
        }
        #expect(try box.store.blobs.all() == before && box.count("SELECT count(*) FROM pictures") == 4)
    }
}
