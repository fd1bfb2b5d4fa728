public import KinPicture

/// Pictures as they came, of which one sheet is made: they stand beside each other, each cut around its middle.
public struct Spread {
    private let negatives: [Negative]
    private let layout: Collage.Layout

    /// Reads their headers, and loads what will open them.
    public init(
        _ pictures: [[UInt8]], layout: Collage.Layout = .mosaic, memoryBytesMax: Int = Darkroom.memoryBytesMax
    ) throws(PictureFailure) {
        var negatives: [Negative] = []
        for picture in pictures { negatives.append(try Negative(picture, memoryBytesMax: memoryBytesMax)) }
        self.negatives = negatives
        self.layout = layout
    }

    /// Opens one after the other, so that one is in memory besides the sheet, and makes prints of that.
    public func develop(_ prints: [Print]) throws(PictureFailure) -> Developed {
        guard let first = prints.first, Collage.counts.contains(negatives.count) else { throw .damaged }
        let size = Collage.size(negatives.count, layout)
        let sheet = try Pixels.blank(size.width, size.height)
        for (negative, place) in zip(negatives, Collage.places(negatives.count, layout)) {
            try sheet.draw(try negative.opened(.whole(Collage.openedSideMax)).pixels, place)
        }
        return Developed(sheets: try sheet.smaller(first.sideMax).sheets(prints), taken: nil)
    }
}
