import KinCodec
import KinCrypto
import KinKeeper
import KinLoop
import KinModel
import KinStore

extension Server {
    // MARK: From the keeper

    /// Applies what one turn of the keeper brought: revocations first, then events, then replies.
    func apply(_ commit: Commit) {
        hold(
            .refusedTurnsTellNothing,
            commit.fate == .committed || commit.events.isEmpty && commit.revocations.isEmpty)
        for note in commit.notes { tell(note.notable, note.sentence) }
        let signingOut = Set(
            commit.replies.compactMap { if case .signedOut = $0.effect { $0.ticket.connection } else { nil } })
        if commit.fate == .committed {
            for revocation in commit.revocations { end(revocation, signingOut) }
            fanOut.take(commit)
            noteLookers(commit.events)
            noteTakers(commit.events)
            noteGuests(commit)
            for call in commit.ownCalls {
                port.putOwn(
                    Request(
                        ticket: Self.nobodysTicket, credential: call.credential, method: call.method, params: [:]))
            }
            if !snapshots.room.takers.isEmpty {
                cutSnapshots(commit.events.filter { registry.eventTraits[$0.type].isHiding })
            }
        }
        snapshots.isAnswering = true
        for reply in commit.replies { take(reply, after: reply.position ?? commit.through) }
        snapshots.isAnswering = false
        takeEarlySnapshots()
        if commit.fate == .committed, !commit.events.isEmpty { planFanOut() }
        // A stream that the same turn permitted earlier and then revoked has only just been opened.
        for revocation in commit.revocations {
            end(revocation, signingOut)
            hold(.whoIsGoneHearsNothing, !isFollowed(by: revocation))
        }
        if case .unknown(let failure) = commit.fate, ending.fatal == nil {
            ending.fail(
                "The disk did not say whether the last changes were kept (\(failure.sentence)) Starting anew to find out."
            )
            drain()
        }
        clock.aheadMilliseconds = commit.clockAhead
        if let due = commit.nextDue {
            let wait = max(0, due.milliseconds(since: commit.now))
            timers.set(.due, at: time.monotonicNanoseconds() &+ UInt64(wait) &* 1_000_000)
        }
    }

    /// Whether a follower may see nothing any more.
    private func isFollowed(by gone: Revocation) -> Bool {
        fanOut.followers.connections.contains { connection in
            switch gone {
            case .signedOut(let session), .session(let session): connection.identity?.session == session
            case .member(let member): connection.following?.member == member
            case .everybody: true
            // It begins anew with what it may see now.
            case .wait: false
            }
        }
    }

    /// Has every follower written to, at this turn's end or a moment later.
    private func planFanOut() {
        if let at = fanOut.plan(now: time.monotonicNanoseconds(), moreIsComing: port.atKeeper > 0) {
            timers.set(.fanOut, at: at)
        } else {
            timers.cancel(.fanOut)
        }
    }

    private func take(_ reply: Reply, after position: Int64) {
        port.returned()
        if case .later(let work) = reply.effect {
            startSlow(reply, work)
            return
        }
        port.end(reply)
        guard let connection = connection(key: reply.ticket.connection) else { return }
        if case .blob(let name, let type, _) = reply.effect, case .success = reply.result,
            case .rpc? = connection.answers[reply.ticket.sequence]
        {
            workers.reader.post(.blob(reply.ticket, name: name, type: type), of: party(connection))
            return
        }
        var result = reply.result
        if case .success = result {
            switch reply.effect {
            case .status(let keeper): result = .success(status(keeper).bytes)
            case .metrics(let keeper): result = .success(Array(metrics(keeper).text.utf8))
            default: break
            }
        }
        finish(connection, reply.ticket, result, reply.effect, after: position, isList: reply.isList)
    }

    /// Gives the slow part of a request to a worker, together with the request.
    private func startSlow(_ reply: Reply, _ work: any SlowWork) {
        guard let request = reply.request, let returned = workers.start(request, work) else { return }
        if let name = returned.fullLine { hitLimit(name) }
        port.putBack(returned.request)
    }

    func take(_ done: JobDone) {
        switch done {
        case .slow(var request, let work, let result):
            workers.done(work)
            noteChurn(by: Churn.slowWeight)
            request.work = result
            port.putBack(request)
        case .snapshot(let reading, let result): snapshotArrived(reading, result)
        case .read(let reading, let result): rowsArrived(reading, result)
        case .blob(let ticket, let bytes, let type):
            noteChurn()
            guard let connection = connection(key: ticket.connection) else { return }
            finish(connection, ticket, Self.message(bytes, type), .none)
        case .piece(let ticket, let result): pieceWritten(ticket, result)
        case .door(let ticket, let made): workDone(ticket, made)
        case .letGone, .stopped: break
        }
    }

