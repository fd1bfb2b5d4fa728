import Glibc
import KinCodec
import KinModel
import Testing

/// The nginx sample of the page Operating, as it stands there, before the real daemon.
@Suite(.enabled(if: access("/usr/sbin/nginx", X_OK) == 0, "Debian's nginx is needed"))
struct ProxyTests {
    static let name = "kin.example.org"

    /// A block of code of a page, the first of its language.
    static func sample(_ language: String, of page: String) throws -> String {
        let path = Stage.root + "/Sources/KinServer/KinServer.docc/" + page
        let text = String(decoding: try [UInt8](file: path), as: UTF8.self)
        let block = try #require(text.split(separator: "```\(language)\n", maxSplits: 1).dropFirst().first)
        return try #require(block.split(separator: "\n```", maxSplits: 1).first) + "\n"
    }

    /// nginx before a house; the words of a curl that goes through it.
    private func nginx(_ stage: Stage, _ house: House) throws -> (port: String, curl: [String]) {
        try Array(Self.sample("nginx", of: "Operating.md").utf8).write(file: stage.folder + "/site")
        try stage.run(
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
            "2", "-subj", "/CN=\(Self.name)", "-addext", "subjectAltName=DNS:\(Self.name)", "-keyout",
            stage.folder + "/key.pem", "-out", stage.folder + "/cert.pem")
        let nginx = stage.start([
            Sandbox.python, Stage.fixtures + "/nginx.py", stage.folder, stage.folder + "/site", "\(house.port)",
            Self.name,
        ])
        try stage.wait("nginx's port") { nginx.lines.first?.hasPrefix("port ") == true || nginx.status != nil }
        let port = String(try #require(nginx.lines.first?.split(separator: " ").last, "\(nginx.said)"))
        return (
            port,
            [
                "curl", "-sN", "--cacert", stage.folder + "/cert.pem", "--resolve", "\(Self.name):\(port):127.0.0.1",
            ]
        )
    }

    @Test func `WebSockets, events and sign-ins pass through nginx as the page says`() throws {
        let stage = try Stage()
        let house = try House(stage, flags: ["--url", "https://\(Self.name)", "--trust-proxy", "127.0.0.1/32"])
        try house.found()
        let (port, curl) = try nginx(stage, house)
        let url = "https://\(Self.name):\(port)"

        let body: JSON = ["username": "ada", "password": .string(House.password), "device": "curl"]
        let signIn = stage.start(
            curl + [
                "-i", "-H", "Content-Type: application/json", "-H", "Origin: https://\(Self.name)", "-d", body.text,
                "\(url)/api/session",
            ])
        try stage.wait("the sign-in") { signIn.status != nil }
        signIn.take()
        #expect(signIn.lines.first?.contains("201") == true, "\(signIn.lines)")
        // Plain text behind the proxy counts as what it is before it.
        #expect(signIn.lines.contains { $0.lowercased().hasPrefix("set-cookie: __host-kinwire=") }, "\(signIn.lines)")

        let token = try house.token("ada")
        let events = stage.start(
            curl + ["-H", "Accept: text/event-stream", "-H", "Authorization: Bearer \(token)", "\(url)/live"])
        let socket = stage.start([
            Sandbox.python, "-c",
            """
            import asyncio, ssl, websockets
            async def follow():
                trust = ssl.create_default_context(cafile="\(stage.folder)/cert.pem")
                async with websockets.connect("wss://\(Self.name):\(port)/live", host="127.0.0.1", ssl=trust, server_hostname="\(Self.name)",
                        extra_headers={"Authorization": "Bearer \(token)"}) as live:
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
            try stage.wait("\(text) through nginx") {
                [events, socket].allSatisfy { $0.lines.contains { $0.contains("\"text\":\"\(text)\"") } }
            }
        }
        #expect(events.status == nil && socket.status == nil)
    }

    @Test func `without the flag a proxy on this machine is refused with its name`() throws {
        let stage = try Stage()
        let house = try House(stage, flags: ["--url", "https://\(Self.name)"])
        let (port, curl) = try nginx(stage, house)
        let answer = stage.start(curl + ["-w", "\n", "https://\(Self.name):\(port)/"])
        try stage.wait("the answer") { answer.status != nil }
        answer.take()
        #expect(answer.lines.joined().contains("--trust-proxy"), "\(answer.lines)")
    }
}
