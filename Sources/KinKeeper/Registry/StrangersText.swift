import KinModel

/// Text of strangers, made into what people may write here: no markup, no control characters, nothing that turns a line.
/// Saved pages, files and news from outside come through it.
package enum StrangersText {
    /// One line of at most so many characters; `nil` where nothing is left. Tags are taken out and entities are read, where
    /// `isMarkup`.
    package static func line(_ text: String, max most: Int, isMarkup: Bool = false) -> String? {
        let cleaned = cleaned(isMarkup ? withoutMarkup(text) : text)
        return checked(cut(cleaned.split(whereSeparator: \.isWhitespace).joined(separator: " "), most), most, true)
    }

    /// Text of several lines.
    package static func text(_ text: String, max most: Int, isMarkup: Bool = false) -> String? {
        let lines = cleaned(isMarkup ? withoutMarkup(text) : text).split(whereSeparator: \.isNewline).map {
            $0.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        let whole = cut(lines.filter { !$0.isEmpty }.joined(separator: "\n"), most)
        return whole.isEmpty ? nil : checked(whole, most, false)
    }

    private static func checked(_ text: String, _ most: Int, _ isOneLine: Bool) -> String? {
        guard !text.isEmpty else { return nil }
        do throws(Rejection) {
            try Text.check(text, field: "text", charactersMax: most, isOneLine: isOneLine)
            return text
        } catch { return nil }
    }

    /// Scalars are counted, as everywhere.
    private static func cut(_ text: String, _ most: Int) -> String {
        guard text.unicodeScalars.count > most else { return text }
        var cut = String(String.UnicodeScalarView(text.unicodeScalars.prefix(most - 1)))
        while cut.last?.isWhitespace == true { cut.removeLast() }
        return cut + "…"
    }

    private static func cleaned(_ text: String) -> String {
        var kept = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if (0x20..<0x7F).contains(scalar.value) {
                kept.append(scalar)
                continue
            }
            switch scalar.properties.generalCategory {
            case .lineSeparator, .paragraphSeparator: kept.append("\n")
            case .control: kept.append(scalar == "\n" || scalar == "\r" ? "\n" : " ")
            case .unassigned where scalar.properties.isNoncharacterCodePoint: break
            default: kept.append(scalar)
            }
        }
        return Unseen.cleaned(String(kept))
    }
}
