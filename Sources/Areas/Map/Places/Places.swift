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

    /// The `about` of the log's rows about a place.
    static func about(_ place: Identifier) -> String { "place/\(place)" }

    static let events: [any EventDeclaration] = [
        Place.added, Place.updated, Place.shown, Place.hidden, Place.removed, Stays.entered, Stays.left,
    ]

    // MARK: When the family changes

    /// Nobody lives in the household any more: its things are now their owner's alone.
    @Sendable static func closeHousehold(_ act: Act, _ told: Told) throws(Rejection) {
        guard let household = told[Household.removed]?.household else { return }
        for var place in try StoredPlace.all(act) where place.household == household {
            place.homeOf = nil
            if place.sharedWith == .household(household) { place.sharedWith = .nobody }
            try place.save(act)
            try place.settleSight(isChanged: true, act)
        }
    }

    static func inherit(_ act: Act, _ from: Identifier, _ to: Identifier) throws(Rejection) {
        let all = try StoredPlace.all(act)
        var room = PlaceRoom(all)
        for var place in all where place.owner == from {
            place.owner = to
            // A place that now only its owner sees is kept only where there is room for it.
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
