import KinCodec
import KinModel
import KinSimulation
import KinXML
import Testing

@testable import KinServer
@testable import KinServerBox

/// Calendars that several see: who is invited, who only sees when, and who sees nothing.
@Suite struct CalDavPeopleTests {
    private let dav: DavBox
    private let ada: String
    private let ben: String

    init() throws {
        dav = try DavBox()
        ada = try dav.credential("ada")
        ben = try dav.credential("ben")
    }

    private func address(_ name: String) throws -> String { "mailto:\(try dav.box.person(name).id)@kinwire.invalid" }

    private func entry(_ id: JSON) throws -> JSON {
        try dav.call("ada", "entry.show", ["entry": id])["entry"] ?? .null
    }

    /// Says something for an attendee in an object of iCalendar.
    private func saying(_ text: String, _ who: String, _ answer: String) throws -> String {
        let address = try address(who)
        return text.replacing("\r\n ", with: "").split(separator: "\r\n").map { line in
            guard line.hasPrefix("ATTENDEE"), line.hasSuffix(address) else { return String(line) }
            return "ATTENDEE;PARTSTAT=\(answer):\(address)"
        }.joined(separator: "\r\n") + "\r\n"
    }

    @Test func `who is invited finds the entry, and the answer in the phone is the answer`() throws {
        let own = try dav.calendar(of: "ada")
        let text = DavBox.event(
            "u1", "Choir", ["ORGANIZER:\(try address("ada"))", "ATTENDEE;PARTSTAT=ACCEPTED:\(try address("ben"))"])
        #expect(try dav.ask("PUT \(own)c.ics", ada, [], text).status == 201)
        let bens = try dav.calendar(of: "ben")
        let there = try dav.sync(ben, since: "", in: bens)
        let href = try #require(there.there.first)
        let read = try dav.ask("GET \(href)", ben)
        let plain = read.text.replacing("\r\n ", with: "")
        // Whoever invites does not answer for who is invited.
        #expect(plain.contains("PARTSTAT=NEEDS-ACTION:\(try address("ben"))") && plain.contains("UID:u1\r\n"))
        let plan = try #require(read["Schedule-Tag"])
        let answered = try dav.ask(
            "PUT \(href)", ben, ["If-Schedule-Tag-Match: \(plan)"],
            try saying(read.text, "ben", "ACCEPTED").replacing("SUMMARY:Choir", with: "SUMMARY:Stolen"))
        #expect(answered.status == 204, "\(answered.text)")
        let id = try #require(try dav.call("ada", "entry.all", [:])["entries"]?.array?.first?["id"])
        #expect(try entry(id)["invitees"]?.array?.first?["answer"] == "accepted")
        #expect(try entry(id)["subject"] == "Choir")
        // Who changes another's answer changes nothing.
        let adas = try dav.ask("GET \(own)c.ics", ada)
        #expect(adas["Schedule-Tag"] == plan)
        #expect(try dav.ask("PUT \(own)c.ics", ada, [], try saying(adas.text, "ben", "DECLINED")).status == 204)
        #expect(try entry(id)["invitees"]?.array?.first?["answer"] == "accepted")
        // What is changed by whose it is, is another plan.
        _ = try dav.call("ada", "entry.update", ["entry": id, "note": "Bring cake"])
        let late = try dav.ask(
            "PUT \(href)", ben, ["If-Schedule-Tag-Match: \(plan)"], try saying(read.text, "ben", "DECLINED"))
        #expect(late.status == 412)
        // Removed by who is invited, it is declined; whose it is has it still.
        #expect(try dav.ask("DELETE \(href)", ben).status == 204)
        #expect(try entry(id)["invitees"]?.array?.first?["answer"] == "declined")
        // No longer invited, it is gone there.
        let before = try dav.sync(ben, since: "", in: bens)
        _ = try dav.call("ada", "entry.update", ["entry": id, "invitees": []])
        let after = try dav.sync(ben, since: before.token, in: bens)
        #expect(after.gone == [href] && after.there.isEmpty)
        #expect(try dav.ask("GET \(href)", ben).status == 404)
    }

