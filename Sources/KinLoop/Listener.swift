import CLinux
import Glibc

/// A socket that accepts connections.
final class Listener {
    let descriptor: Descriptor
    /// Where it listens; `nil` for a Unix socket.
    let address: SocketAddress?
    /// The file of a Unix socket that we made.
    private let file: UnixSocketFile?

    /// Whether it is a Unix socket whose file this process made.
    var isOwnFile: Bool { file != nil }

    init(_ descriptor: consuming Descriptor, address: SocketAddress?, file: UnixSocketFile? = nil) {
        self.descriptor = descriptor
        self.address = address
        self.file = file
    }

    deinit { file?.removeIfOurs() }

    /// Listens on an address; IPv6 listeners leave IPv4 alone.
    static func tcp(_ wanted: SocketAddress, backlog: Int32) throws(LoopFailure) -> Listener {
        let family = wanted.address.isV6 ? AF_INET6 : AF_INET
        let fd = kin_socket(family, Int32(SOCK_STREAM.rawValue))
        guard fd >= 0 else { throw .at(wanted.description, call: "socket", errno: -fd) }
        let descriptor = Descriptor(owning: fd)
        // A restarted daemon need not wait until the kernel has forgotten its former connections.
        try LoopFailure.check("SO_REUSEADDR", kin_set_option(fd, SOL_SOCKET, SO_REUSEADDR, 1))
        if wanted.address.isV6 {
            try LoopFailure.check("IPV6_V6ONLY", kin_set_option(fd, Int32(IPPROTO_IPV6), IPV6_V6ONLY, 1))
        }
        var storage = sockaddr_storage()
        let length = wanted.fill(&storage)
        let bound = unsafe kin_bind(fd, &storage, length)
        guard bound >= 0 else { throw .at(wanted.description, call: "bind", errno: -bound) }
        guard listen(fd, backlog) == 0 else { throw .at(wanted.description, call: "listen", errno: errno) }
        return Listener(descriptor, address: try SocketAddress(boundTo: fd))
    }

    /// Listens on a path, with the given permission bits from the first moment on.
    static func unix(_ path: String, mode: UInt32, backlog: Int32) throws(LoopFailure) -> Listener {
        var storage = sockaddr_storage()
        let length = unixAddress(path, &storage)
        guard length > 0 else { throw .badAddress(path) }
        try UnixSocketFile.clear(path)
        let fd = try LoopFailure.check("socket", kin_socket(AF_UNIX, Int32(SOCK_STREAM.rawValue)))
        let descriptor = Descriptor(owning: fd)
        // The file gets the socket's own mode, less the umask; it is widened below. So it is never more open than
        // wanted.
        guard fchmod(fd, mode) == 0 else { throw .at(path, call: "fchmod", errno: errno) }
        let bound = unsafe kin_bind(fd, &storage, length)
        guard bound >= 0 else { throw .at(path, call: "bind", errno: -bound) }
        let file = UnixSocketFile(path)
        guard unsafe chmod(path, mode) == 0, listen(fd, backlog) == 0 else {
            let reason = errno
            file?.removeIfOurs()
            throw .at(path, call: "listen", errno: reason)
        }
        return Listener(descriptor, address: nil, file: file)
    }

    /// Takes over a socket that listens already.
    static func adopted(_ fd: Int32) throws(LoopFailure) -> Listener {
        precondition(fd >= 0, "adopted sockets are open descriptors")
        var listens: Int32 = 0
        try LoopFailure.check("SO_ACCEPTCONN", unsafe kin_get_option(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens))
        guard listens == 1 else { throw .system(call: "accept on adopted descriptor \(fd)", errno: EINVAL) }
        let descriptor = Descriptor(owning: fd)
        try LoopFailure.check("O_NONBLOCK", kin_set_nonblocking(fd))
        try LoopFailure.check("FD_CLOEXEC", kin_set_close_on_exec(fd))
        return Listener(descriptor, address: try SocketAddress(boundTo: fd))
    }
}
