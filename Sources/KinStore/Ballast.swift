/// Disk space kept for bad days. The ballast is a file that is given up when the disk is full, so that deleting
/// something and switching sharing off still work. It is made again when there is room. A second, spare file is given
/// up only at a start: SQLite needs room to open a database at all, and other programs may have taken what the ballast
/// left.
final class Ballast {
    /// 4 MiB: thousands of small transactions.
    static let bytes = 4 << 20
    /// 1 MiB: the index of the WAL, the new epoch, and some hundred small transactions.
    static let spareBytes = 1 << 20
    /// With less room than this a start gives up the ballast, and with less than half of it the spare.
    static let startBytesMin = 1 << 20

    private let path: String
    private let spare: String
    private let directory: String
    private let files: any FileSystem
    /// Whether it was given up: the disk is full.
    private(set) var isGivenUp = false

    /// Makes room for opening the database, where there is none.
    init(directory: String, files: any FileSystem) {
        self.directory = directory
        self.files = files
        path = directory + "/ballast"
        spare = directory + "/ballast-spare"
        if files.room(directory) < Self.startBytesMin { giveUp() }
        if files.room(directory) < Self.startBytesMin / 2 { try? files.remove(spare) }
        restore()
    }

    func giveUp() {
        isGivenUp = true
        try? files.remove(path)
    }

    /// Takes the room (again), if the disk then has at least as much left.
    func restore() {
        guard take(path, Self.bytes) else { return giveUp() }
        isGivenUp = false
        _ = take(spare, Self.spareBytes)
    }

    /// Whether the file has its room.
    private func take(_ path: String, _ bytes: Int) -> Bool {
        if files.exists(path), (try? files.size(path)) == bytes { return true }
        guard files.room(directory) >= bytes + Self.bytes else { return false }
        do throws(StoreFailure) { try files.reserve(path, bytes: bytes) } catch {
            try? files.remove(path)
            return false
        }
        return true
    }
}
