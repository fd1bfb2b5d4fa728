/// Where a member is for those who see the name of a place, or whether it is home, and no coordinates.
public struct Presence: Sendable, Hashable {
    /// Whose it is.
    public let member: Identifier
    /// ``Precision/place`` or ``Precision/home``.
    public let precision: Precision
    /// The place's name, with the precision `place`; `nil` when the member is at none that the viewer knows of.
    public let place: String?
    /// Whether the member is at home, with the precision `home`; `nil` when nobody said where that is.
    public let isHome: Bool?
    /// When that was so last, rounded down.
    public let at: Instant

    /// At a place, or at none.
    public init(member: Identifier, place: String?, at: Instant) {
        self.member = member
        precision = .place
        self.place = place
        isHome = nil
        self.at = at
    }

    /// At home or not.
    public init(member: Identifier, isHome: Bool?, at: Instant) {
        self.member = member
        precision = .home
        place = nil
        self.isHome = isHome
        self.at = at
    }

    /// Reads the form that ``json`` writes.
    public init?(_ json: JSON) {
        guard let member = json["member"]?.identifier, let at = json["at"]?.instant else { return nil }
        switch json["precision"]?.string {
        case Precision.place.rawValue: self.init(member: member, place: json["place"]?.string, at: at)
        case Precision.home.rawValue: self.init(member: member, isHome: json["home"]?.bool, at: at)
        default: return nil
        }
    }

    /// `{"member","precision":"place","place":NAME|null,"at"}` or `{"member","precision":"home","home":BOOL|null,"at"}`.
    public var json: JSON {
        let (name, value): (String, JSON) =
            precision == .place
            ? ("place", place.map { .string($0) } ?? .null) : ("home", isHome.map { .bool($0) } ?? .null)
        var json: JSON = ["member": .id(member), "precision": .string(precision.rawValue)]
        json[name] = value
        json["at"] = .time(at)
        return json
    }
}
