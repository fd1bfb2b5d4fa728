import CLinux
import Glibc

/// The signals a daemon listens to. Blocked in every thread, they arrive as events of the loop, between two turns.
public enum Signal: Sendable, Hashable, CaseIterable {
    /// SIGTERM: finish and end.
    case terminate
    /// SIGINT: the same, from a terminal.
    case interrupt
    /// SIGQUIT: the same, from a terminal.
    case quit
    /// SIGHUP: read certificates anew.
    case hangup
    /// SIGCHLD: a child process ended.
    case child
    /// SIGUSR1.
    case user1
    /// SIGUSR2.
    case user2
    /// SIGWINCH: the terminal changed its size.
    case window

    /// The number in the C library.
    public var number: Int32 {
        switch self {
        case .terminate: SIGTERM
        case .interrupt: SIGINT
        case .quit: SIGQUIT
        case .hangup: SIGHUP
        case .child: SIGCHLD
        case .user1: SIGUSR1
        case .user2: SIGUSR2
        case .window: SIGWINCH
        }
    }

    init?(number: Int32) {
        guard let signal = Self.allCases.first(where: { $0.number == number }) else { return nil }
        self = signal
    }

    /// Blocks signals in this thread and those it starts from now on: call it first in `main`, before any thread.
    public static func block(_ signals: [Signal]) {
        var set = Self.set(of: signals)
        let result = unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
        precondition(result == 0, "signals that can be blocked are blocked")
    }

    /// Makes a write to a closed pipe an error instead of the end of the process.
    public static func ignorePipe() { kin_ignore_pipe() }

    static func set(of signals: [Signal]) -> sigset_t {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        for signal in signals { unsafe sigaddset(&set, signal.number) }
        return set
    }
}
