import KinCodec
import KinKeeper
import KinLoop
import KinModel

extension Server {
    // MARK: Reading a request

    func take(_ step: HTTPRequestParser.Step, _ connection: Connection) {
        switch step {
        case .needsMore: break
        case .head(let head): begin(connection, head)
        case .body(let bytes):
            guard let exchange = connection.exchange, !takeBody(bytes, connection, exchange) else { return }
            hitLimit("bodies_bytes")
            respondWithoutExchange(
                connection, .problem(503, "Too much is being sent at once; try again.", headers: ["Retry-After": "5"]))
        case .end:
            guard let exchange = connection.exchange else { return }
            happened(.requestIsWhole, connection)
            if exchange.upload != nil { return uploadEnded(connection, exchange) }
            dispatch(connection, exchange)
        case .failed(let failure):
            if failure.status == 413, let exchange = connection.exchange, exchange.isFromPhone {
                return takeTooMuch(connection, exchange)
            }
            respondWithoutExchange(connection, .problem(failure.status, failure.sentence))
        }
    }

    /// The head is here: say where it leads, how much body that takes, and whether to go on.
    private func begin(_ connection: Connection, _ head: HTTPRequestHead) {
        let exchange = HTTPExchange(head: head, destination: .live, room: bodyRoom)
        connection.exchange = exchange
        if let refusal = readForwarding(connection, head) {
            exchange.destination = .fixed(refusal)
        } else if !mayBePlain(connection) {
            exchange.destination = refusePlain(connection, exchange)
        } else {
            exchange.destination = judge(connection, head).map { .fixed($0) } ?? destination(connection, exchange)
            if let refusal = negotiate(head, exchange.destination) {
                exchange.destination = .fixed(refusal)
                // Without a length whatever follows may be its content.
                if refusal.status == 411 { exchange.keepsAlive = false }
            }
        }
        if case .length(let bytes) = head.bodyLength, bytes > bodyBytesMax(exchange), !exchange.isFromPhone {
            exchange.destination = .fixed(.problem(413, "The content is too large."))
        }
        // Nothing of strangers goes to a file, nor what cannot be read.
        if parcelPlace(exchange) != nil, head.bodyLength != .none {
            if !isJSON(head) {
                exchange.destination = .fixed(.problem(415, "The body must be application/json."))
            } else if case .none = credential(connection, head) {
                exchange.destination = .fixed(.problem(Rejection(.notSignedIn, "Sign in first.")))
            }
        }
        if case .fixed = exchange.destination, head.bodyLength != .none, head.bodyLength != .length(0) {
            // A refused body is not read: the answer goes out and the connection ends.
            exchange.keepsAlive = false
            dispatch(connection, exchange)
            return
        }
        if case .http(var parser) = connection.codec {
            parser.bodyBytesMax = bodyBytesMax(exchange)
            connection.codec = .http(parser)
        }
        happened(.bodyBegan, connection)
        if head.expectsContinue {
            connection.out += HTTPResponseHead.continued
            markDirty(connection)
        }
    }

    private func bodyBytesMax(_ exchange: HTTPExchange) -> Int {
        switch exchange.destination {
        case .method where parcelPlace(exchange) != nil: limits.pictureBodyBytesMax
        case .page: limits.formBytesMax
        case .plain: limits.plainBodyBytesMax
        case .phone: limits.phoneBodyBytesMax
        default: limits.bodyBytesMax
        }
    }

