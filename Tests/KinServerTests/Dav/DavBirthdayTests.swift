import KinModel
import KinXML
import Testing

@testable import KinServer
@testable import KinServerBox

/// The calendar of birthdays, read by clients of CalDAV.
@Suite struct DavBirthdayTests {
    private let dav: DavBox
    private let ada: String

    init() throws {
        dav = try DavBox()
        ada = try dav.credential("ada")
    }

    @Test func `birthdays stand in a calendar of their own, which nobody writes into`() throws {
        let calendars = try dav.call("ada", "calendar.list", [:])["calendars"]?.array ?? []
        let id = try #require(calendars.first { $0["kind"] == "birthdays" }?["id"]?.string)
        let place = try dav.calendar(of: "ada", id)
        func properties() throws -> [XMLName: XMLElement] {
            try dav.things(
                try dav.ask(
                    "PROPFIND \(place)", ada, ["Depth: 0"],
                    "<propfind xmlns=\"DAV:\"><prop><displayname/><current-user-privilege-set/></prop></propfind>"))[0]
                .properties
        }
        #expect(try properties()[Dav.core("displayname")]?.text == "Birthdays")
        let rights = try properties()[Dav.core("current-user-privilege-set")]?.children.flatMap(\.children)
        #expect(rights?.map(\.name.local).contains { $0.hasPrefix("write") || $0 == "bind" } == false)
        let empty = try dav.sync(ada, since: "", in: place)
        #expect(empty.there == [])
        let nora = try #require(
            try dav.call("ada", "contact.add", ["lastName": "Roth", "birthday": "1985-04-12"])["contact"]?["id"]?.string
        )
        // A client begins anew with it, and then nothing is new.
        let stale = try dav.ask(
            "REPORT \(place)", ada, [],
            "<sync-collection xmlns=\"DAV:\"><sync-token>\(empty.token)</sync-token><sync-level>1</sync-level><prop/></sync-collection>"
        )
        #expect(stale.status == 403 && stale.text.contains("<D:valid-sync-token/>"))
        let first = try dav.sync(ada, since: "", in: place)
        #expect(first.there == [place + "\(nora).ics"])
        #expect(try dav.sync(ada, since: first.token, in: place).there == [])
        let read = try dav.ask("GET \(place)\(nora).ics", ada)
        #expect(read.status == 200 && read.text.contains("SUMMARY:🎂 Roth (1985)\r\n"), "\(read.text)")
        #expect(try dav.tags(ada, in: place) == [place + "\(nora).ics": try #require(read["ETag"])])
        // It is found in the years after, and each by itself where that is asked for.
        func query(_ from: String, _ to: String, _ data: String) throws -> String {
            try dav.ask(
                "REPORT \(place)", ada, ["Depth: 1"],
                """
                <C:calendar-query xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:prop><C:calendar-data>\(data)\
                </C:calendar-data></D:prop><C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT">\
                <C:time-range start="\(from)" end="\(to)"/></C:comp-filter></C:comp-filter></C:filter></C:calendar-query>
                """
            ).text
        }
        #expect(try query("20270401T000000Z", "20270501T000000Z", "").contains("RRULE:FREQ=YEARLY"))
        #expect(try !query("20270501T000000Z", "20270601T000000Z", "").contains("Roth"))
        let expand = "<C:expand start=\"20270401T000000Z\" end=\"20270501T000000Z\"/>"
        let one = try query("20270401T000000Z", "20270501T000000Z", expand)
        #expect(one.contains("DTSTART;VALUE=DATE:20270412") && !one.contains("RRULE"), "\(one)")
        for line in ["PUT \(place)\(nora).ics", "PUT \(place)new.ics", "DELETE \(place)\(nora).ics"] {
            let answer = try dav.ask(
                line, ada, ["Content-Type: text/calendar; charset=utf-8"],
                line.hasPrefix("PUT") ? DavBox.event("x", "X") : "")
            #expect(answer.status == 403, "\(line): \(answer.status)")
        }
        let ben = try dav.credential("ben")
        #expect(try dav.tags(ben, in: try dav.calendar(of: "ben", id)).count == 1)
    }
}
