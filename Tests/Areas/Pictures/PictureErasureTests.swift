import KinCrypto
import KinModel
import Testing

@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinPictures
@testable import KinStore

/// What was written under a picture, or on a document, and is changed is nowhere in the family's files any more.
@Suite struct PictureErasureTests {
    private static let gif: [UInt8] =
        Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, 7, 0, 0, 255, 255, 255]
        + [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B]
    private static let pixel: JSON = .string(Base64.encode(gif))

    /// Those of some words that lie in the files, once what is left to do is done.
    private func held(_ box: FamilyBox, _ words: String...) throws -> [String] {
        for _ in 0..<10 { try box.wait(seconds: 30) }
        return try words.filter { try box.holds($0) }
    }

    @Test func `a caption that is changed leaves no former one, also where the same picture is sent again`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let sent = try box.call(
            ada, "picture.add",
            ["picture": Self.pixel, "audience": "everyone", "caption": "Reineclauden", "people": [.id(ben.id)]])
        let id = try #require(sent["picture"]?["id"])
        #expect(try held(box, "Reineclauden") == ["Reineclauden"])
        try box.call(ada, "picture.update", ["picture": id, "caption": "Mirabellen"])
        try box.call(ada, "picture.add", ["picture": Self.pixel, "caption": "Zwetschgen"])
        #expect(try held(box, "Reineclauden", "Mirabellen", "Zwetschgen") == ["Zwetschgen"])
        let entries = try box.fresh(ben.id).inbox.entries.filter { $0.about.hasPrefix("picture/") }
        #expect(entries.map(\.title) == ["Zwetschgen"])
        #expect(try box.call(ben, "search.find", ["words": "mirabellen"])["hits"] == [])
    }

    @Test func `a document that is sent again under another name leaves no former one`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        for name in ["Reineclauden.txt", "Mirabellen.txt"] as [JSON] {
            try box.call(
                ada, "picture.addDocument", ["document": "Y29udGVudA==", "name": name, "audience": "everyone"])
        }
        #expect(try held(box, "Reineclauden", "Mirabellen") == ["Mirabellen"])
        #expect(try box.fresh(ben.id).pictures.values.map(\.document?.name) == ["Mirabellen.txt"])
    }
}
