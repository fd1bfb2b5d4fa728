import KinFamily
import KinKeeper
import KinLoop
package import KinModel
package import KinStore

/// A worker's access to the store: a reading connection of its own, the blobs, and the backups' folder. Confined to its
/// thread; a ``Source`` opens one on another thread.
package final class StoreReader: StoreDesk {
    /// The place that a reader is opened from, on the thread that will use it.
    package struct Source: Sendable {
        let database: ReaderSource
        let blobs: Blobs
        let directory: String
        let files: KinStore.Files

        package init(database: ReaderSource, blobs: Blobs, directory: String, files: KinStore.Files) {
            self.database = database
            self.blobs = blobs
            self.directory = directory
            self.files = files
        }

        package func open() throws(StoreFailure) -> StoreReader { StoreReader(self, try database.open()) }
    }

    package private(set) var database: Database
    let blobs: Blobs
    private let source: Source
    /// Other connections, made at the first use: opening one costs as much as ten queries.
    private var desks: [String: Database] = [:]

    init(_ source: Source, _ database: Database) {
        self.source = source
        self.database = database
        blobs = source.blobs
    }

    /// Frees database pages that were kept.
    func rest() {
        database.releaseMemory()
        for desk in desks.values { desk.releaseMemory() }
    }

    /// Bytes free on the disk below which a person should be told.
    static let roomBytesMin = 256 << 20

    /// Pictures that the database names and the folder does not hold.
    private func blobProblems() throws(StoreFailure) -> [String] {
        let there = Set(try blobs.all())
        var missing = 0
        for area in Registry.family.areas {
            guard let named = area.blobs else { continue }
            missing += try named(database).count { !there.contains($0) && !Blobs.isUnfinished($0) }
        }
        return missing == 0 ? [] : ["\(missing) pictures are missing from the folder; restore a backup."]
    }

    /// Problems with the folder on disk: other users may read it, or there is little room.
    private var folderProblems: [String] {
        guard case .disk = source.files else { return [] }
        var problems: [String] = []
        for (path, mask) in [(source.directory, UInt32(0o077)), (source.directory + "/kinwire.db", 0o077)] {
            guard let mode = KinLoop.Files.mode(of: path) else {
                problems.append("\(path) cannot be looked at.")
                continue
            }
            if mode & mask != 0 { problems.append("Others on this machine may read \(path): chmod go= \(path)") }
        }
        if let room = KinLoop.Files.freeBytes(at: source.directory), room < Self.roomBytesMin {
            problems.append("Only \(room >> 20) MiB are free on the disk of \(source.directory).")
        }
        return problems
    }

    // MARK: For work

    package func desk(
        _ name: String, open: (ReaderSource) throws(StoreFailure) -> Database
    ) throws(StoreFailure) -> Database {
        if let desk = desks[name] { return desk }
        let desk = try open(source.database)
        desks[name] = desk
        return desk
    }

    package func renew() {
        // When this fails too, the next read reports it.
        if let fresh = try? source.database.open() { database = fresh }
    }

    package func reopen(_ name: String) { desks[name] = nil }

    package func backUp(as name: String, at: Instant) throws(StoreFailure) -> (path: String, bytes: Int64) {
        let folder = source.directory + "/backups"
        // A folder that cannot be made is reported by the write that fails next.
        try? KinLoop.Files.makeDirectory(folder, mode: 0o700)
        let path = folder + "/" + name
        let summary = try Backup.write(source.database, blobs: blobs, to: path, now: at)
        return (path, Int64(summary.bytes))
    }

    package func problems() throws(StoreFailure) -> [String] {
        try Integrity.check(database) + blobProblems() + folderProblems
    }
}
