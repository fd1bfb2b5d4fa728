import KinCodec
import KinKeeper
import KinModel

/// Where a door stands: one request of one connection, and what its door may do there. Made anew for each call, so that
/// nothing holds the server.
struct Doorway {
    let server: Server
    let connection: Connection
    let exchange: HTTPExchange

    init(_ server: Server, _ connection: Connection, _ exchange: HTTPExchange) {
        self.server = server
        self.connection = connection
        self.exchange = exchange
    }

    // MARK: The request

    var head: HTTPRequestHead { exchange.head }
    var registry: Registry { server.registry }
    var limits: ServerLimits { server.limits }
    var site: Site { server.settings.site }
    /// What time it is.
    var now: Instant { server.now }
    /// The request's own credential; over the Unix socket the peer's.
    var credential: Credential { server.credential(connection, head) }
    /// What is here of the content.
    var body: [UInt8] { exchange.body }

    /// Whether the content is JSON, or does not say what it is.
    var isJSON: Bool {
        guard let text = head.headers["Content-Type"] else { return true }
        guard let type = MediaType(text) else { return false }
        return type.name == "application/json" || type.name.hasSuffix("+json")
    }

    // MARK: What a door has done

    /// Asks the keeper; its answer goes to ``Door/reply(_:_:_:)``.
    func ask(
        _ method: String, _ params: JSON.Object, op: String? = nil, parcel: Parcel? = nil, as credential: Credential
    ) {
        server.submit(
            connection, method: method, params: params, op: op, parcel: parcel, credential: credential,
            answer: .http(exchange))
    }

    /// Has a worker do something; what it makes goes to ``Door/done(_:_:)``. Nothing else of the connection is read
    /// meanwhile.
    func work(_ work: any DoorWork) { server.work(work, connection, exchange) }

    /// The content was read by whoever needed it.
    func dropBody() { exchange.dropBody() }

    // MARK: The answer

    /// Answers in one piece.
    func respond(_ answer: HTTPAnswer) { server.respond(connection, exchange, answer) }

    /// Begins an answer in pieces, whose length nobody knows yet.
    func begin(_ status: Int, _ headers: HTTPHeaders) { server.beginPieces(connection, exchange, status, headers) }

    /// Writes a piece of it. The next one may be written once the client has taken this: ``Door/taken(_:)``.
    func write(_ bytes: [UInt8]) {
        if exchange.head.minor > 0 { HTTPChunk.write(bytes, to: &connection.out) } else { connection.out += bytes }
        server.markDirty(connection)
    }

    /// The last piece was written.
    func end() {
        if exchange.head.minor > 0, !exchange.isHead { connection.out += HTTPChunk.last }
        server.end(connection, exchange)
    }

    /// An answer in pieces cannot go on.
    func breakOff() { server.breakOff(connection) }

    /// What an address takes: told to OPTIONS, and to whoever tried something else.
    func allowed(_ verbs: [String]) -> HTTPAnswer { server.allowed(verbs, head) }
}
