import KinKeeper
import KinModel
import KinStore

/// Entries of which a part is gone: one of several messages was removed.
extension Activity {
    /// One entry as it is stored, without its lines.
    private struct Stored {
        let id: Identifier
        let member: Identifier
        let state: EntryState?
        let at: Instant
        let title: String?
        let more: Int64
    }

    /// Takes a part out of the entries of some members about a thing (``InboxHook/amend``).
    static func amend(
        _ act: Act, about: String, of audience: Audience, by amendment: InboxHook.Amendment
    ) throws(Rejection) {
        let roster = try act.roster
        let all = try act.rows(
            "SELECT id, member, state, at, title, more FROM inbox WHERE about = ? AND state <> ? ORDER BY id",
            .text(about), .int(EntryState.dismissed.rawValue)
        ) { row in
            Stored(
                id: row.identifier("id"), member: row.identifier("member"),
                state: EntryState(rawValue: row.int("state")),
                at: row.instant("at"), title: row.optionalText("title"), more: row.int("more"))
        }
        let open = Set(all.filter { $0.state == .unread }.map(\.member))
        // Of what was read the log has no row, so that a list that shows it is told by itself.
        var called: [String: [Int32]] = [:]
        for entry in all {
            guard let reader = roster[entry.member], audience.contains(reader.number) else { continue }
            let title = try OwnInbox(reader, act).amend(
                entry.id, about: about, entry.state, content(entry, act), by: amendment)
            if let title, entry.state == .read, !open.contains(entry.member) {
                called[title, default: []].append(reader.number)
            }
        }
        for (title, readers) in called.sorted(by: { $0.key < $1.key }) {
            try act.emit(Inbox.corrected, .init(text: title), about: about, to: Audience(readers))
        }
    }

    private static func content(_ entry: Stored, _ act: Act) throws(Rejection) -> InboxHook.Content {
        let lines = try act.rows(
            "SELECT number, kind, by, at, count, word FROM inbox_lines WHERE entry = ? ORDER BY number", .id(entry.id)
        ) { row in
            InboxHook.Content.Line(
                number: row.int("number"), kind: row.text("kind"), by: row.optionalIdentifier("by"),
                at: row.instant("at"), count: row.int("count"), word: row.optionalText("word"))
        }
        return InboxHook.Content(
            reader: entry.member, began: OwnInbox.began(entry.id), last: entry.at, isRead: entry.state == .read,
            title: entry.title, lines: lines, more: entry.more)
    }
}

extension OwnInbox {
    /// Changes what an entry tells, and tells so.
    ///
    /// - Returns: its title, where that is another now.
    fileprivate func amend(
        _ id: Identifier, about: String, _ state: EntryState?, _ former: InboxHook.Content,
        by amendment: InboxHook.Amendment
    ) throws(Rejection) -> String? {
        var content = former
        try amendment(&content)
        guard content != former else { return nil }
        guard let last = content.lines.map(\.at).max() else {
            // A line that quiet hours hold back stands in nobody's list.
            if state == .held { try act.run("DELETE FROM inbox WHERE id = ?", .id(id)) } else { try remove([id]) }
            return nil
        }
        let before = state == .unread ? try windowIfFull() : nil
        let kept = Set(content.lines.map(\.number))
        for line in former.lines where !kept.contains(line.number) {
            try act.run("DELETE FROM inbox_lines WHERE entry = ? AND number = ?", .id(id), .int(line.number))
        }
        for line in content.lines {
            try act.run(
                "UPDATE inbox_lines SET kind = ?, by = ?, at = ?, count = ?, word = ? WHERE entry = ? AND number = ?",
                .text(line.kind), Value(line.by), .time(line.at), .int(line.count), Value(line.word), .id(id),
                .int(line.number))
        }
        try act.run(
            "UPDATE inbox SET title = ?, more = ?, at = ? WHERE id = ?", Value(content.title), .int(content.more),
            .time(state == .read ? former.last : last), .id(id))
        try showAgain(id, isUnread: state == .unread)
        if before != nil { try refill(before, unread: try unread()) }
        guard content.title != former.title else { return nil }
        // Devices that show the entry show it as it is called now.
        if state == .unread { try act.hooks.ring?(act, about, owner.id) }
        return content.title
    }
}
