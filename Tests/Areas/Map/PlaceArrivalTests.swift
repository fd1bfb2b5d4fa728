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

@Suite struct PlaceArrivalTests {
    /// One degree of longitude at the tests' latitude is 68 km: so many metres to the east of the place.
    private func lon(_ metres: Double) -> Double { 13.4 + metres / 67_700 }

    @discardableResult
    private func add(_ box: MapBox, _ member: Identifier, _ name: String = "School") throws -> Identifier {
        let answer = try box.call(member, "place.add", ["name": .string(name), "lat": 52.5, "lon": 13.4])
        return try #require(answer["place"]?["id"]?.identifier)
    }

    /// Reports every ten seconds for a while, so many metres from the place.
    private func stay(_ box: MapBox, _ member: Identifier, _ metres: Double, seconds: Int64 = 200) throws {
        for _ in 0..<(seconds / 10) {
            box.clock = box.clock.adding(seconds: 10)
            var point = box.point(52.5, lon(metres))
            point["accuracy"] = 10
            try box.call(member, "position.report", point)
        }
    }

    private func told(_ box: MapBox, _ member: Identifier) -> [Event] {
        box.heard(member).filter { ["place.entered", "place.left"].contains($0.type) }
    }

    private func current(_ box: MapBox, _ member: Identifier) throws -> [String] {
        try box.store.database.rows(
            "SELECT p.name FROM stays s JOIN places p ON p.number = s.place WHERE s.member = ? AND s.phase = 1",
            .id(member)
        ) { row in row.text(0) }
    }

    @Test func `one arrival is one event, to those who see the member and the place`() throws {
        let box = try MapBox()
        let (ada, bob, carol) = (try box.join("Ada"), try box.join("Bob"), try box.join("Carol"))
        let gus = try box.join("Gus", role: .guest)
        try box.call(
            ada, "place.add", ["name": "School", "lat": 52.5, "lon": 13.4, "audience": [.id(bob), .id(gus)]])
        try box.share(ada)
        try stay(box, ada, 900, seconds: 20)
        let arrival = box.clock.adding(seconds: 10)
        try stay(box, ada, 20)
        for member in [ada, bob] {
            let events = told(box, member)
            #expect(events.map(\.type) == ["place.entered"])
            #expect(events.first?.data["name"] == "School")
            #expect(events.first?.data["at"] == .time(arrival))
        }
        #expect(told(box, carol).isEmpty && told(box, gus).isEmpty)
        #expect(try current(box, ada) == ["School"])
        try stay(box, ada, 20)
        try stay(box, ada, 900, seconds: 60)
        #expect(told(box, bob).map(\.type) == ["place.left"])
        #expect(try current(box, ada).isEmpty)
    }

    @Test func `while sharing is off only the member is told`() throws {
        let box = try MapBox()
        let (ada, bob) = (try box.join("Ada"), try box.join("Bob"))
        try add(box, bob)
        try stay(box, ada, 900, seconds: 20)
        try stay(box, ada, 20)
        #expect(told(box, ada).map(\.type) == ["place.entered"])
        #expect(told(box, bob).isEmpty)
    }

    @Test func `who is there when the place is made does not arrive`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        try stay(box, ada, 20, seconds: 20)
        try add(box, ada)
        try stay(box, ada, 20)
        #expect(told(box, ada).isEmpty)
        #expect(try current(box, ada) == ["School"])
        try stay(box, ada, 900, seconds: 60)
        try stay(box, ada, 20)
        #expect(told(box, ada).map(\.type) == ["place.left", "place.entered"])
    }

    @Test func `a phone that was offline rings no bell for last Tuesday, and is found where it is`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        try add(box, ada)
        try stay(box, ada, 900, seconds: 20)
        box.clock = box.clock.adding(seconds: 86_400)
        var points: [JSON] = []
        for second in stride(from: Int64(80_000), to: 7200, by: -60) {
            var point = box.point(52.5, lon((second / 10_000) % 2 == 0 ? 20 : 900), ago: second)
            point["accuracy"] = 10
            points.append(.object(point))
        }
        // Backwards, as some apps send them.
        for start in stride(from: 0, to: points.count, by: 1000) {
            let batch = Array(points[start..<min(points.count, start + 1000)].reversed())
            try box.call(ada, "position.report", ["positions": .array(batch)])
        }
        #expect(told(box, ada).isEmpty)
        #expect(try box.history(ada).count == points.count + 2)
        // A stay whose deciding point is of now is told, with its own time.
        let arrival = box.clock.adding(seconds: -1500)
        for ago in [1800, 1500, 900, 300, 0] as [Int64] {
            try box.call(ada, "position.report", box.point(52.5, lon(ago == 1800 ? 900 : 20), ago: ago))
        }
        let events = told(box, ada)
        #expect(events.map(\.type).allSatisfy { $0 == "place.entered" })
        #expect(events.count <= 1)
        #expect(events.first.map { $0.data["at"] == .time(arrival) } ?? true)
        #expect(try current(box, ada) == ["School"])
    }

    @Test func `a place with nobody near costs nothing and knows nothing`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        try add(box, ada)
        try stay(box, ada, 50_000, seconds: 50)
        #expect(try box.count("SELECT count(*) FROM stays") == 0)
    }
}
