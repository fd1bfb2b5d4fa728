import KinCodec
import KinLoop
import KinModel
import Testing

@testable import KinServer
@testable import KinServerBox
@testable import KinSimulation

/// Connections that break, and clients that go, in the middle of whatever they were in.
@Suite struct ResetTests {
    static let states = [
        "accepted", "TLS hello", "TLS", "head", "body", "question", "password", "idle", "upgrade", "frame", "message",
        "line", "signing in", "opening", "following", "following WebSocket", "replay", "blocked", "stream", "refused",
        "goodbye",
    ]

    @Test(arguments: states, [true, false])
    func `whatever it was in the middle of, nothing is left of it`(state: String, isRude: Bool) throws {
        let siege = try Siege {
            $0.limits.outBytesMax = 2000
            $0.limits.feedBytes = 4000
        }
        let box = siege.box
        let before = (box.server.connections.count, box.server.momentsPlanned, box.server.fanOut.followers.count)
        var clients: [BoxClient] = []
        for _ in 0..<3 {
            rest(box)
            clients.append(try bring(siege, to: state))
            clients.last?.leave(isRude: isRude)
        }
        rest(box)
        try siege.announce()
        try box.settle()
        // Who follows and says no more still gets its events; that nobody takes them, the kernel tells by a reset.
        if ["opening", "following", "replay"].contains(state), !isRude {
            #expect(box.server.fanOut.followers.count == before.2 + 3)
            for client in clients { client.leave(isRude: true) }
            try siege.announce()
        }
        // Who closes politely is given a moment for the rest, and who blocks a minute.
        for _ in 0..<70 where box.server.connections.count > before.0 { try box.advance(seconds: 1) }
        #expect(box.server.connections.count == before.0)
        #expect(box.server.momentsPlanned <= before.1 + 1, "one may be the log's own, for its sum")
        #expect(box.server.fanOut.followers.count == before.2)
        #expect(box.server.connections.perAddress.isEmpty && box.server.connections.perMember.isEmpty)
        #expect(box.server.requestsInFlight == 0 && box.server.workers.passwordsWaiting == 0)
        #expect(box.server.hall.bodyRoom.bytes == 0 && box.server.fanOut.reads.underWay == 0)
        #expect(box.server.handshakes.isEmpty)
        try siege.expectBystanderUnharmed()
    }

    /// While it is not read from nobody would notice, and the kernel says it at every turn.
    @Test(arguments: ["following", "question", "password"])
    func `whoever resets while nothing is read from it is let go at once`(state: String) throws {
        let siege = try Siege()
        let box = siege.box
        let before = box.server.connections.count
        let client = try bring(siege, to: state)
        if state == "following" {
            box.network.clientLeaves(client.token, isRude: false)
            try box.settle()
        }
        #expect(box.server.connections.count == before + 1)
        client.leave(isRude: true)
        try box.settle()
        #expect(box.server.connections.count == before)
        rest(box)
        try siege.announce()
        try siege.expectBystanderUnharmed()
        #expect(box.server.requestsInFlight == 0 && box.server.workers.passwordsWaiting == 0)
    }

    private func rest(_ box: Box) {
        box.isKeeperBusy = false
        box.isReaderBusy = false
        box.isWorkerBusy = false
    }

    private func bring(_ siege: Siege, to state: String) throws -> BoxClient {
        let box = siege.box
        let client = box.connect(from: Box.remote, room: state == "blocked" ? 300 : 1 << 20)
        let token = try box.person("hal").token
        let bearer = "Authorization: Bearer \(token)"
        let head = { (line: String, more: [String]) in
            ([line + " HTTP/1.1", "Host: box.local", bearer] + more).joined(separator: "\r\n") + "\r\n\r\n"
        }
        switch state {
        case "accepted": break
        case "TLS hello":
            try client.sayHello()
            box.network.travel(isWhole: true)
            for _ in 0..<2 { try box.server.turn() }
            return client
        case "TLS": try client.startTLS()
        case "head": client.post("GET /api/family HTTP/1.1\r\nHost: bo")
        case "body": client.post(head("POST /api/activity/announcements", ["Content-Length: 5000"]) + "{\"text\":")
        case "question":
            box.isKeeperBusy = true
            client.post(head("GET /api/family", []) + head("GET /api/members", []))
        case "password":
            box.isWorkerBusy = true
            client.postCall("session.open", ["username": "nobody", "password": "wrong-but-long-enough"])
        case "idle": try client.ask("GET /healthz")
        case "upgrade":
            box.isKeeperBusy = true
            client.post(
                head(
                    "GET /live",
                    [
                        "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
                        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
                    ]))
        case "frame":
            _ = try client.openWebSocket([bearer])
            client.post([0x81, 0xFE, 0x10])
        case "message":
            _ = try client.openWebSocket([bearer])
            client.post([0x01, 0x81, 0, 0, 0, 0, 0x61])
        case "line": client.post("{\"jsonrpc\":")
        case "signing in":
            box.isKeeperBusy = true
            client.postCall("session.resume", ["token": .string(token)])
        case "opening":
            _ = try client.result("session.resume", ["token": .string(token)])
            box.isReaderBusy = true
            client.postCall("live.follow")
        case "following", "blocked":
            _ = try client.result("session.resume", ["token": .string(token)])
            _ = try client.result("live.follow")
            guard state == "blocked" else { break }
            try client.stall(true)
            for _ in 0..<20 { try siege.announce(bytes: 300) }
        case "following WebSocket":
            _ = try client.openWebSocket([bearer])
            _ = try client.result("live.follow")
        case "replay":
            _ = try client.result("session.resume", ["token": .string(token)])
            let cursor = try #require(try client.result("live.follow")["cursor"])
            _ = try client.result("live.unfollow")
            for _ in 0..<20 { try siege.announce(bytes: 300) }
            box.isReaderBusy = true
            client.postCall("live.follow", ["since": cursor])
        case "stream": _ = try client.ask("GET /live", [bearer, "Accept: text/event-stream"])
        case "refused": client.post("GET / HTTP/9.9\r\n\r\n")
        default:
            _ = try client.openWebSocket([bearer])
            client.post([0x88, 0x80, 0, 0, 0, 0])
            box.network.travel(isWhole: true)
            try box.server.turn()
            return client
        }
        try box.settle()
        return client
    }
}
