import KinKeeper
import KinModel
import KinStore

/// Places on the family's map: a name, a circle, an owner and who sees it; and who is where, decided once for all clients.
/// The rules stand in the documentation's page Places.
package enum Places {
    /// A bound on the places in one snapshot: the smallest takes more than 150 bytes.
    static let shownMax = Limits.placesSnapshotBytesMax / 150
    /// A bound on the places there can be.
    static let countMax = Limits.membersMax * (Limits.keptPlacesBytesMax + Limits.sharedPlacesBytesMax) / 150

    /// What the log's rows about a place are about.
    static func about(_ place: Identifier) -> String { "place/\(place)" }

    static let events = [
        EventType("place.added", "A place was put on the map; who sees it.", data: whole),
        EventType("place.updated", "A place changed; who sees it.", data: whole),
        EventType("place.shown", "The whole place, to each who sees it from now on.", data: whole, sight: .gives),
        EventType(
            "place.hidden", "To each who sees the place no longer.", data: named, sight: .takes, abouts: abouts),
        EventType("place.removed", "A place is gone; who saw it.", data: named, sight: .ends, abouts: abouts),
        EventType(
            "place.entered",
            "A member arrived at a place; who sees both, the member included. Once for an arrival.", data: moment),
        EventType("place.left", "A member left a place; who sees both, the member included.", data: moment),
    ]

    private static let whole = Shape.object([.required("place", place)])
    private static let named = Shape.object([.required("place", .id)])
    private static let moment = Shape.object([
        .required("member", .id), .required("place", .id), .required("name", name, "The place's."),
        .required("at", .time, "When, by the phone's clock: of the first point that says so."),
    ])

    // MARK: When the family changes

    /// Nobody lives there any more: what was for the household is its owner's alone.
    @Sendable static func closeHousehold(_ act: Act, _ told: Told) throws(Rejection) {
        guard let household = told.data["household"]?.identifier else { return }
        for var place in try StoredPlace.all(act) where place.household == household {
            place.homeOf = nil
            if place.sharedWith == .household(household) { place.sharedWith = .nobody }
            try place.save(act)
            try place.settleSight(isChanged: true, act)
        }
    }

    static func handOver(_ act: Act, _ from: Identifier, _ to: Identifier) throws(Rejection) {
        let all = try StoredPlace.all(act)
        var room = PlaceRoom(all)
        for var place in all where place.owner == from {
            place.owner = to
            // What nobody else saw goes on only where there is room for it.
            if place.isKept {
                room.add(place)
                guard room.hasRoomForKept(of: to) else {
                    room.take(place)
                    try place.remove(act)
                    continue
                }
            }
            try place.save(act)
            try place.settleSight(isChanged: true, act)
        }
    }

    static func deleteOwned(_ act: Act, _ member: Identifier) throws(Rejection) {
        let leaving = try act.roster.only(member)
        for place in try StoredPlace.all(act) {
            if place.owner == member {
                try place.remove(except: leaving, act)
            } else if try Stays.hasBeen(member, at: place, act) {
                try act.erase(about: Stays.about(member, place.id))
            }
        }
        try act.run("DELETE FROM stays WHERE member = ?", .id(member))
        try act.run("DELETE FROM place_rules WHERE owner = ?1 OR who = ?1", .id(member))
    }
}

extension Quota {
    /// Bytes of places in a snapshot.
    static let places = Quota("places")
}
