import KinActivity
import KinFamily
import KinGeo
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

/// Which points move what those see who see cells: by cells and times alone.
@Suite struct MapCellJudgeTests {
    private func seen(_ row: Int64, _ column: Int64, _ milliseconds: Int64, device: Int64? = nil) -> CellJudge.Seen {
        CellJudge.Seen(
            cell: Cell(row: row, column: column), at: MapBox.start.adding(milliseconds: milliseconds), device: device)
    }

    /// Mutating calls cannot stand in an expectation.
    private func believed(_ all: [CellJudge.Seen], isMeasured: Bool = true) -> [Bool] {
        var judge = CellJudge()
        return all.map { judge.believes($0, isMeasured: isMeasured) }
    }

    @Test func `a cell that touches is never doubted, however soon`() {
        for row in -1...1 as ClosedRange<Int64> {
            for column in -1...1 as ClosedRange<Int64> {
                #expect(believed([seen(15_800, 10, 0), seen(15_800 + row, 10 + column, 1)]) == [true, true])
            }
        }
        let last = Cell.columns(inRow: 15_800) - 1
        #expect(believed([seen(15_800, 0, 0), seen(15_800, last, 1)]) == [true, true])
    }

    @Test func `thirty kilometres in ten seconds are doubted, and no hair's breadth of the limit is`() {
        #expect(believed([seen(15_800, 10, 0), seen(15_830, 10, 10_000)]) == [true, false])
        #expect(believed([seen(15_800, 10, 0), seen(15_830, 10, 130_000)]) == [true, true])
        // Two rows are 2.0 km, less 200 m: 7.2 seconds.
        #expect(believed([seen(15_800, 10, 0), seen(15_802, 10, 7100)]) == [true, false])
        #expect(believed([seen(15_800, 10, 0), seen(15_802, 10, 7300)]) == [true, true])
    }

    @Test func `the third that agrees with the doubted is believed, and one in between begins anew`() {
        let here = seen(15_800, 10, 0)
        let there = (1...3).map { seen(15_900, 10, $0 * 10_000) }
        #expect(believed([here] + there) == [true, false, false, true])
        let back = seen(15_800, 10, 25_000)
        #expect(believed([here, there[0], there[1], back, there[2]]) == [true, false, false, true, false])
        let elsewhere = seen(15_700, 10, 25_000)
        #expect(believed([here, there[0], there[1], elsewhere, there[2]]) == [true, false, false, false, false])
    }

    @Test func `the same moment again counts once, and an older one not at all`() {
        let there = (1...3).map { seen(15_900, 10, $0 * 10_000) }
        let all = [seen(15_800, 10, 0), there[0], there[0], there[1], there[0], there[1], there[2], there[2]]
        #expect(believed(all) == [true, false, false, false, false, false, true, false])
        // A doubted one from the future keeps nothing from being believed.
        let ahead = [seen(15_800, 10, 0), seen(15_900, 10, 90_000), seen(15_801, 10, 60_000)]
        #expect(believed(ahead) == [true, false, true])
    }

    @Test func `different devices are no jumps of each other, and a person's word is taken`() {
        let here = seen(15_800, 10, 0, device: 1)
        #expect(believed([here, seen(15_900, 10, 1000, device: 2)]) == [true, true])
        #expect(believed([here, seen(15_900, 10, 1000, device: 1)]) == [true, false])
        #expect(believed([here, seen(15_900, 10, 1000)]) == [true, false])
        #expect(believed([here, seen(15_900, 10, 1000)], isMeasured: false) == [true, true])
    }

