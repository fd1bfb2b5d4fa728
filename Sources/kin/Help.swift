import KinWords

/// The texts of `--help`, fitted to the terminal.
enum Help {
    /// The number of columns if nothing gives it.
    static let width = 100

    static func overview(width: Int = width) -> String {
        var lines = [
            Plain.wrapped(phrase("help.title"), width, indent: 0), "",
            Plain.wrapped(phrase("help.usage"), width, indent: 2), "",
        ]
        let names = Command.all.map(\.name.count).max() ?? 0
        for group in CommandGroup.allCases {
            lines.append(Plain.wrapped(group.title + ":", width, indent: 2))
            for command in group.commands { lines.append(row(command.name, command.summary, names, width)) }
            lines.append("")
        }
        lines += [Plain.wrapped(phrase("help.everywhere"), width, indent: 2)]
        lines += options(Option.everywhere, of: nil, width)
        lines += [row("--version", phrase("option.--version"), column(Option.everywhere, width), width), ""]
        lines += [Plain.wrapped(phrase("help.whom"), width, indent: 0), "", phrase("help.exit-codes")]
        for code in ExitCode.allCases { lines.append(row("\(code.rawValue)", code.meaning, 1, width)) }
        lines += ["", Plain.wrapped(phrase("help.more"), width, indent: 0)]
        return lines.joined(separator: "\n")
    }

    static func text(of command: Command, width: Int = width) -> String {
        let summary = command.summary.prefix(1).uppercased() + command.summary.dropFirst() + "."
        var lines = [Plain.wrapped(summary, width, indent: 0), ""]
        let lead = phrase("help.usage-lead")
        for (index, usage) in command.usage.enumerated() {
            let line = Plain.padded(index == 0 ? lead : "", Plain.columns(lead)) + " kin " + Usage.shown(usage)
            lines.append(Plain.wrapped(line, width, indent: Plain.columns(lead) + 5))
        }
        if let details = command.details {
            lines.append("")
            for line in details.split(separator: "\n", omittingEmptySubsequences: false) {
                lines.append(Plain.wrapped(String(line), width, indent: 0))
            }
        }
        if !command.options.isEmpty {
            lines += ["", phrase("help.options")] + options(command.options, of: command, width)
        }
        lines +=
            ["", Plain.wrapped(phrase("help.everywhere"), width, indent: 2)]
            + options(Option.everywhere, of: nil, width)
        return lines.joined(separator: "\n")
    }

    private static func options(_ options: [Option], of command: Command?, _ width: Int) -> [String] {
        let names = column(options, width)
        return options.map { row($0.shown, $0.summary(of: command), names, width) }
    }

    private static func column(_ options: [Option], _ width: Int) -> Int {
        min(max(options.map { Plain.columns($0.shown) }.max() ?? 0, 17), width / 3)
    }

    /// A name with its description beside it. A name that is too long has a line of its own.
    private static func row(_ name: String, _ text: String, _ names: Int, _ width: Int) -> String {
        let indent = names + 4
        guard Plain.columns(name) <= names else {
            let rest = Plain.wrapped(String(repeating: " ", count: indent) + text, width, indent: indent)
            return Plain.wrapped("  \(name)", width, indent: 4) + "\n" + rest
        }
        return Plain.wrapped("  \(Plain.padded(name, names))  \(text)", width, indent: indent)
    }
}
