import KinModel

/// What happens to the wall clock of the box. Phones and people have right ones.
extension World {
    /// It shows something wrong, or is right again.
    func clockGoesWrong() throws(Finding) {
        let (hour, day): (Int64, Int64) = (3_600_000, 86_400_000)
        time.setSynchronised(false)
        switch dice.below(10) {
        case 0: put(400 * day)
        case 1: put(day)
        case 2: put(-hour)
        case 3: put(dice.pick([-400, -1, 30]) * day)
        // The machine starts without knowing the time, or a year ahead.
        case 4: try startMachine(showing: 5000)
        case 5: try startMachine(showing: time.trueMilliseconds() + 400 * day)
        // It was right all along.
        case 6:
            put(0)
            try startMachine(showing: time.trueMilliseconds())
        case 7, 8: put(0)
        default:
            put(0)
            time.setSynchronised(true)
        }
    }

    private func put(_ milliseconds: Int64) {
        trace?("step \(tally.steps): the clock is \(milliseconds) ms ahead")
        time.show(milliseconds: time.trueMilliseconds() + milliseconds)
    }

    private func startMachine(showing milliseconds: Int64) throws(Finding) {
        trace?("step \(tally.steps): the machine starts, and shows \(milliseconds)")
        time.startMachine()
        time.show(milliseconds: milliseconds)
        try crash()
    }
}
