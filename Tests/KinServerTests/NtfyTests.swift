import KinCodec
import KinCrypto
import KinKeeper
import KinLoop
import KinModel
import Testing

@testable import KinServer
@testable import KinServerBox

/// ntfy's interface, byte by byte: what its Android app and its command line ask, and what they get.
@Suite struct NtfyTests {
    private let box: Box

    init() throws { box = try Box.family() }

    private func add(_ name: String, _ more: JSON.Object = [:]) throws -> (topic: String, device: JSON) {
        let line = try box.line(name)
        defer { line.leave() }
        var params: JSON.Object = ["name": "Phone"]
        for member in more.members { params[member.name] = member.value }
        let made = try line.result("notice.add", .object(params))
        return (try #require(made["topic"]?.string), try #require(made["device"]?["id"]))
    }

    @discardableResult
    private func announce(_ text: String) throws -> JSON {
        let ada = try box.line("ada")
        defer { ada.leave() }
        return try #require(try ada.result("activity.announce", ["text": .string(text)])["announcement"]?["id"])
    }

    private func open(_ target: String, _ headers: [String] = [], from peer: Peer = Box.loopback) throws -> BoxClient {
        let client = box.connect(from: peer)
        var text = "GET \(target) HTTP/1.1\r\nHost: box.local\r\n"
        for header in headers { text += header + "\r\n" }
        client.post(text + "\r\n")
        try box.settle()
        return client
    }

    /// The content of a chunked stream, as far as it came, without its chunks.
    private func content(_ client: BoxClient) throws -> String {
        var rest = Array(client.receive())[...]
        if rest.starts(with: Array("HTTP/".utf8)), let end = rest.firstRange(of: Array("\r\n\r\n".utf8)) {
            rest = rest[end.upperBound...]
        }
        var text: [UInt8] = []
        while let end = rest.firstRange(of: [0x0D, 0x0A]) {
            let size = try #require(Int(String(decoding: rest[..<end.lowerBound], as: UTF8.self), radix: 16))
            text += rest[end.upperBound..<(end.upperBound + size)]
            rest = rest[(end.upperBound + size + 2)...]
        }
        return String(decoding: text, as: UTF8.self)
    }

    private func lines(_ text: String) throws -> [JSON] {
        try text.split(separator: "\n").map { try JSON.parse(Array($0.utf8)) }
    }

    private func events(_ messages: [JSON]) -> [String] { messages.map { $0["event"]?.string ?? "?" } }
    private func texts(_ messages: [JSON]) -> [String] { messages.compactMap { $0["message"]?.string } }

    @Test func `the app may read its topic and no other, and a foreign one is as one that there is not`() throws {
        let (topic, _) = try add("ben")
        let client = box.connect()
        let good = try client.ask("GET /\(topic)/auth")
        #expect(good.status == 200 && good.json == ["success": true])
        let refused = try client.ask("GET /mytopic/auth")
        #expect(refused.status == 403)
        #expect(refused.text == #"{"code":40301,"http":403,"error":"forbidden"}"#)
        #expect(refused.text == (try client.ask("GET /kin-nobody/json?poll=1")).text)
        #expect(try client.ask("GET /v1/health").text == #"{"healthy":true}"#)
        #expect(try client.ask("GET /\(topic)?up=1").text == #"{"unifiedpush":{"version":1}}"#)
    }

    @Test func `a poll has what is unread, in the app's own form, and ends`() throws {
        let (topic, _) = try add("ben")
        let id = try announce("Soup")
        let client = box.connect()
        let answer = try client.ask("GET /\(topic)/json?poll=1&since=all")
        #expect(answer.status == 200 && answer["Content-Type"] == "application/x-ndjson; charset=utf-8")
        let message = try #require(try lines(answer.text).first)
        #expect(
            message.object?.names == [
                "id", "time", "event", "topic", "sequence_id", "message", "priority", "tags", "click", "actions",
            ])
        #expect(message["event"] == "message" && message["topic"] == .string(topic) && message["sequence_id"] == id)
        #expect(message["message"] == "Ada: Soup" && message["priority"] == 4 && message["tags"] == ["loudspeaker"])
        #expect(message["click"]?.string?.hasPrefix("https://box.local:5469/#/inbox") == true)
        #expect(message["id"]?.string?.utf8.count == 12)
        let had = try #require(message["id"]?.string)
        #expect(try client.ask("GET /\(topic)/json?poll=1&since=\(had)").body.isEmpty)
        #expect(try client.ask("GET /\(topic)/json?poll=1").body.isEmpty == false)
        let wrong = try client.ask("GET /\(topic)/json?poll=1&since=soon")
        #expect(wrong.status == 400 && wrong.json?["code"] == 40008)
    }

