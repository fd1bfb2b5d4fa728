import KinCodec
import KinCrypto
import KinModel
import Testing

@testable import KinServer
@testable import KinServerBox

/// Places of the map, of which phones know nothing.
@Suite struct CalDavPlaceTests {
    private let dav: DavBox
    private let ada: String
    private let hall: JSON

    init() throws {
        dav = try DavBox()
        ada = try dav.credential("ada")
        let made = try dav.call(
            "ada", "place.add", ["name": "Hall", "lat": 52.5, "lon": 13.4, "audience": "everyone"])
        hall = try #require(made["place"]?["id"])
    }

    private func add(_ more: JSON.Object) throws -> JSON {
        var params: JSON.Object = [
            "subject": "Choir", "start": "2026-12-01T17:00", "zone": "Europe/Berlin", "mapPlace": hall,
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
        #expect(try entry(id)["place"] == ["mapPlace": hall])
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
            ["entry": id, "scope": "this", "occurrence": "2026-12-08T17:00", "mapPlace": lake])
        try put([("SUMMARY:Choir", "SUMMARY:Big choir")])
        let after = try entry(id)
        #expect(after["place"] == ["mapPlace": hall] && after["subject"] == "Big choir")
        #expect(after["exceptions"]?.array?.map { $0["place"]?["mapPlace"] } == [lake])
        // Another word of the day itself changes nothing of it either.
        _ = try dav.call(
            "ada", "entry.update",
            ["entry": id, "scope": "this", "occurrence": "2026-12-08T17:00", "subject": "Swim"])
        try put([("SUMMARY:Swim", "SUMMARY:Dive")])
        let last = try entry(id)["exceptions"]?.array
        #expect(last?.map { $0["subject"] } == ["Dive"] && last?.map { $0["place"]?["mapPlace"] } == [lake])
    }

    @Test func `one day with a place of the map alone keeps it where all else has words`() throws {
        let id = try add(["place": "Hall, upstairs", "repeat": "FREQ=WEEKLY;COUNT=3"])
        let other = try dav.call(
            "ada", "place.add", ["name": "Lake", "lat": 52.25, "lon": 13.5, "audience": "everyone"])
        let lake = try #require(other["place"]?["id"])
        _ = try dav.call(
            "ada", "entry.update",
            ["entry": id, "scope": "this", "occurrence": "2026-12-08T17:00", "place": .null, "mapPlace": lake])
        let before = try entry(id)["exceptions"]
        #expect(before?.array?.map { $0["place"] } == [["mapPlace": lake]])
        try put([("SUMMARY:Choir", "SUMMARY:Big choir")])
        #expect(try entry(id)["exceptions"] == before)
    }

    // MARK: What is told of a place

    private func ben() throws -> (line: String, place: String) {
        (try dav.credential("ben"), try dav.calendar(of: "ben"))
    }

    /// An entry to which Ben is invited, at a place that only Ada sees.
    private func hidden(_ more: JSON.Object = JSON.Object()) throws -> (entry: JSON, place: JSON) {
        let made = try dav.call(
            "ada", "place.add",
            ["name": "Secret hut", "lat": 52.125, "lon": 13.25, "audience": [.id(try dav.box.person("ada").id)]])
        let hut = try #require(made["place"]?["id"])
        var params = more
        params["mapPlace"] = hut
        params["invitees"] = [.id(try dav.box.person("ben").id)]
        return (try add(params), hut)
    }

    @Test func `who sees the place reads its name and where it is, and words of the entry's own come first`() throws {
        _ = try add([:])
        let text = try dav.ask("GET \(try href())", ada).text
        #expect(text.contains("LOCATION:Hall\r\n") && text.contains("GEO:52.5;13.4\r\n"))
        try put([("SUMMARY:Choir", "SUMMARY:Big choir")])
        let other = try dav.call("ada", "entry.all", [:])["entries"]?.array?.first?["id"] ?? .null
        _ = try dav.call("ada", "entry.update", ["entry": other, "place": "Back door"])
        let own = try dav.ask("GET \(try href())", ada).text
        #expect(own.contains("LOCATION:Back door\r\n") && own.contains("GEO:52.5;13.4\r\n"))
        #expect(try entry(other)["place"] == ["text": "Back door", "mapPlace": hall])
    }

