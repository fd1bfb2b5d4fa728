import KinCodec
import KinLoop
import KinModel
import KinTLS
import Testing

@testable import KinServer
@testable import KinServerBox
@testable import KinSimulation

/// Too much of something. Each test: the limit by its name, the most bytes held, and a bystander's whole stream.
@Suite struct FloodTests {
    @Test func `a flood of connections from one address is told 429, and other addresses come in`() throws {
        let siege = try Siege()
        let flood = (0..<400).map { _ in siege.stranger() }
        try siege.endure(seconds: 1)
        #expect(siege.hits("connections_per_address") == 144)
        #expect(flood.count { $0.isOver } == 144)
        #expect(flood.last?.text().hasPrefix("HTTP/1.1 429 ") ?? false)
        #expect(try siege.stranger(9).ask("GET /healthz").status == 200)
        #expect(siege.peakBytes < 2048, "a word of Ada's, and nothing for the flood")
        try siege.endure(seconds: 12)
        #expect(siege.hits("first_byte") == 256)
        #expect(siege.box.server.connections.perAddress.count == 1, "the one who asked for its health")
        try siege.expectBystanderUnharmed()
    }

    @Test func `a flood of connections from everywhere is told 503 at the bound, and room comes back`() throws {
        let siege = try Siege { $0.limits.connectionsMax = 100 }
        let flood = (0..<300).map { siege.stranger(UInt32($0 % 200)) }
        try siege.endure(seconds: 1)
        #expect(siege.hits("connections") == 202)
        #expect(siege.box.server.connections.count == 100)
        #expect(flood.last?.text().hasPrefix("HTTP/1.1 503 ") ?? false)
        #expect(siege.peakBytes < 2048, "a word of Ada's, and nothing for the flood")
        try siege.endure(seconds: 12)
        #expect(try siege.stranger().ask("GET /healthz").status == 200)
        try siege.expectBystanderUnharmed()
    }

