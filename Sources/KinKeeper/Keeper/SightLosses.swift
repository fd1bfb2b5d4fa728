import KinStore

/// The turns of the keeper in which a member lost sight of something. A long read that found something before such a
/// turn must not answer it afterwards. Nothing is kept when the daemon ends, and no read outlives the daemon.
struct SightLosses {
    /// Who lost something, in which turn; the oldest first.
    private var lost: [(turn: UInt64, audience: Audience)] = []
    /// The last turn in which any member may have lost something.
    private var turnOfAll: UInt64 = 0
    /// The most losses that are kept apart. An older one counts for all members.
    static let lostMax = 256

    /// Notes what an act took from somebody's sight, in this turn.
    mutating func note(_ act: Act, turn: UInt64) {
        if act.hasTakenSightOfAll || act.revocations.contains(where: \.concernsSight) { turnOfAll = turn }
        let traits = act.keeper.registry.eventTraits
        let hidden = act.events.lazy.filter { traits[$0.type].isHiding }.map(\.audience)
        for audience in act.sightTaken + hidden { lost.append((turn, audience)) }
        while lost.count > Self.lostMax { turnOfAll = max(turnOfAll, lost.removeFirst().turn) }
    }

    /// Whether a member, by the number in audiences, may have lost something after a turn.
    func concerns(_ member: Int32, after turn: UInt64) -> Bool {
        turnOfAll > turn || lost.reversed().prefix { $0.turn > turn }.contains { $0.audience.contains(member) }
    }
}

extension Revocation {
    /// Whether it may have changed what other members see.
    fileprivate var concernsSight: Bool {
        switch self {
        case .member, .everybody: true
        case .signedOut, .session, .wait: false
        }
    }
}
