import KinModel
import KinPosts
import Testing

@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinStore

/// What becomes of years of posts, comments and likes when somebody leaves: it goes in turns of the keeper.
@Suite struct PostLeavingTests {
    private static let (posts, comments, likes): (Int64, Int64, Int64) = (8000, 300, 690)

    private let box: FamilyBox
    private let ada: FamilyBox.Person
    private let ben: FamilyBox.Person
    private let cleo: FamilyBox.Person
    /// A guest, who sees no post.
    private let gil: FamilyBox.Person
    /// Ada's post, under which Ben commented and liked.
    private let soup: Identifier

    init() throws {
        box = try FamilyBox()
        ada = try box.found()
        (ben, cleo) = (try box.join("ben", by: ada), try box.join("cleo", by: ada))
        gil = try box.join("gil", role: .guest, by: ada)
        soup = try #require(
            try box.call(ada, "post.add", ["text": "Soup", "audience": "everyone"])["post"]?["id"]?.identifier)
    }

    /// An identifier of those years.
    private func id(_ kind: UInt8, _ number: Int64) -> Identifier? {
        let digits = String(repeating: "0", count: 14 - String(number).utf8.count) + String(number)
        return Identifier(bytes: [0x01, kind] + Array(digits.utf8))
    }

    /// Ben writes for years, and under one post, where he likes what Ada writes.
    private func write() throws {
        let database = box.store.database
        func numbers(_ count: Int64) -> String {
            "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < \(count)) "
        }
        func id(_ kind: String) -> String { "CAST(CAST(x'01\(kind)' AS TEXT) || printf('%014d', n) AS BLOB)" }
        try database.begin()
        try database.run(
            numbers(Self.posts) + """
                INSERT INTO posts (id, owner, author, at, text, pinned, comments, plain, audience)
                SELECT \(id("90")), ?1, ?1, 1000 * n, 'Day ' || n, 0, 0, 'day ' || n, 'everyone' FROM n
                """, .id(ben.id))
        try database.run(
            """
            INSERT INTO post_sight (member, post) SELECT m.id, p.number FROM members m, posts p
            WHERE p.owner = ?1 AND m.role <> 'guest'
            """, .id(ben.id))
        let under = "(SELECT number FROM posts WHERE id = ?2)"
        try database.run(
            numbers(Self.likes) + """
                INSERT INTO comments (owner_post, id, owner, author, at, text)
                SELECT \(under), \(id("91")), ?1, ?1, 1000 * n, 'More ' || n FROM n
                """, .id(ada.id), .id(soup))
        try database.run(
            """
            INSERT INTO likes (owner_post, comment, member, reaction)
            SELECT owner_post, number, ?1, 'love' FROM comments
            """, .id(ben.id))
        try database.run(
            numbers(Self.comments) + """
                INSERT INTO comments (owner_post, id, owner, author, at, text)
                SELECT \(under), \(id("92")), ?1, ?1, 1000 * n, 'Yes ' || n FROM n
                """, .id(ben.id), .id(soup))
        try database.run(
            "UPDATE posts SET comments = (SELECT count(*) FROM comments) WHERE id = ?1", .id(soup))
        try database.commit()
        _ = database.takeChangedRows()
        box.forgetFollowers()
    }

    private func remove(_ keep: JSON) throws {
        let request = box.request(ada.credential, "member.remove", ["member": .id(ben.id), "keep": keep])
        _ = try #require(try box.turn(request).replies.first).result.get()
    }

    /// Rows that a turn changes.
    private func written(_ body: () throws -> Void) throws -> Int64 {
        let before = try box.count("SELECT total_changes()")
        try body()
        return try box.count("SELECT total_changes()") - before
    }

    private let left = "SELECT (SELECT count(*) FROM post_leavers) + (SELECT count(*) FROM like_leavers)"

    @Test func `years of posts, comments and likes are out of sight at once, and go in turns, after a restart too`()
        throws
    {
        try write()
        try box.wait(seconds: 1)
        #expect(try box.fresh(cleo.id).posts.count > 100 && box.fresh(cleo.id).comments.count > 100)
        for person in [ada, cleo, gil] { _ = box.heard(person) }
        let first = try written { try remove("delete") }
        #expect(first < 15_000)
        #expect(try box.count("SELECT count(*) FROM posts") > Self.posts / 2)
        // Who saw it begins anew, and who saw nothing of it is told nothing.
        for person in [ada, cleo] { #expect(box.types(person).filter { $0 == "reset" } == ["reset"]) }
        #expect(!box.types(gil).contains { $0 == "reset" || $0.hasPrefix("post.") || $0.hasPrefix("comment.") })
        let (old, said) = (try #require(id(0x90, Self.posts)), try #require(id(0x92, 1)))
        func isUnseen() throws {
            for person in [ada, cleo] {
                let fresh = try box.fresh(person.id)
                #expect(fresh.posts.values.map(\.id) == [soup])
                #expect(fresh.comments.values.allSatisfy { $0.author == ada.id && $0.likes.isEmpty })
                #expect(fresh.posts[soup]?.comments == Int(Self.likes), "what is out of sight is not counted")
                let list = try box.call(person, "post.list", ["limit": 50])["posts"]?.array ?? []
                #expect(list.compactMap { $0["id"]?.identifier } == [soup])
                let under = try box.call(person, "comment.list", ["post": .id(soup), "limit": 50])["comments"]
                #expect(under?.array?.allSatisfy { $0["author"]?.identifier == ada.id } == true)
                #expect(try box.refusal(person, "post.show", ["post": .id(old)])?.kind == .notFound)
                let like: JSON.Object = ["post": .id(soup), "comment": .id(said), "reaction": "love"]
                #expect(try box.refusal(person, "like.set", like)?.kind == .notFound)
            }
        }
        try isUnseen()
        try box.restart(after: 1)
        try isUnseen()
        // Who comes in the meantime is not told when the rest goes.
        let dan = try box.join("dan", by: ada)
        _ = box.heard(dan)
        var turns = 0
        while try box.count(left) > 0 {
            #expect(try written { try box.wait(seconds: 0) } < 15_000, "turn \(turns)")
            turns += 1
            try #require(turns < 100)
        }
        #expect(try turns > 0 && box.count("SELECT count(*) FROM posts") == 1)
        #expect(!box.types(dan).contains { ["post.removed", "comment.removed"].contains($0) })
        #expect(try box.count("SELECT count(*) FROM likes") == 0)
        #expect(try box.count("SELECT count(*) FROM comments") == Self.likes)
        #expect(try box.fresh(ada.id).posts[soup]?.comments == Int(Self.likes))
        #expect(try box.count("SELECT count(*) FROM due WHERE kind LIKE '%OfLeaver'") == 0)
    }

    @Test func `years of posts that are left behind stay in sight, and their likes are gone`() throws {
        try write()
        try remove("hand-over")
        #expect(try box.count("SELECT count(*) FROM posts WHERE owner <> author") < Self.posts / 2)
        for _ in 0..<60 {
            let list = try box.call(cleo, "post.list", ["limit": 50])["posts"]?.array ?? []
            #expect(list.count == 50)
        }
        #expect(try box.count("SELECT count(*) FROM posts WHERE owner <> author") == Self.posts)
        #expect(try box.count("SELECT count(*) FROM comments WHERE owner <> author") == Self.comments)
        #expect(try box.count("SELECT count(*) FROM likes") == 0 && box.count(left) == 0)
    }

    /// Ben has more posts than a turn takes; of these some others see the first so many.
    private func write(_ count: Int64, seen: [(FamilyBox.Person, Int64)]) throws {
        let database = box.store.database
        try database.begin()
        try database.run(
            """
            WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ?2)
            INSERT INTO posts (id, owner, author, at, text, pinned, comments, plain, audience)
            SELECT CAST(CAST(x'0190' AS TEXT) || printf('%014d', n) AS BLOB), ?1, ?1, n, 'Day ' || n, 0, 0, '', 'members'
            FROM n
            """, .id(ben.id), .int(count))
        for (person, seen) in [(ben, count)] + seen {
            try database.run(
                """
                INSERT INTO post_sight (member, post)
                SELECT ?1, number FROM posts WHERE owner = ?2 ORDER BY number LIMIT ?3
                """, .id(person.id), .id(ben.id), .int(seen))
        }
        try database.commit()
        _ = database.takeChangedRows()
        box.forgetFollowers()
    }

    @Test func `who saw few of many posts is told of each, all together of no more than a turn takes`() throws {
        // Three others: a third of a turn each, whatever the rest of them see.
        let few = Int64(Limits.postsPerTurnMax / 3)
        try write(Int64(Limits.postsPerTurnMax) + 50, seen: [(ada, few + 1), (cleo, few)])
        try box.wait(seconds: 1)
        for person in [ada, cleo, gil] { _ = box.heard(person) }
        try remove("delete")
        let told = (box.types(ada), box.types(cleo), box.types(gil))
        #expect(told.0.contains("reset") && !told.0.contains("post.hidden"))
        #expect(!told.1.contains("reset") && told.1.filter { $0 == "post.hidden" }.count == Int(few))
        #expect(!told.2.contains { $0 == "reset" || $0.hasPrefix("post.") })
        for person in [ada, cleo] { #expect(try box.fresh(person.id).posts.values.map(\.id) == [soup]) }
        var turns = 0
        while try box.count(left) > 0 {
            try box.wait(seconds: 0)
            turns += 1
            try #require(turns < 10)
        }
        #expect(!box.types(cleo).contains("reset"), "there is nothing more to be told")
        #expect(try box.count("SELECT count(*) FROM posts") == 1)
    }

    @Test func `comments are out of sight and log at once, and who would look for old ones is told when they go`()
        throws
    {
        let own = try #require(
            try box.call(ada, "post.add", ["text": "Mine", "audience": []])["post"]?["id"]?.identifier)
        try box.call(ben, "comment.add", ["post": .id(soup), "text": "Quince jam"])
        let database = box.store.database
        try database.begin()
        let most = Int64(Limits.postsPerTurnMax)
        // So many that a snapshot does not go back to the ones that are written about.
        try database.run(
            """
            WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 2000)
            INSERT INTO posts (id, owner, author, at, text, pinned, comments, plain, audience)
            SELECT CAST(CAST(x'01ff' AS TEXT) || printf('%014d', n) AS BLOB), ?1, ?1, n, 'News ' || n, 0, 0, '', 'members'
            FROM n
            """, .id(ada.id))
        try database.run(
            """
            INSERT INTO post_sight (member, post) SELECT m.id, p.number FROM members m, posts p
            WHERE p.audience = 'members' AND p.id > ?1 AND m.id IN (?2, ?3)
            """, .id(own), .id(ada.id), .id(cleo.id))
        // The newest are where only Ada sees them.
        for (post, kind, count) in [(soup, "93", 2 * most), (own, "94", most + 10)] {
            try database.run(
                """
                WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ?3)
                INSERT INTO comments (owner_post, id, owner, author, at, text)
                SELECT (SELECT number FROM posts WHERE id = ?2),
                CAST(CAST(x'01\(kind)' AS TEXT) || printf('%014d', n) AS BLOB), ?1, ?1, n, 'Yes ' || n FROM n
                """, .id(ben.id), .id(post), .int(count))
        }
        try database.run(
            "UPDATE posts SET comments = (SELECT count(*) FROM comments c WHERE c.owner_post = posts.number)")
        try database.commit()
        _ = database.takeChangedRows()
        box.forgetFollowers()
        try box.wait(seconds: 1)
        for person in [ada, cleo, gil] { _ = box.heard(person) }
        try remove("delete")
        var resets = (box.types(ada), box.types(cleo), box.types(gil))
        #expect(resets.0.filter { $0 == "reset" }.count == 1 && !resets.1.contains("reset"))
        #expect(try box.count("SELECT count(*) FROM log WHERE instr(payload, CAST('Quince jam' AS BLOB)) > 0") == 0)
        let shown = try box.call(cleo, "post.show", ["post": .id(soup)])
        #expect(shown["comments"] == [] && shown["post"]?["comments"] == 0)
        try box.restart(after: 1)
        var turns = 0
        while try box.count(left) > 0 {
            try box.wait(seconds: 0)
            turns += 1
            try #require(turns < 10)
        }
        resets = (box.types(ada), box.types(cleo), box.types(gil))
        #expect(!resets.0.contains("reset") && resets.1.filter { $0 == "reset" }.count == 1)
        #expect(!resets.2.contains("reset"), "who saw none of it is told nothing")
        #expect(try box.count("SELECT count(*) FROM comments") == 0)
    }
}
