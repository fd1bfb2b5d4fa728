import KinClient
import KinLoop
import KinModel

/// Command to event at another client: ten clients follow, one of them commands, and the time is taken at another when
/// its event can be read. The floor is one append and sync of what a commit writes, and the way through a bare
/// broadcaster; the three are measured in turns, sample by sample.
enum Latency {
    private static let clients = 10
    /// Microseconds that Kinwire may take beyond its floors.
    private static let allowance = 200.0

    static func measure(_ options: Options) throws(Trouble) -> Report {
        let place = try Place(in: options.directory)
        let house = try House(place.path + "/data", options)
        try house.found()
        let token = try house.signIn()
        var report = Report("command to event, \(clients) clients, p50 in microseconds")
        for envelope in [Address.Envelope.webSocket, .lines] {
            try measure(envelope, house, token, place, options, &report)
        }
        return report
    }

    private static func measure(
        _ envelope: Address.Envelope, _ house: House, _ token: String, _ place: Place, _ options: Options,
        _ report: inout Report
    ) throws(Trouble) {
        let family = try Circle(house, envelope, token, clients)
        // What a command writes to the disk and to a client is counted, and the floors do the same.
        let before = house.child.number("wchar", in: "io")
        let calibrations = 20
        for _ in 0..<calibrations { _ = try family.sample(at: 1) }
        let written = (house.child.number("wchar", in: "io") - before) / calibrations
        let broadcaster = try Broadcaster(commandBytes: family.command.count, eventBytes: family.eventBytes)
        var best: (ratio: Double, ours: Double, disk: Double, bare: Double)?
        do {
            let bare = try BareCircle(broadcaster.port, clients, family.command.count, family.eventBytes)
            let file = try SyncedFile(in: place.path, bytes: written)
            for _ in 0..<options.rounds {
                var (ours, disk, wire): ([Double], [Double], [Double]) = ([], [], [])
                for sample in 0..<(options.count ?? 300) {
                    let other = 1 + sample % (clients - 1)
                    disk.append(try file.append())
                    wire.append(try bare.sample(at: other))
                    ours.append(try family.sample(at: other))
                }
                let floor = disk.median + wire.median + allowance
                let ratio = ours.median / floor
                if ratio < best?.ratio ?? .infinity { best = (ratio, ours.median, disk.median, wire.median) }
            }
        }
        broadcaster.join()
        guard let best else { return }
        let name = envelope == .webSocket ? "WebSocket" : "lines"
        let floor = best.disk + best.bare + allowance
        report.add(
            name, best.ours.rounded(0),
            floor:
                "\(floor.rounded(0)): \(best.disk.rounded(0)) sync of \(written) bytes, \(best.bare.rounded(0)) bare, 200",
            verdict: "\(best.ratio.rounded(2)) x (goal: at most 1)")
    }

    /// Ten followers of a family, the first of whom commands.
    private struct Circle {
        let clients: [LeanClient]
        let command: [UInt8]
        private(set) var eventBytes = 0

        init(_ house: House, _ envelope: Address.Envelope, _ token: String, _ count: Int) throws(Trouble) {
            var clients: [LeanClient] = []
            for _ in 0..<count { clients.append(try house.client(envelope, token: token, follows: true)) }
            self.clients = clients
            command = clients[0].request("activity.announce", ["text": "Dinner is at seven, bring the good knives."])
            eventBytes = try firstEvent()
        }

        private func firstEvent() throws(Trouble) -> Int {
            try clients[0].write(command)
            for client in clients[1...] { try Self.await(client) }
            var bytes = 0
            var isAnswered = false
            while bytes == 0 || !isAnswered {
                try clients[0].wait()
                for message in try clients[0].messages() {
                    if LeanClient.isEvent(message) { bytes = message.count + 4 } else { isAnswered = true }
                }
            }
            return bytes
        }

        private static func await(_ client: LeanClient) throws(Trouble) {
            while true {
                try client.wait()
                for message in try client.messages() where LeanClient.isEvent(message) { return }
            }
        }

        /// One command; the microseconds until its event can be read at a client.
        func sample(at other: Int) throws(Trouble) -> Double {
            let start = Clock.microseconds
            try clients[0].write(command)
            var end: Double
            repeat {
                try clients[other].wait()
                end = Clock.microseconds
            } while try !clients[other].messages().contains(where: LeanClient.isEvent)
            for index in clients.indices where index != other { try Self.await(clients[index]) }
            return end - start
        }
    }

    /// The same through the bare broadcaster.
    private struct BareCircle {
        let clients: [LeanClient]
        let command: [UInt8]
        let eventBytes: Int

        init(_ port: UInt16, _ count: Int, _ commandBytes: Int, _ eventBytes: Int) throws(Trouble) {
            var clients: [LeanClient] = []
            for _ in 0..<count { clients.append(try LeanClient(port: port, .lines)) }
            self.clients = clients
            command = [UInt8](repeating: 0x78, count: commandBytes)
            self.eventBytes = eventBytes
            // The last connection is accepted when its own command comes back, and with it all before.
            try clients[count - 1].write(command)
            try clients[count - 1].wait()
            for client in clients { while try client.readBytes() > 0 {} }
        }

        func sample(at other: Int) throws(Trouble) -> Double {
            let start = Clock.microseconds
            try clients[0].write(command)
            try clients[other].wait()
            let end = Clock.microseconds
            for client in clients {
                var missing = eventBytes
                while missing > 0 {
                    try client.wait()
                    missing -= try client.readBytes()
                }
            }
            return end - start
        }
    }
}
