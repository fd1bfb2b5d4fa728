import Glibc

extension Machine {
    /// The addresses that a name leads to, by the system's resolver. One that takes too long leads nowhere.
    public static func resolve(_ name: String, withinMilliseconds most: Int) -> [IPAddress] {
        (try? NameLookup().addresses(of: name, timeoutMilliseconds: most)) ?? []
    }

    /// The addresses that this machine has on its way to elsewhere, IPv4 first: those of its default routes. Nothing is
    /// sent; connecting a datagram socket only asks the kernel for its route.
    public static func routedAddresses() -> [IPAddress] {
        // Of documentation (RFC 5737, RFC 3849): nobody is there.
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
