import KinActivity
import KinCodec
import KinFamily
import KinKeeper
import KinLoop
import KinMap
import KinMeetings
import KinMembers
import KinModel
import KinTLS
import Testing

@testable import KinActivity
@testable import KinKeeper
@testable import KinMap
@testable import KinMeetings
@testable import KinMembers
@testable import KinServer
@testable import KinSimulation

/// A client of raw bytes, in plain text or through TLS; over that, lines of JSON-RPC and WebSocket frames.
final class BoxClient {
    private unowned let box: Box
    let token: Token
    /// What arrived and nobody asked for yet.
    private var arrived: [UInt8] = []
    /// The server ended the connection.
    private(set) var isOver = false
    private var isStalled = false
    private(set) var tls: TLSSession?
    /// How TLS ended, once it did: `.closed` is the server's goodbye.
    private(set) var tlsEnd: TLSSession.Outcome?
    /// Set once the connection speaks WebSocket.
    private var webSocket: WebSocketMachine?
    private var nextID: Int64 = 1
    /// Notifications that arrived: events, `upto`, `reset`, `closing`; in order.
    private(set) var notifications: [JSON] = []
    /// The frames that are no messages: pings, pongs, closes.
    private(set) var frames: [WebSocketMachine.Event] = []
    /// Whether it says goodbye as well when the daemon does, as RFC 6455 wants.
    var answersClose = true

    init(_ box: Box, _ token: Token) {
        self.box = box
        self.token = token
    }

    // MARK: Bytes

    /// Sends bytes and lets the daemon come to rest.
    func send(_ bytes: [UInt8]) throws {
        post(bytes)
        try box.settle()
    }

    func send(_ text: String) throws { try send(Array(text.utf8)) }

    /// Sends bytes; nobody turns.
    func post(_ bytes: [UInt8]) {
        guard let tls else { return box.network.clientSends(token, bytes) }
        _ = unsafe bytes.withUnsafeBytes { unsafe tls.write($0) }
        flushTLS()
    }

    func post(_ text: String) { post(Array(text.utf8)) }

    /// What arrived since the last time somebody asked.
    func receive() -> [UInt8] {
        defer { arrived = [] }
        return arrived
    }

    /// The same as text.
    func text() -> String { String(decoding: receive(), as: UTF8.self) }

    /// Takes what the network has for it. The box calls it while it turns.
    func take() {
        while !isOver, !isStalled {
            guard let bytes = box.network.clientReceives(token) else {
                isOver = true
                return
            }
            if bytes.isEmpty { return }
            guard let tls else {
                arrived += bytes
                continue
            }
            tls.received(bytes)
            var buffer = [UInt8](repeating: 0, count: 65_536)
            reading: while tlsEnd == nil {
                switch unsafe buffer.withUnsafeMutableBytes({ unsafe tls.read(into: $0) }) {
                case .bytes(let count): arrived += buffer[..<count]
                case .needsMore: break reading
                case let end: tlsEnd = end
                }
            }
            flushTLS()
        }
    }

    private func flushTLS() {
        guard let tls, tls.hasOutput else { return }
        var bytes: [UInt8] = []
        tls.takeOutput(into: &bytes)
        box.network.clientSends(token, bytes)
    }

    /// From here on it speaks TLS.
    func startTLS(ticket: [UInt8]? = nil) throws {
        try sayHello(ticket: ticket)
        try box.settle()
    }

    /// Says goodbye by TLS's own word; the socket stays.
    func sayGoodbye() throws {
        tls?.close()
        flushTLS()
        try box.settle()
    }

    /// Puts TLS's first word on its way; nobody turns.
    func sayHello(ticket: [UInt8]? = nil) throws {
        let session = try TLSSession(
            client: TLSContext(clientTrusting: .anyone), host: "box.local", ticket: ticket)
        tls = session
        _ = unsafe [UInt8](repeating: 0, count: 1).withUnsafeBytes { _ in
            var none = [UInt8](repeating: 0, count: 16)
            return unsafe none.withUnsafeMutableBytes { unsafe session.read(into: $0) }
        }
        flushTLS()
    }

