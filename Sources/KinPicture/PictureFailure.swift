/// Why a picture could not be taken.
public enum PictureFailure: Error, Sendable, Equatable {
    /// Not JPEG, PNG, WebP or GIF.
    case unknownFormat
    /// Cut off or broken.
    case damaged
    /// More pixels than are ever decoded (50 million), or a side of 0.
    case tooLarge
    /// The picture library is not installed here, or memory is short.
    case unavailable

    /// What to do, for a person.
    public var sentence: String {
        switch self {
        case .unknownFormat: "Choose a picture in JPEG, PNG, WebP or GIF format."
        case .damaged: "The picture is damaged or incomplete: send it again."
        case .tooLarge: "The picture has too many pixels: choose one under 50 megapixels."
        case .unavailable:
            "Pictures can't be taken on this machine: the Debian package libgd3 is missing, or memory is short."
        }
    }
}
