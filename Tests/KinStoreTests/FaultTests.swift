import KinModel
import Synchronization
import Testing

@testable import KinStore

/// A small life of a store, told what it acknowledged: turns of one note, a blob and two events each, a checkpoint, a
/// second start with a migration. Any of its operations on the disk may fail.
private struct Life {
    /// Turns whose commit returned.
    var acknowledged: Set<Int64> = []
    /// Turns that were refused: nothing of them may be there.
    var refused: Set<Int64> = []
    /// Turns of which nobody knows.
    var unknown: Set<Int64> = []
    var failures: [StoreFailure] = []

    static let second = Migration(
        number: 2, name: "mood", tables: ["notes"], sql: "ALTER TABLE notes ADD COLUMN mood TEXT")

    /// Lives until the end, or until the process would exit.
    mutating func run(_ disk: FaultVFS) {
        guard start(disk, Family.area, 1...4), start(disk, Family.area + [Self.second], 5...7) else { return }
    }

    /// One process; `false` when it ended early.
    private mutating func start(_ disk: FaultVFS, _ migrations: [Migration], _ turns: ClosedRange<Int64>) -> Bool {
        let store: Store
        do throws(StoreFailure) {
            store = try Family.store(disk, migrations: migrations)
        } catch {
            failures.append(error)
            return false
        }
        for number in turns {
            do throws(StoreFailure) {
                try Self.turn(number, store)
                acknowledged.insert(number)
            } catch {
                failures.append(error)
                if case .fateUnknown = error {
                    unknown.insert(number)
                    return false
                }
                refused.insert(number)
                if error != .full { return false }
            }
            if number.isMultiple(of: 3) { store.requestTruncate(by: Family.start) }
            store.afterTurn(idle: true, now: Family.start)
        }
        return true
    }

    private static func turn(_ number: Int64, _ store: Store) throws(StoreFailure) {
        try store.beginTurn()
        do throws(StoreFailure) {
            let picture =
                number.isMultiple(of: 2) ? try store.blobs.put(Array(repeating: UInt8(number), count: 700)) : nil
            try store.database.run(
                "INSERT INTO notes (id, text, picture) VALUES (?, ?, ?)", .int(number),
                .text(String(repeating: "\(number)", count: 1_500)), Value(picture))
            try store.append("first of \(number)", about: "note/\(number)")
            try store.append("second of \(number)", about: "note/\(number)", key: "latest")
        } catch {
            store.rollbackTurn()
            throw error
        }
        try store.commitTurn()
    }

    /// What must be true after the next start, whatever happened.
    func check(_ store: Store, _ what: String) throws {
        let notes = try store.database.rows("SELECT id, text, picture FROM notes ORDER BY id") { row in
            (id: row.int(0), text: row.text(1), picture: row.optionalText(2))
        }
        let kept = Set(notes.map(\.id))
        #expect(acknowledged.isSubset(of: kept), "\(what): acknowledged and lost")
        #expect(kept.isDisjoint(with: refused), "\(what): refused and kept")
        #expect(kept.subtracting(acknowledged).isSubset(of: unknown), "\(what): from nowhere")
        let firsts = try store.seen().map(\.text).filter { $0.hasPrefix("first") }
        #expect(firsts == kept.sorted().map { "first of \($0)" }, "\(what): half a turn")
        let latest = try store.seen().map(\.text).filter { $0.hasPrefix("second") }
        #expect(latest == kept.max().map { ["second of \($0)"] } ?? [], "\(what): half a turn")
        #expect(store.log.position == Int64(kept.count * 2), "\(what): position")
        for note in notes {
            #expect(note.text == String(repeating: "\(note.id)", count: 1_500), "\(what): torn text")
            if let picture = note.picture {
                #expect(try store.blobs.get(picture) == Array(repeating: UInt8(note.id), count: 700), "\(what): blob")
            }
        }
        #expect(try Integrity.check(store.database) == [], "\(what)")
    }
}

@Suite struct FaultTests {
    private enum Ending { case crash, powerCut }

    /// How many operations of a kind the life takes when nothing fails.
    private func count(_ kind: FaultVFS.Kind?) -> Int {
        let disk = Family.disk()
        var life = Life()
        life.run(disk)
        #expect(life.failures == [] && life.acknowledged.count == 7)
        return kind.map { disk.count($0) } ?? disk.operationCount
    }

