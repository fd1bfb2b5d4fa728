import KinCrypto
import KinModel
import KinPosts
import Testing

@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinStore

/// What each sees of a post: the same wherever it is shown, and nothing where it is shown no more.
@Suite struct PostSightTests {
    private let box: FamilyBox
    private let ada: FamilyBox.Person
    private let ben: FamilyBox.Person
    private let cleo: FamilyBox.Person

    init() throws {
        box = try FamilyBox()
        ada = try box.found()
        (ben, cleo) = (try box.join("ben", by: ada), try box.join("cleo", by: ada))
    }

    private static let gif: [UInt8] =
        Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, 7, 0, 0, 255, 255, 255]
        + [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B]
    private let pixel: JSON = .string(Base64.encode(Self.gif))
    private let absent: JSON = "01980000-0000-7000-8000-0000000000ff"

    @Test func `a post shows or quotes what its author sees, and nobody comes to see that by the post`() throws {
        let whom: JSON = [.id(ben.id)]
        let made: [(kind: String, method: String, params: JSON.Object)] = [
            ("list", "list.add", ["name": "Surprise", "audience": whom]),
            ("place", "place.add", ["kind": "hotspot", "name": "Hut", "lat": 48.1, "lon": 11.5, "audience": whom]),
            ("picture", "picture.add", ["picture": pixel, "audience": whom]),
            (
                "entry", "entry.add",
                [
                    "subject": "Fair", "start": "2026-12-02T10:00", "minutes": 30, "zone": "Europe/Berlin",
                    "privacy": "private", "invitees": whom,
                ]
            ),
            ("post", "post.add", ["text": "Xyzzyplugh for Cleo", "audience": whom]),
        ]
        var things: [(kind: String, id: JSON)] = []
        for one in made {
            let answer = try box.call(ada, one.method, one.params)
            things.append((one.kind, try #require(answer[one.kind]?["id"], "\(one.method)")))
        }
        let meeting = try box.propose(slots: [48], by: ada, invitees: [ben])
        things.append(("meeting", .id(meeting.id)))
        for (kind, id) in things {
            func about(_ id: JSON) -> JSON { .string("\(kind)/\(id.string ?? "")") }
            let hidden = try box.refusal(cleo, "post.add", ["text": "x", "about": about(id)])
            let none = try box.refusal(cleo, "post.add", ["text": "x", "about": about(absent)])
            #expect(hidden?.field == "about" && hidden?.kind == none?.kind, "\(kind)")
            let said = try box.call(ben, "post.add", ["text": "Look", "about": about(id), "audience": "everyone"])
            let post = try #require(said["post"].flatMap(Post.init))
            #expect(try box.fresh(cleo.id).posts[post.id]?.about == about(id).string, "\(kind)")
            #expect(try box.refusal(cleo, "\(kind).show", [kind: id])?.kind == .notFound, "\(kind)")
        }
        let seen = try box.fresh(cleo.id)
        #expect(seen.posts.count == things.count && seen.lists.isEmpty && seen.pictures.isEmpty)
        #expect(try box.call(cleo, "search.find", ["words": "xyzzyplugh"])["hits"] == [])
        // The quoted words are in none of the posts that quote them.
        let quoted = try #require(things.first { $0.kind == "post" }).id
        try box.call(ada, "post.remove", ["post": quoted])
        for _ in 0..<10 { try box.wait(seconds: 30) }
        #expect(try !box.holds("Xyzzyplugh") && !box.holds("xyzzyplugh"))
        #expect(try box.fresh(ben.id).posts.count == things.count)
    }

    @Test func `what members think is the same in the list, in the post, under it and with everybody`() throws {
        let post = try #require(try box.call(ada, "post.add", ["text": "Soup"])["post"]?["id"])
        let comment = try #require(
            try box.call(ben, "comment.add", ["post": post, "text": "Coming"])["comment"]?["id"])
        /// The likes of the post and of the comment, as each of the places shows them to somebody.
        func shown(to person: FamilyBox.Person) throws -> [[[Like]]] {
            let snapshot = try box.fresh(person.id)
            let detail = try box.call(person, "post.show", ["post": post])
            let list = try box.call(person, "post.list", ["limit": 5])
            let under = try box.call(person, "comment.list", ["post": post])
            func posts(_ json: JSON?) -> [Like] { json.flatMap(Post.init)?.likes ?? [] }
            func comments(_ json: JSON?) -> [Like] { json.flatMap { KinModel.Comment($0) }?.likes ?? [] }
            let ofPost: [[Like]] = [
                snapshot.posts.values.first?.likes ?? [], posts(list["posts"]?.array?.first), posts(detail["post"]),
            ]
            let ofComment: [[Like]] = [
                snapshot.comments.values.first?.likes ?? [], comments(detail["comments"]?.array?.first),
                comments(under["comments"]?.array?.first),
            ]
            return [ofPost, ofComment]
        }
        var deeds: [(who: FamilyBox.Person, on: JSON?, reaction: Like.Reaction?)] = []
        for reaction in Like.Reaction.allCases { deeds.append((who: cleo, on: nil, reaction: reaction)) }
        deeds.append((who: ben, on: nil, reaction: .thanks))
        deeds.append((who: ada, on: comment, reaction: .laugh))
        deeds.append((who: cleo, on: comment, reaction: .wow))
        deeds.append((who: cleo, on: nil, reaction: nil))
        deeds.append((who: ada, on: comment, reaction: nil))
        deeds.append((who: ben, on: nil, reaction: .sad))
        var expected: [[Identifier: Like.Reaction]] = [[:], [:]]
        for deed in deeds {
            for person in [ada, ben, cleo] { _ = box.heard(person) }
            var params: JSON.Object = ["post": post]
            if let comment = deed.on { params["comment"] = comment }
            params["reaction"] = deed.reaction.map { .string($0.rawValue) } ?? .null
            try box.call(deed.who, "like.set", params)
            expected[deed.on == nil ? 0 : 1][deed.who.id] = deed.reaction
            for person in [ada, ben, cleo] {
                // Each is told at once, on every device.
                #expect(box.types(person).contains("like.set"))
                for (index, places) in try shown(to: person).enumerated() {
                    for likes in places {
                        #expect(likes.map(\.member) == expected[index].keys.sorted())
                        #expect(likes.allSatisfy { expected[index][$0.member] == $0.reaction })
                    }
                }
            }
        }
    }

    @Test func `whoever saw a post and sees it no longer is answered as if it had never been`() throws {
        let picture = try #require(
            try box.call(ada, "picture.add", ["picture": pixel, "for": "post"])["picture"]?["id"])
        let post = try #require(
            try box.call(
                ada, "post.add",
                ["text": "Xyzzyplugh @ben", "pictures": [["picture": picture, "caption": "Frotzbozbar"]]]
            )["post"]?["id"])
        let comment = try #require(
            try box.call(ben, "comment.add", ["post": post, "text": "Mine"])["comment"]?["id"])
        try box.call(ben, "like.set", ["post": post, "reaction": "love"])
        #expect(try box.call(ben, "post.show", ["post": post])["post"]?["id"] == post)
        try box.call(ada, "post.update", ["post": post, "audience": [.id(cleo.id)]])
        for (method, more) in [
            ("post.show", [:] as JSON.Object), ("post.update", ["text": "x"]), ("post.remove", [:]),
            ("comment.list", [:]), ("comment.add", ["text": "x"]),
            ("comment.update", ["comment": comment, "text": "x"]), ("comment.remove", ["comment": comment]),
            ("like.set", ["reaction": "like"]), ("post.share", ["until": .time(box.clock.adding(days: 1))]),
        ] {
            func refused(_ post: JSON) throws -> Rejection? {
                var params = more
                params["post"] = post
                return try box.refusal(ben, method, params)
            }
            let (hidden, none) = (try refused(post), try refused(absent))
            #expect(hidden?.kind == .notFound && none?.kind == .notFound && hidden?.field == none?.field, "\(method)")
            let said = hidden?.message.replacing(post.string ?? "?", with: absent.string ?? "?")
            #expect(said == none?.message, "\(method)")
        }
        let image: JSON.Object = ["picture": picture, "size": "small"]
        #expect(try box.refusal(ben, "picture.image", image)?.kind == .notFound)
        #expect(try box.refusal(ben, "picture.show", ["picture": picture])?.kind == .notFound)
        #expect(try box.call(ben, "post.list")["posts"] == [])
        #expect(try box.call(ben, "search.find", ["words": "xyzzyplugh"])["hits"] == [])
        // Whoever comes back from before is told nothing that the post says.
        let number = try #require(try box.keeper.roster()[ben.id]?.number)
        let page = try Log.read(
            box.store.database, after: 0, through: nil, member: number, types: nil, bytesMax: 1 << 20)
        for row in page.rows {
            let text = String(decoding: row.payload, as: UTF8.self)
            #expect(!text.contains("Xyzzyplugh") && !text.contains("Frotzbozbar"), "\(text)")
        }
        #expect(try box.fresh(ben.id).inbox.entries.allSatisfy { $0.about != "post/\(post.string ?? "")" })
        // Who sees it still sees all of it.
        let kept = try box.fresh(cleo.id)
        #expect(kept.posts.count == 1 && kept.comments.count == 1 && kept.posts.values.first?.likes.count == 1)
    }
}
