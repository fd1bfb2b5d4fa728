import KinModel
import Testing

@Suite struct InboxTests {
    private static let me = Identifier(high: 1, low: 1)
    private static let other = Identifier(high: 1, low: 2)
    private static let start = Instant("2026-11-20T18:00:00Z") ?? .earliest

    private static func id(_ number: Int) -> Identifier { Identifier(high: 7, low: UInt64(number)) }

    private static func entry(_ number: Int, at: Int, official: Bool = false, title: String? = nil) -> InboxEntry {
        InboxEntry(
            id: id(number), about: "meeting/\(id(number))", isOfficial: official, at: start.adding(seconds: Int64(at)),
            title: title, lines: [["kind": "nudged", "at": .time(start)]])
    }

    private static func event(_ type: String, _ data: JSON, by: Identifier? = nil, about: String = "inbox") -> Event {
        Event(cursor: "", type: type, at: start.adding(days: 1), by: by, about: about, data: data)
    }

    private static func snapshot(_ entries: [InboxEntry], unread: Int64? = nil) -> Snapshot {
        var snapshot = Snapshot()
        snapshot.me = me
        snapshot.inbox = Inbox(
            entries.sorted(by: InboxEntry.isNewer), unread: unread ?? Int64(entries.count))
        return snapshot
    }

    @Test func `an entry and an inbox are read as they are written`() {
        let entry = InboxEntry(
            id: Self.id(1), about: "meeting/x", isOfficial: true, isUnread: false, at: Self.start, title: "Sunday",
            lines: [["kind": "voted", "at": .time(Self.start), "by": .id(Self.other)]], more: 4)
        #expect(InboxEntry(entry.json) == entry && entry.byteCount == entry.json.bytes.count)
        let snapshot = Self.snapshot([Self.entry(1, at: 1), Self.entry(2, at: 2)])
        #expect(Snapshot(snapshot.json) == snapshot)
        #expect(snapshot.inbox.json["entries"]?.array?.first?["id"] == .id(Self.id(2)))
    }

    @Test func `a line moves its entry to the front`() {
        var snapshot = Self.snapshot([Self.entry(1, at: 1), Self.entry(2, at: 2)])
        snapshot.apply(Self.event("activity.added", ["entry": Self.entry(1, at: 3).json, "unread": 2]))
        #expect(snapshot == Self.snapshot([Self.entry(1, at: 3), Self.entry(2, at: 2)]))
    }

    @Test func `reading, dismissing, removing and summing up take away what they say`() {
        let all = [Self.entry(1, at: 1), Self.entry(2, at: 2, official: true), Self.entry(3, at: 3)]
        var read = Self.snapshot(all)
        read.apply(Self.event("activity.read", ["upTo": .time(Self.start.adding(seconds: 2)), "unread": 1]))
        #expect(read == Self.snapshot([all[2]]))
        var dismissed = Self.snapshot(all)
        dismissed.apply(Self.event("activity.dismissed", ["id": .id(Self.id(3)), "unread": 2]))
        #expect(dismissed == Self.snapshot([all[0], all[1]]))
        var removed = Self.snapshot(all)
        removed.apply(Self.event("activity.removed", ["entries": [.id(Self.id(1)), .id(Self.id(3))], "unread": 1]))
        #expect(removed == Self.snapshot([all[1]]))
        var digested = Self.snapshot(all)
        let digest = Self.entry(9, at: 9)
        digested.apply(
            Self.event(
                "activity.digested",
                ["entry": digest.json, "upTo": .time(Self.start.adding(seconds: 3)), "unread": 2]))
        #expect(digested == Self.snapshot([all[1], digest]))
    }

    @Test func `an announcement is an entry for all but its author, once`() {
        let said = Self.event(
            "activity.announced", ["text": "Soup"], by: Self.other, about: "announcement/\(Self.id(5))")
        var reader = Self.snapshot([])
        reader.apply(said)
        #expect(reader.inbox.unread == 1 && reader.inbox.entries.first?.id == Self.id(5))
        reader.apply(said)
        #expect(reader.inbox.unread == 1)
        var author = Self.snapshot([])
        author.me = Self.other
        author.apply(said)
        #expect(author.inbox == Inbox())
        var many = Self.snapshot([], unread: Inbox.unreadMax)
        many.apply(said)
        #expect(many.inbox.unread == Inbox.unreadMax)
    }

    @Test func `at most a hundred entries and 31,000 bytes are in view, the newest`() {
        let small = (1...120).map { Self.entry($0, at: $0) }
        #expect(Self.snapshot(small).inbox.entries.map(\.id) == small.reversed().prefix(100).map(\.id))
        let large = (1...120).map { Self.entry($0, at: $0, title: String(repeating: "ö", count: 120)) }
        let shown = Self.snapshot(large).inbox
        #expect(shown.entries.count > 40 && shown.entries.count < 100)
        #expect(shown.json.bytes.count <= Inbox.bytesMax + 64)
        #expect(Snapshot(Self.snapshot(large).json)?.inbox == shown)
    }

    @Test func `who was away and gets only the newest forms sees the same`() {
        // In view of one who stayed: an entry grew, another was dismissed, the one that came into view is sent again.
        let all = (1...101).map { Self.entry($0, at: $0) }
        let grown = Self.event("activity.added", ["entry": Self.entry(102, at: 200).json, "unread": 102])
        let grownMore = Self.event("activity.added", ["entry": Self.entry(102, at: 300).json, "unread": 101])
        let dismissed = Self.event("activity.dismissed", ["id": .id(Self.id(50)), "unread": 101])
        let again = Self.event("activity.added", ["entry": all[1].json, "unread": 101, "again": true])
        var stayed = Snapshot(Self.snapshot(all).json) ?? Snapshot()
        var away = stayed
        for event in [grown, dismissed, again, grownMore] { stayed.apply(event) }
        for event in [dismissed, again, grownMore] { away.apply(event) }
        #expect(stayed.inbox == away.inbox && stayed.inbox.entries.count == 100)
    }

    @Test func `a title is one line of eighty characters`() {
        #expect(InboxEntry.title(of: "a\nb\u{2028}c") == "a b c")
        let long = InboxEntry.title(of: String(repeating: "x", count: 81))
        #expect(long.unicodeScalars.count == 80 && long.hasSuffix("…"))
        #expect(InboxEntry.title(of: String(repeating: "x", count: 80)).hasSuffix("x"))
    }
}
