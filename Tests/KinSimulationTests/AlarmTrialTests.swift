import KinSimulation
import Testing

/// Days in which a family calls each other while phones sleep, the push service falls silent and the daemon is started anew.
/// A thousand of them are `swift run kinwire-simulation --alarms`.
@Suite struct AlarmTrialTests {
    @Test(arguments: 0..<3 as Range<UInt64>)
    func `every alarm rings, none after it was answered, and nothing twice`(seed: UInt64) {
        do throws(Finding) {
            let tally = try AlarmTrial.run(seed: seed, days: 1)
            #expect(tally.days == 1 && tally.alarms > 0 && tally.rings > 5, "\(tally)")
        } catch { Issue.record("seed \(seed): \(error)") }
    }

    @Test(arguments: [
        (AlarmTrial.Fault.lostRing, "rings"), (.doubledRing, "twice"), (.forgottenAnswer, "answered"),
    ])
    func `a planted fault is caught by the checker it belongs to`(fault: AlarmTrial.Fault, checker: String) {
        for seed in 0..<10 as Range<UInt64> {
            do throws(Finding) { try AlarmTrial.run(seed: seed, days: 1, fault: fault) } catch {
                #expect(error.checker == checker, "seed \(seed): \(error)")
                return
            }
        }
        Issue.record("nobody noticed \(fault) in 10 days")
    }
}
