import Glibc
import KinClient
import KinLoop
import KinModel

/// What an idle connection costs in memory, signed in and following; and what a storm of connections leaves behind.
enum Memory {
    static func measure(_ options: Options) throws(Trouble) -> Report {
        let many = options.clients ?? 10_000
        guard many + 64 <= descriptorLimit() else { throw Trouble("So many descriptors are not allowed here.") }
        var report = Report("memory, after \(options.seconds) s of rest")
        try plain(many, options, &report)
        try secure(many / 5, options, &report)
        return report
    }

    private static func plain(_ many: Int, _ options: Options, _ report: inout Report) throws(Trouble) {
        let scene = try Scene(options)
        let flock = try Flock()
        func join(_ flock: Flock, _ count: Int) throws(Trouble) {
            try flock.join(scene.house, token: scene.token, count - flock.count, compressing: true)
            // Followers follow anew, which is a burst as well.
            try flock.askAll(scene.follow)
            try flock.waitForQuiet()
        }
        func resident(_ count: Int) throws(Trouble) -> Int {
            try join(flock, count)
            try Fanout.run(flock, scene.publisher, scene.command, 50, 16)
            return try scene.resident(after: flock)
        }
        let (before, after) = (try resident(many / 10), try resident(many))
        let each = Double(after - before) / Double(many - many / 10)
        report.add(
            "an idle WebSocket, signed in and following, kB", each.rounded(2), floor: "goal 1.0",
            verdict: each <= 1 ? "met" : "missed")
        report.add("resident with \(many / 10), with \(many), kB", "\(before), \(after)")

        // As many come and go again. What is compared is the memory before them.
        flock.leave(down: many / 10)
        let calm = try scene.resident(after: flock)
        do { try join(try Flock(), many - many / 10) }
        let left = try scene.resident(after: flock)
        report.add(
            "resident after a storm of \(many - many / 10), kB", "\(left)", floor: "before \(calm)",
            verdict: "\((Double(left) / Double(calm)).rounded(2)) x (goal: at most 1.10)")
    }

    /// The same over TLS, beside what OpenSSL alone takes.
    private static func secure(_ many: Int, _ options: Options, _ report: inout Report) throws(Trouble) {
        let scene = try Scene(options)
        let flock = try SecureFlock()
        func resident(_ count: Int) throws(Trouble) -> Int {
            try flock.join(scene.house, token: scene.token, count - flock.count)
            try flock.sayAll(scene.follow)
            try flock.waitForQuiet()
            for _ in 0..<50 { try scene.publisher.write(scene.command) }
            try flock.waitForQuiet()
            return try scene.resident(after: flock)
        }
        let before = try resident(many / 10)
        let each = Double(try resident(many) - before) / Double(many - many / 10)
        let bare = try Child(Place.program, ["bare-tls", "--dir", scene.house.directory])
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

    /// A daemon with a family, somebody who announces, and what followers say.
    private struct Scene {
        let house: House
        let token: String
        let publisher: LeanClient
        let follow: [UInt8]
        let command: [UInt8]
        private let place: Place
        private let seconds: Int

        init(_ options: Options) throws(Trouble) {
            place = try Place(in: options.directory)
            seconds = options.seconds
            house = try House(place.path + "/data", options)
            try house.found()
            token = try house.signIn()
            publisher = try house.client(.webSocket, token: token, follows: false)
            follow = publisher.request("live.follow", ["since": .null])
            command = publisher.request("activity.announce", ["text": "Dinner is at seven, bring the good knives."])
        }

        /// The daemon's resident memory in kB when followers have rested.
        func resident(after flock: some Resting) throws(Trouble) -> Int {
            try flock.rest(seconds)
            return house.child.number("VmRSS", in: "status")
        }
    }
}

/// Followers that can stay for long without asking anything.
protocol Resting: AnyObject {
    func sayAll(_ bytes: [UInt8]) throws(Trouble)
    func waitForQuiet(milliseconds: Int) throws(Trouble)
}

extension Flock: Resting {}
extension SecureFlock: Resting {}

extension Resting {
    /// For so long nothing happens but a heartbeat: a pong that nobody asked for (RFC 6455 §5.5.3), without which the
    /// daemon would take them for gone after 90 s.
    func rest(_ seconds: Int) throws(Trouble) {
        var left = seconds
        while left > 0 {
            try sayAll([0x8A, 0x80, 0, 0, 0, 0])
            try waitForQuiet(milliseconds: 500)
            // The rest itself is what is measured after.
            sleep(UInt32(min(left, 20)))
            left -= 20
        }
        try waitForQuiet(milliseconds: 500)
    }
}
