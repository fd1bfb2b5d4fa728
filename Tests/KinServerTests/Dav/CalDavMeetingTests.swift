import KinCodec
import KinModel
import KinSimulation
import KinXML
import Testing

@testable import KinServer
@testable import KinServerBox

/// Answers to confirmed meetings, as phones give them.
@Suite struct CalDavMeetingTests {
    private let dav: DavBox
    private let ben: String
    private let address: String

    init() throws {
        dav = try DavBox()
        ben = try dav.credential("ben")
        address = "mailto:\(try dav.box.person("ben").id)@kinwire.invalid"
    }

    /// The lines of an object of iCalendar, each whole.
    private func lines(_ text: String) -> [String] {
        text.replacing("\r\n ", with: "").split(separator: "\r\n").map(String.init)
    }

    private func isOfBen(_ line: String) -> Bool { line.hasPrefix("ATTENDEE") && line.hasSuffix(address) }

    /// Says something for Ben in an object of iCalendar.
    private func saying(_ text: String, _ answer: String) -> String {
        lines(text).map { (isOfBen($0) ? "ATTENDEE;PARTSTAT=\(answer):\(address)" : $0) + "\r\n" }.joined()
    }

    @Test func `perhaps is no answer to a confirmed meeting, and what was said before is read again`() throws {
        let start = Instant(milliseconds: dav.box.time.wallMilliseconds()).adding(days: 9)
        let slots = (0..<2).map { day -> JSON in
            let begins = start.adding(days: Int64(day))
            return ["start": .time(begins), "end": .time(begins.adding(seconds: 3600))]
        }
        let proposed = try dav.call(
            "ada", "meeting.propose",
            [
                "title": "Party", "kind": "group", "zone": "Europe/Berlin", "slots": .array(slots),
                "invitees": [.id(try dav.box.person("ben").id)],
            ])
        let meeting = try #require(proposed["meeting"]?["id"])
        let slot = try #require(proposed["meeting"]?["slots"]?.array?.first?["id"])
        _ = try dav.call("ada", "meeting.confirm", ["meeting": meeting, "slot": slot])
        let names = try dav.things(
            try dav.ask(
                "PROPFIND /dav/calendars/\(try dav.box.person("ben").id)/", ben, ["Depth: 1"],
                "<propfind xmlns=\"DAV:\"><prop><displayname/></prop></propfind>"))
        let meetings = try #require(names.first { $0.properties[Dav.core("displayname")]?.text == "Meetings" }?.href)
        let href = try #require(try dav.sync(ben, since: "", in: meetings).there.first)
        func read() throws -> (tag: String?, text: String, own: String?) {
            let answer = try dav.ask("GET \(href)", ben)
            return (answer["ETag"], answer.text, lines(answer.text).first(where: isOfBen))
        }
        func write(_ answer: String) throws -> Int {
            try dav.ask("PUT \(href)", ben, [], saying(try read().text, answer)).status
        }
        let said: [(attendance: JSON?, shown: String, answer: JSON)] = [
            (nil, "NEEDS-ACTION", "none"), ("going", "ACCEPTED", "accepted"), ("notGoing", "DECLINED", "declined"),
        ]
        for (attendance, shown, answer) in said {
            if attendance != nil { #expect(try write(shown) == 204) }
            let before = try read()
            let token = try dav.sync(ben, since: "", in: meetings).token
            #expect(try write("TENTATIVE") == 204)
            let own = try dav.call("ben", "meeting.show", ["meeting": meeting])["own"]
            #expect(own?["attendance"] == attendance)
            // The phone finds that there is something to read, and reads what was said before.
            #expect(try dav.sync(ben, since: token, in: meetings).there == [href])
            let after = try read()
            #expect(after.tag != before.tag)
            #expect(after.own?.contains("PARTSTAT=\(shown)") == true, "\(after.text)")
            let all = try dav.call("ada", "entry.all", [:])["entries"]?.array ?? []
            let invitees = all.first { $0["meeting"] == meeting }?["invitees"]?.array
            #expect(invitees?.map { $0["answer"] } == [answer])
        }
    }
}
