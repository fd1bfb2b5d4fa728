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

/// A history as others may see it: the least of what held at a point's own time, when it arrived, and now.
@Suite struct MapSightTests {
    private func rules(
        _ box: MapBox, _ member: Identifier, _ viewer: Identifier, _ precision: JSON, history: JSON = true
    ) throws {
        let rule: JSON = ["viewer": .id(viewer), "precision": precision, "history": history]
        try box.call(member, "sharing.set", ["state": "on", "rules": [rule]])
    }

    private func seen(_ box: MapBox, _ viewer: Identifier, _ member: Identifier, limit: Int64 = 5000) throws -> [JSON] {
        var all: [JSON] = []
        var after: JSON?
        repeat {
            var params: JSON.Object = [
                "member": .id(member), "from": .time(box.clock.adding(days: -100)), "to": .time(box.clock),
                "limit": .int(limit),
            ]
            params["after"] = after
            let page = try box.call(viewer, "position.history", params)
            all += try #require(page["positions"]?.array)
            after = page["next"]
            #expect(page["more"]?.bool == (after != nil))
        } while after != nil
        return all
    }

    private func lats(_ positions: [JSON]) -> [Double] { positions.compactMap { $0["lat"]?.double } }

    private func refusal(_ box: MapBox, _ viewer: Identifier, _ member: Identifier) -> Rejection? {
        let params: JSON.Object = ["member": .id(member), "from": .time(MapBox.start), "to": .time(box.clock)]
        do {
            try box.call(viewer, "position.history", params)
            return nil
        } catch { return error as? Rejection }
    }

