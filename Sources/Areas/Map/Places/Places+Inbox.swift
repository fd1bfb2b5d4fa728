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
        InboxRule(Stays.entered, arrived, wishers, by: { $0.subject }, name: \.name, time: \.at),
        InboxRule(Stays.left, left, wishers, by: { $0.subject }, name: \.name, time: \.at),
        InboxRule(
            askedEvent, asked, .audience, word: \.member.description, name: \.name, time: \.until),
    ]
}
