import KinCodec
import KinKeeper
import KinModel

/// `/live`: the stream of events, or the handshake of a WebSocket. After the handshake the connection carries messages,
/// and no more HTTP requests.
final class LiveDoor: Door {
    /// Whether messages are echoed, because there is no family.
    private let isEcho: Bool
    /// Whether a stream of events was asked for, and not a WebSocket.
    private var isStream = false

    init(isEcho: Bool = false) { self.isEcho = isEcho }

    static func claims(_ head: HTTPRequestHead, _ doorway: Doorway) -> Claim? {
        guard head.path == ["live"] else { return nil }
        return head.method == .get ? .taken(LiveDoor()) : .otherVerbs(["GET"])
    }

    func end(isTooLong: Bool, _ doorway: Doorway) {
        let head = doorway.head
        if isEcho || head.isUpgradeToWebSocket || head.headers["Upgrade"] != nil { return handshake(doorway) }
        let offers = ["text/event-stream", "application/x-ndjson"]
        guard let type = head.headers.bestAccepted(of: offers) else {
            return doorway.respond(
                .problem(406, "Follow with Accept: text/event-stream or application/x-ndjson, or open a WebSocket."))
        }
        var params = JSON.Object()
        if let since = head.headers["Last-Event-ID"] ?? head.query["since"], !since.isEmpty {
            params["since"] = .string(since)
        }
        if let view = head.query["view"] { params["view"] = .string(view) }
        if let types = head.query["types"] {
            params["types"] = .array(types.split(separator: ",").map { .string(String($0)) })
        }
        if let passing = head.query["passing"] { params["passing"] = .bool(passing == "true") }
        isStream = true
        doorway.server.submit(
            doorway.connection, method: "live.follow", params: params, op: nil, credential: doorway.credential,
            answer: .stream(doorway.exchange, type == offers[0] ? .serverSentEvent : .ndjson))
    }

    private func handshake(_ doorway: Doorway) {
        switch WebSocketHandshake.check(doorway.head) {
        case .refuse(let status, let sentence, let headers):
            doorway.respond(.problem(status, sentence, headers: headers))
        case .accept(let key, _) where isEcho: upgrade(doorway, key: key, subprotocol: nil)
        case .accept(let key, let subprotocols):
            guard subprotocols.isEmpty || subprotocols.contains("kinwire.v1") else {
                return doorway.respond(.problem(400, "This server speaks the subprotocol kinwire.v1."))
            }
            let subprotocol = subprotocols.isEmpty ? nil : "kinwire.v1"
            guard case .token(let token) = doorway.credential else {
                return upgrade(doorway, key: key, subprotocol: subprotocol)
            }
            doorway.server.submit(
                doorway.connection, method: "session.resume", params: ["token": .string(token)], op: nil,
                credential: .some(.none),
                answer: .upgrade(doorway.exchange, key: key, subprotocol: subprotocol))
        }
    }

    private func upgrade(_ doorway: Doorway, key: String, subprotocol: String?) {
        doorway.server.upgrade(doorway.connection, doorway.exchange, key: key, subprotocol: subprotocol)
    }

    /// Only refusals come here: a permitted request is a stream or a WebSocket by now.
    func reply(_ result: Result<[UInt8], Rejection>, _ effect: Effect, _ doorway: Doorway) {
        guard case .failure(let rejection) = result else { return }
        // An EventSource whose session is dead must stop asking: 204 says so (WHATWG HTML §9.2.2).
        if isStream, rejection.kind == .notSignedIn, doorway.head.headers["Last-Event-ID"] != nil {
            doorway.respond(HTTPAnswer(204))
        } else {
            doorway.respond(.problem(rejection))
        }
    }
}

/// Every address of a server that has no family and sends back what it is sent.
final class EchoDoor: Door {
    static func claims(_ head: HTTPRequestHead, _ doorway: Doorway) -> Claim? {
        head.method == .get ? .taken(LiveDoor(isEcho: true)) : .otherVerbs(["GET"])
    }

    func end(isTooLong: Bool, _ doorway: Doorway) {}
}

extension Server {
    /// The follow is permitted: the response's head goes out and the connection is a stream from here.
    func openStream(_ connection: Connection, _ exchange: HTTPExchange, _ envelope: Envelope, _ identity: Identity) {
        let isEvents = envelope == .serverSentEvent
        openStream(
            connection, exchange, envelope, mediaType: isEvents ? "text/event-stream" : "application/x-ndjson")
        signIn(connection, identity)
        checkMemberLimit(connection)
    }

    /// The response's head goes out, and the connection is a stream from here.
    func openStream(
        _ connection: Connection, _ exchange: HTTPExchange, _ envelope: Envelope, mediaType: String,
        isForEveryPage: Bool = false
    ) {
        var head = HTTPResponseHead(
            status: 200,
            headers: [
                "Content-Type": mediaType, "Cache-Control": "no-store", "X-Accel-Buffering": "no",
                "Transfer-Encoding": "chunked",
            ])
        if isForEveryPage { head.headers.append("Access-Control-Allow-Origin", "*") }
        head.headers.append("Date", now.httpDate)
        addSafety(&head.headers, connection)
        head.write(to: &connection.out)
        connection.codec = .stream(envelope)
        connection.exchange = nil
        happened(.speaks(isNobody: false, isPinged: false), connection)
    }
}
