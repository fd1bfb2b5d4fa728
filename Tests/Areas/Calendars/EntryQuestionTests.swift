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
}

extension JSON.Object {
    /// With another member.
    fileprivate func with(_ name: String, _ value: JSON) -> JSON.Object {
        var object = self
        object[name] = value
        return object
    }
}
