import KinModel
import Testing

@testable import KinCalendars
@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinStore

/// Entries: who sees them, what may be done with them, and when they are.
@Suite struct EntryTests {
    /// Adds an entry.
    @discardableResult
    static func add(
        _ box: FamilyBox, _ person: FamilyBox.Person, _ subject: String = "Choir", start: String = "2026-07-14T19:30",
        _ more: JSON.Object = [:]
    ) throws -> Entry {
        var params: JSON.Object = ["subject": .string(subject), "start": .string(start)]
        if start.utf8.count > 10 { params["zone"] = "Europe/Berlin" }
        for member in more.members { params[member.name] = member.value }
        return try #require(try box.call(person, "entry.add", params)["entry"].flatMap(Entry.init))
    }

    /// Adds an entry like the others.
    @discardableResult
    static func add(_ box: FamilyBox, _ person: FamilyBox.Person, _ more: JSON.Object) throws -> Entry {
        try add(box, person, "Choir", more)
    }

    /// What is on for somebody: `07-14T19:30 Choir`.
    static func on(
        _ box: FamilyBox, _ person: FamilyBox.Person, from: String = "2026-07-01", to: String = "2026-12-31",
        _ more: JSON.Object = [:]
    ) throws -> [String] {
        var params: JSON.Object = ["from": .string(from), "to": .string(to), "zone": "Europe/Berlin"]
        for member in more.members { params[member.name] = member.value }
        return (try box.call(person, "entry.list", params)["occurrences"]?.array ?? []).compactMap(EntryOccurrence.init)
            .map { $0.starts.dropFirst(5) + " " + $0.subject }
    }

    private func family(_ box: FamilyBox, _ person: FamilyBox.Person) throws -> JSON {
        try #require(try box.call(person, "family.show")["family"]?["id"])
    }

