import KinCodec
import KinLoop
import KinModel
import Testing

@testable import KinServer
@testable import KinServerBox
@testable import KinSimulation

/// Every limit of the server by name: reaching it is an answer or an end, never growth.
@Suite struct LimitTests {
    @Test func `a connection that says nothing ends after 10 s`() throws {
        let box = try Box.family()
        let client = box.connect()
        try box.settle()
        try box.advance(seconds: 9)
        #expect(!client.isOver)
        try box.advance(seconds: 2)
        #expect(client.isOver)
    }

    @Test func `a head has 10 s, also the second one on a kept connection`() throws {
        let box = try Box.family()
        for isSecond in [false, true] {
            let client = box.connect()
            if isSecond {
                try client.ask("GET /healthz")
                try box.advance(seconds: 60)
                #expect(!client.isOver)
            }
            try client.send("GET /healthz HTTP/1.1\r\nHo")
            try box.advance(seconds: 9)
            #expect(!client.isOver)
            try box.advance(seconds: 2)
            #expect(try client.responses().first?.status == 408, "\(isSecond)")
            #expect(client.isOver)
        }
        #expect(box.server.counters.limitsHit["slow_request"] == 2)
    }

    @Test func `a body has 60 s and an idle connection 75`() throws {
        let box = try Box.family()
        let slow = box.connect()
        try slow.send("POST /api/session HTTP/1.1\r\nHost: box.local\r\nContent-Length: 10\r\n\r\n{")
        try box.advance(seconds: 59)
        #expect(!slow.isOver)
        try box.advance(seconds: 2)
        #expect(try slow.responses().first?.status == 408)
        #expect(slow.isOver)
        let idle = box.connect()
        try idle.ask("GET /healthz")
        try box.advance(seconds: 74)
        #expect(!idle.isOver)
        try box.advance(seconds: 2)
        #expect(idle.isOver)
    }

    @Test func `whoever does not sign in within 30 s is sent away`() throws {
        let box = try Box.family()
        let line = box.connect()
        #expect(try line.refusal("family.show") == 1401)
        let socket = box.connect()
        _ = try socket.openWebSocket()
        let machine = box.connect(from: Box.machine)
        _ = try machine.result("family.show")
        try box.advance(seconds: 29)
        #expect(!line.isOver && !socket.isOver)
        try box.advance(seconds: 2)
        #expect(try line.heard().last?["params"]?["code"] == 4002)
        #expect(try socket.heard().last?["params"]?["code"] == 4002)
        #expect(line.isOver && socket.isOver && !machine.isOver)
    }

    @Test func `of one connection at most 32 requests wait, and all are answered`() throws {
        let box = try Box.family()
        let client = try box.line("ada")
        box.isKeeperBusy = true
        for _ in 0..<100 { client.postCall("family.show") }
        try box.settle()
        #expect(box.server.requestsInFlight == 32)
        #expect(client.receive().isEmpty)
        box.isKeeperBusy = false
        try box.settle()
        #expect(try client.messages().map { $0["id"]?.int } == (3...102).map { Int64($0) })
    }

    @Test func `in all at most so many requests wait, the next are told to come back`() throws {
        var setting = Box.Setting()
        setting.limits.requestsMax = 40
        let box = try Box.family(setting)
        let clients = try ["ada", "ada", "ben", "hal"].map { try box.line($0) }
        box.isKeeperBusy = true
        for client in clients { for _ in 0..<20 { client.postCall("family.show") } }
        try box.settle()
        // One member alone leaves a quarter of the room, the next a quarter of that.
        #expect((36...40).contains(box.server.requestsInFlight))
        box.isKeeperBusy = false
        try box.settle()
        let codes = try clients.map { try $0.messages().map { $0["error"]?["code"]?.int } }
        #expect(codes.map(\.count) == [20, 20, 20, 20])
        let refused = codes.map { $0.filter { $0 == 1429 }.count }
        #expect(refused[0] + refused[1] < 12 && refused[2] < 20)
        #expect(box.server.counters.limitsHit["requests"] == refused.reduce(0, +))
    }

    @Test func `who takes no byte for 60 s is sent away, who takes one now and then is not`() throws {
        let box = try Box.family()
        let stuck = try box.line("ben", room: 400)
        _ = try stuck.result("live.follow")
        let slow = try box.line("ben", room: 400)
        _ = try slow.result("live.follow")
        try stuck.stall(true)
        try slow.stall(true)
        let ada = try box.line("ada")
        for index in 0..<10 { _ = try ada.result("activity.announce", ["text": .string("number \(index)")]) }
        for _ in 0..<3 {
            try box.advance(seconds: 25)
            if let bytes = box.network.clientReceives(slow.token), bytes.isEmpty { try slow.stall(false) }
            try box.settle()
            try slow.stall(true)
        }
        #expect(box.server.counters.limitsHit["stuck"] == 1)
        try slow.stall(false)
        #expect(!slow.isOver)
        try stuck.stall(false)
        #expect(stuck.isOver)
    }

