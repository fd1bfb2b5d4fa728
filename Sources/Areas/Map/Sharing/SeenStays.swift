import KinGeo
import KinKeeper
import KinModel
import KinStore

/// The viewer's places at which members are whose exact position the viewer sees. `position.latest` tells this beside
/// the positions, so that no client has to guess by its own geometry.
///
/// The viewer's own stays are as the daemon decided. About another member only what follows from what the viewer may
/// know is told. It is a stay that began or ended under the current rules, as long as the shown position is the newest;
/// otherwise it is whether that position lies in the circle. Decisions from earlier points must not show: a viewer who
/// sees the member only now must not learn how long the member was there before.
struct SeenStays: WireRecord {
    let member: Identifier
    let place: Identifier
    let name: String

    static let fields = Fields(
        "Staying", SeenStays.init(member:place:name:), .required("member", \.member, .id),
        .required("place", \.place, .id, "One that the caller sees; the smallest of several."),
        .required("name", \.name, .text(Places.name)))

    /// The places around one position, the smallest first.
    static let around = """
        SELECT p.id, p.name, p.lat, p.lon, p.radius, s.phase, s.since, v.since AS version_since, o.at AS own_at
        FROM places p JOIN place_sight g ON g.place = p.number AND g.member = ?1
        LEFT JOIN stays s ON s.member = ?2 AND s.place = p.number
        LEFT JOIN sharing h ON h.member = ?2 LEFT JOIN sharing_versions v ON v.version = h.version
        LEFT JOIN latest_positions o ON o.member = ?2 AND o.shown = 0
        WHERE p.number IN (
            SELECT entry / 2 FROM place_index WHERE south <= ?3 AND north >= ?3 AND west <= ?4 AND east >= ?4
        ) AND p.kind = 'place' AND p.radius IS NOT NULL ORDER BY p.radius, p.id
        """

    /// Of each exact position at most one.
    static func all(
        of positions: [Position], to viewer: Identifier, _ database: Database
    ) throws(StoreFailure) -> [SeenStays] {
        var all: [SeenStays] = []
        for position in positions where position.precision == .exact {
            let found = try database.rows(
                around, .id(viewer), .id(position.member), .double(position.lat), .double(position.lon)
            ) { row -> SeenStays? in
                let circle = Circle(
                    centre: Coordinate(lat: row.double("lat"), lon: row.double("lon")), radius: row.double("radius"))
                let stay =
                    row.isNull("phase")
                    ? nil : (isInside: row.int("phase") == Stay.Phase.inside.rawValue, row.optionalInstant("since"))
                let isThere: Bool
                if position.member == viewer {
                    isThere = stay?.isInside == true
                } else if let since = stay?.1, let version = row.optionalInstant("version_since"), since >= version,
                    row.optionalInstant("own_at") == position.at
                {
                    isThere = stay?.isInside == true
                } else {
                    isThere = position.isInside(circle)
                }
                guard isThere else { return nil }
                return SeenStays(member: position.member, place: row.identifier("id"), name: row.text("name"))
            }
            if let first = found.lazy.compactMap(\.self).first { all.append(first) }
        }
        return all
    }
}

extension Position {
    /// Whether this position by itself says that the member is there: whoever is on the way passes by.
    fileprivate func isInside(_ circle: Circle) -> Bool {
        if case .moving = motion { return false }
        guard accuracy ?? 0 <= Limits.placeAccuracyMax else { return false }
        return circle.distance(to: Coordinate(lat: lat, lon: lon)) <= circle.radius
    }
}
