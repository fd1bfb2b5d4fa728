import KinKeeper
import KinModel

/// What inboxes say of who arrives and leaves, and of places that somebody is asked about.
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

    static let inboxKinds = [arrived, left, asked]

    private static let wishers = InboxRule.Hearers.seers { (act, told) throws(Rejection) in
        try PlaceRule.wishers(told, act)
    }

    static let inboxRules = [
        InboxRule(
            "place.entered", arrived, wishers, by: { $0.subject }, name: { $0.data["name"]?.string },
            time: { $0.data["at"]?.instant }),
        InboxRule(
            "place.left", left, wishers, by: { $0.subject }, name: { $0.data["name"]?.string },
            time: { $0.data["at"]?.instant }),
        InboxRule(
            "place.asked", asked, .audience, word: { $0.data["member"]?.string }, name: { $0.data["name"]?.string },
            time: { $0.data["until"]?.instant }),
    ]

    /// What else in inboxes is about a place.
    @Sendable static func abouts(_ data: Untyped) -> [String] {
        guard let place = data.json["place"]?.identifier else { return [] }
        return ["stay/%/\(place)", "agreement/\(place)%"]
    }
}
