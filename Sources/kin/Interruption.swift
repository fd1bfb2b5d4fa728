import Glibc
import KinLoop

/// SIGINT and SIGTERM wake the loop that waits, so that a command ends between two lines and not within one.
enum Interruption {
    /// Watches from now on: the first signal wakes, and a second one ends the program at once.
    static func watch() throws(Problem) -> Wakeup {
        do throws(LoopFailure) {
            let wakeup = try Wakeup()
            Signal.block([.interrupt, .terminate])
            _ = try startThread(name: "signals") {
                var set = sigset_t()
                sigemptyset(&set)
                for signal in [SIGINT, SIGTERM] { sigaddset(&set, signal) }
                var number: Int32 = 0
                while sigwait(&set, &number) != 0 {}
                wakeup.wake()
                while sigwait(&set, &number) != 0 {}
                _exit(128 + number)
            }
            return wakeup
        } catch { throw .failed(phrase("kin.signals", ["reason": error.sentence])) }
    }
}
