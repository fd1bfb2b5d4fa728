import KinKeeper
import KinModel
import KinStore

/// The inboxes' answers to events: the areas' rules by type of event, and the types that take things out of sight.
struct Hearing: Sendable {
    private let rules: [String: [InboxRule]]
    private let sights: [String: any EventDeclaration]

    init(_ areas: [Area]) {
        rules = Dictionary(grouping: areas.flatMap(\.inbox), by: \.event)
        let hiding = areas.flatMap(\.events).filter { $0.sight == .takes || $0.sight == .ends }
        sights = Dictionary(hiding.map { ($0.name, $0) }) { first, _ in first }
    }

    /// Every type of event that concerns inboxes.
    var told: [String: @Sendable (Act, Told) throws(Rejection) -> Void] {
        let roster: Set = [Member.joined.name, Member.added.name, Member.updated.name, Member.moved.name]
        let types = Set(rules.keys).union(sights.keys).union(roster)
        return Dictionary(
            uniqueKeysWithValues: types.map { type in
                let (rules, sight, isOfRoster) = (rules[type] ?? [], sights[type], roster.contains(type))
                let hear: @Sendable (Act, Told) throws(Rejection) -> Void = { (act, told) throws(Rejection) in
                    if let sight {
                        try Activity.forget(
                            act, abouts: told.cleared(by: sight), from: sight.sight == .ends ? nil : told.audience)
                    }
                    if isOfRoster { try look(told, act) }
                    for index in rules.indices where rules[index].applies(told) {
                        try follow(rules[index], act, told)
                    }
                }
                return (type, hear)
            })
    }

    private func look(_ told: Told, _ act: Act) throws(Rejection) {
        if let data = told[Member.joined] ?? told[Member.added] {
            try Activity.welcome(data.member, act)
        } else if let data = told[Member.updated] ?? told[Member.moved] {
            try Activity.look(data, told, act)
        }
    }

    private func follow(_ rule: InboxRule, _ act: Act, _ told: Told) throws(Rejection) {
        let roster = try act.roster
        let hearers: [Roster.Entry]
        switch rule.hearers {
        case .audience: hearers = roster.entries(in: told.audience)
        case .subject: hearers = [told.subject.flatMap { roster[$0] }].compactMap(\.self)
        case .members(let members): hearers = try members(act, told).compactMap { roster[$0] }
        case .seers(let seers):
            let seers = try seers(act, told)
            hearers = seers.isEmpty ? [] : roster.entries(in: told.audience).filter { seers.contains($0.id) }
        }
        // Most of what is said in a burst is told to nobody.
        guard !hearers.isEmpty else { return }
        let line = InboxLine(
            kind: rule.kind, at: told.at, by: rule.by(told), isAtMachine: told.isAtMachine,
            word: rule.word(told), name: rule.name(told), time: rule.time(told))
        let about = rule.about(told.about)
        for hearer in hearers where rule.isForDoerToo || hearer.id != line.by ?? told.by {
            if try rule.spares(act, told, hearer.id) { continue }
            if rule.isToldOnce, try isTold(line, about: about, hearer.id, act) { continue }
            try OwnInbox(hearer, act).take(line, about: about, title: told.title)
        }
    }

    /// Whether the member has such a line about a thing: a reply that is changed is not the last one again.
    private func isTold(
        _ line: InboxLine, about: String, _ member: Identifier, _ act: Act
    ) throws(Rejection) -> Bool {
        try act.first(
            """
            SELECT 1 FROM inbox i JOIN inbox_lines l ON l.entry = i.id
            WHERE i.about = ? AND i.member = ? AND l.kind = ? AND l.word IS ?
            """, .text(about), .id(member), .text(line.kind.name), Value(line.word)
        ) { row in row.bool(0) } ?? false
    }
}

extension Activity {
    // MARK: Coming, going, and what is in sight

    /// A new member has an inbox from here on: earlier announcements were for others.
    static func welcome(_ member: Member, _ act: Act) throws(Rejection) {
        guard member.kind != .wall else { return }
        try act.run(
            "INSERT OR IGNORE INTO inbox_members (member, joined, seen) VALUES (?1, ?2, ?2)", .id(member.id),
            .int(act.logPosition))
    }

    /// Removes the entries about things that are gone, or out of these members' sight; `nil`: everybody's entries.
    static func forget(_ act: Act, abouts: [String], from audience: Audience?) throws(Rejection) {
        for about in abouts {
            let entries = try act.rows(
                "SELECT DISTINCT member, about FROM inbox WHERE about \(about.contains("%") ? "LIKE" : "=") ?",
                .text(about)
            ) { row in (member: row.identifier("member"), about: row.text("about")) }
            for (member, about) in entries {
                guard let entry = try act.roster[member], audience?.contains(entry.number) ?? true else { continue }
                try OwnInbox(entry, act).remove(about: about)
            }
        }
    }

