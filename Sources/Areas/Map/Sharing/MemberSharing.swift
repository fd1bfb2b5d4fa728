import KinKeeper
import KinModel
import KinStore

/// A member's sharing: the row of `sharing`, with the result of its rules. It is off until the member turns it on.
struct MemberSharing: Equatable {
    /// The member's number in the history.
    let track: Int64
    let member: Identifier
    var isOn: Bool
    /// When it ends by itself.
    var until: Instant?
    /// When it was last turned on.
    var since: Instant
    /// A restore turned it off; the member has to confirm.
    var isPaused: Bool
    /// Days a position is kept in the history; 0 for none.
    var historyDays: Int64
    /// The phone did not report for long, and its member was told so.
    var isSilent: Bool
    /// Whether the member ever gave rules; ``SharingRule/first`` holds until then.
    var hasRules: Bool
    /// The adult who holds a child's settings.
    var holder: Identifier?
    /// Until when a holder from before the present rules must confirm the hold.
    var heldUntil: Instant?
    /// Whether the holder of a child's settings is gone, and another parent must decide.
    var waitsForParent: Bool
    /// Which of the member's versions holds now; `nil` before there was one.
    var version: Int64?
    /// Since when that version holds.
    var versionSince: Instant
    /// Who sees the member now, and how much.
    var viewers: Viewers

    /// Due work that ends one member's sharing; its `about` is ``LatestPositions/about(_:)``.
    static let endDue = "sharing.ends"
    /// Due work that ends one or more of a member's rules; its `about` is ``LatestPositions/about(_:)``.
    static let ruleDue = "sharing.rule"

    /// As the wire has it.
    var wire: Sharing { Sharing(isOn: isOn, until: until, heldBy: holder) }

    /// Whether others may see a point, by its own time and now: it is not older than the current sight. For a time
    /// before the member joined there was no choice by the member, so only the current one decides: for a recorded
    /// track that is replayed.
    func shows(_ at: Instant) -> Bool { isOn && (at >= versionSince || isFromBefore(at)) }

    /// Whether a time is before the member joined.
    func isFromBefore(_ at: Instant) -> Bool { at.milliseconds < Int64(clamping: member.high >> 16) }

    private static let columns = """
        SELECT s.track, s.member, s.is_on, s.until, s.since, s.is_paused, s.history_days, s.is_silent, s.has_rules,
        s.holder, s.version, v.since AS version_since, v.viewers, s.held_until, s.waits_for_parent
        FROM sharing s LEFT JOIN sharing_versions v ON v.version = s.version
        """

    private init(_ row: borrowing Row) {
        track = row.int("track")
        member = row.identifier("member")
        isOn = row.bool("is_on")
        until = row.optionalInstant("until")
        since = row.instant("since")
        isPaused = row.bool("is_paused")
        historyDays = row.int("history_days")
        isSilent = row.bool("is_silent")
        hasRules = row.bool("has_rules")
        holder = row.optionalIdentifier("holder")
        version = row.optionalInt("version")
        versionSince = row.optionalInstant("version_since") ?? since
        viewers = row.optionalBlob("viewers").map { Viewers(bytes: $0) } ?? .nobody
        heldUntil = row.optionalInstant("held_until")
        waitsForParent = row.bool("waits_for_parent")
    }

    /// A member's row, if there is one.
    static func find(_ database: Database, _ member: Identifier) throws(StoreFailure) -> MemberSharing? {
        try database.first(
            columns + " WHERE s.member = ?", .id(member), map: { (row) throws(StoreFailure) in MemberSharing(row) })
    }

    /// Everybody's rows.
    static func all(_ act: Act) throws(Rejection) -> [MemberSharing] {
        try act.rows(columns + " ORDER BY s.track", map: { (row) throws(StoreFailure) in MemberSharing(row) })
    }

