import KinKeeper
import KinModel

/// What inboxes say of pictures: who is said to be in one is told. What is sent to the gallery rings nobody, and a post tells
/// of its pictures.
extension Pictures {
    private static let named = InboxKind("pictured")

    static let inboxKinds = [named]

    static let inboxRules = [InboxRule(Picture.named, named, .audience)]
}
