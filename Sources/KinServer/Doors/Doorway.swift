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
    /// Whether only the head of the answer is wanted.
    var isHead: Bool { exchange.isHead }
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
        _ method: String, _ params: JSON.Object, op: String? = nil, parcel: Parcel? = nil,
        if condition: Condition? = nil, as credential: Credential
    ) {
        server.submit(
            connection, method: method, params: params, op: op, parcel: parcel, condition: condition,
            credential: credential, answer: .http(exchange))
    }

    /// Asks the keeper for several things, which it does in one turn with nothing between them: all of them, or nothing.
    /// The answer is the list of their results.
    func ask(_ first: Request.Step, _ others: [Request.Step], as credential: Credential) {
        server.submit(
            connection, method: first.method, params: first.params, op: first.op, also: others, credential: credential,
            answer: .http(exchange))
    }

    /// Has a worker do something; what it makes goes to ``Door/done(_:_:)``. Nothing else of the connection is read
    /// meanwhile.
    func work(_ work: any DoorWork) { server.work(work, connection, exchange) }

    /// The same while more of the content is read.
    func workBeside(_ work: any DoorWork) { server.workBeside(work, connection, exchange) }

    /// Counts bytes as held; false when all bodies together would be too much.
    func hold(_ count: Int) -> Bool { exchange.hold(count) }

    /// Counts them no longer.
    func heldNoMore(_ count: Int) { exchange.letGo(count) }

    // MARK: The content

    /// The content may come, for which ``Beginning/wait`` was said.
    func goOn() { server.readContent(connection, exchange) }

    /// The content got on: it has as long again. (The time of a file of 2 GiB is not that of a form.)
    func gotOn() {
        if connection.life.stage == .body { server.happened(.bodyBegan, connection) }
    }

    /// All of the content is here, and the answer is not: nothing else of the connection is read.
    func stand() { server.stand(connection, exchange) }

    /// This request goes on with an upload's file, and whichever did before is over: two at once would mix their bytes.
    func takeOver(_ file: String) {
        let room = server.bodyRoom
        if let key = room.uploads[file], key != connection.key, let other = server.connection(key: key) {
            server.respondWithoutExchange(other, .problem(409, "The upload goes on with another request."))
        }
        room.uploads[file] = connection.key
    }

    /// It does so no longer.
    func letGo(_ file: String) {
        if server.bodyRoom.uploads[file] == connection.key { server.bodyRoom.uploads[file] = nil }
    }

    /// The content was read by whoever needed it.
    func dropBody() { exchange.dropBody() }

    // MARK: The answer

    /// Answers in one piece.
    func respond(_ answer: HTTPAnswer) { server.respond(connection, exchange, answer) }

    /// Answers before the content was read to its end: the connection ends after it.
    func refuse(_ answer: HTTPAnswer) {
        if head.bodyLength != .none, head.bodyLength != .length(0) { exchange.keepsAlive = false }
        respond(answer)
    }

    /// Says something before the answer (RFC 9110 §15.2). HTTP/1.0 knows none of that.
    func inform(_ status: Int, _ reason: String, _ headers: HTTPHeaders) {
        guard head.minor > 0 else { return }
        HTTPResponseHead(status: status, reason: reason, headers: headers).write(to: &connection.out)
        server.markDirty(connection)
    }

    /// The status of a method's answer where all went well.
    func status(of method: String) -> Int { registry.methods[method]?.route?.status ?? 200 }

    /// Begins an answer in pieces, whose length nobody knows yet.
    func begin(_ status: Int, _ headers: HTTPHeaders) { server.beginPieces(connection, exchange, status, headers) }

    /// Begins an answer in pieces that has so many bytes.
    func begin(_ status: Int, _ headers: HTTPHeaders, bytes: Int) {
        server.beginPieces(connection, exchange, status, headers, length: bytes)
    }

    /// Writes a piece of it. The next one may be written once the client has taken this: ``Door/taken(_:)``.
    func write(_ bytes: [UInt8]) {
        if exchange.isChunked { HTTPChunk.write(bytes, to: &connection.out) } else { connection.out += bytes }
        server.markDirty(connection)
    }

    /// The last piece was written.
    func end() {
        if exchange.isChunked, !exchange.isHead { connection.out += HTTPChunk.last }
        server.end(connection, exchange)
    }

    /// An answer in pieces cannot go on.
    func breakOff() { server.breakOff(connection) }

    /// What an address takes: told to OPTIONS, and to whoever tried something else.
    func allowed(_ verbs: [String]) -> HTTPAnswer { server.allowed(verbs, head) }
}
