import KinKeeper
import KinModel
import KinStore

/// Messages when somebody leaves or a room ends: some are handled in each turn, so that nobody waits for years of them.
extension Chat {
    /// Due while there are messages of a member who left and took them along.
    static let leaverEnd = "messagesOfLeaver"
    /// Due while messages that stay still belong to a member who left.
    static let leftBehind = "messagesLeftBehind"
    /// Due while something is left of a room that has no members any more.
    static let roomEnd = "messagesOfRoom"

    /// The condition on a row `m` of the messages that its author has not left with all of them: those that are not gone yet
    /// are seen by nobody. Whatever is read of messages for somebody asks it.
    static let isThere = "NOT EXISTS (SELECT 1 FROM message_leavers l WHERE l.member = m.owner)"

    /// A member leaves the family, and what the member said stays. Rooms that are empty then are removed.
    static func leave(_ member: Identifier, isTaking: Bool, _ act: Act) throws(Rejection) {
        if !isTaking {
            try leaveBehind(member, act)
        } else if try !act.isPlanned(leftBehind, about: member.description) {
            // Else what was left behind stays: it is only not yet nobody's.
            try takeAlong(member, act)
        }
        for number in try act.rows(
            "SELECT room FROM room_sight WHERE member = ? ORDER BY room", .id(member), map: { row in row.int(0) })
        {
            guard var room = try StoredRoom.find(number, act) else { continue }
            try room.lose(member, act)
        }
    }

    /// Messages that stay lose their owner.
    static func leaveBehind(_ member: Identifier, _ act: Act) throws(Rejection) {
        let isOver = try goOn(with: member, act) { (numbers, _) throws(Rejection) in
            try act.run(
                "UPDATE messages SET owner = ?1 WHERE number IN (SELECT value FROM json_each(?2))", .id(nobody),
                StoredMessage.list(numbers))
        }
        try act.plan(leftBehind, about: member.description, at: isOver ? nil : act.now)
    }

    /// A member takes along all that the member said. Nobody sees any of it from this turn on: a row about its author takes
    /// all of it out of sight, and the log and the inboxes have none of it.
    private static func takeAlong(_ member: Identifier, _ act: Act) throws(Rejection) {
        guard try !spokenIn(member, act).isEmpty else { return }
        try act.run("INSERT OR IGNORE INTO message_leavers (member) VALUES (?)", .id(member))
        let begun = try removeSome(of: member, act)
        // Of a room that is done and had nothing left of the member there is nothing to tell.
        let numbers = begun.union(try spokenIn(member, act))
        guard !numbers.isEmpty else { return }
        for number in numbers.sorted() {
            guard let room = try StoredRoom.find(number, act) else { continue }
            let about = Chat.about(room.wire.id)
            let logged = try act.logged(
                about: about + "/", types: [Message.sent, Message.updated],
                containing: "\"author\":\"\(member)\"")
            try act.erase(rows: logged.map(\.position))
            let others = try room.seers(act).subtracting(try act.roster.only(member))
            try act.emit(Message.cleared, .init(room: room.wire.id, author: member), about: about, to: others)
            try StoredMessage.forgetTitles(of: room.wire.id, others, act)
            try OwnStand.tellAll(in: room, act)
        }
        // Results that others found before are found anew.
        act.takeSightOfAll()
    }

    /// The rooms in which a member may have said something that is still there as the member's own.
    private static func spokenIn(_ member: Identifier, _ act: Act) throws(Rejection) -> [Int64] {
        try act.rows("SELECT room FROM room_speakers WHERE member = ?", .id(member)) { row in row.int(0) }
    }

    /// Removes messages of a member who left, as many as a turn takes: in each room the newest first, because those are
    /// looked at most.
    ///
    /// - Returns: the rooms that some were removed from.
    @discardableResult
    static func removeSome(of member: Identifier, _ act: Act) throws(Rejection) -> Set<Int64> {
        var rooms: Set<Int64> = []
        let isOver = try goOn(with: member, act) { (numbers, room) throws(Rejection) in
            try StoredMessage.remove(numbers, in: room, act)
            rooms.insert(room)
        }
        if isOver { try act.run("DELETE FROM message_leavers WHERE member = ?", .id(member)) }
        try act.plan(leaverEnd, about: member.description, at: isOver ? nil : act.now)
        return rooms
    }