    /// A member's row, made when there is none.
    static func of(_ member: Identifier, _ act: Act) throws(Rejection) -> MemberSharing {
        let memory = act.memory(SharingMemory.self)
        if let known = memory.members.value(of: member, act) { return known }
        if let sharing = try act.ask({ (database) throws(StoreFailure) in try find(database, member) }) {
            memory.members.remember(sharing, of: member, act)
            return sharing
        }
        try act.run(
            "INSERT INTO sharing (member, history_days) VALUES (?, ?)", .id(member), .int(Limits.historyDays))
        guard let made = try act.ask({ (database) throws(StoreFailure) in try find(database, member) }) else {
            preconditionFailure("a row just written is there")
        }
        return made
    }

    /// Writes the row down.
    func save(_ act: Act) throws(Rejection) {
        try act.run(
            """
            UPDATE sharing SET is_on = ?, until = ?, since = ?, is_paused = ?, history_days = ?, is_silent = ?,
            has_rules = ?, holder = ?, version = ?, held_until = ?, waits_for_parent = ? WHERE track = ?
            """, .bool(isOn), Value(until), .time(since), .bool(isPaused), .int(historyDays), .bool(isSilent),
            .bool(hasRules), Value(holder), Value(version), Value(heldUntil), .bool(waitsForParent), .int(track))
    }

    // MARK: Switching

    /// Turns it on, or gives it another end. Everyone the rules name sees the last position from this act on: those of
    /// `confirms` where it is given, and else whoever is there.
    mutating func turnOn(until: Instant?, confirms: Audience? = nil, _ act: Act) throws(Rejection) {
        let before = self
        if !isOn { since = act.now }
        isOn = true
        isPaused = false
        if !before.isOn { isSilent = false }
        self.until = until
        if before.isOn, confirms != nil { try confirm(confirms, wasOn: true, act) }
        guard self != before else { return }
        try save(act)
        if !before.isOn { try listen(act) }
        let about = LatestPositions.about(member)
        try act.plan(Self.endDue, about: about, at: until)
        if before.isOn { try resolve(wasOn: true, act) } else { try confirm(confirms, wasOn: false, act) }
        if isOn != before.isOn || until != before.until { try tell([.state], act) }
    }

    /// Turns it off: nobody gets the position from this act on, and those who saw it are told.
    mutating func turnOff(isPaused: Bool = false, _ act: Act) throws(Rejection) {
        let before = self
        isOn = false
        until = nil
        self.isPaused = isPaused
        guard self != before else { return }
        try save(act)
        let about = LatestPositions.about(member)
        try act.unplan(Self.endDue, about: about)
        try act.unplan(Self.silenceDue, about: about)
        guard before.isOn else { return }
        try forgetGroups(act)
        try resolve(wasOn: true, act)
        try settleQuestions(act)
        try tell([.state], act)
    }

    /// Tells the member which of the own settings have changed, also by others' acts.
    func tell(_ changes: [Sharing.Changed.Change], _ act: Act) throws(Rejection) {
        try act.emit(
            Sharing.changed, .init(sharing: wire, changes: changes), about: LatestPositions.about(member),
            to: try act.roster.only(member), isHeard: true)
    }

    // MARK: By the daemon itself

    /// One member's sharing reached its end; an entry that was moved meanwhile does nothing.
    static func fellDue(_ about: String, _ act: Act) throws(Rejection) {
        guard let member = Identifier(about.split(separator: "/").last ?? ""),
            var sharing = try act.ask({ (database) throws(StoreFailure) in try find(database, member) }),
            sharing.isOn, let until = sharing.until, until <= act.now
        else { return }
        try sharing.turnOff(act)
    }

    /// The clock begins to be doubted, or is believed again. Meanwhile sharing and rules with an end show nothing.
    static func clockDoubted(_ act: Act) throws(Rejection) {
        for var sharing in try all(act) where sharing.isOn { try sharing.resolve(wasOn: true, act) }
    }

    /// After a restore: nobody is shown until they say so again, and no link from before is good.
    static func pauseAll(_ act: Act) throws(Rejection) {
        try GuestLinks.endAll(act)
        for var sharing in try all(act) where sharing.isOn { try sharing.turnOff(isPaused: true, act) }
    }
}