    /// A file's content within a message.
    private static func message(_ read: BlobRead, _ type: String) -> Result<[UInt8], Rejection> {
        let bytes: [UInt8]
        switch read {
        case .whole(let all): bytes = all
        case .gone: return .failure(Rejection(.notFound, "There is no such picture."))
        case .tooLong:
            return .failure(Rejection(.tooLarge, "This is too long for a message; fetch it over HTTP."))
        }
        return .success(
            JSON.object(["mediaType": .string(type), "base64": .string(Base64.encode(bytes))]).bytes)
    }

    // MARK: Answers

    /// Gives a request its answer, in the form its transport wants.
    func finish(
        _ connection: Connection, _ ticket: Ticket, _ result: Result<[UInt8], Rejection>, _ effect: Effect,
        after position: Int64 = 0, isList: Bool = false
    ) {
        guard let answer = connection.answers[ticket.sequence] else { return }
        if case .success = result { take(effect, connection) }
        if case .success = result, case .follow(let follow) = effect {
            startFollowing(connection, ticket, follow, answer)
            return
        }
        connection.answers[ticket.sequence] = nil
        switch answer {
        case .rpc(let id):
            let message = Doorway.Message(id: id, position: position, isList: isList)
            hall.rpc.reply(result, effect, Doorway(self, connection, message))
        case .upgrade(let exchange, let key, let subprotocol) where result.isSuccess:
            upgrade(connection, exchange, key: key, subprotocol: subprotocol)
        case .http(let exchange), .upgrade(let exchange, _, _), .stream(let exchange, _):
            exchange.answeredAt = position
            exchange.door.reply(result, effect, Doorway(self, connection, exchange))
        }
        if case .success = result, case .signedIn = effect { checkMemberLimit(connection) }
        release(connection, ticket)
    }

    /// Queues a message for the stream, after the events up to a position.
    func queue(_ connection: Connection, _ json: [UInt8], after position: Int64, isList: Bool) {
        var framed: [UInt8] = []
        connection.envelope?.write(json, deflater, limits.compressedMessageBytesMin, to: &framed)
        if let following = connection.following {
            following.waiting.append(Following.Waiting(after: position, bytes: framed, isList: isList))
        } else {
            connection.messagesOut += framed
        }
        markDirty(connection)
    }

    /// A request was answered: later ones continue, unless they wait for another.
    func release(_ connection: Connection, _ ticket: Ticket) {
        connection.life.take(.answered(ticket.sequence))
        markDirty(connection)
        if ending.hasBegun, connection.envelope != nil, connection.answers.isEmpty {
            return sayGoodbye(connection)
        }
        resume(connection)
    }

    private func take(_ effect: Effect, _ connection: Connection) {
        switch effect {
        case .signedIn(let identity): signIn(connection, identity)
        case .signedOut:
            if connection.following != nil { leaveStream(connection) }
            connections.forgetMember(connection)
            if !connection.isMachine, connection.envelope != nil { happened(.signedOut, connection) }
        case .unfollow: leaveStream(connection)
        case .pass(let passing): pass(passing)
        case .none, .follow, .listen, .blob, .piece, .later, .status, .metrics: break
        }
    }

    /// HTTP requests carry their own credentials; only message connections keep an identity.
    func signIn(_ connection: Connection, _ identity: Identity) {
        switch connection.codec {
        case .webSocket, .lines, .stream: break
        default:
            if case .upgrade? = connection.answers.first { break }
            return
        }
        // A new member must not continue another member's stream: it would outlive that member's session.
        if let following = connection.following, following.member != identity.member { leaveStream(connection) }
        connections.forgetMember(connection)
        connection.identity = identity
        connections.countAtMember(connection)
        connection.bytesBeforeSignIn = 0
        happened(.signedIn, connection)
    }

    /// Ends a connection that exceeds its member's limit. Called once its protocol is known, so that it can be told.
    func checkMemberLimit(_ connection: Connection) {
        guard !connection.isLocal, let member = connection.identity?.member,
            connections.isOneTooMany(of: member)
        else { return }
        hitLimit("connections_per_member")
        end(connection, .tooManyConnections, retryAfter: 30)
    }
}

extension Result {
    /// Whether it went well.
    var isSuccess: Bool { if case .success = self { true } else { false } }
}
