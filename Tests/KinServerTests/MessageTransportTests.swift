import KinCodec
import KinCrypto
import KinLoop
import KinModel
import Testing

@testable import KinServer
@testable import KinServerBox

/// JSON-RPC by raw bytes, over lines and WebSocket.
@Suite struct MessageTransportTests {
    private let box: Box

    init() throws { box = try Box.family() }

    private func code(_ client: BoxClient) throws -> [Int64] {
        try client.messages().compactMap { $0["error"]?["code"]?.int }
    }

    @Test func `lines that are no request are answered by JSON-RPC's own errors`() throws {
        let client = try box.line("ada")
        let wrong: [(String, Int64)] = [
            ("nonsense", -32700), ("{\"jsonrpc\":\"2.0\",\"id\":1,", -32700), ("7", -32600), ("null", -32600),
            ("[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"family.show\"}]", -32600), ("{}", -32600),
            ("{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"family.show\"}", -32600),
            ("{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"family.show\"}", -32600),
            ("{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"family.show\"}", -32600),
            ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":7}", -32600),
            ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"family.show\",\"more\":1}", -32600),
            ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"no.such\"}", -32601),
            ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"family.show\",\"params\":[]}", -32602),
            ("{\"jsonrpc\":\"2.0\",\"id\":1,\"id\":2,\"method\":\"family.show\"}", -32700),
            (
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"activity.announce\",\"params\":{\"text\":\"x\",\"op\":7}}",
                -32602
            ),
        ]
        for (line, expected) in wrong {
            try client.send(line + "\n")
            #expect(try code(client) == [expected], "\(line)")
        }
        #expect(try client.result("family.show")["family"]?["name"] == "Oak")
    }

    @Test func `a notification is carried out and not answered`() throws {
        let client = try box.line("ada")
        let before = box.position
        try client.send("{\"jsonrpc\":\"2.0\",\"method\":\"activity.announce\",\"params\":{\"text\":\"unasked\"}}\n")
        #expect(client.receive().isEmpty)
        #expect(box.position == before + 1)
        try client.send("{\"jsonrpc\":\"2.0\",\"method\":\"activity.announce\",\"params\":{}}\n")
        #expect(client.receive().isEmpty)
        try client.send("{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"family.show\"}\n")
        #expect(try client.messages().map { $0["id"] } == [.null])
    }

    @Test func `a picture comes in a message as well`() throws {
        let client = try box.line("ada")
        let ada = JSON.string(try box.person("ada").id.description)
        let picture: [UInt8] = [0, 1, 2]
        let set = try client.result(
            "member.setPicture", ["member": ada, "picture": .string(Base64.encode(picture))])
        let name = try #require(set["member"]?["picture"])
        let got = try client.result("member.picture", ["member": ada, "name": name])
        #expect(got == ["mediaType": "image/jpeg", "base64": .string(Base64.encode(picture))])
        #expect(try client.result("family.show")["family"] != nil)
    }

    @Test func `empty lines before the first brace are passed over, and a batch is refused`() throws {
        let client = box.connect()
        try client.send("\r\n\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"family.show\"}\r\n")
        #expect(try code(client) == [1401])
        let batch = box.connect()
        try batch.send("[{\"jsonrpc\":\"2.0\"}]\n")
        #expect(try code(batch) == [-32600])
        #expect(batch.isOver)
    }

    @Test func `before anybody is signed in a line has at most 4 kB`() throws {
        let client = box.connect()
        try client.send("{" + String(repeating: " ", count: 4200))
        #expect(try code(client) == [1413])
        #expect(client.notifications.last?["params"]?["code"] == 1009)
        #expect(client.isOver)
        // Signed in, a long line is nothing special.
        let ada = try box.line("ada")
        let long = String(repeating: "x", count: 6000)
        #expect(try ada.refusal("activity.announce", ["text": .string(long)]) == 1413)
        #expect(!ada.isOver)
    }

    @Test func `requests of one connection are applied in their order, slow ones too`() throws {
        let client = box.connect()
        client.postCall("family.show")
        client.postCall("session.open", ["username": "ada", "password": .string(Box.password)])
        client.postCall("family.show")
        client.postCall("activity.announce", ["text": "third"])
        try box.settle()
        let answers = try client.messages()
        #expect(answers.map { $0["id"]?.int } == [2, 3, 4, 5])
        #expect(answers.map { $0["error"]?["code"]?.int } == [1401, nil, nil, nil])
    }

    @Test func `a WebSocket is opened with our subprotocol or none, and not with another`() throws {
        let ours = try box.connect().openWebSocket()
        #expect(ours.status == 101)
        #expect(ours["Sec-WebSocket-Protocol"] == "kinwire.v1")
        #expect(ours["Sec-WebSocket-Accept"] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
        let none = try box.connect().openWebSocket(protocols: nil)
        #expect(none.status == 101)
        #expect(none["Sec-WebSocket-Protocol"] == nil)
        #expect(
            try box.connect().openWebSocket(protocols: "chat, kinwire.v1")["Sec-WebSocket-Protocol"] == "kinwire.v1")
        #expect(try box.connect().openWebSocket(protocols: "chat").status == 400)
        let old = try box.connect().ask(
            "GET /live",
            [
                "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
                "Sec-WebSocket-Version: 8",
            ])
        #expect(old.status == 426 && old["Sec-WebSocket-Version"] == "13")
        #expect(try box.connect().openWebSocket(["Authorization: Bearer nonsense"]).status == 401)
    }

    @Test func `a WebSocket signs in by its handshake or by its first message`() throws {
        let token = try box.person("ben").token
        let shaken = box.connect()
        #expect(try shaken.openWebSocket(["Authorization: Bearer \(token)"]).status == 101)
        #expect(try shaken.refusal("family.show") == nil)
        let cookie = box.connect()
        let page = ["Cookie: kinwire=\(token)", "Host: localhost", "Origin: http://localhost"]
        #expect(try cookie.openWebSocket(page).status == 101)
        #expect(try cookie.refusal("family.show") == nil)
        let late = box.connect()
        _ = try late.openWebSocket()
        #expect(try late.refusal("family.show") == 1401)
        #expect(try late.refusal("session.resume", ["token": .string(token)]) == nil)
        #expect(try late.refusal("family.show") == nil)
    }

    @Test func `frames that are no messages are answered as RFC 6455 says`() throws {
        let client = box.connect()
        _ = try client.openWebSocket(["Authorization: Bearer \(try box.person("ben").token)"])
        try client.frame(.ping, [1, 2, 3])
        _ = try client.messages()
        #expect(client.frames == [.pong([1, 2, 3])])
        // A message in pieces, with a ping between them.
        let whole = RPC.request(id: 9, method: "family.show", params: [:])
        try client.frame(.text, Array(whole[..<10]), fin: false)
        try client.frame(.ping, [])
        try client.frame(.continuation, Array(whole[10...]))
        #expect(try client.messages().map { $0["id"] } == [9])
        try client.frame(.text, Array("nonsense".utf8))
        #expect(try code(client) == [-32700])
        try client.frame(.text, Array("[]".utf8))
        #expect(try code(client) == [-32600])
        try client.frame(.close, [0x03, 0xE8])
        _ = try client.messages()
        #expect(client.frames.last == .close(code: 1000, reason: ""))
        #expect(client.isOver)
    }

    @Test(arguments: ["binary", "long", "text", "unmasked"])
    func `a WebSocket that breaks a rule is told the code`(what: String) throws {
        let client = box.connect()
        _ = try client.openWebSocket(["Authorization: Bearer \(try box.person("ben").token)"])
        let expected: UInt16
        switch what {
        case "binary":
            try client.frame(.binary, [1])
            expected = 1008
        case "long":
            var bytes: [UInt8] = []
            WebSocketFrame.writeHeader(.text, length: 2 << 20, mask: 1, to: &bytes)
            try client.send(bytes)
            expected = 1009
        case "text":
            try client.frame(.text, [0xC3, 0x28])
            expected = 1007
        default:
            try client.send([0x81, 0x01, 0x20])
            expected = 1002
        }
        _ = try client.messages()
        guard case .close(let code, _)? = client.frames.last else {
            Issue.record("no close frame: \(client.frames)")
            return
        }
        #expect(code == expected)
        #expect(client.isOver)
    }

    @Test func `replies that wait in a stream are not lost when it ends`() throws {
        let client = try box.line("ada")
        _ = try client.result("live.follow")
        client.postCall("activity.announce", ["text": "before leaving"])
        client.postCall("live.unfollow")
        client.postCall("family.show")
        try box.settle()
        #expect(try client.messages().compactMap { $0["id"]?.int }.count == 3)
        client.postCall("live.follow")
        try box.settle()
        client.postCall("activity.announce", ["text": "before signing out"])
        client.postCall("session.close")
        client.postCall("family.show")
        try box.settle()
        let answers = try client.messages().filter { $0["id"] != nil }
        #expect(answers.count == 4)
        #expect(answers.last?["error"]?["code"] == 1401)
    }

    @Test func `on a connection that follows, a command's events come before its reply`() throws {
        let client = try box.line("ada")
        _ = try client.result("live.follow")
        client.postCall("activity.announce", ["text": "one"])
        client.postCall("activity.announce", ["text": "two"])
        try box.settle()
        let kinds = try client.messages().map { $0["params"]?["data"]?["text"]?.string ?? "reply" }
        // Both were applied in one turn: their events come first, in order.
        #expect(kinds.filter { $0 != "reply" } == ["one", "two"])
        #expect(kinds.first == "one" && kinds.last == "reply" && kinds.count == 4)
        #expect((kinds.firstIndex(of: "two") ?? 9) < (kinds.lastIndex(of: "reply") ?? 0))
    }
}
