/// Which vCard: 3.0 (RFC 2426) or 4.0 (RFC 6350).
enum CardVersion: String, Sendable, CaseIterable {
    case three = "3.0"
    case four = "4.0"

    /// That of a card's lines.
    init?(of lines: [String]) {
        let found = lines.lazy.compactMap { line -> String? in
            guard line.utf8.count < 64, line.uppercased().hasPrefix("VERSION") else { return nil }
            return line.split(separator: ":", maxSplits: 1).last.map { VCardText.trimmed(String($0)) }
        }.first
        guard let found, let version = CardVersion(rawValue: found) else { return nil }
        self = version
    }
}
