internal import CSQLite
package import KinModel
internal import Synchronization

/// A disk in memory that fails as disks do, from a seed: for simulations and tests. It is a file system of SQLite's
/// and, through ``Files/memory(_:)``, of everything else in a ``Store``.
///
/// A power cut may lose what was written and not synced, sector by sector, in any order. It may also lose names that
/// were not synced with their directory. A sync that fails loses for good what it should have kept, as on Linux.
public final class FaultVFS: Sendable {
    /// What can be told to fail.
    public enum Kind: Sendable, CaseIterable {
        /// Writing bytes (also reserving room).
        case write
        /// Syncing a file or a directory.
        case sync
        /// Changing a file's length.
        case truncate
        /// Removing or renaming a file.
        case remove
        /// Reading bytes of a database, which changes nothing. It is counted separately, and not among all kinds
        /// together.
        case read
    }
    /// How it fails.
    public enum Effect: Sendable {
        /// An error of the disk.
        case ioError
        /// No room left (for a sync: an error of the disk).
        case full
        /// The power goes: this and everything after it fails, until ``FaultVFS/powerCut()``.
        case powerOff
    }

    /// The name SQLite knows it by.
    public let name: String
    let disk: Mutex<FaultDisk>

    private init(name: String, seed: UInt64) {
        self.name = name
        disk = Mutex(FaultDisk(seed: seed))
    }

    /// A new, empty disk, registered with SQLite under a name that must be new in this process.
    public static func register(name: String, seed: UInt64 = 0) -> FaultVFS {
        let vfs = FaultVFS(name: name, seed: seed)
        precondition(vfs.register(), "SQLite takes another file system")
        return vfs
    }

    /// Takes the disk out of SQLite's list. Only when no connection to it is open any more.
    public func unregister() {
        guard let table = unsafe sqlite3_vfs_find(name) else { return }
        unsafe sqlite3_vfs_unregister(table)
        unsafe Unmanaged<FaultVFS>.fromOpaque(table.pointee.pAppData).release()
        unsafe table.pointee.zName.map { unsafe UnsafeMutablePointer(mutating: $0).deallocate() }
        unsafe table.deallocate()
    }

    // MARK: Faults

    /// Makes the `n`-th operation of a kind from now on fail (1 is the next). With `nil`, operations of all kinds but
    /// reading count together. `lasting`: all of that kind after it fail too, until ``heal()``.
    public func failAt(_ n: Int, _ kind: Kind?, _ effect: Effect, lasting: Bool = false) {
        disk.withLock { $0.fault = FaultDisk.Fault(kind: kind, countdown: n, effect: effect, lasting: lasting) }
    }

    /// No more faults, and room again as ``setRoom(_:)`` says.
    public func heal() { disk.withLock { $0.fault = nil } }

    /// From now on syncs report success and keep nothing, as some disks do. A checker must notice this.
    public func setSyncsLie(_ lie: Bool) { disk.withLock { $0.syncsLie = lie } }

    /// Whether a fault turned the power off, and it is not back yet.
    public var isOff: Bool { disk.withLock { $0.isOff } }

    /// Bounds what the disk holds, in bytes; `nil` for no bound.
    public func setRoom(_ bytes: Int?) { disk.withLock { $0.capacity = bytes } }

    /// Cuts the power and restores it. The files are what reached the disk, and perhaps some of what was on its way.
    /// All connections and locks belong to a dead process now: they have no effect any more.
    public func powerCut() { disk.withLock { $0.powerCut() } }

    /// The process was killed: files are as it left them, its locks are gone. As with ``powerCut()``, what is still held
    /// of it has no effect.
    public func crash() { disk.withLock { $0.crash() } }

    // MARK: Counting and looking

    /// Syncs so far.
    public var syncCount: Int { disk.withLock { $0.counts[.sync, default: 0] } }
    /// Operations that changed something (or should have) so far, of all kinds: the bound for "at every n".
    public var operationCount: Int { disk.withLock { $0.counts.reduce(0) { $0 + ($1.key == .read ? 0 : $1.value) } } }
    /// Operations of one kind so far.
    public func count(_ kind: Kind) -> Int { disk.withLock { $0.counts[kind, default: 0] } }
    /// A file's bytes as the process sees them, or `nil` when it is not there.
    public func bytes(_ path: String) -> [UInt8]? {
        disk.withLock { disk in disk.entries[path].flatMap { disk.nodes[$0]?.bytes } }
    }
    /// Puts a file there, safe on disk: what a test begins with, or a restored copy.
    public func place(_ path: String, _ bytes: [UInt8]) { disk.withLock { $0.place(path, bytes) } }

    /// The bytes of an empty family's database after all migrations, as a first start leaves it on a new disk.
    package static func database(_ migrations: [Migration], now: Instant) throws(StoreFailure) -> [UInt8] {
        let disk = FaultVFS.register(name: "fresh-\(UInt64.random(in: 0 ... .max))")
        let bytes = try empty(migrations, now, disk)
        disk.unregister()
        return bytes
    }

    private static func empty(
        _ migrations: [Migration], _ now: Instant, _ disk: FaultVFS
    ) throws(StoreFailure) -> [UInt8] {
        let store = try Store(directory: "/fresh", migrations: migrations, now: now, files: .memory(disk))
        // Each start opens an epoch of its own.
        try store.database.run("DELETE FROM epochs")
        let isLeft = try store.database.first("PRAGMA wal_checkpoint(TRUNCATE)") { $0.int(0) != 0 } ?? true
        guard !isLeft, let bytes = disk.bytes("/fresh/kinwire.db") else { throw .inUse(path: "/fresh") }
        return bytes
    }
    /// All paths of files, sorted.
    public var paths: [String] { disk.withLock { $0.entries.keys.sorted() } }
}
