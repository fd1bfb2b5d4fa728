import KinCodec
import KinKeeper
import KinModel
import KinStore

/// An archive on its way to a client. It is made while it is sent: one piece of one file is in memory, however many files
/// there are and however slow the client is. A file that is gone by its turn is left out; one that goes while it is sent
/// breaks the answer off.
struct ArchiveFlow {
    /// Files that are still to be sent, of the piece that was asked for last.
    private var files: ArraySlice<ArchivedFile> = []
    /// The parameter for the piece behind it.
    private var next: String?
    /// The blob that is being sent, and what is left of it.
    private var blob = ""
    private var left = 0..<0
    /// Whether a worker reads.
    private var isReading = false

    /// Takes a piece: begins the answer with the first.
    mutating func take(_ piece: FilePiece, _ doorway: Doorway) {
        files = (piece.files ?? [])[...]
        next = piece.next
        if !doorway.exchange.isBegun {
            let archive = Representation(
                bytes: 0, etag: nil, type: .of(piece.mediaType), fileName: piece.fileName, cacheControl: "no-store")
            if case .answered(let answer) = archive.plan(doorway.head) { return doorway.respond(answer) }
            doorway.begin(200, archive.headers())
            if doorway.isHead { return doorway.end() }
        }
        _ = goOn(doorway)
    }

    /// The client has taken everything so far. Answers the parameter for the next piece when that is to be asked for.
    mutating func taken(_ doorway: Doorway) -> String? { goOn(doorway) }

    private mutating func goOn(_ doorway: Doorway) -> String? {
        guard !isReading else { return nil }
        if !left.isEmpty {
            let count = min(left.count, doorway.limits.downloadPieceBytesMax)
            isReading = true
            doorway.work(Reading(blob: blob, from: left.lowerBound, count: count, bytes: left.upperBound))
            left = (left.lowerBound + count)..<left.upperBound
        } else if let file = files.popFirst() {
            blob = file.blob
            isReading = true
            doorway.work(Opening(file: file, most: doorway.limits.downloadPieceBytesMax))
        } else if let next {
            self.next = nil
            return next
        } else {
            doorway.write(Ustar.end)
            doorway.end()
        }
        return nil
    }

    /// A worker has read something for it; false where that was for somebody else. `ask` asks for the next piece.
    mutating func done(_ made: any Sendable, _ doorway: Doorway, ask: (String) -> Void) -> Bool {
        switch made {
        case let opened as Opened:
            isReading = false
            guard let bytes = opened.bytes else {
                if let next = goOn(doorway) { ask(next) }
                return true
            }
            left = opened.left
            doorway.write(bytes)
            return true
        case let read as Read:
            isReading = false
            guard let bytes = read.bytes else {
                doorway.breakOff()
                return true
            }
            doorway.write(bytes)
            return true
        default: return false
        }
    }

    // MARK: On a worker

    /// The header of a file, with the beginning of its bytes.
    private struct Opening: DoorWork {
        let file: ArchivedFile
        let most: Int

        func run(at blobs: Blobs) -> any Sendable {
            guard let look = (try? blobs.look(file.blob)) ?? nil,
                let first = (try? blobs.read(file.blob, from: 0, count: min(most, look.bytes))) ?? nil
            else { return Opened(bytes: nil, left: 0..<0) }
            var bytes = Ustar.header(file.name, bytes: look.bytes, seconds: file.at.milliseconds / 1000) + first
            if first.count == look.bytes { bytes += Ustar.filling(look.bytes) }
            return Opened(bytes: bytes, left: first.count..<look.bytes)
        }
    }

    private struct Opened: Sendable {
        /// `nil`: the file is gone.
        let bytes: [UInt8]?
        let left: Range<Int>
    }

    /// A further piece of a file; with its last one what fills up the block.
    private struct Reading: DoorWork {
        let blob: String
        let from: Int
        let count: Int
        /// Bytes of the whole file.
        let bytes: Int

        func run(at blobs: Blobs) -> any Sendable {
            guard let piece = (try? blobs.read(blob, from: from, count: count)) ?? nil, piece.count == count else {
                return Read(bytes: nil)
            }
            return Read(bytes: from + count == bytes ? piece + Ustar.filling(bytes) : piece)
        }
    }

    private struct Read: Sendable { let bytes: [UInt8]? }
}
