import KinKeeper
import KinModel

/// The inboxes' lines about arrivals and departures, what is new on the map, and places that somebody is asked about.
extension Places {
    private static let arrived = InboxKind(
        "arrived", tellsOfPositions: true, isDatedByDay: true, name: placeName, time: when)
    private static let left = InboxKind(
        "left", tellsOfPositions: true, isDatedByDay: true, name: placeName, time: when)
    private static let asked = InboxKind(
        "placeAsked", word: .optional("of", .id, "whose answer it is."), name: placeName,
        time: .optional("until", .time, "until when places from before an update count."))

    private static let placeName = Field.optional(
        "place", .line(max: Limits.nameCharactersMax), "the place's name.")
    private static let when = Field.optional("since", .time, "when.")

    private static let pinned = InboxKind(
        "pinned",
        word: .optional(
            "placeKind", .oneOf([Place.Kind.hotspot, .note].map(\.rawValue)), "what is new on the map."),
        name: placeName)

    static let inboxKinds = [arrived, left, asked, pinned]

    private static let wishers = InboxRule.Hearers.seers { (act, told) throws(Rejection) in
        try PlaceRule.wishers(told, act)
    }

    static let inboxRules = [
        InboxRule(Stays.entered, arrived, wishers, by: { $0.subject }, name: \.name, time: \.at),
        InboxRule(Stays.left, left, wishers, by: { $0.subject }, name: \.name, time: \.at),
        InboxRule(
            askedEvent, asked, .audience, word: \.member.description, name: \.name, time: \.until),
        InboxRule(
            Place.added, pinned,
            .seers { (act, told) throws(Rejection) in try PlaceRule.additionWishers(told, act) },
            when: { $0.place.kind != .place }, word: \.place.kind.rawValue, name: \.place.name),
    ]
}
