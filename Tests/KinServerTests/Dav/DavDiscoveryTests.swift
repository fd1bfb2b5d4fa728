import KinCodec
import KinModel
import KinXML
import Testing

@testable import KinServer
@testable import KinServerBox

/// How clients of WebDAV find their way, and who may.
@Suite struct DavDiscoveryTests {
    private let dav: DavBox

    init() throws { dav = try DavBox() }

    @Test func `the well-known addresses lead to the top, for whoever asks`() throws {
        for line in ["GET /.well-known/carddav", "PROPFIND /.well-known/caldav", "HEAD /.well-known/carddav"] {
            let answer = try dav.box.connect().ask(line)
            #expect(answer.status == 301 && answer["Location"] == "/dav/")
        }
    }

    @Test func `what an address takes is told without a password, with what is spoken there`() throws {
        let answer = try dav.box.connect().ask("OPTIONS /dav/contacts/family/")
        #expect(answer.status == 200)
        #expect(
            answer["DAV"]
                == "1, 3, access-control, extended-mkcol, addressbook, calendar-access, calendar-auto-schedule")
        #expect(answer["Allow"] == "DELETE, MKCALENDAR, MKCOL, PROPFIND, PROPPATCH, REPORT, OPTIONS")
        let item = try dav.box.connect().ask("OPTIONS /dav/contacts/family/x.vcf")
        #expect(item["Allow"] == "DELETE, GET, HEAD, PROPFIND, PROPPATCH, PUT, OPTIONS")
        #expect(try dav.box.connect().ask("COPY /dav/contacts/family/x.vcf").status == 405)
        #expect(try dav.box.connect().ask("LOCK /dav/contacts/family/x.vcf").status == 501)
    }

    @Test func `only an app password for calendars opens the door`() throws {
        let token = try dav.box.person("ada").token
        let body = "<propfind xmlns=\"DAV:\"><prop><current-user-principal/></prop></propfind>"
        for credential in ["X-None: 1", "Authorization: Bearer \(token)", "Cookie: kinwire=\(token)"] {
            let answer = try dav.ask("PROPFIND /dav/", credential, ["Depth: 0"], body)
            #expect(answer.status == 401, "\(credential)")
            #expect(answer["WWW-Authenticate"] == "Basic realm=\"kinwire\", charset=\"UTF-8\"")
        }
        let wrong = try dav.ask("PROPFIND /dav/", try dav.credential("ada", scope: "location"), ["Depth: 0"], body)
        #expect(wrong.status == 403)
        let password = DavBox.basic("ada", Box.password)
        #expect(try dav.ask("PROPFIND /dav/", password, ["Depth: 0"], body).status == 401)
        #expect(try dav.ask("PROPFIND /dav/", try dav.credential("ada"), ["Depth: 0"], body).status == 207)
        // Nothing below is told apart before it is known who asks.
        for path in ["/dav/contacts/family/nothing.vcf", "/dav/nowhere", "/dav/principals/x/"] {
            #expect(try dav.box.connect().ask("PROPFIND \(path)", ["Depth: 0"], body).status == 401, "\(path)")
        }
    }

    @Test func `who guesses waits, and a right password is taken meanwhile`() throws {
        let right = try dav.credential("ben")
        var statuses: [Int] = []
        for guess in 0..<30 {
            let answer = try dav.ask("PROPFIND /dav/", DavBox.basic("ben", "guess-\(guess)"), ["Depth: 0"])
            statuses.append(answer.status)
            if answer.status == 429 {
                #expect(answer["Retry-After"] != nil)
                break
            }
        }
        #expect(statuses.first == 401 && statuses.last == 429)
        #expect(try dav.ask("PROPFIND /dav/", right, ["Depth: 0"]).status == 207)
    }

    /// In the order in which DAVx⁵ asks, as far as we know it: no recorded trace.
    @Test func `a client like DAVx⁵ finds the address book from the top`() throws {
        let ben = try dav.credential("ben")
        let first = try dav.things(
            try dav.ask(
                "PROPFIND /dav/", ben, ["Depth: 0"],
                """
                <?xml version='1.0' encoding='UTF-8' ?><propfind xmlns="DAV:" xmlns:CARD="urn:ietf:params:xml:ns:carddav">\
                <prop><resourcetype/><displayname/><CARD:addressbook-description/><CARD:addressbook-home-set/>\
                <current-user-principal/></prop></propfind>
                """))
        let principal = try #require(dav.href(first[0].properties[Dav.core("current-user-principal")]))
        let id = try dav.box.person("ben").id
        #expect(principal == "/dav/principals/\(id)/")
        let second = try dav.things(
            try dav.ask(
                "PROPFIND \(principal)", ben, ["Depth: 0"],
                """
                <propfind xmlns="DAV:" xmlns:CARD="urn:ietf:params:xml:ns:carddav"><prop><displayname/>\
                <CARD:addressbook-home-set/><group-membership/></prop></propfind>
                """))
        #expect(second[0].properties[Dav.core("displayname")]?.text == "ben")
        let home = try #require(dav.href(second[0].properties[Dav.card("addressbook-home-set")]))
        let third = try dav.things(
            try dav.ask(
                "PROPFIND \(home)", ben, ["Depth: 1"],
                """
                <propfind xmlns="DAV:" xmlns:CARD="urn:ietf:params:xml:ns:carddav"><prop><resourcetype/><displayname/>\
                <CARD:addressbook-description/><current-user-privilege-set/><owner/><supported-report-set/>\
                <CARD:supported-address-data/><sync-token/></prop></propfind>
                """))
        #expect(third.map(\.href) == [home, DavBox.book])
        let book = third[1].properties
        #expect(
            book[Dav.core("resourcetype")]?.children.map(\.name) == [Dav.core("collection"), Dav.card("addressbook")])
        #expect(book[Dav.core("displayname")]?.text == "Oak")
        // Ben is no admin: his phone shows contacts and changes none.
        let rights = book[Dav.core("current-user-privilege-set")]?.children.flatMap(\.children).map(\.name.local) ?? []
        #expect(rights == ["read", "read-current-user-privilege-set"])
        let reports = book[Dav.core("supported-report-set")]?.children.flatMap(\.children).flatMap(\.children)
        #expect(reports?.map(\.name.local) == ["addressbook-multiget", "addressbook-query", "sync-collection"])
        #expect(dav.href(book[Dav.core("owner")]) == "/dav/principals/family/")
    }

    /// As the account set-up of iOS asks, as far as we know it: no recorded trace.
    @Test func `a client like iOS asks at the very top as well, and at the principal for what it may`() throws {
        let ada = try dav.credential("ada")
        let top = try dav.things(
            try dav.ask(
                "PROPFIND /", ada, ["Depth: 0", "Brief: t"],
                """
                <?xml version="1.0" encoding="UTF-8"?><A:propfind xmlns:A="DAV:"><A:prop><A:current-user-principal/>\
                <A:principal-URL/><A:resourcetype/></A:prop></A:propfind>
                """))
        #expect(top[0].properties[Dav.core("current-user-principal")] != nil)
        let id = try dav.box.person("ada").id
        let principal = try dav.ask(
            "PROPFIND /dav/principals/\(id)/", ada, ["Depth: 0", "Brief: t"],
            """
            <?xml version="1.0" encoding="UTF-8"?><A:propfind xmlns:A="DAV:"><A:prop>\
            <B:addressbook-home-set xmlns:B="urn:ietf:params:xml:ns:carddav"/>\
            <B:directory-gateway xmlns:B="urn:ietf:params:xml:ns:carddav"/><A:displayname/>\
            <C:email-address-set xmlns:C="http://calendarserver.org/ns/"/><A:principal-collection-set/><A:principal-URL/>\
            <A:resource-id/><A:supported-report-set/></A:prop></A:propfind>
            """)
        // Byte for byte: with Brief what is not there is not told.
        #expect(
            principal.text == """
                <?xml version="1.0" encoding="utf-8"?>
                <D:multistatus xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:R="urn:ietf:params:xml:ns:carddav" xmlns:S="http://calendarserver.org/ns/" xmlns:A="http://apple.com/ns/ical/" xmlns:K="urn:kinwire:dav">
                <D:response><D:href>/dav/principals/\(id)/</D:href><D:propstat><D:prop><R:addressbook-home-set><D:href>/dav/contacts/</D:href></R:addressbook-home-set><D:displayname>Ada</D:displayname><D:principal-collection-set><D:href>/dav/principals/</D:href></D:principal-collection-set><D:principal-URL><D:href>/dav/principals/\(id)/</D:href></D:principal-URL></D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>
                </D:multistatus>

                """)
        #expect(principal["Preference-Applied"] == "return=minimal")
        // No report is answered that is not told of.
        let unknown = try dav.ask("REPORT /dav/principals/", ada, ["Depth: 0"], "<A:principal-match xmlns:A=\"DAV:\"/>")
        #expect(unknown.status == 403 && unknown.text.contains("<D:supported-report/>"))
    }

    /// RFC 3744, 9.4 and 9.5: how phones find whom to invite.
    @Test func `people are found by name and by address, by those who see them`() throws {
        let (ada, gil) = (try dav.credential("ada"), try dav.credential("gil"))
        let (ben, own) = (try dav.box.person("ben").id, try dav.box.person("ada").id)
        func search(_ who: String, _ property: String, _ words: String, _ test: String = "") throws -> [String] {
            let body = """
                <D:principal-property-search xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"\(test)>\
                <D:property-search><D:prop><\(property)/></D:prop><D:match>\(words)</D:match></D:property-search>\
                <D:prop><D:displayname/><C:calendar-user-address-set/></D:prop></D:principal-property-search>
                """
            return try dav.things(try dav.ask("REPORT /dav/principals/", who, ["Depth: 0"], body)).map(\.href)
        }
        #expect(try search(ada, "D:displayname", "BE") == ["/dav/principals/\(ben)/"])
        #expect(try search(ada, "C:calendar-user-address-set", "mailto:\(ben)@") == ["/dav/principals/\(ben)/"])
        #expect(try search(ada, "D:displayname", "").contains("/dav/principals/\(own)/"))
        #expect(try search(ada, "D:displayname", "nobody").isEmpty)
        #expect(try search(ada, "D:getetag", "").isEmpty, "by what people do not have nobody is found")
        let found = try dav.things(try dav.ask("PROPFIND /dav/principals/\(ben)/", ada, ["Depth: 0"], Self.allOf))
        #expect(found.first?.properties[Dav.core("displayname")]?.text == "ben")
        let set = try dav.ask(
            "REPORT /dav/principals/", ada, ["Depth: 0"], "<A:principal-search-property-set xmlns:A=\"DAV:\"/>")
        #expect(set.status == 200 && set.text.contains("<D:principal-search-property>"))
        // A guest finds those of the own household; who is not seen is nowhere, as nobody is.
        let seen = try dav.call("gil", "member.list", [:])["members"]?.array?.compactMap { $0["id"]?.string } ?? []
        #expect(try Set(search(gil, "D:displayname", "")) == Set(seen.map { "/dav/principals/\($0)/" }))
        let absent = "01980000-0000-7000-8000-0000000000ff"
        #expect(try dav.ask("PROPFIND /dav/principals/\(absent)/", ada, ["Depth: 0"], Self.allOf).status == 404)
    }

    @Test func `a guest has no address book, and is told of none`() throws {
        let gil = try dav.credential("gil")
        let id = try dav.box.person("gil").id
        let own = try dav.things(try dav.ask("PROPFIND /dav/principals/\(id)/", gil, ["Depth: 0"], Self.allOf))
        #expect(own[0].properties[Dav.card("addressbook-home-set")] == nil)
        for path in ["/dav/contacts/", DavBox.book, DavBox.book + "x.vcf"] {
            #expect(try dav.ask("PROPFIND \(path)", gil, ["Depth: 1"], Self.allOf).status == 404, "\(path)")
        }
        #expect(try dav.ask("GET \(DavBox.book)x.vcf", gil).status == 404)
        #expect(try dav.ask("PUT \(DavBox.book)x.vcf", gil, [], DavBox.card("u", "Roth")).status == 404)
        let query = "<C:addressbook-query xmlns:C=\"urn:ietf:params:xml:ns:carddav\"/>"
        #expect(try dav.ask("REPORT \(DavBox.book)", gil, [], query).status == 404)
    }

    private static let allOf = """
        <propfind xmlns="DAV:" xmlns:R="urn:ietf:params:xml:ns:carddav"><allprop/><include><R:addressbook-home-set/>\
        </include></propfind>
        """

    @Test func `properties are told by name, all of them, or their names`() throws {
        let ada = try dav.credential("ada")
        let names = try dav.ask("PROPFIND /dav/", ada, ["Depth: 0"], "<propfind xmlns=\"DAV:\"><propname/></propfind>")
        #expect(names.text.contains("<D:current-user-principal/>"))
        let all = try dav.things(try dav.ask("PROPFIND \(DavBox.book)", ada, ["Depth: 0"]))
        // What is not in allprop is costly, or of another RFC (4918 §9.1).
        #expect(all[0].properties[Dav.core("displayname")] != nil && all[0].properties[Dav.core("sync-token")] == nil)
        let missing = try dav.ask(
            "PROPFIND /dav/", ada, ["Depth: 0"],
            "<propfind xmlns=\"DAV:\"><prop><x:odd xmlns:x=\"urn:&quot;x&lt;\"/><plain xmlns=\"\"/></prop></propfind>")
        #expect(missing.text.contains("<x:odd xmlns:x=\"urn:&quot;x&lt;\"/><plain/></D:prop><D:status>HTTP/1.1 404"))
    }

    @Test func `depth without end is refused, and says so`() throws {
        let ada = try dav.credential("ada")
        for headers in [["Depth: infinity"], [], ["Depth: 2"]] {
            let answer = try dav.ask("PROPFIND \(DavBox.book)", ada, headers)
            #expect(answer.status == 403 && answer.text.contains("<D:propfind-finite-depth/>"))
        }
    }

    @Test func `no property is a client's to set, and nothing is to be made`() throws {
        let ada = try dav.credential("ada")
        let answer = try dav.ask(
            "PROPPATCH \(DavBox.book)", ada, [],
            """
            <D:propertyupdate xmlns:D="DAV:"><D:set><D:prop><D:displayname>Mine</D:displayname></D:prop></D:set>\
            <D:remove><D:prop><x:y xmlns:x="z:"/></D:prop></D:remove></D:propertyupdate>
            """)
        #expect(answer.status == 207 && answer.text.contains("<D:displayname/><x:y xmlns:x=\"z:\"/></D:prop>"))
        #expect(answer.text.contains("HTTP/1.1 403 Forbidden"))
        #expect(try dav.ask("MKCOL \(DavBox.book)more/", ada).status == 403)
        let again = try dav.ask("MKCOL \(DavBox.book)", ada)
        #expect(again.status == 405 && again["Allow"] == "DELETE, PROPFIND, PROPPATCH, REPORT, OPTIONS")
        #expect(try dav.ask("DELETE \(DavBox.book)", ada).status == 403)
        #expect(try dav.ask("PUT \(DavBox.book)", ada, [], DavBox.card("u", "Roth")).status == 405)
    }

    @Test(arguments: [
        "<!DOCTYPE x [<!ENTITY a \"b\">]><propfind xmlns=\"DAV:\"><prop>&a;</prop></propfind>", "<propfind", "<x/>",
        String(repeating: "<a>", count: 5000),
        "<propfind xmlns=\"DAV:\"><prop>" + String(repeating: "<a/>", count: 60_000) + "</prop></propfind>",
    ])
    func `a hostile document is refused with a sentence`(body: String) throws {
        let ada = try dav.credential("ada")
        let answer = try dav.ask("PROPFIND /dav/", ada, ["Depth: 0"], body)
        #expect(answer.status == 400 && answer.text.contains("<K:sentence>"))
        #expect(try dav.ask("REPORT \(DavBox.book)", ada, [], body).status >= 400)
    }

    @Test func `in plain text from elsewhere an app password is revoked`() throws {
        let ada = try dav.credential("ada")
        let client = dav.box.connect(from: Box.remote)
        #expect(try client.ask("PROPFIND /dav/", [ada, "Depth: 0"]).status == 426)
        #expect(try dav.ask("PROPFIND /dav/", ada, ["Depth: 0"]).status == 401)
    }
}
