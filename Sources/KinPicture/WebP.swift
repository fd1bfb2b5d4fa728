/// WebP (RFC 9649). Its decoder opens one picture and refuses animations.
package enum WebP {
    /// The first frame of an animation, as a picture of its own; `nil` for what is no animation.
    package static func firstFrame(_ bytes: [UInt8]) throws(PictureFailure) -> [UInt8]? {
        let reader = littleEndian(bytes[...])
        guard reader.holds("RIFF"), reader.holds("WEBP", at: 8) else { return nil }
        var offset = 12
        while let length = reader.number(offset + 4, bytes: 4) {
            if reader.holds("ANMF", at: offset) {
                guard offset + 8 + length <= bytes.count else { throw .damaged }
                return try still(littleEndian(reader.part(offset + 8, length)))
            }
            offset += 8 + length + length & 1
        }
        return nil
    }

    /// A frame (§2.7.1.1): where it is, how large, how long and how it is shown; then its chunks.
    private static func still(_ frame: ByteReader) throws(PictureFailure) -> [UInt8] {
        var (body, alpha, offset) = ([UInt8](), [UInt8](), 16)
        while let length = frame.number(offset + 4, bytes: 4), body.isEmpty {
            guard offset + 8 + length <= frame.bytes.count else { throw .damaged }
            let chunk = Array(frame.part(offset, 8 + length)) + (length & 1 == 1 ? [0] : [])
            if frame.holds("ALPH", at: offset) { alpha = chunk }
            if frame.holds("VP8 ", at: offset) || frame.holds("VP8L", at: offset) { body = chunk }
            offset += 8 + length + length & 1
        }
        guard !body.isEmpty else { throw .damaged }
        if !alpha.isEmpty {
            // What is transparent is said in a heading with the sides.
            body = Array("VP8X".utf8) + [10, 0, 0, 0, 0x10, 0, 0, 0] + Array(frame.part(6, 6)) + alpha + body
        }
        let count = body.count + 4
        let length = (0..<4).map { UInt8(truncatingIfNeeded: count >> ($0 * 8)) }
        return Array("RIFF".utf8) + length + Array("WEBP".utf8) + body
    }

    private static func littleEndian(_ bytes: ArraySlice<UInt8>) -> ByteReader {
        var reader = ByteReader(bytes)
        reader.isLittleEndian = true
        return reader
    }
}
