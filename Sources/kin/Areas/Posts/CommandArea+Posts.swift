import KinModel
import KinWords

extension CommandArea {
    /// The commands for posts, comments, likes and news.
    static let posts = CommandArea(
        name: "Posts", group: .messages, commands: [.post, .feed, .comment, .like, .news],
        file: "posts",
        inboxKinds: ["posted", "mentioned", "commented", "answered", "liked", "newsStopped"])
}

extension Command {
    static let post = Command(
        name: "post",
        usage: [
            "post TEXT… [--link ADDRESS] [--picture FILE]… [--document FILE]… [--saved NUMBER]…"
                + " [--about THING] [--quote NUMBER] [--for everyone|household|me|MEMBER,…]",
            "post share NUMBER --until TIME", "post share NUMBER --text",
        ],
        options: [
            .value("link", "ADDRESS"), .value("picture", "FILE"), .value("document", "FILE"),
            .value("saved", "NUMBER"), .value("about", "THING"), .value("quote", "NUMBER"),
            .value("for", "everyone|household|me|MEMBER,…"), .value("until", "TIME"), .flag("text"),
        ], words: 0...1000,
        run: { (call) throws(Problem) in
            // A text may begin with this word, too. Only a link takes an end, and only `share` prints plain text.
            if call.has("text") {
                try PostCommands.sendOn(call)
            } else if call.has("until") {
                try PostLinkCommands.share(call)
            } else if call.words.count == 2, call.words[0] == "share", Int(call.words[1]) != nil {
                // Nobody would post this text: the option is missing.
                throw call.misused
            } else {
                try PostCommands.add(call)
            }
        })

    static let feed = Command(
        name: "feed",
        usage: [
            "feed [NUMBER] [--by MEMBER] [--limit COUNT]", "feed older", "feed search WORDS…",
            "feed edit NUMBER [TEXT…] [--link ADDRESS]",
            "feed pin NUMBER", "feed unpin NUMBER", "feed share NUMBER everyone|household|me|MEMBER,…",
            "feed remove NUMBER [--yes]", "feed links", "feed unlink LINK",
        ],
        options: [.value("by", "MEMBER"), .value("limit", "COUNT"), .value("link", "ADDRESS"), .flag("yes")],
        words: 0...1000,
        run: { (call) throws(Problem) in
            switch (call.words.first ?? "", call.words.count) {
            case ("", 0): try PostCommands.feed(call)
            case ("older", 1): try PostCommands.older(call)
            case ("search", 2...): try PostCommands.feed(call, words: call.words.dropFirst().joined(separator: " "))
            case ("edit", 2...): try PostCommands.edit(call)
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

    static let news = Command(
        name: "news",
        usage: [
            "news [NUMBER] [--source FEED] [--starred] [--limit COUNT]", "news older", "news search WORDS…",
            "news like NUMBER [like|love|laugh|wow|sad|thanks|none]", "news star NUMBER", "news unstar NUMBER",
            "news seen", "news sources", "news subscribe ADDRESS [--name NAME] [--for everyone|household|MEMBER,…]",
            "news refresh FEED",
            "news update FEED [--name NAME] [--address ADDRESS] [--for everyone|household|MEMBER,…]",
            "news remove FEED [--yes]", "news outside on|off",
        ],
        options: [
            .value("source", "FEED"), .flag("starred"), .value("limit", "COUNT"), .value("name", "NAME"),
            .value("for", "MEMBER,…"), .value("address", "ADDRESS"), .flag("yes"),
        ], words: 0...1000,
        run: { (call) throws(Problem) in
            switch (call.words.first ?? "", call.words.count) {
            case ("", 0): try NewsCommands.list(call)
            case ("older", 1): try NewsCommands.older(call)
            case ("search", 2...): try NewsCommands.list(call, words: call.words.dropFirst().joined(separator: " "))
            case ("like", 2...3): try NewsCommands.like(call)
            case ("star", 2): try NewsCommands.star(call, true)
            case ("unstar", 2): try NewsCommands.star(call, false)
            case ("seen", 1): try NewsCommands.see(call)
            case ("sources", 1): try NewsCommands.sources(call)
            case ("subscribe", 2): try NewsCommands.subscribe(call)
            case ("refresh", 2): try NewsCommands.refresh(call)
            case ("update", 2): try NewsCommands.update(call)
            case ("remove", 2): try NewsCommands.remove(call)
            case ("outside", 2): try NewsCommands.allow(call)
            case (_, 1): try NewsCommands.show(call)
            default: throw call.misused
            }
        })

    static let comment = Command(
        name: "comment",
        usage: [
            "comment NUMBER TEXT…", "comment answer NUMBER COMMENT TEXT…", "comment edit NUMBER COMMENT TEXT…",
            "comment remove NUMBER COMMENT [--yes]",
        ],
        options: [.flag("yes")], words: 2...1000,
        run: { (call) throws(Problem) in
            switch (call.words[0], call.words.count) {
            case ("answer", 4...): try CommentCommands.answer(call)
            case ("edit", 4...): try CommentCommands.edit(call)
            case ("remove", 3): try CommentCommands.remove(call)
            case ("answer", _), ("edit", _), ("remove", _): throw call.misused
            default: try CommentCommands.add(call)
            }
        })

    static let like = Command(
        name: "like", usage: ["like NUMBER [like|love|laugh|wow|sad|thanks|none] [--comment COMMENT]"],
        options: [.value("comment", "COMMENT")], words: 1...2,
        run: { (call) throws(Problem) in try CommentCommands.like(call) })
}
