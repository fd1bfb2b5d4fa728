import KinActivity
import KinFamily
import KinGeo
import KinKeeper
import KinMap
import KinMeetings
import KinMembers
import KinModel
import KinStore
import Testing

@testable import KinActivity
@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinMap
@testable import KinMeetings
@testable import KinMembers

/// Links for people outside the family.
@Suite struct MapGuestLinkTests {
    private func link(
        _ box: MapBox, _ member: Identifier, _ precision: JSON = "exact", seconds: Int64 = 3600
    ) throws -> (id: Identifier, secret: JSON) {
        let made = try box.call(
            member, "guestLink.create",
            ["precision": precision, "until": .time(box.clock.adding(seconds: seconds))])
        return (try #require(made["guestLink"]?["id"]?.identifier), try #require(made["secret"]))
    }

    private func open(_ box: MapBox, _ secret: JSON) throws -> JSON {
        try box.ask(.none, "guestLink.open", ["secret": secret])
    }

    @Test func `a link shows the dot and nothing else, exactly or as a cell`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        try box.share(ada)
        try box.call(
            ada, "position.report", ["lat": 52.5, "lon": 13.4, "at": .time(box.clock), "battery": 50, "speed": 3])
        let exact = try open(box, link(box, ada).secret)
        // Towns depend on what this machine knows.
        let told = exact.object?.members.map(\.name).filter { !["town", "around"].contains($0) }
        #expect(told == ["until", "precision", "state", "lat", "lon", "at"])
        #expect(exact["lat"] == 52.5)
        let coarse = try open(box, link(box, ada, "coarse").secret)
        #expect(coarse["lat"]?.double == Cell(lat: 52.5, lon: 13.4).middle.lat)
    }

    @Test func `the towns around are as near as there are two, and come across the date line`() throws {
        let box = try FamilyBox()
        let database = box.store.database
        try box.store.beginTurn()
        for table in NearestTown.tables { try database.run(table) }
        for (number, lat, lon) in [(1, 10.0, 179.95), (2, 10.02, -179.98), (3, 10.3, 179.9), (4, -40, 20)] {
            try database.run("INSERT INTO towns VALUES (\(number), 'T\(number)', 'XX', \(lat), \(lon), 0)")
            try database.run("INSERT INTO towns_index VALUES (\(number), \(lat), \(lat), \(lon), \(lon))")
        }
        try box.store.commitTurn()
        func found(_ lat: Double, _ lon: Double) throws -> [String] {
            try LinkSurroundings(lat: lat, lon: lon).found(in: database).around.map(\.name).sorted()
        }
        #expect(try found(10, 179.99) == ["T1", "T2"])
        #expect(try found(10.28, 179.9) == ["T1", "T2", "T3"])
        // One alone is told as well, and where there is none, none.
        #expect(try found(-40.1, 20) == ["T4"])
        #expect(try found(-80, 20) == [])
        #expect(try LinkSurroundings(lat: 10, lon: 179.99).found(in: database).town?.town.name == "T2")
    }

