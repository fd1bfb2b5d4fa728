import KinCrypto
import KinModel
import Testing

@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinPictures
@testable import KinStore

/// Files of any kind, kept as they are.
@Suite struct `A document of the family's` {
    private func document(_ text: String) -> JSON { .string(Base64.encode(Array(text.utf8))) }

    private func sent(
        _ box: FamilyBox, _ who: FamilyBox.Person, _ text: String, _ name: JSON, _ more: JSON.Object = [:]
    ) throws -> JSON {
        var params: JSON.Object = ["document": document(text), "name": name]
        for member in more.members { params[member.name] = member.value }
        let result = try box.call(who, "picture.addDocument", params)
        #expect(result["keptAsItIs"] == true)
        return try #require(result["picture"])
    }

    @Test func `is kept byte by byte, seen by who it is shared with, and goes with its sheet`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let text = "<script>alert(1)</script> written by Ada at home"
        let picture = try sent(box, ada, text, "../home/Letter\u{202E}.html")
        let id = try #require(picture["id"])
        #expect(picture["document"] == ["name": "Letter.html", "bytes": .int(Int64(text.utf8.count))])
        #expect(try box.refusal(ben, "picture.document", ["picture": id])?.kind == .notFound)
        try box.call(ada, "picture.update", ["picture": id, "audience": "everyone"])
        #expect(try box.fresh(ben.id).pictures.values.first?.document?.name == "Letter.html")
        try box.call(ben, "picture.document", ["picture": id])
        guard case .blob(let name, "application/octet-stream", "Letter.html"?) = box.effect else {
            throw Rejection(.invalid, "no blob")
        }
        #expect(try box.store.blobs.get(name) == Array(text.utf8))
        // It was taken on no day, in whatever zone.
        for day in [20, 21] as [JSON] {
            #expect(try box.call(ben, "picture.onThisDay", ["month": 11, "day": day])["pictures"] == [])
        }
        // Who knows of no documents sees a sheet, in each size.
        for size in Picture.Size.allCases {
            try box.call(ben, "picture.image", ["picture": id, "size": .string(size.rawValue)])
            guard case .blob(let sheet, "image/jpeg", nil) = box.effect else { throw Rejection(.invalid, "no sheet") }
            #expect(try box.store.blobs.get(sheet)?.starts(with: [0xFF, 0xD8, 0xFF]) == true)
        }
        let film = try box.refusal(ada, "picture.setFilm", ["picture": id, "film": document("ftyp")])
        #expect(film?.message.contains("no film") == true)
        try box.call(ada, "picture.remove", ["picture": id])
        #expect(try box.refusal(ben, "picture.document", ["picture": id])?.kind == .notFound)
        try box.call(ada, "picture.restore", ["picture": id])
        try box.call(ben, "picture.document", ["picture": id])
        try box.call(ada, "picture.remove", ["picture": id, "atOnce": true])
        #expect(try box.store.blobs.all() == [])
        #expect(try !box.holds("Letter.html"))
        #expect(try box.call(ada, "quota.show")["used"] == 0)
    }

    @Test func `leaves as a declared type where its name says one, and never as what a browser shows`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        for (number, (name, type)) in [
            ("a.PDF", "application/pdf"), ("a.txt", "text/plain"), ("a.vcf", "text/vcard"),
            ("a", "application/octet-stream"),
            ("a.svg", "application/octet-stream"), ("a.jpg", "application/octet-stream"),
            ("a.mp4", "application/octet-stream"), ("a.html", "application/octet-stream"),
        ].enumerated() {
            let picture = try sent(box, ada, "content \(number)", .string(name))
            try box.call(ada, "picture.document", ["picture": try #require(picture["id"])])
            guard case .blob(_, let given, let called) = box.effect else { throw Rejection(.invalid, "no blob") }
            #expect(given == type && called == name, "\(name)")
        }
    }

    @Test func `the same twice is one, called as it was sent last; another's is another`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let first = try sent(box, ada, "same", "one.txt")
        let used = try box.call(ada, "quota.show")["used"]
        let blobs = try box.store.blobs.all().count
        let again = try sent(box, ada, "same", "two.txt")
        #expect(again["id"] == first["id"] && again["document"]?["name"] == "two.txt")
        #expect(try box.call(ada, "quota.show")["used"] == used && box.store.blobs.all().count == blobs)
        #expect(try sent(box, ben, "same", "one.txt")["id"] != first["id"])
        try box.call(ada, "picture.remove", ["picture": try #require(first["id"])])
        let back = try sent(box, ada, "same", "two.txt")
        #expect(back["id"] == first["id"] && back["binned"] == nil)
    }

    @Test func `no control character is in its name: what parts words is a space, everything else is refused`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        for name in ["a\u{7}.txt", "a\u{0}.txt", "a\u{85}b", "\u{1B}[31m.txt", "\u{9B}31m.txt", "a\u{7F}b"] {
            let params: JSON.Object = ["document": document("x"), "name": .string(name)]
            let refusal = try box.refusal(ada, "picture.addDocument", params)
            #expect(refusal?.kind == .invalid && refusal?.field == "name", "\(name.utf8.map { $0 })")
        }
        let picture = try sent(box, ada, "x", "a\r\nX-Evil: 1\tb.txt")
        #expect(picture["document"]?["name"] == "a X-Evil: 1 b.txt")
    }

    @Test func `in a post and in a message it has its name and its length`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let hung = try #require(try sent(box, ada, "for a post", "Plan.pdf", ["for": "post"])["id"])
        try box.call(ada, "post.add", ["pictures": [["picture": hung]], "audience": "everyone"])
        let shown = try box.fresh(ben.id).posts.values.first?.pictures.first?.document
        #expect(shown == Document(name: "Plan.pdf", bytes: 10))
        try box.call(ben, "picture.document", ["picture": hung])
        let rooms = try box.fresh(ada.id).rooms
        let room = try #require(rooms.first { $0.value.room.kind == .family }?.key)
        let said = try #require(try sent(box, ada, "for a message", "Key.txt", ["for": "message"])["id"])
        let message = try box.call(ada, "message.send", ["room": .id(room), "pictures": [["picture": said]]])["message"]
        #expect(message?["pictures"]?.array?.first?["document"] == ["name": "Key.txt", "bytes": 13])
        // The list of rooms says of what kind it is.
        for who in [ada, ben] {
            let last = try box.fresh(who.id).rooms[room]?.last
            #expect(last?.pictures == 1 && last?.documents == 1)
        }
        let both = try box.refusal(
            ada, "picture.addDocument",
            ["document": document("x"), "name": "x", "for": "post", "audience": "everyone"])
        #expect(both?.field == "audience")
    }

    @Test func `is found by its name, by who sees it`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let picture = try sent(box, ada, "some", "Insurance policy.pdf", ["audience": "everyone", "caption": "Car"])
        _ = try sent(box, ada, "other", "Insurance secret.pdf")
        for word in ["insurance", "car"] as [JSON] {
            let hits = try box.call(ben, "search.find", ["words": word])["hits"]?.array ?? []
            #expect(hits.map { $0["id"] } == [picture["id"]], "\(word)")
        }
    }

    @Test func `no document, or no room for one, leaves nothing behind`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let pixels = try #require(try sent(box, ada, "one", "one.txt")["id"])
        let blobs = try box.store.blobs.all()
        for wrong in ["", "%%%"] as [JSON] {
            #expect(try box.refusal(ada, "picture.addDocument", ["document": wrong, "name": "a"])?.kind == .invalid)
        }
        try box.store.database.run("UPDATE kept_bytes SET bytes = ?", .int(Limits.fileBytesPerMember))
        let full = try box.refusal(ada, "picture.addDocument", ["document": document("two"), "name": "two.txt"])
        #expect(full?.kind == .tooLarge)
        #expect(try box.store.blobs.all() == blobs)
        try box.call(ada, "picture.show", ["picture": pixels])
    }

    /// Files come through a worker, which makes a blob of each before anybody knows whether it is taken.
    @Test func `for a post it is kept once with the gallery's, until the last of its owner's goes`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let first = try #require(try sent(box, ada, "once", "a.txt")["id"])
        let (blobs, used) = (try box.store.blobs.all(), try box.call(ada, "quota.show")["used"])
        let second = try #require(try sent(box, ada, "once", "b.txt", ["for": "post"])["id"])
        #expect(try first != second && box.store.blobs.all() == blobs)
        #expect(try box.call(ada, "quota.show")["used"] == used)
        try box.call(ada, "picture.remove", ["picture": first, "atOnce": true])
        try box.call(ada, "picture.document", ["picture": second])
        guard case .blob(let name, _, _) = box.effect else { throw Rejection(.invalid, "no blob") }
        #expect(try box.store.blobs.get(name) == Array("once".utf8))
        try box.call(ada, "picture.remove", ["picture": second, "atOnce": true])
        #expect(try box.store.blobs.all() == [] && box.call(ada, "quota.show")["used"] == 0)
    }

    @Test func `what a worker kept of one that is refused then, or was taken already, is gone`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        var isFirst = true
        // While the worker is at it, something else happens.
        var meanwhile: () throws -> Void = {}
        box.substitute = { [blobs = box.store.blobs] work in
            guard case .bytes(let bytes)? = work as? DocumentWork else { return nil }
            if isFirst {
                isFirst = false
                try? meanwhile()
            }
            guard let blob = try? blobs.put(bytes) else { return nil }
            return .made(DocumentWork.Made(bytes: Int64(bytes.count), blob: blob, content: []))
        }
        // The same command, from a client that was cut off.
        let params: JSON.Object = ["document": document("once"), "name": "a.txt", "for": "post"]
        meanwhile = { try box.call(ada, "picture.addDocument", params, op: "once") }
        let first = try box.call(ada, "picture.addDocument", params, op: "once")
        #expect(try box.store.blobs.all().count == 2, "the document and its sheet")
        // The same document for the gallery, by another command.
        isFirst = true
        meanwhile = { _ = try self.sent(box, ada, "twice", "b.txt") }
        _ = try sent(box, ada, "twice", "c.txt")
        #expect(try box.store.blobs.all().count == 4)
        // Its sender left in the meantime.
        let ben = try box.join("ben", by: ada)
        isFirst = true
        meanwhile = { try box.call(ada, "member.remove", ["member": .id(ben.id), "keep": "delete"]) }
        #expect(throws: Rejection.self) { try self.sent(box, ben, "never", "d.txt") }
        #expect(try box.store.blobs.all().count == 4)
        try box.call(ada, "picture.document", ["picture": try #require(first["picture"]?["id"])])
        guard case .blob(let name, _, _) = box.effect else { throw Rejection(.invalid, "no blob") }
        #expect(try box.store.blobs.get(name) == Array("once".utf8))
        box.substitute = { _ in nil }
    }
}