    @Test func `a copy stands at the place of its original, and tells it to nobody else`() throws {
        let made = try dav.call(
            "ada", "place.add",
            ["name": "Secret hut", "lat": 52.125, "lon": 13.25, "audience": [.id(try dav.box.person("ada").id)]])
        let hut = try #require(made["place"]?["id"])
        let original = try add(["mapPlace": hut])
        let family = try #require(try dav.call("ada", "family.show", [:])["family"]?["id"]?.string)
        let there = try dav.calendar(of: "ada", family)
        #expect(try dav.ask("COPY \(try href())", ada, ["Destination: \(there)c.ics"]).status == 201)
        #expect(try dav.ask("GET \(there)c.ics", ada).text.contains("LOCATION:Secret hut\r\n"))
        let copy = try dav.call("ada", "entry.all", [:])["entries"]?.array?.first { $0["id"] != original }
        #expect(copy?["place"] == ["mapPlace": hut])
        let ben = try dav.credential("ben")
        let bens = try #require(try dav.sync(ben, since: "", in: try dav.calendar(of: "ben", family)).there.first)
        let text = try dav.ask("GET \(bens)", ben).text
        #expect(text.contains("SUMMARY:Choir\r\n") && !text.contains("Secret") && !text.contains("52.125"), "\(text)")
    }

    @Test func `who does not see the place is told nothing of it, and takes nothing from it by writing`() throws {
        let (ben, bens) = try ben()
        let made = try hidden()
        let href = try #require(try dav.sync(ben, since: "", in: bens).there.first)
        let text = try dav.ask("GET \(href)", ben).text
        #expect(!text.contains("LOCATION") && !text.contains("GEO") && !text.contains("hut"))
        let answered = text.replacing("PARTSTAT=NEEDS-ACTION", with: "PARTSTAT=ACCEPTED")
        #expect(try dav.ask("PUT \(href)", ben, [], answered).status == 204)
        #expect(try entry(made.entry)["place"] == ["mapPlace": made.place])
        // What the place is called from here on changes nothing of what Ben's phone has.
        let (tag, token) = (
            try dav.ask("GET \(href)", ben)["ETag"], try dav.sync(ben, since: "", in: bens).token
        )
        _ = try dav.call("ada", "place.update", ["place": made.place, "name": "Open hut"])
        #expect(try dav.ask("GET \(href)", ben)["ETag"] == tag)
        #expect(try dav.sync(ben, since: token, in: bens).token == token)
        // Shown the place, Ben's phone reads the entry anew.
        _ = try dav.call("ada", "place.update", ["place": made.place, "audience": "everyone"])
        #expect(try dav.sync(ben, since: token, in: bens).there == [href])
        let shown = try dav.ask("GET \(href)", ben)
        #expect(shown.text.contains("LOCATION:Open hut\r\n") && shown["ETag"] != tag)
    }

