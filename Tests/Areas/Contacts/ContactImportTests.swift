import Foundation
import KinContacts
import KinModel
import KinStore
import Testing

@testable import KinContacts
@testable import KinFamilyBox
@testable import KinKeeper

/// Contacts come out of vCards and go into them.
@Suite struct ContactImportTests {
    private struct Line: Equatable {
        let name: String
        let outcome: String
        let remarks: [String]
    }

    @discardableResult
    private func take(_ box: FamilyBox, _ ada: FamilyBox.Person, _ bytes: [UInt8]) throws -> [Line] {
        let result = try box.call(ada, "contact.import", ["vcard": .string(Data(bytes).base64EncodedString())])
        return (result["entries"]?.array ?? []).map { entry in
            Line(
                name: entry["name"]?.string ?? "", outcome: entry["outcome"]?.string ?? "",
                remarks: (entry["remarks"]?.array ?? []).compactMap(\.string))
        }
    }

    private func all(_ box: FamilyBox, _ ada: FamilyBox.Person) throws -> [Contact] {
        (try box.call(ada, "contact.list", ["limit": 200])["contacts"]?.array ?? []).compactMap(Contact.init)
    }

    private static func card(_ lines: String...) -> [UInt8] {
        Array((["BEGIN:VCARD", "VERSION:4.0"] + lines + ["END:VCARD", ""]).joined(separator: "\r\n").utf8)
    }

