import KinKeeper
import KinLoop
import KinModel

/// Unanswered requests that the keeper or a worker has, in all and for each party, so that one party's requests never
/// take the room of all.
struct UnderWay {
    /// How many there are.
    private(set) var count = 0
    /// How many of them are the daemon's own.
    private var ownCount = 0
    private var parties: [Ticket: (party: Party, secret: Int?)] = [:]
    private var counts: [Party: Int] = [:]
    /// Members by their credentials, as the keeper resolved them last. It only decides whose turn a request takes, so
    /// an unkeyed digest within the process is enough.
    private var members: [Int: Identifier] = [:]
    private static let membersMax = 4096

    /// Counts a request, unless there is no room for it. A party may have three times as many requests as there is room
    /// left. So a single party gets most of the room, and the next one still finds some.
    mutating func begin(_ request: Request, _ most: Int) -> Bool {
        guard count < most, counts[request.party, default: 0] <= 3 * (most - count) else { return false }
        count += 1
        counts[request.party, default: 0] += 1
        parties[request.ticket] = (request.party, request.party.isKnown ? nil : Self.digest(request.credential))
        return true
    }

    /// Counts a request of the daemon's own, for which nobody waits.
    mutating func beginOwn() {
        count += 1
        ownCount += 1
    }

    /// A request is answered.
    mutating func end(_ reply: Reply) {
        count -= 1
        guard let (party, secret) = parties.removeValue(forKey: reply.ticket) else {
            hold(.answersHaveARequest, ownCount > 0)
            ownCount -= 1
            return
        }
        let left = counts[party, default: 1] - 1
        counts[party] = left > 0 ? left : nil
        guard let member = reply.member, let secret else { return }
        if members.count >= Self.membersMax { members.removeAll(keepingCapacity: true) }
        members[secret] = member
    }

    /// The member of a credential, as the keeper resolved it last.
    func member(behind credential: Credential) -> Identifier? { Self.digest(credential).flatMap { members[$0] } }

    private static func digest(_ credential: Credential) -> Int? {
        switch credential {
        case .token, .appPassword: credential.hashValue
        case .none, .session, .answer, .machine, .machineAs: nil
        }
    }
}

extension Server {
    /// Requests without an answer.
    var requestsInFlight: Int { port.underWay.count }

    /// The member who asks, as far as the loop can know.
    func member(behind credential: Credential, _ connection: Connection) -> Identifier? {
        switch credential {
        case .session, .machineAs: connection.identity?.member
        case .token, .appPassword: port.underWay.member(behind: credential)
        // A signed-in client that signs in once more.
        case .none: connection.identity?.member
        case .machine, .answer: nil
        }
    }

    /// The party that a connection's jobs count for.
    func party(_ connection: Connection) -> Party {
        if let member = connection.identity?.member { return .member(member) }
        if connection.isMachine { return .machine }
        if let head = connection.exchange?.head,
            let member = port.underWay.member(behind: hall.policy.credential(connection, head))
        {
            return .member(member)
        }
        return .address(connection.isUnix ? "" : connection.address?.slowdownKey.description ?? "")
    }
}
