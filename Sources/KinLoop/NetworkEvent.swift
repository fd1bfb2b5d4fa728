/// What woke a turn of the loop.
public enum NetworkEvent: Sendable, Hashable {
    /// A connection came in. `listener` counts ``EpollNetwork/boundAddresses``; the Unix listener follows them.
    case accepted(Token, Peer, listener: Int)
    /// A socket can be read or written without waiting. On a hang-up both directions are gone or the connection broke;
    /// bytes may still wait: read until `end` or `failed`, then close.
    case ready(Token, readable: Bool, writable: Bool, hangup: Bool)
    /// Another thread called ``Wakeup/wake()``.
    case woken
    /// A signal reached the process.
    case signal(Signal)
    /// Accepting pauses because the process (EMFILE), the machine (ENFILE) or the kernel's memory has no room for
    /// another descriptor; it resumes by itself when a socket closes, or after a second.
    case acceptPaused(errno: Int32)
}

/// The outcome of a read.
public enum ReadOutcome: Sendable, Hashable {
    /// That many bytes, at least one.
    case bytes(Int)
    /// Nothing has arrived yet.
    case wouldBlock
    /// The peer sends nothing more.
    case end
    /// The connection is broken; close it.
    case failed(errno: Int32)
}

/// The outcome of a write.
public enum WriteOutcome: Sendable, Hashable {
    /// That many bytes were taken, perhaps fewer than were given.
    case bytes(Int)
    /// The socket's send buffer is full.
    case wouldBlock
    /// The connection is broken; close it.
    case failed(errno: Int32)
}
