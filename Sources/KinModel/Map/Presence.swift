/// A member's whereabouts without coordinates: for those who see the name of a place, or only whether it is home.
public struct Presence: WireRecord {
    /// Whose it is.
    public let member: Identifier
    /// ``Precision/place`` or ``Precision/home``.
    public let precision: Precision
    /// The place's name, with the precision `place`; `nil` when the member is at none that the viewer knows of.
    public var place: String? { saidPlace ?? nil }
    /// Whether the member is at home, with the precision `home`; `nil` when nobody said where that is.
    public var isHome: Bool? { saidHome ?? nil }
    /// When that was last so, rounded down.
    public let at: Instant

    /// What is said of a place: nothing with another precision.
    private let saidPlace: String??
    private let saidHome: Bool??

    /// At a place, or at none.
    public init(member: Identifier, place: String?, at: Instant) {
        self.member = member
        precision = .place
        saidPlace = .some(place)
        saidHome = nil
        self.at = at
    }

    /// At home or not.
    public init(member: Identifier, isHome: Bool?, at: Instant) {
        self.member = member
        precision = .home
        saidPlace = nil
        saidHome = .some(isHome)
        self.at = at
    }

    /// As it is read: a field of another precision is ignored.
    private init(member: Identifier, precision: Precision, place: String??, home: Bool??, at: Instant) {
        self.member = member
        self.precision = precision
        saidPlace = precision == .place ? place : nil
        saidHome = precision == .home ? home : nil
        self.at = at
    }

    /// `{"member","precision":"place","place":NAME|null,"at"}` or `{"member","precision":"home","home":BOOL|null,"at"}`.
    public static let fields = Fields(
        "Presence", Presence.init(member:precision:place:home:at:),
        .required("member", \.member, .id),
        .required("precision", \.precision, .nameless),
        .optional("place", \.saidPlace, .nullable(.name), "Null: at none that the viewer sees."),
        .optional("home", \.saidHome, .nullable(.bool), "Null: nobody said where home is."),
        .required("at", \.at, .time, "When that was so last, rounded down."))
}

extension Form where Value == Precision {
    /// The precisions that say no coordinates.
    fileprivate static var nameless: Form {
        let words: [Precision] = [.place, .home]
        return Form(
            .oneOf(words.map(\.rawValue)),
            read: { json in json.string.flatMap { Precision(rawValue: $0) }.flatMap { words.contains($0) ? $0 : nil } },
            write: { .string($0.rawValue) })
    }
}
