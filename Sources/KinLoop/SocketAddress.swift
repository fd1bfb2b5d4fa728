/// An address and a port of TCP.
public struct SocketAddress: Hashable, Sendable {
    /// The address.
    public var address: IPAddress
    /// The port; 0 lets the kernel choose when listening.
    public var port: UInt16

    /// An address and a port.
    public init(_ address: IPAddress, port: UInt16) {
        self.address = address
        self.port = port
    }

    /// Reads `127.0.0.1:5469` or `[::1]:5469`; `:5469` is all of IPv4 and all of IPv6, `localhost:5469` both
    /// loopbacks. Port 0 is allowed.
    public static func parse(_ text: String) throws(LoopFailure) -> [SocketAddress] {
        guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")) else { throw .badAddress(text) }
        let digits = text[text.utf8.index(after: colon)...]
        guard (1...5).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = UInt16(digits)
        else { throw .badAddress(text) }
        let host = text[..<colon]
        if host.isEmpty { return [SocketAddress(.anyV4, port: port), SocketAddress(.anyV6, port: port)] }
        if host == "localhost" {
            return [SocketAddress(.loopbackV4, port: port), SocketAddress(.loopbackV6, port: port)]
        }
        let address: IPAddress?
        if host.utf8.first == UInt8(ascii: "["), host.utf8.last == UInt8(ascii: "]") {
            let inner = host.dropFirst().dropLast()
            address = inner.utf8.contains(UInt8(ascii: ":")) ? IPAddress(inner) : nil
        } else {
            // Without brackets nobody knows where an IPv6 address ends and the port begins.
            address = host.utf8.contains(UInt8(ascii: ":")) ? nil : IPAddress(host)
        }
        guard let address else { throw .badAddress(text) }
        return [SocketAddress(address, port: port)]
    }
}

extension SocketAddress: CustomStringConvertible {
    /// As it is written: `127.0.0.1:5469` or `[::1]:5469`.
    public var description: String { address.isV6 ? "[\(address)]:\(port)" : "\(address):\(port)" }
}
