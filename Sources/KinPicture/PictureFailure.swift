/// Why a picture could not be taken.
public enum PictureFailure: Error, Sendable, Equatable {
    /// Not JPEG, PNG, WebP or GIF.
    case unknownFormat
    /// Cut off or broken.
    case damaged
    /// More pixels than are ever decoded, or none.
    case tooLarge
    /// libgd is not installed here.
    case unavailable

    /// What to do, for a person.
    public var sentence: String {
        switch self {
        case .unknownFormat: "Choose a picture in JPEG, PNG, WebP or GIF format."
        case .damaged: "The picture is damaged or incomplete: send it again, or choose another."
        case .tooLarge: "The picture has too many pixels, or none: choose one of up to 50 megapixels."
        case .unavailable: "Pictures can't be taken on this machine: install the Debian package libgd3."
        }
    }
}
