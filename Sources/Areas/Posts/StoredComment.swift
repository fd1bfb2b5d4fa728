import KinKeeper
import KinModel
import KinStore

/// A comment as it is stored.
struct StoredComment {
    /// The small number that its likes name it by; 0 before it is stored.
    private(set) var number: Int64 = 0
    /// The part that members who see the post are told.
    var wire: Comment

    init(_ wire: Comment) { self.wire = wire }

    // MARK: Reading

    private static let columns = Columns<Comment>(called: ["to": "answers"], elsewhere: ["post", "likes"])
    private static let selected = "p.id AS post_id, c.number, c.owner_post, " + columns.names(of: "c")

    private init(_ row: borrowing Row, _ database: Database) throws(StoreFailure) {
        number = row.int("number")
        let likes = try StoredLike.all(of: row.int("owner_post"), number, database)
        wire = try Self.columns.read(
            row, ["post": .id(row.identifier("post_id")), "likes": .array(likes.map(\.json))])
    }

    private static func rows(
        _ rest: String, _ values: [Value], _ database: Database
    ) throws(StoreFailure) -> [StoredComment] {
        try database.rows(
            "SELECT \(selected) FROM comments c JOIN posts p ON p.number = c.owner_post " + rest, values: values
        ) { (row) throws(StoreFailure) in try StoredComment(row, database) }
    }

    /// The newest comments on posts that a member sees, as many as a snapshot may have.
    static func newest(seenBy member: Identifier, _ database: Database) throws(StoreFailure) -> [Comment] {
        let most = Limits.commentsSnapshotBytesMax / Limits.postBytesMin
        return try rows(
            """
            JOIN post_sight s ON s.post = c.owner_post WHERE s.member = ? AND \(Posts.isThere) AND \(Posts.isCommentThere)
            ORDER BY c.id DESC LIMIT \(most)
            """, [.id(member)], database
        ).map(\.wire)
    }

    /// The newest comments of a post, or those before one of them, in the order in which they were written.
    static func newest(
        of post: StoredPost, _ limit: Int64, before: Identifier?, _ act: Act
    ) throws(Rejection) -> [StoredComment] {
        try act.ask { (database) throws(StoreFailure) in
            try rows(
                "WHERE c.owner_post = ? AND c.id < ? AND \(Posts.isCommentThere) ORDER BY c.id DESC LIMIT \(limit)",
                [.int(post.number), .id(before ?? Identifier(high: .max, low: .max))], database)
        }.reversed()
    }

    /// A comment of a post; 1404 if there is none.
    static func find(
        _ id: Identifier, of post: StoredPost, field: String = "comment", _ act: Act
    ) throws(Rejection) -> StoredComment {
        let found = try act.ask { (database) throws(StoreFailure) in
            try rows(
                "WHERE c.owner_post = ? AND c.id = ? AND \(Posts.isCommentThere)",
                [.int(post.number), .id(id)], database
            ).first
        }
        guard let found else { throw Rejection.notFound("comment", id.description, field: field) }
        return found
    }

    /// The comment with a number, whoever sees it.
    static func find(_ number: Int64, _ act: Act) throws(Rejection) -> StoredComment? {
        try act.ask { (database) throws(StoreFailure) in
            try rows("WHERE c.number = ?", [.int(number)], database).first
        }
    }

    /// Some of the comments that a member wrote; those under the newest posts come first.
    static func written(by member: Identifier, atMost most: Int, _ act: Act) throws(Rejection) -> [StoredComment] {
        try act.ask { (database) throws(StoreFailure) in
            try rows(
                "WHERE c.owner = ? ORDER BY c.owner_post DESC, c.number DESC LIMIT \(most)", [.id(member)], database)
        }
    }

    /// The members who wrote under a post.
    static func authors(of post: Identifier, _ act: Act) throws(Rejection) -> [Identifier] {
        try act.rows(
            "SELECT DISTINCT c.author FROM comments c JOIN posts p ON p.number = c.owner_post WHERE p.id = ?",
            .id(post)
        ) { row in row.identifier(0) }
    }

    /// The members who wrote a comment, or an answer to it.
    static func authors(under comment: Identifier?, _ act: Act) throws(Rejection) -> [Identifier] {
        guard let comment else { return [] }
        return try act.rows("SELECT DISTINCT author FROM comments WHERE id = ?1 OR answers = ?1", .id(comment)) { row in
            row.identifier(0)
        }
    }

    // MARK: Writing

    /// Stores it under a post, and tells the members who see that post.
    mutating func save(under post: inout StoredPost, _ act: Act) throws(Rejection) {
        let about = Posts.about(wire.key)
        if number == 0 {
            try act.run(
                """
                INSERT INTO comments (\(Self.columns.names), owner_post, owner)
                VALUES (\(Self.columns.placeholders), ?, ?)
                """, values: Self.columns.values(of: wire) + [.int(post.number), .id(wire.author)])
            number =
                try act.first("SELECT number FROM comments WHERE id = ?", .id(wire.id)) { row in row.int(0) } ?? 0
            try post.count(1, act)
            try act.emit(
                Comment.added, .init(comment: wire, comments: post.wire.comments), about: about,
                to: try post.seers(act), title: post.title, owner: post.wire.author)
        } else {
            try act.run(
                "UPDATE comments SET \(Self.columns.assignments) WHERE number = ?",
                values: Self.columns.values(of: wire) + [.int(number)])
            // The former words are in no row of the log any more. Members who were away get the comment by this event
            // alone.
            try act.erase(about: about, of: [Comment.added, Comment.updated])
            try act.emit(
                Comment.updated, .init(comment: wire, comments: post.wire.comments), about: about,
                to: try post.seers(act))
        }
    }

    /// Removes the comment, also from the log, and tells the members who see its post. Nothing is told of a comment
    /// that nobody sees any more, because some members may have come to see the post since.
    func remove(_ act: Act) throws(Rejection) {
        let found = try act.first(
            "SELECT c.owner_post, \(Posts.isCommentThere) AS is_there FROM comments c WHERE c.number = ?", .int(number)
        ) { row in (post: row.int("owner_post"), isThere: row.bool("is_there")) }
        guard let found, var post = try StoredPost.find(found.post, act) else { return }
        let owner = found.post
        try act.run("DELETE FROM likes WHERE owner_post = ? AND comment = ?", .int(owner), .int(number))
        try act.run("DELETE FROM comments WHERE number = ?", .int(number))
        try post.count(-1, act)
        let about = Posts.about(wire.key)
        try act.erase(about: about)
        guard found.isThere else { return }
        try act.emit(
            Comment.removed, .init(post: wire.post, comment: wire.id, comments: post.wire.comments), about: about,
            to: try post.seers(act))
    }
}
