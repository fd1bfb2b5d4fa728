import KinKeeper
import KinModel
import KinStore

/// A member's positions as they are in the database, the own one and those shown to others, and how points move them.
/// The coarse position is moved by cells alone, apart from the other two. Sharing decides who is told of them.
struct LatestPositions {
    let member: Identifier
    /// Where the member was last, known to the member alone.
    var own: Position?
    /// The position that exact viewers are shown; `nil` while sharing is off.
    var shown: Position?
    /// The coarse position; `nil` while sharing is off. It is made only from what ``cells`` believes. It depends
    /// neither on `own` and `shown` nor on whether they exist.
    var coarse: CoarsePosition?
    /// Which points move it, and where it will be when sharing is switched on.
    var cells: CellJudge
    /// The gait that the member's own points show: moving or resting.
    var gait: Gait?
    private(set) var hasOwnMoved = false
    private(set) var hasShownMoved = false
    private(set) var isFirstShown = false
    private(set) var coarseBefore: CoarsePosition?
    private(set) var cellsBefore: CellJudge
    private(set) var isCoarseToTell = false

    /// The log's `about` for everything of a member's map.
    static func about(_ member: Identifier) -> String { "position/\(member)" }

    var about: String { Self.about(member) }
    var exactKey: String { about + "/exact" }
    var coarseKey: String { about + "/coarse" }
    var ownKey: String { about + "/own" }

    init(_ member: Identifier, _ act: Act) throws(Rejection) {
        self.member = member
        var positions: [(position: Position, isShown: Bool, rest: Gait.Rest?)] = []
        var (cells, coarse) = (CellJudge(), CoarsePosition?.none)
        // In one statement, since every point asks: any of them may be there without the others.
        try act.ask { (database) throws(StoreFailure) in
            try database.each(Self.all, .id(member)) { row in
                if !row.isNull("member") {
                    positions.append((Position(latest: row), isShown: row.bool("shown"), rest: Gait.Rest(row)))
                }
                if !row.isNull("coarse_at") { coarse = CoarsePosition(row) }
                if !row.isNull("believed_at") { cells = CellJudge(row) }
                return true
            }
        }
        own = positions.first { !$0.isShown }?.position
        gait = positions.first { !$0.isShown }.flatMap { latest in
            latest.rest.map { Gait(motion: latest.position.motion, rest: $0) }
        }
        shown = positions.first { $0.isShown }?.position
        (self.cells, cellsBefore) = (cells, cells)
        (self.coarse, coarseBefore) = (coarse, coarse)
    }

    private static let all = """
        SELECT l.member, l.lat, l.lon, l.at, l.accuracy, l.altitude, l.speed, l.course, l.battery, l.charging, l.moving,
        l.since, l.shown, l.rest_lat, l.rest_lon, l.rest_accuracy, l.rest_at,
        c.cell_row AS coarse_row, c.cell_column AS coarse_column, c.at AS coarse_at, c.away_since,
        j.cell_row, j.cell_column, j.at AS believed_at, j.device, j.doubted_row, j.doubted_column, j.doubted_at, j.doubted_device,
        j.doubted_count, j.shown_at
        FROM (SELECT ?1 AS member) m LEFT JOIN latest_coarse_positions c ON c.member = m.member
        LEFT JOIN cell_judges j ON j.member = m.member LEFT JOIN latest_positions l ON l.member = m.member
        """

    /// Takes a good point in, for the member and for exact viewers. A point that is not newer than the last moves
    /// nothing. `isShown`: others may see it.
    mutating func take(_ point: Point, isShown: Bool) {
        if let own, point.at <= own.at { return }
        // The duration of what was hidden must not be told, either.
        if isShown, own?.at != shown?.at { gait = nil }
        gait = gait.map { $0.taking(point) } ?? Gait(point)
        own = point.position(of: member, motion: gait?.motion)
        hasOwnMoved = true
        guard isShown else { return }
        isFirstShown = isFirstShown || shown == nil
        shown = own
        hasShownMoved = true
    }

    /// Takes a point's cell in, whether or not the exact point is good. `isMeasured`: a phone reported it, and nobody
    /// entered it; `isShown`: others may see it. Answers what coarse viewers are to be told of it.
    mutating func take(_ seen: CellJudge.Seen, isMeasured: Bool, isShown: Bool) -> CoarsePosition? {
        let before = cells.last?.at
        guard cells.believes(seen, isMeasured: isMeasured), isShown else { return nil }
        cells.show()
        guard coarse != nil else {
            isFirstShown = true
            coarse = CoarsePosition(seen.cell, at: seen.at)
            isCoarseToTell = true
            return coarse
        }
        guard coarse?.take(seen.cell, at: seen.at, before: before) == true else { return nil }
        isCoarseToTell = true
        return coarse
    }

    // MARK: In the database

    func saveCoarse(_ act: Act) throws(Rejection) {
        guard let coarse else { return }
        try act.run(
            """
            INSERT OR REPLACE INTO latest_coarse_positions (member, cell_row, cell_column, at, away_since)
            VALUES (?,?,?,?,?)
            """,
            .id(member), .int(coarse.cell.row), .int(coarse.cell.column), .time(coarse.at), Value(coarse.awaySince))
    }

    /// `isBoth`: it is the own one and the shown one, which are written together.
    func save(
        _ position: Position, isShown: Bool, isBoth: Bool = false, _ act: Act
    ) throws(Rejection) {
        var isMoving: Bool?
        if let motion = position.motion { if case .moving = motion { isMoving = true } else { isMoving = false } }
        let rest = isShown ? nil : gait?.rest
        try act.run(
            isBoth ? Self.writeBoth : Self.write,
            .id(position.member), .bool(isShown), .double(position.lat), .double(position.lon), .time(position.at),
            Value(position.accuracy), Value(position.altitude), Value(position.speed), Value(position.course),
            Value(position.battery), Value(position.charging), Value(isMoving), Value(position.motion?.since),
            Value(rest?.lat), Value(rest?.lon), Value(rest?.accuracy), Value(rest?.at))
    }

    private static let write = """
        INSERT OR REPLACE INTO latest_positions
        (member, shown, lat, lon, at, accuracy, altitude, speed, course, battery, charging, moving, since,
        rest_lat, rest_lon, rest_accuracy, rest_at)
        VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,?16,?17)
        """
    /// Only the own one has the place where the rest began.
    private static let writeBoth = write + ", (?1,1,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,NULL,NULL,NULL,NULL)"
}

extension Gait.Rest {
    /// From the columns rest_lat, rest_lon, rest_accuracy, rest_at; `nil` when none was written.
    fileprivate init?(_ row: borrowing Row) {
        guard let at = row.optionalInstant("rest_at") else { return nil }
        self.init(
            lat: row.double("rest_lat"), lon: row.double("rest_lon"), accuracy: row.optionalDouble("rest_accuracy"),
            at: at)
    }
}

extension CoarsePosition {
    /// From the columns coarse_row, coarse_column, coarse_at, away_since.
    init(_ row: borrowing Row) {
        self.init(
            cell: Cell(row: row.int("coarse_row"), column: row.int("coarse_column")), at: row.instant("coarse_at"),
            awaySince: row.optionalInstant("away_since"))
    }
}
