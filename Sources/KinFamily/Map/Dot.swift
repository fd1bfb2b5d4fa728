import KinModel
import KinStore

/// A member's two dots, the own and the shown one, as they stand in `latest_positions`, and what of them goes into the
/// log when they move.
///
/// The row under `position/MEMBER/exact` goes to everyone while sharing is on, else to the owner alone. While the own
/// dot is not the shown one, the owner's stands in a row of its own, `position/MEMBER/own`.
struct Dot {
    let member: Identifier
    /// Where the member was last, known to the member alone.
    private(set) var own: Position?
    /// What others see; `nil` while sharing is off.
    private(set) var shown: Position?
    /// What the own points tell of moving and resting.
    private var gait: Gait?
    private(set) var hasOwnMoved = false
    private var hasShownMoved = false

    /// The log's `about` for everything of a member's map.
    static func about(_ member: Identifier) -> String { "position/\(member)" }

    private var about: String { Self.about(member) }
    private var exactKey: String { about + "/exact" }
    private var ownKey: String { about + "/own" }
    private var hiddenKey: String { about + "/hidden" }

    init(_ member: Identifier, _ act: Act) throws(Rejection) {
        self.member = member
        let dots = try act.rows(
            """
            SELECT member, lat, lon, at, accuracy, altitude, speed, course, battery, charging, moving, since, shown,
            rest_lat, rest_lon, rest_accuracy, rest_at FROM latest_positions WHERE member = ?
            """, .id(member),
            map: { (row) throws(StoreFailure) in
                (Position(latest: row), isShown: row.bool(12), rest: Gait.Rest(row, from: 13))
            })
        own = dots.first { !$0.isShown }?.0
        gait = dots.first { !$0.isShown }.flatMap { dot in dot.rest.map { Gait(motion: dot.0.motion, rest: $0) } }
        shown = dots.first { $0.isShown }?.0
    }

    /// Takes a point in; one that is not newer than the last moves nothing. `isShown`: others may see it.
    mutating func take(_ point: Point, isShown: Bool) {
        if let own, point.at <= own.at { return }
        // What was hidden is not told by how long it lasted either.
        if isShown, own?.at != shown?.at { gait = nil }
        gait = gait.map { $0.taking(point) } ?? Gait(point)
        own = point.position(of: member, motion: gait?.motion)
        hasOwnMoved = true
        guard isShown else { return }
        shown = own
        hasShownMoved = true
    }

    /// Writes down and tells what moved.
    func settle(isSharing: Bool, _ act: Act) throws(Rejection) {
        if hasOwnMoved, let own { try save(own, isShown: false, act) }
        if hasShownMoved, let shown {
            try save(shown, isShown: true, act)
            try tellShown(shown, act)
        }
        if hasOwnMoved, let own, own != shown {
            try tell(own, to: try act.roster.only(member), key: isSharing ? ownKey : exactKey, act)
        }
    }

    /// Sharing was switched on: everyone sees the last dot.
    mutating func reveal(_ act: Act) throws(Rejection) {
        try act.withdraw(key: hiddenKey)
        guard let last = own else { return }
        // How long the member has been there already was nobody's to see.
        let now = last.forgettingMotion
        gait = nil
        own = now
        shown = now
        try save(now, isShown: false, act)
        try save(now, isShown: true, act)
        try tellShown(now, act)
    }

    /// Sharing was switched off: the dot is the owner's alone, and who saw it is told.
    mutating func hide(_ act: Act) throws(Rejection) {
        try act.run("DELETE FROM latest_positions WHERE member = ? AND shown = 1", .id(member))
        let wasShown = shown != nil
        shown = nil
        let owner = try act.roster.only(member)
        if let own {
            try tell(own, to: owner, key: exactKey, supersedes: [ownKey], act)
        } else {
            try act.withdraw(key: exactKey)
        }
        guard wasShown else { return }
        try act.emit(
            "position.hidden", about: about, to: try act.roster.everyone.subtracting(owner),
            data: ["member": .id(member)], key: hiddenKey)
    }

    private func tellShown(_ shown: Position, _ act: Act) throws(Rejection) {
        let owner = try act.roster.only(member)
        let everyone = try act.roster.everyone
        // Never back to an older dot: an owner whose own is another keeps the row that says so.
        if shown == own {
            try tell(shown, to: everyone.union(owner), key: exactKey, supersedes: [ownKey], act)
        } else {
            try tell(shown, to: everyone.subtracting(owner), key: exactKey, act)
        }
    }

    private func tell(
        _ position: Position, to audience: Audience, key: String, supersedes: [String] = [], _ act: Act
    ) throws(Rejection) {
        try act.emit("position", about: about, to: audience, data: position.json, key: key, supersedes: supersedes)
    }

    private func save(_ position: Position, isShown: Bool, _ act: Act) throws(Rejection) {
        var isMoving: Bool?
        if let motion = position.motion { if case .moving = motion { isMoving = true } else { isMoving = false } }
        let rest = isShown ? nil : gait?.rest
        try act.run(
            """
            INSERT OR REPLACE INTO latest_positions
            (member, shown, lat, lon, at, accuracy, altitude, speed, course, battery, charging, moving, since,
            rest_lat, rest_lon, rest_accuracy, rest_at) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)
            """,
            .id(position.member), .bool(isShown), .double(position.lat), .double(position.lon), .time(position.at),
            Value(position.accuracy), Value(position.altitude), Value(position.speed), Value(position.course),
            Value(position.battery), Value(position.charging), Value(isMoving), Value(position.motion?.since),
            Value(rest?.lat), Value(rest?.lon), Value(rest?.accuracy), Value(rest?.at))
    }
}

extension Position {
    /// Without whether and since when the member moved or rested.
    fileprivate var forgettingMotion: Position {
        Position(
            member: member, lat: lat, lon: lon, at: at, accuracy: accuracy, altitude: altitude, speed: speed,
            course: course, battery: battery, charging: charging)
    }
}

extension Gait.Rest {
    /// From the columns lat, lon, accuracy, at; `nil` when none was written.
    fileprivate init?(_ row: borrowing Row, from first: Int32) {
        guard let at = row.optionalInstant(first + 3) else { return nil }
        self.init(lat: row.double(first), lon: row.double(first + 1), accuracy: row.optionalDouble(first + 2), at: at)
    }
}
