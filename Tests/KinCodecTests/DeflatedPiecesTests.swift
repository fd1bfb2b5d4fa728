import Testing

@testable import KinCodec

/// Compressed messages that leave piece by piece.
@Suite struct DeflatedPiecesTests {
    /// What the pieces of a message come to at a client.
    private func received(_ pieces: [[UInt8]]) -> [UInt8]? {
        var bytes: [UInt8] = []
        for (index, piece) in pieces.enumerated() {
            let isLast = index == pieces.count - 1
            WebSocketFrame.write(
                index == 0 ? .text : .continuation, piece + (isLast ? Deflater.endOfPieces : []), fin: isLast,
                reserved: index == 0 ? WebSocketFrame.compressed : 0, to: &bytes)
        }
        var machine = WebSocketMachine(role: .client, messageBytesMax: 1 << 20, isDeflated: true)
        let (consumed, event) = machine.consume(bytes)
        guard consumed == bytes.count, case .message(.text, let message) = event else { return nil }
        return message
    }

    @Test func `pieces made apart, in any windows, are one message`() {
        let deflater = Deflater()
        let words = Array(String(repeating: "grandma's train is late; ", count: 4000).utf8)
        let letters = (0..<70_000).map { UInt8(truncatingIfNeeded: 33 + ($0 &* 2_654_435_761 >> 7) % 90) }
        for bits in Deflater.windowBitsMin...Deflater.windowBitsMax {
            let parts = [Array(words[..<50_000]), letters, Array("}".utf8), Array(words[50_000...])]
            let pieces = parts.map { deflater.piece($0, windowBits: bits) } + [Deflater.stored(Array("}}".utf8))]
            #expect(received(pieces) == parts.flatMap { $0 } + Array("}}".utf8))
            for (part, piece) in zip(parts, pieces) {
                #expect(Deflater.unpacked(piece, count: part.count) == part)
                #expect(Deflater.unpacked(piece, count: part.count - 1) == nil)
            }
            #expect(pieces[0].count < parts[0].count / 10)
        }
    }

    @Test func `what does not become smaller is stored, five bytes longer for each 64 kB`() {
        let bytes = [UInt8](repeating: 7, count: 65_536)
        let stored = Deflater.stored(bytes)
        #expect(stored.count == bytes.count + 10)
        #expect(Deflater.unpacked(stored, count: bytes.count) == bytes)
        #expect(Deflater().piece([1, 2], windowBits: 15) == [0, 2, 0, 0xFD, 0xFF, 1, 2])
    }
}
