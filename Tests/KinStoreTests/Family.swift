import Glibc
import KinModel
import Synchronization

@testable import KinStore

/// What the tests of this target share: simulated disks of their own, and a store with one small area.
enum Family {
    private static let number = Atomic<Int>(0)

    /// A new, empty disk.
    static func disk(seed: UInt64 = 1) -> FaultVFS {
        FaultVFS.register(name: "test-\(number.wrappingAdd(1, ordering: .relaxed).newValue)", seed: seed)
    }

    static let directory = "/family"
    static let start = Instant("2026-11-20T18:00:00Z") ?? .earliest

    static let area = [
        Migration(
            number: 1, name: "notes", tables: ["notes"],
            sql: "CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL, picture TEXT) STRICT")
    ]

    static func store(
        _ disk: FaultVFS, migrations: [Migration] = area, now: Instant = start, directory: String = directory
    ) throws(StoreFailure) -> Store {
        try Store(directory: directory, migrations: migrations, now: now, files: .memory(disk))
    }

    static let everyone = Audience([1, 2, 3])
}

extension Store {
    /// One turn.
    @discardableResult
    func turn<T>(_ body: (Store) throws(StoreFailure) -> T) throws(StoreFailure) -> T {
        try beginTurn()
        let result: T
        do throws(StoreFailure) {
            result = try body(self)
        } catch {
            rollbackTurn()
            throw error
        }
        try commitTurn()
        return result
    }

    /// An event with little in it.
    @discardableResult
    func append(
        _ text: String = "hello", about: String = "note/1", key: String? = nil, supersedes: [String] = [],
        audience: Audience = Family.everyone, at: Instant = Family.start, salt: UInt64 = 7, type: String = "note.added"
    ) throws(StoreFailure) -> (row: LogRow, superseded: [Int64]) {
        try log.append(
            at: at, type: type, by: Identifier(high: 1, low: 2), about: about, key: key, supersedes: supersedes,
            audience: audience, salt: salt, payload: Array(text.utf8))
    }

    /// What a member sees from a position on.
    func seen(by member: Int32 = 1, after: Int64 = 0) throws(StoreFailure) -> [LogRow] {
        try Log.read(database, after: after, through: nil, member: member, types: nil, bytesMax: 1 << 20).rows
    }
}

extension LogRow {
    var text: String { String(decoding: payload, as: UTF8.self) }
}

/// A temporary directory, removed with this object.
final class Folder {
    let path: String
    init() {
        var template = Array("/tmp/kinstore-XXXXXX".utf8CString)
        path = template.withUnsafeMutableBufferPointer { buffer in
            guard let start = buffer.baseAddress, let made = mkdtemp(start) else { return "" }
            return String(cString: made)
        }
    }
    deinit { remove(path) }

    private func remove(_ path: String) {
        chmod(path, 0o700)
        for name in (try? DiskFiles().list(path)) ?? [] {
            if unlink(path + "/" + name) != 0 { remove(path + "/" + name) }
        }
        rmdir(path)
    }
}
