import KinKeeper
import KinModel
import KinStore

extension Chat {
    private static let result = Shape.object([.required("message", Message.shape)])
    private static let reads = Shape.list(
        .object([.required("member", .id), .required("upTo", .id)]), max: Limits.membersMax)

    static let send = Method.command(
        "message.send", "Says something in a room: words, pictures, a spot, or something that the room is to see.",
        access: .signedIn,
        note: "who is in the room",
        [
            .required("room", .id),
            .optional(
                "text", Message.textForm.shape,
                "One of text, pictures, spot and about is needed. @ with a name calls somebody."),
            .optional(
                "about", Message.aboutForm.shape, "Something the caller sees, such as place/ with an identifier."),
            .optional("spot", MessageSpot.shape, "A spot on earth that the caller chose."),
            .optional(
                "pictures", pictureShape, "The caller's own; those who see the message see them, and nobody else."),
            .optional("reply", .id, "The message that is answered."),
        ],
        result: result, route: Route("POST", "/api/rooms/{room}/messages", status: 201), events: [Message.sent],
        again: { (act, ids) throws(Rejection) in try again(act, ids) },
        apply: { (act, params) throws(Rejection) in
            var (room, stand) = try StoredRoom.visible(act, try params.id("room"))
            let text = try params.optionalString("text").map { (text) throws(Rejection) in try spoken(text) }
            let about = params.optionalString("about")
            let (spot, pictures) = (params["spot"].flatMap(MessageSpot.init), pictures(params))
            guard text != nil || about != nil || spot != nil || !pictures.isEmpty else {
                throw Rejection(
                    .invalid, "A message needs a text, a picture, a spot, or something that it is about.", field: "text"
                )
            }
            if let about { try act.requireSeen(about, field: "about") }
            let answered = try params.optionalID("reply").map { (id) throws(Rejection) in
                try StoredMessage.visible(id, in: room, stand, field: "reply", act).wire.id
            }
            try spend(act)
            let author = try act.member.id
            var message = StoredMessage(
                Message(
                    room: room.wire.id, id: next(after: room.last, act), author: author, at: act.now, text: text,
                    about: about, spot: spot, pictures: pictures, reply: answered))
            let reply = try message.send(in: &room, act)
            if stand.own.unread > 0 {
                stand.own = OwnRoom()
                try settleInbox(room, act)
            }
            return .done(reply, ids: [room.wire.id, message.wire.id])
        })

    static let updateMessage = Method.command(
        "message.update", "Gives a message other words; it is marked as edited.", access: .signedIn,
        note: "its author",
        [.required("room", .id), .required("message", .id), .required("text", Message.textForm.shape)],
        result: result, route: Route("PATCH", "/api/rooms/{room}/messages/{message}"),
        events: [Message.updated, Room.read],
        again: { (act, ids) throws(Rejection) in try again(act, ids) },
        apply: { (act, params) throws(Rejection) in
            let (room, stand) = try StoredRoom.visible(act, try params.id("room"))
            var message = try StoredMessage.visible(try params.id("message"), in: room, stand, act)
            try act.require(act.isOneself(message.wire.author), "Only its author changes a message.")
            let text = try spoken(try params.string("text"))
            if text != message.wire.text {
                try spend(act)
                let former = message.wire.text
                message.wire.text = text
                message.wire.edited = act.now
                try message.change(in: room, act)
                // A room's entry has the words of the message that began it, which need not be the last one. A member
                // who joined later saw other words, even where they are equal.
                if let former {
                    try act.retitle(
                        about(room.wire.id), text, instead: former, of: try room.seers(of: message.wire.id, act)
                    ) { (began) throws(Rejection) in try !message.isOther(room, called: former, began, act) }
                }
            }
            return .done(["message": message.wire.json], ids: [room.wire.id, message.wire.id])
        })

