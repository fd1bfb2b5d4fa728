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

/// Where in its cells somebody is makes no difference to those who see cells, however fast the points go.
@Suite struct MapCellRunsTests {
    @Test(arguments: 1...16 as ClosedRange<UInt64>)
    func `who sees cells cannot tell two runs apart that differ only within their cells`(seed: UInt64) throws {
        let one = try CellRun(seed: seed, inside: 1)
        let other = try CellRun(seed: seed, inside: 2)
        let difference = zip(one.seen, other.seen).first { $0.0 != $0.1 }
        #expect(difference == nil, "seed \(seed)")
        #expect(one.seen.count == other.seen.count)
        #expect(one.seen.contains { $0.contains("hears: position ") && $0.contains("coarse") })
    }

    @Test func `the runs do jump, and where in a cell a point lies decides whether`() throws {
        var (jumps, good, others) = (Int64(0), Int64(0), 0)
        for seed in 1...4 as ClosedRange<UInt64> {
            let one = try CellRun(seed: seed, inside: 1).qualities
            let other = try CellRun(seed: seed, inside: 2).qualities
            good += one[0]
            jumps += one[1]
            if one != other { others += 1 }
        }
        #expect(jumps > 30 && good > 100 && others > 1)
    }
}
