public import KinModel

/// What a backup holds.
public struct BackupSummary: Sendable, Equatable {
    /// When it was made.
    public let at: Instant
    /// The log's position in it.
    public let position: Int64
    /// The last migration applied to it.
    public let migration: Int
    /// How many blobs are in it.
    public let blobs: Int
    /// Its size in bytes, all parts together.
    public let bytes: Int
}

/// The whole family in one file: an uncompressed tar archive (POSIX ustar) with the database, the blobs, a few words in
/// `about.txt`, and `SHA256SUMS` over them, so that a person can open and check it anywhere.
public enum Backup {
    /// Writes a backup while the daemon runs: on a worker, through a connection of its own. Replaces `path` only when the
    /// archive is whole and on disk.
    public static func write(
        _ source: ReaderSource, blobs: Blobs, to path: String, now: Instant
    ) throws(StoreFailure) -> BackupSummary {
        fatalError("next")
    }
    /// Reads a backup through: every sum, and the database's own integrity. `scratch` is a directory where it may be
    /// unpacked meanwhile.
    public static func verify(_ path: String, scratch: String, files: Files = .disk) throws(StoreFailure)
        -> BackupSummary
    {
        fatalError("next")
    }
    /// Unpacks a backup into a directory that is not there yet or empty, checking every sum on the way.
    public static func extract(_ path: String, into directory: String, files: Files = .disk) throws(StoreFailure)
        -> BackupSummary
    {
        fatalError("next")
    }
}
