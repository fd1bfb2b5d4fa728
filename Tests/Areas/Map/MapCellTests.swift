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

/// The grid, and what of it is told when.
@Suite struct MapCellTests {
    private func kilometres(_ a: (lat: Double, lon: Double), _ b: (lat: Double, lon: Double)) -> Double {
        var lon = abs(a.lon - b.lon)
        if lon > 180 { lon = 360 - lon }
        let east = lon * 111.2 * middleWidth((a.lat + b.lat) / 2)
        let north = (a.lat - b.lat) * 111.2
        return (east * east + north * north).squareRoot()
    }

    /// The cosine by its series, so that the grid is not checked by its own arithmetic.
    private func middleWidth(_ lat: Double) -> Double {
        let x = lat * .pi / 180
        var (sum, term) = (1.0, 1.0)
        for n in 1...20 {
            term *= -x * x / Double((2 * n - 1) * 2 * n)
            sum += term
        }
        return sum
    }

    @Test
    func `every point lies within three quarters of a kilometre of its cell's middle, and the middle in the cell`() {
        var dice = Dice(state: 5)
        for _ in 0..<5000 {
            let lat = Double(dice.roll(1_800_001)) / 10_000 - 90
            let lon = Double(dice.roll(3_600_001)) / 10_000 - 180
            let cell = Cell(lat: lat, lon: lon)
            let middle = cell.middle
            #expect(Cell(lat: middle.lat, lon: middle.lon) == cell)
            // At the poles three cells share a row, whatever the distance along it.
            if abs(lat) < 89.9 { #expect(kilometres((lat, lon), middle) < 0.76) }
            #expect((-90...90).contains(middle.lat) && (-180...180).contains(middle.lon))
        }
    }

    @Test(arguments: [
        (90.0, 0.0), (-90.0, 0.0), (0.0, 180.0), (0.0, -180.0), (90.0, 180.0), (-90.0, -180.0), (89.9999, 179.9999),
        (.infinity, .infinity), (-.infinity, -.infinity),
    ]) func `the edges of the map are in it`(lat: Double, lon: Double) {
        let cell = Cell(lat: lat, lon: lon)
        #expect((0..<Cell.rows).contains(cell.row))
        #expect((0..<Cell.columns(inRow: cell.row)).contains(cell.column))
    }

    @Test func `the antimeridian is no border`() {
        #expect(Cell(lat: 10, lon: 180) == Cell(lat: 10, lon: -180))
        #expect(Cell(lat: 10, lon: 179.9999).touches(Cell(lat: 10, lon: -179.9999)))
        #expect(!Cell(lat: 10, lon: 179.9).touches(Cell(lat: 10, lon: -179.9)))
    }

    @Test func `cells touch when a step from one leads into the other, in both directions`() {
        var dice = Dice(state: 9)
        for _ in 0..<3000 {
            let lat = Double(dice.roll(178_000)) / 1000 - 89
            let lon = Double(dice.roll(360_000)) / 1000 - 180
            let cell = Cell(lat: lat, lon: lon)
            let near = Cell(lat: lat + 0.004, lon: lon)
            #expect(cell.touches(near) && near.touches(cell) && cell.touches(cell))
            let far = Cell(lat: lat + 0.02, lon: lon)
            #expect(!cell.touches(far) && !far.touches(cell))
        }
    }

    private let here = Cell(row: 15_000, column: 1000)
    private let next = Cell(row: 15_000, column: 1001)
    private let corner = Cell(row: 15_001, column: 1000)
    private let far = Cell(row: 15_000, column: 1005)
    private func at(_ seconds: Int64) -> Instant { Instant(milliseconds: 900_000_000).adding(seconds: seconds) }

    /// Mutating calls cannot stand in an expectation.
    private func take(_ dot: inout CoarsePosition, _ cell: Cell, _ seconds: Int64, before: Int64?) -> Bool {
        dot.take(cell, at: at(seconds), before: before.map { at($0) })
    }

    @Test func `the same cell is told once a quarter of an hour`() {
        var dot = CoarsePosition(here, at: at(10))
        #expect(dot.at == at(0))
        #expect(!take(&dot, here, 899, before: 10))
        #expect(take(&dot, here, 901, before: 899))
        #expect(dot.at == at(900))
    }

    @Test func `a cell further off is told at once, the next one when the member stays away`() {
        var dot = CoarsePosition(here, at: at(0))
        #expect(!take(&dot, next, 60, before: 0))
        #expect(!take(&dot, corner, 200, before: 60))
        #expect(!take(&dot, next, 359, before: 200))
        #expect(take(&dot, next, 360, before: 359))
        #expect(dot.cell == next)
        #expect(take(&dot, far, 400, before: 360))
        #expect(dot.cell == far)
    }

    @Test func `who lives on a border is not told to and fro`() {
        var dot = CoarsePosition(here, at: at(0))
        var told = 0
        for step in 1...1000 {
            let cell = step % 4 == 0 ? here : next
            if dot.take(cell, at: at(Int64(step) * 60), before: at(Int64(step - 1) * 60)) { told += 1 }
            #expect(dot.cell == here)
        }
        // Only newer times.
        #expect(told <= 1000 / 15 + 1)
    }

    @Test func `after a silence the next cell is told at once, and a time never goes back`() {
        var dot = CoarsePosition(here, at: at(5000))
        #expect(take(&dot, next, 5400, before: 5000))
        var late = CoarsePosition(here, at: at(5000))
        #expect(take(&late, far, 100, before: nil))
        #expect(late.at == at(4500))
    }
}
