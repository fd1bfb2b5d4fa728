import CGD
import Glibc

/// libgd, opened at the first picture rather than linked: with its sixty libraries it costs 6.6 MB resident in a daemon
/// that does nothing (13.2 MB against 6.5 MB, static standard library, libssl, libsodium and libzxcvbn linked in both),
/// a third of what an idle family may use, and most families change a picture once a year.
@safe struct Painter: @unchecked Sendable {
    // Rule: addresses of functions, fixed once found; libgd has no state but its error method, set here once.
    private typealias Decode = @convention(c) (CInt, UnsafeMutableRawPointer?) -> gdImagePtr?
    private typealias Make = @convention(c) (CInt, CInt) -> gdImagePtr?
    private typealias Change = @convention(c) (gdImagePtr) -> Void
    private typealias Convert = @convention(c) (gdImagePtr) -> CInt
    private typealias Fill = @convention(c) (gdImagePtr, CInt, CInt, CInt, CInt, CInt) -> Void
    private typealias Resample =
        @convention(c) (
            gdImagePtr, gdImagePtr, CInt, CInt, CInt, CInt, CInt, CInt, CInt, CInt
        ) -> Void
    private typealias Encode = @convention(c) (gdImagePtr, UnsafeMutablePointer<CInt>, CInt) -> UnsafeMutableRawPointer?
    private typealias Free = @convention(c) (UnsafeMutableRawPointer?) -> Void

    private let decoders: (jpeg: Decode, png: Decode, webp: Decode, gif: Decode)
    private let make: Make
    private let destroy: Change
    private let toTrueColor: Convert
    private let fill: Fill
    private let resample: Resample
    private let flipAcross: Change
    private let flipDown: Change
    private let encodeJPEG: Encode
    private let free: Free

    /// `nil` where libgd is not installed.
    static let opened = Painter()

    private init?() {
        guard let library = unsafe dlopen("libgd.so.3", RTLD_NOW | RTLD_LOCAL) else { return nil }
        // Rule: each name is bound to the type its declaration in gd.h has.
        func function<Function>(_ name: String, _ type: Function.Type) -> Function? {
            guard let symbol = unsafe dlsym(library, name) else { return nil }
            return unsafe unsafeBitCast(symbol, to: type)
        }
        guard let jpeg = unsafe function("gdImageCreateFromJpegPtr", Decode.self),
            let png = unsafe function("gdImageCreateFromPngPtr", Decode.self),
            let webp = unsafe function("gdImageCreateFromWebpPtr", Decode.self),
            let gif = unsafe function("gdImageCreateFromGifPtr", Decode.self),
            let make = unsafe function("gdImageCreateTrueColor", Make.self),
            let destroy = unsafe function("gdImageDestroy", Change.self),
            let toTrueColor = unsafe function("gdImagePaletteToTrueColor", Convert.self),
            let fill = unsafe function("gdImageFilledRectangle", Fill.self),
            let resample = unsafe function("gdImageCopyResampled", Resample.self),
            let flipAcross = unsafe function("gdImageFlipHorizontal", Change.self),
            let flipDown = unsafe function("gdImageFlipVertical", Change.self),
            let encodeJPEG = unsafe function("gdImageJpegPtr", Encode.self),
            let free = unsafe function("gdFree", Free.self), let silence = unsafe dlsym(library, "gdSetErrorMethod")
        else { return nil }
        unsafe kin_gd_silence(silence)
        unsafe decoders = (jpeg, png, webp, gif)
        unsafe self.make = make
        unsafe self.destroy = destroy
        unsafe self.toTrueColor = toTrueColor
        unsafe self.fill = fill
        unsafe self.resample = resample
        unsafe self.flipAcross = flipAcross
        unsafe self.flipDown = flipDown
        unsafe self.encodeJPEG = encodeJPEG
        unsafe self.free = free
    }

    /// Decodes, crops, scales, turns and encodes. The header's dimensions must have been checked.
    func square(
        _ bytes: [UInt8], _ header: PictureHeader, sideMax: Int, quality: CInt
    ) throws(PictureFailure) -> [UInt8] {
        // Rows are freed one by one into this thread's arena; without this it would keep up to 400 MB.
        defer { malloc_trim(0) }
        guard let source = unsafe decode(bytes, header.format) else { throw .damaged }
        defer { unsafe destroy(source) }
        if unsafe source.pointee.trueColor == 0, unsafe toTrueColor(source) == 0 { throw .damaged }
        let across = unsafe source.pointee.sx
        let down = unsafe source.pointee.sy
        guard across > 0, down > 0 else { throw .damaged }
        let crop = min(across, down)
        let side = min(crop, CInt(clamping: sideMax))
        guard let target = unsafe make(side, side) else { throw .damaged }
        defer { unsafe destroy(target) }
        unsafe fill(target, 0, 0, side - 1, side - 1, 0xFF_FFFF)
        unsafe resample(target, source, 0, 0, (across - crop) / 2, (down - crop) / 2, side, side, crop, crop)
        unsafe turn(target, header.orientation)
        var count: CInt = 0
        guard let encoded = unsafe encodeJPEG(target, &count, quality), count > 0 else { throw .damaged }
        defer { unsafe free(encoded) }
        return unsafe Array(UnsafeRawBufferPointer(start: encoded, count: Int(count)))
    }

    private func decode(_ bytes: [UInt8], _ format: PictureHeader.Format) -> gdImagePtr? {
        let decode =
            switch format {
            case .jpeg: unsafe decoders.jpeg
            case .png: unsafe decoders.png
            case .webp: unsafe decoders.webp
            case .gif: unsafe decoders.gif
            }
        guard let count = CInt(exactly: bytes.count) else { return nil }
        // libgd's parameter is not const, but it only reads.
        return unsafe bytes.withUnsafeBytes { unsafe decode(count, UnsafeMutableRawPointer(mutating: $0.baseAddress)) }
    }

    /// Turns a square picture in place.
    private func turn(_ picture: gdImagePtr, _ orientation: Orientation) {
        if orientation.isTransposed, let rows = unsafe picture.pointee.tpixels {
            // Rule: a true-colour picture has `sy` rows of `sx` pixels, and this one is square.
            let side = unsafe Int(min(picture.pointee.sx, picture.pointee.sy))
            for y in 0..<side {
                guard let row = unsafe rows[y] else { return }
                for x in 0..<y {
                    guard let other = unsafe rows[x] else { return }
                    unsafe swap(&row[x], &other[y])
                }
            }
        }
        if orientation.isFlippedAcross { unsafe flipAcross(picture) }
        if orientation.isFlippedDown { unsafe flipDown(picture) }
    }
}
