import KinKeeper
import KinLoop

/// How many requests each member and address puts on their way in one turn of the loop. What one party sends beyond
/// its share waits here, in its order, so that what somebody else asks meanwhile waits for a short turn and not for all
/// of a flood.
///
/// A flood also takes the processor from everybody else's requests. So where several parties ask within a second, a share
/// is for ten milliseconds, however many turns those have. One party alone is not held up.
struct TurnShares {
    private var counts: [Party: Int] = [:]
    private var held: [Request] = []
    /// When the turn began, and the shares that are being given.
    private var now: UInt64 = 0
    private var begunAt: UInt64 = 0
    /// Who asked last, and when somebody else did.
    private var latest: Party?
    private var latestAt: UInt64 = 0
    private var otherAt: UInt64?

    static let crowdedNanoseconds: UInt64 = 1_000_000_000
    static let shareNanoseconds: UInt64 = 10_000_000

    /// Whether several parties ask.
    private var isCrowded: Bool { otherAt.map { now &- $0 < Self.crowdedNanoseconds } ?? false }

    /// Whether the next turn has requests to put on their way.
    var isSomebodyNext: Bool { !held.isEmpty && !isCrowded }

    /// When the next shares are given; `nil` where nobody waits for that.
    var nextAt: UInt64? { held.isEmpty || !isCrowded ? nil : begunAt &+ Self.shareNanoseconds }

    /// Counts a request; false where its party has had its share.
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

    /// A turn begins: answers the requests that go on their way now.
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
    /// Puts on their way what had to wait, and goes on with its connections.
    func goOnWithHeld() {
        for request in port.beginTurn(time.monotonicNanoseconds()) {
            guard let connection = connection(key: request.ticket.connection) else { continue }
            connection.waitsForTurn = false
            if hasCredit(connection) { resume(connection) } else { parse(connection, []) }
        }
        if let at = port.shares.nextAt { timers.set(.shares, at: at) }
    }
}
