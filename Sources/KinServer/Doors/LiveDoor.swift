import KinCodec
import KinKeeper
import KinModel

/// `/live`: the stream of events. A WebSocket's handshake at the same address is ``RPCDoor``'s.
final class LiveDoor: Door {
    static func claims(_ head: HTTPRequestHead, _ doorway: Doorway) -> Claim? {
        guard head.path == ["live"] else { return nil }
        return head.method == .get ? .taken(LiveDoor()) : .otherVerbs(["GET"])
    }

    func end(isTooLong: Bool, _ doorway: Doorway) {
        let head = doorway.head
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
        doorway.server.submit(
            doorway.connection, method: "live.follow", params: params, op: nil, credential: doorway.credential,
            answer: .stream(doorway.exchange, type == offers[0] ? .serverSentEvent : .ndjson))
    }

    /// Only refusals come here: a permitted request is a stream by now.
    func reply(_ result: Result<[UInt8], Rejection>, _ effect: Effect, _ doorway: Doorway) {
        guard case .failure(let rejection) = result else { return }
        // An EventSource whose session is dead must stop asking: 204 says so (WHATWG HTML §9.2.2).
        if rejection.kind == .notSignedIn, doorway.head.headers["Last-Event-ID"] != nil {
            doorway.respond(HTTPAnswer(204))
        } else {
            doorway.respond(.problem(rejection))
        }
    }
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
