import KinKeeper
import KinModel
import KinStore

extension Posts {
    private static let result = Shape.object([.required("comment", Comment.shape)])

    static let addComment = Method.command(
        "comment.add", "Says something to a post, or answers a comment under it.", access: .signedIn,
        note: "who sees the post",
        [
            .required("post", .id), .required("text", Comment.textForm.shape),
            .optional(
                "to", .id, "The comment that it answers. An answer to an answer stands under the same comment as that."),
        ],
        result: result, route: Route("POST", "/api/posts/{post}/comments", status: 201), events: [Comment.added],
        again: { (act, ids) throws(Rejection) in try again(act, ids) },
        apply: { (act, params) throws(Rejection) in
            var post = try StoredPost.visible(act, try params.id("post"))
            let text = try spoken(try params.string("text"))
            guard post.wire.comments < Limits.commentsMax else {
                throw Rejection(
                    .tooLarge, "A post has \(Limits.commentsMax) comments at most; write another post.", field: "post")
            }
            let answered = try params.optionalID("to").map { (id) throws(Rejection) in
                try StoredComment.find(id, of: post, field: "to", act).wire
            }
            try spend(act)
            var comment = StoredComment(
                Comment(
                    post: post.wire.id, id: act.newIdentifier(), author: try act.member.id, at: act.now,
                    to: answered.map { $0.to ?? $0.id }, text: text))
            try comment.save(under: &post, act)
            return .done(["comment": comment.wire.json], ids: [post.wire.id, comment.wire.id])
        })

    static let updateComment = Method.command(
        "comment.update", "Gives a comment other words; it is marked as edited.", access: .signedIn,
        note: "its author",
        [.required("post", .id), .required("comment", .id), .required("text", Comment.textForm.shape)],
        result: result, route: Route("PATCH", "/api/posts/{post}/comments/{comment}"), events: [Comment.updated],
        again: { (act, ids) throws(Rejection) in try again(act, ids) },
        apply: { (act, params) throws(Rejection) in
            var post = try StoredPost.visible(act, try params.id("post"))
            var comment = try StoredComment.find(try params.id("comment"), of: post, act)
            try act.require(act.isOneself(comment.wire.author), "Only its author changes a comment.")
            let text = try spoken(try params.string("text"))
            if text != comment.wire.text {
                try spend(act)
                comment.wire.text = text
                comment.wire.edited = act.now
                try comment.save(under: &post, act)
            }
            return .done(["comment": comment.wire.json], ids: [post.wire.id, comment.wire.id])
        })

    static let removeComment = Method.command(
        "comment.remove", "Removes a comment, from the log too.", access: .signedIn,
        note: "its author, the post's author, admins", [.required("post", .id), .required("comment", .id)],
        result: .nothing, route: Route("DELETE", "/api/posts/{post}/comments/{comment}"), events: [Comment.removed],
        apply: { (act, params) throws(Rejection) in
            let post = try StoredPost.visible(act, try params.id("post"))
            let comment = try StoredComment.find(try params.id("comment"), of: post, act)
            try act.require(
                act.isOneself(comment.wire.author) || post.mayBeRemoved(act),
                "Only its author, the post's author and admins remove a comment.")
            try comment.remove(act)
            return .done([:])
        }
    ).freeingRoom()

    static let listComments = Method.query(
        "comment.list", "Comments of a post as they were written: the newest, or those directly before one of them.",
        access: .signedIn, note: "who sees the post",
        [
            .required("post", .id), .optional("before", .id, "Only earlier ones than this comment."),
            .optional("limit", .integer(1...Limits.postsPerAnswerMax), "20 if left out."),
        ],
        result: .object([
            .required("comments", .list(Comment.shape, max: Int(Limits.postsPerAnswerMax))),
            .optional("next", .id, "To be given as before; there while there are earlier ones."),
        ]),
        route: Route("GET", "/api/posts/{post}/comments"),
        apply: { (act, params) throws(Rejection) in
            let post = try StoredPost.visible(act, try params.id("post"))
            let limit = params.optionalInt("limit") ?? 20
            return .done(try page(of: post, limit, before: params.optionalID("before"), act))
        }
    ).listing()

    static let setLike = Method.command(
        "like.set", "Says in one word what the caller thinks of a post or a comment, or takes it back.",
        access: .signedIn, note: "who sees the post",
        [
            .required("post", .id), .optional("comment", .id, "A comment under it; else the post itself."),
            .required("reaction", .nullable(Form<Like.Reaction>.word.shape), "null takes it back."),
        ],
        result: .object([.required("likes", Like.list.shape, "By member.")]),
        route: Route("PUT", "/api/posts/{post}/like"), events: [Like.set],
        apply: { (act, params) throws(Rejection) in
            let post = try StoredPost.visible(act, try params.id("post"))
            let comment = try params.optionalID("comment").map { (id) throws(Rejection) in
                try StoredComment.find(id, of: post, act)
            }
            let reaction = params["reaction"]?.string.flatMap { Like.Reaction(rawValue: $0) }
            let member = try act.member.id
            let before = comment?.wire.likes ?? post.wire.likes
            let after = before.with(reaction, of: member)
            if after != before {
                guard try likes.take(1, of: Limits.likesPerDayMax, for: member, act) else {
                    throw Quota.usedUp(
                        "You liked \(Limits.likesPerDayMax) things today, which is the most; go on tomorrow.", act)
                }
                try StoredLike.set(reaction, of: member, comment, of: post, act)
            }
            return .done(["likes": .array(after.map(\.json))])
        })

    /// Takes one from the caller's quota of comments for the day.
    private static func spend(_ act: Act) throws(Rejection) {
        guard try comments.take(1, of: Limits.commentsPerDayMax, for: try act.member.id, act) else {
            throw Quota.usedUp(
                "You wrote \(Limits.commentsPerDayMax) comments today, which is the most; go on tomorrow.", act)
        }
    }

    /// The newest comments of a post, or those before one of them, and the place where the next page begins.
    static func page(
        of post: StoredPost, _ limit: Int64, before: Identifier?, _ act: Act
    ) throws(Rejection) -> JSON {
        let found = try StoredComment.newest(of: post, limit + 1, before: before, act)
        let page = found.suffix(Int(limit))
        return .object(leavingOut: [
            "comments": .array(page.map(\.wire.json)),
            "next": found.count > page.count ? page.first.map { .id($0.wire.id) } : nil,
        ])
    }

    /// The answer to a repeated command: the present state.
    private static func again(_ act: Act, _ ids: [Identifier]) throws(Rejection) -> JSON {
        guard ids.count == 2 else { return [:] }
        let post = try StoredPost.visible(act, ids[0])
        return ["comment": try StoredComment.find(ids[1], of: post, act).wire.json]
    }
}
