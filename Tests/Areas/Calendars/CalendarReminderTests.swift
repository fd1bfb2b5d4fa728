import KinModel
import Testing

@testable import KinCalendars
@testable import KinFamilyBox
@testable import KinKeeper

/// When a calendar reminds of what is new in it: as its owner set it, as a reader set it for themselves, or as is said of an
/// entry.
@Suite struct CalendarReminderTests {
    let box: FamilyBox
    let ada: FamilyBox.Person
    let ben: FamilyBox.Person
    /// Ada's, which reminds an hour and a day before.
    let club: JSON

    init() throws {
        box = try FamilyBox()
        ada = try box.found()
        ben = try box.join("ben", by: ada)
        let made = try box.call(ada, "calendar.add", ["name": "Club", "remind": [60, 1440, 60]])["calendar"]
        #expect(made?["remind"] == [1440, 60])
        club = try #require(made?["id"])
    }

    private func share(_ right: JSON, _ person: FamilyBox.Person? = nil) throws {
        try box.call(
            ada, "calendar.share", ["calendar": club, "with": .id((person ?? ben).id), "right": right])
    }

    private func reminded(_ entry: Entry, _ person: FamilyBox.Person) throws -> JSON? {
        try box.call(person, "entry.show", ["entry": .id(entry.id)])["remind"]
    }

    private func shown(_ person: FamilyBox.Person) throws -> JSON? {
        try box.call(person, "calendar.show", ["calendar": club])["calendar"]?["remind"]
    }

    private func remind(_ person: FamilyBox.Person, _ calendar: JSON, _ minutes: JSON) throws -> JSON? {
        try box.call(person, "calendar.remind", ["calendar": calendar, "minutes": minutes])["remind"]
    }

    @Test func `whoever adds an entry and says nothing of reminders is reminded as the calendar has it`() throws {
        try share("write")
        let (adas, bens) = (
            try EntryTests.add(box, ada, ["calendar": club]), try EntryTests.add(box, ben, "Swim", ["calendar": club])
        )
        #expect(try reminded(adas, ada) == [1440, 60] && reminded(bens, ben) == [1440, 60])
        // Nobody else is, who is not invited; and who says something of it has that.
        #expect(try reminded(adas, ben) == [] && reminded(bens, ada) == [])
        for minutes in [[], [5]] as [JSON] {
            let entry = try EntryTests.add(box, ada, ["calendar": club, "remind": minutes])
            #expect(try reminded(entry, ada) == minutes)
        }
        // What is there already stays; other calendars remind of nothing.
        try box.call(ada, "calendar.update", ["calendar": club, "remind": []])
        #expect(try shown(ben) == [] && reminded(adas, ada) == [1440, 60])
        #expect(try reminded(try EntryTests.add(box, ada, ["calendar": club]), ada) == [])
        #expect(try reminded(try EntryTests.add(box, ada), ada) == [])
        #expect(
            try box.refusal(ben, "calendar.update", ["calendar": club, "remind": [5]])?.kind == .forbidden)
    }

    @Test func `a reader sets other reminders for themselves, which nobody else is told, and takes them back`() throws {
        try share("write")
        for person in [ada, ben] { _ = box.heard(person) }
        #expect(try remind(ben, club, [5]) == [5])
        #expect(box.types(ben) == ["calendar.updated"] && box.types(ada) == [])
        #expect(try remind(ben, club, [5]) == [5] && box.types(ben) == [])
        #expect(try shown(ben) == [1440, 60])
        let own = try box.call(ben, "calendar.list")["reminders"]
        #expect(own == [["calendar": club, "remind": [5]]])
        #expect(try box.call(ada, "calendar.list")["reminders"] == [])
        #expect(try reminded(try EntryTests.add(box, ben, ["calendar": club]), ben) == [5])
        #expect(try reminded(try EntryTests.add(box, ada, ["calendar": club]), ada) == [1440, 60])
        #expect(try remind(ben, club, []) == [])
        #expect(try reminded(try EntryTests.add(box, ben, ["calendar": club]), ben) == [])
        #expect(try remind(ben, club, .null) == [1440, 60])
        #expect(try reminded(try EntryTests.add(box, ben, ["calendar": club]), ben) == [1440, 60])
        // Of what nobody wrote into yet, too; and gone with the calendar and with the member.
        #expect(try remind(ben, .id(ben.id), [15]) == [15])
        #expect(try reminded(try EntryTests.add(box, ben), ben) == [15])
        _ = try remind(ben, club, [5])
        try box.call(ada, "calendar.remove", ["calendar": club, "keep": false])
        #expect(try box.count("SELECT count(*) FROM calendar_reminders") == 1)
        try box.call(ada, "member.remove", ["member": .id(ben.id), "keep": "delete"])
        #expect(try box.count("SELECT count(*) FROM calendar_reminders") == 0)
    }

    @Test func `who is invited is reminded as the calendar has it that they read, or as their own`() throws {
        let cleo = try box.join("cleo", by: ada)
        try share("read")
        _ = try remind(cleo, .id(cleo.id), [30])
        let entry = try EntryTests.add(
            box, ada, ["calendar": club, "invitees": [.id(ben.id), .id(cleo.id)], "remind": []])
        #expect(try reminded(entry, ben) == [1440, 60] && reminded(entry, cleo) == [30] && reminded(entry, ada) == [])
        // Once: what one takes back is not given again by another change.
        try box.call(ben, "entry.remind", ["entry": .id(entry.id), "minutes": []])
        try box.call(ada, "entry.update", ["entry": .id(entry.id), "subject": "Big choir"])
        #expect(try reminded(entry, ben) == [])
        // Who is asked later is reminded, too.
        let later = try EntryTests.add(box, ada, "Swim", start: "2026-11-20T23:00", ["calendar": club])
        try box.call(ada, "entry.update", ["entry": .id(later.id), "invitees": [.id(cleo.id)]])
        #expect(try reminded(later, cleo) == [30])
        _ = box.heard(cleo)
        // The box begins at 19:00 in Berlin.
        try box.wait(seconds: 3 * 3600 + 1860)
        #expect(box.types(cleo).count { $0 == "entry.reminded" } == 1)
    }

    @Test func `who sees times alone learns nothing of it, and guests set their own for what they read`() throws {
        try share("busy")
        _ = box.heard(ben)
        try box.call(ada, "calendar.update", ["calendar": club, "remind": [10]])
        #expect(box.types(ben) == [] && box.types(ada).contains("calendar.updated"))
        #expect(try shown(ben) == [] && shown(ada) == [10])
        #expect(
            try box.refusal(ben, "calendar.remind", ["calendar": club, "minutes": [5]])?.kind == .forbidden)
        try share("none")
        #expect(try box.refusal(ben, "calendar.remind", ["calendar": club, "minutes": [5]])?.kind == .notFound)
        let gil = try box.join("gil", role: .guest, by: ada)
        let household = JSON.id(try box.household(of: ada))
        #expect(try remind(gil, household, [20]) == [20])
        #expect(try box.refusal(gil, "calendar.remind", ["calendar": club, "minutes": [5]])?.kind == .notFound)
        for minutes in [[-1], [40_321], .array((0...10).map { .int($0) })] as [JSON] {
            #expect(
                try box.refusal(ada, "calendar.remind", ["calendar": club, "minutes": minutes]) != nil)
        }
    }
}