    /// For every n: the n-th operation fails, the process ends, and the next start finds what it must.
    private func everywhere(
        _ kind: FaultVFS.Kind?, _ effect: FaultVFS.Effect, lasting: Bool = false, _ ending: Ending,
        seeds: ClosedRange<UInt64> = 1...1
    ) throws -> [StoreFailure] {
        var failures: [StoreFailure] = []
        let total = count(kind)
        #expect(total > 5)
        for n in 1...total {
            for seed in seeds {
                let disk = Family.disk(seed: seed &* 1_000 &+ UInt64(n))
                disk.failAt(n, kind, effect, lasting: lasting)
                var life = Life()
                life.run(disk)
                failures += life.failures
                disk.heal()
                ending == .powerCut ? disk.powerCut() : disk.crash()
                let what = "\(effect) at \(kind.map { "\($0)" } ?? "operation") \(n), seed \(seed), \(ending)"
                do {
                    let store = try Family.store(disk, migrations: Family.area + [Life.second])
                    try life.check(store, what)
                    // And life goes on.
                    try store.turn { store throws(StoreFailure) in try store.append() }
                } catch {
                    Issue.record("\(what): \(error)")
                }
                disk.crash()
                disk.unregister()
            }
        }
        return failures
    }

    @Test func `A write that fails, for every n`() throws {
        let failures = try everywhere(.write, .ioError, .crash)
        #expect(failures.contains { if case .fateUnknown = $0 { true } else { false } })
        _ = try everywhere(.write, .ioError, .powerCut)
    }

    @Test func `A full disk, for every n`() throws {
        let failures = try everywhere(.write, .full, .crash) + everywhere(.write, .full, lasting: true, .powerCut)
        #expect(failures.contains(.full))
        // A disk that is full is never a commit of unknown fate.
        #expect(!failures.contains { if case .fateUnknown = $0 { true } else { false } })
    }

    @Test func `A sync that fails, for every n`() throws {
        let failures = try everywhere(.sync, .ioError, .crash) + everywhere(.sync, .ioError, .powerCut, seeds: 1...2)
        #expect(failures.contains { if case .fateUnknown = $0 { true } else { false } })
    }

    @Test func `A truncation or a removal that fails, for every n`() throws {
        let disk = Family.disk()
        var life = Life()
        life.run(disk)
        for kind in [FaultVFS.Kind.truncate, .remove] {
            for n in 1...max(1, disk.count(kind)) {
                for effect in [FaultVFS.Effect.ioError, .powerOff] {
                    let disk = Family.disk(seed: UInt64(n))
                    disk.failAt(n, kind, effect)
                    var life = Life()
                    life.run(disk)
                    disk.powerCut()
                    try life.check(
                        try Family.store(disk, migrations: Family.area + [Life.second]), "\(kind) \(n) \(effect)")
                }
            }
        }
    }

    @Test func `The power goes, for every n, and what was on its way to the disk arrives in part`() throws {
        _ = try everywhere(nil, .powerOff, .powerCut, seeds: 1...2)
    }

    @Test func `The checker sees a store that acknowledges before it syncs`() throws {
        var seen = 0
        for seed in UInt64(1)...10 {
            let disk = Family.disk(seed: seed)
            let store = try Family.store(disk)
            try store.database.run("PRAGMA synchronous = OFF")
            for _ in 0..<5 { try store.turn { store throws(StoreFailure) in try store.append() } }
            disk.powerCut()
            if try Family.store(disk).log.position < 5 { seen += 1 }
        }
        #expect(seen > 0)
    }

    @Test func `After a commit of unknown fate the store refuses everything`() throws {
        let disk = Family.disk()
        let store = try Family.store(disk)
        disk.failAt(1, .sync, .ioError)
        do throws(StoreFailure) {
            try store.turn { store throws(StoreFailure) in try store.append() }
            Issue.record("the sync failed")
        } catch {
            if case .fateUnknown = error {} else { Issue.record("\(error)") }
            #expect(throws: error) { try store.beginTurn() }
            #expect(throws: error) { try store.database.first("SELECT 1") { $0.int(0) } }
        }
        store.afterTurn(idle: true, now: Family.start)
    }

