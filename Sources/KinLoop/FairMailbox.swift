import Synchronization

/// A mailbox that several workers read and in which parties take turns: see ``FairLine``. Without a ``Wakeup`` (in a
/// simulation) nobody is woken and nobody waits.
public final class FairMailbox<Party: Hashable & Sendable, Message: Sendable>: Sendable {
    private let line = Mutex(FairLine<Party, Message>())
    private let wakeup: Wakeup?

    /// An empty mailbox.
    public init(wakeup: Wakeup? = nil) { self.wakeup = wakeup }

    /// Leaves a message of a party; from any thread. Where it `isFull`, one is given up for it.
    ///
    /// - Parameter spared: Parties that give way last, where several have as many waiting.
    /// - Returns: The message that was given up.
    @discardableResult
    public func post(
        _ message: Message, of party: Party, isFull: Bool = false, spared: @Sendable (Party) -> Bool = { _ in false }
    ) -> Message? {
        let (wasEmpty, givenUp) = line.withLock { line -> (Bool, Message?) in
            entered()
            defer { leaving() }
            let wasEmpty = line.isEmpty
            if isFull { return (wasEmpty, line.putIntoFull(message, of: party, spared: spared)) }
            line.put(message, of: party)
            return (wasEmpty, nil)
        }
        if wasEmpty { wakeup?.wake() }
        return givenUp
    }

    /// Takes what is next; wakes the next worker if more waits.
    public func take() -> Message? {
        let (message, more) = line.withLock { line -> (Message?, Bool) in
            entered()
            defer { leaving() }
            let message = line.take()
            return (message, !line.isEmpty)
        }
        if more { wakeup?.wake() }
        return message
    }

    /// How many messages wait.
    public var count: Int {
        line.withLock { line in
            entered()
            defer { leaving() }
            return line.count
        }
    }

    /// Waits until a message is there, as long as said; `nil` is for ever. Without a ``Wakeup`` it does not wait.
    ///
    /// - Returns: Whether one is there.
    @discardableResult
    public func wait(timeoutMilliseconds: Int? = nil) -> Bool {
        guard let wakeup else { return count > 0 }
        let deadline = Deadline(afterMilliseconds: timeoutMilliseconds)
        while true {
            // Wakes are reset before looking: a message posted after the look leaves a wake behind.
            if count > 0 { return true }
            if !wakeup.wait(timeoutMilliseconds: deadline.remainingMilliseconds) { return count > 0 }
            wakeup.drain()
        }
    }

    // For ThreadSanitizer, which does not know `Mutex`: see ``Mailbox``.

    private func entered() {
        #if WATCH_THREADS
            unsafe lockTaken(Unmanaged.passUnretained(self).toOpaque())
        #endif
    }

    private func leaving() {
        #if WATCH_THREADS
            unsafe lockGivenBack(Unmanaged.passUnretained(self).toOpaque())
        #endif
    }
}
