import KinClient
import KinCrypto
import KinFamily
import KinLoop
import KinModel
import KinStore

/// Many clients sending at once: how many commands share a sync, and the rate beside that of the same statements run in
/// one transaction with nothing around them.
enum Group {
    static func measure(_ options: Options) throws(Trouble) -> Report {
        let senders = options.clients ?? 64
        let count = options.count ?? 20_000
        let place = try Place(in: options.directory)
        let floor = try Statements(place.path + "/floor")
        let house = try House(place.path + "/data", options, counted: true)
        try house.found()
        let token = try house.signIn()
        var report = Report("\(senders) clients sending at once, \(count) commands a round")
        for envelope in [Address.Envelope.webSocket, .lines] {
            var clients: [LeanClient] = []
            for _ in 0..<senders { clients.append(try house.client(envelope, token: token, follows: false)) }
            for window in options.window.map({ [$0] }) ?? [1, 16] {
                var best: (ratio: Double, rate: Double, floor: Double, syncs: Double, cpu: Double)?
                for _ in 0..<options.rounds {
                    let floorRate = try floor.rate(count)
                    let before = (syncs: try house.syncs(), cpu: house.child.cpuMicroseconds)
                    let rate = try rate(clients, count, window)
                    let perCommand = Double(try house.syncs() - before.syncs) / Double(count)
                    let cpu = (house.child.cpuMicroseconds - before.cpu) / Double(count)
                    let ratio = rate / floorRate
                    if ratio > best?.ratio ?? 0 { best = (ratio, rate, floorRate, perCommand, cpu) }
                }
                guard let best else { continue }
                let name = "\(envelope == .webSocket ? "WebSocket" : "lines"), \(window) under way each"
                report.add(
                    name + ": commands a sync", (1 / best.syncs).rounded(1), floor: "16",
                    verdict: best.syncs <= 1.0 / 16 ? "met" : "missed")
                report.add(
                    name + ": commands a second", best.rate.rounded(0), floor: best.floor.rounded(0),
                    verdict: "\(best.ratio.rounded(2)) x (goal: at least 0.7)")
                report.add(name + ": daemon CPU, us a command", best.cpu.rounded(1))
            }
        }
        return report
    }

    /// Commands a second with so many under way for each client.
    private static func rate(_ clients: [LeanClient], _ count: Int, _ window: Int) throws(Trouble) -> Double {
        let request = clients[0].request(
            "activity.announce", ["text": "Dinner is at seven, bring the good knives."])
        let descriptors = clients.map(\.descriptor)
        var toSend = count
        var toCome = count
        let start = Clock.microseconds
        func send(_ client: LeanClient, _ most: Int) throws(Trouble) {
            let now = min(most, toSend)
            guard now > 0 else { return }
            toSend -= now
            try client.write(now == 1 ? request : Array(repeatElement(request, count: now).joined()))
        }
        for client in clients { try send(client, window) }
        while toCome > 0 {
            let ready = waitForAny(descriptors, timeoutMilliseconds: 30_000)
            guard ready.contains(true) else { throw Trouble("The daemon answers no more.") }
            for (client, isReady) in zip(clients, ready) where isReady {
                let answers = try client.messages().count
                toCome -= answers
                try send(client, answers)
            }
        }
        return Double(count) / (Clock.microseconds - start) * 1_000_000
    }

    /// What an announcement asks of the database, without anything around it.
    private final class Statements {
        private let store: Store
        private let member: Identifier
        private let session: Identifier
        private let audience: Audience

        init(_ path: String) throws(Trouble) {
            let now = Instant(milliseconds: Clock.wallMilliseconds)
            store = try attempt { try Store(directory: path, migrations: Registry.family.migrations, now: now) }
            let founded = try Founding(store, now: now)
            (member, session) = (founded.member, founded.session)
            audience = Audience([1])
        }

        func rate(_ count: Int) throws(Trouble) -> Double {
            let start = Clock.microseconds
            try attempt {
                let now = Instant(milliseconds: Clock.wallMilliseconds)
                try store.beginTurn()
                for _ in 0..<count { try one(now) }
                try store.commitTurn()
            }
            let rate = Double(count) / (Clock.microseconds - start) * 1_000_000
            store.afterTurn(idle: true, now: Instant(milliseconds: Clock.wallMilliseconds))
            return rate
        }

        private func one(_ now: Instant) throws(StoreFailure) {
            let database = store.database
            try database.savepoint("act")
            _ = try database.first(
                """
                SELECT s.id, s.used_at, m.id, m.number, m.role, m.kind, m.household
                FROM sessions s JOIN members m ON m.id = s.member WHERE s.id = ?
                """, .id(session)
            ) { (row) throws(StoreFailure) in (row.instant(1), row.identifier(2), row.int(3), row.text(4)) }
            let random = Randomness.uint64()
            let id = Identifier(at: now, random: (random, random &* 3))
            let text = "Dinner is at seven, bring the good knives."
            try database.run(
                "INSERT INTO announcements (id, by, at, text, seq, author) VALUES (?, ?, ?, ?, ?, ?)", .id(id),
                .id(member), .time(now), .text(text), .int(store.log.position + 1), .id(member))
            let about = "announcement/\(id)"
            _ = try store.log.append(
                at: now, type: "activity.announced", by: member, about: about, key: nil, audience: audience,
                salt: random,
                payload: Event.payload(
                    type: "activity.announced", at: now, by: member, about: about, data: ["text": .string(text)]))
            try database.release("act")
        }
    }
}