    @Test func `whoever says something for another beside their own answer has answered for themselves alone`() throws {
        let hal = try dav.box.person("hal").id
        let made = try dav.call(
            "ada", "entry.add",
            [
                "subject": "Swim", "start": "2026-12-01T17:00", "zone": "Europe/Berlin", "repeat": "weekly",
                "invitees": [.id(try dav.box.person("ben").id), .id(hal)],
            ])
        let id = try #require(made["entry"]?["id"])
        let href = try #require(try dav.sync(ben, since: "", in: try dav.calendar(of: "ben")).there.first)
        let hals = try dav.credential("hal")
        let place = try dav.calendar(of: "hal")
        let before = try dav.sync(hals, since: "", in: place)
        func own(_ name: String) throws -> JSON? {
            let all = try entry(id)["invitees"]?.array
            let member = JSON.id(try dav.box.person(name).id)
            return all?.first { $0["member"] == member }?["answer"]
        }
        // For all of it, and for a day.
        var text = try saying(dav.ask("GET \(href)", ben).text, "ben", "ACCEPTED")
        text = try saying(text, "hal", "DECLINED")
        let day = [
            "BEGIN:VEVENT", "UID:\(id.string ?? "")@kinwire", "RECURRENCE-ID;TZID=Europe/Berlin:20261208T170000",
            "DTSTART;TZID=Europe/Berlin:20261208T170000", "DTEND;TZID=Europe/Berlin:20261208T180000", "SUMMARY:Swim",
            "ORGANIZER:\(try address("ada"))", "ATTENDEE;PARTSTAT=ACCEPTED:\(try address("ben"))",
            "ATTENDEE;PARTSTAT=TENTATIVE:\(try address("hal"))", "END:VEVENT", "",
        ].joined(separator: "\r\n")
        text = text.replacing("END:VCALENDAR\r\n", with: day + "END:VCALENDAR\r\n")
        #expect(try dav.ask("PUT \(href)", ben, [], text).status == 204)
        #expect(try own("ben") == "accepted" && own("hal") == JSON.string("none"))
        let days = try entry(id)["answers"]?.array ?? []
        #expect(days.allSatisfy { $0["member"] != .id(hal) }, "\(days)")
        // Another invitee is left out of it, and stays asked.
        let without = text.replacing("\r\n ", with: "").split(separator: "\r\n").filter {
            !$0.hasSuffix("\(hal)@kinwire.invalid")
        }
        #expect(try dav.ask("PUT \(href)", ben, [], without.joined(separator: "\r\n") + "\r\n").status == 204)
        #expect(try own("hal") == JSON.string("none"))
        // Their own phone finds it as before, and is the one that answers.
        let there = try #require(before.there.first)
        let mine = try saying(dav.ask("GET \(there)", hals).text, "hal", "TENTATIVE")
        #expect(try dav.ask("PUT \(there)", hals, [], mine).status == 204)
        #expect(try own("hal") == "tentative" && own("ben") == "accepted")
    }

    /// RFC 6638, 8.1.
    @Test func `who is invited and removes it without a reply has not answered`() throws {
        let made = try dav.call(
            "ada", "entry.add",
            [
                "subject": "Choir", "start": "2026-12-01T17:00", "zone": "UTC",
                "invitees": [.id(try dav.box.person("ben").id)],
            ])
        let id = try #require(made["entry"]?["id"])
        let href = try #require(try dav.sync(ben, since: "", in: try dav.calendar(of: "ben")).there.first)
        for (fields, answer) in [(["Schedule-Reply: F"], "none"), (["Schedule-Reply: T"], "declined")] {
            #expect(try dav.ask("DELETE \(href)", ben, fields).status == 204)
            #expect(try entry(id)["invitees"]?.array?.first?["answer"]?.string == answer, "\(fields)")
        }
    }

