/// The place of the store's files. The store reaches them only through here, or through SQLite's file system of the
/// same place. So a simulation needs no disk.
public enum Files: Sendable {
    /// The machine's file system.
    case disk
    /// A simulated one, with faults.
    case memory(FaultVFS)
}

/// The operations of a file system. Paths are absolute. New files are readable by their owner only.
protocol FileSystem: Sendable {
    /// SQLite's name for it.
    var vfsName: String { get }
    /// Syncs made through SQLite and through this, in this process.
    var syncCount: Int { get }
    /// Makes a directory (0700) and those above it, or takes other users' rights from the one that is there.
    func makeDirectory(_ path: String) throws(StoreFailure)
    func exists(_ path: String) -> Bool
    /// The names in a directory, sorted.
    func list(_ directory: String) throws(StoreFailure) -> [String]
    func size(_ path: String) throws(StoreFailure) -> Int
    /// Up to `count` bytes from `offset`; fewer only at the end.
    func read(_ path: String, offset: Int, count: Int) throws(StoreFailure) -> [UInt8]
    /// Makes the file if it is not there, without touching what is in it.
    func touch(_ path: String) throws(StoreFailure)
    /// Adds to the end; makes the file if it is not there.
    func append(_ path: String, _ bytes: [UInt8]) throws(StoreFailure)
    /// The same with several pieces, one after the other. `isToBeSynced`: the disk begins to write them, so that little
    /// is left to do for the sync that follows some time later.
    func append(_ path: String, pieces: [[UInt8]], isToBeSynced: Bool) throws(StoreFailure)
    /// Writes over bytes that the file has.
    func overwrite(_ path: String, at offset: Int, _ bytes: [UInt8]) throws(StoreFailure)
    /// Gives the file another name beside its own; there must be no file of that name.
    func link(_ path: String, as other: String) throws(StoreFailure)
    /// How many names the file at a path has.
    func names(of path: String) throws(StoreFailure) -> Int
    /// Cuts the file off after so many bytes.
    func truncate(_ path: String, to bytes: Int) throws(StoreFailure)
    /// Syncs a file. When this returns, everything written to it is on disk.
    func sync(_ path: String) throws(StoreFailure)
    /// Names made and removed in the directory are on disk when this returns.
    func syncDirectory(_ path: String) throws(StoreFailure)
    /// Removes the file if it is there.
    func remove(_ path: String) throws(StoreFailure)
    /// Removes an empty directory if it is there.
    func removeDirectory(_ path: String) throws(StoreFailure)
    /// Renames the file; a file that had the new name is replaced.
    func rename(_ path: String, to new: String) throws(StoreFailure)
    /// Takes that much room on the disk for the file.
    func reserve(_ path: String, bytes: Int) throws(StoreFailure)
    /// Room left on the disk of a directory, in bytes.
    func room(_ directory: String) -> Int
    /// Writes the file's bytes again in place, which needs no room, and syncs it.
    func rewrite(_ path: String) throws(StoreFailure)
    /// The identity of the file at a path; `nil` where there is none.
    func identity(_ path: String) -> FileIdentity?
    /// Locks a file for this process; `inUse` when another has it.
    func lock(_ path: String, of directory: String) throws(StoreFailure) -> FileLock
    /// Random bytes: unpredictable on a machine, from the seed in a simulation.
    func random(_ count: Int) -> [UInt8]
}

/// The identity of a file, whatever its name becomes.
struct FileIdentity: Equatable, Sendable {
    let device: UInt64
    let number: UInt64
}

extension FileSystem {
    func append(_ path: String, pieces: [[UInt8]], isToBeSynced: Bool) throws(StoreFailure) {
        for piece in pieces { try append(path, piece) }
    }
}

extension Files {
    var system: any FileSystem {
        switch self {
        case .disk: DiskFiles()
        case .memory(let disk): disk
        }
    }
}
