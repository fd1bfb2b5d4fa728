internal import Synchronization

/// Bytes on their way in that are too many for memory: a file of its own beside the blobs, gone with its last owner. What
/// a crash leaves is taken away at the next start by ``Blobs/removeOrphans(keeping:)``.
///
/// A value for any thread, one at a time.
public final class Spool: Sendable {
    /// What all files of this kind hold, for a bound over them.
    final class Room: Sendable {
        private let bytes = Atomic<Int>(0)

        /// Takes room, unless that is more than there is.
        func take(_ count: Int, of bytesMax: Int) -> Bool {
            let (_, taken) = bytes.wrappingAdd(count, ordering: .acquiringAndReleasing)
            if taken <= bytesMax { return true }
            give(count)
            return false
        }

        func give(_ count: Int) { bytes.wrappingSubtract(count, ordering: .acquiringAndReleasing) }

        var taken: Int { bytes.load(ordering: .acquiring) }
    }

    /// How the files' names begin. No blob is named so, and no backup looks at them.
    static let prefix = "arriving-"

    private let directory: String
    private let path: String
    private let files: Files
    private let room: Room
    private let bytesOfAllMax: Int
    /// Bytes of the room that are this file's.
    private let taken = Atomic<Int>(0)

    init(directory: String, name: String, files: Files, room: Room, bytesOfAllMax: Int) {
        self.directory = directory
        path = directory + "/" + Self.prefix + name
        self.files = files
        self.room = room
        self.bytesOfAllMax = bytesOfAllMax
    }

    deinit {
        // A file that cannot be removed is an orphan of the next start.
        try? files.system.remove(path)
        room.give(taken.load(ordering: .acquiring))
    }

    /// Bytes of the disk that are left to others: what strangers may send takes none of the room that the log and the
    /// ballast live in.
    static let diskBytesLeft = 4 * Ballast.bytes

    /// Adds to the end; nothing is synced. False, and nothing is added, when all such files together would be too large.
    public func append(_ bytes: [UInt8]) throws(StoreFailure) -> Bool {
        guard room.take(bytes.count, of: bytesOfAllMax) else { return false }
        taken.wrappingAdd(bytes.count, ordering: .acquiringAndReleasing)
        guard files.system.room(directory) >= Self.diskBytesLeft + bytes.count else { throw .full }
        try files.system.append(path, bytes)
        return true
    }

    /// All that was added.
    public func read() throws(StoreFailure) -> [UInt8] {
        let system = files.system
        return try system.read(path, offset: 0, count: try system.size(path))
    }
}