    @Test func `a long text arrives whole, live and by a poll`() throws {
        let (topic, _) = try add("ben")
        let text = "Soup. " + String(repeating: "Bring a spoon, ", count: 40) + "please."
        let client = try open("/\(topic)/json")
        try announce(text)
        try box.settle()
        #expect(texts(try lines(try content(client))).last == "Ada: \(text)")
        let polled = try box.connect().ask("GET /\(topic)/json?poll=1")
        #expect(texts(try lines(polled.text)) == ["Ada: \(text)"])
    }

    @Test func `an account's password is no topic, and opens nothing`() throws {
        let (topic, _) = try add("ben")
        for password in ["correct horse battery staple", String(repeating: "x", count: 100), "ü"] {
            let basic = Base64.encode(Array("ben:\(password)".utf8))
            for what in ["auth", "json?poll=1"] {
                let refused = try box.connect().ask("GET /\(topic)/\(what)", ["Authorization: Basic \(basic)"])
                #expect(refused.status == 401 && refused.json?["code"] == 40101, "\(refused.text)")
            }
        }
        // Another's topic, or none any more, is no password: that is refused as one that there is not.
        let basic = Base64.encode(Array("ben:kin-\(String(repeating: "a", count: 43))".utf8))
        let refused = try box.connect().ask("GET /\(topic)/auth", ["Authorization: Basic \(basic)"])
        #expect(refused.status == 403 && refused.json?["code"] == 40301)
    }

    @Test func `a stream opens, replays, goes on live, and says nothing twice`() throws {
        let (topic, _) = try add("ben")
        try announce("one")
        try announce("two")
        let client = try open("/\(topic)/json?since=all")
        try box.advance(seconds: 31)
        try announce("three")
        let said = try lines(try content(client))
        #expect(events(said) == ["open", "message", "message", "message"])
        #expect(texts(said) == ["Ada: one", "Ada: two", "Ada: three"])
        #expect(Set(said.map { $0["id"]?.string ?? "" }).count == 4)
        let again = try open("/\(topic)/json?since=\(try #require(said[2]["id"]?.string))")
        #expect(texts(try lines(try content(again))) == ["Ada: three"])
        let fresh = try open("/\(topic)/json")
        #expect(events(try lines(try content(fresh))) == ["open"])
    }

    @Test func `what was read elsewhere is cleared, and what is taken back is deleted`() throws {
        let (topic, _) = try add("ben")
        let client = try open("/\(topic)/json")
        let ada = try box.line("ada")
        let said = try #require(try ada.result("activity.say", ["text": "Supper"])["saying"]?["id"])
        let announced = try announce("Soup")
        _ = try ada.result("activity.withdraw", ["id": said])
        let ben = try box.line("ben")
        _ = try ben.result("activity.dismiss", ["id": announced])
        let all = try lines(try content(client))
        #expect(events(all) == ["open", "message", "message", "message_delete", "message_clear"])
        #expect(all[3]["sequence_id"] == all[1]["sequence_id"] && all[3]["message"] == nil)
        #expect(all[4]["sequence_id"] == all[2]["sequence_id"] && all[4]["sequence_id"] == announced)
    }