    @Test func `a flood of handshakes is worked off a few steps a turn`() throws {
        let siege = try Siege { $0.limits.handshakeStepsPerTurnMax = 2 }
        let flood = try (0..<60).map { number in
            let client = siege.stranger(UInt32(number))
            try client.sayHello()
            return client
        }
        try siege.endure(seconds: 1)
        #expect(siege.hits("handshake_steps") > 20)
        for client in flood { #expect(client.tls?.isHandshakeComplete ?? false) }
        #expect(siege.peakBytes < 60 * 8192)
        try siege.expectBystanderUnharmed()
    }

    @Test func `a flood of pings is answered to its bound and no further`() throws {
        let siege = try Siege { $0.limits.outBytesMax = 4 << 10 }
        let pinger = try siege.hal(room: 1000)
        try pinger.stall(true)
        var ping: [UInt8] = []
        WebSocketFrame.write(.ping, [UInt8](repeating: 7, count: 100), mask: 0x1234_5678, to: &ping)
        for _ in 0..<20 { pinger.post((0..<200).flatMap { _ in ping }) }
        try siege.endure(seconds: 62)
        #expect(siege.hits("stuck") == 1)
        // What is ready, one read that was not parsed, and what arrays keep in reserve.
        #expect(siege.peakBytes < 2 * (64 << 10) + 4 * (4 << 10))
        try siege.expectBystanderUnharmed()
    }

    @Test func `tiny fragments add up to the bound of a message`() throws {
        let siege = try Siege { $0.limits.messageBytesMax = 10_000 }
        let client = try siege.hal()
        var fragments: [UInt8] = []
        WebSocketFrame.write(.text, [0x61], fin: false, mask: 0x1234_5678, to: &fragments)
        for _ in 0..<10_000 { WebSocketFrame.write(.continuation, [0x61], fin: false, mask: 1, to: &fragments) }
        client.post(fragments)
        try siege.endure(seconds: 1)
        _ = try client.messages()
        guard case .close(code: 1009, reason: _)? = client.frames.last else {
            Issue.record("no close frame")
            return
        }
        #expect(siege.hits("message_bytes") == 1)
        #expect(siege.peakBytes < 3 * 10_000 + 2 * (64 << 10))
        try siege.expectBystanderUnharmed()
    }

    @Test func `empty fragments without end hold nothing, and have the time of a message`() throws {
        let siege = try Siege()
        let client = try siege.hal()
        var fragments: [UInt8] = []
        WebSocketFrame.write(.text, [], fin: false, mask: 0x1234_5678, to: &fragments)
        client.post(fragments)
        fragments = []
        for _ in 0..<500 { WebSocketFrame.write(.continuation, [], fin: false, mask: 1, to: &fragments) }
        // And half of one, so that something is always on its way.
        try siege.endure(seconds: 62) { _ in if !client.isOver { client.post(fragments) } }
        #expect(client.isOver)
        #expect(siege.hits("slow_message") == 1)
        #expect(siege.peakBytes < 8 << 10)
        try siege.expectBystanderUnharmed()
    }

    @Test func `empty messages are refused one by one, and who does not read the refusals is not read either`() throws {
        let siege = try Siege { $0.limits.outBytesMax = 4 << 10 }
        let client = try siege.hal(room: 1000)
        try client.stall(true)
        var messages: [UInt8] = []
        for _ in 0..<5000 { WebSocketFrame.write(.text, [], mask: 1, to: &messages) }
        client.post(messages)
        try siege.endure(seconds: 62)
        #expect(siege.hits("stuck") == 1)
        #expect(siege.peakBytes < 2 * (64 << 10) + 4 * (4 << 10))
        try siege.expectBystanderUnharmed()
    }

    @Test func `strangers say 4 kB in all, on lines and on WebSockets`() throws {
        let siege = try Siege()
        let line = siege.stranger(says: "{" + String(repeating: " ", count: 5000))
        let many = siege.stranger(
            says: (0..<200).map { _ in "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\"}\n" }.joined())
        let socket = siege.stranger()
        _ = try socket.openWebSocket()
        try socket.frame(.text, [UInt8](repeating: 0x20, count: 5000))
        try siege.endure(seconds: 1)
        #expect(line.isOver && many.isOver && socket.isOver)
        #expect(siege.hits("line_bytes") == 2)
        #expect(siege.hits("message_bytes") == 1)
        #expect(siege.peakBytes < 96 << 10)
        try siege.expectBystanderUnharmed()
    }

    @Test func `bodies of all together have their room, the next is told 503`() throws {
        let siege = try Siege { $0.limits.bodiesBytesMax = 100_000 }
        let head = "POST /api/session HTTP/1.1\r\nHost: box.local\r\nContent-Length: 30000\r\n\r\n"
        let flood = (0..<10).map { _ in siege.stranger(says: head + String(repeating: " ", count: 29_000)) }
        try siege.endure(seconds: 1)
        let told = try flood.flatMap { try $0.responses() }
        #expect(told.map(\.status) == [Int](repeating: 503, count: 7))
        #expect(told.allSatisfy { $0["Retry-After"] != nil })
        #expect(siege.hits("bodies_bytes") == 7)
        #expect(siege.box.server.hall.bodyRoom.bytes == 87_000)
        #expect(siege.peakBytes < 2 * 100_000 + 10 * 4096)
        try siege.endure(seconds: 62)
        #expect(siege.box.server.hall.bodyRoom.bytes == 0)
        try siege.expectBystanderUnharmed()
    }

    @Test func `of one member 64 connections come in, the next is told 4003`() throws {
        let siege = try Siege()
        let token: JSON = ["token": .string(try siege.box.person("hal").token)]
        let flood = (0..<70).map { _ in
            let client = siege.stranger()
            client.postCall("session.resume", token)
            return client
        }
        try siege.endure(seconds: 1)
        #expect(siege.hits("connections_per_member") == 6)
        let refused = flood.filter(\.isOver)
        #expect(refused.count == 6)
        for client in refused { #expect(try client.heard().last?["params"]?["code"] == 4003) }
        #expect(siege.peakBytes < 70 * 4096)
        try siege.expectBystanderUnharmed()
    }

    @Test(arguments: ["Forwarded: for=\"203.0.113.@:1\";proto=https", "X-Forwarded-For: 198.51.100.3, 203.0.113.@"])
    func `behind a trusted proxy the client's address counts, the proxy's own does not`(field: String) throws {
        let siege = try Siege {
            $0.trustProxy = [field.hasPrefix("Forwarded") ? "127.0.0.1/32=forwarded" : "127.0.0.1/32"]
            $0.limits.connectionsPerAddressMax = 20
        }
        let through = { (host: Int) in
            let client = siege.box.connect()
            let forwarded = field.replacing("@", with: "\(host)")
            client.post(
                "GET /healthz HTTP/1.1\r\nHost: box.local\r\n\(forwarded)\r\nX-Forwarded-Proto: https\r\n\r\n")
            return client
        }
        let one = (0..<25).map { _ in through(1) }
        let many = (0..<60).map { through(100 + $0) }
        try siege.endure(seconds: 1)
        let told = try one.flatMap { try $0.responses() }.map(\.status)
        #expect(told.count { $0 == 429 } == 5)
        let welcome = try many.flatMap { try $0.responses() }.map(\.status)
        #expect(welcome == [Int](repeating: 200, count: 60))
        #expect(siege.hits("connections_per_address") == 5)
        // From anybody else the same words are only words.
        let liars = (0..<25).map { _ in
            siege.stranger(
                says: "GET /healthz HTTP/1.1\r\nHost: box.local\r\n\(field.replacing("@", with: "99"))\r\n\r\n")
        }
        try siege.box.settle()
        #expect(liars.count { $0.isOver } == 5)
        try siege.expectBystanderUnharmed()
    }
}
