/// One entry of a member's inbox: what happened about one thing, its latest lines, and how many there were before.
public struct InboxEntry: Sendable, Hashable {
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
    /// The text of the thing when the entry began: a meeting's title, the beginning of an announcement.
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

    /// Reads the form that ``json`` writes.
    public init?(_ json: JSON) {
        guard let id = json["id"]?.identifier, let about = json["about"]?.string, let at = json["at"]?.instant else {
            return nil
        }
        self.init(
            id: id, about: about, isOfficial: json["official"]?.bool ?? false,
            isUnread: json["unread"]?.bool ?? true, at: at, title: json["title"]?.string,
            lines: json["lines"]?.array ?? [], more: json["more"]?.int ?? 0)
    }

    /// `{"id","about","official","unread","at","title"?,"lines","more"}`.
    public var json: JSON {
        .object(leavingOut: [
            "id": .id(id), "about": .string(about), "official": .bool(isOfficial), "unread": .bool(isUnread),
            "at": .time(at), "title": title.map { .string($0) }, "lines": .array(lines), "more": .int(more),
        ])
    }

    /// The entry that an announcement is in every inbox, except its author's.
    public static func announcement(
        _ id: Identifier, at: Instant, by: Identifier?, text: String, isUnread: Bool = true
    ) -> InboxEntry {
        InboxEntry(
            id: id, about: "announcement/\(id)", isOfficial: true, isUnread: isUnread, at: at, title: title(of: text),
            lines: [.object(leavingOut: ["kind": "announcement", "at": .time(at), "by": by.map { .id($0) }])])
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
