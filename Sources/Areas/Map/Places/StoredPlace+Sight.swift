import KinKeeper
import KinModel
import KinStore

/// The members who see a place, and telling those who gained or lost sight of it.
extension StoredPlace {
    /// Brings the members who see it up to date, and tells those who gain or lose sight of it. `isChanged`: the place
    /// itself has changed, and members who go on seeing it are told. `isNew`: every member who sees it is told that it
    /// was added.
    func settleSight(isChanged: Bool = false, isNew: Bool = false, _ act: Act) throws(Rejection) {
        let change = try Places.shared.settle(number, of: wire.owner, sharedWith, act)
        try tell(change, isChanged: isChanged, isNew: isNew, act)
    }

    /// Tells members who gain sight of it and members who lose it.
    func tell(
        _ change: SharedThings.Change, isChanged: Bool = false, isNew: Bool = false, _ act: Act
    ) throws(Rejection) {
        for member in try Stays.visitors(of: self, act) {
            try act.narrow(about: Stays.about(member, wire.id), by: change.lost)
        }
        try PlaceHooks.joined.sightLost(self, change.lost, act)
        // The areas and inboxes are not told of what follows from others' acts.
        if !change.lost.isEmpty {
            let abouts = [Places.about(wire.id), "stay/%/\(wire.id)"]
            try act.hooks.inbox?.remove(act, abouts, change.lost)
        }
        let about = Places.about(wire.id)
        if isChanged { try act.emit(Place.updated, .init(place: wire), about: about, to: change.kept) }
        try act.emit(isNew ? Place.added : Place.shown, .init(place: wire), about: about, to: change.gained)
        // The event is about no place: it must outlive this one in the log, for members who are away until both are
        // gone.
        try act.emit(Place.hidden, .init(place: wire.id), about: "places", to: change.lost)
    }
}

extension Places {
    /// Tells the mechanism how to find the members who see a place.
    static let shared = SharedThings(
        "places", column: "place", members: "place_members", sight: "place_sight", lostForGood: "TRUE"
    ) { (act, number, change) throws(Rejection) in try StoredPlace.find(number, act)?.tell(change, act) }
}
