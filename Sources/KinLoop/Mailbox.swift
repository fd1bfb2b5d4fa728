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
            defer { messages.append(message) }
            return messages.isEmpty
        }
        if wasEmpty { wakeup?.wake() }
    }

    /// Leaves several messages that no other message gets between; from any thread.
    @inlinable
    public func post(contentsOf batch: [Message]) {
        if batch.isEmpty { return }
        let wasEmpty = messages.withLock { messages in
            defer { messages.append(contentsOf: batch) }
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
            let all = messages
            messages = empty
            return all
        }
    }

    /// Takes the oldest message, for mailboxes that several workers read; wakes the next of them if more wait.
    @inlinable
    public func take() -> Message? {
        let (first, more) = messages.withLock { messages -> (Message?, Bool) in
            if messages.isEmpty { return (nil, false) }
            return (messages.removeFirst(), !messages.isEmpty)
        }
        if more { wakeup?.wake() }
        return first
    }

    /// How many messages wait.
    @inlinable
    public var count: Int { messages.withLock { $0.count } }

    /// Waits until a message is there; false when the time is over first. Without a ``Wakeup`` it does not wait.
    /// - Parameter timeoutMilliseconds: `nil` is without end.
    public func wait(timeoutMilliseconds: Int?) -> Bool {
        guard let wakeup else { return count > 0 }
        let deadline = Deadline(afterMilliseconds: timeoutMilliseconds)
        while true {
            // Wakes are taken before looking: a message posted after the look leaves a wake behind.
            wakeup.drain()
            if count > 0 { return true }
            if !wakeup.wait(timeoutMilliseconds: deadline.remainingMilliseconds) { return count > 0 }
        }
    }
}
