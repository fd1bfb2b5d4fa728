import KinCalendar
import KinModel
import Testing

@testable import KinICal

/// RFC 5545's own examples of components and of dates: read, and written again so that the same is read. Their lines were
/// compared with the standard's text; descriptions and comments of several lines are left out.
@Suite struct StandardExampleTests {
    /// An example: where it stands, and its lines.
    struct Example: Sendable, CustomTestStringConvertible {
        let section: String
        let lines: [String]
        /// A property that it has, and the value as it is meant.
        let property: String
        let value: String
        var inner: [String] = []
        var testDescription: String { "\(section) \(lines.first ?? "")" }
    }

    static let examples = [
        Example(
            section: "3.6.1, a meeting",
            lines: [
                "BEGIN:VEVENT", "UID:19970901T130000Z-123401@example.com", "DTSTAMP:19970901T130000Z",
                "DTSTART:19970903T163000Z", "DTEND:19970903T190000Z", "SUMMARY:Annual Employee Review",
                "CLASS:PRIVATE", "CATEGORIES:BUSINESS,HUMAN RESOURCES", "END:VEVENT",
            ], property: "DTEND", value: "19970903T190000Z"),
        Example(
            section: "3.6.1, a reminder that takes no time",
            lines: [
                "BEGIN:VEVENT", "UID:19970901T130000Z-123402@example.com", "DTSTAMP:19970901T130000Z",
                "DTSTART:19970401T163000Z", "DTEND:19970402T010000Z",
                "SUMMARY:Laurel is in sensitivity awareness class.", "CLASS:PUBLIC",
                "CATEGORIES:BUSINESS,HUMAN RESOURCES", "TRANSP:TRANSPARENT", "END:VEVENT",
            ], property: "TRANSP", value: "TRANSPARENT"),
        Example(
            section: "3.6.1, an anniversary",
            lines: [
                "BEGIN:VEVENT", "UID:19970901T130000Z-123403@example.com", "DTSTAMP:19970901T130000Z",
                "DTSTART;VALUE=DATE:19971102", "SUMMARY:Our Blissful Anniversary", "TRANSP:TRANSPARENT",
                "CLASS:CONFIDENTIAL", "CATEGORIES:ANNIVERSARY,PERSONAL,SPECIAL OCCASION", "RRULE:FREQ=YEARLY",
                "END:VEVENT",
            ], property: "RRULE", value: "FREQ=YEARLY"),
        Example(
            section: "3.6.1, several days",
            lines: [
                "BEGIN:VEVENT", "UID:20070423T123432Z-541111@example.com", "DTSTAMP:20070423T123432Z",
                "DTSTART;VALUE=DATE:20070628", "DTEND;VALUE=DATE:20070709",
                "SUMMARY:Festival International de Jazz de Montreal", "TRANSP:TRANSPARENT", "END:VEVENT",
            ], property: "DTEND", value: "20070709"),
        Example(
            section: "3.6.2, something to do, due",
            lines: [
                "BEGIN:VTODO", "UID:20070313T123432Z-456553@example.com", "DTSTAMP:20070313T123432Z",
                "DUE;VALUE=DATE:20070501", "SUMMARY:Submit Quebec Income Tax Return for 2006", "CLASS:CONFIDENTIAL",
                "CATEGORIES:FAMILY,FINANCE", "STATUS:NEEDS-ACTION", "END:VTODO",
            ], property: "DUE", value: "20070501"),
        Example(
            section: "3.6.2, something done",
            lines: [
                "BEGIN:VTODO", "UID:20070514T103211Z-123404@example.com", "DTSTAMP:20070514T103211Z",
                "DTSTART:20070514T110000Z", "DUE:20070709T130000Z", "COMPLETED:20070707T100000Z",
                "SUMMARY:Submit Revised Internet-Draft", "PRIORITY:1", "STATUS:NEEDS-ACTION", "END:VTODO",
            ], property: "COMPLETED", value: "20070707T100000Z"),
        Example(
            section: "3.6.3, a journal",
            lines: [
                "BEGIN:VJOURNAL", "UID:19970901T130000Z-123405@example.com", "DTSTAMP:19970901T130000Z",
                "DTSTART;VALUE=DATE:19970317", "SUMMARY:Staff meeting minutes", "END:VJOURNAL",
            ], property: "SUMMARY", value: "Staff meeting minutes"),
        Example(
            section: "3.6.4, when somebody is busy",
            lines: [
                "BEGIN:VFREEBUSY", "UID:19970901T095957Z-76A912@example.com",
                "ORGANIZER:mailto:jane_doe@example.com", "ATTENDEE:mailto:john_public@example.com",
                "DTSTAMP:19970901T100000Z", "FREEBUSY:19971015T050000Z/PT8H30M,",
                " 19971015T160000Z/PT5H30M,19971015T223000Z/PT6H30M", "URL:http://example.com/pub/busy/jpublic-01.ifb",
                "END:VFREEBUSY",
            ], property: "FREEBUSY",
            value: "19971015T050000Z/PT8H30M,19971015T160000Z/PT5H30M,19971015T223000Z/PT6H30M"),
        Example(
            section: "3.6.5, New York's clocks",
            lines: [
                "BEGIN:VTIMEZONE", "TZID:America/New_York", "LAST-MODIFIED:20050809T050000Z", "BEGIN:STANDARD",
                "DTSTART:20071104T020000", "TZOFFSETFROM:-0400", "TZOFFSETTO:-0500", "TZNAME:EST", "END:STANDARD",
                "BEGIN:DAYLIGHT", "DTSTART:20070311T020000", "TZOFFSETFROM:-0500", "TZOFFSETTO:-0400", "TZNAME:EDT",
                "END:DAYLIGHT", "END:VTIMEZONE",
            ], property: "TZID", value: "America/New_York", inner: ["STANDARD", "DAYLIGHT"]),
        Example(
            section: "3.6.6, an alarm by sound",
            lines: [
                "BEGIN:VALARM", "TRIGGER;VALUE=DATE-TIME:19970317T133000Z", "REPEAT:4", "DURATION:PT15M",
                "ACTION:AUDIO", "ATTACH;FMTTYPE=audio/basic:ftp://example.com/pub/", " sounds/bell-01.aud",
                "END:VALARM",
            ], property: "ATTACH", value: "ftp://example.com/pub/sounds/bell-01.aud"),
        Example(
            section: "3.6.6, an alarm that is shown",
            lines: [
                "BEGIN:VALARM", "TRIGGER:-PT30M", "REPEAT:2", "DURATION:PT15M", "ACTION:DISPLAY", "END:VALARM",
            ], property: "TRIGGER", value: "-PT30M"),
        Example(
            section: "3.6.6, an alarm by mail",
            lines: [
                "BEGIN:VALARM", "TRIGGER;RELATED=END:-P2D", "ACTION:EMAIL", "ATTENDEE:mailto:john_doe@example.com",
                "SUMMARY:*** REMINDER: SEND AGENDA FOR WEEKLY STAFF MEETING ***",
                "ATTACH;FMTTYPE=application/msword:http://example.com/", " templates/agenda.doc", "END:VALARM",
            ], property: "SUMMARY", value: "*** REMINDER: SEND AGENDA FOR WEEKLY STAFF MEETING ***"),
        Example(
            section: "4, a conference",
            lines: [
                "BEGIN:VCALENDAR", "PRODID:-//xyz Corp//NONSGML PDA Calendar Version 1.0//EN", "VERSION:2.0",
                "BEGIN:VEVENT", "DTSTAMP:19960704T120000Z", "UID:uid1@example.com",
                "ORGANIZER:mailto:jsmith@example.com", "DTSTART:19960918T143000Z", "DTEND:19960920T220000Z",
                "STATUS:CONFIRMED", "CATEGORIES:CONFERENCE", "SUMMARY:Networld+Interop Conference", "END:VEVENT",
                "END:VCALENDAR",
            ], property: "VERSION", value: "2.0", inner: ["VEVENT"]),
        Example(
            section: "4, a group meeting",
            lines: [
                "BEGIN:VCALENDAR", "PRODID:-//RDU Software//NONSGML HandCal//EN", "VERSION:2.0", "BEGIN:VTIMEZONE",
                "TZID:America/New_York", "BEGIN:STANDARD", "DTSTART:19981025T020000", "TZOFFSETFROM:-0400",
                "TZOFFSETTO:-0500", "TZNAME:EST", "END:STANDARD", "BEGIN:DAYLIGHT", "DTSTART:19990404T020000",
                "TZOFFSETFROM:-0500", "TZOFFSETTO:-0400", "TZNAME:EDT", "END:DAYLIGHT", "END:VTIMEZONE",
                "BEGIN:VEVENT", "DTSTAMP:19980309T231000Z", "UID:guid-1.example.com",
                "ORGANIZER:mailto:mrbig@example.com",
                "ATTENDEE;RSVP=TRUE;ROLE=REQ-PARTICIPANT;CUTYPE=GROUP:", " mailto:employee-A@example.com",
                "DESCRIPTION:Project XYZ Review Meeting", "CATEGORIES:MEETING", "CLASS:PUBLIC",
                "CREATED:19980309T130000Z", "SUMMARY:XYZ Project Review",
                "DTSTART;TZID=America/New_York:19980312T083000", "DTEND;TZID=America/New_York:19980312T093000",
                "LOCATION:1CP Conference Room 4350", "END:VEVENT", "END:VCALENDAR",
            ], property: "PRODID", value: "-//RDU Software//NONSGML HandCal//EN", inner: ["VTIMEZONE", "VEVENT"]),
        Example(
            section: "4, something to do, with an alarm",
            lines: [
                "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//ABC Corporation//NONSGML My Product//EN", "BEGIN:VTODO",
                "DTSTAMP:19980130T134500Z", "SEQUENCE:2", "UID:uid4@example.com",
                "ORGANIZER:mailto:unclesam@example.com",
                "ATTENDEE;PARTSTAT=ACCEPTED:mailto:jqpublic@example.com", "DUE:19980415T000000",
                "STATUS:NEEDS-ACTION", "SUMMARY:Submit Income Taxes", "BEGIN:VALARM", "ACTION:AUDIO",
                "TRIGGER;VALUE=DATE-TIME:19980403T120000Z", "ATTACH;FMTTYPE=audio/basic:http://example.com/pub/audio-",
                " files/ssbanner.aud", "REPEAT:4", "DURATION:PT1H", "END:VALARM", "END:VTODO", "END:VCALENDAR",
            ], property: "VERSION", value: "2.0", inner: ["VTODO"]),
    ]

