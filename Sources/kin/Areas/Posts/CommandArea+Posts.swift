import KinModel
import KinWords

extension CommandArea {
    /// What members tell the family.
    static let posts = CommandArea(
        name: "Posts", group: .messages, commands: [.post, .feed, .comment, .like],
        messages: { $0 == .german ? PackageResources.posts_de_messages : PackageResources.posts_en_messages },
        inboxKinds: ["posted", "mentioned", "commented", "liked"])
}

extension Command {
    static let post = Command(
        name: "post",
        usage: [
            "post TEXT… [--link ADDRESS] [--picture FILE]… [--for everyone|household|me|MEMBER,…]",
            "post share NUMBER --until TIME",
        ],
        options: [
            .value("link", "ADDRESS"), .value("picture", "FILE"), .value("for", "MEMBER,…"), .value("until", "TIME"),
        ], words: 0...1000,
        run: { (call) throws(Problem) in
            // A text may begin with the word, too; only a link has an end.
            if call.has("until") { try PostLinkCommands.share(call) } else { try PostCommands.add(call) }
        })

    static let feed = Command(
        name: "feed",
        usage: [
            "feed [NUMBER] [--by MEMBER] [--limit COUNT]", "feed older", "feed search WORDS…", "feed edit NUMBER TEXT…",
            "feed pin NUMBER", "feed unpin NUMBER", "feed share NUMBER everyone|household|me|MEMBER,…",
            "feed remove NUMBER [--yes]", "feed links", "feed unlink LINK",
        ],
        options: [.value("by", "MEMBER"), .value("limit", "COUNT"), .flag("yes")], words: 0...1000,
        run: { (call) throws(Problem) in
            switch (call.words.first ?? "", call.words.count) {
            case ("", 0): try PostCommands.feed(call)
            case ("older", 1): try PostCommands.older(call)
            case ("search", 2...): try PostCommands.feed(call, words: call.words.dropFirst().joined(separator: " "))
            case ("edit", 3...): try PostCommands.edit(call)
            case ("pin", 2): try PostCommands.pin(call, true)
            case ("unpin", 2): try PostCommands.pin(call, false)
            case ("share", 3): try PostCommands.share(call)
            case ("remove", 2): try PostCommands.remove(call)
            case ("links", 1): try PostLinkCommands.list(call)
            case ("unlink", 2): try PostLinkCommands.end(call)
            case (_, 1): try PostCommands.show(call)
            default: throw call.misused
            }
        })

    static let comment = Command(
        name: "comment",
        usage: [
            "comment NUMBER TEXT…", "comment edit NUMBER COMMENT TEXT…", "comment remove NUMBER COMMENT [--yes]",
        ],
        options: [.flag("yes")], words: 2...1000,
        run: { (call) throws(Problem) in
            switch (call.words[0], call.words.count) {
            case ("edit", 4...): try CommentCommands.edit(call)
            case ("remove", 3): try CommentCommands.remove(call)
            case ("edit", _), ("remove", _): throw call.misused
            default: try CommentCommands.add(call)
            }
        })

    static let like = Command(
        name: "like", usage: ["like NUMBER [like|love|laugh|wow|sad|thanks|none] [--comment COMMENT]"],
        options: [.value("comment", "COMMENT")], words: 1...2,
        run: { (call) throws(Problem) in try CommentCommands.like(call) })
}
