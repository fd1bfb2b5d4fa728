import Glibc
import KinClient
import KinLoop
import KinModel

/// One command to many followers, one at a time: the daemon's CPU time per delivery, beside a bare broadcaster's with
/// the same sizes.
enum Fanout {
    static func measure(_ options: Options) throws(Trouble) -> Report {
        let followers = options.clients ?? 500
        let count = options.count ?? 200
        guard followers + 64 <= descriptorLimit() else { throw Trouble("So many descriptors are not allowed here.") }
        let place = try Place(in: options.directory)
        let house = try House(place.path + "/data", options)
        try house.found()
        let token = try house.signIn()
        var clients: [LeanClient] = []
        for _ in 0..<followers { clients.append(try house.client(.webSocket, token: token, follows: true)) }
        let publisher = try house.client(.webSocket, token: token, follows: false)
        let command = publisher.request("activity.announce", ["text": "Dinner is at seven, bring the good knives."])
        let eventBytes = try firstEvent(publisher, command, clients)

        let broadcaster = try Broadcaster(commandBytes: command.count, eventBytes: eventBytes)
        var best: (ratio: Double, ours: Double, bare: Double)?
        do {
            var bare: [LeanClient] = []
            for _ in 0..<followers { bare.append(try LeanClient(port: broadcaster.port, .lines)) }
            try round(bare[followers - 1], command, bare, 1, eventBytes)
            for _ in 0..<options.rounds {
                let deliveries = Double(followers * count)
                var start = house.child.cpuMicroseconds
                try round(publisher, command, clients, count, eventBytes)
                let ours = (house.child.cpuMicroseconds - start) / deliveries
                start = threadTime("broadcaster")
                try round(bare[0], command, bare, count, eventBytes)
                let floor = (threadTime("broadcaster") - start) / deliveries
                if ours / floor < best?.ratio ?? .infinity { best = (ours / floor, ours, floor) }
                while try publisher.readBytes() > 0 {}
            }
        }
        broadcaster.join()
        var report = Report("\(followers) followers, \(count) announcements, one at a time")
        guard let best else { return report }
        report.add(
            "CPU us per delivery", best.ours.rounded(2), floor: best.bare.rounded(2),
            verdict: "\(best.ratio.rounded(2)) x")
        report.add("resident with \(followers) followers, kB", "\(house.child.number("VmRSS", in: "status"))")
        return report
    }

    private static func firstEvent(
        _ publisher: LeanClient, _ command: [UInt8], _ clients: [LeanClient]
    ) throws(Trouble) -> Int {
        try publisher.write(command)
        var bytes = 0
        for client in clients {
            bytes = 0
            while bytes == 0 {
                try client.wait()
                for message in try client.messages() where LeanClient.isEvent(message) { bytes = message.count + 4 }
            }
        }
        return bytes
    }

    /// Publishes one after the other, each when everybody has the one before. Sizes may differ by a few bytes when a
    /// position gets another digit, so what counts is that each got something.
    private static func round(
        _ publisher: LeanClient, _ command: [UInt8], _ clients: [LeanClient], _ count: Int, _ bytes: Int
    ) throws(Trouble) {
        for _ in 0..<count {
            try publisher.write(command)
            for client in clients {
                var missing = bytes
                while missing > 0 {
                    try client.wait()
                    missing -= try client.readBytes()
                }
            }
        }
    }

    /// Microseconds of CPU time of one of this process's threads.
    private static func threadTime(_ name: String) -> Double {
        guard let folder = opendir("/proc/self/task") else { return 0 }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            let thread = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            let path = "/proc/self/task/\(thread)/"
            guard let bytes = try? KinLoop.Files.read(path + "comm"),
                String(decoding: bytes, as: UTF8.self) == name + "\n",
                let times = try? KinLoop.Files.read(path + "schedstat"),
                let first = String(decoding: times, as: UTF8.self).split(separator: " ").first
            else { continue }
            return (Double(first) ?? 0) / 1000
        }
        return 0
    }
}
