import KinCodec
import KinModel
import KinXML
import Testing

@testable import KinServer
@testable import KinServerBox

/// Queries for what properties say of times (RFC 4791, 9.7.2 and 9.9).
@Suite struct CalDavFilterTests {
    private let dav: DavBox
    private let ada: String
    private let own: String

    /// One event has a time and a beginning in a zone, the other a period.
    init() throws {
        dav = try DavBox()
        ada = try dav.credential("ada")
        own = try dav.calendar(of: "ada")
        let timed = [
            "DTSTART;TZID=Europe/Berlin:20270302T003000", "DTEND;TZID=Europe/Berlin:20270302T013000",
            "X-WHEN:20270302T100000Z",
        ]
        for (name, lines) in [("a", timed), ("b", ["X-SPAN:20270201T000000Z/PT1H,20270301T000000Z/PT12H"])] {
            let put = try dav.ask("PUT \(own)\(name).ics", ada, [], DavBox.event(name, "Event \(name)", lines))
            #expect(put.status == 201, "\(put.text)")
        }
    }

    private func ask(_ property: String, _ range: String) throws -> BoxResponse {
        try dav.ask(
            "REPORT \(own)", ada, ["Depth: 1"],
            """
            <C:calendar-query xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:prop><D:getetag/></D:prop>\
            <C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT"><C:prop-filter name="\(property)">\
            <C:time-range \(range)/></C:prop-filter></C:comp-filter></C:comp-filter></C:filter></C:calendar-query>
            """)
    }

    @Test(
        arguments: [
            ("X-WHEN", "start=\"20270302T100000Z\" end=\"20270302T100001Z\"", "a"),
            ("X-WHEN", "start=\"20270302T090000Z\" end=\"20270302T100000Z\"", nil),
            ("X-WHEN", "start=\"20270302T090000Z\"", "a"), ("X-WHEN", "end=\"20270302T090000Z\"", nil),
            ("DTSTART", "start=\"20270301T230000Z\" end=\"20270302T000000Z\"", "a"),
            ("X-SPAN", "start=\"20270301T110000Z\" end=\"20270301T130000Z\"", "b"),
            ("X-SPAN", "start=\"20270301T120000Z\" end=\"20270301T130000Z\"", nil),
            ("SUMMARY", "start=\"20270101T000000Z\"", nil),
        ] as [(String, String, String?)])
    func `events are found by the time that a property says`(_ property: String, _ range: String, _ name: String?)
        throws
    {
        let found = try dav.things(try ask(property, range)).map(\.href)
        #expect(found == (name.map { ["\(own)\($0).ics"] } ?? []))
    }

    @Test func `a time that is none is refused by its rule`() throws {
        for range in ["", "start=\"yesterday\"", "start=\"20270302T100000Z\" end=\"20270302T100000Z\""] {
            let answer = try ask("X-WHEN", range)
            #expect(answer.status == 403 && answer.text.contains("<C:supported-filter/>"), "\(range): \(answer.text)")
        }
    }

    /// RFC 4791, 9.6.5: what is found is decided by the filter, and what is written of it by `expand`.
    @Test func `occurrences are written by themselves within another time than the one that finds their event`() throws
    {
        let daily = ["DTSTART:20270310T100000Z", "DTEND:20270310T110000Z", "RRULE:FREQ=DAILY;COUNT=5"]
        #expect(try dav.ask("PUT \(own)c.ics", ada, [], DavBox.event("c", "Course", daily)).status == 201)
        func texts(_ kind: String, _ expand: String, _ what: String) throws -> [String: [String]] {
            let answer = try dav.ask(
                "REPORT \(own)", ada, ["Depth: 1"],
                """
                <C:\(kind) xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:prop><C:calendar-data><C:expand \
                \(expand)/></C:calendar-data></D:prop>\(what)</C:\(kind)>
                """)
            var found: [String: [String]] = [:]
            for thing in try dav.things(answer) {
                let text = thing.properties[Dav.calendar("calendar-data")]?.text ?? ""
                #expect(!text.contains("RRULE"), "\(text)")
                found[String(thing.href.dropFirst(own.count))] = text.split(whereSeparator: \.isNewline).filter {
                    $0.hasPrefix("DTSTART")
                }.map { String($0.dropFirst("DTSTART:202703".count).prefix(2)) }
            }
            return found
        }
        let month = "start=\"20270301T000000Z\" end=\"20270313T000000Z\""
        let day = """
            <C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT"><C:time-range \
            start="20270310T000000Z" end="20270311T000000Z"/></C:comp-filter></C:comp-filter></C:filter>
            """
        #expect(try texts("calendar-query", month, day) == ["c.ics": ["10", "11", "12"]])
        let hrefs = "<D:href>\(own)c.ics</D:href><D:href>\(own)a.ics</D:href>"
        #expect(try texts("calendar-multiget", month, hrefs) == ["c.ics": ["10", "11", "12"], "a.ics": ["01"]])
        // A long time goes by another way, and comes to the same.
        let years = day.replacing("20270311", with: "20290311")
        #expect(try texts("calendar-query", month, years) == ["c.ics": ["10", "11", "12"]])
    }

    /// RFC 4791, 9.8: whole days are those of the zone that the query names.
    @Test(
        arguments: [
            ("Pacific/Auckland", "20261102T120000Z", true), ("Pacific/Auckland", "20261103T120000Z", false),
            ("Pacific/Honolulu", "20261102T120000Z", false), ("Pacific/Honolulu", "20261104T090000Z", true),
        ])
    func `a query finds whole days in the zone that it names`(_ zone: String, _ start: String, _ isFound: Bool) throws {
        let day = ["DTSTART;VALUE=DATE:20261103", "DTEND;VALUE=DATE:20261104"]
        #expect(try dav.ask("PUT \(own)day.ics", ada, [], DavBox.event("day", "Day off", day)).status == 201)
        let begin = try #require(Int(start.prefix(11).suffix(2)))
        let end = start.prefix(9) + "\(begin < 9 ? "0" : "")\(begin + 1)0000Z"
        func ask(_ timezone: String) throws -> BoxResponse {
            try dav.ask(
                "REPORT \(own)", ada, ["Depth: 1"],
                """
                <C:calendar-query xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:prop><D:getetag/></D:prop>\
                <C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT"><C:time-range start="\(start)" \
                end="\(end)"/></C:comp-filter></C:comp-filter></C:filter><C:timezone>\(timezone)</C:timezone>\
                </C:calendar-query>
                """)
        }
        let named = [
            "BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:VTIMEZONE", "TZID:\(zone)", "BEGIN:STANDARD",
            "DTSTART:19700101T000000", "TZOFFSETFROM:+0000", "TZOFFSETTO:+0000", "END:STANDARD", "END:VTIMEZONE",
            "END:VCALENDAR",
        ].joined(separator: "\n")
        #expect(try dav.things(try ask(named)).map(\.href) == (isFound ? ["\(own)day.ics"] : []))
        for broken in ["", "Europe/Berlin", "BEGIN:VCALENDAR\nVERSION:2.0\nEND:VCALENDAR"] {
            let answer = try ask(broken)
            #expect(answer.status == 403 && answer.text.contains("<C:valid-calendar-data/>"), "\(answer.text)")
        }
    }
}
