import KinKeeper
import KinModel
import KinStore

/// A room as it is stored: who is in it.
struct StoredRoom {
    /// The small number that other tables name it by; 0 before it is stored.
    private(set) var number: Int64 = 0
    /// The room as those in it are told.
    var wire: Room
    /// Who is in it.
    var sharedWith: SharedWith
    /// The newest message that there ever was.
    private(set) var last = Chat.nobody

    init(_ wire: Room, sharedWith: SharedWith) {
        self.wire = wire
        self.sharedWith = sharedWith
    }

    // MARK: Reading

    private static let columns = Columns<Room>(elsewhere: ["members"])
    /// The newest message that there ever was is mostly there still; ``StoredMessage/forget(_:in:_:)`` writes it down where
    /// it is not, so that a message does not write its room.
    private static let selected =
        """
        r.number, r.audience, max(r.last, coalesce(
            (SELECT m.id FROM messages m WHERE m.in_room = r.number ORDER BY m.id DESC LIMIT 1), r.last)) AS last,
        """ + " " + columns.names(of: "r")

    private init(_ row: borrowing Row, _ database: Database) throws(StoreFailure) {
        let number = row.int("number")
        self.number = number
        last = row.identifier("last")
        var named: [Identifier] = []
        sharedWith = try SharedWith(word: row.text("audience"), household: row.optionalIdentifier("household")) {
            () throws(StoreFailure) in
            named = try Chat.shared.members(of: number, database)
            return named
        }
        wire = try Self.columns.read(row, ["members": .array(named.map { .id($0) })])
    }

    private static func rows(
        _ rest: String, _ values: [Value], _ database: Database
    ) throws(StoreFailure) -> [StoredRoom] {
        try database.rows("SELECT \(selected) FROM rooms r " + rest, values: values) {
            (row) throws(StoreFailure) in try StoredRoom(row, database)
        }
    }

    /// The rooms that a member is in, as the member sees them; those with the latest messages first.
    static func seen(by member: Identifier, _ database: Database) throws(StoreFailure) -> [SeenRoom] {
        let rooms = try rows(
            """
            CROSS JOIN room_sight s WHERE s.member = ? AND s.room = r.number
            ORDER BY last DESC, r.id LIMIT \(Limits.roomsPerAnswerMax)
            """, [.id(member)], database)
        var seen: [SeenRoom] = []
        for room in rooms {
            guard let stand = try OwnStand.find(member, in: room.number, database) else { continue }
            seen.append(SeenRoom(room: room.wire, own: stand.own, last: try room.last(since: stand.since, database)))
        }
        return seen
    }

    /// The beginning of the newest message behind one.
    func last(since: Identifier, _ database: Database) throws(StoreFailure) -> LastMessage? {
        try StoredMessage.newest(in: self, since: since, 1, before: nil, database).first.map { LastMessage($0.wire) }
    }

    /// One that the caller is in, and how the caller stands to it; 1404 for others, whether it is there or not.
    static func visible(_ act: Act, _ id: Identifier) throws(Rejection) -> (room: StoredRoom, stand: OwnStand) {
        let member = try act.member
        guard let room = try known(id, act), try room.seers(act).contains(member.number),
            let stand = try known(member.id, in: room, act)
        else { throw Rejection.notFound("room", id.description, field: "room") }
        return (room, stand)
    }

    /// How a member stands to a room, from memory where it is there.
    private static func known(
        _ member: Identifier, in room: StoredRoom, _ act: Act
    ) throws(Rejection) -> OwnStand? {
        let (memory, key) = (act.memory(RoomMemory.self), RoomMemory.Speaker(room: room.wire.id, author: member))
        var speaking = memory.speaking.value(of: key, act) ?? .init()
        if let stand = speaking.stand, speaking.last == room.last { return stand }
        speaking.stand = try act.ask { (database) throws(StoreFailure) in
            try OwnStand.find(member, in: room.number, database)
        }
        speaking.last = room.last
        if speaking.stand != nil { memory.speaking.remember(speaking, of: key, act) }
        return speaking.stand
    }

