public import KinModel
public import KinStore

/// The result of one turn of the keeper, for the loop. The loop applies it in this order: revocations, events, replies.
public struct Commit: Sendable {
    /// What became of the turn's transaction.
    public enum Fate: Sendable, Equatable {
        /// It is on disk.
        case committed
        /// It was rolled back; every reply says so.
        case refused(StoreFailure)
        /// Its fate is unknown. Every reply says so, and the daemon ends, so that a new start can find out.
        case unknown(StoreFailure)
    }

    /// What became of the turn's transaction.
    public var fate = Fate.committed
    /// The log's position after the turn.
    public var through: Int64 = 0
    /// The oldest position from which a replay is whole.
    public var firstKept: Int64 = 0
    /// Sessions and members that may see nothing from here on.
    public var revocations: [Revocation] = []
    /// Positions that left the log: superseded or deleted rows, to be dropped from the ring.
    public var removed: [Int64] = []
    /// Rows that fewer may see than before, each with the audience it has now.
    public var narrowed: [Int64: Audience] = [:]
    /// New rows, in order.
    public var events: [LogRow] = []
    /// Answers, in the order of their requests.
    public var replies: [Reply] = []
    /// Methods that the daemon calls, now that the turn is on disk: work that begins with the keeper and goes on at a
    /// worker.
    public var ownCalls: [OwnCall] = []
    /// When the next due work is, by ``now``.
    public var nextDue: Instant?
    /// The moment of the turn, as far as the clock is believed.
    public var now = Instant.earliest
    /// The milliseconds by which the wall clock is ahead of that: 0 as long as it is believed.
    public var clockAhead: Int64 = 0
    /// Sentences for the daemon's log.
    public var notes: [Note] = []
}

/// A method that the daemon calls by itself.
public struct OwnCall: Sendable, Hashable {
    /// The method's name. It has no parameters.
    public let method: String
    /// The member as whom it is called; `nil`: the machine.
    public let member: Identifier?
    /// Who calls.
    public var credential: Credential { member.map { .machineAs($0) } ?? .machine }
}

/// Whose connections end now.
public enum Revocation: Sendable, Hashable {
    /// One session signed itself out (4101).
    case signedOut(session: Identifier)
    /// One session was revoked (4102).
    case session(Identifier)
    /// One session waits no longer. What it follows begins anew, with everything that it may see now (4009).
    case wait(session: Identifier)
    /// The member was removed: all of the member's connections (4103).
    case member(Identifier)
    /// The family was closed: everybody (1001).
    case everybody
}
