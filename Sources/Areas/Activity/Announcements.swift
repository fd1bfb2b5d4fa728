import KinKeeper
import KinModel
import KinStore

/// Announcements to everyone: one row and one event each, however many members there are.
enum Announcements {
    static let announce = Method.command(
        "activity.announce", "Tells everyone something.", access: .admins,
        [.required("text", .text(max: Limits.announcementCharactersMax), "What to say; passed through unchanged.")],
        result: .object([.required("announcement", .object([.required("id", .id)]))]),
        route: Route("POST", "/api/activity/announcements", status: 201), events: [Inbox.announced],
        again: { (_, ids) throws(Rejection) in rendered(ids) },
        apply: { (act, params) throws(Rejection) in
            let text = try params.string("text")
            guard !text.isEmpty else { throw Rejection(.invalid, "text is empty; say something.", field: "text") }
            // The machine may ask before there is anybody to hear it.
            _ = try act.family()
            let id = act.newIdentifier()
            let by = Value(act.caller.memberID)
            // The position that the event is about to get: never given out twice, so it orders announcements for good.
            try act.run(
                "INSERT INTO announcements (id, by, at, text, seq, author) VALUES (?, ?, ?, ?, ?, ?)",
                .id(id), by, .time(act.now), .text(text), .int(act.logPosition + 1), by)
            try act.emit(
                Inbox.announced, .init(text: text), about: about(id), to: try act.roster.everyone)
            return .done(rendered([id]), ids: [id])
        })

    private static func rendered(_ ids: [Identifier]) -> JSON {
        ["announcement": .object(leavingOut: ["id": ids.first.map { .id($0) }])]
    }

    static func about(_ id: Identifier) -> String { "announcement/\(id)" }

    /// Above this many deletions followers are given a fresh view instead of an event each.
    private static let deletionsToldMax = 100

    static func inherit(_ act: Act, from: Identifier, to: Identifier) throws(Rejection) {
        try act.run("UPDATE announcements SET by = ? WHERE by = ?", .id(to), .id(from))
    }

    static func deleteOwned(_ act: Act, _ member: Identifier) throws(Rejection) {
        let ids = try act.rows("SELECT id FROM announcements WHERE by = ?", .id(member)) { (row) throws(StoreFailure) in
            row.identifier(0)
        }
        try remove(ids, of: member, act)
    }

    /// Removes announcements with all that is known about them, and tells their readers; `leaving`: who needs not be told.
    static func remove(_ ids: [Identifier], of leaving: Identifier? = nil, _ act: Act) throws(Rejection) {
        guard !ids.isEmpty else { return }
        // Each reader's own count changes with them, so each reader is told.
        var readers: [(inbox: OwnInbox, before: [InboxEntry]?, gone: [Identifier])] = []
        if ids.count <= deletionsToldMax {
            for entry in try act.roster.entries where entry.role != .guest && entry.id != leaving {
                let inbox = OwnInbox(entry, act)
                var gone: [Identifier] = []
                for id in ids where try inbox.ask({ (query) throws(StoreFailure) in try query.isAnnouncement(id) }) {
                    gone.append(id)
                }
                if !gone.isEmpty { readers.append((inbox, try inbox.windowIfFull(), gone)) }
            }
        }
        for id in ids {
            try act.run("DELETE FROM announcements WHERE id = ?", .id(id))
            try act.erase(about: about(id))
        }
        guard ids.count <= deletionsToldMax else { return try act.reset(try act.roster.everyone) }
        for id in ids {
            try act.emit(Inbox.announcementDeleted, Nothing(), about: about(id), to: try act.roster.everyone)
        }
        for reader in readers { try reader.inbox.tellRemoved(reader.gone, reader.before) }
    }

    /// Removes announcements that are too old, or too many. They count as read for everybody.
    static func prune(_ act: Act) throws(Rejection) {
        var upTo = act.now.adding(days: -Limits.inboxUnreadDays)
        let beyond = try act.first(
            "SELECT at FROM announcements WHERE seq IS NOT NULL ORDER BY seq DESC LIMIT 1 OFFSET ?",
            .int(Limits.inboxEntriesPerMemberMax)
        ) { row in row.instant(0) }
        if let beyond { upTo = max(upTo, beyond) }
        let isAny = try act.first(
            "SELECT 1 FROM announcements WHERE seq IS NOT NULL AND at <= ? ORDER BY seq LIMIT 1", .time(upTo)
        ) { row in row.bool(0) }
        guard isAny != nil else { return }
        for entry in try act.roster.entries { try OwnInbox(entry, act).read(upTo: upTo) }
        try act.run("DELETE FROM announcements WHERE seq IS NOT NULL AND at <= ?", .time(upTo))
    }
}
