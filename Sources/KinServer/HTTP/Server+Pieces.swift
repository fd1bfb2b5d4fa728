import KinCodec
import KinKeeper
import KinModel

/// Files that are too long to be held: an answer in pieces, the next of which is asked for when the client has taken those
/// before. So there is one piece of a file in memory, whoever is slow, and each is judged anew: a right that ends in
/// between ends the file.
extension Server {
    /// Writes a piece; with the last one the answer is whole.
    func send(_ piece: FilePiece, _ connection: Connection, _ exchange: HTTPExchange, _ ticket: Ticket) {
        var headers: HTTPHeaders = [
            "Content-Type": piece.mediaType, "Content-Disposition": "attachment; filename=\"\(piece.fileName)\"",
            "Cache-Control": "no-store",
        ]
        if !exchange.isBegun, piece.next == nil {
            connection.answers[ticket.sequence] = nil
            respond(connection, exchange, HTTPAnswer(200, headers, body: piece.bytes))
            return release(connection, ticket)
        }
        // HTTP/1.0 knows no chunks: there the end of the connection is the end of the file (RFC 9112 §6.3).
        let isChunked = exchange.head.minor > 0
        if !exchange.isBegun {
            exchange.isBegun = true
            exchange.keepsAlive = exchange.keepsAlive && isChunked && drainDeadline == nil
            if isChunked { headers.append("Transfer-Encoding", "chunked") }
            begin(connection, exchange, 200, headers)
        }
        markDirty(connection)
        if !exchange.isHead {
            if isChunked { HTTPChunk.write(piece.bytes, to: &connection.out) } else { connection.out += piece.bytes }
            if let next = piece.next {
                exchange.further = HTTPExchange.Further(after: next, sequence: ticket.sequence)
                return
            }
            if isChunked { connection.out += HTTPChunk.last }
        }
        connection.answers[ticket.sequence] = nil
        end(connection, exchange)
        release(connection, ticket)
    }

    /// The client has taken what there was: the next piece.
    func askFurther(_ connection: Connection, _ exchange: HTTPExchange) {
        guard let further = exchange.further, case .method(let name, let path, _) = exchange.destination,
            let method = registry.methods[name],
            var params = try? Routes.params(
                method, path: path, query: exchange.head.query, body: .success(.object([:])))
        else { return }
        exchange.further = nil
        params["after"] = .string(further.after)
        submit(
            connection, method: name, params: params, op: nil, credential: credential(connection, exchange.head),
            answer: .http(exchange))
        connection.answers[further.sequence] = nil
    }

    /// A file cannot go on. Its client sees that it is not whole: the connection ends before the content does.
    func breakOff(_ connection: Connection) {
        connection.exchange = nil
        endWhenFlushed(connection)
    }
}
