import Glibc

/// A daemon with a family, no client and nothing due: how often its threads run.
enum Idle {
    static func measure(_ options: Options) throws(Trouble) -> Report {
        let place = try Place(in: options.directory)
        let house = try House(place.path + "/data", options)
        try house.found()
        // What follows the founding (a checkpoint, the connection's end) is over within a few seconds.
        sleep(5)
        let before = house.child.contextSwitches
        let cpu = house.child.cpuMicroseconds
        sleep(UInt32(options.seconds))
        let after = house.child.contextSwitches
        let voluntary = after.voluntary - before.voluntary
        var report = Report("nobody connected, nothing due, \(options.seconds) s")
        report.add(
            "context switches", "\(voluntary + after.involuntary - before.involuntary)", floor: "0",
            verdict: voluntary == 0 ? "met" : "missed")
        report.add("CPU time, us", (house.child.cpuMicroseconds - cpu).rounded(0), floor: "0")
        report.add("resident, kB", "\(house.child.number("VmRSS", in: "status"))")
        return report
    }
}
