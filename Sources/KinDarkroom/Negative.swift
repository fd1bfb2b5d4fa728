internal import CDarkroom
internal import Glibc
public import KinPicture

/// A picture as it came: its header is read, and nothing of it is decoded yet.
public struct Negative {
    private let bytes: [UInt8]
    private let header: PictureHeader

    /// Reads the header, refuses what would take more than there is, and loads the library that will open it: last of all
    /// that needs files.
    public init(_ bytes: [UInt8], memoryBytesMax: Int = Darkroom.memoryBytesMax) throws(PictureFailure) {
        header = try PictureHeader(bytes)
        try header.check(memoryBytesMax: memoryBytesMax)
        switch header.format {
        // Texts and profiles never reach libpng, which would also write a warning about each that is damaged.
        case .png: self.bytes = try PNG.withoutMetadata(bytes)
        case .webp:
            let frame = try WebP.firstFrame(bytes)
            // How large a frame is stands in the frame, whatever is said before it.
            if let frame { try PictureHeader(frame).check(memoryBytesMax: memoryBytesMax) }
            self.bytes = frame ?? bytes
        case .jpeg, .gif: self.bytes = bytes
        case .heic: self.bytes = try HEIF.asStill(bytes)
        }
        switch header.format {
        case .jpeg: return
        case .png, .webp, .gif: guard kin_load_gd() != 0 else { throw .unavailable }
        case .heic: guard kin_load_heif() != 0 else { throw .unavailable }
        }
    }

    /// Decodes, crops, scales, turns and encodes. The first print is the largest of its kind; others of the kind are made
    /// of the one before.
    public func develop(_ prints: [Print]) throws(PictureFailure) -> Developed {
        guard let first = prints.first else { throw .damaged }
        let (pixels, exif) = try opened(first)
        return Developed(sheets: try pixels.sheets(prints), taken: exif?.taken)
    }

    /// Opened, as large as a print, and upright.
    func opened(_ print: Print) throws(PictureFailure) -> (pixels: Pixels, exif: Exif?) {
        let pixels = Pixels()
        let exif = try read(print, pixels)
        if header.format != .heic { try pixels.turn(exif?.orientation ?? .upright) }
        return (pixels, exif)
    }

    private func read(_ print: Print, _ pixels: Pixels) throws(PictureFailure) -> Exif? {
        let side = CInt(print.sideMax)
        let isSquare: CInt = if case .square = print { 1 } else { 0 }
        var block: UnsafeMutablePointer<UInt8>?
        var blockCount = 0
        defer { unsafe free(block) }
        let outcome = unsafe bytes.withUnsafeBufferPointer { buffer in
            let (start, count) = (buffer.baseAddress, buffer.count)
            return switch header.format {
            case .jpeg: unsafe kin_read_jpeg(start, count, side, isSquare, &pixels.picture)
            case .png: unsafe kin_read_png(start, count, side, isSquare, &pixels.picture)
            case .webp: unsafe kin_read_webp(start, count, side, isSquare, &pixels.picture)
            case .gif: unsafe kin_read_gif(start, count, side, isSquare, &pixels.picture)
            case .heic: unsafe kin_read_heif(start, count, side, isSquare, &pixels.picture, &block, &blockCount)
            }
        }
        try Pixels.check(outcome)
        guard header.format == .heic else { return header.exif }
        guard let block = unsafe block else { return nil }
        return unsafe Exif(Array(UnsafeBufferPointer(start: block, count: blockCount))[...])
    }
}
