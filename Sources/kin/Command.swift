import KinWords

/// One command of `kin`. Each stands in its own file: in its area's folder, or in
/// `Commands`. Its one line for the list and more for its help
/// stand in the message files, under `NAME.summary` and `NAME.details`.
struct Command: Sendable {
    let name: String
    /// Other names that it goes by, which no help lists.
    var aliases: [String] = []
    /// The words after `kin`, one line for each way to call it. Completion offers the same (``Usage``).
    let usage: [String]
    /// Its options besides those of every command.
    var options: [Option] = []
    /// The number of words that may follow.
    let words: ClosedRange<Int>
    let run: @Sendable (Invocation) throws(Problem) -> Void

    /// All commands, in the order of the help.
    static let all: [Command] = CommandGroup.allCases.flatMap(\.commands)

    /// The commands of no area, by the group that they belong to.
    static let own: [(CommandGroup, [Command])] = [
        (.messages, [search, tail]),
        (.machine, [status, doctor, clock, quota, outside, backup, restore, call, completion]),
    ]

    /// The command that was probably meant: one that differs by two letters at most, and by fewer than half of them.
    static func meant(by typed: String) -> Command? {
        let near = all.map { (command: $0, distance: Distance.between($0.name, typed)) }.min {
            $0.distance < $1.distance
        }
        return near.flatMap { $0.distance <= min(2, typed.count / 2) ? $0.command : nil }
    }

    /// The command with this name. If there is none, the problem names the one that was probably meant.
    static func named(orMeant name: String) throws(Problem) -> Command {
        if let command = named(name) { return command }
        let typed = Plain.line(name)
        guard let meant = meant(by: name) else { throw .usage(phrase("usage.no-command", ["command": typed])) }
        throw .usage(phrase("usage.meant", ["command": typed, "meant": meant.name]))
    }

    static func named(_ name: String) -> Command? { all.first { $0.name == name || $0.aliases.contains(name) } }

    var summary: String { phrase("\(name).summary") }

    /// The further help; `nil` if the summary says everything.
    var details: String? {
        Language.current.text("\(name).details") == nil ? nil : phrase("\(name).details")
    }

    /// The problem for words that fit none of the ways to call it.
    var misused: Problem {
        .usage(phrase("usage.words", ["name": name, "usage": usage.map(Usage.shown).joined(separator: "\n    kin ")]))
    }
}
