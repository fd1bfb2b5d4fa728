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

@testable import KinServer
@testable import KinServerBox
@testable import KinSimulation

/// One address, one account, one guest cannot stop the others: in each line members and addresses take turns.
@Suite struct FairnessTests {
    private static let home = Peer.tcp(IPAddress("203.0.113.20") ?? .anyV4, port: 40_000)

    /// Somebody who tries made-up names, faster than they can be looked at.
    private func flood(_ box: Box, from peer: Peer, _ count: Int) {
        for index in 0..<count {
            box.connect(from: peer).postCall(
                "session.open", ["username": .string("nobody\(index)"), "password": "heron-lantern-quilt-42"])
        }
    }

    private static let signIn: JSON = ["username": "ada", "password": .string(Box.password), "device": "new"]

    @Test func `a flood of sign-ins with made-up names only refuses itself`() throws {
        let box = try Box.family(Box.Setting(allowPlain: ["0.0.0.0/0"]))
        box.isWorkerBusy = true
        flood(box, from: Self.home, 66)
        try box.settle()
        let ada = box.connect(from: .tcp(IPAddress("198.51.100.9") ?? .anyV4, port: 1))
        let id = ada.postCall("session.open", Self.signIn)
        try box.settle()
        box.isWorkerBusy = false
        try box.settle()
        let answer = try #require(try ada.messages().first { $0["id"] == .int(id) })
        #expect(answer["result"]?["token"] != nil, "\(answer.text)")
    }

    @Test func `a known device signs in although somebody at the same address tries made-up names all the time`() throws
    {
        let box = try Box.family(Box.Setting(allowPlain: ["0.0.0.0/0"]))
        let first = try box.connect(from: Self.home).result("session.open", Self.signIn)
        var params = Self.signIn.object ?? [:]
        params["knownDevice"] = first["knownDevice"] ?? "none was given"
        box.isWorkerBusy = true
        flood(box, from: Self.home, 66)
        try box.settle()
        let ada = box.connect(from: Self.home)
        let id = ada.postCall("session.open", .object(params))
        try box.settle()
        flood(box, from: Self.home, 66)
        try box.settle()
        box.isWorkerBusy = false
        try box.settle()
        let answer = try #require(try ada.messages().first { $0["id"] == .int(id) })
        #expect(answer["result"]?["token"] != nil, "\(answer.text)")
    }

    @Test func `sixty-four connections of one guest leave the keeper's next turn to others`() throws {
        let box = try Box.family()
        let guest = try (0..<64).map { _ in try box.line("gil") }
        let ada = try box.line("ada")
        box.isKeeperBusy = true
        for client in guest { for _ in 0..<32 { client.postCall("family.show") } }
        try box.settle()
        ada.postCall("family.show")
        try box.settle()
        var turns: [[Ticket]] = []
        box.fault = { turns.append($0.replies.map(\.ticket)) }
        box.isKeeperBusy = false
        try box.settle()
        let first = try #require(turns.first)
        #expect(first.contains { $0.connection == box.server.connection(ada.token)?.key })
        #expect(first.count <= 64, "\(first.count)")
        // All are answered, those of each connection in their order.
        let answers = try guest.map { try $0.messages().map { $0["id"]?.int ?? 0 } }
        #expect(answers.allSatisfy { $0.count == 32 && $0 == $0.sorted() })
    }

    @Test func `one guest's connections put on their way what a turn takes of one party, and the rest later`() throws {
        var setting = Box.Setting()
        setting.limits.requestsPerPartyAndTurn = ServerLimits().requestsPerPartyAndTurn
        let box = try Box.family(setting)
        let guest = try (0..<8).map { _ in try box.line("gil") }
        let ada = try box.line("ada")
        for client in guest { for _ in 0..<32 { client.postCall("family.show") } }
        ada.postCall("family.show")
        var before = 0
        var perTurn: [Int] = []
        var isAdaIn: [Bool] = []
        box.afterTurn = {
            perTurn.append(box.server.requestsInFlight - before)
            before = box.server.requestsInFlight
            isAdaIn.append(box.server.connection(ada.token).map { !$0.answers.isEmpty } ?? false)
        }
        try box.settle()
        box.afterTurn = nil
        // A share, at most one more from each connection, which waits, and what Ada asks.
        let most = ServerLimits().requestsPerPartyAndTurn
        #expect(perTurn.allSatisfy { $0 <= most + 8 + 1 }, "\(perTurn)")
        #expect(perTurn.contains { $0 > 0 && $0 < 8 * 32 })
        let first = try #require(perTurn.firstIndex { $0 > 0 })
        #expect(isAdaIn[first])
        box.isKeeperBusy = false
        try box.settle()
        #expect(try ada.messages().count == 1)
        let answers = try guest.map { try $0.messages().map { $0["id"]?.int ?? 0 } }
        #expect(answers.allSatisfy { $0.count == 32 && $0 == $0.sorted() })
    }

    @Test func `who waits for a share is not looked at again and again meanwhile`() throws {
        var setting = Box.Setting()
        setting.limits.requestsPerPartyAndTurn = 2
        let box = try Box.family(setting)
        let (gil, ada) = (try box.line("gil"), try box.line("ada"))
        ada.postCall("family.show")
        try box.settle()
        func turn() throws {
            box.network.travel(isWhole: true)
            try box.server.turn()
            box.keeperTurn()
        }
        for _ in 0..<4 { gil.postCall("family.show") }
        try turn()
        let connection = try #require(box.server.connection(gil.token))
        #expect(connection.life.waitsForTurn)
        for _ in 0..<4 { gil.postCall("family.show") }
        try turn()
        // The kernel would say in each turn that there is something to read.
        #expect(connection.life.waitsForTurn && !connection.life.isRead)
        try box.settle()
        #expect(!connection.life.waitsForTurn && connection.life.isRead)
        #expect(try gil.messages().count == 8)
    }

