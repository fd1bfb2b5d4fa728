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
        let most = Limits.messagesPerTurnMax
        let count = try act.run(
            """
            UPDATE messages SET owner = ?1
            WHERE number IN (SELECT number FROM messages WHERE owner = ?2 LIMIT \(most))
            """, .id(nobody), .id(member))
        try act.plan(leftBehind, about: member.description, at: count == most ? act.now : nil)
    }

    /// A member takes along all that the member said. Nobody sees any of it from this turn on: a row about its author takes
    /// all of it out of sight, and the log and the inboxes have none of it.
    private static func takeAlong(_ member: Identifier, _ act: Act) throws(Rejection) {
        let numbers = try act.rows(
            "SELECT number FROM rooms r WHERE EXISTS (SELECT 1 FROM messages WHERE owner = ? AND in_room = r.number)",
            .id(member)
        ) { row in row.int(0) }
        guard !numbers.isEmpty else { return }
        try act.run("INSERT OR IGNORE INTO message_leavers (member) VALUES (?)", .id(member))
        try removeSome(of: member, act)
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

    /// Removes messages of a member who left, as many as a turn takes: in each room the newest first, because those are
    /// looked at most.
    static func removeSome(of member: Identifier, _ act: Act) throws(Rejection) {
        var left = Limits.messagesPerTurnMax
        while left > 0 {
            let room = try act.first("SELECT in_room FROM messages WHERE owner = ? LIMIT 1", .id(member)) { row in
                row.int(0)
            }
            guard let room else { break }
            let numbers = try act.rows(
                "SELECT number FROM messages WHERE owner = ? AND in_room = ? ORDER BY number DESC LIMIT \(left)",
                .id(member), .int(room)
            ) { row in row.int(0) }
            try StoredMessage.remove(numbers, in: room, act)
            left -= numbers.count
        }
        let isOver = left > 0
        if isOver { try act.run("DELETE FROM message_leavers WHERE member = ?", .id(member)) }
        try act.plan(leaverEnd, about: member.description, at: isOver ? nil : act.now)
    }
}

extension StoredMessage {
    /// Removes messages that nobody sees from a room. A member who had them counted as new is told the new count.
    static func remove(_ numbers: some Sequence<Int64>, in room: Int64, _ act: Act) throws(Rejection) {
        let list = Value.text(JSON.array(numbers.map { .int($0) }).text)
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
