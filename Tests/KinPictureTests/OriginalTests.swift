import Testing

@testable import KinPicture

/// Originals are what was sent, byte for byte, but for what tells where and when a picture was taken, and with what.
@Suite struct OriginalTests {
    private static let colors = [0xFF0000, 0x00FF00, 0x0000FF, 0xFFFFFF]

    private func quarters() -> Canvas {
        Canvas(48, 32) { x, y in Self.colors[(y < 16 ? 0 : 2) + (x < 24 ? 0 : 1)] }
    }

    private func holds(_ bytes: [UInt8], _ text: String) -> Bool { bytes.firstRange(of: Array(text.utf8)) != nil }

    @Test(arguments: [1, 6, 8], [false, true])
    func `a JPEG keeps its scans and which way is up, and loses the rest`(tag: Int, isProgressive: Bool) throws {
        let plain = quarters().jpeg(isProgressive: isProgressive)
        let film = Array("ftypmp42 ©xyz+52.5200+013.4050/".utf8)
        let sent = withMetadata(plain, exif: exif(orientation: tag, isLittleEndian: true)) + film
        let original = try Original(of: sent)
        #expect(original.format == .jpeg)
        for trace in ["GPSLatitude", "52.5", "Ada", "comment", "gd-jpeg", "ftyp"] {
            #expect(holds(sent, trace) && !holds(original.bytes, trace), "\(trace)")
        }
        #expect(holds(original.bytes, "ICC_PROFILE"))
        let header = try PictureHeader(original.bytes)
        #expect(header.exif?.orientation ?? .upright == Orientation(tag: tag))
        #expect(header.width == 48 && header.height == 32)
        // From the first table on it is the same, but for gd's comment.
        let scan = try #require(plain.firstRange(of: [0xFF, 0xDB]))
        #expect(original.bytes.suffix(plain.count - scan.lowerBound) == plain[scan.lowerBound...])
        #expect(try Original(of: original.bytes) == original)
    }

    @Test(arguments: [1, 3])
    func `a PNG keeps its pixels, and of its Exif which way is up`(tag: Int) throws {
        let plain = quarters().png
        func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
            [0, 0, 0, UInt8(content.count)] + Array(name.utf8) + content + [0, 0, 0, 0]
        }
        let sent =
            Array(plain[..<33]) + chunk("eXIf", exif(orientation: tag, isLittleEndian: false))
            + chunk("tEXt", Array("Comment\0Ada 52.52".utf8)) + chunk("tIME", [7, 234, 11, 26, 0, 0, 0]) + plain[33...]
            + Array("GPS behind the end".utf8)
        let original = try Original(of: sent)
        for trace in ["GPS", "52.5", "Ada", "tIME"] { #expect(!holds(original.bytes, trace), "\(trace)") }
        #expect((tag == 1) == (original.bytes == PNG.signature + plainChunks(plain)))
        #expect(try PictureHeader(original.bytes).exif?.orientation ?? .upright == Orientation(tag: tag))
        #expect(try Original(of: original.bytes) == original)
    }

    private func plainChunks(_ png: [UInt8]) -> [UInt8] {
        ((try? PNG.chunks(png)) ?? []).filter { !["tEXt", "tIME"].contains($0.name) }.flatMap { Array(png[$0.range]) }
    }

    @Test func `a WebP says that it has no Exif and no XMP any more`() throws {
        let plain = quarters().webp
        func little(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } }
        func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
            Array(name.utf8) + little(content.count) + content + (content.count & 1 == 1 ? [0] : [])
        }
        let head = chunk("VP8X", [0x0C, 0, 0, 0, 47, 0, 0, 31, 0, 0])
        for tag in [1, 6] {
            let body =
                head + plain[12...] + chunk("EXIF", exif(orientation: tag, isLittleEndian: true))
                + chunk("XMP ", Array("<x>52.520</x>".utf8))
            let sent = Array("RIFF".utf8) + little(body.count + 4) + Array("WEBP".utf8) + body + Array("GPS".utf8)
            let original = try Original(of: sent)
            for trace in ["GPS", "52.5", "Ada", "XMP"] { #expect(!holds(original.bytes, trace), "\(trace)") }
            #expect(original.bytes[20] == (tag == 1 ? 0 : 0x08))
            #expect(original.bytes.count == 8 + length(in: original.bytes))
            #expect(try PictureHeader(original.bytes).exif?.orientation ?? .upright == Orientation(tag: tag))
            #expect(try Original(of: original.bytes) == original)
        }
        #expect(try Original(of: plain).bytes == plain)
    }

    private func length(in webp: [UInt8]) -> Int { (0..<4).reduce(0) { $0 | Int(webp[4 + $1]) << ($1 * 8) } }

    @Test func `a GIF keeps its frames and that they repeat, and loses comments and XMP`() throws {
        let plain = quarters().gif
        let flags = Int(plain[10])
        let head = 13 + (flags & 0x80 != 0 ? 3 << (flags & 7 + 1) : 0)
        let again: [UInt8] = [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 0, 0, 0]
        let xmp: [UInt8] = [0x21, 0xFF, 11] + Array("XMP DataXMP".utf8) + [5] + Array("52.52".utf8) + [0]
        let comment: [UInt8] = [0x21, 0xFE, 3] + Array("Ada".utf8) + [0]
        let sent = Array(plain[..<head]) + again + xmp + comment + plain[head...] + Array("GPS".utf8)
        let original = try Original(of: sent)
        #expect(original.bytes == Array(plain[..<head]) + again + plain[head...])
    }

    @Test func `whatever is cut off or changed is refused or comes out, and never traps`() throws {
        let exif = exif(orientation: 6, isLittleEndian: true)
        for sent in [withMetadata(quarters().jpeg(), exif: exif), quarters().png, quarters().webp, quarters().gif] {
            for count in stride(from: 0, to: sent.count, by: 7) {
                #expect(throws: PictureFailure.self) { try Original(of: Array(sent[..<count])) }
            }
            var dice: UInt64 = 7
            for place in 0..<min(sent.count, 600) {
                dice = dice &* 6_364_136_223_846_793_005 &+ 1
                var changed = sent
                changed[place] = UInt8(truncatingIfNeeded: dice >> 33)
                if let original = try? Original(of: changed) { #expect(original.bytes.count <= sent.count + 64) }
            }
        }
    }
}
