/// What `--help` says.
enum Help {
    static var overview: String {
        var lines = [
            "kin – the command line of Kinwire, a family's own daemon", "", "Usage: kin COMMAND [WORDS] [OPTIONS]", "",
        ]
        let width = Command.all.map(\.name.count).max() ?? 0
        for command in Command.all { lines.append("  \(padded(command.name, width))  \(command.summary)") }
        lines += ["", "Options of every command:"] + options(Option.everywhere)
        lines += [
            "  \(padded("--version", 17))  say the version", "",
            "Without --url and --socket, kin talks as the member who signed in with kin login; else over the Unix socket",
            "($KINWIRE_SOCKET, /run/kinwire/kinwire.sock, $XDG_RUNTIME_DIR/kinwire/kinwire.sock), where root and the",
            "daemon's own user act as administrator, or as a member with --as.", "", "Exit codes:",
        ]
        for code in ExitCode.allCases { lines.append("  \(code.rawValue)  \(code.meaning)") }
        lines += ["", "kin COMMAND --help explains a command."]
        return lines.joined(separator: "\n")
    }

    static func text(of command: Command) -> String {
        var lines = [command.summary.prefix(1).uppercased() + command.summary.dropFirst() + ".", ""]
        lines += command.usage.enumerated().map { ($0.offset == 0 ? "Usage: kin " : "       kin ") + $0.element }
        if !command.details.isEmpty { lines += ["", command.details] }
        if !command.options.isEmpty { lines += ["", "Options:"] + options(command.options) }
        lines += ["", "Options of every command:"] + options(Option.everywhere)
        return lines.joined(separator: "\n")
    }

    private static func options(_ options: [Option]) -> [String] {
        let width = max(options.map(\.shown.count).max() ?? 0, 17)
        return options.map { "  \(padded($0.shown, width))  \($0.summary)" }
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
