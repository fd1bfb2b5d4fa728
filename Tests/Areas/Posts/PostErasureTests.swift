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

    @Test func `a comment that is removed takes its words along, and nothing else`() throws {
        try box.call(ada, "comment.remove", ["post": .id(post), "comment": .id(comment)])
        #expect(try held("Plughgnusto", "plughgnusto", "Xyzzyplugh") == ["Xyzzyplugh"])
    }
}
