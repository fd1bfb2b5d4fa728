/// A pin on the family's map.
public struct Place: Sendable, Hashable {
    /// What a pin is for.
    public enum Kind: String, Sendable, CaseIterable, Hashable {
        /// Somewhere people are: arriving and leaving are noticed.
        case place
        /// Somewhere worth going.
        case hotspot
        /// Something to remember about a spot.
        case note
    }

    /// Which one.
    public let id: Identifier
    /// What it is for.
    public var kind: Kind
    /// Its name, one line.
    public var name: String
    /// A character or word that clients draw; `nil` for the usual pin.
    public var icon: String?
    /// Degrees north, −90…90.
    public var lat: Double
    /// Degrees east, −180…180.
    public var lon: Double
    /// Metres of the circle; only of a ``Kind/place``.
    public var radius: Double?
    /// Whose it is.
    public var owner: Identifier
    /// The household whose home it is.
    public var homeOf: Identifier?
    /// Text about it; not in a snapshot.
    public var note: String?

    /// A pin.
    public init(
        id: Identifier, kind: Kind, name: String, icon: String? = nil, lat: Double, lon: Double, radius: Double? = nil,
        owner: Identifier, homeOf: Identifier? = nil, note: String? = nil
    ) {
        self.id = id
        self.kind = kind
        self.name = name
        self.icon = icon
        self.lat = lat
        self.lon = lon
        self.radius = radius
        self.owner = owner
        self.homeOf = homeOf
        self.note = note
    }

    /// Reads the form that ``json`` writes.
    public init?(_ json: JSON) {
        guard let id = json["id"]?.identifier, let kind = json["kind"]?.string.flatMap(Kind.init),
            let name = json["name"]?.string, let lat = json["lat"]?.double, let lon = json["lon"]?.double,
            let owner = json["owner"]?.identifier
        else { return nil }
        self.init(
            id: id, kind: kind, name: name, icon: json["icon"]?.string, lat: lat, lon: lon,
            radius: json["radius"]?.double, owner: owner, homeOf: json["homeOf"]?.identifier,
            note: json["note"]?.string)
    }

    /// `{"id","kind","name","icon"?,"lat","lon","radius"?,"owner","homeOf"?,"note"?}`.
    public var json: JSON {
        .object(leavingOut: [
            "id": .id(id), "kind": .string(kind.rawValue), "name": .string(name), "icon": icon.map { .string($0) },
            "lat": .double(lat), "lon": .double(lon), "radius": radius.map { .double($0) }, "owner": .id(owner),
            "homeOf": homeOf.map { .id($0) }, "note": note.map { .string($0) },
        ])
    }

    /// As a snapshot holds it: without the note.
    public var brief: Place {
        var brief = self
        brief.note = nil
        return brief
    }
}
