import KinSimulation
import Testing

@Suite struct WorldTests {
    /// 300 families of 1,000 steps each. A failing seed is replayed by
    /// `swift run kinwire-simulation --seed N --steps 1000`.
    @Test(arguments: 0..<30) func `a family keeps its promises, whatever happens`(dozen: UInt64) throws {
        for seed in dozen * 10..<dozen * 10 + 10 {
            do { _ = try World.run(seed: seed, steps: 1000) } catch {
                Issue.record("seed \(seed): \(error)")
            }
        }
    }

    @Test(arguments: Fault.allCases) func `a planted fault is caught`(fault: Fault) {
        for seed in 0..<40 as Range<UInt64> {
            do { _ = try World.run(seed: seed, steps: 1000, fault: fault) } catch {
                print(fault, seed, error.description.prefix(150)); return
            }
        }
        Issue.record("\(fault) was not noticed in 40 families")
    }
}
