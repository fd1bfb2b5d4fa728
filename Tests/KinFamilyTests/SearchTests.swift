import KinFamily
import KinModel
import Testing

@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinStore

/// One search over everything: who finds what, until when, and what is left of it.
@Suite struct SearchTests {
    private struct Hit: Equatable, CustomStringConvertible {
        let kind: String
        let id: Identifier
        var description: String { "\(kind)/\(id)" }
    }

    func answer(
        _ box: FamilyBox, _ person: FamilyBox.Person, _ words: String, _ more: JSON.Object = [:]
    ) throws -> JSON {
        var params: JSON.Object = ["words": .string(words)]
        for member in more.members { params[member.name] = member.value }
        return try box.call(person, "search.find", params)
    }

    func kinds(
        _ box: FamilyBox, _ person: FamilyBox.Person, _ words: String, _ more: JSON.Object = [:]
    ) throws -> [String] {
        (try answer(box, person, words, more)["hits"]?.array ?? []).compactMap { $0["kind"]?.string }
    }

    private func family(_ box: FamilyBox, _ person: FamilyBox.Person) throws -> JSON {
        .id(try #require(try box.fresh(person.id).rooms.values.first { $0.room.kind == .family }).room.id)
    }

    // MARK: By area

    @Test func `posts and comments are found by who sees the post, as they are now`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let (ben, gil) = (try box.join("ben", by: ada), try box.join("gil", role: .guest, by: ada))
        let post = try #require(
            try box.call(ben, "post.add", ["text": "Quinces from Grandma's garden", "audience": [.id(ada.id)]])[
                "post"]?[
                    "id"])
        try box.call(ada, "comment.add", ["post": post, "text": "Quinces for everybody"])
        #expect(try kinds(box, ada, "quinces") == ["comment", "post"])
        #expect(try kinds(box, ben, "quince") == ["comment", "post"])
        #expect(try kinds(box, gil, "quinces") == [])
        let hit = try #require(try answer(box, ada, "garden")["hits"]?.array?.first)
        #expect(hit["id"] == post && hit["author"] == .id(ben.id) && hit["snippet"] == "Quinces from Grandma's garden")
        #expect(hit["highlights"] == [[23, 29]] && hit["at"] == .time(box.clock))
        let comment = try #require(try answer(box, ada, "everybody")["hits"]?.array?.first)
        #expect(comment["within"]?.string == "post/\(post.string ?? "")")
        // The old word is gone with the edit, and the new one is found.
        try box.call(ben, "post.update", ["post": post, "text": "Medlars"])
        #expect(try kinds(box, ada, "garden") == [] && kinds(box, ada, "medlars") == ["post"])
        // A share that ended.
        try box.call(ben, "post.update", ["post": post, "audience": []])
        #expect(try kinds(box, ada, "quinces") == [] && kinds(box, ada, "medlars") == [])
        #expect(try kinds(box, ben, "quinces") == ["comment"])
        try box.call(ben, "post.remove", ["post": post])
        #expect(try kinds(box, ben, "quinces") == [] && kinds(box, ben, "medlars") == [])
        #expect(try box.count("SELECT count(*) FROM searched WHERE kind IN ('post', 'comment')") == 0)
    }

    @Test func `messages are found by who is in the room, from when they came until they leave; admins in no other`()
        throws
    {
        let box = try FamilyBox()
        let ada = try box.found()
        let (ben, cleo, dan) = (
            try box.join("ben", by: ada), try box.join("cleo", by: ada), try box.join("dan", by: ada)
        )
        let opened = try box.call(ben, "room.open", ["with": [.id(cleo.id)], "name": "Surprise"])
        let room = try #require(opened["room"]?["room"]?["id"])
        let first = try box.call(ben, "message.send", ["room": room, "text": "A kite for Ada"])
        #expect(try kinds(box, ben, "kite") == ["message"] && kinds(box, cleo, "kite") == ["message"])
        #expect(try kinds(box, ada, "kite") == [] && kinds(box, dan, "kite") == [])
        try box.call(cleo, "room.update", ["room": room, "add": [.id(dan.id)]])
        #expect(try kinds(box, dan, "kite") == [])
        try box.call(cleo, "message.send", ["room": room, "text": "The kite is red"])
        #expect(try kinds(box, dan, "kite") == ["message"] && kinds(box, ben, "kite") == ["message", "message"])
        try box.call(ben, "room.update", ["room": room, "remove": [.id(dan.id)]])
        #expect(try kinds(box, dan, "kite") == [])
        let hit = try #require(try answer(box, cleo, "kite ada")["hits"]?.array?.first)
        #expect(hit["within"]?.string == "room/\(room.string ?? "")" && hit["id"] == first["message"]?["id"])
        try box.call(ben, "message.remove", ["room": room, "message": first["message"]?["id"] ?? .null])
        #expect(try kinds(box, cleo, "kite") == ["message"])
        // A room that nobody is in any more takes its messages with it.
        try box.call(ben, "room.leave", ["room": room])
        try box.call(cleo, "room.leave", ["room": room])
        #expect(try kinds(box, cleo, "kite") == [] && kinds(box, ben, "kite") == [])
        #expect(try box.count("SELECT count(*) FROM searched WHERE kind = 'message'") == 0)
    }

    @Test func `who becomes a guest, or leaves, finds no more than they see`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let room = try family(box, ada)
        try box.call(ada, "message.send", ["room": room, "text": "Soup is ready"])
        try box.call(ada, "contact.add", ["firstName": "Soup", "lastName": "Kitchen"])
        try box.call(ada, "dish.add", ["title": "Soup", "ingredients": [["text": "Leek"]]])
        try box.call(ada, "post.add", ["text": "Soup", "audience": "everyone"])
        #expect(try Set(kinds(box, ben, "soup")) == ["message", "contact", "dish", "post"])
        #expect(try kinds(box, ben, "leek") == ["dish"])
        try box.call(ada, "member.setRole", ["member": .id(ben.id), "role": "guest"])
        #expect(try kinds(box, ben, "soup") == [] && kinds(box, ben, "leek") == [])
        #expect(try kinds(box, ada, "soup").count == 4)
    }

    @Test func `lists and items, places, meals and pictures are found by who sees them`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let list = try #require(
            try box.call(ada, "list.add", ["name": "Sommerreise", "kind": "packing", "audience": []])["list"]?["id"])
        let item: JSON = "01980000-0000-7000-8000-000000000001"
        try box.call(ada, "item.put", ["list": list, "items": [["id": item, "text": "Tauchbrille", "note": "rot"]]])
        #expect(try kinds(box, ada, "tauch rot") == ["item"] && kinds(box, ada, "sommer") == ["list"])
        #expect(try kinds(box, ben, "tauch") == [] && kinds(box, ben, "sommer") == [])
        try box.call(ada, "list.update", ["list": list, "audience": "everyone"])
        #expect(try kinds(box, ben, "tauch") == ["item"] && kinds(box, ben, "sommer") == ["list"])
        try box.call(ben, "item.remove", ["list": list, "items": [item]])
        #expect(try kinds(box, ada, "tauch") == [])
        try box.call(ada, "list.remove", ["list": list])
        #expect(try kinds(box, ada, "sommer") == [])
        let place = try #require(
            try box.call(
                ada, "place.add",
                ["kind": "hotspot", "name": "Waldhütte", "lat": 48.1, "lon": 11.5, "audience": [.id(ben.id)]])[
                    "place"]?["id"])
        #expect(try kinds(box, ben, "waldh") == ["place"])
        try box.call(ada, "place.update", ["place": place, "audience": []])
        #expect(try kinds(box, ben, "waldh") == [] && kinds(box, ada, "waldh") == ["place"])
        try box.call(
            ada, "meal.put", ["date": "2026-11-22", "slot": "lunch", "title": "Kürbisrisotto", "audience": []])
        #expect(try kinds(box, ada, "kürbis") == ["meal"] && kinds(box, ben, "kürbis") == [])
        let sent = try box.call(
            ada, "picture.add",
            ["picture": UpgradeFixture.pixel, "audience": "everyone", "caption": "Der Leuchtturm", "album": "Meer"])
        let picture = try #require(sent["picture"]?["id"])
        #expect(try kinds(box, ben, "leuchtturm meer") == ["picture"])
        try box.call(ada, "picture.remove", ["picture": picture])
        #expect(try kinds(box, ben, "leuchtturm") == [] && kinds(box, ada, "leuchtturm") == [])
    }

    @Test func `entries and meetings are found by who sees all of them, at the time they are`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let (ben, cleo) = (try box.join("ben", by: ada), try box.join("cleo", by: ada))
        let added = try box.call(
            ada, "entry.add",
            [
                "subject": "Zahnarzt", "note": "Bring the card", "start": "2026-12-02T10:00", "minutes": 30,
                "zone": "Europe/Berlin", "privacy": "private", "invitees": [.id(ben.id)],
            ])
        let entry = try #require(added["entry"]?["id"])
        #expect(try kinds(box, ada, "zahn card") == ["entry"] && kinds(box, ben, "zahn") == ["entry"])
        #expect(try kinds(box, cleo, "zahn") == [])
        let hit = try #require(try answer(box, ada, "zahn")["hits"]?.array?.first)
        #expect(hit["at"]?.instant == Instant("2026-12-02T09:00:00Z") && hit["title"] == "Zahnarzt")
        #expect(hit["titleHighlights"] == [[0, 8]])
        try box.call(ada, "entry.update", ["entry": entry, "subject": "Dentist"])
        #expect(try kinds(box, ada, "zahn") == [] && kinds(box, ben, "dentist") == ["entry"])
        try box.call(ada, "entry.remove", ["entry": entry])
        #expect(try kinds(box, ada, "dentist") == [] && kinds(box, ben, "dentist") == [])
    }

    @Test func `menus of canteens are found by all but guests, on their day, as long as they stand there`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let (ben, gil) = (try box.join("ben", by: ada), try box.join("gil", role: .guest, by: ada))
        func set(_ dishes: [JSON]) throws {
            try box.call(
                ada, "menu.set", ["source": "School", "days": [["date": "2026-12-01", "dishes": .array(dishes)]]])
        }
        try set([["text": "Pumpkin soup", "price": "3.50"], ["text": "Pumpkin pie"]])
        #expect(try kinds(box, ben, "pumpkin") == ["menu", "menu"] && kinds(box, ben, "pie school") == ["menu"])
        #expect(try kinds(box, gil, "pumpkin") == [])
        let hit = try #require(try answer(box, ben, "soup")["hits"]?.array?.first)
        #expect(hit["isDay"] == true && hit["at"]?.instant == Instant("2026-12-01T00:00:00Z"))
        #expect(hit["title"] == "Pumpkin soup" && hit["author"] == nil)
        // Said anew, the day has this alone.
        try set([["text": "Pasta"]])
        #expect(try kinds(box, ben, "pumpkin") == [] && kinds(box, ada, "pasta") == ["menu"])
        try box.call(ada, "member.setRole", ["member": .id(ben.id), "role": "guest"])
        #expect(try kinds(box, ben, "pasta") == [])
        try set([])
        #expect(try box.count("SELECT count(*) FROM searched WHERE kind = 'menu'") == 0)
    }

    @Test func `rooms are found by their names, by who is in them; albums by the pictures in sight`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let (ben, cleo) = (try box.join("ben", by: ada), try box.join("cleo", by: ada))
        let opened = try box.call(ben, "room.open", ["with": [.id(cleo.id)], "name": "Geschenk"])
        let room = try #require(opened["room"]?["room"]?["id"])
        #expect(try kinds(box, ben, "geschenk") == ["room"] && kinds(box, cleo, "gesch") == ["room"])
        #expect(try kinds(box, ada, "geschenk") == [], "an admin is in no room unasked")
        #expect(try answer(box, ben, "geschenk")["hits"]?.array?.first?["id"] == room)
        try box.call(cleo, "room.update", ["room": room, "add": [.id(ada.id)], "name": "Party"])
        #expect(try kinds(box, ada, "party") == ["room"] && kinds(box, ben, "geschenk") == [])
        try box.call(ada, "room.leave", ["room": room])
        #expect(try kinds(box, ada, "party") == [])
        for person in [ben, cleo] { try box.call(person, "room.leave", ["room": room]) }
        #expect(try box.count("SELECT count(*) FROM searched WHERE kind = 'room'") == 0)
        let picture: JSON.Object = ["picture": UpgradeFixture.pixel, "album": "Meer", "audience": []]
        try box.call(ada, "picture.add", picture)
        #expect(try kinds(box, ada, "meer") == ["picture"] && kinds(box, ben, "meer") == [])
    }

    // MARK: Words

    @Test func `case, umlauts and beginnings do not matter`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        try box.call(ada, "post.add", ["text": "Grüße aus der Straßenbahn, naïve Çığ, Łódź", "audience": "everyone"])
        for words in [
            "grüße", "GRÜ", "gru", "gruesse", "Strassenbahn", "strass", "straßen", "NAIVE", "çi", "lodz",
            "aus bahn der",
            "grusse",
        ] {
            let expected = words == "aus bahn der" || words == "grusse" ? 0 : 1
            #expect(try kinds(box, ada, words).count == expected, "\(words)")
        }
    }

    @Test func `nothing in the words is a command, and no words find nothing`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        try box.call(ada, "post.add", ["text": "NEAR OR AND NOT title text kind:post \"quoted\" a-b c^2 *star*"])
        for words in [
            "\"", "\"\"", "*", "^", ":", "(", ")", "((", "NEAR", "OR", "AND NOT", "NEAR(a b)", "-", "a-b", "a -b",
            "kind:post", "{kind}:post", "kind", "title:near", "\"quoted\"", "\"quo", "c^2", "*star*", "'", "''; DROP",
            "a\" OR \"b", "+a", "a AND", "\\", "%", "_", "\u{E000}a\u{E001}", "ﬀ", "🙂", "a🙂", "日本語", "ا",
        ] { _ = try answer(box, ada, words) }
        for words in ["\"", "*", "- ^ :", "🙂"] { #expect(try kinds(box, ada, words) == [], "\(words)") }
        for words in ["", "   ", "\u{0301}"] {
            #expect(try box.refusal(ada, "search.find", ["words": .string(words)])?.field == "words")
        }
        #expect(try kinds(box, ada, "near or and") == ["post"] && kinds(box, ada, "kind:post") == ["post"])
        #expect(try kinds(box, ada, "a-b \"quoted\" star") == ["post"])
        // A kind is no word of a text.
        try box.call(ada, "post.add", ["text": "Something else"])
        #expect(try kinds(box, ada, "post").count == 1)
        let long = String(repeating: "a", count: Limits.findCharactersMax)
        #expect(try kinds(box, ada, long) == [])
        #expect(try box.refusal(ada, "search.find", ["words": .string(long + "a")])?.field == "words")
        let many = Array(repeating: "a", count: Limits.findCharactersMax / 2).joined(separator: " ")
        #expect(try kinds(box, ada, many) == ["post"])
        for before: JSON in ["x", "-9223372036854775808"] {
            #expect(try box.refusal(ada, "search.find", ["words": "a", "before": before])?.field == "before")
        }
        let kind = try box.refusal(ada, "search.find", ["words": "a", "kinds": ["thing"]])
        #expect(kind?.field?.hasPrefix("kinds") == true)
        #expect(try box.refusal(.none, "search.find", ["words": "a"])?.kind == .notSignedIn)
    }

    @Test func `a snippet stands around the match, as one line, with the match in UTF-16 units`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let filler = Array(repeating: "wort 🙂", count: 60).joined(separator: " ")
        try box.call(ada, "post.add", ["text": .string(filler + "\nein Apfelbaum\n" + filler)])
        let hit = try #require(try answer(box, ada, "apfel")["hits"]?.array?.first)
        let snippet = try #require(hit["snippet"]?.string)
        #expect(snippet.count <= Limits.snippetCharactersMax && snippet.hasPrefix("…") && snippet.hasSuffix("…"))
        #expect(!snippet.contains("\n"))
        let highlight = try #require(hit["highlights"]?.array?.first?.array)
        let units = Array(snippet.utf16)[Int(highlight[0].int ?? 0)..<Int(highlight[1].int ?? 0)]
        #expect(String(decoding: units, as: UTF16.self) == "Apfelbaum")
    }

    // MARK: Order

    @Test func `hits come the latest first, page after page, each once`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        var all: [JSON] = []
        for number in 0..<25 {
            // Several within a millisecond, and some that only Ben sees among them.
            if number % 3 == 0 { box.clock = box.clock.adding(seconds: 90) }
            let post = try box.call(ada, "post.add", ["text": .string("apple \(number)"), "audience": "everyone"])
            all.insert(try #require(post["post"]?["id"]), at: 0)
            try box.call(ben, "post.add", ["text": "apple of mine", "audience": []])
        }
        var found: [JSON] = []
        var cursor: JSON?
        repeat {
            let page = try answer(box, ada, "apple", cursor.map { ["limit": 4, "before": $0] } ?? ["limit": 4])
            let hits = page["hits"]?.array ?? []
            #expect(hits.count == 4 || page["next"] == nil)
            found += hits.compactMap { $0["id"] }
            cursor = page["next"]
        } while cursor != nil
        #expect(found == all)
        // Before a moment; of kinds.
        let until = box.clock.adding(seconds: -90)
        let before = try answer(box, ada, "apple", ["until": .time(until), "limit": 50])["hits"]?.array ?? []
        #expect(before.count == all.count - 4 && before.allSatisfy { ($0["at"]?.instant ?? .latest) < until })
        #expect(try kinds(box, ada, "apple", ["kinds": ["comment", "message"]]) == [])
        #expect(try kinds(box, ada, "apple", ["kinds": ["post"], "limit": 50]).count == 25)
        // A cursor that somebody made up with the identifier of what they do not see begins at its own time.
        let hidden = try #require(
            try box.store.database.first("SELECT id FROM posts WHERE owner = ?", .id(ben.id)) { row in
                row.identifier(0)
            })
        let tomorrow = box.clock.adding(days: 1).milliseconds
        let made = try answer(box, ada, "apple", ["before": .string("\(tomorrow)/\(hidden)")])
        #expect(made["hits"]?.array?.first?["id"] == all.first)
    }

    @Test func `what others wrote changes no byte of an answer`() throws {
        func world(hidden: Bool) throws -> [String] {
            let box = try FamilyBox()
            let ada = try box.found()
            let ben = try box.join("ben", by: ada)
            var said: [String] = []
            for number in 0..<12 {
                box.clock = box.clock.adding(seconds: 3600)
                let text = hidden ? "apple hidden" : "pear hidden"
                for _ in 0..<8 { try box.call(ada, "post.add", ["text": .string(text), "audience": []]) }
                try box.call(ben, "post.add", ["text": .string("apple \(number)"), "audience": "everyone"])
            }
            var cursor: JSON?
            repeat {
                let page = try answer(box, ben, "apple", cursor.map { ["limit": 5, "before": $0] } ?? ["limit": 5])
                said.append(page.text)
                cursor = page["next"]
            } while cursor != nil
            return said
        }
        #expect(try world(hidden: true) == world(hidden: false))
    }

    // MARK: Gone

    @Test func `the words of what was removed are nowhere in the files soon, and of what was changed not in the index`()
        throws
    {
        let box = try FamilyBox()
        let ada = try box.found()
        let room = try family(box, ada)
        let post = try box.call(ada, "post.add", ["text": "rhabarberkompott and more"])
        let said = try box.call(ada, "message.send", ["room": room, "text": "stachelbeermarmelade"])
        let other = try box.call(ada, "post.add", ["text": "holunderbluetensirup"])
        for number in 0..<200 { try box.call(ada, "message.send", ["room": room, "text": .string("word \(number)")]) }
        #expect(try box.holds("rhabarberkompott") && box.holds("stachelbeermarmelade"))
        try box.call(ada, "post.remove", ["post": post["post"]?["id"] ?? .null])
        try box.call(ada, "message.remove", ["room": room, "message": said["message"]?["id"] ?? .null])
        try box.call(ada, "post.update", ["post": other["post"]?["id"] ?? .null, "text": "quitten"])
        for _ in 0..<6 { try box.wait(seconds: 2) }
        try box.wait(seconds: 60)
        for word in ["rhabarber", "stachelbeer"] { #expect(try !box.holds(word), "\(word)") }
        // The log has what was said before an edit; the index has it no more.
        let ends = "CAST('luetensirup' AS BLOB)"
        #expect(try box.count("SELECT count(*) FROM search_words_data WHERE instr(block, \(ends)) > 0") == 0)
        #expect(try box.count("SELECT count(*) FROM search_words_content WHERE instr(c1, 'holunder') > 0") == 0)
        #expect(try kinds(box, ada, "quitten") == ["post"] && kinds(box, ada, "word").count == 20)
    }

    @Test func `what was refused is not in the index`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let before = try box.count("SELECT count(*) FROM searched")
        #expect(try box.refusal(ada, "post.add", ["text": "kumquat", "audience": ["nobody"]]) != nil)
        try box.turn()
        #expect(try box.count("SELECT count(*) FROM searched") == before && kinds(box, ada, "kumquat") == [])
    }

    // MARK: Before the index

    @Test func `what was there before the index is taken in a step at a time, also over a power loss`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let room = try family(box, ada)
        for number in 0..<450 { try box.call(ada, "message.send", ["room": room, "text": .string("plum \(number)")]) }
        try box.call(ada, "list.add", ["name": "Plums", "kind": "shopping"])
        // As the migration leaves an old family.
        try box.store.beginTurn()
        try box.store.database.run("DELETE FROM searched")
        try box.store.database.run("DELETE FROM search_words")
        try box.store.due.add(at: .earliest, kind: "search.fill", about: "all")
        try box.store.commitTurn()
        var steps = 0
        while try answer(box, ada, "plum")["isWhole"] == false {
            steps += 1
            try #require(steps < 100)
            let count = try box.count("SELECT count(*) FROM searched")
            if steps == 1 { try box.restart() }
            try box.turn()
            #expect(try box.count("SELECT count(*) FROM searched") - count <= 4 * Int64(Limits.searchFilledPerTurn))
        }
        #expect(steps > 0)
        #expect(try box.count("SELECT count(*) FROM searched WHERE kind = 'message'") == 450)
        #expect(try kinds(box, ada, "plums") == ["list"])
        #expect(try kinds(box, ada, "plum", ["limit": 50]).count == 50)
    }

    @Test func `what is in rooms of others is passed by, and nobody looks at it`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let (ben, cleo) = (try box.join("ben", by: ada), try box.join("cleo", by: ada))
        let opened = try box.call(ben, "room.open", ["with": [.id(cleo.id)], "name": "Surprise"])
        let room = try #require(opened["room"]?["room"]?["id"])
        for _ in 0..<7 { try box.call(ben, "message.send", ["room": room, "text": "A kite for Ada"]) }
        try box.call(ada, "message.send", ["room": try family(box, ada), "text": "Who has my kite?"])
        try box.call(ada, "post.add", ["text": "A kite", "audience": "everyone"])
        // Who searches has what was just said taken in.
        #expect(try kinds(box, ada, "kite").count == 2)
        /// How many rows a member's search looks at.
        func looked(_ person: FamilyBox.Person) throws -> Int64? {
            let chat = try #require(box.keeper.registry.searchedKinds.first { $0.kind == "message" })
            let groups = try box.store.database.rows(
                "SELECT number FROM rooms WHERE number NOT IN (SELECT room FROM room_sight WHERE member = ?)",
                .id(person.id)
            ) { row in row.int(0) }
            let query = try #require(
                SearchQuestion.query("kite", kinds: nil, hidden: groups.map(chat.word)))
            return try box.store.database.first(
                "SELECT count(*) FROM search_words WHERE search_words MATCH ?", .text(query)
            ) { row in row.int(0) }
        }
        #expect(try looked(ada) == 2 && looked(ben) == 9)
        #expect(try Set(kinds(box, ada, "kite")) == ["message", "post"] && kinds(box, cleo, "kite").count == 9)
    }

    @Test func `after an upgrade messages are found by their rooms as soon as they are taken in anew`()
        throws
    {
        let box = try FamilyBox()
        let ada = try box.found()
        let room = try family(box, ada)
        for number in 0..<250 { try box.call(ada, "message.send", ["room": room, "text": .string("plum \(number)")]) }
        try box.store.beginTurn()
        try box.store.database.run("CREATE TABLE message_words (text)")
        let names: Set = ["no index of their own for messages", "an index of beginnings and groups"]
        let migrations = Registry.family.migrations.filter { names.contains($0.name) }
        #expect(migrations.count == names.count)
        for migration in migrations { try migration.run(box.store.database) }
        _ = box.store.database.takeChangedRows()
        box.store.due.forget()
        try box.store.commitTurn()
        box.forgetFollowers()
        #expect(try box.count("SELECT count(*) FROM searched") == 0)
        func search() throws -> JSON { try box.call(ada, "message.search", ["words": "plum", "limit": 50]) }
        var steps = 0
        while try search()["isWhole"] == false {
            steps += 1
            try #require(steps < 100)
            try box.turn()
        }
        #expect(try search()["messages"]?.array?.count == 50)
        #expect(try box.count("SELECT count(*) FROM searched WHERE kind = 'message'") == 250)
        #expect(try kinds(box, ada, "plum", ["limit": 50]).count == 50)
    }

    /// What a member sees by the methods that list, of what stands in a random family.
    @Test(arguments: 0..<3) func `in any family each member finds what they see listed, and nothing else`(
        seed: UInt64
    ) throws {
        #expect(try RandomFamily(seed: seed, registry: .family).differences() == [])
    }

    @Test func `a search that asks not who sees is noticed`() throws {
        #expect(try !RandomFamily(seed: 0, registry: .asking(nobodyFor: "message")).differences().isEmpty)
    }
}
