import KinKeeper
import KinModel

/// What inboxes say of pictures. All that is sent to the gallery is one entry until it is read, with a line for each who
/// sends, and rings nobody. Who is said to be in a picture is told of that picture. The author is told what others think of
/// it. Of what stands in a post, the post tells.
extension Pictures {
    private static let sentSome = InboxKind("pictures", isQuiet: true)
    private static let named = InboxKind("pictured")

    private static let liked = InboxKind(
        "pictureLiked", isQuiet: true,
        word: .optional("reaction", .oneOf(Like.Reaction.allCases.map(\.rawValue)), "what they think."))

    static let inboxKinds = [sentSome, named, liked]

    static let inboxRules = [
        InboxRule(Picture.added, sentSome, .audience, about: { _ in "pictures" }),
        InboxRule(Picture.named, named, .audience),
        InboxRule(
            Picture.liked, liked, .seers { (_, told) throws(Rejection) in Set([told.owner].compactMap(\.self)) },
            when: { $0.reaction != nil }, word: { $0.reaction?.rawValue }, isToldOnce: true),
    ]
}
