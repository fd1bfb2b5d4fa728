/// A text in which the index highlighted what was looked for, and a piece of it around the first highlight.
struct Highlighted: Sendable {
    /// The characters before and after a match. No text in the index has control characters.
    static let begin: Unicode.Scalar = "\u{1}"
    static let end: Unicode.Scalar = "\u{2}"

    /// The text without the characters around matches.
    private(set) var text = ""
    /// The matches in it, in UTF-16 code units from its beginning.
    private(set) var matches: [Range<Int>] = []

    /// Reads what `highlight` answered.
    init(_ highlighted: String) {
        var scalars = String.UnicodeScalarView()
        var (units, start) = (0, 0)
        for scalar in highlighted.unicodeScalars {
            switch scalar {
            case Self.begin: start = units
            case Self.end: matches.append(start..<units)
            default:
                scalars.append(scalar)
                units += UTF16.width(scalar)
            }
        }
        text = String(scalars)
    }

    /// A piece of the text of at most so many characters, with the first match in it and whole words before it.
    func piece(characters: Int) -> (text: String, matches: [Range<Int>]) {
        let all = Array(text)
        guard all.count > characters else { return (Self.line(all[...]), matches) }
        // The character at which the first match begins.
        var (units, first) = (0, 0)
        if let match = matches.first {
            while first < all.count, units < match.lowerBound {
                units += all[first].utf16.count
                first += 1
            }
        }
        var start = first
        if first > characters / 4 {
            start = first - characters / 4
            if let space = all[start..<first].firstIndex(where: \.isWhitespace) { start = space + 1 }
        }
        let end = min(all.count, start + characters - 2)
        let skipped = all[..<start].reduce(0) { $0 + $1.utf16.count }
        let shown = all[start..<end].reduce(0) { $0 + $1.utf16.count }
        let lead = start > 0 ? "…" : ""
        let moved = matches.compactMap { match -> Range<Int>? in
            guard match.lowerBound >= skipped, match.upperBound <= skipped + shown else { return nil }
            let offset = lead.utf16.count - skipped
            return match.lowerBound + offset..<match.upperBound + offset
        }
        return (lead + Self.line(all[start..<end]) + (end < all.count ? "…" : ""), moved)
    }

    /// Characters as one line. Each break becomes as many blanks as it had code units, so that matches stay where they are.
    private static func line(_ characters: ArraySlice<Character>) -> String {
        var line = ""
        for character in characters {
            if character.isNewline {
                line += String(repeating: " ", count: character.utf16.count)
            } else {
                line.append(character)
            }
        }
        return line
    }
}
