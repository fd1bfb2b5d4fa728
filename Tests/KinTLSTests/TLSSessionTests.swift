import Glibc
import KinTLS
import Testing

/// The authority's certificates are good now: the verifier asks the real clock.
private let realNow = Int64(time(nil)) * 1000

@Suite struct `TLS sessions` {
    let folder = TemporaryFolder()
    let authority: LocalAuthority
    let server: TLSContext
    let client: TLSContext

    init() throws {
        authority = try .test(folder, now: realNow)
        server = try authority.context
        client = try TLSContext(clientTrusting: .pinned(authority.pin))
    }

    private func trusting(_ names: String = "root.crt") throws -> TLSContext {
        try TLSContext(clientTrusting: .file(folder.path + "/" + names))
    }

    @Test(arguments: [1, 2, 3, 5, 7, 100, 1000, Int.max])
    func `carry bytes both ways however the wire cuts them`(piece: Int) throws {
        var talk = Conversation(
            try TLSSession(client: try trusting(), host: "kin.example"), try TLSSession(server: server), piece: piece)
        #expect(talk.client.write("early") == .needsMore)
        talk.settle()
        #expect(talk.client.isHandshakeComplete && talk.server.isHandshakeComplete)
        #expect(talk.client.version == "TLSv1.3" && talk.server.version == "TLSv1.3")
        #expect(talk.client.alpn == "http/1.1" && talk.server.alpn == "http/1.1")
        #expect(talk.server.serverName == "kin.example")
        #expect(talk.client.write("GET / HTTP/1.1\r\n\r\n") == .bytes(18))
        let large = (0..<50_000).map { UInt8(truncatingIfNeeded: $0 &* 7 >> 3) }
        #expect(talk.server.write(large) == .bytes(50_000))
        talk.settle()
        #expect(talk.atServer == Array("GET / HTTP/1.1\r\n\r\n".utf8))
        #expect(talk.atClient == large)
        #expect(talk.clientEnd == nil && talk.serverEnd == nil)
    }

    @Test func `say goodbye, and tell a goodbye from nothing`() throws {
        var talk = Conversation(try TLSSession(client: client, host: "x"), try TLSSession(server: server))
        talk.settle()
        _ = talk.server.write("last words")
        talk.server.close()
        talk.server.close()
        #expect(talk.server.write("more") == .closed)
        talk.settle()
        #expect(talk.atClient == Array("last words".utf8))
        #expect(talk.clientEnd == .closed)
        #expect(talk.client.write("still heard") == .bytes(11))
        talk.client.close()
        talk.settle()
        #expect(talk.atServer == Array("still heard".utf8))
        #expect(talk.serverEnd == .closed)
    }

    @Test func `check the host's name against the certificate`() throws {
        for (host, isGood) in [
            ("kin.example", true), ("KIN.example", true), ("kin.local", true), ("192.168.1.7", true),
            ("localhost", true),
            ("192.168.1.8", false), ("other.example", false), ("sub.kin.example", false), ("[::1]", false),
        ] {
            var talk = Conversation(try TLSSession(client: try trusting(), host: host), try TLSSession(server: server))
            talk.settle()
            #expect(talk.client.isHandshakeComplete == isGood, "\(host)")
            guard !isGood, case .failed(let sentence) = talk.clientEnd else { continue }
            #expect(sentence.contains("mismatch"), "\(sentence)")
            #expect(talk.serverEnd != nil, "the alert reaches the server")
        }
        #expect(throws: TLSFailure.self) { try TLSSession(client: try trusting(), host: "not a host") }
    }

