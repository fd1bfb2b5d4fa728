import KinModel
import Testing

@testable import KinCalendars
@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinStore

/// What is remembered of entries is what the database has, whatever happened to it, and of one change little is read again.
@Suite struct EntryMemoryTests {
    private static let december = month("2026-12")

    private let box: FamilyBox
    private let ada: FamilyBox.Person
    private let ben: FamilyBox.Person
    private let family: JSON
    private let memory: CalendarMemory

    init() throws {
        box = try FamilyBox()
        ada = try box.found()
        ben = try box.join("ben", by: ada)
        family = try #require(try box.call(ada, "family.show")["family"]?["id"])
        memory = try #require(box.keeper.memories[ObjectIdentifier(CalendarMemory.self)] as? CalendarMemory)
    }

    private static func month(_ month: String) -> JSON.Object {
        ["from": .string(month + "-01"), "to": .string(month + "-28"), "zone": "Europe/Berlin"]
    }

    /// What somebody is answered, which is what they are answered from an empty memory.
    @discardableResult
    private func asked(
        _ person: FamilyBox.Person, _ when: JSON.Object = EntryMemoryTests.december, _ what: String = ""
    ) throws -> (list: JSON, days: JSON) {
        func answers() throws -> (list: JSON, days: JSON) {
            (try box.call(person, "entry.list", when), try box.call(person, "entry.days", when))
        }
        let remembered = try answers()
        let entries = memory.entries
        memory.entries = EntryMemory(memory.almanac)
        let read = try answers()
        memory.entries = entries
        // Each answer has a cursor of its own.
        for part in ["occurrences", "entries", "busy", "birthdays", "next"] {
            #expect(remembered.list[part] == read.list[part], "\(what): \(part)")
        }
        #expect(remembered.days["days"] == read.days["days"], "\(what)")
        return remembered
    }

    /// How many occurrences somebody sees in December, and of how many only when they are.
    private func seen(_ person: FamilyBox.Person, _ what: String = "") throws -> [Int?] {
        let list = try asked(person, EntryMemoryTests.december, what).list
        return [list["occurrences"]?.array?.count, list["busy"]?.array?.count]
    }

    /// Acts on the database at the keeper's side.
    private func act(_ body: (Act) throws(Rejection) -> Void) throws {
        try box.keeper.byItself(now: box.clock.adding(seconds: 1), body)
    }

    /// Sketches of what may be on in December. One that was read again is another object.
    private func sketches() throws -> [EntrySketch] {
        let from = try #require(Instant("2026-12-01T00:00:00Z"))
        var found: [EntrySketch] = []
        try act { (act) throws(Rejection) in
            found = try act.memory(CalendarMemory.self).entries.near(from, from.adding(days: 27), act)
        }
        return found
    }

    private func add(_ subject: String = "Choir", _ more: JSON.Object = [:]) throws -> Entry {
        var params: JSON.Object = ["calendar": family]
        for member in more.members { params[member.name] = member.value }
        return try EntryTests.add(box, ada, subject, start: "2026-12-05T19:30", params)
    }

    private func change(_ entry: Entry, _ more: JSON.Object) throws {
        var params = more
        params["entry"] = .id(entry.id)
        try box.call(ada, "entry.update", params)
    }

    // MARK: What a change costs

    @Test(arguments: [3, 40])
    func `of one change one entry is read again, however many repeat`(_ count: Int) throws {
        var all: [Entry] = []
        for index in 0..<count { all.append(try add("Choir \(index)", ["repeat": "weekly"])) }
        let database = box.store.database
        func statements() throws -> Int {
            let before = database.statementCount
            try box.call(ada, "entry.list", Self.december)
            return database.statementCount - before
        }
        _ = try statements()
        let steady = try statements()
        let before = try sketches()
        #expect(before.count == count)
        try change(all[1], ["note": "Scores"])
        // The list of changes, the outline, the entry with its people and stars, and what else a command makes others read.
        #expect(try statements() <= steady + 8)
        #expect(try statements() == steady)
        let known = Set(before.map { ObjectIdentifier($0) })
        let after = try sketches()
        #expect(after.filter { !known.contains(ObjectIdentifier($0)) }.map(\.id) == [all[1].id])
        #expect(after.count == count)
        // A command that is refused costs nothing.
        _ = try box.refusal(ada, "entry.update", ["entry": .id(all[0].id), "dates": ["2026-12-24"]])
        #expect(Set(try sketches().map { ObjectIdentifier($0) }) == Set(after.map { ObjectIdentifier($0) }))
    }

