/// What a server asked of its network: each is one system call where the kernel is the network.
package struct NetworkCalls: Equatable {
    /// `recv(2)`.
    package var reads = 0
    /// `send(2)`.
    package var writes = 0
    /// Bytes those took.
    package var bytesWritten = 0
    /// `epoll_ctl(2)`, where something changed.
    package var interests = 0
    /// `shutdown(2)`.
    package var shutdowns = 0
    /// `close(2)`.
    package var closes = 0

    /// All but the bytes.
    package var count: Int { reads + writes + interests + shutdowns + closes }

    package static func - (left: NetworkCalls, right: NetworkCalls) -> NetworkCalls {
        NetworkCalls(
            reads: left.reads - right.reads, writes: left.writes - right.writes,
            bytesWritten: left.bytesWritten - right.bytesWritten, interests: left.interests - right.interests,
            shutdowns: left.shutdowns - right.shutdowns, closes: left.closes - right.closes)
    }
}
