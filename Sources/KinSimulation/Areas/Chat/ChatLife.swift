import KinModel
import KinStore

/// What the members of the box say to each other.
final class ChatLife: SimulatedArea {
    let weight = 4
    let lists = [ListQuestion(method: "room.list", part: "rooms")]
    /// Messages that were sent, so that some are changed, read, answered and removed.
    private var known: [Message] = []
    private static let mostKnown = 60

    func question(_ world: World, about snapshot: Snapshot) -> ListQuestion? {
        let rooms = snapshot.rooms.keys.sorted()
        guard !rooms.isEmpty else { return nil }
        let room = world.dice.pick(rooms)
        return ListQuestion(
            method: "message.list", params: ["room": .id(room), "limit": 5],
            fault: { Self.fault(of: room, $0, against: $1) })
    }

    /// The newest message that is listed is the one that the snapshot has of the room.
    private static func fault(of room: Identifier, _ result: JSON, against snapshot: Snapshot) -> String? {
        guard let seen = snapshot.rooms[room] else {
            return snapshot.more.contains("rooms") ? nil : "message.list knows \(room), the snapshot does not"
        }
        let newest = (result["messages"]?.array ?? []).compactMap(Message.init).last.map { LastMessage($0) }
        guard newest != seen.last else { return nil }
        let texts = [newest, seen.last].map { $0?.json.text ?? "none" }
        return "message.list ends with \(texts[0]), the snapshot with \(texts[1])"
    }

    func idea(_ world: World, _ who: Int, _ op: String) -> World.Idea {
        let seen = (world.view(of: who)?.rooms.values ?? [:].values).map(\.room).sorted { $0.id < $1.id }
        let dice = world.dice.below(28)
        guard !seen.isEmpty, dice > 1 else {
            var params: JSON = ["with": .array(others(world))]
            if world.dice.once(in: 2) { params["name"] = .string(op) }
            return (who, "room.open", params)
        }
        let room = world.dice.pick(seen)
        let message = pick(world, of: room.id)
        switch (dice, message) {
        case (2, _): return (who, "room.leave", ["room": .id(room.id)])
        case (3, _): return (who, "room.update", ["room": .id(room.id), "name": .string(op)])
        case (4...5, _): return (who, "room.update", ["room": .id(room.id), "add": .array(others(world))])
        case (6, _): return (who, "room.update", ["room": .id(room.id), "remove": .array(others(world))])
        case (7, _):
            return (
                who, "room.set",
                [
                    "room": .id(room.id), "showsRead": .bool(world.dice.once(in: 2)),
                    "mutedUntil": .time(
                        Instant(milliseconds: world.time.wallMilliseconds()).adding(
                            seconds: Int64(world.dice.below(7200)))),
                ]
            )
        case (8...10, let message?):
            return (who, "message.read", ["room": .id(room.id), "upTo": .id(message)])
        case (11...12, let message?):
            return (who, "message.remove", ["room": .id(room.id), "message": .id(message)])
        case (13, let message?):
            return (
                who, "message.update", ["room": .id(room.id), "message": .id(message), "text": .string(op + " again")]
            )
        case (14, let message?):
            return (who, "message.send", ["room": .id(room.id), "text": .string(op), "reply": .id(message)])
        case (24...26, _):
            // Of the one who writes, or of somebody else, who is refused.
            let pictures = (world.view(of: who)?.pictures.keys.sorted() ?? [])
            guard !pictures.isEmpty else { break }
            return (
                who, "message.send",
                [
                    "room": .id(room.id),
                    "pictures": [["picture": .id(world.dice.pick(pictures)), "caption": .string(op)]],
                ]
            )
        case (27, _):
            return (
                who, "message.send", ["room": .id(room.id), "text": .string(op), "spot": ["lat": 48.1, "lon": 11.5]]
            )
        default: break
        }
        return (who, "message.send", ["room": .id(room.id), "text": .string(op)])
    }

    private func others(_ world: World) -> [JSON] {
        world.people.filter { _ in world.dice.once(in: 3) }.map { .id($0.id) }
    }

    private func pick(_ world: World, of room: Identifier) -> Identifier? {
        let messages = known.filter { $0.room == room }
        return messages.isEmpty ? nil : world.dice.pick(messages).id
    }

