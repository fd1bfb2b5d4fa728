import KinActivity
import KinFamily
import KinKeeper
import KinMap
import KinMeetings
import KinMembers
import KinModel
import Testing

@testable import KinActivity
@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinMap
@testable import KinMeetings
@testable import KinMembers

@Suite struct MapOwnTracksTests {
    private func location(_ box: MapBox, _ lat: Double = 52.5, ago: Int64 = 0) -> JSON {
        [
            "_type": "location", "lat": .double(lat), "lon": 13.4,
            "tst": .int(box.clock.milliseconds / 1000 - ago),
        ]
    }

    private func publish(_ box: MapBox, _ member: Identifier, _ message: JSON, device: String = "phone") throws
        -> [JSON]
    {
        let answer = try box.call(member, "owntracks.publish", ["message": message, "device": .string(device)])
        return try #require(answer.array)
    }

    @Test func `a location is read in the app's units`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        var message = location(box, 52.1)
        for (name, value) in [("vel", 90), ("cog", 360), ("acc", 12), ("alt", 34), ("batt", 56)] as [(String, Int64)] {
            message[name] = .int(value)
        }
        message["SSID"] = "home"
        message["motionactivities"] = ["walking"]
        #expect(try publish(box, ada, message).isEmpty)
        #expect(
            try box.dots(ada)[ada]
                == Position(
                    member: ada, lat: 52.1, lon: 13.4, at: box.clock, accuracy: 12, altitude: 34, speed: 25, course: 0,
                    battery: 56, motion: .moving(since: box.clock)))
    }

    @Test func `points come late, out of order and twice, and are ordered by tst`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        for ago in [20, 0, 40, 20, 0, 10] as [Int64] {
            _ = try publish(box, ada, location(box, Double(ago), ago: ago))
        }
        #expect(try box.history(ada) == [40, 20, 10, 0])
        #expect(try box.dots(ada)[ada]?.lat == 0)
        #expect(box.heard(ada).count == 2)
    }

    @Test func `messages of one second are told apart by device and _id`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        for (lat, id, device) in [
            (1.0, "a", "phone"), (2, "b", "phone"), (9, "a", "phone"), (3, "a", "watch"),
        ] {
            var message = location(box, lat)
            message["_id"] = .string(id)
            _ = try publish(box, ada, message, device: device)
        }
        #expect(try box.history(ada).sorted() == [1, 2, 3])
        #expect(try box.dots(ada)[ada]?.lat == 1)
    }

    @Test(
        arguments: [
            ("lat", .int(91)), ("lat", .null), ("lat", "52.5"), ("lat", nil), ("lon", .double(-181)), ("lon", nil),
            ("tst", nil), ("tst", .null), ("tst", "now"), ("tst", .int(.max)), ("tst", .int(.min)),
            ("tst", .double(1e300)),
            ("tst", 0), ("tst", 915_148_800), ("tst", 4_000_000_000),
        ] as [(String, JSON?)])
    func `an unusable location is taken, counted and noted, and moves nothing`(name: String, value: JSON?) throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        let bob = try box.join("Bob")
        try box.share(bob)
        try box.report(bob)
        var message = location(box)
        message[name] = value
        #expect(try publish(box, ada, message).count == 2)
        #expect(try box.dots(ada)[ada] == nil)
        #expect(box.keeper.counters.own["phone_points_unusable", default: 0] == 1)
        #expect(box.notes.contains { $0.hasPrefix("A location from OwnTracks was passed over") })
    }

    @Test func `odd measures are left out and the place is taken`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        var message = location(box, 52.1)
        for (name, value) in [
            ("vel", .int(-1)), ("cog", .int(.max)), ("acc", .double(1e308)), ("alt", "high"), ("batt", .int(-1)),
            ("_id", .int(7)), ("_id", .null),
        ] as [(String, JSON)] {
            message[name] = value
        }
        _ = try publish(box, ada, message)
        #expect(
            try box.dots(ada)[ada] == Position(member: ada, lat: 52.1, lon: 13.4, at: box.clock))
    }

    @Test(arguments: [
        "transition", "waypoint", "waypoints", "card", "status", "lwt", "steps", "beacon", "configuration", "cmd",
        "encrypted", "something of next year",
    ])
    func `every other type is taken and changes nothing`(type: String) throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        var message = location(box)
        message["_type"] = .string(type)
        #expect(try publish(box, ada, message).isEmpty)
        #expect(try box.dots(ada).isEmpty)
        #expect(box.keeper.counters.own["phone_points_unusable", default: 0] == 0)
    }

    @Test(arguments: [JSON.null, [], "location", 7, [:], ["_type": 7], [["_type": "location"]]])
    func `a message that is no message is taken`(message: JSON) throws {
        let box = try MapBox()
        #expect(try publish(box, try box.join("Ada"), message).isEmpty)
    }

    @Test func `the answer is a card and a location for each member who shares, whole numbers in km per hour`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        let bob = try box.join("Bob Baker")
        let cyd = try box.join("Cyd")
        var point = box.point(52.25, 13.5)
        for (name, value) in [
            ("speed", 13.9), ("course", 359.7), ("accuracy", 8.4), ("altitude", 33.6), ("battery", 80.5),
        ] {
            point[name] = .double(value)
        }
        try box.call(bob, "position.report", point)
        try box.report(cyd)
        try box.share(bob)
        try box.share(ada)
        let answer = try publish(box, ada, location(box))
        #expect(
            answer == [
                ["_type": "card", "tid": "BB", "name": "Bob Baker"],
                [
                    "_type": "location", "tid": "BB", "lat": 52.25, "lon": 13.5,
                    "tst": .int(box.clock.milliseconds / 1000), "vel": 50, "alt": 34, "cog": 0, "acc": 8,
                ],
            ])
        #expect(try publish(box, bob, ["_type": "status"]).count == 2)
        try box.share(bob, "off")
        #expect(try publish(box, ada, location(box)).isEmpty)
    }

    @Test func `a guest is shown nobody`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        let gus = try box.join("Gus", role: .guest)
        try box.share(ada)
        try box.report(ada)
        #expect(try publish(box, gus, location(box)).isEmpty)
        #expect(try box.dots(gus)[gus] != nil)
    }

    @Test func `tracker ids are two characters, one member's alone, and stay`() throws {
        let box = try MapBox()
        let caller = try box.join("Zoë")
        let names = [
            "Ada Moor", "Anna Müller", "Åsa Mårtensson", "Ann", "An", "A", "Émile", "Дед Мороз", "李雷", "🦊", "Ada Moor",
            "van der Berg", "7 of 9",
        ]
        for name in names {
            let id = try box.join(name)
            try box.share(id)
            try box.report(id)
        }
        func tids() throws -> [String] {
            try publish(box, caller, location(box)).filter { $0["_type"] == "card" }.compactMap { $0["tid"]?.string }
        }
        let first = try tids()
        #expect(first.count == names.count)
        #expect(Set(first).count == names.count)
        #expect(first.allSatisfy { $0.utf8.count == 2 })
        #expect(first.prefix(3) == ["AM", "AN", "AS"])
        #expect(first.suffix(2) == ["VB", "79"])
        try box.write("UPDATE members SET display_name = 'Nobody' WHERE display_name = 'Ada Moor'")
        #expect(try tids() == first)
    }

    @Test func `a whole family of one name finds tracker ids`() {
        var taken: Set<String> = []
        for _ in 0..<2000 {
            guard let tid = TrackerID.candidates("Ada").first(where: { !taken.contains($0) }) else { break }
            taken.insert(tid)
        }
        #expect(taken.count == 2000)
    }
}
