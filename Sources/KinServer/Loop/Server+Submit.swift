import KinCodec
import KinCrypto
import KinKeeper
import KinLoop
import KinModel
import KinStore

extension Server {
    // MARK: To the keeper

    /// Sends a request to the keeper. The connection remembers the form of its answer.
    func submit(
        _ connection: Connection, method: String, params: JSON.Object, op: String?, parcel: Parcel? = nil,
        also: [Request.Step] = [], condition: Condition? = nil, credential: Credential? = nil, answer: Connection.Answer
    ) {
        connection.sequence += 1
        let ticket = Ticket(connection: connection.key, sequence: connection.sequence)
        connection.answers[ticket.sequence] = answer
        let credential = credential ?? connection.credential
        let member = member(behind: credential, connection)
        let origin = Origin(
            addressKey: connection.isUnix ? "" : connection.address?.slowdownKey.description ?? "",
            agent: agent(connection))
        var request = Request(
            ticket: ticket, credential: credential, origin: origin, method: method, params: params, op: op,
            parcel: parcel, also: also, member: member)
        request.condition = condition
        switch port.put(request) {
        case .onItsWay: break
        case .waits: connection.life.take(.usedShare)
        case .noRoom:
            hitLimit("requests")
            let rejection = Rejection(.slowDown, "There is too much to do at once.", retryAfter: 1)
            return finish(connection, ticket, .failure(rejection), .none)
        }
        if registry.methods[method]?.takesTurns(params) ?? false {
            connection.life.take(.heldBy(ticket.sequence))
        }
    }

    private func agent(_ connection: Connection) -> String {
        let text = connection.exchange?.head.headers["User-Agent"] ?? ""
        return String(text.unicodeScalars.prefix(200).map { Character($0) })
    }
}
