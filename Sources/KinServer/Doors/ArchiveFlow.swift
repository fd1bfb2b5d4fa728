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
    private var archive = Archive(.tar)
    /// The rest of the archive's end; `nil` before its last file.
    private var end: ArraySlice<UInt8>?
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
            self.archive = Archive(piece.mediaType == "application/zip" ? .zip : .tar)
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
            doorway.work(Reading(blob: blob, from: left.lowerBound, count: count))
            left = (left.lowerBound + count)..<left.upperBound
        } else if let file = files.popFirst() {
            blob = file.blob
            isReading = true
            doorway.work(
                Opening(
                    file: file, most: doorway.limits.downloadPieceBytesMax, wantsChecksum: archive.wantsChecksum))
        } else if let next {
            self.next = nil
            return next
        } else {
            // That of a ZIP file says of each file where it is: it goes in pieces, too.
            let left = end ?? archive.end[...]
            let piece = left.prefix(doorway.limits.downloadPieceBytesMax)
            end = left.dropFirst(piece.count)
            doorway.write(Array(piece))
            if end?.isEmpty == true { doorway.end() }
        }
        return nil
    }

    /// A worker has read something for it; false where that was for somebody else. `ask` asks for the next piece.
    mutating func done(_ made: any Sendable, _ doorway: Doorway, ask: (String) -> Void) -> Bool {
        switch made {
        case let more as Opening:
            doorway.work(more)
            return true
        case let opened as Opened:
            isReading = false
            guard let first = opened.first else {
                if let next = goOn(doorway) { ask(next) }
                return true
            }
            left = opened.left
            let file = opened.file
            let header = archive.header(
                file.name, bytes: left.upperBound, checksum: opened.checksum, seconds: file.at.milliseconds / 1000,
                ahead: file.ahead)
            doorway.write(header + first + filling)
            return true
        case let read as Read:
            isReading = false
            guard let bytes = read.bytes else {
                doorway.breakOff()
                return true
            }
            doorway.write(bytes + filling)
            return true
        default: return false
        }
    }

    /// What follows what was just read: something behind a file's last byte.
    private var filling: [UInt8] { left.isEmpty ? archive.filling(left.upperBound) : [] }

    // MARK: On a worker

    /// The beginning of a file, and what its header says of it. Of a long one that takes several jobs, so that others' work
    /// comes between them.
    private struct Opening: DoorWork {
        let file: ArchivedFile
        let most: Int
        let wantsChecksum: Bool
        /// The sum so far, and of how many bytes.
        var checksum: UInt32 = 0
        var summed = 0

        private static let jobBytes = 16 << 20

        func run(at blobs: Blobs) -> any Sendable {
            guard let look = (try? blobs.look(file.blob)) ?? nil,
                let first = (try? blobs.read(file.blob, from: 0, count: min(most, look.bytes))) ?? nil
            else { return Opened(file: file, first: nil) }
            // It stands before the bytes that it is of.
            var next = self
            if summed == 0, wantsChecksum { (next.checksum, next.summed) = (Zip.checksum(first), first.count) }
            while wantsChecksum, next.summed < look.bytes {
                guard next.summed < summed + Self.jobBytes else { return next }
                let count = min(most, look.bytes - next.summed)
                guard let piece = (try? blobs.read(file.blob, from: next.summed, count: count)) ?? nil,
                    !piece.isEmpty
                else { return Opened(file: file, first: nil) }
                next.checksum = Zip.checksum(piece, after: next.checksum)
                next.summed += piece.count
            }
            return Opened(file: file, first: first, checksum: next.checksum, left: first.count..<look.bytes)
        }
    }

    private struct Opened: Sendable {
        let file: ArchivedFile
        /// `nil`: the file is gone.
        let first: [UInt8]?
        var checksum: UInt32 = 0
        var left = 0..<0
    }

    /// A further piece of a file.
    private struct Reading: DoorWork {
        let blob: String
        let from: Int
        let count: Int

        func run(at blobs: Blobs) -> any Sendable {
            guard let piece = (try? blobs.read(blob, from: from, count: count)) ?? nil, piece.count == count else {
                return Read(bytes: nil)
            }
            return Read(bytes: piece)
        }
    }

    private struct Read: Sendable { let bytes: [UInt8]? }
}