    func answered(_ method: String, _ result: JSON) {
        guard method == "message.send", let message = result["message"].flatMap(Message.init),
            !known.contains(where: { $0.id == message.id })
        else { return }
        if known.count >= Self.mostKnown { known.removeFirst() }
        known.append(message)
    }

    private static let shared = SharedSight(
        "rooms", column: "room", named: "room_named", seen: "room_sight", isForGuestsByName: true)

    func sight(_ daemon: SimulatedDaemon) throws(StoreFailure) -> [String: (Onlooker, Identifier) -> Bool] {
        ["room": try Self.shared.isSeen(daemon)]
    }

    /// The members that are stored for a room are those of the rules; each is in it in one way; the messages that are new to
    /// each are counted; words lie under messages that are there.
    func books(_ world: World, _ daemon: SimulatedDaemon) throws(StoreFailure) -> Finding? {
        if let fault = try Self.shared.fault(daemon, "rooms") { return fault }
        let apart = try daemon.reader.first(
            """
            SELECT room FROM (SELECT room, member FROM room_sight EXCEPT SELECT room, member FROM room_own)
            UNION ALL SELECT room FROM (SELECT room, member FROM room_own EXCEPT SELECT room, member FROM room_sight)
            """
        ) { row in row.int(0) }
        if let apart { return Finding(checker: "rooms", what: "who is in the room \(apart) and how do not agree") }
        let wrong = try daemon.reader.first(
            """
            SELECT room FROM room_own o WHERE unread <> (
                SELECT count(*) FROM messages m WHERE m.in_room = o.room AND m.id > o.since
                AND m.id > coalesce(o.up_to, o.since) AND m.id <= o.counted)
            OR (SELECT count(*) FROM messages m WHERE m.in_room = o.room AND m.id > o.counted) > 128
            """
        ) { row in row.int(0) }
        if let wrong {
            return Finding(checker: "rooms", what: "in the room \(wrong) other messages are new than it counts")
        }
        let order = try daemon.reader.first(
            """
            SELECT m.in_room FROM messages m JOIN messages n ON n.in_room = m.in_room AND n.number > m.number
            WHERE n.id < m.id
            """
        ) { row in row.int(0) }
        if let order { return Finding(checker: "rooms", what: "in the room \(order) messages stand in another order") }
        let unknown = try daemon.reader.first(
            """
            SELECT m.number FROM messages m WHERE m.owner <> zeroblob(16) AND NOT EXISTS (
                SELECT 1 FROM room_speakers s WHERE s.member = m.owner AND s.room = m.in_room
                AND (s.looked IS NULL OR m.id < s.looked))
            """
        ) { row in row.int(0) }
        if let unknown {
            return Finding(checker: "rooms", what: "the message \(unknown) is not found when its author leaves")
        }
        let words = try daemon.reader.first(
            "SELECT number FROM searched WHERE kind = 'message' AND number NOT IN (SELECT number FROM messages)"
        ) { row in row.int(0) }
        if let words { return Finding(checker: "rooms", what: "the words of the message \(words) are left") }
        // The newest may wait to be taken in. None is passed by.
        let passed = try daemon.reader.first(
            """
            SELECT number FROM messages WHERE trim(text) <> ''
            AND number < (SELECT max(number) FROM searched WHERE kind = 'message')
            AND number NOT IN (SELECT number FROM searched WHERE kind = 'message')
            """
        ) { row in row.int(0) }
        return passed.map { Finding(checker: "rooms", what: "the message \($0) is not found by its words") }
    }

    func twice(_ daemon: SimulatedDaemon) throws(StoreFailure) -> String? {
        try daemon.reader.first("SELECT text FROM messages WHERE text IS NOT NULL GROUP BY text HAVING count(*) > 1") {
            row in row.text(0)
        }
    }

    func spoil(_ fault: Fault, _ events: [LogRow]) -> [String] {
        fault == .roomOfAnother
            ? ["INSERT OR IGNORE INTO room_sight SELECT m.id, r.number FROM members m, rooms r"] : []
    }
}

extension Fault {
    /// Everybody is written down as being in every room.
    public static let roomOfAnother = Fault("roomOfAnother")
}
