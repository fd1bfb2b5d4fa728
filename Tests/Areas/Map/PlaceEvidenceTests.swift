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

/// What a phone with OwnTracks says of its own regions (`transition`): evidence, not truth.
@Suite struct PlaceEvidenceTests {
    private let box: MapBox
    private let ada: Identifier
    private let school: Identifier

    init() throws {
        box = try MapBox()
        ada = try box.join("Ada")
        let made = try box.call(ada, "place.add", ["name": "School", "lat": 52.5, "lon": 13.4])
        school = try #require(made["place"]?["id"]?.identifier)
    }

    private func second(_ ago: Int64 = 0) -> JSON { .int(box.clock.milliseconds / 1000 - ago) }

    /// The phone says that it was somewhere, so many metres to the east of the school.
    private func report(_ metres: Double, after seconds: Int64 = 10) throws {
        box.clock = box.clock.adding(seconds: seconds)
        let message: JSON = [
            "_type": "location", "lat": 52.5, "lon": .double(13.4 + metres / 67_700), "acc": 10, "tst": second(),
        ]
        try box.call(ada, "owntracks.publish", ["message": message, "device": "pixel"])
    }

    private func crosses(
        _ event: JSON = "enter", ago: Int64 = 0, _ more: JSON.Object = ["desc": "School", "acc": 20]
    ) throws {
        var message: JSON = ["_type": "transition", "event": event, "tst": second(ago), "t": "c"]
        for field in more.members { message[field.name] = field.value }
        try box.call(ada, "owntracks.publish", ["message": message, "device": "pixel"])
    }

    private func told() -> [Event] {
        box.heard(ada).filter { ["place.entered", "place.left"].contains($0.type) }
    }

    private func score() throws -> Double {
        try box.store.database.first("SELECT score FROM stays") { row in row.double(0) } ?? 0
    }

    /// Somewhere else first, so that nobody has to find out where the member is.
    private func away() throws {
        try report(900)
        try report(900)
    }

    @Test func `alone it is no arrival, however often it comes`() throws {
        try away()
        for _ in 0..<20 {
            box.clock = box.clock.adding(seconds: 60)
            try crosses()
        }
        #expect(told().isEmpty)
        #expect(try score() > 0)
        #expect(try box.count("SELECT count(*) FROM stays WHERE phase = 1") == 0)
    }

    @Test func `with points that agree the arrival is told sooner, and by its time`() throws {
        func arrival(heard: Bool) throws -> (after: Int64, at: JSON?)? {
            let other = try PlaceEvidenceTests()
            try other.away()
            let start = other.box.clock
            other.box.clock = other.box.clock.adding(seconds: 10)
            if heard { try other.crosses() }
            // A phone that reports rarely.
            for _ in 0..<6 {
                try other.report(20, after: 130)
                if let event = other.told().first {
                    return (other.box.clock.milliseconds(since: start) / 1000, event.data["at"])
                }
            }
            return nil
        }
        let plain = try #require(try arrival(heard: false))
        let helped = try #require(try arrival(heard: true))
        #expect(helped.after < plain.after)
        #expect(helped.at == .time(MapBox.start.adding(seconds: 30)))
    }

    @Test func `one that is not sure where it is, or is somewhere else, says nothing`() throws {
        try away()
        try crosses("enter", ago: 5, ["desc": "School", "acc": 400])
        try crosses("enter", ago: 4, ["desc": "School", "acc": 20, "lat": 52.6, "lon": 13.4])
        try crosses("enter", ago: 3, ["desc": "Shop", "acc": 20])
        try crosses("enter", ago: 2, ["acc": 20])
        #expect(try score() == 0)
        try crosses("enter", ago: 1, ["desc": "School", "acc": 20, "lat": 52.5, "lon": 13.4])
        #expect(try score() > 0)
    }

    @Test func `an old one is nothing to go on from`() throws {
        try away()
        box.clock = box.clock.adding(seconds: 6 * 3600)
        try crosses(ago: 3 * 3600)
        // One good point is not an arrival, and would be with what was heard a minute ago.
        try report(20)
        #expect(told().isEmpty)
        #expect(try box.count("SELECT count(*) FROM stays WHERE phase = 1") == 0)
    }

    @Test func `one after a long silence counts`() throws {
        try away()
        box.clock = box.clock.adding(seconds: 6 * 3600)
        try crosses()
        try report(20, after: 130)
        #expect(told().map(\.type) == ["place.entered"])
    }

    @Test func `whose whereabouts nobody knows is found, and does not arrive`() throws {
        try crosses()
        try report(20, after: 130)
        #expect(told().isEmpty)
        #expect(try box.count("SELECT count(*) FROM stays WHERE phase = 1") == 1)
    }

    @Test func `a region made from a place is that place, whatever it is called`() throws {
        try away()
        try box.call(ada, "place.add", ["name": "School", "lat": 48, "lon": 13.4])
        // Of two places of one name nothing is known by the name.
        try crosses()
        #expect(try score() == 0)
        // iOS says the region's own identifier, Android when it was made.
        try crosses("enter", ago: 2, ["desc": "?", "acc": 20, "rid": .id(school)])
        let once = try score()
        #expect(once > 0)
        let stamp = try #require(
            try box.store.database.first(
                "SELECT tst FROM phone_waypoints WHERE place = ?", .id(school)
            ) { row in row.int(0) })
        try crosses("enter", ago: 1, ["desc": "?", "acc": 20, "wtst": .int(stamp)])
        #expect(try score() > once)
    }

    @Test func `leaving is heard too, and contradicts`() throws {
        try away()
        for _ in 0..<30 { try report(20) }
        #expect(told().map(\.type) == ["place.entered"])
        try crosses("leave")
        #expect(told().isEmpty)
        #expect(try score() > 0)
        try report(900, after: 40)
        #expect(told().map(\.type) == ["place.left"])
    }
}
