public import Synchronization

/// Where threads leave messages for one another. Nothing but posting takes its lock, and for a few instructions only.
///
/// It wakes its reader only when it was empty, so a burst costs one system call. Without a ``Wakeup`` (in a simulation)
/// nobody is woken and nobody waits.
public final class Mailbox<Message: Sendable>: Sendable {
    @usableFromInline let messages = Mutex<[Message]>([])
    @usableFromInline let wakeup: Wakeup?

    /// An empty mailbox. Several may share one ``Wakeup``, as long as one thread reads them all.
    public init(wakeup: Wakeup? = nil) { self.wakeup = wakeup }

    /// Leaves a message; from any thread.
    @inlinable
    public func post(_ message: Message) {
        let wasEmpty = messages.withLock { messages in
            entered()
            defer {
                messages.append(message)
                leaving()
            }
            return messages.isEmpty
        }
        if wasEmpty { wakeup?.wake() }
    }

    /// Leaves several messages that no other message gets between; from any thread.
    @inlinable
    public func post(contentsOf batch: [Message]) {
        if batch.isEmpty { return }
        let wasEmpty = messages.withLock { messages in
            entered()
            defer {
                messages.append(contentsOf: batch)
                leaving()
            }
            return messages.isEmpty
        }
        if wasEmpty { wakeup?.wake() }
    }

    /// Moves everything to the end of `taken`, in the order of posting. Memory is swapped, not copied, if it is empty.
    @inlinable
    public func drain(into taken: inout [Message]) {
        if taken.isEmpty {
            // The swap happens through a local, since a `sending` closure may not hold the caller's storage.
            taken = exchange(for: taken)
        } else {
            taken.append(contentsOf: exchange(for: []))
        }
    }

    @inlinable
    func exchange(for empty: [Message]) -> [Message] {
        messages.withLock { messages in
            entered()
            defer { leaving() }
            let all = messages
            messages = empty
            return all
        }
    }

    /// Takes the oldest message, for mailboxes that several workers read; wakes the next of them if more wait.
    @inlinable
    public func take() -> Message? {
        let (first, more) = messages.withLock { messages -> (Message?, Bool) in
            entered()
            defer { leaving() }
            if messages.isEmpty { return (nil, false) }
            return (messages.removeFirst(), !messages.isEmpty)
        }
        if more { wakeup?.wake() }
        return first
    }

    /// How many messages wait.
    @inlinable
    public var count: Int {
        messages.withLock { messages in
            entered()
            defer { leaving() }
            return messages.count
        }
    }

    /// Waits until a message is there; false when the time is over first. Without a ``Wakeup`` it does not wait.
    /// - Parameter timeoutMilliseconds: `nil` is without end.
    public func wait(timeoutMilliseconds: Int?) -> Bool {
        guard let wakeup else { return count > 0 }
        let deadline = Deadline(afterMilliseconds: timeoutMilliseconds)
        while true {
            // Wakes are reset before looking: a message posted after the look leaves a wake behind.
            if count > 0 { return true }
            if !wakeup.wait(timeoutMilliseconds: deadline.remainingMilliseconds) { return count > 0 }
            wakeup.drain()
        }
    }

    // MARK: For ThreadSanitizer

    // It does not know `Mutex`, so it is told where the lock was taken and given back. Nothing, elsewhere.

    @inlinable
    func entered() {
        #if WATCH_THREADS
            unsafe lockTaken(Unmanaged.passUnretained(self).toOpaque())
        #endif
    }

    @inlinable
    func leaving() {
        #if WATCH_THREADS
            unsafe lockGivenBack(Unmanaged.passUnretained(self).toOpaque())
        #endif
    }
}

#if WATCH_THREADS
    @usableFromInline
    @_silgen_name("__tsan_acquire") func lockTaken(_ lock: UnsafeMutableRawPointer)

    @usableFromInline
    @_silgen_name("__tsan_release") func lockGivenBack(_ lock: UnsafeMutableRawPointer)
#endif
