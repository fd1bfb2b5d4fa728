import KinKeeper
import KinModel
import KinStore

/// Removes things that a member may no longer know: from the inbox where they are unread, and from the counts of
/// digests.
extension OwnInbox {
    /// Takes back the chosen entries about a thing and what is under it: unread ones, and those that only an unread
    /// digest tells of. Read entries stay in the list, but are not told to a member who was away.
    func takeBack(
        about: String, where isMeant: (InboxHook.Entry) -> Bool
    ) throws(Rejection) {
        let found = try act.rows(
            """
            SELECT i.id, i.state, d.id AS digest FROM inbox i
            LEFT JOIN inbox d ON d.id = i.digest AND d.state = 0
            WHERE i.about >= ?1 AND i.about < ?1 || char(1114111) AND i.member = ?2
            """, .text(about), .id(owner.id)
        ) { row in
            (
                id: row.identifier("id"), state: EntryState(rawValue: row.int("state")),
                digest: row.optionalIdentifier("digest")
            )
        }
        var meant = found
        meant.removeAll()
        for entry in found where isMeant(try judged(entry.id)) { meant.append(entry) }
        guard !meant.isEmpty else { return }
        let before = try windowIfFull()
        var gone: [Identifier] = []
        var digests: [Identifier: [String]] = [:]
        for entry in meant {
            try act.withdraw(key: key(entry.id))
            switch entry.state {
            case .unread: gone.append(entry.id)
            case .read:
                guard let digest = entry.digest, let kind = try lastKind(entry.id) else { continue }
                digests[digest, default: []].append(kind)
                gone.append(entry.id)
            case .held: break
            case .dismissed, nil: continue
            }
            try act.run("DELETE FROM inbox WHERE id = ?", .id(entry.id))
        }
        for (digest, kinds) in digests.sorted(by: { $0.key < $1.key }) {
            if try !recount(digest, without: kinds) { gone.append(digest) }
        }
        try tellRemoved(gone, before)
    }

    /// An entry as other areas judge it.
    private func judged(_ entry: Identifier) throws(Rejection) -> InboxHook.Entry {
        let lines = try act.rows(
            "SELECT coalesce(time, at) AS moment, count FROM inbox_lines WHERE entry = ?", .id(entry)
        ) { row in (at: row.instant("moment"), count: row.int("count")) }
        let more = try act.first("SELECT more FROM inbox WHERE id = ?", .id(entry)) { row in row.int(0) } ?? 0
        return InboxHook.Entry(began: Self.began(entry), lines: lines, more: more)
    }

    /// The moment of an entry's first line, which its identifier tells; of kinds that are dated by the day, the day.
    static func began(_ entry: Identifier) -> Instant { Instant(milliseconds: Int64(clamping: entry.high >> 16)) }

    private func lastKind(_ entry: Identifier) throws(Rejection) -> String? {
        try act.first("SELECT kind FROM inbox_lines WHERE entry = ? ORDER BY number DESC LIMIT 1", .id(entry)) { row in
            row.text(0)
        }
    }

    /// Counts a digest anew without some entries, and tells so; false when nothing is left of it.
    private func recount(_ digest: Identifier, without kinds: [String]) throws(Rejection) -> Bool {
        let line = try act.first(
            "SELECT \(InboxLine.columns) FROM inbox_lines WHERE entry = ?", .id(digest)
        ) { row in InboxLine(row, act.inboxKinds) }.flatMap(\.self)
        guard var line else { return true }
        var counts = InboxLine.Digest(line.word ?? "")
        for kind in kinds { counts.add(kind, -1) }
        let upTo = try digestedUpTo(digest)
        guard counts.total > 0 else {
            try act.withdraw(key: key(digest))
            try act.withdraw(key: digestedKey(digest))
            try act.run("DELETE FROM inbox WHERE id = ?", .id(digest))
            return false
        }
        let since = try act.first(
            "SELECT min(l.at) FROM inbox i JOIN inbox_lines l ON l.entry = i.id WHERE i.digest = ?", .id(digest)
        ) { row in row.optionalInstant(0) }
        (line.word, line.count, line.time) = (counts.text, counts.total, since.flatMap(\.self) ?? line.at)
        try act.run("DELETE FROM inbox_lines WHERE entry = ?", .id(digest))
        try write(line, in: digest, number: 1)
        guard let entry = try ask({ (query) throws(StoreFailure) in try query.entry(digest) }) else { return true }
        guard let upTo else {
            try emit(entry, unread: try unread(), isAgain: true)
            return true
        }
        try tellDigested(entry, upTo: upTo)
        return true
    }

    // MARK: The log's row of a digest

    /// The log's key of the event by which a digest replaced the entries that it sums up.
    func digestedKey(_ digest: Identifier) -> String { key(digest) + "/digested" }

    /// Tells that a digest sums up what came up to a moment; a newer form of it takes the place of the one before.
    func tellDigested(_ entry: InboxEntry, upTo: Instant) throws(Rejection) {
        try act.emit(
            Inbox.digested, .init(entry: entry, upTo: upTo, unread: try unread()), about: "inbox",
            to: try act.roster.only(owner.id), key: digestedKey(entry.id), isHeard: true)
    }

    private func digestedUpTo(_ digest: Identifier) throws(Rejection) -> Instant? {
        try act.logged(key: digestedKey(digest)).flatMap { Event.moment("upTo", in: $0) }
    }
}
