import KinActivity
import KinCodec
import KinFamily
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

/// Places on phones with OwnTracks: the list of those in sight rides on the next post, whenever it is another one.
@Suite struct MapWaypointTests {
    private let box: MapBox
    private let ada: Identifier
    private let bob: Identifier

    init() throws {
        box = try MapBox()
        ada = try box.join("Ada")
        bob = try box.join("Bob")
    }

    /// What a post is answered: the regions of each list, the name of one that is gone empty.
    private func lists(_ member: Identifier, _ id: JSON = "a", device: JSON = "pixel") throws -> [[JSON]] {
        let message: JSON = ["_type": "lwt", "_id": id]
        let answer = try box.call(member, "owntracks.publish", ["message": message, "device": device])
        let commands = try (answer.array ?? []).compactMap(\.string).map { try JSON.parse($0) }
        #expect(commands.allSatisfy { $0["_type"] == "cmd" && $0["action"] == "setWaypoints" })
        #expect(commands.allSatisfy { $0["waypoints"]?["_type"] == "waypoints" })
        return commands.compactMap { $0["waypoints"]?["waypoints"]?.array }
    }

    private func names(_ member: Identifier, _ id: JSON = "a", device: JSON = "pixel") throws -> [[String]] {
        try lists(member, id, device: device).map { $0.compactMap { $0["desc"]?.string } }
    }

    @discardableResult
    private func add(_ member: Identifier, _ name: String, _ more: JSON.Object = [:]) throws -> Identifier {
        // By their identifiers the oldest comes first.
        box.clock = box.clock.adding(milliseconds: 10)
        var params: JSON.Object = ["name": .string(name), "lat": 52.5, "lon": 13.4]
        for field in more.members { params[field.name] = field.value }
        return try #require(try box.call(member, "place.add", params)["place"]?["id"]?.identifier)
    }

    private func change(_ member: Identifier, _ place: Identifier, _ more: JSON.Object) throws {
        var params = more
        params["place"] = .id(place)
        try box.call(member, "place.update", params)
    }