    @Test func `it is kept alive before the app gives it up`() throws {
        let (topic, _) = try add("ben")
        let client = try open("/\(topic)/json")
        let raw = try open("/\(topic)/raw")
        _ = try content(client)
        #expect(try content(raw) == "\n")
        for _ in 0..<9 { try box.advance(seconds: 5) }
        let said = try lines(try content(client))
        #expect(events(said) == ["keepalive"] && said.first?["topic"] == .string(topic))
        #expect(try content(raw) == "\n")
    }

    @Test func `server-sent events and plain lines say the same`() throws {
        let (topic, _) = try add("ben")
        let sse = try open("/\(topic)/sse")
        let raw = try open("/\(topic)/raw")
        try announce("Soup\nis ready")
        let text = try content(sse)
        #expect(text.hasPrefix("event: open\ndata: {"))
        #expect(text.contains("\n\ndata: {\"id\":") && text.contains("Ada: Soup is ready"))
        #expect(try content(raw) == "\nAda: Soup is ready\n")
    }

    @Test func `a WebSocket carries a frame for each, and what it says is passed over`() throws {
        let (topic, _) = try add("ben")
        let upgrade = [
            "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            "Sec-WebSocket-Version: 13", "Sec-WebSocket-Extensions: permessage-deflate",
        ]
        let client = try open("/\(topic)/ws?since=all", upgrade)
        let bytes = client.receive()
        let end = try #require(bytes.firstRange(of: Array("\r\n\r\n".utf8)))
        let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
        #expect(head.hasPrefix("HTTP/1.1 101 ") && !head.contains("deflate"))
        var machine = WebSocketMachine(role: .client, messageBytesMax: 1 << 20)
        func frames(_ bytes: [UInt8]) throws -> [JSON] {
            var input = bytes
            var found: [JSON] = []
            while true {
                let (consumed, event) = machine.consume(input)
                input.removeFirst(consumed)
                if case .needsMore = event { return found }
                if case .message(_, let bytes) = event { found.append(try JSON.parse(bytes)) }
            }
        }
        #expect(events(try frames(Array(bytes[end.upperBound...]))) == ["open"])
        try announce("Soup")
        #expect(texts(try frames(client.receive())) == ["Ada: Soup"])
        try client.frame(.text, Array("hello".utf8))
        try client.frame(.ping, [1])
        #expect(try frames(client.receive()).isEmpty && !client.isOver)
        #expect(try box.connect().ask("GET /\(topic)/ws").json?["code"] == 40016)
    }

    @Test func `a WebSocket whose device is removed is gone without a close frame, which the app would wait after`()
        throws
    {
        let (topic, device) = try add("ben")
        let upgrade = [
            "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            "Sec-WebSocket-Version: 13",
        ]
        let client = try open("/\(topic)/ws", upgrade)
        _ = client.receive()
        let ben = try box.line("ben")
        _ = try ben.result("notice.remove", ["device": device])
        #expect(client.isOver && client.receive().isEmpty)
    }

    @Test func `a new phone that had no message yet loses nothing while it is away`() throws {
        let (topic, _) = try add("ben")
        #expect(try lines(box.connect().ask("GET /\(topic)/json?poll=1").text).isEmpty)
        try announce("Soup")
        #expect(texts(try lines(try content(try open("/\(topic)/json?since=none")))) == ["Ada: Soup"])
        // Who says nothing of it wants what comes from here on.
        #expect(texts(try lines(try content(try open("/\(topic)/json")))) == [])
    }

