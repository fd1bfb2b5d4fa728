import KinKeeper
import KinModel
import KinStore

/// The entries of inboxes about posts. All that happens to one post is one entry, about the post. It rings for members who
/// are mentioned or answered.
extension Posts {
    private static let posted = InboxKind("posted", isQuiet: true)
    private static let mentioned = InboxKind("mentioned")
    private static let commented = InboxKind("commented")
    private static let answered = InboxKind("answered")
    private static let liked = InboxKind(
        "liked", isQuiet: true,
        word: .optional("reaction", .oneOf(Like.Reaction.allCases.map(\.rawValue)), "what they think."))

    static let inboxKinds = [posted, mentioned, commented, answered, liked]

    static let inboxRules = [
        InboxRule(
            Post.added, posted, .audience,
            spares: { (act, told, member) throws(Rejection) in
                try act.mentioned(in: told[Post.added]?.post.text).contains(member)
            }),
        InboxRule(
            Post.added, mentioned,
            .seers { (act, told) throws(Rejection) in try act.mentioned(in: told[Post.added]?.post.text) }),
        InboxRule(
            Comment.added, commented,
            .seers { (act, told) throws(Rejection) in
                guard let comment = new(told) else { return [] }
                let writers = try StoredComment.authors(of: comment.post, act) + [told.owner].compactMap(\.self)
                return Set(writers).subtracting(try StoredComment.authors(under: comment.to, act))
                    .subtracting(try act.mentioned(in: comment.text))
            },
            about: whole),
        InboxRule(
            Comment.added, answered,
            .seers { (act, told) throws(Rejection) in
                guard let comment = new(told) else { return [] }
                return Set(try StoredComment.authors(under: comment.to, act))
                    .subtracting(try act.mentioned(in: comment.text))
            },
            about: whole),
        InboxRule(
            Comment.added, mentioned,
            .seers { (act, told) throws(Rejection) in try act.mentioned(in: new(told)?.text) },
            about: whole),
        InboxRule(
            Like.set, liked, .seers { (_, told) throws(Rejection) in Set([told.owner].compactMap(\.self)) },
            when: { $0.reaction != nil }, word: { $0.reaction?.rawValue }, isToldOnce: true, about: whole),
    ]

    /// The comment that an event tells of. A comment that comes into sight with its post is no news: that event names
    /// no owner.
    private static func new(_ told: Told) -> Comment? { told.owner == nil ? nil : told[Comment.added]?.comment }

    /// The post to which a comment or a like belongs.
    private static let whole: @Sendable (String) -> String = { about in
        about.split(separator: "/").prefix(2).joined(separator: "/")
    }
}
