import KinCodec
import KinModel
import KinXML
import Testing

@testable import KinServer
@testable import KinServerBox

/// Reports that ask for parts of what stands in a calendar (RFC 4791, 9.6).
@Suite struct CalDavPartsTests {
    private let dav: DavBox
    private let ada: String
    private let own: String

    init() throws {
        dav = try DavBox()
        ada = try dav.credential("ada")
        own = try dav.calendar(of: "ada")
    }

    private func put(_ text: String) throws {
        let answer = try dav.ask("PUT \(own)a.ics", ada, ["Content-Type: text/calendar"], text)
        #expect(answer.status < 300, "\(answer.text)")
    }

    private func ask(_ data: String) throws -> BoxResponse {
        try dav.ask(
            "REPORT \(own)", ada, ["Depth: 1"],
            """
            <C:calendar-multiget xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:prop>\(data)</D:prop>\
            <D:href>\(own)a.ics</D:href></C:calendar-multiget>
            """)
    }

    /// The lines that are given where parts are asked for, unfolded.
    private func lines(_ parts: String) throws -> [String] {
        let things = try dav.things(try ask("<C:calendar-data>\(parts)</C:calendar-data>"))
        let text = things.first?.properties[Dav.calendar("calendar-data")]?.text ?? ""
        return text.replacing("\r\n ", with: "").replacing("\r\n", with: "\n").split(separator: "\n").map { String($0) }
    }

    private static func calendar(_ inner: String) -> String { "<C:comp name=\"VCALENDAR\">\(inner)</C:comp>" }
    private static func event(_ inner: String) -> String { calendar("<C:comp name=\"VEVENT\">\(inner)</C:comp>") }

