import KinStore

/// When something went out of somebody's sight, by turns of the keeper: so that what a long read found before is not
/// answered after it. Forgotten when the daemon ends, and no read outlives that.
struct SightLosses {
    /// Who lost something, in which turn; the oldest first.
    private var lost: [(turn: UInt64, audience: Audience)] = []
    /// The last turn in which anybody may have.
    private var turnOfAll: UInt64 = 0
    /// How many are told apart. What is older counts for all.
    static let lostMax = 256

    /// What an act took, in this turn.
    mutating func note(_ act: Act, turn: UInt64) {
        if act.hasTakenSightOfAll || act.revocations.contains(where: \.concernsSight) { turnOfAll = turn }
        let traits = act.keeper.registry.eventTraits
        let hidden = act.events.lazy.filter { traits[$0.type].isHiding }.map(\.audience)
        for audience in act.sightTaken + hidden { lost.append((turn, audience)) }
        while lost.count > Self.lostMax { turnOfAll = max(turnOfAll, lost.removeFirst().turn) }
    }

    /// Whether the member of a number in audiences may have lost something after a turn.
    func concerns(_ member: Int32, after turn: UInt64) -> Bool {
        turnOfAll > turn || lost.reversed().prefix { $0.turn > turn }.contains { $0.audience.contains(member) }
    }
}

extension Revocation {
    /// Whether others' sight may have changed with it.
    fileprivate var concernsSight: Bool {
        switch self {
        case .member, .everybody: true
        case .signedOut, .session, .wait: false
        }
    }
}
