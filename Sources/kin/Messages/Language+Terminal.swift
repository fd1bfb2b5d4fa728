import KinLoop
import KinWords

/// The language of a terminal.
extension Language {
    /// The language of this run; tests use several at once.
    @TaskLocal static var current = Language.english

    /// The language by POSIX (XBD 8.2): the first of `LC_ALL`, `LC_MESSAGES` and `LANG` that is set and not empty
    /// counts. Any language that kin does not speak becomes English.
    init(_ variable: (String) -> String? = Machine.environment) {
        self = Self.locale("LC_MESSAGES", variable).flatMap { Language(name: $0) } ?? .english
    }

    /// Whether the terminal shows more than ASCII, by the locale's encoding.
    static func isUTF8(_ variable: (String) -> String? = Machine.environment) -> Bool {
        let name = locale("LC_CTYPE", variable)?.lowercased() ?? ""
        return name.contains("utf-8") || name.contains("utf8")
    }

    private static func locale(_ category: String, _ variable: (String) -> String?) -> String? {
        ["LC_ALL", category, "LANG"].compactMap { variable($0) }.first { !$0.isEmpty }
    }

    /// The texts of kin and of its areas' commands in this language; they are read once.
    var own: Phrases {
        switch self {
        case .english: Self.ownEnglish
        case .german: Self.ownGerman
        }
    }

    private static let ownEnglish = english.found
    private static let ownGerman = german.found

    private var found: Phrases {
        let areas = CommandArea.all.map { $0.messages(self) }
        return Phrases([MessageFile.ofCommands(rawValue)] + areas)
    }

    /// The text with a key: kin's own, or one of the library's.
    func text(_ key: String) -> Phrase? { own[key] ?? phrases[key] }
}

/// The text with a key of the message files, in the language of this run, with its placeholders filled. A key that no
/// file has is printed as it is; the tests make sure that there is none.
func phrase(_ key: String, _ values: KeyValuePairs<String, any CustomStringConvertible> = [:]) -> String {
    let language = Language.current
    return language.text(key)?.filled(values, in: language) ?? key
}

extension Reader {
    /// The reader at this terminal.
    static var here: Reader {
        let zone = LocalTime.zone
        return Reader(.current) { LocalTime.civil($0, in: zone) }
    }
}
