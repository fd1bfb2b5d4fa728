import KinCodec
import KinModel
import Testing

@testable import KinServer

/// Places of the map, of which phones know nothing.
@Suite struct CalDavPlaceTests {
    private let dav: DavBox
    private let ada: String
    private let pin: JSON

    init() throws {
        dav = try DavBox()
        ada = try dav.credential("ada")
        let made = try dav.call(
            "ada", "place.add", ["name": "Hall", "lat": 52.5, "lon": 13.4, "audience": "everyone"])
        pin = try #require(made["place"]?["id"])
    }

    private func add(_ more: JSON.Object) throws -> JSON {
        var params: JSON.Object = [
            "subject": "Choir", "start": "2026-12-01T17:00", "zone": "Europe/Berlin", "pin": pin,
        ]
        for member in more.members { params[member.name] = member.value }
        return try #require(try dav.call("ada", "entry.add", .object(params))["entry"]?["id"])
    }

    private func entry(_ id: JSON) throws -> JSON {
        try dav.call("ada", "entry.show", ["entry": id])["entry"] ?? .null
    }

    private func href() throws -> String {
        try #require(try dav.sync(ada, since: "", in: try dav.calendar(of: "ada")).there.first)
    }

    /// Puts back what is read there, with some of it otherwise.
    private func put(_ changes: [(String, String)]) throws {
        let href = try href()
        var text = try dav.ask("GET \(href)", ada).text
        for (old, new) in changes {
            #expect(text.contains(old), "\(old)")
            text = text.replacing(old, with: new)
        }
        let answer = try dav.ask("PUT \(href)", ada, [], text)
        #expect(answer.status == 204, "\(answer.text)")
    }

    @Test func `a phone that changes something else of an entry leaves its place on the map`() throws {
        let id = try add([:])
        try put([("SUMMARY:Choir", "SUMMARY:Big choir")])
        #expect(try entry(id)["subject"] == "Big choir")
        #expect(try entry(id)["place"] == ["place": pin])
    }

    @Test func `so it does beside words and coordinates, where the phone leaves these out, too`() throws {
        let id = try add(["place": "Hall, upstairs", "lat": 52.25, "lon": 13.5])
        let place = try entry(id)["place"]
        try put([("SUMMARY:Choir", "SUMMARY:Big choir")])
        #expect(try entry(id)["place"] == place)
        try put([("GEO:52.25;13.5\r\n", ""), ("SUMMARY:Big choir", "SUMMARY:Choir")])
        #expect(try entry(id)["subject"] == "Choir")
        #expect(try entry(id)["place"] == place)
    }

    @Test func `a phone that moves an entry elsewhere takes it off the map`() throws {
        let id = try add(["place": "Hall, upstairs"])
        try put([("LOCATION:Hall\\, upstairs", "LOCATION:Meadow")])
        #expect(try entry(id)["place"] == ["text": "Meadow"])
    }

    @Test func `one day that is elsewhere stays where it is`() throws {
        let other = try dav.call(
            "ada", "place.add", ["name": "Lake", "lat": 52.25, "lon": 13.5, "audience": "everyone"])
        let lake = try #require(other["place"]?["id"])
        let id = try add(["repeat": "FREQ=WEEKLY;COUNT=3"])
        _ = try dav.call(
            "ada", "entry.update",
            ["entry": id, "scope": "this", "occurrence": "2026-12-08T17:00", "pin": lake])
        try put([("SUMMARY:Choir", "SUMMARY:Big choir")])
        let after = try entry(id)
        #expect(after["place"] == ["place": pin] && after["subject"] == "Big choir")
        #expect(after["exceptions"]?.array?.map { $0["place"]?["place"] } == [lake])
        // Another word of the day itself changes nothing of it either.
        _ = try dav.call(
            "ada", "entry.update",
            ["entry": id, "scope": "this", "occurrence": "2026-12-08T17:00", "subject": "Swim"])
        try put([("SUMMARY:Swim", "SUMMARY:Dive")])
        let last = try entry(id)["exceptions"]?.array
        #expect(last?.map { $0["subject"] } == ["Dive"] && last?.map { $0["place"]?["place"] } == [lake])
    }

    @Test func `one day with a pin alone keeps it where all else has words`() throws {
        let id = try add(["place": "Hall, upstairs", "repeat": "FREQ=WEEKLY;COUNT=3"])
        let other = try dav.call(
            "ada", "place.add", ["name": "Lake", "lat": 52.25, "lon": 13.5, "audience": "everyone"])
        let lake = try #require(other["place"]?["id"])
        _ = try dav.call(
            "ada", "entry.update",
            ["entry": id, "scope": "this", "occurrence": "2026-12-08T17:00", "place": .null, "pin": lake])
        let before = try entry(id)["exceptions"]
        #expect(before?.array?.map { $0["place"] } == [["place": lake]])
        try put([("SUMMARY:Choir", "SUMMARY:Big choir")])
        #expect(try entry(id)["exceptions"] == before)
    }
}
