import KinKeeper
import KinLoop

/// The way to the keeper: what this turn of the loop gathers for it, what it has, and which requests wait for a share.
///
/// Confined to the loop's thread.
struct KeeperPort {
    private let mailbox: Mailbox<KeeperMail>
    /// What the keeper is given next.
    private var gathered: [KeeperMail] = []
    /// Requests without an answer.
    private(set) var underWay = UnderWay()
    /// How many requests each party has sent in this turn.
    private(set) var shares = TurnShares()
    /// Requests that the keeper has and has not answered.
    private(set) var atKeeper = 0
    private let requestsMax: Int
    private let shareMax: Int

    init(_ mailbox: Mailbox<KeeperMail>, _ limits: ServerLimits) {
        self.mailbox = mailbox
        requestsMax = limits.requestsMax
        shareMax = limits.requestsPerPartyAndTurn
    }

    /// What became of a request that was to be sent.
    enum Placement {
        case onItsWay
        /// Its party has used its share: the request is sent with the next one.
        case waits
        /// Too many requests are unanswered: it is not taken.
        case noRoom
    }

    /// Sends a client's request.
    mutating func put(_ request: Request) -> Placement {
        guard underWay.begin(request, requestsMax) else { return .noRoom }
        guard shares.take(request.party, of: shareMax) else {
            shares.hold(request)
            return .waits
        }
        gathered.append(.request(request))
        return .onItsWay
    }

    /// Sends a request of the daemon's own. Nobody waits for its answer.
    mutating func putOwn(_ request: Request) {
        underWay.beginOwn()
        gathered.append(.request(request))
    }

    /// Whether one more would be too much.
    var isFull: Bool { underWay.count >= requestsMax }

    /// Returns a request to the keeper whose slow part was done, or given up.
    mutating func putBack(_ request: Request) { gathered.append(.request(request)) }

    /// Has the keeper look for what is due.
    mutating func tick() { gathered.append(.tick) }

    /// Has the keeper give back memory.
    func rest() { mailbox.post(.rest) }

    /// Begins a turn; answers the requests that had to wait and are sent now.
    mutating func beginTurn(_ now: UInt64) -> [Request] {
        let next = shares.beginTurn(now, of: shareMax)
        for request in next { gathered.append(.request(request)) }
        return next
    }

    /// Hands over everything gathered, at once, so that what arrived together is committed together. (One by one, the
    /// keeper woke at the first and committed the rest by itself: twice the syncs, and twice the sends to every
    /// follower.)
    mutating func send() {
        guard !gathered.isEmpty else { return }
        for case .request in gathered { atKeeper += 1 }
        mailbox.post(contentsOf: gathered)
        gathered.removeAll(keepingCapacity: true)
    }

    /// The keeper has answered a request, or has named its slow part.
    mutating func returned() { atKeeper -= 1 }

    /// A request has its answer.
    mutating func end(_ reply: Reply) { underWay.end(reply) }

    /// Messages that the keeper has not taken yet.
    var waiting: Int { mailbox.count }
}
