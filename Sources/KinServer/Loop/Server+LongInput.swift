import KinCodec
import KinKeeper
import KinLoop
import KinModel

extension Server {
    /// Has a worker parse a message. The connection's later requests wait, so that all are applied in their order.
    func parseElsewhere(_ bytes: [UInt8], _ connection: Connection) {
        connection.sequence += 1
        connection.answers[connection.sequence] = .rpc(id: nil)
        connection.life.take(.heldBy(connection.sequence))
        workers.reader.post(
            .parse(Ticket(connection: connection.key, sequence: connection.sequence), bytes), of: party(connection))
    }

    /// Goes on with what a worker parsed.
    func goOn(_ ticket: Ticket, _ parsed: Result<JSON, JSONFailure>) {
        guard let connection = connection(key: ticket.connection),
            case .rpc? = connection.answers.remove(ticket.sequence)
        else { return }
        message(connection, parsed)
        release(connection, ticket)
    }
}
