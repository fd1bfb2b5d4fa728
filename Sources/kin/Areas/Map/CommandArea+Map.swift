import KinModel
import KinWords

extension CommandArea {
    /// The commands for positions and the members who see them, places, and phones.
    static let map = CommandArea(
        name: "Map", group: .map,
        commands: [.whereabouts, .sharing, .place, .phone, .importTrack, .exportTrack, .map],
        file: "map",
        inboxKinds: ["arrived", "left", "phoneSilent", "positionAsked", "placeAsked", "pinned"],
        movement: { Movement(map: $0) },
        prepare: { (call, names) in names[KnownPlaces.self].isInNumbers = call.has("numbers") },
        ask: { (event, names, asking) in Towns.ask(event, &names, asking) },
        used: (today: ["pointsToday"], inAll: ["points", "places"]))
}

extension Movement {
    /// Positions are steps on the way. Arriving, leaving and going out of sight count as passed.
    fileprivate init?(map event: Event) {
        switch event.type {
        case Position.seen.name:
            switch event[Position.seen] {
            case .position(let position):
                guard case .still(let since)? = position.motion else {
                    self.init(member: position.member, step: .onTheWay)
                    return
                }
                self.init(member: position.member, step: .stopped(since.description))
            case .presence(let presence):
                let home = presence.isHome.map { "\($0)" }
                self.init(member: presence.member, step: .stopped(presence.place ?? home ?? ""))
            case nil: return nil
            }
        case Position.hidden.name, Position.deleted.name, "place.entered", "place.left":
            guard let member = event.data["member"]?.identifier else { return nil }
            self.init(member: member, step: .passed)
        default: return nil
        }
    }
}
