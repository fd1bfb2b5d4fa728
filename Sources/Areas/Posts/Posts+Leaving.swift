import KinKeeper
import KinModel
import KinStore

/// What becomes of posts, comments and likes when somebody leaves: some in each turn, so that nobody waits for years of them.
extension Posts {
    /// What falls due while posts or comments are left of somebody who has left and took them along.
    static let leaverEnd = "postsOfLeaver"
    /// What falls due while it is not decided of all posts and comments of somebody who has left whether they stay.
    static let leftBehind = "postsLeftBehind"
    /// What falls due while likes are left of somebody who has left.
    static let likesEnd = "likesOfLeaver"

    /// The conditions on a row `p` of the posts, `c` of the comments and `l` of the likes that whose it is has not left with
    /// all of them: those that are not gone yet are seen by nobody. Whatever is read of them for somebody asks it.
    static let isThere = "NOT EXISTS (SELECT 1 FROM post_leavers g WHERE g.member = p.owner)"
    static let isCommentThere = "NOT EXISTS (SELECT 1 FROM post_leavers g WHERE g.member = c.owner)"
    static let isLikeThere = "NOT EXISTS (SELECT 1 FROM like_leavers g WHERE g.member = l.member)"

    /// The owner of posts whose author has left. They are handed to nobody, since not everybody could see them.
    private static let nobody = Identifier(high: 0, low: 0)

    /// Somebody leaves: what others were shown stays, with its author's name; what nobody else sees goes.
    static func leaveBehind(_ member: Identifier, _ act: Act) throws(Rejection) {
        let most = Limits.postsPerTurnMax
        let leaving = try act.roster.only(member)
        try PostLinks.endAll(of: member, act)
        let some = try StoredPost.written(by: member, atMost: most, act)
        for post in some {
            if try shared.seers(of: post.number, act).subtracting(leaving).isEmpty {
                try post.remove(except: leaving, act)
            } else {
                try act.run("UPDATE posts SET owner = ? WHERE number = ?", .id(nobody), .int(post.number))
            }
        }
        let left = most - some.count
        let comments = try act.run(
            """
            UPDATE comments SET owner = ?1
            WHERE number IN (SELECT number FROM comments WHERE owner = ?2 LIMIT \(left))
            """, .id(nobody), .id(member))
        try act.plan(leftBehind, about: member.description, at: comments == left ? act.now : nil)
    }

    /// Somebody leaves and takes along what they wrote and thought. Their pictures go first, very many of them in turns.
    static func deleteOwned(_ member: Identifier, _ act: Act) throws(Rejection) {
        try act.hooks.hanging?.leave(act, member)
        // Else what was left behind stays: it is only not yet nobody's.
        let isTaking = try !act.isPlanned(leftBehind, about: member.description)
        if isTaking { try PostLinks.endAll(of: member, act) }
        var anew = Audience()
        if isTaking, try hasMany(of: member, in: ["posts": "owner", "comments": "owner"], act) {
            anew = try hideAll(of: member, act)
        }
        let hasManyLikes = try hasMany(of: member, in: ["likes": "member"], act)
        if hasManyLikes {
            anew = anew.union(try others(than: member, seeing: "likes l", by: "l.member", act))
            try act.run("INSERT OR IGNORE INTO like_leavers (member) VALUES (?)", .id(member))
        }
        try beginAnew(anew, act)
        if isTaking { try removeSome(of: member, act) }
        if hasManyLikes { try removeSomeLikes(of: member, act) } else { try StoredLike.removeAll(of: member, act) }
        try StoredNews.forget(member, act)
    }

    // MARK: All at once

    /// Whether somebody has more in some tables than goes in one turn.
    private static func hasMany(
        of member: Identifier, in tables: [String: String], _ act: Act
    ) throws(Rejection) -> Bool {
        let most = Limits.postsPerTurnMax
        var count: Int64 = 0
        for (table, column) in tables.sorted(by: { $0.key < $1.key }) {
            count +=
                try act.first(
                    "SELECT count(*) FROM (SELECT 1 FROM \(table) WHERE \(column) = ? LIMIT \(most + 1))", .id(member)
                ) { row in row.int(0) } ?? 0
        }
        return count > most
    }

