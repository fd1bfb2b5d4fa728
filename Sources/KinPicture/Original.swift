/// A picture as it was sent, without what tells more than the picture: where and when it was taken, with what, and what
/// programs wrote into it. Not a pixel is coded anew; which way is up, colour profiles and animation stay.
public struct Original: Sendable, Equatable {
    /// What kinds there are, by their media types.
    public enum Format: String, Sendable, CaseIterable {
        case jpeg = "image/jpeg"
        case png = "image/png"
        case webp = "image/webp"
        case gif = "image/gif"
        case heic = "image/heic"
    }

    /// The picture.
    public let bytes: [UInt8]
    /// What it is.
    public let format: Format

    /// Whether all that was sent is still in it: of a HEIC nothing is cut, since its parts name each other by their places.
    public static func isWhole(_ format: Format) -> Bool { format == .heic }

    /// Cuts a picture. What is behind its end is left out: phones hang films with their own positions there.
    public init(of sent: [UInt8]) throws(PictureFailure) {
        let header = try PictureHeader(sent)
        switch header.format {
        case .jpeg: (format, bytes) = (.jpeg, try Self.jpeg(sent, header.exif?.orientation ?? .upright))
        case .png: (format, bytes) = (.png, try Self.png(sent, header.exif?.orientation ?? .upright))
        case .webp: (format, bytes) = (.webp, try Self.webp(sent, header.exif?.orientation ?? .upright))
        case .gif: (format, bytes) = (.gif, try Self.gif(sent))
        case .heic: (format, bytes) = (.heic, sent)
        }
    }

    /// Exif data (TIFF 6.0) that say which way is up, and nothing else.
    private static func exif(_ orientation: Orientation) -> [UInt8] {
        [
            0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(orientation.tag), 0, 0, 0, 0, 0,
            0,
        ]
    }

    // MARK: JPEG (ITU T.81 annex B)

    private static func jpeg(_ sent: [UInt8], _ orientation: Orientation) throws(PictureFailure) -> [UInt8] {
        let segments = try JPEG.segments(sent)
        var bytes: [UInt8] = [0xFF, 0xD8]
        bytes.reserveCapacity(sent.count)
        var isTurned = orientation == .upright
        for (index, segment) in segments.enumerated() where isKept(segment) {
            // JFIF has to be first.
            if !isTurned, segment.marker != 0xE0 {
                let exif = Array("Exif\0\0".utf8) + exif(orientation)
                bytes += [0xFF, 0xE1, 0, UInt8(exif.count + 2)] + exif
                isTurned = true
            }
            bytes += sent[segment.range]
            guard segment.marker == JPEG.startOfScan else { continue }
            let end =
                index + 1 < segments.count
                ? segments[index + 1].range.lowerBound : JPEG.endOfScan(sent, from: segment.range.upperBound)
            bytes += sent[segment.range.upperBound..<end]
        }
        return bytes + [0xFF, 0xD9]
    }

    /// Frames, tables, scans; of what programs add JFIF's head without its small picture, colour profiles, and Adobe's word
    /// of how colours are coded.
    private static func isKept(_ segment: JPEG.Segment) -> Bool {
        let content = ByteReader(segment.content)
        return switch segment.marker {
        case 0xC0...0xCF, 0xDA...0xDF: true
        case 0xE0: segment.content.count == 14 && content.holds("JFIF\0")
        case 0xE2: content.holds("ICC_PROFILE\0")
        case 0xEE: content.holds("Adobe") && segment.content.count == 12
        default: false
        }
    }

    // MARK: PNG (third edition)

    /// What decoders need, what says how colours are meant, and frames of animations.
    private static let chunks: Set<String> = [
        "IHDR", "PLTE", "IDAT", "IEND", "tRNS", "cHRM", "gAMA", "iCCP", "sBIT", "sRGB", "cICP", "mDCV", "cLLI", "bKGD",
        "hIST", "pHYs", "sPLT", "acTL", "fcTL", "fdAT",
    ]

