import KinKeeper
import KinModel

/// The inboxes' lines about sharing, phones, and questions where somebody is.
extension Map {
    private static let sharingChanged = InboxKind(
        "sharingChanged", isOfficial: true,
        word: .optional("state", .oneOf(["on", "off"]), "the sharing from now on."),
        name: .optional("changes", .list(.token(max: 64), max: 32), "what is not as it was."))
    private static let phoneSilent = InboxKind(
        "phoneSilent", tellsOfPositions: true, word: .optional("cause", trouble, "the likeliest reason."),
        time: .optional("last", .time, "when the phone was last heard of."))
    private static let positionAsked = InboxKind("positionAsked", tellsOfPositions: true)

    static let inboxKinds = [
        sharingChanged, phoneSilent, positionAsked, sharingAsked, sharingToConfirm, childSharing,
    ]

    static let inboxRules = [
        InboxRule(
            Sharing.changed, sharingChanged, .audience, word: \.sharing.state,
            name: { $0.changes.map(\.rawValue).joined(separator: " ") }),
        InboxRule(Silence.event, phoneSilent, .audience, word: { $0.cause?.rawValue }, time: \.last),
        InboxRule(asked, positionAsked, .audience),
        // The subject is the member who joined, not the one who admitted that member.
        InboxRule(
            MemberSharing.asked, sharingAsked, .audience, by: { $0[MemberSharing.asked]?.viewer },
            word: \.precision.rawValue,
            name: \.group.rawValue),
        InboxRule(MemberSharing.toConfirm, sharingToConfirm, .audience, time: \.until),
        InboxRule(
            MemberSharing.ofChild, childSharing, .audience, when: { $0.what != .waits }, word: \.what.rawValue),
        // The member who made the holder go may decide, too.
        InboxRule(
            MemberSharing.ofChild, childSharing, .audience, when: { $0.what == .waits }, word: \.what.rawValue,
            isForDoerToo: true),
    ]
}
