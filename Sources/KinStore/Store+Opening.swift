public import KinModel
internal import CSQLite

extension Store {
    /// Kinwire's identifier in the database's header (`application_id`): "Kinw".
    static let applicationID: Int64 = 0x4B69_6E77
    /// The most epochs that are kept, the newest: a bound on the table when a daemon starts over and over.
    static let epochsMax = 1_024
    /// The days for which a copy that a migration put aside is kept.
    static let copyDays: Int64 = 30

    /// Opens the family's storage, for this process alone, and opens a new epoch.
    ///
    /// Makes the directory (0700) and the database (0600) when they are not there. Migrations not yet applied run forward,
    /// each in a transaction, after a copy of the file as it was has been put aside as `before-N.db`.
    ///
    /// Throws ``StoreFailure/inUse(path:)`` when another process has the directory, ``StoreFailure/notWritable(path:)``,
    /// ``StoreFailure/newer(found:known:)`` when a newer Kinwire has migrated it, ``StoreFailure/corrupt(_:)`` when the
    /// file is none of ours, and whatever a migration failed with: the database is then as it was.
    ///
    /// - Parameters:
    ///   - migrations: the areas' own, in order, numbered 1, 2, 3…
    ///   - now: the moment of the start.
    public convenience init(
        directory: String, migrations: [Migration], now: Instant, files: Files = .disk
    ) throws(StoreFailure) {
        precondition(
            migrations.enumerated().allSatisfy { $0.offset + 1 == $0.element.number }, "migrations count 1, 2, 3…")
        let system = files.system
        try system.makeDirectory(directory)
        let lock = try system.lock(directory + "/lock", of: directory)
        // First of all: on a full disk nothing can be opened without the room that the ballast gives up.
        let ballast = Ballast(directory: directory, files: system)
        let path = directory + "/kinwire.db"
        if !system.exists(path) {
            try system.touch(path)
            try system.sync(path)
            try system.syncDirectory(directory)
        }
        let database = try Database.open(path, .owner, files: system, lock: lock)
        try Self.prepare(database, files: system)
        try Self.migrate(database, [.store] + migrations, directory: directory, now: now, files: system)
        let epochs = try Self.openEpoch(database, now: now, files: system)
        self.init(
            directory: directory, files: files, database: database, log: Log(database: database), epochs: epochs,
            blobs: try Blobs(directory: directory + "/blobs", files: files),
            ballast: ballast, identity: system.identity(path))
        countPages()
    }

    /// A connection for reading, for another thread: short transactions, no writing.
    public func reader() throws(StoreFailure) -> sending Database {
        try Database.open(database.path, .reader, files: files.system)
    }

    /// A value from which other threads open readers.
    public var source: ReaderSource { ReaderSource(path: database.path, files: files) }

    // MARK: Inside

    private static func prepare(_ database: Database, files: any FileSystem) throws(StoreFailure) {
        let id = try database.first("PRAGMA application_id") { $0.int(0) } ?? 0
        let tables = try database.first("SELECT count(*) FROM sqlite_schema") { $0.int(0) } ?? 0
        guard id == applicationID || (id == 0 && tables == 0) else {
            throw .corrupt("kinwire.db is another program's database")
        }
        if tables == 0 {
            // Only an empty file accepts this. Pages of deleted rows can then be given back to the disk.
            try database.script("PRAGMA auto_vacuum = INCREMENTAL; PRAGMA application_id = \(applicationID)")
        }
        if try database.first("PRAGMA journal_mode", map: { $0.text(0) }) != "wal" {
            let mode = try database.first("PRAGMA journal_mode = WAL") { $0.text(0) }
            guard mode == "wal" else { throw .notWritable(path: database.path) }
            // Up to here SQLite wrote with a rollback journal, and removed it without syncing the directory. If the
            // journal came back after a power cut, it would undo everything since.
            try files.syncDirectory(Backup.directory(of: database.path))
        }
        // FULL: COMMIT returns when the WAL is synced. A WAL that grew is cut back to 8 MiB when it starts anew.
        try database.script(
            "PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 8388608")
        // After a failed sync the kernel may hold pages of the WAL that look written and never reach the disk: no later
        // sync writes them. So whatever an earlier process left in the WAL is written into the database and synced
        // before anybody is told that it is there. (Found by the simulation: a commit of unknown fate was answered as
        // done after the restart, and was gone after the next power cut.)
        guard try hasRoomToGrow(database, files) else {
            // Letting the database grow would take the room that deleting needs. So the WAL stays, and is written to
            // the disk in place.
            return try files.rewrite(database.path + "-wal")
        }
        let isLeft = try database.first("PRAGMA wal_checkpoint(TRUNCATE)") { $0.int(0) != 0 } ?? true
        guard !isLeft else { throw .inUse(path: database.path) }
    }

