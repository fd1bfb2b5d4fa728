import KinCodec
import KinFamily
import KinModel
import Synchronization
import Testing

@testable import KinChat
@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinStore

/// A message writes no member's state: what is new to whom is counted when it is asked for. It is the same as if it had
/// been counted with each message.
@Suite struct UncountedTests {
    private static let disks = Atomic<Int>(0)

    /// A room, as the plain rules have it.
    private struct Talk {
        /// How a member stands to it.
        struct Own {
            let since: Identifier
            var upTo: Identifier?
        }

        var messages: [(id: Identifier, author: Identifier)] = []
        /// The newest message that there ever was.
        var last = Chat.nobody
        /// Those who are in it.
        var own: [Identifier: Own] = [:]

        mutating func said(_ id: Identifier, by author: Identifier) {
            messages.append((id: id, author: author))
            last = id
            own[author]?.upTo = id
        }

        mutating func read(_ upTo: Identifier, by member: Identifier) {
            guard let known = own[member], upTo > max(known.upTo ?? Chat.nobody, known.since) else { return }
            own[member]?.upTo = upTo
        }

        mutating func joined(_ member: Identifier) { own[member] = Own(since: last, upTo: nil) }

        /// What the member is told.
        func stand(of member: Identifier) -> OwnRoom? {
            guard let known = own[member] else { return nil }
            let mark = max(known.since, known.upTo ?? Chat.nobody)
            return OwnRoom(unread: messages.filter { $0.id > mark }.count, upTo: known.upTo)
        }
    }

    /// A family that talks in two rooms, by a deterministic chance.
    private final class Walk {
        let box: FamilyBox
        /// She is in both rooms all the time.
        let ada: FamilyBox.Person
        let guest: FamilyBox.Person
        let group: Identifier
        let family: Identifier
        private var people: [FamilyBox.Person]
        private var talks: [Identifier: Talk] = [:]
        private var dice: Dice
        private var words = 0

        init(seed: UInt64) throws {
            let box = try FamilyBox()
            let ada = try box.found()
            var people = [ada]
            for name in ["ben", "cleo", "dan"] { people.append(try box.join(name, by: ada)) }
            let guest = try box.join("gil", role: .guest, by: ada)
            people.append(guest)
            let others = people.dropFirst().map { JSON.id($0.id) }
            let opened = try box.call(ada, "room.open", ["with": .array(others), "name": "Soups"])
            let group = try #require(opened["room"]?["room"]?["id"]?.identifier)
            let rooms = try box.fresh(ada.id).rooms
            let family = try #require(rooms.values.first { $0.room.kind == .family }).room.id
            (self.box, self.ada, self.guest, self.group, self.family) = (box, ada, guest, group, family)
            self.people = people
            dice = Dice(state: seed)
            talks = [group: Talk(), family: Talk()]
            for person in people {
                talks[group]?.joined(person.id)
                if person.id != guest.id { talks[family]?.joined(person.id) }
            }
        }

        /// Something happens.
        ///
        /// - Returns: what it was.
        func step() throws -> String {
            box.clock = box.clock.adding(seconds: Int64(dice.roll(200)))
            let room = dice.roll(3) == 0 ? family : group
            let who = pick(inside(room))
            switch dice.roll(20) {
            case 0...4: return try say([(who, room)], "says")
            case 5:
                let some = (0...dice.roll(5)).map { _ in (pick(inside(room)), room) }
                return try say(some + [(ada, group)], "some say")
            case 6:
                let many = Int(Limits.messagesUncountedMax) + dice.roll(10)
                let listener = pick(inside(room))
                let others = inside(room).filter { $0.id != listener.id }
                let talkers = others.isEmpty ? [listener] : others
                return try say((0..<many).map { _ in (pick(talkers), room) }, "many say")
            case 7...9: return try read(who, room)
            case 10...12: return try remove(who, room)
            case 13: return try change(room)
            case 14: return try leave()
            case 15: return try join()
            case 16:
                let until: JSON = dice.roll(2) == 0 ? .null : .time(box.reading.wall.adding(seconds: 600))
                try box.call(
                    who, "room.set",
                    ["room": .id(room), "mutedUntil": until, "showsRead": .bool(dice.roll(2) == 0)])
                return "sets"
            case 17:
                try box.restart(after: 1)
                return "forgets"
            case 18: return try refused(who, room)
            default: return try leaveFamily()
            }
        }

