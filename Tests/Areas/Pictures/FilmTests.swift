import KinCrypto
import KinModel
import KinPictures
import Testing

@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinStore

/// A picture that is the poster of a film.
@Suite struct `A film of the family's` {
    private func gif(_ number: UInt8) -> JSON {
        let bytes: [UInt8] =
            Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, number, 0, 0, 255, 255, 255]
            + [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B]
        return .string(Base64.encode(bytes))
    }

    private func box(_ type: String, _ content: [UInt8]...) -> [UInt8] {
        let all = content.flatMap(\.self)
        return [0, 0, UInt8((all.count + 8) >> 8), UInt8((all.count + 8) & 255)] + Array(type.utf8) + all
    }

    /// A film of 3 s, made on 1 May 2024 at 12:34:56 UTC, with a place in it.
    private func film(_ data: String = "DATA") -> JSON {
        let zeros = [UInt8](repeating: 0, count: 8)
        let made: [UInt8] = [0xE2, 0x57, 0xE7, 0x70]
        let heading = box("mvhd", [0, 0, 0, 0], made, made, [0, 0, 2, 0x58], [0, 0, 6, 0xE0], zeros)
        let track = box("trak", box("mdia", box("hdlr", zeros, Array("vide".utf8))))
        let place = box("udta", Array("+48.1370+011.5750/".utf8))
        return .string(
            Base64.encode(
                box("ftyp", Array("mp42".utf8)) + box("moov", heading, track, place) + box("mdat", Array(data.utf8))))
    }

    private func bytes(_ film: JSON) throws -> [UInt8] { try #require(Base64.decode(film.string ?? "")) }

    @Test func `is seen by who sees its poster, without where it was made, and goes with it`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let poster = try #require(try box.call(ada, "picture.add", ["picture": gif(1)])["picture"]?["id"])
        #expect(try box.refusal(ada, "picture.film", ["picture": poster])?.kind == .notFound)
        let before = try box.call(ada, "quota.show")["used"]?.int ?? 0
        let sent = film()
        let picture = try #require(
            try box.call(ada, "picture.setFilm", ["picture": poster, "film": sent])["picture"])
        #expect(picture["film"] == "video/mp4" && picture["seconds"] == 3)
        #expect(picture["taken"]?.string?.hasPrefix("2024-05-01T12:34:56") == true, "\(picture)")
        #expect(try box.call(ada, "quota.show")["used"]?.int == before + Int64(try bytes(sent).count))
        #expect(try box.refusal(ben, "picture.film", ["picture": poster])?.kind == .notFound)
        #expect(try box.refusal(ben, "picture.setFilm", ["picture": poster, "film": film("X")])?.kind == .notFound)
        try box.call(ada, "picture.update", ["picture": poster, "audience": "everyone"])
        #expect(try box.fresh(ben.id).pictures.values.first?.film == .mp4)
        try box.call(ben, "picture.film", ["picture": poster])
        guard case .blob(let name, "video/mp4", _) = box.effect else { throw Rejection(.invalid, "no blob") }
        let kept = try #require(try box.store.blobs.get(name))
        #expect(kept.count == (try bytes(sent)).count && kept.firstRange(of: Array("DATA".utf8)) != nil)
        #expect(try !box.holds("+48.1370"))
        // One film; and its author's alone to give.
        #expect(try box.refusal(ada, "picture.setFilm", ["picture": poster, "film": film("Y")])?.kind == .conflict)
        #expect(try box.refusal(ben, "picture.setFilm", ["picture": poster, "film": film("Y")])?.kind == .forbidden)
        try box.call(ada, "picture.remove", ["picture": poster])
        #expect(try box.refusal(ben, "picture.film", ["picture": poster])?.kind == .notFound)
        try box.call(ada, "picture.restore", ["picture": poster])
        try box.call(ben, "picture.film", ["picture": poster])
        try box.call(ada, "picture.remove", ["picture": poster, "atOnce": true])
        #expect(try box.store.blobs.all() == [])
        #expect(try box.call(ada, "quota.show")["used"] == 0)
    }

    @Test func `in a post and in a message is told to be one, and comes before them`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        func poster(_ number: UInt8, _ purpose: JSON) throws -> JSON {
            try #require(
                try box.call(ada, "picture.add", ["picture": gif(number), "for": purpose])["picture"]?["id"])
        }
        let hung = try poster(2, "post")
        try box.call(ada, "picture.setFilm", ["picture": hung, "film": film()])
        try box.call(ada, "post.add", ["pictures": [["picture": hung]], "audience": "everyone"])
        #expect(try box.fresh(ben.id).posts.values.first?.pictures.first?.isFilm == true)
        try box.call(ben, "picture.film", ["picture": hung])
        let rooms = try box.fresh(ada.id).rooms
        let room = try #require(rooms.first { $0.value.room.kind == .family }?.key)
        let said = try poster(3, "message")
        try box.call(ada, "picture.setFilm", ["picture": said, "film": film("B")])
        let message = try box.call(ada, "message.send", ["room": .id(room), "pictures": [["picture": said]]])["message"]
        #expect(message?["pictures"]?.array?.first?["film"] == true)
        let bare = try poster(4, "post")
        try box.call(ada, "post.add", ["pictures": [["picture": bare]], "audience": "everyone"])
        let late = try box.refusal(ada, "picture.setFilm", ["picture": bare, "film": film("C")])
        #expect(late?.kind == .conflict && late?.message.contains("before that") == true)
    }

    @Test func `comes into an album and is shared as its author's others there, unless that is said`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let carl = try box.join("carl", by: ada)
        func send(_ number: UInt8, _ more: JSON.Object) throws -> JSON {
            let poster = try #require(
                try box.call(ada, "picture.add", ["picture": gif(number), "for": "post"])["picture"]?["id"])
            try box.call(ada, "picture.setFilm", ["picture": poster, "film": film("\(number)")])
            #expect(try box.refusal(ben, "picture.show", ["picture": poster])?.kind == .notFound)
            var params = more
            params["picture"] = poster
            try box.call(ada, "picture.update", params)
            return poster
        }
        func sees(_ person: FamilyBox.Person, _ picture: JSON) throws -> Bool {
            try box.refusal(person, "picture.show", ["picture": picture]) == nil
        }
        // An album that has nothing yet is shared with nobody.
        let first = try send(6, ["album": "Alps"])
        #expect(try !sees(ben, first))
        try box.call(ada, "picture.add", ["picture": gif(7), "album": "Italy", "audience": [.id(ben.id)]])
        let second = try send(8, ["album": "Italy"])
        #expect(try sees(ben, second) && !sees(carl, second))
        #expect(try box.fresh(ben.id).pictures[second.identifier ?? ada.id]?.film == .mp4)
        let third = try send(9, ["album": "Italy", "audience": [.id(carl.id)]])
        #expect(try sees(carl, third) && !sees(ben, third))
        let none = try send(10, ["album": "Italy", "audience": []])
        #expect(try !sees(carl, none) && !sees(ben, none))
        // What waits for a post with the album's name on it says nothing of the album.
        try box.wait(seconds: 1)
        _ = try box.call(ada, "picture.add", ["picture": gif(11), "album": "Alps", "audience": "everyone"])
        _ = try box.call(ada, "picture.add", ["picture": gif(12), "album": "Alps", "for": "post"])
        let fourth = try send(13, ["album": "Alps"])
        #expect(try sees(ben, fourth) && sees(carl, fourth))
    }

    @Test func `that is in an album is of the gallery, and stays when its day of waiting is over`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        func poster(_ number: UInt8) throws -> JSON {
            try #require(try box.call(ada, "picture.add", ["picture": gif(number), "for": "post"])["picture"]?["id"])
        }
        let (kept, left) = (try poster(14), try poster(15))
        try box.call(ada, "picture.update", ["picture": kept, "album": "Italy"])
        try box.call(ada, "picture.update", ["picture": left, "caption": "Waits"])
        try box.wait(seconds: Limits.unhungSeconds + 1)
        #expect(try box.call(ada, "picture.show", ["picture": kept])["picture"]?["album"] == "Italy")
        #expect(try box.refusal(ada, "picture.show", ["picture": left])?.kind == .notFound)
    }

    @Test func `that is none, or for which there is no room, leaves the poster as it was`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let poster = try #require(try box.call(ada, "picture.add", ["picture": gif(5)])["picture"]?["id"])
        let blobs = try box.store.blobs.all()
        for text in ["<html>", "ftyp", "RIFF    AVI LIST"] {
            let refusal = try box.refusal(
                ada, "picture.setFilm", ["picture": poster, "film": .string(Base64.encode(Array(text.utf8)))])
            #expect(refusal?.kind == .invalid && refusal?.message.contains("MP4") == true)
        }
        let whole = try bytes(film())
        let cut = try box.refusal(
            ada, "picture.setFilm", ["picture": poster, "film": .string(Base64.encode(Array(whole.dropLast(1))))])
        #expect(cut?.message.contains("incomplete") == true)
        try box.store.database.run("UPDATE kept_bytes SET bytes = ?", .int(Limits.fileBytesPerMember))
        #expect(try box.refusal(ada, "picture.setFilm", ["picture": poster, "film": film()])?.kind == .tooLarge)
        #expect(try box.call(ada, "picture.show", ["picture": poster])["picture"]?["film"] == nil)
        #expect(try box.store.blobs.all() == blobs)
    }
}
