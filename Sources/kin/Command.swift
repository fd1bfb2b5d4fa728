/// One command of `kin`. Each stands in its own file in `Commands`.
struct Command: Sendable {
    let name: String
    /// One line for the list.
    let summary: String
    /// What stands after `kin`, a line each.
    let usage: [String]
    /// Besides those of every command.
    var options: [Option] = []
    /// More for `--help`.
    var details = ""
    /// How many words may follow.
    let words: ClosedRange<Int>
    let run: @Sendable (Invocation) throws(Problem) -> Void

    /// In the order of the help.
    static let all: [Command] = [
        found, invite, join, login, logout, members, household, role, announce, whereabouts, sharing, phone, tail, call,
        importTrack, password, session, backup, restore, doctor,
    ]

    static func named(_ name: String) -> Command? { all.first { $0.name == name } }
}
