/// How a picture has to be turned to be upright: the tag `Orientation` of Exif (TIFF 6.0: 1 to 8).
///
/// Read here rather than by a C library: one tag, forty lines that cannot overrun, on bytes from anybody.
struct Orientation: Equatable {
    /// Mirror at the main diagonal first.
    let isTransposed: Bool
    /// Then left to right.
    let isFlippedAcross: Bool
    /// And top to bottom.
    let isFlippedDown: Bool

    static let upright = Orientation(tag: 1)

    /// Unknown values count as upright.
    init(tag: Int) {
        isTransposed = (5...8).contains(tag)
        isFlippedAcross = [2, 3, 6, 7].contains(tag)
        isFlippedDown = [3, 4, 7, 8].contains(tag)
    }

    /// Reads Exif data, with or without its `Exif` preamble. Whatever cannot be read counts as upright.
    init(exif: ArraySlice<UInt8>) {
        self.init(tag: Self.tag(exif) ?? 1)
    }

    private static func tag(_ exif: ArraySlice<UInt8>) -> Int? {
        let hasPreamble = ByteReader(exif).holds([0x45, 0x78, 0x69, 0x66, 0, 0])
        var reader = ByteReader(hasPreamble ? exif.dropFirst(6) : exif)
        if reader.holds("II") { reader.isLittleEndian = true } else if !reader.holds("MM") { return nil }
        guard reader.number(2, bytes: 2) == 42, let directory = reader.number(4, bytes: 4),
            let count = reader.number(directory, bytes: 2)
        else { return nil }
        for index in 0..<count {
            let entry = directory + 2 + index * 12
            guard let name = reader.number(entry, bytes: 2) else { return nil }
            // Type 3 is a 16-bit number, left-aligned in the value field.
            if name == 0x0112, reader.number(entry + 2, bytes: 2) == 3 { return reader.number(entry + 8, bytes: 2) }
        }
        return nil
    }
}
