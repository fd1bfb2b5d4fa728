/// A place of the family's map.
public struct Place: WireRecord {
    /// What a place is for.
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
    /// A character or word that clients draw; `nil` for the usual sign.
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

    /// As it is written.
    public static let fields = Fields(
        "Place", Place.init(id:kind:name:icon:lat:lon:radius:owner:homeOf:note:),
        .required("id", \.id, .id),
        .required("kind", \.kind, .word),
        .required("name", \.name, .name),
        .optional(
            "icon", \.icon, .line(max: Limits.placeIconCharactersMax), "What to draw; absent for the usual sign."),
        .required("lat", \.lat, .number(Limits.latBounds), "Degrees north (WGS 84)."),
        .required("lon", \.lon, .number(Limits.lonBounds), "Degrees east (WGS 84)."),
        .optional(
            "radius", \.radius, .number(Limits.placeRadiusMin...Limits.placeRadiusMax),
            "Metres; only of the kind place."),
        .required("owner", \.owner, .id),
        .optional("homeOf", \.homeOf, .id, "The household whose home it is."),
        .optional("note", \.note, .text(max: Limits.placeNoteCharactersMax)))

    /// As a snapshot holds it: without the note.
    public var brief: Place {
        var brief = self
        brief.note = nil
        return brief
    }
}
