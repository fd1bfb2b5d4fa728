import Glibc
import KinModel
import Testing

@testable import KinStore

@Suite struct StoreTests {
    private let second = Migration(
        number: 2, name: "mood", tables: ["notes"], sql: "ALTER TABLE notes ADD COLUMN mood TEXT")
    private let broken = Migration(
        number: 2, name: "broken", tables: ["notes"],
        sql: "ALTER TABLE notes ADD COLUMN mood TEXT; INSERT INTO nowhere VALUES (1)")

    private func columns(_ store: Store) throws -> [String] {
        try store.database.rows("SELECT name FROM pragma_table_info('notes')") { $0.text(0) }
    }

    @Test func `Directory and files belong to their owner alone`() throws {
        let folder = Folder()
        let path = folder.path + "/deep/data"
        let store = try Store(directory: path, migrations: Family.area, now: Family.start)
        try store.turn { store throws(StoreFailure) in try store.append() }
        _ = try store.blobs.put([1])
        func mode(_ path: String) -> UInt32 {
            var status = stat()
            return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
        }
        #expect(mode(path) == 0o700 && mode(path + "/blobs") == 0o700)
        for name in try DiskFiles().list(path) where name != "blobs" {
            #expect(mode(path + "/" + name) == 0o600, "\(name)")
        }
        for name in try DiskFiles().list(path + "/blobs") { #expect(mode(path + "/blobs/" + name) == 0o600) }
    }

    @Test func `A directory open to others is closed to them`() throws {
        let folder = Folder()
        chmod(folder.path, 0o755)
        _ = try Store(directory: folder.path, migrations: [], now: Family.start)
        var status = stat()
        #expect(stat(folder.path, &status) == 0 && status.st_mode & 0o777 == 0o700)
    }

    @Test func `Two stores on one directory: the second is refused, and let in when the first is gone`() throws {
        let folder = Folder()
        var first: Store? = try Store(directory: folder.path, migrations: Family.area, now: Family.start)
        #expect(throws: StoreFailure.inUse(path: folder.path)) {
            try Store(directory: folder.path, migrations: Family.area, now: Family.start)
        }
        #expect(try first?.turn { store throws(StoreFailure) in try store.append().row.position } == 1)
        first = nil
        #expect(try Store(directory: folder.path, migrations: Family.area, now: Family.start).log.position == 1)
    }

    @Test func `The same holds on a simulated disk, and a crash lets go`() throws {
        let disk = Family.disk()
        let first = try Family.store(disk)
        #expect(throws: StoreFailure.inUse(path: Family.directory)) { try Family.store(disk) }
        disk.crash()
        let second = try Family.store(disk)
        // What the dead process still tries has no effect.
        #expect(throws: StoreFailure.self) { try first.turn { store throws(StoreFailure) in try store.append() } }
        try second.turn { store throws(StoreFailure) in try store.append() }
        #expect(try second.seen().count == 1)
    }

