import CLinux
import Glibc

extension ClientSocket {
    /// Connects to a name or an address (IPv6 with or without brackets), trying each address the name has.
    ///
    /// The C library looks the name up, and the time limit does not apply to that.
    public static func connect(
        host: String, port: UInt16, timeoutMilliseconds: Int
    ) throws(LoopFailure) -> ClientSocket {
        var name = host
        if name.hasPrefix("["), name.hasSuffix("]") { name = String(name.dropFirst().dropLast()) }
        let addresses = try resolve(name).map { SocketAddress($0, port: port) }
        let deadline = Deadline(afterMilliseconds: timeoutMilliseconds)
        var failure = LoopFailure.unknownHost(host)
        for (index, address) in addresses.enumerated() {
            // Each address gets an equal share of what is left, so that a dead first one leaves time for the second.
            let share = (deadline.remainingMilliseconds ?? 0) / (addresses.count - index)
            do throws(LoopFailure) {
                return try connect(address, timeoutMilliseconds: share)
            } catch {
                failure = error
            }
        }
        throw failure
    }

    /// Connects to an address.
    public static func connect(
        _ address: SocketAddress, timeoutMilliseconds: Int
    ) throws(LoopFailure) -> ClientSocket {
        var storage = sockaddr_storage()
        let length = address.fill(&storage)
        let family = address.address.isV6 ? AF_INET6 : AF_INET
        let socket = try connect(
            family, storage, length, place: address.description, timeoutMilliseconds: timeoutMilliseconds)
        // The kernel may choose the very port that is connected to; the socket would then talk to itself.
        if try SocketAddress(boundTo: socket.number) == address {
            throw .at(address.description, call: "connect", errno: ECONNREFUSED)
        }
        _ = kin_set_option(socket.number, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        _ = kin_set_option(socket.number, SOL_SOCKET, SO_KEEPALIVE, 1)
        return ClientSocket(socket, peerAddress: address)
    }

    /// Connects to a Unix socket.
    public static func connect(unixPath: String, timeoutMilliseconds: Int) throws(LoopFailure) -> ClientSocket {
        var storage = sockaddr_storage()
        let length = unixAddress(unixPath, &storage)
        guard length > 0 else { throw .badAddress(unixPath) }
        let deadline = Deadline(afterMilliseconds: timeoutMilliseconds)
        while true {
            do throws(LoopFailure) {
                let socket = try connect(
                    AF_UNIX, storage, length, place: unixPath, timeoutMilliseconds: timeoutMilliseconds)
                return ClientSocket(socket, peerAddress: nil)
            } catch .system(_, let reason) where reason == EAGAIN {
                // The listener's queue is full, which on Unix sockets cannot be polled for.
                if deadline.hasPassed { throw .timedOut(unixPath) }
                usleep(5_000)
            }
        }
    }

    private static func connect(
        _ family: Int32, _ address: sockaddr_storage, _ length: socklen_t, place: String, timeoutMilliseconds: Int
    ) throws(LoopFailure) -> Descriptor {
        var address = address
        let fd = kin_socket(family, Int32(SOCK_STREAM.rawValue))
        guard fd >= 0 else { throw .at(place, call: "socket", errno: -fd) }
        let socket = Descriptor(owning: fd)
        let answer = unsafe kin_connect(fd, &address, length)
        if answer >= 0 { return socket }
        guard answer == -EINPROGRESS || answer == -EINTR else { throw .at(place, call: "connect", errno: -answer) }
        let wait = Readiness.wait(fd, readable: false, writable: true, timeoutMilliseconds: timeoutMilliseconds)
        if wait == .timedOut { throw .timedOut(place) }
        var reason: Int32 = 0
        try LoopFailure.check("SO_ERROR", unsafe kin_get_option(fd, SOL_SOCKET, SO_ERROR, &reason))
        if reason != 0 { throw .at(place, call: "connect", errno: reason) }
        return socket
    }

    /// The addresses a name has, in the order the system prefers (RFC 6724).
    package static func resolve(_ name: String) throws(LoopFailure) -> [IPAddress] {
        if let address = IPAddress(name) { return [address] }
        guard !name.isEmpty, name.utf8.count <= 253, !name.utf8.contains(0) else { throw .unknownHost(name) }
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var first: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(name, nil, &hints, &first) == 0 else { throw .unknownHost(name) }
        defer { unsafe freeaddrinfo(first) }
        var addresses: [IPAddress] = []
        var entry = unsafe first
        while let found = unsafe entry {
            if let address = unsafe found.pointee.ai_addr.flatMap({ unsafe SocketAddress(sockaddr: $0)?.address }),
                !addresses.contains(address)
            {
                addresses.append(address)
            }
            unsafe entry = found.pointee.ai_next
        }
        return addresses
    }
}