    @Test func `On a full disk deleting still works, and writing again when there is room`() throws {
        let disk = Family.disk()
        let store = try Family.store(disk)
        let room = disk.disk.withLock { $0.used } + 400_000
        disk.setRoom(room)
        var written: Int64 = 0
        while !store.isShortOfRoom {
            do throws(StoreFailure) {
                _ = try store.turn { store throws(StoreFailure) in
                    try store.database.run("INSERT INTO notes (text) VALUES (hex(zeroblob(20000)))")
                    return try store.append(about: "note/1").row
                }
                written += 1
            } catch {
                #expect(error == .full)
            }
        }
        #expect(written > 2)
        #expect(try store.database.first("SELECT count(*) FROM notes") { $0.int(0) } == written)
        // The ballast is what deleting lives on.
        try store.turn { store throws(StoreFailure) in
            try store.database.run("DELETE FROM notes")
            _ = try store.log.erase(about: "note/1")
        }
        store.requestTruncate(by: Family.start)
        store.afterTurn(idle: true, now: Family.start)
        #expect(store.truncateBy == nil && store.isShortOfRoom)
        disk.setRoom(nil)
        store.afterTurn(idle: true, now: Family.start)
        #expect(!store.isShortOfRoom)
        #expect(try disk.size(Family.directory + "/ballast") == Ballast.bytes)
    }

    @Test(arguments: [false, true])
    func `A store opens on a full disk, and what it then shows outlives a power cut`(hasNoBallast: Bool) throws {
        let disk = Family.disk()
        var store: Store? = try Family.store(disk)
        try store?.turn { store throws(StoreFailure) in
            try store.database.run("CREATE TABLE ink (text TEXT)")
            for _ in 0..<600 { try store.database.run("INSERT INTO ink (text) VALUES (hex(zeroblob(4000)))") }
        }
        // The sync of one more turn fails: the kernel takes its pages for written, and they are not on the disk.
        disk.failAt(1, .sync, .ioError)
        #expect(throws: StoreFailure.self) {
            try store?.turn { store throws(StoreFailure) in try store.append("doubtful") }
        }
        disk.crash()
        store = nil
        if hasNoBallast { try disk.remove(Family.directory + "/ballast") }
        disk.setRoom(disk.disk.withLock { $0.used })

        do {
            let again = try Family.store(disk)
            #expect(again.isShortOfRoom)
            #expect(try again.database.first("SELECT count(*) FROM ink") { $0.int(0) } == 600)
            #expect(try again.seen().map(\.text) == ["doubtful"])
            // There is room for what frees room.
            try again.turn { store throws(StoreFailure) in try store.log.erase(about: "note/1") }
            #expect(try again.seen().isEmpty)
            disk.powerCut()
        }
        disk.setRoom(nil)
        let last = try Family.store(disk)
        #expect(!last.isShortOfRoom)
        #expect(try last.database.first("SELECT count(*) FROM ink") { $0.int(0) } == 600)
        #expect(try last.seen().isEmpty)
        #expect(try Integrity.check(last.database) == [])
    }

    @Test func `A store whose place was taken keeps nothing more, and leaves what is there now alone`() throws {
        let disk = Family.disk()
        do {
            let store = try Family.store(disk)
            try store.turn { store throws(StoreFailure) in try store.append("kept") }
            for name in ["/kinwire.db", "/kinwire.db-wal"] {
                try disk.rename(Family.directory + name, to: "/aside" + name)
                disk.place(Family.directory + name, Array("somebody else's".utf8))
            }
            #expect(throws: StoreFailure.gone(path: Family.directory)) {
                try store.turn { store throws(StoreFailure) in try store.append("lost") }
            }
        }
        #expect(disk.bytes(Family.directory + "/kinwire.db-wal") == Array("somebody else's".utf8))
    }

    @Test func `The same seed loses the same bytes`() throws {
        func left(_ seed: UInt64) throws -> [String: Int] {
            let disk = Family.disk(seed: seed)
            disk.failAt(60, nil, .powerOff)
            var life = Life()
            life.run(disk)
            disk.powerCut()
            // (SQLite salts its WAL from a generator of its own, so lengths are compared, not bytes.)
            return Dictionary(uniqueKeysWithValues: disk.paths.map { ($0, disk.bytes($0)?.count ?? -1) })
        }
        #expect(try left(5) == left(5))
        #expect(try Set((1...10).map(left)).count > 1)
    }
}
