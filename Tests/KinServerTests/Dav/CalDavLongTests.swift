import KinCodec
import KinModel
import KinXML
import Testing

@testable import KinServer
@testable import KinServerBox

/// Reports that ask for all of a calendar with what its entries say. A reader finds that beside the keeper.
@Suite struct CalDavLongTests {
    private let dav: DavBox
    private let ada: String
    private let own: String

    init() throws {
        dav = try DavBox()
        ada = try dav.credential("ada")
        own = try dav.calendar(of: "ada")
    }

    private func add(_ count: Int) throws {
        for number in 0..<count {
            _ = try dav.call(
                "ada", "entry.add",
                ["subject": .string("No. \(number)"), "start": "2026-12-01T18:00", "zone": "Europe/Berlin"])
        }
    }

    /// A report of all events, with their text.
    private static let all = """
        <C:calendar-query xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:prop><D:getetag/><C:calendar-data/>\
        </D:prop><C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT"/></C:comp-filter></C:filter>\
        </C:calendar-query>
        """

    /// Puts such a report on its way.
    private func ask(_ place: String, _ credential: String) throws -> BoxClient {
        let client = dav.box.connect()
        client.post(
            "REPORT \(place) HTTP/1.1\r\nHost: box.local\r\n\(credential)\r\nDepth: 1\r\nContent-Length: "
                + "\(Self.all.utf8.count)\r\n\r\n\(Self.all)")
        try dav.box.settle()
        return client
    }

    /// The texts in an answer, by the addresses of the entries.
    private func texts(_ answer: BoxResponse) throws -> [String: String] {
        let things = try dav.things(answer).map { thing in
            (thing.href, thing.properties[Dav.calendar("calendar-data")]?.text ?? "")
        }
        return Dictionary(things) { one, _ in
            Issue.record("an address is there twice")
            return one
        }
    }

    @Test func `while all of a calendar is read nobody waits, and a month is read by the keeper itself`() throws {
        try add(30)
        func month() throws -> [String: String] {
            let found = try dav.range(ada, own, "20261101T000000Z", "20270101T000000Z")
            return Dictionary(found.map { ($0.href, $0.data) }) { one, _ in one }
        }
        dav.box.isReaderBusy = true
        let client = try ask(own, ada)
        #expect(try client.responses().isEmpty)
        #expect(try month().count == 30)
        // What was put down since it was asked is in the answer.
        _ = try dav.call("ada", "entry.add", ["subject": "Late", "start": "2026-12-02"])
        dav.box.isReaderBusy = false
        try dav.box.settle()
        let found = try texts(try #require(try client.responses().first))
        #expect(found.count == 31 && found.values.contains { $0.contains("SUMMARY:Late") })
        #expect(try found == month())
    }

    @Test func `more than a page has comes in pages, each entry once`() throws {
        try add(430)
        let client = try ask(own, ada)
        let found = try texts(try #require(try client.responses().first))
        #expect(found.count == 430 && found.values.allSatisfy { $0.contains("BEGIN:VTIMEZONE") })
        let tags = try dav.tags(ada, in: own)
        #expect(Set(tags.keys) == Set(found.keys))
    }

    @Test func `a calendar that is no longer shared when its list leaves is in no answer`() throws {
        let calendar = try #require(try dav.call("ada", "calendar.add", ["name": "Team"])["calendar"]?["id"])
        _ = try dav.call("ada", "calendar.share", ["calendar": calendar, "with": "everyone", "right": "read"])
        _ = try dav.call("ada", "entry.add", ["subject": "Match", "start": "2026-12-01", "calendar": calendar])
        let ben = try dav.credential("ben")
        let shared = try dav.calendar(of: "ben", calendar.string)
        let line = try dav.box.line("ada")
        dav.box.isReaderBusy = true
        let client = try ask(shared, ben)
        // The reader reads before, and the keeper hears of that after.
        dav.box.isKeeperBusy = true
        line.postCall("calendar.share", ["calendar": calendar, "with": "everyone", "right": "none"])
        try dav.box.settle()
        dav.box.isReaderBusy = false
        try dav.box.settle()
        dav.box.isKeeperBusy = false
        try dav.box.settle()
        let answer = try #require(try client.responses().first)
        #expect(answer.status == 404 && !answer.text.contains("Match"), "\(answer.status) \(answer.text)")
    }
}
