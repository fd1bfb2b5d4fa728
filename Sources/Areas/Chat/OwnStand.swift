import KinKeeper
import KinModel
import KinStore

/// One member's state in a room, as it is stored.
struct OwnStand {
    /// As the member is told.
    var own: OwnRoom
    /// The newest message that was there when the member came; later ones are seen.
    let since: Identifier

    // MARK: Reading

    // A message writes no row of `room_own`, however many are in the room. A row says what is so up to the message
    // `counted`; what came after it is few, and is counted when somebody asks.

    /// Rows `o`, each with the newest own message that it does not count yet. That one is looked for once for a row.
    static let rows =
        """
        room_own o LEFT JOIN messages own ON own.number = (
            SELECT m.number FROM messages m WHERE m.in_room = o.room AND m.id > o.counted AND m.author = o.member
            ORDER BY m.id DESC LIMIT 1)
        """
    /// How far the member of one of the ``rows`` has read. What one says oneself is read.
    static let upTo = "coalesce(own.id, o.up_to)"
    /// How many messages are new to the member of one of the ``rows``.
    static let unread =
        """
        (iif(own.id IS NULL, o.unread, 0) + (SELECT count(*) FROM messages m
        WHERE m.in_room = o.room AND m.id > coalesce(own.id, o.counted)))
        """
    /// Whether the message ?5 of the room ?1, which was said just now, is the only one that is new to the member of a
    /// row of `room_own`. Who had read all before had either said the one before it, or has a row that counts that one,
    /// and nothing as new. So no messages are counted for it.
    static let hasOnlyNewest =
        """
        iif(counted >= ?5, unread = 1, iif(
            counted >= coalesce((SELECT max(id) FROM messages WHERE in_room = ?1 AND id < ?5), zeroblob(16)),
            unread = 0,
            member = (SELECT author FROM messages WHERE in_room = ?1 AND id < ?5 ORDER BY id DESC LIMIT 1)))
        """

    /// A member's state in a room.
    static func find(_ member: Identifier, in room: Int64, _ database: Database) throws(StoreFailure) -> OwnStand? {
        try database.first(
            """
            SELECT \(unread) AS unread, \(upTo) AS up_to, muted_until, shows_read, since FROM \(rows)
            WHERE o.room = ? AND o.member = ?
            """, .int(room), .id(member)
        ) { row in
            OwnStand(
                own: OwnRoom(
                    unread: Int(row.int("unread")), upTo: row.optionalIdentifier("up_to"),
                    mutedUntil: row.optionalInstant("muted_until"), showsRead: row.bool("shows_read")),
                since: row.identifier("since"))
        }
    }

    /// The messages of a room that some row does not count yet.
    static func uncounted(in room: Int64, _ act: Act) throws(Rejection) -> Int64 {
        try act.first(
            """
            SELECT count(*) FROM messages
            WHERE in_room = ?1 AND id > (SELECT min(counted) FROM room_own WHERE room = ?1)
            """, .int(room)
        ) { row in row.int(0) } ?? 0
    }

    // MARK: Writing

    /// Counts all messages of a room for everybody in it: before one of them is removed, and whenever many came.
    static func count(in room: Int64, _ act: Act) throws(Rejection) {
        guard try uncounted(in: room, act) > 0 else { return }
        // First up to what each of them said last: each message is looked at once, and not once for each member.
        let own = try act.rows(
            """
            SELECT author, max(id) AS last FROM messages
            WHERE in_room = ?1 AND id > (SELECT min(counted) FROM room_own WHERE room = ?1) GROUP BY author
            """, .int(room)
        ) { row in (author: row.identifier("author"), last: row.identifier("last")) }
        for (author, last) in own {
            try act.run(
                """
                UPDATE room_own SET unread = 0, up_to = ?3, counted = ?3
                WHERE room = ?1 AND member = ?2 AND counted < ?3
                """, .int(room), .id(author), .id(last))
        }
        try act.run(
            """
            UPDATE room_own AS o SET counted = (SELECT max(m.id) FROM messages m WHERE m.in_room = o.room),
            unread = unread + (SELECT count(*) FROM messages m WHERE m.in_room = o.room AND m.id > o.counted)
            WHERE room = ?
            """, .int(room))
    }

    /// Writes it down.
    func save(of member: Identifier, in room: StoredRoom, _ act: Act) throws(Rejection) {
        try act.run(
            """
            UPDATE room_own SET unread = ?, up_to = ?, muted_until = ?, shows_read = ?, counted = ?
            WHERE room = ? AND member = ?
            """, Value(own.unread), Value(own.upTo), Value(own.mutedUntil), .bool(own.showsRead), .id(room.last),
            .int(room.number), .id(member))
    }

    /// Tells the member's own devices.
    func tell(_ member: Identifier, of room: StoredRoom, _ act: Act) throws(Rejection) {
        let only = try act.roster.only(member)
        let last = try act.ask { (database) throws(StoreFailure) in try room.last(since: since, database) }
        try act.emit(
            Room.read, .init(room: room.wire.id, own: own, last: last), about: Chat.about(room.wire.id), to: only,
            key: "room/\(room.wire.id)/read/\(try act.roster[member]?.number ?? 0)")
    }

    /// Tells the others in the room how far the member has read, or that this is not shown any more. Who came after the
    /// message up to which it was read is not told: its identifier says when it was sent.
    func show(_ member: Identifier, in room: StoredRoom, _ act: Act) throws(Rejection) {
        var others = try room.seers(act).subtracting(try act.roster.only(member))
        if own.showsRead, let upTo = own.upTo { others = others.intersection(try room.seers(of: upTo, act)) }
        try act.emit(
            Message.seen, .init(room: room.wire.id, member: member, upTo: own.showsRead ? own.upTo : nil),
            about: Chat.about(room.wire.id), to: others,
            key: "room/\(room.wire.id)/seen/\(try act.roster[member]?.number ?? 0)")
    }

    /// Tells everybody in a room their state there, after something was removed from it.
    static func tellAll(in room: StoredRoom, _ act: Act) throws(Rejection) {
        try tell(try room.seers(act), of: room, act)
    }

    /// Tells some who are in a room their state there.
    static func tell(_ members: Audience, of room: StoredRoom, _ act: Act) throws(Rejection) {
        for entry in try act.roster.entries(in: members) {
            let stand = try act.ask { (database) throws(StoreFailure) in
                try find(entry.id, in: room.number, database)
            }
            try stand?.tell(entry.id, of: room, act)
        }
    }
}
