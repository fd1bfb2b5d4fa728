import KinKeeper
import KinModel

/// What inboxes say of sharing, of phones and of who asks where somebody is.
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
            "sharing.changed", sharingChanged, .audience, word: { $0.data["sharing"]?["state"]?.string }, name: changes),
        InboxRule(
            "position.silent", phoneSilent, .audience, word: { $0.data["cause"]?.string },
            time: { $0.data["last"]?.instant }),
        InboxRule("position.asked", positionAsked, .audience),
        // Who came is whom it is about, whoever let them come.
        InboxRule(
            "sharing.asked", sharingAsked, .audience, by: { $0.data["viewer"]?.identifier },
            word: { $0.data["precision"]?.string }, name: { $0.data["group"]?.string }),
        InboxRule("sharing.toConfirm", sharingToConfirm, .audience, time: { $0.data["until"]?.instant }),
        InboxRule("sharing.child", childSharing, .audience, when: { $0.data["what"] != "waits" }, word: what),
        // To be decided also by who made the other one go.
        InboxRule(
            "sharing.child", childSharing, .audience, when: { $0.data["what"] == "waits" }, word: what,
            isForDoerToo: true),
    ]

    @Sendable private static func what(_ told: Told) -> String? { told.data["what"]?.string }

    @Sendable private static func changes(_ told: Told) -> String? {
        told.data["changes"]?.array.map { $0.compactMap(\.string).joined(separator: " ") }
    }
}
