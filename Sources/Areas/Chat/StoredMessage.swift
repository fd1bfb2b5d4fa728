import KinKeeper
import KinModel
import KinStore

/// A message as it is stored.
struct StoredMessage {
    /// The row of its words; 0 before it is stored.
    private(set) var number: Int64 = 0
    /// The message as its readers are told it.
    var wire: Message

    init(_ wire: Message) { self.wire = wire }

    // MARK: Reading

    private static let columns = Columns<Message>(elsewhere: ["room", "spot", "pictures"])
    private static let spots = Columns<MessageSpot>(
        called: ["name": "spot_name", "lat": "spot_lat", "lon": "spot_lon"])
    /// Of a picture in it, and of the document that this may stand for.
    private static let frames = Columns<PostPicture>(elsewhere: ["document"])
    private static let documents = Columns<Document>(called: ["name": "document", "bytes": "document_bytes"])
    private static let selected =
        "m.number, r.id AS room_id, m.pictures, \(spots.names(of: "m")), " + columns.names(of: "m")

    private init(_ row: borrowing Row, _ database: Database) throws(StoreFailure) {
        number = row.int("number")
        var others: [String: JSON] = ["room": .id(row.identifier("room_id"))]
        if let spot = try Self.spots.readUnlessNull(row) { others["spot"] = spot.json }
        if row.int("pictures") > 0 {
            others["pictures"] = .array(try Self.pictures(of: number, database).map(\.json))
        }
        wire = try Self.columns.read(row, others)
    }

    private static func pictures(of message: Int64, _ database: Database) throws(StoreFailure) -> [PostPicture] {
        try database.rows(
            """
            SELECT \(frames.names), \(documents.names) FROM message_pictures WHERE message = ? ORDER BY place
            """, .int(message)
        ) { (row) throws(StoreFailure) in
            let document = try documents.readUnlessNull(row)
            return try frames.read(row, document.map { ["document": $0.json] } ?? [:])
        }
    }

    private static func rows(
        _ rest: String, _ values: [Value], _ database: Database
    ) throws(StoreFailure) -> [StoredMessage] {
        try database.rows(
            "SELECT \(selected) FROM messages m JOIN rooms r ON r.number = m.in_room " + rest, values: values
        ) { (row) throws(StoreFailure) in try StoredMessage(row, database) }
    }

    /// The newest messages of a room after one of them, or those before another; newest first. They are found by the
    /// room's index, so a page costs the same at any age of the room.
    static func newest(
        in room: StoredRoom, since: Identifier, _ limit: Int64, before: Identifier?, _ database: Database
    ) throws(StoreFailure) -> [StoredMessage] {
        try database.rows(
            page + " LIMIT \(limit)",
            values: [.int(room.number), .id(since), .id(before ?? Identifier(high: .max, low: .max))]
        ) { (row) throws(StoreFailure) in try StoredMessage(row, database) }
    }

    /// Those of a room between two of them, the newest first.
    static let page =
        "SELECT \(selected) FROM messages m JOIN rooms r ON r.number = m.in_room "
        + "WHERE m.in_room = ? AND m.id > ? AND m.id < ? AND \(Chat.isThere) ORDER BY m.id DESC"

    /// One of a room that the caller sees; 1404 where there is none.
    static func visible(
        _ id: Identifier, in room: StoredRoom, _ stand: OwnStand, field: String = "message", _ act: Act
    ) throws(Rejection) -> StoredMessage {
        let found = try act.ask { (database) throws(StoreFailure) in
            try rows(
                "WHERE m.in_room = ? AND m.id = ? AND \(Chat.isThere)", [.int(room.number), .id(id)], database
            ).first
        }
        guard let found, id > stand.since else {
            throw Rejection.notFound("message", id.description, field: field)
        }
        return found
    }

