import KinKeeper
import KinModel
import KinStore

/// What the members of the box tell each other.
final class PostsLife: SimulatedArea {
    let weight = 4
    let lists = [
        ListQuestion(method: "post.list", params: ["limit": 50], part: "posts", trim: { $0.comments = [:] }),
        ListQuestion(method: "news.list", params: ["limit": 50], kept: KeptNews.self),
    ]
    let stock = NewsLife.stock
    /// News from outside, of a town that tells something else each time.
    private let news = NewsLife()
    /// Comments that were written, so that some are changed, liked and removed.
    private var known: [Comment.Key] = []
    private static let mostKnown = 60
    /// Links that were made, and what is shown for them.
    private var links: [Identifier] = []
    private var secrets: [String] = []

    func question(_ world: World, about snapshot: Snapshot) -> ListQuestion? {
        let posts = snapshot.posts.keys.sorted()
        guard !posts.isEmpty else { return nil }
        let post = world.dice.pick(posts)
        return ListQuestion(
            method: "comment.list", params: ["post": .id(post), "limit": 50],
            fault: { Self.fault(of: post, $0, against: $1) })
    }

    /// A post's comments are those of the snapshot, as far back as they are listed.
    private static func fault(of post: Identifier, _ result: JSON, against snapshot: Snapshot) -> String? {
        guard snapshot.posts[post] != nil else {
            return snapshot.more.contains("posts") ? nil : "comment.list knows \(post), the snapshot does not"
        }
        guard !snapshot.more.contains("comments") else { return nil }
        let listed = (result["comments"]?.array ?? []).compactMap(Comment.init)
        let first = result["next"]?.identifier
        let held = snapshot.comments.values.filter { $0.post == post && $0.id >= first ?? $0.id }
            .sorted { $0.key < $1.key }
        guard listed != held else { return nil }
        return "comment.list has \(listed.map(\.json.text)), the snapshot \(held.map(\.json.text))"
    }

    func idea(_ world: World, _ who: Int, _ op: String) -> World.Idea {
        let seen = (world.view(of: who)?.posts.values ?? [:].values).sorted { $0.id < $1.id }
        let dice = world.dice.below(30)
        if dice >= 23 { return news.idea(world, who, op) }
        guard !seen.isEmpty, dice > 2 else {
            return (who, "post.add", ["text": .string(op), "audience": SharedSight.audience(world)])
        }
        let post = world.dice.pick(seen)
        let comment = pick(world, of: post.id)
        let soon = Instant(milliseconds: world.time.wallMilliseconds()).adding(seconds: Int64(world.dice.below(7200)))
        switch (dice, comment) {
        case (3...4, _): return (who, "post.remove", ["post": .id(post.id)])
        case (5...7, _):
            return (who, "post.update", ["post": .id(post.id), "audience": SharedSight.audience(world)])
        case (8, _): return (who, "post.update", ["post": .id(post.id), "text": .string(op + " again")])
        case (9, _): return (who, "post.update", ["post": .id(post.id), "pinned": .bool(world.dice.once(in: 2))])
        case (10...11, let comment?):
            return (who, "comment.remove", ["post": .id(post.id), "comment": .id(comment)])
        case (12, let comment?):
            return (
                who, "comment.update", ["post": .id(post.id), "comment": .id(comment), "text": .string(op + " again")]
            )
        case (13...16, _):
            var like: JSON = ["post": .id(post.id), "reaction": .null]
            if let comment, world.dice.once(in: 2) { like["comment"] = .id(comment) }
            if world.dice.below(3) > 0 {
                like["reaction"] = .string(world.dice.pick(Like.Reaction.allCases).rawValue)
            }
            return (who, "like.set", like)
        case (20, _):
            return (who, "post.share", ["post": .id(post.id), "until": .time(soon)])
        case (21, _): return (who, "post.unshare", ["link": .id(links.isEmpty ? post.id : world.dice.pick(links))])
        case (22, _): return (who, "post.links", [:])
        default:
            var said: JSON = ["post": .id(post.id), "text": .string(op)]
            if let comment, world.dice.once(in: 2) { said["to"] = .id(comment) }
            return (who, "comment.add", said)
        }
    }