    /// The one of an identifier, from memory where it is there.
    static func known(_ id: Identifier, _ act: Act) throws(Rejection) -> StoredRoom? {
        let memory = act.memory(RoomMemory.self)
        guard var room = memory.rooms.value(of: id, act) else {
            let room = try find(id, act)
            if let room {
                memory.rooms.remember(room, of: id, act)
                memory.last.remember(room.last, of: room.number, act)
            }
            return room
        }
        if let last = memory.last.value(of: room.number, act) {
            room.last = last
            return room
        }
        let newest = try act.first(
            "SELECT id FROM messages WHERE in_room = ? ORDER BY id DESC LIMIT 1", .int(room.number)
        ) { row in row.identifier(0) }
        // Of a newer one that is gone, the room itself says so.
        room.last = max(room.last, newest ?? room.last)
        memory.last.remember(room.last, of: room.number, act)
        return room
    }

    /// The one of a number.
    static func find(_ number: Int64, _ act: Act) throws(Rejection) -> StoredRoom? {
        try act.ask { (database) throws(StoreFailure) in
            try rows("WHERE r.number = ?", [.int(number)], database).first
        }
    }

    /// The one of an identifier, whoever is in it.
    static func find(_ id: Identifier, _ act: Act) throws(Rejection) -> StoredRoom? {
        try act.ask { (database) throws(StoreFailure) in try rows("WHERE r.id = ?", [.id(id)], database).first }
    }

    /// The room of two.
    static func direct(_ one: Identifier, _ other: Identifier, _ act: Act) throws(Rejection) -> StoredRoom? {
        try act.ask { (database) throws(StoreFailure) in
            try rows(
                """
                JOIN room_named a ON a.room = r.number JOIN room_named b ON b.room = r.number
                WHERE r.kind = 'direct' AND a.member = ? AND b.member = ?
                """, [.id(one), .id(other)], database
            ).first
        }
    }

    /// All rooms that a member is in, for the adult who answers for a child.
    static func with(_ member: Identifier, _ act: Act) throws(Rejection) -> [Room] {
        try act.ask { (database) throws(StoreFailure) in
            try rows(
                """
                JOIN room_sight s ON s.room = r.number WHERE s.member = ? ORDER BY r.id
                LIMIT \(Limits.roomsPerAnswerMax)
                """, [.id(member)], database
            ).map(\.wire)
        }
    }

    /// Who is in it.
    func seers(_ act: Act) throws(Rejection) -> Audience {
        let memory = act.memory(RoomMemory.self)
        if let known = memory.seers.value(of: number, act) { return known }
        let seers = try Chat.shared.seers(of: number, act)
        memory.seers.remember(seers, of: number, act)
        return seers
    }

    /// Those of them who see a message: not those who came later.
    func seers(of message: Identifier, _ act: Act) throws(Rejection) -> Audience {
        let roster = try act.roster
        let all = try act.rows(
            "SELECT member FROM room_own WHERE room = ? AND since < ?", .int(number), .id(message)
        ) { row in row.identifier(0) }
        return Audience(all.compactMap { roster[$0]?.number })
    }

    // MARK: Writing

    /// Stores it, and tells all who are in it, come or go.
    mutating func save(isChanged: Bool = false, isRenamed: Bool = false, _ act: Act) throws(Rejection) {
        let isNew = number == 0
        if isNew {
            try act.run(
                """
                INSERT INTO rooms (\(Self.columns.names), owner, last, audience)
                VALUES (\(Self.columns.placeholders), ?, ?, '')
                """, values: Self.columns.values(of: wire) + [.id(Chat.nobody), .id(last)])
            number = try act.first("SELECT number FROM rooms WHERE id = ?", .id(wire.id)) { row in row.int(0) } ?? 0
        } else {
            try act.run(
                "UPDATE rooms SET \(Self.columns.assignments) WHERE number = ?",
                values: Self.columns.values(of: wire) + [.int(number)])
        }
        try Chat.shared.save(sharedWith, of: number, act)
        try tell(
            try Chat.shared.settle(number, of: Chat.nobody, sharedWith, act), isChanged: isChanged,
            isRenamed: isRenamed, isNew: isNew, act)
    }

