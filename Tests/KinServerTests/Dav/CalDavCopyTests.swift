import KinCodec
import KinModel
import Testing

@testable import KinServer
@testable import KinServerBox

/// Entries that a client copies from one calendar to another (RFC 4918, 9.8).
@Suite struct CalDavCopyTests {
    private let dav: DavBox
    private let ada: String
    private let own: String
    private let family: String

    init() throws {
        dav = try DavBox()
        ada = try dav.credential("ada")
        own = try dav.calendar(of: "ada")
        let shown = try dav.call("ada", "family.show", [:])
        family = try dav.calendar(of: "ada", try #require(shown["family"]?["id"]?.string))
    }

    private func put(_ name: String, _ uid: String, _ lines: [String] = []) throws {
        let answer = try dav.ask("PUT \(own)\(name)", ada, [], DavBox.event(uid, "Choir", lines))
        #expect(answer.status == 201, "\(answer.text)")
    }

    private func copy(_ name: String, _ to: String, _ headers: [String] = []) throws -> BoxResponse {
        try dav.ask("COPY \(own)\(name)", ada, ["Destination: \(to)"] + headers)
    }

    private func entries(_ who: String) throws -> [JSON] {
        try dav.call(who, "entry.all", [:])["entries"]?.array ?? []
    }

    @Test func `a copy is an entry of its own, with all that the first one says`() throws {
        try put("a.ics", "u1", ["X-ROOM:B 12", "RRULE:FREQ=WEEKLY;COUNT=3"])
        #expect(try dav.ask("OPTIONS \(own)a.ics", ada)["Allow"]?.hasPrefix("COPY, DELETE, GET, HEAD, MOVE, ") == true)
        let made = try copy("a.ics", family + "c.ics", ["Overwrite: F"])
        #expect(made.status == 201 && made["Location"] == family + "c.ics", "\(made.text)")
        let text = try dav.ask("GET \(family)c.ics", ada).text
        for line in ["SUMMARY:Choir", "X-ROOM:B 12", "RRULE:FREQ=WEEKLY;COUNT=3"] {
            #expect(text.contains(line + "\r\n"), "\(line)")
        }
        #expect(try entries("ada").count == 2 && entries("ben").count == 1)
        // What becomes of one changes nothing of the other.
        #expect(try dav.ask("DELETE \(own)a.ics", ada).status == 204)
        #expect(try entries("ada").count == 1 && entries("ben").count == 1)
    }

    @Test func `what cannot be copied is refused, and nothing is made`() throws {
        try put("a.ics", "u1")
        try put("b.ics", "u2", ["ORGANIZER:mailto:ada@example.org", "ATTENDEE:mailto:guest@example.org"])
        #expect(try copy("none.ics", family + "x.ics").status == 404)
        #expect(try dav.ask("COPY \(own)a.ics", ada).status == 400)
        #expect(try copy("a.ics", "https://elsewhere.example\(family)a.ics").status == 502)
        #expect(try copy("a.ics", "/dav/contacts/family/x.vcf").status == 403)
        #expect(try copy("a.ics", family.dropLast(2) + "0/a.ics").status == 409)
        #expect(try copy("a.ics", own + "c.ics").status == 409, "it is there already, by its UID")
        #expect(try copy("a.ics", own + "a.ics").status == 403, "it would be copied onto itself")
        #expect(try copy("a.ics", family + "a.ics", ["If-Match: \"x\""]).status == 412)
        let planned = try copy("b.ics", family + "b.ics")
        #expect(planned.status == 403 && planned.text.contains("<C:unique-scheduling-object-resource/>"))
        #expect(try dav.ask("COPY \(own)", ada, ["Destination: \(family)"]).status == 405)
        #expect(try entries("ben").isEmpty && entries("ada").count == 2)
        #expect(try copy("a.ics", family + "a.ics").status == 201)
        #expect(try copy("a.ics", family + "a.ics", ["Overwrite: F"]).status == 412)
        let ben = try dav.credential("ben")
        let there = try dav.calendar(of: "ben", String(family.split(separator: "/").last ?? ""))
        #expect(
            try dav.ask("COPY \(there)a.ics", ben, ["Destination: \(try dav.calendar(of: "ben"))z.ics"]).status == 404)
    }

    // MARK: For whom

    private func id(_ name: String) throws -> JSON { .id(try dav.box.person(name).id) }

    private func audience(_ subject: String, _ audience: JSON) throws {
        let entry = try #require(try entries("ada").first { $0["subject"]?.string == subject }?["id"])
        _ = try dav.call("ada", "entry.update", ["entry": entry, "audience": audience])
    }

    @Test func `a copy is for those for whom its original is, and so is what it takes the place of`() throws {
        try put("a.ics", "u1")
        #expect(try copy("a.ics", family + "c.ics").status == 201)
        #expect(try entries("ben").count == 1 && entries("hal").count == 1)
        let there = try #require(try entries("ben").first?["id"])
        let original = try #require(try entries("ada").first { $0["id"] != there }?["id"])
        _ = try dav.call("ada", "entry.update", ["entry": original, "audience": [try id("hal")]])
        // Over the one that all saw, by the same name.
        #expect(try copy("a.ics", family + "c.ics").status == 204)
        #expect(try entries("ben").isEmpty && entries("hal").map { $0["id"] } == [there])
        // And anew.
        #expect(try dav.ask("DELETE \(family)c.ics", ada).status == 204)
        #expect(try copy("a.ics", family + "d.ics").status == 201)
        #expect(try entries("ben").isEmpty)
        let copy = try #require(try entries("hal").first?["id"])
        #expect(copy != there)
        #expect(try dav.call("ada", "entry.show", ["entry": copy])["audience"] == [id("hal")])
        #expect(try entries("ada").count == 2)
    }

