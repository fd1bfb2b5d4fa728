import KinKeeper
import KinModel
import KinStore

extension Posts {
    /// A post. Members who may remove it also see its audience.
    private struct OwnPost: WireRecord {
        let post: Post
        let audience: JSON?

        static let fields = Fields(
            nil, OwnPost.init(post:audience:), .all(of: \.post),
            .optional(
                "audience", \.audience, .json(SharedWith.shape),
                "With whom it is shared; for its author and admins."))
    }

    private static let result = Shape.object([.required("post", OwnPost.shape)])
    private static let pictureShape = Shape.list(
        .object([
            .required("picture", .id), .optional("caption", .line(max: Limits.captionCharactersMax)),
        ]), max: Limits.postPicturesMax)

    static let add = Method.command(
        "post.add", "Tells some of the family something: words, a link, or what is about another thing.",
        access: .family,
        [
            .optional("text", Post.textForm.shape, "One of text, link, pictures and about is needed."),
            .optional("link", Post.linkForm.shape, "A page, by http or https."),
            .optional(
                "about", Post.aboutForm.shape,
                "Something the caller sees, such as meeting/ with an identifier; post/ with that of a post to quote."),
            .optional("pictures", pictureShape, "The caller's own; who sees the post sees them."),
            .optional("audience", SharedWith.shape, SharedWith.summaryByName + " everyone if left out."),
        ],
        result: result, route: Route("POST", "/api/posts", status: 201),
        events: [Post.added],
        again: { (act, ids) throws(Rejection) in try again(act, ids) },
        apply: { (act, params) throws(Rejection) in
            let member = try act.member
            let made = Post(id: act.newIdentifier(), author: member.id, at: act.now)
            var post = StoredPost(made, sharedWith: .everyone)
            post.takePictures(params)
            try post.take(params, act)
            if let given = params["audience"] {
                post.sharedWith = try SharedWith(given, household: member.household, act)
            }
            try spend(act)
            try post.save(isChanged: false, act)
            return .done(rendered(post, act), ids: [made.id])
        })

    static let update = Method.command(
        "post.update", "Changes a post's words, with whom it is shared, or whether it is pinned.", access: .signedIn,
        note: "its author; pinned: admins",
        [
            .required("post", .id), .optional("text", .nullable(Post.textForm.shape)),
            .optional("link", .nullable(Post.linkForm.shape)),
            .optional("audience", SharedWith.shape, SharedWith.summaryByName),
            .optional("pinned", .bool, "At most \(Limits.postsPinnedMax) posts are pinned at once."),
        ],
        result: result, route: Route("PATCH", "/api/posts/{post}"),
        events: [Post.updated, Post.shown, Post.hidden, Comment.added],
        again: { (act, ids) throws(Rejection) in try again(act, ids) },
        apply: { (act, params) throws(Rejection) in
            var post = try StoredPost.visible(act, try params.id("post"))
            let before = post
            if params["text"] != nil || params["link"] != nil || params["audience"] != nil {
                try act.require(post.isOwn(act), "Only its author changes a post; admins can pin or remove it.")
            }
            try post.take(params, act)
            if let given = params["audience"] {
                post.sharedWith = try SharedWith(
                    given, household: try act.roster[post.wire.author]?.household, act)
            }
            try post.pin(params["pinned"]?.bool, act)
            if post.wire.text != before.wire.text || post.wire.link != before.wire.link {
                try spend(act)
                post.wire.edited = act.now
                try post.forgetWords(act)
            }
            if post.wire != before.wire || post.sharedWith != before.sharedWith {
                try post.save(isChanged: post.wire != before.wire, act)
                // Links for people outside were made for the former words.
                if post.wire.text != before.wire.text || post.wire.link != before.wire.link {
                    try PostLinks.endAll(to: post, act)
                }
            }
            if post.title != before.title { try act.retitle(about(post.wire.id), post.title) }
            return .done(rendered(post, act), ids: [post.wire.id])
        })

    static let remove = Method.command(
        "post.remove", "Removes a post with its comments, from the log too.", access: .signedIn,
        note: "its author, admins", [.required("post", .id)], result: .nothing,
        route: Route("DELETE", "/api/posts/{post}"), events: [Post.removed],
        apply: { (act, params) throws(Rejection) in
            let post = try StoredPost.visible(act, try params.id("post"))
            try act.require(post.mayBeRemoved(act), "Only its author and admins remove a post.")
            try post.remove(act)
            return .done([:])
        }
    ).freeingRoom()

