/// The look of a name, whatever letters it is written with. Two names with equal skeletons are hard to tell apart on a
/// screen.
///
/// The idea and the word are those of UTS #39, Unicode Security Mechanisms, section 4 (Confusable Detection). The table
/// is our own, and small: what Latin, Greek and Cyrillic letters and digits have in common. Upper and lower case count
/// as the same, and so do forms that NFKC resolves: full width, mathematical letters, circles, ligatures, Roman
/// numerals. Accents stay, so that Zoe and Zoë are two names. A table that finds too much does no harm: it only shows a
/// username that was not needed.
public struct Skeleton: Hashable, Sendable {
    /// Compared by canonical equivalence, as Swift compares strings.
    private let text: String

    /// The skeleton of a name.
    public init(_ name: String) {
        var text = String.UnicodeScalarView()
        for scalar in name.unicodeScalars where !Self.isUnseen(scalar) {
            if scalar.properties.isWhitespace {
                if !text.isEmpty, text.last != " " { text.append(" ") }
                continue
            }
            for plain in Self.plain(scalar) {
                for lower in plain.lookAlike.unicodeScalars { text.append(contentsOf: Self.folded(lower)) }
            }
        }
        if text.last == " " { text.removeLast() }
        self.text = String(text)
    }

    /// Whether a character leaves no mark on a screen.
    private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value > 0x7F
            && (scalar.properties.isDefaultIgnorableCodePoint || scalar.properties.generalCategory == .format)
    }

    /// The look of a letter, then of its lower case: many letters look like another in one of the two only.
    private static func folded(_ scalar: Unicode.Scalar) -> String.UnicodeScalarView {
        var folded = String.UnicodeScalarView()
        for lower in scalar.properties.lowercaseMapping.unicodeScalars {
            folded.append(contentsOf: lower.lookAlike.unicodeScalars)
        }
        return folded
    }

    /// Without what only decorates: the compatibility mappings of NFKC, as far as names are written with them.
    private static func plain(_ scalar: Unicode.Scalar) -> String.UnicodeScalarView {
        let value = scalar.value
        func letter(_ index: UInt32, _ first: UInt32) -> String.UnicodeScalarView {
            String.UnicodeScalarView([Unicode.Scalar(first + index)].compactMap(\.self))
        }
        switch value {
        case 0xFF01...0xFF5E: return letter(value - 0xFF01, 0x21)
        case 0x24B6...0x24CF: return letter(value - 0x24B6, 0x41)
        case 0x24D0...0x24E9: return letter(value - 0x24D0, 0x61)
        case 0x1D400...0x1D6A3:
            // Thirteen alphabets of 26 capitals and 26 small letters.
            let index = (value - 0x1D400) % 52
            return index < 26 ? letter(index, 0x41) : letter(index - 26, 0x61)
        case 0x1D6A8...0x1D7C9:
            // Five Greek alphabets of 58 signs.
            let index = (value - 0x1D6A8) % 58
            return index < 25 ? letter(index, 0x391) : letter(max(index, 26) - 26, 0x3B1)
        case 0x1D7CE...0x1D7FF: return letter((value - 0x1D7CE) % 10, 0x30)
        default: return compatible[scalar]?.unicodeScalars ?? String.UnicodeScalarView([scalar])
        }
    }

    private static let compatible: [Unicode.Scalar: String] = [
        "ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st", "ĳ": "ij", "Ĳ": "ij", "ſ": "s",
        "ª": "a", "º": "o", "⁰": "0", "¹": "1", "²": "2", "³": "3", "℃": "°c", "№": "no", "™": "tm",
        "Ⅰ": "I", "Ⅱ": "II", "Ⅲ": "III", "Ⅳ": "IV", "Ⅴ": "V", "Ⅵ": "VI", "Ⅶ": "VII", "Ⅷ": "VIII", "Ⅸ": "IX", "Ⅹ": "X",
        "Ⅼ": "L", "Ⅽ": "C", "Ⅾ": "D", "Ⅿ": "M", "ⅰ": "i", "ⅱ": "ii", "ⅲ": "iii", "ⅳ": "iv", "ⅴ": "v", "ⅵ": "vi",
        "ⅹ": "x", "ⅼ": "l", "ⅽ": "c", "ⅾ": "d", "ⅿ": "m", "ß": "ss", "ẞ": "ss", "…": "...", "‥": "..",
        "ℂ": "C", "ℊ": "g", "ℋ": "H", "ℌ": "H", "ℍ": "H", "ℎ": "h", "ℐ": "I", "ℑ": "I", "ℒ": "L", "ℓ": "l", "ℕ": "N",
        "ℙ": "P", "ℚ": "Q", "ℛ": "R", "ℜ": "R", "ℝ": "R", "ℤ": "Z", "ℨ": "Z", "ℬ": "B", "ℭ": "C", "ℯ": "e", "ℰ": "E",
        "ℱ": "F", "ℳ": "M", "ℴ": "o",
    ]
}

