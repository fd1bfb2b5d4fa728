import KinKeeper
import KinModel

/// What inboxes say of pictures. All that is sent to the gallery is one entry until it is read, with a line for each who
/// sends, and rings nobody. Who is said to be in a picture is told of that picture. Of what stands in a post, the post
/// tells.
extension Pictures {
    private static let sentSome = InboxKind("pictures", isQuiet: true)
    private static let named = InboxKind("pictured")

    static let inboxKinds = [sentSome, named]

    static let inboxRules = [
        InboxRule(Picture.added, sentSome, .audience, about: { _ in "pictures" }),
        InboxRule(Picture.named, named, .audience),
    ]
}