    /// Takes nothing any more, or goes on.
    func stall(_ isStalled: Bool) throws {
        self.isStalled = isStalled
        box.network.stall(token, isStalled)
        if !isStalled { try box.settle() }
    }

    /// Goes away.
    func leave(isRude: Bool = false) {
        box.network.clientLeaves(token, isRude: isRude)
        isOver = true
    }

    // MARK: HTTP

    /// Sends a request head and body; answers the responses that came.
    @discardableResult
    func ask(_ line: String, _ headers: [String] = [], _ body: String = "") throws -> BoxResponse {
        var text = line + " HTTP/1.1\r\n"
        if !headers.contains(where: { $0.lowercased().hasPrefix("host:") }) { text += "Host: box.local\r\n" }
        for header in headers { text += header + "\r\n" }
        if !body.isEmpty { text += "Content-Length: \(body.utf8.count)\r\n" }
        try send(text + "\r\n" + body)
        return try #require(try responses(line.hasPrefix("HEAD") ? .head : .get).first, "no response to \(line)")
    }

    /// The responses among what arrived.
    func responses(_ method: HTTPMethod = .get) throws -> [BoxResponse] {
        var input = receive()
        var found: [BoxResponse] = []
        var parser = HTTPResponseParser()
        parser.requestMethod = method
        var head: HTTPResponseHead?
        var body: [UInt8] = []
        while true {
            let (consumed, step) = parser.consume(input)
            input.removeFirst(consumed)
            switch step {
            case .head(let one): head = one
            case .body(let bytes): body += bytes
            case .end:
                found.append(BoxResponse(head: try #require(head), body: body))
                (head, body) = (nil, [])
                parser = HTTPResponseParser()
                parser.requestMethod = method
            case .needsMore:
                // A stream's body goes on.
                if let head { found.append(BoxResponse(head: head, body: body)) }
                return found
            case .failed(let failure):
                Issue.record("a broken response: \(failure.sentence)")
                return found
            }
        }
    }

    // MARK: JSON-RPC

    /// Opens a WebSocket.
    func openWebSocket(_ headers: [String] = [], protocols: String? = "kinwire.v1") throws -> BoxResponse {
        var all = [
            "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            "Sec-WebSocket-Version: 13",
        ]
        if let protocols { all.append("Sec-WebSocket-Protocol: \(protocols)") }
        let response = try ask("GET /live", all + headers)
        if response.status == 101 {
            webSocket = WebSocketMachine(
                role: .client, messageBytesMax: 16 << 20, isDeflated: response["Sec-WebSocket-Extensions"] != nil)
        }
        return response
    }

    /// Sends a frame.
    func frame(_ opcode: WebSocketFrame.Opcode, _ payload: [UInt8], fin: Bool = true) throws {
        var bytes: [UInt8] = []
        WebSocketFrame.write(opcode, payload, fin: fin, mask: 0x1234_5678, to: &bytes)
        try send(bytes)
    }

    /// Puts a message on its way.
    func postMessage(_ json: [UInt8]) {
        guard webSocket != nil else { return post(json + [0x0A]) }
        var bytes: [UInt8] = []
        WebSocketFrame.write(.text, json, mask: 0x1234_5678, to: &bytes)
        post(bytes)
    }

    /// Puts a request on its way; answers its id.
    @discardableResult
    func postCall(_ method: String, _ params: JSON = [:]) -> Int64 {
        nextID += 1
        postMessage(RPC.request(id: .int(nextID), method: method, params: params))
        return nextID
    }

    /// The messages that arrived, responses and notifications; notifications are kept too.
    func messages() throws -> [JSON] {
        var input = receive()
        var found: [JSON] = []
        if var machine = webSocket {
            while true {
                let (consumed, event) = machine.consume(input)
                input.removeFirst(consumed)
                if case .needsMore = event { break }
                guard case .message(_, let bytes) = event else {
                    frames.append(event)
                    if case .ping = event { continue }
                    if case .pong = event { continue }
                    break
                }
                found.append(try JSON.parse(bytes))
            }
            webSocket = machine
            if case .close(let code, _)? = frames.last, answersClose, !isOver {
                answersClose = false
                var bytes: [UInt8] = []
                WebSocketFrame.writeClose(code: code, mask: 0x1234_5678, to: &bytes)
                try send(bytes)
            }
        } else {
            for line in input.split(separator: 0x0A) { found.append(try JSON.parse(Array(line))) }
        }
        for message in found where message["method"] != nil {
            notifications.append(message)
            try BoxJudge.judge(message)
        }
        return found
    }

    /// A call and its whole response.
    func call(_ method: String, _ params: JSON = [:]) throws -> JSON {
        let id = postCall(method, params)
        try box.settle()
        let response = try #require(try messages().first { $0["id"] == .int(id) }, "\(method) is not answered")
        try BoxJudge.judge(response, of: method)
        return response
    }

    /// A call that has to go well.
    func result(_ method: String, _ params: JSON = [:]) throws -> JSON {
        let response = try call(method, params)
        return try #require(response["result"], "\(method): \(response.text)")
    }

    /// The code of a refusal; `nil` when it was carried out.
    func refusal(_ method: String, _ params: JSON = [:]) throws -> Int64? {
        try call(method, params)["error"]?["code"]?.int
    }

    /// What arrived of notifications since the last time somebody asked.
    func heard() throws -> [JSON] {
        _ = try messages()
        defer { notifications = [] }
        return notifications
    }

    /// The types of events, and the names of other notifications.
    func heardTypes() throws -> [String] {
        try heard().map { $0["params"]?["type"]?.string ?? $0["method"]?.string ?? "" }
    }
}

/// A response, as far as it came.
struct BoxResponse {
    let head: HTTPResponseHead
    let body: [UInt8]
    var status: Int { head.status }
    var text: String { String(decoding: body, as: UTF8.self) }
    var json: JSON? { try? JSON.parse(body) }
    subscript(name: String) -> String? { head.headers[name] }
}

/// Holds everything the daemon says against what the registry declares.
enum BoxJudge {
    /// A notification.
    static func judge(_ message: JSON) throws {
        let params = try #require(message["params"])
        switch message["method"]?.string {
        case "event":
            let type = try #require(params["type"]?.string)
            // The area that leaks on purpose is in no family's registry.
            let events = type.hasPrefix("leaky.") ? LeakyArea.registry.events : Registry.family.events
            let declared = try #require(events[type], "the event \(type) is not declared")
            let data = try #require(params["data"])
            try declared.data.check(data, field: type)
            guard Registry.family.events[type] != nil else { return }
            #expect(SchemaJudge.family.fault(data, named: "event." + type) == nil)
        case "reset":
            let snapshot = try #require(params["snapshot"])
            try Registry.family.snapshot.check(snapshot, field: "snapshot")
            #expect(SchemaJudge.family.fault(snapshot, named: "Snapshot") == nil)
        case "upto": try Shape.cursor.check(try #require(params["cursor"]), field: "cursor")
        case "closing":
            let code = try #require(params["code"]?.int.flatMap { UInt16(exactly: $0) })
            #expect(CloseCode(rawValue: code) != nil)
        case "passing":
            #expect(params["cursor"] == nil && params["by"]?.identifier != nil && params["at"]?.instant != nil)
            #expect(params["type"]?.string?.isEmpty == false && params["about"]?.string?.contains("/") == true)
        default: Issue.record("an unknown notification: \(message.text)")
        }
    }

    /// A response.
    static func judge(_ response: JSON, of method: String) throws {
        if let result = response["result"] {
            let declared = Registry.family.methods[method]?.result
            try declared?.check(result, field: method)
            if let schema = declared?.schema { #expect(SchemaJudge.family.fault(result, schema, method) == nil) }
        } else {
            let code = try #require(response["error"]?["code"]?.int.flatMap { Int(exactly: $0) })
            #expect(Rejection.Kind(rawValue: code) != nil, "an unknown code: \(code)")
            let message = try #require(response["error"]?["message"]?.string)
            #expect(message.hasSuffix("."), "no sentence: \(message)")
        }
    }
}
