import KinCodec
import KinModel
import Testing

@testable import KinServer
@testable import KinServerBox
@testable import KinSimulation

/// How a WebSocket ends (RFC 6455 §7): both say it, the server closes first, nothing follows a close frame.
@Suite struct ClosingTests {
    private let box: Box

    init() throws { box = try Box.family() }

    private func open(_ name: String = "ben") throws -> BoxClient {
        let client = box.connect()
        _ = try client.openWebSocket(["Authorization: Bearer \(try box.person(name).token)"])
        return client
    }

    private func frame(_ opcode: WebSocketFrame.Opcode, _ payload: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        WebSocketFrame.write(opcode, payload, mask: 0x1234_5678, to: &bytes)
        return bytes
    }

    private func revoke(_ client: BoxClient) throws {
        let ben = box.connect()
        _ = try ben.result("session.resume", ["token": .string(try box.signIn("ben").token)])
        _ = try ben.result("session.revoke", ["session": .id(try box.person("ben").session)])
    }

    @Test func `when the daemon ends it, the peer's close frame is waited for, and then the daemon closes first`()
        throws
    {
        let client = try open()
        client.answersClose = false
        try revoke(client)
        _ = try client.messages()
        guard case .close(code: 4102, reason: _)? = client.frames.last else {
            Issue.record("\(client.frames)")
            return
        }
        #expect(!client.isOver, "its answer is waited for")
        // Nothing follows a close frame: no pong, no reply.
        client.post(frame(.ping, [1]))
        client.post(frame(.text, RPC.request(id: 5, method: "family.show", params: [:])))
        try box.settle()
        #expect(client.receive().isEmpty && !client.isOver)
        try client.send(frame(.close, [0x10, 0x06]))
        #expect(client.receive().isEmpty, "and no second close frame")
        #expect(client.isOver)
    }

    @Test func `who never answers a close frame is closed after two seconds`() throws {
        let client = try open()
        client.answersClose = false
        try revoke(client)
        _ = try client.messages()
        try box.advance(seconds: 1)
        #expect(!client.isOver)
        try box.advance(seconds: 2)
        #expect(client.isOver)
    }

    @Test func `close frames that cross are each other's answer`() throws {
        let client = try open()
        client.answersClose = false
        // The client's is on its way when the daemon says its own.
        client.post(frame(.close, [0x03, 0xE8]))
        box.server.drain()
        try box.settle()
        _ = try client.messages()
        let closes = client.frames.filter { if case .close = $0 { true } else { false } }
        #expect(closes.count == 1, "one from each side: \(client.frames)")
        #expect(client.isOver)
    }

    @Test(arguments: [[], [0x03, 0xE8], [0x03, 0xE8, 0x68, 0x69], [0x0F, 0xA0], [0x13, 0x87]] as [[UInt8]])
    func `a close frame is answered by its own code, and the daemon closes first`(payload: [UInt8]) throws {
        let client = try open()
        try client.send(frame(.close, payload))
        #expect(client.receive() == [0x88, UInt8(min(2, payload.count))] + payload.prefix(2))
        #expect(client.isOver)
    }

    @Test(
        arguments: [
            ([0x03], 1002), ([0x03, 0xEC], 1002), ([0x03, 0xED], 1002), ([0x03, 0xEE], 1002), ([0x00, 0x00], 1002),
            ([0x03, 0xF7], 1002), ([0x07, 0xD0], 1002), ([0x13, 0x88], 1002), ([0x03, 0xE8, 0xC3], 1007),
        ] as [([UInt8], UInt16)])
    func `a close frame that must not be sent is answered by why`(payload: [UInt8], code: UInt16) throws {
        let client = try open()
        try client.send(frame(.close, payload))
        _ = try client.messages()
        guard case .close(code, reason: _)? = client.frames.last else {
            Issue.record("\(client.frames)")
            return
        }
        #expect(client.isOver)
    }

    @Test func `a peer that closes its side right after its close frame is answered`() throws {
        let client = try open()
        client.post(frame(.close, [0x03, 0xE8]))
        box.network.clientLeaves(client.token, isRude: false)
        try box.settle()
        #expect(client.receive() == [0x88, 2, 0x03, 0xE8])
        #expect(client.isOver)
        #expect(box.server.connections.count == 0)
    }

    @Test func `a peer that closes its side without one is gone at once`() throws {
        let client = try open()
        box.network.clientLeaves(client.token, isRude: false)
        try box.settle()
        #expect(client.isOver)
        #expect(box.server.connections.count == 0)
    }

    @Test func `many pings at once are each answered, in their order`() throws {
        let client = try open()
        var bytes: [UInt8] = []
        for index in 0..<100 { bytes += frame(.ping, [UInt8(index)]) }
        try client.send(bytes)
        _ = try client.messages()
        #expect(client.frames == (0..<100).map { .pong([UInt8($0)]) })
    }

    @Test func `a stream cut at every byte is the same conversation`() throws {
        let text = RPC.request(id: 3, method: "family.show", params: [:])
        var bytes: [UInt8] = []
        WebSocketFrame.write(.text, Array(text[..<20]), fin: false, mask: 0x0A0B_0C0D, to: &bytes)
        bytes += frame(.ping, [7])
        WebSocketFrame.write(.continuation, Array(text[20...]), mask: 0, to: &bytes)
        let whole = try said(bytes, cutAt: bytes.count)
        #expect(whole.prefix(3) == [0x8A, 1, 7] && whole.count > 100, "a pong and a reply")
        for place in 1..<bytes.count { #expect(try said(bytes, cutAt: place) == whole) }
    }

    private func said(_ bytes: [UInt8], cutAt place: Int) throws -> [UInt8] {
        let client = try open()
        try client.send(Array(bytes[..<place]))
        try client.send(Array(bytes[place...]))
        defer { client.leave() }
        return client.receive()
    }
}
