extension StrangersText {
    /// The text between a page's tags. Entities are read once, and tags are taken out before: what an entity hides is text
    /// and no tag. What scripts and styles say is no text. A paragraph, a list's item or a break begins a line; a word that
    /// is bold or a link stays within its line. `keepsLines`: the text's own lines are lines; else, as pages have it,
    /// they are spaces.
    package static func withoutMarkup(_ text: String, keepsLines: Bool = true) -> String {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }) else { return text }
        let scalars = Array(text.unicodeScalars)
        var kept = String.UnicodeScalarView()
        var at = 0
        while at < scalars.count {
            let scalar = scalars[at]
            if scalar == "<", let next = at + 1 < scalars.count ? scalars[at + 1] : nil,
                next == "/" || next == "!" || next == "?" || next.properties.isAlphabetic
            {
                let (after, name) = tag(scalars, from: at)
                if !inLine.contains(name) { kept.append("\n") }
                at = after
            } else if scalar == "&", let (read, length) = entity(scalars[at...]) {
                kept.append(read)
                at += length
            } else {
                kept.append(!keepsLines && (scalar == "\n" || scalar == "\r") ? " " : scalar)
                at += 1
            }
        }
        return String(kept)
    }

    /// Whether some tag stands in it.
    package static func hasMarkup(_ text: String) -> Bool {
        var before: UInt8 = 0
        for byte in text.utf8 {
            if before == UInt8(ascii: "<"), byte == UInt8(ascii: "/") || (97...122).contains(byte | 0x20) {
                return true
            }
            before = byte
        }
        return false
    }

    /// Tags within a line.
    private static let inLine: Set = [
        "a", "abbr", "b", "bdi", "bdo", "big", "cite", "code", "del", "dfn", "em", "font", "i", "img", "ins", "kbd",
        "mark", "q", "s", "small", "span", "strong", "sub", "sup", "time", "tt", "u", "var", "wbr",
    ]
    /// Elements whose content is no text for people.
    private static let silent: Set = ["script", "style", "template", "iframe", "object", "svg", "math", "head"]

    /// The place behind a tag, a comment, or an element that says nothing, where the text goes on; and its name.
    private static func tag(_ scalars: [Unicode.Scalar], from start: Int) -> (after: Int, name: String) {
        func begins(_ word: String, at place: Int) -> Bool {
            var at = place
            for scalar in word.unicodeScalars {
                guard at < scalars.count else { return false }
                let value = scalars[at].value
                guard scalar.value == (65...90 ~= value ? value | 0x20 : value) else { return false }
                at += 1
            }
            return true
        }
        if begins("<!--", at: start) {
            var at = start + 4
            while at < scalars.count, !begins("-->", at: at) { at += 1 }
            return (min(at + 3, scalars.count), "span")
        }
        let isEnd = scalars[start + 1] == "/"
        let first = start + (isEnd ? 2 : 1)
        let letters = scalars[first...].prefix(12).prefix { (48...57).contains($0.value) || $0.properties.isAlphabetic }
        let name = String(String.UnicodeScalarView(letters)).lowercased()
        let end = scalars[start...].firstIndex(of: ">").map { $0 + 1 } ?? scalars.count
        guard !isEnd, silent.contains(name), end < scalars.count, scalars[end - 2] != "/" else { return (end, name) }
        var at = end
        while at < scalars.count, !begins("</" + name, at: at) { at += 1 }
        return (scalars[at...].firstIndex(of: ">").map { $0 + 1 } ?? scalars.count, name)
    }

    // MARK: Entities

    /// HTML's names of the characters from U+00A0 to U+00FF, in their order; and some others that newspapers write.
    private static let latin = """
        nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute \
        micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig \
        Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times \
        Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave \
        eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave \
        uacute ucirc uuml yacute thorn yuml
        """
    private static let others: [String: Unicode.Scalar] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "ndash": "–", "mdash": "—",
        "rsquo": "’", "lsquo": "‘", "sbquo": "‚", "ldquo": "“", "rdquo": "”", "bdquo": "„", "lsaquo": "‹",
        "rsaquo": "›", "hellip": "…", "bull": "•", "euro": "€", "trade": "™", "permil": "‰", "minus": "−",
        "larr": "←", "rarr": "→", "uarr": "↑", "darr": "↓", "OElig": "Œ", "oelig": "œ", "Scaron": "Š", "scaron": "š",
        "Zcaron": "Ž", "zcaron": "ž", "Ccaron": "Č", "ccaron": "č", "Cacute": "Ć", "cacute": "ć", "dagger": "†",
        "prime": "′", "infin": "∞", "ne": "≠", "le": "≤", "ge": "≥", "hearts": "♥", "ensp": " ", "emsp": " ",
        "thinsp": " ", "zwnj": "\u{200C}", "zwj": "\u{200D}",
    ]
    private static let entities: [String: Unicode.Scalar] = {
        var all: [String: Unicode.Scalar] = [:]
        for (index, name) in latin.split(separator: " ").enumerated() {
            all[String(name)] = Unicode.Scalar(UInt8(truncatingIfNeeded: 0xA0 + index))
        }
        return all.merging(others) { _, other in other }
    }()

    /// The character of an entity's name, without its marks.
    package static func entity(named name: some StringProtocol) -> Unicode.Scalar? { entities[String(name)] }

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
