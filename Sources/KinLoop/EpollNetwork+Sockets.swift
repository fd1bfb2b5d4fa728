import CLinux
import Glibc

extension EpollNetwork {
    /// See ``Network/read(_:into:)``. The buffer must not be empty.
    public func read(_ socket: Token, into buffer: UnsafeMutableRawBufferPointer) -> ReadOutcome {
        guard let fd = sockets[socket]?.fd else { return .failed(errno: EBADF) }
        return unsafe ReadOutcome.receive(fd, buffer)
    }

    /// See ``Network/write(_:_:)``.
    public func write(_ socket: Token, _ bytes: UnsafeRawBufferPointer) -> WriteOutcome {
        guard let fd = sockets[socket]?.fd else { return .failed(errno: EBADF) }
        return unsafe WriteOutcome.send(fd, bytes)
    }

    /// See ``Network/shutdownWriting(_:)``.
    public func shutdownWriting(_ socket: Token) {
        if let fd = sockets[socket]?.fd { shutdown(fd, Int32(SHUT_WR)) }
    }

    /// See ``Network/close(_:)``. A stale token is no mistake.
    public func close(_ socket: Token) {
        // Dropping the descriptor closes it, and the kernel then forgets its place in epoll.
        guard case .some = sockets.remove(socket) else { return }
        if pausedUntil != nil { endPause() }
    }

    /// See ``Network/setInterest(_:readable:writable:)``. A stale token is no mistake; asking for the same costs nothing.
    public func setInterest(_ socket: Token, readable: Bool, writable: Bool) {
        guard let place = sockets[socket] else { return }
        var interest = (readable ? Self.readable : 0) | (writable ? Self.writable : 0)
        if interest == 0 { interest = Self.onceOnly }
        if interest == place.interest { return }
        let result = kin_epoll_modify(epoll.number, place.fd, interest, socket.bits)
        precondition(result == 0, "an open socket is watched")
        sockets.setInterest(interest, of: socket)
    }
}

extension ReadOutcome {
    /// One `recv(2)` without waiting.
    static func receive(_ fd: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> ReadOutcome {
        unsafe precondition(!buffer.isEmpty, "an empty buffer cannot tell the end from nothing")
        while true {
            let count = unsafe kin_receive(fd, buffer.baseAddress, buffer.count)
            if count > 0 { return .bytes(count) }
            switch Int32(-count) {
            case 0: return .end
            case EINTR: continue
            case EAGAIN: return .wouldBlock
            case let reason: return .failed(errno: reason)
            }
        }
    }
}

extension WriteOutcome {
    /// One `send(2)` without waiting and without a signal.
    static func send(_ fd: Int32, _ bytes: UnsafeRawBufferPointer) -> WriteOutcome {
        if unsafe bytes.isEmpty { return .bytes(0) }
        while true {
            let count = unsafe kin_send(fd, bytes.baseAddress, bytes.count)
            if count >= 0 { return .bytes(count) }
            switch Int32(-count) {
            case EINTR: continue
            case EAGAIN: return .wouldBlock
            case let reason: return .failed(errno: reason)
            }
        }
    }
}
