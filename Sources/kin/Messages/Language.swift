import KinLoop

/// A language that kin speaks to people in.
enum Language: String, CaseIterable, Sendable {
    case english = "en"
    case german = "de"

    /// What this run speaks; tests speak several at once.
    @TaskLocal static var current = Language.english

    /// As POSIX has it (XBD 8.2): the first of `LC_ALL`, `LC_MESSAGES` and `LANG` that is set and not empty counts.
    /// Languages that kin does not speak become English.
    init(_ variable: (String) -> String? = Machine.environment) {
        self = Self.locale("LC_MESSAGES", variable).flatMap { Language(name: $0) } ?? .english
    }

    /// Reads `de`, `de_AT.UTF-8`, `de-CH`; `nil` for one that is not spoken here.
    init?(name: String) {
        let language = name.prefix { $0.isLetter }.lowercased()
        self.init(rawValue: language)
    }

    /// Whether the terminal takes more than ASCII: what the locale says about characters.
    static func isUTF8(_ variable: (String) -> String? = Machine.environment) -> Bool {
        let name = locale("LC_CTYPE", variable)?.lowercased() ?? ""
        return name.contains("utf-8") || name.contains("utf8")
    }

    private static func locale(_ category: String, _ variable: (String) -> String?) -> String? {
        ["LC_ALL", category, "LANG"].compactMap { variable($0) }.first { !$0.isEmpty }
    }

    /// The texts of this language, read once.
    var phrases: Phrases {
        switch self {
        case .english: Self.inEnglish
        case .german: Self.inGerman
        }
    }

    private static let inEnglish = Phrases(english.bytes)
    private static let inGerman = Phrases(german.bytes)

    /// What kin says of itself, and what its areas say.
    private var bytes: [UInt8] {
        let own = self == .german ? PackageResources.de_messages : PackageResources.en_messages
        return CommandArea.all.reduce(own) { $0 + [UInt8(ascii: "\n")] + $1.messages(self) }
    }
}

/// What kin says in the language of this run: the text under a key of the message files, with its placeholders filled.
/// A key that no file has is said as it is; the tests see to it that there is none.
func phrase(_ key: String, _ values: KeyValuePairs<String, any CustomStringConvertible> = [:]) -> String {
    Language.current.phrases[key]?.filled(values) ?? key
}
