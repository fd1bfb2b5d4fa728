import Glibc
import KinFamily
package import KinKeeper
import KinModel
import KinStore
import Synchronization
import Testing

/// A family's database as its first start leaves it: empty, after all migrations. They take a tenth of a second of
/// processor, longer than most tests, and come to the same in all of them.
package enum FreshDatabase {
    private static let made = Mutex<[UInt8]?>(nil)

    /// The file's bytes, for a family of this registry; `nil` when it has migrations of its own.
    package static func bytes(for registry: Registry) throws -> [UInt8]? {
        guard registry.migrations.count == Registry.family.migrations.count else { return nil }
        return try made.withLock { made in
            if let made { return made }
            let bytes = try migrated()
            made = bytes
            return bytes
        }
    }

    /// Writes it where a store is opened next.
    static func place(_ bytes: [UInt8], in directory: String) throws {
        try #require(mkdir(directory, 0o700) == 0)
        let descriptor = open(directory + "/kinwire.db", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            try #require(count > 0)
            rest = rest.dropFirst(count)
        }
    }

    private static func migrated() throws -> [UInt8] {
        // One for the process: it stays registered.
        let disk = FaultVFS.register(name: "fresh-\(UInt64.random(in: 0 ... .max))")
        let store = try Store(
            directory: "/fresh", migrations: Registry.family.migrations, now: FamilyBox.start, files: .memory(disk))
        // Each start opens an epoch of its own.
        try store.database.run("DELETE FROM epochs")
        let left = try store.database.first(
            "PRAGMA wal_checkpoint(TRUNCATE)", map: { (row) throws(StoreFailure) in row.int(0) })
        try #require(left == 0)
        return try #require(disk.bytes("/fresh/kinwire.db"))
    }
}