    @Test func `what goes out as vCard 4 comes in again as the same, and again as nothing new`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        try box.call(
            ada, "contact.add",
            [
                "category": "Ärzte", "company": "Müller, Roth; Söhne", "title": "Dr.", "firstName": "Zoë 🦊",
                "lastName": "O'Brien \\ Kern", "note": "first\nsecond; third, fourth",
                "phones": [["value": "+49 30 1", "label": "work \"new\" ^"], ["value": "112"]],
                "emails": [["value": "zoe@example.org"]],
                "addresses": [["value": "Ein langer Weg mit vielen Wörtern, Straße und Hausnummer 17a, 12345 Öde"]],
            ])
        let before = try all(box, ada)
        try box.call(ada, "contact.export")
        guard case .piece(let piece) = box.effect else { throw Rejection(.invalid, "no file") }
        for line in piece.bytes.split(separator: 0x0A) {
            #expect(line.count <= 76 && String(validating: line, as: UTF8.self) != nil, "75 bytes, in UTF-8")
        }
        #expect(try take(box, ada, piece.bytes).map(\.outcome) == ["same"])
        try box.call(ada, "contact.remove", ["contact": .id(before[0].id)])
        let lines = try take(box, ada, piece.bytes)
        #expect(lines.map(\.outcome) == ["added"] && lines[0].remarks == [])
        let after = try all(box, ada)
        #expect(after.count == 1 && after[0].says(as: before[0]), "\(after[0].json.text)")
        #expect(try take(box, ada, piece.bytes).map(\.outcome) == ["same"])
    }

    @Test func `a contact without a name comes in again without one, and each label as it was`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let labels = ["Home", "CELL", "pref", "other", "bakery, back door", "work; new", "mobile"]
        let phones = labels.enumerated().map { index, label -> JSON in
            ["value": .string("+49 30 \(index)"), "label": .string(label)]
        }
        try box.call(ada, "contact.add", ["phones": .array(phones)])
        try box.call(ada, "contact.add", ["note": "where the\nspare key is"])
        try box.call(ada, "contact.add", ["title": "Dr.", "emails": [["value": "dr@example.org"]]])
        let before = try all(box, ada)
        try box.call(ada, "contact.export")
        guard case .piece(let piece) = box.effect else { throw Rejection(.invalid, "no file") }
        #expect(try take(box, ada, piece.bytes).map(\.outcome) == ["same", "same", "same"])
        for contact in before { try box.call(ada, "contact.remove", ["contact": .id(contact.id)]) }
        let lines = try take(box, ada, piece.bytes)
        #expect(lines.allSatisfy { $0.outcome == "added" && $0.remarks == [] }, "\(lines)")
        let after = try all(box, ada)
        #expect(after.count == 3 && before.allSatisfy { was in after.contains { $0.says(as: was) } }, "\(after)")
    }

    @Test func `a colleague's card within a card is no entry, and one that begins elsewhere in it is`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let within = """
            BEGIN:VCARD
            VERSION:2.1
            N:One
            AGENT:
            BEGIN:VCARD
            VERSION:2.1
            N:Agent
            END:VCARD
            TEL:+49 30 1
            END:VCARD

            """
        #expect(try take(box, ada, Array(within.utf8)).map(\.outcome) == ["added"])
        #expect(try all(box, ada).map(\.phones) == [[Contact.Way("+49 30 1")]])
        let lost = """
            BEGIN:VCARD
            VERSION:3.0
            FN:Three
            AGENT;VALUE=uri:CID:somebody@example.org
            TEL:+49 30 3

            """
        let file = Array(lost.utf8) + Self.card("FN:Two")
        #expect(try take(box, ada, file).map(\.outcome) == ["refused", "added"])
        #expect(try all(box, ada).map(\.shownName) == ["One", "Two"])
    }

    @Test func `an entry with a UID that is known changes its contact`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        try take(box, ada, Self.card("UID:a", "FN:Nora Kern"))
        #expect(try take(box, ada, Self.card("UID:a", "FN:Nora Roth")).map(\.outcome) == ["changed"])
        #expect(try all(box, ada).map(\.shownName) == ["Nora Roth"])
    }

    @Test func `each entry is taken by itself, and a refused one stops no other`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let file =
            Self.card("FN:One") + Self.card("PRODID:nothing") + Array("BEGIN:VCARD\nFN:No end\n".utf8)
            + Self.card("FN:Two") + Array("BEGIN:VCARD\nVERSION:5.0\nFN:Five\nEND:VCARD\n".utf8)
            + Self.card("FN:Three", "KIND:group") + Array("BEGIN:VCARD\nFN:Cut of".utf8)
        let lines = try take(box, ada, file)
        #expect(lines.map(\.outcome) == ["added", "refused", "refused", "added", "refused", "refused", "refused"])
        #expect(lines.filter { $0.outcome == "refused" }.allSatisfy { $0.remarks.count == 1 })
        #expect(try all(box, ada).map(\.shownName) == ["One", "Two"])
    }

    @Test func `vCard 3 is read: escapes, groups, labels, types, what is usual first`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let text = """
            begin:vcard
            version:3.0
            N:Kern;Nora;Maria;Dr.;Jr.
            FN:Dr. Nora Maria Kern Jr.
            ORG:Hof\\, Feld;Abteilung
            TEL;TYPE=HOME,VOICE:030 1
            TEL;TYPE=CELL;TYPE=pref:0171 2
            item1.TEL:040 3
            item1.X-ABLabel:_$!<Work>!$_
            EMAIL;TYPE=INTERNET:nora@example.org
            ADR;TYPE=work:;Hinterhaus;Am Hof 3;Berlin;;10115;Germany
            CATEGORIES:Friends,Work
            NOTE:one\\ntwo
            BDAY:1980-02-29
            END:vcard
            """
        let lines = try take(box, ada, Array(text.utf8))
        #expect(lines[0].remarks.count == 1, "\(lines[0].remarks)")
        let nora = try #require(try all(box, ada).first)
        #expect(nora.lastName == "Kern Jr." && nora.firstName == "Nora Maria" && nora.title == "Dr.")
        #expect(nora.company == "Hof, Feld, Abteilung" && nora.category == "Friends" && nora.note == "one\ntwo")
        #expect(
            nora.phones == [
                Contact.Way("0171 2", label: "mobile"), Contact.Way("030 1", label: "home"),
                Contact.Way("040 3", label: "work"),
            ])
        #expect(nora.addresses == [Contact.Way("Am Hof 3, Hinterhaus, 10115 Berlin, Germany", label: "work")])
    }

    @Test func `a day of birth comes in with or without its year, and goes out`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        func birthday() throws -> String? { try all(box, ada).first?.birthday?.text }
        func take(_ birthday: String) throws -> [Line] {
            try self.take(box, ada, Self.card("UID:nora", "FN:Nora Roth", "N:Roth;Nora;;;", birthday))
        }
        #expect(try take("BDAY:--0412") == [Line(name: "Nora Roth", outcome: "added", remarks: [])])
        #expect(try birthday() == "--04-12")
        #expect(try take("BDAY:--0412").map(\.outcome) == ["same"])
        #expect(try take("BDAY;VALUE=date:1985-04-12").map(\.outcome) == ["changed"])
        // A file that says none takes none away, and what is no day is said.
        #expect(try take("NOTE:tall").map(\.outcome) == ["changed"])
        #expect(try birthday() == "1985-04-12")
        let circa = try take("BDAY;VALUE=text:circa 1800")
        #expect(circa.map(\.remarks.count) == [1] && circa[0].remarks[0].contains("BDAY"))
        try box.call(ada, "contact.export")
        guard case .piece(let piece) = box.effect else { throw Rejection(.invalid, "no file") }
        let file = String(decoding: piece.bytes, as: UTF8.self)
        #expect(file.contains("\r\nBDAY:19850412\r\n"), "\(file)")
        #expect(try self.take(box, ada, piece.bytes).map(\.outcome) == ["same"])
        // The year that Apple's programs write where they know none is none.
        #expect(try take("BDAY;X-APPLE-OMIT-YEAR=1604;VALUE=date:1604-02-29").map(\.outcome) == ["changed"])
        #expect(try birthday() == "--02-29")
        try box.call(ada, "contact.export")
        guard case .piece(let piece) = box.effect else { throw Rejection(.invalid, "no file") }
        #expect(String(decoding: piece.bytes, as: UTF8.self).contains("\r\nBDAY:--0229\r\n"))
    }

    @Test func `an entry without a UID that says a birthday more is the same contact, and another birthday is another`()
        throws
    {
        let box = try FamilyBox()
        let ada = try box.found()
        try box.call(ada, "contact.add", ["firstName": "Nora", "lastName": "Roth"])
        #expect(try take(box, ada, Self.card("N:Roth;Nora;;;", "BDAY:19850412")).map(\.outcome) == ["changed"])
        #expect(try take(box, ada, Self.card("N:Roth;Nora;;;")).map(\.outcome) == ["same"])
        #expect(try take(box, ada, Self.card("N:Roth;Nora;;;", "BDAY:19500101")).map(\.outcome) == ["added"])
        #expect(try Set(all(box, ada).map { $0.birthday?.text }) == ["1985-04-12", "1950-01-01"])
    }

    @Test func `folds stand within characters, and a line that lost its fold is reported`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        var bytes = Array("BEGIN:VCARD\r\nVERSION:4.0\r\nFN:M".utf8) + [0xC3]
        bytes += Array("\r\n ".utf8) + [0xBC] + Array("ller\r\nNOTE:long\r\nlost its blank\r\nEND:VCARD\r\n".utf8)
        let lines = try take(box, ada, bytes)
        #expect(try all(box, ada).map(\.lastName) == ["Müller"])
        #expect(lines[0].remarks.count == 1 && lines[0].remarks[0].contains("lost its blank"))
    }

    @Test func `Latin-1 is recognised, and vCard 2.1 in quoted-printable is read and said to be old`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let latin = Array("BEGIN:VCARD\nVERSION:3.0\nFN:M".utf8) + [0xFC] + Array("ller\nEND:VCARD\n".utf8)
        #expect(try take(box, ada, latin)[0].remarks.count == 1)
        let old = """
            BEGIN:VCARD
            VERSION:2.1
            N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Sch=C3=
            =B6n;Eva
            TEL;CELL;VOICE:0171 5
            END:VCARD
            """
        #expect(try take(box, ada, Array(old.utf8))[0].remarks.count == 1)
        #expect(try all(box, ada).map(\.shownName) == ["Müller", "Eva Schön"])
        #expect(try all(box, ada)[1].phones == [Contact.Way("0171 5", label: "mobile")])
    }

    @Test func `pictures are passed over however long they are, and so is a line without end`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let photo = "PHOTO;ENCODING=b:" + String(repeating: "QUJD\r\n ", count: 100_000)
        let note = "NOTE:" + String(repeating: "x", count: 100_000)
        let lines = try take(box, ada, Self.card("FN:Nora", photo, note))
        #expect(lines[0].outcome == "added" && lines[0].remarks.count == 2, "\(lines)")
        #expect(try all(box, ada).map(\.shownName) == ["Nora"])
    }

    @Test func `an entry that is too long without pictures is refused`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let long = "X-LONG:" + String(repeating: "x", count: 10_000)
        let file = Array(("BEGIN:VCARD\nFN:Nora\n" + String(repeating: long + "\n", count: 10) + "END:VCARD\n").utf8)
        #expect(try take(box, ada, file).map(\.outcome) == ["refused"])
    }

    @Test func `what is no file of vCards is refused as a whole`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        for bytes in [Array("hello".utf8), [0xFF, 0xFE, 0x42, 0x00], [0x00]] as [[UInt8]] {
            let refusal = try box.refusal(ada, "contact.import", ["vcard": .string(Data(bytes).base64EncodedString())])
            #expect(refusal?.kind == .invalid)
        }
        #expect(try box.refusal(ada, "contact.import", ["vcard": "%%%%"])?.kind == .invalid)
        let many = Array(repeating: Self.card("FN:A"), count: Limits.vCardEntriesMax + 1).flatMap(\.self)
        let refusal = try box.refusal(ada, "contact.import", ["vcard": .string(Data(many).base64EncodedString())])
        #expect(refusal?.kind == .invalid)
    }

    @Test func `a long file is done in several turns, and the same op again changes nothing`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let file = (0..<50).flatMap { Self.card("FN:Number \($0)") }
        let params: JSON.Object = ["vcard": .string(Data(file).base64EncodedString())]
        let first = try box.call(ada, "contact.import", params, op: "import-1")
        #expect(first["entries"]?.array?.count == 50)
        let works = box.works.count
        #expect(works >= 4, "the worker's and three more turns")
        let position = box.store.log.position
        let again = try box.call(ada, "contact.import", params, op: "import-1")
        #expect(again["taken"]?.int == 50 && again["entries"]?.array == [])
        #expect(box.store.log.position == position && box.works.count == works)
        #expect(try take(box, ada, file).allSatisfy { $0.outcome == "same" })
    }

    /// A file of 40 entries, each with a telephone number and a note, taken as far as so many turns take it.
    private func takeInPart(
        _ box: FamilyBox, _ who: Credential, turns: Int, op: String? = nil
    ) throws -> JSON.Object {
        let file = (0..<40).flatMap { Self.card("FN:Number \($0)", "TEL:+49 171 \(1000 + $0)", "NOTE:kept \($0)") }
        let params: JSON.Object = ["vcard": .string(Data(file).base64EncodedString())]
        var request = box.request(who, "contact.import", params, op)
        for _ in 0..<turns {
            guard case .later(let work)? = try box.turn(request).replies.first?.effect else {
                Issue.record("all was taken in one turn")
                return params
            }
            request.work = work.run()
        }
        return params
    }

    private func kept(_ box: FamilyBox) throws -> Int64 {
        try box.count(
            "SELECT (SELECT count(*) FROM contact_imports) + (SELECT count(*) FROM contact_import_parts)")
    }

    /// So many turns: the first asks for a worker, the second keeps the file.
    @Test(arguments: 1...4)
    func `an import that a crash cuts off is finished after it, or nothing of it is there`(turns: Int) throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let params = try takeInPart(box, ada.credential, turns: turns, op: "import-2")
        let taken = try all(box, ada)
        #expect(taken.count == 16 * max(0, turns - 2))
        try box.restart(after: 1)
        try box.callOwn()
        let finished = try all(box, ada)
        #expect(finished.count == (turns == 1 ? 0 : 40))
        #expect(finished.allSatisfy { $0.phones.count == 1 && $0.note?.hasPrefix("kept ") == true })
        #expect(try kept(box) == 0)
        // Whoever sends the same command again adds nothing twice.
        let result = try box.call(ada, "contact.import", params, op: "import-2")
        let outcomes = Set((result["entries"]?.array ?? []).compactMap { $0["outcome"]?.string })
        #expect(outcomes == [turns == 1 ? "added" : "same"])
        #expect(try all(box, ada).count == 40)
        #expect(try kept(box) == 0)
    }

    @Test(arguments: [true, false])
    func `a file that is kept in part is not forgotten while its request lives, and is once that is gone`(
        isAlive: Bool
    ) throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let stray = "X-STRAY:\(String(repeating: "x", count: 52))\r\n"
        let file =
            Array(String(repeating: stray, count: Limits.importPartBytes / 60).utf8)
            + (0..<40).flatMap { Self.card("FN:Number \($0)") }
        let params: JSON.Object = ["vcard": .string(Data(file).base64EncodedString())]
        var request = box.request(ada.credential, "contact.import", params)
        for _ in 0..<2 {
            guard case .later(let work)? = try box.turn(request).replies.first?.effect else {
                throw Rejection(.invalid, "all was taken in one turn")
            }
            request.work = work.run()
        }
        // One part of two.
        #expect(try kept(box) == 2 && box.count("SELECT count(*) FROM contact_imports WHERE is_whole") == 0)
        if !isAlive { request.work = nil }
        // The machine is busy, or sleeps; the hourly upkeep comes first.
        try box.wait(seconds: 4000)
        #expect(try kept(box) == (isAlive ? 2 : 0))
        guard isAlive else { return }
        while case .later(let work)? = try box.turn(request).replies.first?.effect { request.work = work.run() }
        #expect(try all(box, ada).count == 40 && kept(box) == 0)
    }

    @Test func `the machine's import is finished too`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        _ = try takeInPart(box, .machine, turns: 3)
        #expect(try all(box, ada).count == 16)
        #expect(try kept(box) == 2)
        try box.restart(after: 1)
        try box.callOwn()
        #expect(try all(box, ada).count == 40)
        #expect(try kept(box) == 0)
    }

    @Test func `what is left of an import is dropped when who gave it is no admin any more, or leaves`() throws {
        for leaves in [false, true] {
            let box = try FamilyBox()
            let ada = try box.found()
            let ben = try box.join("ben", by: ada)
            try box.call(ada, "member.setRole", ["member": .id(ben.id), "role": "admin"])
            _ = try takeInPart(box, ben.credential, turns: 3)
            #expect(try kept(box) == 2)
            if leaves {
                try box.call(ada, "member.remove", ["member": .id(ben.id), "keep": "delete"])
                #expect(try kept(box) == 0)
            } else {
                try box.call(ada, "member.setRole", ["member": .id(ben.id), "role": "member"])
            }
            try box.restart(after: 1)
            try box.callOwn()
            #expect(try all(box, ada).count == 16)
            #expect(try kept(box) == 0)
        }
    }

    @Test func `a file of which only a part is kept is forgotten, and nothing of it is taken`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        try box.store.database.run("INSERT INTO contact_imports (member) VALUES (?)", .id(ada.id))
        try box.store.database.run(
            "INSERT INTO contact_import_parts VALUES ((SELECT max(number) FROM contact_imports), 0, ?)",
            .blob((0..<20).flatMap { Self.card("FN:Number \($0)") }))
        try box.restart(after: 1)
        try box.callOwn()
        #expect(try kept(box) == 0)
        #expect(try all(box, ada) == [])
    }

    @Test func `bytes of any kind are read without a trap`() {
        var dice = Dice(state: 7)
        let words = [
            "BEGIN:VCARD", "END:VCARD", "N", "TEL", ";", ":", "=", "\\", "\"", "^", "\r\n ", "\n", ".", ",", "TYPE",
            "QUOTED-PRINTABLE",
        ]
        for _ in 0..<2000 {
            var bytes = Array("BEGIN:VCARD\n".utf8)
            for _ in 0..<dice.roll(30) {
                let word = Array(words[dice.roll(words.count)].utf8)
                bytes += dice.roll(3) == 0 ? [UInt8(dice.roll(256))] : word
            }
            let file = VCardFile(bytes, entriesMax: 5)
            #expect(file.entryCount <= 5 && file.isSound)
        }
    }
}
