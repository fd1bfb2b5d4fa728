import Glibc
import KinModel

/// What a storm of everything leaves in memory: everybody comes home at once, signs in, looks at the map, changes their
/// picture and takes an export along.
enum Storm {
    static func measure(_ options: Options) throws(Trouble) -> Report {
        let place = try Place(in: options.directory)
        var house = try House(place.path + "/data", options)
        try house.found()
        let load = try MixedLoad(house)
        let many = options.clients ?? 300
        let known = try load.devices(10)
        let cursor = try load.cursor()
        try load.announce(options.count ?? 5_000)
        sleep(UInt32(options.seconds))
        var report = Report("a mixed storm")
        let idle = resident(house)
        report.add("resident, idle, kB", "\(idle)", floor: "code \(code(house))")
        var threads = house.child.threads.count
        house.child.forgetPeak()

        try load.visit(many)
        report.add("after \(many) phones' snapshots, kB", "\(resident(house))")
        try load.comeBack(20, since: cursor)
        report.add("after 20 replays of \(options.count ?? 5_000) events, kB", "\(resident(house))")
        let signIns = load.signIns(known: known, madeUp: 30)
        report.add("sign-ins of known devices: answers", told(signIns.known))
        report.add("made-up sign-ins: answers", told(signIns.madeUp), floor: "after them \(resident(house)) kB")
        threads = max(threads, house.child.threads.count)
        report.add("pictures: answers", told(load.pictures(6)), floor: "after them \(resident(house)) kB")
        report.add("exports: answers", told(load.exports(20)), floor: "after them \(resident(house)) kB")
        report.add("strangers: answers", told(load.flood(many)), floor: "after them \(resident(house)) kB")

        threads = max(threads, house.child.threads.count)
        report.add("highest, kB", "\(house.child.number("VmHWM", in: "status"))", verdict: "\(threads) threads")
        var (waited, last) = (0, 0)
        for second in [3, 10, 20, 30, 45, 60] {
            sleep(UInt32(second - waited))
            waited = second
            let now = resident(house)
            let ratio = Double(now) / Double(idle)
            let verdict = "\(ratio.rounded(2)) x" + (second == 60 ? " (goal: at most 1.30)" : "")
            report.add("\(second) s later, kB", "\(now)", floor: "code \(code(house))", verdict: verdict)
            report.note("after \(second) s, times idle", ratio)
            last = now
        }
        // Beside one on the same data that has done nothing but start.
        house.child.end()
        house = try House(place.path + "/data", options)
        sleep(10)
        let fresh = resident(house)
        let ratio = Double(last) / Double(fresh)
        report.add(
            "a fresh start on the same data, kB", "\(fresh)", floor: "code \(code(house))",
            verdict: "the minute's last was \(ratio.rounded(2)) x")
        report.note("times a fresh start", ratio)
        return report
    }

    private static func resident(_ house: House) -> Int {
        house.child.drain()
        return house.child.number("VmRSS", in: "status")
    }

    /// Pages of the program and its libraries, which every process that runs the same shares.
    private static func code(_ house: House) -> Int { house.child.number("RssFile", in: "status") }

    static func told(_ statuses: Burst.Statuses) -> String {
        statuses.sorted { $0.key < $1.key }.map { "\($0.value)x\($0.key)" }.joined(separator: " ")
    }
}
