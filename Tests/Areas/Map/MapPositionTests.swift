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

@Suite struct MapPositionTests {
    @Test func `a point moves the dot of its owner alone while sharing is off`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        let bob = try box.join("Bob")
        let answer = try box.report(ada, 52.1)
        #expect(answer["position"]?["lat"]?.double == 52.1)
        #expect(try box.dots(ada)[ada]?.lat == 52.1)
        #expect(try box.dots(bob).isEmpty)
        #expect(box.heard(bob).isEmpty)
        #expect(box.heard(ada).map(\.type) == ["position"])
    }

    @Test func `everything a phone knows comes back as it was said`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        var point = box.point()
        for (name, value) in [
            ("accuracy", 8.5), ("altitude", -3), ("speed", 13.75), ("course", 359.5), ("battery", 44),
        ] {
            point[name] = .double(value)
        }
        point["device"] = "watch"
        try box.call(ada, "position.report", point)
        let dot = try #require(try box.dots(ada)[ada])
        #expect(
            dot
                == Position(
                    member: ada, lat: 52.5, lon: 13.4, at: box.clock, accuracy: 8.5, altitude: -3, speed: 13.75,
                    course: 359.5, battery: 44, motion: .moving(since: box.clock)))
        #expect(try box.call(ada, "position.latest")["positions"]?.array == [dot.json])
    }

    @Test func `late points fill the history and never move the dot`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        try box.report(ada, 3, ago: 10)
        _ = box.heard(ada)
        try box.report(ada, 1, ago: 30)
        try box.report(ada, 2, ago: 20)
        #expect(try box.dots(ada)[ada]?.lat == 3)
        #expect(box.heard(ada).isEmpty)
        #expect(try box.history(ada) == [1, 2, 3])
    }

    @Test func `of points of one device and moment the first wins and the second says nothing`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        try box.report(ada, 1)
        _ = box.heard(ada)
        try box.report(ada, 1)
        try box.report(ada, 2)
        #expect(try box.dots(ada)[ada]?.lat == 1)
        #expect(try box.history(ada) == [1])
        #expect(box.heard(ada).isEmpty)
        var other = box.point(3)
        other["device"] = "tablet"
        try box.call(ada, "position.report", other)
        #expect(try box.dots(ada)[ada]?.lat == 1)
        #expect(try box.history(ada) == [1, 3])
    }

    @Test func `a thousand points in one report are one event`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        let points = (0..<1000).map { JSON.object(box.point(Double($0) / 100, ago: Int64($0))) }.shuffled()
        try box.call(ada, "position.report", ["positions": .array(points)])
        #expect(try box.dots(ada)[ada]?.lat == 0)
        #expect(try box.history(ada).count == 1000)
        #expect(box.heard(ada).count == 1)
        #expect(throws: Rejection.self) {
            try box.call(ada, "position.report", ["positions": .array(points + [points[0]])])
        }
    }

    @Test(
        arguments: [
            ("lat", JSON.double(91), Rejection.Kind.invalid), ("lat", .int(.min), .invalid),
            ("lon", .double(-180.1), .invalid),
            ("lat", "52", .params), ("lat", .null, .params), ("accuracy", .double(-1), .invalid),
            ("course", .double(1e300), .invalid), ("battery", .int(101), .invalid), ("speed", .int(.max), .invalid),
            ("altitude", .double(-1e18), .invalid), ("at", "yesterday", .invalid),
            ("at", "1999-12-31T23:59:59.999Z", .invalid), ("at", "1976-11-20T18:00:00Z", .invalid),
            ("at", "2076-11-20T18:00:00Z", .invalid), ("at", "2026-11-20T18:02:00.001Z", .invalid),
            ("device", "", .invalid), ("device", "a\nb", .invalid), ("mood", "good", .params),
        ] as [(String, JSON, Rejection.Kind)])
    func `a value that cannot be is refused by name and changes nothing`(
        name: String, value: JSON, kind: Rejection.Kind
    ) throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        var point = box.point()
        point[name] = value
        let single = #expect(throws: Rejection.self) { try box.call(ada, "position.report", point) }
        #expect(single?.kind == kind)
        #expect(single?.field == name)
        let list: JSON.Object = ["positions": [.object(box.point(1, ago: 5)), .object(point)]]
        let second = #expect(throws: Rejection.self) { try box.call(ada, "position.report", list) }
        #expect(second?.field == "positions[1].\(name)")
        #expect(try box.dots(ada).isEmpty)
        #expect(try box.history(ada).isEmpty)
    }

    @Test func `a point two minutes ahead and one of the year 2000 are taken`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        var old = box.point(1)
        old["at"] = "2000-01-01T00:00:00Z"
        try box.call(ada, "position.report", old)
        #expect(try box.dots(ada)[ada]?.lat == 1)
        try box.report(ada, 2, ago: -120)
        #expect(try box.dots(ada)[ada]?.lat == 2)
    }

    @Test func `missing and mixed parameters are told apart`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        var point = box.point()
        point["at"] = nil
        #expect(#expect(throws: Rejection.self) { try box.call(ada, "position.report", point) }?.field == "at")
        var both = box.point()
        both["positions"] = [.object(box.point())]
        #expect(#expect(throws: Rejection.self) { try box.call(ada, "position.report", both) }?.kind == .params)
        #expect(
            #expect(throws: Rejection.self) { try box.call(ada, "position.report", ["positions": []]) }?.kind
                == .invalid)
    }

    @Test func `a repeated op is answered with the latest and changes nothing`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        let point = box.point(1)
        try box.call(ada, "position.report", point, op: "one")
        box.clock = box.clock.adding(seconds: 5)
        try box.report(ada, 2)
        _ = box.heard(ada)
        let again = try box.call(ada, "position.report", point, op: "one")
        #expect(again["position"]?["lat"]?.double == 2)
        #expect(box.heard(ada).isEmpty)
    }
}