    private func destination(_ connection: Connection, _ exchange: HTTPExchange) -> HTTPExchange.Destination {
        let head = exchange.head
        if connection.isForMetrics, head.path != ["metrics"], head.path != ["healthz"] {
            return .fixed(.problem(Rejection(.notFound, "At this address are /metrics and /healthz only.")))
        }
        if case .asterisk = head.targetForm {
            return .fixed(HTTPAnswer(204, ["Allow": "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"]))
        }
        if settings.isEcho { return head.method == .get ? .live : .fixed(allowed(["GET"], head)) }
        if let fixed = fixedAnswer(connection, head) { return .fixed(fixed) }
        if head.path == ["metrics"] {
            return head.method == .get || head.method == .head ? .metrics : .fixed(allowed(["GET", "HEAD"], head))
        }
        if head.path == ["live"] { return head.method == .get ? .live : .fixed(allowed(["GET"], head)) }
        if let place = Pages.place(head) { return .page(place) }
        let verb = head.method.description
        switch routes.find(verb == "OPTIONS" ? "" : verb, head.path) {
        case .method(let method, let path, let status): return .method(method.name, path: path, status: status)
        case .otherVerbs(let verbs): return .fixed(allowed(verbs, head))
        case .none: break
        }
        if case .other(let name) = head.method { return .fixed(notImplemented(name)) }
        if let gateway = Gateway.at(head) {
            return gateway.verbs.contains(head.method)
                ? .phone(gateway) : .fixed(allowed(gateway.verbs.map(\.description), head))
        }
        return .fixed(.problem(Rejection(.notFound, "There is nothing at \(head.rawPath.prefix(200)).")))
    }

    private func fixedAnswer(_ connection: Connection, _ head: HTTPRequestHead) -> HTTPAnswer? {
        guard Self.fixedPaths.contains(head.path) else { return nil }
        guard head.method == .get || head.method == .head else { return allowed(["GET", "HEAD"], head) }
        switch head.path {
        case ["healthz"]: return .text(200, "ok")
        case ["api", "openapi.json"]: return .json(200, openAPI)
        case ["ca.crt"]:
            guard let pem = settings.site.rootPEM else {
                return .problem(
                    Rejection(.notFound, "This family uses a public certificate; there is no root to install."))
            }
            return HTTPAnswer(
                200,
                [
                    "Content-Type": "application/x-x509-ca-cert",
                    "Content-Disposition": "attachment; filename=\"kinwire-root.crt\"",
                ],
                body: pem)
        default: return nil
        }
    }

    private static let fixedPaths: Set<[String]> = [["healthz"], ["api", "openapi.json"], ["ca.crt"]]

    // MARK: Carrying it out

    func dispatch(_ connection: Connection, _ exchange: HTTPExchange) {
        // Whatever comes after the head of a refused body is dropped with the connection.
        switch exchange.destination {
        case .fixed(let answer): respond(connection, exchange, answer)
        case .plain: respond(connection, exchange, plainAnswer(connection, exchange))
        case .live: live(connection, exchange)
        case .metrics: askMetrics(connection, exchange)
        case .page(let place): page(connection, exchange, place)
        case .phone(let gateway): phone(connection, exchange, gateway)
        case .method(let name, let path, _): call(connection, exchange, name, path)
        }
    }

    private func call(_ connection: Connection, _ exchange: HTTPExchange, _ name: String, _ path: [String: String]) {
        if !exchange.body.isEmpty, !isJSON(exchange.head) {
            return respond(connection, exchange, .problem(415, "The body must be application/json."))
        }
        guard exchange.body.count <= limits.parsedOnLoopBytesMax else {
            return parseElsewhere(.json(exchange.body), connection, .http(exchange))
        }
        call(
            connection, exchange, name, path,
            body: exchange.body.isEmpty ? .success(.object([:])) : LongInput.json(exchange.body))
    }

    /// Goes on with a request whose body was parsed, or could not be.
    func call(
        _ connection: Connection, _ exchange: HTTPExchange, _ name: String, _ path: [String: String],
        body: Result<JSON, JSONFailure>
    ) {
        guard let method = registry.methods[name] else { return }
        let head = exchange.head
        var params: JSON.Object
        do throws(Rejection) {
            params = try Routes.params(method, path: path, query: head.query, body: body)
        } catch { return respond(connection, exchange, .problem(error)) }
        // The body was read: it need not wait for the answer.
        exchange.dropBody()
        if let parcel = exchange.parcel, let name = method.parcel?.parameter, params[name]?.string != parcel.name {
            let rejection = Rejection(.tooLarge, "Only \(name) may be that long.", field: name)
            return respond(connection, exchange, .problem(rejection))
        }
        // A browser's page cannot read the cookie, so it comes by itself.
        if name == "session.open", params["knownDevice"] == nil,
            let known = head.headers.knownDevice(in: deviceCookieName(connection))
        {
            params["knownDevice"] = .string(known)
        }
        var op = head.headers["Idempotency-Key"]
        if method.sort != .query, let given = params["op"]?.string {
            op = op ?? given
            params["op"] = nil
        }
        submit(
            connection, method: name, params: params, op: op, parcel: exchange.parcel,
            credential: credential(connection, head), answer: .http(exchange))
        exchange.parcel = nil
    }

