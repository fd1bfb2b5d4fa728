import KinKeeper
import KinModel
import KinStore

/// A post as it is stored, with its audience.
struct StoredPost {
    /// The posts that are asked for.
    struct Choice: Sendable, Equatable {
        /// A post that all of them are older than; `nil` for no such bound.
        var before: Identifier?
        /// The member who wrote them; `nil` for any.
        var author: Identifier?
        /// Words in lower case. Each must stand in the text or the link.
        var words: [String] = []
        var limit: Int64 = 20
    }

    /// The small number that other tables name it by; 0 before it is stored.
    private(set) var number: Int64 = 0
    /// The part that members who see the post are told.
    var wire: Post
    /// The audience, besides the author.
    var sharedWith: SharedWith

    init(_ wire: Post, sharedWith: SharedWith) {
        self.wire = wire
        self.sharedWith = sharedWith
    }

    // MARK: Reading

    private static let columns = Columns<Post>(elsewhere: ["likes", "pictures", "comments"])
    /// The columns of a picture in the post, and of the document that the picture may stand for.
    private static let frames = Columns<PostPicture>(elsewhere: ["document"])
    private static let documents = Columns<Document>(called: ["name": "document", "bytes": "document_bytes"])
    /// Comments that nobody sees any more are counted in the row as long as they exist, but no member is told of them.
    private static let selected =
        """
        p.number, p.audience, p.household,
        CASE WHEN EXISTS (SELECT 1 FROM post_leavers) THEN
            (SELECT count(*) FROM comments c WHERE c.owner_post = p.number AND \(Posts.isCommentThere))
        ELSE p.comments END AS comments,
        """ + " " + columns.names(of: "p")

    private init(_ row: borrowing Row, _ database: Database) throws(StoreFailure) {
        let number = row.int("number")
        self.number = number
        wire = try Self.columns.read(
            row,
            [
                "likes": .array(try StoredLike.all(of: number, 0, database).map(\.json)),
                "pictures": .array(try Self.pictures(of: number, database).map(\.json)),
                "comments": .int(row.int("comments")),
            ])
        sharedWith = try SharedWith(word: row.text("audience"), household: row.optionalIdentifier("household")) {
            () throws(StoreFailure) in try Posts.shared.members(of: number, database)
        }
    }

    private static func rows(
        _ rest: String, _ values: [Value], _ database: Database
    ) throws(StoreFailure) -> [StoredPost] {
        try database.rows("SELECT \(selected) FROM posts p " + rest, values: values) {
            (row) throws(StoreFailure) in try StoredPost(row, database)
        }
    }

    /// The posts of a choice that a member sees, newest first. They are found by their age, so that the cost of a page
    /// depends on its length alone, however many years lie behind it.
    static func seen(
        by member: Identifier, _ choice: Choice, _ database: Database
    ) throws(StoreFailure) -> [StoredPost] {
        var conditions = "s.member = ? AND s.post = p.number AND \(Posts.isThere)"
        var values: [Value] = [.id(member)]
        if let before = choice.before {
            conditions += " AND p.id < ?"
            values.append(.id(before))
        }
        if let author = choice.author {
            conditions += " AND p.author = ?"
            values.append(.id(author))
        }
        for word in choice.words {
            conditions += " AND instr(p.plain, ?) > 0"
            values.append(.text(word))
        }
        return try rows(
            "CROSS JOIN post_sight s WHERE \(conditions) ORDER BY p.id DESC LIMIT \(choice.limit)", values, database)
    }

    /// As many posts as a snapshot may have: the pinned ones, then the newest.
    static func newest(seenBy member: Identifier, _ database: Database) throws(StoreFailure) -> [Post] {
        let pinned = try rows(
            """
            CROSS JOIN post_sight s WHERE p.pinned = 1 AND s.member = ? AND s.post = p.number AND \(Posts.isThere)
            ORDER BY p.id DESC
            """, [.id(member)], database)
        let most = Int64(Limits.postsSnapshotBytesMax / Limits.postBytesMin) - Int64(pinned.count)
        let others = try seen(by: member, Choice(limit: most), database)
        return (pinned + others.filter { !$0.wire.isPinned }).map(\.wire)
    }

    /// A post that the caller sees; 1404 for any other, whether it exists or not.
    static func visible(_ act: Act, _ id: Identifier) throws(Rejection) -> StoredPost {
        let member = try act.member.id
        let found = try act.ask { (database) throws(StoreFailure) in
            try rows(
                "JOIN post_sight s ON s.post = p.number WHERE s.member = ? AND p.id = ? AND \(Posts.isThere)",
                [.id(member), .id(id)], database
            ).first
        }
        guard let found else { throw Rejection.notFound("post", id.description, field: "post") }
        return found
    }

