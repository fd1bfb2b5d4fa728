import KinCodec
import KinKeeper
import KinLoop
import KinModel

/// HTTP requests, from their first byte to their door.
extension Server {
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
            exchange.door.end(isTooLong: false, Doorway(self, connection, exchange))
        case .failed(let failure):
            if failure.status == 413, let exchange = connection.exchange,
                case .heldWhateverItsSize = content(connection, exchange)
            {
                return takeTooMuch(connection, exchange)
            }
            respondWithoutExchange(connection, .problem(failure.status, failure.sentence))
        }
    }

    private func content(_ connection: Connection, _ exchange: HTTPExchange) -> DoorContent {
        exchange.door.content(Doorway(self, connection, exchange))
    }

    /// The head is here: finds the door, decides how much content is accepted, and whether to go on.
    private func begin(_ connection: Connection, _ head: HTTPRequestHead) {
        let exchange = HTTPExchange(head: head, room: hall.bodyRoom)
        connection.exchange = exchange
        let doorway = Doorway(self, connection, exchange)
        if let refusal = readForwarding(connection, head) {
            exchange.door = AnsweredDoor(refusal)
        } else if !hall.policy.mayBePlain(connection) {
            exchange.door = refusePlain(connection, exchange)
        } else {
            exchange.door = hall.policy.judge(connection, head).map { AnsweredDoor($0) } ?? door(doorway)
            if let refusal = exchange.door.negotiate(doorway) {
                exchange.door = AnsweredDoor(refusal)
                // Without a length, any byte that follows may be content.
                if refusal.status == 411 { exchange.keepsAlive = false }
            }
        }
        if case .length(let bytes) = head.bodyLength, bytes > bodyBytesMax(content(connection, exchange)) {
            if case .heldWhateverItsSize = content(connection, exchange) {
            } else {
                exchange.door = AnsweredDoor(.problem(413, "The content is too large."))
            }
        }
        let beginning = exchange.door.begin(doorway)
        if case .refused(let refusal) = beginning { exchange.door = AnsweredDoor(refusal) }
        let content = content(connection, exchange)
        if case .refused = content, head.bodyLength != .none, head.bodyLength != .length(0) {
            // A refused body is not read: the answer goes out and the connection ends.
            exchange.keepsAlive = false
            return exchange.door.end(isTooLong: false, doorway)
        }
        if case .http(var parser) = connection.codec {
            parser.bodyBytesMax = bodyBytesMax(content)
            connection.codec = .http(parser)
        }
        if case .pieces = content { exchange.takesPieces = true }
        if case .wait = beginning { happened(.requestWaits, connection) } else { readContent(connection, exchange) }
    }

    /// Lets the content come.
    func readContent(_ connection: Connection, _ exchange: HTTPExchange) {
        happened(.bodyBegan, connection)
        if exchange.head.expectsContinue {
            connection.out += HTTPResponseHead.continued
            markDirty(connection)
        }
    }

    /// Bytes of content that a request may have.
    private func bodyBytesMax(_ content: DoorContent) -> Int {
        switch content {
        case .refused, .dropped: limits.bodyBytesMax
        case .held(let most), .heldWhateverItsSize(let most), .parcel(_, let most), .pieces(let most): most
        }
    }

    /// The door of a request: the first that claims it.
    private func door(_ doorway: Doorway) -> any Door {
        let head = doorway.head
        if doorway.connection.isForMetrics, head.path != ["metrics"], head.path != ["healthz"] {
            return AnsweredDoor(.problem(Rejection(.notFound, "At this address are /metrics and /healthz only.")))
        }
        if case .asterisk = head.targetForm {
            return AnsweredDoor(HTTPAnswer(204, ["Allow": (Self.verbs + ownVerbs).joined(separator: ", ")]))
        }
        for door in settings.doors {
            switch door.claims(head, doorway) {
            case nil: continue
            case .taken(let door)?: return door
            case .otherVerbs(let verbs)?: return AnsweredDoor(allowed(verbs, head))
            case .answered(let answer)?: return AnsweredDoor(answer)
            }
        }
        return AnsweredDoor(
            notImplemented(head.method)
                ?? .problem(Rejection(.notFound, "There is nothing at \(head.rawPath.prefix(200)).")))
    }

    // MARK: Content

    /// Takes a piece of a body; false when that is too much with all other bodies.
    private func takeBody(_ bytes: [UInt8], _ connection: Connection, _ exchange: HTTPExchange) -> Bool {
        switch content(connection, exchange) {
        case .refused, .dropped: return true
        case .held, .heldWhateverItsSize: return exchange.take(bytes)
        case .parcel(let place, _): return takeParcel(bytes, place, connection, exchange)
        case .pieces:
            exchange.door.body(bytes, Doorway(self, connection, exchange))
            return true
        }
    }

    /// Answers a body that is too long like a valid one: a phone app would send it again for ever, and hold back
    /// everything behind it. The rest of the body is dropped with the connection.
    private func takeTooMuch(_ connection: Connection, _ exchange: HTTPExchange) {
        connection.dropInput(limits)
        exchange.keepsAlive = false
        happened(.requestIsWhole, connection)
        exchange.door.end(isTooLong: true, Doorway(self, connection, exchange))
    }

    // MARK: Verbs

    /// The verbs of RFC 9110 and 5789 that are known here.
    static let verbs = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

    /// The verbs that only one of the doors knows.
    private var ownVerbs: [String] { Set(settings.doors.flatMap { $0.ownVerbs }).sorted() }

    /// The answer that lists the verbs of an address: to OPTIONS, and to a verb it does not take.
    func allowed(_ verbs: [String], _ head: HTTPRequestHead) -> HTTPAnswer {
        let allow = (verbs + ["OPTIONS"]).joined(separator: ", ")
        if head.method == .options { return HTTPAnswer(204, ["Allow": allow]) }
        return notImplemented(head.method)
            ?? .problem(405, "This address takes \(allow).", headers: ["Allow": allow])
    }

    /// RFC 9110 §9.1: 501 for a method that is known at no address.
    private func notImplemented(_ method: HTTPMethod) -> HTTPAnswer? {
        guard case .other(let name) = method, !ownVerbs.contains(name) else { return nil }
        return .problem(501, "The method \(name.prefix(40)) is not known here.")
    }

    // MARK: Elsewhere

    /// Has a worker do something for a door. The connection's later requests wait, so that all are applied in their order.
    func work(_ work: any DoorWork, _ connection: Connection, _ answer: Connection.Answer) {
        connection.sequence += 1
        connection.answers[connection.sequence] = answer
        connection.life.take(.heldBy(connection.sequence))
        workers.reader.post(
            .door(Ticket(connection: connection.key, sequence: connection.sequence), work), of: party(connection))
    }

    /// Has a worker do something for a door, while more of the content is read.
    func workBeside(_ work: any DoorWork, at line: JobLine, _ connection: Connection, _ exchange: HTTPExchange) {
        connection.sequence += 1
        exchange.beside.append(connection.sequence)
        // By the next piece the loop may know of another party.
        let party = exchange.besideParty ?? party(connection)
        exchange.besideParty = party
        line.post(.door(Ticket(connection: connection.key, sequence: connection.sequence), work), of: party)
    }

    /// Goes on with what a worker did for a door.
    func workDone(_ ticket: Ticket, _ made: any Sendable) {
        hall.bodyRoom.done(ticket)
        guard let connection = connection(key: ticket.connection) else { return }
        if let exchange = connection.exchange, let index = exchange.beside.firstIndex(of: ticket.sequence) {
            exchange.beside.remove(at: index)
            exchange.door.done(made, Doorway(self, connection, exchange))
            return resume(connection)
        }
        guard let answer = connection.answers.remove(ticket.sequence) else { return }
        switch answer {
        case .http(let exchange): exchange.door.done(made, Doorway(self, connection, exchange))
        case .rpc(let id): hall.rpc.done(made, Doorway(self, connection, Doorway.Message(id: id)))
        case .upgrade, .stream: return
        }
        release(connection, ticket)
    }
}
