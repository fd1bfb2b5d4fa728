import KinCodec
import KinKeeper
import KinLoop
import KinModel
import KinStore

/// Snapshots: requested within the room that all share, made by the reader, sent piece by piece.
extension Server {
    /// Requests a snapshot for the follow that continues now. It waits in line until there is room; members and
    /// addresses take turns in the line.
    func askSnapshot(_ connection: Connection) {
        guard let following = connection.following else { return }
        following.needsSnapshot = true
        snapshots.wait(connection.key, party(connection))
        postSnapshots()
    }

    /// Requests as many snapshots as there is room for.
    private func postSnapshots() {
        while let key = snapshots.next() {
            guard let connection = connection(key: key) else { continue }
            // Its follow may be over, and a newer one may need no snapshot.
            guard let following = connection.following, following.needsSnapshot else { continue }
            following.needsSnapshot = false
            snapshots.room.asked += 1
            let job = Job.snapshot(
                for: StreamReading(connection: key, follow: following.follow), member: following.member,
                view: following.view)
            workers.reader.post(job, of: party(connection))
        }
        sendSlowTakersAway()
    }

    /// Ends connections that take too long over their snapshot while others wait for room.
    func sendSlowTakersAway() {
        let now = time.monotonicNanoseconds()
        let patience = UInt64(limits.snapshotMilliseconds) &* 1_000_000
        while snapshots.line.count > 0, let key = snapshots.room.takers.first {
            guard let connection = connection(key: key), let message = connection.inPieces else { return }
            guard now >= message.begunAt &+ patience else {
                return timers.set(.snapshots, at: message.begunAt &+ patience)
            }
            hitLimit("snapshots")
            end(connection, .tooSlow)
            // A connection whose last piece is ready gets that with its goodbye.
            letSnapshotGo(connection)
        }
    }

    func snapshotArrived(_ reading: StreamReading, _ result: Result<SnapshotMade?, StoreFailure>) {
        snapshots.room.asked -= 1
        defer { postSnapshots() }
        if case .success(let made?) = result { tell(outgrown: made.outgrown) }
        guard let connection = connection(key: reading.connection), let following = connection.following,
            following.follow == reading.follow
        else { return }
        switch result {
        case .failure(let failure):
            tell(.work, "A snapshot could not be read: \(failure.sentence)")
            end(connection, .restarting, retryAfter: 5)
        case .success(nil): end(connection, .memberRemoved)
        case .success(let made?): take(made, connection, following)
        }
    }

    /// Logs which areas had more to show than fits into a snapshot: once an hour for each area.
    private func tell(outgrown areas: [String]) {
        let now = time.monotonicNanoseconds()
        for name in areas where snapshots.isNews(name, now: now) {
            tell(
                .work,
                "The part of a snapshot that is \(name)'s outgrew its bound for a member and was left out; its lists have all."
            )
        }
    }

    /// Sends the snapshots that had to wait: for their turn's commit, or for another message of their connection.
    func takeEarlySnapshots() {
        guard snapshots.hasEarly else { return }
        for one in snapshots.takeEarly() {
            guard let connection = connection(key: one.connection), connection.following === one.following else {
                continue
            }
            take(one.made, connection, one.following)
        }
        postSnapshots()
    }

    private func take(_ made: SnapshotMade, _ connection: Connection, _ following: Following) {
        // A reader may see a turn before the loop hears of it. That turn's replies come first, as they are no newer.
        // And a message that was begun is sent to its end.
        guard made.position <= fanOut.feed.last, !connection.isWithinPieces else {
            snapshots.keep(SnapshotDesk.Early(connection: connection.key, following: following, made: made))
            return
        }
        // Something was hidden since then, which must no longer be shown: the snapshot is made anew.
        guard made.position >= fanOut.feed.lastHiding else {
            askSnapshot(connection)
            return
        }
        counters.snapshots += 1
        noteChurn()
        let cursor = fanOut.epochs.cursor(upTo: made.position, salt: randomNumber())
        switch following.state {
        case .opening(_, let ticket):
            writeLists(connection, upTo: made.position)
            answerFollow(connection, ticket, mode: "reset", cursor: cursor, snapshot: made)
        case .resetting:
            writeLists(connection, upTo: made.position)
            writeReset(connection, following, cursor: cursor, made)
        case .reading, .taking, .live: return
        }
        following.cursor = made.position
        following.state = connection.isWithinPieces ? .taking : .live
        markDirty(connection)
    }

    /// The notification of a snapshot.
    func writeReset(_ connection: Connection, _ following: Following, cursor: String, _ made: SnapshotMade) {
        let params = Array("{\"cursor\":\"\(cursor)\",\"view\":\"\(following.view.text)\",\"snapshot\":null}".utf8)
        write(connection, following, RPC.notification(method: "reset", bytes: params), cursor: cursor, made)
    }

    /// Begins a message that ends with a snapshot. `json` has `null` in its place.
    func write(
        _ connection: Connection, _ following: Following, _ message: [UInt8], cursor: String, _ made: SnapshotMade
    ) {
        guard connection.envelope != nil else { return }
        letSnapshotGo(connection)
        connection.inPieces = MessageInPieces(
            message, cursor: cursor, made, of: following, at: time.monotonicNanoseconds())
        snapshots.room.begin(made, connection.key)
        writeNextPiece(connection)
        markDirty(connection)
    }

    // MARK: On its way

    /// Makes ready as much as the client may have next of a message that leaves in pieces.
    func writePieces(_ connection: Connection) {
        while connection.isWithinPieces, !connection.life.hasSaidGoodbye,
            connection.out.count - connection.outStart < limits.outBytesMax
        { writeNextPiece(connection) }
    }

    private func writeNextPiece(_ connection: Connection) {
        guard let message = connection.inPieces, let envelope = connection.envelope else { return }
        message.writeNext(
            envelope, deflater, compressedBytesMin: limits.compressedMessageBytesMin, to: &connection.out)
        guard message.isWritten else { return }
        connection.out += message.behind
        message.behind = []
        if let following = connection.following, following.follow == message.follow, case .taking = following.state {
            following.state = .live
        }
        // Within a commit its replies come first, whoever they are for: a list older than the snapshot must not come
        // after it.
        if snapshots.hasEarly, !snapshots.isAnswering { takeEarlySnapshots() }
    }

    /// The client has taken all of a message in pieces, or takes no more of it.
    func letSnapshotGo(_ connection: Connection) {
        guard let message = connection.inPieces else { return }
        connection.inPieces = nil
        snapshots.room.end(message.made, connection.key)
        postSnapshots()
    }

    /// Something went out of somebody's sight. A snapshot from before that may hold it, so its sending stops.
    func cutSnapshots(_ hiding: [LogRow]) {
        guard !hiding.isEmpty else { return }
        for key in snapshots.room.takers {
            guard let connection = connection(key: key), connection.isWithinPieces, let message = connection.inPieces
            else { continue }
            if hiding.contains(where: { $0.position > message.made.position && $0.audience.contains(message.member) }) {
                end(connection, .sightChanged)
            }
        }
    }

    /// Ends a connection within a message. The message stays incomplete, so only a close frame can follow.
    func cutOff(_ connection: Connection, _ code: CloseCode, reason: String) {
        letSnapshotGo(connection)
        fanOut.end(connection)
        switch connection.envelope {
        case .webSocket, .deflated:
            WebSocketFrame.writeClose(code: code.rawValue, reason: reason, to: &connection.out)
            awaitClose(connection)
        default: endWhenFlushed(connection)
        }
    }
}
