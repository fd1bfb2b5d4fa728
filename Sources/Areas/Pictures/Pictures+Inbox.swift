import KinKeeper
import KinModel

/// Lines of inboxes about pictures. All pictures sent to the gallery are one entry until it is read; it has a line for
/// each sender and rings nobody. A member who is named in a picture is told of that picture. The author is told what
/// others think of it. Pictures in a post are told by the post.
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
