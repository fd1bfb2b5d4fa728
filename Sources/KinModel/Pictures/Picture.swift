/// A picture of the family's gallery, without its pixels: those have addresses.
public struct Picture: WireRecord {
    /// The sizes there are of each, by the longest side in pixels; none is larger than what was sent.
    public enum Size: String, Sendable, CaseIterable, Hashable {
        case small, middle, large

        /// Pixels of the longer side at most.
        public var sideMax: Int {
            switch self {
            case .small: 320
            case .middle: 1280
            case .large: Limits.pictureSideMax
            }
        }
    }

    /// What an original is, by its media type.
    public enum Original: String, Sendable, CaseIterable, Hashable {
        case jpeg = "image/jpeg"
        case png = "image/png"
        case webp = "image/webp"
        case gif = "image/gif"
        case heic = "image/heic"
    }

    /// What a film is, by its media type.
    public enum Film: String, Sendable, CaseIterable, Hashable {
        case mp4 = "video/mp4"
        case quickTime = "video/quicktime"
        case mobile = "video/3gpp"

        /// How the name of a file of that kind ends.
        public var fileExtension: String {
            switch self {
            case .mp4: "mp4"
            case .quickTime: "mov"
            case .mobile: "3gp"
            }
        }
    }

    /// Which one; also when it was sent.
    public let id: Identifier
    /// Who sent it; somebody who has left is named still.
    public let author: Identifier
    /// When it was sent.
    public let at: Instant
    /// When it was taken, as its camera said.
    public var taken: Instant?
    /// Pixels across, in the largest size.
    public let width: Int
    /// Pixels down, in the largest size.
    public let height: Int
    /// A word of the family's own, such as `holidays`.
    public var category: String?
    /// The album it lies in, by its name.
    public var album: String?
    /// What is written under it.
    public var caption: String?
    /// Who is in it.
    public var people: [Identifier]
    /// The post it stands in: who sees that sees this, and nobody else.
    public var post: Identifier?
    /// The room in which it was sent.
    public var room: Identifier?
    /// The message there that it is in: who sees that sees this, and nobody else.
    public var message: Identifier?
    /// What the original is, where what was sent is kept too.
    public var original: Original?
    /// What its film is, where it is the poster of one.
    public var film: Film?
    /// How long that plays, in seconds.
    public var seconds: Int?
    /// The document that it stands for: its pixels are a plain sheet.
    public var document: Document?
    /// Since when it lies in its author's bin, seen by nobody else.
    public var binned: Instant?
    /// What members think of it, by member.
    public var likes: [Like]

    /// A picture.
    public init(
        id: Identifier, author: Identifier, at: Instant, taken: Instant? = nil, width: Int, height: Int,
        category: String? = nil, album: String? = nil, caption: String? = nil, people: [Identifier] = [],
        post: Identifier? = nil, room: Identifier? = nil, message: Identifier? = nil, original: Original? = nil,
        film: Film? = nil, seconds: Int? = nil, document: Document? = nil, binned: Instant? = nil, likes: [Like] = []
    ) {
        self.id = id
        self.author = author
        self.at = at
        self.taken = taken
        self.width = width
        self.height = height
        self.category = category
        self.album = album
        self.caption = caption
        self.people = people
        self.post = post
        self.room = room
        self.message = message
        self.original = original
        self.film = film
        self.seconds = seconds
        self.document = document
        self.binned = binned
        self.likes = likes
    }

    /// By which pictures are in order: when it was taken, else when it was sent.
    public var moment: Instant { taken ?? at }

    /// As it is written.
    public static let fields = Fields(
        "Picture",
        Picture.init(
            id:author:at:taken:width:height:category:album:caption:people:post:room:message:original:
            film:seconds:document:binned:likes:),
        .required("id", \.id, .id),
        .required("author", \.author, .id, "Who sent it, still in the family or not."),
        .required("at", \.at, .time, "When it was sent."),
        .optional("taken", \.taken, .time, "When it was taken, as its camera said."),
        .required("width", \.width, sideForm, "Pixels, in the largest size."),
        .required("height", \.height, sideForm, "Pixels, in the largest size."),
        .optional("category", \.category, nameForm, "A word of the family's own."),
        .optional("album", \.album, nameForm, "The album it lies in, by its name."),
        .optional("caption", \.caption, captionForm),
        .required("people", \.people, .list(.id, max: Limits.peopleMax), "Who is in it.", absent: []),
        .optional("post", \.post, .id, "The post it stands in: who sees that sees this."),
        .optional("room", \.room, .id, "The room in which it was sent."),
        .optional("message", \.message, .id, "The message there that it is in: who sees that sees this."),
        .optional(
            "original", \.original, .word,
            "The media type of what was sent, where that is kept too (picture.original)."),
        .optional("film", \.film, .word, "The media type of its film, where it is the poster of one (picture.film)."),
        .optional("seconds", \.seconds, .count(max: 1_000_000), "How long its film plays, rounded up."),
        .optional(
            "document", \.document, Document.form,
            "The document that it stands for, as a plain sheet (picture.document)."),
        .optional("binned", \.binned, .time, "Since when it lies in its author's bin, seen by nobody else."),
        .required("likes", \.likes, Like.list, "By member.", absent: []))

    /// A side.
    package static let sideForm = Form<Int>.count(max: Limits.pictureSideMax)
    /// A category's or an album's name.
    public static let nameForm = Form<String>.line(max: Limits.albumCharactersMax)
    /// What is written under it.
    public static let captionForm = Form<String>.line(max: Limits.captionCharactersMax)
}
