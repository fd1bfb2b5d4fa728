/// How a picture has to be turned to be upright: the tag `Orientation` of Exif (TIFF 6.0: 1 to 8).
package struct Orientation: Equatable, Sendable {
    /// Mirror at the main diagonal first.
    package let isTransposed: Bool
    /// Then left to right.
    package let isFlippedAcross: Bool
    /// And top to bottom.
    package let isFlippedDown: Bool

    package static let upright = Orientation(tag: 1)

    /// Unknown values count as upright.
    package init(tag: Int) {
        isTransposed = (5...8).contains(tag)
        isFlippedAcross = [2, 3, 6, 7].contains(tag)
        isFlippedDown = [3, 4, 7, 8].contains(tag)
    }
}
