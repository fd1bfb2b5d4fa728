import Glibc
import KinCodec
import KinModel
import Testing

/// The samples of the page Operating, as they stand there, in Debian's own servers before the real daemon.
@Suite struct ProxyTests {
    static let name = "kin.example.org"

    /// A server that the page has a sample for.
    enum Front: String, CaseIterable {
        case nginx, apache, caddy

        /// Where Debian has it.
        var program: String {
            switch self {
            case .nginx: "/usr/sbin/nginx"
            case .apache: "/usr/sbin/apache2"
            case .caddy: "/usr/bin/caddy"
            }
        }

        static let installed = allCases.filter { access($0.program, X_OK) == 0 }
    }

    /// A block of code of a page, the first of its language.
    static func sample(_ language: String, of page: String) throws -> String {
        let path = Stage.root + "/Sources/kinwired/kinwired.docc/" + page
        let text = String(decoding: try [UInt8](file: path), as: UTF8.self)
        let block = try #require(text.split(separator: "```\(language)\n", maxSplits: 1).dropFirst().first)
        return try #require(block.split(separator: "\n```", maxSplits: 1).first) + "\n"
    }

    /// A server before a house; the words of a curl that goes through it from another address of this machine.
    private func open(_ front: Front, _ stage: Stage, _ house: House) throws -> (url: String, curl: [String]) {
        try Array(Self.sample(front.rawValue, of: "Operating.md").utf8).write(file: stage.folder + "/site")
        try stage.run(
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
            "2", "-subj", "/CN=\(Self.name)", "-addext", "subjectAltName=DNS:\(Self.name)", "-keyout",
            stage.folder + "/key.pem", "-out", stage.folder + "/cert.pem")
        let server = stage.start([
            Sandbox.python, Stage.fixtures + "/proxy.py", front.rawValue, stage.folder, stage.folder + "/site",
            "\(house.port)", Self.name,
        ])
        try stage.wait("\(front)'s port") {
            server.lines.contains { $0.hasPrefix("port ") } || server.status != nil
        }
        let line = try #require(server.lines.first { $0.hasPrefix("port ") }, "\(server.said)")
        let port = line.dropFirst(5)
        return (
            "https://\(Self.name):\(port)",
            [
                "curl", "-sN", "--cacert", stage.folder + "/cert.pem", "--resolve", "\(Self.name):\(port):127.0.0.1",
                "--interface", "127.0.0.2",
            ]
        )
    }

    /// Runs a curl to its end; what it printed.
    private func run(_ stage: Stage, _ words: [String]) throws -> [String] {
        let asked = stage.start(words)
        try stage.wait("\(words.last ?? "")") { asked.status != nil }
        asked.take()
        return asked.lines
    }

    @Test(arguments: Front.installed)
    func `WebSockets, events and uploads pass through it as the page says, and the client's address arrives`(
        front: Front
    ) throws {
        let stage = try Stage()
        let house = try House(stage, flags: ["--url", "https://\(Self.name)", "--trust-proxy", "127.0.0.1/32"])
        try house.found()
        let (url, curl) = try open(front, stage, house)

        let body: JSON = ["username": "ada", "password": .string(House.password), "device": "curl"]
        let signIn = try run(
            stage,
            curl + [
                // What the client says of itself is worth nothing.
                "-H", "Forwarded: for=198.51.100.66;proto=http", "-H", "X-Real-IP: 198.51.100.66", "-H",
                "X-Forwarded-For: 198.51.100.66", "-H", "X-Forwarded-Proto: http", "-i", "-H",
                "Content-Type: application/json", "-H", "Origin: https://\(Self.name)", "-d", body.text,
                "\(url)/api/session",
            ])
        #expect(signIn.first?.contains("201") == true, "\(signIn)")
        // Plain text behind the proxy counts as what it is before it.
        #expect(signIn.contains { $0.lowercased().hasPrefix("set-cookie: __host-kinwire=") }, "\(signIn)")
        let sessions = try house.door(as: "ada").call("session.list", [:])["sessions"]?.array ?? []
        #expect(sessions.first { $0["device"] == "curl" }?["address"] == "127.0.0.2", "\(sessions)")

        let token = try house.token("ada")
        try upload(front, stage, house, url, curl, token)
        try follow(stage, house, url, curl, token)
    }

