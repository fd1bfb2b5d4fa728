import Glibc
import KinClient
import KinLoop
import KinModel

/// One command to many followers: the daemon's CPU time per delivery, all its threads, the commit included; beside a bare
/// broadcaster with one send for each delivery, one that gathers a turn's events into one send for each client, and one
/// that appends them to a file and syncs it before.
enum Fanout {
    /// The rows of the table in the documentation.
    private static let usual = [(1_000, 1), (1_000, 16), (5_000, 16)]
    private static let scale = [(100, 1), (1_000, 1), (10_000, 1), (100, 16), (1_000, 16), (10_000, 16)]

    static func measure(_ options: Options) throws(Trouble) -> Report {
        let asked = options.clients.map { [($0, options.window ?? 1)] }
        return try measure(asked ?? usual, options, "CPU time per delivery, us")
    }

    /// From a hundred to ten thousand clients the ratio to the floor hardly changes.
    static func measureScale(_ options: Options) throws(Trouble) -> Report {
        try measure(scale, options, "CPU time per delivery, us, from 100 to 10,000 clients")
    }

    private static func measure(
        _ rows: [(clients: Int, window: Int)], _ options: Options, _ title: String
    ) throws(Trouble) -> Report {
        let most = rows.map(\.clients).max() ?? 0
        guard most + 64 <= descriptorLimit() else { throw Trouble("So many descriptors are not allowed here.") }
        let place = try Place(in: options.directory)
        let house = try House(place.path + "/data", options)
        try house.found()
        let token = try house.signIn()
        Cores.takeSecond()
        Cores.giveFirst(house.child)
        var report = Report(title)
        report.note("cores", Cores.areEnough ? 2 : 1)
        for row in rows { try measure(row.clients, row.window, house, token, options, &report) }
        return report
    }

    /// One pass of each of the four.
    private struct Pass {
        let ours: Double
        let bare: Double
        let gathered: Double
        let kept: Double

        /// With one command in flight there is nothing to gather.
        func ratio(_ window: Int) -> Double { ours / (window == 1 ? bare : gathered) }
    }

    private static func measure(
        _ clients: Int, _ window: Int, _ house: House, _ token: String, _ options: Options, _ report: inout Report
    ) throws(Trouble) {
        let count = options.count ?? max(50, min(2_000, 500_000 / clients))
        let text = String(repeating: "Dinner is at seven, bring the good knives. ", count: 6).prefix(256)
        let publisher = try house.client(.webSocket, token: token, follows: false)
        let command = publisher.request("activity.announce", ["text": .string(String(text))])
        let eventBytes = try size(of: command, publisher, house, token)
        var passes: [Pass] = []
        for _ in 0..<options.rounds {
            let ours = try ours(clients, command, count, window, house, token, publisher)
            func floor(_ manner: Broadcaster.Manner) throws(Trouble) -> Double {
                let server = try BareServer(
                    commandBytes: command.count, eventBytes: eventBytes, manner, in: house.directory)
                return try bare(clients, command, eventBytes, count, window, server)
            }
            passes.append(
                Pass(
                    ours: ours, bare: try floor(.eachAlone), gathered: try floor(.gathered), kept: try floor(.kept)))
        }
        let best = passes.min { $0.ratio(window) < $1.ratio(window) }
        guard let best else { return }
        report.add(
            "\(clients) clients, \(window) in flight, \(eventBytes) bytes", best.ours.rounded(2),
            floor: "one send each \(best.bare.rounded(2)), gathered \(best.gathered.rounded(2)), "
                + "gathered and kept \(best.kept.rounded(2))",
            verdict: "\(best.ratio(window).rounded(2)) x (goal: at most 1.15), "
                + "\((best.ours / best.kept).rounded(2)) x kept")
        report.note("\(clients)/\(window) ours", best.ours)
        report.note("\(clients)/\(window) one send", best.bare)
        report.note("\(clients)/\(window) gathered", best.gathered)
        report.note("\(clients)/\(window) gathered and kept", best.kept)
    }

    private static func size(
        of command: [UInt8], _ publisher: LeanClient, _ house: House, _ token: String
    ) throws(Trouble) -> Int {
        let follower = try house.client(.webSocket, token: token, follows: true)
        try publisher.write(command)
        while true {
            try follower.wait()
            // Its header is two bytes and two of length.
            for message in try follower.messages() where LeanClient.isEvent(message) { return message.count + 4 }
        }
    }

    /// The daemon's pass. Its clients are gone before the next ones come: there may be descriptors for one flock only.
    private static func ours(
        _ clients: Int, _ command: [UInt8], _ count: Int, _ window: Int, _ house: House, _ token: String,
        _ publisher: LeanClient
    ) throws(Trouble) -> Double {
        let flock = try Flock(.events)
        try flock.join(house, token: token, clients)
        try flock.sayAll(publisher.request("live.follow", ["since": .null]))
        try flock.waitForQuiet()
        return try pass(flock, publisher, command, count, window, house.child)
    }

    private static func bare(
        _ clients: Int, _ command: [UInt8], _ eventBytes: Int, _ count: Int, _ window: Int, _ server: BareServer
    ) throws(Trouble) -> Double {
        Cores.giveFirst(server.child)
        let flock = try Flock(.bytes(eventBytes))
        try flock.join(port: server.port, clients)
        let publisher = try LeanClient(port: server.port, .lines)
        return try pass(flock, publisher, command, count, window, server.child)
    }

    /// Microseconds of the process per delivery. So many messages are under way at a time.
    private static func pass(
        _ flock: Flock, _ publisher: LeanClient, _ command: [UInt8], _ count: Int, _ window: Int, _ child: Child
    ) throws(Trouble) -> Double {
        try run(flock, publisher, command, max(10, count / 10), window)
        let start = child.cpuMicroseconds
        try run(flock, publisher, command, count, window)
        return (child.cpuMicroseconds - start) / Double(flock.count * count)
    }

    static func run(
        _ flock: Flock, _ publisher: LeanClient, _ command: [UInt8], _ count: Int, _ window: Int
    ) throws(Trouble) {
        let before = flock.delivered
        var published = 0
        while flock.delivered - before < count * flock.count {
            while published < count,
                published * flock.count - (flock.delivered - before) <= (window - 1) * flock.count
            {
                try publisher.write(command)
                published += 1
            }
            try flock.pump()
            _ = try publisher.readBytes()
        }
    }
}
