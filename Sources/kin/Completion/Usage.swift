import KinWords

/// One way to call a command, as its help writes it, parsed for completion: `household move MEMBER HOUSEHOLD`,
/// `role MEMBER admin|head`, `meet [list]`. Words in lower case are typed as they are; words in capitals are
/// placeholders; `[…]` may be left out; a word that begins with dashes is an option, with its value.
struct Usage: Equatable {
    /// The word that may stand in a place.
    enum Word: Hashable {
        case typed([String])
        /// A word that the daemon is asked for (``Lookup``).
        case looked(String)
        case file, folder
        /// Any other text.
        case other
    }

    /// The words after the command's name.
    private(set) var words: [Word] = []
    /// Whether the last word may be repeated.
    private(set) var repeats = false

    init(_ text: String) {
        var tokens = text.split(separator: " ").dropFirst().map { String($0) }[...]
        while let token = tokens.popFirst() {
            if token == "<" || token == "|" { break }
            let bare = token.filter { !"[]".contains($0) }
            if bare.hasPrefix("--") {
                // An option's value, unless the option ends its brackets.
                if let next = tokens.first, !token.hasSuffix("]"), !next.hasPrefix("["), !next.hasPrefix("--") {
                    tokens = tokens.dropFirst()
                }
                continue
            }
            repeats = bare.hasSuffix("…")
            words.append(Self.word(bare.filter { $0 != "…" }))
        }
    }

    /// The usage for people: its placeholders are in their language if there is a word for them (`word.MEMBER`).
    static func shown(_ text: String) -> String {
        var out = ""
        var run = ""
        func close() {
            out += run.count > 1 && Language.current.text("word.\(run)") != nil ? phrase("word.\(run)") : run
            run = ""
        }
        for character in text {
            if character.isASCII, character.isUppercase {
                run.append(character)
            } else {
                close()
                out.append(character)
            }
        }
        close()
        return out
    }

    /// The word for a placeholder or a list of choices.
    static func word(_ text: String) -> Word {
        switch text {
        case "FILE", "PATH": return .file
        case "DIR": return .folder
        default:
            for area in CommandArea.all {
                if let lookup = area.lookups.first(where: { $0.placeholder == text }) { return .looked(lookup.word) }
                if let word = area.word(text) { return word }
            }
        }
        if text.hasPrefix("FILE.") { return .file }
        let choices = text.split(separator: "|").map { String($0) }
        let typed = choices.filter { choice in
            choice.allSatisfy { $0.isLowercase || $0.isNumber || "-:".contains($0) }
        }
        return typed.isEmpty ? .other : .typed(typed)
    }
}
