import KinClient
import KinCodec
import KinCrypto
import Testing

@Suite struct FramingTests {
    @Test func `lines are the same however the bytes are cut`() throws {
        let stream = Array("{\"a\":1}\n\r\n{\"b\":\"é\"}\r\n{}\n".utf8)
        for cut in 0...stream.count {
            var framing = Framing(.unix(path: "/x"), nonce: [])
            #expect(framing.isOpen)
            var messages = try framing.received(Array(stream[..<cut]), mask: 0).messages
            messages += try framing.received(Array(stream[cut...]), mask: 0).messages
            #expect(messages.map { String(decoding: $0, as: UTF8.self) } == ["{\"a\":1}", "{\"b\":\"é\"}", "{}"])
        }
    }

    @Test func `the handshake and what follows are the same however the bytes are cut`() throws {
        let address = try Address("ws://h")
        let nonce = (0..<16).map { UInt8($0) }
        let accept = Base64.encode(Digest.sha1(Array((Base64.encode(nonce) + WebSocketHandshake.guid).utf8)))
        var stream: [UInt8] = []
        WebSocketHandshake.response(accept: accept, subprotocol: "kinwire.v1").write(to: &stream)
        WebSocketFrame.write(.text, Array("{}".utf8), to: &stream)
        WebSocketFrame.write(.ping, [7], to: &stream)
        WebSocketFrame.writeClose(code: 1012, reason: "Soon.", to: &stream)
        for cut in 0...stream.count {
            var framing = Framing(address, nonce: nonce)
            #expect(!framing.isOpen)
            let first = try framing.received(Array(stream[..<cut]), mask: 1)
            let second = try framing.received(Array(stream[cut...]), mask: 1)
            #expect(framing.isOpen)
            #expect(first.messages + second.messages == [Array("{}".utf8)])
            #expect(second.closing ?? first.closing == Closing(code: 1012, reason: "Soon."))
            var answer: [UInt8] = []
            WebSocketFrame.write(.pong, [7], mask: 1, to: &answer)
            WebSocketFrame.writeClose(code: 1012, mask: 1, to: &answer)
            #expect(first.answer + second.answer == answer)
        }
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: x\r\n\r\n",
        "SSH-2.0-x\r\n", "{\"jsonrpc\":\"2.0\"}\n",
    ])
    func `what is no WebSocket of ours is a failure`(answer: String) throws {
        var framing = Framing(try Address("ws://h"), nonce: Array(repeating: 0, count: 16))
        #expect {
            try framing.received(Array(answer.utf8), mask: 0)
        } throws: { error in
            if case .notUnderstood = error as? ClientFailure { true } else { false }
        }
    }
}