    /// The post with an identifier, whoever sees it.
    static func find(_ id: Identifier, _ act: Act) throws(Rejection) -> StoredPost? {
        try act.ask { (database) throws(StoreFailure) in try rows("WHERE p.id = ?", [.id(id)], database).first }
    }

    /// The post with a number.
    static func find(_ number: Int64, _ act: Act) throws(Rejection) -> StoredPost? {
        try act.ask { (database) throws(StoreFailure) in
            try rows("WHERE p.number = ?", [.int(number)], database).first
        }
    }

    /// Some of the posts that a member wrote.
    static func written(by member: Identifier, atMost most: Int, _ act: Act) throws(Rejection) -> [StoredPost] {
        try act.ask { (database) throws(StoreFailure) in
            try rows("WHERE p.owner = ? ORDER BY p.number LIMIT \(most)", [.id(member)], database)
        }
    }

    /// The number of pinned posts, whoever sees them.
    static func pinned(_ act: Act) throws(Rejection) -> Int {
        Int(try act.first("SELECT count(*) FROM posts WHERE pinned = 1") { row in row.int(0) } ?? 0)
    }

    /// The title by which inboxes name it: its text, or the address to which it points.
    var title: String? { wire.text ?? wire.link }

    /// Whether the caller wrote it.
    func isOwn(_ act: Act) -> Bool { act.isOneself(wire.author) }

    /// Whether the caller may remove it, and may know its audience.
    func mayBeRemoved(_ act: Act) -> Bool { isOwn(act) || act.isAdministrator }

    /// The members who see it.
    func seers(_ act: Act) throws(Rejection) -> Audience { try Posts.shared.seers(of: number, act) }

    // MARK: Writing

    /// The text that is searched.
    private var plain: String {
        ([wire.text, wire.link] + wire.pictures.map(\.caption)).compactMap(\.self).joined(separator: "\n").lowercased()
    }

    /// Adds the captions of posts that were written before captions were searched. ``lowerCaptions(_:)`` then puts them
    /// into lower case.
    static let takingInCaptions = """
        UPDATE posts SET plain = trim(plain || char(10) || (
            SELECT group_concat(o.caption, char(10)) FROM (
                SELECT caption FROM post_pictures WHERE post = posts.number ORDER BY place) o), char(10))
        WHERE number IN (SELECT post FROM post_pictures WHERE caption IS NOT NULL);
        """

    /// Writes these posts' searched texts in lower case. SQLite itself knows the small letters of English alone.
    static func lowerCaptions(_ database: Database) throws(StoreFailure) {
        let all = try database.rows(
            "SELECT number, plain FROM posts WHERE number IN (SELECT post FROM post_pictures WHERE caption IS NOT NULL)"
        ) { row in (number: row.int("number"), plain: row.text("plain")) }
        for one in all {
            try database.run(
                "UPDATE posts SET plain = ? WHERE number = ?", .text(one.plain.lowercased()), .int(one.number))
        }
    }

    /// Stores it. Tells the members who see it and those who no longer do.
    mutating func save(isChanged: Bool, _ act: Act) throws(Rejection) {
        let isNew = number == 0
        if isNew {
            try act.run(
                """
                INSERT INTO posts (\(Self.columns.names), plain, owner, comments, audience)
                VALUES (\(Self.columns.placeholders), ?, ?, 0, '')
                """, values: Self.columns.values(of: wire) + [.text(plain), .id(wire.author)])
            number = try act.first("SELECT number FROM posts WHERE id = ?", .id(wire.id)) { row in row.int(0) } ?? 0
        } else {
            try act.run(
                "UPDATE posts SET \(Self.columns.assignments), plain = ? WHERE number = ?",
                values: Self.columns.values(of: wire) + [.text(plain), .int(number)])
        }
        try hang(act)
        try Posts.shared.save(sharedWith, of: number, act)
        let change = try Posts.shared.settle(number, of: wire.author, sharedWith, act)
        try tell(change, isChanged: isChanged, isNew: isNew, act)
    }

    private static func pictures(of post: Int64, _ database: Database) throws(StoreFailure) -> [PostPicture] {
        try database.rows(
            "SELECT \(frames.names), \(documents.names) FROM post_pictures WHERE post = ? ORDER BY place", .int(post)
        ) { (row) throws(StoreFailure) in
            let document = try documents.readUnlessNull(row)
            return try frames.read(row, document.map { ["document": $0.json] } ?? [:])
        }
    }

