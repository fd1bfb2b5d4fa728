import KinClient
import KinCodec
import KinFamily
import KinKeeper
import KinLoop
import KinModel
import KinStore

/// Two hundred members, all following, vote on one meeting in the same moment: syncs are counted, every client must end
/// on the same tally, and the time until each vote is everywhere stands beside the same of announcements.
enum Votes {
    static func measure(_ options: Options) throws(Trouble) -> Report {
        let voters = options.clients ?? 200
        guard voters + 64 <= descriptorLimit() else { throw Trouble("So many descriptors are not allowed here.") }
        let place = try Place(in: options.directory)
        let folder = place.path + "/data"
        let members = try family(folder, voters)
        let house = try House(folder, options, counted: true)
        let clients = try Crowd.tokens(Array(members.dropFirst()), house).map { token throws(Trouble) in
            try house.client(.webSocket, token: token, follows: true)
        }
        let host = try house.conversation(as: House.username)
        var best: (ratio: Double, votes: Load, announcements: Load)?
        for _ in 0..<options.rounds {
            let meeting = try propose(host, members)
            try settle(clients, meeting.id)
            let votes = try load(clients, house, "meeting.voted") { client in
                client.request(
                    "meeting.vote",
                    ["meeting": .string(meeting.id), "votes": [["slot": .string(meeting.slot), "answer": "yes"]]])
            }
            let tallies = Set(
                votes.last.map { message in
                    JSON.tally(of: message)?.text ?? "none"
                })
            guard tallies.count == 1, let tally = tallies.first, tally.contains("\"voted\":\(voters)") else {
                throw Trouble("Clients ended on different tallies: \(tallies.prefix(3)).")
            }
            let announcements = try load(clients, house, "activity.announced") { client in
                client.request("activity.announce", ["text": "Dinner is at seven, bring the good knives."])
            }
            let ratio = votes.latencies.percentile(0.99) / announcements.latencies.percentile(0.99)
            if ratio < best?.ratio ?? .infinity { best = (ratio, votes, announcements) }
        }
        var report = Report("\(voters) members, all following, vote at once")
        guard let best else { return report }
        let syncs = Double(voters) / Double(max(best.votes.syncs, 1))
        report.add("votes a sync", syncs.rounded(1), floor: "16", verdict: syncs >= 16 ? "met" : "missed")
        report.add("every client ends on the same tally", "yes")
        for (name, share) in [("p50", 0.5), ("p99", 0.99)] {
            let ours = best.votes.latencies.percentile(share) / 1000
            let floor = best.announcements.latencies.percentile(share) / 1000
            report.add(
                "vote to tally at others, \(name), ms", ours.rounded(1), floor: "announcements \(floor.rounded(1))",
                verdict: "\((ours / floor).rounded(2)) x")
        }
        report.add(
            "daemon CPU, us a vote", (best.votes.cpu / Double(voters)).rounded(0),
            floor: "announcements \((best.announcements.cpu / Double(voters)).rounded(0))")
        return report
    }

    private static func family(_ folder: String, _ voters: Int) throws(Trouble) -> [Identifier] {
        let now = Instant(milliseconds: Clock.wallMilliseconds)
        let store = try attempt { try Store(directory: folder, migrations: Registry.family.migrations, now: now) }
        let founder = try Founding(store, now: now).member
        // Admins, so that the same people can announce.
        return try attempt { try Crowd.add(voters, role: .admin, store, founder: founder, at: now) }
    }

    private static func propose(
        _ host: Conversation, _ members: [Identifier]
    ) throws(Trouble) -> (id: String, slot: String) {
        let start = Instant(milliseconds: Clock.wallMilliseconds).adding(days: 3)
        let slots: [JSON] = (0..<3).map { day in
            ["start": .time(start.adding(days: day)), "end": .time(start.adding(days: day).adding(seconds: 7200))]
        }
        let made = try attempt {
            try host.call(
                "meeting.propose",
                [
                    "title": "Dinner", "kind": "group", "zone": "Europe/Vienna", "slots": .array(slots),
                    "invitees": .array(members.dropFirst().map { .id($0) }),
                ])
        }
        guard let id = made["meeting"]?["id"]?.string, let slot = made["meeting"]?["slots"]?.array?.first?["id"]?.string
        else { throw Trouble("The daemon proposed no meeting.") }
        return (id, slot)
    }

    /// Reads until each client was told of the meeting, so that nothing of before is in what follows.
    private static func settle(_ clients: [LeanClient], _ meeting: String) throws(Trouble) {
        for client in clients {
            var isTold = false
            while !isTold {
                try client.wait()
                for message in try client.messages() where LeanClient.type(of: message) == "meeting.proposed" {
                    if String(decoding: message, as: UTF8.self).contains(meeting) { isTold = true }
                }
            }
        }
    }

    /// What came of everybody sending one command at once.
    private struct Load {
        /// Microseconds from the first byte sent to each event at each client.
        var latencies: [Double] = []
        var syncs = 0
        /// Microseconds of the daemon's CPU time.
        var cpu = 0.0
        /// The last of the events at each client.
        var last: [[UInt8]]
    }

    private static func load(
        _ clients: [LeanClient], _ house: House, _ type: String, _ request: (LeanClient) -> [UInt8]
    ) throws(Trouble) -> Load {
        var load = Load(last: Array(repeating: [], count: clients.count))
        let requests = clients.map(request)
        var missing = Array(repeating: clients.count, count: clients.count)
        let descriptors = clients.map(\.descriptor)
        let before = (syncs: try house.syncs(), cpu: house.child.cpuMicroseconds)
        let start = Clock.microseconds
        for (client, request) in zip(clients, requests) { try client.write(request) }
        while missing.contains(where: { $0 > 0 }) {
            let ready = waitForAny(descriptors, timeoutMilliseconds: 30_000)
            guard ready.contains(true) else { throw Trouble("The daemon sends no more.") }
            for index in clients.indices where ready[index] {
                for message in try clients[index].messages() where LeanClient.type(of: message) == type {
                    load.latencies.append(Clock.microseconds - start)
                    missing[index] -= 1
                    if missing[index] == 0 { load.last[index] = Array(message) }
                }
            }
        }
        load.syncs = try house.syncs() - before.syncs
        load.cpu = house.child.cpuMicroseconds - before.cpu
        return load
    }
}

extension JSON {
    /// The tally of a vote's event.
    fileprivate static func tally(of message: [UInt8]) -> JSON? {
        (try? JSON.parse(message))?["params"]?["data"]?["tally"]
    }
}
