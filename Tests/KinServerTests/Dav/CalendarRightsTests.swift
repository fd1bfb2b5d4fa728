import KinCodec
import KinModel
import KinXML
import Testing

@testable import KinServer
@testable import KinServerBox

/// What each right in a calendar shows at each door. Who sees only when something is learns the times, and nothing else.
@Suite struct CalendarRightsTests {
    typealias Right = FamilyCalendar.Right

    /// What is seen at a door: subjects, and how many times are only busy.
    struct Seen: Equatable, CustomStringConvertible {
        var subjects: Set<String> = []
        var busy = 0
        var description: String { "\(subjects.sorted()) and \(busy) busy" }
    }

    /// The contract: of three things, one is public, one private, one confidential. `nil`: the calendar is not there.
    private static func expected(_ right: Right) -> Seen? {
        switch right {
        case .none: nil
        case .busy: Seen(busy: 3)
        case .read, .write, .own: Seen(subjects: ["Match"], busy: 2)
        }
    }

    /// What says more than when something is.
    private static let secrets = ["Doctor", "Lawyer", "Clinic", "Court", "Crown", "medical", "MEDICAL"]

    private let dav: DavBox
    private let ada: String
    private let ben: String
    private let calendar: JSON
    /// The things by their subjects.
    private let things: [String: JSON]

    init() throws {
        dav = try DavBox()
        ada = try dav.credential("ada")
        ben = try dav.credential("ben")
        calendar = try #require(try dav.call("ada", "calendar.add", ["name": "Team"])["calendar"]?["id"])
        var things: [String: JSON] = [:]
        for (subject, start, place, privacy) in [
            ("Match", "2026-12-01T17:00", "Field", "public"), ("Doctor", "2026-12-02T09:00", "Clinic", "private"),
            ("Lawyer", "2026-12-03T14:00", "Court", "confidential"),
        ] {
            let made = try dav.call(
                "ada", "entry.add",
                [
                    "subject": .string(subject), "start": .string(start), "zone": "Europe/Berlin",
                    "calendar": calendar, "place": .string(place), "note": "Crown", "category": "medical",
                    "privacy": .string(privacy), "invitees": [.id(try dav.box.person("hal").id)],
                ])
            things[subject] = try #require(made["entry"]?["id"])
        }
        self.things = things
    }

    private func share(_ right: Right) throws {
        _ = try dav.call(
            "ada", "calendar.share",
            ["calendar": calendar, "with": .id(try dav.box.person("ben").id), "right": .string(right.rawValue)])
    }

