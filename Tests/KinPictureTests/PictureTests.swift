import KinDarkroom
import Testing

@testable import KinPicture

/// A picture opened here, without the process around it.
private func square(_ bytes: [UInt8], _ side: Int = 1600) throws -> [UInt8] {
    try Negative(bytes).develop([.square(side)]).sheets[0].jpeg
}

/// Four quarters: red, green over blue, white.
private func quarters(_ width: Int, _ height: Int) -> Canvas {
    Canvas(width, height) { x, y in
        y < height / 2 ? (x < width / 2 ? 0xFF0000 : 0x00FF00) : (x < width / 2 ? 0x0000FF : 0xFFFFFF)
    }
}

@Suite struct `Pictures` {
    private func holds(_ bytes: [UInt8], _ text: String) -> Bool {
        let wanted = Array(text.utf8)
        return bytes.indices.contains { bytes[$0...].starts(with: wanted) }
    }

    @Test func `of every format come out square, and are never scaled up`() throws {
        let canvas = quarters(60, 40)
        for bytes in [canvas.png, canvas.gif, canvas.webp, canvas.jpeg(), canvas.jpeg(isProgressive: true)] {
            let made = try #require(Canvas(jpeg: try square(bytes)))
            #expect(made.width == 40 && made.height == 40)
            #expect(made.isNear(0xFF0000, 5, 5) && made.isNear(0x00FF00, 34, 5))
            #expect(made.isNear(0x0000FF, 5, 34) && made.isNear(0xFFFFFF, 34, 34))
        }
        let tall = try #require(Canvas(jpeg: try square(quarters(30, 90).png)))
        #expect(tall.width == 30 && tall.height == 30)
        let one = try #require(Canvas(jpeg: try square(quarters(1, 300).png)))
        #expect(one.width == 1 && one.height == 1)
    }

    @Test func `are cropped at the centre and scaled down`() throws {
        // A red middle between blue sides that are cut off.
        let wide = Canvas(4000, 2000) { x, _ in (1000..<3000).contains(x) ? 0xFF0000 : 0x0000FF }
        let made = try #require(Canvas(jpeg: try square(wide.jpeg())))
        #expect(made.width == 1600 && made.height == 1600)
        for (x, y) in [(4, 4), (1595, 4), (4, 1595), (1595, 1595), (800, 800)] {
            #expect(made.isNear(0xFF0000, x, y))
        }
        let face = try #require(Canvas(jpeg: try square(wide.jpeg(), 192)))
        #expect(face.width == 192 && face.height == 192)
    }

    @Test(arguments: 1...8)
    func `are turned upright`(tag: Int) throws {
        // What a camera held that way writes down: where each corner of the upright picture lies in the file.
        let upright = [0xFF0000, 0x00FF00, 0x0000FF, 0xFFFFFF]
        let order = [
            [0, 1, 2, 3], [1, 0, 3, 2], [3, 2, 1, 0], [2, 3, 0, 1], [0, 2, 1, 3], [1, 3, 0, 2], [3, 1, 2, 0],
            [2, 0, 3, 1],
        ][tag - 1]
        let stored = Canvas(64, 64) { x, y in upright[order[(y < 32 ? 0 : 2) + (x < 32 ? 0 : 1)]] }
        for isLittleEndian in [false, true] {
            let data = exif(orientation: tag, isLittleEndian: isLittleEndian)
            for bytes in [withMetadata(stored.jpeg(), exif: data), pngWith(data, stored.png)] {
                let made = try #require(Canvas(jpeg: try square(bytes)))
                #expect(made.isNear(upright[0], 6, 6), "top left of \(tag)")
                #expect(made.isNear(upright[1], 57, 6), "top right of \(tag)")
                #expect(made.isNear(upright[2], 6, 57), "bottom left of \(tag)")
                #expect(made.isNear(upright[3], 57, 57), "bottom right of \(tag)")
            }
        }
    }

    /// An eXIf chunk behind IHDR; its check is right, libpng looks.
    private func pngWith(_ exif: [UInt8], _ png: [UInt8]) -> [UInt8] {
        let content = Array("eXIf".utf8) + exif
        var check: UInt32 = .max
        for byte in content {
            check ^= UInt32(byte)
            for _ in 0..<8 { check = check & 1 == 1 ? check >> 1 ^ 0xEDB8_8320 : check >> 1 }
        }
        check = ~check
        func big(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
        let chunk = big(UInt32(exif.count)) + content + big(check)
        return Array(png[..<33]) + chunk + png[33...]
    }

    @Test func `lose every trace of where and by what they were taken`() throws {
        let source = withMetadata(quarters(32, 32).jpeg(), exif: exif(orientation: 6, isLittleEndian: true))
        #expect(
            holds(source, "GPS") && holds(source, "Exif") && holds(source, "ICC_PROFILE") && holds(source, "comment"))
        let made = try square(source)
        for trace in ["GPS", "Exif", "ICC_PROFILE", "comment", "Ada", "gd-jpeg", "52.5"] {
            #expect(!holds(made, trace), "\(trace)")
        }
        let sides = JPEG.sidesOfPlain(made)
        #expect(sides?.width == 32 && sides?.height == 32 && JPEG.sidesOfPlain(source) == nil)
    }

