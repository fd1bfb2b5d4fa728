import Glibc
import KinLoop

/// The daemon's program beside this one, for what is done while no daemon runs.
enum Kinwired {
    /// `kinwired` in the folder this program lies in, else whatever the PATH finds.
    static var path: String {
        guard let own = Machine.program, let slash = own.lastIndex(of: "/") else { return "kinwired" }
        let sibling = own[...slash] + "kinwired"
        return access(String(sibling), X_OK) == 0 ? String(sibling) : "kinwired"
    }

    /// Runs it and waits; its words go where this program's go, when `isQuiet` only its
    /// errors. Answers its exit status.
    static func run(_ arguments: [String], isQuiet: Bool = false) throws(Problem) -> Int32 {
        try Tool.run(path, arguments, isQuiet ? .errors : .shown)
    }
}
