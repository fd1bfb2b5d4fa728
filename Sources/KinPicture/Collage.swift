/// Two to twelve pictures beside each other, which are one picture from then on. The first ones are larger, so that the rows
/// come out even.
public enum Collage {
    /// How many pictures one is made of.
    public static let counts = 2...12
    /// A sixth of its width, in pixels.
    private static let unit = 320
    /// What lies between two of them, in pixels.
    private static let gap = 8
    /// Its width, in pixels.
    package static let width = 6 * unit

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
    private static func parts(_ count: Int) -> [Place] {
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
    package static func places(_ count: Int) -> [Place] { parts(count).map(\.inner) }

    /// How high the sheet is with so many, in pixels.
    package static func height(_ count: Int) -> Int { parts(count).map { $0.top + $0.height }.max() ?? 0 }

    // MARK: As one process tells another

    /// How long each picture is, which come one behind the other.
    package static func word(_ lengths: [Int]) -> String {
        "collage:" + lengths.map(String.init).joined(separator: "+")
    }

    /// Such lengths; `nil` where a word says something else.
    package static func lengths(word: some StringProtocol) -> [Int]? {
        let parts = word.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == "collage" else { return nil }
        let lengths = parts[1].split(separator: "+", omittingEmptySubsequences: false).compactMap { Int($0) }
        let isWhole = lengths.count == parts[1].count { $0 == "+" } + 1
        guard isWhole, counts.contains(lengths.count), lengths.allSatisfy({ (1...(1 << 30)).contains($0) }) else {
            return nil
        }
        return lengths
    }
}