    private func pick(_ world: World, of post: Identifier) -> Identifier? {
        let comments = known.filter { $0.post == post }
        return comments.isEmpty ? nil : world.dice.pick(comments).id
    }

    func answered(_ method: String, _ result: JSON) {
        news.answered(method, result)
        if method == "post.share", let link = result["link"].flatMap(PostLink.init) {
            links = links.suffix(20) + [link.id]
            if let secret = result["secret"]?.string { secrets = secrets.suffix(20) + [secret] }
        }
        guard method == "comment.add", let comment = result["comment"].flatMap(Comment.init),
            !known.contains(comment.key)
        else { return }
        if known.count >= Self.mostKnown { known.removeFirst() }
        known.append(comment.key)
    }

    private static let shared = SharedSight(
        "posts", column: "post", named: "post_named", seen: "post_sight", isForGuestsByName: true,
        gone: "t.owner IN (SELECT member FROM post_leavers)")

    func sight(_ daemon: SimulatedDaemon) throws(StoreFailure) -> [String: (Onlooker, Identifier) -> Bool] {
        ["post": try Self.shared.isSeen(daemon), "news": try NewsLife.isSeen(daemon)]
    }

    func quick(_ work: any SlowWork) -> SlowResult? { news.quick(work) }

    /// What is written down of who sees what is what the rules say; posts count their comments, and no like is of nothing.
    func books(_ world: World, _ daemon: SimulatedDaemon) throws(StoreFailure) -> Finding? {
        if let fault = try Self.shared.fault(daemon, "posts") { return fault }
        if let fault = try NewsLife.books(daemon) { return fault }
        let wrong = try daemon.reader.first(
            "SELECT id FROM posts p WHERE comments <> (SELECT count(*) FROM comments c WHERE c.owner_post = p.number)"
        ) { row in row.identifier(0) }
        if let wrong { return Finding(checker: "posts", what: "the post \(wrong) counts other comments than it has") }
        let left = try daemon.reader.first(
            "SELECT comment FROM likes WHERE comment <> 0 AND comment NOT IN (SELECT number FROM comments)"
        ) { row in row.int(0) }
        if let left { return Finding(checker: "posts", what: "the comment \(left) is gone and is liked") }
        let stray = try daemon.reader.first(
            "SELECT l.id FROM post_links l LEFT JOIN posts p ON p.number = l.post WHERE p.owner IS NOT l.author"
        ) { row in row.identifier(0) }
        return stray.map { Finding(checker: "posts", what: "the link \($0) shows a post of somebody who left") }
    }

    /// Strangers open links, good ones and others, and the first picture behind them.
    func page(_ world: World, for browser: Browser) -> String? {
        let secret = secrets.isEmpty ? "none" : world.dice.pick(secrets)
        return world.dice.once(in: 2) ? "/shared/\(secret)" : "/shared/\(secret)/1/small"
    }

    func twice(_ daemon: SimulatedDaemon) throws(StoreFailure) -> String? {
        try daemon.reader.first(
            """
            SELECT text FROM posts WHERE text IS NOT NULL GROUP BY text HAVING count(*) > 1
            UNION ALL SELECT text FROM comments GROUP BY text HAVING count(*) > 1
            """
        ) { row in row.text(0) }
    }

    func spoil(_ fault: Fault, _ events: [LogRow]) -> [String] {
        switch fault {
        case .postOfAnother: ["INSERT OR IGNORE INTO post_sight SELECT m.id, p.number FROM members m, posts p"]
        // Each turn has a later name than all turns before.
        case .sourceUntold:
            ["UPDATE news_sources SET name = CAST(CAST(coalesce(name, '0') AS INTEGER) + 1 AS TEXT)"]
        default: []
        }
    }
}

extension Fault {
    /// Everybody is written down as seeing every post.
    public static let postOfAnother = Fault("postOfAnother")
    /// Sources of news get other names, and no event says so.
    public static let sourceUntold = Fault("sourceUntold")
}
