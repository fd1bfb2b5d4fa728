import KinChat
import KinModel
import Testing

@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinStore

/// What was said in a room and is changed is nowhere in the family's files any more.
@Suite struct ChatErasureTests {
    @Test(arguments: [false, true])
    func `a message that is changed leaves no former words, though others were said since`(isRead: Bool) throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let room = try #require(try box.fresh(ada.id).rooms.values.first { $0.room.kind == .family }).room.id
        func say(_ text: JSON) throws -> Identifier {
            let said = try box.call(ben, "message.send", ["room": .id(room), "text": text])
            return try #require(said["message"]?["id"]?.identifier)
        }
        let first = try say("Xyzzyplugh")
        // Told in the same entry, which is called by the first.
        _ = try say("Frotzbozbar")
        let entry = try #require(try box.fresh(ada.id).inbox.entries.first { $0.about == "room/\(room)" })
        #expect(entry.title == "Xyzzyplugh")
        if isRead { try box.call(ada, "activity.read", ["upTo": .id(entry.id)]) }
        try box.call(ben, "message.update", ["room": .id(room), "message": .id(first), "text": "Porridge"])
        for _ in 0..<10 { try box.wait(seconds: 30) }
        #expect(try !box.holds("Xyzzyplugh") && !box.holds("xyzzyplugh") && box.holds("Frotzbozbar"))
        let entries = try box.call(ada, "activity.list")["entries"]?.array ?? []
        let titles = entries.filter { $0["about"]?.string == "room/\(room)" }.map { $0["title"]?.string }
        #expect(titles == ["Porridge"])
    }

    @Test func `a renamed group leaves its former names in no row of the log, and who was away knows it`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let (ben, cleo, dan) = (
            try box.join("ben", by: ada), try box.join("cleo", by: ada), try box.join("dan", by: ada)
        )
        func update(_ who: FamilyBox.Person, _ room: JSON, _ params: JSON.Object) throws {
            var all = params
            all["room"] = room
            try box.call(who, "room.update", all)
        }
        // In each turn the box looks at what those see who were away since before.
        let opened = try box.call(
            ada, "room.open", ["with": [.id(ben.id), .id(cleo.id)], "name": "Xyzzyplugh"])
        let room = try #require(opened["room"]?["room"]?["id"])
        try box.call(ben, "message.send", ["room": room, "text": "Soup"])
        try box.call(ada, "room.set", ["room": room, "showsRead": true])
        try update(ada, room, ["remove": [.id(cleo.id)]])
        for person in [ada, ben, cleo, dan] { _ = box.heard(person) }
        try update(ben, room, ["name": "Frotzbozbar"])
        #expect(box.types(ada) == ["room.updated", "room.read"] && box.types(ben) == ["room.updated", "room.read"])
        #expect(box.types(cleo) == [])
        // Whoever comes with another name is told that one, whoever comes again too.
        try update(ada, room, ["name": "Porridge", "add": [.id(cleo.id), .id(dan.id)]])
        #expect(box.types(dan) == ["room.shown"] && box.types(cleo) == ["room.shown"])
        let id = try #require(room.identifier)
        #expect(try box.fresh(ben.id).rooms[id]?.room.name == "Porridge")
        #expect(try box.fresh(ada.id).rooms[id]?.own.unread == 1)
        let rows = try box.count("SELECT count(*) FROM log WHERE type IN ('room.opened', 'room.updated', 'room.shown')")
        // Others are in it, which is no other name: what is told stays.
        try box.call(cleo, "room.leave", ["room": room])
        let named = try box.store.database.rows(
            "SELECT payload FROM log WHERE about = ?", .text("room/\(id)")
        ) { row in String(decoding: row.blob(0), as: UTF8.self) }
        #expect(rows > 0 && named.contains { $0.contains("Porridge") })
        for _ in 0..<10 { try box.wait(seconds: 30) }
        for former in ["Xyzzyplugh", "xyzzyplugh", "Frotzbozbar", "frotzbozbar"] {
            #expect(try !box.holds(former), "\(former)")
        }
        #expect(try box.holds("Porridge"))
    }

    @Test(arguments: [0, 1, 90] as [Int64])
    func `of two messages of the same words only the one that an entry is called by gives it another name`(
        apart seconds: Int64
    ) throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let room = try #require(try box.fresh(ada.id).rooms.values.first { $0.room.kind == .family }).room.id
        // Cut in the inbox, so that there the two are the same.
        let words = String(repeating: "ok ", count: 200)
        func say(_ end: String) throws -> JSON {
            let said = try box.call(
                ben, "message.send", ["room": .id(room), "text": .string(words + end)])
            return said["message"]?["id"] ?? .null
        }
        func change(_ message: JSON, _ text: JSON) throws {
            try box.call(ben, "message.update", ["room": .id(room), "message": message, "text": text])
        }
        func title() throws -> String? {
            try box.fresh(ada.id).inbox.entries.first { $0.about == "room/\(room)" }?.title
        }
        let first = try say("one")
        if seconds > 0 { try box.wait(seconds: seconds) }
        let second = try say("two")
        let before = try title()
        #expect(before?.hasPrefix("ok ok") == true)
        _ = box.heard(ada)
        try change(second, "Porridge")
        #expect(try title() == before)
        #expect(!box.types(ada).contains("activity.corrected"))
        try change(first, "Soup")
        #expect(try title() == "Soup")
    }

    @Test(arguments: [false, true])
    func `a message that is removed takes its part of the inbox's entry along, and the last one the entry`(
        isRead: Bool
    ) throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let (ben, cleo) = (try box.join("ben", by: ada), try box.join("cleo", by: ada))
        let room = try #require(try box.fresh(ada.id).rooms.values.first { $0.room.kind == .family }).room.id
        func say(_ who: FamilyBox.Person, _ text: JSON) throws -> JSON {
            // Apart, so that each is told.
            try box.wait(seconds: Limits.messageQuietSeconds + 1)
            return try box.call(who, "message.send", ["room": .id(room), "text": text])["message"]?["id"] ?? .null
        }
        func remove(_ message: JSON, _ who: FamilyBox.Person) throws {
            try box.call(who, "message.remove", ["room": .id(room), "message": message])
        }
        /// The entry's title, and each line's member and count.
        func entry() throws -> (title: String?, lines: [String])? {
            let all = try box.call(ada, "activity.list")["entries"]?.array ?? []
            return all.first { $0["about"]?.string == "room/\(room)" }.map { entry in
                let lines = (entry["lines"]?.array ?? []).map { line in
                    let name = line["by"]?.identifier == ben.id ? "ben" : "cleo"
                    return "\(name) \(line["count"]?.int ?? 1)"
                }
                return (entry["title"]?.string, lines)
            }
        }
        // A device that rings, which shows the words too.
        try box.call(ada, "notice.add", ["name": "Phone"])
        let first = try say(ben, "Xyzzyplugh")
        let second = try say(ben, "Porridge")
        let third = try say(cleo, "Dumplings")
        let whole = try #require(try entry())
        #expect(whole.title == "Xyzzyplugh" && whole.lines == ["ben 2", "cleo 1"])
        if isRead { try box.call(ada, "activity.read", ["upTo": .time(box.clock)]) }
        try remove(first, ben)
        let after = try #require(try entry())
        #expect(after.title == "Dumplings" && after.lines == ["ben 1", "cleo 1"])
        #expect(try box.fresh(ada.id).inbox.entries.isEmpty == isRead)
        for _ in 0..<10 { try box.wait(seconds: 30) }
        #expect(try !box.holds("Xyzzyplugh") && !box.holds("xyzzyplugh"))
        try remove(third, ada)
        let rest = try #require(try entry())
        #expect(rest.title == "Porridge" && rest.lines == ["ben 1"])
        try remove(second, ben)
        let gone = try entry()?.lines
        #expect(gone == nil)
    }

    @Test func `of a burst that was told once the entry stays as long as one of its messages does`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let room = try #require(try box.fresh(ada.id).rooms.values.first { $0.room.kind == .family }).room.id
        func say(_ text: JSON) throws -> JSON {
            try box.call(ben, "message.send", ["room": .id(room), "text": text])["message"]?["id"] ?? .null
        }
        func titles() throws -> [String?] {
            try box.fresh(ada.id).inbox.entries.filter { $0.about == "room/\(room)" }.map(\.title)
        }
        let messages = try [say("One"), say("@ada two"), say("Three")]
        #expect(try titles() == ["One"])
        let left: [[String?]] = [["Three"], ["Three"], []]
        for (message, left) in zip(messages, left) {
            try box.call(ben, "message.remove", ["room": .id(room), "message": message])
            #expect(try titles() == left)
        }
    }

    @Test func `of a muted room nothing else is told when what was said to somebody is removed`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let room = try #require(try box.fresh(ada.id).rooms.values.first { $0.room.kind == .family }).room.id
        try box.call(
            ada, "room.set", ["room": .id(room), "mutedUntil": .time(box.reading.wall.adding(seconds: 86_400))])
        let called = try box.call(ben, "message.send", ["room": .id(room), "text": "@ada look"])
        try box.call(ben, "message.send", ["room": .id(room), "text": "Soup"])
        func titles() throws -> [String?] {
            try box.fresh(ada.id).inbox.entries.filter { $0.about == "room/\(room)" }.map(\.title)
        }
        #expect(try titles() == ["@ada look"])
        let message = called["message"]?["id"] ?? .null
        try box.call(ben, "message.remove", ["room": .id(room), "message": message])
        #expect(try titles() == [])
    }

    @Test func `who came later is not told what became of the same words`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let room = try #require(try box.fresh(ada.id).rooms.values.first { $0.room.kind == .family }).room.id
        func say(_ who: FamilyBox.Person) throws -> JSON {
            try box.call(who, "message.send", ["room": .id(room), "text": "ok"])["message"]?["id"] ?? .null
        }
        let early = try say(ada)
        try box.wait(seconds: 1)
        let cleo = try box.join("cleo", by: ada)
        _ = try say(ben)
        _ = box.heard(cleo)
        let secret: JSON = "Her present is in the attic"
        try box.call(ada, "message.update", ["room": .id(room), "message": early, "text": secret])
        #expect(!box.types(cleo).contains("activity.corrected"))
        let entry = try box.fresh(cleo.id).inbox.entries.first { $0.about == "room/\(room)" }
        #expect(entry?.title == "ok")
    }
}
