import KinCodec
import KinModel
import Testing

@testable import KinServer
@testable import KinServerBox

/// Who is asked by an e-mail address: members where their profiles show it, and people outside.
@Suite struct CalDavAttendeeTests {
    private let dav: DavBox
    private let ada: String
    private let own: String

    init() throws {
        dav = try DavBox()
        ada = try dav.credential("ada")
        own = try dav.calendar(of: "ada")
    }

    private func address(_ name: String) throws -> String { "mailto:\(try dav.box.person(name).id)@kinwire.invalid" }

    private func mail(_ name: String, _ address: String, _ audience: JSON) throws {
        _ = try dav.call(name, "profile.add", ["kind": "email", "value": .string(address), "audience": audience])
    }

    /// Puts an event with these lines, and reads it again, unfolded.
    private func put(_ lines: [String], _ name: String = "c") throws -> String {
        let answer = try dav.ask("PUT \(own)\(name).ics", ada, [], DavBox.event(name, "Choir", lines))
        #expect([201, 204].contains(answer.status), "\(answer.text)")
        return try dav.ask("GET \(own)\(name).ics", ada).text.replacing("\r\n ", with: "")
    }

    private func attendees(_ text: String) -> [String] {
        text.split(separator: "\r\n").filter { $0.hasPrefix("ATTENDEE") }.map(String.init)
    }

    private func invitees() throws -> [JSON] {
        let entries = try dav.call("ada", "entry.all", [:])["entries"]?.array ?? []
        return entries.flatMap { $0["invitees"]?.array ?? [] }.compactMap { $0["member"] }
    }