    static let removeMessage = Method.command(
        "message.remove", "Removes a message, from the log and from inboxes too.", access: .signedIn,
        note: "its author, admins who are in the room", [.required("room", .id), .required("message", .id)],
        result: .nothing, route: Route("DELETE", "/api/rooms/{room}/messages/{message}"),
        events: [Message.removed, Room.read],
        apply: { (act, params) throws(Rejection) in
            let (room, stand) = try StoredRoom.visible(act, try params.id("room"))
            let message = try StoredMessage.visible(try params.id("message"), in: room, stand, act)
            try act.require(
                act.isOneself(message.wire.author) || act.isAdministrator,
                "Only its author and admins who are in the room remove a message.")
            try message.remove(in: room, act)
            return .done([:])
        }
    ).freeingRoom()

    static let typing = Method.command(
        "message.typing", "Says that the caller writes in a room, to those who look at it now.", access: .signedIn,
        note: """
            who is in the room: whoever follows with passing is told at once, and nothing keeps it. Say so again every few \
            seconds; what is said sooner is not told.
            """,
        [.required("room", .id)], result: .object([]), route: Route("PUT", "/api/rooms/{room}/typing"), events: [],
        apply: { (act, params) throws(Rejection) in
            let (room, _) = try StoredRoom.visible(act, try params.id("room"))
            let member = try act.member
            guard act.memory(Typists.self).says(member.number, at: act.now) else { return .done([:]) }
            let others = try room.seers(act).subtracting(try act.roster.only(member.id))
            return .done(
                [:],
                effect: .pass(
                    try Passing(writes, about: about(room.wire.id), to: others, act)))
        })

    /// Somebody writes in a room.
    static let writes = PassingType("message.typing")

    static let listMessages = Method.query(
        "message.list", "Messages of a room as they were sent: the newest, or those directly before one of them.",
        access: .signedIn, note: "who is in the room: what was said since",
        [
            .required("room", .id), .optional("before", .id, "Only earlier ones than this message."),
            .optional("limit", .integer(1...Limits.messagesPerAnswerMax), "30 if left out."),
        ],
        result: .object([
            .required("messages", .list(Message.shape, max: Int(Limits.messagesPerAnswerMax))),
            .optional("next", .id, "To be given as before; there while there are earlier ones."),
            .required("reads", reads, "How far others have read who show it, where the caller sees that message."),
        ]),
        route: Route("GET", "/api/rooms/{room}/messages"),
        apply: { (act, params) throws(Rejection) in
            let (room, stand) = try StoredRoom.visible(act, try params.id("room"))
            let (limit, before) = (params.optionalInt("limit") ?? 30, params.optionalID("before"))
            let found = try act.ask { (database) throws(StoreFailure) in
                try StoredMessage.newest(in: room, since: stand.since, limit + 1, before: before, database)
            }
            let page = found.prefix(Int(limit))
            let shown = try act.rows(
                """
                SELECT member, \(OwnStand.upTo) AS up_to FROM \(OwnStand.rows)
                WHERE o.room = ? AND member <> ? AND shows_read = 1 AND \(OwnStand.upTo) > ? ORDER BY member
                """, .int(room.number), .id(try act.member.id), .id(stand.since)
            ) { row in ["member": .id(row.identifier("member")), "upTo": .id(row.identifier("up_to"))] as JSON }
            return .done(
                .object(leavingOut: [
                    "messages": .array(page.reversed().map(\.wire.json)),
                    "next": found.count > page.count ? page.last.map { .id($0.wire.id) } : nil,
                    "reads": .array(shown),
                ]))
        }
    ).listing()

