/// Room kept for bad days: a file that is given up when the disk is full, so that deleting something and switching
/// sharing off still work; made again when there is room.
final class Ballast {
    /// 4 MiB: thousands of small transactions.
    static let bytes = 4 << 20

    private let path: String
    private let directory: String
    private let files: any FileSystem
    /// It was given up: the disk is full.
    private(set) var isGivenUp = false

    init(directory: String, files: any FileSystem) {
        self.directory = directory
        self.files = files
        path = directory + "/ballast"
        restore()
    }

    func giveUp() {
        isGivenUp = true
        try? files.remove(path)
    }

    /// Takes the room (again), if that leaves as much free.
    func restore() {
        if files.exists(path), (try? files.size(path)) == Self.bytes {
            isGivenUp = false
            return
        }
        guard files.room(directory) >= 2 * Self.bytes else {
            giveUp()
            return
        }
        do throws(StoreFailure) {
            try files.reserve(path, bytes: Self.bytes)
            isGivenUp = false
        } catch {
            giveUp()
        }
    }
}
