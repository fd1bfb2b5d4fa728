import Glibc
import KinClient
import KinLoop
import KinModel

/// What phones that ring cost, beside clients that follow: how soon each hears of something, and what a thousand of each take
/// while nothing happens.
enum Rings {
    static func measure(_ options: Options) throws(Trouble) -> Report {
        var report = Report("phones that ring by ntfy, beside followers")
        try speed(options, &report)
        try rest(options, &report)
        return report
    }

    /// A family of two: one who announces, and one who follows and whose phone rings.
    private struct Scene {
        let house: House
        let publisher: LeanClient
        /// The other one's token.
        let token: String
        let topic: String
        private let place: Place

        private static let password = "seven kettles under the old bridge"

        init(_ options: Options) throws(Trouble) {
            place = try Place(in: options.directory)
            house = try House(place.path + "/data", options)
            try house.found()
            let machine = try house.conversation()
            topic = try attempt { [house] () throws(ClientFailure) in
                let household = try machine.call("family.show", [:])["households"]?.array?.first?["id"] ?? .null
                _ = try machine.call(
                    "member.add",
                    [
                        "username": "ben", "password": .string(Self.password), "displayName": "Ben",
                        "household": household, "role": "member", "kind": "adult",
                    ])
                let own = try Conversation.open(house.unix, credential: .member("ben"))
                return try own.call("notice.add", ["name": "Phone"])["topic"]?.string ?? ""
            }
            let line = try attempt { [house] () throws(ClientFailure) in
                try Conversation.open(.tcp(host: "127.0.0.1", port: house.port, isTLS: false, envelope: .lines))
            }
            token = try attempt {
                try line.call("session.open", ["username": "ben", "password": .string(Self.password)])["token"]?
                    .string ?? ""
            }
            publisher = try house.client(.webSocket, token: try house.signIn(), follows: false)
        }

        /// A phone's own request: it listens from here on.
        var listen: [UInt8] {
            Array("GET /\(topic)/json?since=none HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".utf8)
        }
    }

    // MARK: How soon

    /// Microseconds from a command until something of it can be read, in turns at one client and at the other.
    private static func speed(_ options: Options, _ report: inout Report) throws(Trouble) {
        let scene = try Scene(options)
        let follower = try scene.house.client(.webSocket, token: scene.token, follows: true)
        let phone = try LeanClient(port: scene.house.port, .lines)
        try phone.write(scene.listen)
        var head = ""
        while !head.contains("\"open\"") {
            try phone.wait()
            head += try phone.readText()
            guard !head.contains(" 403 ") else { throw Trouble("The phone is refused.") }
        }
        let command = scene.publisher.request(
            "activity.announce", ["text": "Dinner is at seven, bring the good knives."])
        let all: [LeanClient] = [follower, phone, scene.publisher]
        func sample(at one: LeanClient) throws(Trouble) -> Double {
            let start = Clock.microseconds
            try scene.publisher.write(command)
            try one.wait()
            let end = Clock.microseconds
            // Each hears of it, and nothing is left over for the next one.
            for client in all where client !== one { try client.wait() }
            while all.contains(where: { $0.isReadable(milliseconds: 2) }) {
                for client in all { _ = try client.readText() }
            }
            return end - start
        }
        for _ in 0..<20 { _ = try sample(at: phone) }
        var best: (ratio: Double, follower: Double, phone: Double)?
        for _ in 0..<options.rounds {
            var (followers, phones): ([Double], [Double]) = ([], [])
            for _ in 0..<(options.count ?? 300) {
                followers.append(try sample(at: follower))
                phones.append(try sample(at: phone))
            }
            let ratio = phones.median / followers.median
            if ratio < best?.ratio ?? .infinity { best = (ratio, followers.median, phones.median) }
        }
        guard let best else { return }
        report.add(
            "event to ntfy's client, p50, us", best.phone.rounded(0), floor: "a follower \(best.follower.rounded(0))",
            verdict: "\(best.ratio.rounded(2)) x (goal: at most 1.3)")
    }

    // MARK: At rest

