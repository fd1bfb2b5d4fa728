import KinActivity
import KinCodec
import KinFamily
import KinKeeper
import KinLoop
import KinMap
import KinMeetings
import KinMembers
import KinModel
import Testing

@testable import KinActivity
@testable import KinKeeper
@testable import KinMap
@testable import KinMeetings
@testable import KinMembers
@testable import KinServer
@testable import KinServerBox
@testable import KinSimulation

/// What one client may take up, so that all the others have their share.
@Suite struct ShareTests {
    @Test(arguments: [false, true])
    func `before anybody is signed in a connection says 4 kB in all`(isWebSocket: Bool) throws {
        let box = try Box.family()
        let client = box.connect()
        if isWebSocket { _ = try client.openWebSocket() }
        // Each is small; all together are too much.
        for _ in 0..<30 where !client.isOver {
            client.postCall("family.show", ["pad": .string(String(repeating: "x", count: 200))])
            try box.settle()
        }
        let said = try client.messages()
        #expect((10...20).contains(said.count { $0["error"]?["code"] != nil }), "\(said.count)")
        #expect(client.isOver)
        #expect(box.server.counters.limitsHit[isWebSocket ? "message_bytes" : "line_bytes"] == 1)
        // One too long by itself.
        let long = box.connect()
        if isWebSocket { _ = try long.openWebSocket() }
        long.postCall("family.show", ["pad": .string(String(repeating: "x", count: 5000))])
        try box.settle()
        #expect(long.isOver)
        // Whoever signs in speaks freely.
        let ben = box.connect()
        if isWebSocket { _ = try ben.openWebSocket() }
        _ = try ben.result("session.resume", ["token": .string(try box.person("ben").token)])
        for _ in 0..<30 {
            #expect(try ben.refusal("family.show", ["pad": .string(String(repeating: "x", count: 5000))]) == -32602)
        }
        #expect(!ben.isOver)
    }

    @Test func `bodies together are at most so many bytes, then 503, and room comes back`() throws {
        var setting = Box.Setting()
        setting.limits.bodiesBytesMax = 10_000
        let box = try Box.family(setting)
        #expect(ServerLimits().bodiesBytesMax == 96 << 20)
        let head = "POST /api/session HTTP/1.1\r\nHost: box.local\r\nContent-Length: 8000\r\n\r\n"
        let first = box.connect()
        try first.send(head + String(repeating: " ", count: 7000))
        let second = box.connect()
        try second.send(head + String(repeating: " ", count: 7000))
        let refused = try #require(try second.responses().first)
        #expect(refused.status == 503)
        #expect(refused["Retry-After"] != nil)
        #expect(second.isOver)
        #expect(box.server.counters.limitsHit["bodies_bytes"] == 1)
        try first.send(String(repeating: " ", count: 1000))
        #expect(try first.responses().first?.status == 400)
        let third = box.connect()
        try third.send(head + String(repeating: " ", count: 8000))
        #expect(try third.responses().first?.status == 400)
    }

