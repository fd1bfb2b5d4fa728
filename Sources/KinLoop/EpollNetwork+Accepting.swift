import CLinux
import Glibc

extension EpollNetwork {
    /// Accepts connections, a bounded number of them.
    func accept(from index: Int, into events: inout [NetworkEvent]) {
        if isStopped || pausedUntil != nil { return }
        for _ in 0..<settings.acceptsPerTurnMax {
            var storage = sockaddr_storage()
            let fd = unsafe kin_accept(listeners[index].descriptor.number, &storage)
            guard fd >= 0 else {
                let reason = -fd
                switch reason {
                case EAGAIN: return
                // The peer went away while it was in the queue, or its network did (accept(2), "Error handling").
                case EINTR, ECONNABORTED, EPROTO, ENETDOWN, ENETUNREACH, EHOSTDOWN, EHOSTUNREACH, ENONET, ENOPROTOOPT,
                    EOPNOTSUPP, EPERM:
                    continue
                default: return pauseAccepting(from: index, reason: reason, into: &events)
                }
            }
            let descriptor = Descriptor(owning: fd)
            guard let peer = peer(of: fd, SocketAddress(storage)) else { continue }
            let token = sockets.insert(descriptor, interest: Self.readable)
            let added = kin_epoll_add(epoll.number, fd, Self.readable, token.bits)
            guard added >= 0 else {
                _ = sockets.remove(token)
                return pauseAccepting(from: index, reason: -added, into: &events)
            }
            events.append(.accepted(token, peer, listener: index))
        }
    }

    /// The peer of a connection; for TCP also sets the options. `nil` when the peer is gone already.
    private func peer(of fd: Int32, _ address: SocketAddress?) -> Peer? {
        guard let address else {
            var credentials = kin_credentials()
            guard unsafe kin_peer_credentials(fd, &credentials) >= 0 else { return nil }
            return .unix(uid: credentials.uid, gid: credentials.gid, pid: credentials.pid)
        }
        let tcp = Int32(IPPROTO_TCP)
        // A connection that broke meanwhile refuses options; reading will tell.
        _ = kin_set_option(fd, tcp, TCP_NODELAY, 1)
        _ = kin_set_option(fd, tcp, TCP_USER_TIMEOUT, settings.userTimeoutMilliseconds)
        _ = kin_set_option(fd, tcp, TCP_KEEPIDLE, settings.keepaliveIdleSeconds)
        _ = kin_set_option(fd, tcp, TCP_KEEPINTVL, settings.keepaliveIntervalSeconds)
        _ = kin_set_option(fd, tcp, TCP_KEEPCNT, settings.keepaliveCount)
        _ = kin_set_option(fd, SOL_SOCKET, SO_KEEPALIVE, 1)
        return .tcp(address.address, port: address.port)
    }

    /// No descriptor is left: one client is told so, the others wait in the kernel's queue.
    private func pauseAccepting(from index: Int, reason: Int32, into events: inout [NetworkEvent]) {
        if reason == EMFILE || reason == ENFILE, reserve != nil {
            reserve = nil
            let fd = kin_accept(listeners[index].descriptor.number, nil)
            if fd >= 0 { Self.refuse(Descriptor(owning: fd)) }
            reserve = Self.openReserve()
        }
        pausedUntil = Deadline(afterMilliseconds: settings.acceptPauseMilliseconds).nanoseconds
        armListeners()
        events.append(.acceptPaused(errno: reason))
    }

    /// A descriptor has become free, or the time is over.
    func endPause() {
        if reserve == nil { reserve = Self.openReserve() }
        pausedUntil = nil
        armListeners()
    }

    private static func refuse(_ descriptor: consuming Descriptor) {
        let answer = Array(
            """
            HTTP/1.1 503 Service Unavailable\r
            Content-Length: 0\r
            Retry-After: 5\r
            Connection: close\r
            \r

            """.utf8)
        let fd = descriptor.number
        _ = unsafe kin_send(fd, answer, answer.count)
        shutdown(fd, Int32(SHUT_WR))
        // Closing with a request unread would send a reset, which can overtake the answer.
        var request = [UInt8](repeating: 0, count: 16_384)
        _ = unsafe kin_receive(fd, &request, request.count)
    }

    static func openReserve() -> Descriptor? {
        let fd = unsafe kin_open("/dev/null", O_RDONLY, 0)
        return fd >= 0 ? Descriptor(owning: fd) : nil
    }
}
