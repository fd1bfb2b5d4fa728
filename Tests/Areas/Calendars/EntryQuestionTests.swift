import KinModel
import Testing

@testable import KinCalendars
@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinStore

/// What a month has, from outlines that stay in memory: the same as from the entries themselves.
@Suite struct EntryQuestionTests {
    private static let rules = [
        "FREQ=WEEKLY", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,FR", "FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1",
        "FREQ=DAILY;COUNT=40", "FREQ=YEARLY", "FREQ=MONTHLY;BYDAY=-1FR;UNTIL=20280101T000000Z",
    ]

    private static func times(_ dice: inout Dice) -> JSON.Object {
        let (month, day, hour) = (1 + dice.roll(9), 1 + dice.roll(28), 10 + dice.roll(13))
        let date = "202\(5 + dice.roll(2))-0\(month)-\(day < 10 ? "0" : "")\(day)"
        var params: JSON.Object = ["start": .string("\(date)T\(hour):30")]
        if dice.roll(3) == 0 {
            params = ["start": .string(date), "days": .int(Int64(1 + dice.roll(40)))]
        } else {
            params["zone"] = ["Europe/Berlin", "America/New_York", "Pacific/Auckland"][dice.roll(3)]
            params["minutes"] = .int(Int64(dice.roll(4) * 45))
        }
        if dice.roll(2) == 0 { params["repeat"] = .string(rules[dice.roll(rules.count)]) }
        return params
    }

    /// `start entry occurrence`, from the entries that somebody sees, each expanded by itself.
    private func plain(
        _ entries: [Entry], _ from: Instant, _ to: Instant
    ) throws -> [String] {
        let zone = try #require(Timing(EntryTimes(start: "2026-01-01T00:00", zone: "Europe/Berlin"))?.zone)
        return try entries.flatMap { entry in
            let timing = try #require(Timing(entry.times, exceptions: entry.exceptions))
            return timing.spans(entry.exceptions, from: from, to: to, max: 1000, reader: zone).all.map { span in
                "\(span.start) \(entry.id) \(entry.times.name(of: span.name))"
            }
        }.sorted()
    }

    private func all(_ box: FamilyBox, _ person: FamilyBox.Person) throws -> [Entry] {
        try (box.call(person, "entry.all")["entries"]?.array ?? []).map { try #require(Entry($0)) }
    }

    private func listed(_ box: FamilyBox, _ person: FamilyBox.Person, _ params: JSON.Object) throws -> [String] {
        var params = params
        var all: [String] = []
        repeat {
            let answer = try box.call(person, "entry.list", params)
            let occurrences = (answer["occurrences"]?.array ?? []).compactMap(EntryOccurrence.init)
            all += occurrences.map { "\($0.start) \($0.entry) \($0.occurrence)" }
            #expect(
                Set(occurrences.map(\.entry))
                    == Set((answer["entries"]?.array ?? []).compactMap { $0["id"]?.identifier }))
            params["after"] = answer["next"]
        } while params["after"] != nil
        return all
    }

