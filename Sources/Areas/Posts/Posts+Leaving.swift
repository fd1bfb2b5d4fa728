import KinKeeper
import KinModel
import KinStore

/// The posts, comments and likes of a member who leaves. Some are handled in each turn, so that nobody waits for years
/// of them.
extension Posts {
    /// Due while there are posts or comments of a member who left and took them along.
    static let leaverEnd = "postsOfLeaver"
    /// Due until it is decided, for each post and comment of a member who left, whether it stays.
    static let leftBehind = "postsLeftBehind"
    /// Due while there are likes of a member who left.
    static let likesEnd = "likesOfLeaver"

    /// The conditions on a row `p` of the posts, `c` of the comments and `l` of the likes that its owner has not left
    /// with all of them. Rows of such an owner that are not removed yet are seen by nobody. Every query for a member
    /// has this condition.
    static let isThere = "NOT EXISTS (SELECT 1 FROM post_leavers g WHERE g.member = p.owner)"
    static let isCommentThere = "NOT EXISTS (SELECT 1 FROM post_leavers g WHERE g.member = c.owner)"
    static let isLikeThere = "NOT EXISTS (SELECT 1 FROM like_leavers g WHERE g.member = l.member)"

    /// The owner of posts whose author has left. They are handed to nobody, since not everybody could see them.
    private static let nobody = Identifier(high: 0, low: 0)

    /// A member leaves. Posts that others see stay, with their author's name. Posts that nobody else sees are removed.
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

    /// A member leaves and takes their posts, comments and likes along. The member's pictures are removed first; very
    /// many of them take several turns.
    static func deleteOwned(_ member: Identifier, _ act: Act) throws(Rejection) {
        try act.hooks.hanging?.leave(act, member)
        // Otherwise what was left behind stays, although its owner is not changed to nobody yet.
        let isTaking = try !act.isPlanned(leftBehind, about: member.description)
        if isTaking { try PostLinks.endAll(of: member, act) }
        var anew = Audience()
        if isTaking, try hasMany(of: member, in: ["posts": "owner", "comments": "owner"], act) {
            anew = try hideAll(of: member, act)
        }
        let hasManyLikes = try hasMany(of: member, in: ["likes": "member"], act)
        if hasManyLikes { anew = anew.union(try hideLikes(of: member, besides: anew, act)) }
        try beginAnew(anew, of: member, act)
        if isTaking { try removeSome(of: member, act) }
        if hasManyLikes { try removeSomeLikes(of: member, act) } else { try StoredLike.removeAll(of: member, act) }
        try StoredNews.forget(member, act)
    }

    // MARK: All at once

    /// Whether a member has more rows in some tables than one turn removes.
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

    /// Takes everything that the member wrote out of the sight of others, from this turn on. A row about the author
    /// does that, and the log keeps nothing of it for members who were away. A member who saw few of the posts is told
    /// of each; one who saw more begins anew. The bound depends on the number of members alone, not on anything that
    /// another member sees, so that all of them together are told of no more than one turn takes. A member whose client
    /// shows a comment of the leaver under another post begins anew, too. A member who would have to look for it among
    /// older posts is told when it is removed.
    ///
    /// - Returns: the others who have to begin anew.
    private static func hideAll(of member: Identifier, _ act: Act) throws(Rejection) -> Audience {
        let others = try act.roster.entries.filter { $0.id != member }
        let few = Limits.postsPerTurnMax / max(1, others.count)
        var many: [Int32] = []
        for entry in others {
            let seen = try act.rows(
                """
                SELECT p.id FROM posts p CROSS JOIN post_sight s
                WHERE p.owner = ?1 AND s.member = ?2 AND s.post = p.number LIMIT \(few + 1)
                """, .id(member), .id(entry.id)
            ) { row in row.identifier(0) }
            guard seen.count <= few else {
                many.append(entry.number)
                continue
            }
            let only = Audience([entry.number])
            for post in seen.sorted() {
                try act.narrow(about: about(post), by: only)
                try act.emit(Post.hidden, .init(post: post), about: "posts", to: only, isHeard: true)
            }
        }
        var anew = Audience(many)
        anew = anew.union(try Self.others(than: member, besides: anew, shown: "comments", by: "owner", act))
        try act.hooks.inbox?.removeUnder(act, about(), anew) { (abouts) throws(Rejection) in
            try own(abouts, of: member, act)
        }
        try forget([Comment.added, Comment.updated], with: "author", member, act)
        try hide(by: "post_leavers", member, act)
        return anew
    }

