import KinModel
import Testing

@testable import KinStore

@Suite struct ReaderTests {
    @Test(arguments: [true, false])
    func `Readers on other threads see whole turns while the owner writes and checkpoints`(onDisk: Bool) async throws {
        let folder = Folder()
        let files = onDisk ? Files.disk : .memory(Family.disk())
        let store = try Store(
            directory: folder.path + "/data", migrations: Family.area, now: Family.start, files: files)
        try store.turn { store throws(StoreFailure) in
            try store.append()
            try store.append()
        }
        let source = store.source
        let readers = (0..<2).map { _ in
            Task.detached {
                let reader = try source.open()
                var torn = 0
                for _ in 0..<150 {
                    try reader.begin()
                    let position = try Log.position(reader)
                    let notes = try reader.first("SELECT count(*) FROM notes") { $0.int(0) } ?? -1
                    let page = try Log.read(reader, after: 0, through: nil, member: 1, types: nil, bytesMax: 1 << 20)
                    try reader.commit()
                    // Each turn adds two rows and one note; the newest row of the key replaces its predecessor.
                    if position % 2 != 0 || notes != position / 2 - 1 || page.through != position { torn += 1 }
                    if page.rows.count != (position == 2 ? 2 : Int(position / 2) + 2) { torn += 1 }
                }
                return torn
            }
        }
        for number in 0..<100 {
            try store.turn { store throws(StoreFailure) in
                try store.append(about: "note/\(number)")
                try store.append(key: "latest")
                try store.database.run(
                    "INSERT INTO notes (text) VALUES (?)", .text(String(repeating: "x", count: 9_000)))
            }
            if number.isMultiple(of: 10) { store.requestTruncate(by: Family.start) }
            store.afterTurn(idle: true, now: Family.start)
        }
        for reader in readers { #expect(try await reader.value == 0) }
        #expect(try Integrity.check(store.database) == [])
    }

    @Test func `A reader gives up the pages it keeps when it is told to, and reads on`() throws {
        let folder = Folder()
        let store = try Store(
            directory: folder.path + "/data", migrations: Family.area, now: Family.start, files: .disk)
        try store.turn { store throws(StoreFailure) in
            for _ in 0..<50 {
                try store.database.run(
                    "INSERT INTO notes (text) VALUES (?)", .text(String(repeating: "x", count: 9_000)))
            }
        }
        let reader = try store.reader()
        func read() throws -> Int64? { try reader.first("SELECT sum(length(text)) FROM notes") { $0.int(0) } }
        #expect(try read() == 450_000)
        let kept = reader.keptBytes
        #expect(kept > 300_000)
        reader.releaseMemory()
        #expect(reader.keptBytes < kept / 10)
        #expect(try read() == 450_000)
    }

    @Test func `A reader whose time is over is ended within a statement, and reads on afterwards`() throws {
        let folder = Folder()
        let store = try Store(
            directory: folder.path + "/data", migrations: Family.area, now: Family.start, files: .disk)
        try store.turn { store throws(StoreFailure) in try store.append() }
        let reader = try store.reader()
        let long = """
            WITH RECURSIVE numbers(number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < 1000000)
            SELECT count(*) FROM numbers
            """
        var looks = 0
        reader.interrupt(when: {
            looks += 1
            return looks == 3
        })
        try reader.begin()
        #expect(throws: StoreFailure.overdue) { try reader.first(long) { $0.int(0) } }
        #expect(looks == 3)
        // Only the statement is over. The transaction still sees its state, and a short statement is not asked about.
        #expect(reader.isInTransaction)
        #expect(try Log.position(reader) == 1)
        reader.rollback()
        reader.interrupt(when: nil)
        let count = try reader.first(long) { $0.int(0) }
        #expect(count == 1_000_000)
        #expect(looks == 3)
    }
}
