import KinCodec
import KinModel

/// Following by `GET /live`, as an `EventSource` or a reader of lines over HTTP does, in the words of KinClient's state
/// machine: signing in is a header, coming back is `Last-Event-ID`, and what a `live.follow` would have been answered is
/// told from the first message.
struct EventStream {
    /// Server-sent events, or else lines.
    let isServerSent: Bool

    private var parser = HTTPResponseParser()
    private var events = ServerSentEventParser(eventBytesMax: 16 << 20)
    private var lines = LineSplitter(lineBytesMax: 16 << 20)
    private var token = ""
    private var cursor: String?
    private var status = 0
    private var followID: JSON?

    init(isServerSent: Bool) {
        self.isServerSent = isServerSent
        parser.bodyBytesMax = .max
    }

    /// A message of the state machine's: what goes over the network, and what is answered without it.
    mutating func send(_ message: [UInt8]) -> (bytes: [UInt8], answer: [UInt8]?) {
        guard let request = try? JSON.parse(message), let id = request["id"], let params = request["params"] else {
            return ([], nil)
        }
        guard request["method"] == "live.follow" else {
            token = params["token"]?.string ?? ""
            return ([], RPC.result(id: id, [:]))
        }
        followID = id
        cursor = params["since"]?.string
        let view = params["view"]?.string.map { "?view=\($0)" } ?? ""
        var head = "GET /live\(view) HTTP/1.1\r\nHost: box.local\r\nAuthorization: Bearer \(token)\r\n"
        head += "Accept: \(isServerSent ? "text/event-stream" : "application/x-ndjson")\r\n"
        if let cursor { head += "Last-Event-ID: \(cursor)\r\n" }
        return (Array((head + "\r\n").utf8), nil)
    }

    /// The messages that bytes brought.
    mutating func received(_ bytes: [UInt8], _ username: String) throws(Finding) -> [[UInt8]] {
        var messages: [[UInt8]] = []
        var rest = bytes[...]
        while true {
            let (consumed, step) = parser.consume(rest)
            rest = rest.dropFirst(consumed)
            switch step {
            case .needsMore: return messages
            case .head(let head):
                status = head.status
                if status != 200 { messages.append(try refusal(username)) }
            case .body(let body): if status == 200 { try take(body, &messages, username) }
            case .end: return messages
            case .failed(let failure):
                throw Finding(checker: "protocol", what: "\(username)'s stream is no HTTP: \(failure.sentence)")
            }
        }
    }

    /// A status as the error that a message transport would have been given.
    private mutating func refusal(_ username: String) throws(Finding) -> [UInt8] {
        let kinds: [Int: Rejection.Kind] = [
            204: .notSignedIn, 401: .notSignedIn, 408: .slowDown, 429: .slowDown, 503: .unavailable,
        ]
        guard let kind = kinds[status], let id = followID else {
            throw Finding(checker: "protocol", what: "\(username) asked for a stream and was answered \(status)")
        }
        followID = nil
        return RPC.error(id: id, code: kind.rawValue, message: "Status \(status).")
    }

    private mutating func take(_ body: [UInt8], _ messages: inout [[UInt8]], _ username: String) throws(Finding) {
        var rest = body[...]
        while true {
            let message: [UInt8]
            var id: String?
            if isServerSent {
                let (consumed, step) = events.consume(rest)
                rest = rest.dropFirst(consumed)
                guard case .event(_, let data, let last) = step else { return }
                (message, id) = (Array(data.utf8), last)
            } else {
                let (consumed, step) = lines.consume(rest)
                rest = rest.dropFirst(consumed)
                guard case .line(let line) = step else { return }
                message = line
            }
            try take(message: message, id: id, &messages, username)
        }
    }

    private mutating func take(
        message: [UInt8], id: String?, _ messages: inout [[UInt8]], _ username: String
    ) throws(Finding) {
        guard let json = try? JSON.parse(message), let method = json["method"]?.string else {
            throw Finding(checker: "protocol", what: "\(username)'s stream carries what nobody understands")
        }
        let told = json["params"]?["cursor"]?.string
        if let id, let told, id != told {
            throw Finding(checker: "cursor", what: "\(username) was given \(method) \(told) under the id \(id)")
        }
        guard let follow = followID else { return messages.append(message) }
        followID = nil
        guard method == "reset" else {
            let result = JSON.object(leavingOut: ["mode": "live", "cursor": cursor.map { .string($0) } ?? .null])
            messages += [RPC.result(id: follow, result), message]
            return
        }
        var result = json["params"] ?? [:]
        result["mode"] = "reset"
        messages.append(RPC.result(id: follow, result))
    }
}
