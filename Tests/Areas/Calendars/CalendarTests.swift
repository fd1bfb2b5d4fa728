import KinModel
import Testing

@testable import KinCalendars
@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinStore

/// Calendars and rights in them, reminders, meetings as entries, and members who leave.
@Suite struct CalendarTests {
    private func kinds(_ box: FamilyBox, _ person: FamilyBox.Person) throws -> [String] {
        try box.fresh(person.id).inbox.entries.flatMap { $0.lines.compactMap { $0["kind"]?.string } }
    }

    @Test func `a calendar is shared by rights, officially, and is out of sight again`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let (ben, cleo) = (try box.join("ben", by: ada), try box.join("cleo", by: ada))
        let made = try box.call(ada, "calendar.add", ["name": "Club", "color": "#3366CC"])
        let club = try #require(made["calendar"]?["id"])
        #expect(made["calendar"]?["color"] == "#3366cc")
        try EntryTests.add(box, ada, ["calendar": club])
        func share(_ with: JSON, _ right: String) throws {
            try box.call(ada, "calendar.share", ["calendar": club, "with": with, "right": .string(right)])
        }
        #expect(
            try box.refusal(ben, "calendar.share", ["calendar": club, "with": "everyone", "right": "own"])?.kind
                == .notFound)
        try share(.id(ben.id), "busy")
        #expect(try EntryTests.on(box, ben) == [])
        let busy = try box.call(ben, "entry.list", ["from": "2026-07-01", "to": "2026-07-31", "zone": "UTC"])
        #expect(busy["busy"]?.array?.count == 1 && busy["entries"] == [])
        try share(.id(ben.id), "read")
        #expect(try EntryTests.on(box, ben) == ["07-14T19:30 Choir"] && kinds(box, ben).contains("calendarShared"))
        let told = try box.fresh(ben.id).inbox.entries.filter { entry in
            entry.lines.contains { $0["kind"] == "calendarShared" }
        }
        #expect(!told.isEmpty && told.allSatisfy(\.isOfficial))
        #expect(
            try box.refusal(ben, "entry.add", ["subject": "x", "start": "2026-07-20", "calendar": club])?.kind
                == .forbidden)
        try share("everyone", "write")
        try EntryTests.add(box, cleo, "Party", ["calendar": club])
        #expect(try EntryTests.on(box, ben).count == 2)
        try share("everyone", "none")
        try share(.id(ben.id), "none")
        #expect(try EntryTests.on(box, ben) == [] && EntryTests.on(box, cleo) == ["07-14T19:30 Party"])
        let number = try #require(try box.keeper.roster()[ben.id]).number
        let left = try box.store.database.rows(
            "SELECT audience FROM log WHERE type LIKE 'entry.%' AND type <> 'entry.hidden'"
        ) {
            row in row.int(0)
        }
        for audience in left { #expect(try !box.store.database.audience(audience).contains(number)) }
        try box.call(ada, "calendar.remove", ["calendar": club, "keep": true])
        #expect(try EntryTests.on(box, ada).count == 2)
        let list = try box.call(ada, "calendar.list")["calendars"]?.array ?? []
        #expect(
            list.compactMap { $0["kind"]?.string } == [
                "family", "household", "personal", "meetings", "toDecide", "birthdays",
            ])
    }

    @Test func `a calendar is shared with a household, and who moves in sees it as long as they live there`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let elm = try box.foundHousehold("Elm", by: ada)
        let (ben, eve) = (try box.join("ben", by: ada), try box.join("eve", into: elm, by: ada))
        let club = try #require(try box.call(ada, "calendar.add", ["name": "Club"])["calendar"]?["id"])
        let choir = try EntryTests.add(box, ada, ["calendar": club])
        func share(_ with: JSON, _ right: String) throws -> Rejection? {
            try box.refusal(ada, "calendar.share", ["calendar": club, "with": with, "right": .string(right)])
        }
        #expect(try share("01980000-0000-7000-8000-0000000000ff", "read")?.field == "with")
        #expect(try share(.id(elm), "write") == nil)
        #expect(try EntryTests.on(box, ben) == [] && EntryTests.on(box, eve) == ["07-14T19:30 Choir"])
        #expect(try kinds(box, eve).contains("calendarShared") && !kinds(box, ben).contains("calendarShared"))
        #expect(
            try box.call(ada, "calendar.list")["shared"]?.array?.first?["with"]
                == [["with": .id(elm), "right": "write"]])
        try EntryTests.add(box, eve, "Party", start: "2026-07-15T19:30", ["calendar": club])
        try box.move(ben, to: elm)
        #expect(try EntryTests.on(box, ben) == ["07-14T19:30 Choir", "07-15T19:30 Party"])
        try box.call(ben, "entry.update", ["entry": .id(choir.id), "note": "Bring cake"])
        try box.call(ben, "entry.star", ["entry": .id(choir.id), "on": true])
        try box.call(ben, "entry.remind", ["entry": .id(choir.id), "minutes": [30]])
        _ = box.heard(eve)
        try box.move(ben, to: try box.household(of: ada))
        #expect(try EntryTests.on(box, ben) == [])
        // Neither his interest stays, nor his wish to be reminded.
        #expect(box.heard(eve).filter { $0.type == "entry.starred" }.map { $0.data["stars"] } == [[]])
        #expect(try box.count("SELECT count(*) FROM entry_reminders") == 0)
        #expect(try box.refusal(ben, "entry.show", ["entry": .id(choir.id)])?.kind == .notFound)
        // Shared no longer, each has what is their own.
        #expect(try share(.id(elm), "none") == nil)
        #expect(try EntryTests.on(box, eve) == ["07-15T19:30 Party"])
    }

    @Test func `who sees a calendar no longer is not interested in it any more, nor reminded once it is shared again`()
        throws
    {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let club = try #require(try box.call(ada, "calendar.add", ["name": "Club"])["calendar"]?["id"])
        let choir = try EntryTests.add(box, ada, ["calendar": club, "repeat": "weekly"])
        func share(_ right: JSON) throws {
            try box.call(ada, "calendar.share", ["calendar": club, "with": .id(ben.id), "right": right])
        }
        func remind(_ person: FamilyBox.Person) throws -> JSON? {
            try box.call(person, "entry.show", ["entry": .id(choir.id)])["remind"]
        }
        try share("read")
        for person in [ada, ben] {
            try box.call(person, "entry.remind", ["entry": .id(choir.id), "minutes": [30]])
        }
        try box.call(ben, "entry.star", ["entry": .id(choir.id), "on": true])
        _ = box.heard(ada)
        try share("busy")
        #expect(box.heard(ada).filter { $0.type == "entry.starred" }.map { $0.data["stars"] } == [[]])
        #expect(try box.call(ada, "entry.show", ["entry": .id(choir.id)])["entry"]?["stars"] == [])
        try share("read")
        #expect(try remind(ben) == [] && remind(ada) == [30])
        #expect(try box.count("SELECT count(*) FROM due WHERE kind = 'entry.reminds'") == 1)
    }

    @Test func `a new role that shows nothing new takes nothing from who was away, guests or not`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        _ = try box.join("gil", role: .guest, by: ada)
        let before = box.store.log.position
        try EntryTests.add(box, ada, ["invitees": [.id(ben.id)]])
        try box.call(ada, "member.setRole", ["member": .id(ben.id), "role": "head"])
        let number = try #require(try box.keeper.roster()[ben.id]).number
        let owed = try box.store.database.rows(
            "SELECT type, audience FROM log WHERE position > ? AND type IN ('entry.added', 'activity.added')",
            .int(before)
        ) { row in (row.text(0), row.int(1)) }.filter { try box.store.database.audience($0.1).contains(number) }
        #expect(owed.map(\.0).contains("entry.added") && owed.count >= 2)
    }

    @Test func `a reminder comes once for each member, survives a restart, and comes late if still useful`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        // The box begins at 18:00 in universal time, 19:00 in Berlin.
        let soup = try EntryTests.add(
            box, ada, "Soup", start: "2026-11-20T23:00",
            ["repeat": "daily", "remind": [60], "invitees": [.id(ben.id)]])
        try box.call(ben, "entry.remind", ["entry": .id(soup.id), "minutes": [30]])
        func reminders(_ person: FamilyBox.Person) -> Int { box.types(person).count { $0 == "entry.reminded" } }
        try box.wait(seconds: 3 * 3600 + 60)
        #expect(reminders(ada) == 1 && reminders(ben) == 0)
        try box.wait(seconds: 1800)
        #expect(reminders(ada) == 0 && reminders(ben) == 1)
        #expect(try kinds(box, ada).contains("reminder"))
        // Who does not come is not reminded.
        try box.call(ben, "entry.answer", ["entry": .id(soup.id), "answer": "declined"])
        try box.wait(seconds: 86_400)
        #expect(reminders(ada) == 1 && reminders(ben) == 0)
        try box.call(ada, "entry.remove", ["entry": .id(soup.id)])
        let due = try box.store.database.first("SELECT count(*) FROM due WHERE kind = 'entry.reminds'") { $0.int(0) }
        #expect(due == 0)
    }

    @Test func `what is brought back reminds as it did before, and nobody who does not see it any more`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let (ben, cleo) = (try box.join("ben", by: ada), try box.join("cleo", by: ada))
        let club = try #require(try box.call(ada, "calendar.add", ["name": "Club"])["calendar"]?["id"])
        func share(_ person: FamilyBox.Person, _ right: JSON) throws {
            try box.call(ada, "calendar.share", ["calendar": club, "with": .id(person.id), "right": right])
        }
        try share(ben, "write")
        try share(cleo, "read")
        // The box begins at 18:00 in universal time, 19:00 in Berlin.
        let soup = try EntryTests.add(
            box, ada, "Soup", start: "2026-11-20T23:00", ["calendar": club, "remind": [60]])
        for person in [ben, cleo] {
            try box.call(person, "entry.remind", ["entry": .id(soup.id), "minutes": [30]])
        }
        try box.call(ben, "entry.remove", ["entry": .id(soup.id)])
        try share(cleo, "none")
        try box.call(ada, "entry.restore", ["entry": .id(soup.id)])
        #expect(try box.call(ben, "entry.show", ["entry": .id(soup.id)])["remind"] == [30])
        #expect(try box.count("SELECT count(*) FROM entry_reminders") == 2)
        for person in [ada, ben, cleo] { _ = box.heard(person) }
        try box.wait(seconds: 3 * 3600 + 1860)
        for (person, count) in [(ada, 1), (ben, 1), (cleo, 0)] {
            #expect(box.types(person).count { $0 == "entry.reminded" } == count)
        }
    }

    @Test func `a day before something of every day one is reminded of the next, not of what is on now`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        try EntryTests.add(
            box, ada, "Walk", start: "2026-11-20T20:00", ["repeat": "daily", "minutes": 90, "remind": [1440, 30]])
        // The box begins at 18:00 in universal time, 19:00 in Berlin.
        var told: [JSON?] = []
        for _ in 0..<3 {
            _ = box.heard(ada)
            try box.wait(seconds: 1860)
            told += box.heard(ada).filter { $0.type == "entry.reminded" }.map { $0.data["occurrence"] }
        }
        #expect(told == ["2026-11-20T20:00", "2026-11-21T20:00"])
    }

    @Test func `who is free is known of those who show it, and of the others unknown`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let (ben, cleo) = (try box.join("ben", by: ada), try box.join("cleo", by: ada))
        try EntryTests.add(box, ben, "Dentist")
        try box.call(ben, "calendar.share", ["calendar": .id(ben.id), "with": "everyone", "right": "busy"])
        let free = try box.call(
            ada, "entry.free",
            [
                "members": [.id(ben.id), .id(cleo.id)], "from": "2026-07-14", "to": "2026-07-14",
                "zone": "Europe/Berlin",
            ])
        let members = free["members"]?.array ?? []
        #expect(members[0]["known"] == true && members[0]["busy"]?.array?.count == 1)
        #expect(members[1]["known"] == false && members[1]["busy"] == [])
    }

    @Test
    func `a meeting's slots are tentative, the confirmed one is an entry with the voters' answers, and it follows`()
        throws
    {
        let box = try FamilyBox()
        let ada = try box.found()
        let (ben, cleo) = (try box.join("ben", by: ada), try box.join("cleo", by: ada))
        let soup = try box.propose(by: ada, invitees: [ben, cleo])
        func entries(_ person: FamilyBox.Person) throws -> [Entry] {
            (try box.call(person, "entry.all")["entries"]?.array ?? []).compactMap(Entry.init)
                .sorted { $0.times.start < $1.times.start }
        }
        #expect(try entries(ben).map(\.status) == [.tentative, .tentative])
        try box.call(ben, "meeting.vote", soup.votes("yes", "ifNeedBe"))
        try box.call(cleo, "meeting.vote", soup.votes("no", "yes"))
        #expect(try entries(ada).map { $0.answer(of: ben.id, to: nil) } == [.accepted, .tentative])
        #expect(
            try box.refusal(ben, "entry.answer", ["entry": .id(entries(ben)[0].id), "answer": "declined"])?.kind
                == .conflict)
        try box.call(ada, "meeting.confirm", soup.confirm(0))
        let confirmed = try #require(try entries(cleo).first)
        #expect(try entries(cleo).count == 1 && confirmed.status == .confirmed && confirmed.subject == "Soup")
        #expect(confirmed.invitees.map(\.answer) == [.accepted, .declined])
        #expect(try box.call(ben, "entry.show", ["entry": .id(confirmed.id)])["remind"] == [1440, 60])
        #expect(try box.call(cleo, "entry.show", ["entry": .id(confirmed.id)])["remind"] == [])
        #expect(try box.refusal(ada, "entry.update", ["entry": .id(confirmed.id), "subject": "x"])?.kind == .conflict)
        try box.call(cleo, "meeting.attend", soup.with(["answer": "going"]))
        try box.call(ada, "meeting.update", soup.with(["title": "Stew"]))
        let changed = try #require(try entries(ben).first)
        #expect(changed.subject == "Stew" && changed.answer(of: cleo.id, to: nil) == .accepted)
        try box.call(ada, "meeting.handOver", soup.with(["to": .id(ben.id)]))
        #expect(
            try entries(ada).first?.owner == ben.id
                && entries(ada).first?.invitees.map(\.member).contains(ada.id) == true)
        try box.call(ben, "meeting.cancel", soup.params)
        #expect(try entries(ben) == [] && entries(cleo) == [])
        // A guest who is not named knows nothing of it.
        let gil = try box.join("gil", role: .guest, by: ada)
        _ = try box.propose(by: ada, invitees: [ben])
        #expect(try entries(gil) == [])
    }

    @Test func `who leaves the open slots out finds them only where they are asked for, on all devices`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        _ = try box.propose(by: ada, invitees: [ben])
        try box.call(ada, "profile.add", ["kind": "birthday", "value": "--12-12", "audience": "everyone"])
        let calendars = try box.call(ben, "calendar.list")["calendars"]?.array ?? []
        let decide = try #require(calendars.first { $0["kind"] == "toDecide" }?["id"])
        let secret = try #require(try box.call(ben, "calendar.addFeed", ["name": "Phone"])["secret"])
        func feed() throws -> JSON { try box.call(.none, "calendar.feed", ["secret": secret]) }
        let window: JSON.Object = ["from": "2026-11-20", "to": "2027-01-31", "zone": "Europe/Berlin"]
        func found(_ person: FamilyBox.Person, _ more: JSON.Object = [:]) throws -> [Int?] {
            var params = window
            for member in more.members { params[member.name] = member.value }
            let list = try box.call(person, "entry.list", params)
            let days = try box.call(person, "entry.days", params)["days"]?.array
            return [list["occurrences"]?.array?.count, list["birthdays"]?.array?.count, days?.count]
        }
        let all = try found(ben)
        #expect(all[0] == 2 && all[1] == 1)
        let tag = try feed()["tag"]
        try box.call(ben, "settings.set", ["leftOut": ["toDecide"]])
        #expect(try found(ben) == [0, 1, 1])
        #expect(try found(ben, ["calendars": [decide]])[0] == 2, "asked for, they are there")
        #expect(try found(ada) == all, "it is one's own setting")
        #expect(try feed()["tag"] != tag && feed()["text"]?.string?.contains("TENTATIVE") == false)
        #expect(try box.call(ben, "calendar.list")["calendars"]?.array?.contains { $0["id"] == decide } == true)
        try box.call(ben, "settings.set", ["leftOut": ["birthdays"]])
        #expect(try found(ben)[0] == 2 && found(ben)[1] == 0)
        #expect(try feed()["text"]?.string?.contains("🎂") == false)
        try box.call(ben, "settings.set", ["leftOut": .null])
        #expect(try found(ben) == all)
        #expect(try feed()["tag"] == tag)
    }

    @Test func `who is asked to a meeting later has its slots too, and votes are there again when it is open again`()
        throws
    {
        let box = try FamilyBox()
        let ada = try box.found()
        let (ben, cleo) = (try box.join("ben", by: ada), try box.join("cleo", by: ada))
        let soup = try box.propose(by: ada, invitees: [ben])
        func entries(_ person: FamilyBox.Person) throws -> [Entry] {
            (try box.call(person, "entry.all")["entries"]?.array ?? []).compactMap(Entry.init)
                .sorted { $0.times.start < $1.times.start }
        }
        try box.call(ben, "meeting.vote", soup.votes("yes", "no"))
        #expect(try entries(cleo) == [])
        try box.call(ada, "meeting.update", soup.with(["invitees": [.id(ben.id), .id(cleo.id)]]))
        #expect(try entries(cleo).map { $0.invitees.map(\.member) } == [[ben.id, cleo.id], [ben.id, cleo.id]])
        #expect(try entries(cleo).map { $0.answer(of: ben.id, to: nil) } == [.accepted, .declined])
        try box.call(ada, "meeting.confirm", soup.confirm(0))
        let first = try entries(ada)[0]
        // Its slot goes: it is to be decided again, and who voted has voted.
        try box.call(
            ada, "meeting.update",
            soup.with([
                "slots": [["id": .id(soup.slots[1])], ["start": "2026-12-12T18:00", "end": "2026-12-12T20:00"]]
            ]))
        #expect(try entries(ben).map(\.status) == [.tentative, .tentative])
        #expect(try entries(ben).allSatisfy { $0.id != first.id && $0.invitees.count == 2 })
        #expect(try Set(entries(ben).map { $0.answer(of: ben.id, to: nil) }) == [.declined, Entry.Answer.none])
        try box.call(ada, "meeting.update", soup.with(["invitees": [.id(cleo.id)]]))
        #expect(try entries(ben) == [] && entries(cleo).count == 2)
    }

    @Test func `a reminder that was due while nothing ran comes once, and not when it is of no use any more`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        // The box begins at 18:00 in universal time, 19:00 in Berlin.
        try EntryTests.add(box, ada, "Soup", start: "2026-11-20T21:00", ["remind": [90, 60], "minutes": 180])
        try EntryTests.add(box, ada, "Bins", start: "2026-11-20T20:30", ["remind": [30], "minutes": 30])
        _ = box.heard(ada)
        // Both of the one's and the other's are over, and so are the bins; the soup goes on.
        try box.restart(after: 3 * 3600)
        let told = box.heard(ada).filter { $0.type == "entry.reminded" }
        #expect(told.map { $0.data["start"] } == ["2026-11-20T20:00:00.000Z"])
        try box.restart(after: 60)
        try box.wait(seconds: 3600)
        #expect(box.types(ada).contains("entry.reminded") == false)
        #expect(try kinds(box, ada).count { $0 == "reminder" } == 1)
    }

    @Test func `a calendar that was added goes on as the heir's, and for those who share it`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let (ben, cleo) = (try box.join("ben", by: ada), try box.join("cleo", by: ada))
        let club = try #require(try box.call(ben, "calendar.add", ["name": "Club"])["calendar"]?["id"])
        try box.call(ben, "calendar.share", ["calendar": club, "with": .id(cleo.id), "right": "write"])
        try EntryTests.add(box, ben, "Match", ["calendar": club])
        try EntryTests.add(box, cleo, "Party", start: "2026-07-15T19:30", ["calendar": club])
        func right(_ person: FamilyBox.Person) throws -> String? {
            let all = try box.call(person, "calendar.list")["calendars"]?.array ?? []
            return all.first { $0["id"] == club }?["right"]?.string
        }
        let both = ["07-14T19:30 Match", "07-15T19:30 Party"]
        #expect(try right(ada) == nil && EntryTests.on(box, ada) == [] && EntryTests.on(box, cleo) == both)
        try box.call(ada, "member.remove", ["member": .id(ben.id), "keep": "hand-over", "to": .id(ada.id)])
        #expect(try right(ada) == "own" && right(cleo) == "write")
        #expect(try EntryTests.on(box, ada) == both && EntryTests.on(box, cleo) == both)
        // Of a calendar of which the heir sees nothing else, the heir has the entry alone.
        let dan = try box.join("dan", by: ada)
        try box.call(ada, "member.remove", ["member": .id(cleo.id), "keep": "hand-over", "to": .id(dan.id)])
        #expect(try EntryTests.on(box, ada) == both && EntryTests.on(box, dan) == ["07-15T19:30 Party"])
    }

    @Test func `who leaves hands entries over or takes them along`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let (ben, cleo) = (try box.join("ben", by: ada), try box.join("cleo", by: ada))
        try EntryTests.add(box, ben, "Bins", ["repeat": "weekly"])
        try EntryTests.add(box, ben, "Dentist", ["invitees": [.id(cleo.id)]])
        let party = try EntryTests.add(box, ada, "Party", ["invitees": [.id(ben.id), .id(cleo.id)]])
        try box.call(ada, "member.remove", ["member": .id(ben.id), "keep": "hand-over", "to": .id(ada.id)])
        #expect(try EntryTests.on(box, ada, ["words": "bins"]).count > 10)
        #expect(try EntryTests.on(box, cleo, ["words": "dentist"]).count == 1)
        let left = try box.call(ada, "entry.show", ["entry": .id(party.id)])["entry"].flatMap(Entry.init)
        #expect(left?.invitees.map(\.member) == [cleo.id])
        try box.call(ada, "member.remove", ["member": .id(cleo.id), "keep": "delete"])
        #expect(try box.store.database.first("SELECT count(*) FROM entry_people") { $0.int(0) } == 0)
    }
}
