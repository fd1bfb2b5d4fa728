/// The exit codes of `kin`, for scripts. A number that was released never gets another meaning.
enum ExitCode: Int32, CaseIterable {
    case ok = 0
    case failed = 1
    case usage = 2
    case notSignedIn = 3
    case notReachable = 4
    case refused = 5

    var meaning: String { phrase("exit.\(rawValue)") }
}
