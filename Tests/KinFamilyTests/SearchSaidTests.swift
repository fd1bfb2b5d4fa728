import KinFamily
import KinModel
import Testing

@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinStore

/// Announcements, what members say, profiles and alarms are found by their words: by whoever sees them, as long as they are
/// there.
@Suite struct SearchSaidTests {
    private let box: FamilyBox
    private let ada: FamilyBox.Person
    private let ben: FamilyBox.Person
    private let cleo: FamilyBox.Person
    private let gus: FamilyBox.Person

    /// Ada leads; Ben and the guest Gus are in her household, Cleo in another.
    init() throws {
        box = try FamilyBox()
        ada = try box.found()
        ben = try box.join("ben", by: ada)
        gus = try box.join("gus", role: .guest, by: ada)
        cleo = try box.join("cleo", into: try box.foundHousehold("Barn", by: ada), by: ada)
    }

    private func hits(_ person: FamilyBox.Person, _ words: String) throws -> [JSON] {
        try box.call(person, "search.find", ["words": .string(words)])["hits"]?.array ?? []
    }

    private func kinds(_ person: FamilyBox.Person, _ words: String) throws -> [String] {
        try hits(person, words).compactMap { $0["kind"]?.string }
    }

    /// Whether somebody finds what is of a kind and has some words, and nothing else that has them.
    private func finds(_ person: FamilyBox.Person, _ words: String, _ kind: String) throws -> Bool {
        let found = try kinds(person, words)
        #expect(found == [] || found == [kind], "\(person.id) finds \(found) by \(words)")
        return found == [kind]
    }

    /// What the index and the tables of numbers have of a kind.
    private func kept(_ kind: String) throws -> Int64 {
        try box.count("SELECT count(*) FROM searched WHERE kind = '\(kind)'")
    }

    // MARK: By kind

