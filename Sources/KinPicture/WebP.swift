/// The outer structure of a WebP (RFC 9649 §2.7): chunks of name, length and content, filled up to even.
package enum WebP {
    /// The first frame of a WebP that moves, as a picture of its own: the library opens no other. `nil` where nothing moves.
    package static func firstFrame(_ bytes: [UInt8]) throws(PictureFailure) -> [UInt8]? {
        var reader = ByteReader(bytes[...])
        reader.isLittleEndian = true
        // The bit that says that it moves; without it frames mean nothing.
        guard reader.holds("VP8X", at: 12), let flags = reader.byte(20), flags & 0x02 != 0 else { return nil }
        var offset = 12
        while let length = reader.number(offset + 4, bytes: 4) {
            if reader.holds("ANMF", at: offset) { return try still(reader.part(offset + 8, length)) }
            offset += 8 + length + length & 1
        }
        throw .damaged
    }

    /// The picture of a frame: behind where it stands, its sides and how long it is shown.
    private static func still(_ frame: ArraySlice<UInt8>) throws(PictureFailure) -> [UInt8] {
        var reader = ByteReader(frame)
        reader.isLittleEndian = true
        var offset = 16
        var alpha: [UInt8] = []
        while let length = reader.number(offset + 4, bytes: 4) {
            var chunk = Array(reader.part(offset, 8 + length))
            guard chunk.count == 8 + length else { throw .damaged }
            offset += 8 + length + length & 1
            if length & 1 == 1 { chunk.append(0) }
            if chunk.starts(with: Array("ALPH".utf8)) {
                // The sides are written in a frame as in the head of a picture, which one with an alpha channel needs.
                let head: [UInt8] = Array("VP8X".utf8) + [10, 0, 0, 0, 0x10, 0, 0, 0]
                alpha = head + reader.part(6, 6) + chunk
            } else if chunk.starts(with: Array("VP8 ".utf8)) {
                return file(alpha + chunk)
            } else if chunk.starts(with: Array("VP8L".utf8)) {
                return file(chunk)
            }
        }
        throw .damaged
    }

    private static func file(_ chunks: [UInt8]) -> [UInt8] {
        let size = chunks.count + 4
        let length = (0..<4).map { UInt8(truncatingIfNeeded: size >> (8 * $0)) }
        return Array("RIFF".utf8) + length + Array("WEBP".utf8) + chunks
    }
}
