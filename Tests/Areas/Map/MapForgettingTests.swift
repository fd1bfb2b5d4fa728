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

/// Deleting where one was.
@Suite struct MapForgettingTests {
    private func forget(_ box: MapBox, _ member: Identifier, from: Int64, to: Int64) throws -> Int64? {
        try box.call(
            member, "position.forget",
            ["from": .time(box.clock.adding(seconds: -from)), "to": .time(box.clock.adding(seconds: -to))]
        )["forgotten"]?.int
    }

    @Test func `what lies between the two times goes, and nothing else`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        for ago in stride(from: Int64(600), through: 0, by: -60) {
            try box.report(ada, 52 + Double(ago) / 100_000, ago: ago)
        }
        #expect(try forget(box, ada, from: 300, to: 120) == 4)
        let kept = [600, 540, 480, 420, 360, 60, 0].map { 52 + Double($0) / 100_000 }
        #expect(try box.history(ada) == kept)
        #expect(try forget(box, ada, from: 300, to: 120) == 0)
    }

    @Test func `a point that is in doubt goes as well`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        for (lat, ago) in [(52.0, Int64(20)), (53, 10)] {
            var point = box.point(lat, ago: ago)
            point["accuracy"] = 10
            try box.call(ada, "position.report", point)
        }
        let doubted = "SELECT count(*) FROM doubted_points"
        #expect(try box.count(doubted) == 1)
        #expect(try forget(box, ada, from: 60, to: 15) == 1)
        #expect(try box.count(doubted) == 1)
        #expect(try forget(box, ada, from: 15, to: 0) == 1)
        #expect(try box.count(doubted) == 0)
    }

    @Test func `the latest position goes with its time, for whoever sees it`() throws {
        let box = try MapBox()
        let (ada, bob) = (try box.join("Ada"), try box.join("Bob"))
        try box.share(ada)
        try box.report(ada, ago: 90)
        _ = (box.heard(ada), box.heard(bob))
        #expect(try forget(box, ada, from: 120, to: 0) == 1)
        #expect(box.heard(bob).map(\.type) == ["position.deleted"])
        #expect(try box.dots(bob)[ada] == nil)
        #expect(try box.dots(ada)[ada] == nil)
        #expect(try box.count("SELECT count(*) FROM log WHERE about LIKE 'position/%' AND type = 'position'") == 0)
        // The next point is one like any other.
        try box.wait(seconds: 60)
        try box.report(ada, 53)
        #expect(try box.dots(bob)[ada]?.lat == 53)
    }

    @Test func `who was told that it is hidden and was away meanwhile keeps no dot`() throws {
        let box = try MapBox()
        let (ada, bob) = (try box.join("Ada"), try box.join("Bob"))
        try box.share(ada)
        try box.report(ada, ago: 30)
        try box.share(ada, "off")
        _ = box.heard(bob)
        #expect(try forget(box, ada, from: 60, to: 0) == 1)
        // MapBox wakes everybody who went to sleep before, and compares.
        for _ in 0..<20 { try box.wait(seconds: 1) }
        #expect(try box.dots(bob)[ada] == nil)
    }

    @Test(arguments: ["on", "off"]) func `who was away keeps no dot when it is shared again and there is none`(
        state: String
    ) throws {
        let box = try MapBox()
        let (ada, bob) = (try box.join("Ada"), try box.join("Bob"))
        try box.share(ada)
        try box.report(ada, ago: 30)
        try box.share(ada, "off")
        if state == "on" { #expect(try forget(box, ada, from: 60, to: 0) == 1) }
        let rule: JSON = ["viewer": .id(bob), "precision": "exact"]
        try box.call(ada, "sharing.set", ["state": .string(state), "rules": [rule]])
        for _ in 0..<20 { try box.wait(seconds: 1) }
        #expect(try box.dots(bob)[ada] == nil)
    }

    @Test func `news in the inbox about the own sharing stay, and reach who was away`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        try box.write("INSERT INTO inbox_members (member, joined, seen) SELECT id, 0, 0 FROM members")
        let rule: JSON = [
            "viewer": "everyone", "precision": "exact", "until": .time(box.clock.adding(seconds: 10)),
        ]
        try box.call(ada, "sharing.set", ["state": "on", "rules": [rule]])
        try box.report(ada)
        try box.wait(seconds: 11)
        #expect(try #require(try box.fresh(ada)).snapshot.inbox.entries.count == 1)
        #expect(try forget(box, ada, from: 60, to: 0) == 1)
        for _ in 0..<20 { try box.wait(seconds: 1) }
        #expect(try #require(try box.fresh(ada)).snapshot.inbox.entries.count == 1)
    }

    @Test func `ten thousand points go in several turns, and others have theirs between them`() throws {
        let box = try MapBox()
        let (ada, bob) = (try box.join("Ada"), try box.join("Bob"))
        for batch in 0..<5 {
            let points = (0..<1000).map { index -> JSON in
                .object(box.point(52 + Double(index) / 1_000_000, ago: Int64(6000 - batch * 1000 - index)))
            }
            try box.call(ada, "position.report", ["positions": .array(points)])
        }
        var turns = 0
        box.betweenTurns = { () throws in
            turns += 1
            box.betweenTurns = nil
            defer { box.betweenTurns = { turns += 1 } }
            try box.report(bob)
        }
        #expect(try forget(box, ada, from: 7000, to: 0) == 5000)
        #expect(turns == 2)
        #expect(try box.history(ada).isEmpty)
    }
}
