package import KinKeeper
import KinLoop
import KinModel

/// Requests that wait for the keeper. Its next turn takes them from members and addresses in turn, and those of one
/// connection in their order. All go into one turn and one sync, unless somebody would have to wait for it.
package struct KeeperLine {
    private var line = FairLine<Party, Request>()
    /// Rounds left in this turn. While several parties wait, a turn does at most so many requests of each.
    private var roundsLeft = Int.max
    /// Requests that are left in this round.
    private var leftInRound = 0
    private var isBegun = false
    /// Whether a share of a long list is in this turn already.
    private var hasShare = false

    package init() {}

    /// Nothing waits.
    package var isEmpty: Bool { line.isEmpty }

    /// Puts a request at the end of its party's line.
    package mutating func put(_ request: Request) { line.put(request, of: request.party) }

    /// The keeper begins a turn.
    package mutating func beginTurn() {
        // With one party, nobody else waits; ``next(isLate:)`` bounds how long its turn takes.
        roundsLeft = line.partyCount > 1 ? Limits.requestsPerPartyAndTurn : .max
        leftInRound = line.partyCount
        isBegun = false
        hasShare = false
    }

    /// The next request of this turn. `isLate` answers whether the turn has lasted as long as others may be made to
    /// wait.
    package mutating func next(isLate: () -> Bool = { false }) -> Request? {
        if leftInRound == 0 {
            roundsLeft -= 1
            leftInRound = line.partyCount
        }
        guard roundsLeft > 0, !line.isEmpty, !isBegun || !isLate() else { return nil }
        // A share takes some milliseconds, for which new requests wait: one share a turn is enough.
        if hasShare, line.first?.goesOn == true { return nil }
        isBegun = true
        leftInRound -= 1
        let request = line.take()
        if request?.goesOn == true { hasShare = true }
        return request
    }
}