    /// The text of a thing has changed: its entries show that in every inbox, and their readers are told. The former text
    /// is in no row of the log any more. With `former` only the entries change that are called by that text, with `audience`
    /// those of its members, with `isMeant` those that began at such a moment.
    static func retitle(
        _ about: String, _ text: String?, instead former: String?, of audience: Audience?,
        begun isMeant: InboxHook.Beginning?, _ act: Act
    ) throws(Rejection) {
        let former = former.map { InboxEntry.title(of: $0) }
        let roster = try act.roster
        let all = try act.rows(
            "SELECT id, member, state, title FROM inbox WHERE about = ? AND state <> ?", .text(about),
            .int(EntryState.dismissed.rawValue)
        ) { row in
            (
                id: row.identifier("id"), member: row.identifier("member"),
                state: EntryState(rawValue: row.int("state")), title: row.optionalText("title")
            )
        }
        var entries = all
        entries.removeAll()
        // An unread entry that is called otherwise stays as it is, and its reader is not told.
        var others: Set<Identifier> = []
        for entry in all {
            var isCalledSo = former == nil || entry.title == former
            if isCalledSo, let isMeant { isCalledSo = try isMeant(OwnInbox.began(entry.id)) }
            guard isCalledSo else {
                if entry.state == .unread { others.insert(entry.member) }
                continue
            }
            let isSeen = roster[entry.member].map { audience?.contains($0.number) ?? true } ?? (audience == nil)
            if isSeen { entries.append(entry) }
        }
        let readers = Set(entries.map(\.member)).compactMap { roster[$0] }.sorted { $0.number < $1.number }
        var windows: [(inbox: OwnInbox, before: [InboxEntry]?)] = []
        for reader in readers {
            let inbox = OwnInbox(reader, act)
            windows.append((inbox, try inbox.windowIfFull()))
        }
        let title = Value(text.map { InboxEntry.title(of: $0) })
        for entry in entries { try act.run("UPDATE inbox SET title = ? WHERE id = ?", title, .id(entry.id)) }
        try act.erase(about: about, of: [Inbox.corrected])
        if former == nil { try act.erase(about: about, of: [Inbox.added]) }
        let told = readers.filter { !others.contains($0.id) }
        try act.emit(Inbox.corrected, .init(text: text ?? ""), about: about, to: Audience(told.map(\.number)))
        for entry in entries {
            guard let reader = roster[entry.member] else { continue }
            try OwnInbox(reader, act).showAgain(entry.id, isUnread: entry.state == .unread)
        }
        for (inbox, before) in windows where before != nil { try inbox.refill(before, unread: try inbox.unread()) }
    }

    /// A role or household changed. A former guest does not get earlier announcements; a guest's inbox tells nothing
    /// about members in other households. Members whose sight changed get a fresh view, so nothing is told here.
    static func look(_ data: Member.Changed, _ told: Told, _ act: Act) throws(Rejection) {
        let id = data.member.id
        guard data.changed.contains("role") || data.changed.contains("household"), !data.member.username.isEmpty,
            let entry = try act.roster[id]
        else { return }
        if entry.role != .guest, told.type == Member.updated.name, !told.audience.contains(entry.number) {
            let position = act.logPosition
            try act.run(
                "UPDATE inbox_members SET joined = ?1, seen = max(seen, ?1) WHERE member = ?2", .int(position), .id(id))
        }
        for guest in try act.roster.entries where guest.role == .guest {
            try Sayings.narrow(guest, isOneself: guest.id == id, act)
            try narrow(guest, isOneself: guest.id == id, act)
        }
    }

    /// Guests who were told that somebody left keep that line, and get no fresh view. A member who becomes a guest
    /// loses it with the sight.
    private static func narrow(_ guest: Roster.Entry, isOneself: Bool, _ act: Act) throws(Rejection) {
        let abouts = try act.rows(
            "SELECT DISTINCT about FROM inbox WHERE member = ?", .id(guest.id)
        ) { row in row.text(0) }
        for about in abouts {
            let parts = about.split(separator: "/")
            guard parts.count == 2, let id = Identifier(parts[1]),
                let sees = act.areas.lazy.compactMap({ $0.sees[String(parts[0])] }).first
            else { continue }
            // A guest keeps lines about members who are gone. A member who becomes a guest loses them.
            let isSeen = try sees(act, id, guest) ?? !isOneself
            if !isSeen { try act.run("DELETE FROM inbox WHERE about = ? AND member = ?", .text(about), .id(guest.id)) }
        }
    }
}
