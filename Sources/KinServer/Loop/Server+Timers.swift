import KinCodec
import KinKeeper
import KinLoop
import KinModel
import KinTLS

extension Server {
    /// Tells a connection's life a fact, and carries out the order.
    func happened(_ fact: ConnectionLife.Fact, _ connection: Connection) {
        let order = connection.life.take(fact, time.monotonicNanoseconds(), limits)
        plan(connection)
        if let order { carryOut(order, connection) }
    }

    /// Tells it what happened at its socket, and carries out the order. That is all the time, and most of the time there
    /// is none: so the clock is not looked at here, and nothing is planned without an order.
    func passed(_ traffic: ConnectionLife.Traffic, _ connection: Connection) {
        guard let order = connection.life.take(traffic) else { return }
        plan(connection)
        carryOut(order, connection)
    }

    /// Plans the one timer of a connection for the earliest of what it waits for.
    func plan(_ connection: Connection) {
        connections.plan(
            connection, at: connection.life.nextDue(limits, isFollowing: connection.following != nil))
    }

    /// Does what is due, in the order of the moments. Of equal ones the daemon's own comes first.
    func fireTimers() {
        let now = time.monotonicNanoseconds()
        while true {
            let own = timers.next ?? .max
            let theirs = connections.next ?? .max
            guard min(own, theirs) <= now else { return }
            if own <= theirs {
                if let key = timers.popDue(now: now) { fire(key) }
            } else if let connection = connections.popDue(now: now) {
                tick(connection, now)
                if !connection.isClosed { plan(connection) }
            }
        }
    }

    private func fire(_ key: TimerKey) {
        switch key {
        case .due:
            // An empty batch: in every turn the keeper looks for work that is due.
            port.tick()
        case .fanOut: fanOut.due()
        case .guests: serveGuests()
        case .certificate: reloadCertificate()
        case .ticketKeys:
            handshakes.context?.rotateTicketKeys()
            planTicketKeys()
        case .shares: goOnWithHeld()
        case .notes: diary.sumUp()
        case .snapshots: sendSlowTakersAway()
        case .memory: giveBackMemory()
        case .drain:
            for connection in connections.open { close(connection) }
            ending.finish()
        }
    }

    private func tick(_ connection: Connection, _ now: UInt64) {
        let owesBytes = connection.pendingBytes > 0 && !ending.hasBegun
        while let due = connection.life.takeDue(
            now, limits, isFollowing: connection.following != nil, owesBytes: owesBytes)
        {
            // Idle connections end all day: that is counted, and not logged.
            if due.limit == "idle" {
                counters.limitsHit["idle", default: 0] += 1
            } else if let limit = due.limit {
                hitLimit(limit)
            }
            carryOut(due.order, connection)
            if connection.isClosed { return }
        }
    }

    private func carryOut(_ order: ConnectionLife.Order, _ connection: Connection) {
        switch order {
        case .close: close(connection)
        case .end: endWhenFlushed(connection)
        case .shutDown: shutDown(connection)
        case .watch:
            network.setInterest(
                connection.token, readable: connection.life.isRead, writable: connection.life.isBlocked)
        // Whoever told the fact has planned.
        case .plan: break
        case .answerLate: answerLate(connection)
        case .refuseNobody: end(connection, .notSignedIn)
        case .refuseSlowMessage: end(connection, .policy, reason: "A message took too long to arrive.")
        case .refuseStuck: endStuck(connection)
        case .upto:
            // A client that is behind gets its events first; their cursors tell the position.
            if let following = connection.following, case .live = following.state, !connection.life.isBlocked,
                fanOut.cursor(following) >= fanOut.feed.last
            {
                writeUpto(connection)
            }
        case .ping:
            WebSocketFrame.write(.ping, [], to: &connection.out)
            markDirty(connection)
        }
    }

    private func answerLate(_ connection: Connection) {
        let answer = HTTPAnswer.problem(408, "The request took too long to arrive.")
        guard let exchange = connection.exchange else { return respondWithoutExchange(connection, answer) }
        exchange.keepsAlive = false
        respond(connection, exchange, answer)
    }

    /// Notes that something came and went.
    func noteChurn(by weight: Int = 1) {
        let isPlanned = timers[.memory] != nil
        if let at = churn.note(by: weight, now: time.monotonicNanoseconds(), isPlanned: isPlanned) {
            timers.set(.memory, at: at)
        }
    }

    /// The start is over: memory that only it needed is given back soon.
    func planRest() {
        timers.set(.memory, at: time.monotonicNanoseconds() &+ Churn.restSeconds &* 1_000_000_000)
    }

    private func giveBackMemory() {
        Machine.giveBackMemory()
        Machine.letGoOfCode()
        port.rest()
        if let at = churn.gaveBack(now: time.monotonicNanoseconds()) { timers.set(.memory, at: at) }
    }

    /// Ends a connection that takes nothing. Where it carries messages, the reason is added after what waits, and one
    /// more write is tried. A client that wakes up within the next moments reads it; any other finds the connection
    /// closed.
    private func endStuck(_ connection: Connection) {
        guard connection.envelope != nil, !connection.life.hasSaidGoodbye else { return close(connection) }
        end(connection, .tooSlow)
        happened(.toldStuck, connection)
        markDirty(connection)
    }

    // MARK: The end

    /// Takes nothing new, says goodbye to everybody and ends when they have taken it: SIGTERM.
    func drain() {
        guard !ending.hasBegun else { return }
        let deadline = time.monotonicNanoseconds() &+ UInt64(limits.drainSeconds) &* 1_000_000_000
        ending.begin(closingAt: deadline)
        timers.set(.drain, at: deadline)
        network.stopAccepting()
        endGuests()
        for connection in connections.open {
            // A client that waits for an answer gets it; requests under way are carried out.
            if case .http = connection.codec, !connection.answers.isEmpty {
                connection.exchange?.keepsAlive = false
                continue
            }
            if connection.envelope != nil, !connection.answers.isEmpty { continue }
            sayGoodbye(connection)
        }
        if connections.count == 0 { ending.finish() }
    }

    /// The daemon restarts: come back, not all in the same second.
    func sayGoodbye(_ connection: Connection) {
        end(connection, .restarting, retryAfter: Int(randomNumber() % 5) + 1)
    }
}
