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

@Suite struct MapHistoryTests {
    @Test func `a history is read in pages without a gap or a repeat`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        // Two devices share each moment, so that pages end between them.
        for device in ["phone", "watch"] {
            let points = (0..<40).map { index in
                var point = box.point(Double(index) + (device == "watch" ? 0.5 : 0), ago: Int64(40 - index))
                point["device"] = .string(device)
                return JSON.object(point)
            }
            try box.call(ada, "position.report", ["positions": .array(points)])
        }
        var all: [Double] = []
        var after: JSON?
        repeat {
            var params: JSON.Object = [
                "member": .id(ada), "from": .time(MapBox.start.adding(days: -1)), "to": .time(box.clock), "limit": 7,
            ]
            params["after"] = after
            let page = try box.call(ada, "position.history", params)
            all += try #require(page["positions"]?.array).compactMap { $0["lat"]?.double }
            after = page["next"]
            #expect(page["more"]?.bool == (after != nil))
        } while after != nil
        #expect(all == (0..<80).map { Double($0) / 2 })
    }

    @Test func `both ends of the time belong to it`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        for ago in [30, 20, 10] as [Int64] { try box.report(ada, Double(ago), ago: ago) }
        let answer = try box.call(
            ada, "position.history",
            [
                "member": .id(ada), "from": .time(box.clock.adding(seconds: -30)),
                "to": .time(box.clock.adding(seconds: -20)),
            ])
        #expect(answer["positions"]?.array?.compactMap { $0["lat"]?.double } == [30, 20])
        #expect(answer["more"] == false)
    }

    @Test func `a history is its owner's alone`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada", role: .admin)
        let bob = try box.join("Bob")
        try box.report(bob)
        try box.share(bob)
        var params: JSON.Object = ["member": .id(bob), "from": .time(MapBox.start), "to": .time(box.clock)]
        let refused = #expect(throws: Rejection.self) { try box.call(ada, "position.history", params) }
        #expect(refused?.kind == .forbidden)
        params["member"] = .id(Identifier(at: MapBox.start, random: (9, 9)))
        let absent = #expect(throws: Rejection.self) { try box.call(ada, "position.history", params) }
        #expect(absent?.kind == .notFound)
    }

    @Test(arguments: ["", "1.2", "1.2.x", "1.2.3.4", "99999999999999999999.0.0", "-"])
    func `a page nobody gave out is refused`(after: String) throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        let params: JSON.Object = [
            "member": .id(ada), "from": .time(MapBox.start), "to": .time(box.clock), "after": .string(after),
        ]
        let refused = #expect(throws: Rejection.self) { try box.call(ada, "position.history", params) }
        #expect(refused?.field == "after")
    }

    @Test func `after thirty days a point is gone from the answer at once and from the file within the hour`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        try box.report(ada, 1)
        try box.wait(seconds: 29 * 86400)
        try box.report(ada, 2)
        #expect(try box.history(ada) == [1, 2])
        box.clock = box.clock.adding(seconds: 86401)
        #expect(try box.history(ada) == [2])
        try box.wait(seconds: 3600)
        #expect(try box.count("SELECT count(*) FROM positions") == 1)
        #expect(try box.dots(ada)[ada]?.lat == 2)
    }

    @Test func `a point older than the member keeps never enters the history`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        try box.report(ada, 1, ago: 31 * 86400)
        #expect(try box.history(ada).isEmpty)
        #expect(try box.dots(ada)[ada]?.lat == 1)
    }

    @Test func `zero days keeps the latest only and forgets the rest in the same act`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        try box.report(ada, 1, ago: 20)
        try box.report(ada, 2, ago: 10)
        let answer = try box.call(ada, "sharing.set", ["historyDays": 0])
        #expect(answer["sharing"]?["historyDays"] == 0)
        #expect(answer["sharing"]?["state"] == "off")
        #expect(try box.count("SELECT count(*) FROM positions") == 0)
        try box.report(ada, 3)
        try box.report(ada, 4, ago: 5)
        #expect(try box.count("SELECT count(*) FROM positions") == 0)
        #expect(try box.history(ada).isEmpty)
        #expect(try box.dots(ada)[ada]?.lat == 3)
    }

    @Test func `each member's history is kept as long as that member says`() throws {
        let box = try MapBox()
        let (ada, bob, cyd) = (try box.join("Ada"), try box.join("Bob"), try box.join("Cyd"))
        try box.call(ada, "sharing.set", ["historyDays": 2])
        try box.call(bob, "sharing.set", ["historyDays": 60])
        try box.call(cyd, "sharing.set", ["historyDays": 0])
        for member in [ada, bob, cyd] { try box.report(member, 1) }
        try box.wait(seconds: 3 * 86_400)
        for member in [ada, bob, cyd] { try box.report(member, 2) }
        #expect(try [ada, bob, cyd].map { try box.history($0) } == [[2], [1, 2], []])
        try box.wait(seconds: 3600)
        #expect(try box.count("SELECT count(*) FROM positions") == 3)
        try box.wait(seconds: 58 * 86_400)
        #expect(try [ada, bob, cyd].map { try box.history($0) } == [[], [2], []])
        for member in [ada, bob, cyd] { #expect(try box.dots(member)[member]?.lat == 2) }
    }

    @Test func `latest only is one row of a position, and one of the log, whoever sees it and whatever comes`() throws {
        let box = try MapBox()
        let (ada, bob) = (try box.join("Ada"), try box.join("Bob"))
        try box.call(ada, "sharing.set", ["historyDays": 0])
        func rows() throws -> [Int64] {
            try [
                "positions", "coarse_positions", "doubted_points", "latest_positions WHERE shown = 0",
                "log WHERE type = 'position'",
            ].map { try box.count("SELECT count(*) FROM \($0)") }
        }
        for step in 0..<20 {
            try box.wait(seconds: 30)
            try box.report(ada, 52 + Double(step) / 1000)
            try box.report(ada, 51, ago: 600)
            try box.report(ada, 52 + Double(step) / 1000)
            #expect(try rows() == [0, 0, 0, 1, 1])
            if step == 10 { try box.share(ada) }
        }
        // Of the same place and moment: what others see is no older one.
        #expect(
            try box.count("SELECT count(DISTINCT lat || ' ' || at) FROM latest_positions") == 1)
        #expect(try box.dots(bob)[ada]?.lat == 52.019)
        try box.share(ada, "off")
        #expect(try box.count("SELECT count(*) FROM latest_positions") == 1)
    }

    @Test func `pruning takes a bounded bite a turn and goes on a second later`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        try box.report(ada)
        try box.write(
            """
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50000)
            INSERT INTO positions (track, at, device, digest, lat, lon) SELECT 1, i, 1, 0, 1, 1 FROM n
            """)
        try box.wait(seconds: 3600)
        #expect(try box.count("SELECT count(*) FROM positions") == 30_001)
        try box.wait(seconds: 1)
        #expect(try box.count("SELECT count(*) FROM positions") == 10_001)
        try box.wait(seconds: 1)
        #expect(try box.count("SELECT count(*) FROM positions") == 1)
        #expect(try box.count("SELECT count(*) FROM due WHERE kind = 'positions.prune'") == 0)
    }

    @Test func `a flood of device names ends in one device`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        let points = (0..<200).map { index in
            var point = box.point(Double(index) / 10, ago: Int64(index))
            point["device"] = .string("device \(index)")
            return JSON.object(point)
        }
        try box.call(ada, "position.report", ["positions": .array(points)])
        #expect(try box.count("SELECT count(*) FROM position_devices") == 64)
        #expect(try box.history(ada).count == 200)
    }
}