    private func isJSON(_ head: HTTPRequestHead) -> Bool {
        guard let text = head.headers["Content-Type"] else { return true }
        guard let type = MediaType(text) else { return false }
        return type.name == "application/json" || type.name.hasSuffix("+json")
    }

    /// The request's own credential; over the Unix socket the peer's.
    func credential(_ connection: Connection, _ head: HTTPRequestHead) -> Credential {
        credentials(head, connection).first ?? (connection.isMachine ? .machine : .none)
    }

    // MARK: Following over HTTP

    private func live(_ connection: Connection, _ exchange: HTTPExchange) {
        let head = exchange.head
        if settings.isEcho || head.isUpgradeToWebSocket || head.headers["Upgrade"] != nil {
            return handshake(connection, exchange)
        }
        let offers = ["text/event-stream", "application/x-ndjson"]
        guard let type = head.headers.bestAccepted(of: offers) else {
            return respond(
                connection, exchange,
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
        submit(
            connection, method: "live.follow", params: params, op: nil, credential: credential(connection, head),
            answer: .stream(exchange, type == offers[0] ? .serverSentEvent : .ndjson))
    }

    private func handshake(_ connection: Connection, _ exchange: HTTPExchange) {
        switch WebSocketHandshake.check(exchange.head) {
        case .refuse(let status, let sentence, let headers):
            respond(connection, exchange, .problem(status, sentence, headers: headers))
        case .accept(let key, _) where settings.isEcho: upgrade(connection, exchange, key: key, subprotocol: nil)
        case .accept(let key, let subprotocols):
            guard subprotocols.isEmpty || subprotocols.contains("kinwire.v1") else {
                return respond(connection, exchange, .problem(400, "This server speaks the subprotocol kinwire.v1."))
            }
            let subprotocol = subprotocols.isEmpty ? nil : "kinwire.v1"
            guard case .token(let token) = credential(connection, exchange.head) else {
                return upgrade(connection, exchange, key: key, subprotocol: subprotocol)
            }
            submit(
                connection, method: "session.resume", params: ["token": .string(token)], op: nil,
                credential: .some(.none),
                answer: .upgrade(exchange, key: key, subprotocol: subprotocol))
        }
    }

    /// The follow is permitted: the response's head goes out and the connection is a stream from here.
    func openStream(_ connection: Connection, _ exchange: HTTPExchange, _ envelope: Envelope, _ identity: Identity) {
        var head = HTTPResponseHead(
            status: 200,
            headers: [
                "Content-Type": envelope == .serverSentEvent ? "text/event-stream" : "application/x-ndjson",
                "Cache-Control": "no-store", "X-Accel-Buffering": "no", "Transfer-Encoding": "chunked",
            ])
        head.headers.append("Date", now.httpDate)
        head.write(to: &connection.out)
        connection.codec = .stream(envelope)
        connection.exchange = nil
        happened(.speaks(isNobody: false, isPinged: false), connection)
        signIn(connection, identity)
        checkMemberLimit(connection)
    }

    /// An EventSource whose session is dead must stop asking: 204 says so (WHATWG HTML §9.2.2).
    func refuseStream(_ connection: Connection, _ exchange: HTTPExchange, _ rejection: Rejection) {
        let isReconnect = exchange.head.headers["Last-Event-ID"] != nil
        if rejection.kind == .notSignedIn, isReconnect {
            respond(connection, exchange, HTTPAnswer(204))
        } else {
            respond(connection, exchange, .problem(rejection))
        }
    }
}
