import KinCodec

/// A message with a snapshot that is sent in pieces: each is made ready when the client has taken those before. On a
/// WebSocket they are the fragments of one message (RFC 6455 §5.4), elsewhere the bytes of one line or event.
///
/// Anything else for the connection comes after it. Confined to the loop's thread.
final class MessageInPieces {
    // Fixed at birth.
    let made: SnapshotMade
    /// The number of the follow that it begins.
    let follow: UInt64
    let member: Int32
    /// The moment at which its first piece was made ready, in monotonic nanoseconds.
    let begunAt: UInt64
    private let head: [UInt8]
    private let cursor: String

    // Lives across turns.
    private var next = 0
    /// Whole messages that come after it, in their envelopes.
    var behind: [UInt8] = []
    /// All of it was made ready.
    var isWritten: Bool { next == made.pieces.count }

    /// A message with a snapshot. `message` is the rest of it, with `null` in the snapshot's place, last in its params
    /// or result.
    init(_ message: [UInt8], cursor: String, _ made: SnapshotMade, of following: Following, at now: UInt64) {
        precondition(message.suffix(Self.nullAndTail.count).elementsEqual(Self.nullAndTail), "the snapshot comes last")
        head = Array(message.dropLast(Self.nullAndTail.count))
        self.cursor = cursor
        self.made = made
        follow = following.follow
        member = following.number
        begunAt = now
    }

    private static let tail = Array("}}".utf8)
    private static let nullAndTail = Array("null}}".utf8)

    /// Appends the next piece in its envelope.
    func writeNext(_ envelope: Envelope, _ deflater: Deflater, compressedBytesMin: Int, to out: inout [UInt8]) {
        let piece = made.pieces[next]
        let isFirst = next == 0
        next += 1
        if isFirst, isWritten {
            envelope.write(head + piece.plain + Self.tail, cursor: cursor, deflater, compressedBytesMin, to: &out)
            return
        }
        switch envelope {
        case .deflated(let windowBits):
            var payload =
                isFirst
                ? deflater.piece(head + piece.plain, windowBits: windowBits)
                : piece.deflated(deflater, windowBits: windowBits)
            if isWritten { payload += Deflater.stored(Self.tail) + Deflater.endOfPieces }
            WebSocketFrame.write(
                isFirst ? .text : .continuation, payload, fin: isWritten,
                reserved: isFirst ? WebSocketFrame.compressed : 0, to: &out)
        case .webSocket:
            WebSocketFrame.write(isFirst ? .text : .continuation, plain(piece, isFirst), fin: isWritten, to: &out)
        case .line:
            out += plain(piece, isFirst)
            if isWritten { out.append(0x0A) }
        case .ndjson: HTTPChunk.write(plain(piece, isFirst) + (isWritten ? [0x0A] : []), to: &out)
        case .foreign: break
        case .serverSentEvent:
            // Our JSON writer makes no line breaks.
            var event = isFirst ? Array("id: \(cursor)\ndata: ".utf8) : []
            event += plain(piece, isFirst)
            if isWritten { event += [0x0A, 0x0A] }
            HTTPChunk.write(event, to: &out)
        }
    }

    private func plain(_ piece: SnapshotMade.Piece, _ isFirst: Bool) -> [UInt8] {
        (isFirst ? head : []) + piece.plain + (isWritten ? Self.tail : [])
    }
}