    @Test func `nobody who goes at 340 km an hour is doubted, wherever the cells lie`() {
        var dice = Dice(state: 3)
        var apart = 0
        for _ in 0..<60_000 {
            let lat = Double(dice.roll(160_000)) / 1000 - 80
            let lon = Double(dice.roll(358_000)) / 1000 - 179
            let milliseconds = Int64(1 + dice.roll(30_000))
            let metres = 340 / 3.6 * Double(milliseconds) / 1000
            let north = Double(dice.roll(2001) - 1000) / 1000
            let east = (1 - north * north).squareRoot() * (dice.roll(2) == 0 ? 1 : -1)
            let (one, step) = (Coordinate(lat: lat, lon: lon), metres / 111_200)
            let width = one.roughDistance(to: Coordinate(lat: lat, lon: lon + 0.01)) / 0.01
            let other = Cell(lat: lat + north * step, lon: lon + east * metres / width)
            let from = CellJudge.Seen(cell: Cell(lat: lat, lon: lon), at: MapBox.start, device: nil)
            let to = CellJudge.Seen(cell: other, at: MapBox.start.adding(milliseconds: milliseconds), device: nil)
            if !from.cell.touches(to.cell) { apart += 1 }
            if CellJudge.isJump(from, to) { Issue.record("\(from) to \(to)") }
        }
        #expect(apart > 3000)
    }
}

/// The same with a family around it.
@Suite struct MapCellJudgingTests {
    private let box: MapBox
    private let ada: Identifier
    /// Sees cells.
    private let bob: Identifier
    /// Sees all.
    private let cyd: Identifier

    init() throws {
        box = try MapBox()
        (ada, bob, cyd) = (try box.join("Ada"), try box.join("Bob"), try box.join("Cyd"))
        try share("on")
    }

    private func share(_ state: JSON) throws {
        let rules: JSON = [
            ["viewer": .id(bob), "precision": "coarse", "history": true],
            ["viewer": .id(cyd), "precision": "exact", "history": true],
        ]
        try box.call(ada, "sharing.set", ["state": state, "rules": rules])
    }

    /// A point in a cell of a column: at its middle, or so much of a cell's height further north.
    private func report(_ row: Int64, _ share: Double = 0, after milliseconds: Int64 = 10_000) throws {
        box.clock = box.clock.adding(milliseconds: milliseconds)
        var point = box.point(-90 + (Double(row) + 0.5 + share) * 0.009, 13.4)
        point["accuracy"] = 5
        try box.call(ada, "position.report", point)
    }

    private func row(_ viewer: Identifier) throws -> Int64? {
        try box.dots(viewer)[ada].map { Cell(lat: $0.lat, lon: $0.lon).row }
    }

    private func forget(ago from: Int64, to: Int64 = 0) throws {
        try box.call(
            ada, "position.forget",
            ["from": .time(box.clock.adding(seconds: -from)), "to": .time(box.clock.adding(seconds: -to))])
    }

    @Test func `a fix that is thirty kilometres off is told nobody, and three that agree are told all`() throws {
        try report(15_800)
        try report(15_830)
        #expect(try row(bob) == 15_800 && row(cyd) == 15_800)
        try report(15_800)
        _ = box.heard(bob)
        try report(15_830)
        try report(15_831)
        #expect(box.heard(bob).isEmpty)
        try report(15_830)
        #expect(try row(bob) == 15_830 && row(cyd) == 15_830)
        #expect(box.heard(bob).count == 1)
    }

    @Test func `where in its cell a point lies moves the exact dot, and not the cell`() throws {
        for (share, isNear) in [(-0.49, true), (0.49, false)] {
            let run = try MapCellJudgingTests()
            try run.report(15_800, 0.49)
            try run.report(15_802, share, after: 6000)
            #expect(try run.row(run.cyd) == (isNear ? 15_802 : 15_800))
            #expect(try run.row(run.bob) == 15_800)
            // By now somebody can have got there.
            try run.report(15_802, share, after: 6000)
            #expect(try run.row(run.cyd) == 15_802 && run.row(run.bob) == 15_802)
        }
    }

    @Test func `what is judged while sharing is off decides what cells are shown then`() throws {
        try report(15_800)
        try share("off")
        try report(15_802, -0.49, after: 6000)
        try share("on")
        #expect(try row(cyd) == 15_802 && row(bob) == 15_800)
        try share("off")
        for _ in 0..<3 { try report(15_850) }
        #expect(try row(bob) == nil)
        try share("on")
        #expect(try row(cyd) == 15_850 && row(bob) == 15_850)
    }