    @Test func `what a phone says beside LOCATION is given back, but to nobody who does not see the place`() throws {
        let (ben, bens) = try ben()
        let made = try hidden()
        let own = try dav.calendar(of: "ada")
        let href = try #require(try dav.sync(ada, since: "", in: own).there.first)
        let structured =
            "X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-APPLE-RADIUS=70;X-TITLE=Secret hut:geo:52.125,13.25"
        let text = try dav.ask("GET \(href)", ada).text.replacing(
            "LOCATION:Secret hut\r\n", with: "LOCATION;LANGUAGE=en:Secret hut\r\n\(structured)\r\n")
        #expect(try dav.ask("PUT \(href)", ada, [], text).status == 204)
        #expect(try entry(made.entry)["place"] == ["mapPlace": made.place])
        let back = try dav.ask("GET \(href)", ada).text.replacing("\r\n ", with: "")
        #expect(back.contains(structured + "\r\n") && back.contains("LOCATION;LANGUAGE=en:Secret hut\r\n"))
        let bensHref = try #require(try dav.sync(ben, since: "", in: bens).there.first)
        let told = try dav.ask("GET \(bensHref)", ben).text
        #expect(!told.contains("LOCATION") && !told.contains("hut"))
        // Elsewhere from here on, what was said of where it was goes.
        _ = try dav.call("ada", "entry.update", ["entry": made.entry, "place": "Meadow", "mapPlace": .null])
        let last = try dav.ask("GET \(href)", ada).text
        #expect(last.contains("LOCATION:Meadow\r\n") && !last.contains("X-APPLE-STRUCTURED"))
    }

    @Test func `a place that got another name is another state of the entry to who sees it`() throws {
        let id = try add([:])
        let own = try dav.calendar(of: "ada")
        let (before, tag) = (try dav.sync(ada, since: "", in: own), try dav.ask("GET \(try href())", ada)["ETag"])
        _ = try dav.call("ada", "place.update", ["place": hall, "name": "Old hall"])
        #expect(try dav.sync(ada, since: before.token, in: own).there == before.there)
        let stale = try dav.ask("PUT \(try href())", ada, ["If-Match: \(tag ?? "")"], DavBox.event("x", "Late"))
        #expect(stale.status == 412)
        #expect(try entry(id)["place"] == ["mapPlace": hall])
    }

    @Test func `who changes an entry without seeing its place leaves what others' phones say of it`() throws {
        let calendar = try #require(try dav.call("ada", "calendar.add", ["name": "Team"])["calendar"]?["id"])
        _ = try dav.call("ada", "calendar.share", ["calendar": calendar, "with": "everyone", "right": "write"])
        let made = try hidden(["calendar": calendar])
        let (adas, bens) = (
            try dav.calendar(of: "ada", calendar.string), try dav.calendar(of: "ben", calendar.string)
        )
        let mine = try #require(try dav.sync(ada, since: "", in: adas).there.first)
        let text = try dav.ask("GET \(mine)", ada).text.replacing(
            "END:VEVENT\r\n", with: "X-APPLE-STRUCTURED-LOCATION;VALUE=URI:geo:52.125,13.25\r\nEND:VEVENT\r\n")
        #expect(try dav.ask("PUT \(mine)", ada, [], text).status == 204)
        let ben = try dav.credential("ben")
        let theirs = try #require(try dav.sync(ben, since: "", in: bens).there.first)
        let told = try dav.ask("GET \(theirs)", ben).text
        #expect(!told.contains("LOCATION") && !told.contains("geo:"))
        let changed = told.replacing("SUMMARY:Choir", with: "SUMMARY:Big choir")
        #expect(try dav.ask("PUT \(theirs)", ben, [], changed).status == 204)
        #expect(try entry(made.entry)["subject"] == "Big choir")
        #expect(try entry(made.entry)["place"] == ["mapPlace": made.place])
        let last = try dav.ask("GET \(mine)", ada).text
        #expect(last.contains("LOCATION:Secret hut\r\n") && last.contains("X-APPLE-STRUCTURED-LOCATION;VALUE=URI:geo:"))
    }

