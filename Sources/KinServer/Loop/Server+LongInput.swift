import KinKeeper
import KinLoop
import KinModel

extension Server {
    /// Has a worker parse what came. The connection's later requests wait, so that all are applied in their order.
    func parseElsewhere(_ input: LongInput, _ connection: Connection, _ answer: Connection.Answer) {
        connection.sequence += 1
        connection.answers[connection.sequence] = answer
        connection.heldBy = connection.sequence
        workers.reader.post(
            .parse(Ticket(connection: connection.key, sequence: connection.sequence), input), of: party(connection))
    }

    /// Goes on with what a worker parsed.
    func goOn(_ ticket: Ticket, _ parsed: LongInput.Parsed) {
        guard let connection = connection(key: ticket.connection),
            let answer = connection.answers.remove(ticket.sequence)
        else { return }
        switch (answer, parsed) {
        case (.rpc, .json(let json)): message(connection, json)
        case (.http(let exchange), .json(let json)):
            if case .method(let name, let path, _) = exchange.destination {
                call(connection, exchange, name, path, body: json)
            }
        case (.http(let exchange), .phone(let reading)):
            if case .phone(let gateway) = exchange.destination { phone(connection, exchange, gateway, reading) }
        default: break
        }
        release(connection, ticket)
    }
}
