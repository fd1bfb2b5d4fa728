import KinModel
import KinStore

/// What inboxes make of events.
extension Activity {
    /// Every type of event that concerns inboxes.
    static let heard: [String: @Sendable (Act, Told) throws(Rejection) -> Void] = Dictionary(
        (InboxRule.all.map(\.event) + ["meeting.hidden", "meeting.deleted", "place.hidden", "place.removed"]).map {
            ($0, hear)
        },
        uniquingKeysWith: { first, _ in first })

    @Sendable private static func hear(_ act: Act, _ told: Told) throws(Rejection) {
        switch told.type {
        case "member.joined", "member.added": try welcome(act, told)
        case "member.removed":
            try forget(act, about: told.about)
            try forgetStays(act, told)
        case "meeting.deleted": try forget(act, about: told.about)
        case "place.hidden", "place.removed": try forgetStays(act, told)
        case "meeting.hidden":
            for entry in try act.roster.entries(in: told.audience) {
                try OwnInbox(entry, act).remove(about: told.about)
            }
        case "member.updated", "member.moved": try look(act, told)
        case "household.answered":
            try settle(.moveAsked, about: told.about, act) { (line, _) in line.name == told.data["household"]?.string }
        case "member.grownAnswered": try settle(.grownAsked, about: told.about, act)
        default: break
        }
        for rule in InboxRule.byEvent[told.type] ?? [] where rule.applies(told) { try follow(rule, act, told) }
    }

    private static func follow(_ rule: InboxRule, _ act: Act, _ told: Told) throws(Rejection) {
        let subject = told.data["member"].flatMap { $0.identifier ?? $0["id"]?.identifier }
        let hearers: [Roster.Entry]
        switch rule.hearers {
        case .audience: hearers = try act.roster.entries(in: told.audience)
        case .oneself: hearers = try one(subject, act)
        case .host: hearers = try one(try host(act, told), act)
        case .asker:
            hearers =
                try one(subject, act) + one(told.data["askedBy"]?.identifier.flatMap { $0 == subject ? nil : $0 }, act)
        case .wishers:
            let wishers = try PlaceRule.wishers(told, act)
            hearers = try act.roster.entries(in: told.audience).filter { wishers.contains($0.id) }
        }
        let line = InboxLine(
            kind: rule.kind, at: told.at, by: by(rule, told), isAtMachine: told.isAtMachine,
            word: rule.word(told), name: rule.name(told), time: rule.time(told))
        for hearer in hearers where rule.isForDoerToo || hearer.id != line.by ?? told.by {
            // Who joins is not told so, nor that the first device is a new one.
            if rule.kind == .memberJoined, hearer.id == subject { continue }
            if rule.kind == .newDevice, try hasJustJoined(hearer.id, act) { continue }
            if rule.kind == .allReplied, try isTold(line, about: told.about, hearer.id, act) { continue }
            try OwnInbox(hearer, act).take(line, about: told.about) { () throws(Rejection) in
                try title(act, told)
            }
        }
    }

    /// Who did it. A phone's points may come in by somebody else's hand.
    private static func by(_ rule: InboxRule, _ told: Told) -> Identifier? {
        switch rule.kind {
        case .allReplied, .memberJoined, .quotaNear: nil
        case .arrived, .left: told.data["member"]?.identifier
        case .sharingAsked: told.data["viewer"]?.identifier
        case .accountChanged: told.by ?? told.data["setBy"]?.identifier
        default: told.by
        }
    }

    private static func one(_ member: Identifier?, _ act: Act) throws(Rejection) -> [Roster.Entry] {
        guard let member, let entry = try act.roster[member] else { return [] }
        return [entry]
    }

    // MARK: What the rules ask

    private static func host(_ act: Act, _ told: Told) throws(Rejection) -> Identifier? {
        guard let meeting = Identifier(told.about.dropFirst("meeting/".count)) else { return nil }
        return try act.first("SELECT host FROM meetings WHERE id = ?", .id(meeting)) { row in row.identifier(0) }
    }

    /// The text of what an event is about, where people gave it one.
    private static func title(_ act: Act, _ told: Told) throws(Rejection) -> String? {
        switch told.type {
        case "member.joined", "member.added": return told.data["member"]?["displayName"]?.string
        case "place.entered", "place.left", "place.asked": return told.data["name"]?.string
        case let type where type.hasPrefix("meeting."):
            guard let meeting = Identifier(told.about.dropFirst("meeting/".count)) else { return nil }
            return try act.first("SELECT title FROM meetings WHERE id = ?", .id(meeting)) { row in row.text(0) }
        default: return nil
        }
    }

    private static func hasJustJoined(_ member: Identifier, _ act: Act) throws(Rejection) -> Bool {
        try act.first("SELECT joined_at FROM members WHERE id = ?", .id(member)) { row in row.instant(0) } == act.now
    }