    @Test func `a WebSocket is pinged every 30 s and closed after 90 s of silence`() throws {
        let box = try Box.family()
        let bearer = "Authorization: Bearer \(try box.person("ben").token)"
        let silent = box.connect()
        _ = try silent.openWebSocket([bearer])
        let lively = box.connect()
        _ = try lively.openWebSocket([bearer])
        for count in 1...4 {
            try box.advance(seconds: 30)
            if count < 3 {
                _ = try silent.messages()
                #expect(silent.frames.filter { $0 == .ping([]) }.count == count)
            }
            try lively.frame(.pong, [])
        }
        #expect(silent.isOver)
        #expect(!lively.isOver)
        #expect(box.server.counters.limitsHit["silence"] == 1)
    }

    @Test func `connections are counted by address and by member, loopback excepted`() throws {
        var setting = Box.Setting(allowPlain: ["0.0.0.0/0"])
        setting.limits.connectionsPerAddressMax = 5
        setting.limits.connectionsPerMemberMax = 3
        let box = try Box.family(setting)
        let many = try (0..<6).map { _ in
            let client = box.connect(from: Box.remote)
            try box.settle()
            return client
        }
        #expect(many.map(\.isOver) == [false, false, false, false, false, true])
        for client in many { client.leave() }
        try box.settle()
        #expect(box.server.connections.perAddress.isEmpty)
        let members = try (0..<4).map { _ in
            let client = box.connect(from: Box.remote)
            client.postCall("session.resume", ["token": .string(try box.person("ben").token)])
            try box.settle()
            return client
        }
        _ = try members[3].messages()
        #expect(members[3].notifications.last?["params"]?["code"] == 4003)
        #expect(members.map(\.isOver) == [false, false, false, true])
        for client in members { client.leave() }
        try box.settle()
        #expect(box.server.connections.perMember.isEmpty)
        let local = try (0..<8).map { _ in try box.line("ben") }
        #expect(local.allSatisfy { !$0.isOver })
    }

    @Test func `passwords are judged two at once, sixteen wait, the rest come back`() throws {
        let box = try Box.family(Box.Setting(allowPlain: ["0.0.0.0/0"]))
        box.isWorkerBusy = true
        // Of so many accounts and addresses, so that nobody is slowed for failing.
        let clients = (0..<20).map { box.connect(from: .tcp(IPAddress(v4: 0xCB00_7100 + UInt32($0)), port: 1)) }
        for (index, client) in clients.enumerated() {
            client.postCall("session.open", ["username": .string("nobody\(index)"), "password": .string(Box.password)])
        }
        try box.settle()
        #expect(box.server.workers.passwordsWaiting == 18)
        box.isWorkerBusy = false
        try box.settle()
        let codes = try clients.flatMap { try $0.messages() }.map { $0["error"]?["code"]?.int }
        #expect(codes.filter { $0 == 1429 }.count == 2)
        #expect(codes.filter { $0 == 1401 }.count == 18)
        #expect(box.server.workers.passwordsWaiting == 0 && box.server.requestsInFlight == 0)
    }

    @Test func `a daemon that ends says so, answers what was asked and is done`() throws {
        let box = try Box.family()
        let line = try box.line("ben")
        _ = try line.result("live.follow")
        let socket = box.connect()
        _ = try socket.openWebSocket(["Authorization: Bearer \(try box.person("ben").token)"])
        let asking = box.connect()
        box.isKeeperBusy = true
        asking.post(
            "GET /api/family HTTP/1.1\r\nHost: box.local\r\nAuthorization: Bearer \(try box.person("ben").token)\r\n\r\n"
        )
        try box.settle()
        box.network.tell(.terminate)
        try box.settle()
        let goodbye = try #require(try line.heard().last?["params"])
        #expect(goodbye["code"] == 1012)
        #expect((1...5).contains(goodbye["retryAfter"]?.int ?? 0))
        _ = try socket.messages()
        guard case .close(code: 1012, reason: _)? = socket.frames.last else {
            Issue.record("no close frame")
            return
        }
        #expect(line.isOver && socket.isOver)
        box.isKeeperBusy = false
        try box.settle()
        let answer = try #require(try asking.responses().first)
        #expect(answer.status == 200 && answer["Connection"] == "close")
        let late = box.connect()
        try box.settle()
        #expect(late.receive().isEmpty)
        for client in [line, socket, asking, late] { client.leave() }
        try box.settle()
        try box.advance(seconds: 6)
        #expect(box.server.isFinished)
    }

    @Test func `following connections are bounded in what is ready for them`() throws {
        var setting = Box.Setting()
        setting.limits.outBytesMax = 2000
        let box = try Box.family(setting)
        let ben = try box.line("ben", room: 500)
        _ = try ben.result("live.follow")
        try ben.stall(true)
        let ada = try box.line("ada")
        for index in 0..<200 { _ = try ada.result("activity.announce", ["text": .string("number \(index)")]) }
        let held = box.server.connections.open.map(\.pendingBytes).max() ?? 0
        #expect(held < 4000)
        try ben.stall(false)
        #expect(try ben.heard().count == 200)
    }
}
