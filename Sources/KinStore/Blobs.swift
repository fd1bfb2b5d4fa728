internal import Synchronization
internal import KinCrypto

/// Bytes too large for the database, a file each under a random name: pictures. A value for any thread.
///
/// Order: a blob is put before the transaction that names it commits, and removed after the transaction that no longer
/// names it has committed (``Store/removeAfterCommit(blob:)`` does that). What a crash leaves in between is an orphan,
/// taken away by ``removeOrphans(keeping:)`` at the next start.
public struct Blobs: Sendable {
    let directory: String
    let files: Files
    /// The count of backups that are reading. While there is one, nothing is removed.
    let holds: Holds
    /// Content that is arriving, in files that are no blobs yet.
    let arriving = Spool.Room()
    let digests = Digests()
    /// Files whose last sync failed: uploads of which nothing was taken back yet, and content that becomes no blob.
    let doubted = Names()
    /// Held while an upload is synced: two syncs of one file would each be told of half a failure.
    let syncing = Locks()
    /// Held while bytes are added to an upload, or taken back from it.
    let changing = Locks()
    /// Uploads whose place in the folder is on the disk.
    let placed = Names()

    final class Holds: Sendable {
        private let count = Atomic<Int>(0)
        func begin() { count.wrappingAdd(1, ordering: .acquiringAndReleasing) }
        func end() { count.wrappingSubtract(1, ordering: .acquiringAndReleasing) }
        var areHeld: Bool { count.load(ordering: .acquiring) > 0 }
    }

    /// A lock for each name: a disk that is slow with one file keeps nobody from another.
    final class Locks: Sendable {
        private final class Lock: Sendable {
            let mutex = Mutex(())
        }

        private struct Held {
            var lock = Lock()
            /// How many hold it or wait for it.
            var users = 0
        }

        private let held = Mutex<[String: Held]>([:])

        func hold<T: Sendable>(_ name: String, _ body: () throws(StoreFailure) -> T) throws(StoreFailure) -> T {
            let lock: Lock = held.withLock { held in
                var one = held[name] ?? Held()
                one.users += 1
                held[name] = one
                return one.lock
            }
            defer {
                held.withLock { held in
                    held[name]?.users -= 1
                    if held[name]?.users == 0 { held[name] = nil }
                }
            }
            return try lock.mutex.withLock { (_) throws(StoreFailure) in try body() }
        }

        /// How many names are held or waited for.
        var count: Int { held.withLock { $0.count } }
    }

    final class Names: Sendable {
        private let names = Mutex<Set<String>>([])
        func insert(_ name: String) { names.withLock { _ = $0.insert(name) } }
        func remove(_ name: String) { names.withLock { _ = $0.remove(name) } }
        func contains(_ name: String) -> Bool { names.withLock { $0.contains(name) } }
    }

    init(directory: String, files: Files) throws(StoreFailure) {
        self.directory = directory
        self.files = files
        holds = Holds()
        try files.system.makeDirectory(directory)
    }

    /// Stores bytes; they and their name are on disk when this returns. Returns the name: 32 lower-case hex digits.
    public func put(_ bytes: [UInt8]) throws(StoreFailure) -> String {
        let system = files.system
        let name = Hex.encode(system.random(16))
        do throws(StoreFailure) {
            try system.append(path(name), bytes)
            try system.sync(path(name))
            try system.syncDirectory(directory)
        } catch {
            try? system.remove(path(name))
            throw error
        }
        return name
    }

    /// A new file for an owner's bytes that arrive piece by piece, while such files hold at most so many bytes.
    public func spool(of owner: String, _ most: Spool.Most) -> Spool {
        Spool(
            directory: directory, name: Hex.encode(files.system.random(16)), files: files, room: arriving,
            doubted: doubted, owner: owner, most: most)
    }

    /// Bytes that are arriving, in all such files.
    public var arrivingBytes: Int { arriving.taken }

    /// The bytes under a name; `nil` when there are none.
    public func get(_ name: String) throws(StoreFailure) -> [UInt8]? {
        let system = files.system
        guard Self.isName(name), system.exists(path(name)) else { return nil }
        return try system.read(path(name), offset: 0, count: try system.size(path(name)))
    }

    /// Removes a blob, if it is there. Only when no committed row names it any more.
    public func remove(_ name: String) throws(StoreFailure) {
        if Self.isUnfinished(name) { return try remove(unfinished: name) }
        guard Self.isName(name) else { return }
        try files.system.remove(path(name))
    }

    /// Every name, sorted.
    public func all() throws(StoreFailure) -> [String] { try files.system.list(directory).filter(Self.isName) }

    /// Removes every blob that no row names, and content that had not arrived completely. Called at the start, before
    /// anything else. Returns how many blobs were removed.
    @discardableResult
    public func removeOrphans(keeping named: Set<String>) throws(StoreFailure) -> Int {
        let orphans = try all().filter { !named.contains($0) }
        for name in orphans { try remove(name) }
        for name in try unfinished() where !named.contains(name) { try remove(name) }
        try cutUnfinished(keeping: named)
        for name in try files.system.list(directory) where name.hasPrefix(Spool.prefix) {
            try files.system.remove(path(name))
        }
        return orphans.count
    }

    func path(_ name: String) -> String { directory + "/" + name }

    static func isName(_ text: String) -> Bool {
        text.utf8.count == 32
            && text.utf8.allSatisfy {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
            }
    }
}
