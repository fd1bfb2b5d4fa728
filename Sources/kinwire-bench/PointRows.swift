import KinModel
import KinStore

/// Rows of points as the history has them, each in a transaction of its own that is synced, and nothing else.
final class PointRows {
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
            try Store(directory: folder, migrations: [Self.table], now: Instant(milliseconds: Clock.wallMilliseconds))
        }
    }

    /// Microseconds of CPU time for each of so many, one after the other.
    func points(_ count: Int) throws(Trouble) -> Double {
        let start = Clock.threadMicroseconds
        for _ in 0..<count { try write(1) }
        return (Clock.threadMicroseconds - start) / Double(count)
    }

    /// So many in one transaction.
    func write(_ count: Int) throws(Trouble) {
        try attempt {
            try store.beginTurn()
            for _ in 0..<count { try add() }
            try store.commitTurn()
            store.afterTurn(idle: number % 64 == 0, now: Instant(milliseconds: Clock.wallMilliseconds))
        }
    }

    private func add() throws(StoreFailure) {
        number += 1
        try store.database.run(
            """
            INSERT INTO points (track, at, lat, lon, accuracy, altitude, speed, course, battery)
            VALUES (1, ?, ?, ?, 8, 171, 1.5, 90, 80)
            """, .int(Int64(number) * 5_000), .double(48.2 + Double(number % 1000) / 100_000), .double(16.4))
    }
}
