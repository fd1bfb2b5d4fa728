/// Something that a member says in a ``Room``. Messages of a room are sorted by their identifiers. That is the order in
/// which the daemon stored them, whatever clocks said.
public struct Message: WireRecord {
    /// The room that it is in.
    public let room: Identifier
    /// Which one.
    public let id: Identifier
    /// Who wrote it; somebody who has left is named still.
    public let author: Identifier
    /// When.
    public let at: Instant
    /// What it says.
    public var text: String?
    /// Another thing of the family's that it is about, such as `place/` with an identifier.
    public let about: String?
    /// The message that it answers; that may be gone.
    public let reply: Identifier?
    /// When its words were last changed.
    public var edited: Instant?

    /// A message.
    public init(
        room: Identifier, id: Identifier, author: Identifier, at: Instant, text: String? = nil, about: String? = nil,
        reply: Identifier? = nil, edited: Instant? = nil
    ) {
        self.room = room
        self.id = id
        self.author = author
        self.at = at
        self.text = text
        self.about = about
        self.reply = reply
        self.edited = edited
    }

    /// As it is written.
    public static let fields = Fields(
        "Message", Message.init(room:id:author:at:text:about:reply:edited:),
        .required("room", \.room, .id),
        .required("id", \.id, .id, "Messages of a room are in the order of these."),
        .required("author", \.author, .id, "Who wrote it, still in the family or not."),
        .required("at", \.at, .time, "When it was written."),
        .optional("text", \.text, textForm),
        .optional("about", \.about, aboutForm, "Something that it is about, such as place/ with its identifier."),
        .optional("reply", \.reply, .id, "The message that it answers; that may be gone."),
        .optional("edited", \.edited, .time, "When its words were last changed."))

    /// What it says.
    public static let textForm = Form.text(max: Limits.messageCharactersMax)
    /// The other thing.
    public static let aboutForm = Form.token(max: Limits.messageAboutCharactersMax)
}

/// The beginning of the newest message of a room.
public struct LastMessage: WireRecord {
    /// Which one.
    public let id: Identifier
    /// Who wrote it.
    public let author: Identifier
    /// When.
    public let at: Instant
    /// The beginning of what it says, as one line.
    public let text: String?
    /// What it is about.
    public let about: String?

    /// The beginning of a message.
    public init(id: Identifier, author: Identifier, at: Instant, text: String?, about: String?) {
        self.id = id
        self.author = author
        self.at = at
        self.text = text
        self.about = about
    }

    /// The beginning of a message.
    public init(_ message: Message) {
        self.init(
            id: message.id, author: message.author, at: message.at,
            text: message.text.map { InboxEntry.title(of: $0) }, about: message.about)
    }

    /// As it is written.
    public static let fields = Fields(
        "LastMessage", LastMessage.init(id:author:at:text:about:),
        .required("id", \.id, .id),
        .required("author", \.author, .id),
        .required("at", \.at, .time),
        .optional("text", \.text, .text(max: InboxEntry.titleCharactersMax), "Its beginning, as one line."),
        .optional("about", \.about, Message.aboutForm))
}