    @Test func `with a pin need no name, and refuse another family`() throws {
        var talk = Conversation(try TLSSession(client: client, host: "203.0.113.9"), try TLSSession(server: server))
        talk.settle()
        #expect(talk.client.isHandshakeComplete)

        let other = TemporaryFolder()
        let stranger = try LocalAuthority.test(other, now: realNow).context
        var refused = Conversation(
            try TLSSession(client: client, host: "kin.example"), try TLSSession(server: stranger))
        refused.settle()
        #expect(!refused.client.isHandshakeComplete)
        guard case .failed(let sentence) = refused.clientEnd else {
            Issue.record("\(String(describing: refused.clientEnd))")
            return
        }
        #expect(sentence.contains("pinned root"))
    }

    @Test func `with a pin refuse a chain that only carries the pinned root along`() throws {
        let other = TemporaryFolder()
        let stranger = try LocalAuthority.test(other, now: realNow)
        // The stranger's own chain, and the public root of the family behind it.
        let chain = stranger.chainPEM + authority.rootPEM
        let server = try TLSContext(serverChainPEM: chain, keyPEM: stranger.keyPEM)
        var talk = Conversation(try TLSSession(client: client, host: "kin.example"), try TLSSession(server: server))
        talk.settle()
        #expect(!talk.client.isHandshakeComplete)
        #expect(talk.clientEnd != nil)
    }

    @Test func `don't trust the authority without being told`() throws {
        let system = try TLSContext(clientTrusting: .system)
        var talk = Conversation(try TLSSession(client: system, host: "kin.example"), try TLSSession(server: server))
        talk.settle()
        #expect(!talk.client.isHandshakeComplete)
        guard case .failed(let client) = talk.clientEnd, case .failed(let server) = talk.serverEnd else {
            Issue.record("both sides fail")
            return
        }
        #expect(client.contains("not trusted"))
        #expect(server.contains("does not trust"))
        #expect(throws: TLSFailure.self) { try TLSContext(clientTrusting: .file("/nonexistent.pem")) }
    }

    @Test func `are resumed with a ticket`() throws {
        var first = Conversation(try TLSSession(client: client, host: "kin.example"), try TLSSession(server: server))
        first.settle()
        #expect(!first.client.resumed)
        let ticket = try #require(first.client.ticket)
        var second = Conversation(
            try TLSSession(client: client, host: "kin.example", ticket: ticket), try TLSSession(server: server))
        second.settle()
        #expect(second.client.resumed && second.server.resumed)
        #expect(second.server.write("hello again") == .bytes(11))
        second.settle()
        #expect(second.atClient == Array("hello again".utf8))
        // A new server context does not know the ticket: a full handshake, no failure.
        var third = Conversation(
            try TLSSession(client: client, host: "kin.example", ticket: ticket),
            try TLSSession(server: try authority.context))
        third.settle()
        #expect(third.client.isHandshakeComplete && !third.client.resumed)
        var garbage = Conversation(
            try TLSSession(client: client, host: "kin.example", ticket: [1, 2, 3]), try TLSSession(server: server))
        garbage.settle()
        #expect(garbage.client.isHandshakeComplete)
    }

    @Test(arguments: [true, false])
    func `are resumed with a ticket of the key before, and with none of two keys before`(isNewest: Bool) throws {
        let server = try authority.context
        func talk(_ ticket: [UInt8]?) throws -> Conversation {
            var talk = Conversation(
                try TLSSession(client: client, host: "kin.example", ticket: ticket), try TLSSession(server: server))
            talk.settle()
            #expect(talk.client.isHandshakeComplete)
            return talk
        }
        let old = try #require(try talk(nil).client.ticket)
        server.rotateTicketKeys()
        let second = try talk(old)
        #expect(second.client.resumed && second.server.resumed)
        let renewed = try #require(second.client.ticket)
        server.rotateTicketKeys()
        if isNewest {
            #expect(try talk(renewed).client.resumed, "what was resumed has a ticket of the newer key")
        } else {
            #expect(try !talk(old).client.resumed)
        }
    }

