import KinClient
import KinFamily
import KinKeeper
import KinLoop
import KinMap
import KinModel
import KinStore

/// Phones that report all day: the share of a core that the daemon needs for it, and how long a position is on its way
/// to somebody who looks at the map; beside a server that writes each point in a transaction of its own.
enum Reporting {
    /// Seconds between two reports of one phone.
    private static let every = 5

    static func measure(_ options: Options) throws(Trouble) -> Report {
        let phones = options.clients ?? 1_000
        guard phones + 64 <= descriptorLimit() else { throw Trouble("So many descriptors are not allowed here.") }
        let place = try Place(in: options.directory)
        let folder = place.path + "/data"
        let members = try family(folder, phones)
        let house = try House(folder, options)
        Cores.takeSecond()
        Cores.giveFirst(house.child)
        let tokens = try Crowd.tokens(Array(members.dropFirst()), house)
        let clients = try tokens.map { token throws(Trouble) in
            try house.client(.webSocket, token: token, follows: false)
        }
        // As many as a snapshot holds.
        let sharing = min(phones, Limits.mapSnapshotBytesMax / 341)
        for client in clients.prefix(sharing) { try client.ask("sharing.set", ["state": "on"]) }
        let viewer = try house.client(.webSocket, token: try house.signIn(), follows: true)
        var best: (share: Double, latencies: [Double], bare: Each)?
        for round in 0..<options.rounds {
            let ours = try pace(clients, sharing, viewer, house, round, seconds: min(options.seconds, 20))
            let bare = try Each.measure(
                place.path + "/each-\(round)", phones: phones, seconds: min(options.seconds, 10))
            if ours.share < best?.share ?? .infinity { best = (ours.share, ours.latencies, bare) }
        }
        var report = Report("\(phones) phones, each reporting every \(every) s; \(sharing) share")
        guard let best else { return report }
        report.add(
            "share of one core, per cent", (best.share * 100).rounded(1),
            floor: "each point in its own transaction \((best.bare.share * 100).rounded(1))",
            verdict: "\((best.share / best.bare.share).rounded(2)) x")
        for (name, share) in [("p50", 0.5), ("p99", 0.99)] {
            report.add(
                "position to viewer, \(name), us", best.latencies.percentile(share).rounded(0),
                floor: "written and synced \(best.bare.latencies.percentile(share).rounded(0))")
        }
        report.add("positions the viewer saw", "\(best.latencies.count)")
        return report
    }

    private static func family(_ folder: String, _ phones: Int) throws(Trouble) -> [Identifier] {
        let now = Instant(milliseconds: Clock.wallMilliseconds)
        let store = try attempt { try Store(directory: folder, migrations: Registry.family.migrations, now: now) }
        let founder = try Founding(store, now: now).member
        return try attempt { try Crowd.add(phones, role: .member, store, founder: founder, at: now) }
    }

    /// Reports evenly over the time, whether or not the daemon keeps up.
    private static func pace(
        _ clients: [LeanClient], _ sharing: Int, _ viewer: LeanClient, _ house: House, _ round: Int, seconds: Int
    ) throws(Trouble) -> (share: Double, latencies: [Double]) {
        let gap = Double(every) * 1_000_000 / Double(clients.count)
        let count = clients.count * max(1, seconds / every)
        var sent: [String: Double] = [:]
        var latencies: [Double] = []
        func look() throws(Trouble) {
            for message in try viewer.messages() where LeanClient.type(of: message) == "position" {
                guard let lat = Self.lat(of: message), let moment = sent.removeValue(forKey: lat) else { continue }
                latencies.append(Clock.microseconds - moment)
            }
        }
        try look()
        let cpu = house.child.cpuMicroseconds
        let start = Clock.microseconds
        for number in 0..<count {
            let due = start + Double(number) * gap
            while true {
                let left = due - Clock.microseconds
                guard left > 0 else { break }
                // Waiting is in whole milliseconds; the last one is spun.
                if waitForAny([viewer.descriptor], timeoutMilliseconds: max(0, Int(left / 1000))).contains(true) {
                    try look()
                }
            }
            // The phones that share take turns with the others.
            let index = number % clients.count
            let lat = "48.\(200_000 + number)\(round)1"
            if index < sharing { sent[lat] = Clock.microseconds }
            let client = clients[index]
            _ = try client.messages()
            try client.write(client.request("position.report", point(lat, number)))
        }
        let share = (house.child.cpuMicroseconds - cpu) / (Clock.microseconds - start)
        while !sent.isEmpty {
            try viewer.wait()
            try look()
        }
        for client in clients { _ = try client.messages() }
        return (share, latencies)
    }

