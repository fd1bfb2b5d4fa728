/// One line of a source file, with what a rule may want to know about its neighbourhood.
struct Line {
    /// From 1.
    let number: Int
    let text: String
    /// The text of the line above; empty above the first.
    let above: String

    /// The line without its `//` comment. A `//` after a colon is taken for a URL.
    var code: Substring {
        var index = text.startIndex
        var previous: Character?
        while index < text.endIndex {
            if text[index] == "/", previous != ":", text[index...].hasPrefix("//") { return text[..<index] }
            previous = text[index]
            index = text.index(after: index)
        }
        return text[...]
    }

    /// Whether a comment stands on the line or on the line above.
    var isExplained: Bool { code.endIndex != text.endIndex || above.trimmed.hasPrefix("//") }

    static func all(in text: String) -> [Line] {
        var above = ""
        var lines: [Line] = []
        // Split at bytes: a grapheme may swallow a line feed.
        for (index, piece) in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .enumerated()
        {
            let text = String(Substring(piece))
            lines.append(Line(number: index + 1, text: text, above: above))
            above = text
        }
        if lines.last?.text.isEmpty == true { lines.removeLast() }
        return lines
    }
}

extension StringProtocol {
    /// Without spaces and tabs at both ends.
    var trimmed: String {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        let rest = drop(while: isBlank)
        return String(rest.reversed().drop(while: isBlank).reversed())
    }
}
