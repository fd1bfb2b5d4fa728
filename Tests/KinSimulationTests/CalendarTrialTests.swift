import KinSimulation
import Testing

/// Days in which clocks change while a family plans. Many more are `swift run kinwire-simulation --calendars`.
@Suite struct CalendarTrialTests {
    @Test(arguments: 0..<3 as Range<UInt64>)
    func `each sees what is meant for them at its hour, and is reminded at the minute`(seed: UInt64) {
        do throws(Finding) {
            let tally = try CalendarTrial.run(seed: seed, days: 3)
            #expect(tally.days == 3 && tally.lists > 9 && tally.occurrences > 20, "\(tally)")
        } catch { Issue.record("seed \(seed): \(error)") }
    }

    @Test(arguments: [
        (CalendarTrial.Fault.lateReminders, "reminders"), (.lostReminders, "reminders"), (.privacyLost, "sight"),
    ])
    func `a planted fault is caught by the checker it belongs to`(fault: CalendarTrial.Fault, checker: String) {
        for seed in 0..<20 as Range<UInt64> {
            do throws(Finding) { try CalendarTrial.run(seed: seed, days: 3, fault: fault) } catch {
                #expect(error.checker == checker, "seed \(seed): \(error)")
                return
            }
        }
        Issue.record("nobody noticed \(fault) in 60 days")
    }
}
