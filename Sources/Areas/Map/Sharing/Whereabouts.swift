import KinKeeper
import KinModel
import KinStore

/// Where a member is, by the name of a place.
struct Whereabouts: Equatable {
    let place: Identifier
    let name: String
    /// Whether it is the home of the member's own household.
    let isHome: Bool
    /// When the member arrived, or was found there first.
    let since: Instant
    /// Who sees the place: nobody else may be told its name.
    let seers: Audience

    /// The place of a member for viewers without coordinates: home first, otherwise the smallest circle around the
    /// member among those agreed to; `nil` at none of them.
    static func current(of member: Identifier, _ act: Act) throws(Rejection) -> Whereabouts? {
        guard let entry = try act.roster[member] else { return nil }
        let found = try act.first(
            """
            SELECT p.id, p.name, p.home_of, s.since, p.number FROM stays s JOIN places p ON p.number = s.place
            WHERE s.member = ?1 AND s.phase = ?3 AND \(PlaceAgreements.counts(act))
            ORDER BY p.home_of IS NOT ?4, p.radius, p.id LIMIT 1
            """, .id(member), .time(act.now), .int(Stay.Phase.inside.rawValue), .id(entry.household)
        ) { row in
            (
                id: row.identifier("id"), name: row.text("name"), home: row.optionalIdentifier("home_of"),
                since: row.instant("since"), number: row.int("number")
            )
        }
        guard let found else { return nil }
        return Whereabouts(
            place: found.id, name: found.name, isHome: found.home == entry.household, since: found.since,
            seers: try Places.shared.seers(of: found.number, act))
    }
}
