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

/// Who looked at whom, for the person looked at.
@Suite struct MapLooksTests {
    private struct Look: Equatable {
        let how: String
        let viewer: Identifier?
        let count: Int64
    }

    private func looks(_ box: MapBox, _ member: Identifier) throws -> [Look] {
        let answer = try box.call(member, "sharing.looks")
        return try #require(answer["looks"]?.array).map {
            Look(how: $0["how"]?.string ?? "", viewer: $0["viewer"]?.identifier, count: $0["count"]?.int ?? 0)
        }
    }

    @Test func `live viewing is one look a viewer and day, in whatever way`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        let bob = try box.join("Bob")
        try box.share(ada)
        try box.report(ada)
        for _ in 0..<3 {
            try box.call(bob, "position.latest")
            try box.call(bob, "live.follow")
            try box.wait(seconds: 60)
        }
        #expect(try looks(box, ada) == [Look(how: "live", viewer: bob, count: 1)])
        #expect(try looks(box, bob).isEmpty)
        try box.wait(seconds: 86_400)
        try box.call(bob, "live.follow")
        #expect(try looks(box, ada).count == 2)
    }

    @Test func `who is seen by nobody was looked at by nobody`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        let bob = try box.join("Bob")
        try box.report(ada)
        try box.call(bob, "live.follow")
        try box.call(bob, "live.follow", ["view": "meetings"])
        #expect(try looks(box, ada).isEmpty)
        // What may be seen later on the same day counts from then on.
        try box.share(ada)
        try box.call(bob, "live.follow", ["view": "meetings"])
        #expect(try looks(box, ada).isEmpty)
        try box.call(bob, "live.follow")
        #expect(try looks(box, ada).count == 1)
        // A first position too.
        let cyd = try box.join("Cyd")
        try box.share(cyd)
        try box.call(bob, "live.follow")
        try box.report(cyd)
        try box.call(bob, "live.follow")
        #expect(try looks(box, cyd).count == 1)
    }

    @Test func `a stream that goes on is noted by what the loop tells`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        let bob = try box.join("Bob")
        try box.share(ada)
        for _ in 0..<2 {
            try box.ask(
                .machine, "sharing.followed", ["about": .string(LatestPositions.about(ada)), "viewers": [1, 2, 77]])
        }
        #expect(try looks(box, ada) == [Look(how: "live", viewer: bob, count: 1)])
    }

    @Test func `answers to a phone are looks, and so is each question about a history`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        let bob = try box.join("Bob")
        let rule: JSON = ["viewer": "everyone", "precision": "exact", "history": true]
        try box.call(ada, "sharing.set", ["state": "on", "rules": [rule]])
        try box.report(ada)
        try box.call(bob, "owntracks.publish", ["message": ["_type": "lwt"]])
        for hours in [1, 1, 2] as [Int64] {
            try box.call(
                bob, "position.history",
                [
                    "member": .id(ada), "from": .time(MapBox.start.adding(seconds: -3600 * hours)),
                    "to": .time(MapBox.start),
                ])
        }
        #expect(
            try looks(box, ada) == [
                Look(how: "history", viewer: bob, count: 1), Look(how: "history", viewer: bob, count: 2),
                Look(how: "phone", viewer: bob, count: 1),
            ])
        for step in 0..<100 {
            let from = MapBox.start.adding(seconds: Int64(-step))
            try box.call(
                bob, "position.history", ["member": .id(ada), "from": .time(from), "to": .time(MapBox.start)])
        }
        let all = try looks(box, ada)
        #expect(all.count == Int(Limits.looksPerDayMax) + 1)
        #expect(all.filter { $0.how == "history" }.map(\.count).reduce(0, +) == 103)
    }

    @Test func `a refused question is no look, and one's own is none but at the machine`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        let bob = try box.join("Bob")
        try box.report(ada)
        let params: JSON.Object = ["member": .id(ada), "from": .time(MapBox.start), "to": .time(box.clock)]
        #expect(throws: Rejection.self) { try box.call(bob, "position.history", params) }
        #expect(try looks(box, ada).isEmpty)
        // Everybody here acts over the Unix socket.
        try box.call(ada, "position.history", params)
        let look = try #require(try box.call(ada, "sharing.looks")["looks"]?.array?.first)
        #expect(look["atMachine"] == true)
        #expect(look["viewer"]?.identifier == ada)
    }

    @Test func `looks come in pages, newest first, and go after ninety days`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        let bob = try box.join("Bob")
        try box.share(ada)
        try box.report(ada)
        for _ in 0..<7 {
            try box.call(bob, "position.latest")
            try box.wait(seconds: 86_400)
        }
        var firsts: [Instant] = []
        var before: JSON?
        repeat {
            let page = try box.call(ada, "sharing.looks", JSON.Object(leavingOut: ["limit": 3, "before": before]))
            firsts += (page["looks"]?.array ?? []).compactMap { $0["first"]?.instant }
            before = page["next"]
        } while before != nil
        #expect(firsts.count == 7)
        #expect(firsts == firsts.sorted(by: >))
        try box.wait(seconds: 92 * 86_400)
        #expect(try box.count("SELECT count(*) FROM looks") == 0)
    }

    @Test func `what was rolled back is written down the next time`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        let bob = try box.join("Bob")
        try box.share(ada)
        try box.report(ada)
        try box.store.beginTurn()
        let act = Act(
            keeper: box.keeper, now: box.clock, caller: .member(try caller(box, bob)), origin: Origin(), work: nil)
        _ = try Map.look(.live, act)
        #expect(Looks.isNoted(.live, act))
        box.store.rollbackTurn()
        #expect(!Looks.isNoted(.live, act))
        try box.call(bob, "live.follow")
        #expect(try looks(box, ada).count == 1)
    }

    private func caller(_ box: MapBox, _ member: Identifier) throws -> CallingMember {
        let entry = try #require(try box.keeper.roster()[member])
        return CallingMember(
            id: member, number: entry.number, role: entry.role, kind: .adult, household: entry.household, session: nil)
    }

    @Test func `a guest is not told of members out of sight, and nobody of who is gone`() throws {
        let box = try MapBox()
        let gus = try box.join("Gus", role: .guest)
        let far = try box.join("Far", household: box.hill)
        let bob = try box.join("Bob")
        try box.report(gus)
        try box.share(gus)
        try box.call(far, "position.latest")
        try box.call(bob, "position.latest")
        #expect(try looks(box, gus).map(\.viewer) == [bob, nil])
        try box.act { (act) throws(Rejection) in try Map.area.life.deleteOwned?(act, bob) }
        #expect(try looks(box, gus).map(\.viewer) == [nil, nil])
    }
}
