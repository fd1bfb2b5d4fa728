/// What the first bytes of a picture promise, read before any decoder sees them: a small file may hold a huge picture.
package struct PictureHeader {
    package enum Format: Sendable { case jpeg, png, webp, gif, heic }

    package let format: Format
    package private(set) var width = 0
    package private(set) var height = 0
    /// Passes a decoder makes over the pixels.
    package private(set) var scans = 1
    /// Samples that a JPEG keeps for four pixels, over all its components.
    private var samplesOfFourPixels = 12
    /// A WebP without loss.
    private var isLossless = false
    /// What is read of it; of a HEIC only its decoder knows, which turns it upright as well.
    package private(set) var exif: Exif?

    /// Strict where a decoder is lax, so that both see the same picture.
    package init(_ bytes: [UInt8]) throws(PictureFailure) {
        let reader = ByteReader(bytes[...])
        if reader.holds([0xFF, 0xD8, 0xFF]) {
            format = .jpeg
            try readJPEG(bytes)
        } else if reader.holds(PNG.signature) {
            format = .png
            try readPNG(bytes)
        } else if reader.holds("RIFF"), reader.holds("WEBP", at: 8) {
            format = .webp
            try readWebP(reader)
        } else if reader.holds("GIF87a") || reader.holds("GIF89a") {
            format = .gif
            try readGIF(reader)
        } else if HEIF.isHEIC(reader) {
            format = .heic
            (width, height) = try HEIF.sides(bytes)
        } else {
            throw .unknownFormat
        }
    }

    /// The longest side of a picture that is decoded.
    private static let sideMax = 32_767
    /// Most passes over the pixels of a progressive JPEG, in pixels: a small file can ask for thousands.
    private static let scannedPixelsMax = 1_000_000_000

    /// Refuses what would take more than there is, before any decoder sees it.
    package func check(memoryBytesMax: Int) throws(PictureFailure) {
        guard (1...Self.sideMax).contains(width), (1...Self.sideMax).contains(height),
            width * height * scans <= Self.scannedPixelsMax
        else { throw .tooLarge }
        guard bytesToDecode <= memoryBytesMax else {
            throw .needsMemory(
                megapixelsMax: memoryBytesMax / max(1, bytesToDecode / (width * height)) / 1_000_000)
        }
    }

    /// Bytes that are held at once to decode it, besides the file and what is made of it. A JPEG in one pass is read row by
    /// row; of one in many libjpeg keeps the two-byte coefficients of every sample. libgd keeps four bytes a pixel, and the
    /// libraries below it the whole picture once more, but for a GIF, of which they keep indices: libpng four bytes a pixel,
    /// libwebp four, or eight without loss. libheif keeps its planes and what they become, libde265 a tile.
    private var bytesToDecode: Int {
        let pixels = width * height
        return switch format {
        case .jpeg: scans > 1 ? samplesOfFourPixels * pixels / 2 : 12 * width
        case .png: 8 * pixels
        case .webp: (isLossless ? 12 : 10) * pixels
        case .gif: 5 * pixels
        case .heic: 8 * pixels
        }
    }

    /// ITU T.81 annex B.
    private mutating func readJPEG(_ bytes: [UInt8]) throws(PictureFailure) {
        var hasFrame = false
        var hasExif = false
        scans = 0
        for segment in try JPEG.segments(bytes) {
            let reader = ByteReader(segment.content)
            switch segment.marker {
            case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
                guard !hasFrame, let height = reader.number(1, bytes: 2), let width = reader.number(3, bytes: 2) else {
                    throw .damaged
                }
                (self.width, self.height, hasFrame) = (width, height, true)
                samplesOfFourPixels = Self.samplesOfFourPixels(reader)
            case 0xE1 where !hasExif && reader.holds("Exif"):
                exif = Exif(segment.content)
                hasExif = true
            case JPEG.startOfScan: scans += 1
            default: break
            }
        }
        guard hasFrame, scans > 0 else { throw .damaged }
    }

    /// From the sampling factors of a frame's components (ITU T.81 B.2.2); what cannot be read counts as the most.
    private static func samplesOfFourPixels(_ frame: ByteReader) -> Int {
        let factors = (0..<min(frame.byte(5) ?? 4, 4)).map { index -> (across: Int, down: Int) in
            let both = frame.byte(6 + 3 * index + 1) ?? 0x11
            return (max(1, both >> 4), max(1, both & 15))
        }
        let across = factors.map(\.across).max() ?? 1
        let down = factors.map(\.down).max() ?? 1
        return (4 * factors.map { $0.across * $0.down }.reduce(0, +) + across * down - 1) / (across * down)
    }

    /// PNG, third edition, §11.2.1: `IHDR` comes first.
    private mutating func readPNG(_ bytes: [UInt8]) throws(PictureFailure) {
        let chunks = try PNG.chunks(bytes)
        let header = ByteReader(chunks[0].content)
        guard chunks[0].name == "IHDR", let width = header.number(0, bytes: 4), let height = header.number(4, bytes: 4)
        else { throw .damaged }
        (self.width, self.height) = (width, height)
        if let exif = chunks.first(where: { $0.name == "eXIf" }) { self.exif = Exif(exif.content) }
    }

    /// RFC 9649 §2: chunks of name, length, content, filled up to even.
    private mutating func readWebP(_ reader: ByteReader) throws(PictureFailure) {
        var reader = reader
        reader.isLittleEndian = true
        guard let size = reader.number(4, bytes: 4), size + 8 <= reader.bytes.count else { throw .damaged }
        var offset = 12
        while let length = reader.number(offset + 4, bytes: 4) {
            let content = offset + 8
            if reader.holds("VP8X", at: offset), let across = reader.number(content + 4, bytes: 3),
                let down = reader.number(content + 7, bytes: 3)
            {
                grow(across + 1, down + 1)
            } else if reader.holds("VP8 ", at: offset), let across = reader.number(content + 6, bytes: 2),
                let down = reader.number(content + 8, bytes: 2)
            {
                grow(across & 0x3FFF, down & 0x3FFF)
            } else if reader.holds("VP8L", at: offset), let bits = reader.number(content + 1, bytes: 4) {
                grow(bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1)
                isLossless = true
            } else if reader.holds("EXIF", at: offset) {
                exif = Exif(reader.part(content, length))
            }
            offset = content + length + length & 1
        }
        guard width > 0 else { throw .damaged }
    }

    private mutating func grow(_ across: Int, _ down: Int) {
        width = max(width, across)
        height = max(height, down)
    }

    /// GIF89a: the screen, its colours, extensions, then the first frame, which is the one that is decoded.
    private mutating func readGIF(_ reader: ByteReader) throws(PictureFailure) {
        var reader = reader
        reader.isLittleEndian = true
        guard let flags = reader.byte(10) else { throw .damaged }
        var offset = 13 + (flags & 0x80 != 0 ? 3 << (flags & 7 + 1) : 0)
        while reader.byte(offset) == 0x21 {
            offset += 2
            while let length = reader.byte(offset), length > 0 { offset += length + 1 }
            offset += 1
        }
        guard reader.byte(offset) == 0x2C, let across = reader.number(offset + 5, bytes: 2),
            let down = reader.number(offset + 7, bytes: 2)
        else { throw .damaged }
        (width, height) = (across, down)
    }
}
