import KinCodec
import KinModel
import Testing

@testable import KinServer
@testable import KinServerBox

/// When somebody is reminded of an entry: the same in their phone and here, and nobody else's.
@Suite struct CalDavReminderTests {
    private let dav: DavBox
    private let ada: String
    private let ben: String
    private let id: JSON

    init() throws {
        dav = try DavBox()
        ada = try dav.credential("ada")
        ben = try dav.credential("ben")
        let made = try dav.call(
            "ada", "entry.add",
            [
                "subject": "Choir", "start": "2026-12-01T17:00", "zone": "Europe/Berlin", "minutes": 60,
                "invitees": [.id(try dav.box.person("ben").id)],
            ])
        id = try #require(made["entry"]?["id"])
    }

    private func href(_ name: String, _ line: String) throws -> String {
        try #require(try dav.sync(line, since: "", in: try dav.calendar(of: name)).there.first)
    }

    private func reminders(_ name: String) throws -> JSON? {
        try dav.call(name, "entry.show", ["entry": id])["remind"]
    }

    private func alarms(_ text: String) -> [String] {
        text.split(separator: "\r\n").filter { $0.hasPrefix("TRIGGER") }.map(String.init).sorted()
    }

    /// Puts alarms in front of the event's end, instead of those that are there.
    private func put(_ name: String, _ line: String, _ alarms: [[String]], _ more: String = "") throws {
        let href = try href(name, line)
        var text = try dav.ask("GET \(href)", line).text
        while let begin = text.firstRange(of: "BEGIN:VALARM\r\n"), let end = text.firstRange(of: "END:VALARM\r\n") {
            text.removeSubrange(begin.lowerBound..<end.upperBound)
        }
        let all = alarms.map { (["BEGIN:VALARM"] + $0 + ["END:VALARM", ""]).joined(separator: "\r\n") }.joined()
        text = text.replacing("END:VEVENT\r\n", with: more + all + "END:VEVENT\r\n")
        let answer = try dav.ask("PUT \(href)", line, [], text)
        #expect(answer.status == 204, "\(answer.text)")
    }

    @Test func `own reminders stand in one's own programs, and change nothing for anybody else`() throws {
        let bens = try dav.calendar(of: "ben")
        let (mine, theirs) = (try href("ada", ada), try href("ben", ben))
        let adas = try dav.calendar(of: "ada")
        let (before, other) = (try dav.sync(ada, since: "", in: adas), try dav.sync(ben, since: "", in: bens))
        let (tag, bensTag) = (try dav.ask("GET \(mine)", ada)["ETag"], try dav.ask("GET \(theirs)", ben)["ETag"])
        _ = try dav.call("ada", "entry.remind", ["entry": id, "minutes": [1440, 15]])
        let read = try dav.ask("GET \(mine)", ada)
        #expect(alarms(read.text) == ["TRIGGER:-P1D", "TRIGGER:-PT15M"])
        #expect(read.text.contains("ACTION:DISPLAY\r\nDESCRIPTION:Choir\r\nTRIGGER:-P1D\r\n"))
        #expect(read["ETag"] != tag)
        #expect(try dav.sync(ada, since: before.token, in: adas).there == [mine])
        let untouched = try dav.ask("GET \(theirs)", ben)
        #expect(alarms(untouched.text) == [] && untouched["ETag"] == bensTag)
        #expect(try dav.sync(ben, since: other.token, in: bens).token == other.token)
        // The feed has them, too.
        let feed = try dav.call("ada", "calendar.addFeed", ["name": "Phone"])
        let file = try dav.box.connect().ask("GET /feed/\(feed["secret"]?.string ?? "").ics")
        #expect(alarms(file.text) == ["TRIGGER:-P1D", "TRIGGER:-PT15M"])
        // Given back so, nothing changes.
        #expect(try dav.ask("PUT \(mine)", ada, [], read.text).status == 204)
        #expect(try dav.ask("GET \(mine)", ada)["ETag"] == read["ETag"])
        #expect(try reminders("ada") == [1440, 15])
    }

    @Test func `what a phone sets is when its member is reminded, and what is no reminder is kept`() throws {
        let odd = [
            ["ACTION:DISPLAY", "DESCRIPTION:Over", "TRIGGER;RELATED=END:PT5M"],
            ["ACTION:EMAIL", "DESCRIPTION:x", "SUMMARY:x", "ATTENDEE:mailto:a@example.org", "TRIGGER:-PT7M"],
        ]
        try put(
            "ben", ben,
            odd + [
                ["ACTION:DISPLAY", "DESCRIPTION:Leave", "TRIGGER:-PT30M", "ACKNOWLEDGED:20261101T000000Z"],
                ["ACTION:AUDIO", "TRIGGER;RELATED=END:-PT2H"],
                ["ACTION:DISPLAY", "DESCRIPTION:x", "TRIGGER;VALUE=DATE-TIME:20261201T140000Z"],
                ["ACTION:DISPLAY", "DESCRIPTION:x", "RELATED-TO;RELTYPE=SNOOZE:a", "TRIGGER:-PT3M"],
            ], "X-MOZ-LASTACK:20261101T120000Z\r\n")
        // The moment is two hours before 17:00 in Berlin.
        #expect(try reminders("ben") == [120, 60, 30])
        #expect(try reminders("ada") == [])
        let text = try dav.ask("GET \(try href("ben", ben))", ben).text
        for line in odd.joined() + ["ACKNOWLEDGED:20261101T000000Z", "X-MOZ-LASTACK:20261101T120000Z", "TRIGGER:-PT3M"]
        {
            #expect(text.contains(line + "\r\n"), "\(line)")
        }
        #expect(alarms(text).count == 6)
        // What one's program did with an alarm is one's own as well.
        let adas = try dav.ask("GET \(try href("ada", ada))", ada).text
        #expect(!adas.contains("X-MOZ-LASTACK") && alarms(adas) == [])
        // Set elsewhere, the reminders of the phone follow, and the rest stays.
        _ = try dav.call("ben", "entry.remind", ["entry": id, "minutes": [10]])
        let after = try dav.ask("GET \(try href("ben", ben))", ben).text
        #expect(
            alarms(after) == ["TRIGGER:-PT10M", "TRIGGER:-PT3M", "TRIGGER:-PT7M", "TRIGGER;RELATED=END:PT5M"])
        // Without alarms nobody is reminded.
        try put("ben", ben, [])
        #expect(try reminders("ben") == [])
    }

    @Test func `one day that is otherwise reminds as all others do`() throws {
        _ = try dav.call("ada", "entry.update", ["entry": id, "repeat": "FREQ=WEEKLY;COUNT=3"])
        _ = try dav.call("ada", "entry.remind", ["entry": id, "minutes": [15]])
        _ = try dav.call(
            "ada", "entry.update",
            ["entry": id, "scope": "this", "occurrence": "2026-12-08T17:00", "start": "2026-12-08T19:00"])
        let text = try dav.ask("GET \(try href("ada", ada))", ada).text
        #expect(alarms(text) == ["TRIGGER:-PT15M", "TRIGGER:-PT15M"])
        #expect(try dav.ask("PUT \(try href("ada", ada))", ada, [], text).status == 204)
        #expect(try reminders("ada") == [15])
    }
}