    /// Resident memory and CPU time of a daemon with so many clients at rest: over TLS, as in a house, and in plain text, as
    /// from the daemon's own machine, where what is no connection's own weighs most.
    private static func rest(_ options: Options, _ report: inout Report) throws(Trouble) {
        let many = options.clients ?? 1_000
        guard many + 64 <= descriptorLimit() else { throw Trouble("So many descriptors are not allowed here.") }
        for isSecure in [true, false] {
            let followers = try cost(many, options) { (scene, count) throws(Trouble) in
                let ask = scene.publisher.request("live.follow", ["since": .null])
                guard isSecure else {
                    let flock = try Flock()
                    try flock.join(scene.house, token: scene.token, count)
                    try flock.askAll(ask)
                    return { (second) throws(Trouble) in
                        // Without a sign of life they would be taken for gone.
                        try flock.say(Self.pong, turn: second, of: 20)
                        try flock.waitForQuiet(milliseconds: 50)
                    }
                }
                let flock = try SecureFlock()
                try flock.join(scene.house, token: scene.token, count, compressing: false)
                try flock.sayAll(ask)
                try flock.waitForQuiet()
                return { (second) throws(Trouble) in
                    try flock.say(Self.pong, turn: second, of: 20)
                    try flock.waitForQuiet(milliseconds: 50)
                }
            }
            let phones = try cost(many, options) { (scene, count) throws(Trouble) in
                guard isSecure else {
                    // One after the other, as the followers come.
                    let phones = try (0..<count).map { (_) throws(Trouble) in
                        let phone = try LeanClient(port: scene.house.port, .lines)
                        try phone.write(scene.listen)
                        try phone.wait()
                        guard try phone.readText().contains("200 OK") else { throw Trouble("A phone is refused.") }
                        return phone
                    }
                    return { (_) throws(Trouble) in for phone in phones { _ = try phone.readText() } }
                }
                let flock = try SecureFlock()
                try flock.join(scene.house, asking: scene.listen, "HTTP/1.1 200", count)
                return { (_) throws(Trouble) in try flock.waitForQuiet(milliseconds: 50) }
            }
            let way = isSecure ? "over TLS" : "in plain text"
            report.add(
                "\(many - many / 10) more at rest, \(way), kB of its own", "\(phones.memory)",
                floor: "followers \(followers.memory)",
                verdict: followers.memory > 0
                    ? "\((Double(phones.memory) / Double(followers.memory)).rounded(2)) x (goal: at most 1.1)"
                    : "not seen: the followers took no more than was there")
            report.add(
                "… the daemon's whole, kB", "\(phones.whole)", floor: "followers \(followers.whole)",
                verdict: "\((Double(phones.whole) / Double(followers.whole)).rounded(2)) x")
            report.add(
                "\(many) at rest, \(way), CPU ms in \(options.seconds) s", (phones.cpu / 1000).rounded(1),
                floor: "followers \((followers.cpu / 1000).rounded(1))",
                verdict: "\((phones.cpu / max(followers.cpu, 1)).rounded(2)) x (goal: at most 1.1)")
        }
    }

    private static let pong: [UInt8] = [0x8A, 0x80, 0, 0, 0, 0]

    /// `join` has so many clients come, and answers what shows in each second that some of them are there. What the first
    /// tenth takes is not counted: what a daemon grows by once is no client's. It rests before each look, because a daemon
    /// at rest gives memory back.
    private static func cost(
        _ many: Int, _ options: Options, _ join: (Scene, Int) throws(Trouble) -> (Int) throws(Trouble) -> Void
    ) throws(Trouble) -> (memory: Int, whole: Int, cpu: Double) {
        let scene = try Scene(options)
        var live: [(Int) throws(Trouble) -> Void] = []
        /// Pages of programs come and go with what the kernel has room for; a client's are the daemon's own.
        func memoryAtRest(seconds: Int = options.seconds) throws(Trouble) -> Int {
            for second in 0..<seconds {
                sleep(1)
                for some in live { try some(second) }
            }
            return scene.house.child.number("RssAnon", in: "status")
        }
        live.append(try join(scene, many / 10))
        let before = try memoryAtRest()
        live.append(try join(scene, many - many / 10))
        // What comes after their coming is no rest yet.
        _ = try memoryAtRest(seconds: 20)
        let cpu = scene.house.child.cpuMicroseconds
        let after = try memoryAtRest()
        let child = scene.house.child
        return (after - before, child.number("VmRSS", in: "status"), child.cpuMicroseconds - cpu)
    }
}
