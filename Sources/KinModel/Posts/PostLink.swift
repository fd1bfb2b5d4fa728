/// A link that shows one post to people outside the family, until it ends. The secret in it is told once, when it is made.
public struct PostLink: WireRecord, Hashable {
    /// Which one.
    public let id: Identifier
    /// The post that it shows.
    public let post: Identifier
    /// The post's author, who made it.
    public let by: Identifier
    /// When it was made.
    public let made: Instant
    /// When it ends by itself.
    public let until: Instant

    /// A link.
    public init(id: Identifier, post: Identifier, by: Identifier, made: Instant, until: Instant) {
        self.id = id
        self.post = post
        self.by = by
        self.made = made
        self.until = until
    }

    /// As it is written.
    public static let fields = Fields(
        "PostLink", PostLink.init(id:post:by:made:until:),
        .required("id", \.id, .id),
        .required("post", \.post, .id),
        .required("by", \.by, .id, "The post's author, who made it."),
        .required("made", \.made, .time),
        .required("until", \.until, .time, "When it ends by itself."))
}
