import KinModel
import KinStore

/// What one member may use up of what is everybody's: the disk, the room of a snapshot. Each has a quota of the own, so
/// that who uses up one stops nobody else; and is told once four fifths are gone. What a member used nobody else is
/// told: admins see the family's sums.
enum Quota: String, CaseIterable {
    /// Points that the history takes in a day.
    case points
    /// Bytes of remembered commands (`op`) of a day.
    case operations
    /// Pictures set in a day.
    case pictures
    /// Bytes of places in a snapshot.
    case places
    /// Meetings that are not over.
    case meetings

    /// The event by which a member is told.
    static let nearType = "quota.near"

    static let near = EventType(
        nearType, "Four fifths of what is for one member are used; to that member, once as it comes to that.",
        data: .object([
            .required("what", .oneOf(allCases.map(\.rawValue))),
            .required("used", .integer(0...Int64.max)), .required("most", .integer(0...Int64.max)),
        ]))

    // MARK: By the day

    /// Takes some of what a member may use up today (by UTC); false, and nothing taken, where not so much is left.
    func take(_ amount: Int64, of most: Int64, for member: Identifier, _ act: Act) throws(Rejection) -> Bool {
        let day = Self.day(act.now)
        let used =
            try act.first(
                "SELECT used FROM used_today WHERE member = ? AND what = ? AND day = ?", .id(member), .text(rawValue),
                .int(day)
            ) { row in row.int(0) } ?? 0
        guard amount <= most - used else { return false }
        try act.run(
            """
            INSERT INTO used_today (member, what, day, used) VALUES (?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET day = excluded.day, used = excluded.used
            """, .id(member), .text(rawValue), .int(day), .int(used + amount))
        try tell(member, before: used, after: used + amount, of: most, act)
        return true
    }

    /// The refusal where none of today's is left.
    static func usedUp(_ sentence: String, _ act: Act, field: String? = nil) -> Rejection {
        let tomorrow = Instant(milliseconds: (day(act.now) + 1) * 86_400_000)
        let wait = max(1, Int((tomorrow.milliseconds(since: act.now) + 999) / 1000))
        return Rejection(.slowDown, sentence, field: field, retryAfter: wait)
    }

    private static func day(_ now: Instant) -> Int64 { now.milliseconds / 86_400_000 }

    // MARK: For all

    /// Tells a member who comes to four fifths.
    func tell(
        _ member: Identifier, before: Int64, after: Int64, of most: Int64, _ act: Act
    ) throws(Rejection) {
        let near = most - most / 5
        guard before < near, after >= near else { return }
        try act.emit(
            Self.nearType, about: "quota/\(rawValue)", to: try act.roster.only(member),
            data: ["what": .string(rawValue), "used": .int(after), "most": .int(most)])
    }

    /// Whether a member's part may grow: it may have three times as much as is left for the others, so that one alone has
    /// most of the room, and the next one still finds some.
    static func mayGrow(own: Int64, all: Int64, most: Int64) -> Bool { all <= most && own <= 3 * (most - all) }

    /// The family's sums, for its admins: of today, and of now.
    static func sums(_ act: Act) throws(Rejection) -> FamilySums {
        var sums = FamilySums()
        let used = try act.rows(
            "SELECT what, sum(used) FROM used_today WHERE day = ? GROUP BY what", .int(day(act.now))
        ) { row in (row.text(0), row.int(1)) }
        for (what, count) in used {
            switch Quota(rawValue: what) {
            case .points: sums.pointsToday = count
            case .operations: sums.operationBytesToday = count
            case .pictures: sums.picturesToday = count
            case .places, .meetings, nil: break
            }
        }
        // Counted by the table itself as rows come and go: after ten years looking through it would take seconds.
        sums.points = try act.first("SELECT count FROM point_count") { row in row.int(0) } ?? 0
        sums.places = try act.first("SELECT count(*) FROM places") { row in row.int(0) } ?? 0
        sums.meetings = try act.first("SELECT count(*) FROM meetings WHERE past IS NULL") { row in row.int(0) } ?? 0
        return sums
    }

    /// Forgets the days before.
    static func prune(_ act: Act) throws(Rejection) {
        try act.run("DELETE FROM used_today WHERE day < ?", .int(day(act.now)))
    }
}

/// What the whole family used of what there is for all.
public struct FamilySums: Sendable {
    /// Points taken into histories today (by UTC).
    public var pointsToday: Int64 = 0
    /// Points in all histories, those kept apart too.
    public var points: Int64 = 0
    /// Pictures set today.
    public var picturesToday: Int64 = 0
    /// Bytes of commands remembered today.
    public var operationBytesToday: Int64 = 0
    /// Places on the map.
    public var places: Int64 = 0
    /// Meetings that are not over.
    public var meetings: Int64 = 0
}