    @Test func `a name is told as it was chosen for the link, and a place while one is at it and only if ticked`()
        throws
    {
        let box = try MapBox()
        let (ada, bob) = (try box.join("Ada"), try box.join("Bob"))
        func place(_ by: Identifier, _ name: JSON, _ lat: JSON, audience: JSON = "everyone") throws -> JSON {
            let made = try box.call(
                by, "place.add", ["name": name, "lat": lat, "lon": 13.4, "radius": 100, "audience": audience])
            return try #require(made["place"]?["id"])
        }
        let school = try place(ada, "School", 52.5)
        let club = try place(ada, "Club", 52.6)
        let hidden = try place(bob, "Bob's den", 52.7, audience: [])
        try box.share(ada)
        func make(_ name: JSON? = nil, _ places: [JSON]? = nil) throws -> JSON {
            var params: JSON.Object = ["precision": "coarse", "until": .time(box.clock.adding(seconds: 3600))]
            params["name"] = name
            params["places"] = places.map { .array($0) }
            return try box.call(ada, "guestLink.create", params)
        }
        let (named, bare) = (try make("Mum", [school, school]), try make())
        #expect(named["guestLink"]?["name"] == "Mum" && named["guestLink"]?["places"] == [school])
        #expect(bare["guestLink"]?["name"] == nil && bare["guestLink"]?["places"] == nil)
        for wrong in [hidden, .id(ada)] {
            let refused = #expect(throws: Rejection.self) { try make(nil, [wrong]) }
            #expect(refused?.kind == .notFound && refused?.field == "places")
        }
        func report(_ lat: Double) throws {
            for ago in stride(from: Int64(240), through: 0, by: -60) { try box.report(ada, lat, ago: ago) }
        }
        try report(52.5)
        let secret = try #require(named["secret"])
        var seen = try open(box, secret)
        #expect(seen["name"] == "Mum" && seen["place"] == "School")
        seen = try open(box, try #require(bare["secret"]))
        #expect(seen["name"] == nil && seen["place"] == nil && seen["lat"] != nil)
        box.clock = box.clock.adding(seconds: 3000)
        try report(52.6)
        #expect(try box.call(ada, "position.latest")["positions"] != nil && club != .null)
        #expect(try open(box, secret)["place"] == nil)
        try box.share(ada, "off")
        seen = try open(box, secret)
        #expect(seen["name"] == "Mum" && seen["place"] == nil && seen["lat"] == nil)
        try box.call(ada, "place.remove", ["place": school])
        #expect(try box.count("SELECT count(*) FROM guest_link_places") == 0)
    }

    @Test func `who guesses links has to wait, and a right one opens all the same`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        let made = try link(box, ada)
        for number in 0..<Limits.guessesFree {
            let refused = #expect(throws: Rejection.self) { try open(box, .string("no-\(number)")) }
            #expect(refused?.kind == .notFound)
        }
        let slowed = #expect(throws: Rejection.self) { try open(box, "no-more") }
        #expect(slowed?.kind == .slowDown && slowed?.retryAfter != nil)
        #expect(try open(box, made.secret)["until"] != nil)
    }

