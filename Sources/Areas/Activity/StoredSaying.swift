import KinKeeper
import KinModel
import KinStore

/// Something that was announced or said, as it is stored.
struct StoredSaying {
    let id: Identifier
    /// Announced by an admin, to everyone.
    let isOfficial: Bool
    /// The owner: the author, or the member who inherited an announcement.
    let owner: Identifier?
    /// Who said it.
    let author: Identifier?
    let at: Instant
    let text: String
    /// When the text was last corrected.
    let corrected: Instant?
    /// The households and members that were named; `nil`: the family.
    let to: [Identifier]?

    // MARK: Reading

    private static let announced =
        "SELECT id, 1 AS official, by AS owner, author, at, text, corrected, NULL AS addressed FROM announcements"
    private static let said =
        "SELECT id, 0 AS official, by AS owner, by AS author, at, text, corrected, addressed FROM sayings"

    private init(_ row: borrowing Row) {
        id = row.identifier("id")
        isOfficial = row.bool("official")
        owner = row.optionalIdentifier("owner")
        author = row.optionalIdentifier("author")
        at = row.instant("at")
        text = row.text("text")
        corrected = row.optionalInstant("corrected")
        to = row.optionalText("addressed")?.split(separator: " ").compactMap { Identifier($0) }
    }

    private static func find(_ id: Identifier, _ act: Act) throws(Rejection) -> StoredSaying? {
        try act.first("\(announced) WHERE id = ?1 UNION ALL \(said) WHERE id = ?1", .id(id)) { row in
            StoredSaying(row)
        }
    }

    /// The whole text of an entry whose title is cut, if its reader was told.
    static func whole(of entry: InboxEntry, _ act: Act) throws(Rejection) -> String? {
        let parts = entry.about.split(separator: "/")
        guard entry.title?.unicodeScalars.last == "…", parts.count == 2, ["said", "announcement"].contains(parts[0]),
            let id = Identifier(parts[1])
        else { return nil }
        return try find(id, act)?.text
    }

    /// One that the caller was told or said; 1404 for others, whether they are there or not.
    static func seen(_ id: Identifier, _ act: Act) throws(Rejection) -> StoredSaying {
        let member = try act.member.id
        guard let found = try find(id, act), try found.isSeen(by: member, act) else {
            throw .notFound("message", id.description, field: "id")
        }
        return found
    }

    /// One that a member was told, if it is still there.
    static func told(_ id: Identifier, to reader: Roster.Entry, _ act: Act) throws(Rejection) -> StoredSaying? {
        guard let found = try find(id, act), try found.isSeen(by: reader.id, act) else { return nil }
        return found
    }

    /// One of the caller's own.
    static func own(_ id: Identifier, _ act: Act) throws(Rejection) -> StoredSaying {
        let found = try seen(id, act)
        try act.require(act.caller.memberID == found.owner, "Only whoever said it can change it or take it back.")
        return found
    }

    /// 1404 unless it is the caller's own.
    static func requireOwn(_ id: Identifier, _ act: Act) throws(Rejection) {
        let member = try act.member.id
        guard let found = try find(id, act), found.owner == member else {
            throw .notFound("message", id.description, field: "before")
        }
    }

    private func isSeen(by member: Identifier, _ act: Act) throws(Rejection) -> Bool {
        if owner == member { return true }
        guard isOfficial else { return try Sayings.sees(id, member, act) ?? false }
        guard let reader = try act.roster[member] else { return false }
        return try OwnInbox(reader, act).ask { (query) throws(StoreFailure) in try query.isAnnouncement(id) }
    }

    /// A member's announcements and sayings, newest first, before a given one.
    static func all(
        of member: Identifier, before: Identifier?, count: Int, _ act: Act
    ) throws(Rejection) -> [StoredSaying] {
        let before = before ?? Identifier(high: .max, low: .max)
        return try act.rows(
            """
            SELECT * FROM (\(announced) WHERE by = ?1 AND id < ?2 UNION ALL \(said) WHERE by = ?1 AND id < ?2)
            ORDER BY id DESC LIMIT ?3
            """, .id(member), .id(before), Value(count)
        ) { row in StoredSaying(row) }
    }

