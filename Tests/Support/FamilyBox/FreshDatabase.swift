import Glibc
import KinFamily
package import KinKeeper
import KinMap
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
            let bytes = try FaultVFS.database(Registry.family.migrations, now: FamilyBox.start)
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
}

/// The towns that a daemon makes a file of at the first question. In each family that would take a third of a second.
package enum FreshTowns {
    private static let made = Mutex<[UInt8]?>(nil)

    /// The file's bytes; `nil` where Debian's data is not installed.
    package static func bytes() throws -> [UInt8]? {
        try made.withLock { made in
            if let made { return made }
            // One for the process: it stays registered.
            let disk = FaultVFS.register(name: "towns-\(UInt64.random(in: 0 ... .max))")
            if let bytes = try FreshDatabase.bytes(for: .family) { disk.place("/towns/kinwire.db", bytes) }
            let store = try Store(
                directory: "/towns", migrations: Registry.family.migrations, now: FamilyBox.start, files: .memory(disk))
            _ = try? NearestTown.open(store.source)
            made = disk.bytes("/towns/towns-by-size.db")
            return made
        }
    }
}
