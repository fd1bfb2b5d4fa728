import KinCodec
import KinKeeper
import KinModel
import KinStore

/// A file on its way to a client, piece by piece: the client has one piece, and the next is read meanwhile. Permission
/// was checked when it was asked for. When the file is removed meanwhile, the answer ends early.
struct Download {
    /// Where the bytes are.
    enum Source: Sendable {
        case blob(String)
        case installed(InstalledFile)
    }

    private let source: Source
    private let type: ServedType
    private let fileName: String?
    private let cacheControl: String
    /// The refusal where there is no file.
    private let missing: Rejection
    /// The digest of the file that was looked at.
    private var digest: [UInt8] = []
    /// The bytes that are left to be read.
    private var left = 0..<0
    /// Whether a worker reads.
    private var isReading = false
    /// A piece that was read while the client has not taken the one before.
    private var ahead: [UInt8]?
    /// Whether the client has taken everything.
    private var isHungry = true

    /// A member's picture or document. A file that browsers do not show is saved under its name, and kept in no cache: its
    /// address stands among a browser's downloads, and a cache would hand it to the next person who signs in there, or to
    /// somebody who may not see it any more. It may have another name by then, too.
    init(_ name: String, mediaType: String, called: String?, _ doorway: Doorway) {
        let type = ServedType.of(mediaType)
        self.init(
            .blob(name), type: type, fileName: called,
            cacheControl: type.isShown ? "private, max-age=31536000, immutable" : "no-store",
            missing: Rejection(.notFound, "There is no such picture."), doorway)
    }

    /// Begins: a worker looks at the file.
    init(
        _ source: Source, type: ServedType, fileName: String? = nil, cacheControl: String, missing: Rejection,
        _ doorway: Doorway
    ) {
        self.source = source
        self.type = type
        self.fileName = fileName
        self.cacheControl = cacheControl
        self.missing = missing
        let first = doorway.isHead || doorway.head.headers["Range"] != nil ? 0 : doorway.limits.downloadPieceBytesMax
        doorway.work(Opening(source: source, first: first))
    }

    /// A worker has looked, or read a piece; true where that was for a download.
    mutating func done(_ made: any Sendable, _ doorway: Doorway) -> Bool {
        switch made {
        case let opened as Opened:
            begin(opened, doorway)
            return true
        case let piece as Piece:
            isReading = false
            guard let bytes = piece.bytes, bytes.count == piece.asked else {
                doorway.breakOff()
                return true
            }
            ahead = bytes
            goOn(doorway)
            return true
        default: return false
        }
    }

    /// The client has taken everything so far.
    mutating func taken(_ doorway: Doorway) {
        isHungry = true
        goOn(doorway)
    }

    private mutating func begin(_ opened: Opened, _ doorway: Doorway) {
        guard let look = opened.look else {
            return doorway.respond(.problem(missing))
        }
        digest = look.digest
        let content = Representation(
            bytes: look.bytes, etag: Representation.etag(look.digest), type: type, fileName: fileName,
            cacheControl: cacheControl)
        switch content.plan(doorway.head) {
        case .answered(let answer): return doorway.respond(answer)
        case .whole where opened.first.count == look.bytes:
            return doorway.respond(HTTPAnswer(200, content.headers(), body: opened.first))
        case .whole:
            doorway.begin(200, content.headers(), bytes: look.bytes)
            left = 0..<look.bytes
        case .part(let part):
            doorway.begin(206, content.headers(part), bytes: part.count)
            left = part
        }
        if doorway.isHead { return doorway.end() }
        if !opened.first.isEmpty {
            ahead = opened.first
            left = opened.first.count..<left.upperBound
        }
        goOn(doorway)
    }

    private mutating func goOn(_ doorway: Doorway) {
        if isHungry, let piece = ahead {
            ahead = nil
            isHungry = false
            doorway.write(piece)
            if left.isEmpty, !isReading { return doorway.end() }
        }
        guard !isReading, ahead == nil, !left.isEmpty else { return }
        let count = min(left.count, doorway.limits.downloadPieceBytesMax)
        isReading = true
        doorway.work(Reading(source: source, digest: digest, from: left.lowerBound, count: count))
        left = (left.lowerBound + count)..<left.upperBound
    }

    // MARK: On a worker

    private struct Opening: DoorWork {
        let source: Source
        /// Bytes of the beginning that are read at once.
        let first: Int

        func run(at blobs: Blobs) -> any Sendable {
            guard let look = source.look(at: blobs) else { return Opened(look: nil, first: []) }
            guard first > 0, let bytes = source.read(look.digest, from: 0, count: min(first, look.bytes), at: blobs)
            else { return Opened(look: first > 0 ? nil : look, first: []) }
            return Opened(look: look, first: bytes)
        }
    }

    private struct Opened: Sendable {
        /// The length and digest; `nil`: the file is gone.
        let look: (bytes: Int, digest: [UInt8])?
        let first: [UInt8]
    }

    private struct Reading: DoorWork {
        let source: Source
        let digest: [UInt8]
        let from: Int
        let count: Int

        func run(at blobs: Blobs) -> any Sendable {
            Piece(asked: count, bytes: source.read(digest, from: from, count: count, at: blobs))
        }
    }

    private struct Piece: Sendable {
        let asked: Int
        let bytes: [UInt8]?
    }
}

extension Download.Source {
    fileprivate func look(at blobs: Blobs) -> (bytes: Int, digest: [UInt8])? {
        switch self {
        case .blob(let name): ((try? blobs.look(name)) ?? nil).map { ($0.bytes, $0.digest) }
        case .installed(let file): file.look()
        }
    }

    fileprivate func read(_ digest: [UInt8], from: Int, count: Int, at blobs: Blobs) -> [UInt8]? {
        switch self {
        case .blob(let name): (try? blobs.read(name, from: from, count: count)) ?? nil
        case .installed(let file): file.read(digest, from: from, count: count)
        }
    }
}