    @Test func `a turn takes one share of long lists, and what others ask beside it`() {
        func request(_ number: UInt64, of member: UInt64, goesOn: Bool) -> Request {
            var request = Request(
                ticket: Ticket(connection: member, sequence: number), credential: .none, method: "position.report",
                params: [:], member: Identifier(high: 0, low: member))
            if goesOn { request.work = .rest(after: 16) }
            return request
        }
        var line = KeeperLine()
        for number in 1...3 { line.put(request(UInt64(number), of: 1, goesOn: true)) }
        line.put(request(4, of: 2, goesOn: false))
        var turns: [[UInt64]] = []
        while !line.isEmpty {
            line.beginTurn()
            var turn: [UInt64] = []
            while let request = line.next() { turn.append(request.ticket.sequence) }
            turns.append(turn)
        }
        #expect(turns == [[1, 4], [2], [3]])
    }

    @Test func `a guest with many requests under way does not use up the room that all have`() throws {
        var setting = Box.Setting()
        setting.limits.requestsMax = 64
        let box = try Box.family(setting)
        let guest = try (0..<4).map { _ in try box.line("gil") }
        let ada = try box.line("ada")
        box.isKeeperBusy = true
        for client in guest { for _ in 0..<32 { client.postCall("family.show") } }
        try box.settle()
        for _ in 0..<8 { ada.postCall("family.show") }
        try box.settle()
        box.isKeeperBusy = false
        try box.settle()
        let answers = try ada.messages()
        #expect(answers.count == 8 && answers.allSatisfy { $0["result"] != nil })
    }

    @Test func `pictures that wait hold no sign-in up, and only their own member's are refused`() throws {
        let box = try Box.family(Box.Setting(allowPlain: ["0.0.0.0/0"]))
        box.isPainterBusy = true
        let guest = try (0..<24).map { _ in try box.line("gil") }
        let picture: JSON = ["member": .id(try box.person("gil").id), "picture": "AAAA"]
        for client in guest { client.postCall("member.setPicture", picture) }
        try box.settle()
        #expect(box.server.workers.picturesWaiting == 17)
        _ = try box.connect(from: Self.home).result("session.open", Self.signIn)
        let ben = try box.line("ben")
        let id = ben.postCall("member.setPicture", ["member": .id(try box.person("ben").id), "picture": "AAAA"])
        try box.settle()
        box.isPainterBusy = false
        try box.settle()
        #expect(try ben.messages().contains { $0["id"] == .int(id) && $0["result"] != nil })
        let answers = try guest.flatMap { try $0.messages() }.filter { $0["id"] != nil }
        #expect(answers.count { $0["error"]?["code"]?.int == 1429 } == 8)
        #expect(answers.count { $0["result"] != nil } == 16)
        #expect(box.server.workers.picturesWaiting == 0 && box.server.requestsInFlight == 0)
    }

    @Test func `what nobody had time to look at is no failed try`() throws {
        let box = try Box.family(Box.Setting(allowPlain: ["0.0.0.0/0"]))
        box.isWorkerBusy = true
        flood(box, from: Self.home, 20)
        try box.settle()
        box.isWorkerBusy = false
        try box.settle()
        #expect(box.server.counters.limitsHit["passwords"] == 2)
        // Twenty of one address are free, and eighteen of those were looked at.
        var params = Self.signIn.object ?? [:]
        params["password"] = "wrong"
        let codes = try (0..<3).map { _ in
            try box.connect(from: Self.home).refusal("session.open", .object(params))
        }
        #expect(codes == [1401, 1401, 1429])
    }

    @Test func `a browser is known by a cookie that no page can read, and that opens nothing`() throws {
        let box = try Box.family()
        let body = "{\"username\":\"ada\",\"password\":\"\(Box.password)\"}"
        let headers = ["Origin: https://box.local", "Content-Type: application/json", "Host: box.local"]
        let answer = try box.connect().ask("POST /api/session", headers, body)
        let cookies = answer.head.headers.values("Set-Cookie")
        let device = try #require(cookies.first { $0.hasPrefix("kinwire-device=") })
        #expect(
            device.contains("Max-Age=31536000") && device.contains("HttpOnly") && device.contains("SameSite=Strict"))
        let pair = try #require(device.split(separator: ";").first)
        #expect(try box.connect().ask("GET /api/members", ["Cookie: \(pair)"]).status == 401)
        // Somebody at the same address has tried until nobody is let in there any more.
        for _ in 0..<6 {
            _ = try box.connect().ask(
                "POST /api/session", headers, "{\"username\":\"ada\",\"password\":\"wrong\"}")
        }
        #expect(try box.connect().ask("POST /api/session", headers, body).status == 429)
        let again = try box.connect().ask("POST /api/session", headers + ["Cookie: \(pair)"], body)
        #expect(again.status == 201)
        let next = again.head.headers.values("Set-Cookie").first { $0.hasPrefix("kinwire-device=") }
        #expect(next != nil && next != device)
        // A cookie of nobody's making does not stand in the way.
        try box.advance(seconds: 900)
        let odd = try box.connect().ask("POST /api/session", headers + ["Cookie: kinwire-device=%%%%"], body)
        #expect(odd.status == 201)
    }
}
