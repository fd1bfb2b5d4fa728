/// The kernel's network: level-triggered epoll over listeners, accepted sockets, a ``Wakeup`` and signals.
public final class EpollNetwork: Network {
    /// Listens, and watches what is to be watched.
    ///
    /// - Parameter signals: Reported as events; blocked in this thread, so call it before starting others.
    public init(_ settings: Settings, wakeup: Wakeup, signals: [Signal] = []) throws(LoopFailure) {
        fatalError("being built")
    }
    /// Where TCP listeners were bound, port 0 resolved, in the order of ``Settings/listen`` and then ``Settings/adopted``.
    public var boundAddresses: [SocketAddress] { fatalError("being built") }
    /// How many accepted sockets are open.
    public var openSockets: Int { fatalError("being built") }
    public func wait(timeoutMilliseconds: Int?, into events: inout [NetworkEvent]) throws(LoopFailure) {
        fatalError("being built")
    }
    public func read(_ socket: Token, into buffer: UnsafeMutableRawBufferPointer) -> ReadOutcome {
        fatalError("being built")
    }
    public func write(_ socket: Token, _ bytes: UnsafeRawBufferPointer) -> WriteOutcome { fatalError("being built") }
    public func shutdownWriting(_ socket: Token) {}
    public func close(_ socket: Token) {}
    public func setInterest(_ socket: Token, readable: Bool, writable: Bool) {}
    public func stopAccepting() {}
    public func resumeAccepting() {}
    /// Closes the listeners for good and removes the Unix socket's file; open connections go on.
    public func closeListeners() {}
}
