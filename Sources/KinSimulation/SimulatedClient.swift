import KinClient
import KinLoop
import KinModel
import KinStore

/// A follower on the simulated network: KinClient's own state machine, and a record of its stream for the checkers.
final class SimulatedClient {
    let username: String
    let member: Identifier
    let number: Int32
    private let transport: Talk.Transport
    private(set) var follower: Follower
    private var token: Token?
    private var talk: Talk?
    private var toSend: [[UInt8]] = []
    private var wakeAt: UInt64?
    private(set) var isStopped = false
    /// The position of the last thing its stream said; `nil` before the first.
    private(set) var position: Int64?
    /// How often it was caught up.
    private(set) var caughtUp = 0
    /// What it asks for beside its stream.
    private var listing: Listing
    /// What it asks for at rest yet, the next one first.
    private var atRest: [ListQuestion] = []

    init(username: String, member: Identifier, number: Int32, token: String, transport: Talk.Transport) {
        self.username = username
        self.member = member
        self.number = number
        self.transport = transport
        follower = Follower(credential: .token(token))
        listing = Listing(member, number)
    }

    /// Tells the follower a fact and does what it orders.
    private func tell(_ fact: Follower.Fact, _ world: World) throws(Finding) {
        let orders = follower.take(fact, now: world.milliseconds, random: world.dice.next())
        for order in orders { try carryOut(order, world) }
    }

    private func carryOut(_ order: Follower.Order, _ world: World) throws(Finding) {
        switch order {
        case .connect:
            let token = world.network.clientConnects(from: .tcp(.loopbackV4, port: 40_000))
            self.token = token
            let talk = Talk(transport, nonce: world.dice.bytes(16))
            self.talk = talk
            toSend = []
            if !talk.opening.isEmpty { world.network.clientSends(token, talk.opening) }
            try tell(.connected, world)
        case .send(let message): toSend.append(message)
        case .disconnect: leave(world, isRude: false)
        case .wait(let until): wakeAt = until
        case .deliver(let event): try delivered(event, world)
        case .pass: break
        case .reset(let snapshot):
            guard let cursor = follower.cursor, let reached = world.position(of: cursor) else {
                throw Finding(
                    checker: "cursor", what: "\(username) was given a snapshot with a cursor that means nothing")
            }
            position = reached
            listing.begunAnew(at: reached)
            try world.check(snapshot, of: self, at: reached)
        case .caughtUp(let cursor): try reached(cursor, world)
        case .stop(let why):
            isStopped = true
            leave(world, isRude: false)
            try world.stopped(self, why)
        }
        try flush(world)
    }

    private func flush(_ world: World) throws(Finding) {
        while let token, talk?.isOpen ?? false, !toSend.isEmpty {
            let mask = UInt32(truncatingIfNeeded: world.dice.next())
            guard let sent = talk?.send(toSend.removeFirst(), mask: mask) else { return }
            if !sent.bytes.isEmpty { world.network.clientSends(token, sent.bytes) }
            if let answer = sent.answer { try tell(.received(answer), world) }
        }
    }

    private func leave(_ world: World, isRude: Bool) {
        if let token { world.network.clientLeaves(token, isRude: isRude) }
        token = nil
        talk = nil
        listing.lost()
        atRest = []
    }

    // MARK: Steps

    /// Takes what arrived, or goes on when its moment has come.
    func step(_ world: World) throws(Finding) {
        guard !isStopped else { return }
        if follower.state == .idle { try tell(.started, world) }
        if let wakeAt, world.milliseconds >= wakeAt {
            self.wakeAt = nil
            try tell(.timePassed, world)
        }
        guard let token else { return }
        if follower.state == .following, transport.takesRequests, let question = nextQuestion(world) {
            toSend.append(question)
            try flush(world)
        }
        guard let bytes = world.network.clientReceives(token) else {
            leave(world, isRude: false)
            return try tell(.disconnected(nil), world)
        }
        guard !bytes.isEmpty else { return }
        guard let arrival = try talk?.received(bytes, username) else {
            leave(world, isRude: false)
            return try tell(.disconnected(nil), world)
        }
        if !arrival.answer.isEmpty { world.network.clientSends(token, arrival.answer) }
        try flush(world)
        for message in arrival.messages where self.token == token {
            try world.check(message, to: member, username)
            if let (question, result) = listing.answer(message) {
                if let result { try listed(question, result, world) }
                if !world.isSettling, let again = listing.again(question, world) {
                    toSend.append(again)
                    // Nothing else may be said for long, and until then nothing else is asked for.
                    try flush(world)
                }
                continue
            }
            try tell(.received(message), world)
        }
        if let closing = arrival.closing, self.token == token {
            leave(world, isRude: false)
            try tell(.disconnected(closing), world)
        }
    }

