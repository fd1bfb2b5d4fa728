import KinClient
import KinLoop
import KinModel

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
                    let floorRate = Double(count) / (try floor.turn(count)) * 1_000_000
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
}
