import KinCodec

/// A snapshot as bytes, in the pieces of one message. It is made once and sent to everybody who asked for the same. Of
/// a long one all pieces but the first are kept compressed until they are sent.
package final class SnapshotMade: Sendable {
    /// Some of the bytes.
    enum Piece: Sendable {
        case plain([UInt8])
        /// Compressed by ``Deflater/piece(_:windowBits:)`` with the largest window; and the count of plain bytes.
        case deflated([UInt8], count: Int)

        /// Bytes that it takes.
        var bytesHeld: Int {
            switch self {
            case .plain(let bytes): bytes.count
            case .deflated(let bytes, _): bytes.count
            }
        }

        /// The bytes as they are.
        var plain: [UInt8] {
            switch self {
            case .plain(let bytes): return bytes
            case .deflated(let bytes, let count):
                guard let plain = Deflater.unpacked(bytes, count: count) else {
                    preconditionFailure("a piece unpacks to what it was packed from")
                }
                return plain
            }
        }

        /// The bytes as a piece of a compressed message.
        func deflated(_ deflater: Deflater, windowBits: UInt8) -> [UInt8] {
            if case .deflated(let bytes, _) = self, windowBits == Deflater.windowBitsMax { return bytes }
            return deflater.piece(plain, windowBits: windowBits)
        }
    }

    package let position: Int64
    /// Areas whose part was too large for the snapshot.
    let outgrown: [String]
    let pieces: [Piece]
    /// Bytes that all pieces take.
    let bytesHeld: Int

    init(position: Int64, pieces: [Piece], outgrown: [String] = []) {
        self.position = position
        self.pieces = pieces
        self.outgrown = outgrown
        bytesHeld = pieces.reduce(0) { $0 + $1.bytesHeld }
    }

    /// A snapshot of a single piece.
    package convenience init(position: Int64, json: [UInt8]) { self.init(position: position, pieces: [.plain(json)]) }

    /// All of it, for checks.
    package var json: [UInt8] { pieces.flatMap(\.plain) }
}

/// Makes the pieces of a snapshot while its parts come in.
struct SnapshotPieces {
    private let bytesMax: Int
    private let deflater: Deflater
    private var rest: [UInt8] = []
    private var made: [SnapshotMade.Piece] = []
    /// The most bytes that were held at a time, including those of the parts.
    private(set) var bytesHeldMax = 0
    private var bytesHeld = 0

    /// Makes pieces of at most so many bytes.
    init(bytesMax: Int, _ deflater: Deflater) {
        self.bytesMax = bytesMax
        self.deflater = deflater
    }

    /// Adds the next bytes, few or many.
    mutating func take(_ json: [UInt8]) {
        rest += json
        bytesHeldMax = max(bytesHeldMax, bytesHeld + rest.count + json.count)
        var start = 0
        while rest.count - start > bytesMax {
            put(Array(rest[start..<(start + bytesMax)]))
            start += bytesMax
        }
        if start > 0 { rest = Array(rest[start...]) }
    }

    private mutating func put(_ bytes: [UInt8]) {
        var piece = SnapshotMade.Piece.plain(bytes)
        // The first piece is sent at once, and most snapshots have no other.
        if !made.isEmpty {
            let small = deflater.piece(bytes, windowBits: Deflater.windowBitsMax)
            if small.count < bytes.count { piece = .deflated(small, count: bytes.count) }
        }
        bytesHeld += piece.bytesHeld
        made.append(piece)
    }

    /// All pieces: at least one, and none of them empty.
    mutating func end() -> [SnapshotMade.Piece] {
        put(rest)
        rest = []
        return made
    }
}
