import KinKeeper
import KinModel
import KinStore

/// What inboxes say of posts. All that happens to one post is one entry, about the post; who is mentioned rings, and who
/// is answered.
extension Posts {
    private static let posted = InboxKind("posted", isQuiet: true)
    private static let mentioned = InboxKind("mentioned")
    private static let commented = InboxKind("commented")
    private static let liked = InboxKind(
        "liked", isQuiet: true,
        word: .optional("reaction", .oneOf(Like.Reaction.allCases.map(\.rawValue)), "what they think."))

    static let inboxKinds = [posted, mentioned, commented, liked]

    static let inboxRules = [
        InboxRule(
            Post.added, posted, .audience,
            spares: { (act, told, member) throws(Rejection) in
                try mentions(told[Post.added]?.post.text, act).contains(member)
            }),
        InboxRule(
            Post.added, mentioned,
            .seers { (act, told) throws(Rejection) in try mentions(told[Post.added]?.post.text, act) }),
        InboxRule(
            Comment.added, commented,
            .seers { (act, told) throws(Rejection) in
                guard let comment = new(told) else { return [] }
                let writers = try StoredComment.authors(of: comment.post, act) + [told.owner].compactMap(\.self)
                return Set(writers).subtracting(try mentions(comment.text, act))
            },
            about: whole),
        InboxRule(
            Comment.added, mentioned,
            .seers { (act, told) throws(Rejection) in try mentions(new(told)?.text, act) },
            about: whole),
        InboxRule(
            Like.set, liked, .seers { (_, told) throws(Rejection) in Set([told.owner].compactMap(\.self)) },
            when: { $0.reaction != nil }, word: { $0.reaction?.rawValue }, isToldOnce: true, about: whole),
    ]

    /// The comment that is told of. One that comes into sight with its post is no news; it is told without an owner.
    private static func new(_ told: Told) -> Comment? { told.owner == nil ? nil : told[Comment.added]?.comment }

    /// The post that something stands under.
    private static let whole: @Sendable (String) -> String = { about in
        about.split(separator: "/").prefix(2).joined(separator: "/")
    }

    /// Those whom a text names: `@` with a username, or with a name as it is written in the family.
    static func mentions(_ text: String?, _ act: Act) throws(Rejection) -> Set<Identifier> {
        guard let text, text.contains("@") else { return [] }
        let people = try act.rows("SELECT id, username, display_name FROM members") { row in
            (id: row.identifier(0), names: [row.optionalText(1), row.optionalText(2)])
        }
        let names = people.flatMap { person in
            person.names.compactMap(\.self).filter { !$0.isEmpty }.map { (id: person.id, name: $0.lowercased()) }
        }.sorted { $0.name.count > $1.name.count }
        var found: Set<Identifier> = []
        var before: Character?
        var rest = text.lowercased()[...]
        while let sign = rest.popFirst(), found.count < Limits.mentionsMax {
            defer { before = sign }
            guard sign == "@", before.map({ !$0.isLetter && !$0.isNumber }) ?? true else { continue }
            let named = names.first { name in
                guard rest.hasPrefix(name.name) else { return false }
                let next = rest.dropFirst(name.name.count).first
                return next.map { !$0.isLetter && !$0.isNumber } ?? true
            }
            if let named {
                // One name may be several people's.
                found.formUnion(names.filter { $0.name == named.name }.map(\.id))
            }
        }
        return found
    }
}
