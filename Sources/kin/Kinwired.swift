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
        let path = path
        var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) }
        defer { for word in words { free(word) } }
        words.append(nil)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if isQuiet { posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0) }
        var process: pid_t = 0
        let result = posix_spawnp(&process, path, &actions, nil, words, environ)
        guard result == 0 else {
            throw .failed(phrase("kinwired.unstartable", ["reason": String(cString: strerror(result))]))
        }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { throw .failed(phrase("kinwired.lost")) }
        }
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
    }
}