    @Test func `an announcement is found by those who were told and by its author, as it is now`() throws {
        let told = try #require(
            try box.call(ada, "activity.announce", ["text": "Marzipan at noon"])["announcement"]?["id"])
        let dora = try box.join("dora", by: ada)
        for person in [ada, ben, cleo] { #expect(try finds(person, "marzi", "announcement")) }
        for person in [gus, dora] { #expect(try !finds(person, "marzi", "announcement")) }
        let hit = try #require(try hits(ben, "noon").first)
        #expect(hit["id"] == told && hit["author"] == .id(ada.id) && hit["snippet"] == "Marzipan at noon")
        // Whether somebody has done with it in the inbox is another thing.
        try box.call(ben, "activity.dismiss", ["id": told])
        #expect(try finds(ben, "marzi", "announcement"))
        try box.call(ada, "activity.correct", ["id": told, "text": "Nougat at noon"])
        #expect(try !finds(ben, "marzi", "announcement") && finds(ben, "nougat", "announcement"))
        try box.call(ada, "member.setRole", ["member": .id(cleo.id), "role": "guest"])
        #expect(try !finds(cleo, "nougat", "announcement"))
        try box.call(ada, "activity.withdraw", ["id": told])
        for person in [ada, ben] { #expect(try !finds(person, "nougat", "announcement")) }
        #expect(try kept("announcement") == 0 && box.count("SELECT count(*) FROM announcement_numbers") == 0)
    }

    @Test func `an announcement goes with its author, or stays with who inherits it`() throws {
        try box.call(ada, "member.setRole", ["member": .id(ben.id), "role": "admin"])
        try box.call(ben, "activity.announce", ["text": "Pistachios"])
        try box.call(ada, "member.setRole", ["member": .id(cleo.id), "role": "admin"])
        try box.call(cleo, "activity.announce", ["text": "Hazelnuts"])
        try box.call(ada, "member.remove", ["member": .id(ben.id), "keep": "hand-over"])
        try box.call(ada, "member.remove", ["member": .id(cleo.id), "keep": "delete"])
        #expect(try finds(ada, "pistachios", "announcement") && !finds(ada, "hazelnuts", "announcement"))
        #expect(try hits(ada, "pistachios").first?["author"] == .id(ben.id))
        #expect(try kept("announcement") == 1)
    }

    @Test func `what somebody says is found by those who were told, and by nobody else`() throws {
        func say(_ text: String, to: [FamilyBox.Person]) throws -> JSON {
            let params: JSON.Object = ["text": .string(text), "to": .array(to.map { .id($0.id) })]
            return try #require(try box.call(ben, "activity.say", params)["saying"]?["id"])
        }
        let secret = try say("Walnuts for Gus", to: [cleo])
        for person in [ben, cleo] { #expect(try finds(person, "walnuts", "saying")) }
        for person in [ada, gus] { #expect(try !finds(person, "walnuts", "saying")) }
        #expect(try hits(cleo, "walnuts").first?["id"] == secret)
        try box.call(ben, "activity.correct", ["id": secret, "text": "Chestnuts"])
        #expect(try !finds(cleo, "walnuts", "saying") && finds(cleo, "chestnuts", "saying"))
        // A guest of another household has it no longer.
        try box.call(ada, "member.setRole", ["member": .id(cleo.id), "role": "guest"])
        #expect(try !finds(cleo, "chestnuts", "saying") && finds(ben, "chestnuts", "saying"))
        try box.call(ben, "activity.withdraw", ["id": secret])
        #expect(try !finds(ben, "chestnuts", "saying") && kept("saying") == 0)
        // It stays with those who were told when its author leaves, and says nobody's name.
        _ = try say("Cashews", to: [ada, gus])
        try box.call(ada, "member.remove", ["member": .id(ben.id), "keep": "hand-over"])
        for person in [ada, gus] { #expect(try finds(person, "cashews", "saying")) }
        #expect(try hits(gus, "cashews").first?["author"] == nil)
        // Until it is too old.
        try box.wait(seconds: 91 * 86_400)
        #expect(try kept("saying") == 0 && box.count("SELECT count(*) FROM saying_numbers") == 0)
    }

    @Test func `what stands in a profile is found by whom it is shown, and leads to its member`() throws {
        let added = try box.call(
            ben, "profile.add",
            ["kind": "address", "value": "Quince Lane 7", "label": "Workshop", "audience": "household"])
        let entry = try #require(added["entry"]?["id"])
        for person in [ada, ben, gus] { #expect(try finds(person, "quince workshop", "profile")) }
        #expect(try !finds(cleo, "quince", "profile"))
        let hit = try #require(try hits(ada, "quince").first)
        #expect(hit["id"] == entry && hit["author"] == .id(ben.id) && hit["title"] == "Workshop")
        try box.call(ben, "profile.update", ["entry": entry, "audience": [.id(cleo.id)]])
        #expect(try !finds(ada, "quince", "profile") && finds(cleo, "quince", "profile"))
        try box.call(ben, "profile.update", ["entry": entry, "value": "Medlar Lane 8"])
        #expect(try !finds(cleo, "quince", "profile") && finds(cleo, "medlar", "profile"))
        try box.call(ben, "profile.remove", ["entry": entry])
        #expect(try !finds(ben, "medlar", "profile") && kept("profile") == 0)
    }

    @Test func `an alarm is found by who raised it and who is called, while it goes on`() throws {
        let raised = try box.call(ben, "alarm.raise", ["kind": "sos", "text": "Flat tyre near the orchard"])
        let alarm = try #require(raised["alarm"]?["id"])
        for person in [ada, ben] { #expect(try finds(person, "orchard", "alarm")) }
        for person in [gus, cleo] { #expect(try !finds(person, "orchard", "alarm")) }
        #expect(try hits(ada, "tyre").first?["id"] == alarm)
        // Nobody at home can come, and the family is called.
        try box.call(ada, "alarm.answer", ["alarm": alarm, "answer": "cannot"])
        #expect(try finds(cleo, "orchard", "alarm") && !finds(gus, "orchard", "alarm"))
        try box.call(ben, "alarm.end", ["alarm": alarm])
        for person in [ada, ben, cleo] { #expect(try !finds(person, "orchard", "alarm")) }
        #expect(try kept("alarm") == 0 && box.count("SELECT count(*) FROM alarm_numbers") == 0)
        // By the name of the place that somebody is on the way to.
        let place: JSON = ["name": "Lighthouse", "lat": 54.5, "lon": 8.5, "radius": 100]
        try box.call(ben, "alarm.raise", ["kind": "onTheWay", "place": place])
        #expect(try finds(ada, "lighthouse", "alarm") && !finds(cleo, "lighthouse", "alarm"))
    }

    @Test func `an alarm without words is not in the index`() throws {
        try box.call(ben, "alarm.raise", ["kind": "sos"])
        #expect(try kept("alarm") == 0 && box.count("SELECT count(*) FROM alarm_numbers") == 1)
    }

    @Test func `a session that waits for the member's own word finds nothing of inboxes and alarms`() throws {
        try box.wait(seconds: 100 * 3600)
        try box.call(ada, "activity.announce", ["text": "cherries for all"])
        try box.call(cleo, "activity.say", ["text": "cherries for Ben", "to": [.id(ben.id)]])
        try box.call(ada, "alarm.raise", ["kind": "come", "text": "cherries to pick", "to": [.id(ben.id)]])
        try box.call(ada, "post.add", ["text": "cherries in the picture", "audience": "everyone"])
        let link = try box.call(ada, "session.link", ["member": .id(ben.id)])["link"] ?? .null
        let waiting = try box.person(try box.call(.none, "session.redeem", ["link": link], from: "192.0.2.9"))
        #expect(try kinds(waiting, "cherries") == ["post"])
        #expect(try Set(kinds(ben, "cherries")) == ["announcement", "saying", "alarm", "post"])
    }

    // MARK: Before

    /// The migrations that came with these kinds.
    private static let names: Set = [
        "numbers of what is said, to be searched", "numbers of alarms, to be searched", "profiles that are searched",
        "menus and rooms that are searched",
    ]

    @Test func `what was there before these kinds is taken in, a step at a time, and no other kind once more`() throws {
        try box.call(ada, "activity.announce", ["text": "plum soup"])
        try box.call(ben, "activity.say", ["text": "plum jam", "to": [.id(ada.id)]])
        try box.call(ben, "profile.add", ["kind": "about", "value": "I like plums", "audience": "household"])
        try box.call(ben, "alarm.raise", ["kind": "come", "text": "plums to carry"])
        try box.call(ada, "post.add", ["text": "plum cake", "audience": "everyone"])
        try box.call(
            ada, "menu.set",
            ["source": "School", "days": [["date": "2026-12-01", "dishes": [["text": "plum dumplings"]]]]])
        try box.call(ben, "room.open", ["with": [.id(ada.id)], "name": "plum pickers"])
        // As the version before has left it: without numbers, and nothing in the index, not even the post.
        let migrations = Registry.family.migrations.filter { Self.names.contains($0.name) }
        #expect(migrations.count == Self.names.count)
        try box.store.beginTurn()
        let database = box.store.database
        for numbers in ["announcement_numbers", "saying_numbers", "alarm_numbers"] {
            for trigger in ["added", "touched", "removed"] { try database.run("DROP TRIGGER \(numbers)_\(trigger)") }
            try database.run("DROP TABLE \(numbers)")
        }
        for number in 0..<850 {
            try database.run(
                "INSERT INTO announcements (id, at, text, seq) VALUES (?, ?, 'plum stones', ?)",
                .id(Identifier(high: 6, low: UInt64(number))), .time(box.clock.adding(seconds: Int64(-1 - number))),
                .int(Int64(1_000_000 + number)))
        }
        try database.run("DELETE FROM searched")
        try database.run("DELETE FROM search_words")
        for migration in migrations { try migration.run(database) }
        // A daemon begins to note changed rows when it has opened the store.
        _ = database.takeChangedRows()
        box.store.due.forget()
        try box.store.commitTurn()
        box.forgetFollowers()
        var steps = 0
        while try box.call(ben, "search.find", ["words": "plum"])["isWhole"] == false {
            steps += 1
            try #require(steps < 100)
            if steps == 1 { try box.restart() }
            try box.turn()
        }
        #expect(steps > 0)
        #expect(try kept("announcement") == 851 && kept("saying") == 1 && kept("profile") == 1 && kept("alarm") == 1)
        #expect(try kept("post") == 0 && kept("menu") == 1 && kept("room") == 1)
        // The alarm, the saying and the announcement are of one moment.
        #expect(
            try Set(kinds(ada, "plum")) == ["announcement", "saying", "profile", "alarm", "menu", "room"])
        #expect(try Set(kinds(cleo, "plum")) == ["announcement", "menu"] && kinds(gus, "plum") == ["profile"])
        // What is said from then on is taken in as it is said.
        try box.call(ben, "activity.say", ["text": "greengages", "to": [.id(cleo.id)]])
        #expect(try finds(cleo, "greengages", "saying"))
    }

    @Test func `nothing of these kinds stays when the family is closed`() throws {
        try box.call(ada, "activity.announce", ["text": "rhabarberkompott"])
        try box.call(ben, "activity.say", ["text": "stachelbeeren", "to": [.id(ada.id)]])
        try box.call(ben, "alarm.raise", ["kind": "come", "text": "holunder"])
        try box.call(ada, "family.close", ["confirm": "Reed"], op: "closing")
        for kind in ["announcement", "saying", "alarm"] {
            #expect(try kept(kind) == 0 && box.count("SELECT count(*) FROM \(kind)_numbers") == 0, "\(kind)")
        }
        for word in ["rhabarber", "stachelbeer", "holunder"] { #expect(try !box.holds(word), "\(word)") }
    }
}