    @Test func `a list of changes is short, and after more of them than it holds all is read anew`() throws {
        let choir = try add()
        #expect(try sketches().count == 1)
        for count in [5, 150, 1100] {
            try act { (act) throws(Rejection) in
                for _ in 0..<count { try act.run("UPDATE entries SET position = position") }
                try act.run("UPDATE entries SET category = ? WHERE id = ?", .text("c\(count)"), .id(choir.id))
            }
            #expect(try sketches().map(\.category) == ["c\(count)"])
            try asked(ada)
        }
        #expect(try box.count("SELECT count(*) FROM entry_changes") == 1000)
    }

    @Test func `the list of changes is searched along its own numbers`() throws {
        let plan = try box.store.database.rows(
            "EXPLAIN QUERY PLAN SELECT number, stamp, entry FROM entry_changes WHERE number >= ? ORDER BY number LIMIT 9",
            .int(1), map: { $0.text(3) })
        #expect(plan.count == 1 && plan[0].hasPrefix("SEARCH entry_changes USING INTEGER PRIMARY KEY"), "\(plan)")
    }

    // MARK: What must not be seen too long, or too late

    @Test func `for whom an entry is, rights and invitations count at once`() throws {
        let choir = try EntryTests.add(box, ada, start: "2026-12-05T19:30")
        #expect(try seen(ada) == [1, 0] && seen(ben) == [0, 0])
        for (right, wanted) in [("read", [1, 0]), ("busy", [0, 1]), ("none", [0, 0])] as [(String, [Int?])] {
            try box.call(
                ada, "calendar.share", ["calendar": .id(ada.id), "with": .id(ben.id), "right": .string(right)])
            #expect(try seen(ben, right) == wanted)
        }
        try change(choir, ["invitees": [.id(ben.id)]])
        #expect(try seen(ben) == [1, 0])
        try box.call(ben, "entry.answer", ["entry": .id(choir.id), "answer": "accepted"])
        #expect(try asked(ada).list["entries"]?.array?.first?["invitees"]?.array?.first?["answer"] == "accepted")
        try change(choir, ["invitees": []])
        #expect(try seen(ben) == [0, 0])
        try change(choir, ["calendar": family])
        #expect(try seen(ben) == [1, 0])
        try box.call(ben, "entry.star", ["entry": .id(choir.id), "on": true])
        #expect(try asked(ada).list["entries"]?.array?.first?["stars"] == [.id(ben.id)])
        try change(choir, ["privacy": "private"])
        #expect(try seen(ben) == [0, 1])
        try change(choir, ["audience": []])
        #expect(try seen(ben) == [0, 0] && seen(ada) == [1, 0])
    }

    @Test func `what is for a household goes with who lives there`() throws {
        let (mill, elm) = (try box.household(of: ada), try box.foundHousehold("Elm", by: ada))
        _ = try box.join("eve", into: elm, by: ada)
        let dan = try box.join("dan", into: mill, by: ada)
        _ = try add("Dinner", ["audience": "household"])
        #expect(try seen(dan) == [1, 0])
        try box.move(dan, to: elm)
        #expect(try seen(dan) == [0, 0])
        try box.move(dan, to: mill)
        #expect(try seen(dan) == [1, 0])
    }

