import KinKeeper
import KinModel
import KinStore

/// How entries leave an inbox: read, dismissed, taken away with what they were about, or too old.
extension OwnInbox {
    // MARK: By the member

    /// Marks everything up to a moment as read, except lines that quiet hours hold back: the member has not seen those.
    func read(upTo: Instant) throws(Rejection) {
        let upTo = min(upTo, act.now)
        var isChanged = false
        let own = try act.run(
            "UPDATE inbox SET state = 2 WHERE member = ? AND state = 0 AND at <= ?", .id(owner.id), .time(upTo))
        if own > 0 { isChanged = true }
        if try readAnnouncements(upTo: upTo) { isChanged = true }
        guard isChanged else { return }
        try emit(Inbox.read, .init(upTo: upTo, unread: try unread()))
    }

    /// Moves the watermark to the last announcement up to a moment. Answers whether one of the member's was unread.
    private func readAnnouncements(upTo: Instant) throws(Rejection) -> Bool {
        let before = try ask { (query) throws(StoreFailure) in try query.unreadAnnouncements() }
        let last = try act.first(
            "SELECT seq FROM announcements WHERE seq IS NOT NULL AND at <= ? ORDER BY seq DESC LIMIT 1", .time(upTo)
        ) { row in row.int(0) }
        guard let last else { return false }
        let moved = try act.run(
            "UPDATE inbox_members SET seen = ?1 WHERE member = ?2 AND seen < ?1", .int(last), .id(owner.id))
        guard moved > 0, before > 0 else { return false }
        return try ask { (query) throws(StoreFailure) in try query.unreadAnnouncements() } != before
    }

    /// One entry is listed no more. Dismissing it again changes nothing.
    func dismiss(_ id: Identifier) throws(Rejection) {
        let own = try act.first(
            "SELECT state, about FROM inbox WHERE id = ? AND member = ?", .id(id), .id(owner.id)
        ) { row in (state: EntryState(rawValue: row.int("state")), about: row.text("about")) }
        let before = try windowIfFull()
        switch own?.state {
        case .unread, .read:
            if let own, try act.insists(about: own.about, on: owner) {
                throw Rejection(
                    .conflict, "Somebody needs your answer. Answer first, then remove this.", field: "id")
            }
            try act.run("UPDATE inbox SET state = 3, title = NULL WHERE id = ?", .id(id))
            try act.run("DELETE FROM inbox_lines WHERE entry = ?", .id(id))
            try act.withdraw(key: key(id))
        case .dismissed: return
        case .held: throw .notFound("entry", id.description, field: "id")
        case nil:
            let isListed = try ask { (query) throws(StoreFailure) in try query.isAnnouncement(id) }
            guard isListed else { throw .notFound("entry", id.description, field: "id") }
            let made = try act.run(
                "INSERT OR IGNORE INTO inbox_dismissed (member, announcement) VALUES (?, ?)", .id(owner.id), .id(id))
            guard made > 0 else { return }
            try act.withdraw(key: key(id))
        }
        let unread = try unread()
        try emit(Inbox.dismissed, .init(id: id, unread: unread))
        try refill(before, unread: unread)
    }

    /// Takes everything up to a moment off the list, read or not. Lines that quiet hours hold back stay, and so does a
    /// place for announcements to come.
    func dismiss(upTo: Instant) throws(Rejection) {
        let upTo = min(upTo, act.now)
        let before = try windowIfFull()
        let announced = try ask { (query) throws(StoreFailure) in try query.announced(upTo: upTo) }
        let listed = try act.rows(
            "SELECT id, about, official FROM inbox WHERE member = ? AND state IN (0, 2) AND at <= ? ORDER BY id",
            .id(owner.id), .time(upTo)
        ) { row in (id: row.identifier("id"), about: row.text("about"), isOfficial: row.bool("official")) }
        // Only what is official insists on an answer.
        var own: [Identifier] = []
        for entry in listed {
            if entry.isOfficial, try act.insists(about: entry.about, on: owner) { continue }
            own.append(entry.id)
        }
        for id in own {
            try act.run("UPDATE inbox SET state = 3, title = NULL WHERE id = ?", .id(id))
            try act.run("DELETE FROM inbox_lines WHERE entry = ?", .id(id))
            try act.withdraw(key: key(id))
        }
        for id in announced {
            try act.run(
                "INSERT OR IGNORE INTO inbox_dismissed (member, announcement) VALUES (?, ?)", .id(owner.id), .id(id))
            try act.withdraw(key: key(id))
        }
        let gone = own + announced
        for start in stride(from: 0, to: gone.count, by: Int(Limits.inboxEntriesPerMemberMax)) {
            let end = min(gone.count, start + Int(Limits.inboxEntriesPerMemberMax))
            try tellRemoved(Array(gone[start..<end]), end == gone.count ? before : nil)
        }
    }

