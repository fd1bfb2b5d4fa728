import KinSimulation
import Testing

@Suite struct WorldTests {
    @Test(arguments: 1...4 as ClosedRange<UInt64>) func `a family keeps its promises`(seed: UInt64) throws {
        let tally = try World.run(seed: seed, steps: 1000)
        print(seed, tally)
    }
}
