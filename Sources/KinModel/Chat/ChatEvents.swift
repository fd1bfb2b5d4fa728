/// Events of rooms, with their data.
extension Room {
    package static let opened = EventType("room.opened", "A room is new; who is in it.", Whole.self, sight: .gives)
    package static let updated = EventType(
        "room.updated", "A room is called otherwise, or others are in it; who is in it.", Whole.self)
    package static let shown = EventType(
        "room.shown", "A room, to each who comes into it: what is said from now on.", Whole.self, sight: .gives)
    package static let hidden = EventType(
        "room.hidden", "To each who is in the room no longer.", Named.self, sight: .takes,
        clears: { ["room/\($0.room)"] })
    package static let read = EventType(
        "room.read", "How the member stands to a room: what is read, new or muted; to oneself.", ReadState.self,
        isLatestOnly: true)

    /// The whole room.
    package struct Whole: WireRecord {
        package let room: Room

        package init(room: Room) { self.room = room }

        package static let fields = Fields(nil, Whole.init(room:), .required("room", \.room, Room.form))
    }

    /// The room, by its identifier.
    package struct Named: WireRecord {
        package let room: Identifier

        package init(room: Identifier) { self.room = room }

        package static let fields = Fields(nil, Named.init(room:), .required("room", \.room, .id))
    }

    /// A member's state in a room, and the newest message there.
    package struct ReadState: WireRecord {
        package let room: Identifier
        package let own: OwnRoom
        package let last: LastMessage?

        package init(room: Identifier, own: OwnRoom, last: LastMessage?) {
            (self.room, self.own, self.last) = (room, own, last)
        }

        package static let fields = Fields(
            nil, ReadState.init(room:own:last:), .required("room", \.room, .id), .required("own", \.own, OwnRoom.form),
            .optional("last", \.last, LastMessage.form, "The newest message that the member may see; absent: none."))
    }
}

/// Events of messages.
extension Message {
    package static let sent = EventType("message.sent", "A message is new; who is in the room.", Whole.self)
    package static let updated = EventType(
        "message.updated", "A message says something else; who sees it.", Whole.self)
    package static let removed = EventType(
        "message.removed", "A message is gone; who saw it. What is new or newest without it comes as room.read.",
        Named.self)
    package static let cleared = EventType(
        "message.cleared", "All that a member said in a room is gone; who is in it.", Cleared.self)
    package static let seen = EventType(
        "message.seen", "How far a member has read who shows it; the others in the room.", Seen.self,
        isLatestOnly: true)

    /// The whole message.
    package struct Whole: WireRecord {
        package let message: Message

        package init(message: Message) { self.message = message }

        package static let fields = Fields(nil, Whole.init(message:), .required("message", \.message, Message.form))
    }

    /// The message, by what it is known by.
    package struct Named: WireRecord {
        package let room: Identifier
        package let message: Identifier

        package init(room: Identifier, message: Identifier) { (self.room, self.message) = (room, message) }

        package static let fields = Fields(
            nil, Named.init(room:message:), .required("room", \.room, .id), .required("message", \.message, .id))
    }

    /// Whose messages are gone.
    package struct Cleared: WireRecord {
        package let room: Identifier
        package let author: Identifier

        package init(room: Identifier, author: Identifier) { (self.room, self.author) = (room, author) }

        package static let fields = Fields(
            nil, Cleared.init(room:author:), .required("room", \.room, .id), .required("author", \.author, .id))
    }

    /// How far somebody has read.
    package struct Seen: WireRecord {
        package let room: Identifier
        package let member: Identifier
        package let upTo: Identifier?

        package init(room: Identifier, member: Identifier, upTo: Identifier?) {
            (self.room, self.member, self.upTo) = (room, member, upTo)
        }

        package static let fields = Fields(
            nil, Seen.init(room:member:upTo:), .required("room", \.room, .id), .required("member", \.member, .id),
            .optional("upTo", \.upTo, .id, "The newest message that is read; absent: it is not shown any more."))
    }
}
