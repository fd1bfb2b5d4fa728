/// A room in which some of the family talk. What they say are ``Message``s.
public struct Room: WireRecord {
    /// The members whom it is for.
    public enum Kind: String, Sendable, CaseIterable {
        /// That of every member who is no guest.
        case family
        /// That of a household, without its guests.
        case household
        /// That of two.
        case direct
        /// That of some.
        case group
    }

    /// The room's identifier. The family's room has the identifier of the family, a household's that of the household.
    public let id: Identifier
    /// Whose.
    public let kind: Kind
    /// What a group is called, if anything.
    public var name: String?
    /// The household, of a household's.
    public let household: Identifier?
    /// Who opened a group, as long as that one is in it.
    public var opener: Identifier?
    /// The members of a room of two or a group, sorted. For other rooms the roster decides.
    public var members: [Identifier]

    /// A room.
    public init(
        id: Identifier, kind: Kind, name: String? = nil, household: Identifier? = nil, opener: Identifier? = nil,
        members: [Identifier] = []
    ) {
        self.id = id
        self.kind = kind
        self.name = name
        self.household = household
        self.opener = opener
        self.members = members
    }

    /// As it is written.
    public static let fields = Fields(
        "Room", Room.init(id:kind:name:household:opener:members:),
        .required("id", \.id, .id, "The family's own room has the family's, a household's the household's."),
        .required("kind", \.kind, .word, "Of the family, of a household, of two, or of some."),
        .optional("name", \.name, .name, "Of a group, if it has one."),
        .optional("household", \.household, .id, "Of a household's."),
        .optional("opener", \.opener, .id, "Of a group: who opened it, while in it."),
        .required("members", \.members, memberList, "Of two and of groups: who is in it, sorted.", absent: []))

    /// Some members.
    package static let memberList = Form.list(Form<Identifier>.id, max: Limits.groupMembersMax)
}

/// One member's state in a ``Room``.
public struct OwnRoom: WireRecord {
    /// Messages that are new to the member.
    public var unread: Int
    /// The newest message that the member has read.
    public var upTo: Identifier?
    /// Until when the inbox tells only of messages that mention the member.
    public var mutedUntil: Instant?
    /// Whether the others see how far the member has read.
    public var showsRead: Bool

    /// Somebody new.
    public init(unread: Int = 0, upTo: Identifier? = nil, mutedUntil: Instant? = nil, showsRead: Bool = false) {
        self.unread = unread
        self.upTo = upTo
        self.mutedUntil = mutedUntil
        self.showsRead = showsRead
    }

    /// As it is written.
    public static let fields = Fields(
        "OwnRoom", OwnRoom.init(unread:upTo:mutedUntil:showsRead:),
        .required("unread", \.unread, .count(max: Limits.messagesUnreadMax), "Messages that are new to the member."),
        .optional("upTo", \.upTo, .id, "The newest message that the member has read."),
        .optional("mutedUntil", \.mutedUntil, .time, "Until then only mentions come into the inbox."),
        .required("showsRead", \.showsRead, .bool, "Whether the others see how far the member has read."))
}

/// A room as one member sees it.
public struct SeenRoom: WireRecord {
    /// The room.
    public var room: Room
    /// The member's state in it.
    public var own: OwnRoom
    /// The beginning of the newest message that the member may see.
    public var last: LastMessage?

    /// A room.
    public init(room: Room, own: OwnRoom = OwnRoom(), last: LastMessage? = nil) {
        self.room = room
        self.own = own
        self.last = last
    }

    /// As it is written.
    public static let fields = Fields(
        "SeenRoom", SeenRoom.init(room:own:last:),
        .required("room", \.room, Room.form), .required("own", \.own, OwnRoom.form),
        .optional("last", \.last, LastMessage.form, "The beginning of the newest message in it."))
}
