import KinCodec
import KinKeeper
import KinLoop
import KinModel
import KinTLS

extension Server {
    // MARK: Flushing

    /// Gives every connection with something to send one chance in this turn.
    func flush() {
        for connection in connections.takeDirty() {
            connection.isDirty = false
            if !connection.isClosed { flush(connection) }
        }
        if fanOut.isDue { writeToFollowers() }
    }

    /// Writes to all followers, and singly to those that need more than events.
    private func writeToFollowers() {
        let round = fanOut.write(network, &counters)
        for connection in round.blocked { block(connection) }
        for connection in round.gone { close(connection) }
        let others = fanOut.takeOthers()
        for connection in others where !connection.isDirty && !connection.isClosed { flush(connection) }
        fanOut.returned(others)
    }

    private func flush(_ connection: Connection) {
        guard !connection.life.isBlocked else { return }
        rouse(connection)
        send(connection)
        guard let following = connection.following, following.isPlain, !connection.isDirty, connection.tls == nil,
            connection.out.isEmpty, connection.inPieces == nil, connection.life.isRead,
            connection.life.blockedAt == nil,
            !connection.life.isEnding
        else { return }
        fanOut.followers.rest(following)
    }

    /// From here on the connection is written to by itself, until it only gets events.
    func rouse(_ connection: Connection) {
        if let following = connection.following { fanOut.followers.rouse(following) }
    }

    private func send(_ connection: Connection) {
        // A second round sends what the first made room for. More rounds would let one client keep the loop.
        for _ in 0..<4 {
            writePieces(connection)
            if connection.following == nil || !connection.life.isInputDropped { fill(connection) }
            encrypt(connection)
            let isDone = connection.tls == nil ? writeOut(connection) : writeWire(connection)
            if connection.isClosed { return }
            if !isDone { return block(connection) }
            if connection.pendingBytes == 0, !connection.isWithinPieces { letSnapshotGo(connection) }
            if connection.pendingBytes == 0, !hasMore(connection) { break }
        }
        if connection.pendingBytes > 0 || hasMore(connection) {
            markDirty(connection)
            return
        }
        passed(.tookRest, connection)
        // Thousands of idle connections hold nothing.
        if connection.out.capacity > 0 { connection.out = [] }
        if connection.wire.capacity > 0 { connection.wire = [] }
        if connection.life.isEnding {
            finishClosing(connection)
        } else if let exchange = connection.exchange, exchange.isBegun {
            exchange.door.taken(Doorway(self, connection, exchange))
        } else if !connection.life.isRead {
            resume(connection)
        }
    }

    /// Whether there is more for it: the rest of a message, or events that the feed holds.
    private func hasMore(_ connection: Connection) -> Bool {
        if connection.isWithinPieces { return true }
        guard let following = connection.following, case .live = following.state else { return false }
        if connection.life.isInputDropped { return false }
        return following.cursor < fanOut.feed.last || !following.waiting.isEmpty
    }

    private func encrypt(_ connection: Connection) {
        guard let tls = connection.tls else { return }
        while connection.outStart < connection.out.count {
            let outcome = unsafe connection.out.withUnsafeBytes { bytes in
                unsafe tls.write(UnsafeRawBufferPointer(rebasing: bytes[connection.outStart...]))
            }
            guard case .bytes(let count) = outcome else { break }
            connection.outStart += count
        }
        if connection.outStart == connection.out.count {
            connection.out.removeAll(keepingCapacity: true)
            connection.outStart = 0
        }
        if tls.hasOutput { tls.takeOutput(into: &connection.wire) }
    }

    private func writeOut(_ connection: Connection) -> Bool {
        send(connection, &connection.out, &connection.outStart)
    }

    private func writeWire(_ connection: Connection) -> Bool {
        send(connection, &connection.wire, &connection.wireStart)
    }

    /// Sends; true when everything was taken.
    private func send(_ connection: Connection, _ bytes: inout [UInt8], _ start: inout Int) -> Bool {
        while start < bytes.count {
            let from = start
            let outcome = unsafe bytes.withUnsafeBytes { buffer in
                unsafe network.write(connection.token, UnsafeRawBufferPointer(rebasing: buffer[from...]))
            }
            switch outcome {
            case .bytes(let count):
                start += count
                counters.bytesOut &+= count
                if connection.life.blockedAt != nil { passed(.took(at: time.monotonicNanoseconds()), connection) }
            case .wouldBlock: return false
            case .failed:
                close(connection)
                return true
            }
        }
        bytes.removeAll(keepingCapacity: true)
        start = 0
        return true
    }

    private func block(_ connection: Connection) {
        rouse(connection)
        happened(.blocked, connection)
    }

    // MARK: Ending