    static let list = Method.query(
        "post.list", "The posts that the caller sees, newest first, without their comments.", access: .signedIn,
        note: "who sees them; a guest those that name the guest",
        [
            .optional("before", .id, "Only older ones than this post: the oldest that is shown."),
            .optional("by", .id, "Only this member's."),
            .optional(
                "words", .line(max: Limits.postSearchCharactersMax),
                "Only those with each word in text, link or a caption."),
            .optional("limit", .integer(1...Limits.postsPerAnswerMax), "20 if left out."),
        ],
        result: .object([
            .required("posts", .list(OwnPost.shape, max: Int(Limits.postsPerAnswerMax))),
            .optional("next", .id, "To be given as before; there while there are more."),
        ]),
        route: Route("GET", "/api/posts"),
        apply: { (act, params) throws(Rejection) in
            let limit = params.optionalInt("limit") ?? 20
            let words = (params.optionalString("words") ?? "").lowercased().split(whereSeparator: \.isWhitespace)
            let choice = StoredPost.Choice(
                before: params.optionalID("before"), author: params.optionalID("by"),
                words: words.prefix(8).map { String($0) }, limit: limit + 1)
            let member = try act.member.id
            let found = try act.ask { (database) throws(StoreFailure) in
                try StoredPost.seen(by: member, choice, database)
            }
            let page = found.prefix(Int(limit))
            return .done(
                .object(leavingOut: [
                    "posts": .array(page.map { json(of: $0, act) }),
                    "next": found.count > page.count ? page.last.map { .id($0.wire.id) } : nil,
                ]))
        }
    ).listing()

    static let show = Method.query(
        "post.show", "One post with its newest comments, as they were written.", access: .signedIn,
        note: "who sees it", [.required("post", .id)],
        result: .object([
            .required("post", OwnPost.shape),
            .required("comments", .list(Comment.shape, max: Limits.commentsShownMax)),
            .optional("next", .id, "To be given to comment.list as before; there while there are earlier ones."),
        ]),
        route: Route("GET", "/api/posts/{post}"),
        apply: { (act, params) throws(Rejection) in
            let post = try StoredPost.visible(act, try params.id("post"))
            var answer = try page(of: post, Int64(Limits.commentsShownMax), before: nil, act)
            answer["post"] = json(of: post, act)
            return .done(answer)
        }
    ).listing()

    private static func json(of post: StoredPost, _ act: Act) -> JSON {
        let audience = post.mayBeRemoved(act) ? post.sharedWith : nil
        return OwnPost(post: post.wire, audience: audience?.json).json
    }

    private static func rendered(_ post: StoredPost, _ act: Act) -> JSON { ["post": json(of: post, act)] }

    /// The answer to a repeated command: the present state.
    private static func again(_ act: Act, _ ids: [Identifier]) throws(Rejection) -> JSON {
        guard let id = ids.first else { return [:] }
        return rendered(try StoredPost.visible(act, id), act)
    }

    /// Takes one from the caller's quota of posts for the day.
    private static func spend(_ act: Act) throws(Rejection) {
        guard try posts.take(1, of: Limits.postsPerDayMax, for: try act.member.id, act) else {
            throw Quota.usedUp(
                "You wrote \(Limits.postsPerDayMax) posts today, which is the most; go on tomorrow.", act)
        }
    }

    /// The text, which must have something besides blanks.
    static func spoken(_ text: String) throws(Rejection) -> String {
        guard text.contains(where: { !$0.isWhitespace }) else {
            throw Rejection(.invalid, "text is empty; say something.", field: "text")
        }
        return text
    }
}

extension StoredPost {
    /// Takes the words that were given, and the link or thing to which the post points.
    fileprivate mutating func take(_ params: Params, _ act: Act) throws(Rejection) {
        if let given = params["text"] {
            wire.text = try given.string.map { (text) throws(Rejection) in try Posts.spoken(text) }
        }
        if let given = params["link"] { wire.link = try given.string.map(Self.checked) }
        if let given = params.optionalString("about") {
            try act.requireSeen(given, field: "about")
            wire.about = given
        }
        guard wire.text != nil || wire.link != nil || wire.about != nil || !wire.pictures.isEmpty else {
            throw Rejection(
                .invalid, "A post needs a text, a link, a picture, or something that it is about.", field: "text")
        }
    }

    /// Takes the pictures that were given. Their sizes are found when they are hung.
    fileprivate mutating func takePictures(_ params: Params) {
        guard let given = params["pictures"]?.array else { return }
        var known: Set<Identifier> = []
        wire.pictures = given.compactMap { json in
            guard let id = json["picture"]?.identifier, known.insert(id).inserted else { return nil }
            return PostPicture(picture: id, width: 1, height: 1, caption: json["caption"]?.string)
        }
    }

    /// Pins the post, or unpins it.
    fileprivate mutating func pin(_ isPinned: Bool?, _ act: Act) throws(Rejection) {
        guard let isPinned, isPinned != wire.isPinned else { return }
        try act.require(act.isAdministrator, "Only admins pin a post.")
        if isPinned, try StoredPost.pinned(act) >= Limits.postsPinnedMax {
            throw Rejection(
                .tooLarge, "\(Limits.postsPinnedMax) posts are pinned already; unpin one first.", field: "pinned")
        }
        wire.isPinned = isPinned
    }

    private static func checked(_ link: String) throws(Rejection) -> String {
        let (low, scheme) = (link.lowercased(), ["https://", "http://"])
        guard let start = scheme.first(where: { low.hasPrefix($0) }), !link.contains(where: \.isWhitespace),
            let first = low.dropFirst(start.count).first, first.isLetter || first.isNumber || first == "["
        else {
            throw Rejection(
                .invalid, "link is no address of a page; it begins with https:// or http://.", field: "link")
        }
        return link
    }
}
