/// Pictures of people as they are kept: square, small, and without anything that tells where they were taken.
public enum Picture {
    /// Bytes that decoding a picture may take at once, unless the caller says otherwise: a JPEG of 30 megapixels in one
    /// pass, of 12 to 17 in many, a PNG of 15.
    public static let memoryBytesMax = 128 << 20
    /// Longest side of a picture that is decoded; libgd allocates each row for itself.
    static let decodedSideMax = 32_767
    /// Most passes over the pixels of a progressive JPEG, in pixels: a small file can ask for thousands.
    static let scannedPixelsMax = 1_000_000_000
    /// JPEG quality, of 100.
    static let quality: CInt = 85

    /// Bytes of a JPEG, PNG, WebP or GIF (its first frame) as a square JPEG: turned upright, centre-cropped, scaled
    /// down to at most `sideMax` pixels (never up), transparency on white, no metadata.
    ///
    /// Takes about 0.5 s and 50 MB for a phone's 12 megapixels, and never more than `memoryBytesMax`, given back after:
    /// what would need more is refused by its header alone. Call it on a worker, one at a time. The first picture costs
    /// 8 MB that stay (see `Painter`). How many bytes are taken is the caller's limit.
    public static func square(
        _ bytes: [UInt8], sideMax: Int = 1600, memoryBytesMax: Int = memoryBytesMax
    ) throws(PictureFailure) -> [UInt8] {
        precondition((1...4096).contains(sideMax), "a picture's side has 1 to 4,096 pixels")
        let header = try PictureHeader(bytes)
        guard (1...decodedSideMax).contains(header.width), (1...decodedSideMax).contains(header.height),
            header.width * header.height * header.scans <= scannedPixelsMax
        else { throw .tooLarge }
        // The square is made while the whole is there still.
        let room = memoryBytesMax - 4 * sideMax * sideMax
        guard header.bytesToDecode <= room else {
            let pixels = header.width * header.height
            throw .needsMemory(megapixelsMax: room / max(1, header.bytesToDecode / pixels) / 1_000_000)
        }
        guard let painter = Painter.opened else { throw .unavailable }
        let pixels = header.format == .png ? try PNG.withoutMetadata(bytes) : bytes
        let jpeg = try painter.square(pixels, header, sideMax: sideMax, quality: quality)
        return JPEG.withoutComments(jpeg)
    }

    /// A face for OwnTracks' cards: a square JPEG of at most 192 pixels.
    public static func owntracksFace(_ bytes: [UInt8]) throws(PictureFailure) -> [UInt8] {
        try square(bytes, sideMax: 192)
    }
}