    @Test(arguments: [("2026-07-14T18:00", "18:00"), ("2026-07-15T21:00", "21:00")])
    func `as many are left where all of it moves, whatever it repeats until`(start: String, time: String) throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let evening = try Self.add(box, ada, ["repeat": "weekly", "until": "2026-07-28"])
        let split = try Self.add(box, ada, ["repeat": "weekly", "subject": "Band"])
        try box.call(
            ada, "entry.remove", ["entry": .id(split.id), "scope": "following", "occurrence": "2026-08-04T19:30"])
        let days = start.hasPrefix("2026-07-14") ? ["07-14", "07-21", "07-28"] : ["07-15", "07-22", "07-29"]
        for entry in [evening, split] {
            try box.call(
                ada, "entry.update",
                ["entry": .id(entry.id), "occurrence": "2026-07-14T19:30", "start": .string(start)])
        }
        let wanted = days.flatMap { ["\($0)T\(time) Choir", "\($0)T\(time) Band"] }
        #expect(try Self.on(box, ada).sorted() == wanted.sorted())
        // The evening of a day stays the evening of a day.
        let shown = try box.call(ada, "entry.show", ["entry": .id(evening.id)])
        let rule = shown["entry"].flatMap(Entry.init)?.times.repeats ?? ""
        #expect(rule.contains("T215959Z"), "\(rule)")
    }

    @Test func `one's own calendar is one's own; the family's is everybody's but guests'`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let gil = try box.join("gil", role: .guest, by: ada)
        let own = try Self.add(box, ben, "Dentist")
        let shared = try Self.add(box, ben, "Picnic", ["calendar": try family(box, ben)])
        #expect(try Self.on(box, ben).count == 2 && Self.on(box, ada) == ["07-14T19:30 Picnic"])
        #expect(try Self.on(box, gil) == [])
        let absent: JSON = "01980000-0000-7000-8000-0000000000ff"
        for id in [JSON.id(own.id), absent] {
            #expect(try box.refusal(ada, "entry.show", ["entry": id])?.kind == .notFound)
            #expect(try box.refusal(ada, "entry.update", ["entry": id, "subject": "Mine"])?.kind == .notFound)
            #expect(try box.refusal(ada, "entry.remove", ["entry": id])?.kind == .notFound)
        }
        #expect(try box.refusal(gil, "entry.add", ["subject": "x", "start": "2026-07-14"])?.kind == .forbidden)
        // Whoever writes into the calendar changes what stands in it; what is private is busy to the others.
        try box.call(ada, "entry.update", ["entry": .id(shared.id), "subject": "Picnic at the lake"])
        try box.call(ben, "entry.update", ["entry": .id(shared.id), "privacy": "private"])
        #expect(try Self.on(box, ada) == [])
        let busy =
            try box.call(
                ada, "entry.list", ["from": "2026-07-14", "to": "2026-07-14", "zone": "Europe/Berlin"])["busy"]?.array
            ?? []
        #expect(busy.count == 1 && busy[0]["start"] == "2026-07-14T17:30:00.000Z" && busy[0].object?.members.count == 3)
        #expect(try Self.on(box, ada, ["words": "picnic"]) == [])
    }

    @Test func `who is invited sees it, answers for one day or for all, and stays invited when the rest changes`()
        throws
    {
        let box = try FamilyBox()
        let ada = try box.found()
        let (ben, cleo) = (try box.join("ben", by: ada), try box.join("cleo", by: ada))
        let choir = try Self.add(
            box, ada, ["repeat": "weekly", "invitees": [.id(ben.id)]])
        #expect(choir.invitees == [EntryInvitee(member: ben.id)])
        #expect(
            try box.refusal(cleo, "entry.answer", ["entry": .id(choir.id), "answer": "accepted"])?.kind == .notFound)
        try box.call(ben, "entry.answer", ["entry": .id(choir.id), "answer": "accepted"])
        try box.call(
            ben, "entry.answer",
            ["entry": .id(choir.id), "answer": "declined", "occurrence": "2026-07-21T19:30", "note": "Away"])
        let changed = try box.call(ada, "entry.update", ["entry": .id(choir.id), "subject": "Big choir"])
        let entry = try #require(changed["entry"].flatMap(Entry.init))
        #expect(entry.answer(of: ben.id, to: "2026-07-14T19:30") == .accepted)
        #expect(entry.answer(of: ben.id, to: "2026-07-21T19:30") == .declined)
        #expect(
            try box.refusal(
                ben, "entry.answer", ["entry": .id(choir.id), "answer": "none", "occurrence": "2026-07-22T19:30"])?
                .kind == .notFound)
        #expect(try box.refusal(ben, "entry.update", ["entry": .id(choir.id), "subject": "x"])?.kind == .forbidden)
        try box.call(ben, "entry.star", ["entry": .id(choir.id), "on": true])
        #expect(try box.call(ada, "entry.show", ["entry": .id(choir.id)])["entry"]?["stars"] == [.id(ben.id)])
        _ = box.heard(ben)
        try box.call(ada, "entry.update", ["entry": .id(choir.id), "invitees": [.id(cleo.id)]])
        #expect(box.types(ben).contains("entry.hidden") && box.types(cleo).contains("entry.shown"))
        #expect(try Self.on(box, ben) == [])
    }

    @Test func `one occurrence is another day, is left out, or begins another series; all move together`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let choir = try Self.add(box, ada, ["repeat": "FREQ=WEEKLY;COUNT=5"])
        let id = JSON.id(choir.id)
        func days() throws -> [String] { try Self.on(box, ada).map { String($0.prefix(11)) } }
        #expect(try days() == ["07-14T19:30", "07-21T19:30", "07-28T19:30", "08-04T19:30", "08-11T19:30"])
        try box.call(
            ada, "entry.update",
            [
                "entry": id, "scope": "this", "occurrence": "2026-07-21T19:30", "start": "2026-07-22T20:00",
                "subject": "Once",
            ])
        try box.call(ada, "entry.remove", ["entry": id, "scope": "this", "occurrence": "2026-07-28T19:30"])
        #expect(try days() == ["07-14T19:30", "07-22T20:00", "08-04T19:30", "08-11T19:30"])
        #expect(
            try box.refusal(ada, "entry.remove", ["entry": id, "scope": "this", "occurrence": "2026-07-28T19:30"])?.kind
                == .notFound)
        let split = try box.call(
            ada, "entry.update",
            ["entry": id, "scope": "following", "occurrence": "2026-08-04T19:30", "start": "2026-08-05T18:00"])
        #expect(split["before"] == id && split["entry"]?["times"]?["repeat"] == "FREQ=WEEKLY;COUNT=2")
        #expect(try days() == ["07-14T19:30", "07-22T20:00", "08-05T18:00", "08-12T18:00"])
        try box.call(
            ada, "entry.update", ["entry": id, "occurrence": "2026-07-14T19:30", "start": "2026-07-14T20:30"])
        #expect(try days() == ["07-14T20:30", "07-22T20:00", "08-05T18:00", "08-12T18:00"])
        try box.call(ada, "entry.remove", ["entry": id, "scope": "this", "occurrence": "2026-07-14T20:30"])
        try box.call(ada, "entry.remove", ["entry": id, "scope": "this", "occurrence": "2026-07-21T20:30"])
        // With its last occurrence all of it is gone.
        #expect(try box.refusal(ada, "entry.show", ["entry": id])?.kind == .notFound)
    }

    @Test(arguments: [(5, 2), (3, 3), (1, 1)])
    func `a rule given for this and what follows counts on where it says as many times as all had`(
        count: Int, left: Int
    ) throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let id = JSON.id(try Self.add(box, ada, ["repeat": "FREQ=WEEKLY;BYDAY=TU;COUNT=5"]).id)
        try box.call(
            ada, "entry.update",
            [
                "entry": id, "scope": "following", "occurrence": "2026-08-04T19:30", "start": "2026-08-05T19:30",
                "repeat": .string("FREQ=WEEKLY;BYDAY=WE;COUNT=\(count)"),
            ])
        let days = ["07-14", "07-21", "07-28"] + ["08-05", "08-12", "08-19"].prefix(left)
        #expect(try Self.on(box, ada) == days.map { "\($0)T19:30 Choir" })
    }

    @Test func `what is said of more than one counts for the one that it was said at, too`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let id = JSON.id(try Self.add(box, ada, ["repeat": "FREQ=WEEKLY;COUNT=4"]).id)
        let second: JSON = "2026-07-21T19:30"
        try box.call(
            ada, "entry.update",
            ["entry": id, "scope": "this", "occurrence": second, "start": "2026-07-21T20:00", "subject": "Late"])
        #expect(try Self.on(box, ada)[1] == "07-21T20:00 Late")
        try box.call(
            ada, "entry.update", ["entry": id, "scope": "following", "occurrence": second, "start": "2026-07-21T21:00"])
        #expect(
            try Self.on(box, ada) == [
                "07-14T19:30 Choir", "07-21T21:00 Late", "07-28T21:00 Choir", "08-04T21:00 Choir",
            ])
        let behind = try box.call(
            ada, "entry.list", ["from": "2026-07-21", "to": "2026-07-22", "zone": "Europe/Berlin"])["occurrences"]?
            .array?.first
        try box.call(
            ada, "entry.update",
            ["entry": try #require(behind?["entry"]), "occurrence": "2026-07-21T21:00", "subject": "Rehearsal"])
        #expect(
            try Self.on(box, ada).map { String($0.dropFirst(12)) } == ["Choir", "Rehearsal", "Rehearsal", "Rehearsal"])
    }

    @Test func `civil times stay over changes of clocks, and whole days are days wherever the reader is`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        try Self.add(box, ada, "Run", start: "2026-10-20T08:00", ["repeat": "weekly", "until": "2026-11-03"])
        try Self.add(box, ada, "Fair", start: "2026-10-24", ["days": 2])
        let result = try box.call(
            ada, "entry.list", ["from": "2026-10-19", "to": "2026-11-05", "zone": "Europe/Berlin"])
        let found = (result["occurrences"]?.array ?? []).compactMap(EntryOccurrence.init)
        #expect(
            found.map(\.start.description) == [
                "2026-10-20T06:00:00.000Z", "2026-10-23T22:00:00.000Z", "2026-10-27T07:00:00.000Z",
                "2026-11-03T07:00:00.000Z",
            ])
        // 24 and 25 October, of which the second has 25 hours.
        #expect(found[1].end.milliseconds(since: found[1].start) == 49 * 3_600_000)
        let days = try box.call(ada, "entry.days", ["from": "2026-10-19", "to": "2026-11-05", "zone": "Europe/Berlin"])
        #expect(
            (days["days"]?.array ?? []).compactMap { $0["date"]?.string }
                == ["2026-10-20", "2026-10-24", "2026-10-25", "2026-10-27", "2026-11-03"])
        #expect(
            try box.refusal(ada, "entry.add", ["subject": "x", "start": "2027-03-28T02:30", "zone": "Europe/Berlin"])?
                .message.contains("skipped") == true)
    }

    @Test func `a search is of words, members, categories and times, in any combination`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let family = try family(box, ada)
        try Self.add(box, ada, "Choir practice", ["calendar": family, "category": "music", "invitees": [.id(ben.id)]])
        try Self.add(
            box, ben, "Choir concert", start: "2026-09-01T19:30", ["calendar": family, "category": "celebration"])
        try Self.add(box, ada, "Football", start: "2026-08-01T10:00", ["calendar": family, "category": "sport"])
        func found(_ more: JSON.Object) throws -> [String] {
            try Self.on(box, ada, more).map { String($0.dropFirst(12)) }
        }
        #expect(try found(["words": "choir"]) == ["Choir practice", "Choir concert"])
        #expect(try found(["words": "CHO con"]) == ["Choir concert"])
        #expect(try found(["members": [.id(ben.id)]]) == ["Choir practice", "Choir concert"])
        #expect(
            try found(["members": [.id(ada.id)], "categories": ["sport", "music"]]) == ["Choir practice", "Football"])
        #expect(try found(["words": "???"]) == [])
        #expect(
            try box.refusal(ada, "entry.list", ["from": "2026-09-01", "to": "2026-08-01", "zone": "UTC"])?.field == "to"
        )
        #expect(
            try box.refusal(
                ada, "entry.free",
                ["from": "2026-01-01", "to": "2028-01-01", "zone": "UTC", "members": [.id(ada.id)]])?.field == "to"
        )
        #expect(
            try box.refusal(ada, "entry.add", ["subject": "x", "start": "2026-08-01", "category": "nope"])?.field
                == "category")
        try box.call(ada, "category.set", ["category": "Scouts", "color": "#00aa00", "icon": .null])
        try Self.add(box, ada, "Camp", start: "2026-08-02", ["category": "Scouts"])
        #expect(try found(["categories": ["Scouts"]]).count == 1)
    }

    @Test func `a list comes in pages, each occurrence once and in order`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        try Self.add(box, ada, ["repeat": "daily"])
        let when: JSON.Object = ["from": "2026-07-01", "to": "2026-07-31", "zone": "Europe/Berlin", "limit": 7]
        var names: [String] = []
        var after: JSON?
        repeat {
            var params = when
            if let after { params["after"] = after }
            let page = try box.call(ada, "entry.list", params)
            names += (page["occurrences"]?.array ?? []).compactMap { $0["occurrence"]?.string }
            after = page["next"]
        } while after != nil
        #expect(names.count == 18 && Set(names).count == 18 && names == names.sorted())
        #expect(try box.call(ada, "entry.all")["entries"]?.array?.count == 1)
    }

    @Test func `bad rules and times are refused with a sentence`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        for (more, field) in [
            (["repeat": "FREQ=HOURLY"] as JSON.Object, "repeat"), (["repeat": "now and then"], "repeat"),
            (["repeat": "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"], "repeat"),
            (["repeat": "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30"], "repeat"), (["end": "2026-07-14T18:00"], "end"),
            (["days": 2], "days"), (["zone": "Berlin"], "zone"), (["minutes": 30, "end": "2026-07-14T20:00"], "end"),
            (["until": "2026-08-01"], "until"), (["lat": 52.5], "lon"),
            (["mapPlace": "01980000-0000-7000-8000-0000000000ff"], "mapPlace"),
        ] {
            var params: JSON.Object = ["subject": "x", "start": "2026-07-14T19:30", "zone": "Europe/Berlin"]
            for member in more.members { params[member.name] = member.value }
            #expect(try box.refusal(ada, "entry.add", params)?.field == field, "\(more)")
        }
        for start in ["tomorrow", "2026-02-30", "2026-07-14T25:00", "0001-01-01"] {
            #expect(try box.refusal(ada, "entry.add", ["subject": "x", "start": .string(start)])?.field == "start")
        }
        // Monthly on the 31st is on the month's last day.
        let last = try Self.add(box, ada, start: "2026-08-31T10:00", ["repeat": "monthly"])
        #expect(last.times.repeats == "FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1")
        #expect(try Self.on(box, ada).map { $0.prefix(5) } == ["08-31", "09-30", "10-31", "11-30", "12-31"])
    }

    @Test func `what is yearly is on its date in every year, and 29 February on the 28th of those without one`() throws
    {
        let box = try FamilyBox()
        let ada = try box.found()
        try Self.add(box, ada, "Wedding", start: "2024-03-03T10:00", ["repeat": "yearly"])
        try Self.add(box, ada, "Leap", start: "2024-02-29", ["repeat": "yearly"])
        let leaps = [2024, 2028, 2032]
        let wanted = (2024...2033).flatMap { ["02-\(leaps.contains($0) ? 29 : 28) Leap", "03-03T10:00 Wedding"] }
        #expect(try Self.on(box, ada, from: "2024-01-01", to: "2033-12-31") == wanted)
    }

    @Test func `what was removed comes back within a week, unless it is erased`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let family = try family(box, ada)
        let picnic = try Self.add(box, ben, "Picnic", ["calendar": family])
        try box.call(ada, "entry.remove", ["entry": .id(picnic.id)])
        #expect(try box.call(ben, "entry.bin")["entries"]?.array?.count == 1)
        // To the last minute.
        try box.wait(seconds: 7 * 86_400 - 60)
        #expect(try box.call(ben, "entry.bin")["entries"]?.array?.count == 1)
        let back = try box.call(ben, "entry.restore", ["entry": .id(picnic.id)])["entry"].flatMap(Entry.init)
        #expect(back?.id == picnic.id && back?.subject == "Picnic")
        try box.call(ada, "entry.remove", ["entry": .id(picnic.id)])
        try box.wait(seconds: 8 * 86_400)
        #expect(try box.call(ben, "entry.bin")["entries"]?.array?.isEmpty == true)
        #expect(try box.refusal(ben, "entry.restore", ["entry": .id(picnic.id)])?.kind == .notFound)
        let other = try Self.add(box, ben, "Secret", start: "2026-08-01")
        try box.call(ben, "entry.remove", ["entry": .id(other.id), "erase": true])
        #expect(try box.call(ben, "entry.bin")["entries"]?.array?.isEmpty == true)
    }
}
