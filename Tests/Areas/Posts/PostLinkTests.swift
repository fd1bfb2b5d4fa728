import KinCrypto
import KinModel
import KinPosts
import Testing

@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinStore

/// Links that show one post to people outside the family: what they show, and when they are over.
@Suite struct PostLinkTests {
    private let box: FamilyBox
    private let ada: FamilyBox.Person
    private let ben: FamilyBox.Person

    init() throws {
        box = try FamilyBox()
        ada = try box.found()
        ben = try box.join("ben", by: ada)
    }

    private func picture(_ number: UInt8) throws -> Identifier {
        let bytes: [UInt8] =
            Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, number, 0, 0, 255, 255, 255]
            + [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B]
        let sent = try box.call(ben, "picture.add", ["picture": .string(Base64.encode(bytes))])
        return try #require(sent["picture"]?["id"]?.identifier)
    }

    private func post(_ more: JSON.Object = [:]) throws -> Identifier {
        var params: JSON.Object = ["text": "Soup is ready"]
        for member in more.members { params[member.name] = member.value }
        return try #require(try box.call(ben, "post.add", params)["post"]?["id"]?.identifier)
    }

    private func share(_ post: Identifier, days: Int64 = 7) throws -> (id: Identifier, secret: JSON) {
        let made = try box.call(
            ben, "post.share", ["post": .id(post), "until": .time(box.clock.adding(days: days))])
        return (try #require(made["link"]?["id"]?.identifier), try #require(made["secret"]))
    }

    private func open(_ secret: JSON) throws -> Rejection.Kind? {
        try box.refusal(.none, "post.shared", ["secret": secret])?.kind
    }

    @Test func `shows the post's words and pictures, and nothing beside them`() throws {
        let shown = try picture(1)
        let id = try post([
            "link": "https://example.org/soup", "pictures": [["picture": .id(shown), "caption": "Soup"]],
        ])
        try box.call(ada, "comment.add", ["post": .id(id), "text": "On my way"])
        try box.call(ada, "like.set", ["post": .id(id), "reaction": "love"])
        let (_, secret) = try share(id)
        let seen = try box.call(Credential.none, "post.shared", ["secret": secret])
        #expect(
            Set((seen.object ?? [:]).members.map(\.name)) == ["until", "author", "at", "text", "link", "pictures"])
        #expect(seen["text"] == "Soup is ready" && seen["pictures"]?.array?.map { $0["caption"] } == ["Soup"])
        // No identifier, no other name: what is asked for outside is said outside.
        let said = seen.text
        for word in ["On my way", "\(id)", "\(shown)", "\(ada.id)", "\(ben.id)", "love", "ada"] {
            #expect(!said.contains(word), "\(word)")
        }
        try box.call(Credential.none, "post.sharedPicture", ["secret": secret, "place": 1, "size": "small"])
        guard case .blob(let name, "image/jpeg", _) = box.effect else { throw Rejection(.invalid, "no blob") }
        #expect(try box.store.blobs.get(name) != nil)
        for place: JSON in [2, 12] {
            #expect(
                try box.refusal(.none, "post.sharedPicture", ["secret": secret, "place": place, "size": "small"])?.kind
                    == .notFound)
        }
        // The secret is nowhere in the database.
        #expect(try !box.holds(secret.string ?? "?"))
    }

    @Test func `says neither what the post is about or quotes, nor who is in its pictures`() throws {
        let cleo = try box.join("cleo", by: ada)
        let list = try #require(
            try box.call(ben, "list.add", ["name": "Groceries", "audience": "everyone"])["list"]?["id"]?.identifier)
        let quoted = try #require(
            try box.call(cleo, "post.add", ["text": "The surgeon comes at nine"])["post"]?["id"]?.identifier)
        let things = [("list/\(list)", ["Groceries", "\(list)"]), ("post/\(quoted)", ["surgeon", "\(quoted)"])]
        for (thing, words) in things {
            let shown = try picture(UInt8(words[0].count))
            try box.call(ben, "picture.update", ["picture": .id(shown), "people": [.id(cleo.id)], "album": "Clinic"])
            let id = try post(["about": .string(thing), "pictures": [["picture": .id(shown)]]])
            try box.call(cleo, "comment.add", ["post": .id(id), "text": "Not before ten"])
            let (_, secret) = try share(id)
            let said = try box.call(Credential.none, "post.shared", ["secret": secret]).text
            #expect(said.contains("Soup is ready"))
            for word in words + ["\(cleo.id)", "cleo", "Cleo", "Clinic", "before ten"] {
                #expect(!said.contains(word), "\(thing): \(word)")
            }
        }
    }

    @Test func `is over when the post is another, fewer see it, it goes, or its author leaves`() throws {
        let deeds: [(String, (Identifier, Identifier) throws -> Void)] = [
            ("edited", { post, _ in _ = try box.call(ben, "post.update", ["post": .id(post), "text": "Later"]) }),
            ("narrowed", { post, _ in _ = try box.call(ben, "post.update", ["post": .id(post), "audience": []]) }),
            ("a picture less", { _, picture in _ = try box.call(ben, "picture.remove", ["picture": .id(picture)]) }),
            ("removed", { post, _ in _ = try box.call(ada, "post.remove", ["post": .id(post)]) }),
            ("left", { _, _ in _ = try box.call(ada, "member.remove", ["member": .id(ben.id), "keep": "hand-over"]) }),
        ]
        for (index, (name, deed)) in deeds.enumerated() {
            let shown = try picture(UInt8(index + 1))
            let id = try post(["pictures": [["picture": .id(shown)]]])
            let (_, secret) = try share(id)
            #expect(try open(secret) == nil)
            try deed(id, shown)
            #expect(try open(secret) == .notFound, "\(name)")
            #expect(
                try box.refusal(.none, "post.sharedPicture", ["secret": secret, "place": 1, "size": "small"])?.kind
                    == .notFound, "\(name)")
            #expect(try box.count("SELECT count(*) FROM post_links") == 0, "\(name)")
        }
    }

    @Test func `is over when one who saw the post is a guest from here on`() throws {
        let cleo = try box.join("cleo", by: ada)
        let (_, secret) = try share(try post())
        try box.call(ada, "member.setRole", ["member": .id(cleo.id), "role": "guest"])
        #expect(try open(secret) == .notFound)
        #expect(try box.count("SELECT count(*) FROM post_links") == 0)
    }

    @Test func `goes on while others comment and like it, it is pinned, and more see it`() throws {
        let id = try post(["audience": [.id(ada.id)]])
        let (_, secret) = try share(id)
        try box.call(ada, "comment.add", ["post": .id(id), "text": "On my way"])
        try box.call(ada, "like.set", ["post": .id(id), "reaction": "love"])
        try box.call(ada, "post.update", ["post": .id(id), "pinned": true])
        try box.call(ben, "post.update", ["post": .id(id), "audience": "everyone"])
        #expect(try open(secret) == nil)
        try box.wait(seconds: 7 * 86_400)
        #expect(try open(secret) == .notFound)
        #expect(try box.count("SELECT count(*) FROM post_links") == 0)
    }

    @Test func `is made by the author for thirty days at most, listed and ended by the author and by admins`() throws {
        let (id, secretly) = (try post(), try post(["audience": []]))
        let until = JSON.time(box.clock.adding(days: 3))
        #expect(try box.refusal(ada, "post.share", ["post": .id(id), "until": until])?.kind == .forbidden)
        #expect(try box.refusal(ada, "post.share", ["post": .id(secretly), "until": until])?.kind == .notFound)
        for wrong in [box.clock, box.clock.adding(days: 31)] {
            #expect(
                try box.refusal(ben, "post.share", ["post": .id(id), "until": .time(wrong)])?.field == "until")
        }
        let (first, second) = (try share(id), try share(secretly))
        func listed(_ who: FamilyBox.Person) throws -> [Identifier] {
            (try box.call(who, "post.links")["links"]?.array ?? []).compactMap { $0["id"]?.identifier }
        }
        // An admin sees no link to a post that the admin does not see.
        #expect(try listed(ben) == [second.id, first.id] && listed(ada) == [first.id])
        let cleo = try box.join("cleo", by: ada)
        #expect(try listed(cleo) == [])
        for (who, link) in [(cleo, first.id), (ada, second.id)] {
            #expect(try box.refusal(who, "post.unshare", ["link": .id(link)])?.kind == .notFound)
        }
        try box.call(ada, "post.unshare", ["link": .id(first.id)])
        try box.call(ben, "post.unshare", ["link": .id(second.id)])
        #expect(try open(first.secret) == .notFound && open(second.secret) == .notFound && listed(ben) == [])
    }

    @Test func `that is guessed is slowed down`() throws {
        let (_, secret) = try share(try post())
        func guess(_ number: Int) throws -> Rejection.Kind? {
            try box.refusal(.none, "post.shared", ["secret": .string("guess\(number)")], from: "203.0.113.7")?.kind
        }
        let answers = try (0..<Limits.guessesFree + 3).map(guess)
        #expect(answers.first == .notFound && answers.last == .slowDown)
        // Who has a good one is not slowed down by others behind the same address.
        #expect(try box.call(Credential.none, "post.shared", ["secret": secret], from: "203.0.113.7")["text"] != nil)
    }
}
