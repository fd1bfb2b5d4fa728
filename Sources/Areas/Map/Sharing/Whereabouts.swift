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

    /// Where a member is for those who see no coordinates: at home before all else, else at the smallest circle around of
    /// those the member agreed to; `nil` when at none of them.
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
                id: row.identifier(0), name: row.text(1), home: row.optionalIdentifier(2), since: row.instant(3),
                number: row.int(4)
            )
        }
        guard let found else { return nil }
        return Whereabouts(
            place: found.id, name: found.name, isHome: found.home == entry.household, since: found.since,
            seers: try Stays.seers(of: found.number, act))
    }
}
