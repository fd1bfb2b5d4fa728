/// A member's comment on a ``Post``.
public struct Comment: WireRecord {
    /// The post and the comment: what it is known by.
    public struct Key: Hashable, Sendable, Comparable {
        /// The post.
        public let post: Identifier
        /// The comment under it.
        public let id: Identifier

        /// A key.
        public init(post: Identifier, id: Identifier) { (self.post, self.id) = (post, id) }

        /// By post, then as they were written.
        public static func < (one: Key, other: Key) -> Bool { (one.post, one.id) < (other.post, other.id) }
    }

    /// The post that it stands under.
    public let post: Identifier
    /// Which one; also when it was written.
    public let id: Identifier
    /// Who wrote it; somebody who has left is named still.
    public let author: Identifier
    /// When.
    public let at: Instant
    /// The comment under which it stands as an answer. That may have been removed since.
    public let to: Identifier?
    /// What it says.
    public var text: String
    /// When its words were last changed.
    public var edited: Instant?
    /// What members think of it, by member.
    public var likes: [Like]

    /// A comment.
    public init(
        post: Identifier, id: Identifier, author: Identifier, at: Instant, to: Identifier? = nil, text: String,
        edited: Instant? = nil, likes: [Like] = []
    ) {
        self.post = post
        self.id = id
        self.author = author
        self.at = at
        self.to = to
        self.text = text
        self.edited = edited
        self.likes = likes
    }

    /// What it is known by.
    public var key: Key { Key(post: post, id: id) }

    /// As it is written.
    public static let fields = Fields(
        "Comment", Comment.init(post:id:author:at:to:text:edited:likes:),
        .required("post", \.post, .id),
        .required("id", \.id, .id),
        .required("author", \.author, .id, "Who wrote it, still in the family or not."),
        .required("at", \.at, .time, "When it was written."),
        .optional("to", \.to, .id, "The comment that it answers, removed or not; that answers none itself."),
        .required("text", \.text, textForm),
        .optional("edited", \.edited, .time, "When its words were last changed."),
        .required("likes", \.likes, Like.list, "By member.", absent: []))

    /// Comments in the order in which they are read: each with the answers to it below, as they were written. Where a
    /// comment is not there, its answers stand in its place.
    public static func threads(_ comments: [Comment]) -> [Comment] {
        func place(_ one: Comment) -> (Identifier, Int, Identifier) {
            (one.to ?? one.id, one.to == nil ? 0 : 1, one.id)
        }
        return comments.sorted { place($0) < place($1) }
    }

    /// What it says.
    public static let textForm = Form.text(max: Limits.commentCharactersMax)
}
