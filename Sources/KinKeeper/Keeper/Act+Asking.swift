package import KinModel
import KinStore

/// Refusals that say whom to ask. They name people, as far as the caller may know their names.
extension Act {
    /// Refuses unless a rule holds, and names up to two of those who may.
    ///
    /// - Parameters:
    ///   - sentence: Who may do such things, with its full stop.
    ///   - people: Whom to ask, the best choice first.
    package func require(
        _ isAllowed: Bool, _ sentence: String, asking people: @autoclosure () throws(Rejection) -> [Identifier]
    ) throws(Rejection) {
        guard isAllowed else { throw try refusal(sentence, asking: try people()) }
    }

    /// The admins.
    package var admins: [Identifier] {
        get throws(Rejection) { try roster.entries.filter { $0.role == .admin }.map(\.id) }
    }

    /// The members who lead a household: its heads, and the admins.
    package func leaders(of household: Identifier) throws(Rejection) -> [Identifier] {
        try roster.entries.filter { $0.role == .head && $0.household == household }.map(\.id) + admins
    }

    /// The refusal of a method that the role table closes to the caller. It says who may call it.
    func refusal(_ method: Method, _ member: CallingMember) throws(Rejection) -> Rejection {
        guard !method.access.isDisjoint(with: .signedIn) else {
            return Rejection(
                .forbidden,
                method.access.contains(.nobody)
                    ? "This is for people who are not signed in yet. Sign out first."
                    : "This is done at the family's machine only, with kin.")
        }
        if method.access.contains(.member) {
            let hosts = try roster.entries.filter { $0.household == member.household && $0.role != .guest }
            return try refusal("Guests cannot do that.", asking: hosts.map(\.id))
        }
        return method.access.contains(.head)
            ? try refusal(
                "Only an admin or the head of a household can do that.", asking: try leaders(of: member.household))
            : try refusal("Only an admin can do that.", asking: try admins)
    }

    private func refusal(_ sentence: String, asking people: [Identifier]) throws(Rejection) -> Rejection {
        var names: [String] = []
        let (roster, sight) = (try roster, sight)
        for id in people where !isOneself(id) && names.count < 2 {
            guard let sight, let entry = roster[id], sight.contains(entry.household),
                let found = try ask({ (database) throws(StoreFailure) in try People.member(id, database) }),
                !names.contains(found.displayName)
            else { continue }
            names.append(found.displayName)
        }
        switch names.count {
        case 0: return Rejection(.forbidden, sentence)
        case 1: return Rejection(.forbidden, "\(sentence) Ask \(names[0]).")
        default: return Rejection(.forbidden, "\(sentence) Ask \(names[0]) or \(names[1]).")
        }
    }
}
