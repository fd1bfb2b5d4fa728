import KinCodec
import KinModel
import KinXML
import Testing

@testable import KinServer
@testable import KinServerBox
@testable import KinSimulation

/// Lists, read and written by task programs over CalDAV: raw requests as DAVx5 and tasks.org send them.
@Suite struct TaskListTests {
    private let dav: DavBox
    private let ada: String
    private let list: JSON
    private let place: String

    init() throws {
        dav = try DavBox()
        ada = try dav.credential("ada")
        list = try #require(
            try dav.call("ada", "list.add", ["name": "Chores & <more>", "kind": "tasks"])["list"]?["id"])
        place = "/dav/calendars/\(try dav.box.person("ada").id)/list-\(list.string ?? "")/"
    }

    /// An object with one task.
    private func task(_ uid: String, _ summary: String, _ more: [String] = []) -> String {
        (["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:+//IDN tasks.org//android-130900//EN", "BEGIN:VTODO"]
            + ["DTSTAMP:20261101T000000Z", "UID:\(uid)", "SUMMARY:\(summary)"] + more
            + ["END:VTODO", "END:VCALENDAR", ""]).joined(separator: "\r\n")
    }

    private func put(
        _ name: String, _ text: String, _ headers: [String] = [], as who: String? = nil
    ) throws -> BoxResponse {
        try dav.ask("PUT \(place)\(name)", who ?? ada, ["Content-Type: text/calendar; charset=utf-8"] + headers, text)
    }

    private func get(_ name: String) throws -> BoxResponse { try dav.ask("GET \(place)\(name)", ada) }

    private func items() throws -> [ListItem] {
        (try dav.call("ada", "list.show", ["list": list])["items"]?.array ?? []).compactMap(ListItem.init)
    }

    @discardableResult
    private func say(_ id: String, _ more: JSON.Object) throws -> JSON {
        var item: JSON.Object = ["id": .string(id)]
        for member in more.members { item[member.name] = member.value }
        return try dav.call("ada", "item.put", ["list": list, "items": [.object(item)]])
    }

    private static let milk = "01980000-0000-7000-8000-00000000abcd"

    // MARK: Finding

    @Test func `a client finds each list as a collection of tasks, beside the calendars of events`() throws {
        let home = "/dav/calendars/\(try dav.box.person("ada").id)/"
        let answer = try dav.ask(
            "PROPFIND \(home)", ada, ["Depth: 1"],
            """
            <propfind xmlns="DAV:" xmlns:CAL="urn:ietf:params:xml:ns:caldav" xmlns:CS="http://calendarserver.org/ns/">\
            <prop><resourcetype/><displayname/><CAL:supported-calendar-component-set/><current-user-privilege-set/>\
            <sync-token/><CS:getctag/><owner/></prop></propfind>
            """)
        let found = try dav.things(answer)
        let own = try #require(found.first { $0.href == place }?.properties)
        #expect(own[Dav.core("displayname")]?.text == "Chores & <more>")
        #expect(own[Dav.core("resourcetype")]?.first(Dav.calendar("calendar")) != nil)
        func kinds(_ properties: [XMLName: XMLElement]) -> [String] {
            (properties[Dav.calendar("supported-calendar-component-set")]?.children ?? []).compactMap { $0["name"] }
        }
        #expect(kinds(own) == ["VTODO"])
        let rights = own[Dav.core("current-user-privilege-set")]?.children.flatMap(\.children).map(\.name.local) ?? []
        #expect(rights.contains("bind") && rights.contains("unbind") && rights.contains("write-properties"))
        #expect(own[Dav.core("sync-token")] != nil && own[Dav.server("getctag")] != nil)
        #expect(found.contains { kinds($0.properties) == ["VEVENT"] })
    }

    @Test func `a list that one does not see is nowhere, and another's address is not one's own`() throws {
        let hidden = try #require(
            try dav.call("ada", "list.add", ["name": "Presents", "audience": []])["list"]?["id"]?.string)
        _ = try put("a.ics", task("a", "Sweep"))
        let ben = try dav.credential("ben")
        let home = "/dav/calendars/\(try dav.box.person("ben").id)/"
        let body = "<propfind xmlns=\"DAV:\"><prop><displayname/></prop></propfind>"
        let hrefs = try dav.things(try dav.ask("PROPFIND \(home)", ben, ["Depth: 1"], body)).map(\.href)
        #expect(hrefs.contains("\(home)list-\(list.string ?? "")/") && !hrefs.contains { $0.contains(hidden) })
        let absent = "01980000-0000-7000-8000-0000000000ff"
        for id in [hidden, absent] {
            let place = "\(home)list-\(id)/"
            for line in ["PROPFIND \(place)", "GET \(place)a.ics", "DELETE \(place)a.ics", "REPORT \(place)"] {
                let report = "<sync-collection xmlns=\"DAV:\"><sync-token/><prop><getetag/></prop></sync-collection>"
                let answer = try dav.ask(line, ben, ["Depth: 1"], line.hasPrefix("REPORT") ? report : "")
                #expect(answer.status == 404, "\(line)")
            }
            let put = try dav.ask("PUT \(place)a.ics", ben, ["Content-Type: text/calendar"], task("a", "x"))
            #expect(put.status == 404)
        }
        #expect(try dav.ask("GET \(place)a.ics", ben).status == 404)
        // Whoever sees it writes it.
        #expect(
            try dav.ask(
                "PUT \(home)list-\(list.string ?? "")/b.ics", ben, ["Content-Type: text/calendar"], task("b", "Dust")
            ).status == 201)
        #expect(try Set(items().map(\.text)) == ["Sweep", "Dust"])
        // A list that is there is not made anew; and one on which something stands is not removed from a phone.
        for line in ["MKCALENDAR \(place)", "MKCOL \(place)"] {
            #expect(try dav.ask(line, ada).status == 405, "\(line)")
        }
        #expect(try dav.ask("DELETE \(place)", ada).status == 403)
        #expect(try dav.ask("DELETE \(home)list-\(list.string ?? "")/", ben).status == 403)
        #expect(try items().count == 2)
    }

    // MARK: Lists themselves

    private static func making(_ kinds: [String], _ name: String) -> String {
        """
        <C:mkcalendar xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:set><D:prop>\
        <D:displayname>\(name)</D:displayname><C:supported-calendar-component-set>\
        \(kinds.map { "<C:comp name=\"\($0)\"/>" }.joined())</C:supported-calendar-component-set></D:prop></D:set>\
        </C:mkcalendar>
        """
    }

    private func lists(_ who: String) throws -> [JSON] {
        try dav.call(who, "list.list", [:])["lists"]?.array ?? []
    }

    private func named(_ name: String) throws -> JSON? { try lists("ada").first { $0["name"]?.string == name } }

    @Test
    func `a collection of tasks that a phone makes is a list, its maker's alone, at the address that was asked for`()
        throws
    {
        let home = "/dav/calendars/\(try dav.box.person("ada").id)/"
        let place = home + "7B3C0A9E-6B2F/"
        #expect(try dav.ask("MKCALENDAR \(place)", ada, [], Self.making(["VTODO"], "Trip")).status == 201)
        #expect(try dav.ask("MKCALENDAR \(place)", ada, [], Self.making(["VTODO"], "Trip")).status == 405)
        #expect(try dav.ask("MKCALENDAR \(place)", ada, [], Self.making(["VEVENT"], "Trip")).status == 405)
        let made = try #require(try named("Trip"))
        #expect(made["kind"]?.string == "tasks" && made["audience"]?.array?.isEmpty == true)
        #expect(try !lists("ben").contains { $0["name"]?.string == "Trip" })
        // Where it was made it is listed, asked, written and synchronised.
        let body = "<propfind xmlns=\"DAV:\"><prop><displayname/></prop></propfind>"
        let found = try dav.things(try dav.ask("PROPFIND \(home)", ada, ["Depth: 1"], body))
        #expect(found.first { $0.href == place }?.properties[Dav.core("displayname")]?.text == "Trip")
        #expect(!found.contains { $0.href.contains(made["id"]?.string ?? "?") })
        let headers = ["Content-Type: text/calendar"]
        #expect(try dav.ask("PUT \(place)pack.ics", ada, headers, task("p", "Pack")).status == 201)
        let tag = try dav.ask("GET \(place)pack.ics", ada)["ETag"]
        #expect(try dav.tags(ada, in: place) == [place + "pack.ics": tag ?? "?"])
        #expect(try dav.sync(ada, since: "", in: place).there == [place + "pack.ics"])
        let multiget = try dav.things(
            try dav.ask(
                "REPORT \(place)", ada, [],
                """
                <C:calendar-multiget xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:prop><C:calendar-data/>\
                </D:prop><D:href>\(place)pack.ics</D:href></C:calendar-multiget>
                """))
        let text = multiget.first?.properties[Dav.calendar("calendar-data")]?.text ?? ""
        #expect(multiget.map(\.href) == [place + "pack.ics"] && text.contains("SUMMARY:Pack"))
        // It has another name; its colour has no place.
        func setting(_ property: String) -> String {
            """
            <D:propertyupdate xmlns:D="DAV:" xmlns:A="http://apple.com/ns/ical/"><D:set><D:prop>\(property)</D:prop>\
            </D:set></D:propertyupdate>
            """
        }
        let set = try dav.ask("PROPPATCH \(place)", ada, [], setting("<D:displayname>Trip to Rome</D:displayname>"))
        #expect(set.status == 207 && set.text.contains("200 OK"))
        #expect(try named("Trip to Rome")?["id"] == made["id"])
        let colour = setting("<A:calendar-color>#FF0000FF</A:calendar-color>")
        #expect(try dav.ask("PROPPATCH \(place)", ada, [], colour).text.contains("403 Forbidden"))
        // With something on it it stays; empty it goes, and another may be made there.
        #expect(try dav.ask("DELETE \(place)", ada).status == 403)
        #expect(try dav.ask("DELETE \(place)pack.ics", ada).status == 204)
        #expect(try dav.ask("DELETE \(place)", ada).status == 204)
        #expect(try dav.ask("PROPFIND \(place)", ada, ["Depth: 0"], body).status == 404)
        #expect(try named("Trip to Rome") == nil)
        #expect(try dav.ask("MKCALENDAR \(place)", ada, [], Self.making(["VEVENT"], "Work")).status == 201)
        #expect(try dav.ask("MKCALENDAR \(place)", ada, [], Self.making(["VTODO"], "Work")).status == 405)
    }

    @Test func `a list goes by its own name for others, and by its maker's name for nobody else`() throws {
        let (home, bens) = (
            "/dav/calendars/\(try dav.box.person("ada").id)/", "/dav/calendars/\(try dav.box.person("ben").id)/"
        )
        #expect(try dav.ask("MKCALENDAR \(home)own/", ada, [], Self.making(["VTODO"], "Own")).status == 201)
        let id = try #require(try named("Own")?["id"])
        let ben = try dav.credential("ben")
        let body = "<propfind xmlns=\"DAV:\"><prop><displayname/></prop></propfind>"
        for name in ["own", "list-\(id.string ?? "")"] {
            #expect(try dav.ask("PROPFIND \(bens)\(name)/", ben, ["Depth: 0"], body).status == 404)
            #expect(try dav.ask("PROPFIND \(home)\(name)/", ben, ["Depth: 0"], body).status == 404)
        }
        _ = try dav.call("ada", "list.update", ["list": id, "audience": "everyone"])
        #expect(try dav.ask("PROPFIND \(bens)own/", ben, ["Depth: 0"], body).status == 404)
        let found = try dav.things(
            try dav.ask("PROPFIND \(bens)list-\(id.string ?? "")/", ben, ["Depth: 0"], body))
        #expect(found.map(\.href) == ["\(bens)list-\(id.string ?? "")/"])
        // A guest makes none; and what is neither events nor tasks has no place.
        #expect(try dav.ask("MKCALENDAR \(home)j/", ada, [], Self.making(["VJOURNAL"], "Diary")).status == 403)
    }

    // MARK: Tasks

    @Test func `what a phone writes is an item, and is given back with what lists have no place for`() throws {
        let text = task(
            "7423", "Water the plants",
            [
                "DESCRIPTION:Not the cactus\\nnever", "DUE;TZID=Europe/Berlin:20261124T180000", "PRIORITY:1",
                "CATEGORIES:Garden", "X-APPLE-SORT-ORDER:42", "RELATED-TO;RELTYPE=PARENT:other", "STATUS:IN-PROCESS",
                "PERCENT-COMPLETE:40", "BEGIN:VALARM", "TRIGGER:-PT15M", "ACTION:DISPLAY", "END:VALARM",
            ])
        #expect(try put("7423.ics", text, ["If-None-Match: *"]).status == 201)
        #expect(try put("7423.ics", text, ["If-None-Match: *"]).status == 412)
        let item = try #require(try items().first)
        #expect(item.text == "Water the plants" && item.note == "Not the cactus\nnever" && item.due == "2026-11-24")
        #expect(!item.isTicked)
        let read = try get("7423.ics")
        #expect(read.status == 200 && read["Content-Type"] == "text/calendar; charset=utf-8; component=VTODO")
        for line in [
            "UID:7423", "DUE;TZID=Europe/Berlin:20261124T180000", "PRIORITY:1", "CATEGORIES:Garden",
            "X-APPLE-SORT-ORDER:42", "RELATED-TO;RELTYPE=PARENT:other", "STATUS:IN-PROCESS", "PERCENT-COMPLETE:40",
            "TRIGGER:-PT15M",
        ] { #expect(read.text.contains(line + "\r\n"), "\(line)") }
        let etag = try #require(read["ETag"])
        #expect(try dav.tags(ada, in: place) == [place + "7423.ics": etag])
        // Written back as it is, nothing changed.
        #expect(try put("7423.ics", read.text, ["If-Match: \(etag)"]).status == 204)
        #expect(try get("7423.ics")["ETag"] == etag)
        // Ticked on the phone; open again in Kinwire: what the phone had said is there again.
        let done = task("7423", "Water the plants", ["STATUS:COMPLETED", "COMPLETED:20261120T190000Z", "PRIORITY:1"])
        #expect(try put("7423.ics", done, ["If-Match: \(etag)"]).status == 204)
        #expect(try items().first?.isTicked == true && items().first?.due == nil && items().first?.note == nil)
        #expect(try get("7423.ics").text.contains("STATUS:COMPLETED\r\nPERCENT-COMPLETE:100\r\nCOMPLETED:2"))
        #expect(try put("7423.ics", text, ["If-Match: \(etag)"]).status == 412)
    }

    @Test func `what is said in Kinwire is a task, with its amount and its day`() throws {
        try say(Self.milk, ["text": "Milk", "amount": 2, "unit": "l", "due": "2026-12-01", "note": "Oat"])
        let name = Self.milk + ".ics"
        let read = try get(name)
        for line in [
            "UID:\(Self.milk)", "SUMMARY:Milk (2 l)", "DUE;VALUE=DATE:20261201", "DESCRIPTION:Oat",
            "STATUS:NEEDS-ACTION",
        ] {
            #expect(read.text.contains(line + "\r\n"), "\(line)")
        }
        // Another word keeps the amount; another amount is in the words.
        let etag = try #require(read["ETag"])
        let renamed = read.text.replacing("SUMMARY:Milk (2 l)", with: "SUMMARY:Whole milk (2 l)")
        #expect(try put(name, renamed, ["If-Match: \(etag)"]).status == 204)
        #expect(try items().first?.text == "Whole milk" && items().first?.amount == 2)
        let more = renamed.replacing("(2 l)", with: "(3 l)")
        #expect(try put(name, more).status == 204)
        #expect(try items().first?.text == "Whole milk (3 l)" && items().first?.amount == nil)
        // Another day in Kinwire is another DUE.
        try say(Self.milk, ["due": "2026-12-02"])
        #expect(try get(name).text.contains("DUE;VALUE=DATE:20261202\r\n"))
    }

    @Test(arguments: [String(repeating: "long ", count: 39) + "word", "Milk  and   more"])
    func `a tick changes no words, however long they are and however they are spaced`(words: String) throws {
        try say(Self.milk, ["text": .string(words), "amount": 2, "unit": "l"])
        let stored = try #require(try items().first?.text)
        let name = Self.milk + ".ics"
        let read = try get(name)
        let ticked = read.text.replacing("STATUS:NEEDS-ACTION", with: "STATUS:COMPLETED")
        #expect(try put(name, ticked, ["If-Match: \(try #require(read["ETag"]))"]).status == 204)
        let item = try #require(try items().first)
        #expect(item.isTicked && item.text == stored && item.amount == 2 && item.unit == "l")
    }

    @Test func `an older word never stands over a newer one, and what is removed stays removed`() throws {
        #expect(try put("a.ics", task("a", "Sweep")).status == 201)
        let id = try #require(try items().first?.id)
        dav.box.time.advance(milliseconds: 60_000)
        try say(id.description, ["ticked": true])
        // Written an hour ago, by a client that says so and knows nothing newer.
        let old = task("a", "Sweep the stairs", ["LAST-MODIFIED:20200101T000000Z", "STATUS:NEEDS-ACTION"])
        #expect(try put("a.ics", old).status == 204)
        #expect(try items().first?.isTicked == true && items().first?.text == "Sweep")
        // The same by a client that saw the tick is an edit of now.
        let etag = try #require(try get("a.ics")["ETag"])
        #expect(try put("a.ics", old, ["If-Match: \(etag)"]).status == 204)
        #expect(try items().first?.isTicked == false && items().first?.text == "Sweep the stairs")
        #expect(try dav.ask("DELETE \(place)a.ics", ada, ["If-Match: \(etag)"]).status == 412)
        #expect(try dav.ask("DELETE \(place)a.ics", ada).status == 204)
        #expect(try items().isEmpty && get("a.ics").status == 404)
        #expect(try dav.ask("DELETE \(place)a.ics", ada).status == 404)
        #expect(try say(id.description, ["text": "Sweep"])["removed"] == [.id(id)])
        // The same name and UID is another item.
        #expect(try put("a.ics", task("a", "Sweep")).status == 201)
        #expect(try items().first?.id != id)
    }

    @Test func `what is no single task is refused by its rule`() throws {
        let event = DavBox.event("u", "Choir")
        let two = task("a", "x").replacing("END:VTODO", with: "END:VTODO\r\nBEGIN:VTODO\r\nUID:a\r\nEND:VTODO")
        for (text, condition) in [
            (event, "supported-calendar-component"), ("BEGIN:VCARD\r\nEND:VCARD\r\n", "valid-calendar-data"),
            ("no text at all", "valid-calendar-data"), (two, "valid-calendar-object-resource"),
            (task("", "x"), "valid-calendar-data"),
        ] {
            let answer = try put("a.ics", text)
            #expect(answer.status == 403 && answer.text.contains(condition), "\(condition): \(answer.text)")
        }
        #expect(try put("a.ics", task("a", "x", ["X-A:" + String(repeating: "y", count: 20_000)])).status == 413)
        #expect(try put("a.ics", task("a", "Sweep")).status == 201)
        #expect(try put("b.ics", task("a", "Sweep")).status == 409)
        #expect(try put("a.ics", task("b", "Sweep")).status == 409)
        #expect(try items().count == 1)
    }

    // MARK: Reports

    @Test func `sync-collection tells what came, changed and went, from any point`() throws {
        for index in 0..<5 { #expect(try put("t\(index).ics", task("t\(index)", "Task \(index)")).status == 201) }
        let first = try dav.sync(ada, since: "", in: place)
        #expect(first.there.count == 5 && first.gone.isEmpty)
        try say(Self.milk, ["text": "Milk"])
        #expect(try put("t1.ics", task("t1", "Task one")).status == 204)
        #expect(try dav.ask("DELETE \(place)t2.ics", ada).status == 204)
        let second = try dav.sync(ada, since: first.token, in: place)
        #expect(Set(second.there) == [place + "t1.ics", place + Self.milk + ".ics"])
        #expect(second.gone == [place + "t2.ics"])
        #expect(try dav.sync(ada, since: second.token, in: place).there.isEmpty)
        // A few at a time; and of what went nothing is said to whoever never had it.
        var (token, seen) = ("", Set<String>())
        for _ in 0..<10 {
            let some = try dav.sync(ada, since: token, limit: 2, in: place)
            seen.formUnion(some.there)
            #expect(token.isEmpty ? some.gone.isEmpty : true)
            token = some.token
            if !some.cut { break }
        }
        #expect(seen.count == 5)
        let bad = try dav.ask(
            "REPORT \(place)", ada, [],
            """
            <D:sync-collection xmlns:D="DAV:"><D:sync-token>urn:kinwire:sync:x-99</D:sync-token><D:sync-level>1</D:sync-level>\
            <D:prop><D:getetag/></D:prop></D:sync-collection>
            """)
        #expect(bad.status == 403 && bad.text.contains("valid-sync-token"))
    }

    @Test func `of what went before somebody saw the list nothing is said, whatever token is shown`() throws {
        let ben = try dav.credential("ben")
        let theirs = "/dav/calendars/\(try dav.box.person("ben").id)/list-\(list.string ?? "")/"
        #expect(try put("a.ics", task("a", "Sweep")).status == 201)
        let before = try dav.sync(ben, since: "", in: theirs).token
        _ = try dav.call("ada", "list.update", ["list": list, "audience": []])
        for name in ["b.ics", "c.ics"] { #expect(try put(name, task(name, "Hidden")).status == 201) }
        #expect(try dav.ask("DELETE \(place)b.ics", ada).status == 204)
        _ = try dav.call("ada", "list.update", ["list": list, "audience": "everyone"])
        func sync(_ token: String) throws -> BoxResponse {
            try dav.ask(
                "REPORT \(theirs)", ben, [],
                """
                <D:sync-collection xmlns:D="DAV:"><D:sync-token>\(token)</D:sync-token><D:sync-level>1</D:sync-level>\
                <D:prop><D:getetag/></D:prop></D:sync-collection>
                """)
        }
        // The former one, and one that was made up.
        let first = String(before.prefix { $0 != "-" }) + "-0"
        for token in [before, first] {
            let answer = try sync(token)
            #expect(answer.status == 403 && answer.text.contains("valid-sync-token") && !answer.text.contains("b.ics"))
        }
        let now = try dav.sync(ben, since: "", in: theirs)
        #expect(Set(now.there) == [theirs + "a.ics", theirs + "c.ics"] && now.gone.isEmpty)
        #expect(try dav.ask("DELETE \(place)c.ics", ada).status == 204)
        #expect(try dav.sync(ben, since: now.token, in: theirs).gone == [theirs + "c.ics"])
    }

    /// The table of RFC 4791, 9.9.
    @Test(
        arguments: [
            (["DTSTART:20270102T100000Z", "DURATION:PT2H"], true),
            (["DTSTART:20261231T230000Z", "DURATION:PT2H"], true),
            (["DTSTART:20261231T200000Z", "DURATION:PT2H"], false), (["DTSTART:20270104T000000Z"], false),
            (["DTSTART:20270103T000000Z"], true), (["DTSTART:20261230T000000Z", "DUE:20270101T000001Z"], true),
            (["DTSTART:20261230T000000Z", "DUE:20261231T000000Z"], false), (["DUE:20270102T000000Z"], true),
            (["DUE;TZID=Pacific/Auckland:20270101T100000"], false),
            (["DUE;TZID=Pacific/Auckland:20270101T130001"], true),
            (["DUE;VALUE=DATE:20260101"], false), (["COMPLETED:20270102T000000Z"], true),
            (["CREATED:20280101T000000Z", "COMPLETED:20280102T000000Z"], false), (["CREATED:20200101T000000Z"], true),
            ([], true), (["DTSTART:20261101T100000Z", "DUE:20261101T110000Z", "RRULE:FREQ=DAILY"], true),
            (["DTSTART:20261101T100000Z", "DUE:20261101T110000Z", "RRULE:FREQ=DAILY;COUNT=3"], false),
        ] as [([String], Bool)])
    func `tasks are found by when they are to be done`(_ lines: [String], _ isFound: Bool) throws {
        let range = "<C:time-range start=\"20270101T000000Z\" end=\"20270104T000000Z\"/>"
        let filter = try CalendarFilter(
            try XMLReader.read(
                Array(
                    """
                    <C:filter xmlns:C="urn:ietf:params:xml:ns:caldav"><C:comp-filter name="VCALENDAR">\
                    <C:comp-filter name="VTODO">\(range)</C:comp-filter></C:comp-filter></C:filter>
                    """.utf8)))
        #expect(filter.fits(task("t", "Something", lines)) == isFound)
    }

    @Test func `a query finds a task by when it is due`() throws {
        _ = try put("a.ics", task("a", "Now", ["DUE;VALUE=DATE:20270103"]))
        _ = try put("b.ics", task("b", "Later", ["DUE;VALUE=DATE:20270203"]))
        let found = try dav.things(
            try dav.ask(
                "REPORT \(place)", ada, ["Depth: 1"],
                """
                <C:calendar-query xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:prop><D:getetag/></D:prop>\
                <C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VTODO">\
                <C:time-range start="20270101T000000Z" end="20270104T000000Z"/></C:comp-filter></C:comp-filter></C:filter>\
                </C:calendar-query>
                """))
        #expect(found.map(\.href) == [place + "a.ics"])
    }

    @Test func `DAVx5 asks for tasks by calendar-query and multiget`() throws {
        #expect(try put("a.ics", task("a", "Sweep")).status == 201)
        #expect(try put("b.ics", task("b", "Dust", ["STATUS:COMPLETED", "COMPLETED:20261120T190000Z"])).status == 201)
        func query(_ filter: String) throws -> [String] {
            let answer = try dav.ask(
                "REPORT \(place)", ada, ["Depth: 1"],
                """
                <CAL:calendar-query xmlns="DAV:" xmlns:CAL="urn:ietf:params:xml:ns:caldav"><prop><getetag/></prop>\
                <CAL:filter><CAL:comp-filter name="VCALENDAR">\(filter)</CAL:comp-filter></CAL:filter></CAL:calendar-query>
                """)
            return try dav.things(answer).map(\.href).sorted()
        }
        #expect(try query("<CAL:comp-filter name=\"VTODO\"/>") == [place + "a.ics", place + "b.ics"])
        #expect(try query("<CAL:comp-filter name=\"VEVENT\"/>") == [])
        let open =
            "<CAL:comp-filter name=\"VTODO\"><CAL:prop-filter name=\"COMPLETED\"><CAL:is-not-defined/></CAL:prop-filter></CAL:comp-filter>"
        #expect(try query(open) == [place + "a.ics"])
        let answer = try dav.ask(
            "REPORT \(place)", ada, ["Depth: 0"],
            """
            <CAL:calendar-multiget xmlns="DAV:" xmlns:CAL="urn:ietf:params:xml:ns:caldav"><prop><getcontenttype/><getetag/>\
            <CAL:calendar-data/></prop><href>\(place)a.ics</href><href>\(place)nothing.ics</href></CAL:calendar-multiget>
            """)
        let things = try dav.things(answer)
        #expect(things.map(\.href) == [place + "a.ics", place + "nothing.ics"])
        #expect(things[0].properties[Dav.calendar("calendar-data")]?.text.contains("SUMMARY:Sweep") == true)
        #expect(things[0].properties[Dav.core("getetag")]?.text == (try get("a.ics"))["ETag"])
        #expect(things[1].status?.contains("404") == true)
    }
}
