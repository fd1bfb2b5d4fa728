import KinCodec
import KinLoop
import KinModel
import Testing

@testable import KinServer
@testable import KinServerBox
@testable import KinSimulation

/// What a proxy says of its client counts, and what the client says of itself does not.
@Suite final class ProxyWordTests {
    private var signIns = 0

    private func family(_ trusted: String...) throws -> Box {
        var setting = Box.Setting(trustProxy: trusted)
        setting.tls = PlainTextTests.tls
        return try Box.family(setting)
    }

    /// The address that a sign-in through this connection leaves in the list of sessions; the status if it was refused.
    private func signIn(_ box: Box, _ client: BoxClient, _ headers: [String]) throws -> String {
        signIns += 1
        let device = "through \(signIns)"
        let body = "{\"username\":\"ben\",\"password\":\"\(Box.password)\",\"device\":\"\(device)\"}"
        let answer = try client.ask("POST /api/session", headers + ["Content-Type: application/json"], body)
        guard answer.status == 201 else { return "\(answer.status) \(answer.text)" }
        let sessions = try box.line("ben", from: Box.machine).result("session.list")["sessions"]?.array ?? []
        return sessions.first { $0["device"]?.string == device }?["address"]?.string ?? "none"
    }

    private static let secure = "X-Forwarded-Proto: https"

    // MARK: X-Forwarded-For

    @Test(arguments: [
        "Forwarded: for=198.51.100.66;proto=https", "X-Real-IP: 198.51.100.66", "CF-Connecting-IP: 198.51.100.66",
        "X-Forwarded-Host: elsewhere.example",
    ])
    func `what the client claims in another header is dropped`(claim: String) throws {
        let box = try family("127.0.0.1/32")
        let word = ["X-Forwarded-For: 203.0.113.9", Self.secure]
        #expect(try signIn(box, box.connect(), [claim] + word) == "203.0.113.9")
        #expect(try signIn(box, box.connect(), word + [claim]) == "203.0.113.9")
        // Plain text is not taken for TLS because the client says so.
        let plain = try box.connect().ask("GET /api/family", [claim, "X-Forwarded-For: 203.0.113.9"])
        #expect(plain.status == 308)
    }

    @Test(arguments: [
        ("198.51.100.66, 203.0.113.9", "203.0.113.9"), ("203.0.113.9, 10.0.0.2", "203.0.113.9"),
        ("198.51.100.66, 203.0.113.9, 10.0.0.2, 127.0.0.1", "203.0.113.9"), ("10.0.0.3, 10.0.0.2", "10.0.0.3"),
        ("[2001:db8::9]:4711", "2001:db8::"), ("2001:db8::9", "2001:db8::"), ("203.0.113.9:80", "203.0.113.9"),
        ("198.51.100.66, unknown", "127.0.0.1"), ("198.51.100.66, ", "127.0.0.1"), ("nonsense, 10.0.0.2", "127.0.0.1"),
    ])
    func `of X-Forwarded-For the rightmost address that is no trusted proxy counts`(value: String, client: String)
        throws
    {
        let box = try family("127.0.0.1/32", "10.0.0.0/8")
        #expect(try signIn(box, box.connect(), ["X-Forwarded-For: \(value)", Self.secure]) == client)
        // Over several lines it is one list.
        guard let comma = value.firstIndex(of: ",") else { return }
        let lines = [value[..<comma], value[comma...].dropFirst()].map { "X-Forwarded-For: \($0)" }
        #expect(try signIn(box, box.connect(), lines + [Self.secure]) == client)
    }

    @Test func `each request of a kept connection is its own client's`() throws {
        let box = try family("127.0.0.1/32")
        let kept = box.connect()
        #expect(try signIn(box, kept, ["X-Forwarded-For: 203.0.113.9", Self.secure]) == "203.0.113.9")
        #expect(try signIn(box, kept, ["X-Forwarded-For: 203.0.113.10", Self.secure]) == "203.0.113.10")
        // One that names nobody has neither the former's address nor its encryption, nor loopback's privileges.
        #expect(try kept.ask("GET /api/family").status == 308)
    }