    /// Takes the member's likes out of the sight of others, from this turn on. A member whose client would have to
    /// search older posts for a like is told when the like is removed.
    ///
    /// - Returns: the others whose clients show one of the likes and who have to begin anew, besides those who do so
    /// already.
    private static func hideLikes(
        of member: Identifier, besides told: Audience, _ act: Act
    ) throws(Rejection) -> Audience {
        try forget([Like.set], with: "member", member, act)
        let anew = try others(than: member, besides: told, shown: "likes", by: "member", act)
        try hide(by: "like_leavers", member, act)
        return anew
    }

    /// The others who see a comment or like of a member under the posts that a snapshot has: the newest in sight, and
    /// the pinned ones. Each is judged by what that member sees alone, and no further back than a snapshot goes.
    /// Members who saw many of the posts that are hidden in this turn are not asked about.
    private static func others(
        than member: Identifier, besides told: Audience, shown table: String, by column: String, _ act: Act
    ) throws(Rejection) -> Audience {
        let most = Limits.postsSnapshotBytesMax / Limits.postBytesMin + Limits.postsPerTurnMax
        var others: [Int32] = []
        for entry in try act.roster.entries where entry.id != member && !told.contains(entry.number) {
            let isShown = try act.first(
                """
                SELECT EXISTS (
                    SELECT 1 FROM (
                        SELECT s.post FROM post_sight s CROSS JOIN posts p
                        WHERE s.member = ?2 AND p.number = s.post AND \(isThere) ORDER BY s.post DESC LIMIT \(most)
                    ) n CROSS JOIN \(table) t WHERE t.\(column) = ?1 AND t.owner_post = n.post
                ) OR EXISTS (
                    SELECT 1 FROM posts p CROSS JOIN post_sight s CROSS JOIN \(table) t
                    WHERE p.pinned = 1 AND s.member = ?2 AND s.post = p.number
                    AND t.\(column) = ?1 AND t.owner_post = p.number
                )
                """, .id(member), .id(entry.id)
            ) { row in row.bool(0) }
            if isShown == true { others.append(entry.number) }
        }
        return Audience(others)
    }

    /// Writes into a table of leavers that a member has left, and that none of the others is told of it yet.
    private static func hide(by leavers: String, _ member: Identifier, _ act: Act) throws(Rejection) {
        let others = try act.roster.entries.map(\.id).filter { $0 != member }
        try act.run(
            "INSERT OR IGNORE INTO \(leavers) (member, untold) VALUES (?, ?)", .id(member), .text(names(others)))
        // What was found for other members before is found anew.
        act.takeSightOfAll()
    }

    /// Removes from the log all events of some types in which a field names a member. The work is bounded, however much
    /// there was.
    private static func forget(
        _ types: [any EventDeclaration], with field: String, _ member: Identifier, _ act: Act
    ) throws(Rejection) {
        let logged = try act.logged(about: about(), types: types, containing: "\"\(field)\":\"\(member)\"")
        try act.erase(rows: logged.map(\.position))
    }

    /// The posts of a member among the things that inboxes tell of.
    private static func own(
        _ abouts: Set<String>, of member: Identifier, _ act: Act
    ) throws(Rejection) -> Set<String> {
        var own: Set<String> = []
        for about in abouts {
            guard let id = Identifier(about.dropFirst(Self.about().count)) else { continue }
            let isOwn = try act.first(
                "SELECT 1 FROM posts WHERE id = ? AND owner = ?", .id(id), .id(member)
            ) { _ in true }
            if isOwn == true { own.insert(about) }
        }
        return own
    }