    private static func png(_ sent: [UInt8], _ orientation: Orientation) throws(PictureFailure) -> [UInt8] {
        var bytes = PNG.signature
        bytes.reserveCapacity(sent.count)
        for chunk in try PNG.chunks(sent) where chunks.contains(chunk.name) {
            bytes += sent[chunk.range]
            if chunk.name == "IHDR", orientation != .upright { bytes += PNG.chunk("eXIf", exif(orientation)) }
        }
        return bytes
    }

    // MARK: WebP (RFC 9649)

    private static func webp(_ sent: [UInt8], _ orientation: Orientation) throws(PictureFailure) -> [UInt8] {
        var reader = ByteReader(sent[...])
        reader.isLittleEndian = true
        guard let size = reader.number(4, bytes: 4), size + 8 <= sent.count else { throw .damaged }
        var body: [UInt8] = []
        body.reserveCapacity(size)
        var offset = 12
        while offset < size + 8 {
            guard let length = reader.number(offset + 4, bytes: 4), offset + 8 + length <= size + 8 else {
                throw .damaged
            }
            let name = String(decoding: reader.part(offset, 4), as: UTF8.self)
            // An odd chunk is filled up, which the last one may be without.
            let whole = reader.part(offset, 8 + length) + (length & 1 == 1 ? [0] : [])
            offset += 8 + length + length & 1
            switch name {
            case "VP8X":
                guard length >= 10 else { throw .damaged }
                var head = Array(whole)
                // The bits of Exif and XMP.
                head[8] = head[8] & ~0x0C | (orientation == .upright ? 0 : 0x08)
                body += head
            case "VP8 ", "VP8L", "ALPH", "ANIM", "ANMF", "ICCP": body += whole
            default: break
            }
        }
        if orientation != .upright {
            let exif = exif(orientation)
            body += Array("EXIF".utf8) + littleEndian(exif.count) + exif
        }
        return Array("RIFF".utf8) + littleEndian(body.count + 4) + Array("WEBP".utf8) + body
    }

    private static func littleEndian(_ number: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }

    // MARK: GIF89a

    private static func gif(_ sent: [UInt8]) throws(PictureFailure) -> [UInt8] {
        let reader = ByteReader(sent[...])
        guard let flags = reader.byte(10) else { throw .damaged }
        var offset = 13 + (flags & 0x80 != 0 ? 3 << (flags & 7 + 1) : 0)
        guard offset <= sent.count else { throw .damaged }
        var bytes = Array(sent[..<offset])
        while true {
            let start = offset
            var isKept = true
            switch reader.byte(offset) {
            case 0x3B: return bytes + [0x3B]
            case 0x21:
                // How a frame is shown, and whether frames are shown again; not comments, texts and XMP.
                isKept =
                    reader.byte(offset + 1) == 0xF9
                    || reader.byte(offset + 1) == 0xFF && reader.holds("NETSCAPE2.0", at: offset + 3)
                offset += 2
            case 0x2C:
                guard let flags = reader.byte(offset + 9) else { throw .damaged }
                offset += 11 + (flags & 0x80 != 0 ? 3 << (flags & 7 + 1) : 0)
            default: throw .damaged
            }
            while let length = reader.byte(offset), length > 0 { offset += length + 1 }
            guard offset < sent.count else { throw .damaged }
            offset += 1
            if isKept { bytes += sent[start..<offset] }
        }
    }
}

extension Orientation {
    /// The number that Exif has for it.
    var tag: Int { (1...8).first { Orientation(tag: $0) == self } ?? 1 }
}

extension PNG {
    /// A chunk with its check (ISO 3309, as in zlib).
    fileprivate static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let checked = Array(name.utf8) + content
        var check: UInt32 = .max
        for byte in checked {
            check ^= UInt32(byte)
            for _ in 0..<8 { check = check & 1 == 1 ? check >> 1 ^ 0xEDB8_8320 : check >> 1 }
        }
        func bigEndian(_ number: UInt32) -> [UInt8] {
            (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - $0 * 8)) }
        }
        return bigEndian(UInt32(content.count)) + checked + bigEndian(~check)
    }
}
