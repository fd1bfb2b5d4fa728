internal import KinCrypto

/// Uploads that are not whole yet: files beside the blobs, under names that no blob has. A row of the database names each,
/// so that it outlives the daemon; what no row names is taken away at the start, as orphans are. No backup holds them.
extension Blobs {
    /// How the files' names begin.
    static let unfinishedPrefix = "unfinished-"

    /// What became of bytes that were to be added.
    public enum Added: Sendable, Equatable {
        /// They are in the file.
        case written
        /// The file does not end there but after so many bytes: nothing was written.
        case endsElsewhere(Int)
    }

    /// A name for a new one, of random bytes.
    public static func unfinishedName(_ random: [UInt8]) -> String { unfinishedPrefix + Hex.encode(random) }

    /// Whether a name is that of an upload that is not whole.
    public static func isUnfinished(_ name: String) -> Bool {
        name.hasPrefix(unfinishedPrefix) && isName(String(name.dropFirst(unfinishedPrefix.count)))
    }

    /// Makes its file, which holds nothing yet. Only what has a row may: bytes on their way to one that was cancelled find
    /// no file, and make none.
    public func begin(unfinished name: String) throws(StoreFailure) {
        guard Self.isUnfinished(name) else { return }
        try files.system.touch(path(name))
    }

    /// How much of it has arrived. It is on disk when this returns, so that a crash takes back nothing that was said.
    public func arrived(_ name: String) throws(StoreFailure) -> Int {
        let system = files.system
        guard Self.isUnfinished(name) else { return 0 }
        // A crash may have taken a file that was only begun.
        if !system.exists(path(name)) { try begin(unfinished: name) }
        try system.sync(path(name))
        try system.syncDirectory(directory)
        return try system.size(path(name))
    }

    /// Adds to the end, which must be at `offset`; nothing is synced.
    public func add(_ bytes: [UInt8], to name: String, at offset: Int) throws(StoreFailure) -> Added {
        let system = files.system
        guard Self.isUnfinished(name), system.exists(path(name)) else { return .endsElsewhere(0) }
        let end = try system.size(path(name))
        guard end == offset else { return .endsElsewhere(end) }
        guard system.room(directory) >= Spool.diskBytesLeft + bytes.count else { throw .full }
        try system.append(path(name), bytes)
        return .written
    }

    /// Bytes of it from an offset on, fewer only at its end.
    public func readUnfinished(_ name: String, from offset: Int, count: Int) throws(StoreFailure) -> [UInt8] {
        guard Self.isUnfinished(name) else { return [] }
        return try files.system.read(path(name), offset: offset, count: count)
    }

    /// One that is whole by now, to be read by whoever asked for it. The file stays until its row goes.
    public func whole(_ name: String) -> Spool {
        Spool(reading: path(name), directory: directory, files: files, room: arriving)
    }

    /// The names of all.
    public func unfinished() throws(StoreFailure) -> [String] {
        try files.system.list(directory).filter(Self.isUnfinished)
    }
}
