/// A flag or a value of the command line.
struct Option: Sendable {
    /// Without the dashes.
    let name: String
    /// What stands for the value in the help; `nil` for a flag.
    let value: String?
    /// For the help.
    let summary: String

    static func flag(_ name: String, _ summary: String) -> Option { Option(name: name, value: nil, summary: summary) }
    static func value(_ name: String, _ value: String, _ summary: String) -> Option {
        Option(name: name, value: value, summary: summary)
    }

    /// What every command takes.
    static let everywhere: [Option] = [
        .flag("json", "print what the daemon answered, as JSON"),
        .value("as", "MEMBER", "act as this member (over the Unix socket, at the daemon's machine)"),
        .value("socket", "PATH", "the daemon's Unix socket"),
        .value("url", "URL", "the daemon's address"),
        .flag("no-color", "no colours (also by NO_COLOR)"),
        .flag("help", "explain the command"),
    ]

    var shown: String { value.map { "--\(name) \($0)" } ?? "--\(name)" }
}
