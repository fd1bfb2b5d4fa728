import KinFamily
import KinModel
import Synchronization
import Testing

@testable import KinChat
@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinStore

/// Who ever said something in a room is written down once, so that a message costs nothing for the case that its author
/// leaves.
@Suite struct SpeakerTests {
    private static let disks = Atomic<Int>(0)

    private func family() throws -> (box: FamilyBox, ada: FamilyBox.Person, ben: FamilyBox.Person, room: Identifier) {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let room = try #require(try box.fresh(ada.id).rooms.values.first { $0.room.kind == .family }).room.id
        return (box, ada, ben, room)
    }

    @Test func `only a member's first message in a room is written down, whoever else speaks, after a restart too`()
        throws
    {
        let (box, ada, ben, room) = try family()
        func say(_ person: FamilyBox.Person) throws {
            try box.call(person, "message.send", ["room": .id(room), "text": "Soup"])
        }
        for person in [ada, ben] { try say(person) }
        #expect(try box.count("SELECT count(*) FROM room_speakers") == 2)
        let written = box.store.database.writes(to: TableSet(["room_speakers"]))
        for person in [ada, ben, ben, ada] { try say(person) }
        // A refused request, after which nothing that was remembered counts.
        #expect(try box.refusal(ada, "message.send", ["room": .id(room), "text": " "])?.kind == .invalid)
        try say(ada)
        try box.restart(after: 1)
        for person in [ada, ben] { try say(person) }
        #expect(box.store.database.writes(to: TableSet(["room_speakers"])) == written)
    }

    @Test func `a message that was rolled back is no first one`() throws {
        let (box, ada, _, room) = try family()
        let message: JSON.Object = ["room": .id(room), "text": "Soup", "pictures": [["picture": .id(room)]]]
        #expect(try box.refusal(ada, "message.send", message) != nil)
        #expect(try box.count("SELECT count(*) FROM room_speakers") == 0)
        try box.call(ada, "message.send", ["room": .id(room), "text": "Soup"])
        #expect(try box.count("SELECT count(*) FROM room_speakers") == 1)
    }

    @Test func `who speaks where all is looked through already is looked for from the newest on`() throws {
        let (box, ada, ben, room) = try family()
        func say() throws {
            try box.call(ben, "message.send", ["room": .id(room), "text": "Soup"])
        }
        try say()
        try box.store.database.run("UPDATE room_speakers SET looked = ?", .id(Chat.nobody))
        try say()
        #expect(try box.count("SELECT count(*) FROM room_speakers WHERE looked IS NULL") == 1)
        try box.call(ada, "member.remove", ["member": .id(ben.id), "keep": "delete"])
        #expect(try box.count("SELECT count(*) FROM messages") == 0)
        #expect(try box.count("SELECT count(*) FROM room_speakers") == 0)
    }

    @Test func `of a room in which nothing is left of who leaves nothing is told`() throws {
        let (box, ada, ben, room) = try family()
        let said = try box.call(ben, "message.send", ["room": .id(room), "text": "Soup"])
        try box.call(
            ben, "message.remove", ["room": .id(room), "message": said["message"]?["id"] ?? .null])
        _ = box.heard(ada)
        try box.call(ada, "member.remove", ["member": .id(ben.id), "keep": "delete"])
        #expect(!box.types(ada).contains("message.cleared"))
        #expect(try box.count("SELECT count(*) FROM room_speakers") == 0)
        #expect(try box.count("SELECT count(*) FROM message_leavers") == 0)
    }

    @Test func `a room that is gone takes along who spoke there`() throws {
        let (box, ada, ben, _) = try family()
        let opened = try box.call(ada, "room.open", ["with": [.id(ben.id)], "name": "Soups"])["room"]?["room"]?["id"]
        let group = try #require(opened?.identifier)
        try box.call(ben, "message.send", ["room": .id(group), "text": "Soup"])
        for person in [ada, ben] { try box.call(person, "room.leave", ["room": .id(group)]) }
        #expect(try box.count("SELECT count(*) FROM rooms WHERE kind = 'group'") == 0)
        #expect(try box.count("SELECT count(*) FROM room_speakers") == 0)
    }

    @Test func `an upgrade finds out who spoke where, and takes the index of owners away`() throws {
        let number = Self.disks.wrappingAdd(1, ordering: .relaxed).newValue
        let disk = FaultVFS.register(name: "speakers-\(number)")
        defer { disk.unregister() }
        let (ada, ben) = (Identifier(high: 1, low: 1), Identifier(high: 1, low: 2))
        try { () throws in
            let old = try Store(
                directory: "/old", migrations: Registry.family.migrations.filter { $0.number < 101 },
                now: FamilyBox.start, files: .memory(disk))
            try old.beginTurn()
            for room in 1...2 as ClosedRange<Int64> {
                try old.database.run(
                    """
                    INSERT INTO rooms (number, id, owner, kind, last, audience)
                    VALUES (?, ?, zeroblob(16), 'group', zeroblob(16), 'members')
                    """, .int(room), .id(Identifier(high: 3, low: UInt64(room))))
            }
            // One of them is nobody's any more.
            let said = [(1, ada, ada), (1, ada, ada), (1, ben, ben), (2, ben, ben), (2, Chat.nobody, ada)]
            for (place, (room, owner, author)) in said.enumerated() {
                try old.database.run(
                    "INSERT INTO messages (in_room, id, owner, author, at, text) VALUES (?, ?, ?, ?, 1, 'Soup')",
                    Value(room), .id(Identifier(high: 2, low: UInt64(place))), .id(owner), .id(author))
            }
            try old.commitTurn()
        }()
        let store = try Store(
            directory: "/old", migrations: Registry.family.migrations, now: FamilyBox.start, files: .memory(disk))
        let speakers = try store.database.rows(
            "SELECT room, member, looked FROM room_speakers ORDER BY room, member"
        ) { row in
            "\(row.int("room")) \(row.identifier("member")) \(row.optionalIdentifier("looked") == nil)"
        }
        #expect(speakers == ["1 \(ada) true", "1 \(ben) true", "2 \(ben) true"])
        #expect(
            try store.database.rows("SELECT name FROM pragma_index_list('messages')") { row in row.text(0) }
                == ["messages_by_room"])
    }
}
