import KinModel
import Testing

@testable import KinChat
@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinStore

/// A room in which two have talked for ten years: what is asked of it every day costs what it cost on the first one.
@Suite struct LongTalkTests {
    /// In ten years, one every twenty-six minutes.
    private static let count: Int64 = 200_000
    private static let apartMilliseconds: Int64 = 1_577_000

    private let box: FamilyBox
    private let ada: FamilyBox.Person
    private let ben: FamilyBox.Person
    private let room: Identifier

    init() throws {
        box = try FamilyBox()
        ada = try box.found()
        ben = try box.join("ben", by: ada)
        room = try #require(try box.fresh(ada.id).rooms.values.first { $0.room.kind == .family }).room.id
    }

    /// The identifier of a message of those years: in their order, and older than any that is made now.
    private func message(_ number: Int64) -> Identifier {
        let digits = String(repeating: "0", count: 14 - String(number).utf8.count) + String(number)
        return Identifier(bytes: [0x01, 0x90] + Array(digits.utf8)) ?? Chat.nobody
    }

    /// Ada says the odd ones, Ben the even ones, or each so many-th: the last is Ben's, and new to Ada.
    private func talk(_ count: Int64 = LongTalkTests.count, bensEach apart: Int64 = 2) throws {
        let database = box.store.database
        let number = try #require(
            try database.first("SELECT number FROM rooms WHERE id = ?", .id(room)) { row in row.int(0) })
        try database.begin()
        try database.run(
            """
            WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ?1)
            INSERT INTO messages (in_room, id, owner, author, at, text)
            SELECT ?2, CAST(CAST(x'0190' AS TEXT) || printf('%014d', n) AS BLOB), iif(n % ?7, ?3, ?4),
                iif(n % ?7, ?3, ?4), ?5 - (?1 - n) * ?6, 'Soup of day ' || n FROM n
            """, .int(count), .int(number), .id(ada.id), .id(ben.id), .time(box.clock),
            .int(Self.apartMilliseconds), .int(apart))
        for person in [ada, ben] {
            try database.run(
                "INSERT OR IGNORE INTO room_speakers (member, room) VALUES (?, ?)", .id(person.id), .int(number))
        }
        try database.run(
            """
            INSERT INTO searched (place, kind, number, id, author, within, is_day)
            SELECT at * 32768, 'message', number, id, author, ?1, 0 FROM messages
            """, .text(Chat.about(room)))
        try database.run(
            """
            INSERT INTO search_words (rowid, title, text, spelled, kind)
            SELECT at * 32768, '', text, '', 'message message' || in_room FROM messages
            """)
        try database.run("UPDATE rooms SET last = ? WHERE number = ?", .id(message(count)), .int(number))
        try database.run(
            """
            UPDATE room_own SET up_to = iif(member = ?1, ?2, ?3), unread = (member = ?1), counted = ?3 WHERE room = ?4
            """, .id(ada.id), .id(message(count - 1)), .id(message(count)), .int(number))
        try database.commit()
        // They are in the index already.
        _ = database.takeChangedRows()
        box.forgetFollowers()
    }

    private func texts(_ params: JSON.Object = [:], _ method: String = "message.list") throws -> [String] {
        let answer = try box.call(ada, method, params)
        return (answer["messages"]?.array ?? []).compactMap { $0["text"]?.string }
    }

    /// Statements that a request takes, of two in a row the second: what the first one told nobody is told again.
    private func cost(_ method: String, _ params: JSON.Object) throws -> Int {
        try box.call(ada, method, params)
        let before = box.store.database.statementCount
        let commit = box.keeper.turn([box.request(ada.credential, method, params)], clock: box.reading)
        guard case .success? = commit.replies.first?.result else { throw StoreFailure.transactionGone }
        defer { box.forgetFollowers() }
        return box.store.database.statementCount - before
    }

    @Test func `a page, a message, its words and a mark cost after ten years what they did on the first day`() throws {
        let page: JSON.Object = ["room": .id(room), "limit": 3]
        let said: JSON.Object = ["room": .id(room), "text": "And today"]
        for number in 1...4 {
            try box.call(ben, "message.send", ["room": .id(room), "text": .string("Day \(number)")])
        }
        let young = (page: try cost("message.list", page), sent: try cost("message.send", said))
        let small = try box.fresh(ada.id).rooms.values.map { $0.json.bytes.count }.reduce(0, +)
        try box.store.database.run("DELETE FROM messages")
        try box.store.database.run("DELETE FROM searched WHERE kind = 'message'")
        try box.store.database.run("DELETE FROM search_words WHERE rowid NOT IN (SELECT place FROM searched)")
        try talk()
        #expect(try cost("message.list", page) <= young.page)
        let large = try box.fresh(ada.id).rooms.values.map { $0.json.bytes.count }.reduce(0, +)
        #expect(large <= small + 100, "a snapshot has the last message of a room, and no more")
        #expect(try box.fresh(ada.id).rooms[room]?.last?.text == "Soup of day 200000")
        #expect(try texts(page) == ["Soup of day 199998", "Soup of day 199999", "Soup of day 200000"])
        // From the middle, and down to the first one.
        #expect(
            try texts(["room": .id(room), "limit": 2, "before": .id(message(77_777))])
                == ["Soup of day 77775", "Soup of day 77776"])
        let first = try box.call(ada, "message.list", ["room": .id(room), "limit": 3, "before": .id(message(4))])
        #expect(first["messages"]?.array?.count == 3 && first["next"] == nil)
        // A word that each of them has, and one that one has.
        let newest = try texts(["words": "soup", "limit": 2], "message.search")
        #expect(newest == ["Soup of day 200000", "Soup of day 199999"])
        #expect(try texts(["words": "day 77777"], "message.search") == ["Soup of day 77777"])
        #expect(try cost("message.send", said) <= young.sent + 2)
        let sent = try #require(try box.call(ben, "message.send", said)["message"]?["id"]?.identifier)
        #expect(sent > message(Self.count))
        try box.call(ada, "message.read", ["room": .id(room), "upTo": .id(sent)])
        #expect(try box.fresh(ada.id).rooms[room]?.own.unread == 0)
    }

    @Test func `one of ten years is changed and removed as one of today, and who comes sees none of them`() throws {
        try talk()
        let old: JSON.Object = ["room": .id(room), "message": .id(message(77_777))]
        var changed = old
        changed["text"] = "Soup with dumplings"
        try box.call(ada, "message.update", changed)
        #expect(try texts(["words": "dumplings"], "message.search") == ["Soup with dumplings"])
        try box.call(ada, "message.remove", old)
        #expect(try texts(["words": "dumplings"], "message.search") == [])
        #expect(
            try texts(["room": .id(room), "limit": 2, "before": .id(message(77_779))])
                == ["Soup of day 77776", "Soup of day 77778"])
        let cleo = try box.join("cleo", by: ada)
        #expect(try box.fresh(cleo.id).rooms[room]?.last == nil)
        #expect(try box.call(cleo, "message.list", ["room": .id(room)])["messages"] == [])
        #expect(try box.call(cleo, "message.search", ["words": "soup"])["messages"] == [])
    }

    @Test func `whom the messages beside a removed one name is looked up once for all readers`() throws {
        for name in ["cleo", "dan", "eve"] { _ = try box.join(name, by: ada) }
        let count = 60
        func removal(beside text: String) throws -> Int {
            var last: JSON = .null
            for number in 1...count {
                let said: JSON.Object = ["room": .id(room), "text": .string("\(text) \(number)")]
                last = try #require(try box.call(ada, "message.send", said)["message"]?["id"])
            }
            let removed = box.request(ada.credential, "message.remove", ["room": .id(room), "message": last])
            let before = box.store.database.statementCount
            let commit = box.keeper.turn([removed], clock: box.reading)
            guard case .success? = commit.replies.first?.result else { throw StoreFailure.transactionGone }
            defer { box.forgetFollowers() }
            return box.store.database.statementCount - before
        }
        let plain = try removal(beside: "Soup")
        #expect(try removal(beside: "Soup for @cleo") < plain + 2 * count)
    }

    @Test func `who leaves takes years of words along, and what others said stays`() throws {
        try talk(20_000)
        try box.call(ada, "member.remove", ["member": .id(ben.id), "keep": "delete"])
        for _ in 0..<20 { try box.wait(seconds: 1) }
        #expect(try box.count("SELECT count(*) FROM messages") == 10_000)
        #expect(try texts(["room": .id(room), "limit": 2]) == ["Soup of day 19997", "Soup of day 19999"])
        #expect(try texts(["words": "day 7778"], "message.search") == [])
        #expect(try texts(["words": "day 7777"], "message.search") == ["Soup of day 7777"])
        #expect(try box.fresh(ada.id).rooms[room]?.own.unread == 0)
    }

    /// Rows that a turn changes.
    private func written(_ body: () throws -> Void) throws -> Int64 {
        let before = try box.count("SELECT total_changes()")
        try body()
        return try box.count("SELECT total_changes()") - before
    }

    @Test func `thousands of words of who leaves are out of sight at once, and go in turns, after a restart too`()
        throws
    {
        try talk(40_000)
        try box.call(ben, "message.send", ["room": .id(room), "text": "Xyzzyplugh"])
        _ = box.heard(ada)
        let last = message(40_000)
        let most = Int64(Limits.messagesPerTurnMax)
        let first = try written {
            let remove = box.request(ada.credential, "member.remove", ["member": .id(ben.id), "keep": "delete"])
            _ = try #require(try box.turn(remove).replies.first).result.get()
        }
        #expect(first < 40 * most, "\(first)")
        let heard = box.types(ada)
        #expect(heard.contains("message.cleared") && !heard.contains("message.removed"))
        #expect(try box.count("SELECT count(*) FROM messages") > 35_000)
        // In no answer, though nearly all of it is there still.
        func isUnseen() throws {
            #expect(try texts(["room": .id(room), "limit": 2]) == ["Soup of day 39997", "Soup of day 39999"])
            #expect(try texts(["words": "day 37778"], "message.search") == [])
            #expect(try texts(["words": "xyzzyplugh"], "message.search") == [])
            #expect(try box.fresh(ada.id).rooms[room]?.last?.text == "Soup of day 39999")
            let old: JSON.Object = ["room": .id(room), "message": .id(last)]
            #expect(try box.refusal(ada, "message.remove", old)?.kind == .notFound)
            var answer: JSON.Object = ["room": .id(room), "text": "Yes"]
            answer["reply"] = .id(last)
            #expect(try box.refusal(ada, "message.send", answer)?.kind == .notFound)
            #expect(try box.fresh(ada.id).inbox.entries.allSatisfy { !$0.about.hasPrefix("room/") })
        }
        try isUnseen()
        try box.restart(after: 1)
        try isUnseen()
        var turns = 0
        while try box.count("SELECT count(*) FROM message_leavers") > 0 {
            let more = try written { try box.wait(seconds: 0) }
            turns += 1
            #expect(more < 40 * most, "turn \(turns)")
            try #require(turns < 200)
        }
        #expect(turns > 2)
        #expect(try box.count("SELECT count(*) FROM messages") == 20_000)
        #expect(try box.count("SELECT count(*) FROM searched WHERE kind = 'message'") == 20_000)
        #expect(try box.fresh(ada.id).rooms[room]?.own.unread == 0)
        #expect(try box.count("SELECT count(*) FROM due WHERE kind = 'messagesOfLeaver'") == 0)
    }

    @Test func `what others said is looked at once for who leaves, so much in a turn, and goes on after a restart`()
        throws
    {
        let most = Int64(Limits.messagesLookedAtPerTurnMax)
        let count = 12 * most
        try talk(count, bensEach: most / 2)
        /// The messages that were not looked at yet.
        func unseen() throws -> Int64 {
            try box.count(
                """
                SELECT count(*) FROM messages m, room_speakers s
                WHERE s.looked IS NOT NULL AND m.in_room = s.room AND m.id < s.looked
                """)
        }
        let remove = box.request(ada.credential, "member.remove", ["member": .id(ben.id), "keep": "delete"])
        _ = try #require(try box.turn(remove).replies.first).result.get()
        var left = try unseen()
        #expect((count - 2 * most..<count).contains(left), "\(left)")
        try box.restart(after: 1)
        let restarted = try unseen()
        #expect((left - 2 * most..<left).contains(restarted), "\(restarted)")
        // Those that were not looked at yet are out of sight, too.
        let old: JSON.Object = ["room": .id(room), "limit": 1, "before": .id(message(most / 2 + 1))]
        #expect(try texts(old) == ["Soup of day \(most / 2 - 1)"])
        left = try unseen()
        var turns = 0
        while try box.count("SELECT count(*) FROM message_leavers") > 0 {
            try box.wait(seconds: 0)
            let now = try unseen()
            #expect(now < left && left - now <= 2 * most, "turn \(turns)")
            left = now
            turns += 1
            try #require(turns < 20)
        }
        #expect(turns > 0)
        #expect(try texts(["room": .id(room), "limit": 1]) == ["Soup of day \(count - 1)"])
        #expect(try box.count("SELECT count(*) FROM messages") == count - 24)
        #expect(try box.count("SELECT count(*) FROM room_speakers") == 1)
        #expect(try box.count("SELECT count(*) FROM due WHERE kind = 'messagesOfLeaver'") == 0)
        #expect(try box.fresh(ada.id).rooms[room]?.own.unread == 0)
    }

    @Test func `of two who leave at once one takes everything along, and what the other said stays`() throws {
        try talk(10_000)
        let cleo = try box.join("cleo", by: ada)
        for text in ["Porridge", "Dumplings"] as [JSON] {
            try box.call(cleo, "message.send", ["room": .id(room), "text": text])
        }
        let removals = [(ben, "delete" as JSON), (cleo, "hand-over")].map { person, keep in
            box.request(ada.credential, "member.remove", ["member": .id(person.id), "keep": keep])
        }
        for reply in try box.turn(all: removals).replies { _ = try reply.result.get() }
        for _ in 0..<20 { try box.wait(seconds: 1) }
        #expect(try texts(["room": .id(room), "limit": 3]) == ["Soup of day 9999", "Porridge", "Dumplings"])
        #expect(try box.count("SELECT count(*) FROM messages") == 5002)
        #expect(try box.count("SELECT count(*) FROM messages WHERE owner <> author") == 2)
        #expect(try box.count("SELECT count(*) FROM room_speakers") == 1)
    }

    @Test func `what was said in a room that everybody left is seen by nobody, and goes in turns with it`() throws {
        let params: JSON.Object = ["with": [.id(ben.id)], "name": "Soups"]
        let opened = try box.call(ada, "room.open", params)["room"]?["room"]?["id"]
        let group = try #require(opened?.identifier)
        let count = Int64(3 * Limits.messagesPerTurnMax)
        try box.store.beginTurn()
        try box.store.database.run(
            """
            WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ?1)
            INSERT INTO messages (in_room, id, owner, author, at, text)
            SELECT r.number, CAST(CAST(x'0190' AS TEXT) || printf('%014d', n) AS BLOB), ?2, ?2, n, 'Soup ' || n
            FROM n, rooms r WHERE r.id = ?3
            """, .int(count), .id(ada.id), .id(group))
        try box.store.database.run(
            """
            UPDATE room_own SET up_to = ?1, unread = 0, counted = ?1
            WHERE room = (SELECT number FROM rooms WHERE id = ?2)
            """, .id(message(count)), .id(group))
        try box.store.database.run("UPDATE rooms SET last = ?1 WHERE id = ?2", .id(message(count)), .id(group))
        try box.store.commitTurn()
        _ = box.store.database.takeChangedRows()
        box.forgetFollowers()
        try box.call(ada, "room.leave", ["room": .id(group)])
        let leave = box.request(ben.credential, "room.leave", ["room": .id(group)])
        _ = try #require(try box.turn(leave).replies.first).result.get()
        #expect(try box.count("SELECT count(*) FROM messages") > 0)
        for person in [ada, ben] {
            #expect(try box.refusal(person, "message.list", ["room": .id(group)])?.kind == .notFound)
            #expect(try box.fresh(person.id).rooms[group] == nil)
        }
        for _ in 0..<5 { try box.wait(seconds: 1) }
        #expect(try box.count("SELECT count(*) FROM messages") == 0)
        #expect(try box.count("SELECT count(*) FROM rooms WHERE kind = 'group'") == 0)
    }

    @Test func `what who leaves said to others stays in sight all the while it becomes nobody's`() throws {
        try talk(20_000)
        let remove = box.request(ada.credential, "member.remove", ["member": .id(ben.id), "keep": "hand-over"])
        _ = try #require(try box.turn(remove).replies.first).result.get()
        let done = try box.count("SELECT count(*) FROM messages WHERE owner <> author")
        #expect((1...2 * Int64(Limits.messagesPerTurnMax)).contains(done), "\(done)")
        #expect(try texts(["room": .id(room), "limit": 2]) == ["Soup of day 19999", "Soup of day 20000"])
        for _ in 0..<20 { try box.wait(seconds: 1) }
        #expect(try texts(["room": .id(room), "limit": 2]) == ["Soup of day 19999", "Soup of day 20000"])
        #expect(try box.count("SELECT count(*) FROM messages WHERE owner <> author") == 10_000)
        #expect(try box.count("SELECT count(*) FROM messages") == 20_000)
    }
}