    /// Ends a connection after what is ready for it has been taken.
    func endWhenFlushed(_ connection: Connection) {
        connection.dropInput(limits)
        letUploadGo(connection)
        if connection.isWithinPieces { letSnapshotGo(connection) }
        fanOut.end(connection)
        connection.answers.removeAll()
        happened(.ends, connection)
        markDirty(connection)
    }

    /// Ends the stream but not the connection. Replies that waited for their place in the stream are sent now.
    func leaveStream(_ connection: Connection) {
        for reply in connection.following?.waiting ?? [] { connection.messagesOut += reply.bytes }
        fanOut.end(connection)
        markDirty(connection)
    }

    /// Says why, in the transport's own way, and ends the connection.
    func end(_ connection: Connection, _ code: CloseCode, reason: String? = nil, retryAfter: Int? = nil) {
        guard !connection.isClosed, !connection.life.hasSaidGoodbye else { return }
        happened(.saidGoodbye, connection)
        if connection.isWithinPieces { return cutOff(connection, code, reason: reason ?? code.reason) }
        if let following = connection.following {
            // A list out of its place would be changed by the events that the client gets when it comes back.
            let cursor = fanOut.cursor(following)
            following.waiting.removeAll { $0.isList && $0.after > cursor }
            leaveStream(connection)
        }
        let reason = reason ?? code.reason
        if let envelope = connection.envelope {
            let params: JSON = [
                "code": .int(Int64(code.rawValue)), "reason": .string(reason),
                "retryAfter": retryAfter.map { .int(Int64($0)) } ?? .null,
            ]
            if !connection.isForeign {
                write(connection, RPC.notification(method: "closing", params: params))
            }
            switch envelope {
            // ntfy's app ignores a close frame and would wait for minutes. It opens a connection anew that ends without
            // one.
            case .foreign where subscription(connection)?.isWebSocket == true: break
            case .webSocket, .deflated:
                WebSocketFrame.writeClose(code: code.rawValue, reason: reason, to: &connection.out)
                return awaitClose(connection)
            case .line: break
            case .serverSentEvent, .ndjson, .foreign: connection.out += HTTPChunk.last
            }
        }
        endWhenFlushed(connection)
    }

    /// Our close frame is sent. The peer's own is waited for before the connection ends, which the server must do first
    /// (RFC 6455 §7.1.1). Anything else that the peer sends is dropped.
    func awaitClose(_ connection: Connection) {
        connection.answers.removeAll()
        markDirty(connection)
        happened(.awaitsGoodbye, connection)
        if !connection.life.isEnding { resume(connection) }
    }

    /// Ends the connections that may see nothing any more, before any event of the same commit. `signingOut` are the
    /// connections that asked for it themselves.
    func end(_ revocation: Revocation, _ signingOut: Set<UInt64>) {
        for connection in connections.open {
            if let subscription = subscription(connection), subscription.ends(by: revocation) {
                end(connection, .sessionRevoked)
                continue
            }
            guard
                let identity = connection.identity
                    ?? connection.following.map({
                        Identity(member: $0.member, number: $0.number, session: nil)
                    })
            else { continue }
            let code: CloseCode
            switch revocation {
            case .signedOut(let session):
                guard identity.session == session else { continue }
                code = .signedOut
            case .session(let session):
                guard identity.session == session else { continue }
                code = .sessionRevoked
            case .wait(let session):
                guard identity.session == session, connection.following != nil else { continue }
                code = .sightChanged
            case .member(let member):
                guard identity.member == member else { continue }
                code = .memberRemoved
            case .everybody: code = .goingAway
            }
            // The connection that asked for it gets its answer and stays, signed out; the others end.
            if signingOut.contains(connection.key) { leaveStream(connection) } else { end(connection, code) }
        }
    }

    /// Everything was taken: closes in order. TLS sends close_notify first (RFC 8446 §6.1).
    private func finishClosing(_ connection: Connection) {
        if let tls = connection.tls, !connection.life.hasSaidGoodbye || tls.isHandshakeComplete {
            tls.close()
            tls.takeOutput(into: &connection.wire)
            _ = writeWire(connection)
        }
        happened(.tookAll, connection)
    }

    func shutDown(_ connection: Connection) {
        // Closing at once with unread input would reset the connection and lose the last bytes. So the peer has a
        // moment to close its side, and its input is dropped.
        network.shutdownWriting(connection.token)
        connection.unread = []
        noteRoom(connection, true)
    }

    /// Closes now. The connection object stays until the turn's end.
    func close(_ connection: Connection) {
        guard !connection.isClosed else { return }
        happened(.closes, connection)
        letUploadGo(connection)
        letSnapshotGo(connection)
        fanOut.end(connection)
        fanOut.subscriptions.end(connection)
        connections.close(connection)
    }

    /// Closes the connections that ended in this turn.
    func reap() {
        for connection in connections.closed {
            network.close(connection.token)
            noteChurn()
        }
        connections.reap()
        if ending.hasBegun, connections.count == 0 { ending.finish() }
    }
}
