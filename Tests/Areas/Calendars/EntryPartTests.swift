import KinCodec
import KinCrypto
import KinModel
import Testing

@testable import KinCalendars
@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinStore

/// What belongs to an entry besides its time: where it is, what kind it is, who is interested, and who may change it.
@Suite struct EntryPartTests {
    private func family(_ box: FamilyBox, _ person: FamilyBox.Person) throws -> JSON {
        try #require(try box.call(person, "family.show")["family"]?["id"])
    }

    private func show(_ box: FamilyBox, _ person: FamilyBox.Person, _ id: Identifier) throws -> Entry {
        try #require(try box.call(person, "entry.show", ["entry": .id(id)])["entry"].flatMap(Entry.init))
    }

    private func file(_ box: FamilyBox, _ person: FamilyBox.Person, _ calendar: JSON) throws -> String {
        try box.call(person, "calendar.export", ["calendar": calendar])
        guard case .piece(let piece) = box.effect else { return "" }
        return String(decoding: piece.bytes, as: UTF8.self)
    }

    private func take(_ text: String, _ box: FamilyBox, _ person: FamilyBox.Person) throws -> [String] {
        let report = try box.call(person, "calendar.import", ["ics": .string(Base64.encode(Array(text.utf8)))])
        return (report["entries"]?.array ?? []).compactMap { $0["outcome"]?.string }
    }

