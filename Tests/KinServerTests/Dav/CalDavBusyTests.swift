import KinCodec
import KinModel
import KinXML
import KinSimulation
import Testing

@testable import KinServer
@testable import KinServerBox

/// When members are busy, for sure or perhaps: asked of a calendar (RFC 4791, 7.10) and of members (RFC 6638, 5).
@Suite struct CalDavBusyTests {
    private let dav: DavBox
    private let credentials: [String: String]

    init() throws {
        dav = try DavBox()
        credentials = ["ada": try dav.credential("ada"), "ben": try dav.credential("ben")]
    }

    private func credential(_ name: String) throws -> String { try #require(credentials[name]) }

    private func id(_ name: String) throws -> JSON { .id(try dav.box.person(name).id) }

    private func address(_ name: String) throws -> String { "mailto:\(try dav.box.person(name).id)@kinwire.invalid" }

    /// The lines of FREEBUSY that a calendar answers with.
    private func asked(of place: String, _ who: String) throws -> [String] {
        let answer = try dav.ask(
            "REPORT \(place)", try credential(who), [],
            "<C:free-busy-query xmlns:C=\"urn:ietf:params:xml:ns:caldav\"><C:time-range start=\"20261201T000000Z\" end=\"20261202T000000Z\"/></C:free-busy-query>"
        )
        #expect(answer.status == 200 && answer.text.contains("BEGIN:VFREEBUSY"), "\(answer.text)")
        return lines(answer.text)
    }

    /// The same that the outbox answers with, of one member.
    private func asked(_ who: String, about member: String) throws -> [String] {
        let question = [
            "BEGIN:VCALENDAR", "VERSION:2.0", "METHOD:REQUEST", "BEGIN:VFREEBUSY", "UID:q", "DTSTAMP:20261101T000000Z",
            "DTSTART:20261201T000000Z", "DTEND:20261202T000000Z", "ORGANIZER:\(try address(who))",
            "ATTENDEE:\(try address(member))", "END:VFREEBUSY", "END:VCALENDAR", "",
        ].joined(separator: "\r\n")
        let outbox = "/dav/calendars/\(try dav.box.person(who).id)/outbox/"
        let answer = try dav.ask(
            "POST \(outbox)", try credential(who), ["Content-Type: text/calendar"], question)
        #expect(answer.status == 200 && answer.text.contains("2.0;Success"), "\(answer.text)")
        let data = try XMLReader.read(answer.body).first(Dav.calendar("response"))?.first(Dav.calendar("calendar-data"))
        return lines(data?.text ?? "")
    }

    private func lines(_ text: String) -> [String] {
        text.replacing("\r\n", with: "\n").split(separator: "\n").map { String($0) }.filter { $0.hasPrefix("FREEBUSY") }
    }

    private static let hour = "20261201T170000Z/20261201T180000Z"

    @Test(
        arguments: [
            ([], "FREEBUSY:"), (["STATUS:CONFIRMED"], "FREEBUSY:"),
            (["STATUS:TENTATIVE"], "FREEBUSY;FBTYPE=BUSY-TENTATIVE:"), (["STATUS:CANCELLED"], nil),
            (["TRANSP:TRANSPARENT"], nil), (["STATUS:TENTATIVE", "TRANSP:TRANSPARENT"], nil),
        ] as [([String], String?)])
    func `what may take place makes busy perhaps, and what does not, or is shown as free, not at all`(
        _ lines: [String], _ kind: String?
    ) throws {
        let own = try dav.calendar(of: "ada")
        let event = DavBox.event("u1", "Choir", ["DTSTART:20261201T170000Z", "DTEND:20261201T180000Z"] + lines)
        #expect(try dav.ask("PUT \(own)a.ics", try credential("ada"), [], event).status == 201)
        let expected = kind.map { [$0 + Self.hour] } ?? []
        #expect(try asked(of: own, "ada") == expected && asked("ada", about: "ada") == expected)
        // Who reads the calendar is told the same; to who sees times alone each is like the other.
        let shared = try dav.calendar(of: "ben", try id("ada").string)
        for (right, told) in [("read", expected), ("busy", kind == nil ? [] : ["FREEBUSY:" + Self.hour])] {
            _ = try dav.call(
                "ada", "calendar.share", ["calendar": try id("ada"), "with": try id("ben"), "right": .string(right)])
            #expect(try asked(of: shared, "ben") == told, "\(right)")
            #expect(try asked("ben", about: "ada") == told, "\(right)")
        }
    }

    @Test(
        arguments: [
            ([], ["TRANSP:TRANSPARENT"], nil), (["TRANSP:TRANSPARENT"], ["TRANSP:OPAQUE"], "FREEBUSY:"),
            ([], ["TRANSP:OPAQUE"], "FREEBUSY:"), (["TRANSP:TRANSPARENT"], [], nil),
            ([], ["STATUS:TENTATIVE"], "FREEBUSY;FBTYPE=BUSY-TENTATIVE:"),
            (["STATUS:TENTATIVE"], [], "FREEBUSY;FBTYPE=BUSY-TENTATIVE:"),
        ] as [([String], [String], String?)])
    func `a single day makes busy as it says itself`(_ all: [String], _ day: [String], _ kind: String?) throws {
        let own = try dav.calendar(of: "ada")
        let head = ["UID:u1", "DTSTAMP:20261101T000000Z", "SUMMARY:Choir"]
        let event = DavBox.object([
            head + ["DTSTART:20261124T170000Z", "DTEND:20261124T180000Z", "RRULE:FREQ=WEEKLY"] + all,
            head + ["RECURRENCE-ID:20261201T170000Z", "DTSTART:20261201T170000Z", "DTEND:20261201T180000Z"] + day,
        ])
        #expect(try dav.ask("PUT \(own)a.ics", try credential("ada"), [], event).status == 201)
        // What a day does not say of itself is as in all of it.
        let expected = kind.map { [$0 + Self.hour] } ?? []
        #expect(try asked(of: own, "ada") == expected && asked("ada", about: "ada") == expected)
        let shared = try dav.calendar(of: "ben", try id("ada").string)
        _ = try dav.call(
            "ada", "calendar.share", ["calendar": try id("ada"), "with": try id("ben"), "right": "busy"])
        let told = kind == nil ? [] : ["FREEBUSY:" + Self.hour]
        #expect(try asked(of: shared, "ben") == told && asked("ben", about: "ada") == told)
    }

    @Test func `an invitation makes busy as far as its answer says, once or each time`() throws {
        let made = try dav.call(
            "ada", "entry.add",
            [
                "subject": "Choir", "start": "2026-11-24T17:00", "zone": "UTC", "repeat": "weekly",
                "invitees": [try id("ben")],
            ])
        let entry = try #require(made["entry"]?["id"])
        let own = try dav.calendar(of: "ben")
        func answers(_ answer: String, _ occurrence: JSON = .null) throws {
            _ = try dav.call(
                "ben", "entry.answer",
                .object(leavingOut: [
                    "entry": entry, "answer": .string(answer),
                    "occurrence": occurrence.isNull ? JSON?.none : occurrence,
                ]))
        }
        func isTold(_ expected: [String]) throws -> Bool {
            try asked(of: own, "ben") == expected && asked("ben", about: "ben") == expected
        }
        let (busy, perhaps) = ("FREEBUSY:" + Self.hour, "FREEBUSY;FBTYPE=BUSY-TENTATIVE:" + Self.hour)
        #expect(try isTold([busy]), "not answered")
        for (answer, expected) in [("accepted", [busy]), ("tentative", [perhaps]), ("declined", [])] {
            try answers(answer)
            #expect(try isTold(expected), "\(answer)")
        }
        try answers("tentative", "2026-12-01T17:00")
        #expect(try isTold([perhaps]))
        try answers("accepted")
        try answers("declined", "2026-12-01T17:00")
        #expect(try isTold([]))
        // Whose entry it is comes, whatever others say.
        #expect(try asked(of: try dav.calendar(of: "ada"), "ada") == [busy])
    }

    @Test func `the open slots of a meeting are held perhaps, and what is certain beside them is certain`() throws {
        let start = try #require(Instant("2026-12-01T17:00:00Z"))
        let now = Instant(milliseconds: dav.box.time.wallMilliseconds())
        try #require(now < start)
        let slots: [JSON] = [start, start.adding(days: 1)].map {
            ["start": .time($0), "end": .time($0.adding(seconds: 3600))]
        }
        _ = try dav.call(
            "ada", "meeting.propose",
            [
                "title": "Party", "kind": "group", "zone": "UTC", "slots": .array(slots), "invitees": [try id("ben")],
            ])
        let perhaps = ["FREEBUSY;FBTYPE=BUSY-TENTATIVE:" + Self.hour]
        for who in ["ada", "ben"] { #expect(try asked(who, about: who) == perhaps, "\(who)") }
        let calendars = try dav.call("ben", "calendar.list", [:])["calendars"]?.array ?? []
        let decide = try #require(calendars.first { $0["kind"] == "toDecide" }?["id"]?.string)
        #expect(try asked(of: try dav.calendar(of: "ben", decide), "ben") == perhaps)
        _ = try dav.call("ben", "entry.add", ["subject": "Swim", "start": "2026-12-01T17:30", "zone": "UTC"])
        #expect(
            try asked("ben", about: "ben") == [
                "FREEBUSY;FBTYPE=BUSY-TENTATIVE:20261201T170000Z/20261201T173000Z",
                "FREEBUSY:20261201T173000Z/20261201T183000Z",
            ])
    }

    /// RFC 6638, 9.1: the property may be protected.
    @Test func `a calendar says whether it makes busy, and no client sets that`() throws {
        _ = try dav.call("ada", "calendar.allowOutside", ["on": true])
        let made = try dav.call(
            "ada", "calendar.subscribe", ["address": "https://school.example/year.ics", "name": "School"])
        let school = try #require(made["calendar"]?["id"])
        _ = try dav.call("ada", "calendar.share", ["calendar": school, "with": "everyone", "right": "read"])
        func kind(_ who: String, _ calendar: String?) throws -> String? {
            let answer = try dav.ask(
                "PROPFIND \(try dav.calendar(of: who, calendar))", try credential(who), ["Depth: 0"],
                "<propfind xmlns=\"DAV:\"><prop><C:schedule-calendar-transp xmlns:C=\"urn:ietf:params:xml:ns:caldav\"/></prop></propfind>"
            )
            return try dav.things(answer)[0].properties[Dav.calendar("schedule-calendar-transp")]?.children.first?
                .name.local
        }
        let calendars = try dav.call("ada", "calendar.list", [:])["calendars"]?.array ?? []
        let birthdays = try #require(calendars.first { $0["kind"] == "birthdays" }?["id"]?.string)
        #expect(try kind("ada", nil) == "opaque" && kind("ada", birthdays) == "transparent")
        #expect(try kind("ada", school.string) == "opaque" && kind("ben", school.string) == "transparent")
        for place in [try dav.calendar(of: "ada"), try dav.calendar(of: "ada", birthdays)] {
            let answer = try dav.ask(
                "PROPPATCH \(place)", try credential("ada"), [],
                "<D:propertyupdate\(Dav.declarations)><D:set><D:prop><C:schedule-calendar-transp><C:transparent/></C:schedule-calendar-transp></D:prop></D:set></D:propertyupdate>"
            )
            #expect(answer.status == 207 && answer.text.contains("HTTP/1.1 403"), "\(answer.text)")
            #expect(answer.text.contains("<D:cannot-modify-protected-property/>"))
        }
        #expect(try kind("ada", nil) == "opaque")
    }

    /// RFC 6638, 5.2.
    @Test func `whoever asks by an outbox asks in their own name`() throws {
        let own = try dav.box.person("ada").id
        let outbox = "/dav/calendars/\(own)/outbox/"
        func status(_ organizer: [String]) throws -> Int {
            let question =
                ["BEGIN:VCALENDAR", "VERSION:2.0", "METHOD:REQUEST", "BEGIN:VFREEBUSY", "UID:q"]
                + ["DTSTAMP:20261101T000000Z", "DTSTART:20261201T000000Z", "DTEND:20261202T000000Z"] + organizer
                + ["ATTENDEE:\(try address("ada"))", "END:VFREEBUSY", "END:VCALENDAR", ""]
            let answer = try dav.ask(
                "POST \(outbox)", try credential("ada"), ["Content-Type: text/calendar"],
                question.joined(separator: "\r\n"))
            #expect(answer.text.contains("<C:valid-organizer/>") == (answer.status == 403), "\(answer.text)")
            #expect(answer.text.contains("BEGIN:VFREEBUSY") == (answer.status == 200), "\(answer.text)")
            return answer.status
        }
        for address in [
            try address("ada"), try address("ada").uppercased(), "/dav/principals/\(own)/",
            "https://box.local/dav/principals/\(own)/",
        ] {
            #expect(try status(["ORGANIZER;CN=Ada:\(address)"]) == 200, "\(address)")
        }
        for address in [try address("ben"), "mailto:boss@example.org", "/dav/principals/"] {
            #expect(try status(["ORGANIZER:\(address)"]) == 403, "\(address)")
        }
        #expect(try status([]) == 403)
    }

    @Test func `who asks for more time than is looked through at once is told how much that is`() throws {
        let answer = try dav.ask(
            "REPORT \(try dav.calendar(of: "ada"))", try credential("ada"), [],
            "<C:free-busy-query xmlns:C=\"urn:ietf:params:xml:ns:caldav\"><C:time-range start=\"20261201T000000Z\" end=\"20280301T000000Z\"/></C:free-busy-query>"
        )
        #expect((400..<500).contains(answer.status) && answer.text.contains("Ask for 400 days at most."))
    }
}
