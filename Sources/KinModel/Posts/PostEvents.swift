/// Events of posts, with their data.
extension Post {
    package static let added = EventType("post.added", "A post is new; who sees it.", Whole.self)
    package static let updated = EventType(
        "post.updated",
        "A post is another; who sees it. Where its words were changed, whoever was away is told of it by this alone.",
        Whole.self)
    package static let shown = EventType(
        "post.shown", "A post, to each who sees it from now on; its comments follow as comment.added.", Whole.self,
        sight: .gives)
    package static let hidden = EventType(
        "post.hidden", "To each who sees the post no longer, nor its comments.", Named.self, sight: .takes,
        clears: { ["post/\($0.post)"] })
    package static let removed = EventType(
        "post.removed", "A post is gone with its comments; who saw it.", Named.self, sight: .ends)

    /// The whole post, without its comments.
    package struct Whole: WireRecord {
        package let post: Post

        package init(post: Post) { self.post = post }

        package static let fields = Fields(nil, Whole.init(post:), .required("post", \.post, Post.form))
    }

    /// The post, by its identifier.
    package struct Named: WireRecord {
        package let post: Identifier

        package init(post: Identifier) { self.post = post }

        package static let fields = Fields(nil, Named.init(post:), .required("post", \.post, .id))
    }
}

/// Events of comments.
extension Comment {
    package static let added = EventType("comment.added", "A comment is new; who sees the post.", Added.self)
    package static let updated = EventType(
        "comment.updated",
        "A comment says something else; who sees the post. Whoever was away when it came is told of it by this alone.",
        Whole.self)
    package static let removed = EventType("comment.removed", "A comment is gone; who sees the post.", Removed.self)

    /// The whole comment, and how many the post has; earlier versions did not say that.
    package struct Whole: WireRecord {
        package let comment: Comment
        package let comments: Int?

        package init(comment: Comment, comments: Int?) { (self.comment, self.comments) = (comment, comments) }

        package static let fields = Fields(
            nil, Whole.init(comment:comments:), .required("comment", \.comment, Comment.form),
            .optional("comments", \.comments, .count(max: Limits.commentsMax), "How many the post has now."))
    }

    /// The whole comment, and how many the post has with it.
    package struct Added: WireRecord {
        package let comment: Comment
        package let comments: Int

        package init(comment: Comment, comments: Int) { (self.comment, self.comments) = (comment, comments) }

        package static let fields = Fields(
            nil, Added.init(comment:comments:), .required("comment", \.comment, Comment.form),
            .required("comments", \.comments, .count(max: Limits.commentsMax), "How many the post has now."))
    }

    /// The comment, by what it is known by, and how many the post has without it.
    package struct Removed: WireRecord {
        package let post: Identifier
        package let comment: Identifier
        package let comments: Int

        package init(post: Identifier, comment: Identifier, comments: Int) {
            (self.post, self.comment, self.comments) = (post, comment, comments)
        }

        package static let fields = Fields(
            nil, Removed.init(post:comment:comments:), .required("post", \.post, .id),
            .required("comment", \.comment, .id),
            .required("comments", \.comments, .count(max: Limits.commentsMax), "How many the post has now."))
    }
}

/// Events of likes.
extension Like {
    package static let set = EventType(
        "like.set", "What a member thinks of a post or a comment, or nothing any more; who sees the post.", Given.self,
        isLatestOnly: true)

    /// A member's word about a post, or about a comment under it.
    package struct Given: WireRecord {
        package let post: Identifier
        package let comment: Identifier?
        package let member: Identifier
        package let reaction: Reaction?

        package init(post: Identifier, comment: Identifier?, member: Identifier, reaction: Reaction?) {
            (self.post, self.comment, self.member, self.reaction) = (post, comment, member, reaction)
        }

        package static let fields = Fields(
            nil, Given.init(post:comment:member:reaction:), .required("post", \.post, .id),
            .optional("comment", \.comment, .id, "Absent: the post itself."), .required("member", \.member, .id),
            .optional("reaction", \.reaction, .word, "Absent: taken back."))
    }
}