    /// The request of RFC 4791, 7.8.1.
    @Test func `the example of the standard is answered as it stands there`() throws {
        try put(
            DavBox.event("u1", "Choir", ["X-ROOM:B 12", "RRULE:FREQ=WEEKLY;COUNT=3", "DESCRIPTION:Bring the scores"]))
        let names = [
            "SUMMARY", "UID", "DTSTART", "DTEND", "DURATION", "RRULE", "RDATE", "EXRULE", "EXDATE", "RECURRENCE-ID",
        ]
        let some = try lines(
            Self.calendar(
                "<C:prop name=\"VERSION\"/><C:comp name=\"VEVENT\">"
                    + names.map { "<C:prop name=\"\($0)\"/>" }.joined() + "</C:comp><C:comp name=\"VTIMEZONE\"/>"))
        let all = try lines("")
        let begin = try #require(all.firstIndex(of: "BEGIN:VTIMEZONE"))
        let end = try #require(all.firstIndex(of: "END:VTIMEZONE"))
        // The zone is there whole, with what stands in it.
        #expect(Array(some.prefix(2 + end - begin + 1)) == ["BEGIN:VCALENDAR", "VERSION:2.0"] + all[begin...end])
        let event = some.drop { $0 != "BEGIN:VEVENT" }
        #expect(
            Set(event) == [
                "BEGIN:VEVENT", "UID:u1", "SUMMARY:Choir", "DTSTART;TZID=Europe/Berlin:20261124T180000",
                "DTEND;TZID=Europe/Berlin:20261124T190000", "RRULE:FREQ=WEEKLY;COUNT=3", "END:VEVENT", "END:VCALENDAR",
            ])
        #expect(all.contains("X-ROOM:B 12") && all.contains("DESCRIPTION:Bring the scores"))
    }

    @Test func `of a component there is what is asked for, with or without its value, and nothing else`() throws {
        let long = String(repeating: "long ", count: 30) + "and last"
        try put(
            DavBox.event(
                "u1", "Choir",
                [
                    "X-ROOM;X-P=\"a:b\":B 12", "DESCRIPTION;LANGUAGE=en:\(long)", "BEGIN:VALARM", "ACTION:DISPLAY",
                    "TRIGGER:-PT10M", "END:VALARM",
                ]))
        #expect(
            try lines(Self.event("<C:prop name=\"x-room\"/>")) == [
                "BEGIN:VCALENDAR", "BEGIN:VEVENT", "X-ROOM;X-P=\"a:b\":B 12", "END:VEVENT", "END:VCALENDAR",
            ])
        let names = try lines(
            Self.event("<C:prop name=\"X-ROOM\" novalue=\"yes\"/><C:prop name=\"DESCRIPTION\" novalue=\"yes\"/>"))
        #expect(names.contains("X-ROOM;X-P=\"a:b\":") && names.contains("DESCRIPTION;LANGUAGE=en:"), "\(names)")
        #expect(try lines(Self.event("<C:prop name=\"DESCRIPTION\"/>")).contains("DESCRIPTION;LANGUAGE=en:\(long)"))
        // Lines alone, components alone, both, and what is not there.
        let plain = try lines(Self.event("<C:allprop/>"))
        #expect(plain.contains("SUMMARY:Choir") && !plain.contains("BEGIN:VALARM") && !plain.contains("VERSION:2.0"))
        let inner = try lines(Self.event("<C:allcomp/>"))
        #expect(inner.contains("TRIGGER:-PT10M") && !inner.contains("SUMMARY:Choir"))
        let alarm = try lines(
            Self.event("<C:prop name=\"UID\"/><C:comp name=\"VALARM\"><C:prop name=\"TRIGGER\"/></C:comp>"))
        #expect(
            alarm == [
                "BEGIN:VCALENDAR", "BEGIN:VEVENT", "UID:u1", "BEGIN:VALARM", "TRIGGER:-PT10M", "END:VALARM",
                "END:VEVENT", "END:VCALENDAR",
            ])
        let all = try lines("")
        for whole in ["", "<C:allprop/><C:allcomp/>"] { #expect(try lines(Self.calendar(whole)) == all) }
        #expect(
            try lines(Self.calendar("<C:prop name=\"VERSION\"/><C:comp name=\"VTODO\"/>")) == [
                "BEGIN:VCALENDAR", "VERSION:2.0", "END:VCALENDAR",
            ])
    }

    /// The whole is longer than what is read as one component (64 KiB).
    @Test func `of a long object parts are given as well`() throws {
        let first = ["UID:u1", "DTSTART:20261101T180000Z", "DTEND:20261101T190000Z", "SUMMARY:Choir"]
        let others = (0..<290).map { day in
            let at = Instant(milliseconds: 1_793_556_000_000).adding(days: Int64(day)).description
            let date = at.filter { $0.isNumber }.prefix(8)
            return [
                "UID:u1", "RECURRENCE-ID:\(date)T180000Z", "DTSTART:\(date)T180000Z", "DTEND:\(date)T190000Z",
                "SUMMARY:Choir No. \(day)",
            ]
        }
        try put(DavBox.object([first + ["RRULE:FREQ=DAILY;COUNT=300"]] + others))
        let whole = try dav.ask("GET \(own)a.ics", ada).text
        #expect(whole.utf8.count > 64 << 10)
        let some = try lines(Self.event("<C:prop name=\"SUMMARY\"/>"))
        #expect(some.count == 2 + 3 * 291 && some.contains("SUMMARY:Choir No. 289"))
        #expect(!some.contains { $0.hasPrefix("DTSTART") })
    }

    // MARK: Occurrences that are otherwise

    private func series(_ day: String) throws {
        try put(
            DavBox.object([
                [
                    "UID:u1", "DTSTART:20261101T180000Z", "DTEND:20261101T190000Z", "RRULE:FREQ=DAILY;COUNT=20",
                    "SUMMARY:Choir",
                ],
                [
                    "UID:u1", "RECURRENCE-ID:20261103T180000Z", "DTSTART:\(day)T200000Z", "DTEND:\(day)T210000Z",
                    "SUMMARY:Late",
                ],
            ]))
    }

    /// RFC 4791, 9.6.6: where it is now, or where it would be, each with its length.
    @Test(
        arguments: [
            ("20261103T183000Z", "20261103T184000Z", true), ("20261103T190000Z", "20261103T200000Z", false),
            ("20261110T203000Z", "20261110T204000Z", true), ("20261110T180000Z", "20261110T200000Z", false),
            ("20261101T000000Z", "20261130T000000Z", true), ("20261104T000000Z", "20261109T000000Z", false),
        ])
    func `the series is given with those of its occurrences that are otherwise in the time`(
        _ start: String, _ end: String, _ isThere: Bool
    ) throws {
        try series("20261110")
        let some = try lines("<C:limit-recurrence-set start=\"\(start)\" end=\"\(end)\"/>")
        #expect(some.contains("SUMMARY:Choir") && some.contains("RRULE:FREQ=DAILY;COUNT=20"))
        #expect(some.contains("SUMMARY:Late") == isThere)
        let parts = try lines(
            Self.event("<C:prop name=\"SUMMARY\"/>") + "<C:limit-recurrence-set start=\"\(start)\" end=\"\(end)\"/>")
        #expect(parts.filter { $0.hasPrefix("SUMMARY") } == ["SUMMARY:Choir"] + (isThere ? ["SUMMARY:Late"] : []))
        #expect(!parts.contains { $0.hasPrefix("DTSTART") })
    }

    @Test func `parts are given of each occurrence that is written by itself as well`() throws {
        try series("20261110")
        let some = try lines(
            Self.event("<C:prop name=\"DTSTART\"/>")
                + "<C:expand start=\"20261101T000000Z\" end=\"20261104T000000Z\"/>")
        let each = ["20261101", "20261102"].flatMap { ["BEGIN:VEVENT", "DTSTART:\($0)T180000Z", "END:VEVENT"] }
        #expect(some == ["BEGIN:VCALENDAR"] + each + ["END:VCALENDAR"])
    }

    @Test func `whole days that are otherwise are in the reader's own time`() throws {
        _ = try dav.call("ada", "settings.set", ["zone": "Pacific/Auckland"])
        try put(
            DavBox.object([
                ["UID:u1", "DTSTART;VALUE=DATE:20261101", "RRULE:FREQ=DAILY;COUNT=9", "SUMMARY:Trip"],
                [
                    "UID:u1", "RECURRENCE-ID;VALUE=DATE:20261103", "DTSTART;VALUE=DATE:20261103",
                    "DTEND;VALUE=DATE:20261104", "SUMMARY:Rest",
                ],
            ]))
        // There the 3rd of November is from 11 o'clock of the 2nd on, in universal time.
        for (start, end, isThere) in [
            ("20261102T120000Z", "20261102T130000Z", true), ("20261103T120000Z", "20261103T130000Z", false),
        ] {
            let some = try lines("<C:limit-recurrence-set start=\"\(start)\" end=\"\(end)\"/>")
            #expect(some.contains("SUMMARY:Rest") == isThere, "\(start)")
        }
    }

    @Test func `a limit of free and busy times leaves out nothing of events`() throws {
        try series("20261110")
        let some = try lines("<C:limit-freebusy-set start=\"20270101T000000Z\" end=\"20270102T000000Z\"/>")
        #expect(try some == lines(""))
    }

    @Test func `what is not understood, or cannot be given, is refused by its name`() throws {
        try series("20261110")
        for parts in [
            "<C:limit-recurrence-set start=\"20261101T000000Z\"/>", "<C:limit-recurrence-set/>",
            "<C:limit-recurrence-set start=\"20261102T000000Z\" end=\"20261101T000000Z\"/>",
            "<C:limit-freebusy-set start=\"soon\" end=\"20261101T000000Z\"/>", "<C:comp name=\"VEVENT\"/>",
        ] {
            let answer = try ask("<C:calendar-data>\(parts)</C:calendar-data>")
            #expect(answer.status == 403 && answer.text.contains("<C:supported-filter/>"), "\(parts): \(answer.text)")
        }
        for kind in [
            "content-type=\"application/calendar+json\"", "version=\"1.0\"",
            "content-type=\"text/calendar\" version=\"3.0\"",
        ] {
            let answer = try ask("<C:calendar-data \(kind)/>")
            #expect(answer.status == 403 && answer.text.contains("<C:supported-calendar-data/>"), "\(kind)")
        }
        #expect(try ask("<C:calendar-data content-type=\"text/calendar\" version=\"2.0\"/>").status == 207)
    }
}