    /// The one of an identifier, whoever sees it.
    static func find(_ id: Identifier, in room: StoredRoom, _ act: Act) throws(Rejection) -> StoredMessage? {
        try act.ask { (database) throws(StoreFailure) in
            try rows(
                "WHERE m.in_room = ? AND m.id = ? AND \(Chat.isThere)", [.int(room.number), .id(id)], database
            ).first
        }
    }

    /// Whether an inbox's entry that began at a moment, and is called by some words, is called by another message of the
    /// room that has the same words.
    func isOther(_ room: StoredRoom, called words: String, _ began: Instant, _ act: Act) throws(Rejection) -> Bool {
        // Identifiers of one moment follow each other, a millisecond apart, whatever the clock says.
        let last = Identifier(at: began.adding(seconds: 60), random: (0, 0))
        let others = try act.rows(
            """
            SELECT m.id, m.text FROM messages m
            WHERE m.in_room = ? AND m.id >= ? AND m.id < ? AND m.at = ? AND m.id <> ? AND \(Chat.isThere)
            """,
            .int(room.number), .id(Identifier(at: began, random: (0, 0))), .id(last), .time(began), .id(wire.id)
        ) { row in (id: row.identifier("id"), text: row.optionalText("text") ?? "") }
        let title = InboxEntry.title(of: words)
        // Of two of one moment the first was told.
        return others.contains {
            InboxEntry.title(of: $0.text) == title && (began != wire.at || $0.id < wire.id)
        }
    }

    /// Those of some rows that a member sees, in the order of the rows.
    static func seen(
        _ numbers: [Int64], by member: Identifier, _ database: Database
    ) throws(StoreFailure) -> [Message] {
        var seen: [Message] = []
        for number in numbers {
            seen += try rows(
                "JOIN room_own o ON o.room = m.in_room AND o.member = ? WHERE m.number = ? AND m.id > o.since "
                    + "AND \(Chat.isThere)",
                [.id(member), .int(number)], database
            ).map(\.wire)
        }
        return seen
    }

    // MARK: Writing

    private static let insert =
        """
        INSERT INTO messages (\(columns.names), \(spots.names), in_room, owner, pictures)
        VALUES (\(columns.placeholders), \(spots.placeholders), ?, ?, ?)
        """

    /// Stores a new message as the last one of its room, and tells all who are in it.
    ///
    /// - Returns: what they are told, which is what its author is answered.
    mutating func send(in room: inout StoredRoom, _ act: Act) throws(Rejection) -> JSON {
        try room.hears(wire.author, act)
        let values =
            Self.columns.values(of: wire) + Self.spots.values(of: wire.spot) + [
                .int(room.number), .id(wire.author), Value(wire.pictures.count),
            ]
        try act.run(Self.insert, values: values)
        number = act.database.lastInsertedRow
        try hang(in: room, act)
        try room.took(wire, act)
        return try act.emit(
            Message.sent, .init(message: wire), about: Chat.about(wire.id, in: wire.room), to: try room.seers(act),
            title: wire.text)
    }

    /// Its pictures are seen by those who are in the room now: before they are told of it, so that nobody is shown a frame
    /// with nothing in it. Whoever comes later does not see the message, nor its pictures.
    private mutating func hang(in room: StoredRoom, _ act: Act) throws(Rejection) {
        guard !wire.pictures.isEmpty else { return }
        let seers = try act.roster.entries(in: try room.seers(act)).map(\.id)
        let hung =
            try act.hooks.hanging?.hang(
                act, wire.pictures.map(\.picture), .part(wire.id, of: wire.room), .members(seers)) ?? []
        wire.pictures = zip(wire.pictures, hung).map { own, picture in
            PostPicture(
                picture: picture.id, width: picture.width, height: picture.height, caption: own.caption,
                isFilm: picture.film != nil, document: picture.document)
        }
        for (place, picture) in wire.pictures.enumerated() {
            try act.run(
                """
                INSERT INTO message_pictures (message, place, \(Self.frames.names), \(Self.documents.names))
                VALUES (?, ?, \(Self.frames.placeholders), \(Self.documents.placeholders))
                """,
                values: [.int(number), Value(place)] + Self.frames.values(of: picture)
                    + Self.documents.values(of: picture.document))
        }
    }