    /// Goes on with what a member said, room by room, as far as a turn takes. No index says whose a message is: every
    /// message would pay for it, and it is asked for only when somebody leaves. So all that was said in the rooms in
    /// which the member spoke is looked at, each message once. The row of a room says how far that went, and goes when
    /// the room is done.
    ///
    /// - Parameter settle: is called with some of the member's messages and their room.
    /// - Returns: whether nothing is left.
    private static func goOn(
        with member: Identifier, _ act: Act,
        _ settle: (_ numbers: [Int64], _ room: Int64) throws(Rejection) -> Void
    ) throws(Rejection) -> Bool {
        var (looks, most) = (Limits.messagesLookedAtPerTurnMax, Limits.messagesPerTurnMax)
        let rooms = try act.rows(
            "SELECT room, looked FROM room_speakers WHERE member = ? ORDER BY room", .id(member)
        ) { row in (number: row.int("room"), looked: row.optionalIdentifier("looked")) }
        for room in rooms {
            guard looks > 0, most > 0 else { return false }
            let found = try act.ask { (database) throws(StoreFailure) in
                try Stretch(of: member, in: room.number, before: room.looked, looks: looks, most: most, database)
            }
            if !found.numbers.isEmpty { try settle(found.numbers, room.number) }
            guard found.isLast else {
                try act.run(
                    "UPDATE room_speakers SET looked = ? WHERE member = ? AND room = ?", Value(found.end), .id(member),
                    .int(room.number))
                return false
            }
            try act.run("DELETE FROM room_speakers WHERE member = ? AND room = ?", .id(member), .int(room.number))
            // A room with few messages takes some of the turn, too.
            looks -= max(found.looks, 1)
            most -= found.numbers.count
        }
        return true
    }

    /// A stretch of what was said in a room, looked through for what one member said there.
    struct Stretch {
        /// The member's messages, the newest first.
        private(set) var numbers: [Int64] = []
        /// How many messages were looked at.
        private(set) var looks = 0
        /// The oldest of them.
        private(set) var end: Identifier?
        /// Whether nothing older is in the room.
        private(set) var isLast = true

        /// Looks at a room's messages before one of them, at no more than so many, and until so many of the member's
        /// are found.
        init(
            of member: Identifier, in room: Int64, before: Identifier?, looks mostLooks: Int, most: Int,
            _ database: Database
        ) throws(StoreFailure) {
            let begin = before ?? Identifier(high: .max, low: .max)
            try database.each(Self.rows, .int(room), .id(begin)) { (row) throws(StoreFailure) in
                guard looks < mostLooks, numbers.count < most else {
                    isLast = false
                    return false
                }
                looks += 1
                end = row.identifier("id")
                if row.identifier("owner") == member { numbers.append(row.int("number")) }
                return true
            }
        }

        /// A room's messages before one of them, the newest first.
        static let rows = "SELECT id, number, owner FROM messages WHERE in_room = ? AND id < ? ORDER BY id DESC"
    }
}

extension StoredMessage {
    /// The numbers of messages as a list in JSON, for a statement.
    static func list(_ numbers: some Sequence<Int64>) -> Value {
        .text(JSON.array(numbers.map { .int($0) }).text)
    }

    /// Removes messages that nobody sees from a room. A member who had them counted as new is told the new count.
    static func remove(_ numbers: some Sequence<Int64>, in room: Int64, _ act: Act) throws(Rejection) {
        try OwnStand.count(in: room, act)
        let list = Self.list(numbers)
        let new = """
            SELECT count(*) FROM json_each(?2) j CROSS JOIN messages m ON m.number = j.value
            WHERE m.id > max(room_own.since, coalesce(room_own.up_to, room_own.since))
            """
        let counted = try act.rows(
            """
            UPDATE room_own SET told_at = NULL, unread = unread - (\(new))
            WHERE room = ?1 AND unread > 0 AND (\(new)) > 0 RETURNING member
            """, .int(room), list
        ) { row in row.identifier(0) }
        try forget(list, in: room, act)
        guard !counted.isEmpty, let stored = try StoredRoom.find(room, act) else { return }
        for member in counted.sorted() {
            let stand = try act.ask { (database) throws(StoreFailure) in
                try OwnStand.find(member, in: room, database)
            }
            try stand?.tell(member, of: stored, act)
        }
    }
}

extension StoredRoom {
    /// Removes what was said in a room that nobody is in any more, as much as a turn takes, and with the last of it the room.
    func end(_ act: Act) throws(Rejection) {
        let most = Limits.messagesPerTurnMax
        let numbers = try act.rows("SELECT number FROM messages WHERE in_room = ? LIMIT \(most + 1)", .int(number)) {
            row in row.int(0)
        }
        try StoredMessage.remove(numbers.prefix(most), in: number, act)
        if numbers.count <= most { try act.run("DELETE FROM rooms WHERE number = ?", .int(number)) }
        try act.plan(Chat.roomEnd, about: wire.id.description, at: numbers.count > most ? act.now : nil)
    }
}