    /// Tells members about posts under which something of a leaving member is removed in this turn: each member who
    /// sees such a post, once.
    ///
    /// - Parameter posts: Selects the numbers of these posts, of the member `?1`.
    private static func tellUntold(
        of member: Identifier, in leavers: String, seeing posts: String, _ act: Act
    ) throws(Rejection) {
        let untold = try untold(of: member, in: leavers, act)
        guard !untold.isEmpty else { return }
        let seers = Set(
            try act.rows(
                "SELECT DISTINCT s.member FROM post_sight s WHERE s.post IN (\(posts))", .id(member)
            ) { row in row.identifier(0) })
        let roster = try act.roster
        let anew = untold.filter(seers.contains).compactMap { roster[$0]?.number }
        try beginAnew(Audience(anew), of: member, act)
    }

    /// The others who are not told yet about a member who has left.
    private static func untold(
        of member: Identifier, in leavers: String, _ act: Act
    ) throws(Rejection) -> [Identifier] {
        let names = try act.first("SELECT untold FROM \(leavers) WHERE member = ?", .id(member)) { row in row.text(0) }
        return (names ?? "").split(separator: " ").compactMap { name in Identifier(name) }
    }

    private static func names(_ members: [Identifier]) -> String {
        members.map(\.description).joined(separator: " ")
    }

    /// Has some members begin anew because of a member who has left. A fresh snapshot has everything about posts, so no
    /// row of the log about them is needed before it, and these members are told nothing more about the leaver.
    private static func beginAnew(_ anew: Audience, of member: Identifier, _ act: Act) throws(Rejection) {
        guard !anew.isEmpty else { return }
        try act.narrow(about: about(), by: anew)
        try act.reset(anew)
        let told = Set(try act.roster.entries(in: anew).map(\.id))
        for leavers in ["post_leavers", "like_leavers"] {
            let untold = try untold(of: member, in: leavers, act)
            guard untold.contains(where: told.contains) else { continue }
            try act.run(
                "UPDATE \(leavers) SET untold = ? WHERE member = ?",
                .text(names(untold.filter { !told.contains($0) })), .id(member))
        }
    }

    // MARK: In turns

    /// Removes what is left of the posts and comments of a member who leaves or has left, as much as one turn takes.
    /// Comments under the newest posts come first, because those are read most.
    static func removeSome(of member: Identifier, _ act: Act) throws(Rejection) {
        let most = Limits.postsPerTurnMax
        let leaving = try act.roster.only(member)
        let posts = try StoredPost.written(by: member, atMost: most, act)
        for post in posts { try post.remove(except: leaving, act) }
        let left = most - posts.count
        try tellUntold(
            of: member, in: "post_leavers",
            seeing: """
                SELECT owner_post FROM comments WHERE owner = ?1 ORDER BY owner_post DESC, number DESC LIMIT \(most)
                """, act)
        let comments = try StoredComment.written(by: member, atMost: left + 1, act)
        for comment in comments.prefix(left) { try comment.remove(act) }
        let isOver = posts.count < most && comments.count <= left
        if isOver { try act.run("DELETE FROM post_leavers WHERE member = ?", .id(member)) }
        try act.plan(leaverEnd, about: member.description, at: isOver ? nil : act.now)
    }

    /// Removes the rest of the likes of a member who left. Nobody sees them any more.
    static func removeSomeLikes(of member: Identifier, _ act: Act) throws(Rejection) {
        let most = Limits.likesPerTurnMax
        let newest = "FROM likes WHERE member = ?1 ORDER BY owner_post DESC, comment DESC LIMIT \(most)"
        try tellUntold(of: member, in: "like_leavers", seeing: "SELECT owner_post \(newest)", act)
        let count = try act.run(
            """
            DELETE FROM likes WHERE (owner_post, comment, member) IN (SELECT owner_post, comment, member \(newest))
            """, .id(member))
        if count < most { try act.run("DELETE FROM like_leavers WHERE member = ?", .id(member)) }
        try act.plan(likesEnd, about: member.description, at: count < most ? nil : act.now)
    }
}
