import KinKeeper
import KinModel
import KinStore

/// Links that show one post to people outside the family, for a limited time. Only a digest of the secret is stored. A
/// link ends early if the post gets other words, if somebody loses sight of it, if it is removed, or if its author
/// leaves: nobody outside reads on.
enum PostLinks {
    /// Due work that removes links that ended; its `about` is `postLink/ID`.
    static let endDue = "postLink.ends"

    static let methods = [share, list, unshare, open, pixels]

    /// The page's address, without the secret.
    private static let page = "The page is /shared/SECRET on any of the family's addresses."

    // MARK: For the family

    static let share = Method.secretCommand(
        "post.share", "Makes a link that shows a post to people outside the family, until a time.", access: .signedIn,
        note: "its author",
        [
            .required("post", .id),
            .required("until", .time, "When it ends by itself: at most \(Limits.postLinkDaysMax) days from now."),
        ],
        result: .object([
            .required("link", PostLink.shape), .required("secret", .secret(max: 64), "Told once. " + page),
        ]),
        route: Route("POST", "/api/posts/{post}/links", status: 201), events: [],
        apply: { (act, params) throws(Rejection) in
            let post = try StoredPost.visible(act, try params.id("post"))
            try act.require(post.isOwn(act), "Only its author shows a post to others outside the family.")
            let until = try params.time("until")
            guard until > act.now else {
                throw Rejection(.invalid, "until is \(until), which is over; give a later time.", field: "until")
            }
            guard until <= act.now.adding(days: Limits.postLinkDaysMax) else {
                throw Rejection(
                    .invalid, "Such a link is good for at most \(Limits.postLinkDaysMax) days.", field: "until")
            }
            let member = try act.member.id
            guard try all("l.author = ?1", member, act).count < Limits.postLinksPerMemberMax else {
                throw Rejection(
                    .tooLarge, "You have \(Limits.postLinksPerMemberMax) such links; take back one you no longer need.")
            }
            let (id, secret) = (act.newIdentifier(), act.newSecret())
            let link = PostLink(id: id, post: post.wire.id, by: member, made: act.now, until: until)
            try act.run(
                "INSERT INTO post_links (\(columns.names), post, secret) VALUES (\(columns.placeholders), ?, ?)",
                values: columns.values(of: link) + [.int(post.number), Secret.digest(secret)])
            try act.plan(endDue, about: about(id), at: until)
            return .done(["link": link.json, "secret": .string(secret)], ids: [id])
        })

    static let list = Method.query(
        "post.links", "The links to posts that are good: the caller's own, and for admins those of all.",
        access: .signedIn, [.optional("post", .id, "Only those to this post.")],
        result: .object([
            .required("links", .list(PostLink.shape, max: Limits.postLinksPerAnswerMax), "The newest first.")
        ]),
        route: Route("GET", "/api/post-links"),
        apply: { (act, params) throws(Rejection) in
            let links = try seen(act)
            let post = params.optionalID("post")
            return .done(["links": .array(links.filter { post == nil || $0.post == post }.map(\.json))])
        })

    static let unshare = Method.command(
        "post.unshare", "Ends a link to a post.", access: .signedIn, note: "its author, admins",
        [.required("link", .id)], result: .object([]), route: Route("DELETE", "/api/post-links/{link}"), events: [],
        apply: { (act, params) throws(Rejection) in
            let id = try params.id("link")
            guard try seen(act).contains(where: { $0.id == id }) else {
                throw Rejection.notFound("link", id.description, field: "link")
            }
            try end([id], act)
            return .done([:], ids: [id])
        }
    ).freeingRoom()

    /// The links that the caller may see and end. An admin sees no link to a post that is out of the admin's sight.
    private static func seen(_ act: Act) throws(Rejection) -> [PostLink] {
        let member = try act.member.id
        guard act.isAdministrator else { return try all("l.author = ?1", member, act) }
        return try all(
            "(l.author = ?1 OR EXISTS (SELECT 1 FROM post_sight s WHERE s.post = l.post AND s.member = ?1))", member,
            act)
    }

    /// The columns of `post_links`; the row has its post's number.
    private static let columns = Columns<PostLink>(called: ["by": "author", "made": "made_at"], elsewhere: ["post"])

    private static func all(
        _ condition: String, _ member: Identifier, _ act: Act
    ) throws(Rejection) -> [PostLink] {
        try act.ask { (database) throws(StoreFailure) in
            try database.rows(
                """
                SELECT \(columns.names(of: "l")), p.id AS post_id
                FROM post_links l JOIN posts p ON p.number = l.post
                WHERE \(condition) AND l.until > ?2 ORDER BY l.id DESC LIMIT \(Limits.postLinksPerAnswerMax)
                """, .id(member), .time(act.now)
            ) { (row) throws(StoreFailure) in try columns.read(row, ["post": .id(row.identifier("post_id"))]) }
        }
    }

    // MARK: For whoever has the link

    private static let secret = Field.required("secret", .secret(max: 64))

    /// A post, as a link shows it.
    private struct Shown: WireRecord {
        struct Hung: WireRecord {
            let width: Int
            let height: Int
            let caption: String?

