import Glibc
import Synchronization

/// A running thread.
public final class ThreadHandle: Sendable {
    private let thread: Mutex<pthread_t?>

    init(_ thread: pthread_t) { self.thread = Mutex(thread) }

    /// Waits until the thread has ended; further calls return at once. Never called by the thread itself.
    public func join() {
        let mine = thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
        if let mine {
            let result = pthread_join(mine, nil)
            precondition(result == 0, "a thread is joined once, and not by itself")
        }
    }
}

/// Starts a thread that runs `body` once.
///
/// - Parameters:
///   - name: What `top -H` shows; at most 15 bytes, the rest is cut.
///   - stackBytes: The size of its stack; at least 64 KiB are given.
public func startThread(
    name: String, stackBytes: Int = 1 << 20, _ body: @escaping @Sendable () -> Void
) throws(LoopFailure) -> ThreadHandle {
    fatalError("being built")
}