    @Test func `what moves into another calendar, is split, is removed or goes with its calendar is found so`() throws {
        let club = try #require(try box.call(ada, "calendar.add", ["name": "Club"])["calendar"]?["id"])
        let choir = try add("Choir", ["repeat": "weekly", "until": "2026-12-28"])
        #expect(try seen(ben) == [4, 0])
        try box.call(
            ada, "entry.update",
            [
                "entry": .id(choir.id), "scope": "following", "occurrence": "2026-12-19T19:30", "subject": "Band",
                "calendar": club,
            ])
        #expect(try seen(ben) == [2, 0] && seen(ada) == [4, 0])
        try box.call(
            ada, "entry.remove", ["entry": .id(choir.id), "scope": "this", "occurrence": "2026-12-12T19:30"])
        #expect(try seen(ben) == [1, 0] && seen(ada) == [3, 0])
        try change(choir, ["calendar": club])
        #expect(try seen(ben) == [0, 0] && seen(ada) == [3, 0])
        try box.call(ada, "entry.remove", ["entry": .id(choir.id)])
        #expect(try seen(ada) == [2, 0])
        try box.call(ada, "entry.restore", ["entry": .id(choir.id)])
        #expect(try seen(ada) == [3, 0])
        // Rows that a foreign key deletes are noted like others.
        try act { (act) throws(Rejection) in try act.run("DELETE FROM calendars WHERE name = 'Club'") }
        #expect(try seen(ada) == [0, 0])
        // A new entry has the number of one that is gone.
        _ = try add()
        #expect(try seen(ada) == [1, 0] && seen(ben) == [1, 0])
    }

