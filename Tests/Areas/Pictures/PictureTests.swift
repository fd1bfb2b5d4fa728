import KinCrypto
import KinModel
import KinPictures
import Testing

@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinStore

/// The family's gallery: who sees which picture, what is kept of it, and what becomes of it.
@Suite struct `A picture of the family's`: SendsPictures {
    private let absent: JSON = "01980000-0000-7000-8000-0000000000ff"

    @Test func `is seen by those it is shared with, and by nobody else by any way`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let (ben, cleo) = (try box.join("ben", by: ada), try box.join("cleo", by: ada))
        let gil = try box.join("gil", role: .guest, by: ada)
        let picture = try send(box, ben, 1, [.id(cleo.id)])
        #expect(try box.fresh(cleo.id).pictures[picture]?.author == ben.id)
        #expect(try listed(box, ben) == [picture] && listed(box, cleo) == [picture])
        for who in [ada, gil] {
            #expect(try box.fresh(who.id).pictures.isEmpty && listed(box, who) == [])
            for id in [JSON.id(picture), absent] {
                for (method, more) in [
                    ("picture.show", [:] as JSON.Object), ("picture.image", ["size": "small"]), ("picture.leave", [:]),
                    ("picture.update", ["caption": "x"]), ("picture.remove", [:]), ("picture.restore", [:]),
                ] {
                    var params = more
                    params["picture"] = id
                    #expect(try box.refusal(who, method, params)?.kind == .notFound, "\(method)")
                }
            }
        }
        #expect(try box.refusal(cleo, "picture.update", ["picture": .id(picture), "caption": "x"])?.kind == .forbidden)
        #expect(try box.refusal(gil, "picture.add", ["picture": gif(9)])?.kind == .forbidden)
        #expect(try box.call(ben, "picture.show", ["picture": .id(picture)])["picture"]?["audience"] == [.id(cleo.id)])
        #expect(try box.call(cleo, "picture.show", ["picture": .id(picture)])["picture"]?["audience"] == nil)
        try box.call(ben, "picture.update", ["picture": .id(picture), "audience": "everyone"])
        #expect(box.types(ada).contains("picture.shown"))
        try box.call(ben, "picture.update", ["picture": .id(picture), "audience": []])
        #expect(box.types(cleo).last == "picture.hidden" && box.types(ada).last == "picture.hidden")
        #expect(try listed(box, cleo) == [])
        // Left out, a picture is its author's alone.
        let own = try #require(
            try box.call(ben, "picture.add", ["picture": gif(2)])["picture"]?["id"]?.identifier)
        #expect(try listed(box, ada) == [] && listed(box, ben).contains(own))
    }

    @Test func `is seen by guests only where it names them, and always by its owner`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let (ben, gil) = (try box.join("ben", by: ada), try box.join("gil", role: .guest, by: ada))
        let picture = try send(box, ada, 1, "household")
        let own = try send(box, ben, 2, "household")
        #expect(try Set(listed(box, ben)) == [own, picture])
        #expect(try listed(box, gil) == [] && box.fresh(gil.id).pictures.isEmpty)
        let small: JSON.Object = ["picture": .id(picture), "size": "small"]
        #expect(try box.refusal(gil, "picture.image", small)?.kind == .notFound)
        try box.call(ada, "picture.update", ["picture": .id(picture), "audience": [.id(gil.id)]])
        #expect(try listed(box, gil) == [picture] && listed(box, ben) == [own])
        try box.call(ada, "picture.update", ["picture": .id(picture), "audience": "household"])
        #expect(box.types(gil).last == "picture.hidden")
        // Who becomes a guest keeps what is their own.
        try box.call(ada, "member.setRole", ["member": .id(ben.id), "role": "guest"])
        #expect(try listed(box, ben) == [own] && box.refusal(ben, "picture.image", small)?.kind == .notFound)
        try box.call(ada, "member.setRole", ["member": .id(ben.id), "role": "member"])
        #expect(try Set(listed(box, ben)) == [own, picture])
    }

    @Test func `that is no picture is refused with a sentence, and nothing of it is kept`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        for text in ["<svg xmlns='http://www.w3.org/2000/svg'/>", "<!doctype html><p>", "GIF89a"] {
            let refusal = try box.refusal(ada, "picture.add", ["picture": .string(Base64.encode(Array(text.utf8)))])
            #expect(refusal?.kind == .invalid && refusal?.field == "picture")
        }
        // One that is a picture, with somebody in it whom nobody knows.
        for name in ["people", "audience"] {
            #expect(try box.refusal(ada, "picture.add", ["picture": gif(1), name: [absent]]) != nil)
        }
        #expect(try box.refusal(ada, "picture.add", ["picture": "%%%"])?.message.contains("base64") == true)
        #expect(try box.store.blobs.all() == [] && box.count("SELECT count(*) FROM pictures") == 0)
    }

    @Test func `that is sent twice is kept once for each owner`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let first = try send(box, ada, 1, [])
        let blobs = try box.store.blobs.all()
        #expect(try send(box, ada, 1) == first)
        #expect(try box.store.blobs.all() == blobs)
        #expect(try listed(box, ben) == [first], "what is said the second time counts")
        let other = try send(box, ben, 1, [])
        #expect(try other != first && box.store.blobs.all().count == 2 * blobs.count)
        // A picture as small as this is one file in all its sizes.
        #expect(blobs.count == 1)
    }

    @Test func `for a post or a message is kept once with the gallery's, until the last of its owner's goes`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        func used() throws -> JSON? { try box.call(ada, "quota.show")["used"] }
        func pixels(_ picture: Identifier) throws -> [UInt8]? {
            try box.call(ada, "picture.image", ["picture": .id(picture), "size": "large"])
            guard case .blob(let name, _, _) = box.effect else { return nil }
            return try box.store.blobs.get(name)
        }
        let kept: JSON.Object = ["picture": gif(1), "original": true]
        func add(_ purpose: JSON?, by person: FamilyBox.Person) throws -> Identifier {
            var params = kept
            params["for"] = purpose
            return try #require(try box.call(person, "picture.add", params)["picture"]?["id"]?.identifier)
        }
        let first = try add(nil, by: ada)
        let (blobs, bytes, there) = (try box.store.blobs.all(), try used(), try pixels(first))
        let (second, third) = (try add("post", by: ada), try add("message", by: ada))
        #expect(Set([first, second, third]).count == 3)
        #expect(try box.store.blobs.all() == blobs && used() == bytes)
        // Another member's is another file.
        let others = try add("post", by: ben)
        #expect(try box.store.blobs.all().count == 2 * blobs.count)
        for gone in [first, third] {
            try box.call(ada, "picture.remove", ["picture": .id(gone), "atOnce": true])
            #expect(try pixels(second) == there && used() == bytes)
        }
        try box.call(ada, "picture.original", ["picture": .id(second)])
        guard case .blob(let original, _, _) = box.effect else { throw Rejection(.invalid, "no blob") }
        #expect(try box.store.blobs.get(original) != nil)
        try box.call(ada, "picture.remove", ["picture": .id(second), "atOnce": true])
        #expect(try used() == 0 && box.store.blobs.all().count == blobs.count)
        try box.call(ben, "picture.remove", ["picture": .id(others), "atOnce": true])
        #expect(try box.store.blobs.all() == [])
    }

    @Test func `keeps when it was taken, and nothing else of what its camera wrote into it`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        try box.call(ada, "picture.image", ["picture": .id(try send(box, ada, 1)), "size": "large"])
        guard case .blob(let name, _, _) = box.effect else { throw Rejection(.invalid, "no blob") }
        let plain = try #require(try box.store.blobs.get(name))
        // TIFF: a directory that names another, which has DateTimeOriginal and the offset from UTC.
        let exif =
            Array("Exif\0\0MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1, 0x87, 0x69, 0, 4, 0, 0, 0, 1, 0, 0, 0, 26, 0, 0, 0, 0]
            + [0, 2, 0x90, 0x03, 0, 2, 0, 0, 0, 20, 0, 0, 0, 56, 0x90, 0x11, 0, 2, 0, 0, 0, 7, 0, 0, 0, 76, 0, 0, 0, 0]
            + Array("2019:12:31 23:30:00\0-05:00\0 KAMERA 52.5200 N".utf8)
        let length = exif.count + 2
        let jpeg = plain[..<2] + [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + exif + plain[2...]
        let answer = try box.call(ada, "picture.add", ["picture": .string(Base64.encode(Array(jpeg)))])
        let picture = try #require(answer["picture"].flatMap(Picture.init))
        #expect(picture.taken == Instant("2020-01-01T04:30:00Z"))
        // The day is that of the camera's clock.
        let day = try box.call(ada, "picture.onThisDay", ["month": 12, "day": 31])
        #expect(day["pictures"]?.array?.compactMap { $0["id"]?.identifier } == [picture.id])
        for blob in try box.store.blobs.all() {
            let text = String(decoding: try #require(try box.store.blobs.get(blob)), as: UTF8.self)
            #expect(!text.contains("Exif") && !text.contains("KAMERA"))
        }
        #expect(try !box.holds("KAMERA"))
    }

    @Test func `is kept as it was sent where that is asked for, without its camera's words, for who sees it`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let comment: [UInt8] = [0x21, 0xFE, 6] + Array("KAMERA".utf8) + [0]
        let plain = try #require(Base64.decode(gif(7).string ?? ""))
        let sent = JSON.string(Base64.encode(Array(plain[..<19]) + comment + plain[19...]))
        // Sent again with the wish it is the same picture, which has its original from then on.
        let picture = try #require(try box.call(ada, "picture.add", ["picture": sent])["picture"])
        #expect(picture["original"] == nil)
        #expect(
            try box.refusal(ada, "picture.original", ["picture": picture["id"] ?? .null])?.message.contains(
                "no original")
                == true)
        let before = try box.call(ada, "quota.show")["used"]?.int ?? 0
        let kept = try #require(try box.call(ada, "picture.add", ["picture": sent, "original": true])["picture"])
        #expect(kept["id"] == picture["id"] && kept["original"] == "image/gif")
        #expect(try box.call(ada, "quota.show")["used"]?.int == before + Int64(plain.count))
        try box.call(ada, "picture.original", ["picture": kept["id"] ?? .null])
        guard case .blob(let name, "image/gif", _) = box.effect else { throw Rejection(.invalid, "no blob") }
        #expect(try box.store.blobs.get(name) == plain)
        #expect(try !box.holds("KAMERA"))
        #expect(try box.refusal(ben, "picture.original", ["picture": kept["id"] ?? .null])?.kind == .notFound)
        try box.call(ada, "picture.update", ["picture": kept["id"] ?? .null, "audience": "everyone"])
        try box.call(ben, "picture.original", ["picture": kept["id"] ?? .null])
        // Of a HEIC nothing is taken out.
        func call(it kind: String) throws {
            try box.store.database.run("UPDATE pictures SET original = ?", .text(kind))
            box.forgetFollowers()
        }
        try call(it: "image/heic")
        #expect(try box.refusal(ben, "picture.original", ["picture": kept["id"] ?? .null])?.kind == .forbidden)
        try box.call(ada, "picture.original", ["picture": kept["id"] ?? .null])
        try call(it: "image/gif")
        try box.call(ada, "picture.remove", ["picture": kept["id"] ?? .null])
        #expect(try box.refusal(ben, "picture.original", ["picture": kept["id"] ?? .null])?.kind == .notFound)
        try box.call(ada, "picture.add", ["picture": sent])
        try box.call(ben, "picture.original", ["picture": kept["id"] ?? .null])
        try box.call(ada, "picture.remove", ["picture": kept["id"] ?? .null, "atOnce": true])
        #expect(try box.store.blobs.all() == [])
    }

    @Test func `takes room of its author's, who is told before there is none left`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        func used() throws -> Int64 { try box.call(ben, "quota.show")["used"]?.int ?? -1 }
        func isTold() throws -> Bool {
            try box.fresh(ben.id).inbox.entries.contains { $0.lines.contains { $0["kind"] == "quotaNear" } }
        }
        let first = try send(box, ben, 1)
        let each = try used()
        #expect(each > 300)
        let room: Int64 = 16 << 20
        try box.call(ada, "quota.set", ["member": .int(room)])
        /// As if so many bytes were there of others that were sent before.
        func fill(_ bytes: Int64) throws {
            try box.store.database.run("UPDATE kept_bytes SET bytes = ? WHERE member = ?", .int(bytes), .id(ben.id))
        }
        try fill(room * 4 / 5 - each / 2)
        #expect(try !isTold())
        try send(box, ben, 2)
        #expect(try isTold())
        try fill(room - each / 2)
        let refusal = try box.refusal(ben, "picture.add", ["picture": gif(3)])
        #expect(refusal?.kind == .tooLarge && refusal?.message.contains("ask an admin") == true)
        // The bin has room of its author's; what is gone has none.
        try box.call(ben, "picture.remove", ["picture": .id(first)])
        #expect(try used() == room - each / 2)
        try box.call(ben, "picture.remove", ["picture": .id(first), "atOnce": true])
        #expect(try used() == room - each / 2 - each)
        try send(box, ben, 3)
        try send(box, ada, 3)
    }

    @Test func `lies in its author's bin for a week, seen by nobody else, and then it is gone`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let picture = try send(box, ben, 1, "everyone", ["caption": "Zwetschgen"])
        try box.call(ben, "picture.remove", ["picture": .id(picture)])
        #expect(try box.types(ada).last == "picture.hidden" && listed(box, ada) == [])
        #expect(try listed(box, ben) == [] && listed(box, ben, ["bin": true]) == [picture])
        #expect(try box.fresh(ben.id).pictures[picture]?.binned != nil)
        #expect(try box.refusal(ben, "picture.update", ["picture": .id(picture), "caption": "x"])?.kind == .conflict)
        // Somebody who comes meanwhile sees nothing of it.
        let cleo = try box.join("cleo", by: ada)
        #expect(try box.fresh(cleo.id).pictures.isEmpty)
        try box.call(ben, "picture.restore", ["picture": .id(picture)])
        #expect(try listed(box, ada) == [picture] && listed(box, cleo) == [picture])
        try box.call(ben, "picture.remove", ["picture": .id(picture)])
        try box.wait(seconds: 6 * 86_400)
        #expect(try listed(box, ben, ["bin": true]) == [picture])
        try box.wait(seconds: 86_401)
        #expect(try listed(box, ben, ["bin": true]) == [])
        #expect(try box.store.blobs.all() == [] && !box.holds("Zwetschgen"))
    }

    @Test func `that is removed at once is nowhere in the files any more, whoever removes it`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let (ben, cleo) = (try box.join("ben", by: ada), try box.join("cleo", by: ada))
        let own = try send(box, ben, 1, "everyone", ["caption": "Mirabellen"])
        #expect(try box.refusal(cleo, "picture.remove", ["picture": .id(own)])?.kind == .forbidden)
        try box.call(ben, "picture.remove", ["picture": .id(own), "atOnce": true])
        let other = try send(box, ben, 2, "everyone", ["caption": "Mirabellen"])
        try box.call(ada, "picture.remove", ["picture": .id(other)])
        #expect(try box.fresh(cleo.id).pictures.isEmpty && box.store.blobs.all() == [])
        #expect(try !box.holds("Mirabellen"))
    }

    @Test func `tells who is said to be in it, who can undo that`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let (ben, cleo) = (try box.join("ben", by: ada), try box.join("cleo", by: ada))
        let picture = try send(box, ada, 1, [.id(ben.id)], ["people": [.id(ben.id), .id(cleo.id)]])
        func lines(_ person: FamilyBox.Person) throws -> [String] {
            try box.fresh(person.id).inbox.entries.filter { $0.about.hasPrefix("picture/") }
                .flatMap { $0.lines.compactMap { $0["kind"]?.string } }
        }
        #expect(try lines(ben) == ["pictured"])
        #expect(try lines(cleo) == [], "who does not see it is not told of it")
        // Whoever comes to see it is told then, once.
        try box.call(ada, "picture.update", ["picture": .id(picture), "audience": [.id(ben.id), .id(cleo.id)]])
        try box.call(ada, "picture.update", ["picture": .id(picture), "caption": "Soup"])
        #expect(try lines(cleo) == ["pictured"] && lines(ben) == ["pictured"])
        #expect(try listed(box, ada, ["who": .id(ben.id)]) == [picture])
        try box.call(ben, "picture.leave", ["picture": .id(picture)])
        #expect(try box.fresh(ada.id).pictures[picture]?.people == [cleo.id])
        #expect(try listed(box, ada, ["who": .id(ben.id)]) == [])
        // A screen on a wall is in no picture.
        let wall = try box.hang("kitchen", by: ada).id
        #expect(
            try box.refusal(ada, "picture.update", ["picture": .id(picture), "people": [.id(wall)]])?.field == "people")
    }

    @Test func `what is sent to the gallery is one entry until it is read`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let (ben, cleo) = (try box.join("ben", by: ada), try box.join("cleo", by: ada))
        for number in 1...3 as ClosedRange<UInt8> { _ = try send(box, ada, number, "everyone") }
        _ = try send(box, ben, 4, [.id(ada.id)])
        func entries(_ person: FamilyBox.Person) throws -> [InboxEntry] {
            try box.fresh(person.id).inbox.entries.filter { $0.about == "pictures" }
        }
        let seen = try entries(cleo)
        #expect(seen.count == 1 && seen.first?.lines.map { $0["count"] ?? 1 } == [3], "\(seen)")
        #expect(try entries(ada).first?.lines.map { $0["by"] ?? .null } == [.id(ben.id)])
        #expect(try entries(ben).first?.lines.count == 1)
        try box.call(cleo, "activity.read", ["upTo": .id(try #require(seen.first).id)])
        #expect(try entries(cleo) == [])
    }

    @Test func `is found by category, album, member, time and the day of the year`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        var all: [Identifier] = []
        for number in 1...5 as ClosedRange<UInt8> {
            all.append(
                try send(
                    box, number == 5 ? ben : ada, number, "everyone",
                    number < 3 ? ["category": "holidays", "album": "Italy"] : [:]))
            try box.wait(seconds: 60)
        }
        let newest = Array(all.reversed())
        #expect(try listed(box, ben) == newest)
        #expect(try listed(box, ben, ["limit": 2]) == Array(newest.prefix(2)))
        #expect(try listed(box, ben, ["limit": 2, "before": .id(newest[1])]) == Array(newest[2...3]))
        #expect(try listed(box, ben, ["category": "holidays"]) == Array(newest.suffix(2)))
        #expect(try listed(box, ben, ["album": "Italy", "by": .id(ben.id)]) == [])
        #expect(try listed(box, ben, ["by": .id(ben.id)]) == [newest[0]])
        let names = try box.call(ben, "picture.categories")
        // The family's own words stand beside those that it begins with.
        #expect(names["categories"]?.array?.count == 8 && names["categories"]?.array?[1]["pictures"] == 0)
        #expect(names["albums"] == [["name": "Italy", "pictures": 2]])
        #expect(names["categories"]?.array?.first == ["name": "holidays", "pictures": 2])
        let hits = (1...12).flatMap { month in
            (1...31).flatMap { day in
                (try? box.call(
                    ben, "picture.onThisDay", ["month": .int(Int64(month)), "day": .int(Int64(day))])["pictures"]?.array)
                    ?? []
            }
        }
        #expect(hits.count == all.count, "each was taken on one day of the year")
    }

    @Test func `in a post is seen by who sees the post, and goes with it`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let (ben, cleo) = (try box.join("ben", by: ada), try box.join("cleo", by: ada))
        let (one, two) = (try send(box, ben, 1, []), try send(box, ben, 2, []))
        func pictures(_ ids: Identifier...) -> JSON { .array(ids.map { ["picture": .id($0), "caption": "Soup"] }) }
        #expect(try box.refusal(ada, "post.add", ["pictures": pictures(one)])?.kind == .notFound)
        let answer = try box.call(ben, "post.add", ["pictures": pictures(one, two), "audience": [.id(ada.id)]])
        let post = try #require(answer["post"].flatMap(Post.init))
        #expect(post.pictures.map(\.picture) == [one, two] && post.pictures.map(\.caption) == ["Soup", "Soup"])
        #expect(post.pictures.allSatisfy { $0.width == 1 && $0.height == 1 })
        #expect(try Set(listed(box, ada)) == [one, two] && listed(box, cleo) == [])
        // A post with many pictures is one entry.
        let entries = try box.fresh(ada.id).inbox.entries.filter { $0.about.hasPrefix("p") }
        #expect(entries.map(\.about) == ["post/\(post.id)"])
        #expect(
            try box.refusal(ben, "picture.update", ["picture": .id(one), "audience": "everyone"])?.kind == .conflict)
        #expect(try box.refusal(ben, "post.add", ["pictures": pictures(one)])?.kind == .conflict)
        try box.call(ben, "post.update", ["post": .id(post.id), "audience": [.id(cleo.id)]])
        #expect(try listed(box, ada) == [] && Set(listed(box, cleo)) == [one, two])
        try box.call(ben, "picture.remove", ["picture": .id(one), "atOnce": true])
        #expect(try box.fresh(cleo.id).posts[post.id]?.pictures.map(\.picture) == [two])
        try box.call(ben, "post.remove", ["post": .id(post.id)])
        // It was in the gallery before, and is there again.
        #expect(try box.fresh(cleo.id).pictures.isEmpty && listed(box, ben) == [two])
        let sent = try box.call(ben, "picture.add", ["picture": gif(2), "for": "post"])["picture"]?["id"]?.identifier
        let copy = try #require(sent)
        #expect(try copy != two && box.store.blobs.all().count == 1, "two pictures, and one file")
        let with = try box.call(ben, "post.add", ["pictures": pictures(copy)])["post"].flatMap(Post.init)
        try box.call(ben, "post.remove", ["post": .id(try #require(with).id)])
        #expect(try listed(box, ben) == [two] && box.store.blobs.all().count == 1)
        // A post that was nothing but a picture goes with it.
        let three = try send(box, ben, 3, [])
        let bare = try #require(
            try box.call(ben, "post.add", ["pictures": [["picture": .id(three)]]])["post"]?["id"]?.identifier)
        try box.call(ben, "picture.remove", ["picture": .id(three)])
        #expect(try box.fresh(cleo.id).posts[bare] == nil && listed(box, ben, ["bin": true]) == [three])
    }

    @Test func `an album is shared as a whole, and what comes into it later is shared in the same way`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let (ben, cleo) = (try box.join("ben", by: ada), try box.join("cleo", by: ada))
        let album: JSON.Object = ["album": "Italy"]
        let own = try [1, 2].map { try send(box, ben, $0, "everyone", album) }
        let others = try send(box, ada, 3, "everyone", album)
        #expect(try Set(listed(box, cleo)) == Set(own + [others]))
        let told = try box.call(ben, "picture.shareAlbum", ["album": "Italy", "audience": [.id(ada.id)]])
        #expect(told == ["pictures": 2] && box.types(cleo).suffix(2) == ["picture.hidden", "picture.hidden"])
        #expect(try listed(box, cleo) == [others] && Set(listed(box, ada)) == Set(own + [others]))
        for picture in own {
            #expect(
                try box.refusal(cleo, "picture.image", ["picture": .id(picture), "size": "small"])?.kind == .notFound)
        }
        let later = try #require(
            try box.call(ben, "picture.add", ["picture": gif(4), "album": "Italy"])["picture"]?["id"]?.identifier)
        #expect(try listed(box, cleo) == [others] && listed(box, ada).contains(later))
        #expect(
            try box.refusal(ben, "picture.shareAlbum", ["album": "Spain", "audience": "everyone"])?.kind == .notFound)
    }

    @Test func `an album stays shared as it was, whatever is said of one picture in it, and as long as one is there`()
        throws
    {
        let box = try FamilyBox()
        let ada = try box.found()
        let (ben, cleo) = (try box.join("ben", by: ada), try box.join("cleo", by: ada))
        func audience() throws -> JSON? {
            let answer = try box.call(ben, "picture.categories")
            return answer["albums"]?.array?.first { $0["name"] == "Clinic" }?["audience"]
        }
        func add(_ number: UInt8, _ more: JSON.Object = ["album": "Clinic"]) throws -> Identifier {
            var params = more
            params["picture"] = gif(number)
            return try #require(try box.call(ben, "picture.add", params)["picture"]?["id"]?.identifier)
        }
        let first = try add(1)
        #expect(try audience() == nil)
        try box.call(ben, "picture.shareAlbum", ["album": "Clinic", "audience": [.id(ada.id)]])
        #expect(try audience() == [.id(ada.id)])
        // One that everybody may see shows nobody else what comes after it.
        let shown = try add(2, ["album": "Clinic", "audience": "everyone"])
        let next = try add(3)
        #expect(try Set(listed(box, cleo)) == [shown] && Set(listed(box, ada)) == [first, shown, next])
        // What was nobody else's and is put there later is shared with it; what others saw stays theirs.
        let (own, seen) = (try add(4, [:]), try add(5, ["audience": [.id(cleo.id)]]))
        for picture in [own, seen] {
            try box.call(ben, "picture.update", ["picture": .id(picture), "album": "Clinic"])
        }
        #expect(try Set(listed(box, ada)) == [first, shown, next, own] && Set(listed(box, cleo)) == [shown, seen])
        // With its last picture goes what was said of it.
        for picture in [first, shown, next, own] {
            try box.call(ben, "picture.remove", ["picture": .id(picture), "atOnce": true])
        }
        #expect(try audience() == [.id(ada.id)])
        try box.call(ben, "picture.update", ["picture": .id(seen), "album": .null])
        #expect(try box.count("SELECT count(*) FROM album_shares") == 0)
        let last = try add(6)
        #expect(try !listed(box, ada).contains(last))
    }

    @Test func `many at once are one entry, and an album of many is shared and left behind in turns`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let (ben, cleo) = (try box.join("ben", by: ada), try box.join("cleo", by: ada))
        let count = UInt8(Limits.picturesPerTurnMax + 10)
        for number in 1...count { try send(box, ben, number, "everyone", ["album": "Italy"]) }
        let entries = try box.fresh(ada.id).inbox.entries.filter { $0.about == "pictures" }
        #expect(entries.count == 1 && entries.first?.lines.map { $0["count"] } == [.int(Int64(count))])
        let told = try box.call(ben, "picture.shareAlbum", ["album": "Italy", "audience": [.id(ada.id)]])
        #expect(try told == ["pictures": .int(Int64(count))] && listed(box, cleo) == [])
        try box.call(ada, "member.remove", ["member": .id(ben.id), "keep": "hand-over"])
        #expect(try listed(box, ada, ["limit": 100]).count == 100 && listed(box, cleo) == [])
        #expect(try box.store.blobs.all().count == Int(count))
    }
}
