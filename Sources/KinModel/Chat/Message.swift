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
    /// A spot that its author chose.
    public let spot: MessageSpot?
    /// Pictures in it, in their order.
    public var pictures: [PostPicture]
    /// The message that it answers; that may be gone.
    public let reply: Identifier?
    /// When its words were last changed.
    public var edited: Instant?

    /// A message.
    public init(
        room: Identifier, id: Identifier, author: Identifier, at: Instant, text: String? = nil, about: String? = nil,
        spot: MessageSpot? = nil, pictures: [PostPicture] = [], reply: Identifier? = nil, edited: Instant? = nil
    ) {
        self.room = room
        self.id = id
        self.author = author
        self.at = at
        self.text = text
        self.about = about
        self.spot = spot
        self.pictures = pictures
        self.reply = reply
        self.edited = edited
    }

    /// As it is written.
    public static let fields = Fields(
        "Message", Message.init(room:id:author:at:text:about:spot:pictures:reply:edited:),
        .required("room", \.room, .id),
        .required("id", \.id, .id, "Messages of a room are in the order of these."),
        .required("author", \.author, .id, "Who wrote it, still in the family or not."),
        .required("at", \.at, .time, "When it was written."),
        .optional("text", \.text, textForm),
        .optional("about", \.about, aboutForm, "Something that it is about, such as place/ with its identifier."),
        .optional("spot", \.spot, MessageSpot.form, "A spot that its author chose."),
        .required("pictures", \.pictures, PostPicture.list, "In their order.", absent: []),
        .optional("reply", \.reply, .id, "The message that it answers; that may be gone."),
        .optional("edited", \.edited, .time, "When its words were last changed."))

    /// What it says.
    public static let textForm = Form.text(max: Limits.messageCharactersMax)
    /// The other thing.
    public static let aboutForm = Form.token(max: Limits.messageAboutCharactersMax)
}

/// A spot on earth that the author of a message chose. It says nothing of where anybody is.
public struct MessageSpot: WireRecord, Hashable {
    /// What the author calls it.
    public let name: String?
    /// Degrees north.
    public let lat: Double
    /// Degrees east.
    public let lon: Double

    /// A spot.
    public init(name: String? = nil, lat: Double, lon: Double) {
        self.name = name
        self.lat = lat
        self.lon = lon
    }

    /// As it is written.
    public static let fields = Fields(
        "MessageSpot", MessageSpot.init(name:lat:lon:),
        .optional("name", \.name, .name, "What its author calls it."),
        .required("lat", \.lat, .number(Limits.latBounds), "Degrees north (WGS 84)."),
        .required("lon", \.lon, .number(Limits.lonBounds), "Degrees east (WGS 84)."))
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
    /// How many pictures are in it; `nil`: none.
    public let pictures: Int?
    /// How many of them stand for documents; `nil`: none.
    public let documents: Int?

    /// The beginning of a message.
    public init(
        id: Identifier, author: Identifier, at: Instant, text: String?, about: String?, pictures: Int? = nil,
        documents: Int? = nil
    ) {
        self.id = id
        self.author = author
        self.at = at
        self.text = text
        self.about = about
        self.pictures = pictures
        self.documents = documents
    }

    /// The beginning of a message.
    public init(_ message: Message) {
        let documents = message.pictures.count { $0.document != nil }
        self.init(
            id: message.id, author: message.author, at: message.at,
            text: message.text.map { InboxEntry.title(of: $0) }, about: message.about,
            pictures: message.pictures.isEmpty ? nil : message.pictures.count,
            documents: documents == 0 ? nil : documents)
    }

    /// As it is written.
    public static let fields = Fields(
        "LastMessage", LastMessage.init(id:author:at:text:about:pictures:documents:),
        .required("id", \.id, .id),
        .required("author", \.author, .id),
        .required("at", \.at, .time),
        .optional("text", \.text, .text(max: InboxEntry.titleCharactersMax), "Its beginning, as one line."),
        .optional("about", \.about, Message.aboutForm),
        .optional(
            "pictures", \.pictures, .count(max: Limits.postPicturesMax),
            "How many pictures are in it, the sheets of documents among them; absent: none."),
        .optional(
            "documents", \.documents, .count(max: Limits.postPicturesMax),
            "How many of those stand for documents; absent: none."))
}
