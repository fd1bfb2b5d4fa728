import KinKeeper
import KinLoop

/// The way to the keeper: what this turn of the loop gathers for it, what it has, and who must wait for a share.
///
/// Confined to the loop's thread.
struct KeeperPort {
    private let mailbox: Mailbox<KeeperMail>
    /// What the keeper is given next.
    private var gathered: [KeeperMail] = []
    /// Requests without an answer.
    private(set) var underWay = UnderWay()
    /// How many each party has put on their way in this turn.
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

    /// What became of a request that was to be put on its way.
    enum Placement {
        case onItsWay
        /// Its party has had its share: it goes on its way with the next one.
        case waits
        /// There is too much to do: it is not taken.
        case noRoom
    }

    /// Puts a client's request on its way.
    mutating func put(_ request: Request) -> Placement {
        guard underWay.begin(request, requestsMax) else { return .noRoom }
        guard shares.take(request.party, of: shareMax) else {
            shares.hold(request)
            return .waits
        }
        gathered.append(.request(request))
        return .onItsWay
    }

    /// Puts one of the daemon's own on its way: nobody waits for its answer.
    mutating func putOwn(_ request: Request) {
        underWay.beginOwn()
        gathered.append(.request(request))
    }

    /// Whether one more would be too much.
    var isFull: Bool { underWay.count >= requestsMax }

    /// Gives a request back to the keeper whose slow part was done, or given up.
    mutating func putBack(_ request: Request) { gathered.append(.request(request)) }

    /// Has the keeper look for what is due.
    mutating func tick() { gathered.append(.tick) }

    /// Has the keeper give back memory.
    func rest() { mailbox.post(.rest) }

    /// A turn begins: requests that had to wait and go on their way now.
    mutating func beginTurn(_ now: UInt64) -> [Request] {
        let next = shares.beginTurn(now, of: shareMax)
        for request in next { gathered.append(.request(request)) }
        return next
    }

    /// Hands over what was gathered, at once: so that what arrived together is committed together. (One by one, the keeper
    /// woke at the first and committed the rest by itself: twice the syncs, and twice the sends to every follower.)
    mutating func send() {
        guard !gathered.isEmpty else { return }
        for case .request in gathered { atKeeper += 1 }
        mailbox.post(contentsOf: gathered)
        gathered.removeAll(keepingCapacity: true)
    }

    /// The keeper answered, if only by naming the slow part of a request.
    mutating func returned() { atKeeper -= 1 }

    /// A request has its answer.
    mutating func end(_ reply: Reply) { underWay.end(reply) }

    /// Messages that the keeper has not taken yet.
    var waiting: Int { mailbox.count }
}
