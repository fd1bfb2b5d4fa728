import Glibc
import KinClient
import KinFamily
import KinKeeper
import KinLoop
import KinModel
import KinStore

/// What one reported point costs in CPU time, each in a turn of its own, with nine others who see it: the keeper's turn
/// alone, and the whole daemon with nine followers; beside one row of that size, written by bare SQLite in a transaction
/// of its own and synced.
enum Positions {
    private static let viewers = 9

    static func measure(_ options: Options) throws(Trouble) -> Report {
        let count = options.count ?? 2_000
        let place = try Place(in: options.directory)
        let walk = try Walk(place.path + "/keeper")
        let bare = try Bare(place.path + "/bare")
        let live = try Live(place.path + "/daemon", options)
        var (ours, floor, whole) = (Double.infinity, Double.infinity, Double.infinity)
        for _ in 0..<options.rounds {
            floor = min(floor, try bare.points(count))
            ours = min(ours, try walk.points(count))
            whole = min(whole, try live.points(count))
        }
        var report = Report("CPU time of a point that \(viewers) others see; best of \(options.rounds) rounds")
        report.add(
            "the keeper's turn, us", ours.rounded(1), floor: "a row, synced \(floor.rounded(1))",
            verdict: "\((ours / floor).rounded(2)) x")
        report.add("statements of a turn", (Double(walk.statements) / Double(walk.reported)).rounded(2), floor: "3")
        report.add(
            "the whole daemon, us", whole.rounded(1), floor: "a row, synced \(floor.rounded(1))",
            verdict: "\((whole / floor).rounded(2)) x")
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

    /// Rows as the history has them, and nothing else.
    private final class Bare {
        private let store: Store
        private var number = 0

        private static let table = Migration(
            number: 1, name: "points", tables: ["points"],
            sql: """
                CREATE TABLE points (
                    track INTEGER NOT NULL, at INTEGER NOT NULL, lat REAL NOT NULL, lon REAL NOT NULL, accuracy REAL,
                    altitude REAL, speed REAL, course REAL, battery REAL, PRIMARY KEY (track, at)
                ) STRICT, WITHOUT ROWID;
                """)

        init(_ folder: String) throws(Trouble) {
            store = try attempt {
                try Store(
                    directory: folder, migrations: [Self.table], now: Instant(milliseconds: Clock.wallMilliseconds))
            }
        }

        /// The same.
        func points(_ count: Int) throws(Trouble) -> Double {
            let start = Clock.threadMicroseconds
            try attempt { for _ in 0..<count { try write() } }
            return (Clock.threadMicroseconds - start) / Double(count)
        }

        private func write() throws(StoreFailure) {
            number += 1
            try store.beginTurn()
            try store.database.run(
                """
                INSERT INTO points (track, at, lat, lon, accuracy, altitude, speed, course, battery)
                VALUES (1, ?, ?, ?, 8, 171, 1.5, 90, 80)
                """, .int(Int64(number) * 5_000), .double(48.2 + Double(number % 1000) / 100_000), .double(16.4))
            try store.commitTurn()
            store.afterTurn(idle: number % 64 == 0, now: Instant(milliseconds: Clock.wallMilliseconds))
        }
    }
}
