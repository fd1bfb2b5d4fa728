import KinCodec
import KinKeeper
import KinLoop
import KinModel
import KinTLS

extension Server {
    /// Enters a phase that must be over within so many seconds.
    func enter(_ phase: Connection.Phase, _ seconds: Int, _ connection: Connection) {
        connection.phase = phase
        connection.phaseDeadline =
            phase == .none ? nil : time.monotonicNanoseconds() &+ UInt64(seconds) &* 1_000_000_000
        plan(connection)
    }

    /// Plans the one timer of a connection for the earliest of what it waits for.
    func plan(_ connection: Connection) {
        var next = connection.phaseDeadline ?? .max
        if let blockedAt = connection.blockedAt, connection.phase != .stuck {
            next = min(next, blockedAt &+ nanoseconds(limits.stuckMilliseconds))
        }
        if let begunAt = connection.messageBegunAt, connection.isReadable {
            next = min(next, begunAt &+ nanoseconds(limits.messageSeconds * 1000))
        }
        if connection.following != nil { next = min(next, connection.uptoAt &+ nanoseconds(limits.uptoMilliseconds)) }
        if case .webSocket = connection.codec, !connection.isClosing {
            next = min(next, connection.pingedAt &+ nanoseconds(limits.pingMilliseconds))
            if connection.isReadable { next = min(next, connection.heardAt &+ nanoseconds(limits.silenceMilliseconds)) }
        }
        if next == .max {
            timers.cancel(.connection(connection.token))
        } else {
            timers.set(.connection(connection.token), at: next)
        }
    }

    private func nanoseconds(_ milliseconds: Int) -> UInt64 { UInt64(milliseconds) &* 1_000_000 }

    func fireTimers() {
        let now = time.monotonicNanoseconds()
        while let key = timers.popDue(now: now) {
            switch key {
            case .connection(let token):
                guard let connection = connection(token) else { continue }
                tick(connection, now)
                if !connection.isClosed { plan(connection) }
            case .due:
                // An empty batch: the keeper looks for what is due in every turn.
                port.tick()
            case .fanOut: fanOut.due()
            case .certificate: reloadCertificate()
            case .ticketKeys:
                tlsContext?.rotateTicketKeys()
                planTicketKeys()
            case .shares: goOnWithHeld()
            case .notes: diary.sumUp()
            case .snapshots: sendSlowTakersAway()
            case .memory: giveBackMemory()
            case .drain:
                for connection in connections.open { close(connection) }
                isFinished = true
            }
        }
    }

    private func tick(_ connection: Connection, _ now: UInt64) {
        if let deadline = connection.phaseDeadline, now >= deadline { return phaseEnded(connection) }
        if let blockedAt = connection.blockedAt, connection.phase != .stuck,
            now >= blockedAt &+ nanoseconds(limits.stuckMilliseconds)
        {
            hitLimit("stuck")
            return endStuck(connection)
        }
        if let begunAt = connection.messageBegunAt, connection.isReadable,
            now >= begunAt &+ nanoseconds(limits.messageSeconds * 1000)
        {
            hitLimit("slow_message")
            connection.messageBegunAt = nil
            return end(connection, .policy, reason: "A message took too long to arrive.")
        }
        if let following = connection.following, case .live = following.state,
            now >= connection.uptoAt &+ nanoseconds(limits.uptoMilliseconds)
        {
            // A client that is behind gets its events first; the cursor says the rest.
            if fanOut.cursor(following) >= fanOut.feed.last, !connection.isBlocked {
                writeUpto(connection)
            } else {
                connection.uptoAt = now
            }
        }
        if connection.following != nil, now >= connection.uptoAt &+ nanoseconds(limits.uptoMilliseconds) {
            connection.uptoAt = now
        }
        guard case .webSocket = connection.codec, !connection.isClosing else { return }
        if connection.isReadable, now >= connection.heardAt &+ nanoseconds(limits.silenceMilliseconds) {
            hitLimit("silence")
            return close(connection)
        }
        if now >= connection.pingedAt &+ nanoseconds(limits.pingMilliseconds) {
            connection.pingedAt = now
            WebSocketFrame.write(.ping, [], to: &connection.out)
            markDirty(connection)
        }
    }

    /// Something came and went.
    func noteChurn(by weight: Int = 1) {
        let isPlanned = timers[.memory] != nil
        if let at = churn.note(by: weight, now: time.monotonicNanoseconds(), isPlanned: isPlanned) {
            timers.set(.memory, at: at)
        }
    }

    private func giveBackMemory() {
        Machine.giveBackMemory()
        port.rest()
        if let at = churn.gaveBack(now: time.monotonicNanoseconds()) { timers.set(.memory, at: at) }
    }

    private func phaseEnded(_ connection: Connection) {
        connection.phaseDeadline = nil
        switch connection.phase {
        case .head, .body:
            hitLimit("slow_request")
            if let exchange = connection.exchange {
                exchange.keepsAlive = false
                respond(connection, exchange, .problem(408, "The request took too long to arrive."))
            } else {
                respondWithoutExchange(connection, .problem(408, "The request took too long to arrive."))
            }
        case .signIn:
            hitLimit("sign_in")
            end(connection, .notSignedIn)
        case .ending where connection.isToldToEnd && connection.pendingBytes > 0 && drainDeadline == nil:
            // It still takes its answer; one that takes nothing is closed for that.
            enter(.ending, limits.drainSeconds, connection)
        case .idle:
            // A daily thing: counted, and not told.
            counters.limitsHit["idle", default: 0] += 1
            endWhenFlushed(connection)
        case .firstByte:
            hitLimit("first_byte")
            if connection.tls == nil { close(connection) } else { endWhenFlushed(connection) }
        case .handshake:
            hitLimit("handshake")
            close(connection)
        case .ending, .stuck, .none: close(connection)
        }
    }

    /// Ends a connection that takes nothing. Where messages go, the reason is put behind what waits and one more write is
    /// tried: who wakes up within the next moments reads it, anybody else finds the connection closed.
    private func endStuck(_ connection: Connection) {
        guard connection.envelope != nil, !connection.isClosing else { return close(connection) }
        end(connection, .tooSlow)
        enter(.stuck, limits.stuckGoodbyeSeconds, connection)
        connection.isBlocked = false
        markDirty(connection)
    }

    // MARK: The end

    /// Takes nothing new, says goodbye to everybody and ends when they have taken it: SIGTERM.
    func drain() {
        guard drainDeadline == nil else { return }
        let deadline = time.monotonicNanoseconds() &+ UInt64(limits.drainSeconds) &* 1_000_000_000
        drainDeadline = deadline
        timers.set(.drain, at: deadline)
        network.stopAccepting()
        for connection in connections.open {
            // Whoever waits for an answer gets it; requests under way are carried out.
            if case .http = connection.codec, !connection.answers.isEmpty {
                connection.exchange?.keepsAlive = false
                continue
            }
            if connection.envelope != nil, !connection.answers.isEmpty { continue }
            sayGoodbye(connection)
        }
        if connections.count == 0 { isFinished = true }
    }

    /// The daemon restarts: come back, not all in the same second.
    func sayGoodbye(_ connection: Connection) {
        end(connection, .restarting, retryAfter: Int(randomNumber() % 5) + 1)
    }
}
