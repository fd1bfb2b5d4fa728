import KinLoop
import Testing

@testable import KinServer
@testable import KinServerBox

/// Who may say what how, by itself: the table of where a client comes from and what may then be said.
@Suite struct PolicyTests {
    private let policy: Policy

    init() throws {
        let site = Site(
            canonicalURL: "https://box.local:5469", names: ["box.local"],
            addresses: { [IPAddress("192.168.1.2") ?? .anyV4] }, rootSHA256: nil, rootPEM: nil)
        policy = Policy(
            ServerSettings(
                site: site, allowPlain: [try #require(CIDR("10.8.0.0/16"))],
                trustProxy: [try #require(TrustedProxy("192.168.1.9/32"))], ownUserID: 1000))
    }

    private func connection(
        from address: String, _ way: Connection.Way = .direct, client: String? = nil
    ) throws -> Connection {
        let connection = Connection(
            token: Token(slot: 0, generation: 1), peer: .tcp(try #require(IPAddress(address)), port: 40_000),
            isMachine: false, now: 0, limits: ServerLimits())
        connection.way = way
        if let client {
            let address: IPAddress = try #require(IPAddress(client))
            connection.address = address
        }
        return connection
    }

    @Test func `secrets travel in plain text only where nobody listens`() throws {
        let cases: [(peer: String, way: Connection.Way, client: String?, isAllowed: Bool)] = [
            ("127.0.0.1", .direct, nil, true), ("203.0.113.7", .direct, nil, false),
            ("10.8.3.4", .direct, nil, true), ("10.9.3.4", .direct, nil, false),
            // A proxy's word counts, in both directions; where it says nothing, its client's address does.
            ("192.168.1.9", .proxy(isSecure: true), "203.0.113.7", true),
            ("192.168.1.9", .proxy(isSecure: false), "203.0.113.7", false),
            ("192.168.1.9", .proxy(isSecure: nil), "203.0.113.7", false),
            ("192.168.1.9", .proxy(isSecure: nil), "10.8.3.4", true),
            // Whoever comes through a proxy on this machine is not on this machine.
            ("127.0.0.1", .proxy(isSecure: nil), "127.0.0.1", false),
        ]
        for one in cases {
            let connection = try connection(from: one.peer, one.way, client: one.client)
            #expect(policy.mayBePlain(connection) == one.isAllowed, "\(one)")
        }
    }

    @Test func `a host is ours by its name or its address, and localhost for this machine alone`() throws {
        let cases: [(peer: String, host: String, isOurs: Bool)] = [
            ("127.0.0.1", "localhost", true), ("127.0.0.1", "127.0.0.1:5469", true),
            ("203.0.113.7", "localhost", false), ("203.0.113.7", "127.0.0.1", false),
            ("203.0.113.7", "box.local", true), ("203.0.113.7", "box.local:80", true),
            ("203.0.113.7", "192.168.1.2", true), ("203.0.113.7", "192.168.1.3", false),
            ("127.0.0.1", "box.example", false),
        ]
        for one in cases {
            let connection = try connection(from: one.peer)
            #expect(policy.isOurs(host: one.host, connection) == one.isOurs, "\(one)")
        }
    }

    @Test func `only the proxies that were named are believed`() throws {
        let (proxy, other) = (try connection(from: "192.168.1.9"), try connection(from: "192.168.1.8"))
        #expect(policy.proxyWord(proxy) == .xForwardedFor && policy.proxyWord(other) == nil)
        let (its, own) = (try #require(IPAddress("192.168.1.9")), try #require(IPAddress("127.0.0.1")))
        #expect(policy.isTrustedProxy(its) && !policy.isTrustedProxy(own))
    }

    @Test func `a cookie is bound to the host where it may be`() throws {
        let plain = try connection(from: "127.0.0.1")
        #expect(policy.cookieName(plain) == "kinwire" && policy.deviceCookieName(plain) == "kinwire-device")
        let secure = try connection(from: "192.168.1.9", .proxy(isSecure: true))
        #expect(policy.cookieName(secure) == "__Host-kinwire" && policy.pageCookieName(secure) == "__Host-kinwire-page")
    }
}
