/// How `kin` ends, for scripts. A number once shipped is never used for another thing.
enum ExitCode: Int32, CaseIterable {
    case ok = 0
    case failed = 1
    case usage = 2
    case notSignedIn = 3
    case notReachable = 4
    case refused = 5

    var meaning: String {
        switch self {
        case .ok: "done"
        case .failed: "failed: a file, a check, something on this side"
        case .usage: "the command line was not understood"
        case .notSignedIn: "not signed in, or no longer"
        case .notReachable: "the daemon cannot be reached, or is not the one it should be"
        case .refused: "the daemon said no"
        }
    }
}