    @Test func `fail with a sentence when plain text comes`() throws {
        for (text, word) in [
            ("GET / HTTP/1.1\r\nHost: kin.example\r\n\r\n", "https"), ("{\"jsonrpc\":\"2.0\"}\n", "TLS"),
            ("\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}", "TLS"),
        ] {
            let session = try TLSSession(server: server)
            session.received(Array(text.utf8))
            var plain: [UInt8] = []
            var end: TLSSession.Outcome?
            Conversation.drain(session, &plain, &end)
            guard case .failed(let sentence) = end else {
                Issue.record("\(String(describing: end))")
                continue
            }
            #expect(sentence.contains(word), "\(sentence)")
            // It stays failed, in the same words.
            var again: TLSSession.Outcome?
            Conversation.drain(session, &plain, &again)
            #expect(again == end)
            #expect(session.write("x") == end)
        }
        let client = try TLSSession(client: client, host: "kin.example")
        var plain: [UInt8] = []
        var end: TLSSession.Outcome?
        Conversation.drain(client, &plain, &end)
        client.received(Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8))
        Conversation.drain(client, &plain, &end)
        guard case .failed(let sentence) = end else {
            Issue.record("\(String(describing: end))")
            return
        }
        #expect(sentence.contains("TLS"))
    }

    @Test func `fail, not trap, on every changed byte of a conversation`() throws {
        // The first flight of a client, with each byte changed in turn.
        let model = try TLSSession(client: client, host: "kin.example")
        var plain: [UInt8] = []
        var end: TLSSession.Outcome?
        Conversation.drain(model, &plain, &end)
        var hello: [UInt8] = []
        model.takeOutput(into: &hello)
        #expect(hello.count > 100)
        for index in hello.indices {
            var changed = hello
            changed[index] ^= 0x55
            let session = try TLSSession(server: server)
            session.received(changed)
            Conversation.drain(session, &plain, &end)
            #expect(!session.isHandshakeComplete)
        }
        // A changed byte of application data.
        var talk = Conversation(try TLSSession(client: client, host: "x"), try TLSSession(server: server))
        talk.settle()
        _ = talk.client.write("pay 5")
        var record: [UInt8] = []
        talk.client.takeOutput(into: &record)
        record[record.count - 1] ^= 1
        talk.server.received(record)
        talk.settle()
        #expect(talk.atServer.isEmpty)
        guard case .failed = talk.serverEnd else {
            Issue.record("a forged record fails")
            return
        }
    }

    @Test func `go on with the old certificate when a new one comes`() throws {
        var old = Conversation(try TLSSession(client: client, host: "kin.example"), try TLSSession(server: server))
        old.settle()
        let renewed = try LocalAuthority.test(folder, names: ["kin.example", "new.kin.example"], now: realNow)
        #expect(renewed.change == .leafMade)
        var new = Conversation(
            try TLSSession(client: try trusting(), host: "new.kin.example"), try TLSSession(server: try renewed.context)
        )
        new.settle()
        #expect(new.client.isHandshakeComplete)
        #expect(old.server.write("still here") == .bytes(10))
        old.settle()
        #expect(old.atClient == Array("still here".utf8))
    }

    @Test func `outlive the context's last other reference`() throws {
        func make() throws -> TLSSession {
            try TLSSession(client: TLSContext(clientTrusting: .pinned(authority.pin)), host: "kin.example")
        }
        var talk = Conversation(try make(), try TLSSession(server: server))
        talk.settle()
        #expect(talk.client.isHandshakeComplete)
    }

    @Test func `hand ciphertext over behind what is there`() throws {
        let session = try TLSSession(client: client, host: "kin.example")
        var plain: [UInt8] = []
        var end: TLSSession.Outcome?
        Conversation.drain(session, &plain, &end)
        let count = session.outputCount
        #expect(count > 0 && session.hasOutput)
        var output: [UInt8] = [1, 2]
        session.takeOutput(into: &output)
        #expect(output.count == count + 2 && output.prefix(3) == [1, 2, 0x16])
        #expect(!session.hasOutput && session.outputCount == 0)
    }
}
