import Glibc
import KinClient
import KinCrypto
import KinLoop
import KinModel

/// One command to many followers: the daemon's CPU time per delivery, all its threads, the commit included; beside a bare
/// broadcaster with one send for each delivery, one that gathers a turn's events into one send for each client, and one
/// that writes them into a database and syncs it before.
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
        let family = try Family(place.path + "/data", options)
        let lonely = try Family(place.path + "/lonely", options)
        Cores.takeSecond()
        var report = Report(title)
        report.note("cores", Cores.areEnough ? 2 : 1)
        for row in rows { try measure(row.clients, row.window, family, lonely, options, &report) }
        return report
    }

    /// A daemon and who publishes there.
    private struct Family {
        let house: House
        let token: String
        let publisher: LeanClient

        init(_ path: String, _ options: Options) throws(Trouble) {
            house = try House(path, options)
            try house.found()
            token = try house.signIn()
            Cores.giveFirst(house.child)
            publisher = try house.client(.webSocket, token: token, follows: false)
        }
    }

    private static func measure(
        _ clients: Int, _ window: Int, _ family: Family, _ lonely: Family, _ options: Options, _ report: inout Report
    ) throws(Trouble) {
        let (house, token, publisher) = (family.house, family.token, family.publisher)
        let count = options.count ?? max(8 * window, 50_000 / clients)
        let text = String(repeating: "Dinner is at seven, bring the good knives. ", count: 6).prefix(256)
        let command = publisher.request("activity.announce", ["text": .string(String(text))])
        let eventBytes = try size(of: command, publisher, house, token)
        func bare(_ manner: Broadcaster.Manner) -> Side {
            Side { () throws(Trouble) in
                let server = try BareServer(
                    commandBytes: command.count, eventBytes: eventBytes, manner,
                    in: house.directory + "/../stored-\(Randomness.uint64())")
                Cores.giveFirst(server.child)
                let flock = try Flock()
                try flock.join(port: server.port, clients)
                let publisher = try LeanClient(port: server.port, .lines)
                return Side.Joined(child: server.child, flock: flock, publisher: publisher)
            }
        }
        let ours = Side { () throws(Trouble) in
            let flock = try Flock()
            try flock.join(house, token: token, clients)
            try flock.askAll(publisher.request("live.follow", ["since": .null]))
            return Side.Joined(child: house.child, flock: flock, publisher: publisher)
        }
        let sides = [bare(.eachAlone), ours, bare(.gathered), bare(.stored)]
        // All stay connected if there are descriptors for that, else they take turns at it.
        let areTogether = sides.count * (clients + 2) + 64 <= descriptorLimit()
        var rounds: [Round] = []
        for number in 0..<(options.roundsAsked ?? (areTogether ? 24 : 8)) {
            var costs = sides.map { _ in 0.0 }
            // To and fro, so that a machine that becomes slower or faster does so for and against each of them, and each of
            // them once in each place: who has two turns one after the other finds the caches as it left them.
            let order = sides.indices.map { ($0 + number / 2) % sides.count }
            for index in number % 2 == 0 ? order : order.reversed() {
                costs[index] = try sides[index].cost(of: command, count, window)
                if !areTogether { sides[index].leave() }
            }
            let alone = try alone(command, window, lonely)
            rounds.append(
                Round(
                    clients: clients, bare: costs[0], ours: costs[1], gathered: costs[2], stored: costs[3],
                    alone: alone))
        }
        add(rounds, "\(clients) clients, \(window) in flight, \(eventBytes) bytes", clients, window, &report)
    }

    /// What each of the four took for a delivery within one round, and the daemon for a command that goes to nobody.
    private struct Round {
        let clients: Int
        let bare: Double
        let ours: Double
        let gathered: Double
        let stored: Double
        let alone: Double

        /// With one command in flight there is nothing to gather.
        func floor(_ window: Int) -> Double { window == 1 ? bare : gathered }
        /// Without what a command costs by itself, however many hear of it.
        var rest: Double { ours - alone / Double(clients) }
    }

    private static func add(
        _ rounds: [Round], _ name: String, _ clients: Int, _ window: Int, _ report: inout Report
    ) {
        let ratios = rounds.map { $0.ours / $0.floor(window) }
        func middle(_ cost: (Round) -> Double) -> Double { rounds.map(cost).median }
        report.add(
            name, middle(\.ours).rounded(2),
            floor: "one send each \(middle(\.bare).rounded(2)), gathered \(middle(\.gathered).rounded(2)), "
                + "gathered and stored \(middle(\.stored).rounded(2))",
            verdict: "\(ratios.median.rounded(2)) x (goal: at most 1.15; half of \(rounds.count) rounds "
                + "\(ratios.percentile(0.25).rounded(2)) to \(ratios.percentile(0.75).rounded(2))), "
                + "\(middle { $0.ours / $0.stored }.rounded(2)) x stored, which is "
                + "\(middle { $0.stored / $0.floor(window) }.rounded(2)) x itself; without the \(middle(\.alone).rounded(0)) us of a "
                + "command by itself \(middle { $0.rest / $0.floor(window) }.rounded(2)) x")
        report.note("\(clients)/\(window) ours", middle(\.ours))
        report.note("\(clients)/\(window) one send", middle(\.bare))
        report.note("\(clients)/\(window) gathered", middle(\.gathered))
        report.note("\(clients)/\(window) gathered and stored", middle(\.stored))
        report.note("\(clients)/\(window) ratio", ratios.median)
        report.note("\(clients)/\(window) a command by itself", middle(\.alone))
    }

    /// A server, its followers and who publishes: connected when first needed.
    private final class Side {
        struct Joined {
            let child: Child
            let flock: Flock
            let publisher: LeanClient
        }
        private let join: () throws(Trouble) -> Joined
        private var joined: Joined?

        init(_ join: @escaping () throws(Trouble) -> Joined) { self.join = join }

        /// Ends the connections.
        func leave() { joined = nil }

        /// Microseconds of the process per delivery, for so many messages. So many are under way at a time.
        func cost(of command: [UInt8], _ count: Int, _ window: Int) throws(Trouble) -> Double {
            let all: Joined
            if let joined { all = joined } else { all = try join() }
            joined = all
            // The others had the caches meanwhile.
            try run(all.flock, all.publisher, command, max(window, count / 10), window)
            let start = all.child.cpuMicroseconds
            try run(all.flock, all.publisher, command, count, window)
            return (all.child.cpuMicroseconds - start) / Double(all.flock.count * count)
        }
    }

    /// Microseconds of the daemon per command that nobody follows.
    private static func alone(_ command: [UInt8], _ window: Int, _ family: Family) throws(Trouble) -> Double {
        let count = 512
        func run(_ count: Int) throws(Trouble) {
            var answered = 0
            var published = 0
            while answered < count {
                while published < count, published - answered < window {
                    try family.publisher.write(command)
                    published += 1
                }
                try family.publisher.wait()
                answered += try family.publisher.messages().count
            }
        }
        try run(64)
        let start = family.house.child.cpuMicroseconds
        try run(count)
        return (family.house.child.cpuMicroseconds - start) / Double(count)
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
