import KinKeeper
import KinModel

/// Text of strangers, made into what people may write here: no markup, no control characters, nothing that turns a line.
enum PlainLine {
    /// One line of at most so many characters; `nil` where nothing is left. Tags are taken out and entities are read, where
    /// `isMarkup`.
    static func line(_ text: String, max most: Int, isMarkup: Bool = false) -> String? {
        let cleaned = cleaned(isMarkup ? withoutMarkup(text) : text)
        return checked(cut(cleaned.split(whereSeparator: \.isWhitespace).joined(separator: " "), most), most, true)
    }

    /// Text of several lines.
    static func text(_ text: String, max most: Int, isMarkup: Bool = false) -> String? {
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

    // MARK: Markup

    private static let entities: [String: Unicode.Scalar] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "frac12": "½", "frac14": "¼",
        "frac34": "¾", "deg": "°", "auml": "ä", "ouml": "ö", "uuml": "ü", "Auml": "Ä", "Ouml": "Ö", "Uuml": "Ü",
        "szlig": "ß", "eacute": "é", "egrave": "è", "ndash": "–", "mdash": "—", "rsquo": "’", "lsquo": "‘",
        "ldquo": "“", "rdquo": "”", "bdquo": "„", "hellip": "…", "times": "×", "ccedil": "ç", "agrave": "à",
    ]

    /// Entities are read once, and tags are taken out before: what an entity hides is text and no tag.
    static func withoutMarkup(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }) else { return text }
        let scalars = Array(text.unicodeScalars)
        var kept = String.UnicodeScalarView()
        var at = 0
        while at < scalars.count {
            let scalar = scalars[at]
            if scalar == "<", let next = at + 1 < scalars.count ? scalars[at + 1] : nil,
                next == "/" || next == "!" || next.properties.isAlphabetic
            {
                let end = scalars[at...].firstIndex(of: ">") ?? scalars.count
                // A paragraph or a break is a line.
                kept.append("\n")
                at = end + 1
            } else if scalar == "&", let (read, length) = entity(scalars[at...]) {
                kept.append(read)
                at += length
            } else {
                kept.append(scalar)
                at += 1
            }
        }
        return String(kept)
    }

    private static func entity(_ scalars: ArraySlice<Unicode.Scalar>) -> (Unicode.Scalar, Int)? {
        guard let end = scalars.prefix(12).firstIndex(of: ";") else { return nil }
        let name = String(String.UnicodeScalarView(scalars[(scalars.startIndex + 1)..<end]))
        let length = end - scalars.startIndex + 1
        if let known = entities[name] { return (known, length) }
        guard name.hasPrefix("#") else { return nil }
        let digits = name.dropFirst()
        let number =
            digits.first == "x" || digits.first == "X" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return number.flatMap { Unicode.Scalar($0) }.map { ($0, length) }
    }
}