    @Test func `a long list is judged as one by one, whatever it takes in turns`() throws {
        let single = try MapCellJudgingTests()
        for run in [self, single] { run.box.clock = run.box.clock.adding(seconds: 2000) }
        let points = (0..<100).map { index -> JSON.Object in
            let row = index % 10 == 9 ? 15_900.5 : 15_800.5 + Double(index) / 50
            var point = box.point(-90 + row * 0.009, 13.4, ago: Int64(1000 - index * 10))
            point["accuracy"] = 5
            return point
        }
        try box.call(ada, "position.report", ["positions": .array(points.map { .object($0) })])
        for point in points { try single.box.call(single.ada, "position.report", point) }
        #expect(try row(bob) == 15_801 && row(cyd) == 15_802)
        #expect(try box.dots(bob)[ada] == single.box.dots(single.bob)[single.ada])
        let judges = "SELECT at * 31 + cell_row * 7 + doubted_at + doubted_row FROM cell_judges"
        #expect(try box.count(judges) == single.box.count(judges))
    }

    @Test func `a cell goes by its own time when one forgets`() throws {
        try report(15_800, 0.49)
        // Good as a point, doubted as a cell.
        try report(15_802, -0.49, after: 4000)
        #expect(try row(cyd) == 15_802 && row(bob) == 15_800)
        _ = (box.heard(bob), box.heard(cyd))
        try forget(ago: 2)
        #expect(box.heard(bob).isEmpty && box.heard(cyd).map(\.type) == ["position.deleted"])
        #expect(try row(bob) == 15_800 && row(cyd) == nil && row(ada) == nil)
        #expect(try box.count("SELECT count(*) FROM cell_judges WHERE doubted_row IS NOT NULL") == 0)
        // Whom the rules now show all, sees nothing until there is something.
        let rule: JSON = ["viewer": .id(bob), "precision": "exact"]
        try box.call(ada, "sharing.set", ["rules": [rule]])
        #expect(box.heard(bob).map(\.type) == ["position.hidden"])
        #expect(try row(bob) == nil)
        for _ in 0..<20 { try box.wait(seconds: 1) }
        try report(15_800)
        #expect(try row(bob) == 15_800)
    }

    @Test func `and the exact dot by its own`() throws {
        try report(15_800, -0.45)
        // A jump as a point, next door as a cell.
        try report(15_801, 0.45, after: 1000)
        #expect(try row(cyd) == 15_800)
        _ = (box.heard(bob), box.heard(cyd))
        try forget(ago: 0)
        #expect(box.heard(bob).map(\.type) == ["position.deleted"] && box.heard(cyd).isEmpty)
        #expect(try row(bob) == nil && row(cyd) == 15_800 && row(ada) == 15_800)
        #expect(try box.count("SELECT count(*) FROM cell_judges") == 0)
        #expect(try box.count("SELECT count(*) FROM log WHERE key LIKE '%/coarse'") == 0)
        for _ in 0..<20 { try box.wait(seconds: 1) }
        try report(15_800)
        #expect(try row(bob) == 15_800)
    }

    @Test func `a family from before has the own dot's cell to begin with`() throws {
        try report(15_800)
        try share("off")
        try report(15_801, after: 60_000)
        try box.write("DELETE FROM cell_judges")
        try box.store.beginTurn()
        try CellJudge.begin(box.store.database)
        try box.store.commitTurn()
        try share("on")
        #expect(try row(bob) == 15_801)
        try report(15_830)
        #expect(try row(bob) == 15_801)
        #expect(try box.count("SELECT count(*) FROM cell_judges WHERE device IS NOT NULL AND at = shown_at") == 1)
    }

    @Test func `who looked at a cell that came without an exact dot is written down`() throws {
        try report(15_800, 0.49)
        try report(15_802, -0.49, after: 4000)
        try forget(ago: 2)
        try box.call(bob, "position.latest")
        let looks = try #require(try box.call(ada, "sharing.looks")["looks"]?.array)
        #expect(looks.map { $0["viewer"]?.identifier } == [bob])
    }
}