    private static func point(_ lat: String, _ number: Int) -> JSON {
        [
            "lat": .double(Double(lat) ?? 0), "lon": .double(16.4 + Double(number % 1000) / 100_000),
            "at": .time(Instant(milliseconds: Clock.wallMilliseconds)), "accuracy": 8, "altitude": 171, "speed": 1.5,
            "course": 90, "battery": 80,
        ]
    }

    private static let latKey = Array(#""lat":"#.utf8)

    /// The digits behind `"lat":`.
    private static func lat(of message: ArraySlice<UInt8>) -> String? {
        guard let range = message.firstRange(of: latKey) else { return nil }
        let digits = message[range.upperBound...].prefix { $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "}") }
        return String(decoding: digits, as: UTF8.self)
    }

    /// A server that keeps no log and judges nothing: it writes each point, and where its phone was last, in a transaction
    /// of its own, synced.
    struct Each {
        var share = 0.0
        var latencies: [Double] = []

        private static let tables = Migration(
            number: 1, name: "points, devices", tables: ["points", "devices"],
            sql: """
                CREATE TABLE devices (id INTEGER PRIMARY KEY, point INTEGER, at INTEGER) STRICT;
                CREATE TABLE points (
                    id INTEGER PRIMARY KEY, device INTEGER NOT NULL, at INTEGER NOT NULL, received INTEGER NOT NULL,
                    lat REAL NOT NULL, lon REAL NOT NULL, altitude REAL, speed REAL, course REAL, accuracy REAL,
                    attributes TEXT
                ) STRICT;
                CREATE INDEX points_of_device ON points (device, at);
                """)

        static func measure(_ folder: String, phones: Int, seconds: Int) throws(Trouble) -> Each {
            let now = Instant(milliseconds: Clock.wallMilliseconds)
            let store = try attempt { try Store(directory: folder, migrations: [tables], now: now) }
            defer { Place.remove(folder) }
            var each = Each()
            let gap = Double(Reporting.every) * 1_000_000 / Double(phones)
            let count = Int(Double(seconds) * 1_000_000 / gap)
            let cpu = Clock.threadMicroseconds
            for number in 0..<count {
                let start = Clock.microseconds
                try attempt { try write(number, of: phones, store) }
                each.latencies.append(Clock.microseconds - start)
            }
            each.share = (Clock.threadMicroseconds - cpu) / Double(count) / gap
            return each
        }

        private static func write(_ number: Int, of phones: Int, _ store: Store) throws(StoreFailure) {
            let at = Instant(milliseconds: Clock.wallMilliseconds)
            let device = Value(number % phones)
            try store.beginTurn()
            try store.database.run(
                """
                INSERT INTO points (device, at, received, lat, lon, altitude, speed, course, accuracy, attributes)
                VALUES (?, ?, ?, ?, ?, 171, 1.5, 90, 8, '{"batteryLevel":80.0,"distance":7.5,"motion":true}')
                """, device, .time(at), .time(at), .double(48.2), .double(16.4 + Double(number % 1000) / 100_000))
            try store.database.run(
                "INSERT OR REPLACE INTO devices (id, point, at) VALUES (?, ?, ?)", device, Value(number), .time(at))
            try store.commitTurn()
            store.afterTurn(idle: number % 64 == 0, now: at)
        }
    }
}
