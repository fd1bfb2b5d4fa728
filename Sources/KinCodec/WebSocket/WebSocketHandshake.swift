/// The opening handshake (RFC 6455 §4). SHA-1 is the caller's: the accept value is
/// `base64(SHA-1(key + guid))` (§4.2.2).
public enum WebSocketHandshake {
    /// How a server takes the request.
    public enum Judgement: Sendable, Hashable {
        /// Good. The key goes into the accept value; the subprotocols are in the client's order.
        case accept(key: String, subprotocols: [String])
        /// Not good: answer with this status, sentence and these further fields.
        case refuse(status: Int, sentence: String, headers: HTTPHeaders)
    }

    /// What is appended to the key before hashing (§1.3).
    public static let guid = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

    /// Judges a request (§4.2.1).
    public static func check(_ head: HTTPRequestHead) -> Judgement {
        guard head.method == .get, head.minor >= 1 else {
            return .refuse(status: 400, sentence: "A WebSocket begins with GET in HTTP/1.1.", headers: [:])
        }
        guard head.isUpgradeToWebSocket else {
            return .refuse(
                status: 426, sentence: "This is for WebSockets: send Upgrade: websocket and Connection: Upgrade.",
                headers: ["Upgrade": "websocket", "Connection": "Upgrade"])
        }
        guard head.headers.values("Sec-WebSocket-Version") == ["13"] else {
            return .refuse(
                status: 426, sentence: "The WebSocket version spoken here is 13.",
                headers: ["Sec-WebSocket-Version": "13", "Upgrade": "websocket", "Connection": "Upgrade"])
        }
        let keys = head.headers.values("Sec-WebSocket-Key")
        guard keys.count == 1, Base64.decode(keys[0])?.count == 16 else {
            return .refuse(
                status: 400, sentence: "The field Sec-WebSocket-Key must be 16 bytes in base64.", headers: [:])
        }
        guard head.bodyLength == .none || head.bodyLength == .length(0) else {
            return .refuse(status: 400, sentence: "A WebSocket's request has no content.", headers: [:])
        }
        guard WebSocketExtension.list(head.headers) != nil else {
            return .refuse(status: 400, sentence: "The field Sec-WebSocket-Extensions is malformed.", headers: [:])
        }
        return .accept(key: keys[0], subprotocols: head.headers.tokens("Sec-WebSocket-Protocol"))
    }

    /// The head of the answer (§4.2.2).
    public static func response(
        accept: String, subprotocol: String?, deflate: WebSocketDeflate? = nil
    ) -> HTTPResponseHead {
        var headers: HTTPHeaders = ["Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Accept": accept]
        headers["Sec-WebSocket-Protocol"] = subprotocol
        headers["Sec-WebSocket-Extensions"] = deflate?.response
        return HTTPResponseHead(status: 101, headers: headers)
    }

    /// Appends a client's request (§4.1). `key` is the base64 of 16 random bytes; `headers` carries `Host`.
    public static func writeRequest(
        target: String, key: String, subprotocols: [String], headers: HTTPHeaders, to out: inout [UInt8]
    ) {
        var headers = headers
        headers["Upgrade"] = "websocket"
        headers["Connection"] = "Upgrade"
        headers["Sec-WebSocket-Key"] = key
        headers["Sec-WebSocket-Version"] = "13"
        if !subprotocols.isEmpty { headers["Sec-WebSocket-Protocol"] = subprotocols.joined(separator: ", ") }
        HTTPRequestHead.write(.get, target, headers, to: &out)
    }

    /// Judges a server's answer (§4.1): the chosen subprotocol if any, or an error that says what is wrong.
    /// `accept` is the value the key must lead to.
    public static func check(
        _ head: HTTPResponseHead, accept: String, subprotocols: [String]
    ) throws(HTTPFailure) -> String? {
        guard head.status == 101 else {
            throw HTTPFailure(502, "The server answered \(head.status) \(head.reason) instead of opening a WebSocket.")
        }
        guard head.headers.has("Upgrade", token: "websocket"), head.headers.has("Connection", token: "upgrade"),
            head.headers.values("Sec-WebSocket-Accept") == [accept]
        else { throw HTTPFailure(502, "The server's WebSocket handshake is wrong.") }
        guard head.headers["Sec-WebSocket-Extensions"] == nil else {
            throw HTTPFailure(502, "The server chose an extension that was not offered.")
        }
        let chosen = head.headers.values("Sec-WebSocket-Protocol")
        guard chosen.count <= 1, chosen.allSatisfy(subprotocols.contains) else {
            throw HTTPFailure(502, "The server chose a subprotocol that was not offered.")
        }
        return chosen.first
    }
}