    private func id(_ subject: String) throws -> String { try #require(things[subject]?.string) }

    /// What must not stand in anything that is told to who has a right.
    private func secrets(_ right: Right) throws -> [String] {
        var words = Self.secrets + [try id("Doctor"), try id("Lawyer")]
        if right < .read {
            words += ["Match", "Field", try id("Match"), "ATTENDEE", "ORGANIZER"]
        } else {
            // What is public says so itself.
            words.removeAll { ["Crown", "medical", "MEDICAL"].contains($0) }
        }
        return words
    }

    private func expectSilent(_ text: String, _ right: Right, _ door: String) throws {
        for word in try secrets(right) { #expect(!text.contains(word), "\(door) with \(right) tells \(word)") }
    }

    /// What a file of iCalendar has.
    private func seen(in text: String) -> Seen {
        let lines = text.replacing("\r\n ", with: "").split(separator: "\r\n").map(String.init)
        let subjects = lines.filter { $0.hasPrefix("SUMMARY") }.map { String($0.split(separator: ":").last ?? "") }
        return Seen(subjects: Set(subjects).subtracting(["Busy"]), busy: subjects.count { $0 == "Busy" })
    }

    @Test(arguments: Right.allCases)
    func `each right shows what it permits, in lists, days, search and by name`(_ right: Right) throws {
        try share(right)
        let expected = Self.expected(right)
        let line = try dav.box.line("ben")
        defer { line.leave() }
        let when: JSON.Object = ["from": "2026-12-01", "to": "2026-12-31", "zone": "Europe/Berlin"]
        let listed = try line.result("entry.list", .object(when))
        #expect(
            Set((listed["occurrences"]?.array ?? []).compactMap { $0["subject"]?.string }) == expected?.subjects ?? [])
        #expect(listed["busy"]?.array?.count == expected?.busy ?? 0)
        #expect(
            (listed["busy"]?.array ?? []).allSatisfy { Set($0.object?.names ?? []) == ["calendar", "start", "end"] })
        try expectSilent(listed.text, right, "entry.list")
        let days = try line.result("entry.days", .object(when))
        #expect(
            (days["days"]?.array ?? []).compactMap { $0["date"]?.string } == (right >= .read ? ["2026-12-01"] : []))
        let all = try line.result("entry.all", ["calendar": calendar])
        #expect(
            Set((all["entries"]?.array ?? []).compactMap { $0["subject"]?.string }) == expected?.subjects ?? [])
        try expectSilent(all.text, right, "entry.all")
        for word in ["Match", "Doctor", "Lawyer", "Clinic", "Crown"] {
            var params = when
            params["words"] = .string(word)
            let isFound = right >= .read && ["Match", "Crown"].contains(word)
            let found = try line.result("entry.list", .object(params))
            #expect(found["occurrences"]?.array?.count == (isFound ? 1 : 0) && found["busy"] == [], "\(word)")
            let hits = try line.result("search.find", ["words": .string(word), "kinds": ["entry"]])["hits"]?.array
            #expect(hits?.count == (isFound ? 1 : 0), "\(word)")
        }
        // Neither by a category nor by whom it concerns is found what is only busy.
        for more in [["categories": ["medical"]], ["members": [.id(try dav.box.person("hal").id)]]] as [JSON] {
            var params = when
            for member in more.object?.members ?? [] { params[member.name] = member.value }
            let found = try line.result("entry.list", .object(params))
            #expect(found["occurrences"]?.array?.count == (right >= .read ? 1 : 0) && found["busy"] == [])
        }
        for (subject, thing) in things {
            let isSeen = expected?.subjects.contains(subject) == true
            #expect(try line.refusal("entry.show", ["entry": thing]) == (isSeen ? nil : 1404), "\(subject)")
            #expect(
                try line.refusal("entry.update", ["entry": thing, "note": "Mine"])
                    == (!isSeen ? 1404 : right >= .write ? nil : 1403), "\(subject)")
        }
    }

    @Test(arguments: Right.allCases)
    func `each right shows what it permits, in files and at addresses`(_ right: Right) throws {
        try share(.read)
        let made = try dav.call("ben", "calendar.addFeed", ["name": "Phone", "calendar": calendar])
        let target = "GET /feed/\(try #require(made["secret"]?.string)).ics"
        try share(right)
        let expected = Self.expected(right)
        let line = try dav.box.line("ben")
        defer { line.leave() }
        func read(_ headers: [String] = []) throws -> BoxResponse {
            let client = dav.box.connect()
            defer { client.leave() }
            return try client.ask(target, headers)
        }
        guard let expected else {
            #expect(try line.refusal("calendar.export", ["calendar": calendar]) == 1404)
            #expect(try read().status == 404)
            return
        }
        let file = try line.result("calendar.export", ["calendar": calendar])["text"]?.string ?? ""
        #expect(seen(in: file) == expected)
        try expectSilent(file, right, "calendar.export")
        let feed = try read()
        #expect(seen(in: feed.text) == expected)
        try expectSilent(feed.text, right, "the feed")
        // What changes of what is not seen makes it no other.
        let tag = try #require(feed["ETag"])
        _ = try dav.call("ada", "entry.update", ["entry": things["Doctor"] ?? .null, "subject": "Surgeon"])
        #expect(try read(["If-None-Match: \(tag)"]).status == 304)
        _ = try dav.call("ada", "entry.update", ["entry": things["Match"] ?? .null, "note": "Boots"])
        #expect(try read(["If-None-Match: \(tag)"]).status == (right >= .read ? 200 : 304))
    }

    @Test(arguments: Right.allCases)
    func `each right shows what it permits, by CalDAV`(_ right: Right) throws {
        try share(right)
        let expected = Self.expected(right)
        let place = try dav.calendar(of: "ben", calendar.string)
        let match = "\(place)\(try id("Match")).ics"
        let doctor = "\(place)\(try id("Doctor")).ics"
        let home = try dav.ask("PROPFIND /dav/calendars/\(try dav.box.person("ben").id)/", ben, ["Depth: 1"])
        #expect(try dav.things(home).contains { $0.href == place } == (expected != nil))
        #expect(try dav.ask("GET \(doctor)", ben).status == 404)
        guard let expected else {
            #expect(try dav.ask("PROPFIND \(place)", ben, ["Depth: 1"]).status == 404)
            #expect(try dav.ask("GET \(match)", ben).status == 404)
            let put = try dav.ask("PUT \(place)x.ics", ben, [], DavBox.event("x", "Mine")).status
            #expect([403, 404, 409].contains(put))
            #expect(try dav.call("ada", "entry.all", ["calendar": calendar])["entries"]?.array?.count == 3)
            return
        }
        let tags = try dav.tags(ben, in: place)
        #expect(tags.keys.count { $0.contains("busy-") } == expected.busy)
        #expect(tags.keys.filter { !$0.contains("busy-") }.sorted() == (right >= .read ? [match] : []))
        let found = try dav.range(ben, place, "20261201T000000Z", "20261231T000000Z")
        let text = found.map(\.data).joined()
        #expect(seen(in: text) == expected)
        try expectSilent(text, right, "REPORT")
        #expect(try dav.ask("GET \(match)", ben).status == (right >= .read ? 200 : 404))
        let own = try dav.ask("PUT \(place)x.ics", ben, [], DavBox.event("x", "Mine"))
        #expect(own.status == (right >= .write ? 201 : 403))
        let other = try dav.ask(
            "PUT \(match)", ben, right >= .read ? ["If-Match: *"] : [],
            DavBox.event("\(try id("Match"))@kinwire", "Taken"))
        #expect(right >= .write ? other.status == 204 : other.status == 403, "\(other.status)")
        let subject = try dav.call("ada", "entry.show", ["entry": things["Match"] ?? .null])["entry"]?["subject"]
        #expect(subject == (right >= .write ? "Taken" : "Match"))
        // A thing of time alone cannot be written into, nor removed.
        let busy = try #require(tags.keys.first { $0.contains("busy-") })
        #expect(try dav.ask("PUT \(busy)", ben, [], DavBox.event("y", "Mine")).status == 403)
        #expect(try dav.ask("DELETE \(busy)", ben).status >= 400)
    }

    @Test
    func `who is outside of an entry's audience finds nothing of it by CalDAV, and hears when that changes`() throws {
        try share(.write)
        let place = try dav.calendar(of: "ben", calendar.string)
        let match = "\(place)\(try id("Match")).ics"
        let before = try dav.sync(ben, since: "", in: place)
        let tag = try #require(try dav.tags(ben, in: place)[match])
        #expect(before.there.count == 3)
        func change(_ audience: JSON) throws {
            _ = try dav.call("ada", "entry.update", ["entry": things["Match"] ?? .null, "audience": audience])
        }
        // For him as before: nothing of it is another.
        try change([.id(try dav.box.person("ben").id)])
        #expect(try dav.sync(ben, since: before.token, in: place).token == before.token)
        #expect(try dav.tags(ben, in: place)[match] == tag)
        // For others: it is gone, not busy, and what becomes of it moves nothing.
        try change([])
        let after = try dav.sync(ben, since: before.token, in: place)
        #expect(after.gone == [match] && after.there.isEmpty)
        #expect(try dav.ask("GET \(match)", ben).status == 404)
        #expect(try dav.tags(ben, in: place).count == 2)
        _ = try dav.call("ada", "entry.update", ["entry": things["Match"] ?? .null, "start": "2026-12-05T10:00"])
        #expect(try dav.sync(ben, since: after.token, in: place).token == after.token)
        // For him again: he reads the calendar anew.
        try change(.null)
        let stale = try dav.ask(
            "REPORT \(place)", ben, [],
            "<sync-collection xmlns=\"DAV:\"><sync-token>\(after.token)</sync-token><sync-level>1</sync-level><prop/></sync-collection>"
        )
        #expect(stale.status == 403)
        #expect(try dav.sync(ben, since: "", in: place).there.count == 3)
    }

    @Test(arguments: Right.allCases)
    func `each right tells what it permits while it happens`(_ right: Right) throws {
        try share(right)
        let line = try dav.box.line("ben")
        defer { line.leave() }
        _ = try line.result("live.follow")
        _ = try line.heard()
        for (subject, thing) in things.sorted(by: { $0.key < $1.key }) {
            _ = try dav.call("ada", "entry.update", ["entry": thing, "note": .string("Another of \(subject)")])
        }
        _ = try dav.call("ada", "entry.remove", ["entry": things["Lawyer"] ?? .null])
        let heard = try line.heard()
        let types = heard.compactMap { $0["params"]?["type"]?.string }.filter { $0.hasPrefix("entry.") }
        #expect(types == (right >= .read ? ["entry.updated"] : []))
        for one in heard { try expectSilent(one.text, right, "an event") }
    }
}
