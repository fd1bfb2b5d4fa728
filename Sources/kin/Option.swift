import KinWords

/// A flag or a value of the command line. What it does stands in the message files, under `COMMAND.--NAME` or, when
/// several commands have it, under `option.--NAME`.
struct Option: Sendable {
    /// The name, without the dashes.
    let name: String
    /// The placeholder for the value in the help, or the possible values (`adult|child`); `nil` for a flag.
    let value: String?

    static func flag(_ name: String) -> Option { Option(name: name, value: nil) }
    static func value(_ name: String, _ value: String) -> Option { Option(name: name, value: value) }

    /// The options of every command.
    static let everywhere: [Option] = [
        .flag("json"), .value("as", "MEMBER"), .value("socket", "PATH"), .value("url", "URL"),
        .value("lang", Language.allCases.map(\.rawValue).joined(separator: "|")), .flag("no-color"), .flag("help"),
    ]

    var shown: String { value.map { "--\(name) \(Usage.shown($0))" } ?? "--\(name)" }

    /// One line for the help, for this command or for all.
    func summary(of command: Command?) -> String {
        if let command, Language.current.text("\(command.name).--\(name)") != nil {
            return phrase("\(command.name).--\(name)")
        }
        return phrase("option.--\(name)")
    }
}
