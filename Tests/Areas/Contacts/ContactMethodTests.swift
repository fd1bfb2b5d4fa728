import KinContacts
import KinFamily
import KinModel
import Testing

@testable import KinContacts
@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinStore

/// Contacts are added, changed, removed and found.
@Suite struct ContactMethodTests {
    private func named(_ box: FamilyBox, _ person: FamilyBox.Person, _ params: JSON.Object = [:]) throws -> [String] {
        let listed = try box.call(person, "contact.list", params)["contacts"]?.array ?? []
        return listed.compactMap(Contact.init).map(\.shownName)
    }

    private func add(_ box: FamilyBox, _ person: FamilyBox.Person, _ params: JSON.Object) throws -> Identifier {
        try #require(try box.call(person, "contact.add", params)["contact"]?["id"]?.identifier)
    }

    @Test func `an admin adds, changes and removes a contact, and every member is told`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        _ = box.heard(ben)
        let id = try add(
            box, ada,
            [
                "firstName": "Nora", "lastName": "Öztürk", "company": "Praxis am Markt",
                "phones": [["value": "+49 30 1234567", "label": "work"]], "note": "Only\nmornings",
            ])
        try box.call(ada, "contact.update", ["contact": .id(id), "note": .null, "title": "Dr."])
        let shown = try box.call(ben, "contact.show", ["contact": .id(id)])["contact"].flatMap(Contact.init)
        #expect(shown?.title == "Dr." && shown?.note == nil && shown?.phones.first?.label == "work")
        try box.call(ada, "contact.remove", ["contact": .id(id)])
        #expect(box.types(ben) == ["contact.added", "contact.changed", "contact.removed"])
        #expect(try box.refusal(ben, "contact.show", ["contact": .id(id)])?.kind == .notFound)
        #expect(try named(box, ben) == [])
    }

    @Test func `a contact has a birthday, with or without its year`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let id = try add(box, ada, ["lastName": "Roth", "birthday": "--02-29"])
        func birthday() throws -> String? {
            try box.call(ada, "contact.show", ["contact": .id(id)])["contact"]?["birthday"]?.string
        }
        #expect(try birthday() == "--02-29")
        try box.call(ada, "contact.update", ["contact": .id(id), "birthday": "1984-02-29"])
        #expect(try birthday() == "1984-02-29")
        for wrong in ["1985-02-29", "29.2.1984", "2999-01-01", "--13-01"] {
            let refusal = try box.refusal(
                ada, "contact.update", ["contact": .id(id), "birthday": .string(wrong)])
            #expect(refusal?.field == "birthday", "\(wrong)")
        }
        try box.call(ada, "contact.update", ["contact": .id(id), "note": "tall"])
        #expect(try birthday() == "1984-02-29", "what is not named stays")
        try box.call(ada, "contact.update", ["contact": .id(id), "birthday": .null])
        #expect(try birthday() == nil)
        #expect(try box.refusal(ada, "contact.add", ["birthday": "1984-02-29"])?.kind == .invalid)
    }

    @Test func `birthdays that stood in cards alone are the contacts' own after an upgrade`() throws {
        let all = Registry.family.migrations
        let own = try #require(all.first { $0.name == "birthdays of contacts" }).number
        let disk = FaultVFS.register(name: "contacts-upgrade")
        defer { disk.unregister() }
        let ids = (1...3).map { Identifier(high: 0x0198_0000_0000_7000, low: 0x8000_0000_0000_0000 + UInt64($0)) }
        let cards = ["VERSION:3.0\nFN:A\nBDAY;VALUE=date:1984-02-29", "item1.BDAY:--0412", "FN:BDAY:19850412"]
        try { () throws in
            let old = try Store(
                directory: "/old", migrations: all.filter { $0.number < own },
                now: FamilyBox.start, files: .memory(disk))
            try old.beginTurn()
            for (index, id) in ids.enumerated() {
                try old.database.run(
                    "INSERT INTO contacts (number, id, place, last_name, bytes) VALUES (?, ?, 'a', 'A', 9)",
                    .int(Int64(index + 1)), .id(id))
                try old.database.run(
                    "INSERT INTO contact_cards (contact, name, written, bytes, card) VALUES (?, ?, 1, 9, ?)",
                    .int(Int64(index + 1)), .text("\(index).vcf"), .blob(Array(cards[index].utf8)))
            }
            try old.commitTurn()
        }()
        let store = try Store(
            directory: "/old", migrations: all, now: FamilyBox.start, files: .memory(disk))
        let birthdays = try store.database.rows("SELECT birthday FROM contacts ORDER BY number") { $0.optionalText(0) }
        #expect(birthdays == ["1984-02-29", "--04-12", nil])
    }

    @Test func `what changes nothing tells nothing`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let id = try add(box, ada, ["company": "Roof & Son"])
        _ = box.heard(ada)
        try box.call(ada, "contact.update", ["contact": .id(id), "company": "Roof & Son"])
        #expect(box.types(ada) == [])
    }

    @Test func `members read, only admins write, and guests have none of it`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let gil = try box.join("gil", role: .guest, by: ada)
        _ = box.heard(gil)
        let id = try add(box, ada, ["lastName": "Roth"])
        #expect(try named(box, ben) == ["Roth"])
        #expect(try box.refusal(ben, "contact.add", ["lastName": "Kern"])?.kind == .forbidden)
        #expect(try box.refusal(ben, "contact.remove", ["contact": .id(id)])?.kind == .forbidden)
        #expect(try box.refusal(gil, "contact.list")?.kind == .forbidden)
        #expect(box.types(gil) == [])
        #expect(try box.call(.machine, "contact.list")["contacts"]?.array?.count == 1)
    }

    @Test func `who becomes a guest is told nothing more of contacts, not of earlier ones either`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        _ = try add(box, ada, ["lastName": "Roth"])
        let number = try #require(try box.keeper.roster()[ben.id]).number
        try box.call(ada, "member.setRole", ["member": .id(ben.id), "role": "guest"])
        let audiences = try box.store.database.rows("SELECT audience FROM log WHERE type = 'contact.added'") { row in
            row.int(0)
        }
        #expect(audiences.count == 1)
        for audience in audiences { #expect(try !box.store.database.audience(audience).contains(number)) }
    }

    @Test func `a contact of nothing is refused, and so is what can be no number or address`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        #expect(try box.refusal(ada, "contact.add")?.kind == .invalid)
        #expect(try box.refusal(ada, "contact.add", ["phones": [["value": "none"]]])?.kind == .invalid)
        #expect(try box.refusal(ada, "contact.add", ["emails": [["value": "a b@c"]]])?.kind == .invalid)
        let id = try add(box, ada, ["lastName": "Roth"])
        #expect(try box.refusal(ada, "contact.update", ["contact": .id(id), "lastName": .null])?.kind == .invalid)
    }

    @Test(arguments: [
        "muller", "müller", "mueller", "MÜLL", "praxis mull", "bäcker", "baecker", "schloss", "schloß", "0171 2345",
        "+49171",
        "2345678", "hof@", "reiterweg", "berlin", "reiter weg", "dienstlich", "nachts", "prof", "ida",
        "ida praxis berlin",
    ]) func `a contact is found by the words of any field, however they are spelled`(words: String) throws {
        let box = try FamilyBox()
        let ada = try box.found()
        _ = try add(
            box, ada,
            [
                "category": "Bäcker", "company": "Praxis Schloß", "title": "Prof.", "firstName": "Ida",
                "lastName": "Müller", "note": "nachts zu",
                "phones": [["value": "+49 (171) 2345678", "label": "dienstlich"]],
                "emails": [["value": "hof@example.org"]],
                "addresses": [["value": "Reiterweg 3, 12345 Berlin", "label": "reiter weg"]],
            ])
        _ = try add(box, ada, ["lastName": "Kern", "phones": [["value": "030 99"]]])
        #expect(try named(box, ada, ["words": .string(words)]) == ["Ida Müller"])
    }

    @Test func `a list goes by name, page by page, each contact once`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        for name in ["Zorn", "Äpfel", "apart", "Öl", "Ofen", "Berg"] {
            _ = try add(box, ada, ["lastName": .string(name)])
        }
        var seen: [String] = []
        var params: JSON.Object = ["limit": 4]
        while true {
            let page = try box.call(ada, "contact.list", params)
            seen += (page["contacts"]?.array ?? []).compactMap(Contact.init).map(\.shownName)
            #expect(page["cursor"]?.string != nil)
            guard let next = page["next"] else { break }
            params["after"] = next
        }
        #expect(seen == ["apart", "Äpfel", "Berg", "Ofen", "Öl", "Zorn"])
    }

    @Test func `what is removed is in no file any more`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let id = try add(box, ada, ["lastName": "Quittenbaumgarten"])
        #expect(try box.holds("Quittenbaumgarten"))
        // Neither is what stood there before.
        try box.call(ada, "contact.update", ["contact": .id(id), "lastName": "Pflaumenhain"])
        for _ in 0..<10 { try box.wait(seconds: 30) }
        #expect(try !box.holds("uittenbaumgarten") && box.holds("Pflaumenhain"))
        try box.call(ada, "contact.remove", ["contact": .id(id)])
        for _ in 0..<10 { try box.wait(seconds: 30) }
        #expect(try !box.holds("flaumenhain"))
    }
}
