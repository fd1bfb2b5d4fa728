import Testing

@testable import KinCodec

@Suite struct WebSocketHandshakeTests {
    // RFC 6455 §1.2.
    static let good =
        "GET /chat HTTP/1.1\r\nHost: server.example.com\r\nUpgrade: websocket\r\nConnection: keep-alive, Upgrade\r\n"
        + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nOrigin: http://example.com\r\n"
        + "Sec-WebSocket-Protocol: chat, superchat\r\nSec-WebSocket-Version: 13\r\n\r\n"

    @Test func `the RFC's own request is accepted`() throws {
        let request = try #require(head(Self.good))
        #expect(
            WebSocketHandshake.check(request)
                == .accept(key: "dGhlIHNhbXBsZSBub25jZQ==", subprotocols: ["chat", "superchat"]))
    }

    @Test(arguments: [
        ("GET /chat", "POST /chat", 400), ("HTTP/1.1", "HTTP/1.0", 400), ("Upgrade: websocket", "Upgrade: h2c", 426),
        ("keep-alive, Upgrade", "keep-alive", 426), ("Version: 13", "Version: 8", 426),
        ("Sec-WebSocket-Version: 13\r\n", "", 426), ("dGhlIHNhbXBsZSBub25jZQ==", "dGhlIHNhbXBsZQ==", 400),
        ("dGhlIHNhbXBsZSBub25jZQ==", "not base64", 400), ("Sec-WebSocket-Key", "X", 400),
        ("Origin: http://example.com", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", 400),
        ("Origin: http://example.com", "Sec-WebSocket-Version: 13", 426),
        ("Origin: http://example.com", "Content-Length: 2", 400),
    ])
    func `what is no good handshake is refused`(old: String, new: String, status: Int) throws {
        let request = try #require(head(Self.good.replacing(old, with: new)))
        guard case .refuse(status, _, let headers) = WebSocketHandshake.check(request) else {
            Issue.record("taken")
            return
        }
        if old.contains("Version: 13") { #expect(headers["Sec-WebSocket-Version"] == "13") }
    }

    @Test func `client and server agree`() throws {
        var out: [UInt8] = []
        WebSocketHandshake.writeRequest(
            target: "/live", key: "dGhlIHNhbXBsZSBub25jZQ==", subprotocols: ["kinwire.v1"],
            headers: ["Host": "h", "Authorization": "Bearer x"], to: &out)
        let request = try #require(head(String(decoding: out, as: UTF8.self)))
        #expect(
            WebSocketHandshake.check(request)
                == .accept(key: "dGhlIHNhbXBsZSBub25jZQ==", subprotocols: ["kinwire.v1"]))
        let accept = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
        let answer = WebSocketHandshake.response(accept: accept, subprotocol: "kinwire.v1")
        #expect(try WebSocketHandshake.check(answer, accept: accept, subprotocols: ["kinwire.v1"]) == "kinwire.v1")
        #expect(throws: HTTPFailure.self) {
            try WebSocketHandshake.check(answer, accept: "other", subprotocols: ["kinwire.v1"])
        }
        #expect(throws: HTTPFailure.self) { try WebSocketHandshake.check(answer, accept: accept, subprotocols: []) }
        var extended = answer
        extended.headers["Sec-WebSocket-Extensions"] = "permessage-deflate"
        #expect(throws: HTTPFailure.self) {
            try WebSocketHandshake.check(extended, accept: accept, subprotocols: ["kinwire.v1"])
        }
        let plain = WebSocketHandshake.response(accept: accept, subprotocol: nil)
        #expect(try WebSocketHandshake.check(plain, accept: accept, subprotocols: ["kinwire.v1"]) == nil)
        #expect(throws: HTTPFailure.self) {
            try WebSocketHandshake.check(HTTPResponseHead(status: 401), accept: accept, subprotocols: [])
        }
    }
}
