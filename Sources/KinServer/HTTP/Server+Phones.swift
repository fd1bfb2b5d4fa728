import KinCodec
import KinKeeper
import KinModel

/// Phones whose apps speak their own way: see ``Gateway``.
extension Server {
    /// The app would send it again for ever, and hold back all behind it: it is answered like a good one. The rest is
    /// dropped with the connection.
    func takeTooMuch(_ connection: Connection, _ exchange: HTTPExchange) {
        connection.codec = .ending
        exchange.keepsAlive = false
        exchange.isTooLong = true
        happened(.requestIsWhole, connection)
        dispatch(connection, exchange)
    }

    /// Hands a phone's message over. One that is of no use goes the same way, since its password is to be judged before
    /// it is answered like a good one.
    func phone(_ connection: Connection, _ exchange: HTTPExchange, _ gateway: Gateway) {
        let post = PhonePost(head: exchange.head, body: exchange.body, isTooLong: exchange.isTooLong)
        guard post.body.count <= limits.parsedOnLoopBytesMax else {
            return parseElsewhere(.phone(gateway, post), connection, .http(exchange))
        }
        phone(connection, exchange, gateway, gateway.read(post))
    }

    /// Goes on with a message that was read.
    func phone(
        _ connection: Connection, _ exchange: HTTPExchange, _ gateway: Gateway, _ reading: PhoneReading
    ) {
        var reading = reading
        exchange.dropBody()
        guard let password = reading.password else {
            return respond(connection, exchange, gateway.refusal(reading))
        }
        let params = reading.params
        reading.params = [:]
        exchange.phoneReading = reading
        submit(
            connection, method: gateway.method, params: params, op: nil,
            credential: .appPassword(username: nil, password: password), answer: .http(exchange))
    }

    /// Answers a phone, once its password is judged.
    func respondToPhone(
        _ connection: Connection, _ exchange: HTTPExchange, _ gateway: Gateway, _ result: Result<[UInt8], Rejection>
    ) {
        let reading = exchange.phoneReading ?? PhoneReading()
        switch result {
        case .success(let bytes):
            if let sentence = reading.note {
                counters.phoneMessagesUnusable += 1
                tell(.phone, sentence)
            }
            respond(connection, exchange, gateway.answer(bytes, reading))
        case .failure(let rejection):
            switch rejection.kind {
            case .notSignedIn, .forbidden: respond(connection, exchange, gateway.refusal(reading))
            // It comes again, later.
            case .slowDown, .unavailable: respond(connection, exchange, .problem(rejection))
            default:
                // Nothing of that kind is known; whatever it is, the phone cannot put it right.
                counters.phoneMessagesUnusable += 1
                tell(.phone, "A message of \(gateway.app.title) was passed over: the family refused it.")
                respond(connection, exchange, gateway.answer(Array("[]".utf8), reading))
            }
        }
    }
}
