import KinChat
import KinModel
import Testing

@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinStore

/// Rooms: who is in which, what is said there and to whom, and what becomes of it.
@Suite struct ChatTests {
    @discardableResult
    private func say(
        _ box: FamilyBox, _ person: FamilyBox.Person, _ room: Identifier, _ text: String, _ more: JSON.Object = [:]
    ) throws -> Identifier {
        var params: JSON.Object = ["room": .id(room), "text": .string(text)]
        for member in more.members { params[member.name] = member.value }
        return try #require(try box.call(person, "message.send", params)["message"]?["id"]?.identifier)
    }

    private func open(
        _ box: FamilyBox, _ person: FamilyBox.Person, _ others: [FamilyBox.Person], _ name: String? = nil
    ) throws -> Identifier {
        var params: JSON.Object = ["with": .array(others.map { .id($0.id) })]
        if let name { params["name"] = .string(name) }
        return try #require(try box.call(person, "room.open", params)["room"]?["room"]?["id"]?.identifier)
    }

    private func texts(
        _ box: FamilyBox, _ person: FamilyBox.Person, _ room: Identifier, _ params: JSON.Object = [:]
    ) throws -> [String] {
        var all: JSON.Object = ["room": .id(room)]
        for member in params.members { all[member.name] = member.value }
        return (try box.call(person, "message.list", all)["messages"]?.array ?? []).compactMap { Message($0)?.text }
    }

    private func kinds(_ box: FamilyBox, _ person: FamilyBox.Person) throws -> [String] {
        try box.fresh(person.id).inbox.entries.filter { $0.about.hasPrefix("room/") }.flatMap {
            $0.lines.compactMap { $0["kind"]?.string }
        }
    }

    private func family(_ box: FamilyBox, _ person: FamilyBox.Person) throws -> Identifier {
        try #require(try box.fresh(person.id).rooms.values.first { $0.room.kind == .family }).room.id
    }

