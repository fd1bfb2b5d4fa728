/// Letters made plain.
package enum Spelling {
    /// ä as ae, ö as oe, ü as ue, ß as ss, and letters that are no others with marks: how they are typed where there is
    /// no key for them.
    package static func withoutUmlauts(_ text: String) -> String {
        // Most texts have none, and this is asked of all that is written.
        guard text.utf8.contains(where: { $0 >= 0x80 }) else { return text }
        var out = ""
        for character in text {
            switch character {
            case "ä", "æ": out += "ae"
            case "ö", "œ": out += "oe"
            case "ü": out += "ue"
            case "Ä", "Æ": out += "Ae"
            case "Ö", "Œ": out += "Oe"
            case "Ü": out += "Ue"
            case "ß": out += "ss"
            case "ø": out += "o"
            case "Ø": out += "O"
            case "ı": out += "i"
            case "ł": out += "l"
            case "Ł": out += "L"
            case "đ": out += "d"
            case "Đ": out += "D"
            default: out.append(character)
            }
        }
        return out
    }

    /// Lower case and without the marks that Western languages put on letters, so that Ä stands with A (DIN 5007-1).
    package static func plain(_ text: String) -> String {
        var out = ""
        for character in text.lowercased() { out += marked[character] ?? String(character) }
        return out
    }

    private static let marked: [Character: String] = {
        var marked: [Character: String] = ["ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d"]
        for (plain, letters) in [
            ("a", "äàáâãåāăą"), ("c", "çćč"), ("d", "ď"), ("e", "ëèéêēęě"), ("g", "ğ"), ("i", "ïìíîī"), ("l", "ĺľ"),
            ("n", "ñńň"), ("o", "öòóôõőō"), ("r", "řŕ"), ("s", "śšşș"), ("t", "ťţț"), ("u", "üùúûűūů"), ("y", "ýÿ"),
            ("z", "źżž"),
        ] { for letter in letters { marked[letter] = plain } }
        return marked
    }()
}