    static let search = Method.longRead(
        "message.search", "Messages with all of some words, or words that begin so, the newest first.",
        access: .signedIn, note: "what the caller sees",
        [
            .required("words", .line(max: Limits.messageSearchCharactersMax)),
            .optional("room", .id, "Only in this room."),
            .optional("before", .token(max: 80), "The next of the page before."),
            .optional("limit", .integer(1...Limits.messagesPerAnswerMax), "20 if left out."),
        ],
        result: .object([
            .required("messages", .list(Message.shape, max: Int(Limits.messagesPerAnswerMax))),
            .optional("next", .token(max: 80), "There are more: give it as before."),
            .required(
                "isWhole", .bool,
                "false: what was there before this search is still being taken in, and may be missing."),
        ]),
        route: Route("GET", "/api/messages"),
        admit: { (act, params, before: MessageSearch?) throws(Rejection) in
            let asked = try MessageSearch(params, act)
            if before == nil { try Search.takeIn(act) }
            return asked
        },
        begin: { (asked) in MessageSearch.Found(before: asked.before) },
        read: { (database, asked, found, time) throws(StoreFailure) in try asked.goOn(&found, time, database) },
        answer: { (act, _, asked, found) throws(Rejection) in
            let page = Array(found.rows.prefix(asked.limit - 1))
            var next: String?
            if found.rows.count > page.count, let last = page.last {
                next = try Search.cursor(behind: last.place, act)
            }
            let messages = try act.ask { (database) throws(StoreFailure) in
                try StoredMessage.seen(page.map(\.number), by: asked.member, database)
            }
            return .done(
                .object(leavingOut: [
                    "messages": .array(messages.map(\.json)),
                    "next": next.map { .string($0) },
                    "isWhole": .bool(try Search.isWhole(act)),
                ]))
        })

    static let read = Method.command(
        "message.read", "Says how far one has read; all of one's own devices, and the inbox, go by it.",
        access: .signedIn, note: "who is in the room, for oneself",
        [.required("room", .id), .required("upTo", .id, "The newest message that was read. It never goes back.")],
        result: .object([.required("own", OwnRoom.shape)]), route: Route("PUT", "/api/rooms/{room}/read"),
        events: [Room.read, Message.seen],
        again: { (act, ids) throws(Rejection) in
            guard let id = ids.first else { return [:] }
            return ["own": try StoredRoom.visible(act, id).stand.own.json]
        },
        apply: { (act, params) throws(Rejection) in
            var (room, stand) = try StoredRoom.visible(act, try params.id("room"))
            let upTo = min(try params.id("upTo"), room.last)
            if upTo > max(stand.own.upTo ?? nobody, stand.since) {
                let member = try act.member.id
                stand.own.upTo = upTo
                stand.own.unread = Int(
                    try act.first(
                        "SELECT count(*) FROM messages WHERE in_room = ? AND id > ?", .int(room.number), .id(upTo)
                    ) { row in row.int(0) } ?? 0)
                try stand.save(of: member, in: room, act)
                try stand.tell(member, of: room, act)
                if stand.own.showsRead { try stand.show(member, in: room, act) }
            }
            if stand.own.unread == 0 { try settleInbox(room, act) }
            return .done(["own": stand.own.json], ids: [room.wire.id])
        })

    // MARK: Inside

    private static let pictureShape = Shape.list(
        .object([
            .required("picture", .id), .optional("caption", .line(max: Limits.captionCharactersMax)),
        ]), max: Limits.postPicturesMax)

    /// The pictures that were given, each once. How large each is, is found when they are hung.
    private static func pictures(_ params: Params) -> [PostPicture] {
        var known: Set<Identifier> = []
        return (params["pictures"]?.array ?? []).compactMap { json in
            guard let id = json["picture"]?.identifier, known.insert(id).inserted else { return nil }
            return PostPicture(picture: id, width: 1, height: 1, caption: json["caption"]?.string)
        }
    }

    /// An identifier after all others of a room, whatever the clock says: messages are sorted as in the log.
    private static func next(after last: Identifier, _ act: Act) -> Identifier {
        let fresh = act.newIdentifier()
        if fresh > last { return fresh }
        let later = Instant(milliseconds: Int64(last.high >> 16) + 1)
        return Identifier(at: later, random: (act.randomNumber(), act.randomNumber()))
    }