        /// Each member is told what the plain rules say, and so is whoever asks for whom a message is the only new one.
        func compare(_ what: String) throws {
            let commit = try box.turn(all: people.map { box.request($0.credential, "room.list") })
            for (person, reply) in zip(people, commit.replies) {
                var told: [Identifier: OwnRoom] = [:]
                for json in try JSON.parse(reply.result.get())["rooms"]?.array ?? [] {
                    let seen = try #require(SeenRoom(json))
                    told[seen.room.id] = seen.own
                }
                for (room, talk) in talks {
                    let (own, right) = (told[room], talk.stand(of: person.id))
                    try #require(own?.unread == right?.unread, "\(what): \(String(describing: right))")
                    try #require(own?.upTo == right?.upTo, "\(what): \(String(describing: right))")
                }
            }
            for (room, talk) in talks { try compareOnlyNew(room, talk, what) }
        }

        private func compareOnlyNew(_ room: Identifier, _ talk: Talk, _ what: String) throws {
            guard let newest = talk.messages.last, newest.id == talk.last else { return }
            let number = try box.store.database.first("SELECT number FROM rooms WHERE id = ?", .id(room)) { row in
                row.int(0)
            }
            let found = try box.store.database.rows(
                """
                SELECT member, \(OwnStand.hasOnlyNewest) AS only FROM room_own
                WHERE room = ?1 AND ?2 AND ?3 AND member <> ?4
                """, .int(try #require(number)), .int(1), .int(1), .id(newest.author), .id(newest.id)
            ) { row in (member: row.identifier("member"), only: row.bool("only")) }
            for (member, only) in found {
                try #require(only == (talk.stand(of: member)?.unread == 1), "\(what): only one is new")
            }
        }

        // MARK: What happens

        private func pick<T>(_ some: [T]) -> T { some[dice.roll(some.count)] }

        private func inside(_ room: Identifier) -> [FamilyBox.Person] {
            people.filter { talks[room]?.own[$0.id] != nil }
        }

        private func send(_ who: FamilyBox.Person, _ room: Identifier) -> Request {
            words += 1
            return box.request(
                who.credential, "message.send", ["room": .id(room), "text": .string("Soup \(words)")])
        }

        /// All in one turn.
        private func say(_ all: [(FamilyBox.Person, Identifier)], _ what: String) throws -> String {
            let commit = try box.turn(all: all.map { send($0.0, $0.1) })
            for ((person, room), reply) in zip(all, commit.replies) {
                let id = try JSON.parse(reply.result.get())["message"]?["id"]?.identifier
                talks[room]?.said(try #require(id), by: person.id)
            }
            return "\(what), \(all.count)"
        }

        /// Between two messages one is refused after it was stored, for a picture that is not there.
        private func refused(_ who: FamilyBox.Person, _ room: Identifier) throws -> String {
            let bad: JSON.Object = ["room": .id(room), "text": "Soup", "pictures": [["picture": .id(room)]]]
            let commit = try box.turn(
                all: [send(who, room), box.request(who.credential, "message.send", bad), send(ada, room)])
            for (place, person) in [(0, who), (2, ada)] {
                let id = try JSON.parse(commit.replies[place].result.get())["message"]?["id"]?.identifier
                talks[room]?.said(try #require(id), by: person.id)
            }
            let answer = commit.replies[1].result
            #expect(throws: Rejection.self) { _ = try answer.get() }
            return "is refused"
        }

        private func read(_ who: FamilyBox.Person, _ room: Identifier) throws -> String {
            guard let talk = talks[room], !talk.messages.isEmpty else { return "reads nothing" }
            let upTo = dice.roll(3) == 0 ? talk.last : pick(talk.messages).id
            try box.call(who, "message.read", ["room": .id(room), "upTo": .id(upTo)])
            talks[room]?.read(upTo, by: who.id)
            return "reads"
        }

        /// Admins remove what others said. The newest message is removed often.
        private func remove(_ who: FamilyBox.Person, _ room: Identifier) throws -> String {
            guard let talk = talks[room], let newest = talk.messages.last else { return "removes nothing" }
            let message = dice.roll(2) == 0 ? newest : pick(talk.messages)
            let isAuthor = message.author == who.id && talk.own[who.id].map { message.id > $0.since } == true
            try box.call(
                isAuthor ? who : ada, "message.remove", ["room": .id(room), "message": .id(message.id)])
            talks[room]?.messages.removeAll { $0.id == message.id }
            return "removes"
        }

        private func change(_ room: Identifier) throws -> String {
            guard let talk = talks[room], !talk.messages.isEmpty else { return "changes nothing" }
            let message = pick(talk.messages)
            guard let author = people.first(where: { $0.id == message.author }), let own = talk.own[author.id],
                message.id > own.since
            else { return "changes nothing" }
            words += 1
            try box.call(
                author, "message.update",
                ["room": .id(room), "message": .id(message.id), "text": .string("Soup \(words)")])
            return "changes"
        }

        private func leave() throws -> String {
            let others = inside(group).filter { $0.id != ada.id }
            guard !others.isEmpty else { return "leaves nothing" }
            let who = pick(others)
            try box.call(who, "room.leave", ["room": .id(group)])
            talks[group]?.own[who.id] = nil
            return "leaves"
        }

        private func join() throws -> String {
            let outside = people.filter { talks[group]?.own[$0.id] == nil }
            guard !outside.isEmpty else { return "joins nothing" }
            let who = pick(outside)
            try box.call(ada, "room.update", ["room": .id(group), "add": [.id(who.id)]])
            talks[group]?.joined(who.id)
            return "joins"
        }

        /// One leaves the family and takes along what was said, or not. Another comes.
        private func leaveFamily() throws -> String {
            let who = pick(people.filter { $0.id != ada.id && $0.id != guest.id })
            let isTaking = dice.roll(3) > 0
            try box.call(ada, "member.remove", ["member": .id(who.id), "keep": isTaking ? "delete" : "hand-over"])
            people.removeAll { $0.id == who.id }
            for room in [group, family] {
                talks[room]?.own[who.id] = nil
                if isTaking { talks[room]?.messages.removeAll { $0.author == who.id } }
            }
            words += 1
            let new = try box.join("m\(words)", by: ada)
            people.append(new)
            talks[family]?.joined(new.id)
            return isTaking ? "takes along" : "leaves behind"
        }
    }

    private func family() throws -> (
        box: FamilyBox, ada: FamilyBox.Person, ben: FamilyBox.Person, cleo: FamilyBox.Person, room: Identifier
    ) {
        let box = try FamilyBox()
        let ada = try box.found()
        let (ben, cleo) = (try box.join("ben", by: ada), try box.join("cleo", by: ada))
        let room = try #require(try box.fresh(ada.id).rooms.values.first { $0.room.kind == .family }).room.id
        return (box, ada, ben, cleo, room)
    }

    /// Somebody says something so many times, in one turn.
    private func say(
        _ box: FamilyBox, _ person: FamilyBox.Person, _ room: Identifier, times count: Int64 = 1
    ) throws {
        let said: JSON.Object = ["room": .id(room), "text": "Soup"]
        let commit = try box.turn(all: (0..<count).map { _ in box.request(person.credential, "message.send", said) })
        for reply in commit.replies { _ = try reply.result.get() }
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func `what is new to each member is what a plain count says, whatever is said, read, removed and left`(
        seed: UInt64
    ) throws {
        let walk = try Walk(seed: seed)
        try walk.compare("the beginning of \(seed)")
        for number in 1...50 {
            let what = try walk.step()
            try walk.compare("seed \(seed), step \(number), somebody \(what)")
        }
    }

    @Test func `a message writes no member's state, until so many are not counted that all of them are`() throws {
        let (box, ada, ben, _, room) = try family()
        let own = TableSet(["room_own"])
        func uncounted() throws -> Int64 {
            try box.count(
                """
                SELECT count(*) FROM messages m
                WHERE m.id > (SELECT min(o.counted) FROM room_own o WHERE o.room = m.in_room)
                """)
        }
        func stored() throws -> Int64 {
            try box.store.database.first("SELECT max(unread) FROM room_own WHERE member = ?", .id(ben.id)) { row in
                row.int(0)
            } ?? 0
        }
        // By the first one the others' inboxes are told.
        try say(box, ada, room)
        let written = box.store.database.writes(to: own)
        try say(box, ada, room, times: Limits.messagesUncountedMax - 2)
        #expect(box.store.database.writes(to: own) == written)
        #expect(try uncounted() == Limits.messagesUncountedMax - 1 && stored() == 0)
        #expect(try box.fresh(ben.id).rooms[room]?.own.unread == Int(Limits.messagesUncountedMax - 1))
        try say(box, ada, room)
        #expect(box.store.database.writes(to: own) > written)
        #expect(try uncounted() == 0 && stored() == Limits.messagesUncountedMax)
        try say(box, ada, room)
        #expect(try uncounted() == 1 && stored() == Limits.messagesUncountedMax)
        #expect(try box.fresh(ben.id).rooms[room]?.own.unread == Int(Limits.messagesUncountedMax + 1))
    }

    /// Whether the inbox told somebody something new since the last time this was asked.
    private func isTold(_ box: FamilyBox, _ person: FamilyBox.Person) -> Bool {
        box.toldByInbox(person).contains { $0.type == "activity.added" }
    }

    @Test func `who has read all, by an answer too, is told of the next message; who has not looked, once`() throws {
        let (box, ada, ben, cleo, room) = try family()
        try box.readAll(ada, ben, cleo)
        func told() -> [Bool] { [ada, ben, cleo].map { isTold(box, $0) } }
        try say(box, ada, room)
        #expect(told() == [false, true, true])
        try say(box, ada, room, times: 2)
        #expect(told() == [false, false, false])
        // Ben has read by answering. Cleo has not looked.
        try say(box, ben, room)
        #expect(told() == [true, false, false])
        try say(box, ada, room)
        #expect(told() == [false, true, false])
        try say(box, ada, room)
        #expect(told() == [false, false, false])
        // So it is for all that the daemon remembers, and for what it does not.
        try say(box, ben, room, times: 2)
        #expect(told() == [true, false, false])
        try box.restart()
        try say(box, ada, room)
        #expect(told() == [false, true, false])
        let last = try #require(try box.fresh(cleo.id).rooms[room]?.last).id
        try box.call(cleo, "message.read", ["room": .id(room), "upTo": .id(last)])
        _ = told()
        try say(box, ada, room)
        #expect(told() == [false, false, true])
        box.clock = box.clock.adding(seconds: Limits.messageQuietSeconds + 1)
        try say(box, ada, room)
        #expect(told() == [false, true, true])
    }

    @Test func `who has read everything is told of the message with which all are counted`() throws {
        let (box, ada, ben, cleo, room) = try family()
        try say(box, ada, room, times: Limits.messagesUncountedMax - 2)
        try say(box, ben, room)
        for person in [ada, ben, cleo] { _ = isTold(box, person) }
        try say(box, ada, room)
        #expect(try box.count("SELECT count(*) FROM room_own WHERE up_to IS NOT NULL") == 2, "they are counted")
        #expect(isTold(box, ben) && !isTold(box, cleo))
        #expect(try box.fresh(ben.id).rooms[room]?.own.unread == 1)
    }

    @Test func `who has nothing new because it was removed is told of the next message`() throws {
        let (box, ada, ben, _, room) = try family()
        try say(box, ada, room)
        #expect(isTold(box, ben))
        let first = try #require(try box.fresh(ben.id).rooms[room]?.last).id
        try box.call(ada, "message.remove", ["room": .id(room), "message": .id(first)])
        #expect(try box.fresh(ben.id).rooms[room]?.own.unread == 0)
        _ = isTold(box, ben)
        try say(box, ada, room)
        #expect(isTold(box, ben))
        try say(box, ada, room)
        #expect(!isTold(box, ben))
    }

    @Test func `a member's state and who has read how far are found along a room's index`() throws {
        let box = try FamilyBox()
        let plan = try box.store.database.rows(
            """
            EXPLAIN QUERY PLAN SELECT \(OwnStand.unread), \(OwnStand.upTo) FROM \(OwnStand.rows)
            WHERE o.room = 1 AND o.member = zeroblob(16)
            """, map: { $0.text(3) })
        #expect(plan.contains { $0.hasPrefix("SEARCH o USING PRIMARY KEY (room=? AND member=?)") }, "\(plan)")
        #expect(plan.contains("SEARCH m USING INDEX messages_by_room (in_room=? AND id>?)"), "\(plan)")
        #expect(!plan.contains { $0.contains("TEMP B-TREE") || $0.hasPrefix("SCAN") }, "\(plan)")
    }

    @Test func `after an upgrade the same is new to each as before, and what follows is counted later`() throws {
        let number = Self.disks.wrappingAdd(1, ordering: .relaxed).newValue
        let disk = FaultVFS.register(name: "uncounted-\(number)")
        defer { disk.unregister() }
        let (ada, ben) = (Identifier(high: 1, low: 1), Identifier(high: 1, low: 2))
        func message(_ low: UInt64) -> Identifier { Identifier(high: 2, low: low) }
        func say(_ low: UInt64, _ author: Identifier, _ database: Database) throws {
            try database.run(
                "INSERT INTO messages (in_room, id, owner, author, at, text) VALUES (1, ?1, ?2, ?2, 1, 'Soup')",
                .id(message(low)), .id(author))
        }
        try { () throws in
            let old = try Store(
                directory: "/old", migrations: Registry.family.migrations.filter { $0.number < 102 },
                now: FamilyBox.start, files: .memory(disk))
            try old.beginTurn()
            // In the second room nothing is left of what was said.
            for room in 1...2 as ClosedRange<Int64> {
                try old.database.run(
                    """
                    INSERT INTO rooms (number, id, owner, kind, last, audience)
                    VALUES (?, ?, zeroblob(16), 'group', ?, 'members')
                    """, .int(room), .id(Identifier(high: 3, low: UInt64(room))), .id(message(4)))
                for (member, unread, upTo) in [(ada, 0, message(4)), (ben, room == 1 ? 2 : 0, message(1))] {
                    try old.database.run(
                        """
                        INSERT INTO room_own (room, member, since, up_to, unread, shows_read)
                        VALUES (?, ?, zeroblob(16), ?, ?, 0)
                        """, .int(room), .id(member), .id(upTo), Value(unread))
                }
            }
            // The fourth, which is Ada's, was removed.
            for (low, author) in [(1, ben), (2, ada), (3, ada)] as [(UInt64, Identifier)] {
                try say(low, author, old.database)
            }
            try old.commitTurn()
        }()
        let store = try Store(
            directory: "/old", migrations: Registry.family.migrations, now: FamilyBox.start, files: .memory(disk))
        func stand(_ member: Identifier, in room: Int64 = 1) throws -> OwnRoom? {
            try OwnStand.find(member, in: room, store.database)?.own
        }
        #expect(try stand(ada) == OwnRoom(unread: 0, upTo: message(4)))
        #expect(try stand(ben) == OwnRoom(unread: 2, upTo: message(1)))
        #expect(try stand(ada, in: 2) == OwnRoom(unread: 0, upTo: message(4)))
        #expect(try stand(ben, in: 2) == OwnRoom(unread: 0, upTo: message(1)))
        try store.beginTurn()
        try say(5, ada, store.database)
        #expect(try stand(ada) == OwnRoom(unread: 0, upTo: message(5)))
        #expect(try stand(ben) == OwnRoom(unread: 3, upTo: message(1)))
        try say(6, ben, store.database)
        #expect(try stand(ada) == OwnRoom(unread: 1, upTo: message(5)))
        #expect(try stand(ben) == OwnRoom(unread: 0, upTo: message(6)))
        try store.commitTurn()
    }
}
