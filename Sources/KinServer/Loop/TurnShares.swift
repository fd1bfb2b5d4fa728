import KinKeeper
import KinLoop

/// The share of requests that each member and address sends to the keeper in one turn of the loop. Requests beyond a
/// party's share wait here, in their order. So another party's request waits for a short turn and not for a whole
/// flood.
///
/// A flood also takes the processor from everybody else's requests. So where several parties ask within a second, a
/// share lasts ten milliseconds, however many turns those have. A single party is not held up.
struct TurnShares {
    private var counts: [Party: Int] = [:]
    private var held: [Request] = []
    /// When the turn began, and when the current shares began.
    private var now: UInt64 = 0
    private var begunAt: UInt64 = 0
    /// The party that asked last, and when another one did.
    private var latest: Party?
    private var latestAt: UInt64 = 0
    private var otherAt: UInt64?

    static let crowdedNanoseconds: UInt64 = 1_000_000_000
    static let shareNanoseconds: UInt64 = 10_000_000

    /// Whether several parties ask.
    private var isCrowded: Bool { otherAt.map { now &- $0 < Self.crowdedNanoseconds } ?? false }

    /// Whether the next turn has requests to send.
    var isSomebodyNext: Bool { !held.isEmpty && !isCrowded }

    /// The moment at which the next shares begin; `nil` where nobody waits for that.
    var nextAt: UInt64? { held.isEmpty || !isCrowded ? nil : begunAt &+ Self.shareNanoseconds }

    /// Counts a request; false where its party has used its share.
    mutating func take(_ party: Party, of most: Int) -> Bool {
        if latest != party {
            if latest != nil { otherAt = latestAt }
            latest = party
        }
        latestAt = now
        guard counts[party, default: 0] < most else { return false }
        counts[party, default: 0] += 1
        return true
    }

    /// Keeps a request until its party has another share.
    mutating func hold(_ request: Request) { held.append(request) }

    /// Begins a turn; answers the requests that are sent now.
    mutating func beginTurn(_ now: UInt64, of most: Int) -> [Request] {
        self.now = now
        if isCrowded, now &- begunAt < Self.shareNanoseconds { return [] }
        begunAt = now
        if !counts.isEmpty { counts.removeAll(keepingCapacity: true) }
        guard !held.isEmpty else { return [] }
        var next: [Request] = []
        let waiting = held
        held.removeAll(keepingCapacity: true)
        for request in waiting {
            if take(request.party, of: most) { next.append(request) } else { held.append(request) }
        }
        return next
    }
}

extension Server {
    /// Sends what had to wait, and continues with its connections.
    func goOnWithHeld() {
        for request in port.beginTurn(time.monotonicNanoseconds()) {
            guard let connection = connection(key: request.ticket.connection) else { continue }
            connection.life.take(.gotShare)
            if hasCredit(connection) { resume(connection) } else { parse(connection) }
        }
        if let at = port.shares.nextAt { timers.set(.shares, at: at) }
    }
}
