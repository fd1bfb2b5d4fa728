import KinCodec
import KinLoop
import KinModel
import Testing

@testable import KinServer
@testable import KinServerBox
@testable import KinSimulation

/// Peers that take their time. Each test: the limit by its name, the most bytes held, and a bystander's whole stream.
@Suite struct SlowPeerTests {
    @Test func `slow senders of headers have 10 s, however many bytes they drip`() throws {
        let siege = try Siege()
        let slow = (0..<40).map { _ in siege.stranger(says: "GET /healthz HTTP/1.1\r\nHost: box.local\r\nX: ") }
        try siege.endure(seconds: 12) { _ in for client in slow where !client.isOver { client.post("y") } }
        for client in slow {
            #expect(try client.responses().map(\.status) == [408])
            #expect(client.isOver)
        }
        #expect(siege.hits("slow_request") == 40)
        #expect(siege.peakBytes < 40 * 2048)
        try siege.expectBystanderUnharmed()
    }

    @Test func `slow senders of bodies have 60 s, and what came of a body is let go with them`() throws {
        let siege = try Siege()
        let head = "POST /api/session HTTP/1.1\r\nHost: box.local\r\nContent-Length: 100000\r\n\r\n"
        let slow = (0..<20).map { _ in siege.stranger(says: head + String(repeating: "a", count: 1000)) }
        try siege.endure(seconds: 62) { _ in for client in slow where !client.isOver { client.post("y") } }
        for client in slow { #expect(try client.responses().map(\.status) == [408]) }
        #expect(siege.hits("slow_request") == 20)
        #expect(siege.peakBytes < 20 * 4096)
        #expect(siege.box.server.hall.bodyRoom.bytes == 0)
        try siege.expectBystanderUnharmed()
    }

    @Test func `slow senders of frames and lines have 60 s for a message, however it is cut`() throws {
        let siege = try Siege()
        let frame = try siege.hal()
        frame.post([0x81, 0xFE, 0x10, 0x00, 1, 2, 3, 4])
        let fragments = try siege.hal()
        fragments.post([0x01, 0x81, 0, 0, 0, 0, 0x61])
        let line = siege.stranger()
        _ = try line.result("session.resume", ["token": .string(try siege.box.person("hal").token)])
        line.post("{\"jsonrpc\":")
        let lively = try siege.hal()
        try siege.endure(seconds: 62) { second in
            if !frame.isOver { frame.post([0x60]) }
            if !fragments.isOver { fragments.post([0x00, 0x81, 0, 0, 0, 0, 0x61]) }
            if !line.isOver { line.post(" ") }
            if second % 20 == 0 { try lively.frame(.pong, []) }
        }
        #expect(frame.isOver && fragments.isOver && line.isOver)
        #expect(!lively.isOver)
        #expect(try line.heard().last?["params"]?["code"] == 1008)
        #expect(siege.hits("slow_message") == 3)
        #expect(siege.peakBytes < 32 << 10)
        try siege.expectBystanderUnharmed()
    }

    @Test func `pings within a message win it no time`() throws {
        let siege = try Siege()
        let pinging = try siege.hal()
        pinging.post([0x01, 0x81, 0, 0, 0, 0, 0x61])
        let ping: [UInt8] = [0x89, 0x81, 0, 0, 0, 0, 0x61]
        try siege.endure(seconds: 62) { _ in if !pinging.isOver { pinging.post(ping) } }
        #expect(pinging.isOver)
        #expect(siege.hits("slow_message") == 1)
        try siege.expectBystanderUnharmed()
    }

    @Test(arguments: ["WebSocket", "line"])
    func `the next message has its own time, also where it begins with the end of the last`(transport: String) throws {
        let siege = try Siege()
        let json = Array("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"family.show\"}".utf8)
        let client: BoxClient
        var bytes: [UInt8] = []
        if transport == "WebSocket" {
            client = try siege.hal()
            WebSocketFrame.write(.text, json, mask: 0x1234_5678, to: &bytes)
        } else {
            client = siege.stranger()
            _ = try client.result("session.resume", ["token": .string(try siege.box.person("hal").token)])
            bytes = json + [0x0A]
        }
        client.post(Array(bytes.prefix(20)))
        try siege.endure(seconds: 150) { second in
            if second % 30 == 29 { client.post(Array(bytes.dropFirst(20) + bytes.prefix(20))) }
        }
        #expect(!client.isOver)
        #expect(siege.hits("slow_message") == 0)
        try siege.expectBystanderUnharmed()
    }

    @Test func `a slow sender of a TLS hello has 10 s`() throws {
        let siege = try Siege()
        let slow = (0..<20).map { _ in siege.stranger() }
        for client in slow { client.post([0x16, 3, 1, 2, 0]) }
        try siege.endure(seconds: 12) { _ in for client in slow where !client.isOver { client.post([1]) } }
        #expect(slow.allSatisfy { $0.isOver })
        #expect(siege.hits("handshake") == 20)
        try siege.expectBystanderUnharmed()
    }

    @Test func `slow readers are kept as long as they take a byte a minute, and cost their share`() throws {
        let siege = try Siege { $0.limits.outBytesMax = 4 << 10 }
        let slow = try (0..<10).map { _ in
            let client = siege.box.connect(from: Box.remote, room: 500)
            _ = try client.result("session.resume", ["token": .string(try siege.box.person("hal").token)])
            _ = try client.result("live.follow")
            _ = try client.messages()
            try client.stall(true)
            return client
        }
        for _ in 0..<30 { try siege.announce(bytes: 200) }
        try siege.endure(seconds: 120) { second in
            guard second % 40 == 39 else { return }
            for client in slow { try client.stall(false) }
            for client in slow { try client.stall(true) }
        }
        #expect(siege.hits("stuck") == 0)
        #expect(slow.allSatisfy { !$0.isOver })
        // The feed, and what is ready for each.
        #expect(siege.peakBytes < 48 * 700 + 10 * (2 * 4096 + 2000))
        for client in slow { try client.stall(false) }
        for client in slow {
            let events = try client.heard().filter { $0["method"] == "event" }
            #expect(events.count >= 30)
        }
        try siege.expectBystanderUnharmed()
    }

    @Test func `half-open WebSockets are found by their silence`() throws {
        let siege = try Siege()
        let gone = try (0..<10).map { _ in try siege.hal() }
        for client in gone { try client.stall(true) }
        try siege.endure(seconds: 92)
        #expect(siege.hits("silence") == 10)
        #expect(siege.box.server.connections.count == 2)
        try siege.expectBystanderUnharmed()
    }

    @Test func `thousands of idle connections hold no byte, and end after 75 s`() throws {
        let siege = try Siege()
        let look = siege.box.afterTurn
        siege.box.afterTurn = nil
        let count = 2000
        for number in 0..<count {
            // From many addresses, or the first one's limit would do the work.
            _ = siege.stranger(UInt32(number % 40), says: "GET /healthz HTTP/1.1\r\nHost: box.local\r\n\r\n")
        }
        try siege.box.settle()
        look?()
        #expect(siege.box.server.connections.count == count + 2)
        #expect(siege.peakBytes == 0)
        try siege.announce()
        try siege.box.advance(seconds: 76)
        #expect(siege.hits("idle") == count)
        try siege.box.advance(seconds: 3)
        #expect(siege.box.server.connections.count == 2)
        #expect(siege.box.server.momentsPlanned <= 4)
        try siege.expectBystanderUnharmed()
    }

    @Test func `who never reads while events pour in holds its bound, is sent away after 60 s and comes back whole`()
        throws
    {
        let siege = try Siege {
            $0.limits.outBytesMax = 8 << 10
            $0.limits.feedBytes = 32 << 10
        }
        let glutton = siege.box.connect(from: Box.remote, room: 2000)
        let token: JSON = ["token": .string(try siege.box.person("hal").token)]
        _ = try glutton.result("session.resume", token)
        var cursor = try #require(try glutton.result("live.follow")["cursor"])
        try glutton.stall(true)
        for _ in 0..<300 { try siege.announce(bytes: 300) }
        #expect(siege.peakBytes < (32 << 10) + 2 * (8 << 10) + (4 << 10))
        try siege.endure(seconds: 65)
        #expect(siege.hits("stuck") == 1)
        try glutton.stall(false)
        #expect(glutton.isOver)
        var texts: [String] = []
        func take(_ messages: [JSON]) {
            for message in messages where message["method"] == "event" {
                texts.append(message["params"]?["data"]?["text"]?.string ?? "")
                cursor = message["params"]?["cursor"] ?? cursor
            }
        }
        // The last line may have been cut off in its midst.
        let lines = glutton.receive().split(separator: 0x0A, omittingEmptySubsequences: false).dropLast()
        take(try lines.map { try JSON.parse(Array($0)) })
        let stalled = texts.count
        #expect(stalled < 100)
        let back = siege.box.connect(from: Box.remote)
        _ = try back.result("session.resume", token)
        #expect(try back.result("live.follow", ["since": cursor])["mode"] == "replay")
        try siege.box.settle()
        take(try back.heard())
        #expect(texts.map { Int($0.split(separator: " ")[1]) } == Array(0..<texts.count))
        #expect(texts.count >= 300)
        #expect(siege.box.server.counters.logReads > 0, "from the log, for the feed is long past")
        try siege.expectBystanderUnharmed()
    }
}