    /// What it asks for now: at rest what is left, and otherwise something, half of the time.
    private func nextQuestion(_ world: World) -> [UInt8]? {
        guard world.isSettling else {
            return world.dice.once(in: 2) ? listing.question(world, follower.snapshot) : nil
        }
        guard let next = atRest.first, let message = listing.question(next) else { return nil }
        atRest.removeFirst()
        return message
    }

    /// All has come to rest, and its snapshot is whole. It will ask for each list that nothing else shows: once for one
    /// that is compared with the snapshot, and twice for one that is compared with the list before.
    func rests(_ world: World, at position: Int64) {
        guard follower.state == .following, transport.takesRequests else { return }
        listing.rests(at: position)
        for question in world.areas.flatMap(\.lists) where question.isAlone {
            atRest += question.kept == nil ? [question] : [question, question]
        }
    }

    /// Whether it waits for a list, or is about to.
    var isListing: Bool { listing.isOpen || !atRest.isEmpty }

    /// How often a list of a method was compared while there was something in it.
    var compared: [String: Int] { listing.compared }

    /// The connection breaks.
    func breakConnection(_ world: World, isRude: Bool) throws(Finding) {
        guard token != nil else { return }
        leave(world, isRude: isRude)
        try tell(.disconnected(nil), world)
    }

    func stall(_ world: World, _ isStalled: Bool) {
        if let token { world.network.stall(token, isStalled) }
    }

    // MARK: Checkers

    private func delivered(_ event: Event, _ world: World) throws(Finding) {
        guard let at = world.position(of: event.cursor) else {
            throw Finding(checker: "cursor", what: "\(username) was given an event with a cursor that means nothing")
        }
        guard let truth = world.oracle.rows[at] else {
            throw Finding(
                checker: "durability", what: "\(username) saw event \(at) (\(event.type)), which was never committed")
        }
        guard truth.audience.contains(number) else {
            throw Finding(checker: "sight", what: "\(username) saw event \(at) (\(event.type)), which is not theirs")
        }
        try advance(to: at, inclusive: false, world)
        position = at
        listing.apply(event, at)
    }

    /// A list has come: at its place in the stream, with all that the events so far have told and nothing else.
    private func listed(_ question: ListQuestion, _ result: JSON, _ world: World) throws(Finding) {
        guard let at = result["cursor"]?.string.flatMap({ world.position(of: $0) }) else {
            throw Finding(checker: "list", what: "\(username) was given a list with a cursor that means nothing")
        }
        // A list that comes before the snapshot to come is worth nothing behind it.
        guard let before = position, !world.oracle.beginsAnew(number, after: before, through: at) else { return }
        let owed = world.oracle.owed(to: number, after: before, through: at)
        guard at >= before, owed.isEmpty else {
            throw Finding(
                checker: "list",
                what: "\(username) at \(before) was given \(question.method) of \(at), without \(owed) before it")
        }
        position = at
        world.tally.lists += 1
        guard let fault = listing.fault(question, result, at, follower.snapshot, world.oracle) else { return }
        throw Finding(checker: "list", what: "\(username) at \(at): \(fault)")
    }

    private func reached(_ cursor: String, _ world: World) throws(Finding) {
        guard let at = world.position(of: cursor) else {
            throw Finding(checker: "cursor", what: "\(username) was given an upto that means nothing")
        }
        try advance(to: at, inclusive: true, world)
        position = at
        caughtUp += 1
        if let snapshot = follower.snapshot, try world.check(snapshot, of: self, at: at) {
            listing.snapshotIsWhole(at: at)
        }
    }

    /// Nothing that was owed may lie between the last position and this one.
    private func advance(to at: Int64, inclusive: Bool, _ world: World) throws(Finding) {
        guard let position else { return }
        guard inclusive ? at >= position : at > position else {
            throw Finding(checker: "repeat", what: "\(username) was at \(position) and was then given \(at)")
        }
        let owed = world.oracle.owed(to: number, after: position, through: inclusive ? at : at - 1)
        guard owed.isEmpty else {
            let types = owed.map { world.oracle.rows[$0]?.type ?? "?" }
            throw Finding(checker: "gap", what: "\(username) went from \(position) to \(at) without \(owed) (\(types))")
        }
    }

    /// Whether it stands at the end of the log.
    func isAt(_ end: Int64) -> Bool { isStopped || position == end && follower.state == .following }
}
