import KinModel

/// Addresses of pages as feeds write them. Only `http` and `https` are taken. An address with a user's name is refused,
/// because it looks like another one.
enum FeedLink {
    /// The address that a reference means at a base (RFC 3986 §5.2, without dots that a browser takes out itself).
    static func read(_ text: String, at base: String?) -> String? {
        let text = trimmed(text)
        guard !text.isEmpty, text.utf8.count <= 4 * Limits.linkCharactersMax else { return nil }
        if let scheme = scheme(of: text) {
            return scheme == "http" || scheme == "https" ? checked(text) : nil
        }
        guard let base, let start = origin(of: base) else { return nil }
        if text.hasPrefix("//") { return checked(base.prefix { $0 != ":" } + ":" + text) }
        if text.hasPrefix("/") { return checked(start + text) }
        let path = base.dropFirst(start.count).prefix { $0 != "?" && $0 != "#" }
        if text.hasPrefix("?") || text.hasPrefix("#") { return checked(start + (path.isEmpty ? "/" : path) + text) }
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "/"
        return checked(start + folder + text)
    }

    /// `https://host:port` of an address: the part that may be told when the path is a secret.
    static func origin(of address: String) -> String? {
        guard let checked = checked(address), let scheme = scheme(of: checked) else { return nil }
        let host = checked.dropFirst(scheme.count + 3).prefix { !"/?#".contains($0) }
        return String(checked[..<host.endIndex])
    }

    /// The address, if it is the address of a page.
    static func checked(_ text: some StringProtocol) -> String? {
        let text = String(text)
        guard text.unicodeScalars.count <= Limits.linkCharactersMax, let scheme = scheme(of: text),
            scheme == "http" || scheme == "https"
        else { return nil }
        let rest = text.dropFirst(scheme.count + 1)
        guard rest.hasPrefix("//") else { return nil }
        let host = rest.dropFirst(2).prefix { !"/?#\\".contains($0) }
        let isPlain = text.unicodeScalars.allSatisfy {
            $0.value > 0x20 && $0 != "\\" && $0 != "\"" && $0 != "<" && $0 != ">" && !(0x7F...0xA0).contains($0.value)
        }
        guard isPlain, let first = host.first, first.isLetter || first.isNumber || first == "[", !host.contains("@"),
            Unseen.cleaned(text).hasSameBytes(as: text)
        else { return nil }
        return text
    }

    private static func scheme(of text: String) -> String? {
        let word = text.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
        guard word.first?.isLetter == true, text.dropFirst(word.count).first == ":" else { return nil }
        return word.lowercased()
    }

    private static func trimmed(_ text: String) -> String {
        let behind = text.drop { $0.isWhitespace }
        return String(behind.reversed().drop { $0.isWhitespace }.reversed())
    }
}
