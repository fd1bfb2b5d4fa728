import KinClient
import KinCodec
import KinCrypto
import KinLoop
import KinModel
import Synchronization
import Testing

@Suite struct ConversationTests {
    @Test func `a call over lines is answered, and notifications meanwhile are delivered in order`() throws {
        let server = try ScriptedServer(
            isUnix: true,
            [
                { peer in
                    #expect(
                        peer.line() == #"{"jsonrpc":"2.0","id":1,"method":"session.as","params":{"username":"ada"}}"#)
                    peer.send(#"{"jsonrpc":"2.0","id":1,"result":{}}"# + "\n")
                    #expect(peer.line() == #"{"jsonrpc":"2.0","id":2,"method":"family.show","params":{}}"#)
                    // In pieces, so that no answer depends on arriving in one.
                    for piece in [
                        #"{"jsonrpc":"2.0","method":"event","params":{"n":1}}"# + "\n" + #"{"json"#,
                        #"rpc":"2.0","method":"event","params":{"n":2}}"# + "\r\n\n",
                        #"{"jsonrpc":"2.0","id":2,"result":{"family":{"name":"Okoro"}}}"# + "\n",
                    ] { peer.send(piece) }
                    #expect(peer.read() == [])
                }
            ])
        do {
            let conversation = try Conversation.open(.unix(path: server.path), credential: .member("ada"))
            var heard: [JSON?] = []
            conversation.notified = { _, params in heard.append(params["n"]) }
            #expect(try conversation.call("family.show") == ["family": ["name": "Okoro"]])
            #expect(heard == [1, 2])
            conversation.wire.close()
        }
        server.stop()
    }

    @Test func `a rejection comes with its kind, field and time to come back`() throws {
        let server = try ScriptedServer(
            isUnix: false,
            [
                { peer in
                    _ = peer.line()
                    peer.send(
                        #"{"jsonrpc":"2.0","id":1,"error":{"code":1422,"message":"No.","data":{"kind":"invalid","field":"lat"}}}"#
                            + "\n")
                    _ = peer.line()
                    peer.send(
                        #"{"jsonrpc":"2.0","id":2,"error":{"code":1429,"message":"Later.","data":{"kind":"slow-down","retryAfter":5}}}"#
                            + "\n")
                    _ = peer.line()
                    peer.send(
                        #"{"jsonrpc":"2.0","id":3,"error":{"code":1999,"message":"New.","data":{"kind":"new-kind","outcome":"unknown"}}}"#
                            + "\n")
                }
            ])
        let conversation = try Conversation.open(try Address("http://127.0.0.1:\(server.port)"))
        #expect(throws: ClientFailure.refused(Rejection(.invalid, "No.", field: "lat"))) { try conversation.call("x") }
        #expect(throws: ClientFailure.refused(Rejection(.slowDown, "Later.", retryAfter: 5))) {
            try conversation.call("x")
        }
        var unknown = Rejection(.unavailable, "New.")
        unknown.detail = "new-kind"
        unknown.isOutcomeUnknown = true
        #expect(throws: ClientFailure.refused(unknown)) { try conversation.call("x") }
        server.stop()
    }

    @Test func `a daemon that closes says why, and one that just ends does not`() throws {
        let server = try ScriptedServer(
            isUnix: true,
            [
                { peer in
                    _ = peer.line()
                    peer.send(
                        #"{"jsonrpc":"2.0","method":"closing","params":{"code":4102,"reason":"Revoked.","retryAfter":null}}"#
                            + "\n")
                },
                { peer in _ = peer.line() },
                { peer in
                    _ = peer.line()
                    peer.send("HTTP/1.1 400 Bad Request\r\n")
                },
            ])
        let address = Address.unix(path: server.path)
        #expect(throws: ClientFailure.closed(Closing(code: 4102, reason: "Revoked."))) {
            try Conversation.open(address).call("x")
        }
        #expect(throws: ClientFailure.closed(nil)) { try Conversation.open(address).call("x") }
        #expect {
            try Conversation.open(address).call("x")
        } throws: { error in
            if case .notUnderstood = error as? ClientFailure { true } else { false }
        }
        server.stop()
    }

    @Test func `a silent daemon is given up after the time given`() throws {
        let server = try ScriptedServer(isUnix: true, [{ peer in while !peer.read().isEmpty {} }])
        do {
            let conversation = try Conversation.open(.unix(path: server.path))
            #expect(throws: ClientFailure.timedOut("unix:\(server.path)")) {
                try conversation.call("x", timeoutMilliseconds: 20)
            }
        }
        server.stop()
    }

    @Test func `nobody there is a sentence, not a crash`() throws {
        #expect {
            try Conversation.open(.unix(path: "/nonexistent/kinwire.sock"))
        } throws: { error in
            if case .unreachable = error as? ClientFailure { true } else { false }
        }
    }

    @Test func `over WebSocket the same messages travel in frames`() throws {
        let server = try ScriptedServer(isUnix: false, [{ peer in Self.webSocket(peer) }])
        let conversation = try Conversation.open(try Address("ws://127.0.0.1:\(server.port)"))
        #expect(try conversation.call("family.show") == ["ok": true])
        #expect(throws: ClientFailure.closed(Closing(code: 4008, reason: "Slow."))) {
            try conversation.call("family.show")
        }
        server.stop()
    }

    /// The server's side: handshake, a ping before the answer, an answer in fragments, then a close.
    private static func webSocket(_ peer: ScriptedServer.Peer) {
        var request = ""
        while !request.hasSuffix("\n\n") { request += peer.line().filter { $0 != "\r" } + "\n" }
        #expect(request.hasPrefix("GET /live HTTP/1.1\n"))
        #expect(request.contains("Sec-WebSocket-Protocol: kinwire.v1\n"))
        let key = request.split(separator: "\n").first { $0.hasPrefix("Sec-WebSocket-Key: ") }?.dropFirst(19) ?? ""
        let accept = Base64.encode(Digest.sha1(Array((key + WebSocketHandshake.guid).utf8)))
        var out: [UInt8] = []
        WebSocketHandshake.response(accept: accept, subprotocol: "kinwire.v1").write(to: &out)
        peer.send(out)
        var machine = WebSocketMachine(role: .server, messageBytesMax: 1 << 20)
        var calls = 0
        var pongs: [[UInt8]] = []
        while true {
            var rest = peer.read()[...]
            guard !rest.isEmpty else { break }
            while true {
                let (consumed, event) = machine.consume(rest.span)
                rest = rest.dropFirst(consumed)
                out = []
                switch event {
                case .message:
                    calls += 1
                    if calls == 1 {
                        let answer = RPC.result(id: 1, ["ok": true])
                        WebSocketFrame.write(.ping, Array("alive".utf8), to: &out)
                        WebSocketFrame.write(.text, Array(answer[..<5]), fin: false, to: &out)
                        WebSocketFrame.write(.continuation, Array(answer[5...]), to: &out)
                    } else {
                        WebSocketFrame.writeClose(code: 4008, reason: "Slow.", to: &out)
                    }
                case .pong(let payload): pongs.append(payload)
                default: break
                }
                peer.send(out)
                if case .needsMore = event { break }
                if case .close = event { return #expect(pongs == [Array("alive".utf8)]) }
                if case .failed(let code, let reason) = event {
                    Issue.record("the client broke the protocol: \(code) \(reason)")
                    return
                }
            }
        }
    }
}

