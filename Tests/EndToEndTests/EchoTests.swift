import Testing

/// `kinwire-echo`, with a library that others wrote.
@Suite(.serialized) struct EchoTests {
    @Test(
        .enabled(if: PythonClient.hasWebSockets(PythonClient.debian), "python3-websockets is not installed"),
        arguments: [false, true])
    func `Debian's websockets gets back what it sends, compressed too`(isTLS: Bool) throws {
        try talk(PythonClient.debian, isTLS: isTLS)
    }

    @Test(
        .enabled(if: PythonClient.hasWebSockets(PythonClient.current), "PyPI could not be reached"),
        arguments: [false, true])
    func `PyPI's current websockets gets back what it sends, compressed too`(isTLS: Bool) throws {
        try talk(PythonClient.current, isTLS: isTLS)
    }

    @Test func `plain HTTP is told to upgrade, another version which one is spoken, and lines are no language here`()
        throws
    {
        let stage = try Stage()
        let port = try echo(stage)
        let curl = ["curl", "-sS", "-o", "/dev/null", "-D", "-", "http://127.0.0.1:\(port)/any/path"]
        let plain = stage.start(curl)
        try stage.wait("curl") { plain.status != nil }
        #expect(plain.lines.first?.contains("426") == true, "\(plain.lines)")
        let old = stage.start(
            curl + [
                "-H", "Upgrade: websocket", "-H", "Connection: Upgrade", "-H", "Sec-WebSocket-Version: 8", "-H",
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            ])
        try stage.wait("curl") { old.status != nil }
        #expect(old.lines.first?.contains("426") == true)
        #expect(old.lines.contains { $0.lowercased().hasPrefix("sec-websocket-version: 13") })
    }

    private func echo(_ stage: Stage, isTLS: Bool = false) throws -> Int {
        let echo = stage.start([Stage.built + "/kinwire-echo", "--port", "0"] + (isTLS ? ["--tls"] : []))
        try stage.wait("kinwire-echo") { echo.said.contains("Listening on 127.0.0.1:") || echo.status != nil }
        let digits = echo.said.split(separator: ":").last?.prefix { $0.isNumber }
        return try #require(digits.flatMap { Int($0) }, "\(echo.said)")
    }

    private func talk(_ python: String, isTLS: Bool) throws {
        let stage = try Stage()
        let port = try echo(stage, isTLS: isTLS)
        let url = "\(isTLS ? "wss" : "ws")://127.0.0.1:\(port)/some/where"
        let client = stage.start([python, Stage.fixtures + "/echo.py", url])
        try stage.wait("Python to have heard everything") { client.status != nil }
        #expect(client.lines == ["echoed None", "echoed deflate", "closed 1009"], "\(client.said)")
    }
}
