import KinKeeper
import KinModel

extension Places {
    /// The question of `place.admit`.
    static let askedEvent = EventType(
        "place.asked",
        "A place waits until the member agrees to be seen there (place.admit); who decides that.",
        Asked.self, isLatestOnly: true)

    /// The place, and the member who would be seen there.
    struct Asked: WireRecord {
        let member: Identifier
        var place: Identifier?
        var name: String?
        var until: Instant?

        static let fields = Fields(
            nil, Asked.init(member:place:name:until:),
            .required("member", \.member, .id),
            .optional("place", \.place, .id, "Absent after an update: all that were there, which count until then."),
            .optional("name", \.name, .name, "The place's."),
            .optional("until", \.until, .time, "Until when places count that were there before the update."))
    }
}
