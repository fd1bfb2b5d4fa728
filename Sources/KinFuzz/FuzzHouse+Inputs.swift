import KinCodec
import KinCrypto
import KinLoop
import KinModel
import KinSimulation

extension FuzzHouse {
    /// A phone with OwnTracks posts a body.
    func publish(_ body: [UInt8], planted: Bool) {
        let answer = post(body, "/owntracks", "Authorization: Basic \(Base64.encode(Array("ada:\(phone)".utf8)))")
        precondition(answer.hasSuffix("]") || answer.hasSuffix("}"), "the phone is not told what it reads: \(answer)")
        if planted {
            let battery = (try? JSON.parse(body))?["batt"]?.double ?? 0
            precondition(battery <= 100, "planted")
        }
    }

    /// A phone with Traccar Client posts a form or JSON.
    func report(_ body: [UInt8], planted: Bool) {
        let type = body.first == UInt8(ascii: "{") ? "application/json" : "application/x-www-form-urlencoded"
        let answer = post(body, "/osmand?id=\(phone)", "Content-Type: \(type)")
        precondition(answer.hasSuffix("\r\n\r\n"), "the phone is told something: \(answer)")
        if planted { precondition(FormFields(urlEncoded: body)["charge"] != "true", "planted") }
    }

    /// A phone with Overland posts a batch.
    func batch(_ body: [UInt8], planted: Bool) {
        let answer = post(body, "/overland", "Authorization: Bearer \(phone)")
        precondition(answer.hasSuffix(#"{"result":"ok"}"#), "the batch comes again: \(answer)")
        if planted {
            let batch = try? JSON.parse(body, duplicates: .lastWins)
            let all = batch?["locations"]?.array ?? []
            let isOverfull = all.contains { $0["properties"]?["battery_level"]?.double ?? 0 > 1 }
            precondition(!isOverfull, "planted")
        }
    }

    /// A phone posts a body; the whole answer, which has to be one that lets it go on.
    private func post(_ body: [UInt8], _ target: String, _ field: String) -> String {
        let connection = connect(.tcp(.loopbackV4, port: 40_000))
        let head = "POST \(target) HTTP/1.1\r\nHost: box.local\r\n\(field)\r\nContent-Length: \(body.count)\r\n\r\n"
        network.clientSends(connection, Array(head.utf8) + body)
        settle()
        let answer = String(decoding: take(connection), as: UTF8.self)
        // A phone keeps what is not answered 2xx and sends it again for ever.
        precondition(answer.hasPrefix("HTTP/1.1 200"), "the phone's queue is blocked: \(answer)")
        comeToRest([connection])
        return answer
    }

    /// Who does what, when. Each act is a byte and what it needs.
    func live(_ input: [UInt8], planted: Bool) {
        var acts = input[...]
        var connections: [Token] = []
        var gone: [Token] = []
        func byte() -> Int { Int(acts.popFirst() ?? 0) }
        func text() -> [UInt8] {
            let count = byte()
            defer { acts = acts.dropFirst(count) }
            return Array(acts.prefix(count))
        }
        func some() -> Token? { connections.isEmpty ? nil : connections[byte() % connections.count] }
        while let act = acts.popFirst() {
            switch act % 10 {
            case 0:
                guard connections.count < 6 else { break }
                connections.append(connect(Self.peers[byte() % Self.peers.count]))
            case 1: if let one = some() { network.clientSends(one, text()) }
            case 2: if let one = some() { network.clientSends(one, phrase(byte())) }
            case 3:
                guard let one = some() else { break }
                var frame: [UInt8] = []
                let opcode = WebSocketFrame.Opcode(rawValue: UInt8(byte() & 0x0F)) ?? .text
                WebSocketFrame.write(opcode, text(), mask: 0x0102_0304, to: &frame)
                network.clientSends(one, frame)
            case 4:
                guard let one = some() else { break }
                network.clientLeaves(one, isRude: byte() & 1 == 1)
                connections.removeAll { $0 == one }
                gone.append(one)
            case 5: if let one = some() { network.stall(one, byte() & 1 == 1) }
            case 6: time.advance(milliseconds: Int64(byte() * byte()))
            case 7: turn()
            case 8: if let one = some() { _ = take(one) }
            default: settle()
            }
        }
        settle()
        if planted { precondition(!connections.contains { network.isOver($0) } || input.count < 9, "planted") }
        comeToRest(connections + gone, mayRevoke: true)
    }

    private static let peers: [Peer] = [
        .tcp(.loopbackV4, port: 40_000), .tcp(IPAddress("203.0.113.7") ?? .anyV4, port: 40_000),
        // Root at the machine may do everything, end the family too: that is no finding.
        .unix(uid: 1000, gid: 1000, pid: 2),
    ]

    /// What clients say that know the protocol: without it hardly an input would come past the door.
    private func phrase(_ number: Int) -> [UInt8] {
        let upgrade =
            "Host: box.local\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: kinwire.v1\r\n"
        let phrases: [String] = [
            "GET /live HTTP/1.1\r\n\(upgrade)\r\n",
            "GET /live HTTP/1.1\r\n\(upgrade)Authorization: Bearer \(token)\r\n\r\n",
            #"{"jsonrpc":"2.0","id":1,"method":"session.resume","params":{"token":"\#(token)"}}"# + "\n",
            #"{"jsonrpc":"2.0","id":2,"method":"live.follow","params":{"since":null}}"# + "\n",
            #"{"jsonrpc":"2.0","id":3,"method":"activity.announce","params":{"text":"boo","op":"a"}}"# + "\n",
            #"{"jsonrpc":"2.0","id":4,"method":"live.unfollow"}"# + "\n",
            "GET /live HTTP/1.1\r\nHost: box.local\r\nAccept: text/event-stream\r\nAuthorization: Bearer \(token)\r\n\r\n",
            "GET /live HTTP/1.1\r\nHost: box.local\r\nAccept: application/x-ndjson\r\nAuthorization: Bearer \(token)\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: box.local\r\n\r\n",
            "POST /api/activity/announcements HTTP/1.1\r\nHost: box.local\r\nAuthorization: Bearer \(token)\r\nContent-Type: application/json\r\nContent-Length: 14\r\n\r\n{\"text\":\"boo\"}",
            "POST /owntracks HTTP/1.1\r\nHost: box.local\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
            "\u{16}\u{3}\u{1}\u{2}", "\n", "{", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
            #"{"jsonrpc":"2.0","id":5,"method":"session.open","params":{"username":"ada","password":"a"}}"# + "\n",
        ]
        return Array(phrases[number % phrases.count].utf8)
    }
}