    @Test func `sharing that is off shows nothing to a link either`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        try box.report(ada)
        let made = try link(box, ada)
        #expect(try open(box, made.secret).object?.members.count == 3)
        try box.share(ada)
        #expect(try open(box, made.secret)["lat"] != nil)
        try box.share(ada, "off")
        #expect(try open(box, made.secret)["lat"] == nil)
    }

    @Test func `a link ends by itself, by its owner, and with a restore`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        let bob = try box.join("Bob")
        let short = try link(box, ada, seconds: 60)
        let revoked = try link(box, ada)
        let restored = try link(box, ada)
        #expect(try box.call(ada, "sharing.show")["sharing"]?["links"] == 3)
        #expect(throws: Rejection.self) { try box.call(bob, "guestLink.revoke", ["guestLink": .id(revoked.id)]) }
        try box.call(ada, "guestLink.revoke", ["guestLink": .id(revoked.id)])
        let one = #expect(throws: Rejection.self) { try open(box, revoked.secret) }
        box.clock = box.clock.adding(seconds: 60)
        let two = #expect(throws: Rejection.self) { try open(box, short.secret) }
        let three = #expect(throws: Rejection.self) { try open(box, "never-was") }
        #expect(one == two && two == three)
        #expect(one?.kind == .notFound)
        #expect(try box.call(ada, "guestLink.list")["guestLinks"]?.array?.count == 1)
        try box.write("INSERT INTO due (kind, about, at) VALUES ('restored', '', 0)")
        try box.wait(seconds: 0)
        #expect(throws: Rejection.self) { try open(box, restored.secret) }
        #expect(try box.count("SELECT count(*) FROM guest_links") == 0)
        #expect(try box.count("SELECT count(*) FROM due WHERE kind = 'guestLink.ends'") == 0)
    }

    @Test func `while the clock is doubted a link shows nothing, and is not over`() throws {
        let box = try MapBox()
        box.machine = .alone
        let ada = try box.join("Ada")
        try box.report(ada)
        try box.share(ada)
        let made = try link(box, ada)
        box.machine.put(days: 400)
        try box.wait(seconds: 60)
        #expect(try open(box, made.secret)["lat"] == nil)
        box.machine.put(days: -400)
        try box.wait(seconds: 60)
        #expect(try open(box, made.secret)["lat"] != nil)
    }

    @Test func `every opening is a look, counted by link and day`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        let made = try link(box, ada, seconds: 86_400)
        for _ in 0..<3 { _ = try open(box, made.secret) }
        let looks = try #require(try box.call(ada, "sharing.looks")["looks"]?.array)
        #expect(looks.count == 1)
        #expect(looks[0]["how"] == "link" && looks[0]["count"] == 3)
        #expect(looks[0]["link"]?.identifier == made.id)
        #expect(looks[0]["viewer"] == nil)
    }

    @Test func `what a page shows already is not told again and is no opening, and whatever changes is told`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        try box.share(ada)
        try box.report(ada)
        let made = try link(box, ada, seconds: 86_400)
        func again(_ seen: JSON?) throws -> JSON {
            try box.ask(.none, "guestLink.open", ["secret": made.secret, "seen": seen ?? .null])
        }
        let first = try open(box, made.secret)
        let same = try again(first["state"])
        #expect(same["same"] == true && same["lat"] == nil && same["state"] == first["state"])
        box.clock = box.clock.adding(seconds: 60)
        try box.report(ada, 48.2)
        let moved = try again(first["state"])
        #expect(moved["same"] == nil && moved["lat"] == 48.2 && moved["state"] != first["state"])
        #expect(try again(moved["state"])["same"] == true)
        try box.share(ada, "off")
        let off = try again(moved["state"])
        #expect(off["same"] == nil && off["lat"] == nil)
        #expect(try again(off["state"])["same"] == true)
        let looks = try #require(try box.call(ada, "sharing.looks")["looks"]?.array)
        #expect(looks.count == 1 && looks[0]["count"] == 1)
    }

    @Test func `what was made up is no way to look unseen, and neither is what another link gave`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        try box.share(ada)
        try box.report(ada)
        let (made, other) = (try link(box, ada), try link(box, ada))
        let state = try #require(try open(box, made.secret)["state"]?.string)
        let foreign = try #require(try open(box, other.secret)["state"]?.string)
        func count() throws -> JSON? {
            try box.call(ada, "sharing.looks")["looks"]?.array?.first { $0["link"]?.identifier == made.id }?["count"]
        }
        func again(_ seen: String, _ more: JSON.Object = [:]) throws -> JSON {
            var params: JSON.Object = ["secret": made.secret, "seen": .string(seen)]
            for (name, value) in more.members { params[name] = value }
            return try box.ask(.none, "guestLink.open", params)
        }
        let forged = [
            "-", String(state.reversed()), foreign, String(state.prefix(16)) + String(foreign.suffix(16)),
        ]
        for (number, seen) in forged.enumerated() {
            #expect(try again(seen)["lat"] != nil, "\(seen)")
            #expect(try count() == .int(Int64(number + 2)), "\(seen)")
            let refused = #expect(throws: Rejection.self) { try again(seen, ["further": true]) }
            #expect(refused?.kind == .notFound)
        }
        // The page that is open asks for everything, and that is no further opening.
        let counted = try count()
        #expect(try again(state, ["whole": true])["lat"] != nil)
        #expect(try again(state, ["further": true])["same"] == true)
        #expect(try count() == counted)
    }

    @Test func `who keeps a page open is noted each day, though nothing moves`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        try box.share(ada)
        try box.report(ada)
        let made = try link(box, ada, seconds: 3 * 86_400)
        let first = try open(box, made.secret)
        try box.wait(seconds: 86_400)
        let next = try box.ask(.none, "guestLink.open", ["secret": made.secret, "seen": first["state"] ?? .null])
        #expect(next["same"] == nil && next["state"] != first["state"])
        #expect(try box.call(ada, "sharing.looks")["looks"]?.array?.count == 2)
        // Two pages that were open through the night are two on the next day, too.
        _ = try box.ask(.none, "guestLink.open", ["secret": made.secret, "seen": first["state"] ?? .null])
        let today = try box.call(ada, "sharing.looks")["looks"]?.array?.map { $0["count"] }
        #expect(today?.contains(2) == true)
    }

    @Test func `links are few, and none is made for ever or for yesterday`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        for seconds in [0, -5, 32 * 86_400] as [Int64] {
            #expect(throws: Rejection.self) { try link(box, ada, seconds: seconds) }
        }
        for _ in 0..<Limits.guestLinksPerMemberMax { _ = try link(box, ada) }
        let refused = #expect(throws: Rejection.self) { try link(box, ada) }
        #expect(refused?.kind == .tooLarge)
    }

    @Test func `the secret is in no file`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        let secret = try #require(try link(box, ada).secret.string)
        #expect(try box.count("SELECT count(*) FROM guest_links WHERE instr(secret, '\(secret)') > 0") == 0)
    }
}
