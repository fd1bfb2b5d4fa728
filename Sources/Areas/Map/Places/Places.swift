import KinKeeper
import KinModel
import KinStore

/// Pins on the family's map: a name, a circle, an owner and who sees it; and who is where, decided once for all clients.
/// The rules stand in the documentation's page Places.
package enum Places {
    /// A bound on the places in one snapshot: the smallest takes more than 150 bytes.
    static let shownMax = Limits.placesSnapshotBytesMax / 150
    /// A bound on the places there can be.
    static let countMax = Limits.membersMax * (Limits.keptPlacesBytesMax + Limits.sharedPlacesBytesMax) / 150

    /// What the log's rows about a place are about.
    static func about(_ place: Identifier) -> String { "place/\(place)" }

    static let events: [any EventDeclaration] = [
        Place.added, Place.updated, Place.shown, Place.hidden, Place.removed, Stays.entered, Stays.left,
    ]

    // MARK: When the family changes

    /// Somebody came, moved, or has another role: places come into sight or leave it. ``Map`` calls it when it hears so.
    static func sightChanged(of member: Identifier, _ act: Act) throws(Rejection) {
        guard let entry = try act.roster[member] else { return }
        for pin in try Pin.all(act) { try pin.settleSight(of: [entry], act) }
    }

    /// Nobody lives there any more: what was for the household is its owner's alone.
    @Sendable static func closeHousehold(_ act: Act, _ told: Told) throws(Rejection) {
        guard let household = told[Household.removed]?.household else { return }
        for var pin in try Pin.all(act) where pin.household == household {
            pin.household = nil
            pin.place.homeOf = nil
            if pin.audience == .household { pin.audience = .members([]) }
            try pin.save(act)
            try pin.settleSight(isChanged: true, act)
        }
    }

    static func handOver(_ act: Act, _ from: Identifier, _ to: Identifier) throws(Rejection) {
        let all = try Pin.all(act)
        var room = PlaceRoom(all)
        for var pin in all where pin.place.owner == from {
            pin.place.owner = to
            // What nobody else saw goes on only where there is room for it.
            if pin.isKept {
                room.add(pin)
                guard room.hasRoomForKept(of: to) else {
                    room.take(pin)
                    try pin.remove(act)
                    continue
                }
            }
            try pin.save(act)
            try pin.settleSight(isChanged: true, act)
        }
    }

    static func deleteOwned(_ act: Act, _ member: Identifier) throws(Rejection) {
        let leaving = try act.roster.only(member)
        for var pin in try Pin.all(act) {
            if pin.place.owner == member {
                try pin.remove(except: leaving, act)
                continue
            }
            if try Stays.hasBeen(member, at: pin, act) { try act.erase(about: Stays.about(member, pin.place.id)) }
            guard case .members(var members) = pin.audience, members.contains(member) else { continue }
            members.removeAll { $0 == member }
            pin.audience = .members(members)
            try pin.save(act)
        }
        for table in ["stays", "place_sight"] { try act.run("DELETE FROM \(table) WHERE member = ?", .id(member)) }
        try act.run("DELETE FROM place_rules WHERE owner = ?1 OR who = ?1", .id(member))
    }
}

extension Quota {
    /// Bytes of places in a snapshot.
    static let places = Quota("places")
}
