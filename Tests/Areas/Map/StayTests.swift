import KinActivity
import KinFamily
import KinGeo
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

/// One member and one place, point by point.
@Suite struct StayTests {
    static let start = Instant("2026-11-20T18:00:00Z") ?? .earliest
    static let circle = Circle(centre: Coordinate(lat: 52.5, lon: 13.4), radius: 100)

    static func at(_ seconds: Int64) -> Instant { start.adding(seconds: seconds) }

    /// Takes points given as (seconds, metres from the centre, accuracy) and answers what they decided.
    static func walk(
        _ points: [(Int64, Double, Double?)], from phase: Stay.Phase = .outside
    ) -> [Stay.Decision] {
        var stay = Stay(phase: phase)
        return points.compactMap { point in
            stay.take(distance: point.1, accuracy: point.2, at: at(point.0), circle)
        }
    }

    @Test func `who stays arrives, once, with the time of the first point`() {
        let points = (0...60).map { (Int64($0) * 10, 20.0, 10.0 as Double?) }
        #expect(Self.walk(points) == [.entered(Self.at(0))])
    }

    @Test func `who passes by does not arrive`() {
        var points: [(Int64, Double, Double?)] = []
        for second in stride(from: -200, through: 200, by: 5) {
            points.append((Int64(second) + 200, abs(Double(second)) * 5, 8))
        }
        #expect(Self.walk(points).isEmpty)
    }

    @Test func `two points with nothing in between are a stay when both lie inside`() {
        #expect(Self.walk([(0, 20, 10), (1800, 30, 10)]) == [.entered(Self.at(0))])
        // Hours apart they are two visits that nothing is known of.
        #expect(Self.walk([(0, 20, 10), (9 * 3600, 30, 10)]).isEmpty)
    }

    @Test func `nobody leaves who sits within the margin, nor for one wild fix`() {
        var points = (0...30).map { (Int64($0) * 10, 20.0, 10.0 as Double?) }
        points += (31...60).map { (Int64($0) * 10, 130.0, 10.0 as Double?) }
        points.append((610, 4000, 5))
        points += (62...90).map { (Int64($0) * 10, 90.0, 10.0 as Double?) }
        #expect(Self.walk(points) == [.entered(Self.at(0))])
    }

    @Test func `who goes has left at the first point outside, also when the phone slept in between`() {
        #expect(
            Self.walk([(0, 20, 10), (300, 20, 10), (7000, 5000, 10), (7100, 6000, 10)])
                == [.entered(Self.at(0)), .left(Self.at(7000))])
        #expect(
            Self.walk([(0, 20, 10), (300, 20, 10), (90_000, 5000, 10), (90_100, 6000, 10)])
                == [.entered(Self.at(0)), .left(Self.at(90_000))])
    }

    @Test func `a coarse point says nothing, and an older one neither`() {
        #expect(Self.walk((0...60).map { (Int64($0) * 10, 0.0, 300.0 as Double?) }).isEmpty)
        #expect(Self.walk([(300, 20, 10), (0, 20, 10), (100, 20, 10), (299, 20, 10)]).isEmpty)
        // A house that is missed by 400 metres by points which are good to 200.
        #expect(Self.walk((0...600).map { (Int64($0) * 10, 500.0, 200.0 as Double?) }).isEmpty)
    }

    @Test func `somebody not known to be outside is found, and does not arrive`() {
        let inside = (0...30).map { (Int64($0) * 10, 20.0, 10.0 as Double?) }
        #expect(Self.walk(inside, from: .unknown) == [.found(Self.at(0))])
        let coming = [(-20 as Int64, 900.0, 10.0 as Double?)] + inside
        #expect(Self.walk(coming, from: .unknown) == [.entered(Self.at(0))])
    }

    @Test func `what is unlikely in numbers breaks nothing`() {
        for accuracy in [0, .infinity, -5, 1e300] as [Double] {
            for distance in [0, 2.1e7, .infinity] as [Double] {
                var stay = Stay(phase: .outside)
                _ = stay.take(distance: distance, accuracy: accuracy, at: Self.start, Self.circle)
                #expect(stay.score.isFinite)
            }
        }
    }

    @Test func `what a phone says of its own region helps a point and decides nothing`() {
        // Alone it is nothing, however often.
        var alone = Stay(phase: .outside)
        for second in 0..<10 { alone.hear(isEntering: true, at: Self.at(Int64(second) * 60)) }
        #expect(alone.phase == .outside)
        // One good point is not enough; with what the phone said before it is.
        func decision(heard: Bool) -> Stay.Decision? {
            var stay = Stay(phase: .outside)
            if heard { stay.hear(isEntering: true, at: Self.at(0)) }
            return stay.take(distance: 20, accuracy: 10, at: Self.at(200), Self.circle)
        }
        #expect(decision(heard: false) == nil)
        #expect(decision(heard: true) == .entered(Self.at(0)))
        // What contradicts the points is believed less than they are.
        var stay = Stay(phase: .outside)
        stay.hear(isEntering: true, at: Self.at(0))
        for second in 1...30 {
            #expect(stay.take(distance: 900, accuracy: 10, at: Self.at(Int64(second) * 10), Self.circle) == nil)
        }
        #expect(stay.score == 0)
        // And of hours ago is nothing now.
        stay.hear(isEntering: true, at: Self.at(-7200))
        #expect(stay.score == 0)
    }
}
