import Glibc

/// Makes pictures to test with, through libgd as the code under test does (nothing here links it).
final class Canvas {
    // Rule: set once, only read.
    nonisolated(unsafe) private static let library = dlopen("libgd.so.3", RTLD_NOW)

    private static func function<Function>(_ name: String, _ type: Function.Type) -> Function {
        guard let symbol = dlsym(library, name) else { preconditionFailure("libgd has \(name)") }
        return unsafeBitCast(symbol, to: type)
    }

    private typealias Pixel = @convention(c) (OpaquePointer, CInt, CInt) -> CInt
    private typealias Encode = @convention(c) (OpaquePointer, UnsafeMutablePointer<CInt>) -> UnsafeMutableRawPointer?
    private typealias EncodeQuality =
        @convention(c) (OpaquePointer, UnsafeMutablePointer<CInt>, CInt) ->
        UnsafeMutableRawPointer?

    private let image: OpaquePointer
    let width: Int
    let height: Int

    /// A picture where each pixel's colour (0xAARRGGBB, libgd's alpha of 0 to 127) is computed.
    init(_ width: Int, _ height: Int, _ color: (Int, Int) -> Int) {
        let make = Self.function(
            "gdImageCreateTrueColor", (@convention(c) (CInt, CInt) -> OpaquePointer?).self)
        let set = Self.function(
            "gdImageSetPixel", (@convention(c) (OpaquePointer, CInt, CInt, CInt) -> Void).self)
        let blend = Self.function("gdImageAlphaBlending", (@convention(c) (OpaquePointer, CInt) -> Void).self)
        let save = Self.function("gdImageSaveAlpha", (@convention(c) (OpaquePointer, CInt) -> Void).self)
        guard let image = make(CInt(width), CInt(height)) else { preconditionFailure("a small picture fits") }
        blend(image, 0)
        save(image, 1)
        for y in 0..<height { for x in 0..<width { set(image, CInt(x), CInt(y), CInt(color(x, y))) } }
        (self.image, self.width, self.height) = (image, width, height)
    }

    /// Decodes a JPEG.
    init?(jpeg: [UInt8]) {
        let decode = Self.function(
            "gdImageCreateFromJpegPtr", (@convention(c) (CInt, UnsafeRawPointer?) -> OpaquePointer?).self)
        guard let image = decode(CInt(jpeg.count), jpeg) else { return nil }
        self.image = image
        // gdImage begins with: pixels, sx, sy.
        let sides = UnsafeRawPointer(image).advanced(by: 8).assumingMemoryBound(to: CInt.self)
        (width, height) = (Int(sides[0]), Int(sides[1]))
    }

    deinit { Self.function("gdImageDestroy", (@convention(c) (OpaquePointer) -> Void).self)(image) }

    /// 0xRRGGBB.
    func color(_ x: Int, _ y: Int) -> Int {
        Int(Self.function("gdImageGetTrueColorPixel", Pixel.self)(image, CInt(x), CInt(y)) & 0xFF_FFFF)
    }

    func isNear(_ color: Int, _ x: Int, _ y: Int) -> Bool {
        let found = self.color(x, y)
        return [16, 8, 0].allSatisfy { abs((found >> $0 & 255) - (color >> $0 & 255)) < 24 }
    }

    var png: [UInt8] { encoded("gdImagePngPtr") }
    var gif: [UInt8] { encoded("gdImageGifPtr") }
    var webp: [UInt8] { encoded("gdImageWebpPtr") }
    func jpeg(quality: Int = 95, isProgressive: Bool = false) -> [UInt8] {
        Self.function("gdImageInterlace", (@convention(c) (OpaquePointer, CInt) -> Void).self)(
            image, isProgressive ? 1 : 0)
        var count: CInt = 0
        return take(Self.function("gdImageJpegPtr", EncodeQuality.self)(image, &count, CInt(quality)), &count)
    }

    private func encoded(_ name: String) -> [UInt8] {
        var count: CInt = 0
        return take(Self.function(name, Encode.self)(image, &count), &count)
    }

    private func take(_ bytes: UnsafeMutableRawPointer?, _ count: inout CInt) -> [UInt8] {
        defer { Self.function("gdFree", (@convention(c) (UnsafeMutableRawPointer?) -> Void).self)(bytes) }
        return Array(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
    }
}

/// Exif with an orientation and the place it was taken at.
func exif(orientation: Int, isLittleEndian: Bool) -> [UInt8] {
    func number(_ value: Int, _ count: Int) -> [UInt8] {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        return isLittleEndian ? bytes : bytes.reversed()
    }
    var bytes = Array((isLittleEndian ? "II" : "MM").utf8) + number(42, 2) + number(8, 4) + number(3, 2)
    bytes += number(0x010E, 2) + number(2, 2) + number(4, 4) + Array("Ada\0".utf8)
    bytes += number(0x0112, 2) + number(3, 2) + number(1, 4) + number(orientation, 2) + number(0, 2)
    bytes += number(0x8825, 2) + number(4, 2) + number(1, 4) + number(50, 4)
    bytes += number(0, 4) + Array("GPSLatitude 52.5200".utf8)
    return bytes
}

/// A JPEG with an Exif segment, a comment and a colour profile behind its start.
func withMetadata(_ jpeg: [UInt8], exif: [UInt8]) -> [UInt8] {
    func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
        let length = content.count + 2
        return [0xFF, marker, UInt8(length >> 8), UInt8(length & 255)] + content
    }
    var bytes = Array(jpeg[..<2])
    bytes += segment(0xE1, Array("Exif\0\0".utf8) + exif)
    bytes += segment(0xFE, Array("comment of GPS 52.52".utf8))
    bytes += segment(0xE2, Array("ICC_PROFILE\0\u{1}\u{1}GPS".utf8))
    return bytes + jpeg[2...]
}
