/// The size of the JPEG that is made of a picture. Such a JPEG is upright, scaled down if it is larger (never up), shows
/// white behind what is transparent, and holds nothing but pixels.
public enum Print: Sendable, Equatable {
    /// The middle square, with so many pixels a side at most.
    case square(Int)
    /// All of it, its longer side with so many pixels at most.
    case whole(Int)

    /// Its longest side.
    public var sideMax: Int {
        switch self {
        case .square(let side), .whole(let side): side
        }
    }

    /// As one process tells another.
    package var word: String {
        switch self {
        case .square(let side): "square:\(side)"
        case .whole(let side): "whole:\(side)"
        }
    }

    package init?(word: some StringProtocol) {
        let parts = word.split(separator: ":")
        guard parts.count == 2, let side = Int(parts[1]), (1...4096).contains(side) else { return nil }
        switch parts[0] {
        case "square": self = .square(side)
        case "whole": self = .whole(side)
        default: return nil
        }
    }
}

/// A picture that was opened.
public struct Developed: Sendable, Equatable {
    /// One of what was made of it.
    public struct Sheet: Sendable, Equatable {
        /// Pixels across.
        public let width: Int
        /// Pixels down.
        public let height: Int
        /// The JPEG.
        public let jpeg: [UInt8]

        package init(width: Int, height: Int, jpeg: [UInt8]) {
            (self.width, self.height, self.jpeg) = (width, height, jpeg)
        }
    }

    /// In the order in which they were asked for.
    public let sheets: [Sheet]
    /// When it was taken.
    public let taken: Taken?

    package init(sheets: [Sheet], taken: Taken?) {
        (self.sheets, self.taken) = (sheets, taken)
    }
}
