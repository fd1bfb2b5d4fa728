/// A place outside whose news the family reads, at the address of a feed. Only admins see the address.
public struct NewsSource: WireRecord {
    /// Why a source could not be read anew. What was read before stays.
    public enum Trouble: String, Sendable, CaseIterable, Hashable {
        /// Nothing is there any more (404, 410).
        case gone
        /// It is not shown to the family (401, 403).
        case closed
        /// The server answers that something is wrong with it.
        case failing
        /// Something else is there, such as a page.
        case notFeed
        /// It is no whole and well-formed XML, or it has a document type.
        case broken
        /// There is more than is read.
        case tooLarge
        /// The name of the server was not found, or nobody answers.
        case unreachable
        /// The answer took too long.
        case slow
        /// The server could not show by a certificate that it is the one.
        case untrusted
        /// The address is not asked: it lies in the house, or leads there.
        case refused
        /// It leads on to an address without `https://`, or on and on.
        case redirected
    }

    /// Which one.
    public let id: Identifier
    /// Its name: the one that an admin gave it, or its own.
    public var name: String?
    /// Its page, by `http` or `https`.
    public var site: String?
    /// Why it could not be read anew.
    public var trouble: Trouble?
    /// Since when it could not.
    public var since: Instant?

    /// A source.
    public init(
        id: Identifier, name: String? = nil, site: String? = nil, trouble: Trouble? = nil, since: Instant? = nil
    ) {
        self.id = id
        self.name = name
        self.site = site
        self.trouble = trouble
        self.since = since
    }

    /// As it is written.
    public static let fields = Fields(
        "NewsSource", NewsSource.init(id:name:site:trouble:since:),
        .required("id", \.id, .id),
        .optional("name", \.name, nameForm, "As an admin named it, or as it calls itself; absent: it was never read."),
        .optional("site", \.site, NewsItem.linkForm, "Its page, by http or https."),
        .optional(
            "trouble", \.trouble, .word, "Why it could not be read anew; what was read before stays. Absent: it could."),
        .optional("since", \.since, .time, "Since when it could not."))

    /// What it is called.
    public static let nameForm = Form.name
}