    @Test func `what waits behind a burst is not lost to a phone that has a later alarm`() throws {
        let (topic, _) = try add("ben")
        let (ada, ben) = (try box.line("ada"), try box.person("ben"))
        let client = try open("/\(topic)/json?since=all")
        for text in ["One", "Two", "Three", "Four"] { _ = try ada.result("activity.say", ["text": .string(text)]) }
        _ = try ada.result("alarm.raise", ["kind": "sos", "to": [.id(ben.id)]])
        let alarm = try #require(try lines(try content(client)).last { $0["priority"] == 5 }?["id"]?.string)
        client.leave()
        try box.advance(seconds: 15)
        let missed = try lines(box.connect().ask("GET /\(topic)/json?poll=1&since=\(alarm)").text)
        #expect(texts(missed).contains { $0.contains("Four") }, "\(missed)")
    }

    @Test func `a WebSocket that polls is given what was missed, and ends`() throws {
        let (topic, _) = try add("ben")
        try announce("Soup")
        let upgrade = [
            "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            "Sec-WebSocket-Version: 13",
        ]
        let client = try open("/\(topic)/ws?poll=1", upgrade)
        let bytes = client.receive()
        let end = try #require(bytes.firstRange(of: Array("\r\n\r\n".utf8)))
        var rest = Array(bytes[end.upperBound...])
        var machine = WebSocketMachine(role: .client, messageBytesMax: 1 << 20)
        let (consumed, first) = machine.consume(rest)
        guard case .message(_, let said) = first else {
            Issue.record("there is no message")
            return
        }
        #expect(try JSON.parse(said)["message"] == "Ada: Soup")
        rest.removeFirst(consumed)
        guard case .close(let code, _) = machine.consume(rest).1 else {
            Issue.record("it does not end")
            return
        }
        #expect(code == 1000)
        // Without a handshake a right topic and a wrong one are told the same.
        let (good, wrong) = (
            try box.connect().ask("GET /\(topic)/ws?poll=1"), try box.connect().ask("GET /kin-nobody/ws?poll=1")
        )
        #expect(good.status == 400 && good.text == wrong.text)
    }

    @Test func `pages of other sites may ask by a topic, and be refused`() throws {
        let (topic, _) = try add("ben")
        try announce("Soup")
        let client = box.connect()
        let page = ["Origin: https://ntfy.example", "Sec-Fetch-Site: cross-site"]
        for target in ["\(topic)/auth", "\(topic)/json?poll=1", "kin-nobody/auth", "v1/health"] {
            let answer = try client.ask("GET /\(target)", page)
            #expect(answer["Access-Control-Allow-Origin"] == "*", "\(target)")
            #expect(answer["Access-Control-Allow-Credentials"] == nil)
        }
        let head = String(decoding: try open("/\(topic)/json", page).receive(), as: UTF8.self)
        #expect(head.contains("Access-Control-Allow-Origin: *\r\n"))
        for target in [topic, "\(topic)/json", "kin-nobody/json", "house/auth", "v1/health"] {
            let asked = try client.ask("OPTIONS /\(target)", page)
            #expect(asked.status == 204 && asked["Access-Control-Allow-Origin"] == "*", "\(target)")
            #expect(asked["Access-Control-Allow-Headers"] == "*")
        }
        for verb in ["HEAD", "PUT", "DELETE"] {
            let refused = try client.ask("\(verb) /\(topic)/json", page)
            #expect(refused.status == 405 && refused["Access-Control-Allow-Origin"] == "*", "\(verb)")
        }
        // Nothing else is theirs.
        #expect(try client.ask("GET /api/notices", page)["Access-Control-Allow-Origin"] == nil)
    }

    @Test(arguments: ["address", "password", "field"])
    func `a topic seen in plain text is good for nothing`(how: String) throws {
        let (topic, _) = try add("ben")
        let remote = box.connect(from: Box.remote)
        let refused =
            switch how {
            case "address": try remote.ask("GET /\(topic)/json?poll=1")
            case "password":
                try remote.ask(
                    "GET /house/auth", ["Authorization: Basic \(Base64.encode(Array("ben:\(topic)".utf8)))"])
            default: try remote.ask("GET /house/auth?auth=\(Base64.urlEncode(Array("Bearer \(topic)".utf8)))")
            }
        #expect(refused.status == 426 && refused.text.contains("revoked"), "\(refused.text)")
        #expect(try box.connect().ask("GET /\(topic)/auth").status == 403)
        let line = try box.line("ben")
        #expect(try line.result("notice.list")["devices"]?.array?.isEmpty == true)
    }

