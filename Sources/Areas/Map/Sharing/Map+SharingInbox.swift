import KinKeeper
import KinModel

/// The questions about sharing that stand in inboxes until they are answered.
extension Map {
    static let sharingAsked = InboxKind(
        "sharingAsked", isOfficial: true,
        word: .optional("precision", .oneOf(SharingRule.precisions.map(\.rawValue)), "what they would see."),
        name: .optional("group", .oneOf(["household", "everyone"]), "the group whose rule it is about."))
    static let sharingToConfirm = InboxKind(
        "sharingToConfirm", isOfficial: true, time: .optional("until", .time, "when it ends without an answer."))
    static let childSharing = InboxKind(
        "childSharing", isOfficial: true,
        word: .optional("hold", Form<MemberSharing.ChildNews>.word.shape, "what became of it."))
}
