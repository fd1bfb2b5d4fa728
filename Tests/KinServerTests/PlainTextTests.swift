import Glibc
import KinCodec
import KinCrypto
import KinLoop
import KinModel
import KinTLS
import Testing

@testable import KinServer
@testable import KinServerBox
@testable import KinSimulation

/// Who may speak in plain text, and what becomes of those who may not.
@Suite struct PlainTextTests {
    /// A certificate of an authority of its own, made once.
    static let tls: TLSContext? = {
        var template = Array("/tmp/kinbox.XXXXXX".utf8CString)
        guard let folder = mkdtemp(&template).map({ String(cString: $0) }) else { return nil }
        let authority = try? LocalAuthority.open(
            directory: folder, names: ["box.local"], addresses: [], now: 1_790_000_000_000)
        if let entries = opendir(folder) {
            while let entry = readdir(entries) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                unlink(folder + "/" + name)
            }
            closedir(entries)
        }
        rmdir(folder)
        return authority.flatMap { try? TLSContext(serverChainPEM: $0.chainPEM, keyPEM: $0.keyPEM) }
    }()

    private func family(allowPlain: [String] = [], trustProxy: [String] = []) throws -> Box {
        var setting = Box.Setting(allowPlain: allowPlain, trustProxy: trustProxy)
        setting.tls = Self.tls
        return try Box.family(setting)
    }

    @Test func `from elsewhere plain text is led to https or refused`() throws {
        let box = try family()
        let get = try box.connect(from: Box.remote).ask("GET /join/abc?x=1", ["Host: box.local:5469"])
        #expect(get.status == 308)
        #expect(get["Location"] == "https://box.local:5469/join/abc?x=1")
        #expect(try box.connect(from: Box.remote).ask("HEAD /").status == 308)
        let post = try box.connect(from: Box.remote).ask("POST /api/session", [], "{}")
        #expect(post.status == 426)
        #expect(post["Upgrade"] != nil && post["Connection"]?.contains("Upgrade") ?? false)
        #expect(try box.connect(from: Box.remote).openWebSocket().status == 308)
        let line = box.connect(from: Box.remote)
        try line.send("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"family.show\"}\n")
        let said = try line.messages()
        #expect(said.first?["error"]?["code"] == 1403)
        #expect(said.last?["params"]?["code"] == 1008)
        #expect(line.isOver)
    }

    @Test func `a redirect leads to no other host than ours`() throws {
        let box = try family()
        let other = try box.connect(from: Box.remote).ask("GET /join/abc", ["Host: evil.example"])
        #expect(other["Location"]?.contains("evil") != true)
    }

    @Test(arguments: ["bearer", "cookie", "line", "app password"])
    func `a secret seen in plain text is revoked`(how: String) throws {
        let box = try family()
        let ben = try box.person("ben")
        let open = try box.line("ben")
        let remote = box.connect(from: Box.remote)
        switch how {
        case "bearer":
            #expect(try remote.ask("GET /api/family", ["Authorization: Bearer \(ben.token)"]).status == 426)
        case "cookie": #expect(try remote.ask("GET /api/family", ["Cookie: kinwire=\(ben.token)"]).status == 426)
        case "line":
            try remote.send(
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"session.resume\",\"params\":{\"token\":\"\(ben.token)\"}}\n"
            )
            #expect(remote.isOver)
        default:
            let made = try open.result("appPassword.create", ["device": "phone", "scope": "location"])
            let basic = "Authorization: Basic " + Base64.encode(Array("ben:\(made["password"]?.string ?? "")".utf8))
            let report = "{\"lat\":1,\"lon\":2,\"at\":\"\(Instant(milliseconds: box.time.wallMilliseconds()))\"}"
            #expect(
                try box.connect().ask("POST /api/positions", [basic, "Content-Type: application/json"], report).status
                    == 200)
            #expect(try remote.ask("POST /api/positions", [basic], report).status == 426)
            #expect(
                try box.connect().ask("POST /api/positions", [basic, "Content-Type: application/json"], report).status
                    == 401)
            #expect(!open.isOver)
            return
        }
        _ = try open.messages()
        #expect(open.notifications.last?["params"]?["code"] == 4102)
        #expect(open.isOver)
        #expect(try box.connect().refusal("session.resume", ["token": .string(ben.token)]) == 1401)
    }

    @Test func `a network can be admitted`() throws {
        let box = try family(allowPlain: ["203.0.113.0/24"])
        let bearer = "Authorization: Bearer \(try box.person("ben").token)"
        #expect(try box.connect(from: Box.remote).ask("GET /api/family", [bearer]).status == 200)
        let other = Peer.tcp(try #require(IPAddress("203.0.114.7")), port: 1)
        #expect(try box.connect(from: other).ask("GET /api/family", [bearer]).status == 426)
    }

    @Test func `TLS carries everything, and its cookie has the strict name`() throws {
        let box = try family()
        let client = box.connect(from: Box.remote)
        try client.startTLS()
        let body = "{\"username\":\"ben\",\"password\":\"\(Box.password)\"}"
        let opened = try client.ask(
            "POST /api/session", ["Content-Type: application/json", "Origin: https://box.local"], body)
        #expect(opened.status == 201)
        let cookie = try #require(opened["Set-Cookie"])
        #expect(cookie.hasPrefix("__Host-kinwire=") && cookie.hasSuffix("; Secure"))
        #expect(try client.ask("GET /api/family", ["Cookie: \(cookie.prefix { $0 != ";" })"]).status == 200)
        let line = box.connect(from: Box.remote)
        try line.startTLS()
        #expect(try line.refusal("session.resume", ["token": .string(try box.person("ben").token)]) == nil)
        #expect(try line.result("live.follow")["mode"] == "reset")
    }

    @Test(arguments: [
        "Forwarded: for=203.0.113.7", "X-Forwarded-For: 203.0.113.7", "X-Forwarded-Proto: https",
        "X-Real-IP: 203.0.113.7",
    ])
    func `a proxy nobody spoke of is refused, and the flag is named`(header: String) throws {
        let box = try family()
        let refused = try box.connect().ask("GET /healthz", [header])
        #expect(refused.status == 403)
        #expect(refused.text.contains("--trust-proxy"))
    }

    @Test func `a trusted proxy's client counts, and loopback's privileges end`() throws {
        let box = try family(trustProxy: ["127.0.0.1/32"])
        let bearer = "Authorization: Bearer \(try box.person("ben").token)"
        let far = box.connect()
        let opened = try far.ask(
            "POST /api/session",
            [
                "X-Forwarded-For: 198.51.100.200, 203.0.113.9", "X-Forwarded-Proto: https",
                "Content-Type: application/json",
            ],
            "{\"username\":\"ben\",\"password\":\"\(Box.password)\"}")
        #expect(opened.status == 201)
        let sessions = try far.ask("GET /api/sessions", [bearer, "X-Forwarded-Proto: https"]).json?["sessions"]?.array
        #expect(sessions?.contains { $0["address"] == "203.0.113.9" } ?? false)
        // The client came in plain text: what it showed is revoked.
        #expect(try box.connect().ask("GET /api/family", [bearer, "X-Forwarded-For: 203.0.113.9"]).status == 426)
        #expect(try box.connect().ask("GET /api/family", [bearer]).status == 401)
    }

    @Test func `the PROXY protocol counts from trusted proxies, in one piece or many`() throws {
        let box = try family(trustProxy: ["127.0.0.1/32=proxy"])
        let whole = box.connect()
        try whole.send(
            "PROXY TCP4 203.0.113.9 198.51.100.1 40000 5469\r\nPOST /api/session HTTP/1.1\r\nHost: box.local\r\nContent-Length: 2\r\n\r\n{}"
        )
        #expect(try whole.responses().first?.status == 426)
        let pieces = box.connect()
        for piece in ["PRO", "XY TCP4 203.0.113.9 198.51", ".100.1 40000 5469", "\r", "\n"] { try pieces.send(piece) }
        try pieces.startTLS()
        #expect(try pieces.ask("GET /healthz").status == 200)
        let binary = box.connect()
        let header: [UInt8] =
            [0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A, 0x21, 0x11, 0, 12] + [
                203, 0, 113, 9,
            ]
            + [198, 51, 100, 1, 0x9C, 0x40, 0x15, 0x5D]
        try binary.send(Array(header[..<14]))
        try binary.send(Array(header[14...]) + Array("GET / HTTP/1.1\r\nHost: box.local\r\n\r\n".utf8))
        #expect(try binary.responses().first?.status == 308)
        // From anybody else it is no HTTP.
        let liar = box.connect(from: Box.remote)
        try liar.send("PROXY TCP4 127.0.0.1 127.0.0.1 1 1\r\nGET / HTTP/1.1\r\nHost: box.local\r\n\r\n")
        #expect(try liar.responses().first?.status == 400)
    }
}
