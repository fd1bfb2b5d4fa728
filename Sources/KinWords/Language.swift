/// A language that people are spoken to in.
package enum Language: String, CaseIterable, Sendable {
    case english = "en"
    case german = "de"

    /// Reads `de`, `de_AT.UTF-8`, `de-CH`; `nil` for one that is not spoken here.
    package init?(name: some StringProtocol) {
        self.init(rawValue: name.prefix { $0.isLetter }.lowercased())
    }

    /// The plural forms that a language tells apart: the names of CLDR's plural rules.
    package enum PluralForm: Sendable { case one, other }

    /// The form that goes with a number as it is written. Both languages have CLDR's rule `i = 1 and v = 0`: one, without
    /// decimals, is `one`; everything else is `other`, `1.0` too. CLDR's operand is the number without its sign.
    package func form(of number: some StringProtocol) -> PluralForm {
        switch self {
        case .english, .german: number == "1" || number == "-1" ? .one : .other
        }
    }

    /// The texts of the library in this language, found once.
    package var phrases: Phrases {
        switch self {
        case .english: Self.inEnglish
        case .german: Self.inGerman
        }
    }

    private static let inEnglish = english.found
    private static let inGerman = german.found

    private var found: Phrases {
        let own = ["words", "pages", "web"].map { name in MessageFile.named("\(name).\(rawValue)") }
        return Phrases(own + AreaWords.all.map { $0.messages(self) })
    }
}

extension Language {
    /// The language that a visitor's browser asks for, by the `Accept-Language` header (RFC 9110, 12.5.4): of the ranges
    /// that are spoken here the one with the highest weight, of equal ones the first. A range with a region falls back to
    /// its language (RFC 4647, 3.4); `*` and whatever is not understood chooses nothing. English, where nothing fits.
    package init(accepting header: String?) { self = Self.accepted(header).language }

    /// The same, with the range that it was chosen by, such as `de-AT`; empty where nothing fits.
    package static func accepted(_ header: String?) -> (language: Language, range: String) {
        var best: (language: Language, range: String, weight: Int)?
        for range in (header ?? "").split(separator: ",").prefix(rangesMax) {
            let parts = range.split(separator: ";", omittingEmptySubsequences: false).map { trimmed($0) }
            guard let language = Language(range: parts[0]) else { continue }
            let weight = parts.dropFirst().first.map { Self.weight($0) } ?? 1000
            guard let weight, weight > 0, weight > best?.weight ?? 0 else { continue }
            best = (language, String(parts[0]), weight)
        }
        return best.map { ($0.language, $0.range) } ?? (.english, "")
    }

    /// Ranges that are looked at; browsers send a handful.
    private static let rangesMax = 32

    /// Reads a language range such as `de-AT`.
    private init?(range: Substring) {
        let subtags = range.split(separator: "-", omittingEmptySubsequences: false)
        guard subtags.allSatisfy({ (1...8).contains($0.utf8.count) && $0.utf8.allSatisfy(Self.isAlphanumeric) }) else {
            return nil
        }
        self.init(rawValue: subtags[0].lowercased())
    }

    /// Reads `q=0.8` in thousandths; `nil` for what is no weight.
    private static func weight(_ text: Substring) -> Int? {
        let sides = text.split(separator: "=", omittingEmptySubsequences: false).map { trimmed($0) }
        guard sides.count == 2, sides[0].lowercased() == "q", (1...5).contains(sides[1].utf8.count) else { return nil }
        let digits = sides[1].split(separator: ".", omittingEmptySubsequences: false)
        guard digits.count <= 2, digits[0] == "0" || digits[0] == "1" else { return nil }
        let decimals = digits.count == 2 ? digits[1] : ""
        guard decimals.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        let weight = Int(String(digits[0]) + decimals + String(repeating: "0", count: 3 - decimals.utf8.count))
        return weight.flatMap { $0 <= 1000 ? $0 : nil }
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }
}