    @Test(arguments: [false, true])
    func `a client that comes through a proxy counts at its own address`(isProxyProtocol: Bool) throws {
        var setting = Box.Setting(trustProxy: [isProxyProtocol ? "127.0.0.1/32=proxy" : "127.0.0.1/32"])
        setting.limits.connectionsPerAddressMax = 3
        setting.tls = PlainTextTests.tls
        let box = try Box.family(setting)
        var clients: [BoxClient] = []
        for index in 0..<5 {
            let client = box.connect()
            clients.append(client)
            if isProxyProtocol {
                try client.send("PROXY TCP4 203.0.113.9 198.51.100.1 40000 5469\r\n")
                #expect(client.isOver == (index >= 3))
            } else {
                let answer = try client.ask(
                    "GET /healthz", ["X-Forwarded-For: 203.0.113.9", "X-Forwarded-Proto: https"])
                #expect(answer.status == (index < 3 ? 200 : 429))
                #expect(client.isOver == (index >= 3))
            }
        }
        #expect(box.server.counters.limitsHit["connections_per_address"] == 2)
        // Others behind the same proxy have their own share, and one that leaves makes room.
        let other = box.connect()
        if isProxyProtocol {
            try other.send("PROXY TCP4 203.0.113.10 198.51.100.1 40000 5469\r\n")
            try other.startTLS()
        }
        #expect(
            try other.ask("GET /healthz", ["X-Forwarded-For: 203.0.113.10", "X-Forwarded-Proto: https"]).status == 200)
        clients[0].leave()
        try box.advance(seconds: 3)
        let next = box.connect()
        if isProxyProtocol {
            try next.send("PROXY TCP4 203.0.113.9 198.51.100.1 40000 5469\r\n")
            #expect(!next.isOver)
        } else {
            #expect(
                try next.ask("GET /healthz", ["X-Forwarded-For: 203.0.113.9", "X-Forwarded-Proto: https"]).status
                    == 200)
        }
    }

    @Test func `programs on this machine take nothing from their member's phones`() throws {
        var setting = Box.Setting(allowPlain: ["203.0.113.0/24"])
        setting.limits.connectionsPerMemberMax = 2
        let box = try Box.family(setting)
        var local: [BoxClient] = []
        for _ in 0..<10 { local.append(try box.line("ben")) }
        #expect(local.allSatisfy { !$0.isOver })
        var phones: [BoxClient] = []
        for _ in 0..<2 { phones.append(try box.line("ben", from: Box.remote)) }
        #expect(phones.allSatisfy { !$0.isOver })
        let third = try box.line("ben", from: Box.remote)
        #expect(try third.heard().last?["params"]?["code"] == 4003)
        for client in local { client.leave() }
        phones[0].leave()
        try box.advance(seconds: 3)
        _ = try box.line("ben", from: Box.remote)
        #expect(box.server.counters.limitsHit["connections_per_member"] == 1)
    }

    @Test func `a page under any URL of the family may act, and no other`() throws {
        let box = try Box.family()
        let body = "{\"username\":\"ben\",\"password\":\"\(Box.password)\"}"
        for (origin, status) in [
            ("https://box.local:5469", 201), ("https://box.example", 201), ("https://box.example:443", 201),
            ("https://box.example:8443", 403), ("https://other.example", 403), ("null", 403),
        ] {
            let answer = try box.connect().ask(
                "POST /api/session", ["Origin: \(origin)", "Content-Type: application/json"], body)
            #expect(answer.status == status, "\(origin)")
        }
    }

    @Test func `a picture that cannot be stored is refused alone`() throws {
        let box = try Box.family()
        let ada = try box.line("ada")
        let ben = try box.line("ben")
        box.pictureWork = .picture(Array(repeating: 7, count: 4096), face: [8])
        box.isWorkerBusy = true
        let picture = ben.postCall(
            "member.setPicture", ["member": .id(try box.person("ben").id), "picture": "AAAA"])
        try box.settle()
        box.isKeeperBusy = true
        box.isWorkerBusy = false
        let announcement = ada.postCall("activity.announce", ["text": "in the same batch"])
        try box.settle()
        // Nothing of the batch is written before its commit but the picture's file.
        box.failNextWrite()
        box.isKeeperBusy = false
        try box.settle()
        #expect(try ben.messages().first { $0["id"] == .int(picture) }?["error"]?["code"] == 1503)
        #expect(try ada.messages().first { $0["id"] == .int(announcement) }?["result"] != nil)
    }

    @Test func `the description says that a picture is a JPEG`() throws {
        let document = OpenAPI.document(.family, url: "https://box.local")
        let get = document["paths"]?["/api/members/{member}/picture/{name}"]?["get"]
        let content = get?["responses"]?["200"]?["content"]?.object
        #expect(content?.members.map(\.name) == ["image/jpeg"])
    }
}
