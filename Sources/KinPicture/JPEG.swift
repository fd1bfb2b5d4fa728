/// The outer structure of a JPEG (ITU T.81 annex B): markers and their segments.
enum JPEG {
    static let startOfScan: UInt8 = 0xDA

    /// One marker with what belongs to it.
    struct Segment {
        let marker: UInt8
        /// Without the two bytes of length.
        let content: ArraySlice<UInt8>
        /// From the marker to the end of the content, in the whole.
        let range: Range<Int>
    }

    /// All segments up to the end marker. Cut off or strange between segments: `.damaged`.
    static func segments(_ bytes: [UInt8]) throws(PictureFailure) -> [Segment] {
        var segments: [Segment] = []
        var offset = 2
        while true {
            let start = offset
            guard offset < bytes.count, bytes[offset] == 0xFF else { throw .damaged }
            while offset < bytes.count, bytes[offset] == 0xFF { offset += 1 }
            guard offset < bytes.count else { throw .damaged }
            let marker = bytes[offset]
            offset += 1
            if marker == 0xD9 { return segments }
            guard marker >= 0xC0, !(0xD0...0xD8).contains(marker), offset + 2 <= bytes.count else { throw .damaged }
            let length = Int(bytes[offset]) << 8 | Int(bytes[offset + 1])
            guard length >= 2, offset + length <= bytes.count, segments.count < 10_000 else { throw .damaged }
            segments.append(
                Segment(
                    marker: marker, content: bytes[(offset + 2)..<(offset + length)], range: start..<(offset + length)))
            offset += length
            if marker == startOfScan { offset = endOfScan(bytes, from: offset) }
        }
    }

    /// Coded data end at a marker that is neither a stuffed zero nor a restart.
    static func endOfScan(_ bytes: [UInt8], from start: Int) -> Int {
        var offset = start
        while offset + 1 < bytes.count {
            if bytes[offset] == 0xFF, bytes[offset + 1] != 0, !(0xD0...0xD7).contains(bytes[offset + 1]) { break }
            offset += 1
        }
        return offset
    }

    /// The sides of a picture that holds nothing but pixels: JFIF's head, tables, one frame, scans. `nil` where anything else
    /// is in it, or behind it.
    static func sidesOfPlain(_ bytes: [UInt8]) -> (width: Int, height: Int)? {
        guard let segments = try? segments(bytes), bytes.suffix(2) == [0xFF, 0xD9] else { return nil }
        var sides: (width: Int, height: Int)?
        for segment in segments {
            switch segment.marker {
            case 0xE0: guard segment.content.count == 14 else { return nil }
            case 0xC0:
                let reader = ByteReader(segment.content)
                guard sides == nil, let height = reader.number(1, bytes: 2), let width = reader.number(3, bytes: 2)
                else { return nil }
                sides = (width, height)
            case 0xC4, 0xDB, startOfScan: break
            default: return nil
            }
        }
        return sides
    }
}
