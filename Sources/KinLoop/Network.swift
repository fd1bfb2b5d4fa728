/// Everything that the server does with sockets, so that a simulation can stand in for the kernel.
///
/// Called on the loop's thread only. Every outcome is a value: a peer that went away, a full buffer and a stale token
/// are everyday events.
public protocol Network: AnyObject {
    /// Waits until something happens, and puts it into `events` (emptied first).
    ///
    /// May return early without events.
    /// - Parameter timeoutMilliseconds: How long to wait at most; `nil` is without end, 0 or less does not wait.
    func wait(timeoutMilliseconds: Int?, into events: inout [NetworkEvent]) throws(LoopFailure)

    /// Reads what has arrived, at most the buffer's size. A stale token answers `failed(EBADF)`.
    func read(_ socket: Token, into buffer: UnsafeMutableRawBufferPointer) -> ReadOutcome

    /// Sends bytes with one `send(2)`, which may take only a part. A stale token answers `failed(EBADF)`.
    func write(_ socket: Token, _ bytes: UnsafeRawBufferPointer) -> WriteOutcome

    /// Tells the peer that nothing more will come; what it sends can still be read.
    func shutdownWriting(_ socket: Token)

    /// Closes a socket. From here on its token is stale, and no event will carry it.
    func close(_ socket: Token)

    /// Chooses what ``NetworkEvent/ready(_:readable:writable:hangup:)`` reports; readable only, after accepting.
    ///
    /// Level-triggered: a socket whose end has been read stays readable until that interest is dropped. Writable is for
    /// leftovers only. With neither, a hang-up is still reported, once.
    func setInterest(_ socket: Token, readable: Bool, writable: Bool)

    /// Leaves new connections in the kernel's queue until ``resumeAccepting()``.
    func stopAccepting()

    /// Accepts again after ``stopAccepting()``.
    func resumeAccepting()
}