    /// Shows its pictures to the members who see the post. This comes before they are told of the post, so that nobody
    /// is shown a frame with nothing in it.
    private mutating func hang(_ act: Act) throws(Rejection) {
        guard !wire.pictures.isEmpty else { return }
        let hung = try act.hooks.hanging?.hang(act, wire.pictures.map(\.picture), .thing(wire.id), sharedWith) ?? []
        wire.pictures = zip(wire.pictures, hung).map { own, picture in
            PostPicture(
                picture: picture.id, width: picture.width, height: picture.height, caption: own.caption,
                isFilm: picture.film != nil, document: picture.document)
        }
        try act.run("DELETE FROM post_pictures WHERE post = ?", .int(number))
        for (place, picture) in wire.pictures.enumerated() {
            try act.run(
                """
                INSERT INTO post_pictures (post, place, \(Self.frames.names), \(Self.documents.names))
                VALUES (?, ?, \(Self.frames.placeholders), \(Self.documents.placeholders))
                """,
                values: [.int(number), Value(place)] + Self.frames.values(of: picture)
                    + Self.documents.values(of: picture.document))
        }
    }

    /// A picture of the post is gone. A post that had nothing else is removed with it.
    mutating func lose(_ picture: Identifier, _ act: Act) throws(Rejection) {
        try act.run("DELETE FROM post_pictures WHERE post = ? AND picture = ?", .int(number), .id(picture))
        wire.pictures.removeAll { $0.picture == picture }
        guard !wire.pictures.isEmpty || wire.text != nil || wire.link != nil || wire.about != nil else {
            return try remove(act)
        }
        // The index of words follows the row, so the caption is gone from both.
        try act.run("UPDATE posts SET plain = ? WHERE number = ?", .text(plain), .int(number))
        try PostLinks.endAll(to: self, act)
        let about = Posts.about(wire.id)
        // Older rows of the log then have neither the post's former words nor what stood under it.
        try forgetWords(act)
        try act.emit(Post.updated, .init(post: wire), about: about, to: try seers(act))
    }

    /// Removes the words and pictures that the post had so far from the log. A reader who was away gets the whole post
    /// by `post.updated`.
    func forgetWords(_ act: Act) throws(Rejection) {
        try act.erase(about: Posts.about(wire.id), of: [Post.added, Post.updated, Post.shown])
    }

    /// Tells members who gain sight of it and members who lose it.
    func tell(
        _ change: SharedThings.Change, isChanged: Bool = false, isNew: Bool = false, _ act: Act
    ) throws(Rejection) {
        let about = Posts.about(wire.id)
        // A member who no longer sees the post is not told its earlier text, either, however long that member was away.
        if !change.lost.isEmpty {
            try act.narrow(about: about, by: change.lost)
            // Nobody outside reads on by a link once a member has lost sight of the post, however few gained or lost
            // it.
            try PostLinks.endAll(to: self, act)
        }
        if isChanged { try act.emit(Post.updated, .init(post: wire), about: about, to: change.kept) }
        if isNew {
            try act.emit(Post.added, .init(post: wire), about: about, to: change.gained, title: title)
        } else if !change.gained.isEmpty, try isRecent(act) {
            try act.emit(Post.shown, .init(post: wire), about: about, to: change.gained)
            for comment in try StoredComment.newest(of: self, Int64(Limits.commentsShownMax), before: nil, act) {
                try act.emit(
                    Comment.added, .init(comment: comment.wire, comments: wire.comments),
                    about: Posts.about(comment.wire.key), to: change.gained)
            }
        }
        // The event is about no post: it must outlive this one in the log, for members who are away until both are
        // gone.
        try act.emit(Post.hidden, .init(post: wire.id), about: "posts", to: change.lost, isHeard: true)
    }

    /// Whether it is among the newest. A member who comes to see years of posts at once is told of those alone.
    private func isRecent(_ act: Act) throws(Rejection) -> Bool {
        let newer = try act.first(
            "SELECT count(*) FROM (SELECT 1 FROM posts WHERE id > ? LIMIT \(Limits.postsShownMax))", .id(wire.id)
        ) { row in row.int(0) }
        return wire.isPinned || newer ?? 0 < Limits.postsShownMax
    }

    /// Changes the number of its comments.
    mutating func count(_ change: Int, _ act: Act) throws(Rejection) {
        wire.comments = max(0, wire.comments + change)
        try act.run(
            "UPDATE posts SET comments = max(0, comments + ?) WHERE number = ?", Value(change), .int(number))
    }

    /// Removes it with everything that stands under it and everything that is stored about it.
    func remove(except leaving: Audience = Audience(), _ act: Act) throws(Rejection) {
        let seers = try seers(act)
        let about = Posts.about(wire.id)
        try act.hooks.hanging?.takeDown(act, .thing(wire.id))
        try PostLinks.endAll(to: self, act)
        // The rows of who sees it, its comments and its likes go with this row.
        try act.run("DELETE FROM posts WHERE number = ?", .int(number))
        try act.narrow(about: about, by: Audience(try act.roster.entries.map(\.number)).union(seers))
        try act.erase(about: about)
        try act.emit(Post.removed, .init(post: wire.id), about: about, to: seers.subtracting(leaving), isHeard: true)
    }
}
