import KinKeeper
import KinModel
import KinStore

/// The rest of a room's entry in an inbox when one of its messages is removed.
extension StoredMessage {
    /// How many messages are looked at that came with it.
    private static let lookedAtMax = 200
    /// An identifier behind all.
    private static let last = Identifier(high: .max, low: .max)

    /// A message that came with the removed one, and is there still.
    private struct Other {
        let author: Identifier
        let at: Instant
        let text: String?
        let word: String?
        /// The line it is told in.
        let kind: String

        /// As the only line, at the place of another.
        func line(in place: InboxHook.Content.Line) -> InboxHook.Content.Line {
            var line = place
            (line.kind, line.by, line.at, line.count, line.word) = (kind, author, at, 1, word)
            return line
        }
    }

    /// It is removed: its part of the room's entries goes, with its words where an entry is called by them. An entry that
    /// told of nothing else goes as a whole.
    func leaveInboxes(of readers: Audience, in room: StoredRoom, _ act: Act) throws(Rejection) {
        let about = Chat.about(wire.room)
        // Its former words may stand there.
        try act.erase(about: about, of: [Inbox.corrected])
        let mentioned = try act.mentioned(in: wire.text)
        // The same messages came to many.
        var named: [Identifier: Set<Identifier>] = [:]
        try act.hooks.inbox?.amend(act, about, readers) { (content) throws(Rejection) in
            guard content.reader != wire.author, wire.at >= content.began, !content.isRead || wire.at <= content.last
            else { return }
            let others = try came(with: content, in: room, &named, act)
            lose(from: &content, others, kind: Chat.kind(isAddressed: mentioned.contains(content.reader)))
        }
    }

    private func lose(from content: inout InboxHook.Content, _ others: [Other], kind: String) {
        let former = content.lines
        let own = content.lines.indices.filter { content.lines[$0].by == wire.author }
        // The members that it names may have changed since it was told.
        if let index = own.first(where: { content.lines[$0].kind == kind }) ?? own.first {
            var line = content.lines[index]
            let left = others.filter { $0.author == wire.author && $0.kind == line.kind }
            if let newest = left.first {
                let most = others.count < Self.lookedAtMax ? Int64(left.count) : max(1, line.count - 1)
                line.count = min(line.count, most)
                // It was the last one that was told.
                if line.at == wire.at { (line.at, line.word) = (newest.at, newest.word) }
                content.lines[index] = line
            } else {
                content.lines.remove(at: index)
            }
        } else if content.more > 0, !others.contains(where: { $0.author == wire.author }) {
            content.more -= 1
        }
        guard let newest = others.first else {
            content.lines = []
            return
        }
        // The remaining messages were told in lines that are not kept.
        if content.lines.isEmpty, let place = former.last {
            content.lines = [newest.line(in: place)]
            content.more = max(0, content.more - 1)
        }
        if let text = wire.text, content.title == InboxEntry.title(of: text) {
            content.title = newest.text.map { InboxEntry.title(of: $0) }
        }
    }

    /// The messages that an entry's reader sees and is told of, and that came while the entry was open, the newest first.
    /// `named` is whom messages name, as far as that is known.
    private func came(
        with content: InboxHook.Content, in room: StoredRoom, _ named: inout [Identifier: Set<Identifier>], _ act: Act
    ) throws(Rejection) -> [Other] {
        // Identifiers follow the time, or run ahead of a clock that was set back. Messages that came long after are not
        // looked through.
        let end = content.isRead ? content.last : Instant.latest
        let bound = content.isRead ? Identifier(at: end.adding(days: 1), random: (0, 0)) : Self.last
        let found = try act.rows(
            """
            SELECT m.id, m.author, m.at, m.text, m.spot_lat, EXISTS (
                SELECT 1 FROM message_pictures p WHERE p.message = m.number AND p.document IS NULL) AS is_picture,
                coalesce(o.muted_until > m.at, 0) AS is_muted
            FROM messages m JOIN room_own o ON o.room = m.in_room AND o.member = ?2
            WHERE m.in_room = ?1 AND m.id >= ?3 AND m.id > o.since AND m.id <> ?4 AND m.author <> ?2
            AND m.at >= ?5 AND m.at <= ?6 AND m.id < ?7 AND \(Chat.isThere)
            ORDER BY m.id DESC LIMIT \(Self.lookedAtMax)
            """, .int(room.number), .id(content.reader), .id(Identifier(at: content.began, random: (0, 0))),
            .id(wire.id), .time(content.began), .time(end), .id(bound)
        ) { row in
            (
                id: row.identifier("id"), author: row.identifier("author"), at: row.instant("at"),
                text: row.optionalText("text"),
                isSpot: row.optionalDouble("spot_lat") != nil, isPicture: row.bool("is_picture"),
                isMuted: row.bool("is_muted")
            )
        }
        var others: [Other] = []
        for one in found {
            let members: Set<Identifier>
            if let known = named[one.id] { members = known } else { members = try act.mentioned(in: one.text) }
            named[one.id] = members
            let isAddressed = members.contains(content.reader)
            // Of a room that is muted only that is told.
            if one.isMuted, !isAddressed { continue }
            var word: String?
            if !isAddressed, one.isPicture || one.isSpot { word = one.isPicture ? "picture" : "spot" }
            others.append(
                Other(
                    author: one.author, at: one.at, text: one.text, word: word,
                    kind: Chat.kind(isAddressed: isAddressed)))
        }
        return others
    }
}
