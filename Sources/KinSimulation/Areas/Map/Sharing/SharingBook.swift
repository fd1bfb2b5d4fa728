import KinKeeper
import KinMap
import KinModel

/// What a family did, kept beside the daemon: who opened which session with whose secret, what everybody agreed to, who
/// asked for what.
struct SharingBook {
    /// How somebody came to be signed in.
    enum Origin: Equatable {
        /// With a secret of the member's own.
        case own
        /// With one that somebody else made or set, at a time; `nil` is the machine.
        case other(by: Identifier?, at: Instant)
    }

    /// A session or an app password.
    struct Key {
        let secret: String
        /// The session; of an app password its identifier.
        let id: Identifier
        let member: Identifier
        let origin: Origin
        let openedAt: Instant
        var isAppPassword = false
        /// Somebody said that it is all right.
        var isTrusted = false
    }

    /// What a member chose, as it was said.
    struct Rule {
        let viewer: String
        let precision: Precision
        let history: Bool
        let until: Instant?
    }

    /// What somebody agreed to.
    struct Agreement {
        var rules = [Rule(viewer: "everyone", precision: .exact, history: false, until: nil)]
        /// Who was in which group then, and has been since.
        var groups: [String: Set<Identifier>] = [:]
        /// How the places stood that the member saw then.
        var circles: [Identifier: SharingFacts.Circle] = [:]
    }

    /// A link that somebody outside was given.
    struct Link {
        let id: Identifier
        let secret: String
        let member: Identifier
        let isOwn: Bool
    }

    var keys: [Key] = []
    /// Passwords, and whose word they are.
    var passwords: [Identifier: (text: String, origin: Origin)] = [:]
    /// Members who were signed in at least once.
    var inUse: Set<Identifier> = []
    var agreements: [Identifier: Agreement] = [:]
    /// Who asked that a member may move into a household.
    var moves: [Identifier: [Identifier: Set<Identifier>]] = [:]
    /// By whom a member was admitted into a household, and has not moved yet.
    var admissions: [Identifier: [Identifier: Set<Identifier>]] = [:]
    /// Since when children ask to be grown.
    var growing: [Identifier: Instant] = [:]
    var codes: [String] = []
    /// One-time links, for whom they were made and how a session counts that one opens.
    var signInLinks: [(secret: String, member: Identifier, origin: Origin)] = []
    var links: [Link] = []
    var invites: [Identifier] = []

    /// How long somebody else's session waits.
    static let waitSeconds: Int64 = 72 * 3600

    /// Whether a session is not the member's own word yet.
    static func isWaiting(_ key: Key, at now: Instant) -> Bool {
        guard case .other(_, let at) = key.origin, !key.isTrusted else { return false }
        return now < max(at, key.openedAt).adding(seconds: waitSeconds)
    }

    /// A password is set, by the member itself or by somebody else. A first one is as good as the member's own, whoever
    /// sets it: nobody has signed in yet from whom the account could be taken.
    mutating func setPassword(_ text: String, of member: Identifier, isOwn: Bool, at now: Instant) {
        let isFirst = !inUse.contains(member)
        passwords[member] = (text, isOwn || isFirst ? .own : .other(by: nil, at: now))
    }

    /// How a session counts that a password opens.
    func origin(ofPassword member: Identifier, at now: Instant) -> Origin {
        guard case .other(_, let at)? = passwords[member]?.origin else { return .own }
        return now < at.adding(seconds: Self.waitSeconds) ? passwords[member]?.origin ?? .own : .own
    }

    /// Those a group consists of now, for one member.
    static func group(_ viewer: String, of watched: Identifier, _ facts: SharingFacts) -> Set<Identifier> {
        guard let own = facts[watched] else { return [] }
        return Set(
            facts.people.filter { person in
                guard person.id != watched, person.role != .guest else { return false }
                return viewer == "everyone" || person.household == own.household
            }.map(\.id))
    }

    /// A member, or its holder, says that it is all right as it is.
    mutating func agree(_ watched: Identifier, _ facts: SharingFacts) {
        for viewer in ["household", "everyone"] {
            agreements[watched, default: Agreement()].groups[viewer] = Self.group(viewer, of: watched, facts)
        }
        agreements[watched]?.circles = Dictionary(
            uniqueKeysWithValues: facts.places.filter { $0.seers.contains(watched) }.map { ($0.id, $0.circle) })
    }

    /// Whoever left a group is no longer in it, whatever follows.
    mutating func forgetLeavers(_ facts: SharingFacts) {
        for watched in agreements.keys {
            for viewer in ["household", "everyone"] {
                agreements[watched]?.groups[viewer]?.formIntersection(Self.group(viewer, of: watched, facts))
            }
        }
        let members = Set(facts.people.map(\.id))
        keys.removeAll { !members.contains($0.member) }
    }

    /// Whether the end of a rule between two times shows somebody as much.
    func hasEnded(
        _ watched: Identifier, for viewer: Identifier, from: Instant, to: Instant, seeing: Seeing
    ) -> Bool {
        guard let agreement = agreements[watched] else { return false }
        let hasEnded = agreement.rules.contains { $0.until.map { $0 > from && $0 <= to } ?? false }
        return hasEnded
            && agreement.rules.contains { rule in
                let isMeant =
                    rule.viewer == "\(viewer)" || agreement.groups[rule.viewer]?.contains(viewer) == true
                return isMeant && rule.precision >= seeing.precision
                    && (seeing.history == .off || rule.history && rule.precision >= seeing.history)
            }
    }
}
