/// Two to twelve pictures beside each other, which are one picture from then on.
public enum Collage {
    /// How they stand.
    public enum Layout: String, Sendable, CaseIterable {
        /// Squares, three in a row; the first ones are larger, so that the rows come out even.
        case mosaic
        /// Rows of one height, with as many in each as they can have alike.
        case grid
        /// Squares side by side.
        case row
        /// Squares one below the other.
        case column
    }

    /// How many pictures one is made of.
    public static let counts = 2...12
    /// A sixth of its width, in pixels.
    private static let unit = 320
    /// What lies between two of them, in pixels.
    private static let gap = 8
    /// Pixels of the longer side with which each of them is opened; no part of a sheet is larger.
    package static let openedSideMax = 6 * unit

    /// Where one of them is, in pixels.
    package struct Place: Sendable, Equatable {
        package let left: Int
        package let top: Int
        package let width: Int
        package let height: Int

        fileprivate init(_ left: Int, _ top: Int, _ width: Int, _ height: Int) {
            (self.left, self.top, self.width, self.height) = (left, top, width, height)
        }

        /// The same without the white around it.
        fileprivate var inner: Place { Place(left + gap / 2, top + gap / 2, width - gap, height - gap) }
    }

    /// The parts of the sheet, without what lies between.
    private static func parts(_ count: Int, _ layout: Layout) -> [Place] {
        let side = max(unit, openedSideMax / count)
        return switch layout {
        case .mosaic: mosaic(count)
        case .grid: grid(count)
        case .row: (0..<count).map { Place($0 * side, 0, side, side) }
        case .column: (0..<count).map { Place(0, $0 * side, side, side) }
        }
    }

    private static func grid(_ count: Int) -> [Place] {
        let columns = (1...4).first { $0 * $0 >= count } ?? 4
        let rows = (count + columns - 1) / columns
        let high = openedSideMax / columns
        return (0..<rows).flatMap { row in
            // What is left over is one more in each of the first rows.
            let inRow = count / rows + (row < count % rows ? 1 : 0)
            let wide = openedSideMax / inRow
            return (0..<inRow).map { Place($0 * wide, row * high, wide, high) }
        }
    }

    private static func mosaic(_ count: Int) -> [Place] {
        let width = openedSideMax
        if count == 3 {
            return [
                Place(0, 0, 4 * unit, 4 * unit), Place(4 * unit, 0, 2 * unit, 2 * unit),
                Place(4 * unit, 2 * unit, 2 * unit, 2 * unit),
            ]
        }
        let large = count % 3
        let high = [0, 3 * unit, 9 * unit / 4][large]
        return (0..<count).map { index in
            if index < large { return Place(index * width / large, 0, width / large, high) }
            let place = index - large
            return Place(place % 3 * 2 * unit, high + place / 3 * 2 * unit, 2 * unit, 2 * unit)
        }
    }

    /// Where each of so many pictures is.
    package static func places(_ count: Int, _ layout: Layout = .mosaic) -> [Place] {
        parts(count, layout).map(\.inner)
    }

    /// How wide and how high the sheet is with so many, in pixels.
    package static func size(_ count: Int, _ layout: Layout = .mosaic) -> (width: Int, height: Int) {
        let parts = parts(count, layout)
        return (parts.map { $0.left + $0.width }.max() ?? 0, parts.map { $0.top + $0.height }.max() ?? 0)
    }

    // MARK: As one process tells another

    /// How they stand, and how long each picture is, which come one behind the other.
    package static func word(_ lengths: [Int], _ layout: Layout = .mosaic) -> String {
        "collage:\(layout.rawValue):" + lengths.map(String.init).joined(separator: "+")
    }

    /// What such a word says; `nil` where a word says something else.
    package static func told(word: some StringProtocol) -> (layout: Layout, lengths: [Int])? {
        let parts = word.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "collage", let layout = Layout(rawValue: String(parts[1])) else {
            return nil
        }
        let lengths = parts[2].split(separator: "+", omittingEmptySubsequences: false).compactMap { Int($0) }
        let isWhole = lengths.count == parts[2].count { $0 == "+" } + 1
        guard isWhole, counts.contains(lengths.count), lengths.allSatisfy({ (1...(1 << 30)).contains($0) }) else {
            return nil
        }
        return (layout, lengths)
    }
}
