/// How `kin` ends, for scripts. A number once shipped is never used for another thing.
enum ExitCode: Int32, CaseIterable {
    case ok = 0
    case failed = 1
    case usage = 2
    case notSignedIn = 3
    case notReachable = 4
    case refused = 5

    var meaning: String { phrase("exit.\(rawValue)") }
}