    /// Who sees an entry is not told for whom it is.
    @Test func `a copy of somebody else's entry is for whoever copies it, and tells nothing of the original`() throws {
        let name = String(family.split(separator: "/").last ?? "")
        for (file, uid, subject, audience) in [
            ("x.ics", "u1", "Open", JSON.null), ("y.ics", "u2", "Narrow", [try id("ben")] as JSON),
        ] {
            let put = try dav.ask("PUT \(family)\(file)", ada, [], DavBox.event(uid, subject))
            #expect(put.status == 201)
            try self.audience(subject, audience)
        }
        let ben = try dav.credential("ben")
        let bens = try dav.calendar(of: "ben", name)
        let household = try #require(
            try dav.call("ben", "calendar.list", [:])["calendars"]?.array?.first { $0["kind"] == "household" }?["id"])
        let target = try dav.calendar(of: "ben", household.string)
        let sources = try dav.tags(ben, in: bens).keys.sorted()
        #expect(sources.count == 2)
        let before = try entries("hal").count
        for (index, source) in sources.enumerated() {
            let made = try dav.ask("COPY \(source)", ben, ["Destination: \(target)\(index).ics"])
            #expect(made.status == 201, "\(made.text)")
            // Nor is either of them copied to somebody who may see less.
            let team = try #require(
                try dav.call("hal", "calendar.add", ["name": .string("Team \(index)")])["calendar"]?["id"])
            _ = try dav.call("hal", "calendar.share", ["calendar": team, "with": "everyone", "right": "write"])
            let hals = try dav.calendar(of: "ben", team.string)
            #expect(try dav.ask("COPY \(source)", ben, ["Destination: \(hals)z.ics"]).status == 403)
        }
        #expect(try entries("hal").count == before)
        #expect(try entries("ben").count == 4)
    }

    @Test func `what is for some, or private, is not copied to a calendar whose owner does not see it`() throws {
        let team = try #require(try dav.call("ben", "calendar.add", ["name": "Team"])["calendar"]?["id"])
        _ = try dav.call("ben", "calendar.share", ["calendar": team, "with": "everyone", "right": "write"])
        let there = try dav.calendar(of: "ada", team.string)
        try put("a.ics", "u1")
        try audience("Choir", [try id("hal")])
        let refused = try copy("a.ics", there + "a.ics")
        #expect(refused.status == 403, "\(refused.text)")
        #expect(try entries("ben").isEmpty)
        try audience("Choir", .null)
        try put("p.ics", "u2", ["CLASS:PRIVATE"])
        #expect(try copy("p.ics", there + "p.ics").status == 403)
        #expect(try entries("ben").isEmpty)
        #expect(try copy("a.ics", there + "a.ics").status == 201)
        #expect(try entries("ben").count == 1)
    }

    @Test func `nor is it moved there, and what is somebody else's goes to no third one, whoever it is for`() throws {
        func make(_ name: String) throws -> String {
            let made = try dav.call("hal", "calendar.add", ["name": .string(name)])["calendar"]?["id"]
            let id = try #require(made?.string)
            _ = try dav.call(
                "hal", "calendar.share", ["calendar": .string(id), "with": "everyone", "right": "write"])
            return id
        }
        let team = try make("Team")
        let there = try dav.calendar(of: "ada", team)
        func move(_ name: String) throws -> Int {
            try dav.ask("MOVE \(own)\(name)", ada, ["Destination: \(there)\(name)"]).status
        }
        try put("a.ics", "u1")
        try put("p.ics", "u2", ["CLASS:PRIVATE"])
        try audience("Choir", [try id("ben")])
        let before = try entries("hal").count
        #expect(try move("a.ics") == 403 && move("p.ics") == 403)
        #expect(try entries("hal").count == before && entries("ada").count == 2)
        // Ben reads both of these, and is not told that one of them is not for Hal: each is refused in the same way.
        let name = String(family.split(separator: "/").last ?? "")
        let ben = try dav.credential("ben")
        for (file, uid, subject, audience) in [
            ("x.ics", "u3", "Open", JSON.null), ("y.ics", "u4", "Narrow", [try id("ben")] as JSON),
        ] {
            #expect(try dav.ask("PUT \(family)\(file)", ada, [], DavBox.event(uid, subject)).status == 201)
            try self.audience(subject, audience)
        }
        let bens = try dav.calendar(of: "ben", team)
        var answers: Set<String> = []
        for source in try dav.tags(ben, in: try dav.calendar(of: "ben", name)).keys {
            let answer = try dav.ask("MOVE \(source)", ben, ["Destination: \(bens)z.ics"])
            #expect(answer.status == 403, "\(answer.text)")
            answers.insert(answer.text)
        }
        #expect(answers.count == 1)
        // What is for its owner too goes there.
        for entry in try entries("ada") where entry["subject"]?.string == "Choir" {
            _ = try dav.call(
                "ada", "entry.update",
                ["entry": entry["id"] ?? .null, "audience": [try id("ben"), try id("hal")], "privacy": "public"])
        }
        #expect(try move("a.ics") == 201 && move("p.ics") == 201)
    }
}
