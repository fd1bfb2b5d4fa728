/// The outer structure of a PNG (third edition, §5.3): chunks of length, name, content and check.
package enum PNG {
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// One chunk.
    struct Chunk {
        let name: String
        let content: ArraySlice<UInt8>
        /// From the length to the check, in the whole.
        let range: Range<Int>
    }

    /// All chunks up to `IEND`; cut off: `.damaged`.
    static func chunks(_ bytes: [UInt8]) throws(PictureFailure) -> [Chunk] {
        let reader = ByteReader(bytes[...])
        var chunks: [Chunk] = []
        var offset = signature.count
        while true {
            guard let length = reader.number(offset, bytes: 4), offset + length + 12 <= bytes.count,
                chunks.count < 100_000
            else { throw .damaged }
            let name = String(decoding: reader.part(offset + 4, 4), as: UTF8.self)
            let range = offset..<(offset + length + 12)
            chunks.append(Chunk(name: name, content: reader.part(offset + 8, length), range: range))
            if name == "IEND" { return chunks }
            offset = range.upperBound
        }
    }

    /// The same picture with nothing but its pixels: texts, profiles and whatever else never reach libpng, which would
    /// also write a warning to standard error about each that is damaged.
    package static func withoutMetadata(_ bytes: [UInt8]) throws(PictureFailure) -> [UInt8] {
        var kept = signature
        kept.reserveCapacity(bytes.count)
        for chunk in try chunks(bytes) where ["IHDR", "PLTE", "tRNS", "IDAT", "IEND"].contains(chunk.name) {
            kept += bytes[chunk.range]
        }
        return kept
    }
}
