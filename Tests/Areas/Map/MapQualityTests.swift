import KinActivity
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

/// What is absurd is kept apart: it never moves the dot, and is in no history.
@Suite struct MapQualityTests {
    private func report(_ box: MapBox, _ member: Identifier, _ lat: Double, accuracy: Double, ago: Int64 = 0) throws {
        var point = box.point(lat, ago: ago)
        point["accuracy"] = .double(accuracy)
        try box.call(member, "position.report", point)
    }

    private func qualities(_ box: MapBox) throws -> [Int64] {
        try box.store.database.rows("SELECT quality FROM positions ORDER BY at") { row in row.int(0) }
    }

    @Test func `a point that may be anywhere moves nothing`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        try report(box, ada, 52.1, accuracy: 10)
        box.clock = box.clock.adding(seconds: 10)
        try report(box, ada, 52.11, accuracy: 5000)
        #expect(try box.dots(ada)[ada]?.lat == 52.1)
        #expect(try box.history(ada) == [52.1])
        #expect(try qualities(box) == [0, 1])
    }

    @Test func `nobody flies at 900 km an hour for ten seconds, and back`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        for step in 0..<6 {
            box.clock = box.clock.adding(seconds: 10)
            try report(box, ada, step == 3 ? 53 : 52.1 + Double(step) * 0.001, accuracy: 10)
            #expect(try box.dots(ada)[ada]?.lat ?? 0 < 52.2)
        }
        #expect(try box.history(ada).count == 5)
        #expect(try qualities(box) == [0, 0, 0, 2, 0, 0])
        // By the time a flight takes it is one.
        box.clock = box.clock.adding(seconds: 3600)
        try report(box, ada, 57, accuracy: 10)
        #expect(try box.dots(ada)[ada]?.lat == 57)
    }

    @Test func `the third of points that agree is believed: it was the first that was wrong`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        try report(box, ada, 10, accuracy: 10)
        for step in 1...3 {
            box.clock = box.clock.adding(seconds: 10)
            try report(box, ada, 52.1 + Double(step) * 0.001, accuracy: 10)
        }
        #expect(try box.dots(ada)[ada]?.lat == 52.103)
        #expect(try qualities(box) == [0, 2, 2, 0])
        #expect(try box.count("SELECT count(*) FROM doubted_points") == 0)
    }

    @Test func `a late point is judged by the one before it`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        try report(box, ada, 52.1, accuracy: 10, ago: 1000)
        try report(box, ada, 52.2, accuracy: 10)
        try report(box, ada, 12, accuracy: 10, ago: 500)
        try report(box, ada, 52.15, accuracy: 10, ago: 490)
        #expect(try box.history(ada) == [52.1, 52.15, 52.2])
        #expect(try box.dots(ada)[ada]?.lat == 52.2)
    }

    @Test func `what a person says without an accuracy is taken at its word`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        try box.report(ada, 10)
        box.clock = box.clock.adding(seconds: 10)
        try box.report(ada, 52)
        #expect(try box.dots(ada)[ada]?.lat == 52)
    }

    @Test func `points of a batch count by their times, in whatever order they come`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        let positions = [5, 1, 3, 2, 4].map { (step: Int64) -> JSON in
            var point = box.point(52 + Double(step) * 0.001, ago: 100 - step * 10)
            point["accuracy"] = 10
            return .object(point)
        }
        try box.call(ada, "position.report", ["positions": .array(positions)])
        #expect(try box.dots(ada)[ada]?.lat == 52.005)
        #expect(try box.history(ada).count == 5)
    }

    @Test func `a tablet at home and a phone on a journey are no jumps`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        for step in 0..<8 {
            box.clock = box.clock.adding(seconds: 10)
            var point = box.point(step % 2 == 0 ? 52.1 : 40.1)
            point["accuracy"] = 10
            point["device"] = step % 2 == 0 ? "tablet" : "phone"
            try box.call(ada, "position.report", point)
            #expect(try box.dots(ada)[ada]?.lat == (step % 2 == 0 ? 52.1 : 40.1))
        }
        #expect(try qualities(box) == Array(repeating: 0, count: 8))
    }

    // MARK: A clock that is ahead

    private func publish(_ box: MapBox, _ member: Identifier, _ lat: Double, ahead: Int64) throws {
        let point: JSON = [
            "lat": .double(lat), "lon": 13.4, "at": .time(box.clock.adding(seconds: ahead)), "battery": 9,
        ]
        try box.call(member, "phone.publish", ["app": "overland", "device": "pixel", "points": [point]])
    }

    @Test func `a phone's point from the future is kept apart and moves nothing, and those of now go on`() throws {
        let box = try MapBox()
        let (ada, bob) = (try box.join("Ada"), try box.join("Bob"))
        try box.share(ada)
        try publish(box, ada, 52.1, ahead: 0)
        try publish(box, ada, 52.2, ahead: 121)
        _ = box.heard(bob)
        try publish(box, ada, 52.3, ahead: 86_400)
        let late: JSON = [
            "_type": "location", "lat": 52.4, "lon": 13.4, "tst": .int(box.clock.milliseconds / 1000 + 3600), "batt": 9,
        ]
        #expect(try box.call(ada, "owntracks.publish", ["message": late, "device": "pixel"]).array?.isEmpty == true)
        #expect(box.heard(bob).isEmpty)
        #expect(try box.dots(bob)[ada]?.lat == 52.1)
        #expect(try qualities(box) == [0, 3, 3, 3])
        #expect(try box.history(ada) == [52.1])
        let phone = try box.call(ada, "phone.list")["phones"]?.array?.first { $0["app"] == "overland" }
        #expect(phone?["place"] == .time(box.clock))
        #expect(box.notes.filter { $0.contains("clock is ahead") }.count == 3)
        try box.wait(seconds: 60)
        try publish(box, ada, 52.11, ahead: 0)
        #expect(try box.dots(bob)[ada]?.lat == 52.11)
        #expect(try box.history(ada) == [52.1, 52.11])
        // When that moment is there, a point of it is another one.
        try box.wait(seconds: 61)
        try publish(box, ada, 52.12, ahead: 0)
        #expect(try box.history(ada) == [52.1, 52.11, 52.12])
        try box.wait(seconds: 90_000)
        #expect(try box.dots(bob)[ada]?.lat == 52.12)
    }

    @Test func `beyond a month it is not kept, and none outlives the history or what is forgotten`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        let month = Limits.clockAheadDaysMax * 86_400
        try publish(box, ada, 52.1, ahead: month)
        try publish(box, ada, 52.2, ahead: month + 1)
        try publish(box, ada, 52.3, ahead: 200)
        #expect(try qualities(box) == [3, 3])
        let range: JSON.Object = ["from": .time(box.clock.adding(days: -1)), "to": .time(box.clock)]
        try box.call(ada, "position.forget", range)
        #expect(try qualities(box).isEmpty)
        try publish(box, ada, 52.1, ahead: month)
        try box.wait(seconds: month + 31 * 86_400)
        try box.wait(seconds: 3600)
        #expect(try qualities(box).isEmpty)
        // Who keeps the latest only keeps none of it.
        try box.call(ada, "sharing.set", ["historyDays": 0])
        try publish(box, ada, 52.1, ahead: 300)
        #expect(try qualities(box).isEmpty)
    }

    @Test func `a person is told that the time cannot be`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        let refused = #expect(throws: Rejection.self) {
            try box.call(ada, "position.report", box.point(52, ago: -121))
        }
        #expect(refused?.field == "at")
    }
}
