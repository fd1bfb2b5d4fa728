import Glibc
import KinClient
import KinFamily
import KinKeeper
import KinLoop
import KinModel
import KinStore

/// What one reported point costs in CPU time, each in a turn of its own, with nine others who see it: the keeper's turn
/// alone, beside one row of that size that bare SQLite writes in a transaction of its own and syncs; and the whole daemon
/// with nine followers, beside the least that a server can do with as many connections: that row, and a send to each.
enum Positions {
    private static let viewers = 9

    static func measure(_ options: Options) throws(Trouble) -> Report {
        let count = options.count ?? 2_000
        let place = try Place(in: options.directory)
        let walk = try Walk(place.path + "/keeper")
        let rows = try PointRows(place.path + "/bare")
        let least = try Least(place.path + "/least")
        let live = try Live(place.path + "/daemon", options)
        var (ours, floor, whole, bare): ([Double], [Double], [Double], [Double]) = ([], [], [], [])
        for _ in 0..<options.rounds {
            floor.append(try rows.points(count))
            ours.append(try walk.points(count))
            bare.append(try least.points(count))
            whole.append(try live.points(count))
        }
        var report = Report("CPU time of a point that \(viewers) others see; middle of \(options.rounds) rounds")
        func add(_ name: String, _ ours: [Double], _ floorName: String, _ floor: [Double]) {
            let ratios = zip(ours, floor).map { $0 / $1 }
            report.add(
                name, ours.median.rounded(1), floor: "\(floorName) \(floor.median.rounded(1))",
                verdict: "\(ratios.median.rounded(2)) x")
        }
        add("the keeper's turn, us", ours, "a row, synced", floor)
        report.add("statements of a turn", (Double(walk.statements) / Double(walk.reported)).rounded(2), floor: "3")
        add("the whole daemon, us", whole, "the same row and ten sends, by a bare server", bare)
        add("the same", whole, "a row, synced", floor)
        return report
    }

    /// A walk to and fro past a place, so many metres from point to point.
    private static func point(_ number: Int, metres: Double = 7.5, at: Instant) -> JSON.Object {
        let metres = Double(number % 400 < 200 ? number % 200 : 200 - number % 200) * metres
        return [
            "lat": .double(48.2 + metres / 111_200), "lon": .double(16.4 + metres / 500_000), "at": .time(at),
            "accuracy": 8, "altitude": 171, "speed": 1.5, "course": 90, "battery": 80,
        ]
    }

    private static let home: JSON.Object = ["name": "Home", "lat": 48.2, "lon": 16.4, "radius": 100]

    /// A family of ten in this process; its clock goes on by five seconds with each point.
    private final class Walk {
        private let store: Store
        private let keeper: Keeper
        private let session: Identifier
        private var now: Instant
        private(set) var reported = 0
        private(set) var statements = 0

        init(_ folder: String) throws(Trouble) {
            let now = Instant(milliseconds: Clock.wallMilliseconds)
            let store = try attempt { try Store(directory: folder, migrations: Registry.family.migrations, now: now) }
            let founded = try Founding(store, now: now)
            _ = try attempt { try Crowd.add(viewers, role: .member, store, founder: founded.member, at: now) }
            let keeper = try attempt { try Keeper(store: store, registry: .family) }
            for (method, params) in [("sharing.set", ["state": "on"]), ("place.add", home)] as [(String, JSON.Object)] {
                try Founding.ask(keeper, now, .session(founded.session), method, params)
            }
            (self.store, self.keeper, session, self.now) = (store, keeper, founded.session, now)
        }

        /// Microseconds for each of so many.
        func points(_ count: Int) throws(Trouble) -> Double {
            let before = store.database.statementCount
            let start = Clock.threadMicroseconds
            for _ in 0..<count {
                now = now.adding(seconds: 5)
                let request = Request(
                    ticket: Ticket(connection: 0, sequence: 0), credential: .session(session),
                    method: "position.report", params: point(reported, at: now))
                let commit = keeper.turn([request], clock: now)
                guard case .success? = commit.replies.first?.result else { throw Trouble("A point was refused.") }
                keeper.afterTurn(isIdle: reported % 64 == 0, clock: now)
                reported += 1
            }
            let took = Clock.threadMicroseconds - start
            statements += store.database.statementCount - before
            return took / Double(count)
        }
    }

    /// A daemon with nine members who follow.
    private final class Live {
        private let house: House
        private let reporter: LeanClient
        private var followers: [LeanClient] = []
        private var reported = 0

        init(_ folder: String, _ options: Options) throws(Trouble) {
            let now = Instant(milliseconds: Clock.wallMilliseconds)
            let members: [Identifier]
            do {
                let store = try attempt {
                    try Store(directory: folder, migrations: Registry.family.migrations, now: now)
                }
                let founder = try Founding(store, now: now).member
                members = try attempt { try Crowd.add(viewers, role: .member, store, founder: founder, at: now) }
            }
            house = try House(folder, options)
            reporter = try house.client(.webSocket, token: try house.signIn(), follows: false)
            try reporter.ask("sharing.set", ["state": "on"])
            try reporter.ask("place.add", .object(home))
            for token in try Crowd.tokens(Array(members.dropFirst()), house) {
                followers.append(try house.client(.webSocket, token: token, follows: true))
            }
        }

        /// The same.
        func points(_ count: Int) throws(Trouble) -> Double {
            let start = house.child.cpuMicroseconds
            for _ in 0..<count {
                // A moment of its own for each: a point that is not newer moves nothing.
                let last = Clock.wallMilliseconds
                while Clock.wallMilliseconds == last {}
                try reporter.ask(
                    "position.report",
                    .object(point(reported, metres: 0.1, at: Instant(milliseconds: Clock.wallMilliseconds))))
                reported += 1
                for follower in followers {
                    var isThere = false
                    while !isThere {
                        try follower.wait()
                        isThere = try follower.messages().contains { LeanClient.type(of: $0) == "position" }
                    }
                }
            }
            return (house.child.cpuMicroseconds - start) / Double(count)
        }
    }

    /// The least that a server can do with a point: it reads a request of that size, writes one row, syncs it, and sends
    /// an answer and nine events of the daemon's size. Nothing is parsed, and nobody is judged.
    private final class Least {
        private static let requestBytes = 250
        private static let eventBytes = 350

        private let server: BareServer
        private let reporter: LeanClient
        private var others: [LeanClient] = []

        init(_ folder: String) throws(Trouble) {
            server = try BareServer(
                commandBytes: Self.requestBytes, eventBytes: Self.eventBytes, .pointStored, in: folder)
            reporter = try LeanClient(port: server.port, .lines)
            for _ in 0..<viewers { others.append(try LeanClient(port: server.port, .lines)) }
        }

        /// The same.
        func points(_ count: Int) throws(Trouble) -> Double {
            let request = [UInt8](repeating: 0x78, count: Self.requestBytes)
            let start = server.child.cpuMicroseconds
            for _ in 0..<count {
                let last = Clock.wallMilliseconds
                while Clock.wallMilliseconds == last {}
                try reporter.write(request)
                for client in [reporter] + others {
                    var taken = 0
                    while taken < Self.eventBytes {
                        try client.wait()
                        taken += try client.readBytes()
                    }
                }
            }
            return (server.child.cpuMicroseconds - start) / Double(count)
        }
    }
}
