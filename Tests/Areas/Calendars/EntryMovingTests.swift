import KinModel
import Testing

@testable import KinCalendars
@testable import KinFamilyBox
@testable import KinKeeper

/// What becomes of the end of a rule, and of single days, where all of an entry gets another time.
@Suite struct EntryMovingTests {
    private let box: FamilyBox
    private let ada: FamilyBox.Person

    init() throws {
        box = try FamilyBox()
        ada = try box.found()
    }

    /// Choir on three Tuesdays.
    private func choir() throws -> JSON {
        .id(try EntryTests.add(box, ada, ["repeat": "weekly", "until": "2026-07-28"]).id)
    }

    private func update(_ entry: JSON, _ more: JSON.Object) throws {
        var params: JSON.Object = ["entry": entry]
        for member in more.members { params[member.name] = member.value }
        try box.call(ada, "entry.update", params)
    }

    private func rule(of entry: JSON) throws -> String {
        try box.call(ada, "entry.show", ["entry": entry])["entry"].flatMap(Entry.init)?.times.repeats ?? ""
    }

    private func on() throws -> [String] { try EntryTests.on(box, ada) }

    @Test func `in another zone it is at the same times on the same days, to its last one`() throws {
        let entry = try choir()
        for (zone, end) in [("America/New_York", "20260729T035959Z"), ("Europe/Berlin", "20260728T215959Z")] {
            try update(entry, ["zone": .string(zone)])
            #expect(try on() == ["07-14T19:30 Choir", "07-21T19:30 Choir", "07-28T19:30 Choir"])
            #expect(try rule(of: entry).hasSuffix("UNTIL=" + end))
        }
    }

    @Test func `what becomes whole days stays on its days, and so does what is left out of it`() throws {
        let entry = try choir()
        try box.call(
            ada, "entry.remove", ["entry": entry, "scope": "this", "occurrence": "2026-07-21T19:30"])
        try update(entry, ["scope": "this", "occurrence": "2026-07-28T19:30", "subject": "Concert"])
        // Said at one of its days, it is true of all.
        try update(entry, ["occurrence": "2026-07-28T19:30", "start": "2026-07-28"])
        #expect(try on() == ["07-14 Choir", "07-28 Concert"])
        #expect(try rule(of: entry).hasSuffix("UNTIL=20260728"))
        try update(entry, ["start": "2026-07-14T18:00", "zone": "Europe/Berlin"])
        #expect(try on() == ["07-14T18:00 Choir", "07-28T18:00 Concert"])
        #expect(try rule(of: entry).hasSuffix("UNTIL=20260728T215959Z"))
        // What was ended before a time of a day is not on that day.
        try box.call(
            ada, "entry.remove", ["entry": entry, "scope": "following", "occurrence": "2026-07-28T18:00"])
        try update(entry, ["start": "2026-07-14"])
        #expect(try on() == ["07-14 Choir"])
    }

    @Test(arguments: [
        ("2026-10-24T22:00", "2026-10-25T06:00", "05:00"), ("2027-03-27T22:00", "2027-03-28T06:00", "04:00"),
        ("2026-11-07T22:00", "2026-11-08T06:00", "05:00"),
    ])
    func `it ends when that was said, on a night on which clocks change too`(
        start: String, end: String, universal: String
    ) throws {
        try EntryTests.add(box, ada, "Night", start: start, ["end": .string(end)])
        let found = try box.call(
            ada, "entry.list", ["from": .string(start), "to": .string(end), "zone": "Europe/Berlin"])
        let ends = JSON.string("\(end.prefix(10))T\(universal):00.000Z")
        #expect(found["occurrences"]?.array?.first?["end"] == ends)
    }

    @Test func `the end that is said at one of its days is that of each day`() throws {
        let entry = try choir()
        try update(
            entry, ["occurrence": "2026-07-28T19:30", "start": "2026-07-28T19:00", "end": "2026-07-28T21:00"])
        let shown = try box.call(ada, "entry.show", ["entry": entry])["entry"].flatMap(Entry.init)
        #expect(shown?.times.start == "2026-07-14T19:00" && shown?.times.minutes == 120)
        try update(entry, ["occurrence": "2026-07-21T19:00", "end": "2026-07-21T20:30"])
        let again = try box.call(ada, "entry.show", ["entry": entry])["entry"].flatMap(Entry.init)
        #expect(again?.times.start == "2026-07-14T19:00" && again?.times.minutes == 90)
        #expect(try on() == ["07-14T19:00 Choir", "07-21T19:00 Choir", "07-28T19:00 Choir"])
    }

    @Test func `all of it moves behind the day on which it ended, and what one time is left of moves too`() throws {
        let entry = try choir()
        try update(entry, ["start": "2026-09-01T19:30"])
        #expect(try on() == ["09-01T19:30 Choir", "09-08T19:30 Choir", "09-15T19:30 Choir"])
        try update(entry, ["scope": "following", "occurrence": "2026-09-08T19:30", "subject": "Band"])
        try update(entry, ["start": "2026-09-02T20:00"])
        #expect(try on() == ["09-02T20:00 Choir", "09-08T19:30 Band", "09-15T19:30 Band"])
    }
}
