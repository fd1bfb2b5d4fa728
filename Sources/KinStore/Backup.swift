public import KinModel

/// The content of a backup.
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

/// The whole family in one file: an uncompressed tar archive (POSIX ustar) with the database (`kinwire.db`), the blobs
/// (`blobs/…`), a few words (`about.txt`), and at its end `SHA256SUMS` over them, so that a person can open and check it
/// anywhere: `tar xf backup.tar && sha256sum -c SHA256SUMS`.
public enum Backup {
    static let database = "kinwire.db"
    static let about = "about.txt"
    static let sums = "SHA256SUMS"
    /// Bytes read and written at a time.
    static let pieceBytes = 1 << 20
    /// A bound on the bytes of the list of sums, which is read into memory; no list is as long.
    static let sumsBytesMax = 64 << 20

    /// Writes a backup while the daemon runs: on a worker, through a connection of its own. `path` is replaced only when
    /// the archive is whole and on disk.
    @discardableResult
    public static func write(
        _ source: ReaderSource, blobs: Blobs, to path: String, now: Instant
    ) throws(StoreFailure) -> BackupSummary {
        let files = source.files.system
        let copy = path + ".db"
        let archive = path + ".part"
        defer {
            try? files.remove(copy)
            try? files.remove(archive)
        }
        // While this is held no blob is removed: so every blob that the copy names is there until it is in the archive.
        blobs.holds.begin()
        defer { blobs.holds.end() }
        try source.open().copy(to: copy, files: files)
        let names = try blobs.all()
        let summary = try describe(copy, files: files, at: now, blobs: names.count)
        try files.remove(archive)
        var writer = try BackupWriter(archive, files: files, at: now)
        try writer.add(about, Array(text(summary).utf8))
        try writer.add(database, file: copy)
        for name in names { try writer.add("blobs/" + name, file: blobs.path(name)) }
        try writer.finish()
        try files.rename(archive, to: path)
        try files.syncDirectory(directory(of: path))
        return summary
    }

    /// Reads a backup through without keeping what it unpacks: checks every sum, and the database's own integrity.
    /// `scratch` is a directory that does not exist; it is made and removed.
    public static func verify(
        _ path: String, scratch: String, files: Files = .disk
    ) throws(StoreFailure) -> BackupSummary {
        defer { try? remove(scratch, files: files.system) }
        let summary = try extract(path, into: scratch, files: files)
        let copy = try Database.open(scratch + "/" + database, .reader, files: files.system)
        let problems = try Integrity.check(copy)
        if let first = problems.first { throw .corrupt(first) }
        return summary
    }

    /// Unpacks a backup into a directory that is not there yet or empty, checking every sum on the way; all of it is on
    /// disk when this returns. What was unpacked before a failure is removed again.
    @discardableResult
    public static func extract(
        _ path: String, into directory: String, files: Files = .disk
    ) throws(StoreFailure) -> BackupSummary {
        let system = files.system
        try system.makeDirectory(directory)
        guard try system.list(directory).isEmpty else { throw .notEmpty(path: directory) }
        do throws(StoreFailure) {
            var reader = BackupReader(path, files: system)
            try reader.unpack(into: directory)
            let names = reader.found.filter { $0.hasPrefix("blobs/") }
            guard reader.found.contains(database) else { throw .badBackup("it has no database") }
            try system.syncDirectory(directory)
            let at = reader.about.flatMap(time) ?? Instant(milliseconds: 0)
            return try describe(
                directory + "/" + database, files: system, at: at, blobs: names.count, bytes: reader.bytes)
        } catch {
            try? remove(directory, files: system)
            throw error
        }
    }

    // MARK: Inside

    private static func describe(
        _ path: String, files: any FileSystem, at: Instant, blobs: Int, bytes: Int? = nil
    ) throws(StoreFailure) -> BackupSummary {
        let copy = try Database.open(path, .reader, files: files)
        let migration = try copy.first("SELECT max(number) FROM migrations") { Int($0.int(0)) } ?? 0
        let size = if let bytes { bytes } else { try files.size(path) }
        return BackupSummary(
            at: at, position: try Log.position(copy), migration: migration, blobs: blobs,
            bytes: size)
    }

    private static func text(_ summary: BackupSummary) -> String {
        """
        A backup of a family's Kinwire. To check it by hand: sha256sum -c SHA256SUMS
        To use it: kin restore
        made: \(summary.at)
        position: \(summary.position)
        migration: \(summary.migration)
        blobs: \(summary.blobs)

        """
    }

    private static func time(_ about: [UInt8]) -> Instant? {
        for line in String(decoding: about, as: UTF8.self).split(separator: "\n") where line.hasPrefix("made: ") {
            return Instant(line.dropFirst(6))
        }
        return nil
    }

    private static func remove(_ directory: String, files: any FileSystem) throws(StoreFailure) {
        for folder in [directory + "/blobs", directory] where files.exists(folder) {
            for name in try files.list(folder) where name != "blobs" { try files.remove(folder + "/" + name) }
            try files.removeDirectory(folder)
        }
    }

    static func directory(of path: String) -> String {
        path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    }
}
