import KinCodec
import KinKeeper
import KinLoop

/// Trusted proxies, and what they say of their clients.
extension Server {
    /// Reads what a proxy says of its client, in the one header that is believed. The answer, if any, refuses the
    /// request.
    func readForwarding(_ connection: Connection, _ head: HTTPRequestHead) -> HTTPAnswer? {
        if connection.isForMetrics { return nil }
        let shown = Forwarding.name(in: head.headers)
        guard let word = hall.policy.proxyWord(connection) else {
            guard let shown else { return nil }
            // From elsewhere, such headers are only the client's own claim.
            if case .tcp(let address, _) = connection.peer, !address.isLoopback { return nil }
            // Over the Unix socket a proxy would give its clients the rights of the socket's own peers.
            let flag = shown.lowercased() == "forwarded" ? "127.0.0.1/32=forwarded" : "127.0.0.1/32"
            return .problem(
                403,
                "This request came through a proxy on this machine (\(shown.prefix(40))). Start kinwired with --trust-proxy \(flag) (or ::1/128) so that the proxy's word about its clients counts."
            )
        }
        // The proxy spoke at the connection's beginning; the headers are the client's own.
        if word == .proxy { return nil }
        let read: Forwarding?
        do throws(Forwarding.Unreadable) {
            read = try Forwarding.read(word, head.headers, isProxy: hall.policy.isTrustedProxy)
        } catch { return .problem(400, "The header Forwarded cannot be read; see RFC 7239.") }
        if read == nil, let shown {
            let flag = shown.lowercased() == "forwarded" ? "=forwarded" : ""
            var network = "CIDR"
            if case .tcp(let address, _) = connection.peer { network = "\(address)" }
            return .problem(
                403,
                "The proxy shows \(shown.prefix(40)), and kinwired was told that it names its clients by \(word.rawValue). Let the proxy set that header, or start kinwired with --trust-proxy \(network)\(flag)."
            )
        }
        // A request with no such header comes from a program beside the proxy; but not on a connection that the proxy
        // used before.
        guard read != nil || connection.isForwarded else { return nil }
        return take(read ?? Forwarding(), connection) ? nil : tooMany(connection)
    }

    private func tooMany(_ connection: Connection) -> HTTPAnswer {
        connection.exchange?.keepsAlive = false
        return .problem(
            429, "There are too many connections from your address; close some.", headers: ["Retry-After": "30"])
    }

    /// Believes what was said; false when the client's address has too many connections.
    private func take(_ said: Forwarding, _ connection: Connection) -> Bool {
        guard case .tcp(let proxy, _) = connection.peer else { return true }
        connection.way = .proxy(isSecure: said.isSecure)
        // A client that the proxy does not name counts under the proxy's own address.
        let address = said.client ?? proxy
        guard address != connection.address else { return true }
        connections.forgetAddress(connection)
        connection.address = address
        // A proxy has as many connections as it has clients.
        if hall.policy.isTrustedProxy(address) { return true }
        guard connections.isOneTooMany(atAddressOf: connection) else { return true }
        hitLimit("connections_per_address")
        return false
    }

    /// Takes the header of the PROXY protocol where the peer must send one; `nil` where it need not, or has sent it.
    func takeProxyHeader(
        _ connection: Connection, _ input: Span<UInt8>, from start: Int
    ) -> (consumed: Int, needsMore: Bool)? {
        guard !connection.isForwarded, connection.tls == nil, !connection.isForMetrics,
            hall.policy.proxyWord(connection) == .proxy
        else { return nil }
        switch ProxyHeader.read(input.extracting(start...).array[...]) {
        case .needsMore: return (0, true)
        case .present(let bytes, let client, let isSecure):
            guard take(Forwarding(client: client, isSecure: isSecure), connection) else {
                close(connection)
                return (input.count - start, true)
            }
            return (bytes, false)
        case .absent:
            tell(.connection, "A connection from a proxy that owes the PROXY protocol began without it and was ended.")
            // A client that can read an answer gets one.
            if (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(input[start]) {
                let sentence =
                    "kinwired was told (--trust-proxy) that connections from here begin with the PROXY protocol, and this one did not. On this machine, kin speaks to the Unix socket."
                respondWithoutExchange(connection, .problem(400, sentence))
            } else {
                endWhenFlushed(connection)
            }
            return (input.count - start, true)
        case .broken:
            tell(.connection, "A proxy's header of the PROXY protocol could not be read; the connection was ended.")
            endWhenFlushed(connection)
            return (input.count - start, true)
        }
    }
}