@Suite struct FollowingClientTests {
    @Test func `it follows, comes back by itself, goes on from its cursor, and stops when told to`() throws {
        let requests = Requests()
        let server = try ScriptedServer(
            isUnix: true,
            [
                { peer in
                    requests.note(peer.line())
                    peer.send(FollowerTests.reset() + [0x0A] + FollowerTests.event("c2", lat: 1) + [0x0A])
                },
                { peer in
                    requests.note(peer.line())
                    peer.send(FollowerTests.resumed("replay") + [0x0A])
                    peer.send(FollowerTests.event("c3", lat: 2) + [0x0A] + FollowerTests.upto("c4") + [0x0A])
                    peer.send(FollowerTests.closing(4102) + [0x0A])
                    _ = peer.read()
                },
            ])
        let client = FollowingClient(
            Follower(credential: .none), address: .unix(path: server.path), wantsMessages: true,
            interruption: try Wakeup())
        var news: [FollowingClient.News] = []
        while true {
            let next = client.next(timeoutMilliseconds: 20_000)
            news.append(next)
            if case .stopped = next { break }
            if case .nothing = next { break }
        }
        server.stop()
        var cursors: [String] = []
        var words: [String] = []
        var messages: [[UInt8]] = []
        for one in news {
            switch one {
            case .message(let message): messages.append(message)
            case .event(let event):
                cursors.append(event.cursor)
                words.append("event")
            case .passing: words.append("passing")
            case .reset: words.append("reset")
            case .caughtUp(let cursor):
                cursors.append(cursor)
                words.append("upto")
            case .lost: words.append("lost")
            case .back(let withoutGap): words.append(withoutGap ? "back" : "back anew")
            case .nothing: words.append("nothing")
            case .interrupted: words.append("interrupted")
            case .stopped: words.append("stopped")
            }
        }
        #expect(words == ["reset", "event", "lost", "back", "event", "upto", "stopped"])
        #expect(cursors == ["c2", "c3", "c4"])
        #expect(messages.first == FollowerTests.reset())
        #expect(messages.count == 6)
        #expect(requests.all.withLock { $0.map { $0["params"]?["since"] } } == [.null, "c2"])
        #expect(news.last == .stopped(.closed(Closing(code: 4102, reason: "So."))))
    }

    @Test func `an interruption ends the wait from another thread`() throws {
        let server = try ScriptedServer(
            isUnix: true,
            [
                { peer in
                    _ = peer.line()
                    peer.send(FollowerTests.reset() + [0x0A])
                    while !peer.read().isEmpty {}
                }
            ])
        do {
            let wakeup = try Wakeup()
            let client = FollowingClient(
                Follower(credential: .none), address: .unix(path: server.path), interruption: wakeup)
            guard case .reset = client.next(timeoutMilliseconds: 20_000) else {
                Issue.record("the snapshot comes first")
                return
            }
            let waker = try startThread(name: "waker") { wakeup.wake() }
            #expect(client.next(timeoutMilliseconds: nil) == .interrupted)
            waker.join()
        }
        server.stop()
    }
}

/// What a scripted server was asked.
private final class Requests: Sendable {
    let all = Mutex<[JSON]>([])

    func note(_ line: String) { all.withLock { $0.append((try? JSON.parse(line)) ?? .null) } }
}