    /// A picture is gone from it. A message that said nothing else goes with it.
    mutating func lose(_ picture: Identifier, in room: StoredRoom, _ act: Act) throws(Rejection) {
        try act.run("DELETE FROM message_pictures WHERE message = ? AND picture = ?", .int(number), .id(picture))
        wire.pictures.removeAll { $0.picture == picture }
        guard wire.text != nil || wire.about != nil || wire.spot != nil || !wire.pictures.isEmpty else {
            return try remove(in: room, act)
        }
        try act.run("UPDATE messages SET pictures = ? WHERE number = ?", Value(wire.pictures.count), .int(number))
        try tellChanged(in: room, act)
    }

    /// Stores and tells its changed words.
    func change(in room: StoredRoom, _ act: Act) throws(Rejection) {
        try act.run(
            "UPDATE messages SET \(Self.columns.assignments) WHERE number = ?",
            values: Self.columns.values(of: wire) + [.int(number)])
        try tellChanged(in: room, act)
    }

    private func tellChanged(in room: StoredRoom, _ act: Act) throws(Rejection) {
        let about = Chat.about(wire.id, in: wire.room)
        // Members who were away are told neither its former words nor a picture that is gone: not that it was sent, either.
        try act.erase(about: about)
        try act.emit(Message.updated, .init(message: wire), about: about, to: try room.seers(of: wire.id, act))
        try OwnStand.tellAll(in: room, act)
    }

    /// Removes it, from the log and from inboxes too, and tells those who saw it.
    func remove(in room: StoredRoom, _ act: Act) throws(Rejection) {
        let seers = try room.seers(of: wire.id, act)
        try OwnStand.count(in: room.number, act)
        let (message, number) = (Value.id(wire.id), Value.int(room.number))
        // Members who have not read it may have its words in the inbox.
        let unread = try act.rows(
            """
            SELECT member FROM room_own
            WHERE room = ?1 AND since < ?2 AND member <> ?3 AND (up_to IS NULL OR up_to < ?2)
            """, number, message, .id(wire.author)
        ) { row in row.identifier(0) }
        for member in unread {
            try act.run(
                "UPDATE room_own SET unread = unread - 1 WHERE room = ? AND member = ?", number, .id(member))
        }
        try act.hooks.hanging?.takeDown(act, .part(wire.id, of: wire.room))
        try Self.forget(.text("[\(self.number)]"), in: room.number, act)
        let about = Chat.about(wire.id, in: wire.room)
        try act.erase(about: about)
        try act.emit(
            Message.removed, .init(room: wire.room, message: wire.id), about: about, to: seers)
        try leaveInboxes(of: seers, in: room, act)
        try OwnStand.tellAll(in: room, act)
    }

    /// Deletes messages of a room, by their numbers as a list in JSON. That the newest was there stays known.
    static func forget(_ list: Value, in room: Int64, _ act: Act) throws(Rejection) {
        try act.run(
            """
            UPDATE rooms SET last = max(last, coalesce((
                SELECT max(m.id) FROM json_each(?2) j CROSS JOIN messages m ON m.number = j.value), last))
            WHERE number = ?1
            """, .int(room), list)
        try act.run("DELETE FROM messages WHERE number IN (SELECT value FROM json_each(?))", list)
    }

    /// Removes a room's entries from inboxes, because their titles may be what was removed; corrections go, too.
    static func forgetTitles(of room: Identifier, _ readers: Audience, _ act: Act) throws(Rejection) {
        let about = Chat.about(room)
        try act.hooks.inbox?.remove(act, [about], readers)
        try act.erase(about: about, of: [Inbox.corrected])
    }
}
