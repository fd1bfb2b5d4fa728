import KinCodec
import KinKeeper
import KinModel
import KinStore
import KinXML
import Testing

@testable import KinKeeper
@testable import KinServer
@testable import KinServerBox
@testable import KinStore

/// The family's contacts, read and written by clients of CardDAV.
@Suite struct CardDavTests {
    private let dav: DavBox
    private let ada: String
    private let book = DavBox.book

    init() throws {
        dav = try DavBox()
        ada = try dav.credential("ada")
    }

    private func put(_ name: String, _ card: String, _ headers: [String] = []) throws -> BoxResponse {
        try dav.ask("PUT \(book)\(name)", ada, ["Content-Type: text/vcard; charset=utf-8"] + headers, card)
    }

    private func get(_ name: String, _ headers: [String] = []) throws -> BoxResponse {
        try dav.ask("GET \(book)\(name)", ada, headers)
    }

    private func contacts() throws -> [JSON] { try dav.call("ada", "contact.list", [:])["contacts"]?.array ?? [] }

    @Test func `what a phone writes is a contact, and is read back as it was written`() throws {
        let card = DavBox.card(
            "7A1C", "Roth",
            [
                "TEL;TYPE=CELL:+49 171 2345678", "EMAIL;TYPE=HOME:nora@example.org", "BDAY:1985-04-12",
                "item1.URL:https://example.org/", "item1.X-ABLabel:blog", "X-PHONETIC-LAST-NAME:rot",
                "ADR;TYPE=HOME:;;Am Markt 3;Ulm;;89073;Germany", "CATEGORIES:Friends,Choir",
            ])
        let made = try put("7A1C.vcf", card, ["If-None-Match: *"])
        #expect(made.status == 201)
        let contact = try #require(try contacts().first)
        #expect(contact["lastName"] == "Roth" && contact["phones"]?.array?.first?["label"] == "mobile")
        #expect(contact["addresses"]?.array?.first?["value"] == "Am Markt 3, 89073 Ulm, Germany")
        let read = try get("7A1C.vcf")
        #expect(read.status == 200 && read["Content-Type"] == "text/vcard; charset=utf-8")
        #expect(read.text == card)
        // The bytes are the client's own, so its validator is told at once.
        #expect(made["ETag"] == read["ETag"])
        #expect(try get("7A1C.vcf", ["If-None-Match: \(try #require(read["ETag"]))"]).status == 304)
        #expect(try dav.tags(ada) == [book + "7A1C.vcf": try #require(read["ETag"])])
    }

