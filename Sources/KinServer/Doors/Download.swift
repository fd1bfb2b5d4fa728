import KinCodec
import KinKeeper
import KinModel
import KinStore

/// A blob on its way to a client, piece by piece: one piece with the client, and one that is read meanwhile. It was judged
/// when it was asked for; a blob that is removed meanwhile ends the answer before its end.
struct Download {
    private let name: String
    private let mediaType: String
    /// What is left to be read.
    private var left = 0..<0
    /// A worker reads.
    private var isReading = false
    /// What was read, and the client has not taken what comes before.
    private var ahead: [UInt8]?
    /// The client has taken everything.
    private var isHungry = true

    /// Begins: a worker looks at the blob.
    init(_ name: String, mediaType: String, _ doorway: Doorway) {
        self.name = name
        self.mediaType = mediaType
        let first = doorway.isHead || doorway.head.headers["Range"] != nil ? 0 : doorway.limits.downloadPieceBytesMax
        doorway.work(Opening(name: name, first: first))
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

    /// The client has taken what there was.
    mutating func taken(_ doorway: Doorway) {
        isHungry = true
        goOn(doorway)
    }

    private mutating func begin(_ opened: Opened, _ doorway: Doorway) {
        guard let look = opened.look else {
            return doorway.respond(.problem(Rejection(.notFound, "There is no such picture.")))
        }
        let content = Representation(
            bytes: look.bytes, etag: Representation.etag(look.digest), type: .of(mediaType),
            cacheControl: "private, max-age=31536000, immutable")
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
        doorway.work(Reading(name: name, from: left.lowerBound, count: count))
        left = (left.lowerBound + count)..<left.upperBound
    }

    // MARK: On a worker

    private struct Opening: DoorWork {
        let name: String
        /// Bytes of the beginning that are wanted at once.
        let first: Int

        func run(at blobs: Blobs) -> any Sendable {
            guard let look = (try? blobs.look(name)) ?? nil else { return Opened(look: nil, first: []) }
            guard first > 0, let bytes = (try? blobs.read(name, from: 0, count: min(first, look.bytes))) ?? nil else {
                return Opened(look: first > 0 ? nil : look, first: [])
            }
            return Opened(look: look, first: bytes)
        }
    }

    private struct Opened: Sendable {
        /// `nil`: it is gone.
        let look: Blobs.Look?
        let first: [UInt8]
    }

    private struct Reading: DoorWork {
        let name: String
        let from: Int
        let count: Int

        func run(at blobs: Blobs) -> any Sendable {
            Piece(asked: count, bytes: (try? blobs.read(name, from: from, count: count)) ?? nil)
        }
    }

    private struct Piece: Sendable {
        let asked: Int
        let bytes: [UInt8]?
    }
}
