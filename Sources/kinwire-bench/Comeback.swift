import Glibc
import KinClient
import KinLoop
import KinModel
import KinStore

/// Those who were away: a hundred thousand events to one client, from memory and from the log's table; a thousand
/// clients who come back at once.
enum Comeback {
    private static let events = 100_000
    /// What the feed holds at least of announcements like these.
    private static let recent = 6_000

    static func measure(_ options: Options) throws(Trouble) -> Report {
        let clients = options.clients ?? 1_000
        guard clients + 64 <= descriptorLimit() else { throw Trouble("So many descriptors are not allowed here.") }
        let place = try Place(in: options.directory)
        let path = place.path + "/data"
        let cursor = try write(path, options)
        var report = Report("coming back")
        try replayOfTable(path, cursor, options, &report)
        let house = try House(path, options)
        let token = try house.signIn()
        let moments = try publish(recent, house, token)
        try replayOfFeed(house, token, moments.first, &report)
        try all(clients, house, token, moments.thousandAgo, "from the feed", &report)
        house.child.end()
        let again = try House(path, options)
        try all(clients, again, token, moments.thousandAgo, "from the table", &report)
        return report
    }

    /// A family with so many events; answers the cursor before them.
    private static func write(_ path: String, _ options: Options) throws(Trouble) -> String {
        let cursor: String
        do {
            let house = try House(path, options)
            try house.found()
            cursor = try self.cursor(house)
            house.child.end()
        }
        let now = Instant(milliseconds: Clock.wallMilliseconds)
        try attempt {
            let store = try Store(directory: path, migrations: Decade.migrations, now: now)
            guard let founder = try store.database.first("SELECT id FROM members", map: { $0.identifier(0) }) else {
                throw Trouble("There is no founder.")
            }
            try Decade.announcements(store, founder, events, from: now, to: now)
            store.afterTurn(idle: true, now: now)
        }
        return cursor
    }

    private static func cursor(_ house: House) throws(Trouble) -> String {
        let line = try house.conversation(as: House.username)
        let follow = try attempt { try line.call("live.follow", ["since": .null]) }
        guard let cursor = follow["cursor"]?.string else { throw Trouble("The daemon gave no cursor.") }
        return cursor
    }

    private static func replayOfTable(
        _ path: String, _ cursor: String, _ options: Options, _ report: inout Report
    ) throws(Trouble) {
        var rates: [Double] = []
        for _ in 0..<options.rounds {
            let house = try House(path, options)
            let token = try house.signIn()
            rates.append(Double(events) / (try follow(house, token, cursor, events) / 1e6))
        }
        let best = rates.max() ?? 0
        report.add(
            "\(events) events from the table, events a second", best.rounded(0), floor: "goal 100000",
            verdict: best >= 100_000 ? "met" : "missed")
    }

    private static func replayOfFeed(
        _ house: House, _ token: String, _ cursor: String, _ report: inout Report
    ) throws(Trouble) {
        var rates: [Double] = []
        for _ in 0..<5 {
            var micros = 0.0
            let times = (events + recent - 1) / recent
            for _ in 0..<times { micros += try follow(house, token, cursor, recent) }
            rates.append(Double(times * recent) / (micros / 1e6))
        }
        let best = rates.max() ?? 0
        report.add(
            "\(events) events from the feed, events a second", best.rounded(0), floor: "goal 500000",
            verdict: best >= 500_000 ? "met" : "missed")
    }

    /// Microseconds from the request until so many events are there.
    private static func follow(
        _ house: House, _ token: String, _ cursor: String, _ count: Int
    ) throws(Trouble) -> Double {
        let flock = try Flock()
        try flock.join(house, token: token, 1)
        let request = try LeanClient(port: house.port, .webSocket).request(
            "live.follow", ["since": .string(cursor)])
        let start = Clock.microseconds
        try flock.sayAll(request)
        try flock.wait(for: count)
        return Clock.microseconds - start
    }

    /// Says so much; answers the cursors before it and before the last thousand.
    private static func publish(
        _ count: Int, _ house: House, _ token: String
    ) throws(Trouble) -> (first: String, thousandAgo: String) {
        let publisher = try house.client(.webSocket, token: token, follows: false)
        let listener = try Flock()
        try listener.join(house, token: token, 1)
        try listener.askAll(publisher.request("live.follow", ["since": .null]))
        let command = publisher.request("activity.announce", ["text": "Dinner is at seven, bring the good knives."])
        let first = try cursor(house)
        try Fanout.run(listener, publisher, command, count - 1_000, 64)
        let thousandAgo = try cursor(house)
        try Fanout.run(listener, publisher, command, 1_000, 64)
        return (first, thousandAgo)
    }

    private static func all(
        _ clients: Int, _ house: House, _ token: String, _ cursor: String, _ whence: String, _ report: inout Report
    ) throws(Trouble) {
        let flock = try Flock()
        try flock.join(house, token: token, clients)
        let request = try LeanClient(port: house.port, .webSocket).request(
            "live.follow", ["since": .string(cursor)])
        let before = house.child.number("VmRSS", in: "status")
        house.child.forgetPeak()
        let start = Clock.microseconds
        try flock.sayAll(request)
        try flock.wait(for: clients * 1_000)
        let took = (Clock.microseconds - start) / 1000
        let more = max(0, house.child.number("VmHWM", in: "status") - before)
        report.add("\(clients) clients, 1,000 events each, \(whence), ms", took.rounded(0))
        report.add(
            "memory it took, kB", "\(more)", floor: "goal 102400", verdict: more <= 102_400 ? "met" : "missed")
    }
}
