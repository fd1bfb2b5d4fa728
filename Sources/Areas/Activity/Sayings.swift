import KinKeeper
import KinModel
import KinStore

/// Sayings of members to the family, to households or to members. The hearers are fixed when it is said: a member who
/// joins later is not told, and nobody inherits it. A guest hears, and speaks to, only the guest's own household.
enum Sayings {
    /// What one member may say in a day, corrections counted.
    static let quota = Quota("sayings")

    static let kind = InboxKind("said")

    /// The lines that it makes in inboxes.
    static let inbox = [InboxRule(Inbox.said, kind, .audience)]

    static func about(_ id: Identifier) -> String { "said/\(id)" }

    /// Whether a member was told; `nil` where it is gone.
    static func sees(_ id: Identifier, _ member: Identifier, _ act: Act) throws(Rejection) -> Bool? {
        try act.first(
            """
            SELECT s.by IS ?2 OR EXISTS (SELECT 1 FROM said_to t WHERE t.saying = s.id AND t.member = ?2)
            FROM sayings s WHERE s.id = ?1
            """, .id(id), .id(member)
        ) { row in row.bool(0) }
    }

    /// Says something; answers its identifier.
    static func say(
        _ text: String, to given: [Identifier]?, _ act: Act
    ) throws(Rejection) -> Identifier {
        let member = try act.member
        try spend(act)
        let hearers = try hearers(given, of: member.id, act)
        let id = act.newIdentifier()
        let addressed = given.map { $0.map(\.description).joined(separator: " ") }
        try act.run(
            "INSERT INTO sayings (id, by, at, text, addressed) VALUES (?, ?, ?, ?, ?)", .id(id), .id(member.id),
            .time(act.now), .text(text), Value(addressed))
        for hearer in hearers {
            try act.run("INSERT INTO said_to (saying, member) VALUES (?, ?)", .id(id), .id(hearer.id))
        }
        let audience = Audience(hearers.map(\.number)).union(try act.roster.only(member.id))
        try act.emit(Inbox.said, .init(text: text), about: about(id), to: audience, title: text)
        return id
    }

    /// Counts one against today's quota.
    static func spend(_ act: Act) throws(Rejection) {
        guard try quota.take(1, of: Limits.sayingsPerDayMax, for: try act.member.id, act) else {
            throw Quota.usedUp(
                "You said \(Limits.sayingsPerDayMax) things today, which is the most; go on tomorrow.", act)
        }
    }

    /// The members who are told. Where nobody is named: everybody who is no guest; for a guest, the household.
    private static func hearers(
        _ given: [Identifier]?, of author: Identifier, _ act: Act
    ) throws(Rejection) -> [Roster.Entry] {
        let roster = try act.roster
        guard let own = roster[author] else { throw .notFound("member", author.description, field: "member") }
        var audience = own.role == .guest ? roster.household(own.household) : roster.everyone
        if let given {
            guard !given.isEmpty else {
                throw Rejection(
                    .invalid, "to is empty; name a household or a member, or leave it out for the family.",
                    field: "to")
            }
            audience = Audience()
            let sight = act.sight
            for id in given {
                // A hidden member or household gets the same answer as one that does not exist.
                if let named = roster[id], sight?.contains(named.household) ?? false {
                    guard named.role != .guest || named.household == own.household else {
                        throw Rejection(
                            .forbidden, "Only the people of a guest's household speak to the guest.", field: "to")
                    }
                    try named.mustAnswer(field: "to")
                    audience = audience.union(roster.only(id))
                } else if sight?.contains(id) ?? false, try isHousehold(id, act) {
                    audience = audience.union(roster.household(id))
                } else {
                    throw .notFound("member or household", id.description, field: "to")
                }
            }
        }
        // A guest sees nobody of other households.
        return roster.entries(in: audience).filter {
            $0.id != author && ($0.role != .guest || $0.household == own.household)
        }
    }

    private static func isHousehold(_ id: Identifier, _ act: Act) throws(Rejection) -> Bool {
        try act.first("SELECT 1 FROM households WHERE id = ?", .id(id)) { row in row.bool(0) } ?? false
    }

    // MARK: Sight

    /// A member became a guest, or somebody moved: a guest keeps what was said within the household. Sayings of a
    /// former member stay, unless the guest's own role or household changed, because nobody else gets a fresh view.
    static func narrow(_ guest: Roster.Entry, isOneself: Bool, _ act: Act) throws(Rejection) {
        let told = try act.rows(
            "SELECT s.id, s.by FROM said_to t JOIN sayings s ON s.id = t.saying WHERE t.member = ?", .id(guest.id)
        ) { row in (id: row.identifier("id"), by: row.optionalIdentifier("by")) }
        let roster = try act.roster
        for (id, by) in told {
            let author = by.flatMap { roster[$0] }
            guard author.map({ $0.household != guest.household }) ?? isOneself else { continue }
            try act.run("DELETE FROM said_to WHERE saying = ? AND member = ?", .id(id), .id(guest.id))
            try act.narrow(about: about(id), by: roster.only(guest.id))
        }
    }

    // MARK: Leaving

    /// A saying to some members is inherited by nobody: it stays with those who were told.
    static func inherit(_ act: Act, from: Identifier) throws(Rejection) {
        try act.run("UPDATE sayings SET by = NULL WHERE by = ?", .id(from))
        try act.run("DELETE FROM said_to WHERE member = ?", .id(from))
    }

    static func deleteOwned(_ act: Act, _ member: Identifier) throws(Rejection) {
        let ids = try act.rows("SELECT id FROM sayings WHERE by = ? ORDER BY id", .id(member)) { row in
            row.identifier(0)
        }
        for id in ids { try remove(id, act) }
        try act.run("DELETE FROM said_to WHERE member = ?", .id(member))
    }

    /// Removes it with all that is known about it, and tells whoever was told.
    static func remove(_ id: Identifier, isTold: Bool = true, _ act: Act) throws(Rejection) {
        let roster = try act.roster
        let people = try act.rows(
            "SELECT by FROM sayings WHERE id = ?1 UNION SELECT member FROM said_to WHERE saying = ?1", .id(id)
        ) { row in row.optionalIdentifier(0) }
        let audience = Audience(people.compactMap { $0.flatMap { roster[$0] }?.number })
        try act.run("DELETE FROM said_to WHERE saying = ?", .id(id))
        try act.run("DELETE FROM sayings WHERE id = ?", .id(id))
        try act.erase(about: about(id))
        if isTold {
            try act.emit(Inbox.announcementDeleted, Nothing(), about: about(id), to: audience)
        } else {
            try Activity.forget(act, abouts: [about(id)], from: nil)
        }
    }

    /// Once an hour: removes sayings that are too old or beyond a member's limit.
    static func prune(_ act: Act) throws(Rejection) {
        let old = try act.rows(
            """
            SELECT id FROM (SELECT id, at, row_number() OVER (PARTITION BY by ORDER BY id DESC) AS place FROM sayings)
            WHERE at <= ? OR place > ? ORDER BY id
            """, .time(act.now.adding(days: -Limits.inboxUnreadDays)), .int(Limits.sayingsKeptMax)
        ) { row in row.identifier(0) }
        for id in old { try remove(id, isTold: false, act) }
    }
}
