import KinWords

/// Text fitted to a terminal.
extension Plain {
    /// The number of columns that a text takes on a terminal.
    static func columns(_ text: String) -> Int { text.reduce(0) { $0 + columns($1) } }

    /// The text in at most that many columns, the end cut and marked.
    static func fitted(_ text: String, _ width: Int) -> String {
        guard columns(text) > width else { return text }
        var out = ""
        var used = 0
        for character in text {
            let columns = columns(character)
            if used + columns > width - 1 { break }
            out.append(character)
            used += columns
        }
        return out + "…"
    }

    /// The beginning of the text in at most that many columns.
    static func cut(_ text: String, _ width: Int) -> String {
        var used = 0
        return String(
            text.prefix { character in
                used += columns(character)
                return used <= width
            })
    }

    /// The text followed by blanks up to that many columns.
    static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - columns(text)))
    }

    /// Replaces the special signs of `kin` by signs of the same width that every terminal has. Letters of names stay.
    static func ascii(_ text: String) -> String {
        let signs: [Character: Character] = [
            "✓": "y", "✗": "n", "·": ".", "•": "*", "–": "-", "…": ".", "×": "x", "±": "~", "“": "\"", "”": "\"",
            "„": "\"",
        ]
        return String(text.map { signs[$0] ?? $0 })
    }

    /// The text without blanks at its end.
    static func trimmed(_ text: String) -> String { String(text.reversed().drop { $0 == " " }.reversed()) }

    private static func columns(_ character: Character) -> Int {
        if character.unicodeScalars.contains("\u{FE0F}") { return 2 }
        guard let scalar = character.unicodeScalars.first else { return 0 }
        switch scalar.value {
        case 0x300...0x36F, 0x200B...0x200F: return 0
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
            0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
            return 2
        default: return 1
        }
    }
}

extension Plain {
    /// The text broken into lines of at most that many columns, at blanks or within a longer word. All lines but the
    /// first are indented.
    static func wrapped(_ text: String, _ width: Int?, indent: Int) -> String {
        guard let width, width > 4, columns(text) > width else { return text }
        // In a narrow window the words come first, and the indent shrinks.
        let indent = max(0, min(indent, width - 11))
        var lines: [String] = []
        var line = ""
        // Blanks at the beginning of the text stay. Blanks with which a line would begin after a break are dropped.
        var hasBegun = false
        func room() -> Int { lines.isEmpty ? width : width - indent }
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            var word = Substring(word)
            if !line.isEmpty, columns(line) + 1 + columns(String(word)) > room() {
                lines.append(line)
                line = ""
            } else if !line.isEmpty || (hasBegun && lines.isEmpty) {
                line += " "
            }
            hasBegun = true
            while columns(line) + columns(String(word)) > room() {
                var part = ""
                while let next = word.first, columns(line + part + String(next)) <= room() {
                    part.append(next)
                    word.removeFirst()
                }
                lines.append(line + part)
                line = ""
            }
            line += word
        }
        lines.append(line)
        return lines.joined(separator: "\n" + String(repeating: " ", count: indent))
    }
}
