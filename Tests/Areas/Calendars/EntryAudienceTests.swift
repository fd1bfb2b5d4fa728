import KinModel
import Testing

@testable import KinCalendars
@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinStore

/// For whom an entry is, of those who may read its calendar: the others see nothing of it, not even when it is.
@Suite struct EntryAudienceTests {
    private let box: FamilyBox
    private let ada: FamilyBox.Person
    private let ben: FamilyBox.Person
    private let cleo: FamilyBox.Person
    private let family: JSON

    init() throws {
        box = try FamilyBox()
        ada = try box.found()
        ben = try box.join("ben", by: ada)
        cleo = try box.join("cleo", by: ada)
        family = try #require(try box.call(ada, "family.show")["family"]?["id"])
    }

    private func add(_ more: JSON.Object) throws -> Entry {
        var params: JSON.Object = ["calendar": family]
        for member in more.members { params[member.name] = member.value }
        return try EntryTests.add(box, ada, "Surprise", params)
    }

    private func types(_ person: FamilyBox.Person) -> [String] {
        box.types(person).filter { $0.hasPrefix("entry.") || $0 == "reset" }
    }

    private func change(_ entry: Entry, _ audience: JSON) throws {
        try box.call(ada, "entry.update", ["entry": .id(entry.id), "audience": audience])
    }