    /// The member has answered a thing's question. So its entry in the inbox is read, on every device, and quiet hours that
    /// hold it back have nothing to show of it when they end.
    func answered(about: String) throws(Rejection) {
        let asked = try act.rows(
            "SELECT id, state FROM inbox WHERE about = ? AND member = ? AND official = 0 AND state IN (0, 1)",
            .text(about), .id(owner.id)
        ) { row in (id: row.identifier("id"), isHeld: row.int("state") == EntryState.held.rawValue) }
        guard !asked.isEmpty else { return }
        let counted = try unread()
        let before =
            counted > Self.alwaysInView ? try ask { (query) throws(StoreFailure) in try query.window() } : nil
        for one in asked { try act.run("UPDATE inbox SET state = 2 WHERE id = ?", .id(one.id)) }
        let open = asked.filter { !$0.isHeld }.map(\.id)
        guard !open.isEmpty else { return }
        // The largest number stands for more, so it has to be counted anew.
        let left = counted < Inbox.unreadMax ? counted - Int64(open.count) : try unread()
        for id in open { try emit(Inbox.dismissed, .init(id: id, unread: left)) }
        try refill(before, unread: left)
    }

    // MARK: With what it was about

    /// Takes away what is about a thing that is gone, or out of the member's sight.
    func remove(about: String) throws(Rejection) {
        let entries = try act.rows(
            "SELECT id, state FROM inbox WHERE about = ? AND member = ?", .text(about), .id(owner.id)
        ) { row in (id: row.identifier("id"), state: row.int("state")) }
        guard !entries.isEmpty else { return }
        let before = try windowIfFull()
        try act.run("DELETE FROM inbox WHERE about = ? AND member = ?", .text(about), .id(owner.id))
        for entry in entries { try act.withdraw(key: key(entry.id)) }
        // Held and dismissed ones are in nobody's list.
        try tellRemoved(
            entries.filter { $0.state == EntryState.unread.rawValue || $0.state == EntryState.read.rawValue }.map(\.id),
            before)
    }

    /// Removes entries about things whose names begin so, as far as they are meant. All of it is told at once. Entries
    /// are found by the member, whose inbox is bounded.
    func remove(
        under beginning: String, _ meant: (Set<String>) throws(Rejection) -> Set<String>
    ) throws(Rejection) {
        let entries = try act.rows(
            """
            SELECT id, state, about FROM inbox
            WHERE member = ?1 AND +about >= ?2 AND +about < ?2 || char(1114111) ORDER BY id
            """, .id(owner.id), .text(beginning)
        ) { row in (id: row.identifier("id"), state: row.int("state"), about: row.text("about")) }
        guard !entries.isEmpty else { return }
        let abouts = try meant(Set(entries.map(\.about)))
        guard !abouts.isEmpty else { return }
        let before = try windowIfFull()
        var gone: [Identifier] = []
        for entry in entries where abouts.contains(entry.about) {
            try act.run("DELETE FROM inbox WHERE id = ?", .id(entry.id))
            try act.withdraw(key: key(entry.id))
            // Held and dismissed ones are in nobody's list.
            if entry.state == EntryState.unread.rawValue || entry.state == EntryState.read.rawValue {
                gone.append(entry.id)
            }
        }
        let most = Int(Limits.inboxEntriesPerMemberMax)
        for start in stride(from: 0, to: gone.count, by: most) {
            let end = min(gone.count, start + most)
            try tellRemoved(Array(gone[start..<end]), end == gone.count ? before : nil)
        }
    }

