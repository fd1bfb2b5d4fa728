import KinGeo
import KinKeeper
import KinModel
import KinStore

/// Decides which of a member's points move what coarse viewers see. It knows only cells and times, so it reveals
/// nothing about a point's place within its cell. ``PointJudge`` decides by exact points, for the member and for exact
/// viewers.
///
/// Cells that touch, or nearly do, are never a jump; for others the middles count. As in ``PointJudge``, points of
/// different devices are no jumps of each other, positions entered by hand are believed, and the third point that
/// agrees with the doubted ones is believed. It also runs while sharing is off. So what coarse viewers see after the
/// switch depends on cells alone, too.
struct CellJudge: Equatable {
    /// A point, as far as coarse viewers may ever learn of it.
    struct Seen: Equatable {
        let cell: Cell
        let at: Instant
        /// The number of the device that says so; `nil` where that is not known.
        let device: Int64?
    }

    /// The newest that jumped, and how many there were that agree with it.
    struct Doubt: Equatable {
        let seen: Seen
        let count: Int64
    }

    /// The newest that was believed.
    private(set) var last: Seen?
    private(set) var doubt: Doubt?
    /// The time of the newest point that coarse viewers may know of.
    private(set) var shownAt: Instant?

    /// One that has seen nothing.
    init() {}

    /// Metres that are taken off the distance of the middles before the speed is judged.
    private static let slack = 200.0
    /// Metres below which the middles of cells are never too far apart. Rows do not line up, so that two cells may miss each
    /// other's corner by a step; where there is a whole cell between them, the middles are two kilometres apart.
    private static let near = 1950.0

    /// Whether getting from one cell to the other would need an impossible speed.
    static func isJump(_ one: Seen, _ other: Seen) -> Bool {
        if let mine = one.device, let its = other.device, mine != its { return false }
        guard !one.cell.touches(other.cell) else { return false }
        let (from, to) = (one.cell.middle, other.cell.middle)
        let distance = Coordinate(lat: from.lat, lon: from.lon).roughDistance(to: Coordinate(lat: to.lat, lon: to.lon))
        let milliseconds = abs(other.at.milliseconds - one.at.milliseconds)
        return distance > near && distance - slack > Limits.pointSpeedMax * Double(milliseconds) / 1000
    }

    /// Whether a point is believed and newer than all that were. `isMeasured`: a phone reported it, and nobody entered
    /// it.
    mutating func believes(_ seen: Seen, isMeasured: Bool) -> Bool {
        if let last {
            guard seen.at > last.at else { return false }
            if isMeasured, Self.isJump(last, seen), !isThird(seen) { return false }
        }
        doubt = nil
        last = seen
        return true
    }

    /// Counts a point that jumps. Answers whether it is the third that agrees with those before: then it is believed.
    private mutating func isThird(_ seen: Seen) -> Bool {
        guard let doubt else {
            self.doubt = Doubt(seen: seen, count: 1)
            return false
        }
        // The same moment again, or an older one, says nothing of whether the doubted one was right.
        guard seen.at > doubt.seen.at else { return false }
        let count = Self.isJump(doubt.seen, seen) ? 1 : doubt.count + 1
        self.doubt = Doubt(seen: seen, count: count)
        return count >= Limits.pointsBelieved
    }

    /// Notes that coarse viewers may know of the newest point that was believed.
    mutating func show() { shownAt = last?.at }

    /// Drops the doubted points.
    mutating func forgetDoubt() { doubt = nil }
}

extension CellJudge {
    /// From the table's columns, `at` being called `believed_at`.
    init(_ row: borrowing Row) {
        last = Seen(
            cell: Cell(row: row.int("cell_row"), column: row.int("cell_column")), at: row.instant("believed_at"),
            device: row.optionalInt("device"))
        if !row.isNull("doubted_row") {
            let seen = Seen(
                cell: Cell(row: row.int("doubted_row"), column: row.int("doubted_column")),
                at: row.instant("doubted_at"), device: row.optionalInt("doubted_device"))
            doubt = Doubt(seen: seen, count: row.int("doubted_count"))
        }
        shownAt = row.optionalInstant("shown_at")
    }

    /// Writes it down.
    func save(_ member: Identifier, _ act: Act) throws(Rejection) {
        guard let last else { return }
        try act.run(
            """
            INSERT OR REPLACE INTO cell_judges
            (member, cell_row, cell_column, at, device, doubted_row, doubted_column, doubted_at, doubted_device,
            doubted_count, shown_at) VALUES (?,?,?,?,?,?,?,?,?,?,?)
            """, .id(member), .int(last.cell.row), .int(last.cell.column), .time(last.at), Value(last.device),
            Value(doubt?.seen.cell.row), Value(doubt?.seen.cell.column), Value(doubt?.seen.at),
            Value(doubt?.seen.device), Value(doubt?.count), Value(shownAt))
    }

    /// For families from before this judge: the own position counts as the last that was believed.
    @Sendable static func begin(_ database: Database) throws(StoreFailure) {
        let positions = try database.rows(
            """
            SELECT o.member, o.lat, o.lon, o.at AS own_at, n.at AS shown_at, (
                SELECT p.device FROM sharing s JOIN positions p ON p.track = s.track
                WHERE s.member = o.member AND p.at = o.at AND p.quality = 0 LIMIT 1
            ) AS device FROM latest_positions o LEFT JOIN latest_positions n ON n.member = o.member AND n.shown = 1
            WHERE o.shown = 0
            """
        ) { (row) throws(StoreFailure) in
            (
                member: row.identifier("member"), cell: Cell(lat: row.double("lat"), lon: row.double("lon")),
                at: row.instant("own_at"), shownAt: row.optionalInstant("shown_at"), device: row.optionalInt("device")
            )
        }
        for position in positions {
            try database.run(
                "INSERT INTO cell_judges (member, cell_row, cell_column, at, device, shown_at) VALUES (?,?,?,?,?,?)",
                values: [
                    .id(position.member), .int(position.cell.row), .int(position.cell.column), .time(position.at),
                    Value(position.device),
                    Value(position.shownAt),
                ])
        }
    }
}
