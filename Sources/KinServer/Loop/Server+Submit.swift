import KinCodec
import KinCrypto
import KinKeeper
import KinLoop
import KinModel
import KinStore

extension Server {
    // MARK: To the keeper

    /// Puts a request on its way. What its reply becomes is remembered at the connection.
    func submit(
        _ connection: Connection, method: String, params: JSON.Object, op: String?, parcel: Parcel? = nil,
        also: [Request.Step] = [], credential: Credential? = nil, answer: Connection.Answer
    ) {
        connection.sequence += 1
        let ticket = Ticket(connection: connection.key, sequence: connection.sequence)
        connection.answers[ticket.sequence] = answer
        let credential = credential ?? connection.credential
        let member = member(behind: credential, connection)
        let origin = Origin(
            addressKey: connection.isUnix ? "" : connection.address?.slowdownKey.description ?? "",
            agent: agent(connection))
        let request = Request(
            ticket: ticket, credential: credential, origin: origin, method: method, params: params, op: op,
            parcel: parcel, also: also, member: member)
        guard underWay.begin(request, limits.requestsMax) else {
            hitLimit("requests")
            finish(
                connection, ticket, .failure(Rejection(.slowDown, "There is too much to do at once.", retryAfter: 1)),
                .none)
            return
        }
        if registry.methods[method]?.takesTurns(params) ?? false { connection.heldBy = ticket.sequence }
        if shares.take(request.party, of: limits.requestsPerPartyAndTurn) {
            submitted.append(.request(request))
        } else {
            connection.waitsForTurn = true
            shares.hold(request)
        }
    }

    private func agent(_ connection: Connection) -> String {
        let text = connection.exchange?.head.headers["User-Agent"] ?? ""
        return String(text.unicodeScalars.prefix(200).map { Character($0) })
    }

    /// Hands over what this turn has gathered for the keeper, at once: so that what arrived together is committed
    /// together. (One by one, the keeper woke at the first and committed the rest by itself: twice the syncs, and twice
    /// the sends to every follower.)
    func submit() {
        guard !submitted.isEmpty else { return }
        for case .request in submitted { requestsAtKeeper += 1 }
        toKeeper.post(contentsOf: submitted)
        submitted.removeAll(keepingCapacity: true)
    }
}