    /// Tells members who join and members who leave. Those who join see what follows; those who leave see nothing more.
    func tell(
        _ change: SharedThings.Change, isChanged: Bool = false, isRenamed: Bool = false, isNew: Bool = false,
        _ act: Act
    ) throws(Rejection) {
        let about = Chat.about(wire.id)
        let roster = try act.roster
        for entry in roster.entries(in: change.lost) {
            try act.run("DELETE FROM room_own WHERE room = ? AND member = ?", .int(number), .id(entry.id))
        }
        if !change.lost.isEmpty {
            try act.narrow(about: about, by: change.lost)
            try act.hooks.hanging?.close(act, .parts(of: wire.id), change.lost)
        }
        if isRenamed { try forgetNames(act) }
        if isChanged {
            try act.emit(Room.updated, .init(room: wire), about: about, to: change.kept)
            // A member who has the room from this alone knows by it what is new there.
            try OwnStand.tell(change.kept, of: self, act)
        }
        for entry in roster.entries(in: change.gained) {
            try act.run(
                """
                INSERT OR REPLACE INTO room_own (room, member, since, unread, shows_read, counted)
                VALUES (?1, ?2, ?3, 0, 0, ?3)
                """, .int(number), .id(entry.id), .id(last))
        }
        try act.emit(isNew ? Room.opened : Room.shown, .init(room: wire), about: about, to: change.gained)
        // About no room: it has to outlive this one in the log, for whoever is away until both are gone.
        try act.emit(Room.hidden, .init(room: wire.id), about: "rooms", to: change.lost, isHeard: true)
    }

    /// Takes the former name out of every row of the log. Members who were away since before they were told of the room learn
    /// of it by `room.updated` alone, and by `room.read` what is new to them there.
    private func forgetNames(_ act: Act) throws(Rejection) {
        try act.erase(about: Chat.about(wire.id), of: [Room.opened, Room.shown, Room.updated])
    }

    /// A member is no longer in it, having left it or the family.
    mutating func lose(_ member: Identifier, _ act: Act) throws(Rejection) {
        if wire.opener == member { wire.opener = nil }
        let isListed = wire.members.contains(member)
        if isListed {
            wire.members.removeAll { $0 == member }
            sharedWith = .members(wire.members)
        } else {
            // The roster decides who is in such a room.
            try act.run("DELETE FROM room_own WHERE room = ? AND member = ?", .int(number), .id(member))
            return
        }
        try save(isChanged: true, act)
        if wire.members.isEmpty { try remove(act) }
    }

    /// Writes down that a member says something here, with the member's first message. When the member leaves, what the
    /// member said is looked for in no other room.
    func hears(_ author: Identifier, _ act: Act) throws(Rejection) {
        let (memory, key) = (act.memory(RoomMemory.self), RoomMemory.Speaker(room: wire.id, author: author))
        if memory.speakers.value(of: key, act) == true { return }
        // Asked first, because after a write everybody's is asked again. A room that was looked through already has to
        // be looked through from the newest on.
        let isKnown = try act.first(
            "SELECT 1 FROM room_speakers WHERE member = ? AND room = ? AND looked IS NULL", .id(author), .int(number)
        ) { _ in true }
        if isKnown == nil {
            try act.run(
                "INSERT OR REPLACE INTO room_speakers (member, room) VALUES (?, ?)", .id(author), .int(number))
        }
        memory.speakers.remember(true, of: key, act)
    }

    /// Records the newest message. That it is new to everybody else is counted later.
    mutating func took(_ message: Message, _ act: Act) throws(Rejection) {
        last = message.id
        let memory = act.memory(RoomMemory.self)
        memory.last.remember(last, of: number, act)
        let key = RoomMemory.Speaker(room: wire.id, author: message.author)
        if var speaking = memory.speaking.value(of: key, act), let stand = speaking.stand {
            // Whoever has now read the others' messages is told of the next one, whoever sends it.
            if stand.own.unread > 0 { memory.speaking.forget() }
            speaking.stand?.own.unread = 0
            speaking.stand?.own.upTo = message.id
            speaking.last = message.id
            memory.speaking.remember(speaking, of: key, act)
        } else {
            memory.speaking.forget()
        }
        let uncounted =
            if let known = memory.uncounted.value(of: number, act) { known + 1 } else {
                try OwnStand.uncounted(in: number, act)
            }
        if uncounted >= Limits.messagesUncountedMax { try OwnStand.count(in: number, act) }
        memory.uncounted.remember(uncounted >= Limits.messagesUncountedMax ? 0 : uncounted, of: number, act)
    }

    /// Removes it with all that was said in it: nobody is in it any more.
    func remove(_ act: Act) throws(Rejection) {
        try act.hooks.hanging?.takeDown(act, .parts(of: wire.id))
        try end(act)
        let about = Chat.about(wire.id)
        try act.narrow(about: about, by: Audience(try act.roster.entries.map(\.number)))
        try act.erase(about: about)
    }
}
