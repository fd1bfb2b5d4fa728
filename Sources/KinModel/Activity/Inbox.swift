/// A member's unread entries: the newest ones, and the count of all.
///
/// A follower keeps more entries than it shows (``keptMax``). Which entries are in view depends on the bytes of all of
/// them, and a client that was away gets only an entry's newest form. So entries are cut when they are shown, not when
/// they come.
public struct Inbox: WireRecord {
    /// The newest unread entries, newest first: at most ``entriesMax``, and at most ``bytesMax`` of compact JSON.
    public var entries: [InboxEntry] { Self.window(kept) }
    /// The count of unread entries; ``unreadMax`` stands for that many or more.
    public private(set) var unread: Int64

    /// Entries in view.
    public static let entriesMax = 100
    /// Bytes of the entries in view, with the commas between them.
    public static let bytesMax = 31_000
    /// The largest number that is counted.
    public static let unreadMax: Int64 = 999

    /// Newest first.
    private var kept: [InboxEntry]
    private static let keptMax = 2 * entriesMax

    /// An inbox of unread entries, newest first, of which there are `unread` in all.
    public init(_ entries: [InboxEntry] = [], unread: Int64 = 0) {
        kept = entries
        self.unread = unread
    }

    /// `{"entries","unread"}`.
    public static let fields: Fields<Inbox> = fields(entry: InboxEntry.shape)

    /// The same where it is known what an entry looks like.
    package static func fields(entry: Shape) -> Fields<Inbox> {
        Fields(
            "Inbox",
            { (entries: [InboxEntry], unread: Int64) in
                Inbox(entries.sorted(by: InboxEntry.isNewer), unread: unread)
            },
            .required(
                "entries", \.entries, .list(InboxEntry.form.shaped(entry), max: entriesMax),
                "The newest unread, newest first.", absent: []),
            .required("unread", \.unread, .unread, unreadSummary, absent: Int64(0)))
    }

    /// Those of the entries, newest first, that are in view.
    public static func window(_ entries: [InboxEntry]) -> [InboxEntry] {
        var bytes = 0
        let count = entries.prefix(entriesMax).prefix { entry in
            bytes += entry.byteCount + 1
            return bytes <= bytesMax
        }.count
        return Array(entries.prefix(count))
    }

    /// Equal when the same is in view; what is kept beyond it is not seen.
    public static func == (left: Self, right: Self) -> Bool {
        left.unread == right.unread && left.entries == right.entries
    }
    /// By what is in view.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(unread)
        hasher.combine(entries)
    }
}

extension Inbox {
    /// What an event does to the inbox of a member.
    mutating func apply(_ event: Event, of me: Identifier?) {
        if let data = event[Inbox.announced] {
            guard event.by == nil || event.by != me, let id = Identifier(event.about.dropFirst("announcement/".count)),
                !kept.contains(where: { $0.id == id })
            else { return }
            put(.announcement(id, at: event.at, by: event.by, text: data.text))
            unread = min(unread + 1, Self.unreadMax)
        } else if let data = event[Inbox.corrected] {
            kept = kept.map { $0.about == event.about ? $0.titled(data.text) : $0 }
        } else if let data = event[Inbox.added] {
            put(data.entry)
            unread = data.unread
        } else if let data = event[Inbox.read] {
            kept.removeAll { $0.at <= data.upTo }
            unread = data.unread
        } else if let data = event[Inbox.dismissed] {
            kept.removeAll { $0.id == data.id }
            unread = data.unread
        } else if let data = event[Inbox.removed] {
            let gone = Set(data.entries)
            kept.removeAll { gone.contains($0.id) }
            unread = data.unread
        } else if let data = event[Inbox.digested] {
            kept.removeAll { !$0.isOfficial && $0.at <= data.upTo }
            put(data.entry)
            unread = data.unread
        }
    }

    private mutating func put(_ entry: InboxEntry) {
        kept.removeAll { $0.id == entry.id }
        let place = kept.firstIndex { InboxEntry.isNewer(entry, $0) } ?? kept.endIndex
        kept.insert(entry, at: place)
        if kept.count > Self.keptMax { kept.removeLast(kept.count - Self.keptMax) }
    }
}
