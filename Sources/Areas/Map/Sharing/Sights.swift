import KinKeeper
import KinModel
import KinStore

/// Where members are, as far as one of them sees it.
struct Sights {
    /// With coordinates, exact ones or a cell's.
    var positions: [Position] = []
    /// By the name of a place, or home.
    var presences: [Presence] = []

    /// Everybody who is seen.
    var members: [Identifier] { positions.map(\.member) + presences.map(\.member) }

    /// As the wire has them, by member.
    var json: JSON {
        let all = positions.map { ($0.member, $0.json) } + presences.map { ($0.member, $0.json) }
        return .array(all.sorted { $0.0 < $1.0 }.map(\.1))
    }

    /// Puts them into a snapshot: the viewer's own position, and the newest of the others that there is room for.
    func show(in snapshot: inout Snapshot, to viewer: Identifier) {
        let all =
            positions.map { (member: $0.member, at: $0.at, position: Optional($0), presence: Presence?.none) }
            + presences.map { (member: $0.member, at: $0.at, position: nil, presence: $0) }
        let sorted = all.sorted { one, other in
            if (one.member == viewer) != (other.member == viewer) { return one.member == viewer }
            return one.at == other.at ? one.member < other.member : one.at > other.at
        }
        let shown = snapshot.fitting(
            sorted, in: "positions", bytesMax: Limits.mapSnapshotBytesMax - Self.frameBytes, largest: Self.bytesMax
        ) { ($0.position?.json ?? $0.presence?.json ?? .null).bytes.count + 1 }
        for seen in shown {
            snapshot.positions[seen.member] = seen.position
            snapshot.presences[seen.member] = seen.presence
        }
    }

    /// The part's name and brackets, and the own sharing.
    private static let frameBytes = 256
    /// No position takes more: a position with as many digits as there are takes 341, the name of a place 256.
    private static let bytesMax = 512
}

extension Map {
    /// Where a member is, as far as the viewer sees it.
    static let seen = Shape.named("Seen", .either(position, Presence.shape))

    /// What a member sees: the own position always, others' as far as their rules show them.
    static func visible(
        _ database: Database, to viewer: Identifier, number: Int32
    ) throws(StoreFailure) -> Sights {
        var seen = Sights()
        seen.positions = try database.rows(
            """
            SELECT member, lat, lon, at, accuracy, altitude, speed, course, battery, charging, moving, since
            FROM latest_positions WHERE shown = 0 AND member = ?
            """, .id(viewer), map: { (row) throws(StoreFailure) in Position(latest: row) })
        // A row each of at most ``Limits/membersMax`` members.
        _ = try database.rows(
            """
            SELECT s.member, l.lat, l.lon, l.at, l.accuracy, l.altitude, l.speed, l.course, l.battery, l.charging,
            l.moving, l.since, v.viewers, c.cell_row, c.cell_column, c.at AS coarse_at
            FROM sharing s JOIN sharing_versions v ON v.version = s.version
            LEFT JOIN latest_positions l ON l.member = s.member AND l.shown = 1
            LEFT JOIN latest_coarse_positions c ON c.member = s.member
            WHERE s.is_on = 1 AND s.member <> ?
            """, .id(viewer)
        ) { (row) throws(StoreFailure) in
            switch Viewers(bytes: row.blob("viewers")).precision(for: number) {
            case .exact where !row.isNull("lat"): seen.positions.append(Position(latest: row))
            case .coarse where !row.isNull("cell_row"):
                let coarse = CoarsePosition(
                    cell: Cell(row: row.int("cell_row"), column: row.int("cell_column")), at: row.instant("coarse_at"),
                    awaySince: nil)
                seen.positions.append(coarse.position(of: row.identifier("member")))
            default: break
            }
        }
        let presences = try database.rows(
            """
            SELECT o.member, o.name, o.seers, o.is_home, o.at, o.partings, v.viewers
            FROM stopovers o JOIN sharing s ON s.member = o.member JOIN sharing_versions v ON v.version = s.version
            WHERE s.is_on = 1 AND o.member <> ?
            """, .id(viewer)
        ) { (row) throws(StoreFailure) in Stopover.seen(by: number, Viewers(bytes: row.blob("viewers")), row) }
        seen.presences = presences.compactMap(\.self)
        return seen
    }

    /// The positions that the caller sees. Each look is written down for the member who is seen. A phone shows
    /// coordinates only.
    static func look(_ how: Looks.How, _ act: Act) throws(Rejection) -> Sights {
        let member = try act.member
        let seen = try act.ask { (database) throws(StoreFailure) in
            try visible(database, to: member.id, number: member.number)
        }
        try Looks.note(how, at: how == .phone ? seen.positions.map(\.member) : seen.members, all: true, act)
        return seen
    }
}
