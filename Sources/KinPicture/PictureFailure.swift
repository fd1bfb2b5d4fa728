/// Why a picture could not be taken.
public enum PictureFailure: Error, Sendable, Equatable {
    /// Not JPEG, PNG, WebP or GIF.
    case unknownFormat
    /// Cut off or broken.
    case damaged
    /// Sides or passes beyond all measure, or no pixels.
    case tooLarge
    /// Opening it would take more memory than there is for one picture; of its kind so many megapixels would fit.
    case needsMemory(megapixelsMax: Int)
    /// libgd is not installed here.
    case unavailable

    /// What to do, for a person.
    public var sentence: String {
        switch self {
        case .unknownFormat: "Choose a picture in JPEG, PNG, WebP or GIF format."
        case .damaged: "The picture is damaged or incomplete: send it again, or choose another."
        case .tooLarge: "The picture has too many pixels, or none: choose another."
        case .needsMemory(let most):
            "The picture is too large to be opened here: send it smaller, with at most \(most) megapixels. "
                + "Phones offer that when they share a picture, and a screenshot of it does as well."
        case .unavailable: "Pictures can't be taken on this machine: install the Debian package libgd3."
        }
    }
}
