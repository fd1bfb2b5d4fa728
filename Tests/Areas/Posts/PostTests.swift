import KinModel
import KinPosts
import Testing

@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinStore

/// The family's feed: who sees what, what may be said, and what becomes of it.
@Suite struct PostTests {
    @discardableResult
    private func post(
        _ box: FamilyBox, _ person: FamilyBox.Person, _ text: String = "Soup is ready", _ more: JSON.Object = [:]
    ) throws -> Identifier {
        var params: JSON.Object = ["text": .string(text)]
        for member in more.members { params[member.name] = member.value }
        return try #require(try box.call(person, "post.add", params)["post"]?["id"]?.identifier)
    }

    @discardableResult
    private func comment(
        _ box: FamilyBox, _ person: FamilyBox.Person, _ post: Identifier, _ text: String
    ) throws -> Identifier {
        try #require(
            try box.call(person, "comment.add", ["post": .id(post), "text": .string(text)])["comment"]?["id"]?
                .identifier)
    }

    private func listed(
        _ box: FamilyBox, _ person: FamilyBox.Person, _ params: JSON.Object = [:]
    ) throws -> [String] {
        (try box.call(person, "post.list", params)["posts"]?.array ?? []).compactMap { Post($0)?.text }
    }

    private func kinds(_ box: FamilyBox, _ person: FamilyBox.Person) throws -> [String] {
        try box.fresh(person.id).inbox.entries.filter { $0.about.hasPrefix("post/") }.flatMap {
            $0.lines.compactMap { $0["kind"]?.string }
        }
    }

    @Test func `guests see a post only where it names them, and always their own`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let (ben, gil) = (try box.join("ben", by: ada), try box.join("gil", role: .guest, by: ada))
        let added = try box.call(ada, "post.add", ["text": "Keys", "audience": "household"])
        let keys = try #require(added["post"]?["id"]?.identifier)
        try box.call(ben, "post.add", ["text": "Own", "audience": "household"])
        #expect(try Set(listed(box, ben)) == ["Own", "Keys"])
        #expect(try listed(box, gil) == [] && box.fresh(gil.id).posts.isEmpty)
        #expect(try box.refusal(gil, "post.show", ["post": .id(keys)])?.kind == .notFound)
        try box.call(ada, "post.update", ["post": .id(keys), "audience": [.id(gil.id)]])
        #expect(try listed(box, gil) == ["Keys"])
        try box.call(ada, "post.update", ["post": .id(keys), "audience": "household"])
        #expect(box.types(gil).last == "post.hidden")
        try box.call(ada, "member.setRole", ["member": .id(ben.id), "role": "guest"])
        #expect(try listed(box, ben) == ["Own"])
    }

    @Test func `whoever sees a post comments and likes it; words are their author's, and admins remove`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let (ben, cleo) = (try box.join("ben", by: ada), try box.join("cleo", by: ada))
        let gil = try box.join("gil", role: .guest, by: ada)
        let soup = try post(box, ben)
        let there = try comment(box, cleo, soup, "On my way")
        try box.call(cleo, "like.set", ["post": .id(soup), "reaction": "love"])
        try box.call(ben, "like.set", ["post": .id(soup), "comment": .id(there), "reaction": "thanks"])
        let seen = try box.fresh(ada.id)
        #expect(seen.posts[soup]?.comments == 1 && seen.posts[soup]?.likes.map(\.member) == [cleo.id])
        #expect(seen.comments.values.first?.likes.map(\.reaction) == [.thanks])
        for (who, method, more) in [
            (cleo, "post.update", ["text": "Mine"] as JSON.Object), (ada, "post.update", ["text": "Mine"]),
            (cleo, "post.update", ["pinned": true]), (cleo, "post.remove", [:]),
            (ben, "comment.update", ["comment": .id(there), "text": "Mine"]),
        ] {
            var params = more
            params["post"] = .id(soup)
            #expect(try box.refusal(who, method, params)?.kind == .forbidden, "\(method)")
        }
        try box.call(ada, "post.update", ["post": .id(soup), "pinned": true])
        try box.call(ben, "post.update", ["post": .id(soup), "text": "Soup is on the table"])
        let changed = try #require(try box.fresh(cleo.id).posts[soup])
        #expect(changed.isPinned && changed.edited != nil && changed.text == "Soup is on the table")
        #expect(changed.comments == 1 && changed.likes.count == 1)
        try box.call(cleo, "like.set", ["post": .id(soup), "reaction": .null])
        #expect(try box.fresh(ada.id).posts[soup]?.likes == [])
        // The author of the post may take away what stands under it.
        try box.call(ben, "comment.remove", ["post": .id(soup), "comment": .id(there)])
        #expect(try box.fresh(ada.id).posts[soup]?.comments == 0 && box.fresh(ada.id).comments.isEmpty)
        let absent: JSON = "01980000-0000-7000-8000-0000000000ff"
        for id in [.id(soup), absent] {
            #expect(try box.refusal(gil, "post.show", ["post": id])?.kind == .notFound)
            #expect(try box.refusal(gil, "comment.add", ["post": id, "text": "x"])?.kind == .notFound)
            #expect(try box.refusal(gil, "like.set", ["post": id, "reaction": "like"])?.kind == .notFound)
        }
        #expect(try box.refusal(gil, "post.add", ["text": "Guest's"])?.kind == .forbidden)
        try box.call(ada, "post.remove", ["post": .id(soup)])
        #expect(try box.fresh(ben.id).posts.isEmpty)
    }

    @Test func `who gains sight is given the post with its comments, who loses it is told no more`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let (ben, cleo) = (try box.join("ben", by: ada), try box.join("cleo", by: ada))
        let gift = try post(box, ada, "A kite for Cleo?", ["audience": [.id(ben.id)]])
        try comment(box, ben, gift, "Yes")
        for person in [ben, cleo] { _ = box.heard(person) }
        try box.call(ada, "post.update", ["post": .id(gift), "audience": [.id(cleo.id)]])
        #expect(box.types(ben).filter { !$0.hasPrefix("activity.") } == ["post.hidden"])
        #expect(box.types(cleo) == ["post.shown", "comment.added"])
        // What came into sight is no news, and what left it is in no inbox.
        #expect(try kinds(box, cleo) == [] && kinds(box, ben) == [])
        try comment(box, cleo, gift, "For me?")
        #expect(box.types(ben) == [])
        #expect(try box.fresh(ben.id).posts.isEmpty && box.fresh(ben.id).comments.isEmpty)
        let number = try #require(try box.keeper.roster()[ben.id]).number
        let left = try box.store.database.rows(
            "SELECT audience FROM log WHERE type IN ('post.added', 'comment.added', 'post.updated')"
        ) { row in row.int(0) }
        for audience in left { #expect(try !box.store.database.audience(audience).contains(number)) }
    }

    @Test func `posts are listed newest first, older ones by the oldest shown, by author and by words`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        for number in 1...7 {
            try box.wait(seconds: 1)
            try post(box, number.isMultiple(of: 2) ? ben : ada, "Day \(number)")
        }
        try post(box, ben, "Only mine", ["audience": []])
        #expect(try listed(box, ada, ["limit": 3]) == ["Day 7", "Day 6", "Day 5"])
        let page = try box.call(ada, "post.list", ["limit": 3])
        let next = try #require(page["next"])
        #expect(try listed(box, ada, ["limit": 3, "before": next]) == ["Day 4", "Day 3", "Day 2"])
        #expect(try box.call(ada, "post.list", ["limit": 7])["next"] == nil)
        #expect(try listed(box, ada, ["by": .id(ben.id)]) == ["Day 6", "Day 4", "Day 2"])
        #expect(try listed(box, ada, ["words": "day 5"]) == ["Day 5"])
        #expect(try listed(box, ada, ["words": "mine"]) == [] && listed(box, ben, ["words": "MINE only"]).count == 1)
        let last = try #require(try box.fresh(ada.id).posts.values.first { $0.text == "Day 7" }).id
        for number in 1...5 {
            try box.wait(seconds: 1)
            try comment(box, ben, last, "\(number)")
        }
        let shown = try box.call(ada, "comment.list", ["post": .id(last), "limit": 2])
        #expect(shown["comments"]?.array?.compactMap { $0["text"]?.string } == ["4", "5"])
        let before = try box.call(
            ada, "comment.list", ["post": .id(last), "limit": 3, "before": shown["next"] ?? .null])
        #expect(before["comments"]?.array?.compactMap { $0["text"]?.string } == ["1", "2", "3"])
        #expect(before["next"] == nil)
    }

    @Test func `one entry of the inbox tells all of a post; who is mentioned and who wrote there is told`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let (ben, cleo, dan) = (
            try box.join("ben", by: ada), try box.join("cleo", by: ada), try box.join("dan", by: ada)
        )
        try box.readAll(ada, ben, cleo, dan)
        let soup = try post(box, ben, "Soup is ready, @CLEO, not for x@dan.example")
        #expect(try kinds(box, ada) == ["posted"] && kinds(box, cleo) == ["mentioned"] && kinds(box, dan) == ["posted"])
        try box.readAll(ada, ben, cleo, dan)
        try comment(box, cleo, soup, "On my way")
        #expect(try kinds(box, ben) == ["commented"] && kinds(box, ada) == [] && kinds(box, cleo) == [])
        try comment(box, ada, soup, "Me too, @dan")
        #expect(try kinds(box, cleo) == ["commented"] && kinds(box, dan) == ["mentioned"])
        try box.call(dan, "like.set", ["post": .id(soup), "reaction": "love"])
        try box.call(dan, "like.set", ["post": .id(soup), "reaction": .null])
        try box.call(dan, "like.set", ["post": .id(soup), "reaction": "love"])
        let entries = try box.fresh(ben.id).inbox.entries
        #expect(entries.count == 1 && entries.first?.about == "post/\(soup)")
        #expect(try kinds(box, ben) == ["commented", "commented", "liked"])
        #expect(entries.first?.title?.hasPrefix("Soup is ready") == true)
        // Words that were taken back stand in no inbox.
        try box.call(ben, "post.update", ["post": .id(soup), "text": "Stew is ready"])
        for person in [ben, cleo, dan] {
            #expect(try box.fresh(person.id).inbox.entries.map(\.title) == ["Stew is ready"])
        }
        try box.call(ben, "post.remove", ["post": .id(soup)])
        for person in [ben, cleo, dan] { #expect(try box.fresh(person.id).inbox.entries.isEmpty) }
    }

    @Test func `an answer stands under its comment, is told to those who spoke there, and stays when that is gone`()
        throws
    {
        let box = try FamilyBox()
        let ada = try box.found()
        let (ben, cleo, dan) = (
            try box.join("ben", by: ada), try box.join("cleo", by: ada), try box.join("dan", by: ada)
        )
        let soup = try post(box, ben)
        let there = try comment(box, cleo, soup, "On my way")
        try box.wait(seconds: 1)
        try comment(box, dan, soup, "Me too")
        func answer(_ who: FamilyBox.Person, _ to: Identifier, _ text: JSON) throws -> KinModel.Comment {
            try box.readAll(ada, ben, cleo, dan)
            let said = try box.call(who, "comment.add", ["post": .id(soup), "to": .id(to), "text": text])
            return try #require(said["comment"].flatMap { KinModel.Comment($0) })
        }
        let first = try answer(ada, there, "Bring bread")
        #expect(first.to == there)
        #expect(try kinds(box, cleo) == ["answered"] && kinds(box, ben) == ["commented"])
        #expect(try kinds(box, dan) == ["commented"] && kinds(box, ada) == [])
        // There is one level.
        let second = try answer(cleo, first.id, "I will, @dan")
        #expect(second.to == there)
        #expect(try kinds(box, ada) == ["answered"] && kinds(box, dan) == ["mentioned"])
        let stew = try post(box, ben, "Stew")
        let astray: JSON.Object = ["post": .id(stew), "to": .id(there), "text": "x"]
        #expect(try box.refusal(ada, "comment.add", astray)?.field == "to")
        try box.call(cleo, "comment.remove", ["post": .id(soup), "comment": .id(there)])
        let left = try box.fresh(ada.id)
        #expect(left.posts[soup]?.comments == 3 && left.comments.values.count { $0.to == there } == 2)
        // Whoever answers what is left there still stands there.
        #expect(try answer(dan, second.id, "Good").to == there)
        let read = Comment.threads(Array(left.comments.values)).map(\.text)
        #expect(read == ["Bring bread", "I will, @dan", "Me too"])
    }

    @Test func `what makes no post is said so, and leaves nothing behind`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let absent = "meeting/01980000-0000-7000-8000-0000000000ff"
        for (params, field) in [
            ([:], "text"), (["text": "  \n"], "text"), (["link": "javascript:alert(1)"], "link"),
            (["link": "https://"], "link"), (["link": "https://a b"], "link"), (["about": "soup"], "about"),
            (["about": .string(absent)], "about"),
        ] as [(JSON.Object, String)] {
            let refused = try box.refusal(ada, "post.add", params)
            #expect(refused?.field == field, "\(params)")
        }
        #expect(try listed(box, ada).isEmpty)
        let link = try box.call(ada, "post.add", ["link": "https://example.org/soup"])
        let id = try #require(link["post"]?["id"])
        #expect(try box.refusal(ada, "post.update", ["post": id, "link": .null])?.field == "text")
        try box.call(ada, "post.update", ["post": id, "text": "A recipe", "link": .null])
        #expect(try box.fresh(ben.id).posts.values.first?.link == nil)
        for number in 0..<Limits.postsPinnedMax {
            let one = try post(box, ben, "\(number)")
            try box.call(ada, "post.update", ["post": .id(one), "pinned": true])
        }
        #expect(try box.refusal(ada, "post.update", ["post": id, "pinned": true])?.kind == .tooLarge)
    }

    @Test func `who leaves is named still; what nobody else saw goes, and what is taken along`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let (ben, cleo) = (try box.join("ben", by: ada), try box.join("cleo", by: ada))
        let soup = try post(box, ben)
        try post(box, ben, "A diary", ["audience": []])
        try comment(box, cleo, soup, "On my way")
        try box.call(cleo, "like.set", ["post": .id(soup), "reaction": "love"])
        try box.call(ada, "member.remove", ["member": .id(ben.id), "keep": "hand-over"])
        #expect(try box.fresh(ada.id).posts.values.map(\.author) == [ben.id])
        let stored = try box.store.database.rows("SELECT text FROM posts") { row in row.text(0) }
        #expect(stored == ["Soup is ready"])
        try box.call(ada, "member.remove", ["member": .id(cleo.id), "keep": "delete"])
        let seen = try box.fresh(ada.id)
        #expect(seen.posts[soup]?.comments == 0 && seen.posts[soup]?.likes == [] && seen.comments.isEmpty)
    }
}