    @Test func `a place is coordinates too, goes out as GEO and comes in again`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let picnic = try EntryTests.add(
            box, ada, "Picnic", ["place": "Meadow", "lat": 52.5125, "lon": -0.25, "calendar": .id(ada.id)])
        #expect(picnic.place == EntryPlace(text: "Meadow", lat: 52.5125, lon: -0.25))
        let text = try file(box, ada, .id(ada.id))
        #expect(text.contains("\r\nGEO:52.5125;-0.25\r\n") && text.contains("\r\nLOCATION:Meadow\r\n"), "\(text)")
        #expect(try take(text, box, ben) == ["added"])
        let taken = try #require(try box.call(ben, "entry.all")["entries"]?.array?.first.flatMap(Entry.init))
        #expect(taken.place == picnic.place && taken.owner == ben.id)
        // What is out of the world is no place.
        #expect(
            try box.refusal(ada, "entry.update", ["entry": .id(picnic.id), "lat": 91, "lon": 0])?.field?.hasPrefix(
                "lat")
                == true)
        try box.call(ada, "entry.update", ["entry": .id(picnic.id), "lat": .null, "lon": .null])
        #expect(try show(box, ada, picnic.id).place == EntryPlace(text: "Meadow"))
    }

    @Test func `a place of the map is named by who sees it, and by nobody else`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        func mapPlace(_ audience: JSON) throws -> JSON {
            try #require(
                try box.call(
                    ada, "place.add", ["name": "Hall", "lat": 52.5, "lon": 13.4, "audience": audience])["place"]?["id"])
        }
        let (open, hidden) = (try mapPlace("everyone"), try mapPlace([]))
        let choir = try EntryTests.add(box, ada, ["mapPlace": open, "invitees": [.id(ben.id)]])
        #expect(try show(box, ben, choir.id).place?.mapPlace == open.identifier)
        try EntryTests.add(box, ada, ["mapPlace": hidden])
        let own: JSON.Object = ["subject": "Mine", "start": "2026-07-14", "mapPlace": hidden]
        let none: JSON.Object = [
            "subject": "Mine", "start": "2026-07-14", "mapPlace": "01980000-0000-7000-8000-0000000000ff",
        ]
        let refusals = try [own, none].map { try #require(try box.refusal(ben, "entry.add", $0)) }
        #expect(refusals.allSatisfy { $0.kind == .notFound && $0.field == "mapPlace" })
        try EntryTests.add(box, ben, "Mine", ["mapPlace": open])
        // One of its days may be elsewhere.
        let weekly = try EntryTests.add(box, ada, "Swim", ["repeat": "FREQ=WEEKLY;COUNT=2", "mapPlace": open])
        try box.call(
            ada, "entry.update",
            [
                "entry": .id(weekly.id), "scope": "this", "occurrence": "2026-07-21T19:30", "mapPlace": .null,
                "place": "Lake",
            ])
        let days = try box.call(
            ada, "entry.list",
            ["from": "2026-07-14", "to": "2026-07-22", "zone": "Europe/Berlin", "words": "swim"])["occurrences"]?.array
        #expect(days?.map { $0["place"]?["mapPlace"] } == [open, nil] && days?[1]["place"]?["text"] == "Lake")
    }

    @Test func `who is not asked shows interest and takes it back; who sees nothing of it does not`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let (ben, cleo) = (try box.join("ben", by: ada), try box.join("cleo", by: ada))
        let concert = try EntryTests.add(box, ada, "Concert", ["calendar": try family(box, ada)])
        for person in [ada, ben, cleo] { _ = box.heard(person) }
        for person in [cleo, ben] { try box.call(person, "entry.star", ["entry": .id(concert.id), "on": true]) }
        #expect(try show(box, ada, concert.id).stars == [ben.id, cleo.id].sorted())
        #expect(box.types(ada) == ["entry.starred", "entry.starred"])
        // It is no answer: nobody is asked by it.
        #expect(try show(box, ada, concert.id).invitees == [])
        try box.call(ben, "entry.star", ["entry": .id(concert.id), "on": false])
        try box.call(ben, "entry.star", ["entry": .id(concert.id), "on": false])
        #expect(box.types(ada) == ["entry.starred"])
        #expect(try show(box, ben, concert.id).stars == [cleo.id])
        let secret = try EntryTests.add(box, ada, "Dentist")
        #expect(try box.refusal(ben, "entry.star", ["entry": .id(secret.id), "on": true])?.kind == .notFound)
    }

    @Test func `who sees it no longer is interested no longer, and who still sees it is told so`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let (ben, cleo) = (try box.join("ben", by: ada), try box.join("cleo", by: ada))
        let concert = try EntryTests.add(box, ada, "Concert", ["calendar": try family(box, ada)])
        let id = JSON.id(concert.id)
        for person in [ben, cleo] { try box.call(person, "entry.star", ["entry": id, "on": true]) }
        /// What Cleo is told of it while something of it is changed.
        func told(_ more: JSON.Object) throws -> [Event] {
            var params: JSON.Object = ["entry": id]
            for member in more.members { params[member.name] = member.value }
            _ = box.heard(cleo)
            try box.call(ada, "entry.update", params)
            return box.heard(cleo).filter { $0.type.hasPrefix("entry.") }
        }
        // Where nothing else of it is another to her, too.
        let narrowed = try told(["audience": [.id(cleo.id)]])
        #expect(narrowed.map(\.type) == ["entry.starred"])
        #expect(narrowed.first?.data["stars"] == [.id(cleo.id)])
        #expect(try show(box, cleo, concert.id).stars == [cleo.id])
        // Who sees it again says it again.
        #expect(try told(["audience": .null]).isEmpty)
        #expect(try show(box, ben, concert.id).stars == [cleo.id])
        try box.call(ben, "entry.star", ["entry": id, "on": true])
        _ = try told(["invitees": [.id(cleo.id)]])
        let hidden = try told(["privacy": "private"])
        #expect(hidden.map(\.type) == ["entry.updated"])
        #expect(hidden.first?.data["entry"]?["stars"] == [.id(cleo.id)])
        #expect(try show(box, cleo, concert.id).stars == [cleo.id])
    }

    @Test func `this and following keeps who is asked, what they said, reminders and stars on both sides`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let (ben, cleo) = (try box.join("ben", by: ada), try box.join("cleo", by: ada))
        let choir = try EntryTests.add(
            box, ada,
            [
                "repeat": "FREQ=WEEKLY;COUNT=6", "invitees": [.id(ben.id)], "calendar": try family(box, ada),
                "remind": [30],
            ])
        let id = JSON.id(choir.id)
        try box.call(ben, "entry.answer", ["entry": id, "answer": "accepted"])
        for day in ["2026-07-21T19:30", "2026-08-11T19:30"] {
            try box.call(ben, "entry.answer", ["entry": id, "answer": "declined", "occurrence": .string(day)])
        }
        try box.call(ben, "entry.remind", ["entry": id, "minutes": [10, 60]])
        try box.call(cleo, "entry.star", ["entry": id, "on": true])
        _ = box.heard(cleo)
        let split = try box.call(
            ada, "entry.update",
            ["entry": id, "scope": "following", "occurrence": "2026-08-04T19:30", "start": "2026-08-04T20:00"])
        let behind = try #require(split["entry"].flatMap(Entry.init))
        let before = try show(box, ada, choir.id)
        for half in [before, behind] {
            let seen = try show(box, ben, half.id)
            #expect(seen.invitees == [EntryInvitee(member: ben.id, answer: .accepted)])
            #expect(seen.stars == [cleo.id], "\(half.times.start)")
            #expect(try box.call(ben, "entry.show", ["entry": .id(half.id)])["remind"] == [60, 10])
            #expect(try box.call(ada, "entry.show", ["entry": .id(half.id)])["remind"] == [30])
        }
        #expect(before.answers.map(\.occurrence) == ["2026-07-21T19:30"])
        #expect(behind.answers.map(\.occurrence) == ["2026-08-11T20:00"])
        #expect(behind.answer(of: ben.id, to: "2026-08-11T20:00") == .declined)
        #expect(try EntryTests.on(box, ben).count == 6)
        // What the events say is what is there.
        let starred = box.heard(cleo).last { $0.type == "entry.starred" }
        #expect(starred?.data["entry"] == .id(behind.id) && starred?.data["stars"] == [.id(cleo.id)])
    }

    @Test func `a date beside the rule from which on it is otherwise is the new start and stands nowhere else`() throws
    {
        let box = try FamilyBox()
        let ada = try box.found()
        let file = """
            BEGIN:VCALENDAR
            BEGIN:VEVENT
            UID:dated
            DTSTART;TZID=Europe/Berlin:20260714T193000
            DTEND;TZID=Europe/Berlin:20260714T203000
            RDATE;TZID=Europe/Berlin:20260716T193000,20260722T180000
            SUMMARY:Dated
            END:VEVENT
            END:VCALENDAR
            """
        let report = try box.call(ada, "calendar.import", ["ics": .string(Base64.encode(Array(file.utf8)))])
        let entry = try #require(report["entries"]?.array?.first?["entry"])
        try box.call(
            ada, "entry.update",
            [
                "entry": entry, "occurrence": "2026-07-16T19:30", "scope": "following", "start": "2026-07-17T20:00",
                "repeat": "FREQ=WEEKLY;COUNT=2",
            ])
        #expect(
            try EntryTests.on(box, ada) == [
                "07-14T19:30 Dated", "07-17T20:00 Dated", "07-22T18:00 Dated", "07-24T20:00 Dated",
            ])
    }

    @Test func `an admin changes what they see though they may not write there, and what is private is refused`() throws
    {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let cleo = try box.join("cleo", by: ada)
        let club = try #require(try box.call(ben, "calendar.add", ["name": "Club"])["calendar"]?["id"])
        try box.call(ben, "calendar.share", ["calendar": club, "with": "everyone", "right": "read"])
        let training = try EntryTests.add(box, ben, "Training", ["calendar": club])
        let secret = try EntryTests.add(
            box, ben, "Surprise", start: "2026-07-15T10:00", ["calendar": club, "privacy": "private"])
        let new: JSON.Object = ["subject": "Mine", "start": "2026-07-16", "calendar": club]
        #expect(try box.refusal(ada, "entry.add", new)?.kind == .forbidden)
        #expect(
            try box.refusal(cleo, "entry.update", ["entry": .id(training.id), "subject": "Hers"])?.kind == .forbidden)
        try box.call(ada, "entry.update", ["entry": .id(training.id), "subject": "Training, indoors"])
        #expect(try EntryTests.on(box, ben).first?.hasSuffix("Training, indoors") == true)
        for method in ["entry.update", "entry.remove", "entry.show"] {
            var params: JSON.Object = ["entry": .id(secret.id)]
            if method == "entry.update" { params["subject"] = "Known" }
            #expect(try box.refusal(ada, method, params)?.kind == .notFound, "\(method)")
        }
        try box.call(ada, "entry.remove", ["entry": .id(training.id)])
        #expect(try EntryTests.on(box, ben).map { String($0.dropFirst(12)) } == ["Surprise"])
    }

    @Test func `what was removed is erased by whose it was and by nobody else, and nothing of it is left`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let cleo = try box.join("cleo", by: ada)
        let diary = try EntryTests.add(box, ben, "Xylophone", ["note": "Quetzal", "invitees": [.id(cleo.id)]])
        #expect(try box.refusal(ben, "entry.erase", ["entry": .id(diary.id)])?.kind == .notFound, "it is still there")
        try box.call(ben, "entry.remove", ["entry": .id(diary.id)])
        #expect(try box.call(ben, "entry.bin")["entries"]?.array?.count == 1)
        for other in [ada, cleo] {
            #expect(try box.refusal(other, "entry.erase", ["entry": .id(diary.id)])?.kind == .notFound)
        }
        try box.call(ben, "entry.erase", ["entry": .id(diary.id)])
        #expect(try box.call(ben, "entry.bin")["entries"] == [])
        #expect(try box.refusal(ben, "entry.restore", ["entry": .id(diary.id)])?.kind == .notFound)
        #expect(try box.count("SELECT count(*) FROM entries_gone WHERE body IS NOT NULL OR raw IS NOT NULL") == 0)
    }

    @Test func `a category of the family's own is kept by a file that comes in, and goes out again`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        #expect(
            try box.refusal(ben, "category.set", ["category": "Scouts", "color": "#00aa00", "icon": .null])?.kind
                == .forbidden)
        let gil = try box.join("gil", role: .guest, by: ada)
        for person in [ben, gil] { _ = box.heard(person) }
        try box.call(ada, "category.set", ["category": "Scouts", "color": "#00AA00", "icon": "⛺"])
        // Who lists categories is told, guests too.
        for person in [ben, gil] {
            let told = box.heard(person).filter { $0.type == "category.set" }
            #expect(told.map(\.data) == [["category": "Scouts", "color": "#00aa00", "icon": "⛺"]])
        }
        let own = try box.call(ben, "category.list")["categories"]?.array?.last
        #expect(own == ["name": "Scouts", "color": "#00aa00", "icon": "⛺"])
        // The thirteen that every family has, and that one.
        #expect(try box.call(ben, "category.list")["categories"]?.array?.count == 14)
        func event(_ uid: String, _ category: String) -> String {
            """
            BEGIN:VEVENT
            UID:\(uid)
            DTSTART:20260714T080000Z
            SUMMARY:\(uid)
            CATEGORIES:\(category)
            END:VEVENT

            """
        }
        let text = "BEGIN:VCALENDAR\n" + event("camp", "Scouts") + event("odd", "Elsewhere") + "END:VCALENDAR\n"
        #expect(try take(text, box, ben) == ["added", "added"])
        #expect(try take(text, box, ben) == ["same", "same"])
        let all = (try box.call(ben, "entry.all")["entries"]?.array ?? []).compactMap(Entry.init)
        #expect(all.map(\.category) == ["Scouts", nil])
        let found = try EntryTests.on(box, ben, ["categories": ["Scouts"]])
        #expect(found.map { String($0.dropFirst(12)) } == ["camp"])
        let out = try file(box, ben, .id(ben.id))
        for name in ["Scouts", "Elsewhere"] {
            #expect(out.split(separator: "\r\n").count { $0 == "CATEGORIES:\(name)" } == 1, "\(out)")
        }
        // Removed, it is no choice any more; what stands there keeps its word.
        try box.call(ada, "category.set", ["category": "Scouts", "color": .null, "icon": .null])
        #expect(box.heard(ben).last { $0.type == "category.set" }?.data == ["category": "Scouts"])
        #expect(
            try box.refusal(ben, "entry.add", ["subject": "x", "start": "2026-08-01", "category": "Scouts"])?.field
                == "category")
        #expect(try file(box, ben, .id(ben.id)).contains("CATEGORIES:Scouts"))
    }

    @Test func `birthdays of contacts stand in the calendar of who sees the contacts`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let gil = try box.join("gil", role: .guest, by: ada)
        let card = "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Nora Roth\r\nN:Roth;Nora;;;\r\nBDAY:1985-04-12\r\nEND:VCARD\r\n"
        try box.call(ada, "contact.import", ["vcard": .string(Base64.encode(Array(card.utf8)))])
        func birthdays(_ person: FamilyBox.Person) throws -> [JSON] {
            try box.call(person, "entry.list", ["from": "2027-04-12", "to": "2027-04-12", "zone": "Europe/Berlin"])[
                "birthdays"]?.array ?? []
        }
        for person in [ada, ben] {
            let found = try birthdays(person)
            #expect(found.count == 1 && found.first?["years"] == 42 && found.first?["contact"] != nil, "\(found)")
            #expect(found.first?["name"]?.string?.contains("Nora") == true && found.first?["member"] == nil)
        }
        #expect(try birthdays(gil) == [], "guests do not see the contacts")
        let contact = try #require(try box.call(ada, "contact.list")["contacts"]?.array?.first?["id"])
        try box.call(ada, "contact.remove", ["contact": contact])
        #expect(try birthdays(ben) == [])
    }

    @Test func `an address says how often to read it again`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        try EntryTests.add(box, ada)
        let secret = try #require(try box.call(ada, "calendar.addFeed", ["name": "Phone"])["secret"])
        let text = try #require(try box.call(Credential.none, "calendar.feed", ["secret": secret])["text"]?.string)
        let head = text.split(separator: "BEGIN:VEVENT").first ?? ""
        #expect(head.contains("\r\nREFRESH-INTERVAL;VALUE=DURATION:PT1H\r\n"), "\(head)")
        #expect(head.contains("\r\nX-PUBLISHED-TTL:PT1H\r\n"), "\(head)")
    }
}
