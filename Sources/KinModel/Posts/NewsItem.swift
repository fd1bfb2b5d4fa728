/// One piece of news of a ``NewsSource``, in plain text, whatever markup it had.
public struct NewsItem: WireRecord {
    /// Which one. Newer news have later identifiers: they begin with the time that it is sorted by.
    public let id: Identifier
    /// Where it is from.
    public let source: Identifier
    /// Its headline.
    public var title: String
    /// How it begins, or all of it where that is short.
    public var text: String?
    /// Its page, by `http` or `https`.
    public var link: String?
    /// Who wrote it, as the source says.
    public var author: String?
    /// The moment at which it was published, as the source says; never later than when it was first read.
    public let at: Instant
    /// When it was first read.
    public let read: Instant
    /// When its words were last found changed.
    public var changed: Instant?
    /// What members think of it, by member.
    public var likes: [Like]
    /// Who is interested, by member.
    public var stars: [Identifier]

    /// A piece of news.
    public init(
        id: Identifier, source: Identifier, title: String, text: String? = nil, link: String? = nil,
        author: String? = nil, at: Instant, read: Instant, changed: Instant? = nil, likes: [Like] = [],
        stars: [Identifier] = []
    ) {
        self.id = id
        self.source = source
        self.title = title
        self.text = text
        self.link = link
        self.author = author
        self.at = at
        self.read = read
        self.changed = changed
        self.likes = likes
        self.stars = stars
    }

    /// As it is written.
    public static let fields = Fields(
        "NewsItem", NewsItem.init(id:source:title:text:link:author:at:read:changed:likes:stars:),
        .required("id", \.id, .id),
        .required("source", \.source, .id),
        .required("title", \.title, titleForm, "Plain text, as all of it."),
        .optional("text", \.text, textForm, "How it begins, or all of it where that is short."),
        .optional("link", \.link, linkForm, "Its page, by http or https."),
        .optional("author", \.author, .name, "As the source says."),
        .required("at", \.at, .time, "When it was published, as the source says; never later than read."),
        .required("read", \.read, .time, "When it was first read."),
        .optional("changed", \.changed, .time, "When its words were last found changed."),
        .required("likes", \.likes, Like.list, "By member.", absent: []),
        .required("stars", \.stars, .members, "Who is interested, by member.", absent: []))

    /// A headline.
    public static let titleForm = Form.line(max: Limits.newsTitleCharactersMax)
    /// The words.
    public static let textForm = Form.text(max: Limits.newsTextCharactersMax)
    /// A page.
    public static let linkForm = Form.line(max: Limits.linkCharactersMax)
}
