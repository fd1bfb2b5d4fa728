import KinSimulation
import Testing

/// Days in which a family calls each other while phones sleep, the push service falls silent and the daemon is started anew.
/// A thousand of them are `swift run kinwire-simulation --alarms`.
@Suite struct AlarmTrialTests {
    @Test(arguments: 0..<8 as Range<UInt64>)
    func `every alarm rings, none after it was answered, and nothing twice`(seed: UInt64) {
        do throws(Finding) {
            let tally = try AlarmTrial.run(seed: seed, days: 10)
            #expect(tally.days == 10 && tally.alarms > 10 && tally.answers > 5, "\(tally)")
            #expect(tally.rings > 100 && tally.missed > 10 && tally.pushes > 10 && tally.restarts > 0, "\(tally)")
        } catch { Issue.record("seed \(seed): \(error)") }
    }

    @Test(arguments: [
        (AlarmTrial.Fault.lostRing, "rings"), (.doubledRing, "twice"), (.forgottenAnswer, "answered"),
    ])
    func `a planted fault is caught by the checker it belongs to`(fault: AlarmTrial.Fault, checker: String) {
        for seed in 0..<10 as Range<UInt64> {
            do throws(Finding) { try AlarmTrial.run(seed: seed, days: 3, fault: fault) } catch {
                #expect(error.checker == checker, "seed \(seed): \(error)")
                return
            }
        }
        Issue.record("nobody noticed \(fault) in 30 days")
    }
}
