/// The precision with which somebody sees a position, from nothing to all of it.
public enum Precision: String, Sendable, CaseIterable, Hashable, Comparable {
    /// Nothing, not even that there is one.
    case off
    /// Whether the member is at home.
    case home
    /// The name of the place the member is at.
    case place
    /// A cell of about a kilometre.
    case coarse
    /// All that the phone says.
    case exact

    /// From 0 for nothing to 4 for all.
    public var rank: Int {
        switch self {
        case .off: 0
        case .home: 1
        case .place: 2
        case .coarse: 3
        case .exact: 4
        }
    }

    /// Less of a position is less.
    public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }
}
