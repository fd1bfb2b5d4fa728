import KinFamily
import KinModel
import Testing

@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinStore

extension SearchTests {
    @Test func `captions in posts and messages are found by who sees those, and go with their pictures`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let (ben, cleo) = (try box.join("ben", by: ada), try box.join("cleo", by: ada))
        func sent(_ purpose: JSON, _ caption: JSON) throws -> JSON {
            let sent = try box.call(ben, "picture.add", ["picture": UpgradeFixture.pixel, "for": purpose])
            return ["picture": sent["picture"]?["id"] ?? .null, "caption": caption]
        }
        func listed(_ person: FamilyBox.Person, _ words: JSON) throws -> Int? {
            try box.call(person, "post.list", ["words": words])["posts"]?.array?.count
        }
        let shown = try sent("post", "Leuchtturm im NEBEL")
        try box.call(ben, "post.add", ["text": "Hallo", "pictures": [shown], "audience": [.id(ada.id)]])
        #expect(try kinds(box, ada, "nebel") == ["post"] && kinds(box, cleo, "nebel") == [])
        #expect(try kinds(box, ben, "hallo leuchtturm") == ["post"])
        #expect(try listed(ada, "nebel hallo") == 1 && listed(cleo, "nebel") == 0)
        let opened = try box.call(ben, "room.open", ["with": [.id(cleo.id)], "name": "Surprise"])
        let room = try #require(opened["room"]?["room"]?["id"])
        let flown = try sent("message", "Drachen am Strand")
        try box.call(ben, "message.send", ["room": room, "text": "Da!", "pictures": [flown]])
        #expect(try kinds(box, cleo, "drachen") == ["message"] && kinds(box, ada, "drachen") == [])
        for one in [shown, flown] {
            try box.call(ben, "picture.remove", ["picture": one["picture"] ?? .null, "atOnce": true])
        }
        #expect(try kinds(box, ada, "nebel") == [] && kinds(box, ada, "hallo") == ["post"])
        #expect(try listed(ada, "nebel") == 0 && listed(ada, "hallo") == 1)
        #expect(try kinds(box, cleo, "drachen") == [])
        for _ in 0..<10 { try box.wait(seconds: 30) }
        for word in ["NEBEL", "nebel", "Drachen", "drachen"] { #expect(try !box.holds(word), "\(word)") }
    }

    @Test func `captions of an earlier version are found once they are taken in`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let shown = try box.call(ada, "picture.add", ["picture": UpgradeFixture.pixel, "for": "post"])
        let said: JSON = ["picture": shown["picture"]?["id"] ?? .null, "caption": "Über dem Meer"]
        try box.call(ada, "post.add", ["text": "Hallo", "pictures": [said], "audience": "everyone"])
        // As that version had it.
        try box.store.beginTurn()
        let database = box.store.database
        try database.run("UPDATE posts SET plain = 'hallo'")
        try database.run("DELETE FROM searched")
        try database.run("DELETE FROM search_words")
        for made in ["TRIGGER album_shares_removed", "TRIGGER album_shares_left", "TABLE album_shares"] {
            try database.run("DROP \(made)")
        }
        let migration = try #require(Registry.family.migrations.first { $0.name == "captions that are searched" })
        try migration.run(database)
        _ = database.takeChangedRows()
        box.store.due.forget()
        try box.store.commitTurn()
        box.forgetFollowers()
        for _ in 0..<20 { try box.turn() }
        #expect(try kinds(box, ada, "meer") == ["post"])
        #expect(try box.call(ada, "post.list", ["words": "über hallo"])["posts"]?.array?.count == 1)
    }
}