    @Test func `an answer to one time is to that alone`() throws {
        let made = try dav.call(
            "ada", "entry.add",
            [
                "subject": "Swim", "start": "2026-12-01T17:00", "zone": "Europe/Berlin", "repeat": "weekly",
                "invitees": [.id(try dav.box.person("ben").id)],
            ])
        let id = try #require(made["entry"]?["id"])
        let href = try #require(try dav.sync(ben, since: "", in: try dav.calendar(of: "ben")).there.first)
        let all = try saying(try dav.ask("GET \(href)", ben).text, "ben", "ACCEPTED")
        let one = [
            "BEGIN:VEVENT", "UID:\(id.string ?? "")@kinwire", "RECURRENCE-ID;TZID=Europe/Berlin:20261208T170000",
            "DTSTART;TZID=Europe/Berlin:20261208T170000", "DTEND;TZID=Europe/Berlin:20261208T180000", "SUMMARY:Swim",
            "ORGANIZER:\(try address("ada"))", "ATTENDEE;PARTSTAT=DECLINED:\(try address("ben"))", "END:VEVENT", "",
        ].joined(separator: "\r\n")
        let text = all.replacing("END:VCALENDAR\r\n", with: one + "END:VCALENDAR\r\n")
        #expect(try dav.ask("PUT \(href)", ben, [], text).status == 204)
        let entry = try entry(id)
        #expect(entry["invitees"]?.array?.first?["answer"] == "accepted")
        #expect(entry["answers"]?.array?.map { $0["occurrence"] } == ["2026-12-08T17:00"])
        #expect(entry["answers"]?.array?.first?["answer"] == "declined")
        // Given back so, and written again, nothing changes.
        let again = try dav.ask("GET \(href)", ben)
        #expect(again.text.contains("RECURRENCE-ID;TZID=Europe/Berlin:20261208T170000"))
        #expect(try dav.ask("PUT \(href)", ben, [], again.text).status == 204)
        #expect(try dav.ask("GET \(href)", ben)["ETag"] == again["ETag"])
    }

    /// RFC 6638, 3.2.2.1.
    @Test func `a single day that an invitee removes in the phone is declined, and stays for everybody`() throws {
        let made = try dav.call(
            "ada", "entry.add",
            [
                "subject": "Swim", "start": "2026-12-01T17:00", "zone": "Europe/Berlin", "repeat": "weekly",
                "invitees": [.id(try dav.box.person("ben").id)],
            ])
        let id = try #require(made["entry"]?["id"])
        let href = try #require(try dav.sync(ben, since: "", in: try dav.calendar(of: "ben")).there.first)
        let accepted = try saying(try dav.ask("GET \(href)", ben).text, "ben", "ACCEPTED")
        let text = accepted.replacing(
            "END:VEVENT", with: "EXDATE;TZID=Europe/Berlin:20261208T170000\r\nEND:VEVENT")
        #expect(try dav.ask("PUT \(href)", ben, [], text).status == 204)
        func expectDeclined() throws {
            let entry = try entry(id)
            #expect(entry["invitees"]?.array?.first?["answer"] == "accepted")
            #expect(entry["answers"]?.array?.map { $0["occurrence"] } == ["2026-12-08T17:00"])
            #expect(entry["answers"]?.array?.first?["answer"] == "declined")
            let exceptions: [JSON] = entry["exceptions"]?.array ?? []
            #expect(exceptions.isEmpty)
        }
        try expectDeclined()
        // The phone finds that day again with the answer, and may send either text once more.
        let again = try dav.ask("GET \(href)", ben).text
        #expect(again.contains("PARTSTAT=DECLINED") && !again.contains("EXDATE"), "\(again)")
        for text in [again, text] {
            #expect(try dav.ask("PUT \(href)", ben, [], text).status == 204)
            try expectDeclined()
        }
    }

