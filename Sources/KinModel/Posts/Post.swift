/// Something that a member tells some of the family. What others say to it are ``Comment``s.
public struct Post: WireRecord {
    /// Which one; also when it was written.
    public let id: Identifier
    /// Who wrote it; somebody who has left is named still.
    public let author: Identifier
    /// When.
    public let at: Instant
    /// What it says.
    public var text: String?
    /// A page that it points to, by `http` or `https`.
    public var link: String?
    /// Another thing of the family's that it is about, such as `meeting/` with an identifier.
    public var about: String?
    /// Pictures in it, in their order.
    public var pictures: [PostPicture]
    /// Whether an admin keeps it on top.
    public var isPinned: Bool
    /// When its words were last changed.
    public var edited: Instant?
    /// How many comments it has.
    public var comments: Int
    /// What members think of it, by member.
    public var likes: [Like]

    /// A post.
    public init(
        id: Identifier, author: Identifier, at: Instant, text: String? = nil, link: String? = nil,
        about: String? = nil, pictures: [PostPicture] = [], isPinned: Bool = false, edited: Instant? = nil,
        comments: Int = 0, likes: [Like] = []
    ) {
        self.id = id
        self.author = author
        self.at = at
        self.text = text
        self.link = link
        self.about = about
        self.pictures = pictures
        self.isPinned = isPinned
        self.edited = edited
        self.comments = comments
        self.likes = likes
    }

    /// As it is written.
    public static let fields = Fields(
        "Post", Post.init(id:author:at:text:link:about:pictures:isPinned:edited:comments:likes:),
        .required("id", \.id, .id),
        .required("author", \.author, .id, "Who wrote it, still in the family or not."),
        .required("at", \.at, .time, "When it was written."),
        .optional("text", \.text, textForm),
        .optional("link", \.link, linkForm, "A page, by http or https."),
        .optional(
            "about", \.about, aboutForm,
            "What it is about, such as meeting/ with its identifier; post/ with that of a post which it quotes."),
        .required("pictures", \.pictures, PostPicture.list, "In their order.", absent: []),
        .required("pinned", \.isPinned, .bool, "Kept on top by an admin."),
        .optional("edited", \.edited, .time, "When its words were last changed."),
        .required("comments", \.comments, .count(max: Limits.commentsMax), "How many it has."),
        .required("likes", \.likes, Like.list, "By member.", absent: []))

    /// What it says.
    public static let textForm = Form.text(max: Limits.postCharactersMax)
    /// The page.
    public static let linkForm = Form.line(max: Limits.linkCharactersMax)
    /// The other thing.
    public static let aboutForm = Form.token(max: Limits.postAboutCharactersMax)
}
