/// The other side's socket: connects, and reads and writes with a deadline, or without waiting at all.
public final class ClientSocket {
    /// Connects to a name or address, trying each address the name has.
    public static func connect(
        host: String, port: UInt16, timeoutMilliseconds: Int
    ) throws(LoopFailure) -> ClientSocket { fatalError("being built") }
    /// Connects to a Unix socket.
    public static func connect(unixPath: String, timeoutMilliseconds: Int) throws(LoopFailure) -> ClientSocket {
        fatalError("being built")
    }
    /// The descriptor to poll; stays this object's.
    public var descriptor: Int32 { fatalError("being built") }
    /// The address that answered; `nil` over a Unix socket.
    public let peerAddress: SocketAddress? = nil
    /// Takes what has arrived, without waiting.
    public func readAvailable(into buffer: UnsafeMutableRawBufferPointer) -> ReadOutcome { .end }
    /// Waits for bytes and takes them; `wouldBlock` when the time is over first, `nil` waits without end.
    public func read(into buffer: UnsafeMutableRawBufferPointer, timeoutMilliseconds: Int?) -> ReadOutcome { .end }
    /// Waits for at most `max` bytes; `[]` is the end of the stream.
    public func read(max: Int, timeoutMilliseconds: Int?) throws(LoopFailure) -> [UInt8] { [] }
    /// Gives bytes without waiting; perhaps a part of them.
    public func writeAvailable(_ bytes: UnsafeRawBufferPointer) -> WriteOutcome { .wouldBlock }
    /// Gives all bytes, waiting as long as it takes, at most the time given.
    public func write(_ bytes: [UInt8], timeoutMilliseconds: Int?) throws(LoopFailure) {}
    /// Waits until the socket is readable, or writable if that is asked for; false when the time is over first.
    public func wait(writable: Bool = false, timeoutMilliseconds: Int?) -> Bool { false }
    /// Tells the peer that nothing more will come.
    public func shutdownWriting() {}
}
