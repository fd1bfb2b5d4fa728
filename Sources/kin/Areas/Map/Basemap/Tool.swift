import Glibc
import KinLoop
import KinModel
import KinWords

/// Another program of the system, run to its end.
enum Tool {
    /// Where the PATH finds it; `nil` where it is not installed.
    static func path(_ name: String) -> String? {
        (Machine.environment("PATH") ?? "/usr/bin:/bin").split(separator: ":").map { "\($0)/\(name)" }.first {
            access($0, X_OK) == 0
        }
    }

    /// Runs it; what it says goes to a file. Answers its exit status.
    static func run(_ name: String, _ arguments: [String], output: String) throws(Problem) -> Int32 {
        var words: [UnsafeMutablePointer<CChar>?] = ([name] + arguments).map { strdup($0) }
        defer { for word in words { free(word) } }
        words.append(nil)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        var process: pid_t = 0
        let result = posix_spawnp(&process, name, &actions, nil, words, environ)
        guard result == 0 else {
            throw .failed(phrase("map.unstartable", ["program": name, "reason": String(cString: strerror(result))]))
        }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { throw .failed(phrase("kinwired.lost")) }
        }
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
    }
}
