import CLinux
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

    /// Detaches the thread: what it holds is freed when it ends, and nobody waits for that.
    public func detach() {
        let mine = thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
        if let mine { pthread_detach(mine) }
    }
}

/// What a new thread is given.
private final class ThreadStart {
    let name: String
    let body: @Sendable () -> Void

    init(name: String, body: @escaping @Sendable () -> Void) {
        self.name = name
        self.body = body
    }
}

/// Lowers the calling thread's priority below the process's other threads: for long computations. A sandbox may refuse
/// it, which only costs time.
public func giveWay() { _ = kin_be_nicer(10) }

/// Starts a thread that runs `body` once.
///
/// - Parameters:
///   - name: What `top -H` shows; at most 15 bytes, the rest is cut.
///   - stackBytes: The size of its stack; at least 64 KiB are given.
public func startThread(
    name: String, stackBytes: Int = 1 << 20, _ body: @escaping @Sendable () -> Void
) throws(LoopFailure) -> ThreadHandle {
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    defer { unsafe pthread_attr_destroy(&attributes) }
    // The size must be whole pages.
    let pages = (min(max(stackBytes, 65_536), 1 << 30) + 4_095) / 4_096
    unsafe pthread_attr_setstacksize(&attributes, pages * 4_096)

    let start = ThreadStart(name: String(decoding: name.utf8.prefix(15), as: UTF8.self), body: body)
    var thread = pthread_t()
    // The retain made here is taken over by the thread, or below when there is none.
    let given = unsafe Unmanaged.passRetained(start)
    let result = unsafe pthread_create(
        &thread, &attributes,
        { given in
            guard let given = unsafe given else { preconditionFailure("a thread is given its start") }
            let start = unsafe Unmanaged<ThreadStart>.fromOpaque(given).takeRetainedValue()
            unsafe kin_name_thread(start.name)
            start.body()
            return nil
        }, given.toOpaque())
    guard result == 0 else {
        unsafe given.release()
        throw .system(call: "pthread_create", errno: result)
    }
    return ThreadHandle(thread)
}
