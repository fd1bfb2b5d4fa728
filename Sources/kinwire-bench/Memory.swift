import Glibc
import KinClient
import KinLoop
import KinModel

/// What an idle connection costs in memory, signed in and following; and what a storm of connections leaves behind.
enum Memory {
    static func measure(_ options: Options) throws(Trouble) -> Report {
        let many = options.clients ?? 10_000
        let few = many / 10
        guard many + 64 <= descriptorLimit() else { throw Trouble("So many descriptors are not allowed here.") }
        let place = try Place(in: options.directory)
        let house = try House(place.path + "/data", options)
        try house.found()
        let token = try house.signIn()
        let publisher = try house.client(.webSocket, token: token, follows: false)
        let follow = publisher.request("live.follow", ["since": .null])
        let command = publisher.request("activity.announce", ["text": "Dinner is at seven, bring the good knives."])
        var report = Report("memory, after \(options.seconds) s of rest")

        let flock = try Flock(.events)
        func resident(_ count: Int) throws(Trouble) -> Int {
            try flock.join(house, token: token, count - flock.count, compressing: true)
            // Followers follow anew, which is a burst as well.
            try flock.sayAll(follow)
            try flock.waitForQuiet()
            try Fanout.run(flock, publisher, command, 50, 16)
            sleep(UInt32(options.seconds))
            try flock.waitForQuiet()
            return house.child.number("VmRSS", in: "status")
        }
        let before = try resident(few)
        let after = try resident(many)
        let each = Double(after - before) / Double(many - few)
        report.add(
            "an idle WebSocket, signed in and following, kB", each.rounded(2), floor: "goal 1.0",
            verdict: each <= 1 ? "met" : "missed")
        report.add("resident with \(few), with \(many), kB", "\(before), \(after)")
        try storm(flock, house, token, follow, many, before: after, options, &report)
        try secure(many / 5, options, &report)
        return report
    }

    /// The same over TLS, beside what OpenSSL alone takes.
    private static func secure(_ many: Int, _ options: Options, _ report: inout Report) throws(Trouble) {
        let place = try Place(in: options.directory)
        let house = try House(place.path + "/data", options)
        try house.found()
        let token = try house.signIn()
        let publisher = try house.client(.webSocket, token: token, follows: false)
        let follow = publisher.request("live.follow", ["since": .null])
        let command = publisher.request("activity.announce", ["text": "Dinner is at seven, bring the good knives."])
        let flock = try SecureFlock()
        func resident(_ count: Int) throws(Trouble) -> Int {
            try flock.join(house, token: token, count - flock.count)
            try flock.sayAll(follow)
            try flock.waitForQuiet()
            for _ in 0..<50 { try publisher.write(command) }
            try flock.waitForQuiet()
            sleep(UInt32(options.seconds))
            try flock.waitForQuiet()
            return house.child.number("VmRSS", in: "status")
        }
        let before = try resident(many / 10)
        let each = Double(try resident(many) - before) / Double(many - many / 10)
        let bare = try Child(Place.program, ["bare-tls", "--dir", place.path + "/data"])
        guard bare.line() == "ready" else { throw Trouble("OpenSSL alone did not start.") }
        func bareResident(_ count: Int) throws(Trouble) -> Int {
            bare.ask("\(count)")
            guard bare.line() != nil else { throw Trouble("OpenSSL alone ended.") }
            return bare.number("VmRSS", in: "status")
        }
        let bareBefore = try bareResident(many / 10)
        let floor = Double(try bareResident(many - many / 10) - bareBefore) / Double(many - many / 10)
        report.add(
            "the same over TLS, kB", each.rounded(2), floor: "OpenSSL alone \(floor.rounded(2))",
            verdict: "\((each / floor).rounded(2)) x (goal: at most 1.2)")
    }

    /// As many come and go again. What is compared is the memory before them.
    private static func storm(
        _ flock: Flock, _ house: House, _ token: String, _ follow: [UInt8], _ count: Int, before: Int,
        _ options: Options, _ report: inout Report
    ) throws(Trouble) {
        flock.leave(down: count / 10)
        sleep(UInt32(options.seconds))
        let before = house.child.number("VmRSS", in: "status")
        do {
            let storm = try Flock(.events)
            try storm.join(house, token: token, count - count / 10, compressing: true)
            try storm.sayAll(follow)
            try storm.waitForQuiet()
        }
        sleep(UInt32(options.seconds))
        let after = house.child.number("VmRSS", in: "status")
        let ratio = Double(after) / Double(before)
        report.add(
            "resident after a storm of \(count - count / 10), kB", "\(after)", floor: "before \(before)",
            verdict: "\(ratio.rounded(2)) x (goal: at most 1.10)")
    }
}
