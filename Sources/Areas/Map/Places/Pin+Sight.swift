import KinKeeper
import KinModel
import KinStore

/// Who sees a place: written down, so that whatever changes it, those who gain or lose sight are told and nobody else.
extension Pin {
    private func isFor(_ entry: Roster.Entry) -> Bool {
        if entry.id == place.owner { return true }
        return switch audience {
        case .everyone: entry.role != .guest
        case .household: entry.household == household
        case .members(let members): members.contains(entry.id)
        }
    }

    /// Who sees it now, as it is written down.
    func seers(_ act: Act) throws(Rejection) -> KinStore.Audience {
        let seers = try act.rows("SELECT member FROM place_sight WHERE place = ?", .int(number)) { row in
            row.identifier(0)
        }
        let roster = try act.roster
        return KinStore.Audience(seers.compactMap { roster[$0]?.number })
    }

    /// Brings the sight of some members up to date, or of everybody, and tells who gains and who loses it. `isChanged`:
    /// the place itself is another than it was, and who goes on seeing it is told so; `isNew`: all who see it are told
    /// that it was added.
    func settleSight(
        of entries: [Roster.Entry]? = nil, isChanged: Bool = false, isNew: Bool = false, _ act: Act
    ) throws(Rejection) {
        let before = try seers(act)
        var (gained, lost) = (KinStore.Audience(), KinStore.Audience())
        let roster = try act.roster
        for entry in entries ?? roster.entries {
            let (sees, saw) = (isFor(entry), before.contains(entry.number))
            if sees, !saw {
                gained.insert(entry.number)
                try act.run("INSERT INTO place_sight (member, place) VALUES (?,?)", .id(entry.id), .int(number))
            } else if saw, !sees {
                lost.insert(entry.number)
                try act.run("DELETE FROM place_sight WHERE member = ? AND place = ?", .id(entry.id), .int(number))
            }
        }
        for member in try Stays.visitors(of: self, act) {
            try act.narrow(about: Stays.about(member, place.id), by: lost)
        }
        try PlaceHooks.joined.sightLost(self, lost, act)
        let about = Places.about(place.id)
        if isChanged {
            try act.emit(Place.updated, .init(place: place), about: about, to: before.subtracting(lost))
        }
        try act.emit(isNew ? Place.added : Place.shown, .init(place: place), about: about, to: gained)
        // About no place: it has to outlive this one in the log, for whoever is away until both are gone.
        try act.emit(Place.hidden, .init(place: place.id), about: "places", to: lost)
    }
}