extension Unicode.Scalar {
    /// The letters that a letter looks like; itself where there are none.
    fileprivate var lookAlike: String { Self.lookAlikes[self] ?? String(self) }

    private static let lookAlikes: [Unicode.Scalar: String] = {
        // What it looks like, and the letters that do: Latin and digits, then Greek, then Cyrillic, then others.
        let rows: [(String, String)] = [
            ("a", "ɑ" + "αΑ" + "аА"), ("a\u{301}", "άΆ"), ("b", "βΒ" + "вВЬь" + "Ꮟ"), ("c", "ϲϹ" + "сС" + "Ꮯ"),
            ("d", "ԁԀ" + "Ꭰ"), ("e", "εΕ" + "еЕ" + "ҽ" + "Ꭼ"), ("e\u{301}", "έΈ"), ("e\u{308}", "ёЁ"),
            ("e\u{300}", "ѐЀ"), ("f", "ƒ" + "Ϝϝ"), ("g", "ɡ" + "ԍ" + "ց"), ("h", "Η" + "нНһҺ" + "հ"), ("h\u{301}", "Ή"),
            ("j", "ϳͿ" + "јЈ"), ("k", "κΚ" + "кК"), ("l", "1iI|ıɩ" + "ιΙ" + "іІӏӀ" + "ו"), ("l\u{301}", "ίΊ"),
            ("l\u{308}", "ϊΪ" + "їЇ"), ("n", "η" + "ո"), ("n\u{301}", "ή"), ("N", "Ν"),
            ("o", "0" + "οΟσ" + "оО" + "օՕ" + "ס" + "٥" + "۵"), ("o\u{301}", "όΌ"), ("p", "ρΡ" + "рР"),
            ("q", "ԛԚ" + "զ"),
            ("r", "г"), ("rn", "mM" + "Μ" + "мМ"), ("s", "ѕЅ" + "Ꮪ"), ("t", "τΤ" + "тТ"), ("u", "υ" + "ս"),
            ("u\u{301}", "ύ"),
            ("v", "ν" + "ѵѴ"), ("vv", "wW" + "ω" + "ԝԜ"), ("x", "χΧ" + "хХ"), ("y", "γΥ" + "уУүҮ"), ("y\u{301}", "Ύ"),
            ("z", "ζΖ"), ("3", "зЗӡӠ"), ("6", "б"), ("'", "’‘ʼ`´′"), ("-", "‐‑‒–—−"), ("\"", "“”„"),
        ]
        return rows.reduce(into: [:]) { table, row in
            for scalar in row.1.unicodeScalars { table[scalar] = row.0 }
        }
    }()
}

/// The names of members as a screen shows them. A name that looks like another member's has its username behind it.
/// Invisible characters, which older names may hold, are left out.
public struct ShownNames: Sendable {
    private struct Known {
        let name: String
        let username: String
        let skeleton: Skeleton
    }

    private var entries: [Identifier: Known] = [:]
    private var counts: [Skeleton: Int] = [:]

    /// Nobody's yet.
    public init() {}

    /// Those of members who are shown together.
    public init(_ members: some Sequence<Member>) { for member in members { learn(member) } }

    /// Takes a member's name, or a known member's new name. A username once known is kept, because not every message
    /// about a member has it.
    public mutating func learn(_ member: Member) {
        let old = entries[member.id]
        if let old { counts[old.skeleton, default: 1] -= 1 }
        let skeleton = Skeleton(member.displayName)
        counts[skeleton, default: 0] += 1
        entries[member.id] = Known(
            name: member.displayName, username: member.username.isEmpty ? old?.username ?? "" : member.username,
            skeleton: skeleton)
    }

    /// The name alone; `nil` for a member that is not known.
    public func name(of id: Identifier) -> String? { entries[id]?.name }

    /// `Ada`, or `Ada (ada2)` where another looks the same; `nil` for a member that is not known. A name that ends in a
    /// bracket has its username behind it too; otherwise it could pass for another's name with a username.
    public subscript(id: Identifier) -> String? {
        guard let entry = entries[id] else { return nil }
        let name = Unseen.cleaned(entry.name)
        guard !name.allSatisfy(\.isWhitespace) else { return entry.username }
        let isAlike = counts[entry.skeleton, default: 0] > 1 || name.hasSuffix(")") || name.hasSuffix("）")
        return isAlike && !entry.username.isEmpty ? "\(name) (\(entry.username))" : name
    }
}
