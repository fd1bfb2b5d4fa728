import KinCrypto
import KinModel
import KinPictures
import KinPosts
import Testing

@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinStore

/// How much a post may hold, and that the largest one fits where it has to.
@Suite struct PostBoundTests {
    /// A text of as many characters as there may be, each of four bytes.
    private func longest(_ count: Int) -> String { String(repeating: "\u{1D11E}", count: count) }

    private let all = (0..<UInt64(Limits.membersMax)).map {
        Like(member: Identifier(high: .max, low: $0), reaction: .thanks)
    }
    private let id = Identifier(high: .max, low: .max)
    /// A name is written twice as long if it is of quotation marks.
    private var document: Document {
        Document(
            name: String(repeating: "\"", count: Limits.documentNameBytesMax), bytes: Limits.documentBytesMax)
    }

    @Test func `the largest post fits into its share of a snapshot`() {
        let at = Instant("2026-11-20T18:00:00.123Z") ?? .earliest
        let picture = PostPicture(
            picture: id, width: Limits.pictureSideMax, height: Limits.pictureSideMax,
            caption: longest(Limits.captionCharactersMax), isFilm: true, document: document)
        let post = Post(
            id: id, author: id, at: at, text: longest(Limits.postCharactersMax),
            link: longest(Limits.linkCharactersMax),
            about: String(repeating: "a", count: Limits.postAboutCharactersMax),
            pictures: Array(repeating: picture, count: Limits.postPicturesMax), isPinned: false, edited: at,
            comments: Limits.commentsMax, likes: all)
        #expect(post.json.bytes.count + 1 <= Limits.postBytesMax)
        #expect(Limits.postBytesMax <= Limits.postsSnapshotBytesMax)
    }

    @Test func `the largest picture fits into its share of a snapshot, with what everybody thinks of it`() {
        let at = Instant("2026-11-20T18:00:00.123Z") ?? .earliest
        let name = longest(Limits.albumCharactersMax)
        let picture = Picture(
            id: id, author: id, at: at, taken: at, width: Limits.pictureSideMax, height: Limits.pictureSideMax,
            category: name, album: name, caption: longest(Limits.captionCharactersMax),
            people: Array(repeating: id, count: Limits.peopleMax), post: id, room: id, message: id, original: .webp,
            film: .quickTime, seconds: 1_000_000, document: document, binned: at, likes: all)
        #expect(picture.json.bytes.count + 1 <= Limits.pictureJSONBytesMax)
        #expect(Limits.pictureJSONBytesMax <= Limits.picturesSnapshotBytesMax)
    }

    @Test func `a post and a message show twenty pictures, and no more`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        func send(_ number: UInt8) throws -> JSON {
            let bytes: [UInt8] =
                Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, number, 0, 0, 255, 255, 255]
                + [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B]
            let sent = try box.call(ada, "picture.add", ["picture": .string(Base64.encode(bytes)), "for": "post"])
            return ["picture": try #require(sent["picture"]?["id"])]
        }
        let pictures = try (1...21).map { try send($0) }
        let refusal = try box.refusal(ada, "post.add", ["pictures": .array(pictures), "audience": "everyone"])
        #expect(refusal != nil && refusal?.field?.hasPrefix("pictures") == true)
        let shown = Array(pictures.prefix(20))
        try box.call(ada, "post.add", ["pictures": .array(shown), "audience": "everyone"])
        let seen = try #require(try box.fresh(ben.id).posts.values.first)
        #expect(seen.pictures.map { JSON.id($0.picture) } == shown.compactMap { $0["picture"] })
        #expect(try box.fresh(ben.id).pictures.count == 20)
    }
}