    @Test(arguments: [1, 2])
    func `a month is what each entry that one sees comes to, whoever asks and whatever changed`(
        _ seed: UInt64
    ) throws {
        var dice = Dice(state: seed)
        let box = try FamilyBox()
        let ada = try box.found()
        let (ben, cleo) = (try box.join("ben", by: ada), try box.join("cleo", by: ada))
        let people = [ada, ben, cleo, try box.join("gil", role: .guest, by: ada)]
        let club = try #require(try box.call(ben, "calendar.add", ["name": "Club"])["calendar"]?["id"])
        try box.call(ben, "calendar.share", ["calendar": club, "with": .id(cleo.id), "right": "busy"])
        let family = try #require(try box.call(ada, "family.show")["family"]?["id"])
        for _ in 0..<5 {
            for _ in 0..<6 {
                var params = Self.times(&dice)
                params["subject"] = "Choir"
                let owner = people[dice.roll(3)]
                params["privacy"] = ["public", "public", "private"][dice.roll(3)]
                if dice.roll(2) == 0 { params["calendar"] = family }
                if owner.id == ben.id, dice.roll(2) == 0 { params["calendar"] = club }
                if dice.roll(3) == 0 { params["invitees"] = [.id(people[dice.roll(4)].id)] }
                if dice.roll(3) == 0 { params["category"] = "music" }
                try box.call(owner, "entry.add", params)
            }
            // One becomes otherwise, an occurrence moves, one goes, and a command is refused when it has begun.
            let own = try all(box, ada).filter { $0.owner == ada.id }
            if let one = own.first, dice.roll(2) == 0 {
                try box.call(ada, "entry.update", Self.times(&dice).with("entry", .id(one.id)))
            }
            if let one = own.dropFirst().first(where: { $0.times.repeats != nil && !$0.times.isAllDay }) {
                _ = try box.refusal(
                    ada, "entry.update",
                    [
                        "entry": .id(one.id), "scope": "this", "occurrence": .string(one.times.start),
                        "start": .string(String(one.times.start.prefix(11)) + "07:10"),
                    ])
            }
            if let one = own.last { try box.call(ada, "entry.remove", ["entry": .id(one.id)]) }
            for person in people {
                let seen = try all(box, person)
                for _ in 0..<3 {
                    let first = Instant("2026-01-01T00:00:00Z") ?? .earliest
                    let from = first.adding(days: Int64(dice.roll(600))).adding(seconds: Int64(dice.roll(86_400)))
                    let to = from.adding(days: Int64(1 + dice.roll(45)))
                    var params: JSON.Object = ["from": .time(from), "to": .time(to), "zone": "Europe/Berlin"]
                    params["limit"] = .int(Int64(1 + dice.roll(200)))
                    #expect(try listed(box, person, params) == plain(seen, from, to))
                    params["categories"] = ["music"]
                    params["members"] = [.id(ben.id)]
                    let some = seen.filter { entry in
                        entry.category == "music"
                            && (entry.owner == ben.id || entry.invitees.contains { $0.member == ben.id })
                    }
                    #expect(try listed(box, person, params) == plain(some, from, to))
                }
            }
        }
    }