    // MARK: Saying

    /// The part of it that one caller sees.
    struct Told: WireRecord {
        let id: Identifier
        let isOfficial: Bool
        let author: Identifier?
        let at: Instant
        let text: String
        let corrected: Instant?
        let to: [Identifier]?
        let told: Int64?

        static let fields = Fields(
            "Saying", Told.init(id:isOfficial:author:at:text:corrected:to:told:), .required("id", \.id, .id),
            .required("official", \.isOfficial, .bool, "Announced by an admin."),
            .optional("by", \.author, .id, "Who said it; absent for the machine, and for one who has left."),
            .required("at", \.at, .time), .required("text", \.text, .text(max: Limits.announcementCharactersMax)),
            .optional("corrected", \.corrected, .time, "When the text was last corrected."),
            .optional(
                "to", \.to, .list(.id, max: Limits.saidToMax), "For its author: who was named; absent: the family."),
            .optional(
                "told", \.told, Form<Int64>.integer(0...Int64(Limits.membersMax)), "For its author: how many were told."
            ))
    }

    /// As the caller sees it.
    func json(_ act: Act) throws(Rejection) -> JSON {
        let isOwn = act.caller.memberID != nil && owner == act.caller.memberID
        // A screen on a wall shows it, and is nobody.
        let told = try isOwn ? Int64(readers(act).count { !$0.owner.isWall }) : nil
        return Told(
            id: id, isOfficial: isOfficial, author: author, at: at, text: text, corrected: corrected,
            to: isOwn ? to : nil, told: told
        ).json
    }

    /// Those who were told and are still in the family, without its author.
    private func readers(_ act: Act) throws(Rejection) -> [OwnInbox] {
        var readers: [OwnInbox] = []
        if isOfficial {
            for entry in try act.roster.entries where entry.role != .guest && entry.id != author {
                let inbox = OwnInbox(entry, act)
                if try inbox.ask({ (query) throws(StoreFailure) in try query.isAnnouncement(id) }) {
                    readers.append(inbox)
                }
            }
            return readers
        }
        let members = try act.rows("SELECT member FROM said_to WHERE saying = ?", .id(id)) { row in row.identifier(0) }
        let roster = try act.roster
        return members.compactMap { roster[$0] }.map { OwnInbox($0, act) }
    }

    // MARK: Changing

    private var about: String { isOfficial ? Announcements.about(id) : Sayings.about(id) }

    /// Gives it another text, in every inbox that has it, and tells those who were told.
    func correct(_ text: String, _ act: Act) throws(Rejection) {
        let readers = try readers(act)
        var windows: [(inbox: OwnInbox, before: [InboxEntry]?)] = []
        for reader in readers { windows.append((reader, try reader.windowIfFull())) }
        try act.run(
            "UPDATE \(isOfficial ? "announcements" : "sayings") SET text = ?, corrected = ? WHERE id = ?", .text(text),
            .time(act.now), .id(id))
        if !isOfficial {
            try act.run(
                "UPDATE inbox SET title = ? WHERE about = ? AND state <> ?", .text(InboxEntry.title(of: text)),
                .text(about), .int(EntryState.dismissed.rawValue))
        }
        let roster = try act.roster
        var audience = Audience(readers.map(\.owner.number))
        for person in [owner, author].compactMap(\.self) { audience = audience.union(roster.only(person)) }
        // The former words are in no row of the log any more; members who were away are given the entry as it is now.
        try act.erase(about: about)
        try act.emit(Inbox.corrected, .init(text: text), about: about, to: audience)
        for reader in readers { try reader.showCorrected(about, announced: isOfficial ? id : nil) }
        for (inbox, before) in windows where before != nil { try inbox.refill(before, unread: try inbox.unread()) }
    }

    /// Takes it back: it leaves the database, the log and every inbox.
    func withdraw(_ act: Act) throws(Rejection) {
        if isOfficial { try Announcements.remove([id], act) } else { try Sayings.remove(id, act) }
    }
}
