import KinCodec
import KinModel
import Testing

/// The feed by `kin` alone, against the real daemon.
@Suite struct PostCommandTests {
    private func newest(_ house: House) throws -> Identifier {
        try #require(try house.snapshot("ada").posts.values.filter { !$0.isPinned }.map(\.id).max())
    }

    @Test func `a post lives by kin alone`() throws {
        let stage = try Stage()
        let house = try House(stage, family: ["bob"])
        func kin(_ words: String..., as who: String = "ada") throws -> [String] {
            let program = stage.start(["kin"] + words + ["--as", who])
            program.closeInput()
            try stage.wait("kin to end") { program.status != nil }
            program.take()
            #expect(program.status == 0, "\(words): \(program.said)")
            return program.lines
        }
        #expect(try kin("feed").joined().contains("kin post Soup is ready"))
        #expect(try kin("post", "Soup", "is", "ready").joined().contains("kin feed"))
        #expect(try kin("post", "A recipe", "--link", "https://example.org/soup", "--for", "bob").count == 1)
        let feed = try kin("feed", as: "bob")
        #expect(feed.contains { $0.hasPrefix("1   ") } && feed.contains("    https://example.org/soup"))
        #expect(feed.contains { $0.hasPrefix("2   ") } && feed.contains("    Soup is ready"))
        #expect(try kin("comment", "2", "On", "my", "way", as: "bob").joined().contains("under the post"))
        #expect(try kin("like", "2", "love", as: "bob").joined().contains("❤️"))
        _ = try kin("feed")
        let one = try kin("feed", "2")
        #expect(one.first?.contains("❤️ 1") == true && one.contains { $0.hasSuffix("On my way") })
        #expect(try kin("like", "2", "thanks", "--comment", "1").joined().contains("🙏"))
        #expect(try kin("comment", "answer", "2", "1", "Bring", "bread").joined().contains("under the comment"))
        let answered = try kin("feed", "2")
        #expect(answered.contains { $0.hasPrefix("      2   ") } && answered.contains { $0.hasSuffix("Bring bread") })
        #expect(
            try kin("feed", "edit", "2", "Soup is on the table") == [
                "The post is changed. Links that showed it to others are no longer good."
            ])
        #expect(try kin("feed", "pin", "2") == ["The post is pinned."])
        let link = try kin("post", "share", "2", "--until", "2d").first { $0.contains("/shared/") }
        let address = try #require(link.map { String($0.drop { $0 == " " }) })
        let path = try #require(address.split(separator: "/shared/").last)
        let shown = try stage.run(
            "curl", "-s", "-H", "Origin: null", "-H", "Sec-Fetch-Site: same-origin", "-d", "look=yes",
            "\(house.url)/shared/\(path)"
        ).lines
        #expect(shown.contains { $0.contains("Soup is on the table") } && !shown.contains { $0.contains("On my way") })
        let made = try #require(try kin("feed", "links").last?.split(separator: " ").first)
        #expect(try kin("feed", "unlink", String(made)) == ["The link is over."])
        #expect(
            try stage.run(
                "curl", "-s", "-H", "Origin: null", "-H", "Sec-Fetch-Site: same-origin", "-d", "look=yes",
                "\(house.url)/shared/\(path)"
            ).lines
                .contains { $0.contains("This link is over") })
        #expect(try kin("feed", "search", "TABLE").contains { $0.contains("edited") && $0.contains("pinned") })
        _ = try kin("feed")
        #expect(try kin("comment", "remove", "2", "1", "--yes").joined().contains("removed"))
        #expect(try kin("feed", "share", "2", "me").joined().contains("for nobody else"))
        #expect(try kin("feed", as: "bob").contains { $0.contains("Soup") } == false)
        let list = try house.door(as: "ada").call("list.add", ["name": "Groceries", "audience": "everyone"])
        let id = try #require(list["list"]?["id"]?.string)
        _ = try kin("post", "Who shops?", "--about", "list/\(id)")
        #expect(try kin("feed", as: "bob").contains { $0.hasSuffix("(list: Groceries)") })
        let place = try house.door(as: "ada").call(
            "place.add", ["kind": "hotspot", "name": "Hut", "lat": 48.1, "lon": 11.5, "audience": "everyone"])
        _ = try kin("post", "Meet there", "--about", "place/\(try #require(place["place"]?["id"]?.string))")
        #expect(try kin("feed", as: "bob").contains { $0.hasSuffix("(place: Hut)") })
        _ = try kin("post", "I do", "--quote", "2", as: "bob")
        #expect(try kin("feed").contains { $0.contains("(post: ") && $0.hasSuffix(": Who shops?)") })
        let both = stage.start(["kin", "post", "x", "--quote", "1", "--about", "list/\(id)", "--as", "ada"])
        both.closeInput()
        try stage.wait("kin to end") { both.status != nil }
        #expect(both.status != 0)
        for _ in 1...2 { _ = try house.door(as: "ada").call("post.remove", ["post": .id(try newest(house))]) }
        _ = try kin("feed")
        #expect(try kin("feed", "remove", "1", "--yes") == ["The post is removed."])
        // The numbers are those that one saw oneself.
        _ = try kin("feed")
        #expect(try kin("feed", "remove", "2", "--yes") == ["The post is removed."])
        #expect(try kin("feed", "older") == ["There are no older posts."])
    }

    @Test func `a post shows what its meal is called now, whatever its day, and says when it is gone`() throws {
        let stage = try Stage()
        let house = try House(stage, family: ["bob"])
        func kin(_ words: String..., as who: String = "ada") throws -> [String] {
            let program = stage.start(["kin"] + words + ["--as", who])
            program.closeInput()
            try stage.wait("kin to end") { program.status != nil }
            program.take()
            #expect(program.status == 0, "\(words): \(program.said)")
            return program.lines
        }
        let door = try house.door(as: "ada")
        let meal = try #require(
            try door.call("meal.put", ["title": "Soup", "date": "2020-03-01", "note": "With bread"])["meal"]?["id"])
        let about = "meal/\(try #require(meal.string))"
        _ = try kin("post", "As then", "--about", about)
        #expect(try kin("feed", as: "bob").contains { $0.hasSuffix("(meal: Soup)") })
        _ = try kin("list", "new", "Groceries", "--about", about)
        _ = try door.call("meal.put", ["meal": meal, "title": "Stew"])
        #expect(try kin("feed", as: "bob").contains { $0.hasSuffix("(meal: Stew)") })
        #expect(try kin("list", "Groceries", as: "bob").contains { $0.contains("meal: Stew") })
        _ = try kin("meal", "2020-03-01", as: "bob")
        let shown = try kin("meal", "show", "1", as: "bob")
        #expect(shown.first?.hasSuffix("Stew") == true && shown.contains("With bread"), "\(shown)")
        _ = try door.call("meal.remove", ["meal": meal])
        for who in ["ada", "bob"] {
            let feed = try kin("feed", as: who)
            #expect(feed.contains { $0.hasSuffix("(meal: no longer there, or not for you)") }, "\(feed)")
        }
    }

    @Test func `the words of a post go to another program as plain text`() throws {
        let stage = try Stage()
        let house = try House(stage, family: ["bob"])
        func run(_ words: [String], _ who: String) throws -> Program {
            let program = stage.start(["kin"] + words + ["--as", who])
            program.closeInput()
            try stage.wait("kin to end") { program.status != nil }
            program.take()
            return program
        }
        let door = try house.door(as: "ada")
        let list = try door.call("list.add", ["name": "Groceries", "audience": "everyone"])["list"]?["id"]?.string
        let about: JSON = .string("list/\(try #require(list))")
        _ = try door.call("post.add", ["about": about])
        let post = try door.call(
            "post.add", ["text": "Soup is ready.\n\nCome!", "link": "https://example.org/soup", "about": about])
        _ = try door.call("comment.add", ["post": post["post"]?["id"] ?? .null, "text": "On my way"])
        _ = try run(["feed"], "bob")
        let shared = try run(["post", "share", "1", "--text"], "bob")
        #expect(shared.status == 0 && shared.lines == ["Soup is ready.", "", "Come!", "https://example.org/soup"])
        let written = try run(["post", "share", "1", "--text", "--json"], "bob")
        #expect(
            try JSON.parse(Array(written.lines.joined().utf8))
                == ["text": "Soup is ready.\n\nCome!\nhttps://example.org/soup"])
        // There is nothing to print of what only shows something.
        let bare = try run(["post", "share", "2", "--text"], "bob")
        #expect(bare.status == 5 && bare.said.contains("no words"), "\(bare.said)")
        #expect(try run(["post", "share", "1", "--text", "--until", "2d"], "ada").status == 2)
        #expect(try run(["post", "share", "1"], "ada").status == 2)
        // Nothing of it was posted, and a text may still begin with the word.
        #expect(try house.snapshot("bob").posts.count == 2)
        #expect(try run(["post", "share", "the", "cake"], "bob").status == 0)
        #expect(try house.snapshot("ada").posts.values.contains { $0.text == "share the cake" })
    }

    @Test func `a thing is named as one sees it, and a picture of the gallery's goes with a post or a message`() throws
    {
        let stage = try Stage()
        let house = try House(stage)
        try house.found()
        try house.join("bob")
        func run(_ words: [String], _ who: String) throws -> Program {
            let program = stage.start(["kin"] + words + ["--as", who])
            program.closeInput()
            try stage.wait("kin to end") { program.status != nil }
            program.take()
            return program
        }
        func kin(_ words: String..., as who: String = "ada") throws -> [String] {
            let program = try run(words, who)
            #expect(program.status == 0, "\(words): \(program.said)")
            return program.lines
        }
        let door = try house.door(as: "ada")
        _ = try door.call("list.add", ["name": "Groceries", "audience": "everyone"])
        _ = try door.call(
            "place.add", ["kind": "hotspot", "name": "Hut", "lat": 48.1, "lon": 11.5, "audience": "everyone"])
        _ = try kin("post", "Who shops?", "--about", "list/groc")
        _ = try kin("post", "Meet there", "--about", "place/hut")
        let feed = try kin("feed", as: "bob")
        #expect(feed.contains { $0.hasSuffix("(list: Groceries)") } && feed.contains { $0.hasSuffix("(place: Hut)") })
        #expect(try run(["post", "x", "--about", "list/nowhere"], "ada").status != 0)
        _ = try kin("feed")
        func latest() throws -> Post? { try house.snapshot("bob").posts[newest(house)] }
        _ = try kin("feed", "edit", "1", "--link", "example.org/hut")
        #expect(try latest()?.link == "https://example.org/hut" && latest()?.text == "Meet there")
        _ = try kin("feed", "edit", "1", "Meet", "here", "--link", "none")
        #expect(try latest()?.link == nil && latest()?.text == "Meet here")
        #expect(try run(["feed", "edit", "1"], "ada").status != 0)
        // All that was said under a post is shown, however much more that is than a page.
        let there = try newest(house)
        for number in 1...60 {
            _ = try door.call("comment.add", ["post": .id(there), "text": .string("No. \(number).")])
        }
        let under = try kin("feed", "1").compactMap { line in line.split(separator: "No. ").last.map { String($0) } }
        #expect(Set(under).isSuperset(of: (1...60).map { "\($0)." }))
        _ = try kin("meal", "plan", "2027-03-01", "Soup")
        _ = try kin("meal", "2027-03-01")
        _ = try kin("list", "new", "For the soup", "--about", "meal/1")
        let meal = try #require(try house.snapshot("ada").meals.keys.first)
        let tied = try door.call("list.list", ["about": .string("meal/\(meal)")])["lists"]?.array
        #expect(tied?.compactMap { $0["name"]?.string } == ["For the soup"])

        _ = try kin("meal", "plan", "tomorrow", "Stew")
        _ = try kin("meal", "tomorrow")
        _ = try kin("chat", "send", "family", "--about", "meal/1")
        #expect(try kin("chat", "family", as: "bob").contains { $0.contains("(meal: Stew)") })

        let file = stage.folder + "/picture.png"
        try stage.run("sh", "-c", "printf %s '\(UpkeepTests.picture)' | base64 -d >\(file)")
        _ = try kin("pictures", "add", file, "--for", "me")
        _ = try kin("pictures")
        let picture = try #require(try house.snapshot("ada").pictures.keys.first)
        _ = try kin("post", "Look", "--saved", "1", "--for", "bob")
        let post = try #require(try house.snapshot("bob").posts.values.first { $0.text == "Look" })
        #expect(try post.pictures.map(\.picture) == [picture] && house.snapshot("ada").pictures.count == 1)
        // It stands in one place.
        #expect(try run(["chat", "send", "family", "--saved", "1"], "ada").status != 0)
        _ = try door.call("post.remove", ["post": .id(post.id)])
        #expect(try kin("chat", "send", "family", "--saved", "1") == ["Sent."])
        #expect(try kin("chat", "family", as: "bob").contains { $0.contains("(1 picture") })
        #expect(try house.snapshot("bob").pictures.keys.contains(picture))
    }
}