    @Test func `what a command saw that was rolled back is forgotten, although another change takes its number`()
        throws
    {
        let (choir, band) = (try add("Choir", ["repeat": "weekly"]), try add("Band"))
        try asked(ada)
        for isFollowed in [false, true] {
            var within: [String?] = []
            #expect(throws: (any Error).self) {
                try act { (act) throws(Rejection) in
                    try act.run("UPDATE entries SET category = 'sport' WHERE id = ?", .id(choir.id))
                    let (from, to) = (act.now.adding(days: 10), act.now.adding(days: 30))
                    within = try act.memory(CalendarMemory.self).entries.near(from, to, act).map(\.category)
                    throw Rejection(.invalid, "It is taken back.")
                }
            }
            #expect(within.contains("sport"))
            if isFollowed {
                try act { (act) throws(Rejection) in
                    try act.run("UPDATE entries SET category = 'club' WHERE id = ?", .id(band.id))
                }
            }
            #expect(try sketches().compactMap(\.category).contains("sport") == false)
            try asked(ada)
        }
    }

    @Test func `a family that went on otherwise from a backup is read anew`() throws {
        let (choir, band) = (try add(), try add("Band"))
        try asked(ada)
        let known = try box.count("SELECT max(number) FROM entry_changes")
        try act { (act) throws(Rejection) in
            try act.run("UPDATE entries SET category = 'sport' WHERE id = ?", .id(choir.id))
        }
        #expect(try sketches().contains { $0.category == "sport" })
        try act { (act) throws(Rejection) in
            try act.run("UPDATE entries SET category = NULL WHERE id = ?", .id(choir.id))
            try act.run("DELETE FROM entry_changes WHERE number > ?", .int(known))
            try act.run("UPDATE entries SET category = 'club' WHERE id = ?", .id(band.id))
        }
        #expect(try box.count("SELECT max(number) FROM entry_changes") == known + 1)
        #expect(try sketches().compactMap(\.category) == ["club"])
        try asked(ada)
        // An older state alone.
        try act { (act) throws(Rejection) in
            try act.run("UPDATE entries SET category = NULL")
            try act.run("DELETE FROM entry_changes WHERE number >= ?", .int(known))
        }
        #expect(try sketches().compactMap(\.category) == [])
    }

    @Test func `zones are read again within the hour`() throws {
        _ = try add("Choir", ["repeat": "weekly"])
        try asked(ada)
        let before = try sketches()
        try box.wait(seconds: 3605)
        #expect(try asked(ada).list["occurrences"]?.array?.count == 4)
        let after = try sketches()
        #expect(after.count == 1 && after.allSatisfy { one in !before.contains { $0.timing === one.timing } })
    }

    // MARK: Whatever happens

    @Test(arguments: [1, 2])
    func `answers are those of an empty memory, whoever changes what`(_ seed: UInt64) throws {
        var dice = Dice(state: seed)
        let (mill, elm) = (try box.household(of: ada), try box.foundHousehold("Elm", by: ada))
        _ = try box.join("eve", into: elm, by: ada)
        let people = [
            ada, ben, try box.join("cleo", into: mill, by: ada), try box.join("gil", role: .guest, by: ada),
        ]
        let club = try #require(try box.call(ben, "calendar.add", ["name": "Club"])["calendar"]?["id"])
        let calendars: [JSON] = [.id(ada.id), .id(ben.id), .id(mill), family, club]
        let audiences: [JSON] = [.null, "everyone", "household", [], [.id(ben.id)]]
        let months = ["2026-10", "2026-11", "2026-12", "2027-01"].map { Self.month($0) }
        var entries: [(id: JSON, owner: FamilyBox.Person, start: String)] = []
        for round in 0..<60 {
            let deed = entries.isEmpty ? 0 : dice.roll(14)
            let (giver, other) = (people[dice.roll(3)], people[dice.roll(4)])
            let start = "2026-1\(dice.roll(3))-1\(dice.roll(9))T1\(dice.roll(9)):30"
            if deed < 3 {
                var params: JSON.Object = [
                    "subject": "Choir", "start": .string(start), "zone": "Europe/Berlin", "minutes": 90,
                    "calendar": calendars[dice.roll(calendars.count)],
                ]
                if dice.roll(2) == 0 { params["repeat"] = "weekly" }
                if dice.roll(3) == 0 { params["invitees"] = [.id(other.id)] }
                let made: JSON?
                do { made = try box.call(giver, "entry.add", params) } catch is Rejection { made = nil }
                if let id = made?["entry"]?["id"] { entries.append((id, giver, start)) }
            } else {
                let one = entries[dice.roll(entries.count)]
                let occurrence = JSON.string(one.start)
                let (method, params): (String, JSON.Object) =
                    switch deed {
                    case 3: ("entry.update", ["start": .string(start)])
                    case 4: ("entry.update", ["calendar": calendars[dice.roll(calendars.count)]])
                    case 5: ("entry.update", ["audience": audiences[dice.roll(audiences.count)]])
                    case 6: ("entry.update", ["privacy": dice.roll(2) == 0 ? "private" : "public"])
                    case 7: ("entry.update", ["invitees": dice.roll(2) == 0 ? [] : [.id(other.id)]])
                    case 8: ("entry.update", ["scope": "this", "occurrence": occurrence, "subject": "Band"])
                    case 9: ("entry.remove", ["scope": "this", "occurrence": occurrence])
                    case 10: ("entry.remove", [:])
                    default: ("entry.answer", ["answer": "tentative"])
                    }
                var whole = params
                whole["entry"] = one.id
                _ = try box.refusal(method == "entry.answer" ? other : one.owner, method, whole)
            }
            if deed == 11 {
                let right = ["none", "busy", "read", "write"][dice.roll(4)]
                _ = try box.refusal(
                    ben, "calendar.share", ["calendar": club, "with": .id(other.id), "right": .string(right)])
            }
            if deed == 12 {
                _ = try box.refusal(
                    .machine, "household.move",
                    ["member": .id(ben.id), "household": .id(dice.roll(2) == 0 ? mill : elm)])
            }
            if deed == 13 {
                _ = try box.refusal(other, "settings.set", ["leftOut": dice.roll(2) == 0 ? ["toDecide"] : []])
            }
            try asked(people[dice.roll(4)], months[dice.roll(months.count)], "seed \(seed), round \(round)")
            guard round % 10 == 9 else { continue }
            for person in people { try asked(person, months[2], "seed \(seed), round \(round)") }
        }
    }
}
