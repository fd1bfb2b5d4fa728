import KinModel
import KinPosts
import Testing

@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinStore

/// What was written in the feed and is removed is nowhere in the family's files any more.
@Suite struct PostErasureTests {
    private let box: FamilyBox
    private let ada: FamilyBox.Person
    private let ben: FamilyBox.Person
    private let post: Identifier
    private let comment: Identifier

    init() throws {
        box = try FamilyBox()
        ada = try box.found()
        ben = try box.join("ben", by: ada)
        let words: JSON.Object = ["text": "Xyzzyplugh @ada", "link": "https://example.org/frotzbozbar"]
        let said = try box.call(ben, "post.add", words)
        post = try #require(said["post"]?["id"]?.identifier)
        let answer = try box.call(ada, "comment.add", ["post": .id(post), "text": "Plughgnusto"])
        comment = try #require(answer["comment"]?["id"]?.identifier)
    }

    /// Those of some words that lie in the files, once what is left to do is done.
    private func held(_ words: String...) throws -> [String] {
        for _ in 0..<10 { try box.wait(seconds: 30) }
        return try words.filter { try box.holds($0) }
    }

    @Test func `a post that is removed takes its words, its link and its comments along`() throws {
        #expect(try held("Xyzzyplugh", "frotzbozbar", "Plughgnusto").count == 3)
        try box.call(ben, "post.remove", ["post": .id(post)])
        let words = try held("Xyzzyplugh", "xyzzyplugh", "frotzbozbar", "Plughgnusto", "plughgnusto")
        #expect(words == [])
    }

    @Test(arguments: [false, true])
    func `words that are changed are nowhere any more, and who was away is told the present ones`(
        isRead: Bool
    ) throws {
        if isRead, let last = try box.fresh(ada.id).inbox.entries.first {
            try box.call(ada, "activity.read", ["upTo": .id(last.id)])
        }
        let link: JSON = "https://example.org/oats"
        try box.call(ben, "post.update", ["post": .id(post), "text": "Porridge", "link": link])
        try box.call(ada, "comment.update", ["post": .id(post), "comment": .id(comment), "text": "Gladly"])
        #expect(try held("Xyzzyplugh", "xyzzyplugh", "frotzbozbar", "Plughgnusto", "plughgnusto") == [])
        #expect(try held("Porridge", "Gladly").count == 2)
        // Whoever comes back from before is told of each by its change, with all of it.
        let types = try box.store.database.rows("SELECT type FROM log ORDER BY position") { row in row.text(0) }
        let told = types.filter { $0.hasPrefix("post.") || $0.hasPrefix("comment.") }
        #expect(told == ["post.updated", "comment.updated"])
        #expect(try box.fresh(ben.id).posts[post]?.comments == 1)
        let entries = try box.call(ada, "activity.list")["entries"]?.array ?? []
        let shown = entries.filter { $0["about"]?.string == "post/\(post)" }.map { $0["title"]?.string }
        #expect(shown == ["Porridge"])
    }

    @Test func `a post whose words are taken away is called by its link in inboxes`() throws {
        try box.call(ben, "post.update", ["post": .id(post), "text": .null])
        #expect(try held("Xyzzyplugh", "xyzzyplugh") == [])
        let entry = try box.fresh(ada.id).inbox.entries.first { $0.about == "post/\(post)" }
        #expect(entry?.title == "https://example.org/frotzbozbar")
    }

    @Test func `a comment that is removed takes its words along, and nothing else`() throws {
        try box.call(ada, "comment.remove", ["post": .id(post), "comment": .id(comment)])
        #expect(try held("Plughgnusto", "plughgnusto", "Xyzzyplugh") == ["Xyzzyplugh"])
    }

    @Test func `a document that is removed by itself takes its name and what stood under it along`() throws {
        let sent = try box.call(
            ben, "picture.addDocument", ["document": "Y29udGVudA==", "name": "Quuxfrobnitz.pdf", "for": "post"])
        let document = try #require(sent["picture"]?["id"])
        let said = try box.call(
            ben, "post.add", ["text": "Look", "pictures": [["picture": document, "caption": "Zorkmidplover"]]])
        #expect(try held("Quuxfrobnitz", "Zorkmidplover").count == 2)
        try box.call(ben, "picture.remove", ["picture": document, "atOnce": true])
        #expect(try held("Quuxfrobnitz", "quuxfrobnitz", "Zorkmidplover", "zorkmidplover") == [])
        // The post is there, and whoever was away is told of it.
        let id = try #require(said["post"]?["id"]?.identifier)
        let seen = try #require(try box.fresh(ada.id).posts[id])
        #expect(seen.text == "Look" && seen.pictures.isEmpty)
        #expect(try box.call(ada, "post.show", ["post": .id(id)])["post"]?["text"] == "Look")
    }

    @Test func `what guests were told of their household's posts by an earlier version is taken from them`() throws {
        let gil = try box.join("gil", role: .guest, by: ada)
        for text in ["Frobnicate @gil", "Staying @gil"] {
            try box.call(ada, "post.add", ["text": .string(text), "audience": [.id(gil.id)]])
        }
        // As that version had it, and the migration left it.
        try box.store.beginTurn()
        for sql in [
            "UPDATE posts SET audience = 'household', household = (SELECT household FROM members WHERE id = owner)",
            "DELETE FROM post_named WHERE post IN (SELECT number FROM posts",
            "DELETE FROM post_sight WHERE post IN (SELECT number FROM posts",
        ] {
            let which = " WHERE text LIKE 'Frobnicate%'" + (sql.hasPrefix("DELETE") ? ")" : "")
            let guests = sql.contains("post_sight") ? " AND member = ?" : ""
            try box.store.database.run(sql + which + guests, values: guests.isEmpty ? [] : [.id(gil.id)])
        }
        try box.store.due.add(at: .earliest, kind: SharedThings.guestsByNameDue, about: "guests")
        try box.store.commitTurn()
        func told() throws -> [String] {
            let number = try #require(try box.keeper.roster()[gil.id]?.number)
            let page = try Log.read(
                box.store.database, after: 0, through: nil, member: number, types: nil, bytesMax: 1 << 20)
            let texts = page.rows.map { String(decoding: $0.payload, as: UTF8.self) }
            return ["Frobnicate", "Staying"].filter { word in texts.contains { $0.contains(word) } }
        }
        #expect(try told() == ["Frobnicate", "Staying"])
        _ = box.heard(gil)
        try box.wait(seconds: 1)
        #expect(box.types(gil).contains("reset"))
        #expect(try told() == [])
        let snapshot = try box.fresh(gil.id)
        #expect(snapshot.posts.values.compactMap(\.text) == ["Staying @gil"])
        #expect(snapshot.inbox.entries.compactMap(\.title) == ["Staying @gil"])
        // It is done once.
        try box.wait(seconds: 3600)
        #expect(!box.types(gil).contains("reset"))
    }
}