    @Test func `a proxy that encrypts does not make plain text before it secure`() throws {
        let box = try family("127.0.0.1/32")
        let client = box.connect()
        try client.startTLS()
        #expect(
            try client.ask("GET /api/family", ["X-Forwarded-For: 203.0.113.9", "X-Forwarded-Proto: http"]).status
                == 308)
        #expect(
            try client.ask("GET /api/family", ["X-Forwarded-For: 203.0.113.9", Self.secure]).status == 401)
    }

    @Test(arguments: [
        ("127.0.0.1/32", "Forwarded: for=203.0.113.9;proto=https", "Forwarded"),
        ("127.0.0.1/32=forwarded", "X-Forwarded-For: 203.0.113.9", "X-Forwarded-For"),
    ])
    func `a proxy that names its client in another way is told which`(flag: String, header: String, name: String)
        throws
    {
        let box = try family(flag)
        let refused = try box.connect().ask("GET /healthz", [header])
        #expect(refused.status == 403)
        #expect(refused.text.contains("--trust-proxy") && refused.text.contains(name), "\(refused.text)")
    }

    @Test func `the words of a network's proxy are believed from there only`() throws {
        let box = try family("203.0.113.0/24=forwarded")
        let word = ["Forwarded: for=198.51.100.66;proto=https"]
        #expect(try signIn(box, box.connect(from: Box.remote), word) == "198.51.100.66")
        let other = Peer.tcp(try #require(IPAddress("203.0.114.7")), port: 1)
        #expect(try box.connect(from: other).ask("GET /api/family", word).status == 308)
        // On this machine nobody was named.
        #expect(try box.connect().ask("GET /healthz", word).status == 403)
    }

    // MARK: Forwarded

    @Test(arguments: [
        ("for=203.0.113.9;proto=https", "203.0.113.9"), ("For=\"203.0.113.9:47\";Proto=HTTPS", "203.0.113.9"),
        ("for=\"[2001:db8::9]\";proto=https", "2001:db8::"),
        ("for=\"[2001:db8::9]:_port\";proto=https;by=_kin;host=box.local", "2001:db8::"),
        ("for=198.51.100.66;proto=https, for=203.0.113.9;proto=https", "203.0.113.9"),
        ("for=203.0.113.9;proto=https, for=10.0.0.2;proto=http", "203.0.113.9"),
        ("for=198.51.100.66;proto=http ,for=\"203.0.113.9\";proto=\"https\"", "203.0.113.9"),
        ("for=\"a,b;c\";proto=https, for=203.0.113.9;proto=https", "203.0.113.9"),
        ("for=\"20\\3.0.113.9\";proto=https", "203.0.113.9"),
        ("for=198.51.100.66, for=unknown;proto=https", "127.0.0.1"),
        ("for=_hidden;proto=https", "127.0.0.1"), ("proto=https", "127.0.0.1"),
    ])
    func `Forwarded is read as RFC 7239 has it`(value: String, client: String) throws {
        let box = try family("127.0.0.1/32=forwarded", "10.0.0.0/8=forwarded")
        let claims = ["X-Forwarded-For: 198.51.100.77", "X-Real-IP: 198.51.100.77"]
        #expect(try signIn(box, box.connect(), claims + ["Forwarded: \(value)"]) == client)
    }

    @Test func `Forwarded says by which protocol its own client came`() throws {
        let box = try family("127.0.0.1/32=forwarded", "10.0.0.0/8=forwarded")
        for value in [
            "for=203.0.113.9", "for=203.0.113.9;proto=http",
            "for=198.51.100.66;proto=https, for=203.0.113.9;proto=http",
            "for=203.0.113.9;proto=http, for=10.0.0.2;proto=https",
        ] {
            let plain = try box.connect().ask(
                "GET /api/family", ["Forwarded: \(value)", "X-Forwarded-Proto: https"])
            #expect(plain.status == 308, "\(value)")
        }
    }

    @Test(arguments: [
        "for=\"198.51.100.66, for=203.0.113.9", "for=203.0.113.9;for=198.51.100.66", "for",
        "for=203.0.113.9 proto=https",
        "for=\"203.0.113.9\"x", "=203.0.113.9", "",
    ])
    func `a Forwarded that cannot be read is refused`(value: String) throws {
        let box = try family("127.0.0.1/32=forwarded")
        #expect(try box.connect().ask("GET /healthz", ["Forwarded: \(value)"]).status == 400)
    }

    // MARK: The PROXY protocol

    @Test func `with the PROXY protocol a connection that does not begin with it is refused`() throws {
        let box = try family("127.0.0.1/32=proxy")
        let plain = try box.connect().ask("GET /healthz", ["X-Forwarded-For: 203.0.113.9", Self.secure])
        #expect(plain.status == 400)
        #expect(plain.text.contains("PROXY"))
        for first: [UInt8] in [
            [0x16, 3, 1], Array("{\"jsonrpc\"".utf8), [0x0D, 0x0A, 0x0D, 0x0A, 1], Array("[".utf8),
        ] {
            let client = box.connect()
            try client.send(first)
            #expect(client.isOver, "\(first)")
        }
    }

    @Test func `without that flag nobody's PROXY line counts`() throws {
        let box = try family("127.0.0.1/32")
        let liar = box.connect()
        try liar.send("PROXY TCP4 203.0.113.9 198.51.100.1 40000 5469\r\nGET / HTTP/1.1\r\nHost: box.local\r\n\r\n")
        #expect(try liar.responses().first?.status == 400)
        #expect(liar.isOver)
    }

    @Test func `behind the PROXY protocol headers are the client's own claims`() throws {
        let box = try family("127.0.0.1/32=proxy")
        let client = box.connect()
        try client.send("PROXY TCP4 203.0.113.9 198.51.100.1 40000 5469\r\n")
        try client.startTLS()
        let claims = ["X-Forwarded-For: 198.51.100.66", "Forwarded: for=198.51.100.66"]
        #expect(try signIn(box, client, claims) == "203.0.113.9")
        let plain = box.connect()
        try plain.send("PROXY TCP4 203.0.113.9 198.51.100.1 40000 5469\r\n")
        #expect(try plain.ask("GET /api/family", [Self.secure]).status == 308)
    }

    @Test(arguments: [
        "PROXY UNKNOWN\r\n", "PROXY UNKNOWN ffff:f...f:ffff ffff:f...f:ffff 65535 65535\r\n",
    ])
    func `a client the proxy does not know has no privileges of this machine`(header: String) throws {
        let box = try family("127.0.0.1/32=proxy")
        let client = box.connect()
        try client.send(header)
        #expect(try client.ask("GET /api/family").status == 308)
    }

    /// A header of version 2.
    private static func binary(_ command: UInt8, _ family: UInt8, _ body: [UInt8], length: Int? = nil) -> [UInt8] {
        let length = length ?? body.count
        return [0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A, command, family]
            + [UInt8(length >> 8), UInt8(length & 0xFF)] + body
    }

    private static let v4: [UInt8] = [203, 0, 113, 9, 198, 51, 100, 1, 0x9C, 0x40, 0x15, 0x5D]
    private static let v6: [UInt8] =
        [0x20, 1, 0x0D, 0xB8] + [UInt8](repeating: 0, count: 11) + [9] + [UInt8](repeating: 1, count: 16) + [
            0, 1, 0, 2,
        ]
    /// The TLV that says the client came by TLS: PP2_TYPE_SSL, client bits, no verification.
    private static let tls: [UInt8] = [0x20, 0, 5, 0x01, 0, 0, 0, 1]

    @Test func `version 2 names the client, whatever else it tells`() throws {
        let box = try family("127.0.0.1/32=proxy")
        let checksum: [UInt8] = [0x03, 0, 4, 1, 2, 3, 4]
        for (family, body, address) in [
            (UInt8(0x11), Self.v4 + Self.tls, "203.0.113.9"), (0x21, Self.v6 + checksum + Self.tls, "2001:db8::"),
            (0x11, Self.v4 + [0x01, 0, 2, 0x68, 0x32] + Self.tls + checksum, "203.0.113.9"),
        ] {
            let client = box.connect()
            try client.send(Self.binary(0x21, family, body))
            #expect(try signIn(box, client, []) == address)
        }
        // Without that word of TLS what is plain is plain.
        for body in [Self.v4, Self.v4 + [0x20, 0, 5, 0x00, 0, 0, 0, 0]] {
            let client = box.connect()
            try client.send(Self.binary(0x21, 0x11, body))
            #expect(try client.ask("GET /api/family").status == 308)
        }
    }

    @Test func `version 2 of the proxy itself, of Unix sockets and of nobody known are taken, without privileges`()
        throws
    {
        let box = try family("127.0.0.1/32=proxy")
        for header in [
            Self.binary(0x20, 0x00, []), Self.binary(0x20, 0x11, Self.v4), Self.binary(0x21, 0x00, []),
            Self.binary(0x21, 0x31, [UInt8](repeating: 65, count: 216)), Self.binary(0x21, 0x12, Self.v4),
        ] {
            let client = box.connect()
            try client.send(header)
            #expect(try client.ask("GET /api/family").status == 308)
        }
    }

    @Test func `a header that is broken or too long ends the connection, and no prefix of a good one does`() throws {
        let box = try family("127.0.0.1/32=proxy")
        var broken: [[UInt8]] = [
            Self.binary(0x11, 0x11, Self.v4), Self.binary(0x22, 0x11, Self.v4), Self.binary(0x21, 0x11, [1, 2, 3]),
            Self.binary(0x21, 0x21, Self.v4), Self.binary(0x21, 0x41, Self.v4), Self.binary(0x21, 0x13, Self.v4),
            Self.binary(0x21, 0x11, [], length: 2049), Self.binary(0x21, 0x11, Self.v4 + [0x20, 0, 200, 1]),
        ]
        broken += [
            "PROXY \r\n", "PROXY TCP4 203.0.113.9 198.51.100.1 40000\r\n", "PROXY TCP5 1.1.1.1 1.1.1.1 1 1\r\n",
            "PROXY TCP4 2001:db8::9 198.51.100.1 1 1\r\n", "PROXY TCP6 203.0.113.9 ::1 1 1\r\n",
            "PROXY TCP4 203.0.113.9 198.51.100.1 65536 1\r\n", "PROXY TCP4 203.0.113.9 198.51.100.1 1 x\r\n",
            "PROXY TCP4 203.0.113.9 198.51.100.1 1 1\n", "PROXY TCP4  203.0.113.9 198.51.100.1 1 1\r\n",
            "PROXY TCP4 203.0.113.9 198.51.100.1 01 1\r\n",
            "PROXY UNKNOWN " + String(repeating: "x", count: 107) + "\r\n",
        ].map { Array($0.utf8) }
        for header in broken {
            let client = box.connect()
            try client.send(header)
            #expect(client.isOver, "\(String(decoding: header, as: UTF8.self))")
        }
        for good in [
            Array("PROXY TCP4 203.0.113.9 198.51.100.1 40000 5469\r\n".utf8), Self.binary(0x21, 0x21, Self.v6),
        ] {
            for end in 1..<good.count {
                let client = box.connect()
                try client.send(Array(good[..<end]))
                #expect(!client.isOver)
                try client.send(Array(good[end...]))
                #expect(try client.ask("GET /api/family").status == 308)
            }
        }
        // Who never ends its header is not waited for.
        let slow = box.connect()
        try slow.send("PROXY TCP4 203")
        try box.advance(seconds: 11)
        #expect(slow.isOver)
    }
}