    @Test func `a meeting's host sets in the phone what rings of it, and changes nothing else of it there`() throws {
        let start = Instant(milliseconds: dav.box.time.wallMilliseconds()).adding(days: 9)
        let proposed = try dav.call(
            "ada", "meeting.propose",
            [
                "title": "Party", "kind": "group", "zone": "Europe/Berlin",
                "slots": [
                    ["start": .time(start), "end": .time(start.adding(seconds: 3600))],
                    ["start": .time(start.adding(days: 1)), "end": .time(start.adding(days: 1).adding(seconds: 3600))],
                ],
                "invitees": [.id(try dav.box.person("ben").id)],
            ])
        let meeting = try #require(proposed["meeting"]?["id"])
        let slot = try #require(proposed["meeting"]?["slots"]?.array?.first?["id"])
        _ = try dav.call("ada", "meeting.confirm", ["meeting": meeting, "slot": slot])
        let id = try #require(
            try dav.call("ada", "entry.all", [:])["entries"]?.array?.first { $0["meeting"] == meeting }?["id"])
        let home = "/dav/calendars/\(try dav.box.person("ada").id)/"
        let names = try dav.things(
            try dav.ask(
                "PROPFIND \(home)", ada, ["Depth: 1"], "<propfind xmlns=\"DAV:\"><prop><displayname/></prop></propfind>"
            ))
        let meetings = try #require(names.first { $0.properties[Dav.core("displayname")]?.text == "Meetings" }?.href)
        let href = try #require(try dav.sync(ada, since: "", in: meetings).there.first)
        let text = try dav.ask("GET \(href)", ada).text
        let ringing = text.replacing(
            "END:VEVENT",
            with: "BEGIN:VALARM\r\nACTION:DISPLAY\r\nDESCRIPTION:x\r\nTRIGGER:-PT30M\r\nEND:VALARM\r\nEND:VEVENT")
        let before = try dav.call("ada", "entry.show", ["entry": id])["remind"]?.array ?? []
        #expect(try dav.ask("PUT \(href)", ada, [], ringing).status == 204)
        #expect(try dav.call("ada", "entry.show", ["entry": id])["remind"]?.array == before + [30])
        let other = ringing.replacing("SUMMARY:Party", with: "SUMMARY:Feast")
        #expect(try dav.ask("PUT \(href)", ada, [], other).status == 409)
        #expect(try entry(id)["subject"] == "Party")
    }

    @Test func `the answer to a meeting's open slot is the vote`() throws {
        let start = Instant(milliseconds: dav.box.time.wallMilliseconds()).adding(days: 9)
        let slots = (0..<2).map { day -> JSON in
            let begins = start.adding(days: Int64(day))
            return ["start": .time(begins), "end": .time(begins.adding(seconds: 3600))]
        }
        let proposed = try dav.call(
            "ada", "meeting.propose",
            [
                "title": "Party", "kind": "group", "zone": "Europe/Berlin",
                "slots": .array(slots),
                "invitees": [.id(try dav.box.person("ben").id)],
            ])
        let meeting = try #require(proposed["meeting"]?["id"])
        let home = "/dav/calendars/\(try dav.box.person("ben").id)/"
        let names = try dav.things(
            try dav.ask(
                "PROPFIND \(home)", ben, ["Depth: 1"], "<propfind xmlns=\"DAV:\"><prop><displayname/></prop></propfind>"
            ))
        let decide = try #require(names.first { $0.properties[Dav.core("displayname")]?.text == "To decide" }?.href)
        let holds = try dav.sync(ben, since: "", in: decide)
        #expect(holds.there.count == 2)
        for (href, answer) in zip(holds.there, ["ACCEPTED", "TENTATIVE"]) {
            let text = try dav.ask("GET \(href)", ben).text
            #expect(text.contains("STATUS:TENTATIVE"))
            #expect(try dav.ask("PUT \(href)", ben, [], try saying(text, "ben", answer)).status == 204)
        }
        let own = try dav.call("ben", "meeting.show", ["meeting": meeting])["own"]
        #expect(Set(own?["votes"]?.array?.compactMap { $0["answer"]?.string } ?? []) == ["yes", "ifNeedBe"])
        // Nothing is put there, and whoever hosts it removes it as a meeting.
        #expect(try dav.ask("PUT \(decide)new.ics", ben, [], DavBox.event("x", "Mine")).status == 403)
        let adas = decide.replacing("\(try dav.box.person("ben").id)", with: "\(try dav.box.person("ada").id)")
        let hosted = try #require(try dav.sync(ada, since: "", in: adas).there.first)
        #expect(try dav.ask("DELETE \(hosted)", ada).status == 409)
        // Confirmed, it stands among the meetings, and the open slots are gone.
        let slot = try #require(proposed["meeting"]?["slots"]?.array?.first?["id"])
        _ = try dav.call("ada", "meeting.confirm", ["meeting": meeting, "slot": slot])
        let after = try dav.sync(ben, since: holds.token, in: decide)
        #expect(Set(after.gone) == Set(holds.there) && after.there.isEmpty)
        let meetings = try #require(names.first { $0.properties[Dav.core("displayname")]?.text == "Meetings" }?.href)
        let confirmed = try #require(try dav.sync(ben, since: "", in: meetings).there.first)
        let text = try dav.ask("GET \(confirmed)", ben).text
        #expect(try dav.ask("PUT \(confirmed)", ben, [], try saying(text, "ben", "DECLINED")).status == 204)
        let shown = try dav.call("ben", "meeting.show", ["meeting": meeting])["own"]
        #expect(shown?["attendance"] == "notGoing")
    }

    @Test func `who leaves the open slots out has no such calendar, and finds them in no other`() throws {
        let start = Instant(milliseconds: dav.box.time.wallMilliseconds()).adding(days: 9)
        _ = try dav.call(
            "ada", "meeting.propose",
            [
                "title": "Party", "kind": "group", "zone": "Europe/Berlin",
                "slots": [
                    ["start": .time(start), "end": .time(start.adding(seconds: 3600))],
                    ["start": .time(start.adding(days: 1)), "end": .time(start.adding(days: 1).adding(seconds: 3600))],
                ],
                "invitees": [.id(try dav.box.person("ben").id)],
            ])
        let home = "/dav/calendars/\(try dav.box.person("ben").id)/"
        func named(_ title: String) throws -> String? {
            try dav.things(
                try dav.ask(
                    "PROPFIND \(home)", ben, ["Depth: 1"],
                    "<propfind xmlns=\"DAV:\"><prop><displayname/></prop></propfind>")
            ).first { $0.properties[Dav.core("displayname")]?.text == title }?.href
        }
        let decide = try #require(try named("To decide"))
        let (own, before) = (try dav.calendar(of: "ben"), try dav.sync(ben, since: "", in: decide))
        #expect(before.there.count == 2)
        let set = try dav.call("ben", "settings.set", ["leftOut": ["toDecide", "birthdays"]])
        #expect(set["settings"]?["leftOut"] == ["toDecide", "birthdays"])
        #expect(try named("To decide") == nil && named("Birthdays") == nil && named("Meetings") != nil)
        #expect(try dav.ask("PROPFIND \(decide)", ben, ["Depth: 1"]).status == 404)
        #expect(try dav.ask("GET \(try #require(before.there.first))", ben).status == 404)
        #expect(try dav.tags(ben, in: own).isEmpty)
        _ = try dav.call("ben", "settings.set", ["leftOut": .null])
        #expect(try named("To decide") == decide)
        #expect(try dav.sync(ben, since: before.token, in: decide).token == before.token)
    }

    @Test func `who sees only when something is sees times alone, and private things are such times`() throws {
        let calendar = try #require(
            try dav.call("ada", "calendar.add", ["name": "Doctor"])["calendar"]?["id"])
        _ = try dav.call("ada", "calendar.share", ["calendar": calendar, "with": "everyone", "right": "busy"])
        let made = try dav.call(
            "ada", "entry.add",
            [
                "subject": "Secret thing", "start": "2026-12-01T17:00", "zone": "Europe/Berlin", "calendar": calendar,
                "place": "Clinic", "category": "medical", "invitees": [.id(try dav.box.person("hal").id)],
            ])
        let shared = try dav.calendar(of: "ben", calendar.string)
        let begin = try dav.sync(ben, since: "", in: shared)
        #expect(begin.there.count == 1)
        let text = try dav.ask("GET \(try #require(begin.there.first))", ben).text
        #expect(text.contains("DTSTART:20261201T160000Z") && text.contains("SUMMARY:Busy"))
        for word in [
            "Secret", "Clinic", "MEDICAL", "medical", "ATTENDEE", "ORGANIZER", made["entry"]?["id"]?.string ?? "?",
        ] {
            #expect(!text.contains(word), "\(word)")
        }
        // What is not seen of it moves nothing.
        _ = try dav.call("ada", "entry.update", ["entry": made["entry"]?["id"] ?? .null, "subject": "Another"])
        #expect(try dav.sync(ben, since: begin.token, in: shared).token == begin.token)
        #expect(try dav.ask("PUT \(try #require(begin.there.first))", ben, [], text).status == 403)
        #expect(try dav.ask("PUT \(shared)x.ics", ben, [], DavBox.event("x", "Mine")).status == 403)
        // Once more is seen, everything is read anew.
        _ = try dav.call("ada", "calendar.share", ["calendar": calendar, "with": "everyone", "right": "read"])
        let stale = try dav.ask(
            "REPORT \(shared)", ben, [],
            "<sync-collection xmlns=\"DAV:\"><sync-token>\(begin.token)</sync-token><sync-level>1</sync-level><prop/></sync-collection>"
        )
        #expect(stale.status == 403)
        let now = try dav.sync(ben, since: "", in: shared)
        #expect(try dav.ask("GET \(try #require(now.there.first))", ben).text.contains("SUMMARY:Another"))
        // Private, it is a time again, and goes as what it was.
        _ = try dav.call("ada", "entry.update", ["entry": made["entry"]?["id"] ?? .null, "privacy": "private"])
        let hidden = try dav.tags(ben, in: shared)
        #expect(hidden.count == 1 && hidden.keys.first?.contains("busy-") == true)
        // And what was hidden is nothing to a PUT onto its address, or with its UID.
        _ = try dav.call("ada", "calendar.share", ["calendar": calendar, "with": "everyone", "right": "write"])
        let name = "\(made["entry"]?["id"]?.string ?? "").ics"
        let uid = "\(made["entry"]?["id"]?.string ?? "")@kinwire"
        #expect(try dav.ask("GET \(shared)\(name)", ben).status == 404)
        #expect(try dav.ask("PUT \(shared)\(name)", ben, ["If-None-Match: *"], DavBox.event(uid, "Mine")).status == 201)
        let mine = try dav.ask("GET \(shared)\(name)", ben).text
        #expect(mine.contains("SUMMARY:Mine") && mine.contains("UID:\(uid)"))
        #expect(
            try dav.call("ada", "entry.show", ["entry": made["entry"]?["id"] ?? .null])["entry"]?["subject"]
                == "Another")
        // Ada sees both, each by a UID of its own.
        let adas = try dav.calendar(of: "ada", calendar.string)
        #expect(try dav.tags(ada, in: adas).count == 2)
    }

    @Test func `the order of calendars says nothing of what stands in them`() throws {
        let home = "/dav/calendars/\(try dav.box.person("ben").id)/"
        func order() throws -> [String] {
            try dav.things(try dav.ask("PROPFIND \(home)", ben, ["Depth: 1"])).map(\.href)
        }
        let before = try order()
        let start = Instant(milliseconds: dav.box.time.wallMilliseconds()).adding(days: 9)
        let slot: JSON = ["start": .time(start), "end": .time(start.adding(seconds: 3600))]
        _ = try dav.call(
            "ada", "meeting.propose",
            ["title": "Alone", "kind": "solo", "zone": "UTC", "slots": [slot], "invitees": []])
        #expect(try order() == before)
    }

    @Test func `a phone that may write into a calendar removes, and whose it is brings back`() throws {
        let calendar = try #require(try dav.call("ada", "calendar.add", ["name": "Team"])["calendar"]?["id"])
        _ = try dav.call("ada", "calendar.share", ["calendar": calendar, "with": "everyone", "right": "write"])
        let made = try dav.call(
            "ada", "entry.add", ["subject": "Match", "start": "2026-12-01", "calendar": calendar])
        let shared = try dav.calendar(of: "ben", calendar.string)
        let before = try dav.sync(ben, since: "", in: shared)
        #expect(try dav.ask("DELETE \(try #require(before.there.first))", ben).status == 204)
        #expect(try dav.sync(ben, since: before.token, in: shared).gone == before.there)
        _ = try dav.call("ada", "entry.restore", ["entry": made["entry"]?["id"] ?? .null])
        #expect(try dav.sync(ben, since: before.token, in: shared).there == before.there)
        // Moved away, it is gone here and there elsewhere.
        let here = try dav.sync(ben, since: "", in: shared)
        _ = try dav.call(
            "ada", "entry.update",
            ["entry": made["entry"]?["id"] ?? .null, "calendar": .id(try dav.box.person("ada").id)])
        #expect(try dav.sync(ben, since: here.token, in: shared).gone == here.there)
    }

    /// RFC 4791, 7.10, and RFC 5545, 3.8.2.7: phones write most whole days so.
    @Test func `what a phone shows as free makes nobody busy until it is shown as busy`() throws {
        let own = try dav.calendar(of: "ada")
        let id = JSON.id(try dav.box.person("ada").id)
        _ = try dav.call("ada", "calendar.share", ["calendar": id, "with": "everyone", "right": "busy"])
        func put(_ lines: [String]) throws {
            #expect(try dav.ask("PUT \(own)a.ics", ada, [], DavBox.event("u1", "Reading", lines)).status < 300)
        }
        func busy(_ who: String) throws -> Int? {
            let found = try dav.call(
                who, "entry.free", ["from": "2026-11-24", "to": "2026-11-24", "zone": "UTC", "members": [id]])
            return found["members"]?.array?.first?["busy"]?.array?.count
        }
        let shared = try dav.calendar(of: "ben", id.string)
        func isReported(_ place: String, _ who: String) throws -> Bool {
            let answer = try dav.ask(
                "REPORT \(place)", who, [],
                "<C:free-busy-query xmlns:C=\"urn:ietf:params:xml:ns:caldav\"><C:time-range start=\"20261124T000000Z\" end=\"20261125T000000Z\"/></C:free-busy-query>"
            )
            #expect(answer.text.contains("BEGIN:VFREEBUSY"), "\(answer.text)")
            return answer.text.contains("FREEBUSY:2026")
        }
        let day = ["DTSTART;VALUE=DATE:20261124", "DTEND;VALUE=DATE:20261125"]
        for lines in [["TRANSP:TRANSPARENT"], day + ["TRANSP:TRANSPARENT"]] {
            try put(lines)
            #expect(try busy("ada") == 0 && busy("ben") == 0, "\(lines)")
            #expect(try !isReported(own, ada) && !isReported(shared, ben), "\(lines)")
        }
        for lines in [[], ["TRANSP:OPAQUE"], ["X-NOTE:TRANSP:TRANSPARENT"]] {
            try put(lines)
            #expect(try busy("ada") == 1 && busy("ben") == 1, "\(lines)")
            #expect(try isReported(own, ada) && isReported(shared, ben), "\(lines)")
        }
    }

    @Test func `a phone asks when somebody is free, and of who shows nothing it is told nothing`() throws {
        _ = try dav.call(
            "ada", "calendar.share",
            ["calendar": .id(try dav.box.person("ada").id), "with": "everyone", "right": "busy"])
        _ = try dav.call("ada", "entry.add", ["subject": "Choir", "start": "2026-12-01T17:00", "zone": "UTC"])
        let question = [
            "BEGIN:VCALENDAR", "VERSION:2.0", "METHOD:REQUEST", "BEGIN:VFREEBUSY", "UID:q", "DTSTAMP:20261101T000000Z",
            "DTSTART:20261201T000000Z", "DTEND:20261202T000000Z", "ORGANIZER:\(try address("ben"))",
            "ATTENDEE:\(try address("ada"))", "ATTENDEE:\(try address("hal"))", "ATTENDEE:mailto:x@example.org",
            "END:VFREEBUSY", "END:VCALENDAR", "",
        ].joined(separator: "\r\n")
        let outbox = "/dav/calendars/\(try dav.box.person("ben").id)/outbox/"
        let answer = try dav.ask("POST \(outbox)", ben, ["Content-Type: text/calendar"], question)
        #expect(answer.status == 200, "\(answer.text)")
        #expect(answer.text.contains("FREEBUSY:20261201T170000Z/20261201T180000Z"))
        #expect(answer.text.split(separator: "3.7;Invalid").count == 3)
        #expect(try dav.ask("POST \(outbox)", ada, [], question).status == 404)
        #expect(try dav.ask("POST \(outbox)", ben, [], "hello").status == 400)
    }
}