    @Test(arguments: examples) func `a component is read, and what is written of it reads the same`(
        _ example: Example
    ) throws {
        let text = (example.lines + [""]).joined(separator: "\r\n")
        let read = try ICalComponent(Array(text.utf8))
        #expect("BEGIN:\(read.name)" == example.lines[0])
        #expect(read[example.property]?.value == example.value)
        #expect(read.components.map(\.name) == example.inner)
        let written = read.text
        #expect(written.split(separator: "\r\n").allSatisfy { $0.utf8.count <= 75 })
        #expect(try ICalComponent(Array(written.utf8)) == read)
        // The lines are theirs, in their order, but for where they are folded.
        func whole(_ text: String) -> String { text.replacing("\r\n ", with: "") }
        #expect(whole(written) == whole(text))
    }

    /// 3.8.5.1 and 3.8.5.2: dates left out of a series, and dates beside one.
    @Test func `dates left out and dates beside the rule are what their lines say`() throws {
        let out = try ICalComponent(
            Array("BEGIN:VEVENT\r\nEXDATE:19960402T010000Z,19960403T010000Z,19960404T010000Z\r\nEND:VEVENT\r\n".utf8))
        let left = (out["EXDATE"]?.value ?? "").split(separator: ",").compactMap { ICalTime($0) }
        #expect(left.map(\.isUTC) == [true, true, true])
        let start = try #require(Civil("1996-04-01T01:00"))
        let daily = try #require(RecurrenceRule("FREQ=DAILY;COUNT=5"))
        let series = Series(start: start, rules: [daily], exceptions: Set(left.map(\.civil)))
        let days = series.occurrences(from: start, to: start.adding(days: 30), max: 10).all
        #expect(days.map(\.description) == ["1996-04-01T01:00", "1996-04-05T01:00"])

        let beside = [
            ("RDATE:19970714T123000Z", "19970714T123000Z"),
            ("RDATE;TZID=America/New_York:19970714T083000", "19970714T083000"),
            ("RDATE;VALUE=PERIOD:19960403T020000Z/19960403T040000Z,19960404T010000Z/PT3H", "19960403T020000Z"),
            (
                "RDATE;VALUE=DATE:19970101,19970120,19970217,19970421,19970526,19970704,19970901,19971014,19971128,19971129,19971225",
                "19970101"
            ),
        ]
        for (line, first) in beside {
            let text = "BEGIN:VEVENT\r\n\(line)\r\nEND:VEVENT\r\n"
            let read = try ICalComponent(Array(text.utf8))
            let values = (read["RDATE"]?.value ?? "").split(separator: ",").map { $0.split(separator: "/")[0] }
            let times = values.map { ICalTime($0) }
            #expect(times.allSatisfy { $0 != nil } && times.first == ICalTime(first), "\(line)")
            #expect(try ICalComponent(Array(read.text.utf8)) == read)
        }
        let dates = beside[3].0.split(separator: ":")[1].split(separator: ",").compactMap { ICalTime($0)?.civil }
        let free = Series(start: try #require(dates.first), isAllDay: true, dates: Array(dates.dropFirst()))
        #expect(free.occurrences(from: free.start, to: free.start.adding(days: 366), max: 20).all == dates)
    }
}
