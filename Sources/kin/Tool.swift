import Glibc
import KinLoop
import KinModel
import KinWords

/// Another program of the system, which is run to its end.
enum Tool {
    /// The place for its output.
    enum Output {
        /// The place of this program's output.
        case shown
        /// That place for its errors only.
        case errors
        /// A file for all of its output.
        case file(String)
    }

    /// The path at which the PATH finds it; `nil` if it is not installed.
    static func path(_ name: String) -> String? {
        (Machine.environment("PATH") ?? "/usr/bin:/bin").split(separator: ":").map { "\($0)/\(name)" }.first {
            access($0, X_OK) == 0
        }
    }

    /// Runs it and answers its exit status. Ctrl-C ends it, and not this program, which has to clear away what it made.
    ///
    /// - Throws: Also when Ctrl-C ended it.
    static func run(_ program: String, _ arguments: [String], _ output: Output = .shown) throws(Problem) -> Int32 {
        var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) }
        defer { for word in words { free(word) } }
        words.append(nil)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        switch output {
        case .shown: break
        case .errors: posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        case .file(let path):
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
            posix_spawn_file_actions_addopen(&actions, 1, path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
            posix_spawn_file_actions_adddup2(&actions, 1, 2)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var interruption = sigset_t()
        sigemptyset(&interruption)
        sigaddset(&interruption, SIGINT)
        posix_spawnattr_setsigdefault(&attributes, &interruption)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
        let former = signal(SIGINT, SIG_IGN)
        defer { signal(SIGINT, former) }
        var process: pid_t = 0
        let result = posix_spawnp(&process, program, &actions, &attributes, words, environ)
        guard result == 0 else {
            let name = program.split(separator: "/").last.map(String.init) ?? program
            throw .failed(phrase("tool.unstartable", ["program": name, "reason": Problem.reason(result)]))
        }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { throw .failed(phrase("kinwired.lost")) }
        }
        guard status & 0x7F != SIGINT else { throw .failed(phrase("tool.stopped")) }
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
    }
}
