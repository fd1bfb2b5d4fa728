package import KinModel
import KinStore

/// Work on the whole store.
package enum HouseWork: SlowWork {
    /// Write a backup archive into the data directory's `backups`, with the moment it was made at inside.
    case backup(name: String, at: Instant)
    /// Check the database, the blobs and the folder: a sentence for each problem.
    case check

    /// A file that was written.
    package struct File: Sendable {
        /// Where it lies.
        package let path: String
        /// Its size.
        package let bytes: Int64

        package init(path: String, bytes: Int64) {
            self.path = path
            self.bytes = bytes
        }
    }

    package var sort: WorkSort { .long }

    package func run(at place: borrowing Workplace) -> SlowResult {
        guard let store = place.store else { return .failed("There is no store here to work on.") }
        do throws(StoreFailure) {
            switch self {
            case .backup(let name, let at):
                let (path, bytes) = try store.backUp(as: name, at: at)
                return .made(File(path: path, bytes: bytes))
            case .check: return .made(try store.problems())
            }
        } catch {
            if case .check = self { return .made([error.sentence]) }
            return .failed(error.sentence)
        }
    }
}
