import KinCodec
import KinKeeper
import KinModel

/// JSON-RPC: the handshake of a WebSocket at `/live`, and each message, be it a text frame or a line.
///
/// The handshake is an HTTP request like others, and has an object of its own. After it the connection carries no more
/// requests with heads. Its messages are content without an end: each is given to ``body(_:_:)``, asks for one method,
/// and is answered by ``reply(_:_:_:)``. A connection whose first byte is `{` begins there, without a handshake. One
/// object, ``Hall/rpc``, takes the messages of all connections: the only thing to remember of a message is its id,
/// which waits with the connection's answers. So a message costs no allocation for its door.
final class RPCDoor: Door {
    /// Whether messages are echoed, because there is no family.
    private let isEcho: Bool

    init(isEcho: Bool = false) { self.isEcho = isEcho }

    static func claims(_ head: HTTPRequestHead, _ doorway: Doorway) -> Claim? {
        let isHandshake = head.isUpgradeToWebSocket || head.headers["Upgrade"] != nil
        return head.path == ["live"] && head.method == .get && isHandshake ? .taken(RPCDoor()) : nil
    }

    // MARK: The handshake

    func end(isTooLong: Bool, _ doorway: Doorway) {
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

    // MARK: Messages

    /// A whole message is here. What is too long for the loop is parsed by a worker.
    func body(_ bytes: [UInt8], _ doorway: Doorway) {
        guard bytes.count <= doorway.limits.parsedOnLoopBytesMax else {
            return doorway.work(JSONParsing(bytes: bytes))
        }
        call(LongInput.json(bytes), doorway)
    }

    /// A worker has parsed a message, or could not.
    func done(_ made: any Sendable, _ doorway: Doorway) {
        if let parsed = made as? Result<JSON, JSONFailure> { call(parsed, doorway) }
    }

    private func call(_ parsed: Result<JSON, JSONFailure>, _ doorway: Doorway) {
        let request: RPCRequest
        do {
            request = try RPCRequest.parse(try parsed.get())
        } catch let failure as JSONFailure {
            return refuse(nil, Rejection(.parse, failure.sentence), doorway)
        } catch let failure as RPCFailure {
            let kind = Rejection.Kind(rawValue: failure.code) ?? .request
            return refuse(failure.id, Rejection(kind, failure.message), doorway)
        } catch { return }
        var params = request.params
        guard let method = doorway.registry.methods[request.method], method.isPublic else {
            let rejection = Rejection(.method, "There is no method \(request.method.prefix(64)).", field: "method")
            return refuse(request.id, rejection, doorway)
        }
        var op: String?
        if method.sort != .query, let given = params["op"] {
            guard let text = given.string else {
                return refuse(request.id, Rejection(.params, "op must be text.", field: "op"), doorway)
            }
            op = text
            params["op"] = nil
        }
        let answered = Doorway(doorway.server, doorway.connection, Doorway.Message(id: request.id))
        answered.ask(method.name, params, op: op, as: doorway.credential)
    }

    /// Refuses a message before anybody was asked.
    private func refuse(_ id: JSON?, _ rejection: Rejection, _ doorway: Doorway) {
        doorway.server.write(doorway.connection, Self.error(id, rejection))
    }

    static func error(_ id: JSON?, _ rejection: Rejection) -> [UInt8] {
        RPC.error(id: id, code: rejection.kind.rawValue, message: rejection.message, data: rejection.data)
    }

    // MARK: Answers

    func reply(_ result: Result<[UInt8], Rejection>, _ effect: Effect, _ doorway: Doorway) {
        guard let message = doorway.message else {
            // A permitted handshake is a WebSocket by now.
            if case .failure(let rejection) = result { doorway.respond(.problem(rejection)) }
            return
        }
        // A request without an id wants no answer.
        guard let id = message.id else { return }
        switch result {
        case .failure(let rejection): doorway.send(Self.error(id, rejection), message)
        case .success(let bytes):
            // A piece of a file is JSON in messages; over HTTP it goes out as it is.
            if case .piece(let piece) = effect {
                doorway.send(RPC.result(id: id, bytes: piece.json.bytes), message)
            } else {
                doorway.send(RPC.result(id: id, bytes: bytes), message)
            }
        }
    }
}

/// Every address of a server that has no family and sends back what it is sent.
final class EchoDoor: Door {
    static func claims(_ head: HTTPRequestHead, _ doorway: Doorway) -> Claim? {
        head.method == .get ? .taken(RPCDoor(isEcho: true)) : .otherVerbs(["GET"])
    }

    func end(isTooLong: Bool, _ doorway: Doorway) {}
}