    /// A weekly entry at a place that all see, of which one day is at a place that only Ada sees; Ada's phone says beside
    /// LOCATION where that is. Ben may write into its calendar.
    private func dayElsewhere() throws -> (entry: JSON, calendar: JSON, hut: JSON, href: String) {
        let calendar = try #require(try dav.call("ada", "calendar.add", ["name": "Team"])["calendar"]?["id"])
        _ = try dav.call("ada", "calendar.share", ["calendar": calendar, "with": "everyone", "right": "write"])
        let made = try dav.call(
            "ada", "place.add",
            ["name": "Secret hut", "lat": 52.125, "lon": 13.25, "audience": [.id(try dav.box.person("ada").id)]])
        let hut = try #require(made["place"]?["id"])
        let id = try add(["calendar": calendar, "repeat": "FREQ=WEEKLY;COUNT=3"])
        _ = try dav.call(
            "ada", "entry.update", ["entry": id, "scope": "this", "occurrence": "2026-12-08T17:00", "mapPlace": hut])
        let href = try #require(
            try dav.sync(ada, since: "", in: try dav.calendar(of: "ada", calendar.string)).there.first)
        let day = "RECURRENCE-ID;TZID=Europe/Berlin:20261208T170000\r\n"
        let text = try dav.ask("GET \(href)", ada).text
        #expect(text.contains(day) && text.contains("LOCATION:Secret hut\r\n"))
        let told = text.replacing(day, with: "\(day)X-APPLE-STRUCTURED-LOCATION;VALUE=URI:geo:52.125,13.25\r\n")
        #expect(try dav.ask("PUT \(href)", ada, [], told).status == 204)
        return (id, calendar, hut, href)
    }

    @Test(arguments: ["PUT", "import"])
    func `of one day at a place that the writer does not see, what others' phones say stays as well`(way: String) throws
    {
        let made = try dayElsewhere()
        let ben = try dav.credential("ben")
        let bens = try dav.calendar(of: "ben", made.calendar.string)
        let theirs = try #require(try dav.sync(ben, since: "", in: bens).there.first)
        let told = try dav.ask("GET \(theirs)", ben).text
        #expect(told.contains("LOCATION:Hall\r\n") && !told.contains("hut") && !told.contains("52.125"))
        let changed = told.replacing("SUMMARY:Choir", with: "SUMMARY:Big choir")
        if way == "PUT" {
            #expect(try dav.ask("PUT \(theirs)", ben, [], changed).status == 204)
        } else {
            let taken = try dav.call(
                "ben", "calendar.import",
                ["calendar": made.calendar, "ics": .string(KinCrypto.Base64.encode(Array(changed.utf8)))])
            #expect(taken["entries"]?.array?.map { $0["outcome"] } == ["changed"], "\(taken.text)")
        }
        let after = try entry(made.entry)
        #expect(after["subject"] == "Big choir" && after["place"] == ["mapPlace": hall])
        #expect(after["exceptions"]?.array?.map { $0["place"] } == [["mapPlace": made.hut]])
        let parts = try dav.ask("GET \(made.href)", ada).text.split(separator: "RECURRENCE-ID")
        #expect(parts.count == 2 && !parts[0].contains("geo:"))
        #expect(parts.last?.contains("X-APPLE-STRUCTURED-LOCATION;VALUE=URI:geo:52.125,13.25\r\n") == true)
        let last = try dav.ask("GET \(theirs)", ben).text
        #expect(!last.contains("hut") && !last.contains("52.125"))
    }

    @Test func `a day that the writer puts elsewhere loses what was said of where it was`() throws {
        let made = try dayElsewhere()
        let ben = try dav.credential("ben")
        let theirs = try #require(
            try dav.sync(ben, since: "", in: try dav.calendar(of: "ben", made.calendar.string)).there.first)
        let day = "RECURRENCE-ID;TZID=Europe/Berlin:20261208T170000\r\n"
        let moved = try dav.ask("GET \(theirs)", ben).text.replacing(day, with: "\(day)LOCATION:Meadow\r\n")
        #expect(try dav.ask("PUT \(theirs)", ben, [], moved).status == 204)
        #expect(try entry(made.entry)["exceptions"]?.array?.map { $0["place"] } == [["text": "Meadow"]])
        let text = try dav.ask("GET \(made.href)", ada).text
        #expect(text.contains("LOCATION:Meadow\r\n") && !text.contains("X-APPLE-STRUCTURED"))
    }
}
