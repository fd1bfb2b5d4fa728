import KinKeeper
import KinModel
import KinStore

/// Members' reactions to posts and comments, as they are stored.
enum StoredLike {
    /// The columns of the tables of reactions: to posts and comments, and to news.
    static let columns = Columns<Like>()

    /// The reactions to a post, or to a comment by its number, in the order of the members.
    static func all(of post: Int64, _ comment: Int64, _ database: Database) throws(StoreFailure) -> [Like] {
        try database.rows(
            """
            SELECT \(columns.names(of: "l")) FROM likes l WHERE l.owner_post = ? AND l.comment = ? AND \(Posts.isLikeThere)
            ORDER BY l.member
            """, .int(post), .int(comment)
        ) { (row) throws(StoreFailure) in try columns.read(row) }
    }

    /// Sets or removes a member's reaction to a post or a comment, and tells the members who see the post.
    static func set(
        _ reaction: Like.Reaction?, of member: Identifier, _ comment: StoredComment?, of post: StoredPost, _ act: Act
    ) throws(Rejection) {
        let place: [Value] = [.int(post.number), .int(comment?.number ?? 0)]
        if let reaction {
            try act.run(
                """
                INSERT OR REPLACE INTO likes (owner_post, comment, \(columns.names))
                VALUES (?, ?, \(columns.placeholders))
                """, values: place + columns.values(of: Like(member: member, reaction: reaction)))
        } else {
            try act.run(
                "DELETE FROM likes WHERE owner_post = ? AND comment = ? AND member = ?", values: place + [.id(member)])
        }
        let about = comment.map { Posts.about($0.wire.key) } ?? Posts.about(post.wire.id)
        try act.emit(
            Like.set,
            .init(post: post.wire.id, comment: comment?.wire.id, member: member, reaction: reaction), about: about,
            to: try post.seers(act), key: "like/\(about)/\(member)", title: post.title,
            owner: comment?.wire.author ?? post.wire.author)
    }

    /// Takes back all reactions of a member.
    static func removeAll(of member: Identifier, _ act: Act) throws(Rejection) {
        let all = try act.rows("SELECT owner_post, comment FROM likes WHERE member = ?", .id(member)) { row in
            (post: row.int("owner_post"), comment: row.int("comment"))
        }
        for like in all {
            guard let post = try StoredPost.find(like.post, act) else { continue }
            let comment = try like.comment == 0 ? nil : StoredComment.find(like.comment, act)
            try set(nil, of: member, comment, of: post, act)
        }
    }
}