    @Test func `a history opens to whom a rule shows it, from then on`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        let bob = try box.join("Bob")
        let cyd = try box.join("Cyd")
        try box.share(ada)
        try box.wait(seconds: 10)
        try box.report(ada, 1)
        #expect(refusal(box, bob, ada)?.kind == .forbidden)
        try box.wait(seconds: 10)
        try rules(box, ada, bob, "exact")
        for lat in [2.0, 3] {
            try box.wait(seconds: 10)
            try box.report(ada, lat)
        }
        #expect(try lats(seen(box, bob, ada)) == [2, 3])
        #expect(refusal(box, cyd, ada)?.kind == .forbidden)
        #expect(refusal(box, cyd, ada) == refusal(box, cyd, bob))
        #expect(try box.history(ada) == [1, 2, 3])
    }

    @Test func `it closes with the sight, and with the history's own switch`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        let bob = try box.join("Bob")
        try rules(box, ada, bob, "exact")
        try box.wait(seconds: 10)
        try box.report(ada, 1)
        #expect(try lats(seen(box, bob, ada)) == [1])
        try rules(box, ada, bob, "exact", history: false)
        #expect(refusal(box, bob, ada)?.kind == .forbidden)
        try box.wait(seconds: 10)
        try box.report(ada, 2)
        try box.wait(seconds: 10)
        try rules(box, ada, bob, "exact")
        #expect(try lats(seen(box, bob, ada)) == [1])
        try box.share(ada, "off")
        #expect(refusal(box, bob, ada)?.kind == .forbidden)
        try box.share(ada)
        #expect(try lats(seen(box, bob, ada)) == [1])
    }

    @Test func `who sees cells sees the cells that were told, of exact times too`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        let bob = try box.join("Bob")
        try rules(box, ada, bob, "exact")
        for lat in [1.001, 1.0012, 2.001] {
            try box.wait(seconds: 60)
            try box.report(ada, lat)
        }
        try box.wait(seconds: 60)
        try rules(box, ada, bob, "coarse")
        try box.wait(seconds: 60)
        try box.report(ada, 3.001)
        let coarse = try seen(box, bob, ada)
        #expect(coarse.count == 3)
        for (position, lat) in zip(coarse, [1.001, 2.001, 3.001]) {
            let middle = Cell(lat: lat, lon: 13.4).middle
            #expect(position["lat"]?.double == middle.lat && position["lon"]?.double == middle.lon)
            #expect(position["at"]?.instant == MapBox.start)
            #expect(position.object?.members.count == 5)
        }
        // Exact again shows exactly what was seen exactly, and what was a cell stays one.
        try rules(box, ada, bob, "exact")
        #expect(try seen(box, bob, ada).map { $0["precision"]?.string } == [nil, nil, nil, "coarse"])
    }

    @Test func `a point that comes late is seen as much as at its own time and as when it came`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        let bob = try box.join("Bob")
        try box.wait(seconds: 1000)
        try box.share(ada)
        try box.wait(seconds: 1000)
        try rules(box, ada, bob, "exact")
        try box.wait(seconds: 1000)
        try box.report(ada, 1, ago: 1500)
        try box.report(ada, 2, ago: 500)
        #expect(try lats(seen(box, bob, ada)) == [2])
        try rules(box, ada, bob, "exact", history: false)
        try box.wait(seconds: 10)
        // From when he might see, arriving when he may not.
        try box.report(ada, 3, ago: 400)
        try rules(box, ada, bob, "exact")
        #expect(try lats(seen(box, bob, ada)) == [2])
    }

    @Test func `who joins later and is admitted sees nothing from before`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        let rule: JSON = ["viewer": "everyone", "precision": "exact", "history": true]
        try box.call(ada, "sharing.set", ["state": "on", "rules": [rule]])
        try box.wait(seconds: 10)
        try box.report(ada, 1)
        let bob = try box.join("Bob")
        try box.wait(seconds: 10)
        try box.report(ada, 1.5)
        try box.wait(seconds: 10)
        try box.admit(bob, to: ada)
        #expect(try box.dots(bob)[ada]?.lat == 1.5)
        #expect(try seen(box, bob, ada).isEmpty)
        try box.wait(seconds: 10)
        try box.report(ada, 2)
        #expect(try lats(seen(box, bob, ada)) == [2])
    }

    @Test(arguments: [1, 2, 3, 7] as [Int64]) func `pages have no gap and no repeat, whatever the sight was in between`(
        limit: Int64
    ) throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        let bob = try box.join("Bob")
        for (index, precision) in ["coarse", "exact", "coarse", "off", "exact", "exact"].enumerated() {
            try rules(box, ada, bob, .string(precision))
            for step in 0..<4 {
                try box.wait(seconds: 150)
                try box.report(ada, Double(index) + Double(step) / 50)
            }
        }
        let whole = try seen(box, bob, ada)
        #expect(whole.count >= 16)
        #expect(try seen(box, bob, ada, limit: limit) == whole)
    }

    /// Ada and Bob, to whom she shows her history, and what she did before and after more points of one moment than a
    /// turn looks at, none of which he may see: they came when he was shown no history.
    private func withUnseen(_ count: Int, _ precision: JSON) throws -> (box: MapBox, ada: Identifier, bob: Identifier) {
        let box = try MapBox()
        let ada = try box.join("Ada")
        let bob = try box.join("Bob")
        try rules(box, ada, bob, precision, history: false)
        try box.wait(seconds: 900)
        try rules(box, ada, bob, precision)
        try box.report(ada, 1)
        try box.wait(seconds: 900)
        try box.write(
            """
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
            INSERT INTO positions (track, at, device, digest, lat, lon, version, taken)
            SELECT s.track, ?2, 1, i, 5, 5, s.version, s.version - 1 FROM n, sharing s
            """, Value(count), .time(box.clock))
        try box.write(
            """
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
            INSERT INTO coarse_positions (track, number, at, cell_row, cell_column, version, taken)
            SELECT s.track, i + 10, ?2, 5, 5, s.version, s.version - 1 FROM n, sharing s
            """, Value(count), .time(CoarsePosition.rounded(box.clock)))
        for lat in [2.0, 3] {
            try box.wait(seconds: 900)
            try box.report(ada, lat)
        }
        return (box, ada, bob)
    }

    @Test(arguments: ["exact", "coarse"])
    func `a page steps over what is not seen, however much of it is of one moment, and tells nothing of it`(
        precision: String
    ) throws {
        let (box, ada, bob) = try withUnseen(Track.Page.lookedAtPerStrideMax * 2 + 500, .string(precision))
        var (all, nexts): ([JSON], [String]) = ([], [])
        var after: JSON?
        repeat {
            var params: JSON.Object = [
                "member": .id(ada), "from": .time(MapBox.start), "to": .time(box.clock), "limit": 1,
            ]
            params["after"] = after
            let page = try box.call(bob, "position.history", params)
            #expect(page["positions"]?.array?.count == 1)
            all += try #require(page["positions"]?.array)
            after = page["next"]
            nexts += after?.string.map { [$0] } ?? []
        } while after != nil && all.count < 10
        #expect(all.count == 3 && lats(all).map { $0.rounded() } == [1, 2, 3])
        // Each next is of the position that the next page begins with.
        let times = all.compactMap { $0["at"]?.instant?.milliseconds }
        #expect(nexts == times.dropFirst().map { "\($0).0" })
        // One look, in however many strides it was.
        #expect(try box.count("SELECT sum(count) FROM looks WHERE how = 'history'") == 3)
        let file = try box.piece(bob, ["member": .id(ada), "format": "gpx"])
        #expect(file.count == 3 && file.next == nil)
    }

    @Test func `rules that change while a page is gathered hold for all of it`() throws {
        let (box, ada, bob) = try withUnseen(Track.Page.lookedAtPerStrideMax + 500, "exact")
        let params: JSON.Object = ["member": .id(ada), "from": .time(MapBox.start), "to": .time(box.clock)]
        var change: JSON? = "coarse"
        box.betweenTurns = {
            guard let precision = change else { return }
            change = nil
            try rules(box, ada, bob, precision)
        }
        let coarse = try box.call(bob, "position.history", params)["positions"]?.array ?? []
        #expect(change == nil && coarse.count == 3 && coarse.allSatisfy { $0["precision"] == "coarse" })
        change = "off"
        #expect(refusal(box, bob, ada)?.kind == .forbidden)
    }

    @Test(arguments: ["", "1.2.3", "1.-2", "x.1", "99999999999999999999.0", "-"])
    func `a page nobody gave out is refused`(after: String) throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        let bob = try box.join("Bob")
        try rules(box, ada, bob, "exact")
        let params: JSON.Object = [
            "member": .id(ada), "from": .time(MapBox.start), "to": .time(box.clock), "after": .string(after),
        ]
        let refused = #expect(throws: Rejection.self) { try box.call(bob, "position.history", params) }
        #expect(refused?.field == "after")
    }

    @Test func `versions are few, however often somebody changes their mind`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        try box.join("Bob")
        for step in 0..<40 {
            try box.wait(seconds: 60)
            try box.share(ada, step % 2 == 0 ? "on" : "off")
        }
        #expect(try box.count("SELECT count(*) FROM sharing_versions") == 40)
        try box.wait(seconds: 31 * 86_400)
        #expect(try box.count("SELECT count(*) FROM sharing_versions") == 1)
    }
}