            static let fields = Fields(
                nil, Hung.init(width:height:caption:), .required("width", \.width, PostPicture.sideForm),
                .required("height", \.height, PostPicture.sideForm),
                .optional("caption", \.caption, .line(max: Limits.captionCharactersMax)))
        }

        let until: Instant
        let author: String
        let at: Instant
        let edited: Instant?
        let text: String?
        let link: String?
        let pictures: [Hung]

        static let fields = Fields(
            nil, Shown.init(until:author:at:edited:text:link:pictures:), .required("until", \.until, .time),
            .required("author", \.author, .text(max: 200), "What its author is called."),
            .required("at", \.at, .time), .optional("edited", \.edited, .time),
            .optional("text", \.text, Post.textForm), .optional("link", \.link, Post.linkForm),
            .required(
                "pictures", \.pictures, .list(Hung.form, max: Limits.postPicturesMax),
                "In their order; each by its place, from 1 on."))
    }

    static let open = Method.query(
        "post.shared", "What a link to a post shows: that post alone.", access: .everybody,
        note: "For the page /shared/SECRET; whoever has the secret. Who guesses wrong often has to wait.", [secret],
        result: Shown.shape,
        apply: { (act, params) throws(Rejection) in
            let (post, until) = try find(try params.string("secret"), act)
            let author = try act.ask { (database) throws(StoreFailure) in
                try People.member(post.wire.author, database)
            }
            return .done(
                Shown(
                    until: until, author: author?.displayName ?? "", at: post.wire.at, edited: post.wire.edited,
                    text: post.wire.text, link: post.wire.link,
                    pictures: post.wire.pictures.map { picture in
                        Shown.Hung(width: picture.width, height: picture.height, caption: picture.caption)
                    }
                ).json)
        }
    ).forGateways()

    static let pixels = Method.query(
        "post.sharedPicture", "A picture of a post that a link shows.", access: .everybody,
        note: "For the page /shared/SECRET; whoever has the secret.",
        [
            secret, .required("place", .integer(1...Int64(Limits.postPicturesMax))),
            .required("size", Form<Picture.Size>.word.shape),
        ],
        result: .any,
        apply: { (act, params) throws(Rejection) in
            let (post, _) = try find(try params.string("secret"), act)
            let place = Int(try params.int("place")) - 1
            let size = Picture.Size(rawValue: try params.string("size")) ?? .small
            guard post.wire.pictures.indices.contains(place),
                let blob = try act.hooks.hanging?.pixels(
                    act, post.wire.pictures[place].picture, .thing(post.wire.id), size)
            else { throw Rejection(.notFound, "There is no such picture.", field: "place") }
            return .done(.null, effect: .blob(name: blob, type: "image/jpeg"))
        }
    ).forGateways()

    /// Wrong and ended links are refused in the same way, and slowed down when there are many from one address.
    private static func find(_ secret: String, _ act: Act) throws(Rejection) -> (StoredPost, until: Instant) {
        // A link has an end. While nobody knows what time it is, it shows nothing.
        try act.requireClock()
        let found = try act.first(
            "SELECT post, until FROM post_links WHERE secret = ? AND until > ?", Secret.digest(secret), .time(act.now)
        ) { row in (post: row.int("post"), until: row.instant("until")) }
        if let found, let post = try StoredPost.find(found.post, act) { return (post, found.until) }
        if let wait = act.memory(Guesses<PostLinks>.self).wrong(from: act.origin.addressKey, now: act.uptime) {
            throw Rejection(
                .slowDown, "Too many links that are not good. Wait \(wait) s and try again.", retryAfter: wait)
        }
        throw Rejection(.notFound, "This link is not good, or no longer.", field: "secret")
    }

    // MARK: Ending

    private static func about(_ link: Identifier) -> String { "postLink/\(link)" }

    private static func end(_ links: [Identifier], _ act: Act) throws(Rejection) {
        for link in links {
            try act.run("DELETE FROM post_links WHERE id = ?", .id(link))
            try act.unplan(endDue, about: about(link))
        }
    }

    /// Ends all links to a post.
    static func endAll(to post: StoredPost, _ act: Act) throws(Rejection) {
        try end(
            try act.rows("SELECT id FROM post_links WHERE post = ?", .int(post.number)) { row in row.identifier(0) },
            act)
    }

    /// Ends all links of a member.
    static func endAll(of member: Identifier, _ act: Act) throws(Rejection) {
        try end(
            try act.rows("SELECT id FROM post_links WHERE author = ?", .id(member)) { row in row.identifier(0) }, act)
    }

    /// Ends all links.
    static func endAll(_ act: Act) throws(Rejection) {
        try end(try act.rows("SELECT id FROM post_links", map: { row in row.identifier(0) }), act)
    }

    /// A link reached its end.
    static func fellDue(_ about: String, _ act: Act) throws(Rejection) {
        guard let id = Identifier(about.split(separator: "/").last ?? "") else { return }
        try act.run("DELETE FROM post_links WHERE id = ? AND until <= ?", .id(id), .time(act.now))
    }

    /// The clock was put right. A link keeps the length that it was given.
    static func redate(_ act: Act) throws(Rejection) {
        try act.run("UPDATE post_links SET until = ?1 + until - made_at WHERE made_at > ?1", .time(act.now))
    }
}
