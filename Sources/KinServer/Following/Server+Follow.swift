import KinCodec
import KinKeeper
import KinLoop
import KinModel
import KinStore

/// Following the log: one implementation under all transports.
extension Server {
    /// Begins a permitted follow: from a snapshot, or from the client's cursor if that is valid.
    func startFollowing(_ connection: Connection, _ ticket: Ticket, _ follow: Follow, _ answer: Connection.Answer) {
        if case .stream(let exchange, let envelope) = answer {
            openStream(connection, exchange, envelope, follow.identity)
            if connection.life.isEnding { return }
        }
        let waiting = connection.following?.waiting ?? []
        let following = Following(
            follow: fanOut.nextFollow(), number: follow.identity.number, member: follow.identity.member,
            isAtMachine: follow.identity.session == nil, view: follow.view, types: follow.types,
            takesPassing: follow.takesPassing, state: .opening(follow, ticket), cursor: fanOut.feed.last)
        following.waiting = waiting
        let position = follow.isViewChanged ? nil : follow.since.flatMap { resumePoint($0) }
        if let position {
            following.cursor = position
            fanOut.begin(connection, following)
            open(connection, follow, ticket, from: position)
            return
        }
        fanOut.begin(connection, following)
        askSnapshot(connection)
    }

    /// The position of a valid cursor. Whether a replay from there is complete is found out by its reader: that depends
    /// on what this member could have seen, and on nothing else.
    private func resumePoint(_ cursor: String) -> Int64? {
        guard let position = fanOut.epochs.position(of: cursor), position <= fanOut.feed.last else { return nil }
        return position
    }

    /// Opens from a position: from the feed where that reaches back far enough, otherwise from the log. Either way it
    /// is a replay when there is something for this client, and live when there is not, however much there is for
    /// others.
    private func open(_ connection: Connection, _ follow: Follow, _ ticket: Ticket, from position: Int64) {
        guard fanOut.reaches(position) else { return readLog(connection) }
        let missed = missed(connection, after: position)
        guard !missed.contains(where: \.isReset) else { return askSnapshot(connection) }
        answer(connection, follow, ticket, isReplay: !missed.isEmpty)
        connection.following?.state = .live
        markDirty(connection)
    }

    /// What the feed has for a client after a position.
    private func missed(_ connection: Connection, after position: Int64) -> [Feed.Entry] {
        guard let following = connection.following else { return [] }
        return fanOut.feed.entries[fanOut.feed.index(after: position)...].filter {
            !$0.bytes.isEmpty && following.wants($0)
        }
    }

    private func answer(_ connection: Connection, _ follow: Follow, _ ticket: Ticket, isReplay: Bool) {
        let cursor = follow.since ?? ""
        writeLists(connection, upTo: connection.following?.cursor ?? 0)
        answerFollow(connection, ticket, mode: isReplay ? "replay" : "live", cursor: cursor, snapshot: nil)
        guard isReplay else { return }
        counters.replays += 1
        connection.following?.uptoAfter = fanOut.feed.last
    }

    // MARK: Replies in their place

    /// Sends lists that are true at or before the position where the client begins anew. They come before the snapshot:
    /// after it they would seem newer than it.
    func writeLists(_ connection: Connection, upTo position: Int64) {
        guard let following = connection.following else { return }
        let isBefore = { (reply: Following.Waiting) in reply.isList && reply.after <= position }
        for reply in following.waiting where isBefore(reply) { connection.messagesOut += reply.bytes }
        following.waiting.removeAll(where: isBefore)
    }

    /// Sends the replies whose place is before a position.
    private func writeReplies(_ connection: Connection, before position: Int64) {
        guard let following = connection.following else { return }
        while let reply = following.waiting.first, reply.after < position {
            connection.messagesOut += reply.bytes
            following.waiting.removeFirst()
        }
    }

