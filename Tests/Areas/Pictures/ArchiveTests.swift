import KinCodec
import KinCrypto
import KinModel
import KinPictures
import Testing

@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinStore

/// All that one sees as an archive: which pictures, in which order, and what each is called.
@Suite struct ArchiveTests {
    private func send(
        _ box: FamilyBox, _ person: FamilyBox.Person, _ number: UInt8, _ more: JSON.Object = [:]
    ) throws -> Identifier {
        let bytes: [UInt8] =
            Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, number, 0, 0, 255, 255, 255]
            + [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B]
        var params: JSON.Object = ["picture": .string(Base64.encode(bytes)), "audience": "everyone"]
        for member in more.members { params[member.name] = member.value }
        return try #require(try box.call(person, "picture.add", params)["picture"]?["id"]?.identifier)
    }

    /// The files of all pieces, one piece after the other.
    private func files(
        _ box: FamilyBox, _ person: FamilyBox.Person, _ params: JSON.Object = [:]
    ) throws -> [(id: Identifier, name: String)] {
        var (params, all) = (params, [(id: Identifier, name: String)]())
        for _ in 0..<100 {
            try box.call(person, "picture.export", params)
            guard case .piece(let piece) = box.effect else { throw Rejection(.invalid, "no piece") }
            let files = try #require(piece.files)
            #expect(files.count <= Limits.picturesPerPiece && piece.count == files.count)
            all += files.map { ($0.thing, $0.name) }
            for file in files { #expect(try box.store.blobs.get(file.blob) != nil) }
            guard let next = piece.next else { return all }
            params["after"] = .string(next)
        }
        throw Rejection(.invalid, "no end")
    }

    @Test func `holds what its reader sees and nothing else, those first that were taken first`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        var sent: [Identifier] = []
        for number in 0..<20 as Range<UInt8> {
            sent.append(try send(box, ada, number, number % 2 == 0 ? ["album": "Summer"] : [:]))
            box.clock = box.clock.adding(seconds: 60)
        }
        let secret = try send(box, ada, 200, ["audience": []])
        let binned = try send(box, ada, 201)
        try box.call(ada, "picture.remove", ["picture": .id(binned)])
        #expect(try files(box, ben).map(\.id) == sent)
        #expect(try files(box, ada).map(\.id) == sent + [secret])
        #expect(
            try files(box, ben, ["album": "Summer"]).map(\.id)
                == sent.enumerated().filter { $0.offset % 2 == 0 }
                .map(\.element))
        #expect(try files(box, ada, ["by": .id(ben.id)]).isEmpty && files(box, ben, ["album": "Winter"]).isEmpty)
        #expect(try box.refusal(ben, "picture.export", ["after": "x"])?.field == "after")
        // Sight is judged anew for each piece.
        try box.call(ben, "picture.export")
        guard case .piece(let piece) = box.effect else { throw Rejection(.invalid, "no piece") }
        try box.call(ada, "picture.update", ["picture": .id(sent[10]), "audience": []])
        let rest = try files(box, ben, ["after": .string(try #require(piece.next))])
        #expect(!rest.contains { $0.id == sent[10] } && rest.contains { $0.id == sent[11] })
    }

    @Test func `calls each after its time and caption, and no two alike`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        try box.call(ada, "settings.set", ["zone": "Europe/Berlin"])
        let first = try send(box, ada, 1, ["caption": "Grüße/../ aus \"Köln\""])
        box.clock = box.clock.adding(milliseconds: 1)
        let second = try send(box, ada, 2)
        box.clock = box.clock.adding(milliseconds: 1)
        let third = try send(box, ada, 3, ["caption": "Grüße/../ aus \"Köln\""])
        box.clock = box.clock.adding(seconds: 1)
        _ = try send(box, ada, 4, ["caption": "Soup"])
        func end(_ id: Identifier) -> Substring { id.description.suffix(12) }
        #expect(
            try files(box, ada).map(\.name) == [
                "2026-11-20 19.00.00-\(end(first)) Grüße aus Köln.jpg", "2026-11-20 19.00.00-\(end(second)).jpg",
                "2026-11-20 19.00.00-\(end(third)) Grüße aus Köln.jpg", "2026-11-20 19.00.01 Soup.jpg",
            ])
    }

    @Test func `calls no two alike in the hour that the clock shows twice`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        try box.call(ada, "settings.set", ["zone": "Europe/Berlin"])
        // 02:30 on 25 October 2026 in Berlin, in summer time and an hour later in winter time.
        for (number, moment) in [(1, 1_792_888_200_000), (2, 1_792_891_800_000), (3, 1_792_895_400_000)] {
            let picture = try send(box, ada, UInt8(number))
            try box.store.database.run(
                "UPDATE pictures SET moment = ? WHERE id = ?", .int(Int64(moment)), .id(picture))
        }
        let names = try files(box, ada).map(\.name)
        #expect(Set(names).count == 3)
        #expect(names[0].hasPrefix("2026-10-25 02.30.00-") && names[1].hasPrefix("2026-10-25 02.30.00-"))
        #expect(names[2] == "2026-10-25 03.30.00.jpg")
    }
}