    /// Removes from the inbox what was read.
    private static func settleInbox(_ room: StoredRoom, _ act: Act) throws(Rejection) {
        try act.hooks.inbox?.remove(act, [about(room.wire.id)], try act.roster.only(try act.member.id))
    }

    /// A text that says something.
    private static func spoken(_ text: String) throws(Rejection) -> String {
        // Mostly a letter of ASCII says it at once.
        let isSpoken = text.utf8.contains { $0 > 0x20 && $0 < 0x7F } || text.contains { !$0.isWhitespace }
        guard isSpoken else {
            throw Rejection(.invalid, "text is empty; say something.", field: "text")
        }
        return text
    }

    /// Takes one of today's messages.
    private static func spend(_ act: Act) throws(Rejection) {
        guard try messages.take(1, of: Limits.messagesPerDayMax, for: try act.member.id, act) else {
            throw Quota.usedUp(
                "You sent \(Limits.messagesPerDayMax) messages today, which is the most; go on tomorrow.", act)
        }
    }

    /// The answer to a repeat: what is so now.
    private static func again(_ act: Act, _ ids: [Identifier]) throws(Rejection) -> JSON {
        guard ids.count == 2 else { return [:] }
        let (room, stand) = try StoredRoom.visible(act, ids[0])
        return ["message": try StoredMessage.visible(ids[1], in: room, stand, act).wire.json]
    }
}

/// A search of messages: a long read of the index of words, in which a common word stands thousands of times. It finds rows
/// only; what they say is read in the turn of the answer.
struct MessageSearch: Sendable, Equatable {
    /// A message that has the words.
    struct Row: Sendable {
        /// Its place in time, in the index.
        let place: Int64
        let number: Int64
    }

    /// The results so far.
    struct Found: Sendable {
        var rows: [Row] = []
        /// Where to go on.
        var before: Int64
    }

    /// The words in FTS5's language, with the rooms of the member who searches.
    let query: String?
    /// The member who searches. Messages from before the member came to a room are not found.
    let member: Identifier
    /// Only rows before this place are found.
    let before: Int64
    /// How many rows are wanted: one more than are shown.
    let limit: Int

    /// Judges a question.
    init(_ params: Params, _ act: Act) throws(Rejection) {
        let member = try act.member.id
        let rooms: [Int64]
        if let room = params.optionalID("room") {
            rooms = [try StoredRoom.visible(act, room).room.number]
        } else {
            rooms = try act.rows("SELECT room FROM room_sight WHERE member = ? ORDER BY room", .id(member)) { row in
                row.int(0)
            }
        }
        query = Search.query(try params.string("words"), of: Chat.searched, in: rooms)
        self.member = member
        before =
            try params.optionalString("before").map { (cursor) throws(Rejection) in
                try Search.place(of: cursor, among: Chat.searched, act)
            } ?? .max
        limit = Int(params.optionalInt("limit") ?? 20) + 1
    }

    /// Goes on with what was found, for as long as there is time.
    func goOn(_ found: inout Found, _ time: ReadTime, _ database: Database) throws(StoreFailure) -> Bool {
        guard let query else { return true }
        var next = found
        var isWhole = true
        try Search.each(query, before: next.before, database) {
            (place, number) throws(StoreFailure) in
            let isSeen = try database.first(
                """
                SELECT 1 FROM messages m CROSS JOIN room_own o ON o.room = m.in_room AND o.member = ?
                WHERE m.number = ? AND m.id > o.since AND \(Chat.isThere)
                """, .id(member), .int(number)
            ) { _ in true }
            next.before = place
            if isSeen == true { next.rows.append(Row(place: place, number: number)) }
            if next.rows.count >= limit { return false }
            isWhole = !time.isOver
            return isWhole
        }
        found = next
        return isWhole
    }
}