    /// A picture of two megabytes, as a phone sends it.
    private func upload(
        _ front: Front, _ stage: Stage, _ house: House, _ url: String, _ curl: [String], _ token: String
    ) throws {
        try stage.run(
            PythonClient.debian, "-c",
            """
            import base64, json, random, struct, zlib
            chunk = lambda name, body: struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
            rows = b"".join(b"\\0" + random.randbytes(2400) for _ in range(800))
            picture = (b"\\x89PNG\\r\\n\\x1a\\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 800, 800, 8, 2, 0, 0, 0))
                + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))
            json.dump({"picture": base64.b64encode(picture).decode()}, open("\(stage.folder)/picture.json", "w"))
            """)
        let ada = try house.door(as: "ada").call("member.list", [:])["members"]?.array?.first
        let id = try #require(ada?["id"]?.string)
        let put = try run(
            stage,
            curl + [
                "-X", "PUT", "-H", "Authorization: Bearer \(token)", "-H", "Content-Type: application/json",
                "--data-binary", "@\(stage.folder)/picture.json", "-w", "\n%{http_code} %{size_upload}\n",
                "\(url)/api/members/\(id)/picture",
            ])
        let said = try #require(put.last?.split(separator: " "))
        #expect(said.first == "200" && Int(said.last ?? "") ?? 0 > 2_000_000, "\(front): \(put)")
        let shown = try house.door(as: "ada").call("member.show", ["member": .string(id)])["member"]
        #expect(shown?["picture"]?.string != nil, "\(front)")
    }

    private func follow(
        _ stage: Stage, _ house: House, _ url: String, _ curl: [String], _ token: String
    ) throws {
        let events = stage.start(
            curl + ["-H", "Accept: text/event-stream", "-H", "Authorization: Bearer \(token)", "\(url)/live"])
        let socket = stage.start([
            Sandbox.python, "-c",
            """
            import asyncio, ssl, websockets
            async def follow():
                trust = ssl.create_default_context(cafile="\(stage.folder)/cert.pem")
                async with websockets.connect("\(url.replacing("https", with: "wss", maxReplacements: 1))/live", host="127.0.0.1",
                        ssl=trust, server_hostname="\(Self.name)", extra_headers={"Authorization": "Bearer \(token)"}) as live:
                    await live.send('{"jsonrpc":"2.0","id":1,"method":"live.follow","params":{"since":null}}')
                    async for text in live: print(text, flush=True)
            asyncio.run(follow())
            """,
        ])
        try stage.wait("both to follow") {
            events.lines.contains { $0.hasPrefix("data:") } && socket.lines.contains { $0.contains("\"snapshot\"") }
        }
        // Each comes while the stream stays open: nothing is gathered on the way.
        for text in ["one", "two", "three"] {
            try stage.run("kin", "announce", text, "--as", "ada")
            try stage.wait("\(text) through it") {
                [events, socket].allSatisfy { $0.lines.contains { $0.contains("\"text\":\"\(text)\"") } }
            }
        }
        #expect(events.status == nil && socket.status == nil)
    }

    @Test(arguments: Front.installed)
    func `without the flag a proxy on this machine is refused with its name`(front: Front) throws {
        let stage = try Stage()
        let house = try House(stage, flags: ["--url", "https://\(Self.name)"])
        let (url, curl) = try open(front, stage, house)
        let answer = try run(stage, curl + ["-w", "\n", "\(url)/"])
        #expect(answer.joined().contains("--trust-proxy 127.0.0.1/32"), "\(answer)")
    }
}
