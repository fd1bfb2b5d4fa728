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

@Suite struct MapGaitTests {
    private static let start = Instant("2026-11-20T18:00:00Z") ?? .earliest

    /// A point so many seconds after the start and metres to the north.
    private func point(
        _ seconds: Int64, metres: Double = 0, accuracy: Double? = 10, speed: Double? = nil, says: Bool? = nil
    ) -> Point {
        var point = Point(lat: 52.5 + metres / 111_195, lon: 13.4, at: Self.start.adding(seconds: seconds))
        (point.accuracy, point.speed, point.isMoving) = (accuracy, speed, says)
        return point
    }

    private func motion(_ points: [Point]) -> Motion? {
        guard let first = points.first else { return nil }
        return points.dropFirst().reduce(Gait(first)) { $0.taking($1) }.motion
    }

    private func at(_ seconds: Int64) -> Instant { Self.start.adding(seconds: seconds) }

    @Test func `one point says nothing, unless the phone does`() {
        #expect(motion([point(0)]) == nil)
        #expect(motion([point(0, says: false)]) == .still(since: at(0)))
        #expect(motion([point(0, says: true)]) == .moving(since: at(0)))
        #expect(motion([point(0, speed: 1.5)]) == .moving(since: at(0)))
        #expect(motion([point(0, speed: 1.4)]) == nil)
        // Resting on the dashboard of a car that drives.
        #expect(motion([point(0, speed: 20, says: false)]) == .moving(since: at(0)))
    }

    @Test func `still is said after five minutes in one place, since the first of them`() {
        #expect(motion([point(0), point(299, metres: 30)]) == nil)
        #expect(motion([point(0), point(300, metres: 30)]) == .still(since: at(0)))
        #expect(motion([point(0), point(120, metres: 30, says: false)]) == .still(since: at(0)))
        let jitter = (1...50).map { point(Int64($0) * 60, metres: $0.isMultiple(of: 2) ? 45 : -45) }
        #expect(motion([point(0)] + jitter) == .still(since: at(0)))
    }

    @Test func `moving is said at once, since the point that shows it`() {
        let rest = [point(0), point(600)]
        #expect(motion(rest + [point(660, metres: 200)]) == .moving(since: at(660)))
        #expect(motion(rest + [point(660, metres: 200), point(700, metres: 400)]) == .moving(since: at(660)))
        #expect(motion(rest + [point(660, metres: 200), point(1000, metres: 210)]) == .still(since: at(660)))
        #expect(motion(rest + [point(660, metres: 40)]) == .still(since: at(0)))
    }

    @Test func `a vague point is no movement, and is held to the first that knows better`() {
        #expect(motion([point(0), point(600), point(660, metres: 900, accuracy: 1500)]) == .still(since: at(0)))
        let vague = [point(0, accuracy: 2000), point(60, metres: 100), point(120, metres: 400)]
        #expect(motion(vague) == .moving(since: at(120)))
    }

    @Test func `the antimeridian and the poles are no distance`() {
        func rest(_ places: [(Double, Double)]) -> Motion? {
            motion(
                places.enumerated().map { index, place in
                    var point = Point(lat: place.0, lon: place.1, at: at(Int64(index) * 400))
                    point.accuracy = 5
                    return point
                })
        }
        #expect(rest([(10, 179.9999), (10, -179.9999)]) == .still(since: at(0)))
        #expect(rest([(90, 0), (90, 180)]) == .still(since: at(0)))
        #expect(rest([(-89.9999, -170), (-89.9999, 10)]) == .still(since: at(0)))
        #expect(rest([(10, 179.9), (10, -179.9)]) == .moving(since: at(400)))
    }

    // MARK: On the map

    @Test func `a position says whether its member is on the way`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        let ben = try box.join("Ben")
        try box.share(ada)
        let began = box.clock
        for _ in 0..<3 {
            try box.report(ada)
            try box.wait(seconds: 200)
        }
        #expect(try box.dots(ben)[ada]?.motion == .still(since: began))
        try box.report(ada, 52.6)
        #expect(try box.dots(ben)[ada]?.motion == .moving(since: box.clock))
        let event = box.heard(ben).last { $0.type == "position" }
        #expect(event?.data["movingSince"] == .time(box.clock) && event?.data["stillSince"] == nil)
    }

    @Test func `how long a member rested unseen is not told`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        let ben = try box.join("Ben")
        for _ in 0..<3 {
            try box.report(ada)
            try box.wait(seconds: 200)
        }
        #expect(try box.dots(ada)[ada]?.motion == .still(since: MapBox.start))
        try box.share(ada)
        #expect(try box.dots(ben)[ada]?.motion == nil)
        #expect(try box.dots(ben)[ada] == box.dots(ada)[ada])
        let shown = box.clock
        try box.report(ada)
        try box.wait(seconds: 300)
        try box.report(ada)
        #expect(try box.dots(ben)[ada]?.motion == .still(since: shown))
    }

    @Test func `charging goes along`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        var point = box.point()
        point["charging"] = true
        try box.call(ada, "position.report", point)
        #expect(try box.dots(ada)[ada]?.charging == true)
    }
}