    @Test func `the family and each household have a room; guests are in those that name them`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let gil = try box.join("gil", role: .guest, by: ada)
        for person in [ada, ben] {
            #expect(Set(try box.fresh(person.id).rooms.values.map(\.room.kind)) == [.family, .household])
        }
        #expect(try box.fresh(gil.id).rooms.isEmpty)
        let all = try family(box, ada)
        try say(box, ada, all, "Soup is ready")
        #expect(try texts(box, ben, all) == ["Soup is ready"])
        let absent: JSON = "01980000-0000-7000-8000-0000000000ff"
        for room in [.id(all), absent] {
            #expect(try box.refusal(gil, "message.list", ["room": room])?.kind == .notFound)
            #expect(try box.refusal(gil, "message.send", ["room": room, "text": "x"])?.kind == .notFound)
        }
        #expect(try box.refusal(gil, "room.open", ["with": [.id(ada.id)]])?.kind == .forbidden)
        let two = try open(box, ada, [gil])
        try say(box, gil, two, "Hello")
        #expect(try box.fresh(ada.id).rooms[two]?.own.unread == 1)
        #expect(try box.refusal(ben, "message.list", ["room": .id(two)])?.kind == .notFound)
        // Who becomes a guest is in the family's room no longer, and still in those that name the guest.
        let pair = try open(box, ada, [ben])
        try box.call(ada, "member.setRole", ["member": .id(ben.id), "role": "guest"])
        #expect(Set(try box.fresh(ben.id).rooms.keys) == [pair])
        #expect(try box.refusal(ben, "message.list", ["room": .id(all)])?.kind == .notFound)
    }

    @Test func `the room of two is opened once; a group has who is named, and admins are in no other`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let (ben, cleo, dan) = (
            try box.join("ben", by: ada), try box.join("cleo", by: ada), try box.join("dan", by: ada)
        )
        let two = try open(box, ben, [cleo])
        #expect(try open(box, cleo, [ben]) == two)
        #expect(try box.refusal(ben, "room.open", ["with": [.id(ben.id)]])?.field == "with")
        let group = try open(box, ben, [cleo], "Surprise")
        #expect(group != two)
        try say(box, ben, group, "A kite for Ada?")
        #expect(try box.fresh(ada.id).rooms[group] == nil)
        for (method, params) in [
            ("message.list", [:] as JSON.Object), ("room.update", ["name": "Mine"]), ("room.leave", [:]),
            ("room.set", ["showsRead": true]),
        ] {
            var all = params
            all["room"] = .id(group)
            #expect(try box.refusal(ada, method, all)?.kind == .notFound, "\(method)")
        }
        // Who comes sees from then on; who goes nothing more.
        _ = box.heard(cleo)
        try box.call(cleo, "room.update", ["room": .id(group), "add": [.id(dan.id)]])
        #expect(try texts(box, dan, group) == [] && box.fresh(dan.id).rooms[group]?.last == nil)
        try say(box, cleo, group, "Dan is in")
        #expect(try texts(box, dan, group) == ["Dan is in"] && texts(box, ben, group).count == 2)
        #expect(
            try box.refusal(cleo, "room.update", ["room": .id(group), "remove": [.id(dan.id)]])?.kind == .forbidden)
        try box.call(ben, "room.update", ["room": .id(group), "remove": [.id(dan.id)]])
        _ = box.heard(dan)
        try say(box, ben, group, "Dan is out")
        #expect(box.types(dan) == [])
        #expect(try box.refusal(dan, "message.list", ["room": .id(group)])?.kind == .notFound)
        #expect(try box.refusal(ben, "room.leave", ["room": .id(two)])?.kind == .conflict)
        try box.call(ben, "room.leave", ["room": .id(group)])
        #expect(try box.fresh(cleo.id).rooms[group]?.room.opener == nil)
        try box.call(cleo, "room.leave", ["room": .id(group)])
        let left = try box.store.database.first("SELECT count(*) FROM rooms WHERE kind = 'group'") { row in row.int(0) }
        #expect(left == 0)
    }

    @Test func `what is new is counted, read marks are in step, and shown to others only by choice`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let room = try family(box, ada)
        let first = try say(box, ada, room, "One")
        let second = try say(box, ada, room, "Two")
        #expect(try box.fresh(ben.id).rooms[room]?.own.unread == 2 && box.fresh(ada.id).rooms[room]?.own.unread == 0)
        _ = (box.heard(ada), box.heard(ben))
        try box.call(ben, "message.read", ["room": .id(room), "upTo": .id(first)])
        #expect(try box.fresh(ben.id).rooms[room]?.own.unread == 1)
        #expect(box.types(ben) == ["room.read"] && box.types(ada) == [])
        try box.call(ben, "message.read", ["room": .id(room), "upTo": .id(second)])
        // It never goes back.
        try box.call(ben, "message.read", ["room": .id(room), "upTo": .id(first)])
        #expect(try box.fresh(ben.id).rooms[room]?.own == OwnRoom(unread: 0, upTo: second))
        #expect(try box.call(ada, "message.list", ["room": .id(room)])["reads"]?.array?.isEmpty == true)
        _ = box.heard(ada)
        try box.call(ben, "room.set", ["room": .id(room), "showsRead": true])
        #expect(box.types(ada) == ["message.seen"])
        #expect(
            try box.call(ada, "message.list", ["room": .id(room)])["reads"]
                == [["member": .id(ben.id), "upTo": .id(second)]])
        // Who answers has read.
        try say(box, ada, room, "Three")
        try say(box, ben, room, "Four")
        #expect(try box.fresh(ben.id).rooms[room]?.own.unread == 0)
        try box.call(ben, "room.set", ["room": .id(room), "showsRead": false])
        #expect(try box.call(ada, "message.list", ["room": .id(room)])["reads"]?.array?.isEmpty == true)
    }

    @Test func `who comes later is not told up to which message others read that was sent before`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let (ben, cleo) = (try box.join("ben", by: ada), try box.join("cleo", by: ada))
        let opened = try box.call(ada, "room.open", ["with": [.id(ben.id)], "name": "Surprise"])
        let group = try #require(opened["room"]?["room"]?["id"]?.identifier)
        let (first, second) = (try say(box, ada, group, "One"), try say(box, ada, group, "Two"))
        try box.call(ben, "room.set", ["room": .id(group), "showsRead": true])
        try box.call(ben, "message.read", ["room": .id(group), "upTo": .id(first)])
        try box.call(ada, "room.update", ["room": .id(group), "add": [.id(cleo.id)]])
        func reads(_ person: FamilyBox.Person) throws -> [JSON] {
            (try box.call(person, "message.list", ["room": .id(group)])["reads"]?.array ?? []).compactMap { $0["upTo"] }
        }
        _ = (box.heard(ada), box.heard(cleo))
        try box.call(ben, "message.read", ["room": .id(group), "upTo": .id(second)])
        #expect(box.types(ada) == ["message.seen"] && box.types(cleo) == [])
        #expect(try reads(ada) == [.id(second)] && reads(cleo) == [])
        let third = try say(box, ada, group, "Three")
        _ = box.heard(cleo)
        try box.call(ben, "message.read", ["room": .id(group), "upTo": .id(third)])
        #expect(try box.types(cleo) == ["message.seen"] && reads(cleo) == [.id(third)])
    }

    @Test func `messages are listed by the oldest shown, in the order of the log whatever the clock said`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let room = try family(box, ada)
        // All in one moment.
        for number in 1...7 { try say(box, number.isMultiple(of: 2) ? ben : ada, room, "Day \(number)") }
        #expect(try texts(box, ada, room, ["limit": 3]) == ["Day 5", "Day 6", "Day 7"])
        let page = try box.call(ada, "message.list", ["room": .id(room), "limit": 3])
        #expect(
            try texts(box, ada, room, ["limit": 3, "before": page["next"] ?? .null]) == ["Day 2", "Day 3", "Day 4"])
        #expect(try box.call(ada, "message.list", ["room": .id(room), "limit": 7])["next"] == nil)
        #expect(try box.fresh(ada.id).rooms[room]?.last?.text == "Day 7")
    }

    @Test func `words are their author's, are marked when changed, and are gone when removed`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let (ben, cleo) = (try box.join("ben", by: ada), try box.join("cleo", by: ada))
        let room = try family(box, ada)
        try say(box, ada, room, "Before")
        let secret = try say(box, ben, room, "Xyzzyplugh")
        let about: JSON.Object = ["room": .id(room), "message": .id(secret)]
        for who in [ada, cleo] {
            var params = about
            params["text"] = "Mine"
            #expect(try box.refusal(who, "message.update", params)?.kind == .forbidden)
        }
        #expect(try box.refusal(cleo, "message.remove", about)?.kind == .forbidden)
        let answer = try say(box, cleo, room, "What?", ["reply": .id(secret)])
        #expect(answer > secret)
        var changed = about
        changed["text"] = "Xyzzyplugh twice"
        try box.call(ben, "message.update", changed)
        let seen = try #require(try box.call(ada, "message.list", ["room": .id(room)])["messages"]?.array?[1])
        #expect(seen["edited"] != nil && seen["text"] == "Xyzzyplugh twice")
        try box.call(ada, "message.read", ["room": .id(room), "upTo": .id(answer)])
        try box.call(ben, "message.remove", about)
        for person in [ada, ben, cleo] { #expect(try texts(box, person, room) == ["Before", "What?"]) }
        for _ in 0..<10 { try box.wait(seconds: 30) }
        #expect(try !box.holds("Xyzzyplugh") && !box.holds("xyzzyplugh") && !box.holds("plugh"))
    }

    @Test func `a removed message is new to nobody any more, also for who was away`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let room = try family(box, ada)
        try say(box, ada, room, "One")
        let second = try say(box, ada, room, "Two")
        #expect(try box.fresh(ben.id).rooms[room]?.own.unread == 2)
        try box.call(ada, "message.remove", ["room": .id(room), "message": .id(second)])
        let now = try box.fresh(ben.id).rooms[room]
        #expect(now?.own.unread == 1 && now?.last?.text == "One")
    }

    @Test func `the inbox has one entry of a room; a burst and a muted room say nothing more, a mention always`() throws
    {
        let box = try FamilyBox()
        let ada = try box.found()
        let (ben, cleo) = (try box.join("ben", by: ada), try box.join("cleo", by: ada))
        let room = try family(box, ada)
        try box.readAll(ada, ben, cleo)
        try say(box, ada, room, "Soup")
        #expect(try kinds(box, ben) == ["message"] && kinds(box, cleo) == ["message"] && kinds(box, ada) == [])
        let rows = box.store.log.position
        try say(box, ada, room, "is ready")
        #expect(box.store.log.position == rows + 1, "a message of a burst is one row of the log")
        try box.call(
            cleo, "room.set", ["room": .id(room), "mutedUntil": .time(box.reading.wall.adding(seconds: 86_400))])
        let last = try say(box, ada, room, "Come, @CLEO, not x@ben.example")
        #expect(try kinds(box, cleo) == ["message", "addressed"] && kinds(box, ben) == ["message"])
        for person in [ben, cleo] { try box.call(person, "message.read", ["room": .id(room), "upTo": .id(last)]) }
        #expect(try kinds(box, ben) == [] && kinds(box, cleo) == [])
        try say(box, ada, room, "It gets cold")
        #expect(try kinds(box, ben) == ["message"] && kinds(box, cleo) == [])
        try box.wait(seconds: 200)
        try say(box, ada, room, "It is cold")
        let entry = try #require(try box.fresh(ben.id).inbox.entries.first { $0.about == "room/\(room)" })
        #expect(entry.lines.last?["count"]?.int == 2)
    }

    @Test func `words are found in the rooms one is in, from when one came, and no more once they are removed`() throws
    {
        let box = try FamilyBox()
        let ada = try box.found()
        let (ben, cleo) = (try box.join("ben", by: ada), try box.join("cleo", by: ada))
        let all = try family(box, ada)
        let two = try open(box, ada, [ben])
        try say(box, ada, all, "The Käse is in the fridge")
        try say(box, ada, two, "A cheese fondue for Cleo")
        let third = try say(box, ben, all, "Which fridge?")
        func found(_ person: FamilyBox.Person, _ words: String, _ more: JSON.Object = [:]) throws -> [String] {
            var params: JSON.Object = ["words": .string(words)]
            for member in more.members { params[member.name] = member.value }
            return (try box.call(person, "message.search", params)["messages"]?.array ?? []).compactMap {
                $0["text"]?.string
            }
        }
        #expect(try found(cleo, "fridge") == ["Which fridge?", "The Käse is in the fridge"])
        #expect(try found(cleo, "fridge kase") == ["The Käse is in the fridge"])
        #expect(try found(cleo, "fondue") == [] && found(ben, "fond") == ["A cheese fondue for Cleo"])
        #expect(try found(ben, "fridge", ["room": .id(two)]) == [])
        #expect(try found(ben, "fridge", ["limit": 1]) == ["Which fridge?"])
        let first = try box.call(ben, "message.search", ["words": "fridge", "limit": 1])["next"]
        let next = try #require(first?.string)
        #expect(try found(ben, "fridge", ["before": .string(next)]) == ["The Käse is in the fridge"])
        // What the caller does not see is refused as what was made up.
        let hidden = try box.count("SELECT number FROM messages WHERE text LIKE '%fondue%'")
        let place = "searched WHERE kind = 'message' AND number = \(hidden)"
        let moment = try box.count("SELECT place / 32768 FROM \(place)")
        let id = try #require(
            try box.store.database.first("SELECT id FROM \(place)") { row in row.identifier(0) })
        let unseen = "\(moment)/\(id)"
        var sentences: Set<String> = []
        let made = ["\(moment)", "x", "-9223372036854775808", "281474976710655"].flatMap { [$0, "\($0)/\(third)"] }
        for before in [unseen] + made where before != next {
            let refusal = try box.refusal(cleo, "message.search", ["words": "fridge", "before": .string(before)])
            #expect(refusal?.kind == .invalid && refusal?.field == "before", "\(before)")
            sentences.insert(refusal?.message ?? "")
        }
        #expect(sentences.count == 1)
        try box.call(ben, "message.remove", ["room": .id(all), "message": .id(third)])
        let stale = try box.refusal(ben, "message.search", ["words": "fridge", "before": .string(next)])
        #expect(sentences == [stale?.message ?? ""])
        #expect(try found(cleo, "fridge") == ["The Käse is in the fridge"])
        let dan = try box.join("dan", by: ada)
        #expect(try found(dan, "fridge") == [])
    }

    @Test func `what makes no message is said so, and leaves nothing behind`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let room = try family(box, ada)
        let absent = "01980000-0000-7000-8000-0000000000ff"
        for (params, field) in [
            ([:], "text"), (["text": "  \n"], "text"), (["about": "soup"], "about"),
            (["about": .string("meeting/" + absent)], "about"), (["text": "x", "reply": .string(absent)], "reply"),
        ] as [(JSON.Object, String)] {
            var all = params
            all["room"] = .id(room)
            #expect(try box.refusal(ada, "message.send", all)?.field == field, "\(params)")
        }
        #expect(try texts(box, ada, room).isEmpty)
    }

    @Test func `who leaves the family is in no room; what was said stays, or is taken along`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let (ben, cleo) = (try box.join("ben", by: ada), try box.join("cleo", by: ada))
        let room = try family(box, ada)
        let two = try open(box, ada, [ben])
        try say(box, ben, room, "I was here")
        try say(box, ben, two, "Only you know")
        try say(box, cleo, room, "And I")
        try box.call(ada, "member.remove", ["member": .id(ben.id), "keep": "hand-over"])
        #expect(try texts(box, ada, room) == ["I was here", "And I"] && texts(box, ada, two) == ["Only you know"])
        #expect(try box.fresh(ada.id).rooms[two]?.room.members == [ada.id])
        #expect(try box.fresh(ada.id).rooms[room]?.own.unread == 2)
        try box.call(ada, "member.remove", ["member": .id(cleo.id), "keep": "delete"])
        #expect(try texts(box, ada, room) == ["I was here"])
        #expect(try box.fresh(ada.id).rooms[room]?.own.unread == 1)
    }

    @Test func `who answers for a child sees with whom it talks, and not what`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let (ben, kim) = (try box.join("ben", by: ada), try box.join("kim", kind: .child, by: ada))
        try box.call(ada, "member.relate", ["member": .id(ada.id), "parentOf": .id(kim.id)])
        try box.call(ada, "sharing.hold", ["member": .id(kim.id), "hold": true])
        let room = try open(box, kim, [ben], "Secret club")
        try say(box, kim, room, "Psst")
        let seen = try #require(try box.call(ada, "room.of", ["member": .id(kim.id)])["rooms"]?.array)
        #expect(seen.count == 1 && seen.first?["members"] == .array([ben.id, kim.id].sorted().map { .id($0) }))
        #expect(seen.first?["name"] == nil)
        #expect(try box.refusal(ada, "message.list", ["room": .id(room)])?.kind == .notFound)
        let refused = try box.refusal(ben, "room.of", ["member": .id(kim.id)])
        #expect(refused?.kind == .forbidden && refused?.message.contains("kin sharing hold") == true)
        // An adult is nobody's child.
        let adult = try box.refusal(ada, "room.of", ["member": .id(ben.id)])
        #expect(adult?.kind == .forbidden && adult?.message.contains("an adult talks") == true)
    }
}
