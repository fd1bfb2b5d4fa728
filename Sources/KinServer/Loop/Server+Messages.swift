import KinCodec
import KinCrypto
import KinKeeper
import KinLoop
import KinModel

/// Messages over WebSocket and lines: two envelopes, one door (``RPCDoor``).
extension Server {
    // MARK: WebSocket

    /// Answers the handshake: the connection speaks WebSocket from here.
    func upgrade(
        _ connection: Connection, _ exchange: HTTPExchange, key: String, subprotocol: String?, isDeflated: Bool = true
    ) {
        let accept = Base64.encode(Digest.sha1(Array((key + WebSocketHandshake.guid).utf8)))
        let deflate = !isDeflated ? nil : WebSocketDeflate.agree(to: exchange.head.headers)
        WebSocketHandshake.response(accept: accept, subprotocol: subprotocol, deflate: deflate)
            .write(to: &connection.out)
        connection.exchange = nil
        connection.windowBits = deflate?.serverWindowBits ?? 0
        connection.codec = .webSocket(
            WebSocketMachine(
                role: .server, messageBytesMax: limits.messageBytesMax, isDeflated: deflate != nil))
        happened(.speaks(isNobody: isNobody(connection), isPinged: true), connection)
        markDirty(connection)
    }

    func take(_ event: WebSocketMachine.Event, _ connection: Connection) {
        switch event {
        case .needsMore, .pong: break
        case .message(let kind, let bytes):
            guard !connection.life.hasSaidGoodbye else { return }
            // A client of another protocol must not send anything.
            if connection.isForeign { return }
            if settings.isEcho { return echo(connection, kind, bytes) }
            if isNobody(connection) { connection.bytesBeforeSignIn += bytes.count }
            if kind == .binary {
                end(connection, .policy, reason: "Messages are JSON in text frames.")
            } else {
                message(connection, bytes)
            }
        case .ping(let payload):
            // Nothing follows a close frame (RFC 6455 §5.5.1).
            guard !connection.life.hasSaidGoodbye, connection.pendingBytes < limits.outBytesMax else { return }
            WebSocketFrame.write(.pong, payload, to: &connection.out)
            markDirty(connection)
        case .close(let code, _):
            if !connection.life.hasSaidGoodbye {
                happened(.saidGoodbye, connection)
                WebSocketFrame.writeClose(code: code, to: &connection.out)
            }
            endWhenFlushed(connection)
        case .failed(let code, let reason):
            if code == CloseCode.tooBig.rawValue { hitLimit("message_bytes") }
            if !connection.life.hasSaidGoodbye {
                happened(.saidGoodbye, connection)
                WebSocketFrame.writeClose(code: code, reason: reason, to: &connection.out)
            }
            endWhenFlushed(connection)
        }
    }

    // MARK: Lines

    /// Whether a connection that carries messages has not signed in. Until then it may send little.
    func isNobody(_ connection: Connection) -> Bool {
        connection.identity == nil && !connection.isMachine && !settings.isEcho
    }

    /// How long its next message may be.
    func messageBytesMax(_ connection: Connection) -> Int {
        isNobody(connection)
            ? max(0, limits.bytesBeforeSignInMax - connection.bytesBeforeSignIn) : limits.messageBytesMax
    }

    func take(_ step: LineSplitter.Step, _ connection: Connection) {
        switch step {
        case .needsMore: break
        case .line(let bytes):
            guard hall.policy.mayBePlain(connection) else { return refusePlainLine(connection, bytes) }
            if isNobody(connection) { connection.bytesBeforeSignIn += bytes.count }
            message(connection, bytes)
        case .tooLong:
            hitLimit("line_bytes")
            let rejection = Rejection(
                .tooLarge,
                isNobody(connection)
                    ? "Before anybody is signed in a connection says at most \(limits.bytesBeforeSignInMax) bytes."
                    : "A line is longer than \(limits.messageBytesMax) bytes.")
            write(connection, RPCDoor.error(nil, rejection))
            end(connection, .tooBig)
        }
    }

    // MARK: JSON-RPC

    /// Gives a whole message to its door.
    private func message(_ connection: Connection, _ bytes: [UInt8]) {
        hall.rpc.body(bytes, Doorway(self, connection, Doorway.Message(id: nil)))
    }
}
