import KinCodec
import KinModel
import Testing

@testable import KinServer
@testable import KinServerBox

/// permessage-deflate between the daemon and its clients (RFC 7692).
@Suite struct CompressionTests {
    private let box: Box
    private static let offer = "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits"
    /// Long enough to be worth it.
    private static let text = String(repeating: "Who brings the salad? ", count: 20)

    init() throws { box = try Box.family() }

    private func follower(_ name: String, _ offer: String? = offer) throws -> BoxClient {
        let client = box.connect()
        let bearer = "Authorization: Bearer \(try box.person(name).token)"
        let response = try client.openWebSocket([bearer] + (offer.map { [$0] } ?? []))
        #expect(response.status == 101)
        if offer == nil { #expect(response["Sec-WebSocket-Extensions"] == nil) }
        _ = try client.result("live.follow")
        return client
    }

    private func announce(_ text: String) throws {
        let ada = try box.line("ada")
        #expect(try ada.refusal("activity.announce", ["text": .string(text)]) == nil)
        ada.leave()
    }

    @Test func `an event is compressed once and the same bytes go to all who agreed; others get it plain`() throws {
        let clients = [
            try follower("ben"), try follower("hal"),
            try follower("ben", "Sec-WebSocket-Extensions: permessage-deflate; server_max_window_bits=10"),
        ]
        let plain = try follower("ben", nil)
        try announce(Self.text)
        let bytes = clients.map { $0.receive() }
        #expect(bytes[0] == bytes[1] && bytes[0] == bytes[2])
        #expect(bytes[0].first == 0xC1, "a text message, RSV1 set")
        let long = plain.receive()
        #expect(long.first == 0x81)
        #expect(bytes[0].count < long.count / 2)
        var machine = WebSocketMachine(role: .client, messageBytesMax: 1 << 20, isDeflated: true)
        guard case .message(.text, let inflated) = machine.consume(bytes[0]).event else {
            Issue.record("no message")
            return
        }
        #expect(inflated == Array(long[4...]), "the same JSON")
        #expect(box.server.fanOut.feed.deflations.framesMade == 1)
    }

    @Test func `a small window is kept to, and has its own form where the event is longer`() throws {
        let wide = try follower("ben")
        let narrow = try follower("ben", "Sec-WebSocket-Extensions: permessage-deflate; server_max_window_bits=9")
        let long = (0..<90).map { "word\($0) " }.joined() + Self.text
        try announce(long)
        #expect(box.server.fanOut.feed.deflations.framesMade == 2)
        for client in [wide, narrow] {
            #expect(try client.heard().last?["params"]?["data"]?["text"]?.string == long)
        }
    }

    @Test func `short messages are sent as they are`() throws {
        let client = try follower("ben")
        #expect(try client.refusal("session.list") == nil)
        client.postCall("member.show", ["x": 1])
        try box.settle()
        #expect(client.receive().first == 0x81)
    }

    @Test func `a snapshot is compressed for the one who asked`() throws {
        for index in 0..<20 { try announce("\(index): \(Self.text)") }
        let client = box.connect()
        _ = try client.openWebSocket(["Authorization: Bearer \(try box.person("ben").token)", Self.offer])
        client.postCall("live.follow", ["since": .null])
        try box.settle()
        let bytes = client.receive()
        #expect(bytes.first == 0xC1)
        var machine = WebSocketMachine(role: .client, messageBytesMax: 1 << 20, isDeflated: true)
        guard case .message(.text, let json) = machine.consume(bytes).event else {
            Issue.record("no message")
            return
        }
        #expect(try JSON.parse(json)["result"]?["snapshot"] != .null)
        #expect(bytes.count < json.count / 2)
    }

    @Test func `what was deleted is in no compressed form either`() throws {
        let client = try follower("ben")
        try announce(Self.text)
        #expect(box.server.fanOut.feed.deflations.framesMade == 1)
        _ = client.receive()
        box.server.fanOut.feed.deflations.forget(box.position)
        #expect(box.server.fanOut.feed.deflations.framesMade == 0)
    }

    @Test func `who comes back reads what was missed plain, and compressed from there on`() throws {
        let client = try follower("ben")
        try announce(Self.text)
        let cursor = try #require(try client.heard().last?["params"]?["cursor"])
        client.leave()
        for index in 0..<(Gathered.entriesMax + 10) { try announce("\(index) \(Self.text)") }
        let back = box.connect()
        _ = try back.openWebSocket(["Authorization: Bearer \(try box.person("ben").token)", Self.offer])
        _ = try back.result("live.follow", ["since": cursor])
        #expect(try back.heardTypes().count { $0 == "activity.announced" } == Gathered.entriesMax + 10)
        try announce(Self.text)
        #expect(back.receive().first == 0xC1)
    }

    @Test func `a compressed request is carried out, and a bomb is 1009 to its sender alone`() throws {
        let bystander = try follower("hal")
        let client = try follower("ben")
        let request = RPC.request(
            id: 77, method: "activity.announce", params: ["text": .string(String(repeating: "a", count: 400))])
        let small = try #require(Deflater().deflate(request, windowBits: 15))
        var bytes: [UInt8] = []
        WebSocketFrame.write(.text, small, mask: 0x0102_0304, reserved: 0x40, to: &bytes)
        try client.send(bytes)
        #expect(try client.messages().contains { $0["id"] == 77 })
        let zeros = [UInt8](repeating: 0x20, count: 3 << 20)
        let bomb = try #require(Deflater().deflate(zeros, windowBits: 15))
        bytes = []
        WebSocketFrame.write(.text, bomb, mask: 0x0102_0304, reserved: 0x40, to: &bytes)
        try client.send(bytes)
        _ = try client.messages()
        guard case .close(code: 1009, reason: _)? = client.frames.last else {
            Issue.record("\(client.frames)")
            return
        }
        #expect(client.isOver)
        #expect(box.server.counters.limitsHit["message_bytes"] == 1)
        try announce(Self.text)
        #expect(try bystander.heard().last?["params"]?["data"]?["text"]?.string == Self.text)
    }

    @Test func `through TLS it is the same`() throws {
        var setting = Box.Setting()
        setting.tls = PlainTextTests.tls
        let box = try Box.family(setting)
        let client = box.connect()
        try client.startTLS()
        _ = try client.openWebSocket(["Authorization: Bearer \(try box.person("ben").token)", Self.offer])
        _ = try client.result("live.follow")
        let ada = try box.line("ada")
        _ = try ada.result("activity.announce", ["text": .string(Self.text)])
        #expect(client.receive().first == 0xC1)
    }

    @Test func `a malformed field of extensions is 400, and an offer that is declined is no reason not to open`() throws
    {
        #expect(try box.connect().openWebSocket(["Sec-WebSocket-Extensions: permessage-deflate; ="]).status == 400)
        let declined = try box.connect().openWebSocket(["Sec-WebSocket-Extensions: permessage-deflate; unknown"])
        #expect(declined.status == 101 && declined["Sec-WebSocket-Extensions"] == nil)
    }
}