    /// Nobody else sees anything of it from this turn on: a row about its author takes all of it out of sight. Who saw few of
    /// the posts, and nothing else, is told so of each.
    ///
    /// - Returns: the others who saw anything, and have to begin anew.
    private static func hideAll(of member: Identifier, _ act: Act) throws(Rejection) -> Audience {
        let most = Limits.postsPerTurnMax
        let roster = try act.roster
        var anew = try others(than: member, seeing: "comments l", by: "l.owner", act)
        for entry in roster.entries where entry.id != member && !anew.contains(entry.number) {
            let seen = try act.rows(
                """
                SELECT p.id FROM posts p CROSS JOIN post_sight s
                WHERE p.owner = ?1 AND s.member = ?2 AND s.post = p.number LIMIT \(most + 1)
                """, .id(member), .id(entry.id)
            ) { row in row.identifier(0) }
            let only = Audience([entry.number])
            guard seen.count <= most else {
                anew = anew.union(only)
                continue
            }
            for post in seen.sorted() {
                try act.narrow(about: about(post), by: only)
                try act.emit(Post.hidden, .init(post: post), about: "posts", to: only, isHeard: true)
            }
        }
        let own = try act.rows("SELECT id FROM posts WHERE owner = ? ORDER BY id", .id(member)) { row in
            row.identifier(0)
        }
        try act.hooks.inbox?.remove(act, own.map { about($0) }, anew)
        try act.run("INSERT OR IGNORE INTO post_leavers (member) VALUES (?)", .id(member))
        return anew
    }

    /// The others who see a comment or a like of somebody.
    private static func others(
        than member: Identifier, seeing table: String, by column: String, _ act: Act
    ) throws(Rejection) -> Audience {
        var others: [Int32] = []
        for entry in try act.roster.entries where entry.id != member {
            let sees = try act.first(
                """
                SELECT EXISTS (SELECT 1 FROM \(table) CROSS JOIN post_sight s
                WHERE \(column) = ?1 AND s.member = ?2 AND s.post = l.owner_post)
                """, .id(member), .id(entry.id)
            ) { row in row.bool(0) }
            if sees == true { others.append(entry.number) }
        }
        return Audience(others)
    }

    /// A fresh snapshot says all there is of posts: no row of the log about any is needed before it.
    private static func beginAnew(_ anew: Audience, _ act: Act) throws(Rejection) {
        guard !anew.isEmpty else { return }
        try act.narrow(about: about(), by: anew)
        try act.reset(anew)
        // What others have found before is found anew.
        act.takeSightOfAll()
    }

    // MARK: In turns

    /// Removes what is left of the posts and comments of somebody who leaves or has left, as much as a turn takes.
    static func removeSome(of member: Identifier, _ act: Act) throws(Rejection) {
        let most = Limits.postsPerTurnMax
        let leaving = try act.roster.only(member)
        let posts = try StoredPost.written(by: member, atMost: most, act)
        for post in posts { try post.remove(except: leaving, act) }
        let left = most - posts.count
        let comments = try StoredComment.written(by: member, atMost: left + 1, act)
        for comment in comments.prefix(left) { try comment.remove(act) }
        let isOver = posts.count < most && comments.count <= left
        if isOver { try act.run("DELETE FROM post_leavers WHERE member = ?", .id(member)) }
        try act.plan(leaverEnd, about: member.description, at: isOver ? nil : act.now)
    }

    /// Removes what is left of the likes of somebody who has left, which nobody sees any more.
    static func removeSomeLikes(of member: Identifier, _ act: Act) throws(Rejection) {
        let most = Limits.likesPerTurnMax
        let count = try act.run(
            """
            DELETE FROM likes WHERE (owner_post, comment, member) IN (
                SELECT owner_post, comment, member FROM likes WHERE member = ? LIMIT \(most))
            """, .id(member))
        if count < most { try act.run("DELETE FROM like_leavers WHERE member = ?", .id(member)) }
        try act.plan(likesEnd, about: member.description, at: count < most ? nil : act.now)
    }
}