    /// Takes entries away, read or not, each of which is in the member's list.
    func remove(_ entries: [Identifier]) throws(Rejection) {
        let before = try windowIfFull()
        for entry in entries {
            try act.run("DELETE FROM inbox WHERE id = ? AND member = ?", .id(entry), .id(owner.id))
            try act.withdraw(key: key(entry))
        }
        try tellRemoved(entries, before)
    }

    /// Says that entries are gone, and what came into view instead.
    func tellRemoved(_ gone: [Identifier], _ before: [InboxEntry]?) throws(Rejection) {
        guard !gone.isEmpty else { return }
        let unread = try unread()
        try emit(Inbox.removed, .init(entries: gone, unread: unread))
        try refill(before, unread: unread)
    }

    // MARK: Too old, too many

    /// Removes what is older. It counts as read.
    func expire(upTo: Instant) throws(Rejection) {
        try read(upTo: upTo)
        try act.run(
            "DELETE FROM inbox WHERE member = ? AND at <= ? AND state >= 2", .id(owner.id), .time(upTo))
    }

    /// Sums up what has waited: above ``Limits/inboxEntriesInFullMax`` ordinary unread entries, those older than
    /// ``Limits/digestAfterDays`` become one digest. Official messages stay.
    func digest() throws(Rejection) {
        let count = try act.first(
            """
            SELECT count(*) FROM (
                SELECT 1 FROM inbox WHERE member = ? AND state = 0 AND official = 0 LIMIT ?)
            """, .id(owner.id), .int(Limits.inboxEntriesInFullMax + 1)
        ) { row in row.int(0) }
        guard (count ?? 0) > Limits.inboxEntriesInFullMax else { return }
        let upTo = act.now.adding(days: -Limits.digestAfterDays)
        let before = try windowIfFull()
        let old = try act.rows(
            "SELECT id FROM inbox WHERE member = ? AND state = 0 AND official = 0 AND at <= ?", .id(owner.id),
            .time(upTo)
        ) { row in row.identifier(0) }
        guard old.count > 1, let id = try sumUp(old) else { return }
        guard let entry = try ask({ (query) throws(StoreFailure) in try query.entry(id) }) else { return }
        try tellDigested(entry, upTo: upTo)
        try refill(before.map { $0 + [entry] }, unread: try unread())
    }

    /// Makes a digest of entries, which then count as read. Earlier digests become a part of it. Nobody is told yet.
    func sumUp(_ entries: [Identifier]) throws(Rejection) -> Identifier? {
        let id = act.newIdentifier()
        var counts = InboxLine.Digest()
        var since = act.now
        for entry in entries {
            let lines = try act.rows(
                "SELECT \(InboxLine.columns) FROM inbox_lines WHERE entry = ? ORDER BY number", .id(entry)
            ) { row in InboxLine(row, act.inboxKinds) }.compactMap(\.self)
            guard let last = lines.last else { continue }
            for line in lines {
                since = min(since, line.time.map { line.kind.name == InboxKind.digest.name ? $0 : line.at } ?? line.at)
            }
            try act.withdraw(key: key(entry))
            if last.kind.name == InboxKind.digest.name {
                counts.add(InboxLine.Digest(last.word ?? ""))
                // The event that told which entries this digest replaced is withdrawn: the new digest tells it.
                try act.withdraw(key: digestedKey(entry))
                try act.run("UPDATE inbox SET digest = ? WHERE digest = ?", .id(id), .id(entry))
                try act.run("DELETE FROM inbox WHERE id = ?", .id(entry))
            } else {
                counts.add(last.kind.name)
                try act.run("UPDATE inbox SET state = 2, digest = ? WHERE id = ?", .id(id), .id(entry))
            }
        }
        guard counts.total > 0 else { return nil }
        try insert(id, about: "digest", isOfficial: false, state: .unread, at: act.now, title: nil)
        var line = InboxLine(kind: .digest, at: act.now, by: nil, word: counts.text, time: since)
        line.count = counts.total
        try write(line, in: id, number: 1)
        return id
    }

    // MARK: Telling

    private func emit<Data>(_ type: EventType<Data>, _ data: Data) throws(Rejection) {
        try act.emit(type, data, about: "inbox", to: try act.roster.only(owner.id), isHeard: true)
    }
}