    @Test func `a list rides until another post comes, and a newer one takes its place`() throws {
        #expect(try names(ada).isEmpty)
        let school = try add(ada, "School", ["radius": 75.2])
        let list = try lists(ada, "b")
        #expect(
            list == [
                [
                    [
                        "_type": "waypoint", "desc": "School", "lat": 52.5, "lon": 13.4, "rad": 76,
                        "tst": .int(MapBox.start.milliseconds / 1000), "rid": .id(school),
                    ]
                ]
            ])
        // The answer was lost: the phone posts the same once more.
        #expect(try lists(ada, "b") == list)
        #expect(try names(ada, "c").isEmpty)
        try add(ada, "Shop")
        try add(ada, "Mill")
        #expect(try names(ada, "d") == [["School", "Shop", "Mill"]])
        try change(ada, school, ["name": "Old school"])
        #expect(try names(ada, "d") == [["Old school", "Shop", "Mill"]])
        #expect(try names(ada, "e") == [])
        #expect(try box.count("SELECT count(*) FROM phone_commands") == 0)
    }

    @Test func `no two places share the second by which a phone knows them, and each keeps it`() throws {
        for name in ["One", "Two", "Three"] { try add(ada, name) }
        let first = try lists(ada)[0]
        #expect(Set(first.compactMap { $0["tst"]?.int }).count == 3)
        try change(ada, try #require(first[1]["rid"]?.identifier), ["lat": 48, "radius": 40])
        let second = try lists(ada, "b")[0]
        #expect(
            second.map { $0["tst"] } == first.map { $0["tst"] } && second.map { $0["rid"] } == first.map { $0["rid"] })
        #expect(second[1]["lat"]?.double == 48 && second[1]["rad"] == 40)
    }

    @Test func `what says nothing of where a circle lies is not told`() throws {
        let school = try add(ada, "School")
        _ = try (names(ada), names(ada, "b"))
        try change(ada, school, ["note": "Gate 2", "icon": "🏫"])
        try add(ada, "Look", ["kind": "hotspot"])
        try add(ada, "Mind the dog", ["kind": "note"])
        #expect(try names(ada, "c").isEmpty)
        // But not when the answer before got lost.
        try change(ada, school, ["radius": 60])
        #expect(try names(ada, "d") == [["School"]])
        try change(ada, school, ["note": "Gate 3"])
        #expect(try names(ada, "d") == [["School"]])
    }

    @Test func `a place that is gone is taken away by coordinates that cannot be, until that arrived`() throws {
        let school = try add(ada, "School")
        let before = try lists(ada)[0]
        try box.call(ada, "place.remove", ["place": .id(school)])
        let gone: JSON = [
            "_type": "waypoint", "desc": "", "lat": -1_000_000, "lon": -1_000_000, "rad": 0,
            "tst": before[0]["tst"] ?? .null, "rid": .id(school),
        ]
        // Told although the first list may never have arrived.
        #expect(try lists(ada, "b") == [[gone]])
        try add(ada, "Shop")
        let next = try lists(ada, "b")
        #expect(next.count == 1 && next[0].count == 2 && next[0][1] == gone)
        #expect(next[0][0]["tst"] != gone["tst"])
        try add(ada, "Mill")
        #expect(try names(ada, "c") == [["Shop", "Mill", ""]])
        #expect(try names(ada, "d").isEmpty)
        try add(ada, "Pond")
        #expect(try names(ada, "e") == [["Shop", "Mill", "Pond"]])
    }

    @Test func `nobody's phone is told of a place out of sight, and it leaves with the sight`() throws {
        let gil = try box.join("Gil", role: .guest)
        for member in [ada, bob, gil] { _ = try names(member) }
        let den = try add(ada, "Den", ["audience": [.id(bob)]])
        try add(ada, "School")
        #expect(try names(bob, "b") == [["Den", "School"]])
        #expect(try names(gil, "b").isEmpty)
        #expect(try box.count("SELECT count(*) FROM phone_commands WHERE message <> 'null'") == 0)
        try change(ada, den, ["audience": [.id(ada)]])
        #expect(try names(bob, "c") == [["School", ""]])
        #expect(try names(bob, "d").isEmpty)
        try change(ada, den, ["name": "Lair"])
        #expect(try names(bob, "e").isEmpty)
        #expect(try names(ada, "b") == [["Lair", "School"]])
        try change(ada, den, ["audience": [.id(bob), .id(gil)]])
        #expect(try names(bob, "f") == [["Lair", "School"]] && names(gil, "c") == [["Lair"]])
    }

    @Test func `a household and a role bring places and take them`() throws {
        let family = try FamilyBox()
        let ada = try family.found()
        let bob = try family.join("bob", by: ada)
        let quay = try family.foundHousehold("Quay", by: ada)
        func names(_ id: JSON) throws -> [String]? {
            let message: JSON = ["_type": "lwt", "_id": id]
            let answer = try family.call(.machineAs(bob.id), "owntracks.publish", ["message": message])
            let list = try answer.array?.last?.string.map { try JSON.parse($0) }?["waypoints"]?["waypoints"]?.array
            return list?.compactMap { $0["desc"]?.string }
        }
        for (name, audience) in [("Shed", "household"), ("School", "everyone")] as [(JSON, JSON)] {
            family.clock = family.clock.adding(seconds: 1)
            try family.call(ada, "place.add", ["name": name, "lat": 52.5, "lon": 13.4, "audience": audience])
        }
        #expect(try names("a") == ["Shed", "School"])
        #expect(try names("b") == nil)
        try family.move(bob, to: quay)
        #expect(try names("c") == ["School", ""])
        #expect(try names("c2") == nil)
        try family.call(ada, "member.setRole", ["member": .id(bob.id), "role": "guest"])
        #expect(try names("d") == [""])
        #expect(try names("d2") == nil)
        try family.move(bob, to: try family.household(of: ada))
        #expect(try names("e") == ["Shed"])
    }

    @Test func `a new phone is told at once, each phone by itself, other apps never`() throws {
        try add(ada, "School")
        #expect(try names(ada) == [["School"]])
        #expect(try names(ada, device: "watch") == [["School"]])
        try box.call(ada, "phone.publish", ["app": "overland", "device": "car", "points": []])
        #expect(try box.count("SELECT count(*) FROM phone_commands") == 2)
        #expect(try box.count("SELECT count(*) FROM phone_waypoints") == 2)
        // Places stay where they are, however long a phone was silent.
        try add(ada, "Shop")
        try box.wait(seconds: 100 * 3600)
        try box.wait(seconds: 3600)
        #expect(try names(ada, "b") == [["School", "Shop"]])
    }

    @Test func `a phone may have none, and then loses those it had`() throws {
        try add(ada, "School")
        _ = try names(ada)
        let phone = try #require(try box.call(ada, "phone.list")["phones"]?.array?.first?["id"])
        #expect(try box.call(ada, "phone.list")["phones"]?.array?.first?["waypoints"] == true)
        let said = try box.call(ada, "phone.update", ["phone": phone, "waypoints": false])
        #expect(said["phone"]?["waypoints"] == false)
        #expect(try names(ada, "b") == [[""]])
        try add(ada, "Shop")
        #expect(try names(ada, "c").isEmpty)
        try box.call(ada, "phone.update", ["phone": phone, "waypoints": true])
        #expect(try names(ada, "d") == [["School", "Shop"]])
        #expect(throws: Rejection.self) {
            try box.call(bob, "phone.update", ["phone": phone, "waypoints": false])
        }
        try box.call(ada, "phone.publish", ["app": "overland", "device": "car", "points": []])
        let car = try #require(
            try box.call(ada, "phone.list")["phones"]?.array?.first { $0["app"] == "overland" }?["id"])
        let refused = #expect(throws: Rejection.self) {
            try box.call(ada, "phone.update", ["phone": car, "waypoints": true])
        }
        #expect(refused?.kind == .invalid && refused?.field == "phone")
    }

    @Test func `twenty at most: the own home, then the own places, then the others'`() throws {
        for index in 0..<12 { try add(bob, "Bob \(index)") }
        for index in 0..<12 { try add(ada, "Ada \(index)") }
        try add(bob, "Home", ["home": true])
        let names = try #require(try names(ada).first)
        #expect(names.count == Limits.phoneWaypointsMax)
        #expect(names.first == "Home" && names[1...12].allSatisfy { $0.hasPrefix("Ada") } && names[13] == "Bob 0")
    }

    @Test func `places that come and go while a phone hears nothing fill no table`() throws {
        for index in 0..<60 {
            let place = try add(ada, "\(index)")
            _ = try names(ada)
            try box.call(ada, "place.remove", ["place": .id(place)])
        }
        #expect(try #require(try names(ada).first).count <= 2 * Limits.phoneWaypointsMax)
        #expect(try box.count("SELECT count(*) FROM phone_waypoints") <= Int64(2 * Limits.phoneWaypointsMax))
    }

    @Test func `what the phone sends back makes no places`() throws {
        try add(ada, "School")
        let list = try lists(ada)[0]
        let before = try #require(try box.fresh(bob)).snapshot.places
        _ = (box.heard(ada), box.heard(bob))
        for message in list + [["_type": "waypoints", "waypoints": .array(list)]] {
            try box.call(ada, "owntracks.publish", ["message": message, "device": "pixel"])
        }
        #expect(try #require(try box.fresh(bob)).snapshot.places == before && before.count == 1)
        #expect(box.heard(ada).isEmpty && box.heard(bob).isEmpty)
        #expect(try box.call(ada, "phone.list")["phones"]?.array?.first?["regions"] == 1)
    }

    @Test func `who switches remote commands on is told again`() throws {
        let off: JSON = ["_type": "configuration", "cmd": false]
        let on: JSON = ["_type": "configuration", "cmd": true]
        try box.call(ada, "owntracks.publish", ["message": off, "device": "pixel"])
        try add(ada, "School")
        _ = try (names(ada, "b"), names(ada, "c"))
        try box.call(ada, "owntracks.publish", ["message": on, "device": "pixel"])
        // The answer to that one had it; a repeat still has.
        let answer = try box.call(ada, "owntracks.publish", ["message": on, "device": "pixel"])
        #expect(answer.array?.count == 1)
    }

    @Test func `a colon in a name makes no beacon`() throws {
        try add(ada, "Mill: back door")
        #expect(try names(ada) == [["Mill∶ back door"]])
    }
}
