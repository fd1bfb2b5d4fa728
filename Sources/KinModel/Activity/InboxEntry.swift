/// One entry of a member's inbox: what happened about one thing, its latest lines, and how many there were before.
public struct InboxEntry: WireRecord {
    /// The entry's identifier; an announcement's is the announcement's own.
    public let id: Identifier
    /// What it is about, such as `meeting/0198…`.
    public let about: String
    /// Official messages stand apart and are never merged: announcements, changes of role, permission and sharing.
    public let isOfficial: Bool
    /// Whether the member has not read it yet.
    public let isUnread: Bool
    /// When its last line was added.
    public let at: Instant
    /// The title of the thing: a meeting's title, the beginning of an announcement.
    public let title: String?
    /// At most three, newest last: objects with `kind`, `at`, `by` where a member did it, and what the kind adds.
    public var lines: [JSON]
    /// How many lines there were before those.
    public let more: Int64
    /// Bytes of ``json`` as compact text, written anew each time: what it takes of the inbox's share of a snapshot.
    public var byteCount: Int { json.bytes.count }

    /// Lines an entry shows.
    public static let linesMax = 3
    /// Characters (Unicode scalars) of a title; a longer text is cut.
    public static let titleCharactersMax = 80

    /// An entry from its parts.
    public init(
        id: Identifier, about: String, isOfficial: Bool, isUnread: Bool = true, at: Instant, title: String?,
        lines: [JSON], more: Int64 = 0
    ) {
        self.id = id
        self.about = about
        self.isOfficial = isOfficial
        self.isUnread = isUnread
        self.at = at
        self.title = title
        self.lines = lines
        self.more = more
    }

    /// As it is written.
    public static let fields: Fields<InboxEntry> = fields(line: .any)

    /// The same, where it is known what lines look like.
    package static func fields(line: Shape) -> Fields<InboxEntry> {
        let lines = Form<[JSON]>.list(.json(line), max: linesMax)
        let count = Form.integer(0...Int64.max)
        return Fields(
            "InboxEntry", InboxEntry.init(id:about:isOfficial:isUnread:at:title:lines:more:),
            .required("id", \.id, .id),
            .required("about", \.about, .token(max: 128), "What it is about, such as meeting/0198…."),
            .required(
                "official", \.isOfficial, .bool, "Stands apart: never merged with others, muted or held back.",
                absent: false),
            .required("unread", \.isUnread, .bool, absent: true),
            .required("at", \.at, .time, "When its last line was added."),
            .optional(
                "title", \.title, .text(max: titleCharactersMax),
                "What the thing is called now; the beginning of an announcement."),
            .required("lines", \.lines, lines, "The latest, newest last.", absent: []),
            .required("more", \.more, count, "How many lines there were before those.", absent: Int64(0)))
    }

    /// The entry that an announcement is in every inbox, except its author's.
    public static func announcement(
        _ id: Identifier, at: Instant, by: Identifier?, text: String, isUnread: Bool = true
    ) -> InboxEntry {
        InboxEntry(
            id: id, about: "announcement/\(id)", isOfficial: true, isUnread: isUnread, at: at, title: title(of: text),
            lines: [.object(leavingOut: ["kind": "announcement", "at": .time(at), "by": by.map { .id($0) }])])
    }

    /// The same with the beginning of another text.
    func titled(_ text: String) -> InboxEntry {
        InboxEntry(
            id: id, about: about, isOfficial: isOfficial, isUnread: isUnread, at: at, title: Self.title(of: text),
            lines: lines, more: more)
    }

    /// The beginning of a text as one line: at most ``titleCharactersMax`` characters, the last an ellipsis when more
    /// was there.
    public static func title(of text: String) -> String {
        var title = String.UnicodeScalarView()
        var count = 0
        for scalar in text.unicodeScalars {
            guard count < titleCharactersMax else {
                title.removeLast()
                title.append("…")
                break
            }
            let isBreak = scalar.value < 0x20 || scalar == "\u{2028}" || scalar == "\u{2029}"
            title.append(isBreak ? " " : scalar)
            count += 1
        }
        return String(title)
    }

    /// Newer than another: by time, then by identifier.
    public static func isNewer(_ left: InboxEntry, _ right: InboxEntry) -> Bool {
        (left.at, left.id) > (right.at, right.id)
    }
}
