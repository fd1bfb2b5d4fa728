import KinChat
import KinCrypto
import KinModel
import KinPictures
import Testing

@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinStore

/// Pictures and spots in rooms: who sees a message sees its pictures, and nobody else, by any way.
@Suite struct ChatPictureTests {
    /// A picture of one pixel: a GIF made by code, another for each number.
    private func gif(_ number: UInt8) -> JSON {
        let bytes: [UInt8] =
            Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, number, 0, 0, 255, 255, 255]
            + [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B]
        return .string(Base64.encode(bytes))
    }

    private func picture(_ box: FamilyBox, _ person: FamilyBox.Person, _ number: UInt8) throws -> Identifier {
        try #require(
            try box.call(person, "picture.add", ["picture": gif(number), "for": "message"])["picture"]?["id"]?
                .identifier)
    }

    /// One of the gallery.
    private func hung(_ box: FamilyBox, _ person: FamilyBox.Person, _ number: UInt8) throws -> Identifier {
        let params: JSON.Object = ["picture": gif(number), "audience": "everyone"]
        return try #require(try box.call(person, "picture.add", params)["picture"]?["id"]?.identifier)
    }

    @discardableResult
    private func send(
        _ box: FamilyBox, _ person: FamilyBox.Person, _ room: Identifier, _ pictures: [Identifier],
        _ more: JSON.Object = [:]
    ) throws -> Message {
        var params: JSON.Object = ["room": .id(room)]
        if !pictures.isEmpty { params["pictures"] = .array(pictures.map { ["picture": .id($0), "caption": "Kite"] }) }
        for member in more.members { params[member.name] = member.value }
        return try #require(try box.call(person, "message.send", params)["message"].flatMap(Message.init))
    }

    private func group(
        _ box: FamilyBox, _ person: FamilyBox.Person, _ others: [FamilyBox.Person]
    ) throws -> Identifier {
        let opened = try box.call(person, "room.open", ["with": .array(others.map { .id($0.id) }), "name": "Kites"])
        return try #require(opened["room"]?["room"]?["id"]?.identifier)
    }

    private func messages(
        _ box: FamilyBox, _ person: FamilyBox.Person, _ room: Identifier
    ) throws -> [Message] {
        (try box.call(person, "message.list", ["room": .id(room)])["messages"]?.array ?? []).compactMap(Message.init)
    }

    /// Whether a member sees a picture: in the gallery, by its identifier, and by its address.
    private func sees(_ box: FamilyBox, _ person: FamilyBox.Person, _ picture: Identifier) throws -> Bool {
        let byAddress =
            try box.refusal(person, "picture.image", ["picture": .id(picture), "size": "small"])?.kind != .notFound
        let listed = (try box.call(person, "picture.list", [:])["pictures"]?.array ?? [])
            .contains { $0["id"]?.identifier == picture }
        let held = try box.fresh(person.id).pictures[picture] != nil
        #expect(byAddress == listed && listed == held)
        return byAddress
    }

    @Test func `are seen by those in the room, not by whoever comes later, and no longer by whoever left`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let (ben, cleo, dan) = (
            try box.join("ben", by: ada), try box.join("cleo", by: ada), try box.join("dan", by: ada)
        )
        let room = try group(box, ben, [cleo])
        let first = try picture(box, ben, 1)
        let message = try send(box, ben, room, [first])
        #expect(message.pictures.map(\.picture) == [first] && message.pictures[0].caption == "Kite")
        #expect(message.pictures[0].width == 1 && message.text == nil)
        #expect(try messages(box, cleo, room).last?.pictures == message.pictures)
        // Nobody else, admins neither.
        #expect(try sees(box, ben, first) && sees(box, cleo, first) && !sees(box, ada, first) && !sees(box, dan, first))
        #expect(try box.fresh(cleo.id).rooms[room]?.last?.pictures == 1)
        // Who comes later sees what comes later.
        try box.call(ben, "room.update", ["room": .id(room), "add": [.id(dan.id)]])
        let second = try picture(box, ben, 2)
        try send(box, ben, room, [second])
        #expect(try !sees(box, dan, first) && sees(box, dan, second))
        #expect(try messages(box, dan, room).flatMap(\.pictures).map(\.picture) == [second])
        // Who leaves sees nothing more, and who came back sees what comes from then on.
        try box.call(cleo, "room.leave", ["room": .id(room)])
        #expect(try !sees(box, cleo, first) && !sees(box, cleo, second))
        #expect(box.types(cleo).contains("picture.hidden"))
        try box.call(ben, "room.update", ["room": .id(room), "add": [.id(cleo.id)]])
        #expect(try !sees(box, cleo, first) && !sees(box, cleo, second) && sees(box, dan, second))
    }

    @Test func `are the writer's own, stand in one place, and are shared as the place is`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let room = try group(box, ada, [ben])
        let of = try picture(box, ben, 1)
        let foreign: JSON = ["room": .id(room), "pictures": [["picture": .id(of)]]]
        #expect(try box.refusal(ada, "message.send", foreign.object ?? [:])?.field == "pictures")
        #expect(try box.refusal(ada, "message.send", ["room": .id(room), "pictures": []])?.kind == .invalid)
        let own = try picture(box, ada, 2)
        try send(box, ada, room, [own, own], ["text": "Look"])
        #expect(try messages(box, ben, room).last?.pictures.count == 1)
        for (method, params) in [
            ("message.send", ["room": .id(room), "pictures": [["picture": .id(own)]]] as JSON.Object),
            ("post.add", ["pictures": [["picture": .id(own)]]]),
            ("picture.update", ["picture": .id(own), "audience": "everyone"]),
        ] { #expect(try box.refusal(ada, method, params)?.kind == .conflict, "\(method)") }
    }

    @Test func `go with the message, with their bytes; one that is removed leaves the message`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let room = try group(box, ada, [ben])
        let (one, other, third) = (try picture(box, ada, 1), try picture(box, ada, 2), try picture(box, ada, 3))
        let first = try send(box, ada, room, [one])
        let second = try send(box, ada, room, [other, third])
        #expect(try box.store.blobs.all().count == 3)
        try box.call(ada, "message.remove", ["room": .id(room), "message": .id(first.id)])
        #expect(try box.store.blobs.all().count == 2 && !sees(box, ben, one) && !sees(box, ada, one))
        // From the gallery into the bin: the message has it no longer.
        try box.call(ada, "picture.remove", ["picture": .id(other)])
        #expect(try messages(box, ben, room).last?.pictures.map(\.picture) == [third])
        #expect(try !sees(box, ben, other) && box.refusal(ada, "picture.show", ["picture": .id(other)]) == nil)
        // Out of the bin it comes to nobody else.
        try box.call(ada, "picture.restore", ["picture": .id(other)])
        #expect(try !sees(box, ben, other))
        // A message that said nothing else goes with its last picture.
        try box.call(ada, "picture.remove", ["picture": .id(third), "atOnce": true])
        #expect(try messages(box, ben, room).allSatisfy { $0.id != second.id })
        #expect(try box.fresh(ben.id).rooms[room]?.own.unread == 0)
        // A room that nobody is in takes its pictures along, but for those that were in the gallery before.
        let last = try picture(box, ada, 4)
        try send(box, ada, room, [other, last])
        for person in [ada, ben] { try box.call(person, "room.leave", ["room": .id(room)]) }
        #expect(try box.store.blobs.all().count == 1 && box.count("SELECT count(*) FROM pictures") == 1)
        #expect(try sees(box, ada, other) && !sees(box, ada, last) && !sees(box, ben, other))
    }

    @Test func `leave the gallery and the bin alone that have the same file`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let (ben, cleo) = (try box.join("ben", by: ada), try box.join("cleo", by: ada))
        let (room, other) = (try group(box, ada, [ben]), try group(box, ada, [cleo]))
        let original = try hung(box, ada, 1)
        // The same file for two rooms is two pictures beside the original.
        let (one, two) = (try picture(box, ada, 1), try picture(box, ada, 1))
        #expect(Set([original, one, two]).count == 3)
        let message = try send(box, ada, room, [one])
        try send(box, ada, other, [two])
        #expect(try sees(box, ben, original) && sees(box, cleo, original))
        #expect(try sees(box, ben, one) && !sees(box, cleo, one) && sees(box, cleo, two) && !sees(box, ben, two))
        #expect(!box.types(cleo).contains("picture.hidden"))
        try box.call(ada, "message.remove", ["room": .id(room), "message": .id(message.id)])
        #expect(try !sees(box, ada, one) && sees(box, cleo, original) && sees(box, cleo, two))
        // What is sent to the gallery is the gallery's own, whatever messages have.
        try box.call(ada, "picture.remove", ["picture": .id(original), "atOnce": true])
        let anew = try hung(box, ada, 1)
        #expect(try anew != two && sees(box, ben, anew) && hung(box, ada, 1) == anew)
        // What lies in the bin stays there.
        try box.call(ada, "picture.remove", ["picture": .id(anew)])
        try send(box, ada, room, [try picture(box, ada, 1)])
        #expect(try !sees(box, ben, anew) && !sees(box, cleo, anew))
        #expect(try box.call(ada, "picture.show", ["picture": .id(anew)])["picture"]?["binned"] != nil)
        #expect(
            try box.refusal(ada, "picture.add", ["picture": gif(2), "for": "message", "audience": "everyone"])?.field
                == "audience")
    }

    @Test func `from the gallery come back to it, shared as they were`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let (ben, cleo) = (try box.join("ben", by: ada), try box.join("cleo", by: ada))
        let room = try group(box, ada, [ben])
        let (first, second) = (try hung(box, ada, 1), try hung(box, ada, 2))
        let message = try send(box, ada, room, [first, second])
        #expect(try sees(box, ben, first) && !sees(box, cleo, first))
        // Out of the bin it is the gallery's again.
        try box.call(ada, "picture.remove", ["picture": .id(second)])
        #expect(try !sees(box, cleo, second))
        try box.call(ada, "picture.restore", ["picture": .id(second)])
        #expect(try sees(box, cleo, second))
        try box.call(ada, "message.remove", ["room": .id(room), "message": .id(message.id)])
        #expect(try sees(box, ada, first) && sees(box, ben, first) && sees(box, cleo, first))
        let back = try box.call(ada, "picture.show", ["picture": .id(first)])["picture"].flatMap(Picture.init)
        #expect(back?.message == nil && back?.room == nil && back?.binned == nil)
    }

    @Test func `that were sent for a message and stand in none are gone in a day`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let room = try group(box, ada, [ben])
        let (left, sent, shared) = (try picture(box, ada, 1), try picture(box, ada, 2), try picture(box, ada, 3))
        try send(box, ada, room, [sent])
        try box.call(ada, "picture.update", ["picture": .id(shared), "audience": "everyone"])
        #expect(try sees(box, ada, left) && !sees(box, ben, left))
        try box.wait(seconds: Limits.unhungSeconds + 1)
        #expect(try !sees(box, ada, left) && sees(box, ben, sent) && sees(box, ben, shared))
    }

    @Test func `that are removed are in no row of the log`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let room = try group(box, ada, [ben])
        let (one, other) = (try picture(box, ada, 1), try picture(box, ada, 2))
        let pictures: JSON = [["picture": .id(one), "caption": "Dragonfly"], ["picture": .id(other)]]
        let sent = try box.call(ada, "message.send", ["room": .id(room), "pictures": pictures])
        let message = try #require(sent["message"].flatMap(Message.init))
        let says =
            "SELECT count(*) FROM log WHERE type GLOB 'message.*' AND instr(payload, CAST('Dragonfly' AS BLOB)) > 0"
        #expect(try box.count(says) == 1)
        try box.call(ada, "picture.remove", ["picture": .id(one), "atOnce": true])
        #expect(try box.count(says) == 0)
        #expect(try messages(box, ben, room).last?.pictures.map(\.picture) == [other])
        let seen = try #require(try box.fresh(ben.id).rooms[room])
        #expect(seen.own.unread == 1 && seen.last?.id == message.id && seen.last?.pictures == 1)
        // Nor are former words.
        try box.call(ada, "message.send", ["room": .id(room), "text": "Dragonfly"])
        let words = try #require(try messages(box, ada, room).last?.id)
        try box.call(ada, "message.update", ["room": .id(room), "message": .id(words), "text": "Beetle"])
        #expect(try box.count(says) == 0 && box.fresh(ben.id).rooms[room]?.own.unread == 2)
    }

    @Test func `whoever becomes a guest sees no picture of the family's room any more`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let room = try #require(try box.fresh(ada.id).rooms.values.first { $0.room.kind == .family }).room.id
        let own = try picture(box, ada, 1)
        try send(box, ada, room, [own])
        #expect(try sees(box, ben, own))
        try box.call(ada, "member.setRole", ["member": .id(ben.id), "role": "guest"])
        #expect(try !sees(box, ben, own))
        try box.call(ada, "member.setRole", ["member": .id(ben.id), "role": "member"])
        #expect(try !sees(box, ben, own) && messages(box, ben, room).isEmpty)
    }

    @Test func `whoever leaves the family with all that was said takes the pictures along`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let room = try #require(try box.fresh(ada.id).rooms.values.first { $0.room.kind == .family }).room.id
        try send(box, ben, room, [try picture(box, ben, 1)], ["text": "Look"])
        try box.call(ada, "member.remove", ["member": .id(ben.id), "keep": "delete"])
        #expect(try messages(box, ada, room).isEmpty && box.store.blobs.all().isEmpty)
        #expect(try box.count("SELECT count(*) FROM message_pictures") == 0)
    }

    @Test func `a spot is what its writer chose, and the inbox says what came`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let room = try group(box, ada, [ben])
        let spot: JSON = ["name": "The meadow", "lat": 48.1, "lon": 11.5]
        let sent = try send(box, ada, room, [], ["spot": spot])
        #expect(sent.spot == MessageSpot(name: "The meadow", lat: 48.1, lon: 11.5))
        #expect(try messages(box, ben, room).last?.spot == sent.spot)
        for wrong: JSON in [["lat": 91, "lon": 0], ["lat": 0, "lon": 181], ["lat": 1], "here"] {
            let refusal = try box.refusal(ada, "message.send", ["room": .id(room), "spot": wrong])
            #expect(refusal?.kind == .params || refusal?.kind == .invalid, "\(wrong)")
        }
        func lines() throws -> [JSON] {
            try box.fresh(ben.id).inbox.entries.filter { $0.about == "room/\(room)" }.flatMap(\.lines)
        }
        #expect(try lines().last?["shows"] == "spot")
        try box.call(ben, "message.read", ["room": .id(room), "upTo": .id(sent.id)])
        box.clock = box.clock.adding(seconds: 600)
        let shot = try send(box, ada, room, [try picture(box, ada, 1)])
        #expect(try lines().map { $0["shows"] } == ["picture"])
        // A document is no picture.
        try box.call(ben, "message.read", ["room": .id(room), "upTo": .id(shot.id)])
        box.clock = box.clock.adding(seconds: 600)
        let key = try box.call(
            ada, "picture.addDocument", ["document": "Y29udGVudA==", "name": "Key.txt", "for": "message"])
        try send(box, ada, room, [try #require(key["picture"]?["id"]?.identifier)])
        #expect(try lines().map { $0["shows"] } == [nil])
        // Words alone say nothing of it.
        box.clock = box.clock.adding(seconds: 600)
        let words = try send(box, ben, room, [], ["text": "Thanks"])
        #expect(words.pictures.isEmpty && words.spot == nil)
    }
}
