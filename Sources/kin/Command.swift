import KinWords

/// One command of `kin`. Each stands in its own file: in its area's folder, or in
/// `Commands`. Its one line for the list and more for its help
/// stand in the message files, under `NAME.summary` and `NAME.details`.
struct Command: Sendable {
    let name: String
    /// What stands after `kin`, a line each: also what completion offers (``Usage``).
    let usage: [String]
    /// Besides those of every command.
    var options: [Option] = []
    /// How many words may follow.
    let words: ClosedRange<Int>
    let run: @Sendable (Invocation) throws(Problem) -> Void

    /// In the order of the help: those of the areas, and kin's own.
    static let all: [Command] =
        CommandArea.all.flatMap(\.commands) + [
            tail, call, status, clock, backup, restore, doctor, completion,
        ]

    static func named(_ name: String) -> Command? { all.first { $0.name == name } }

    var summary: String { phrase("\(name).summary") }

    /// `nil` when the summary says all.
    var details: String? {
        Language.current.text("\(name).details") == nil ? nil : phrase("\(name).details")
    }

    /// What was typed is none of the ways to call it.
    var misused: Problem {
        .usage(phrase("usage.words", ["name": name, "usage": usage.map(Usage.shown).joined(separator: "\n    kin ")]))
    }
}
