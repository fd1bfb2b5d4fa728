internal import Glibc
internal import KinCrypto
internal import Synchronization

/// Incoming bytes that are too many for memory: a file of its own beside the blobs, removed with its last owner. A file
/// that a crash leaves is removed at the next start by ``Blobs/removeOrphans(keeping:)``.
///
/// An object for any thread, one at a time.
public final class Spool: Sendable {
    /// The bytes in all files of this kind, which are bounded in all and for each owner.
    final class Room: Sendable {
        private struct Taken {
            var bytes = 0
            /// The bytes of each owner that has any.
            var owners: [String: Int] = [:]
        }

        private let state = Mutex(Taken())

        /// Takes room, unless there is not enough.
        func take(_ count: Int, for owner: String, _ most: Most) -> Appended {
            state.withLock { state in
                let own = state.owners[owner, default: 0] + count
                guard own <= most.bytesOfOne else { return .ownRoomIsFull }
                guard state.bytes + count <= most.bytesOfAll else { return .roomIsFull }
                state.bytes += count
                state.owners[owner] = own
                return .written
            }
        }

        func give(_ count: Int, of owner: String) {
            guard count > 0 else { return }
            state.withLock { state in
                state.bytes -= count
                let left = state.owners[owner, default: 0] - count
                state.owners[owner] = left > 0 ? left : nil
            }
        }

        var taken: Int { state.withLock { $0.bytes } }
    }

    /// How much such files may hold.
    public struct Most: Sendable {
        /// All of them.
        let bytesOfAll: Int
        /// Those of one owner.
        let bytesOfOne: Int

        /// Both in bytes.
        public init(bytesOfAll: Int, bytesOfOne: Int) {
            self.bytesOfAll = bytesOfAll
            self.bytesOfOne = bytesOfOne
        }
    }

    /// The outcome of adding bytes.
    public enum Appended: Sendable {
        /// They are in the file.
        case written
        /// They are not: the owner's files together would be too large.
        case ownRoomIsFull
        /// They are not: all files together would be too large.
        case roomIsFull
    }

    /// The prefix of the files' names. No blob has it, and backups ignore such files.
    static let prefix = "arriving-"

    private let directory: String
    private let name: String
    private let path: String
    private let files: Files
    private let room: Room
    /// Files whose last sync failed.
    private let doubted: Blobs.Names
    /// Held while an upload's file is synced; `nil` for a file that nobody else syncs.
    private let syncing: Blobs.Locks?
    /// The length that it must have to become a blob, where that is known beforehand.
    private let bytes: Int?
    private let owner: String
    private let most: Most
    /// Whether the file belongs to something else, and stays.
    private let isBorrowed: Bool
    /// Bytes of the room that this file takes.
    private let taken = Atomic<Int>(0)

    init(
        directory: String, name: String, files: Files, room: Room, doubted: Blobs.Names, owner: String, most: Most
    ) {
        self.directory = directory
        self.name = Self.prefix + name
        path = directory + "/" + self.name
        self.files = files
        self.room = room
        self.doubted = doubted
        syncing = nil
        bytes = nil
        self.owner = owner
        self.most = most
        isBorrowed = false
    }

    /// The content of a file that belongs to something else, for reading.
    init(
        reading name: String, bytes: Int?, directory: String, files: Files, room: Room, doubted: Blobs.Names,
        syncing: Blobs.Locks
    ) {
        self.bytes = bytes
        self.directory = directory
        self.name = name
        path = directory + "/" + name
        self.files = files
        self.room = room
        self.doubted = doubted
        self.syncing = syncing
        owner = ""
        most = Most(bytesOfAll: 0, bytesOfOne: 0)
        isBorrowed = true
    }

    deinit {
        if isBorrowed { return }
        // A file that cannot be removed is an orphan of the next start.
        try? files.system.remove(path)
        doubted.remove(name)
        room.give(taken.load(ordering: .acquiring), of: owner)
    }

    /// Bytes of the disk that are left free: strangers' bytes must not take the room that the log and the ballast need.
    static let diskBytesLeft = 4 * Ballast.bytes

    /// Adds to the end, unless there is no room; nothing is synced.
    public func append(_ bytes: [UInt8]) throws(StoreFailure) -> Appended {
        let answer = room.take(bytes.count, for: owner, most)
        guard answer == .written else { return answer }
        taken.wrappingAdd(bytes.count, ordering: .acquiringAndReleasing)
        guard files.system.room(directory) >= Self.diskBytesLeft + bytes.count else { throw .full }
        try files.system.append(path, bytes)
        return .written
    }

    /// How long it is.
    public func count() throws(StoreFailure) -> Int { try files.system.size(path) }

    /// Writes over bytes that it has; nothing is synced.
    public func overwrite(at offset: Int, _ bytes: [UInt8]) throws(StoreFailure) {
        try files.system.overwrite(path, at: offset, bytes)
    }

    /// Makes a blob of it without a copy: the same file gets another name. When this returns, name and content are on the
    /// disk. A blob that no committed row names is deleted at the next start. Answers `nil` if the file has not this
    /// length: somebody added to it meanwhile, or something was taken back.
    ///
    /// A file whose sync failed once never becomes a blob: Linux drops the pages that it could not write, and the next
    /// sync would succeed without them. The part of an upload that may be lost is taken back, and sent again.
    public func becomeBlob(bytes: Int) throws(StoreFailure) -> String? {
        guard !doubted.contains(self.name) else { throw .io(code: EIO) }
        let system = files.system
        let name = Hex.encode(system.random(16))
        let blob = directory + "/" + name
        do throws(StoreFailure) {
            // From here on nothing is added to the file of an upload; what was on its way is taken back (`Blobs.add`).
            try system.link(path, as: blob)
            if let syncing {
                try syncing.hold(self.name) { () throws(StoreFailure) in try syncContent() }
            } else {
                try syncContent()
            }
            try system.syncDirectory(directory)
            if bytes == self.bytes ?? bytes, try system.size(path) == bytes { return name }
        } catch {
            try? system.remove(blob)
            throw error
        }
        try? system.remove(blob)
        return nil
    }

    /// Another sync of the file may have failed since the link was made.
    private func syncContent() throws(StoreFailure) {
        guard !doubted.contains(name) else { throw .io(code: EIO) }
        do throws(StoreFailure) { try files.system.sync(path) } catch {
            doubted.insert(name)
            throw error
        }
    }

    /// All that was added.
    public func read() throws(StoreFailure) -> [UInt8] {
        let system = files.system
        return try system.read(path, offset: 0, count: try system.size(path))
    }

    /// Bytes of it from an offset on, fewer only at its end.
    public func read(from offset: Int, count: Int) throws(StoreFailure) -> [UInt8] {
        try files.system.read(path, offset: offset, count: count)
    }
}
