import Glibc
import KinLoop

/// The daemon's program beside this one, for work that is done while no daemon runs.
enum Kinwired {
    /// The path of `kinwired`: in the folder of this program, or else wherever the PATH finds it.
    static var path: String {
        guard let own = Machine.program, let slash = own.lastIndex(of: "/") else { return "kinwired" }
        let sibling = own[...slash] + "kinwired"
        return access(String(sibling), X_OK) == 0 ? String(sibling) : "kinwired"
    }

    /// Runs it and waits for its end. Its output goes where this program's goes; with `isQuiet` only its errors do.
    /// Answers its exit status.
    static func run(_ arguments: [String], isQuiet: Bool = false) throws(Problem) -> Int32 {
        try Tool.run(path, arguments, isQuiet ? .errors : .shown)
    }
}
