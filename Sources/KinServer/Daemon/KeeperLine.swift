package import KinKeeper
import KinLoop
import KinModel

/// Requests that wait for the keeper, and which of them its next turn takes: members and addresses by turns, what is of
/// one connection in its order. All go into one turn and one sync, unless somebody would have to wait for it.
package struct KeeperLine {
    private var line = FairLine<Party, Request>()
    /// Rounds that are left in this turn: while several parties wait, each has so many requests done at most.
    private var roundsLeft = Int.max
    /// Requests that are left in this round.
    private var leftInRound = 0
    private var isBegun = false
    /// A share of somebody's long list is in this turn already.
    private var hasShare = false

    package init() {}

    /// Nothing waits.
    package var isEmpty: Bool { line.isEmpty }

    /// Puts a request at the end of its party's.
    package mutating func put(_ request: Request) { line.put(request, of: request.party) }

    /// The keeper begins a turn.
    package mutating func beginTurn() {
        // One party alone has nobody who waits; how long its turn takes is bounded by ``next(isLate:)``.
        roundsLeft = line.partyCount > 1 ? Limits.requestsPerPartyAndTurn : .max
        leftInRound = line.partyCount
        isBegun = false
        hasShare = false
    }

    /// The next request of this turn; `isLate` when it has taken as long as others may be made to wait.
    package mutating func next(isLate: () -> Bool = { false }) -> Request? {
        if leftInRound == 0 {
            roundsLeft -= 1
            leftInRound = line.partyCount
        }
        guard roundsLeft > 0, !line.isEmpty, !isBegun || !isLate() else { return nil }
        // Each takes some milliseconds, which whoever comes now waits for: one of them is enough.
        if hasShare, line.first?.goesOn == true { return nil }
        isBegun = true
        leftInRound -= 1
        let request = line.take()
        if request?.goesOn == true { hasShare = true }
        return request
    }
}
