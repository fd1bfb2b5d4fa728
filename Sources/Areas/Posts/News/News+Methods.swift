import KinKeeper
import KinModel
import KinStore

extension News {
    static let list = Method.query(
        "news.list", "News from outside that the caller sees, newest first.", access: .signedIn,
        note: "who sees their source; a guest whom it names",
        [
            .optional("before", .id, "Only older ones than this: next of the page before."),
            .optional("source", .id, "Only this source's."),
            .optional("starred", .bool, "true: only those that somebody is interested in."),
            .optional(
                "words", .line(max: Limits.postSearchCharactersMax), "Only those with each word in title or text."),
            .optional("limit", .integer(1...Limits.postsPerAnswerMax), "20 if left out."),
        ],
        result: .object([
            .required("news", .list(NewsItem.shape, max: Int(Limits.postsPerAnswerMax))),
            .optional("next", .id, "To be given as before; there while there are more."),
            .required(
                "sources", .list(NewsSource.shape, max: Int(Limits.newsSourcesMax)), "Whose news the caller sees."),
            .optional("seen", .time, "News that were first read later are unread; absent: all are."),
            .required(
                "unread", .integer(0...Limits.newsUnreadMax),
                "How many are unread, whatever was asked for; \(Limits.newsUnreadMax): so many or more."),
        ]),
        route: Route("GET", "/api/news"),
        apply: { (act, params) throws(Rejection) in
            let member = try act.member.id
            let limit = params.optionalInt("limit") ?? 20
            let words = (params.optionalString("words") ?? "").lowercased().split(whereSeparator: \.isWhitespace)
            let choice = StoredNews.Choice(
                before: params.optionalID("before"), source: params.optionalID("source"),
                isStarred: params["starred"]?.bool ?? false, words: words.prefix(8).map { String($0) },
                limit: limit + 1)
            let found = try StoredNews.seen(by: member, choice, act)
            let page = found.prefix(Int(limit))
            let seen = try seen(by: member, act)
            return .done(
                .object(leavingOut: [
                    "news": .array(page.map(\.wire.json)),
                    "next": found.count > page.count ? page.last.map { .id($0.wire.id) } : nil,
                    "sources": .array(try StoredSource.seen(by: member, act).map(\.wire.json)),
                    "seen": seen.map { .time($0) }, "unread": .int(try unread(by: member, after: seen, act)),
                ]))
        }
    ).listing()

    static let show = Method.query(
        "news.show", "One piece of news from outside, with its source.", access: .signedIn, note: "who sees it",
        [.required("item", .id)],
        result: .object([
            .required("item", NewsItem.shape), .required("source", NewsSource.shape),
        ]),
        route: Route("GET", "/api/news/{item}"),
        apply: { (act, params) throws(Rejection) in
            let item = try StoredNews.visible(try params.id("item"), act)
            let source = try StoredSource.named(item.wire.source, act)
            return .done(["item": item.wire.json, "source": source.wire.json])
        }
    ).listing()

    static let like = Method.command(
        "news.like", "Says in one word what the caller thinks of a piece of news, or takes it back.",
        access: .signedIn, note: "who sees it",
        [
            .required("item", .id),
            .required("reaction", .nullable(Form<Like.Reaction>.word.shape), "null takes it back."),
        ],
        result: .object([.required("likes", Like.list.shape, "By member.")]),
        route: Route("PUT", "/api/news/{item}/like"), events: [NewsItem.liked],
        apply: { (act, params) throws(Rejection) in
            let item = try StoredNews.visible(try params.id("item"), act)
            let reaction = params["reaction"]?.string.flatMap { Like.Reaction(rawValue: $0) }
            let member = try act.member.id
            let after = item.wire.likes.with(reaction, of: member)
            if after != item.wire.likes {
                try spend(act)
                try item.set(reaction, of: member, act)
            }
            return .done(["likes": .array(after.map(\.json))])
        })

    static let star = Method.command(
        "news.star", "Says that the caller is interested in a piece of news, or no longer.", access: .signedIn,
        note: "who sees it", [.required("item", .id), .required("on", .bool)],
        result: .object([.required("stars", .list(.id, max: Limits.membersMax), "By member.")]),
        route: Route("PUT", "/api/news/{item}/star"), events: [NewsItem.starred],
        apply: { (act, params) throws(Rejection) in
            let item = try StoredNews.visible(try params.id("item"), act)
            let isOn = params["on"]?.bool ?? false
            let member = try act.member.id
            var stars = item.wire.stars
            if stars.contains(member) != isOn {
                try spend(act)
                stars = try item.star(isOn, by: member, act)
            }
            return .done(["stars": .array(stars.map { .id($0) })])
        })

    static let see = Method.command(
        "news.see", "Notes that the caller has seen the news that were first read by then, on all clients at once.",
        access: .signedIn,
        [.required("upTo", .time, "The latest read of the news that were shown; what is later than now is now.")],
        result: .object([.required("seen", .time)]), route: Route("POST", "/api/news/seen"),
        events: [NewsItem.seen],
        apply: { (act, params) throws(Rejection) in
            let member = try act.member.id
            let upTo = min(try params.time("upTo"), act.now)
            if let seen = try seen(by: member, act), seen >= upTo { return .done(["seen": .time(seen)]) }
            try act.run("INSERT OR REPLACE INTO news_seen (member, up_to) VALUES (?, ?)", .id(member), .time(upTo))
            try act.emit(
                NewsItem.seen, .init(upTo: upTo), about: "newsSeen/\(member)", to: try act.roster.only(member),
                key: "newsSeen/\(member)")
            return .done(["seen": .time(upTo)])
        })

    private static func seen(by member: Identifier, _ act: Act) throws(Rejection) -> Instant? {
        try act.first("SELECT up_to FROM news_seen WHERE member = ?", .id(member)) { row in row.instant(0) }
    }

    private static func unread(
        by member: Identifier, after seen: Instant?, _ act: Act
    ) throws(Rejection) -> Int64 {
        try act.first(
            """
            SELECT count(*) FROM (
                SELECT 1 FROM news_items n CROSS JOIN news_sight s
                WHERE n.read_at > ?1 AND s.member = ?2 AND s.source = n.source LIMIT \(Limits.newsUnreadMax)
            )
            """, .time(seen ?? .earliest), .id(member)
        ) { row in row.int(0) } ?? 0
    }

    /// Takes one from the quota of likes for the day. A reaction of one word counts the same wherever it is given.
    private static func spend(_ act: Act) throws(Rejection) {
        guard try Posts.likes.take(1, of: Limits.likesPerDayMax, for: try act.member.id, act) else {
            throw Quota.usedUp(
                "You liked \(Limits.likesPerDayMax) things today, which is the most; go on tomorrow.", act)
        }
    }
}
