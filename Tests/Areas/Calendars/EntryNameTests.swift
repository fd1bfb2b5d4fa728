import KinModel
import Testing

@testable import KinCalendars
@testable import KinFamilyBox
@testable import KinKeeper

/// The names of members in what programs keep of entries.
@Suite struct EntryNameTests {
    let box: FamilyBox
    let ada: FamilyBox.Person
    let ben: FamilyBox.Person

    init() throws {
        box = try FamilyBox()
        ada = try box.found()
        ben = try box.join("ben", by: ada)
    }

    private func add(_ subject: String, _ more: JSON.Object = [:]) throws -> JSON {
        var params: JSON.Object = [
            "subject": .string(subject), "start": "2026-07-14T19:30", "zone": "Europe/Berlin",
        ]
        for member in more.members { params[member.name] = member.value }
        return try #require(try box.call(ada, "entry.add", params)["entry"]?["id"])
    }

    /// An entry as a program reads it, all of the shelf or that alone.
    private func item(_ entry: JSON, of person: FamilyBox.Person, alone: Bool = false) throws -> JSON {
        let name: JSON = .string("\(entry.string ?? "").ics")
        var params: JSON.Object = ["shelf": .id(person.id), "data": true]
        if alone { params["names"] = [name] }
        let items = try box.call(person, "calendar.items", params)["items"]?.array ?? []
        return try #require(items.first { $0["name"] == name })
    }

    private func token(_ person: FamilyBox.Person) throws -> JSON {
        let shelves = try box.call(person, "calendar.shelves", ["shelf": .id(person.id), "sync": true])["shelves"]
        return try #require(shelves?.array?.first?["sync"])
    }

    private func rename(_ person: FamilyBox.Person, _ name: JSON) throws {
        try box.call(person, "member.update", ["member": .id(person.id), "displayName": name])
    }

