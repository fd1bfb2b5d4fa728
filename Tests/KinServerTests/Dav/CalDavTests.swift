import KinCodec
import KinModel
import KinXML
import Testing

@testable import KinServer
@testable import KinServerBox

/// Calendars, read and written by clients of CalDAV.
@Suite struct CalDavTests {
    private let dav: DavBox
    private let ada: String
    private let own: String

    init() throws {
        dav = try DavBox()
        ada = try dav.credential("ada")
        own = try dav.calendar(of: "ada")
    }

    private func put(_ name: String, _ event: String, _ headers: [String] = []) throws -> BoxResponse {
        try dav.ask("PUT \(own)\(name)", ada, ["Content-Type: text/calendar; charset=utf-8"] + headers, event)
    }

    private func get(_ name: String) throws -> BoxResponse { try dav.ask("GET \(own)\(name)", ada) }

    private func entries(_ who: String = "ada") throws -> [JSON] {
        try dav.call(who, "entry.all", [:])["entries"]?.array ?? []
    }

    // MARK: Finding

    @Test func `a client finds a member's calendars, and what may be done in each`() throws {
        let id = try dav.box.person("ada").id
        _ = try dav.call("ada", "calendar.add", ["name": "Choir <1>", "color": "#3366cc"])
        let principal = try dav.things(
            try dav.ask(
                "PROPFIND /dav/principals/\(id)/", ada, ["Depth: 0"],
                """
                <D:propfind xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:prop><C:calendar-home-set/>\
                <C:calendar-user-address-set/><C:schedule-inbox-URL/><C:schedule-outbox-URL/></D:prop></D:propfind>
                """))[0].properties
        let home = try #require(dav.href(principal[Dav.calendar("calendar-home-set")]))
        #expect(home == "/dav/calendars/\(id)/")
        #expect(dav.href(principal[Dav.calendar("calendar-user-address-set")]) == "mailto:\(id)@kinwire.invalid")
        #expect(dav.href(principal[Dav.calendar("schedule-inbox-URL")]) == home + "inbox/")
        let found = try dav.things(
            try dav.ask(
                "PROPFIND \(home)", ada, ["Depth: 1"],
                """
                <D:propfind xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:A="http://apple.com/ns/ical/">\
                <D:prop><D:resourcetype/><D:displayname/><A:calendar-color/><D:current-user-privilege-set/><D:owner/>\
                <D:sync-token/><C:supported-calendar-component-set/></D:prop></D:propfind>
                """))
        let calendars = found.filter {
            $0.properties[Dav.core("resourcetype")]?.first(Dav.calendar("calendar")) != nil
        }
        func named(_ name: String) -> [XMLName: XMLElement]? {
            calendars.first { $0.properties[Dav.core("displayname")]?.text == name }?.properties
        }
        let rights = { (properties: [XMLName: XMLElement]?) in
            properties?[Dav.core("current-user-privilege-set")]?.children.flatMap(\.children).map(\.name.local) ?? []
        }
        #expect(named("Meetings") != nil)
        #expect(
            rights(named("Choir <1>")).contains("bind")
                && named("Choir <1>")?[Dav.apple("calendar-color")]?.text == "#3366ccFF")
        #expect(rights(named("Ada")).contains("write-properties"))
        #expect(rights(named("To decide")) == ["read", "read-current-user-privilege-set", "write-content"])
        #expect(calendars.allSatisfy { $0.properties[Dav.core("sync-token")] != nil })
        #expect(found.contains { $0.href == home + "inbox/" } && found.contains { $0.href == home + "outbox/" })
        // Nobody else's calendars are anywhere.
        let ben = try dav.credential("ben")
        #expect(try dav.ask("PROPFIND \(home)", ben, ["Depth: 1"]).status == 404)
        #expect(try dav.ask("PROPFIND \(own)", ben, ["Depth: 1"]).status == 404)
        #expect(try dav.ask("PROPFIND \(home)nothing/", ada, ["Depth: 1"]).status == 404)
    }

    // MARK: Things

    @Test func `what a phone writes is an entry, and is given back with what nothing here says`() throws {
        let text = DavBox.event(
            "u1", "Choir", ["LOCATION:Hall", "X-APPLE-TRAVEL:kept;x", "TRANSP:TRANSPARENT", "URL:https://example.org/"])
        let made = try put("A1-B2.ics", text, ["If-None-Match: *"])
        #expect(made.status == 201, "\(made.text)")
        let entry = try #require(try entries().first)
        #expect(entry["subject"] == "Choir" && entry["place"]?["text"] == "Hall")
        #expect(entry["times"]?["zone"] == "Europe/Berlin" && entry["times"]?["minutes"] == 60)
        let read = try get("A1-B2.ics")
        #expect(read.status == 200 && read["Content-Type"] == "text/calendar; charset=utf-8; component=VEVENT")
        for line in ["UID:u1", "X-APPLE-TRAVEL:kept;x", "TRANSP:TRANSPARENT", "BEGIN:VTIMEZONE"] {
            #expect(read.text.contains(line + "\r\n"), "\(line)")
        }
        #expect(try dav.tags(ada, in: own) == [own + "A1-B2.ics": try #require(read["ETag"])])
        #expect(try put("A1-B2.ics", read.text, ["If-Match: \(try #require(read["ETag"]))"]).status == 204)
        // Written back as it is, nothing changed.
        #expect(try get("A1-B2.ics")["ETag"] == read["ETag"])
    }

    @Test func `times that are otherwise come and go with what is kept of them`() throws {
        let series = DavBox.object([
            [
                "UID:u2", "SUMMARY:Swim", "DTSTART;TZID=Europe/Berlin:20261103T170000",
                "DTEND;TZID=Europe/Berlin:20261103T180000", "RRULE:FREQ=WEEKLY;COUNT=4",
                "EXDATE;TZID=Europe/Berlin:20261110T170000",
            ],
            [
                "UID:u2", "SUMMARY:Swim late", "RECURRENCE-ID;TZID=Europe/Berlin:20261117T170000",
                "DTSTART;TZID=Europe/Berlin:20261117T190000", "DTEND;TZID=Europe/Berlin:20261117T200000", "X-OWN:1",
            ],
        ])
        #expect(try put("s.ics", series).status == 201)
        let text = try get("s.ics").text
        for line in [
            "RRULE:FREQ=WEEKLY;COUNT=4", "EXDATE;TZID=Europe/Berlin:20261110T170000",
            "RECURRENCE-ID;TZID=Europe/Berlin:20261117T170000", "DTSTART;TZID=Europe/Berlin:20261117T190000",
            "SUMMARY:Swim late", "X-OWN:1",
        ] {
            #expect(text.contains(line + "\r\n"), "\(line)")
        }
        #expect(text.split(separator: "X-OWN").count == 2)
        let month = try dav.range(ada, own, "20261110T000000Z", "20261111T000000Z")
        #expect(month.isEmpty)
        #expect(try dav.range(ada, own, "20261117T173000Z", "20261118T000000Z").map(\.href) == [own + "s.ics"])
        let each = try dav.range(ada, own, "20261101T000000Z", "20261201T000000Z", expand: true)
        let all = try #require(each.first?.data)
        #expect(all.contains("DTSTART:20261117T180000Z") && !all.contains("RRULE") && !all.contains("20261110T16"))
        #expect(all.split(separator: "BEGIN:VEVENT").count == 4)
    }

    @Test func `what begins in one zone and ends in another is given back with both described`() throws {
        let flight = ["DTSTART;TZID=Europe/Berlin:20261124T100000", "DTEND;TZID=America/New_York:20261124T130000"]
        #expect(try put("f.ics", DavBox.event("f", "Flight", flight)).status == 201)
        let made = try dav.call("ada", "calendar.addFeed", ["name": "Watch"])
        let secret = try #require(made["secret"]?.string)
        let file = try dav.box.connect().ask("GET /feed/\(secret).ics")
        for text in [try get("f.ics").text, file.text] {
            for line in flight { #expect(text.contains("\r\n\(line)\r\n"), "\(text)") }
            for zone in ["Europe/Berlin", "America/New_York"] {
                #expect(text.ranges(of: "BEGIN:VTIMEZONE\r\nTZID:\(zone)\r\n").count == 1, "\(text)")
            }
        }
    }

    @Test func `of two phones the one that knew the entry wins, and nothing of the other is lost unseen`() throws {
        _ = try put("n.ics", DavBox.event("u1", "Choir"))
        let tag = try #require(try get("n.ics")["ETag"])
        #expect(try put("n.ics", DavBox.event("u1", "Choir, late"), ["If-Match: \(tag)"]).status == 204)
        #expect(try put("n.ics", DavBox.event("u1", "Band"), ["If-Match: \(tag)"]).status == 412)
        #expect(try put("n.ics", DavBox.event("u1", "Band"), ["If-None-Match: *"]).status == 412)
        #expect(try dav.ask("DELETE \(own)n.ics", ada, ["If-Match: \(tag)"]).status == 412)
        #expect(try entries().map { $0["subject"] } == ["Choir, late"])
        let new = try #require(try get("n.ics")["ETag"])
        #expect(try dav.ask("DELETE \(own)n.ics", ada, ["If-Match: \(new)"]).status == 204)
        #expect(try dav.ask("DELETE \(own)n.ics", ada).status == 404)
        // For a week it can be brought back, and stands then under the name that it had.
        let bin = try dav.call("ada", "entry.bin", [:])["entries"]?.array ?? []
        let id = try #require(bin.first?["entry"]?["id"])
        _ = try dav.call("ada", "entry.restore", ["entry": id])
        #expect(try get("n.ics").text.contains("SUMMARY:Choir, late"))
    }

    @Test func `a UID is one entry's, and stays`() throws {
        _ = try put("a.ics", DavBox.event("u1", "Choir"))
        _ = try put("b.ics", DavBox.event("u2", "Band"))
        let doubled = try put("c.ics", DavBox.event("u1", "Club"))
        #expect(doubled.status == 409)
        #expect(doubled.text.contains("<C:no-uid-conflict><D:href>\(own)a.ics</D:href></C:no-uid-conflict>"))
        #expect(try put("b.ics", DavBox.event("u3", "Band")).status == 409)
        #expect(try entries().count == 2)
    }

    @Test(arguments: [
        ("hello", "valid-calendar-data"), ("BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n", "valid-calendar-object-resource"),
        ("BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:u\r\nDTSTART:2026", "valid-calendar-data"),
        (
            "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:u\r\nfolded\r\nwrong\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
            "valid-calendar-data"
        ),
        (
            "BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nUID:u\r\nSUMMARY:x\r\nEND:VTODO\r\nEND:VCALENDAR\r\n",
            "supported-calendar-component"
        ),
        (
            "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDTSTART:20261124T180000Z\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
            "valid-calendar-data"
        ),
        (
            DavBox.object([["UID:a", "DTSTART:20261124"], ["UID:b", "DTSTART:20261124"]]),
            "valid-calendar-object-resource"
        ),
    ])
    func `what is no entry is refused by its name`(text: String, condition: String) throws {
        let answer = try put("n.ics", text)
        #expect(answer.status == 403 && answer.text.contains("<C:\(condition)/>"), "\(answer.text)")
        #expect(try answer.text.contains("<K:sentence>") && entries().isEmpty)
    }

    @Test func `what is huge is refused before it is held, and a rule by the second is kept and not followed`() throws {
        let huge = try put("n.ics", DavBox.event("u1", String(repeating: "x", count: 300 << 10)))
        #expect(huge.status == 413)
        let client = dav.box.connect()
        client.post(
            "PUT \(own)n.ics HTTP/1.1\r\nHost: box.local\r\n\(ada)\r\nContent-Type: text/calendar\r\nContent-Length: \(50 << 20)\r\n\r\nBEGIN:VCALENDAR"
        )
        try dav.box.settle()
        #expect(String(decoding: client.receive(), as: UTF8.self).hasPrefix("HTTP/1.1 413"))
        #expect(try put("s.ics", DavBox.event("u2", "Ticks", ["RRULE:FREQ=SECONDLY"])).status == 201)
        #expect(try get("s.ics").text.contains("RRULE:FREQ=SECONDLY\r\n"))
        #expect(try dav.range(ada, own, "20261201T000000Z", "20270101T000000Z").isEmpty)
        #expect(try dav.range(ada, own, "20261124T000000Z", "20261125T000000Z").count == 1)
    }

    // MARK: Reports

    @Test func `a token stands for what its holder knows, until something in sight changes`() throws {
        let begin = try dav.sync(ada, since: "", in: own)
        #expect(begin.there.isEmpty && begin.gone.isEmpty)
        _ = try put("a.ics", DavBox.event("u1", "Choir"))
        _ = try put("b.ics", DavBox.event("u2", "Band"))
        let first = try dav.sync(ada, since: begin.token, in: own)
        #expect(first.there == [own + "a.ics", own + "b.ics"] && first.gone.isEmpty)
        // Stable, whatever else happens.
        _ = try dav.call("ada", "activity.announce", ["text": "Tea"])
        _ = try dav.call("ben", "entry.add", ["subject": "Hidden", "start": "2026-12-01"])
        #expect(try dav.sync(ada, since: first.token, in: own).token == first.token)
        #expect(try dav.sync(ada, since: "", in: own).token == first.token)
        let band = try #require(try entries().first { $0["subject"] == "Band" }?["id"])
        _ = try dav.call("ada", "entry.update", ["entry": band, "note": "x"])
        _ = try dav.ask("DELETE \(own)a.ics", ada)
        let made = try dav.call("ada", "entry.add", ["subject": "Club", "start": "2026-12-01"])
        let club = own + (made["entry"]?["id"]?.string ?? "") + ".ics"
        let second = try dav.sync(ada, since: first.token, in: own)
        #expect(Set(second.there) == [own + "b.ics", club] && second.gone == [own + "a.ics"])
        let third = try dav.sync(ada, since: second.token, in: own)
        #expect(third.there.isEmpty && third.gone.isEmpty && third.token == second.token)
        let ctag = try dav.things(
            try dav.ask(
                "PROPFIND \(own)", ada, ["Depth: 0"],
                "<propfind xmlns=\"DAV:\"><prop><sync-token/><x:getctag xmlns:x=\"http://calendarserver.org/ns/\"/></prop></propfind>"
            ))
        #expect(ctag[0].properties[Dav.server("getctag")]?.text == third.token)
        for token in ["urn:kinwire:sync:", "urn:kinwire:sync:0.1", third.token + "0", "http://example.org/1"] {
            let answer = try dav.ask(
                "REPORT \(own)", ada, [],
                "<sync-collection xmlns=\"DAV:\"><sync-token>\(token)</sync-token><sync-level>1</sync-level><prop/></sync-collection>"
            )
            #expect(answer.status == 403 && answer.text.contains("<D:valid-sync-token/>"), "\(token)")
        }
    }

    /// RFC 6578, 3.2 and 3.3.
    @Test(
        arguments: [
            ([], "<sync-level>1</sync-level>", 207, ""), (["Depth: 0"], "<sync-level>1</sync-level>", 207, ""),
            (["Depth: 1"], "<sync-level>1</sync-level>", 207, ""), (["Depth: 1"], "", 207, ""),
            (["Depth: 0"], "<sync-level>infinite</sync-level>", 403, "<D:sync-traversal-supported/>"),
            (["Depth: infinity"], "<sync-level>1</sync-level>", 400, ""), (["Depth: 0"], "", 400, ""),
            ([], "<sync-level>2</sync-level>", 400, ""),
        ] as [([String], String, Int, String)])
    func `a collection is synchronised by itself, and nothing below it`(
        _ headers: [String], _ level: String, _ status: Int, _ condition: String
    ) throws {
        let body = "<sync-collection xmlns=\"DAV:\"><sync-token/>\(level)<prop/></sync-collection>"
        for place in [own, DavBox.book] {
            let answer = try dav.ask("REPORT \(place)", ada, headers, body)
            #expect(
                answer.status == status && (condition.isEmpty || answer.text.contains(condition)),
                "\(place): \(answer.text)")
            #expect(answer.text.contains("<D:sync-token>") == (status == 207))
        }
    }

    @Test func `many entries are listed in pages, each once, and cut where a client wants it`() throws {
        for number in 0..<450 {
            _ = try dav.call("ada", "entry.add", ["subject": .string("No. \(number)"), "start": "2026-12-01"])
        }
        let all = try dav.tags(ada, in: own)
        #expect(all.count == 450)
        #expect(Set(try dav.sync(ada, since: "", in: own).there) == Set(all.keys))
        var (token, seen) = ("", [String]())
        for _ in 0..<20 {
            let some = try dav.sync(ada, since: token, limit: 50, in: own)
            #expect(some.there.count <= 50)
            seen += some.there
            token = some.token
            if !some.cut { break }
        }
        #expect(seen.count == 450 && Set(seen) == Set(all.keys))
        let cut = try dav.ask(
            "REPORT \(own)", ada, [],
            "<sync-collection xmlns=\"DAV:\"><sync-token/><sync-level>1</sync-level><limit><nresults>50</nresults></limit><prop><getetag/></prop></sync-collection>"
        )
        #expect(cut.text.contains("<D:number-of-matches-within-limits/>"), "by its rule (RFC 6578, 3.6)")
        let hrefs = (all.keys.sorted() + [own + "nobody.ics"]).map { "<D:href>\($0)</D:href>" }.joined()
        let multi = try dav.things(
            try dav.ask(
                "REPORT \(own)", ada, [],
                "<C:calendar-multiget xmlns:D=\"DAV:\" xmlns:C=\"urn:ietf:params:xml:ns:caldav\"><D:prop><D:getetag/><C:calendar-data/></D:prop>\(hrefs)</C:calendar-multiget>"
            ))
        #expect(multi.count == 451 && multi.last?.status == "HTTP/1.1 404 Not Found")
        #expect(multi[0].properties[Dav.calendar("calendar-data")]?.text.contains("BEGIN:VEVENT") == true)
    }

    @Test func `a query finds by what entries say, and says when somebody is busy`() throws {
        _ = try put("a.ics", DavBox.event("u1", "Choir", ["CATEGORIES:MUSIC", "X-ROOM;X-P=big:12"]))
        _ = try put("b.ics", DavBox.event("u2", "Band", ["DTSTART:20261124T173000Z", "DTEND:20261124T183000Z"]))
        func found(_ filter: String) throws -> [String] {
            let answer = try dav.ask(
                "REPORT \(own)", ada, ["Depth: 1"],
                "<C:calendar-query xmlns:D=\"DAV:\" xmlns:C=\"urn:ietf:params:xml:ns:caldav\"><D:prop><D:getetag/></D:prop><C:filter><C:comp-filter name=\"VCALENDAR\">\(filter)</C:comp-filter></C:filter></C:calendar-query>"
            )
            return try dav.things(answer).map { String($0.href.dropFirst(own.count).dropLast(4)) }
        }
        func event(_ inner: String) -> String { "<C:comp-filter name=\"VEVENT\">\(inner)</C:comp-filter>" }
        #expect(try found("") == ["a", "b"] && found(event("")) == ["a", "b"])
        #expect(
            try found(event("<C:prop-filter name=\"SUMMARY\"><C:text-match>CHO</C:text-match></C:prop-filter>")) == [
                "a"
            ])
        #expect(
            try found(
                event(
                    "<C:prop-filter name=\"UID\"><C:text-match collation=\"i;octet\">u2</C:text-match></C:prop-filter>")
            ) == ["b"])
        #expect(try found(event("<C:prop-filter name=\"X-ROOM\"><C:is-not-defined/></C:prop-filter>")) == ["b"])
        #expect(
            try found(
                event(
                    "<C:prop-filter name=\"X-ROOM\"><C:param-filter name=\"X-P\"><C:text-match>big</C:text-match></C:param-filter></C:prop-filter>"
                )) == ["a"])
        #expect(try found("<C:comp-filter name=\"VTODO\"/>").isEmpty)
        let busy = try dav.ask(
            "REPORT \(own)", ada, [],
            "<C:free-busy-query xmlns:C=\"urn:ietf:params:xml:ns:caldav\"><C:time-range start=\"20261124T000000Z\" end=\"20261125T000000Z\"/></C:free-busy-query>"
        )
        #expect(busy.text.contains("FREEBUSY:20261124T170000Z/20261124T183000Z\r\n"), "\(busy.text)")
        let wrong = try dav.ask(
            "REPORT \(own)", ada, [],
            "<C:calendar-query xmlns:C=\"urn:ietf:params:xml:ns:caldav\"><C:filter><C:comp-filter name=\"VCALENDAR\"><C:comp-filter name=\"VEVENT\"><C:time-range start=\"yesterday\"/></C:comp-filter></C:comp-filter></C:filter></C:calendar-query>"
        )
        #expect(wrong.status == 403 && wrong.text.contains("<C:supported-filter/>"))
    }

    /// RFC 6638, 3.2.10: also where only somebody outside is asked, of whom nobody here knows.
    @Test func `what others are asked to has a validator of its plan, told as soon as it is written`() throws {
        let ada = try dav.credential("ada")
        let place = try dav.calendar(of: "ada")
        func put(_ name: String, _ more: [String]) throws -> BoxResponse {
            try dav.ask(
                "PUT \(place)\(name)", ada, ["Content-Type: text/calendar"], DavBox.event(name, "Choir", more))
        }
        #expect(try put("a.ics", [])["Schedule-Tag"] == nil)
        let asked = ["ORGANIZER:mailto:ada@example.org", "ATTENDEE:mailto:guest@example.org"]
        let plan = try #require(try put("b.ics", asked)["Schedule-Tag"])
        #expect(try dav.ask("GET \(place)b.ics", ada)["Schedule-Tag"] == plan)
        let met = try dav.ask(
            "PUT \(place)b.ics", ada, ["Content-Type: text/calendar", "If-Schedule-Tag-Match: \(plan)"],
            DavBox.event("b.ics", "Concert", asked))
        #expect(met.status == 204 && met["Schedule-Tag"] != plan)
        let unmet = try dav.ask(
            "PUT \(place)b.ics", ada, ["Content-Type: text/calendar", "If-Schedule-Tag-Match: \(plan)"],
            DavBox.event("b.ics", "Opera", asked))
        #expect(unmet.status == 412)
    }

    /// RFC 4791, 9.9: of an event each alarm, of one that repeats before each time.
    @Test(
        arguments: [
            (["TRIGGER:-PT30M"], true), (["TRIGGER:-PT3H"], false), (["TRIGGER;RELATED=END:PT5M"], false),
            (["TRIGGER;RELATED=END:-PT1H30M"], true), (["TRIGGER;VALUE=DATE-TIME:20270304T164500Z"], true),
            (["TRIGGER;VALUE=DATE-TIME:20270304T174500Z"], false),
            (["TRIGGER:-PT3H", "REPEAT:3", "DURATION:PT1H"], true),
        ] as [([String], Bool)])
    func `events are found by when their alarms go off`(_ alarm: [String], _ isFound: Bool) throws {
        let ada = try dav.credential("ada")
        let place = try dav.calendar(of: "ada")
        let lines =
            ["DTSTART;TZID=Europe/Berlin:20270204T180000", "DTEND;TZID=Europe/Berlin:20270204T190000"]
            + ["RRULE:FREQ=WEEKLY", "BEGIN:VALARM", "ACTION:DISPLAY"] + alarm + ["END:VALARM"]
        #expect(
            try dav.ask(
                "PUT \(place)a.ics", ada, ["Content-Type: text/calendar"], DavBox.event("a", "Choir", lines)
            ).status == 201)
        let answer = try dav.ask(
            "REPORT \(place)", ada, ["Depth: 1"],
            """
            <C:calendar-query xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:prop><D:getetag/></D:prop>\
            <C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT"><C:comp-filter name="VALARM">\
            <C:time-range start="20270304T160000Z" end="20270304T165959Z"/></C:comp-filter></C:comp-filter></C:comp-filter>\
            </C:filter></C:calendar-query>
            """)
        #expect(try !dav.things(answer).isEmpty == isFound)
    }

    @Test func `what repeats is found in a month before which one of it was just over`() throws {
        let daily = DavBox.event(
            "daily", "Tablets",
            [
                "DTSTART;TZID=Europe/Berlin:20261101T223000", "DTEND;TZID=Europe/Berlin:20261101T230000",
                "RRULE:FREQ=DAILY",
            ])
        #expect(try put("daily.ics", daily).status == 201)
        let found = try dav.range(ada, own, "20261110T000000Z", "20261115T000000Z")
        #expect(found.count == 1)
    }

    @Test func `an entry is moved to another calendar by its name there, and stays the same entry`() throws {
        let family = try dav.calendar(
            of: "ada", try #require(try dav.call("ada", "family.show", [:])["family"]?["id"]?.string))
        _ = try put("a.ics", DavBox.event("u1", "Choir", ["X-ROOM:B 12"]))
        _ = try put("b.ics", DavBox.event("u2", "Band"))
        let (before, there) = (
            try dav.sync(ada, since: "", in: own).token, try dav.sync(ada, since: "", in: family).token
        )
        let id = try entries().first { $0["subject"] == "Choir" }?["id"]
        func move(_ name: String, _ to: String, _ headers: [String] = []) throws -> Int {
            try dav.ask("MOVE \(own)\(name)", ada, ["Destination: \(to)"] + headers).status
        }
        #expect(try move("none.ics", family + "x.ics") == 404)
        #expect(try dav.ask("MOVE \(own)a.ics", ada).status == 400)
        #expect(try move("a.ics", own + "c.ics") == 403)
        #expect(try move("a.ics", "/dav/contacts/family/x.vcf") == 403)
        #expect(try move("a.ics", "https://elsewhere.example\(family)a.ics") == 502)
        #expect(try move("a.ics", family.dropLast(2) + "0/a.ics") == 409)
        #expect(try move("a.ics", family + "a.ics", ["If-Match: \"x\""]) == 412)
        #expect(try dav.ask("MOVE \(own)", ada, ["Destination: \(family)"]).status == 405)
        #expect(try entries().count == 2)
        #expect(try move("a.ics", family + "m.ics") == 201)
        #expect(try get("a.ics").status == 404)
        let moved = try dav.ask("GET \(family)m.ics", ada)
        #expect(moved.text.contains("UID:u1\r\n") && moved.text.contains("X-ROOM:B 12\r\n"))
        #expect(try entries("ben").map { $0["id"] } == [id])
        let (left, came) = (try dav.sync(ada, since: before, in: own), try dav.sync(ada, since: there, in: family))
        #expect(left.gone == [own + "a.ics"] && left.there == [] && came.there == [family + "m.ics"])
        #expect(try move("b.ics", family + "m.ics", ["Overwrite: F"]) == 412)
        // What stands there gives way to what has its UID alone (RFC 4791, 5.3.2.1).
        _ = try put("d.ics", DavBox.event("u1", "Club"))
        #expect(try move("d.ics", family + "m.ics") == 204)
        #expect(try Set(entries().compactMap { $0["subject"]?.string }) == ["Band", "Club"])
        _ = try put("c.ics", DavBox.event("u1", "Opera"))
        #expect(try move("c.ics", family + "c.ics") == 409)
    }

    // MARK: Calendars

    @Test func `a phone makes a calendar, names and colours it, and removes it once it is empty`() throws {
        let home = "/dav/calendars/\(try dav.box.person("ada").id)/"
        let made = try dav.ask(
            "MKCALENDAR \(home)0F-1E/", ada, [],
            """
            <C:mkcalendar xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:set><D:prop>\
            <D:displayname>Choir</D:displayname><A:calendar-color xmlns:A="http://apple.com/ns/ical/">#FF0000FF\
            </A:calendar-color><C:calendar-timezone>x</C:calendar-timezone></D:prop></D:set></C:mkcalendar>
            """)
        #expect(made.status == 201, "\(made.text)")
        #expect(try dav.ask("MKCALENDAR \(home)0F-1E/", ada).status == 405)
        let extended = try dav.ask(
            "MKCOL \(home)two/", ada, [],
            """
            <D:mkcol xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:set><D:prop><D:resourcetype>\
            <D:collection/><C:calendar/></D:resourcetype><D:displayname>Two</D:displayname></D:prop></D:set></D:mkcol>
            """)
        #expect(extended.status == 201)
        let patched = try dav.ask(
            "PROPPATCH \(home)0F-1E/", ada, [],
            "<D:propertyupdate xmlns:D=\"DAV:\"><D:set><D:prop><D:displayname>Band</D:displayname></D:prop></D:set></D:propertyupdate>"
        )
        #expect(patched.status == 207 && patched.text.contains("HTTP/1.1 200 OK"))
        let listed = try dav.call("ada", "calendar.list", [:])["calendars"]?.array ?? []
        let band = try #require(listed.first { $0["name"] == "Band" })
        #expect(band["color"] == "#ff0000" && listed.contains { $0["name"] == "Two" })
        #expect(try dav.ask("PUT \(home)0F-1E/e.ics", ada, [], DavBox.event("u1", "Concert")).status == 201)
        #expect(try dav.ask("DELETE \(home)0F-1E/", ada).status == 403)
        #expect(try dav.ask("DELETE \(home)0F-1E/e.ics", ada).status == 204)
        #expect(try dav.ask("DELETE \(home)0F-1E/", ada).status == 204)
        #expect(try dav.ask("PROPFIND \(home)0F-1E/", ada, ["Depth: 0"]).status == 404)
        #expect(try dav.ask("DELETE \(own)", ada).status == 403)
        let gil = try dav.credential("gil")
        let gils = "/dav/calendars/\(try dav.box.person("gil").id)/"
        #expect(try dav.ask("MKCALENDAR \(gils)x/", gil).status == 403)
        #expect(try dav.ask("PROPFIND \(gils)", gil, ["Depth: 1"]).status == 207)
    }
}