    @Test func `who is outside of the audience sees nothing of it at any door`() throws {
        let entry = try add(["audience": [.id(cleo.id)], "repeat": "weekly", "until": "2026-08-01"])
        let when: JSON.Object = ["from": "2026-07-01", "to": "2026-12-31", "zone": "Europe/Berlin"]
        for (person, isSeen) in [(ada, true), (ben, false), (cleo, true)] {
            let listed = try box.call(person, "entry.list", when)
            #expect(listed["occurrences"]?.array?.count == (isSeen ? 3 : 0) && listed["busy"] == [])
            #expect(try box.call(person, "entry.days", when)["days"]?.array?.count == (isSeen ? 3 : 0))
            #expect(try box.call(person, "entry.all")["entries"]?.array?.count == (isSeen ? 1 : 0))
            let words = try box.call(
                person, "entry.list",
                ["from": "2026-07-01", "to": "2026-12-31", "zone": "Europe/Berlin", "words": "Surprise"])
            #expect(words["occurrences"]?.array?.count == (isSeen ? 3 : 0))
            #expect(
                try box.refusal(person, "entry.show", ["entry": .id(entry.id)])?.kind == (isSeen ? nil : .notFound))
            try box.call(person, "calendar.export", ["calendar": family])
            guard case .piece(let piece) = box.effect else {
                Issue.record("no file")
                continue
            }
            let text = String(decoding: piece.bytes, as: UTF8.self)
            #expect(text.contains("SUMMARY:Surprise") == isSeen && !text.contains("SUMMARY:Busy"))
        }
        // Nor in what an admin of the calendar could bring back.
        try box.call(ada, "member.setRole", ["member": .id(ben.id), "role": "admin"])
        try box.call(ada, "entry.remove", ["entry": .id(entry.id)])
        #expect(try box.call(ben, "entry.bin")["entries"] == [])
        try box.call(ada, "entry.restore", ["entry": .id(entry.id)])
        #expect(try EntryTests.on(box, ben) == [] && EntryTests.on(box, cleo).count == 3)
    }

    @Test(arguments: [
        ("audience", "friends"), ("audience_ids", "cleo"), ("exceptions", "[{\"occurrence\": 7}]"), ("exceptions", "{"),
        ("answers", "[[]]"), ("dates", "[1]"),
    ])
    func `what a damaged row says is not guessed, nor who sees it`(column: String, text: String) throws {
        let entry = try add(["audience": [.id(cleo.id)]])
        let database = box.store.database
        let before = try database.first("SELECT \(column) FROM entries") { row in row.optionalText(0) }
        try database.run("UPDATE entries SET \(column) = ?", .text(text))
        let asked: [(String, JSON.Object)] = [("entry.show", ["entry": .id(entry.id)]), ("entry.all", [:])]
        for (method, params) in asked {
            let refusal = try box.refusal(ada, method, params)
            #expect(refusal?.kind == .unavailable, "\(method)")
            #expect(refusal?.message.contains("the column \(column) holds a text of another form") == true, "\(method)")
        }
        try database.run("UPDATE entries SET \(column) = ?", Value(before.flatMap(\.self)))
        #expect(try box.call(ada, "entry.show", ["entry": .id(entry.id)])["entry"]?["id"] == .id(entry.id))
    }

    @Test(arguments: ["UPDATE entries SET status = 'perhaps'", "UPDATE entry_people SET answer = 'perhaps'"])
    func `a word that nobody knows is an error, never another word`(damage: String) throws {
        let entry = try add(["invitees": [.id(ben.id)]])
        #expect(try box.call(ada, "entry.show", ["entry": .id(entry.id)])["entry"]?["id"] == .id(entry.id))
        try box.store.database.run(damage)
        #expect(try box.refusal(ada, "entry.show", ["entry": .id(entry.id)])?.kind == .unavailable)
    }

    @Test func `who sees when somebody is busy is not told of what is for others`() throws {
        try box.call(ada, "calendar.share", ["calendar": .id(ada.id), "with": "everyone", "right": "busy"])
        let entry = try EntryTests.add(box, ada, "Surprise", ["audience": []])
        func busy() throws -> Int? {
            let free = try box.call(
                ben, "entry.free",
                ["members": [.id(ada.id)], "from": "2026-07-14", "to": "2026-07-14", "zone": "Europe/Berlin"])
            return free["members"]?.array?.first?["busy"]?.array?.count
        }
        let listed = try box.call(
            ben, "entry.list", ["from": "2026-07-14", "to": "2026-07-14", "zone": "Europe/Berlin"])
        #expect(try busy() == 0 && listed["busy"] == [])
        try change(entry, "everyone")
        #expect(try busy() == 1)
    }

    @Test
    func `who comes to see it is shown it, who does not any more loses it, and nobody else hears of that`() throws {
        let entry = try add([:])
        try box.call(cleo, "entry.remind", ["entry": .id(entry.id), "minutes": [30]])
        let before = try box.call(ben, "entry.show", ["entry": .id(entry.id)])
        _ = (types(ada), types(ben), types(cleo))
        try change(entry, [.id(ben.id)])
        #expect(types(ada) == ["entry.updated"] && types(ben) == [] && types(cleo) == ["entry.hidden"])
        #expect(try box.count("SELECT count(*) FROM entry_reminders") == 0)
        #expect(try box.call(ben, "entry.show", ["entry": .id(entry.id)])["entry"] == before["entry"])
        #expect(try box.call(ada, "entry.show", ["entry": .id(entry.id)])["audience"] == [.id(ben.id)])
        #expect(before["audience"] == nil)
        // What is said of it meanwhile reaches those who see it.
        try box.call(ada, "entry.update", ["entry": .id(entry.id), "note": "Hush"])
        #expect(types(ben) == ["entry.updated"] && types(cleo) == [])
        _ = types(ada)
        try change(entry, .null)
        #expect(types(ada) == ["entry.updated"] && types(ben) == [] && types(cleo) == ["entry.shown"])
        // The same once more changes nothing.
        try change(entry, .null)
        #expect(types(ada) == [] && types(cleo) == [])
        // An owner's log holds nothing for who lost it.
        try change(entry, [])
        let number = try #require(try box.keeper.roster()[cleo.id]).number
        for audience in try box.store.database.rows(
            "SELECT audience FROM log WHERE about = ?", .text("entry/\(entry.id)"), map: { row in row.int(0) })
        {
            #expect(try !box.store.database.audience(audience).contains(number))
        }
    }

    @Test func `its owner and admins choose for whom it is, and who is invited sees it always`() throws {
        let adas = try add(["invitees": [.id(cleo.id)], "audience": []])
        #expect(try EntryTests.on(box, cleo).count == 1 && EntryTests.on(box, ben) == [])
        try change(adas, [.id(ben.id)])
        #expect(
            try box.refusal(ben, "entry.update", ["entry": .id(adas.id), "audience": "everyone"])?.kind == .forbidden)
        #expect(try box.refusal(ben, "entry.update", ["entry": .id(adas.id), "note": "Cake"]) == nil)
        let bens = try EntryTests.add(box, ben, "Picnic", ["calendar": family, "audience": [.id(ada.id)]])
        try change(bens, [.id(cleo.id), .id(ada.id)])
        #expect(try EntryTests.on(box, cleo).count == 2)
        // On a single day nothing is for others than on the rest.
        let weekly = try add(["repeat": "weekly"])
        #expect(
            try box.refusal(
                ada, "entry.update",
                ["entry": .id(weekly.id), "scope": "this", "occurrence": "2026-07-14T19:30", "audience": []])?.field
                == "audience")
        // What is split off is for the same.
        try change(weekly, [.id(ben.id)])
        try box.call(
            ada, "entry.update",
            ["entry": .id(weekly.id), "scope": "following", "occurrence": "2026-07-28T19:30", "subject": "Band"])
        #expect(try EntryTests.on(box, cleo, to: "2026-08-31").allSatisfy { !$0.contains("Band") })
        #expect(try EntryTests.on(box, ben, to: "2026-08-31").contains("08-04T19:30 Band"))
    }

    @Test func `what is for a household goes with who lives there, guests too, and for everyone is without guests`()
        throws
    {
        let (mill, elm) = (try box.household(of: ada), try box.foundHousehold("Elm", by: ada))
        let entry = try add(["audience": "household"])
        let dan = try box.join("dan", into: mill, by: ada)
        // A household is there while somebody lives in it.
        _ = try box.join("eve", into: elm, by: ada)
        #expect(try EntryTests.on(box, dan).count == 1)
        _ = types(dan)
        try box.move(dan, to: elm)
        #expect(types(dan) == ["entry.hidden"])
        #expect(try EntryTests.on(box, dan) == [])
        try box.move(dan, to: mill)
        #expect(types(dan) == ["entry.shown"])
        try change(entry, [.id(dan.id)])
        _ = types(dan)
        try box.move(dan, to: elm)
        #expect(types(dan) == [])
        // In the household's calendar its guests read what is for the household, and not what is for everyone else.
        let gil = try box.join("gil", role: .guest, by: ada)
        let own = try EntryTests.add(box, ada, "Dinner", ["calendar": .id(mill), "audience": "household"])
        #expect(try EntryTests.on(box, gil) == ["07-14T19:30 Dinner"])
        try change(own, "everyone")
        #expect(try EntryTests.on(box, gil) == [] && EntryTests.on(box, ben).contains("07-14T19:30 Dinner"))
    }

    @Test func `who moves out of the household that it is for is interested no longer, as those who stay are told`()
        throws
    {
        let elm = try box.foundHousehold("Elm", by: ada)
        _ = try box.join("eve", into: elm, by: ada)
        let entry = try add(["audience": "household"])
        try box.call(ben, "entry.star", ["entry": .id(entry.id), "on": true])
        _ = box.heard(cleo)
        try box.move(ben, to: elm)
        let starred = box.heard(cleo).filter { $0.type == "entry.starred" }
        #expect(starred.map { $0.data["stars"] } == [[]])
        #expect(try box.call(cleo, "entry.show", ["entry": .id(entry.id)])["entry"]?["stars"] == [])
    }

    @Test func `who has left the family is named nowhere any more`() throws {
        _ = try add(["audience": [.id(ben.id), .id(cleo.id)]])
        try box.call(ada, "member.remove", ["member": .id(ben.id), "keep": "delete"])
        #expect(
            try box.count("SELECT count(*) FROM entries WHERE instr(audience_ids, '\(ben.id)') > 0") == 0)
        #expect(try box.count("SELECT count(*) FROM entries WHERE audience_ids = '\(cleo.id)'") == 1)
    }

    /// A gateway reads what it copies in one turn, and writes the copy in another.
    @Test func `what was taken out of sight while it was copied is not written for others`() throws {
        let entry = try add(["audience": [.id(ben.id)]])
        let items = try box.call(ben, "calendar.items", ["shelf": family, "data": true])["items"]?.array
        let item = try #require(items?.first)
        func copy(_ name: String) throws -> JSON {
            try box.call(
                ben, "calendar.putItem",
                [
                    "shelf": .id(ben.id), "name": .string(name), "text": item["data"] ?? .null, "from": family,
                    "original": item["name"] ?? .null,
                ])
        }
        try box.call(ada, "entry.update", ["entry": .id(entry.id), "audience": [.id(cleo.id)]])
        #expect(try copy("a.ics")["refused"] == "changed")
        #expect(try EntryTests.on(box, ben) == [])
        try box.call(ada, "entry.update", ["entry": .id(entry.id), "audience": [.id(ben.id)]])
        try box.call(ben, "calendar.share", ["calendar": .id(ben.id), "with": "everyone", "right": "read"])
        #expect(try copy("a.ics")["isNew"] == true)
        #expect(try EntryTests.on(box, ben).count == 2 && EntryTests.on(box, cleo) == [])
    }

    @Test func `into a calendar whose owner is outside of the audience it does not go, not even from one day on`()
        throws
    {
        let club = try #require(try box.call(ben, "calendar.add", ["name": "Club"])["calendar"]?["id"])
        try box.call(ben, "calendar.share", ["calendar": club, "with": "everyone", "right": "write"])
        let entry = try add(["audience": [.id(cleo.id)], "repeat": "weekly"])
        func moved(_ person: FamilyBox.Person, _ more: JSON.Object = [:]) throws -> Rejection.Kind? {
            var params: JSON.Object = ["entry": .id(entry.id), "calendar": club]
            for member in more.members { params[member.name] = member.value }
            let refusal = try box.refusal(person, "entry.update", params)
            #expect(refusal == nil || refusal?.field == "calendar")
            return refusal?.kind
        }
        let following: JSON.Object = ["scope": "following", "occurrence": "2026-07-28T19:30"]
        #expect(try moved(ada) == .forbidden && moved(ada, following) == .forbidden)
        #expect(try EntryTests.on(box, ben) == [])
        // Cleo sees it and is not told for whom it is: it is nothing of that if it does not go.
        #expect(try moved(cleo) == .forbidden)
        try change(entry, .null)
        #expect(try moved(cleo) == .forbidden)
        // One that is for him from the same request on goes, as does one to which he is asked.
        #expect(try moved(ada, ["audience": [.id(ben.id)]]) == nil)
        #expect(try EntryTests.on(box, ben, to: "2026-07-16") == ["07-14T19:30 Surprise"])
        let other = try add(["audience": [], "invitees": [.id(ben.id)]])
        #expect(try box.refusal(ada, "entry.update", ["entry": .id(other.id), "calendar": club]) == nil)
    }

    @Test func `who removes a calendar and keeps what stood in it keeps nothing that they did not see`() throws {
        let club = try #require(try box.call(ada, "calendar.add", ["name": "Club"])["calendar"]?["id"])
        try box.call(ada, "calendar.share", ["calendar": club, "with": .id(cleo.id), "right": "read"])
        try box.call(ada, "calendar.share", ["calendar": club, "with": .id(ben.id), "right": "own"])
        _ = try EntryTests.add(box, ada, "Training", ["calendar": club])
        _ = try EntryTests.add(box, ada, "Surprise", start: "2026-07-15T19:30", ["calendar": club, "audience": []])
        _ = try EntryTests.add(
            box, ada, "Diary", start: "2026-07-16T19:30", ["calendar": club, "privacy": "private"])
        #expect(try EntryTests.on(box, ben) == ["07-14T19:30 Training"])
        _ = types(ben)
        try box.call(ben, "calendar.remove", ["calendar": club, "keep": true])
        #expect(try EntryTests.on(box, ben) == ["07-14T19:30 Training"])
        #expect(types(ben).filter { $0 == "entry.shown" || $0 == "entry.added" } == [])
        #expect(
            try EntryTests.on(box, ada)
                == ["07-14T19:30 Training", "07-15T19:30 Surprise", "07-16T19:30 Diary"])
    }
}