    @Test func `several topics share a connection, each with its own name, and those of two members too`() throws {
        let (one, _) = try add("ben")
        let (other, _) = try add("hal", ["discreet": true])
        let client = try open("/\(one),\(other)/json")
        try announce("Soup")
        let said = try lines(try content(client))
        #expect(said.first?["topic"] == .string("\(one),\(other)"))
        let byTopic = Dictionary(uniqueKeysWithValues: said.dropFirst().map { ($0["topic"]?.string, $0) })
        #expect(byTopic.count == 2 && byTopic[one]?["message"] == "Ada: Soup")
        let discreet = byTopic[other]
        #expect(discreet?["message"] == "Something for you" && discreet?["tags"] == nil)
        #expect(discreet?["click"] == "https://box.local:5469/")
        let line = try box.line("hal")
        _ = try line.result("activity.say", ["text": "Mine"])
        #expect(try lines(try content(client)).map { $0["topic"]?.string } == [one])
    }

    @Test func `the topic may be the password, the token or the field auth, under a name of the client's own`() throws {
        let (topic, _) = try add("ben")
        let basic = Base64.encode(Array("ben:\(topic)".utf8))
        let client = box.connect()
        #expect(try client.ask("GET /house/auth", ["Authorization: Basic \(basic)"]).status == 200)
        #expect(try client.ask("GET /house/auth", ["Authorization: Bearer \(topic)"]).status == 200)
        let field = Base64.urlEncode(Array("Bearer \(topic)".utf8))
        #expect(try client.ask("GET /house/auth?auth=\(field)").status == 200)
        #expect(try client.ask("GET /house/auth", ["Authorization: Bearer kin-wrong"]).status == 403)
    }

    @Test func `filters let through what they name`() throws {
        let (topic, _) = try add("ben")
        try announce("Soup")
        let line = try box.line("ada")
        _ = try line.result("activity.say", ["text": "Bread"])
        let client = box.connect()
        func found(_ query: String) throws -> [String] {
            texts(try lines(try client.ask("GET /\(topic)/json?poll=1&\(query)").text))
        }
        #expect(try found("priority=high") == ["Ada: Soup"])
        #expect(try found("priority=3,5") == ["Ada: Bread"])
        #expect(try found("tags=speech_balloon") == ["Ada: Bread"])
        #expect(try found("tags=speech_balloon,loudspeaker") == [])
        #expect(try found("message=Ada:+Soup") == ["Ada: Soup"])
        #expect(try found("title=none") == [])
        #expect(try client.ask("GET /\(topic)/json?poll=1&priority=9").json?["code"] == 40007)
    }

    @Test func `a device that is removed hears nothing more, and its connection ends`() throws {
        let (topic, device) = try add("ben")
        let client = try open("/\(topic)/json")
        let other = try open("/\(try add("ben").topic)/json")
        let ben = try box.line("ben")
        _ = try ben.result("notice.remove", ["device": device])
        #expect(client.isOver)
        try announce("Soup")
        #expect(events(try lines(try content(client))) == ["open"])
        #expect(texts(try lines(try content(other))) == ["Ada: Soup"])
    }

    @Test func `guessing is answered ever more slowly`() throws {
        let client = box.connect(from: Box.loopback)
        var statuses: [Int] = []
        for number in 0..<14 { statuses.append(try client.ask("GET /kin-\(number)/auth").status) }
        #expect(statuses.prefix(10).allSatisfy { $0 == 403 } && statuses.last == 429)
    }
}
