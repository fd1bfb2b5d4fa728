import KinKeeper
import KinModel
import KinStore

/// The members who are told that a member arrived at a place or left it: those who see both the member and the place.
enum Arrivals {
    /// Tells what points decided about a member and a place.
    static func tell(_ decided: Stays.Decided, of member: Identifier, _ act: Act) throws(Rejection) {
        let (type, at): (EventType<Stays.Passage>, Instant)
        switch decided.decision {
        case .entered(let start): (type, at) = (Stays.entered, start)
        case .left(let start): (type, at) = (Stays.left, start)
        case .found: return
        }
        let (exact, named) = try viewers(of: member, at: at, act)
        let seers = try Places.shared.seers(of: decided.number, act)
        func tell(_ audience: Audience, _ at: Instant, toldAt: Instant?) throws(Rejection) {
            try act.emit(
                type, .init(member: member, place: decided.id, name: decided.name, at: at),
                about: Stays.about(member, decided.id), to: audience.intersection(seers), toldAt: toldAt,
                title: decided.name)
        }
        try tell(exact, at, toldAt: nil)
        // Viewers of place names see no exact times, and only places that were agreed to.
        guard try PlaceAgreements.counts(decided.number, for: member, act) else { return }
        try tell(named, CoarsePosition.rounded(at), toldAt: CoarsePosition.rounded(act.now))
    }

    /// Members who may know that a member was somewhere then: the member and those who see the exact position; and
    /// those who see names of places. Coarse viewers may not: a place lies within a cell.
    private static func viewers(
        of member: Identifier, at: Instant, _ act: Act
    ) throws(Rejection) -> (exact: Audience, named: Audience) {
        let owner = try act.roster.only(member)
        let sharing = try act.ask { (database) throws(StoreFailure) in try MemberSharing.find(database, member) }
        guard let sharing, sharing.shows(at) else { return (owner, Audience()) }
        return (sharing.viewers[.exact].union(owner), sharing.viewers[.place])
    }
}
