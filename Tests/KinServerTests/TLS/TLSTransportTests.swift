import KinCodec
import KinLoop
import KinModel
import KinTLS
import Testing

@testable import KinServer
@testable import KinServerBox
@testable import KinSimulation

/// TLS through the whole server: resumption, a new certificate, goodbyes, and who speaks the wrong thing.
@Suite struct TLSTransportTests {
    private func family(_ change: (inout Box.Setting) -> Void = { _ in }) throws -> Box {
        var setting = Box.Setting()
        setting.tls = PlainTextTests.tls
        change(&setting)
        return try Box.family(setting)
    }

    private func secure(_ box: Box, from peer: Peer = Box.remote, ticket: [UInt8]? = nil) throws -> BoxClient {
        let client = box.connect(from: peer)
        try client.startTLS(ticket: ticket)
        return client
    }

    @Test func `a ticket shortens the next handshake, and the third`() throws {
        let box = try family()
        var ticket: [UInt8]?
        for round in 0..<3 {
            let client = try secure(box, ticket: ticket)
            #expect(try client.ask("GET /healthz").status == 200)
            #expect(client.tls?.resumed == (round > 0), "\(round)")
            ticket = try #require(client.tls?.ticket)
            client.leave()
        }
    }

    @Test func `tickets are taken for a day, and the daemon's keys change every 12 hours`() throws {
        // A context of its own: the others' are shared, keys and all.
        let own = try TLSFixture.renewed()
        let box = try family { $0.tls = own }
        func resumes(_ ticket: [UInt8]?) throws -> Bool? {
            let client = try secure(box, ticket: ticket)
            #expect(try client.ask("GET /healthz").status == 200)
            client.leave()
            return client.tls?.resumed
        }
        let client = try secure(box)
        #expect(try client.ask("GET /healthz").status == 200)
        let ticket = try #require(client.tls?.ticket)
        client.leave()
        try box.advance(seconds: 12 * 3600 - 60)
        #expect(try resumes(ticket) == true)
        try box.advance(seconds: 120)
        #expect(try resumes(ticket) == true)
        try box.advance(seconds: 12 * 3600)
        #expect(try resumes(ticket) == false)
    }

    @Test func `a new certificate drops nobody: not who follows, not who is in the middle of a handshake`() throws {
        let box = try family()
        let follower = try secure(box)
        _ = try follower.result("session.resume", ["token": .string(try box.person("ben").token)])
        _ = try follower.result("live.follow")
        let ticket = try #require(follower.tls?.ticket)
        let middle = box.connect(from: Box.remote)
        try middle.sayHello()
        box.network.travel(isWhole: true)
        // Accepted, and its hello read; the answer is not taken yet.
        for _ in 0..<2 { try box.server.turn() }
        let before = box.server.handshakes.context
        box.server.handshakes.context = try TLSFixture.renewed()
        #expect(box.server.handshakes.context !== before)
        try box.settle()
        #expect(try middle.ask("GET /healthz").status == 200)
        let ada = try box.line("ada")
        _ = try ada.result("activity.announce", ["text": "still here"])
        #expect(try follower.heardTypes() == ["activity.announced"])
        // Its ticket is the old certificate's: a whole handshake, and no failure.
        let back = try secure(box, ticket: ticket)
        #expect(try back.ask("GET /healthz").status == 200)
        #expect(back.tls?.resumed == false)
        #expect(!follower.isOver && !middle.isOver)
    }

    @Test(arguments: ["http", "idle", "silent", "lines", "webSocket", "stream", "drain"])
    func `the server says goodbye before it closes`(how: String) throws {
        let box = try family()
        let client = try secure(box)
        let bearer = "Authorization: Bearer \(try box.person("ben").token)"
        switch how {
        case "http": #expect(try client.ask("GET /healthz", ["Connection: close"]).status == 200)
        case "idle":
            try client.ask("GET /healthz")
            try box.advance(seconds: 76)
        case "silent": try box.advance(seconds: 11)
        case "lines":
            try client.send("{\n")
            try box.advance(seconds: 31)
        case "webSocket":
            _ = try client.openWebSocket([bearer])
            try client.frame(.close, [3, 232])
        case "stream":
            _ = try client.ask("GET /live", [bearer, "Accept: text/event-stream"])
            try box.line("ben").postCall("session.revoke", ["session": .id(try box.person("ben").session)])
        default:
            _ = try client.openWebSocket([bearer])
            box.network.tell(.terminate)
            try box.settle()
            // Its close frame is answered, as the server waits for that before it ends TLS.
            _ = try client.messages()
        }
        try box.settle()
        #expect(client.isOver)
        #expect(client.tlsEnd == .closed)
    }

    @Test(arguments: ["fresh", "http", "lines", "following lines", "webSocket", "stream"])
    func `a client's goodbye is answered by the server's`(how: String) throws {
        let box = try family()
        let client = try secure(box)
        let bearer = "Authorization: Bearer \(try box.person("ben").token)"
        switch how {
        case "fresh": break
        case "http": try client.ask("GET /healthz")
        case "lines": _ = try client.call("family.show")
        case "following lines":
            _ = try client.result("session.resume", ["token": .string(try box.person("ben").token)])
            _ = try client.result("live.follow")
        case "webSocket": _ = try client.openWebSocket([bearer])
        default: _ = try client.ask("GET /live", [bearer, "Accept: text/event-stream"])
        }
        try client.sayGoodbye()
        if how == "following lines" {
            // A half-closed follower still gets its events.
            _ = try box.line("ada").result("activity.announce", ["text": "to the half-closed"])
            #expect(try client.heardTypes() == ["activity.announced"])
            #expect(!client.isOver)
            box.network.tell(.terminate)
            try box.settle()
        }
        #expect(client.isOver)
        #expect(client.tlsEnd == .closed)
    }

    @Test func `what TLS carried up to a goodbye is answered whole`() throws {
        let box = try family()
        let client = try secure(box)
        client.post("GET /api/openapi.json HTTP/1.1\r\nHost: box.local\r\n\r\n")
        try client.sayGoodbye()
        let answer = try #require(try client.responses().first)
        #expect(answer.status == 200)
        #expect(answer.json != nil)
        #expect(client.tlsEnd == .closed)
    }

    @Test func `TLS where plain text is spoken gets a sentence, and so does TLS within TLS`() throws {
        let hello: [UInt8] = [0x16, 3, 1, 0, 5, 1, 0, 0, 1, 0]
        let without = try Box.family()
        let plain = without.connect()
        try plain.send(hello)
        let box = try family()
        let unix = box.connect(from: Box.machine)
        try unix.send(hello)
        let within = try secure(box)
        try within.send(hello)
        for client in [plain, unix, within] {
            let answer = try #require(try client.responses().first)
            #expect(answer.status == 400)
            #expect(answer.text.contains("TLS"))
            #expect(client.isOver)
        }
        #expect(without.notes.contains { $0.contains("TLS where plain text is expected") })
    }

    @Test func `a broken handshake ends with an alert, and a note of why`() throws {
        let box = try family()
        let client = box.connect(from: Box.remote)
        try client.send([0x16, 3, 1, 0, 4, 1, 2, 3, 4])
        let alert = client.receive()
        #expect(alert.first == 0x15, "an alert is what TLS understands")
        #expect(client.isOver)
        #expect(box.notes.contains { $0.contains("A TLS connection failed") })
    }
}