    @Test func `What cannot be written is said with its path`() throws {
        let folder = Folder()
        #expect(throws: StoreFailure.notWritable(path: "/proc/kinwire")) {
            try Store(directory: "/proc/kinwire", migrations: [], now: Family.start)
        }
        try DiskFiles().touch(folder.path + "/file")
        #expect(throws: StoreFailure.self) {
            try Store(directory: folder.path + "/file", migrations: [], now: Family.start)
        }
        #expect(throws: StoreFailure.notWritable(path: folder.path + "/file/data")) {
            try Store(directory: folder.path + "/file/data", migrations: [], now: Family.start)
        }
    }

    @Test(.enabled(if: geteuid() != 0, "root may write everywhere"))
    func `A directory without write permission is refused`() throws {
        let folder = Folder()
        chmod(folder.path, 0o500)
        #expect(throws: StoreFailure.notWritable(path: folder.path)) {
            try Store(directory: folder.path, migrations: [], now: Family.start)
        }
    }

    @Test func `Another program's database and a file of noise are refused and left alone`() throws {
        let disk = Family.disk()
        let noise = Array(repeating: UInt8(ascii: "n"), count: 5_000)
        disk.place(Family.directory + "/kinwire.db", noise)
        #expect(throws: StoreFailure.self) { try Family.store(disk) }
        #expect(disk.bytes(Family.directory + "/kinwire.db") == noise)

        let other = Family.disk()
        let store = try Family.store(other)
        try store.database.run("PRAGMA application_id = 7")
        store.requestTruncate(by: Family.start)
        store.afterTurn(idle: true, now: Family.start)
        other.crash()
        #expect(throws: StoreFailure.corrupt("kinwire.db is another program's database")) { try Family.store(other) }
    }

    @Test func `Migrations run once, forward, after a copy was put aside`() throws {
        let disk = Family.disk()
        var store: Store? = try Family.store(disk)
        try store?.turn { store throws(StoreFailure) in try store.database.run("INSERT INTO notes (text) VALUES ('a')")
        }
        #expect(!disk.paths.contains { $0.contains("before") })
        store = nil
        store = try Family.store(disk, migrations: Family.area + [second], now: Family.start.adding(days: 1))
        #expect(try store.map(columns) == ["id", "text", "picture", "mood"])
        let rows = try store?.database.rows("SELECT number, name FROM migrations ORDER BY number") {
            ($0.int(0), $0.text(1))
        }
        #expect(rows?.map(\.0) == [0, 1, 2] && rows?.last?.1 == "mood")
        // The copy is the file as it was, whole, on its own.
        let copy = try Database.open(Family.directory + "/before-2.db", .reader, files: disk)
        #expect(try copy.first("SELECT text FROM notes") { $0.text(0) } == "a")
        #expect(try copy.first("SELECT max(number) FROM migrations") { $0.int(0) } == 1)
        #expect(try Integrity.check(copy) == [])
        // Nothing is left to do at the next start.
        store = nil
        store = try Family.store(disk, migrations: Family.area + [second], now: Family.start.adding(days: 2))
        #expect(disk.bytes(Family.directory + "/before-2.db") != nil)
        try store?.removeOldCopies(now: Family.start.adding(days: 30))
        #expect(disk.bytes(Family.directory + "/before-2.db") != nil)
        try store?.removeOldCopies(now: Family.start.adding(days: 31))
        #expect(disk.bytes(Family.directory + "/before-2.db") == nil)
    }

    @Test func `A step in code runs in the migration's transaction`() throws {
        let disk = Family.disk()
        try { _ = try Family.store(disk) }()
        let step = Migration(
            number: 2, name: "fill", tables: ["words"], sql: "CREATE TABLE words (word TEXT NOT NULL) STRICT"
        ) { database throws(StoreFailure) in
            try database.run("INSERT INTO words VALUES ('one')")
        }
        let store = try Family.store(disk, migrations: Family.area + [step])
        #expect(try store.database.first("SELECT word FROM words") { $0.text(0) } == "one")
    }

    @Test func `A migration that fails leaves the database as it was`() throws {
        let disk = Family.disk()
        try { _ = try Family.store(disk) }()
        #expect(throws: StoreFailure.self) { try Family.store(disk, migrations: Family.area + [broken]) }
        #expect(disk.bytes(Family.directory + "/before-2.db") == nil)
        let store = try Family.store(disk)
        #expect(try columns(store) == ["id", "text", "picture"])
        #expect(try store.database.first("SELECT max(number) FROM migrations") { $0.int(0) } == 1)
    }

    @Test func `A migration that leaves references to nothing is refused`() throws {
        let disk = Family.disk()
        try {
            let store = try Family.store(disk)
            try store.turn { store throws(StoreFailure) in try store.append() }
        }()
        let orphaning = Migration(
            number: 2, name: "orphans", tables: ["x"], reading: ["notes"],
            sql: "CREATE TABLE x (a INTEGER REFERENCES notes (id)) STRICT; INSERT INTO x VALUES (5)")
        #expect(throws: StoreFailure.self) { try Family.store(disk, migrations: Family.area + [orphaning]) }
        #expect(try columns(try Family.store(disk)) == ["id", "text", "picture"])
    }

    @Test func `A database from a newer Kinwire is refused and left alone`() throws {
        let disk = Family.disk()
        try { _ = try Family.store(disk, migrations: Family.area + [second]) }()
        let before = disk.bytes(Family.directory + "/kinwire.db")
        #expect(throws: StoreFailure.newer(found: 2, known: 1)) { try Family.store(disk) }
        #expect(disk.bytes(Family.directory + "/kinwire.db") == before)
        #expect(StoreFailure.newer(found: 2, known: 1).sentence.contains("newer Kinwire"))
    }

    @Test func `One turn is one sync, however many commands it holds; a turn that only reads is none`() throws {
        let disk = Family.disk()
        let store = try Family.store(disk)
        try store.turn { store throws(StoreFailure) in try store.append() }
        let (syncs, commits) = (store.fsyncCount, store.commitCount)
        try store.turn { store throws(StoreFailure) in for _ in 0..<64 { try store.append() } }
        #expect(store.fsyncCount == syncs + 1 && store.commitCount == commits + 1)
        try store.turn { store throws(StoreFailure) in _ = try store.seen() }
        #expect(store.fsyncCount == syncs + 1 && store.commitCount == commits + 1)
    }

    @Test func `Syncs on a real disk are counted as well`() throws {
        let folder = Folder()
        let store = try Store(directory: folder.path, migrations: Family.area, now: Family.start)
        let before = store.fsyncCount
        try store.turn { store throws(StoreFailure) in try store.append() }
        // Other tests of this process may sync as well.
        #expect(store.fsyncCount > before)
    }

    @Test func `The WAL is written back when idle above 1,000 pages, and by force at 8,000`() throws {
        let store = try Family.store(Family.disk())
        func fill(_ pages: Int) throws {
            try store.turn { store throws(StoreFailure) in
                try store.database.run("INSERT INTO notes (text) VALUES (hex(zeroblob(?)))", Value(pages * 2_048))
            }
        }
        try fill(500)
        store.afterTurn(idle: true, now: Family.start)
        #expect(store.walPages > 500)
        try fill(600)
        store.afterTurn(idle: false, now: Family.start)
        #expect(store.walPages > 1_000)
        store.afterTurn(idle: true, now: Family.start)
        #expect(store.walPages == 0)
        try fill(8_100)
        #expect(store.walPages > 8_000)
        store.afterTurn(idle: false, now: Family.start)
        #expect(store.walPages == 0 && store.checkpointFailure == nil)
        // The WAL starts anew.
        try fill(1)
        #expect(store.walPages < 20)
    }

    @Test func `A reader in the middle of reading delays the truncation, and it is done afterwards`() throws {
        let disk = Family.disk()
        let store = try Family.store(disk)
        try store.turn { store throws(StoreFailure) in try store.append() }
        let reader = try store.reader()
        try reader.begin()
        _ = try Log.position(reader)
        try store.turn { store throws(StoreFailure) in try store.append() }
        store.requestTruncate(by: Family.start)
        store.afterTurn(idle: true, now: Family.start)
        #expect(store.truncateBy != nil)
        try reader.commit()
        store.afterTurn(idle: true, now: Family.start)
        #expect(store.truncateBy == nil && disk.bytes(Family.directory + "/kinwire.db-wal")?.isEmpty == true)
    }

    @Test func `Free pages are given back to the disk when idle`() throws {
        let disk = Family.disk()
        let store = try Family.store(disk)
        try store.turn { store throws(StoreFailure) in
            try store.database.run("INSERT INTO notes (text) VALUES (hex(zeroblob(2000000)))")
        }
        try store.turn { store throws(StoreFailure) in try store.database.run("DELETE FROM notes") }
        let free = try #require(try store.database.first("PRAGMA freelist_count") { $0.int(0) })
        store.afterTurn(idle: true, now: Family.start)
        let left = try #require(try store.database.first("PRAGMA freelist_count") { $0.int(0) })
        #expect(left < free)
    }

    @Test func `Free pages are looked for again after some commits, and until there are few`() throws {
        let store = try Family.store(Family.disk())
        func free() throws -> Int64 { try store.database.first("PRAGMA freelist_count") { $0.int(0) } ?? 0 }
        store.afterTurn(idle: true, now: Family.start)
        try store.turn { store throws(StoreFailure) in
            try store.database.run("INSERT INTO notes (text) VALUES (hex(zeroblob(2000000)))")
        }
        try store.turn { store throws(StoreFailure) in try store.database.run("DELETE FROM notes") }
        let before = try free()
        for _ in 0..<Store.commitsBetweenLooks {
            store.afterTurn(idle: true, now: Family.start)
            try store.turn { store throws(StoreFailure) in try store.append() }
        }
        for _ in 0..<20 { store.afterTurn(idle: true, now: Family.start) }
        #expect(before > 900)
        #expect(try free() <= Store.freePagesMax)
    }

    @Test func `Free pages are looked for at once after a deletion that asks for it`() throws {
        let store = try Family.store(Family.disk())
        try store.turn { store throws(StoreFailure) in
            try store.database.run("INSERT INTO notes (text) VALUES (hex(zeroblob(2000000)))")
        }
        store.afterTurn(idle: true, now: Family.start)
        try store.turn { store throws(StoreFailure) in try store.database.run("DELETE FROM notes") }
        store.requestTruncate(by: Family.start)
        for _ in 0..<20 { store.afterTurn(idle: true, now: Family.start) }
        #expect(try store.database.first("PRAGMA freelist_count") { $0.int(0) } ?? 0 <= Store.freePagesMax)
    }

    @Test func `What falls due next is read anew after a rollback`() throws {
        let store = try Family.store(Family.disk())
        let due = store.due
        let (soon, later) = (Family.start.adding(seconds: 5), Family.start.adding(seconds: 50))
        try store.turn { _ throws(StoreFailure) in try due.add(at: later, kind: "deadline", about: "meeting/1") }
        try store.beginTurn()
        try store.database.savepoint("act")
        try due.add(at: soon, kind: "deadline", about: "meeting/2")
        #expect(try due.next() == soon)
        try store.database.rollbackTo("act")
        #expect(try due.next() == later)
        try due.remove(about: "meeting/1")
        #expect(try due.next() == nil)
        store.rollbackTurn()
        #expect(try due.next() == later)
        #expect(try due.popDue(now: soon).isEmpty && due.popDue(now: later).count == 1)
    }

    @Test func `What was applied under an op is known for as long as it is kept`() throws {
        let store = try Family.store(Family.disk())
        let (ids, ops) = ([Identifier(high: 1, low: 2), Identifier(high: 3, low: 4)], store.operations)
        let first = Operation(method: "note.add", digest: [1, 2], ids: ids, at: Family.start)
        try ops.insert(scope: "1", op: "a", first)
        try ops.insert(
            scope: "2", op: "a", Operation(method: "m", digest: [], ids: [], at: Family.start.adding(days: 1)))
        #expect(try ops.find(scope: "1", op: "a") == first)
        #expect(try ops.find(scope: "2", op: "a")?.ids == [])
        #expect(try ops.find(scope: "3", op: "a") == nil && ops.find(scope: "1", op: "A") == nil)
        #expect(throws: StoreFailure.self) { try ops.insert(scope: "1", op: "a", first) }
        #expect(try ops.prune(before: Family.start) == 0)
        #expect(try ops.prune(before: Family.start.adding(days: 1)) == 1)
        #expect(try ops.find(scope: "1", op: "a") == nil && ops.find(scope: "2", op: "a") != nil)
        try ops.forget(scope: "2")
        #expect(try ops.find(scope: "2", op: "a") == nil)
    }

    @Test func `Due work comes out in its order, once, and survives a start`() throws {
        let disk = Family.disk()
        try {
            let due = try Family.store(disk).due
            #expect(try due.next() == nil)
            try due.add(at: Family.start.adding(seconds: 20), kind: "deadline", about: "meeting/1")
            try due.add(at: Family.start.adding(seconds: 10), kind: "expiry", about: "invite/1")
            try due.add(at: Family.start.adding(seconds: 5), kind: "deadline", about: "meeting/1")
            try due.add(at: Family.start.adding(seconds: 30), kind: "reminder", about: "meeting/1")
            try due.add(at: Family.start.adding(seconds: 40), kind: "reminder", about: "meeting/2")
            try due.add(at: Family.start.adding(seconds: 1), kind: "gone", about: "meeting/3")
            try due.remove(kind: "gone", about: "meeting/3")
        }()
        let due = try Family.store(disk).due
        #expect(try due.next() == Family.start.adding(seconds: 5))
        #expect(try due.popDue(now: Family.start) == [])
        let first = try due.popDue(now: Family.start.adding(seconds: 35), limit: 2)
        #expect(first.map(\.kind) == ["deadline", "expiry"])
        #expect(try due.popDue(now: Family.start.adding(seconds: 35)).map(\.kind) == ["reminder"])
        try due.remove(about: "meeting/2")
        #expect(try due.next() == nil)
        // What was refused comes back, and what was planned anew meanwhile stays as it was planned.
        try due.add(at: Family.start.adding(seconds: 90), kind: "expiry", about: "invite/1")
        for refused in first { try due.addAgain(refused, at: Family.start.adding(seconds: 60)) }
        #expect(try due.popDue(now: Family.start.adding(seconds: 60)).map(\.kind) == ["deadline"])
        #expect(try due.next() == Family.start.adding(seconds: 90))
    }

    @Test func `The check finds what does not fit together`() throws {
        let store = try Family.store(Family.disk())
        try store.turn { store throws(StoreFailure) in try store.append() }
        #expect(try Integrity.check(store.database) == [])
        let plants = [
            "UPDATE log_state SET position = 0": "The log's counter 0 is behind its last row 1.",
            "UPDATE log_state SET first_kept = 1": "Row 1 of the log is kept, though all up to 1 should be gone.",
            "UPDATE log_state SET bytes = 5": "The log holds 133 bytes, its counter says 5.",
            "UPDATE log SET audience = 99": "1 rows of the log have no audience.",
            "UPDATE epochs SET first = 9": "1 epochs begin beyond the end of the log.",
        ]
        for (plant, problem) in plants {
            try store.database.begin()
            try store.database.run(plant)
            #expect(try Integrity.check(store.database) == [problem])
            store.database.rollback()
        }
    }
}
