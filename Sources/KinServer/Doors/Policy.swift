import KinCodec
import KinKeeper
import KinLoop
import KinModel

/// The rules for senders and connections: where plain text is accepted, which hosts and origins are ours, which proxies
/// are believed, and under which names credentials come.
///
/// It keeps nothing but the daemon's settings.
struct Policy {
    private let settings: ServerSettings

    init(_ settings: ServerSettings) { self.settings = settings }

    /// Whether secrets may travel on this connection: encrypted, on this machine, or from a network admitted for it.
    func mayBePlain(_ connection: Connection) -> Bool {
        if connection.isEncrypted || connection.isLocal || connection.isForMetrics { return true }
        guard let address = connection.address else { return false }
        return settings.allowPlain.contains { $0.contains(address) }
    }

    /// Whether a `Host` is one of this family's names, or one of this machine's addresses.
    func isOurs(host: String, _ connection: Connection) -> Bool {
        if connection.isUnix { return true }
        let name = Site.name(ofHost: host)
        if settings.site.names.contains(name) { return true }
        if connection.isLocal, name == "localhost" || IPAddress(name)?.isLoopback ?? false { return true }
        return IPAddress(name).map { settings.site.addresses().contains($0) } ?? false
    }

    /// Whether an `Origin` is one of our own pages. Host and port must be those of this request; or those of a URL that
    /// the family is reached by, where a proxy stands between. Pages of another program, under another port of this
    /// machine, are not ours, although browsers send them our cookie.
    func isOurs(origin: String, _ head: HTTPRequestHead, _ connection: Connection) -> Bool {
        let host = Site.host(ofURL: origin)
        if host.isEmpty { return false }
        if settings.site.hosts.contains(host) { return true }
        return host == head.host.lowercased() && isOurs(host: host, connection)
    }

    /// Checks a request's head against every policy; the answer, if any, refuses it.
    func judge(_ connection: Connection, _ head: HTTPRequestHead) -> HTTPAnswer? {
        guard head.host.isEmpty || isOurs(host: head.host, connection) else {
            return .problem(
                421,
                "This is not \(head.host.prefix(100)). Give kinwired that name with --url if it should answer to it.")
        }
        if let origin = head.headers["Origin"], !head.isFromNamelessPage,
            !settings.doors.contains(where: { $0.isForEveryPage(head) }),
            !head.method.isSafe || head.isUpgradeToWebSocket,
            !isOurs(origin: origin, head, connection)
        {
            return .problem(403, "Pages of \(origin.prefix(100)) may not do this here.")
        }
        // Links of other sites may lead to our pages, but nothing of theirs may read data.
        if head.method.isSafe, head.headers["Sec-Fetch-Site"] == "cross-site",
            head.path.first == "api" || head.path.first == "live"
        {
            return .problem(403, "Other sites' pages may not read this.")
        }
        return nil
    }

    /// The credentials that a request shows: a bearer token, Basic authentication, or our cookie.
    func credentials(_ head: HTTPRequestHead, _ connection: Connection) -> [Credential] {
        switch head.headers.credentials {
        case .bearer(let token): return [.token(token)]
        case .basic(let user, let password): return [.appPassword(username: user, password: password)]
        case nil: break
        }
        return head.headers.cookies(cookieName(connection)).prefix(1).map { .token($0) }
    }

    /// The request's own credential; over the Unix socket the peer's.
    func credential(_ connection: Connection, _ head: HTTPRequestHead) -> Credential {
        credentials(head, connection).first ?? (connection.isMachine ? .machine : .none)
    }

    /// The form in which the peer is believed about its client; `nil` where it is not believed.
    func proxyWord(_ connection: Connection) -> ProxyWord? {
        guard case .tcp(let address, _) = connection.peer else { return nil }
        return settings.trustProxy.first { $0.network.contains(address) }?.word
    }

    /// Whether somebody at this address is believed about others.
    func isTrustedProxy(_ address: IPAddress) -> Bool { settings.trustProxy.contains { $0.network.contains(address) } }

    /// `__Host-` needs `Secure`, which plain loopback cannot have.
    ///
    /// Cookies know no ports (RFC 6265 §8.5): of two daemons on one host the browser is signed in at the one where it
    /// signed in last, and where it signs out at either, it is signed in at none.
    func cookieName(_ connection: Connection) -> String { connection.isEncrypted ? "__Host-kinwire" : "kinwire" }

    /// The cookie by which a browser is recognised at its next sign-in; it grants nothing.
    func deviceCookieName(_ connection: Connection) -> String { cookieName(connection) + "-device" }

    /// The cookie that the page itself reads; it grants nothing.
    func pageCookieName(_ connection: Connection) -> String { cookieName(connection) + "-page" }

    /// The cookie in which the family's page keeps the member's language; it grants nothing.
    static let languageCookie = "kinwire-language"

    /// The same for how the member has times of day said.
    static let clockCookie = "kinwire-clock"

    /// All cookies in which the page keeps settings of the member: they end with the sign-in.
    static let settingsCookies = [languageCookie, clockCookie, "kinwire-zone"]
}

extension HTTPRequestHead {
    /// Whether the form of a link for people outside the family sent this. With `Referrer-Policy: no-referrer` a browser
    /// withholds the origin (Fetch §3.2) and says only that it was the same one. No cookie counts there, so that no session
    /// is at risk.
    var isFromNamelessPage: Bool {
        (path.first == "where" || path.first == "shared") && headers["Origin"] == "null"
            && headers["Sec-Fetch-Site"] == "same-origin"
    }
}

extension HTTPHeaders {
    /// The secret by which a browser is recognised. A cookie that cannot be one of ours is ignored, so that it does not
    /// prevent a sign-in.
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
