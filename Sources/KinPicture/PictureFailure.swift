/// Why a picture could not be taken.
public enum PictureFailure: Error, Sendable, Equatable {
    /// Not JPEG, PNG, WebP, GIF or HEIC.
    case unknownFormat
    /// Not a film in MP4, 3GP or QuickTime format, or one with parts that cannot be looked through.
    case unknownFilm
    /// A HEIC of several pictures that follow each other, none of which stands for all.
    case sequence
    /// Cut off or broken, or what opened it crashed.
    case damaged
    /// Sides or passes beyond all measure, or no pixels.
    case tooLarge
    /// Opening it would take more memory than there is for one picture; of its kind so many megapixels would fit.
    case needsMemory(megapixelsMax: Int)
    /// It was not opened in the time there is.
    case tooSlow
    /// The program or a library that opens it is not installed here.
    case unavailable
    /// Its bytes are no longer there.
    case unread

    /// What to do, for a person.
    public var sentence: String {
        switch self {
        case .unknownFormat: "Choose a picture in JPEG, PNG, WebP, GIF or HEIC format."
        case .unknownFilm: "Choose a film in MP4, MOV or 3GP format, as phones and cameras make it."
        case .sequence:
            "This HEIC file holds a sequence of pictures, like a film, and no single one: send one of them as a picture."
        case .damaged: "The picture is damaged or incomplete: send it again, or choose another."
        case .tooLarge: "The picture has too many pixels, or none: choose another."
        case .needsMemory(let most):
            "The picture is too large to be opened here: send it smaller, with at most \(most) megapixels. "
                + "Phones offer that when they share a picture, and a screenshot of it does as well."
        case .tooSlow: "The picture takes too long to open: send it smaller, or choose another."
        case .unavailable:
            "Pictures can't be taken on this machine: install kinwire-darkroom, and the Debian packages libgd3 and libheif1."
        case .unread: "The picture is no longer there; send it again."
        }
    }

    /// Whether it is a fault of this machine, not of the picture.
    public var isOfMachine: Bool { self == .unavailable || self == .unread }
}

extension PictureFailure {
    /// As one process tells another.
    package var line: String {
        switch self {
        case .unknownFormat: "unknownFormat"
        case .unknownFilm: "unknownFilm"
        case .sequence: "sequence"
        case .damaged: "damaged"
        case .tooLarge: "tooLarge"
        case .needsMemory(let most): "needsMemory \(most)"
        case .tooSlow: "tooSlow"
        case .unavailable: "unavailable"
        case .unread: "unread"
        }
    }

    package init?(line: Substring) {
        let words = line.split(separator: " ")
        switch words.first {
        case "unknownFormat": self = .unknownFormat
        case "unknownFilm": self = .unknownFilm
        case "sequence": self = .sequence
        case "damaged": self = .damaged
        case "tooLarge": self = .tooLarge
        case "needsMemory":
            guard words.count == 2, let most = Int(words[1]), (0...100_000).contains(most) else { return nil }
            self = .needsMemory(megapixelsMax: most)
        case "tooSlow": self = .tooSlow
        case "unavailable": self = .unavailable
        case "unread": self = .unread
        default: return nil
        }
    }
}
