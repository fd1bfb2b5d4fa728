public import KinKeeper
import KinStore

/// Keeps a document as the file in which it arrived. Nothing of it is opened, and nothing is changed.
public enum DocumentWork: SlowWork {
    /// One that came in the request.
    case bytes([UInt8])
    /// One that came as a file.
    case parcel(Parcel)

    /// What became of it.
    struct Made: MadeOfFile {
        let bytes: Int64
        /// Where it is; `nil` for one in memory.
        let blob: String?
        let content: [UInt8]
    }

    /// Who does it.
    public var sort: WorkSort { .picture }

    /// Does it.
    public func run(at place: borrowing Workplace) -> SlowResult {
        switch self {
        case .bytes(let bytes): return .made(Made(bytes: Int64(bytes.count), blob: nil, content: bytes))
        case .parcel(let parcel):
            guard let spool = parcel.spool, let count = try? spool.count(),
                let blob = try? spool.becomeBlob(bytes: count)
            else { return .failed(Self.unread) }
            return .made(Made(bytes: Int64(count), blob: blob, content: []))
        }
    }

    /// What is said where the file cannot be read.
    static let unread = "The document could not be read; try again."
}
