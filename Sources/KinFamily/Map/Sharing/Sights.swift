import KinModel
import KinStore

extension Map {
    /// What a member sees: the own dot always, others' as much as their rules came to.
    static func visible(
        _ database: Database, to viewer: Identifier, number: Int32
    ) throws(StoreFailure) -> [Position] {
        var seen = try database.rows(
            """
            SELECT member, lat, lon, at, accuracy, altitude, speed, course, battery FROM latest_positions
            WHERE shown = 0 AND member = ?
            """, .id(viewer), map: { (row) throws(StoreFailure) in Position(row) })
        // A row each of at most ``Limits/sharersMax`` members.
        let others = try database.rows(
            """
            SELECT l.member, l.lat, l.lon, l.at, l.accuracy, l.altitude, l.speed, l.course, l.battery, v.viewers,
            c.cell_row, c.cell_column, c.at
            FROM sharing s JOIN sharing_versions v ON v.version = s.version
            JOIN latest_positions l ON l.member = s.member AND l.shown = 1
            LEFT JOIN coarse_dots c ON c.member = s.member
            WHERE s.is_on = 1 AND s.member <> ?
            """, .id(viewer)
        ) { (row) throws(StoreFailure) -> Position? in
            switch Viewers(bytes: row.blob(9)).precision(for: number) {
            case .exact: return Position(row)
            case .coarse where !row.isNull(10):
                let dot = CoarseDot(
                    cell: Cell(row: row.int(10), column: row.int(11)), at: row.instant(12), awaySince: nil)
                return dot.position(of: row.identifier(0))
            default: return nil
            }
        }
        seen += others.compactMap(\.self)
        return seen.sorted { $0.member < $1.member }
    }

    /// What the caller sees, written down for those who are seen.
    static func look(_ how: Looks.How, _ act: Act) throws(Rejection) -> [Position] {
        let member = try act.member
        let seen = try act.ask { (database) throws(StoreFailure) in
            try visible(database, to: member.id, number: member.number)
        }
        try Looks.note(how, at: seen.map(\.member), all: true, act)
        return seen
    }
}
