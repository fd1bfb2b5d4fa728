import KinCodec
import KinFamily
import KinLoop
import KinModel

/// Who may say what over which kind of connection: plain text, proxies, hosts, origins.
extension Server {
    /// Whether secrets may travel on this connection: encrypted, on this machine, or from a network admitted for it.
    func mayBePlain(_ connection: Connection) -> Bool {
        if connection.isEncrypted || connection.isLocal { return true }
        guard let address = connection.address else { return false }
        return settings.allowPlain.contains { $0.contains(address) }
    }

    /// Whether the peer is a proxy whose word about its client counts.
    func isTrustedProxy(_ connection: Connection) -> Bool {
        guard case .tcp(let address, _) = connection.peer else { return false }
        return settings.trustProxy.contains { $0.contains(address) }
    }

    /// Reads what a proxy says of its client. The answer, if any, refuses the request.
    func readForwarding(_ connection: Connection, _ head: HTTPRequestHead) -> HTTPAnswer? {
        let forwarded = Forwarding(head.headers)
        guard forwarded.isPresent else { return nil }
        guard isTrustedProxy(connection) else {
            if case .tcp(let address, _) = connection.peer, !address.isLoopback {
                // From elsewhere such headers are only what the client claims: they are not believed.
                return nil
            }
            // Over the Unix socket a proxy would lend its clients what the socket's own peers may do.
            return .problem(
                403,
                "This request came through a proxy on this machine. Start kinwired with --trust-proxy 127.0.0.1/32 (or ::1/128) so that the proxy's word about its clients counts."
            )
        }
        connection.isForwarded = true
        connection.isForwardedSecure = forwarded.isSecure
        guard moveAddress(connection, to: forwarded.client ?? connection.address) else {
            connection.exchange?.keepsAlive = false
            return .problem(
                429, "There are too many connections from your address; close some.", headers: ["Retry-After": "30"])
        }
        return nil
    }

    /// Counts the connection at its client's address instead of the proxy's; false when that has too many.
    private func moveAddress(_ connection: Connection, to address: IPAddress?) -> Bool {
        guard let address, address != connection.address else { return true }
        uncount(connection)
        connection.address = address
        count(connection)
        guard perAddress[address.slowdownKey, default: 0] > limits.connectionsPerAddressMax else { return true }
        hitLimit("connections_per_address")
        return false
    }

    /// Takes the header of the PROXY protocol, from trusted proxies only; `nil` when there is none.
    func takeProxyHeader(
        _ connection: Connection, _ input: [UInt8], from start: Int
    ) -> (consumed: Int, needsMore: Bool)? {
        guard isTrustedProxy(connection), !connection.isForwarded, connection.tls == nil else { return nil }
        switch ProxyHeader.read(input[start...]) {
        case .absent: return nil
        case .needsMore: return (0, true)
        case .present(let bytes, let client):
            connection.isForwarded = client != nil
            guard moveAddress(connection, to: client) else {
                close(connection)
                return (input.count - start, true)
            }
            return (bytes, false)
        case .broken:
            endWhenFlushed(connection)
            return (input.count - start, true)
        }
    }

    /// Whether a `Host` is one of this family's names, or one of this machine's addresses.
    func isOurs(host: String, _ connection: Connection) -> Bool {
        if connection.isUnix { return true }
        let name = Site.name(ofHost: host)
        if settings.site.names.contains(name) { return true }
        if connection.isLocal, name == "localhost" || IPAddress(name)?.isLoopback ?? false { return true }
        return IPAddress(name).map { settings.site.addresses().contains($0) } ?? false
    }

    /// Whether an `Origin` is one of our own pages: host and port have to be those of this request, or those of one of
    /// the URLs the family is reached by, where a proxy stands between. Another program's pages under another port of this machine are none of ours,
    /// although browsers send them our cookie.
    func isOurs(origin: String, _ head: HTTPRequestHead, _ connection: Connection) -> Bool {
        let host = Site.host(ofURL: origin)
        if host.isEmpty { return false }
        if settings.site.hosts.contains(host) { return true }
        return host == head.host.lowercased() && isOurs(host: host, connection)
    }

    /// Judges a request's head by every policy; the answer, if any, refuses it.
    func judge(_ connection: Connection, _ head: HTTPRequestHead) -> HTTPAnswer? {
        guard head.host.isEmpty || isOurs(host: head.host, connection) else {
            return .problem(
                421,
                "This is not \(head.host.prefix(100)). Give kinwired that name with --url if it should answer to it.")
        }
        if let origin = head.headers["Origin"], !head.method.isSafe || head.isUpgradeToWebSocket,
            !isOurs(origin: origin, head, connection)
        {
            return .problem(403, "Pages of \(origin.prefix(100)) may not do this here.")
        }
        // Links of other sites may lead to our pages, but nothing of theirs reads data.
        if head.method.isSafe, head.headers["Sec-Fetch-Site"] == "cross-site",
            head.path.first == "api" || head.path.first == "live"
        {
            return .problem(403, "Other sites' pages may not read this.")
        }
        return nil
    }

    /// What a request shows to say who asks: a bearer token, Basic, or our cookie.
    func credentials(_ head: HTTPRequestHead, _ connection: Connection) -> [Credential] {
        switch head.headers.credentials {
        case .bearer(let token): return [.token(token)]
        case .basic(let user, let password): return [.appPassword(username: user, password: password)]
        case nil: break
        }
        return head.headers.cookies(cookieName(connection)).prefix(1).map { .token($0) }
    }

    /// `__Host-` needs `Secure`, which plain loopback cannot have.
    func cookieName(_ connection: Connection) -> String { connection.isEncrypted ? "__Host-kinwire" : "kinwire" }

    /// The cookie by which a browser is known at its next sign-in; it opens nothing.
    func deviceCookieName(_ connection: Connection) -> String { cookieName(connection) + "-device" }
}

/// What `Forwarded` (RFC 7239) or `X-Forwarded-*` say, the last hop only: that is the one the trusted proxy wrote.
struct Forwarding {
    let isPresent: Bool
    let client: IPAddress?
    let isSecure: Bool

    init(_ headers: HTTPHeaders) {
        if let last = headers.values("Forwarded").last?.split(separator: ",").last {
            isPresent = true
            var client: IPAddress?
            var isSecure = false
            for pair in last.split(separator: ";") {
                let parts = pair.split(separator: "=", maxSplits: 1).map { $0.filter { $0 != " " && $0 != "\"" } }
                guard parts.count == 2 else { continue }
                if parts[0].lowercased() == "for" { client = IPAddress(Site.name(ofHost: parts[1])) }
                if parts[0].lowercased() == "proto" { isSecure = parts[1].lowercased() == "https" }
            }
            (self.client, self.isSecure) = (client, isSecure)
            return
        }
        let hops = headers.values("X-Forwarded-For")
        isPresent = !hops.isEmpty || headers["X-Forwarded-Proto"] != nil || headers["X-Real-IP"] != nil
        client = hops.last?.split(separator: ",").last.flatMap { IPAddress(String($0.filter { $0 != " " })) }
        isSecure = headers["X-Forwarded-Proto"]?.lowercased() == "https"
    }
}

extension HTTPHeaders {
    /// What a browser is known by; a cookie that cannot be one of ours does not stand in the way of a sign-in.
    func knownDevice(in cookie: String) -> String? {
        cookies(cookie).first { value in
            (1...64).contains(value.utf8.count)
                && value.utf8.allSatisfy { byte in
                    switch byte {
                    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                        true
                    default: false
                    }
                }
        }
    }
}
