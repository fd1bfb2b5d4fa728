package import KinKeeper
import KinModel
import KinStore

/// Rooms in which some of the family talk: one for the family, one for each household, and those that members open for two
/// or for some. The rules stand in the documentation's page Chat.
package enum Chat {
    /// What one member may say in a day.
    static let messages = Quota("messages", slack: 64)
    /// Rooms that one member may open in a day.
    static let rooms = Quota("rooms")

    package static let area = Area(
        "Chat", view: "chat",
        tables: [
            Table("rooms"), Table("room_named"), Table("room_sight"),
            Table("room_own", dated: ["told_at"], ahead: ["muted_until"]), Table("messages", dated: ["at", "edited"]),
            Table("message_pictures"), Table("message_leavers"), Table("room_speakers"),
        ],
        migrations: migrations,
        methods: [
            list, of, open, update, leave, set, send, updateMessage, removeMessage, typing, listMessages, search, read,
        ],
        events: [
            Room.opened, Room.updated, Room.shown, Room.hidden, Room.read, Message.sent, Message.updated,
            Message.removed, Message.cleared, Message.seen,
        ],
        passing: [writes],
        due: [
            leaverEnd: { (act, about) throws(Rejection) in
                if let member = Identifier(about) { try removeSome(of: member, act) }
            },
            leftBehind: { (act, about) throws(Rejection) in
                if let member = Identifier(about) { try leaveBehind(member, act) }
            },
            roomEnd: { (act, about) throws(Rejection) in
                if let id = Identifier(about), let room = try StoredRoom.find(id, act) { try room.end(act) }
            },
        ],
        told: told, shared: [shared], inbox: inboxRules, inboxKinds: inboxKinds,
        sees: [
            "room": { (act, room, member) throws(Rejection) in
                try act.first(
                    """
                    SELECT EXISTS (SELECT 1 FROM room_sight s WHERE s.room = r.number AND s.member = ?2)
                    FROM rooms r WHERE r.id = ?1
                    """, .id(room), .id(member.id)
                ) { row in row.bool(0) }
            }
        ],
        memories: [Typists.self, RoomMemory.self], quotas: [messages, rooms],
        hooks: Area.Hooks(unhung: { (act, picture, place) throws(Rejection) in
            guard case .part(let id, let room) = place, let room = try StoredRoom.find(room, act),
                var message = try StoredMessage.find(id, in: room, act)
            else { return }
            try message.lose(picture, in: room, act)
        }),
        life: Area.Life(
            inherit: { (act, from, _) throws(Rejection) in try leave(from, isTaking: false, act) },
            deleteOwned: { (act, member) throws(Rejection) in try leave(member, isTaking: true, act) },
            redated: { (act, redating) throws(Rejection) in
                guard case .toNow = redating else { return }
                try act.replan([leaverEnd, leftBehind, roomEnd], noLaterThan: act.now)
            }),
        searched: [searched, searchedRooms],
        snapshot: [
            .required(
                "rooms", .list(SeenRoom.shape, max: Limits.roomsSnapshotBytesMax / Limits.roomBytesMin),
                "Rooms that the member is in, with what is new there.")
        ],
        snapshotBytesMax: Limits.roomsSnapshotBytesMax + 64,
        show: { (database, viewer, snapshot) throws(StoreFailure) in
            let rooms = try StoredRoom.seen(by: viewer.id, database)
            let shown = snapshot.fitting(
                rooms, in: "rooms", bytesMax: Limits.roomsSnapshotBytesMax, largest: Limits.roomBytesMax
            ) { $0.json.bytes.count + 1 }
            for seen in shown { snapshot.rooms[seen.room.id] = seen }
        })

    /// The owner is nobody, because the member who opened a room may leave it. `last` is the newest message that there
    /// ever was, `since` the newest that was there when the member came. A message's owner is its author as long as that is a member, and ``nobody``
    /// afterwards.
    static let migrations = [
        Migration(
            number: 40, name: "rooms and messages",
            tables: ["rooms", "room_named", "room_sight", "room_own", "messages", "message_words"],
            reading: ["family", "households", "members"],
            sql: """
                CREATE TABLE rooms (
                    number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, owner BLOB NOT NULL, kind TEXT NOT NULL,
                    name TEXT, opener BLOB, last BLOB NOT NULL, audience TEXT NOT NULL, household BLOB
                ) STRICT;
                CREATE INDEX rooms_by_opener ON rooms (opener);
                """ + "\n" + SharedThings.sql("rooms", column: "room", members: "room_named", sight: "room_sight")
                    + "\n"
                        + """
                        CREATE INDEX room_named_by_member ON room_named (member);
                        CREATE TABLE room_own (
                            room INTEGER NOT NULL REFERENCES rooms (number) ON DELETE CASCADE, member BLOB NOT NULL,
                            since BLOB NOT NULL, up_to BLOB, unread INTEGER NOT NULL, muted_until INTEGER,
                            shows_read INTEGER NOT NULL, told_at INTEGER, PRIMARY KEY (room, member)
                        ) STRICT, WITHOUT ROWID;
                        CREATE TABLE messages (
                            number INTEGER PRIMARY KEY,
                            in_room INTEGER NOT NULL REFERENCES rooms (number) ON DELETE CASCADE,
                            id BLOB NOT NULL, owner BLOB NOT NULL, author BLOB NOT NULL, at INTEGER NOT NULL,
                            text TEXT, about TEXT, reply BLOB, edited INTEGER
                        ) STRICT;
                        CREATE UNIQUE INDEX messages_by_room ON messages (in_room, id);
                        CREATE INDEX messages_by_owner ON messages (owner, in_room);
                        CREATE VIRTUAL TABLE message_words USING fts5 (
                            text, room, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3'
                        );
                        INSERT INTO rooms (id, owner, kind, last, audience)
                        SELECT id, zeroblob(16), 'family', zeroblob(16), 'everyone' FROM family;
                        INSERT INTO rooms (id, owner, kind, last, audience, household)
                        SELECT id, zeroblob(16), 'household', zeroblob(16), 'household', id FROM households;
                        INSERT INTO room_sight (member, room) SELECT m.id, r.number FROM members m, rooms r
                        WHERE m.role <> 'guest' AND (r.kind = 'family' OR r.household = m.household);
                        INSERT INTO room_own (room, member, since, unread, shows_read)
                        SELECT room, member, zeroblob(16), 0, 0 FROM room_sight;
                        """),
        Migration(
            number: 53, name: "pictures and spots in messages", tables: ["messages", "message_pictures"],
            sql: """
                ALTER TABLE messages ADD COLUMN pictures INTEGER NOT NULL DEFAULT 0;
                ALTER TABLE messages ADD COLUMN spot_lat REAL;
                ALTER TABLE messages ADD COLUMN spot_lon REAL;
                ALTER TABLE messages ADD COLUMN spot_name TEXT;
                CREATE TABLE message_pictures (
                    message INTEGER NOT NULL REFERENCES messages (number) ON DELETE CASCADE, place INTEGER NOT NULL,
                    picture BLOB NOT NULL, width INTEGER NOT NULL, height INTEGER NOT NULL, caption TEXT,
                    PRIMARY KEY (message, place)
                ) STRICT, WITHOUT ROWID;
                """),
        Migration(
            number: 68, name: "films in messages", tables: ["message_pictures"],
            sql: "ALTER TABLE message_pictures ADD COLUMN film INTEGER NOT NULL DEFAULT 0;"),
        // `document` is the name of the document, `document_bytes` how long it is.
        Migration(
            number: 71, name: "documents in messages", tables: ["message_pictures"],
            sql: """
                ALTER TABLE message_pictures ADD COLUMN document TEXT;
                ALTER TABLE message_pictures ADD COLUMN document_bytes INTEGER;
                """),
        // Messages are found by the index of all words alone.
        Migration(
            number: 87, name: "no index of their own for messages", tables: ["message_words", "due"],
            sql: """
                DROP TABLE message_words;
                DELETE FROM due WHERE kind = 'chat.mergeWords';
                """),
        // Members who left and took everything along, while some of it is still here.
        Migration(
            number: 90, name: "messages that leave in turns", tables: ["message_leavers"],
            sql: "CREATE TABLE message_leavers (member BLOB NOT NULL PRIMARY KEY) STRICT, WITHOUT ROWID;"),
        .part(of: 94, tables: ["due"], sql: Searched.sql(takingIn: "room")),
        .retelling(
            number: 97, name: "the read state of rooms in the log", former: "room.marked", type: "room.read",
            key: (former: "/marked/", now: "/read/")),
        .part(of: 100, tables: ["due"], sql: Searched.sql(takingIn: "message")),
        // Who ever said something in a room as a message's owner. For who leaves, `looked` is the message down to which
        // that room was looked through, the newest first.
        Migration(
            number: 101, name: "who spoke in a room", tables: ["room_speakers", "messages"], reading: ["rooms"],
            sql: """
                CREATE TABLE room_speakers (
                    member BLOB NOT NULL, room INTEGER NOT NULL REFERENCES rooms (number) ON DELETE CASCADE,
                    looked BLOB, PRIMARY KEY (member, room)
                ) STRICT, WITHOUT ROWID;
                INSERT INTO room_speakers (member, room)
                SELECT DISTINCT m.owner, m.in_room FROM messages m CROSS JOIN rooms r ON r.number = m.in_room
                WHERE m.owner <> zeroblob(16);
                DROP INDEX messages_by_owner;
                """),
        // The message up to which `unread` and `up_to` are counted. Those after it are few.
        Migration(
            number: 102, name: "messages that are counted later", tables: ["room_own"], reading: ["messages"],
            sql: """
                ALTER TABLE room_own ADD COLUMN counted BLOB NOT NULL DEFAULT x'00000000000000000000000000000000';
                UPDATE room_own SET counted = coalesce(
                    (SELECT max(m.id) FROM messages m WHERE m.in_room = room_own.room), since);
                """),
    ]

    /// Tells the mechanism how to find the members of a room. Guests are only in rooms that name them.
    static let shared = SharedThings(
        "rooms", column: "room", members: "room_named", sight: "room_sight", isForGuestsByName: true,
        lostForGood: "TRUE"
    ) { (act, number, change) throws(Rejection) in try StoredRoom.find(number, act)?.tell(change, act) }

    /// The `about` of the log's rows about a room; those about its messages begin with it.
    static func about(_ room: Identifier) -> String { "room/\(room)" }

    /// The `about` of the log's rows about a message.
    static func about(_ message: Identifier, in room: Identifier) -> String { about(room) + "/\(message)" }

    /// The owner of every room: nobody, so that only its audience decides who is in it.
    static let nobody = Identifier(high: 0, low: 0)

    // MARK: The family is another

    /// Rooms of the family and of households come and go with them.
    private static let told: [String: @Sendable (Act, Told) throws(Rejection) -> Void] = [
        Family.founded.name: { (act, told) throws(Rejection) in
            guard let family = told[Family.founded]?.family else { return }
            try make(Room(id: family.id, kind: .family), .everyone, act)
            for household in try act.rows("SELECT id FROM households ORDER BY id", map: { row in row.identifier(0) }) {
                try make(Room(id: household, kind: .household, household: household), .household(household), act)
            }
        },
        Household.founded.name: { (act, told) throws(Rejection) in
            guard let id = told[Household.founded]?.household.id else { return }
            try make(Room(id: id, kind: .household, household: id), .household(id), act)
        },
        // Nobody is in it any more.
        Household.removed.name: { (act, told) throws(Rejection) in
            guard let id = told[Household.removed]?.household else { return }
            try StoredRoom.find(id, act)?.remove(act)
        },
    ]

    private static func make(_ room: Room, _ with: SharedWith, _ act: Act) throws(Rejection) {
        guard try StoredRoom.find(room.id, act) == nil else { return }
        var stored = StoredRoom(room, sharedWith: with)
        try stored.save(act)
    }
}