    @Test func `an address that a member's profile shows is that member, who finds the invitation`() throws {
        try mail("ben", "Ben@example.org", "everyone")
        try mail("ada", "ada@example.org", [.id(try dav.box.person("ada").id)])
        let text = try put([
            "ORGANIZER;CN=Ada:mailto:ada@example.org", "ATTENDEE;CN=Ada;PARTSTAT=ACCEPTED:mailto:ada@example.org",
            "ATTENDEE;CN=Benny;RSVP=TRUE;PARTSTAT=ACCEPTED:MAILTO:ben@EXAMPLE.org",
            "ATTENDEE;CN=Eve;SCHEDULE-STATUS=\"1.0\":mailto:eve@example.com", "ATTENDEE:urn:uuid:4",
        ])
        #expect(try invitees() == [.id(try dav.box.person("ben").id)])
        let all = attendees(text)
        #expect(all.count == 3 && !text.contains("example.org"))
        // Whoever is asked answers oneself; that it stands in a member's calendar is told, and that Eve is not reached.
        #expect(
            all.contains {
                $0.contains("SCHEDULE-STATUS=1.2;PARTSTAT=NEEDS-ACTION:") && $0.hasSuffix("kinwire.invalid")
            })
        #expect(all.contains("ATTENDEE;CN=Eve;SCHEDULE-STATUS=5.3:mailto:eve@example.com"))
        #expect(all.contains("ATTENDEE;SCHEDULE-STATUS=3.7:urn:uuid:4"))
        #expect(text.split(separator: "\r\n").filter { $0.hasPrefix("ORGANIZER") }.count == 1)
        let ben = try dav.credential("ben")
        let href = try #require(try dav.sync(ben, since: "", in: try dav.calendar(of: "ben")).there.first)
        let bens = try dav.ask("GET \(href)", ben).text
        #expect(!bens.contains("SCHEDULE-STATUS"))
        let answer = bens.replacing("PARTSTAT=NEEDS-ACTION", with: "PARTSTAT=TENTATIVE")
        #expect(try dav.ask("PUT \(href)", ben, [], answer).status == 204)
        let after = try dav.ask("GET \(own)c.ics", ada)
        #expect(after.text.replacing("\r\n ", with: "").contains("SCHEDULE-STATUS=2.0;PARTSTAT=TENTATIVE:"))
        // Given back so, nothing changes.
        #expect(try dav.ask("PUT \(own)c.ics", ada, [], after.text).status == 204)
        #expect(try dav.ask("GET \(own)c.ics", ada)["ETag"] == after["ETag"])
        #expect(try invitees() == [.id(try dav.box.person("ben").id)])
    }

    @Test func `an address that is not shown to the writer is one of somebody outside, as any other`() throws {
        try mail("ben", "secret@example.org", [.id(try dav.box.person("hal").id)])
        let text = try put([
            "ORGANIZER:\(try address("ada"))", "ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:secret@example.org",
            "ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:nobody@example.org",
        ])
        #expect(try invitees() == [])
        #expect(
            attendees(text).sorted() == [
                "ATTENDEE;PARTSTAT=NEEDS-ACTION;SCHEDULE-STATUS=5.3:mailto:nobody@example.org",
                "ATTENDEE;PARTSTAT=NEEDS-ACTION;SCHEDULE-STATUS=5.3:mailto:secret@example.org",
            ])
        // A file tells of no delivery, and has the lines as they came.
        let file = try dav.call("ada", "calendar.export", [:])["text"]?.string ?? ""
        #expect(file.contains("ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:secret@example.org\r\n"))
    }

    @Test(arguments: ["CLIENT", "NONE"])
    func `whom a program asks itself is asked by nobody here`(_ agent: String) throws {
        try mail("ben", "ben@example.org", "everyone")
        let lines = [
            "ATTENDEE;SCHEDULE-AGENT=\(agent):mailto:ben@example.org",
            "ATTENDEE;SCHEDULE-AGENT=\(agent):\(try address("ben"))",
        ]
        let text = try put(["ORGANIZER:\(try address("ada"))"] + lines)
        #expect(try invitees() == [])
        #expect(Set(attendees(text)) == Set(lines))
    }

    @Test func `an answer that a program sends itself is none here`() throws {
        _ = try put(["ORGANIZER:\(try address("ada"))", "ATTENDEE:\(try address("ben"))"])
        let ben = try dav.credential("ben")
        let href = try #require(try dav.sync(ben, since: "", in: try dav.calendar(of: "ben")).there.first)
        func answer(_ agent: String) throws -> JSON? {
            let text = try dav.ask("GET \(href)", ben).text.replacing("\r\n ", with: "").replacing(
                "PARTSTAT=NEEDS-ACTION", with: "PARTSTAT=ACCEPTED"
            ).replacing("\r\nORGANIZER", with: "\r\nORGANIZER\(agent)")
            #expect(try dav.ask("PUT \(href)", ben, [], text).status == 204)
            return try dav.call("ada", "entry.all", [:])["entries"]?.array?.first?["invitees"]?.array?.first?["answer"]
        }
        #expect(try answer(";SCHEDULE-AGENT=CLIENT") != "accepted")
        #expect(try answer("") == "accepted")
    }

    @Test func `who is asked stays so when somebody writes who does not see them, and is asked by nobody such`()
        throws
    {
        let team = try #require(try dav.call("ada", "calendar.add", ["name": "Team"])["calendar"]?["id"])
        let (ben, gil) = (JSON.id(try dav.box.person("ben").id), JSON.id(try dav.box.person("gil").id))
        // A guest sees those of the own household alone.
        _ = try dav.call("ben", "household.found", ["name": "Mill"])
        _ = try dav.call("ada", "calendar.share", ["calendar": team, "with": gil, "right": "write"])
        let made = try dav.call(
            "ada", "entry.add",
            [
                "subject": "Choir", "start": "2026-12-01T17:00", "zone": "UTC", "calendar": team, "invitees": [ben],
                "repeat": "weekly",
            ])
        let entry = try #require(made["entry"]?["id"])
        _ = try dav.call("ben", "entry.answer", ["entry": entry, "answer": "accepted"])
        _ = try dav.call(
            "ben", "entry.answer", ["entry": entry, "answer": "declined", "occurrence": "2026-12-08T17:00"])
        let (place, phone) = (try dav.calendar(of: "gil", team.string), try dav.credential("gil"))
        let href = try #require(try dav.sync(phone, since: "", in: place).there.first)
        let text = try dav.ask("GET \(href)", phone).text.replacing("SUMMARY:Choir", with: "SUMMARY:Concert")
        #expect(!text.lowercased().contains("cn=ben"), "\(text)")
        #expect(try dav.ask("PUT \(href)", phone, ["Content-Type: text/calendar"], text).status == 204)
        let now = try dav.call("ada", "entry.show", ["entry": entry])["entry"]
        #expect(now?["subject"] == "Concert" && now?["answers"]?.array?.count == 1, "\(now?.text ?? "")")
        #expect(now?["invitees"]?.array?.map { $0["member"] } == [ben])
        #expect(now?["invitees"]?.array?.first?["answer"] == "accepted")
        let other = DavBox.event("new", "Trip", ["ATTENDEE:\(try address("ben"))", "ATTENDEE:\(try address("hal"))"])
        #expect(try dav.ask("PUT \(place)new.ics", phone, [], other).status == 201)
        let all = try dav.call("ada", "entry.all", [:])["entries"]?.array ?? []
        let trip = all.first { $0["subject"] == "Trip" }?["invitees"]?.array ?? []
        #expect(trip.map { $0["member"] } == [.id(try dav.box.person("hal").id)])
    }

    @Test func `what somebody elsewhere organizes stays as it came`() throws {
        try mail("ben", "ben@example.org", "everyone")
        let lines = [
            "ORGANIZER;CN=Boss:mailto:boss@example.com", "ATTENDEE;PARTSTAT=ACCEPTED:mailto:ben@example.org",
            "ATTENDEE;SCHEDULE-STATUS=1.1:mailto:eve@example.com",
        ]
        let text = try put(lines)
        #expect(try invitees() == [])
        for line in lines { #expect(text.contains(line + "\r\n"), "\(line)") }
    }

    @Test func `a phone asks by an address when somebody is free, and one that is not shown is nobody's`() throws {
        try mail("ben", "ben@example.org", "everyone")
        try mail("hal", "hal@example.org", [.id(try dav.box.person("ben").id)])
        for name in ["ben", "hal"] {
            _ = try dav.call(
                name, "calendar.share",
                ["calendar": .id(try dav.box.person(name).id), "with": "everyone", "right": "busy"])
        }
        _ = try dav.call("ben", "entry.add", ["subject": "Choir", "start": "2026-12-01T17:00", "zone": "UTC"])
        let question = [
            "BEGIN:VCALENDAR", "VERSION:2.0", "METHOD:REQUEST", "BEGIN:VFREEBUSY", "UID:q", "DTSTAMP:20261101T000000Z",
            "DTSTART:20261201T000000Z", "DTEND:20261202T000000Z", "ORGANIZER:\(try address("ada"))",
            "ATTENDEE:mailto:Ben@example.org", "ATTENDEE:mailto:hal@example.org", "ATTENDEE:mailto:x@example.org",
            "END:VFREEBUSY", "END:VCALENDAR", "",
        ].joined(separator: "\r\n")
        let outbox = "/dav/calendars/\(try dav.box.person("ada").id)/outbox/"
        let answer = try dav.ask("POST \(outbox)", ada, ["Content-Type: text/calendar"], question)
        #expect(answer.status == 200, "\(answer.text)")
        #expect(answer.text.contains("FREEBUSY:20261201T170000Z/20261201T180000Z"))
        #expect(answer.text.split(separator: "3.7;Invalid").count == 3)
    }
}
