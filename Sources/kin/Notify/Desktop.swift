import Glibc

/// The desktop's notifier, if there is one.
final class Desktop {
    private var children: [pid_t] = []

    /// Shows a notice and does not wait for it. Answers whether a notifier was found.
    @discardableResult
    func notify(_ title: String, _ body: String) -> Bool {
        reap()
        // Notifiers read markup in a body. Members' texts are no markup, so they are escaped.
        let plain = body.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
        let arguments = ["notify-send", "--app-name=Kinwire", "--icon=x-office-calendar", "--", title, plain]
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
        defer { for word in words { free(word) } }
        words.append(nil)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor: Int32 in 0...2 {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        // The notifier does not inherit this program's blocked signals.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var process: pid_t = 0
        guard posix_spawnp(&process, "notify-send", &actions, &attributes, words, environ) == 0 else { return false }
        children.append(process)
        return true
    }

    private func reap() {
        children.removeAll { child in
            var status: Int32 = 0
            return waitpid(child, &status, WNOHANG) != 0
        }
    }
}
