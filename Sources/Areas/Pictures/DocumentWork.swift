public import KinKeeper
import KinStore

/// Keeps a document as the file in which it arrived. Nothing of it is opened, and nothing is changed.
public enum DocumentWork: SlowWork {
    /// A document whose bytes came in the request.
    case bytes([UInt8])
    /// A document that came as a file.
    case parcel(Parcel)

    /// The result.
    struct Made: MadeOfFile {
        let bytes: Int64
        /// The blob that holds the document; `nil` for a document in memory.
        let blob: String?
        let content: [UInt8]
    }

    /// The workers that do it.
    public var sort: WorkSort { .picture }

    /// Keeps the document.
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

    /// The sentence for a file that cannot be read.
    static let unread = "The document could not be read; try again."
}
