/// The newest posts that one member sees, with their comments.
public struct PostsPart: SnapshotPart {
    /// Posts in sight, by identifier.
    public var posts: [Identifier: Post] = [:]
    /// Their comments.
    public var comments: [Comment.Key: Comment] = [:]

    /// Its names in the snapshot.
    public static let names = ["posts", "comments"]

    /// No post.
    public init() {}

    /// Reads its members of a snapshot's object.
    public init(_ json: JSON) {
        for post in (json["posts"]?.array ?? []).compactMap(Post.init) { posts[post.id] = post }
        for comment in (json["comments"]?.array ?? []).compactMap(Comment.init) { comments[comment.key] = comment }
    }

    /// The posts or their comments.
    public func json(_ name: String) -> JSON {
        if name == "posts" { return .sorted(posts, \.json) }
        return .array(comments.sorted { $0.key < $1.key }.map(\.value.json))
    }

    /// Empties the one or the other.
    public mutating func clear(_ name: String) {
        if name == "posts" { posts = [:] } else { comments = [:] }
    }

    /// What an event says of a post, a comment or a like.
    public mutating func apply(_ event: Event, of me: Identifier?) {
        if let data = event[Post.added] ?? event[Post.updated] ?? event[Post.shown] {
            posts[data.post.id] = data.post
        } else if let data = event[Post.hidden] ?? event[Post.removed] {
            posts[data.post] = nil
            comments = comments.filter { $0.key.post != data.post }
        } else if let data = event[Comment.added] {
            comments[data.comment.key] = data.comment
            posts[data.comment.post]?.comments = data.comments
        } else if let data = event[Comment.updated] {
            comments[data.comment.key] = data.comment
            if let count = data.comments { posts[data.comment.post]?.comments = count }
        } else if let data = event[Comment.removed] {
            comments[Comment.Key(post: data.post, id: data.comment)] = nil
            posts[data.post]?.comments = data.comments
        } else if let data = event[Like.set] {
            apply(data)
        }
    }

    private mutating func apply(_ like: Like.Given) {
        if let comment = like.comment {
            let key = Comment.Key(post: like.post, id: comment)
            guard let likes = comments[key]?.likes else { return }
            comments[key]?.likes = likes.with(like.reaction, of: like.member)
        } else if let likes = posts[like.post]?.likes {
            posts[like.post]?.likes = likes.with(like.reaction, of: like.member)
        }
    }
}

extension Snapshot {
    /// Posts in sight, by identifier.
    public var posts: [Identifier: Post] {
        get { self[PostsPart.self].posts }
        _modify { yield &self[PostsPart.self].posts }
    }
    /// Comments on posts in sight.
    public var comments: [Comment.Key: Comment] {
        get { self[PostsPart.self].comments }
        _modify { yield &self[PostsPart.self].comments }
    }
}