    /// Room that must be left when the WAL is written back on a disk that is nearly full.
    private static let bytesBesideGrowth = 256 << 10

    /// Whether the disk has room for the growth of the database when its WAL is written back.
    static func hasRoomToGrow(_ database: Database, _ files: any FileSystem) throws(StoreFailure) -> Bool {
        let pages = try database.first("PRAGMA page_count") { Int($0.int(0)) } ?? 0
        let pageBytes = try database.first("PRAGMA page_size") { Int($0.int(0)) } ?? 0
        let growth = max(0, pages * pageBytes - (try files.size(database.path)))
        return growth == 0 || files.room(Backup.directory(of: database.path)) >= growth + bytesBesideGrowth
    }

    private static func migrate(
        _ database: Database, _ all: [Migration], directory: String, now: Instant, files: any FileSystem
    ) throws(StoreFailure) {
        let known = all.count - 1
        let isFresh = try database.first("SELECT 1 FROM sqlite_schema WHERE name = 'migrations'") { $0.int(0) } == nil
        let applied =
            isFresh
            ? -1 : try database.first("SELECT coalesce(max(number), -1) FROM migrations") { Int($0.int(0)) } ?? -1
        guard applied <= known else { throw .newer(found: applied, known: known) }
        guard applied < known else { return }
        let copy = directory + "/before-\(applied + 1).db"
        if !isFresh {
            try database.copy(to: copy, files: files)
            try files.syncDirectory(directory)
        }
        for migration in all[(applied + 1)...] {
            try database.begin()
            do throws(StoreFailure) {
                try migration.run(database)
                if !isFresh {
                    let broken = try database.first("PRAGMA foreign_key_check") { $0.text(0) }
                    if let broken {
                        throw .constraint("migration \(migration.number) leaves broken references in \(broken)")
                    }
                }
                try database.run(
                    "INSERT INTO migrations (number, name, at) VALUES (?, ?, ?)", Value(migration.number),
                    .text(migration.name), .time(now))
            } catch {
                database.rollback()
                // The file is as the copy is: the next attempt makes the copy anew.
                if migration.number == applied + 1 { try? files.remove(copy) }
                throw error.during(migration)
            }
            try database.commit()
        }
    }

    private static func openEpoch(
        _ database: Database, now: Instant, files: any FileSystem
    ) throws(StoreFailure) -> Epochs {
        let random = files.random(24)
        let id = random[..<8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        try database.begin()
        do throws(StoreFailure) {
            try database.run(
                "INSERT INTO epochs (id, key, first, at) SELECT ?, ?, position, ? FROM log_state",
                .int(Int64(bitPattern: id)), .blob(Array(random[8...])), .time(now))
            // Too many epochs: clients with cursors of the oldest get a reset. Which rows are deleted depends only on
            // age, so it tells nobody anything about others.
            try database.run("DELETE FROM epochs WHERE rowid <= (SELECT max(rowid) FROM epochs) - ?", Value(epochsMax))
            let all = try database.rows("SELECT id, key, first FROM epochs ORDER BY rowid") { row in
                Epoch(id: UInt64(bitPattern: row.int("id")), key: row.blob("key"), first: row.int("first"))
            }
            guard all.allSatisfy({ $0.key.count == 16 }) else { throw .corrupt("an epoch's key is damaged") }
            try database.commit()
            return Epochs(all)
        } catch {
            if database.isInTransaction { database.rollback() }
            throw error
        }
    }

    /// Removes the copies that migrations put aside more than 30 days ago. For the keeper, once a day while the clock is believed.
    public func removeOldCopies(now: Instant) throws(StoreFailure) {
        let applied = try database.rows("SELECT number, at FROM migrations") {
            (number: $0.int("number"), at: $0.instant("at"))
        }
        for migration in applied where migration.at.adding(days: Self.copyDays) <= now {
            try files.system.remove(directory + "/before-\(migration.number).db")
        }
    }
}

/// A value from which reading connections are opened, on any thread and for that thread.
public struct ReaderSource: Sendable {
    let path: String
    let files: Files

    /// A connection for reading, for this thread: short transactions, no writing.
    public func open() throws(StoreFailure) -> sending Database {
        try Database.open(path, .reader, files: files.system)
    }
}