    @Test func `a month that was asked for before is answered anew as soon as anything of it is otherwise`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let month: JSON.Object = ["from": "2026-12-01", "to": "2026-12-31", "zone": "Europe/Berlin"]
        /// How much a member finds, and of how much only that it is; the same when they ask again.
        func found(_ person: FamilyBox.Person) throws -> [Int?] {
            let answers = try (0..<2).map { _ -> [Int?] in
                let list = try box.call(person, "entry.list", month)
                let days = try box.call(person, "entry.days", month)["days"]?.array
                return [list["occurrences"]?.array?.count, list["busy"]?.array?.count, days?.count]
            }
            #expect(answers[0] == answers[1])
            return answers[0]
        }
        #expect(try found(ada) == [0, 0, 0] && found(ben) == [0, 0, 0])
        let choir = try EntryTests.add(box, ada, start: "2026-12-05T19:30")
        #expect(try found(ada) == [1, 0, 1] && found(ben) == [0, 0, 0])
        for (right, seen) in [("busy", [0, 1, 0]), ("read", [1, 0, 1]), ("none", [0, 0, 0]), ("read", [1, 0, 1])]
            as [(String, [Int?])]
        {
            try box.call(
                ada, "calendar.share", ["calendar": .id(ada.id), "with": "everyone", "right": .string(right)])
            #expect(try found(ben) == seen, "\(right)")
        }
        func change(_ more: JSON.Object) throws { try box.call(ada, "entry.update", more.with("entry", .id(choir.id))) }
        try change(["privacy": "private"])
        #expect(try found(ben) == [0, 1, 0])
        try change(["invitees": [.id(ben.id)]])
        #expect(try found(ben) == [1, 0, 1])
        try change(["invitees": [], "privacy": "public", "audience": [.id(ada.id)]])
        #expect(try found(ben) == [0, 0, 0])
        try change(["audience": .null, "repeat": "weekly", "until": "2026-12-31"])
        #expect(try found(ben) == [4, 0, 4])
        // What is refused after it began leaves what was found.
        _ = try box.refusal(ada, "entry.update", ["entry": .id(choir.id), "dates": ["2026-12-24"]])
        #expect(try found(ben) == [4, 0, 4])
        try box.call(ada, "entry.remove", ["entry": .id(choir.id)])
        #expect(try found(ben) == [0, 0, 0] && found(ada) == [0, 0, 0])
        // Open slots of a meeting, which one then leaves out.
        _ = try box.propose(slots: [336, 360], by: ada, invitees: [ben])
        #expect(try found(ben)[0] == 2)
        try box.call(ben, "settings.set", ["leftOut": ["toDecide"]])
        #expect(try found(ben)[0] == 0 && found(ada)[0] == 2)
    }

    @Test(arguments: [3, 50, 200])
    func `a time of any length is listed page by page, each occurrence once and in its place`(_ limit: Int64) throws {
        let box = try FamilyBox()
        let ada = try box.found()
        for (subject, start, more) in [
            ("Once", "1987-04-05T09:00", [:]),
            ("Weekly", "2024-02-29T18:00", ["repeat": "weekly", "until": "2027-06-30"]),
            ("Yearly", "2001-03-03T08:00", ["repeat": "yearly", "until": "2060-01-01"]),
            ("Late", "2071-10-11T10:00", [:]),
        ] as [(String, String, JSON.Object)] {
            var params = more
            params["subject"] = .string(subject)
            params["start"] = .string(start)
            params["zone"] = "Europe/Berlin"
            try box.call(ada, "entry.add", params)
        }
        try box.call(ada, "entry.add", ["subject": "Long", "start": "2025-12-20", "days": 300])
        let from = Instant("1980-01-01T00:00:00Z") ?? .earliest
        let to = Instant("2090-01-01T00:00:00Z") ?? .latest
        let params: JSON.Object = [
            "from": .time(from), "to": .time(to), "zone": "Europe/Berlin", "limit": .int(limit),
        ]
        #expect(try listed(box, ada, params) == plain(try all(box, ada), from, to))
        // A page of nothing leads on to what is there.
        let far: JSON.Object = ["from": "1900-01-01", "to": "2490-01-01", "zone": "Europe/Berlin"]
        let first = try box.call(ada, "entry.list", far)
        #expect(first["occurrences"] == [] && first["next"] != nil)
    }

    @Test func `what is on already where a long time begins leads on to what is behind it, birthdays too`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        try box.call(ada, "profile.add", ["kind": "birthday", "value": "--01-01", "audience": "everyone"])
        for (subject, start) in [("Night", "2025-12-31T22:00"), ("Later", "2026-03-01T10:00")] {
            try box.call(
                ada, "entry.add",
                ["subject": .string(subject), "start": .string(start), "minutes": 240, "zone": "Europe/Berlin"])
        }
        var params: JSON.Object = ["from": "2026-01-01", "to": "2028-01-01", "zone": "Europe/Berlin", "limit": 1]
        var (subjects, birthdays): ([String?], Int) = ([], 0)
        while true {
            let page = try box.call(ada, "entry.list", params)
            subjects += (page["occurrences"]?.array ?? []).map { $0["subject"]?.string }
            birthdays += page["birthdays"]?.array?.count ?? 0
            guard let next = page["next"] else { break }
            params["after"] = next
        }
        #expect(subjects == ["Night", "Later"] && birthdays == 3)
    }

    @Test func `the days of a long time come in pages, and each is counted once`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        for (start, days) in [("2026-01-01", 1), ("2027-02-03", 4), ("2029-12-31", 2)] as [(String, Int64)] {
            try box.call(ada, "entry.add", ["subject": "Away", "start": .string(start), "days": .int(days)])
        }
        try box.call(
            ada, "entry.add",
            [
                "subject": "Choir", "start": "2026-01-01T18:00", "zone": "Europe/Berlin", "repeat": "monthly",
                "until": "2029-12-31", "category": "music",
            ])
        var params: JSON.Object = ["from": "2026-01-01", "to": "2030-01-31", "zone": "Europe/Berlin"]
        var days: [String: Int64] = [:]
        var pages = 0
        repeat {
            let answer = try box.call(ada, "entry.days", params)
            for day in answer["days"]?.array ?? [] {
                #expect(days.updateValue(day["count"]?.int ?? 0, forKey: day["date"]?.string ?? "") == nil)
            }
            params["after"] = answer["next"]
            pages += 1
        } while params["after"] != nil
        #expect(pages == 4 && days.count == 48 + 7 - 1)
        #expect(days["2026-01-01"] == 2 && days["2027-02-06"] == 1 && days["2030-01-01"] == 1)
        #expect(
            try box.refusal(ada, "entry.days", ["from": "2026-01-01", "to": "2026-02-01", "after": "soon"])?.kind
                == .invalid)
    }

    /// Versions before migration 58 took the end of a rule that counts for earlier than it is.
    @Test func `an entry whose bounds an older version wrote is found on its last days, once they are reckoned anew`()
        throws
    {
        let box = try FamilyBox()
        let ada = try box.found()
        let rule = JSON.string("FREQ=WEEKLY;BYDAY=MO,FR;COUNT=20")
        for index in 0..<30 {
            try box.call(
                ada, "entry.add",
                [
                    "subject": .string("Choir \(index)"), "start": "2027-01-04T18:00", "zone": "Europe/Berlin",
                    "minutes": 60, "repeat": rule,
                ])
        }
        let month: JSON.Object = ["from": "2027-03-01", "to": "2027-03-31", "zone": "Europe/Berlin"]
        let found = try listed(box, ada, month)
        #expect(found.count >= 30)
        try box.restart(after: 60) {
            try box.store.beginTurn()
            _ = try box.store.database.run("UPDATE entries SET last = first + 3600000", values: [])
            _ = try box.store.database.run(
                "INSERT INTO due (at, kind, about) SELECT 0, 'entries.measure', 'entries' "
                    + "WHERE EXISTS (SELECT 1 FROM entries WHERE rule IS NOT NULL)", values: [])
            try box.store.commitTurn()
            box.store.due.forget()
        }
        for _ in 0..<5 { try box.wait(seconds: 1) }
        #expect(try listed(box, ada, month) == found)
        #expect(try box.count("SELECT count(*) FROM due WHERE kind = 'entries.measure'") == 0)
    }

    @Test func `when members are busy is told of 400 days at most, and the refusal says so`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        func asking(_ to: String) -> JSON.Object {
            ["from": "2026-07-01", "to": .string(to), "zone": "UTC", "members": [.id(ada.id)]]
        }
        #expect(try box.call(ada, "entry.free", asking("2027-08-04"))["members"]?.array?.count == 1)
        let refused = try box.refusal(ada, "entry.free", asking("2027-08-10"))
        #expect(refused?.kind == .invalid && refused?.field == "to")
        #expect(refused?.message == "Ask for \(Limits.entryWindowDaysMax) days at most.")
    }

    @Test func `an own shelf says when its member is busy, however much stands in other calendars`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let family = try #require(try box.call(ada, "family.show")["family"]?["id"])
        for hour in 0..<30 {
            let start = "2026-07-01T\(hour % 24 < 10 ? "0" : "")\(hour % 24):00"
            try EntryTests.add(
                box, ben, "Shift \(hour)", start: start, ["calendar": family, "repeat": "daily", "minutes": 30])
        }
        try EntryTests.add(box, ada, "Dentist", start: "2026-07-14T09:00")
        let year: JSON.Object = ["from": "2026-07-01T00:00:00Z", "to": "2027-07-01T00:00:00Z"]
        let own = try box.call(ada, "calendar.busyTimes", year.with("shelf", .id(ada.id)))
        #expect(own["busy"] == [["start": "2026-07-14T07:00:00.000Z", "end": "2026-07-14T08:00:00.000Z"]])
        let others = try box.refusal(ada, "calendar.busyTimes", year.with("shelf", family))
        #expect(others?.kind == .tooLarge)
    }
}

extension JSON.Object {
    /// With another member.
    fileprivate func with(_ name: String, _ value: JSON) -> JSON.Object {
        var object = self
        object[name] = value
        return object
    }
}