    /// Whether the member has such a line about a thing: a reply that is changed is not the last one again.
    private static func isTold(
        _ line: InboxLine, about: String, _ member: Identifier, _ act: Act
    ) throws(Rejection) -> Bool {
        try act.first(
            """
            SELECT 1 FROM inbox i JOIN inbox_lines l ON l.entry = i.id
            WHERE i.about = ? AND i.member = ? AND l.kind = ? AND l.word IS ?
            """, .text(about), .id(member), .text(line.kind.rawValue), Value(line.word)
        ) { row in row.bool(0) } ?? false
    }

    // MARK: Coming, going, and what is in sight

    /// A new member has an inbox from here on: earlier announcements were others'.
    private static func welcome(_ act: Act, _ told: Told) throws(Rejection) {
        guard let member = told.data["member"]?["id"]?.identifier else { return }
        try act.run(
            "INSERT OR IGNORE INTO inbox_members (member, joined, seen) VALUES (?1, ?2, ?2)", .id(member),
            .int(act.keeper.store.log.position))
    }

    private static func forget(_ act: Act, about: String) throws(Rejection) {
        let members = try act.rows("SELECT DISTINCT member FROM inbox WHERE about = ?", .text(about)) { row in
            row.identifier(0)
        }
        for member in members {
            if let entry = try act.roster[member] { try OwnInbox(entry, act).remove(about: about) }
        }
    }

    /// A member or a place is gone or hidden: so is what was told of them together, to those who see it no longer.
    private static func forgetStays(_ act: Act, _ told: Told) throws(Rejection) {
        guard let id = (told.data["member"] ?? told.data["place"])?.identifier else { return }
        let entries = try act.rows(
            "SELECT DISTINCT member, about FROM inbox WHERE about LIKE ? OR about LIKE ? OR about LIKE ?",
            .text("stay/\(id)/%"), .text("stay/%/\(id)"), .text("agreement/\(id)%")
        ) { row in (member: row.identifier(0), about: row.text(1)) }
        for (member, about) in entries {
            guard let entry = try act.roster[member], told.audience.contains(entry.number) else { continue }
            try OwnInbox(entry, act).remove(about: about)
        }
    }

    /// A role or household changed. Who was a guest has missed the announcements before; a guest's inbox says nothing
    /// of members in other households. Those whose sight changed are given a fresh view, so nothing is told here.
    private static func look(_ act: Act, _ told: Told) throws(Rejection) {
        let changed = told.data["changed"]?.array ?? []
        guard changed.contains("role") || changed.contains("household"),
            told.data["member"]?["username"] != nil, let id = told.data["member"]?["id"]?.identifier,
            let entry = try act.roster[id]
        else { return }
        if entry.role != .guest, told.type == "member.updated", !told.audience.contains(entry.number) {
            let position = act.keeper.store.log.position
            try act.run(
                "UPDATE inbox_members SET joined = ?1, seen = max(seen, ?1) WHERE member = ?2", .int(position), .id(id))
        }
        for guest in try act.roster.entries where guest.role == .guest {
            try narrow(guest, isOneself: guest.id == id, act)
        }
    }

    /// That somebody left stays with the guests who were told so, and they are not given a fresh view; it goes with the
    /// sight of a member who becomes a guest.
    private static func narrow(_ guest: Roster.Entry, isOneself: Bool, _ act: Act) throws(Rejection) {
        let abouts = try act.rows(
            "SELECT DISTINCT about FROM inbox WHERE member = ?", .id(guest.id)
        ) { row in row.text(0) }
        for about in abouts {
            let parts = about.split(separator: "/")
            guard parts.count == 2, let id = Identifier(parts[1]) else { continue }
            var isSeen = true
            if parts[0] == "member", id != guest.id {
                let household = try act.roster[id]?.household
                isSeen = household.map { $0 == guest.household } ?? !isOneself
            }
            if parts[0] == "meeting" { isSeen = try isNamed(guest.id, in: id, act) }
            if !isSeen { try act.run("DELETE FROM inbox WHERE about = ? AND member = ?", .text(about), .id(guest.id)) }
        }
    }

    /// Whether a meeting names a member, as its host or among the invitees.
    private static func isNamed(_ member: Identifier, in meeting: Identifier, _ act: Act) throws(Rejection) -> Bool {
        try act.first(
            """
            SELECT 1 FROM meetings m LEFT JOIN meeting_people p ON p.meeting = m.number AND p.member = ?2
            WHERE m.id = ?1 AND (m.host = ?2 OR p.is_invited = 1)
            """, .id(meeting), .id(member)
        ) { row in row.bool(0) } ?? false
    }
}
