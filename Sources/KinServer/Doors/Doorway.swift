import KinCodec
import KinKeeper
import KinModel

/// The means of a door for one request of one connection. It is made anew for each call, so that a door cannot keep the
/// server.
struct Doorway {
    let server: Server
    let connection: Connection
    private let carrier: Carrier

    /// A message of JSON-RPC, with the place of its answer.
    struct Message {
        /// `nil` where it is not known yet, or where no answer is wanted.
        let id: JSON?
        /// The position in the log at which the answer is true. It is sent after the events up to there.
        var position: Int64 = 0
        /// Whether the answer is a list that a snapshot must not come before.
        var isList = false
    }

    /// What carries the request.
    private enum Carrier {
        case http(HTTPExchange)
        case message(Message)
    }

    init(_ server: Server, _ connection: Connection, _ exchange: HTTPExchange) {
        self.server = server
        self.connection = connection
        carrier = .http(exchange)
    }

    init(_ server: Server, _ connection: Connection, _ message: Message) {
        self.server = server
        self.connection = connection
        carrier = .message(message)
    }

    /// The HTTP request, with its head, its content and the state of its answer. A message has none of them.
    var exchange: HTTPExchange {
        guard case .http(let exchange) = carrier else { preconditionFailure("A message of JSON-RPC has no HTTP head.") }
        return exchange
    }

    /// The message, where the request is one.
    var message: Message? { if case .message(let message) = carrier { message } else { nil } }

    /// The form of the answer.
    private var answer: Connection.Answer {
        switch carrier {
        case .http(let exchange): .http(exchange)
        case .message(let message): .rpc(id: message.id)
        }
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
    /// The request's own credential; over the Unix socket the peer's. Messages have their connection's.
    var credential: Credential {
        switch carrier {
        case .http(let exchange): server.hall.policy.credential(connection, exchange.head)
        case .message: connection.credential
        }
    }
    /// The content that is here.
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
            credential: credential, answer: answer)
    }

    /// Asks the keeper for several things, which it does in one turn with nothing between them: all of them, or none.
    /// The answer is the list of their results.
    func ask(_ first: Request.Step, _ others: [Request.Step], as credential: Credential) {
        server.submit(
            connection, method: first.method, params: first.params, op: first.op, also: others, credential: credential,
            answer: answer)
    }

    /// Has a worker do something; what it makes goes to ``Door/done(_:_:)``. Nothing else of the connection is read
    /// meanwhile.
    func work(_ work: any DoorWork) { server.work(work, connection, answer) }

    /// The same while more of the content is read.
    func workBeside(_ work: any DoorWork) {
        server.workBeside(work, at: server.workers.reader, connection, exchange)
    }

    /// Has what is written of an upload synced, while more of it is written.
    func sync(_ work: UploadSync) { server.workBeside(work, at: server.workers.disk, connection, exchange) }

    /// Counts bytes as held; false when all bodies together would be too much.
    func hold(_ count: Int) -> Bool { exchange.hold(count) }

    /// Counts bytes as held no longer.
    func heldNoMore(_ count: Int) { exchange.letGo(count) }

    /// Counts bytes that workers still have as held after the request is over: whoever breaks off and begins anew, again
    /// and again, would fill the memory while the disk is slow.
    func leave(_ count: Int) {
        guard count > 0, let last = exchange.beside.last else { return }
        exchange.leave(count, until: Ticket(connection: connection.key, sequence: last))
    }

    // MARK: The content

    /// Lets the content come, after ``Beginning/wait`` was answered.
    func goOn() { server.readContent(connection, exchange) }

    /// Begins the time for the content anew, after some of it came. (A file of 2 GiB needs more time than a form.)
    func gotOn() {
        if connection.life.stage == .body { server.happened(.bodyBegan, connection) }
    }

    /// Says whether as much of the content is held as may be. Then no more is read, and the time that the disk takes does
    /// not count against the client.
    func fill(_ isFull: Bool) {
        let isNews = exchange.isFull != isFull
        exchange.isFull = isFull
        guard isFull || isNews, connection.life.stage == .body else { return }
        server.happened(isFull ? .bodyWaits : .bodyGoesOn, connection)
    }

    /// All of the content is here, but not the answer: nothing else of the connection is read.
    func stand() { server.stand(connection, exchange) }

    /// Gives an upload's file to this request and ends the request that had it: two at once would mix their bytes.
    func takeOver(_ file: String) {
        let room = server.hall.bodyRoom
        if let key = room.uploads[file], key != connection.key, let other = server.connection(key: key) {
            server.respondWithoutExchange(other, .problem(409, "The upload goes on with another request."))
        }
        room.uploads[file] = connection.key
    }

    /// Gives the upload's file back.
    func letGo(_ file: String) {
        if server.hall.bodyRoom.uploads[file] == connection.key { server.hall.bodyRoom.uploads[file] = nil }
    }

    /// Drops the content, after it was read.
    func dropBody() { exchange.dropBody() }

    // MARK: The answer

    /// Answers a message, after the events that its answer knows of.
    func send(_ json: [UInt8], _ message: Message) {
        server.queue(connection, json, after: message.position, isList: message.isList)
    }

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

    /// The status of a method's answer after success.
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

    /// Ends an answer in pieces that cannot be continued.
    func breakOff() { server.breakOff(connection) }

    /// The answer that lists the verbs of an address: to OPTIONS, and to a verb it does not take.
    func allowed(_ verbs: [String]) -> HTTPAnswer { server.allowed(verbs, head) }
}