    @Test func `lie on white where they are transparent`() throws {
        let half = Canvas(40, 40) { x, _ in x < 20 ? 0x7F00_0000 : 0x00FF00 }
        var gif = Canvas(40, 40) { x, _ in x < 20 ? 0x0000FF : 0x00FF00 }.gif
        let colors = 13 + 3 << (Int(gif[10] & 7) + 1)
        let blue = try #require(stride(from: 13, to: colors, by: 3).first { gif[$0 + 2] > gif[$0 + 1] })
        gif.insert(contentsOf: [0x21, 0xF9, 4, 1, 0, 0, UInt8((blue - 13) / 3), 0], at: colors)
        for bytes in [half.png, half.webp, gif] {
            let made = try #require(Canvas(jpeg: try square(bytes)))
            #expect(made.isNear(0xFFFFFF, 5, 20), "\(String(made.color(5, 20), radix: 16))")
            #expect(made.isNear(0x00FF00, 34, 20))
        }
    }

    @Test func `too large are refused before they are decoded`() throws {
        func big(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
        let small = quarters(8, 8)
        for (width, height) in [
            (65_535, 65_535), (1, 40_000), (Int(UInt32.max), Int(UInt32.max)), (0, 5),
        ] {
            var png = small.png
            png.replaceSubrange(16..<24, with: big(width) + big(height))
            #expect(throws: PictureFailure.tooLarge) { try square(png) }
            guard width < 65_536 else { continue }
            var jpeg = small.jpeg()
            let frame = try #require(try JPEG.segments(jpeg).first { $0.marker == 0xC0 })
            jpeg.replaceSubrange(
                frame.content.startIndex + 1..<frame.content.startIndex + 5, with: big(height << 16 | width))
            #expect(throws: PictureFailure.tooLarge) { try square(jpeg) }
            var gif = small.gif
            let offset = 13 + 3 << (Int(gif[10] & 7) + 1)
            #expect(gif[offset] == 0x2C)
            gif.replaceSubrange(
                offset + 5..<offset + 9,
                with: [UInt8(width & 255), UInt8(width >> 8), UInt8(height & 255), UInt8(height >> 8)])
            #expect(throws: PictureFailure.tooLarge) { try square(gif) }
        }
        // What a worker would have to hold for so many pixels is known from the header.
        for (width, height) in [(8160, 6120), (10_000, 5001)] {
            var png = small.png
            png.replaceSubrange(16..<24, with: big(width) + big(height))
            #expect(throws: PictureFailure.needsMemory(megapixelsMax: 16)) { try square(png) }
            // One in a single pass is read row by row: these are damaged, and not too large.
            for isProgressive in [false, true] {
                var jpeg = small.jpeg(isProgressive: isProgressive)
                let frame = try #require(try JPEG.segments(jpeg).first { [0xC0, 0xC2].contains($0.marker) })
                jpeg.replaceSubrange(
                    frame.content.startIndex + 1..<frame.content.startIndex + 5, with: big(height << 16 | width))
                let header = try PictureHeader(jpeg)
                guard isProgressive else {
                    try header.check(memoryBytesMax: 1 << 20)
                    continue
                }
                #expect(throws: PictureFailure.needsMemory(megapixelsMax: 11)) {
                    try header.check(memoryBytesMax: 64 << 20)
                }
            }
        }
        // Few bytes, many passes over many pixels.
        let large = Canvas(4000, 4000) { _, _ in 0x808080 }.jpeg(isProgressive: true)
        let segments = try JPEG.segments(large)
        let last = try #require(segments.last)
        let scan = Array(large[last.range.lowerBound..<(large.count - 2)])
        var many = Array(large.dropLast(2))
        for _ in 0..<100 { many += scan }
        many += [0xFF, 0xD9]
        #expect(throws: PictureFailure.tooLarge) { try square(many) }
    }

    @Test func `cut off anywhere are refused`() throws {
        let canvas = quarters(24, 24)
        for bytes in [canvas.jpeg(), canvas.png, canvas.webp, moving(24, 24, [canvas.webp])] {
            for count in bytes.indices {
                #expect(throws: PictureFailure.self, "\(count) of \(bytes.count)") {
                    try square(Array(bytes.prefix(count)))
                }
            }
        }
    }

    @Test func `with any byte changed come out or are refused, and never trap`() throws {
        let canvas = quarters(16, 16)
        let tagged = withMetadata(canvas.jpeg(), exif: exif(orientation: 6, isLittleEndian: false))
        for bytes in [tagged, canvas.png, canvas.webp, canvas.gif, moving(16, 16, [canvas.webp, canvas.webp])] {
            for index in bytes.indices {
                for change in [0x01, 0x80, 0xFF] as [UInt8] {
                    var changed = bytes
                    changed[index] ^= change
                    if let made = try? square(changed) { #expect(made.starts(with: [0xFF, 0xD8, 0xFF])) }
                    _ = try? square(Array(changed.prefix(index)))
                }
            }
        }
    }

    @Test func `of unknown formats are refused with a sentence`() throws {
        for bytes in [[], [0xFF], Array("<svg/>".utf8), Array("BM......".utf8), Array("RIFF....AVI ".utf8)] as [[UInt8]]
        {
            let failure = #expect(throws: PictureFailure.self) { try square(bytes) }
            #expect(failure == .unknownFormat)
            #expect(failure?.sentence.contains("JPEG") == true)
        }
    }

    @Test func `with a nonsense orientation stay as they are`() {
        #expect(Orientation(tag: 0) == .upright && Orientation(tag: 9) == .upright && Orientation(tag: -1) == .upright)
        let good = exif(orientation: 6, isLittleEndian: true)
        #expect(Exif(good[...]).orientation == Orientation(tag: 6))
        for count in good.indices { _ = Exif(good.prefix(count)) }
        for index in good.indices {
            var changed = good
            changed[index] = 0xFF
            _ = Exif(changed[...])
        }
    }
}