    @Test func `what is changed elsewhere is changed in the card, and the rest of it stays`() throws {
        _ = try put(
            "n.vcf",
            DavBox.card(
                "u1", "Roth",
                [
                    "TEL;TYPE=CELL:+49 171 1", "TEL;TYPE=WORK,VOICE:+49 30 2", "NICKNAME:Nono", "REV:20240101T000000Z",
                    "item3.EMAIL;TYPE=INTERNET:n@example.org", "item3.X-ABLabel:choir", "BDAY:1985-04-12",
                ]))
        let id = try #require(try contacts().first?["id"])
        _ = try dav.call(
            "ada", "contact.update",
            [
                "contact": id, "firstName": "Nora", "note": "Mornings",
                "phones": [["value": "+49 30 2", "label": "work"], ["value": "+49 30 3", "label": "shop"]],
            ])
        let text = try get("n.vcf").text
        #expect(
            text
                == [
                    "BEGIN:VCARD", "VERSION:3.0", "FN:Nora Roth", "N:Roth;Nora;;;", "item4.TEL:+49 30 3",
                    "item4.X-ABLabel:shop", "NOTE:Mornings", "UID:u1", "TEL;TYPE=WORK,VOICE:+49 30 2", "NICKNAME:Nono",
                    "item3.EMAIL;TYPE=INTERNET:n@example.org", "item3.X-ABLabel:choir", "BDAY:1985-04-12", "END:VCARD",
                    "",
                ].joined(separator: "\r\n"))
    }

    @Test func `a contact that was made elsewhere is a card under its identifier, of either version`() throws {
        let made = try dav.call(
            "ada", "contact.add",
            [
                "company": "Roof & Son, Ltd.", "title": "Dr.", "firstName": "Uwe",
                "phones": [["value": "+49 30 1", "label": "work"]],
                "emails": [["value": "u@example.org", "label": "shop"]],
                "addresses": [["value": "Am Markt 3, Ulm"]], "note": "one\ntwo",
            ])
        let id = try #require(made["contact"]?["id"]?.string)
        let body = [
            "FN:Uwe", "N:;Uwe;;Dr.;", "ORG:Roof & Son\\, Ltd.", "TEL;TYPE=WORK:+49 30 1", "item1.EMAIL:u@example.org",
            "item1.X-ABLabel:shop", "ADR:;;Am Markt 3\\, Ulm;;;;", "NOTE:one\\ntwo", "END:VCARD", "",
        ]
        let three = (["BEGIN:VCARD", "VERSION:3.0", "UID:urn:uuid:\(id)"] + body).joined(separator: "\r\n")
        #expect(try get("\(id).vcf").text == three)
        let four = try get("\(id).vcf", ["Accept: text/vcard; version=4.0"])
        #expect(four["Content-Type"] == "text/vcard; charset=utf-8; version=4.0")
        #expect(four.text == three.replacing("VERSION:3.0", with: "VERSION:4.0"))
        // Written back by a phone it is the same contact, under the same address.
        #expect(try put("\(id).vcf", three.replacing("Uwe", with: "Udo")).status == 204)
        #expect(try contacts().map { $0["id"] } == [.string(id)])
        #expect(try contacts().first?["firstName"] == "Udo")
    }

    @Test func `a birthday is read and written in the words of either version, with its year or without`() throws {
        let card = DavBox.card("u1", "Roth", ["BDAY;X-APPLE-OMIT-YEAR=1604;VALUE=date:1604-04-12"])
        #expect(try put("b.vcf", card).status == 201)
        let id = try #require(try contacts().first?["id"])
        #expect(try contacts().first?["birthday"] == "--04-12")
        #expect(try get("b.vcf").text == card)
        #expect(try get("b.vcf", ["Accept: text/vcard; version=4.0"]).text.contains("\r\nBDAY:--0412\r\n"))
        // Said otherwise elsewhere it is another in the card, once; and gone with it.
        _ = try dav.call("ada", "contact.update", ["contact": id, "birthday": "1985-04-12"])
        let changed = try get("b.vcf").text
        #expect(
            changed.contains("\r\nBDAY:1985-04-12\r\n") && changed.split(separator: "BDAY").count == 2, "\(changed)")
        _ = try dav.call("ada", "contact.update", ["contact": id, "birthday": "--02-29"])
        #expect(try get("b.vcf").text.contains("\r\nBDAY;X-APPLE-OMIT-YEAR=1604;VALUE=date:1604-02-29\r\n"))
        #expect(try get("b.vcf", ["Accept: text/vcard; version=4.0"]).text.contains("\r\nBDAY:--0229\r\n"))
        #expect(try put("b.vcf", DavBox.card("u1", "Roth", ["NOTE:tall"])).status == 204)
        #expect(try contacts().first?["birthday"] == nil, "a phone that takes it away takes it away")
    }

    @Test func `a picture goes with the card, in the words of either version`() throws {
        let picture = String(repeating: "QUJD", count: 12_000)
        let card = DavBox.card("u1", "Roth", ["PHOTO;ENCODING=b;TYPE=JPEG:" + picture, "TEL;TYPE=CELL,pref:+49 1"])
        #expect(try put("p.vcf", card).status == 201)
        let three = try get("p.vcf").text.replacing("\r\n ", with: "")
        #expect(three == card)
        let four = try get("p.vcf", ["Accept: text/vcard;version=4.0"]).text.replacing("\r\n ", with: "")
        #expect(four.contains("PHOTO:data:image/jpeg;base64," + picture + "\r\n"))
        #expect(four.contains("TEL;TYPE=CELL;PREF=1:+49 1\r\n"))
        let large = DavBox.card("u2", "Kern", ["PHOTO;ENCODING=b;TYPE=JPEG:" + String(repeating: "A", count: 270_000)])
        let refused = try put("q.vcf", large)
        #expect(refused.status == 413 && refused.text.contains("<R:max-resource-size/>"))
    }

    @Test func `of two phones the one that knew the card wins, and nothing of the other is lost unseen`() throws {
        _ = try put("n.vcf", DavBox.card("u1", "Roth"))
        let tag = try #require(try get("n.vcf")["ETag"])
        #expect(try put("n.vcf", DavBox.card("u1", "Kern"), ["If-Match: \(tag)"]).status == 204)
        #expect(try put("n.vcf", DavBox.card("u1", "Wolf"), ["If-Match: \(tag)"]).status == 412)
        #expect(try put("n.vcf", DavBox.card("u1", "Wolf"), ["If-None-Match: *"]).status == 412)
        #expect(try dav.ask("DELETE \(book)n.vcf", ada, ["If-Match: \(tag)"]).status == 412)
        #expect(try put("m.vcf", DavBox.card("u2", "Wolf"), ["If-Match: \(tag)"]).status == 412)
        #expect(try put("m.vcf", DavBox.card("u2", "Wolf"), ["If-Match: *"]).status == 412)
        #expect(try contacts().map { $0["lastName"] } == ["Kern"])
        let new = try #require(try get("n.vcf")["ETag"])
        #expect(try dav.ask("DELETE \(book)n.vcf", ada, ["If-Match: \"x\", \(new)"]).status == 204)
        #expect(try contacts().isEmpty)
        #expect(try dav.ask("DELETE \(book)n.vcf", ada).status == 404)
    }

    @Test func `a UID is one contact's, and stays`() throws {
        _ = try put("a.vcf", DavBox.card("u1", "Roth"))
        _ = try put("b.vcf", DavBox.card("u2", "Kern"))
        let doubled = try put("c.vcf", DavBox.card("u1", "Wolf"))
        #expect(doubled.status == 409)
        #expect(
            doubled.text.contains("<R:no-uid-conflict><D:href>/dav/contacts/family/a.vcf</D:href></R:no-uid-conflict>"))
        #expect(try put("b.vcf", DavBox.card("u3", "Kern")).status == 409)
        #expect(try contacts().count == 2)
    }

    @Test(arguments: [
        "hello", "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:x\r\n", "BEGIN:VCARD\r\nVERSION:2.1\r\nFN:x\r\nEND:VCARD\r\n",
        "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:u\r\nEND:VCARD\r\n",
        "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:x\r\nEND:VCARD\r\nBEGIN:VCARD\r\nVERSION:3.0\r\nFN:y\r\nEND:VCARD\r\n",
        "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:a\u{1}b\r\nEND:VCARD\r\n",
        "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Choir\r\nX-ADDRESSBOOKSERVER-KIND:group\r\nEND:VCARD\r\n",
    ])
    func `what is no contact is refused by its name`(card: String) throws {
        let answer = try put("n.vcf", card)
        #expect(answer.status == 403 && answer.text.contains("<R:valid-address-data/>"), "\(answer.text)")
        #expect(try answer.text.contains("<K:sentence>") && contacts().isEmpty)
    }

    @Test func `members read, admins write, and a phone is told why not`() throws {
        _ = try put("n.vcf", DavBox.card("u1", "Roth"))
        let ben = try dav.credential("ben")
        #expect(try dav.ask("GET \(book)n.vcf", ben).text.contains("FN:Roth"))
        for line in ["PUT \(book)n.vcf", "PUT \(book)new.vcf", "DELETE \(book)n.vcf"] {
            let answer = try dav.ask(line, ben, [], line.hasPrefix("PUT") ? DavBox.card("u1", "Kern") : "")
            #expect(answer.status == 403 && answer.text.contains("<D:need-privileges>"), "\(line)")
        }
        #expect(try contacts().map { $0["lastName"] } == ["Roth"])
    }

    // MARK: Reports

    @Test func `a token stands for what its holder knows, until something changes`() throws {
        let begin = try dav.sync(ada, since: "")
        #expect(begin.there.isEmpty && begin.gone.isEmpty)
        _ = try put("a.vcf", DavBox.card("u1", "Roth"))
        _ = try put("b.vcf", DavBox.card("u2", "Kern"))
        let first = try dav.sync(ada, since: "")
        #expect(first.there == [book + "a.vcf", book + "b.vcf"] && first.gone.isEmpty)
        // Stable, whoever asks and whatever else happens.
        _ = try dav.call("ada", "activity.announce", ["text": "Tea"])
        #expect(try dav.sync(ada, since: first.token).token == first.token)
        #expect(try dav.sync(try dav.credential("ben"), since: first.token).there.isEmpty)
        let id = try #require(try contacts().first { $0["lastName"] == "Kern" }?["id"])
        _ = try dav.call("ada", "contact.update", ["contact": id, "note": "x"])
        _ = try dav.ask("DELETE \(book)a.vcf", ada)
        let made = try dav.call("ada", "contact.add", ["lastName": "Wolf"])
        let wolf = try book + #require(made["contact"]?["id"]?.string) + ".vcf"
        let second = try dav.sync(ada, since: first.token)
        #expect(Set(second.there) == [book + "b.vcf", wolf] && second.gone == [book + "a.vcf"])
        let third = try dav.sync(ada, since: second.token)
        #expect(third.there.isEmpty && third.gone.isEmpty && third.token == second.token)
        // What went and came again under its name is there.
        _ = try put("a.vcf", DavBox.card("u1", "Roth"))
        let fourth = try dav.sync(ada, since: first.token)
        #expect(fourth.gone.isEmpty && fourth.there.contains(book + "a.vcf"))
        // getctag says the same.
        let answer = try dav.things(
            try dav.ask(
                "PROPFIND \(book)", ada, ["Depth: 0"],
                "<propfind xmlns=\"DAV:\"><prop><sync-token/><x:getctag xmlns:x=\"http://calendarserver.org/ns/\"/></prop></propfind>"
            ))
        #expect(answer[0].properties[Dav.core("sync-token")]?.text == fourth.token)
        #expect(answer[0].properties[Dav.server("getctag")]?.text == fourth.token)
    }

    @Test func `a token that nobody gave out begins anew`() throws {
        _ = try put("a.vcf", DavBox.card("u1", "Roth"))
        let good = try dav.sync(ada, since: "").token
        for token in [
            "urn:kinwire:sync:", "urn:kinwire:sync:x-1", good + "0", "http://example.org/1", "x y", good + "-1",
        ] {
            let answer = try dav.ask(
                "REPORT \(book)", ada, [],
                "<sync-collection xmlns=\"DAV:\"><sync-token>\(token)</sync-token><sync-level>1</sync-level><prop/></sync-collection>"
            )
            #expect(answer.status == 403 && answer.text.contains("<D:valid-sync-token/>"), "\(token)")
        }
    }

    @Test func `a list of changes is cut where a client wants it, and goes on from there`() throws {
        for number in 1...5 { _ = try put("c\(number).vcf", DavBox.card("u\(number)", "Roth \(number)")) }
        var token = ""
        var seen: [String] = []
        for _ in 0..<10 {
            let some = try dav.sync(ada, since: token, limit: 2)
            #expect(some.there.count <= 2)
            seen += some.there
            token = some.token
            if !some.cut { break }
        }
        #expect(seen == (1...5).map { book + "c\($0).vcf" })
    }

    @Test func `many contacts are listed in pages, each once, while others change`() throws {
        for number in 0..<250 { _ = try dav.call("ada", "contact.add", ["lastName": .string("Person \(number)")]) }
        let all = try dav.tags(ada)
        #expect(all.count == 250)
        let synced = try dav.sync(ada, since: "")
        #expect(Set(synced.there) == Set(all.keys) && synced.there.count == 250)
        let names = all.keys.sorted()
        let hrefs = (names + [book + "nobody.vcf", "/elsewhere/x.vcf"]).map { "<D:href>\($0)</D:href>" }.joined()
        let multi = try dav.things(
            try dav.ask(
                "REPORT \(book)", ada, [],
                """
                <C:addressbook-multiget xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:carddav"><D:prop><D:getetag/>\
                <C:address-data content-type="text/vcard" version="4.0"/></D:prop>\(hrefs)</C:addressbook-multiget>
                """))
        #expect(multi.map(\.href) == names + [book + "nobody.vcf", "/elsewhere/x.vcf"])
        #expect(multi.suffix(2).allSatisfy { $0.status == "HTTP/1.1 404 Not Found" })
        #expect(multi[0].properties[Dav.card("address-data")]?.text.contains("VERSION:4.0") == true)
        #expect(multi[0].properties[Dav.core("getetag")]?.text == all[multi[0].href])
    }

    private func query(_ filter: String, data: String = "<C:address-data/>", more: String = "") throws -> [(
        href: String, properties: [XMLName: XMLElement], status: String?
    )] {
        try dav.things(
            try dav.ask(
                "REPORT \(book)", ada, ["Depth: 1"],
                """
                <C:addressbook-query xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:carddav"><D:prop><D:getetag/>\(data)\
                </D:prop>\(filter)\(more)</C:addressbook-query>
                """))
    }

    @Test func `a query finds by what cards say`() throws {
        _ = try put("a.vcf", DavBox.card("u1", "Müller", ["EMAIL;TYPE=WORK:m@example.org", "NICKNAME:Mo"]))
        _ = try put("b.vcf", DavBox.card("u2", "Kern", ["EMAIL;TYPE=HOME:kern@example.net"]))
        _ = try put("c.vcf", DavBox.card("u3", "Roth"))
        func found(_ filter: String) throws -> [String] {
            try query("<C:filter>\(filter)</C:filter>").map { String($0.href.dropFirst(book.count).dropLast(4)) }
        }
        #expect(try query("").count == 3)
        #expect(
            try found("<C:prop-filter name=\"FN\"><C:text-match>mÜLL</C:text-match></C:prop-filter>") == ["a"])
        #expect(
            try found(
                "<C:prop-filter name=\"EMAIL\"><C:text-match match-type=\"ends-with\">.NET</C:text-match></C:prop-filter>"
            )
                == ["b"])
        #expect(
            try found(
                "<C:prop-filter name=\"FN\"><C:text-match collation=\"i;octet\" match-type=\"equals\">roth</C:text-match></C:prop-filter>"
            ) == [])
        #expect(try found("<C:prop-filter name=\"email\"><C:is-not-defined/></C:prop-filter>") == ["c"])
        #expect(try found("<C:prop-filter name=\"NICKNAME\"/>") == ["a"])
        #expect(
            try found(
                "<C:prop-filter name=\"EMAIL\"><C:param-filter name=\"TYPE\"><C:text-match>home</C:text-match></C:param-filter></C:prop-filter>"
            ) == ["b"])
        #expect(
            try found(
                "<C:prop-filter name=\"FN\"><C:text-match negate-condition=\"yes\">kern</C:text-match></C:prop-filter>")
                == ["a", "c"])
        let both = "<C:prop-filter name=\"NICKNAME\"/><C:prop-filter name=\"EMAIL\"/>"
        #expect(try query("<C:filter test=\"allof\">\(both)</C:filter>").count == 1)
        #expect(try query("<C:filter test=\"anyof\">\(both)</C:filter>").count == 2)
        let cut = try query("", more: "<C:limit><C:nresults>2</C:nresults></C:limit>")
        #expect(cut.count == 3 && cut.last?.status == "HTTP/1.1 507 Insufficient Storage" && cut.last?.href == book)
        let some = try query("", data: "<C:address-data><C:prop name=\"NICKNAME\"/></C:address-data>")
        #expect(
            some[0].properties[Dav.card("address-data")]?.text
                == "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:u1\r\nNICKNAME:Mo\r\nEND:VCARD\r\n")
        // RFC 6352, 10.4.2: a name without its value; and what was folded is one property.
        let long = "X-LONG:cafe\r\n \u{301} and more"
        _ = try put("d.vcf", DavBox.card("u4", "Zorn", ["EMAIL;TYPE=HOME:z@example.org", long]))
        func data(_ inner: String) throws -> String? {
            try query("", data: "<C:address-data>\(inner)</C:address-data>").first { $0.href == book + "d.vcf" }?
                .properties[Dav.card("address-data")]?.text
        }
        let names = try data("<C:prop name=\"EMAIL\" novalue=\"yes\"/><C:prop name=\"x-long\"/>")
        #expect(names?.contains("EMAIL;TYPE=HOME:\r\n") == true, "\(names ?? "")")
        #expect(names?.contains("X-LONG:cafe\u{301} and more\r\n") == true, "\(names ?? "")")
        #expect(try data("<C:allprop/>") == data(""))
    }

    @Test(arguments: [
        (
            "<C:filter><C:prop-filter name=\"FN\"><C:text-match collation=\"i;odd\">x</C:text-match></C:prop-filter></C:filter>",
            "supported-collation"
        ),
        ("<C:filter><C:comp-filter name=\"VEVENT\"/></C:filter>", "supported-filter"),
        (
            "<C:filter>" + String(repeating: "<C:prop-filter name=\"FN\"/>", count: 101) + "</C:filter>",
            "supported-filter"
        ),
    ])
    func `a query that is not understood finds nothing rather than everything`(filter: String, rule: String) throws {
        let answer = try dav.ask(
            "REPORT \(book)", ada, [],
            "<C:addressbook-query xmlns:C=\"urn:ietf:params:xml:ns:carddav\">\(filter)</C:addressbook-query>")
        #expect(answer.status == 403 && answer.text.contains("<R:\(rule)/>"))
    }

    @Test func `names are whatever a client calls them`() throws {
        let name = "M%C3%BCller%20%26%20S%C3%B6hne%3F.vcf"
        #expect(try put(name, DavBox.card("u1", "Müller & Söhne")).status == 201)
        #expect(try dav.tags(ada).keys.sorted() == [book + name])
        #expect(try get(name).status == 200)
        #expect(try put("a%2Fb.vcf", DavBox.card("u2", "Kern")).status == 404)
        #expect(try put(String(repeating: "n", count: 300), DavBox.card("u3", "Kern")).status == 404)
    }

    @Test func `after a restore no token of before counts`() throws {
        _ = try put("a.vcf", DavBox.card("u1", "Roth"))
        let before = try dav.sync(ada, since: "")
        let tag = try dav.tags(ada)
        try dav.box.advance(seconds: 60)
        try dav.box.keeper.store.beginTurn()
        try dav.box.keeper.store.database.run("UPDATE contact_book SET epoch = 'other', forgotten = changes")
        try dav.box.keeper.store.commitTurn()
        let answer = try dav.ask(
            "REPORT \(book)", ada, [],
            """
            <sync-collection xmlns="DAV:"><sync-token>\(before.token)</sync-token><sync-level>1</sync-level><prop/>\
            </sync-collection>
            """)
        #expect(answer.status == 403)
        #expect(try dav.tags(ada) != tag && dav.sync(ada, since: "").there == before.there)
    }
}
