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

/// At which place somebody is, as `position.latest` says it: as much as the caller may know, and no more.
@Suite struct SeenStaysTests {
    private let box: MapBox
    private let (ada, bob, cyd, pia): (Identifier, Identifier, Identifier, Identifier)

    init() throws {
        box = try MapBox()
        ada = try box.join("Ada", role: .admin)
        bob = try box.join("Bob")
        cyd = try box.join("Cyd")
        pia = try box.join("Pia")
    }

    private func place(_ name: JSON, _ lat: Double, audience: JSON = "everyone") throws {
        try box.call(
            ada, "place.add", ["name": name, "lat": .double(lat), "lon": 13.4, "radius": 100, "audience": audience])
    }

    private func share() throws {
        let rules: JSON = [
            ["viewer": .id(bob), "precision": "exact"], ["viewer": .id(cyd), "precision": "coarse"],
            ["viewer": .id(pia), "precision": "place"],
        ]
        try box.call(ada, "sharing.set", ["state": "on", "rules": rules])
    }

    private func report(_ lat: Double) throws {
        try box.call(
            ada, "position.report", ["lat": .double(lat), "lon": 13.4, "at": .time(box.clock), "accuracy": 10])
    }

    /// There for so many points, one each two minutes.
    private func stay(_ lat: Double, points: Int = 15) throws {
        for _ in 0..<points {
            try box.wait(seconds: 120)
            try report(lat)
        }
    }

    private func stays(_ viewer: Identifier) throws -> [String] {
        let answer = try box.call(viewer, "position.latest")["stays"]?.array ?? []
        for one in answer { #expect(one["member"]?.identifier == ada) }
        return answer.compactMap { $0["name"]?.string }
    }

    @Test func `the own, and those whom one sees exactly, at places that one sees`() throws {
        try place("School", 52.51)
        try place("Pub", 52.52, audience: .array([.id(cyd)]))
        try share()
        try stay(52.51)
        #expect(try stays(ada) == ["School"])
        #expect(try stays(bob) == ["School"])
        // A place lies within a cell; who sees names of places has the name with the dot.
        #expect(try stays(cyd) == [])
        #expect(try stays(pia) == [])
        try stay(52.52)
        #expect(try stays(ada) == ["Pub"])
        #expect(try stays(bob) == [])
        try stay(52.53)
        #expect(try stays(ada) == [])
        try box.share(ada, "off")
        try stay(52.51)
        #expect(try stays(bob) == [])
        #expect(try stays(ada) == ["School"])
    }

    @Test func `of two places around it is the smaller`() throws {
        try place("School", 52.51)
        try box.call(ada, "place.add", ["name": "Village", "lat": 52.51, "lon": 13.4, "radius": 2000])
        try share()
        try stay(52.51)
        #expect(try stays(bob) == ["School"])
        try stay(52.515)
        #expect(try stays(bob) == ["Village"])
    }

    @Test func `passing by is being at no place, also for those who see every step`() throws {
        try place("School", 52.51)
        try share()
        try stay(52.50)
        // A decision under these rules: from now on the daemon's own judgement counts.
        try stay(52.51)
        try stay(52.50)
        #expect(try stays(bob) == [])
        try box.wait(seconds: 20)
        try report(52.51)
        #expect(try stays(bob) == [])
        #expect(try stays(ada) == [])
    }

    /// What nobody was shown changes nothing of what is said now: two worlds that differ in it answer alike.
    @Test(arguments: [true, false])
    func `how long somebody was there before is not told to who sees it only now`(wasThere: Bool) throws {
        try place("School", 52.51)
        try stay(wasThere ? 52.51 : 52.49)
        try box.wait(seconds: 120)
        try report(52.51)
        try share()
        #expect(try stays(bob) == ["School"])
        try box.wait(seconds: 30)
        try report(52.51)
        #expect(try stays(bob) == ["School"])
        try box.wait(seconds: 30)
        try report(52.508)
        #expect(try stays(bob) == [])
    }

    @Test func `what is asked for each dot is found by the R*Tree`() throws {
        let plan = try box.store.database.rows(
            "EXPLAIN QUERY PLAN " + SeenStays.around, values: Array(repeating: .int(0), count: 4)
        ) { $0.text(3) }
        #expect(plan.contains { $0.hasPrefix("SCAN place_index VIRTUAL TABLE INDEX 2:") }, "\(plan)")
        #expect(plan.filter { $0.hasPrefix("SCAN") && !$0.contains("place_index") } == [], "\(plan)")
    }
}