    @Test func `another name of who is asked is another state of the entry, and of no other`() throws {
        let asked = try add("Choir", ["invitees": [.id(ben.id)]])
        let other = try add("Dentist")
        let (before, unasked) = (try item(asked, of: ada), try item(other, of: ada))
        let tokens = [try token(ada), try token(ben)]
        let theirs = try item(asked, of: ben)
        let written = try box.count("SELECT sum(position) + (SELECT count(*) FROM entry_touched) FROM entries")
        try rename(ben, "Benjamin")
        let after = try item(asked, of: ada)
        #expect(before["data"]?.string?.contains("CN=Benjamin") == false)
        #expect(after["data"]?.string?.contains("CN=Benjamin") == true)
        #expect(after["tag"] != before["tag"] && after["plan"] == before["plan"])
        #expect(try item(asked, of: ben)["tag"] != theirs["tag"] && item(other, of: ada) == unasked)
        // Phones learn of it when they ask, whoever they are, and no entry was written for that.
        for (person, old) in zip([ada, ben], tokens) {
            #expect(try token(person) != old)
            let since = try box.call(person, "calendar.items", ["shelf": .id(person.id), "since": old])
            #expect(since == ["unknown": true])
        }
        #expect(
            try box.count("SELECT sum(position) + (SELECT count(*) FROM entry_touched) FROM entries") == written)
        // A phone with the old name changes nothing by it.
        let late = try box.call(
            ada, "calendar.putItem",
            [
                "shelf": .id(ada.id), "name": after["name"] ?? .null, "text": before["data"] ?? .null,
                "tags": [before["tag"] ?? .null],
            ])
        #expect(late["refused"] == "changed")
        // The organizer's name is one of them, and what is no name is none.
        let now = (try token(ada), try item(asked, of: ben)["tag"])
        try box.call(ben, "member.update", ["member": .id(ben.id), "username": "benjamin"])
        #expect(try token(ada) == now.0 && item(asked, of: ben)["tag"] == now.1)
        try rename(ada, "Augusta")
        #expect(try item(asked, of: ben)["data"]?.string?.contains("CN=Augusta") == true)
        #expect(try item(asked, of: ben)["tag"] != now.1)
    }

    @Test func `a guest who is not told the name finds no other state`() throws {
        let elm = try box.foundHousehold("Elm", by: ada)
        let gil = try box.join("gil", role: .guest, into: elm, by: ada)
        let asked = try add("Choir", ["invitees": [.id(ben.id), .id(gil.id)]])
        let (before, token) = (try item(asked, of: gil), try token(gil))
        #expect(before["data"]?.string?.contains("CN=") == true)
        try rename(ben, "Benjamin")
        #expect(try item(asked, of: gil) == before && self.token(gil) == token)
        try rename(gil, "Gilbert")
        #expect(try item(asked, of: gil)["tag"] != before["tag"] && self.token(gil) != token)
    }

    @Test func `a move is another state for guests who know others by it, and for nobody else`() throws {
        let mill = try box.household(of: ada)
        let elm = try box.foundHousehold("Elm", by: ada)
        let oak = try box.foundHousehold("Oak", by: ada)
        let cleo = try box.join("cleo", into: elm, by: ada)
        let gil = try box.join("gil", role: .guest, into: elm, by: ada)
        let hal = try box.join("hal", role: .guest, into: mill, by: ada)
        let ivo = try box.join("ivo", role: .guest, into: oak, by: ada)
        let guests = [gil, hal, ivo]
        let asked = try add("Choir", ["invitees": .array((guests + [cleo]).map { .id($0.id) })])
        let isOther = [true, true, false]
        for moving in [cleo, gil] {
            let before = try guests.map { (try item(asked, of: $0), try token($0)) }
            let own = (try item(asked, of: ada), try token(ada))
            try box.move(moving, to: mill)
            for (index, guest) in guests.enumerated() {
                let (old, since) = before[index]
                let now = try item(asked, of: guest)
                #expect((now["tag"] != old["tag"]) == isOther[index])
                #expect((now["data"] != old["data"]) == isOther[index])
                #expect(try (token(guest) != since) == isOther[index], "programs learn of it exactly then")
                let news = try box.call(guest, "calendar.items", ["shelf": .id(guest.id), "since": since])
                #expect((news == ["unknown": true]) == isOther[index])
            }
            #expect(try item(asked, of: ada) == own.0 && token(ada) == own.1, "who knows everybody learns of nobody")
        }
    }

    @Test func `however often somebody gets another name, one trace tells programs to begin anew`() throws {
        try box.wait(seconds: 3601)
        let nobodys = try box.count("SELECT count(*) FROM shelf_traces WHERE audience = x''")
        let first = try token(ada)
        var tokens: [JSON] = []
        for name in ["Benjamin", "Benno", "Ben", "Benedict"] {
            try rename(ben, .string(name))
            tokens.append(try token(ada))
        }
        #expect(Set(tokens + [first]).count == 5)
        #expect(try box.count("SELECT count(*) FROM shelf_traces WHERE audience <> x'' AND entry IS NULL") == 1)
        // Whichever name a program has, it learns that there is another, and none that has the last.
        for token in [first] + tokens.dropLast() {
            let news = try box.call(ada, "calendar.items", ["shelf": .id(ada.id), "since": token])
            #expect(news == ["unknown": true])
        }
        let last = try #require(tokens.last)
        let news = try box.call(ada, "calendar.items", ["shelf": .id(ada.id), "since": last])
        #expect(news["unknown"] != true && news["items"] == [])
        // How far the log was stays known.
        #expect(nobodys > 0)
        #expect(try box.count("SELECT count(*) FROM shelf_traces WHERE audience = x''") == nobodys)
    }

    @Test func `a name that is spelled otherwise with the same letters is another state, too`() throws {
        try rename(ben, "Zo\u{EB}")
        let asked = try add("Choir", ["invitees": [.id(ben.id)]])
        let (before, token) = (try item(asked, of: ada), try token(ada))
        _ = box.heard(ada)
        try rename(ben, "Zoe\u{308}")
        #expect(box.heard(ada).map { $0.data["changed"] } == [["displayName"]])
        #expect(try item(asked, of: ada)["tag"] != before["tag"] && self.token(ada) != token)
    }

    @Test func `one state has one text, whether it is read alone or with all others`() throws {
        let asked = try add("Choir", ["invitees": [.id(ben.id)]])
        #expect(try item(asked, of: ada) == item(asked, of: ada, alone: true))
        // Only somebody outside is asked: the organizer alone has a name.
        let text = """
            BEGIN:VCALENDAR
            VERSION:2.0
            BEGIN:VEVENT
            UID:tea
            DTSTAMP:20260101T000000Z
            DTSTART:20260715T140000Z
            SUMMARY:Tea
            ATTENDEE:mailto:gran@example.org
            END:VEVENT
            END:VCALENDAR

            """
        try box.call(
            ada, "calendar.putItem", ["shelf": .id(ada.id), "name": "tea.ics", "text": .string(text)])
        let tea: JSON = "tea"
        let alone = try item(tea, of: ada, alone: true)
        #expect(alone["data"]?.string?.contains("ORGANIZER;CN=") == true)
        #expect(try item(tea, of: ada) == alone)
        try rename(ada, "Augusta")
        #expect(try item(tea, of: ada, alone: true)["tag"] != alone["tag"])
    }
}
