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

/// A phone that was offline for long posts all it kept: in several turns of the keeper, as if it were one.
@Suite struct MapTurnsTests {
    private func points(_ box: MapBox, _ count: Int) -> JSON {
        .array(
            (0..<count).map { index in
                .object(box.point(52 + Double(index) / 10_000, ago: Int64((count - index) * 20)))
            })
    }

    @Test func `others have their turns in between, and the dot moves once`() throws {
        let box = try MapBox()
        let (ada, bob) = (try box.join("Ada"), try box.join("Bob"))
        try box.share(ada)
        try box.wait(seconds: 30_000)
        _ = box.heard(bob)
        var turns = 0
        box.betweenTurns = { () throws in
            turns += 1
            #expect(try box.dots(bob)[ada] == nil)
        }
        let answer = try box.call(ada, "position.report", ["positions": points(box, 1000)])
        // Checked, read, taken in.
        #expect(turns == 2 * ((1000 - 1) / Limits.itemsCheckedPerTurn) + (1000 - 1) / Limits.itemsPerTurn)
        #expect(answer["position"]?["lat"]?.double == 52.0999)
        #expect(box.heard(bob).map(\.type) == ["position"])
        #expect(try box.dots(bob)[ada]?.lat == 52.0999)
        #expect(try box.history(ada).count == 1000)
    }

    @Test func `all are checked before any is taken, and a wrong one is named`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        try box.wait(seconds: 30_000)
        var wrong = points(box, 1000).array ?? []
        var last = box.point(52, ago: 0)
        last["lat"] = 91
        wrong[999] = .object(last)
        var turns = 0
        box.betweenTurns = { () throws in
            turns += 1
            #expect(try box.history(ada).isEmpty)
        }
        let list = JSON.array(wrong)
        let refusal = #expect(throws: Rejection.self) { try box.call(ada, "position.report", ["positions": list]) }
        #expect(refusal?.kind == .invalid)
        #expect(refusal?.field == "positions[999].lat")
        #expect(turns == (1000 - 1) / Limits.itemsCheckedPerTurn)
        #expect(try box.history(ada).isEmpty)
    }

    @Test func `a time that cannot be is found before any is taken`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        try box.wait(seconds: 30_000)
        var wrong = points(box, 1000).array ?? []
        var last = box.point(52, ago: 0)
        last["at"] = "1999-12-31T23:59:59Z"
        wrong[999] = .object(last)
        let list = JSON.array(wrong)
        let refusal = #expect(throws: Rejection.self) { try box.call(ada, "position.report", ["positions": list]) }
        #expect(refusal?.field == "positions[999].at")
        #expect(try box.history(ada).isEmpty)
    }

    @Test func `sharing that is switched off in between counts`() throws {
        let box = try MapBox()
        let (ada, bob) = (try box.join("Ada"), try box.join("Bob"))
        try box.share(ada)
        try box.wait(seconds: 30_000)
        _ = box.heard(bob)
        box.betweenTurns = { () throws in
            box.betweenTurns = nil
            try box.share(ada, "off")
        }
        try box.call(ada, "position.report", ["positions": points(box, 200)])
        #expect(box.heard(bob).isEmpty)
        #expect(try box.dots(bob)[ada] == nil)
        #expect(try box.dots(ada)[ada]?.lat == 52.0199)
    }

    @Test func `a newer point that comes in between stays the newest`() throws {
        let box = try MapBox()
        let (ada, bob) = (try box.join("Ada"), try box.join("Bob"))
        try box.share(ada)
        try box.wait(seconds: 30_000)
        box.betweenTurns = { () throws in
            box.betweenTurns = nil
            try box.report(ada, 52.05)
        }
        try box.call(ada, "position.report", ["positions": points(box, 200)])
        #expect(try box.dots(bob)[ada]?.lat == 52.05)
        #expect(try box.history(ada).count == 201)
    }

    @Test func `the same batch once more changes nothing`() throws {
        let box = try MapBox()
        let (ada, bob) = (try box.join("Ada"), try box.join("Bob"))
        try box.share(ada)
        try box.wait(seconds: 30_000)
        let batch = points(box, 300)
        for _ in 0..<2 { try box.call(ada, "position.report", ["positions": batch], op: "week") }
        try box.call(ada, "position.report", ["positions": batch])
        #expect(try box.history(ada).count == 300)
        #expect(try box.dots(bob)[ada]?.lat == 52.0299)
    }
}
