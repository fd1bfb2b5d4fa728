import Glibc

extension Machine {
    /// The addresses of a name, by the system's resolver. A look-up that takes too long gives none.
    public static func resolve(_ name: String, withinMilliseconds most: Int) -> [IPAddress] {
        (try? NameLookup().addresses(of: name, timeoutMilliseconds: most)) ?? []
    }

    /// The machine's own addresses on its default routes, IPv4 first. Nothing is sent: connecting a datagram socket
    /// only asks the kernel for its route.
    public static func routedAddresses() -> [IPAddress] {
        // Documentation addresses (RFC 5737, RFC 3849), which nobody has.
        ["192.0.2.1", "2001:db8::1"].compactMap { IPAddress($0) }.compactMap { routed(to: $0) }
    }

    private static func routed(to address: IPAddress) -> IPAddress? {
        let fd = socket(address.isV6 ? AF_INET6 : AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard fd >= 0 else { return nil }
        defer { _ = close(fd) }
        var storage = sockaddr_storage()
        let length = SocketAddress(address, port: 9).fill(&storage)
        let isConnected = unsafe withUnsafePointer(to: &storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe connect(fd, $0, length) == 0 }
        }
        guard isConnected, let own = (try? SocketAddress(boundTo: fd))?.address, !own.isLoopback, !own.isUnspecified
        else { return nil }
        return own
    }
}
