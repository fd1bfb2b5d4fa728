/// The map as one member sees it: positions and places, and the member's own sharing.
public struct MapPart: SnapshotPart {
    /// Latest positions in sight, by member.
    public var positions: [Identifier: Position] = [:]
    /// Members who are seen only by the name of a place, or as at home or not, by member. No member is in both.
    public var presences: [Identifier: Presence] = [:]
    /// The looking member's own sharing.
    public var sharing: Sharing = .off
    /// Places in sight, by identifier; without their notes.
    public var places: [Identifier: Place] = [:]

    /// Its names in the snapshot.
    public static let names = ["positions", "sharing", "places"]

    /// Nobody anywhere.
    public init() {}

    /// Reads its members of a snapshot's object.
    public init(_ json: JSON) {
        for position in (json["positions"]?.array ?? []).compactMap(Position.init) {
            positions[position.member] = position
        }
        for presence in (json["positions"]?.array ?? []).compactMap(Presence.init) {
            presences[presence.member] = presence
        }
        sharing = json["sharing"].flatMap(Sharing.init) ?? .off
        for place in (json["places"]?.array ?? []).compactMap(Place.init) { places[place.id] = place }
    }

    /// One of its members, by its name.
    public func json(_ name: String) -> JSON {
        switch name {
        case "positions": seen
        case "sharing": sharing.json
        default: .sorted(places, \.json)
        }
    }

    /// Where members are, with coordinates or without, by member.
    private var seen: JSON {
        let all = positions.mapValues(\.json).merging(presences.mapValues(\.json)) { first, _ in first }
        return .array(all.sorted { $0.key < $1.key }.map(\.value))
    }

    /// Empties positions, sharing or places.
    public mutating func clear(_ name: String) {
        switch name {
        case "positions": (positions, presences) = ([:], [:])
        case "sharing": sharing = .off
        default: places = [:]
        }
    }

    /// Applies what an event says of members' positions. Arrivals at places are no part of it.
    public mutating func apply(_ event: Event, of me: Identifier?) {
        if let data = event[Position.seen] {
            switch data {
            case .position(let position):
                positions[position.member] = position
                presences[position.member] = nil
            case .presence(let presence):
                presences[presence.member] = presence
                positions[presence.member] = nil
            }
        } else if let data = event[Position.hidden] ?? event[Position.deleted] ?? event[Member.removed] {
            positions[data.member] = nil
            presences[data.member] = nil
        } else if let data = event[Sharing.changed] {
            sharing = data.sharing
        } else if let data = event[Place.added] ?? event[Place.updated] ?? event[Place.shown] {
            places[data.place.id] = data.place.brief
        } else if let data = event[Place.hidden] ?? event[Place.removed] {
            places[data.place] = nil
        }
    }
}

extension Snapshot {
    /// Latest positions in sight, by member.
    public var positions: [Identifier: Position] {
        get { self[MapPart.self].positions }
        _modify { yield &self[MapPart.self].positions }
    }
    /// Members who are seen only by the name of a place, or as at home or not, by member. No member is in both.
    public var presences: [Identifier: Presence] {
        get { self[MapPart.self].presences }
        _modify { yield &self[MapPart.self].presences }
    }
    /// The looking member's own sharing.
    public var sharing: Sharing {
        get { self[MapPart.self].sharing }
        _modify { yield &self[MapPart.self].sharing }
    }
    /// Places in sight, by identifier; without their notes.
    public var places: [Identifier: Place] {
        get { self[MapPart.self].places }
        _modify { yield &self[MapPart.self].places }
    }
}