    /// The result of `live.follow`: the response on message transports, a first notification on streams.
    func answerFollow(
        _ connection: Connection, _ ticket: Ticket, mode: String, cursor: String, snapshot: SnapshotMade?
    ) {
        guard let following = connection.following,
            let answer = connection.answers.remove(ticket.sequence)
        else { return }
        let view = following.view.text
        let result = Array(
            "{\"mode\":\"\(mode)\",\"cursor\":\"\(cursor)\",\"view\":\"\(view)\",\"snapshot\":null}".utf8)
        happened(.toldUpto, connection)
        switch answer {
        case .rpc(let id?):
            let message = RPC.result(id: id, bytes: result)
            if let snapshot {
                write(connection, following, message, cursor: cursor, snapshot)
            } else {
                write(connection, message)
            }
        case .rpc(nil): break
        case .stream:
            // A stream has no responses: a snapshot comes as `reset`, and anything else is followed by an `upto`.
            if let snapshot {
                writeReset(connection, following, cursor: cursor, snapshot)
            } else {
                connection.following?.uptoAfter = fanOut.feed.last
            }
        case .http, .upgrade: break
        }
        release(connection, ticket)
    }

    /// A message for this client alone.
    func write(_ connection: Connection, _ json: [UInt8], cursor: String? = nil) {
        connection.envelope?.write(
            json, cursor: cursor, deflater, limits.compressedMessageBytesMin, to: &connection.messagesOut)
        markDirty(connection)
    }

    /// Tells those who follow now what passes. A client that has something to take yet is not told.
    func pass(_ passing: Passing) {
        let params = JSON.object(leavingOut: [
            "type": .string(passing.type), "at": .time(passing.at), "by": .id(passing.by),
            "atMachine": passing.isAtMachine ? true : nil, "about": .string(passing.about),
        ])
        let message = RPC.notification(method: "passing", params: params)
        for connection in fanOut.followers.connections where connection.following?.wants(passing) ?? false {
            if connection.pendingBytes == 0 { write(connection, message) }
        }
    }

    // MARK: The log, for those who fell off the feed

    private func readLog(_ connection: Connection) {
        guard let following = connection.following else { return }
        guard !connection.isForeign else { return sendSubscriberAway(connection) }
        if case .live = following.state { connection.following?.state = .reading }
        fanOut.reads.begin()
        counters.logReads += 1
        noteChurn()
        let job = Job.read(
            for: StreamReading(connection: connection.key, follow: following.follow), after: following.cursor,
            member: following.number)
        workers.reader.post(job, of: party(connection))
    }

    func rowsArrived(_ reading: StreamReading, _ result: Result<LogRead, StoreFailure>) {
        defer { fanOut.reads.end() }
        guard let connection = connection(key: reading.connection), let following = connection.following,
            following.follow == reading.follow
        else { return }
        switch result {
        case .failure(let failure):
            tell(.work, "The log could not be read: \(failure.sentence)")
            end(connection, .restarting, retryAfter: 5)
        case .success(let read):
            // The log's retention may have passed the client's position while it waited; then only a snapshot is
            // complete.
            guard read.isWhole else { return toSnapshot(connection) }
            let entries = entries(of: read, for: following)
            // A reader may see a turn before the loop hears of it. That turn's replies have their place in what the
            // feed is about to bring.
            let through = max(following.cursor, min(read.through, fanOut.feed.last))
            if case .opening(let follow, let ticket) = following.state {
                // A replay that ends in a fresh snapshot anyway is a snapshot at once.
                let isRebuilt = missed(connection, after: through).contains(where: \.isReset)
                guard !read.isRebuilt, !isRebuilt else { return toSnapshot(connection) }
                guard !entries.isEmpty else {
                    // Nothing so far: the rest of the log decides.
                    following.cursor = through
                    return open(connection, follow, ticket, from: through)
                }
                connection.following?.state = .reading
                answer(connection, follow, ticket, isReplay: true)
            }
            for entry in entries {
                writeReplies(connection, before: entry.position)
                if entry.isReset {
                    connection.following?.cursor = entry.position
                    toSnapshot(connection)
                    return
                }
                connection.envelope?.write(entry, to: &connection.messagesOut)
                counters.deliveries += 1
            }
            // Before anything says that the client has caught up: after an `upto` an older list would be out of its
            // place.
            writeReplies(connection, before: through + 1)
            connection.following?.cursor = through
            connection.following?.state = .live
            markDirty(connection)
        }
    }

