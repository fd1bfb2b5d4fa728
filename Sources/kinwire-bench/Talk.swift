import KinClient
import KinFamily
import KinKeeper
import KinLoop
import KinModel
import KinStore

/// A message in a room of eleven, on its way to ten clients, beside an announcement on its way to the same: CPU time of
/// the daemon, and the time until the last of them has it.
enum Talk {
    private static let hearers = 10
    /// A member sends 3,000 messages a day at most.
    private static let messagesMax = 2_800
    private static let text = "Dinner is at seven, bring the good knives."

    static func measure(_ options: Options) throws(Trouble) -> Report {
        let place = try Place(in: options.directory)
        let folder = place.path + "/data"
        let members = try family(folder)
        let house = try House(folder, options)
        Cores.takeSecond()
        Cores.giveFirst(house.child)
        let conversation = try house.conversation(as: House.username)
        let others = JSON.array(members.dropFirst().map { .id($0) })
        let opened = try attempt { try conversation.call("room.open", ["with": others, "name": "Table"]) }
        guard let room = opened["room"]?["room"]?["id"] else {
            throw Trouble("The daemon opened no room.")
        }
        let sender = try house.client(.webSocket, token: try house.signIn(), follows: false)
        let clients = try Crowd.tokens(Array(members.dropFirst()), house).map { token throws(Trouble) in
            try house.client(.webSocket, token: token, follows: true)
        }
        let message = sender.request("message.send", ["room": room, "text": .string(text)])
        let announcement = sender.request("activity.announce", ["text": .string(text)])
        let count = min(options.count ?? 400, messagesMax / (options.rounds + 1))
        // The first ones find nothing in memory.
        for (command, type) in [(message, "message.sent"), (announcement, "activity.announced")] {
            _ = try tell(command, type, 20, sender, clients, house)
        }
        var rounds: [(ours: Told, floor: Told)] = []
        for _ in 0..<options.rounds {
            let floor = try tell(announcement, "activity.announced", count, sender, clients, house)
            let ours = try tell(message, "message.sent", count, sender, clients, house)
            rounds.append((ours, floor))
        }
        var report = Report("one message in a room to \(hearers) clients, middle of \(options.rounds) rounds")
        func add(_ name: String, digits: Int, goal: String = "", _ cost: (Told) -> Double) {
            let (ours, floor) = (rounds.map { cost($0.ours) }, rounds.map { cost($0.floor) })
            let ratio = zip(ours, floor).map { $0 / $1 }.median
            report.add(
                name, ours.median.rounded(digits), floor: "announcement \(floor.median.rounded(digits))",
                verdict: "\(ratio.rounded(2)) x\(goal)")
        }
        add("CPU time of the daemon, us", digits: 1, goal: " (goal: at most 1)", \.cpu)
        for (name, share) in [("p50", 0.5), ("p99", 0.99)] {
            add("until the last client has it, \(name), us", digits: 0) { $0.times.percentile(share) }
        }
        return report
    }

    private static func family(_ folder: String) throws(Trouble) -> [Identifier] {
        let now = Instant(milliseconds: Clock.wallMilliseconds)
        let store = try attempt { try Store(directory: folder, migrations: Registry.family.migrations, now: now) }
        let founder = try Founding(store, now: now).member
        return try attempt { try Crowd.add(hearers, role: .member, store, founder: founder, at: now) }
    }

    private struct Told {
        /// Microseconds of CPU time for each.
        let cpu: Double
        /// Microseconds until the last client had each.
        let times: [Double]
    }

    /// Sends a command so many times, each once all have the one before.
    private static func tell(
        _ command: [UInt8], _ type: String, _ count: Int, _ sender: LeanClient, _ clients: [LeanClient], _ house: House
    ) throws(Trouble) -> Told {
        let descriptors = clients.map(\.descriptor)
        var times: [Double] = []
        let cpu = house.child.cpuMicroseconds
        for _ in 0..<count {
            let start = Clock.microseconds
            try sender.write(command)
            var waiting = Set(clients.indices)
            while !waiting.isEmpty {
                let ready = waitForAny(descriptors, timeoutMilliseconds: 30_000)
                guard ready.contains(true) else { throw Trouble("\(type) does not reach everybody.") }
                for (index, isReady) in ready.enumerated() where isReady {
                    for heard in try clients[index].messages() where LeanClient.type(of: heard) == type {
                        waiting.remove(index)
                    }
                }
            }
            times.append(Clock.microseconds - start)
            var answer: ArraySlice<UInt8>?
            while answer == nil {
                try sender.wait()
                answer = try sender.messages().first { !LeanClient.isEvent($0) }
            }
            if answer?.prefix(64).firstRange(of: "\"error\"".utf8) != nil {
                throw Trouble("The daemon takes no more: \(String(decoding: answer ?? [], as: UTF8.self))")
            }
        }
        return Told(cpu: (house.child.cpuMicroseconds - cpu) / Double(count), times: times)
    }
}
