import KinCodec
import KinKeeper
import KinLoop
import KinModel
import KinStore

/// Long bodies go to a file piece by piece, on the reader's thread, no faster than it writes them.
extension Server {
    /// Takes a piece of a body of which one parameter may come as a file; false when all bodies together are too much.
    func takeParcel(
        _ bytes: [UInt8], _ place: Parcel.Place, _ connection: Connection, _ exchange: HTTPExchange
    ) -> Bool {
        if exchange.upload == nil {
            guard exchange.body.count + bytes.count > limits.pictureBodyHeldBytesMax / 2 else {
                return exchange.take(bytes)
            }
            let reserve = Intake.bytesHeldMax(outlineBytesMax: limits.pictureOutlineBytesMax)
            guard exchange.hold(reserve) else { return false }
            connection.sequence += 1
            exchange.upload = Upload(
                ticket: Ticket(connection: connection.key, sequence: connection.sequence),
                intake: Intake(
                    place, of: party(connection), outlineBytesMax: limits.pictureOutlineBytesMax,
                    Spool.Most(
                        bytesOfAll: limits.pictureFilesBytesMax, bytesOfOne: limits.pictureFilesOfOneBytesMax)),
                waiting: exchange.moveBody())
        }
        guard exchange.hold(bytes.count) else { return false }
        exchange.upload?.waiting += bytes
        handPieceOver(connection, exchange)
        return true
    }

    /// The body's last byte is here. The request goes on once it is written.
    func uploadEnded(_ connection: Connection, _ exchange: HTTPExchange) {
        guard let upload = exchange.upload else { return }
        exchange.upload?.isWhole = true
        connection.answers[upload.ticket.sequence] = .http(exchange)
        handPieceOver(connection, exchange)
        finishUpload(connection, exchange)
    }

    private func handPieceOver(_ connection: Connection, _ exchange: HTTPExchange) {
        guard var upload = exchange.upload else { return }
        exchange.upload = nil
        if upload.isPieceReady(limits), let intake = upload.intake {
            swap(&upload.writing, &upload.waiting)
            upload.intake = nil
            workers.reader.post(.take(upload.ticket, intake, upload.writing), of: party(connection))
        }
        // The time that the disk takes does not count against the client.
        if upload.isFull(limits), !upload.isWhole { happened(.bodyWaits, connection) }
        exchange.upload = upload
    }

    /// A worker has written a piece, or says why not.
    func pieceWritten(_ ticket: Ticket, _ result: Result<Intake, Intake.Refusal>) {
        guard let connection = connection(key: ticket.connection), let exchange = connection.exchange,
            exchange.upload?.ticket == ticket
        else {
            // The connection broke, or was told that it took too long.
            if case .success(let intake) = result { workers.reader.post(.letGo(intake), of: .machine) }
            return
        }
        switch result {
        case .failure(let refusal):
            if let limit = refusal.limit { hitLimit(limit) }
            connection.answers[ticket.sequence] = nil
            exchange.upload = nil
            respondWithoutExchange(connection, .problem(refusal.rejection))
        case .success(let intake):
            exchange.letGo(exchange.upload?.writing.count ?? 0)
            exchange.upload?.writing = []
            exchange.upload?.intake = intake
            handPieceOver(connection, exchange)
            if exchange.upload?.isFull(limits) == false { happened(.bodyGoesOn, connection) }
            finishUpload(connection, exchange)
            resume(connection)
        }
    }

    /// Goes on with the request once all of its body is written.
    private func finishUpload(_ connection: Connection, _ exchange: HTTPExchange) {
        guard let upload = exchange.upload, upload.isWhole, upload.waiting.isEmpty, let intake = upload.intake else {
            return
        }
        exchange.upload = nil
        exchange.setOutline(intake.outline)
        exchange.parcel = intake.parcel
        connection.answers[upload.ticket.sequence] = nil
        exchange.door.end(isTooLong: false, Doorway(self, connection, exchange))
    }

    /// Whether as much of a body is held as is allowed: no more is read then.
    func isBodyFull(_ connection: Connection) -> Bool {
        guard let exchange = connection.exchange else { return false }
        return exchange.isFull || exchange.upload?.isFull(limits) ?? false
    }

    /// The request is over. What came of a body is dropped; a worker removes its file.
    func letUploadGo(_ connection: Connection) {
        guard let exchange = connection.exchange else { return }
        exchange.door.close(Doorway(self, connection, exchange))
        guard let upload = exchange.upload else { return }
        connection.exchange?.upload = nil
        connection.answers[upload.ticket.sequence] = nil
        if let intake = upload.intake { workers.reader.post(.letGo(intake), of: .machine) }
    }
}
