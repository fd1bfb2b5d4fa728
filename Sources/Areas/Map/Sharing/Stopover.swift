import KinKeeper
import KinModel
import KinStore

/// The place of one member as told to viewers who see place names, or whether somebody is at home: the row of
/// `stopovers`, which exists while somebody sees that much. It is told when the place changes, and with a newer time
/// once in ``Limits/coarseTimeSeconds``.
///
/// A viewer who does not see a place is not told that the member came there or left: for that viewer the member is at
/// no place.
struct Stopover: Equatable {
    let member: Identifier
    /// The place's name and who sees it; `nil` when the member is at none.
    let name: String?
    let seers: Audience
    /// Whether it is the home of the member's household; `nil` when nobody said where that is, or the member did not agree
    /// to be seen there.
    let isHome: Bool?
    /// When that was last so, rounded down.
    let at: Instant
    /// Rows of the log that told some that the place is left, besides the newest of each payload.
    private(set) var partings: Int64 = 0
    /// So many at most; then everybody is told anew.
    private static let partingsMax: Int64 = 32

    /// Where a member is now, at a time that others may know.
    init(_ member: Identifier, at: Instant, _ act: Act) throws(Rejection) {
        self.member = member
        self.at = CoarsePosition.rounded(at)
        let stay = try Whereabouts.current(of: member, act)
        name = stay?.name
        seers = stay?.seers ?? Audience()
        let home = try act.first(
            """
            SELECT 1 FROM places p JOIN members m ON m.household = p.home_of
            WHERE m.id = ?1 AND \(PlaceAgreements.counts(act))
            """, .id(member), .time(act.now)
        ) { row in row.bool(0) }
        isHome = home.map { _ in stay?.isHome ?? false }
    }

    private init(_ row: borrowing Row) {
        member = row.identifier("member")
        name = row.optionalText("name")
        seers = Audience(bytes: row.blob("seers"))
        isHome = row.optionalBool("is_home")
        at = row.instant("at")
        partings = row.int("partings")
    }

    /// What was told last; `nil` for nothing.
    static func find(_ member: Identifier, _ act: Act) throws(Rejection) -> Stopover? {
        try act.first(
            "SELECT member, name, seers, is_home, at, partings FROM stopovers WHERE member = ?", .id(member),
            map: { (row) throws(StoreFailure) in Stopover(row) })
    }

    /// One member's stopover as another sees it.
    static func seen(by number: Int32, _ viewers: Viewers, _ row: borrowing Row) -> Presence? {
        let stopover = Stopover(row)
        return switch viewers.precision(for: number) {
        case .place:
            Presence(
                member: stopover.member, place: stopover.seers.contains(number) ? stopover.name : nil, at: stopover.at)
        case .home: Presence(member: stopover.member, isHome: stopover.isHome, at: stopover.at)
        default: nil
        }
    }

    // MARK: Telling

    /// The member's position moved, or a place changed: tells what is different now.
    static func stayChanged(_ member: Identifier, _ act: Act) throws(Rejection) {
        let sharing = try act.ask { (database) throws(StoreFailure) in try MemberSharing.find(database, member) }
        guard let sharing, sharing.isOn, isWanted(sharing.viewers), let shown = try LatestPositions(member, act).shown
        else {
            return
        }
        try settle(member, at: shown.at, sharing.viewers, isWhole: false, act)
    }

    /// Whether somebody sees that much and no more.
    static func isWanted(_ viewers: Viewers) -> Bool { !viewers[.place].isEmpty || !viewers[.home].isEmpty }

    /// Tells what is different now; `isWhole`: everything, because other members see it now.
    static func settle(
        _ member: Identifier, at: Instant, _ viewers: Viewers, isWhole: Bool, _ act: Act
    ) throws(Rejection) {
        let before = try find(member, act)
        var now = try Stopover(member, at: max(at, before?.at ?? at), act)
        now.partings = before?.partings ?? 0
        if let before, !isWhole, before.at == now.at, before.partings < partingsMax {
            try now.tellChanges(since: before, viewers, act)
        } else {
            try now.tellAll(viewers, act)
        }
        guard now != before else { return }
        try act.run(
            "INSERT OR REPLACE INTO stopovers (member, name, seers, is_home, at, partings) VALUES (?, ?, ?, ?, ?, ?)",
            .id(member), Value(now.name), .blob(now.seers.bytes), Value(now.isHome), .time(now.at),
            .int(now.partings))
    }

    /// Nobody sees that much any more: nothing of it stays.
    static func withdraw(_ member: Identifier, _ act: Act) throws(Rejection) {
        guard var told = try find(member, act) else { return }
        try told.withdrawPartings(act)
        for key in [told.namedKey, told.namelessKey, told.homeKey] { try act.withdraw(key: key) }
        try act.run("DELETE FROM stopovers WHERE member = ?", .id(member))
    }

    private var about: String { LatestPositions.about(member) }
    private var namedKey: String { about + "/place" }
    private var namelessKey: String { about + "/place/none" }
    private var homeKey: String { about + "/home" }
    private func partingKey(_ number: Int64) -> String { about + "/place/left/\(number)" }

    /// Those who are told the name.
    private func named(_ viewers: Viewers) -> Audience {
        name == nil ? Audience() : viewers[.place].intersection(seers)
    }

    private mutating func tellAll(_ viewers: Viewers, _ act: Act) throws(Rejection) {
        try withdrawPartings(act)
        let named = named(viewers)
        try tell(Presence(member: member, place: nil, at: at), to: viewers[.place].subtracting(named), namelessKey, act)
        try tell(Presence(member: member, place: name, at: at), to: named, namedKey, act)
        try tell(Presence(member: member, isHome: isHome, at: at), to: viewers[.home], homeKey, act)
    }

    private mutating func tellChanges(
        since before: Stopover, _ viewers: Viewers, _ act: Act
    ) throws(Rejection) {
        let (was, named) = (before.named(viewers), named(viewers))
        if named != was || name != before.name {
            // Those to whom nothing changes keep the row they have.
            let left = was.subtracting(named)
            if !left.isEmpty {
                try tell(Presence(member: member, place: nil, at: at), to: left, partingKey(partings), act)
                partings += 1
            }
            try tell(Presence(member: member, place: name, at: at), to: named, namedKey, act)
        }
        if isHome != before.isHome {
            try tell(Presence(member: member, isHome: isHome, at: at), to: viewers[.home], homeKey, act)
        }
    }

    private func tell(_ presence: Presence, to audience: Audience, _ key: String, _ act: Act) throws(Rejection) {
        try act.emit(
            Position.seen, .presence(presence), about: about, to: audience, key: key,
            toldAt: CoarsePosition.rounded(act.now))
    }

    private mutating func withdrawPartings(_ act: Act) throws(Rejection) {
        for number in 0..<max(0, partings) { try act.withdraw(key: partingKey(number)) }
        partings = 0
    }
}