    /// The entries of a log read that are for a client, by its rights now.
    private func entries(of read: LogRead, for following: Following) -> [Feed.Entry] {
        read.rows.compactMap { row in
            guard row.position <= fanOut.feed.last else { return nil }
            guard let row = fanOut.reads.now(row) else { return nil }
            let entry = Feed.entry(row, registry.eventTraits[row.type].place, epochs: fanOut.epochs)
            return following.wants(entry) ? entry : nil
        }
    }

    /// Continues the stream from a fresh snapshot.
    private func toSnapshot(_ connection: Connection) {
        guard !connection.isForeign else { return sendSubscriberAway(connection) }
        if case .opening = connection.following?.state {} else { connection.following?.state = .resetting }
        connection.following?.uptoAfter = nil
        askSnapshot(connection)
    }

    // MARK: Moving the cursor

    /// Makes ready what comes next for the client: events up to the log's end, and replies in their place. Bounded by
    /// `outBytesMax`.
    func fill(_ connection: Connection) {
        guard !connection.isWithinPieces else { return }
        while connection.out.count - connection.outStart < limits.outBytesMax, let following = connection.following {
            guard case .live = following.state else { return }
            if let reply = following.waiting.first, following.cursor >= min(reply.after, fanOut.feed.last) {
                connection.out += reply.bytes
                connection.following?.waiting.removeFirst()
                continue
            }
            let target = min(following.waiting.first?.after ?? fanOut.feed.last, fanOut.feed.last)
            if following.cursor >= target {
                if let due = following.uptoAfter, following.cursor >= due {
                    connection.following?.uptoAfter = nil
                    writeUpto(connection)
                    continue
                }
                return
            }
            guard following.cursor >= fanOut.feed.floor else {
                readLog(connection)
                return
            }
            guard advance(connection, following, to: target) else { return }
        }
    }

    /// Takes events from the feed up to the target or the bound; false when a reset came between.
    private func advance(_ connection: Connection, _ following: Following, to target: Int64) -> Bool {
        var index = fanOut.feed.index(after: following.cursor)
        var cursor = following.cursor
        defer { if connection.following != nil { connection.following?.cursor = cursor } }
        guard let envelope = connection.envelope else { return false }
        while index < fanOut.feed.entries.count, fanOut.feed.entries[index].position <= target {
            if connection.out.count - connection.outStart >= limits.outBytesMax { return true }
            cursor = fanOut.feed.entries[index].position
            if !fanOut.feed.entries[index].bytes.isEmpty, following.wants(fanOut.feed.entries[index]) {
                if fanOut.feed.entries[index].isReset {
                    toSnapshot(connection)
                    return false
                }
                if let subscription = subscription(connection) {
                    subscription.write(fanOut.feed.entries[index], to: &connection.out)
                } else {
                    fanOut.feed.write(index, envelope, to: &connection.out)
                }
                counters.deliveries += 1
            }
            index += 1
        }
        cursor = target
        return true
    }

    /// Tells the log's position, with a fresh salt: a cursor to resume from even when there were no events.
    func writeUpto(_ connection: Connection) {
        if let subscription = subscription(connection) { return keepAlive(connection, subscription) }
        rouse(connection)
        guard let following = connection.following else { return }
        let cursor = fanOut.epochs.cursor(upTo: following.cursor, salt: randomNumber())
        let params = Array("{\"cursor\":\"\(cursor)\"}".utf8)
        write(connection, RPC.notification(method: "upto", bytes: params), cursor: cursor)
        happened(.toldUpto, connection)
    }
}
