import KinKeeper
import KinModel
import KinStore

/// Authority over other members, apart from the roles of admins and heads.
extension Members {
    /// The members who admit people into a household, and stand in for a child's parents there: its adult heads and
    /// admins. Where none of these lives there, it is any admin. Where there is no admin but the member in question, it
    /// is any adult who lives there. Never the member who moves.
    static func heads(of household: Identifier, besides member: Identifier, _ act: Act) throws(Rejection)
        -> [Identifier]
    {
        let others = try adults(act).filter { $0.id != member }
        let heads = others.filter { $0.household == household && ($0.role == .head || $0.role == .admin) }
        guard heads.isEmpty else { return heads.map(\.id) }
        let admins = others.filter { $0.role == .admin }
        return (admins.isEmpty ? others.filter { $0.household == household } : admins).map(\.id)
    }

    /// A member's parents, as far as they are adults and no guests.
    static func parents(of child: Member, _ act: Act) throws(Rejection) -> [Identifier] {
        guard !child.parents.isEmpty else { return [] }
        let adults = Set(try adults(act).map(\.id))
        return child.parents.filter { adults.contains($0) }
    }

    /// The holder of a child's sharing.
    static func holder(of child: Member, _ act: Act) throws(Rejection) -> Identifier? {
        try act.hooks.guardian?(act, child.id)
    }

    /// The members who speak for a child: its parents, and the holder of its sharing.
    static func guardians(of child: Member, _ act: Act) throws(Rejection) -> [Identifier] {
        let parents = try parents(of: child, act)
        return parents + [try holder(of: child, act)].compactMap(\.self).filter { !parents.contains($0) }
    }

    /// The members who speak for a child without parents or holder: the member who brought it in; where that is
    /// unknown, the heads of its household.
    static func standIns(for child: Member, _ act: Act) throws(Rejection) -> [Identifier] {
        if let bringer = try adultBringer(of: child.id, act) { return [bringer] }
        return try heads(of: child.household, besides: child.id, act)
    }

    /// The members who may say that a child is grown.
    static func declarers(of child: Member, _ act: Act) throws(Rejection) -> [Identifier] {
        let guardians = try guardians(of: child, act)
        return guardians.isEmpty ? try standIns(for: child, act) : guardians
    }

    /// The members who may move a child.
    static func movers(of child: Member, _ act: Act) throws(Rejection) -> [Identifier] {
        let guardians = try guardians(of: child, act)
        guard guardians.isEmpty else { return guardians }
        let heads = try heads(of: child.household, besides: child.id, act)
        let admins = try adults(act).filter { $0.role == .admin && $0.id != child.id }.map(\.id)
        return Array(Set(heads + admins + [try adultBringer(of: child.id, act)].compactMap(\.self))).sorted()
    }

    /// Refuses unless the caller may change a member's names and picture: an adult's are the adult's own.
    static func mayChange(_ member: Member, _ act: Act) throws(Rejection) {
        if act.isOneself(member.id) || act.isAtMachine { return }
        if member.kind == .wall {
            return try act.require(act.isAdministrator, "Only admins change a screen on a wall.")
        }
        try act.require(
            member.kind == .child,
            "Adults change their names and their picture themselves; nobody else does, not even an admin.")
        if act.leads(member) { return }
        let says = try declarers(of: member, act) + [try adultBringer(of: member.id, act)].compactMap(\.self)
        try act.require(
            act.isOne(of: says),
            "Only the child, its parents, who holds its sharing or brought it in, the heads of its household and admins "
                + "change that.")
    }

    private static func adultBringer(of member: Identifier, _ act: Act) throws(Rejection) -> Identifier? {
        guard let bringer = try People.bringer(of: member, act) else { return nil }
        return try adults(act).contains { $0.id == bringer } ? bringer : nil
    }

    private struct Adult {
        let id: Identifier
        let role: Role
        let household: Identifier
    }

    /// Those who are grown and no guests.
    private static func adults(_ act: Act) throws(Rejection) -> [Adult] {
        try act.rows("SELECT id, role, household FROM members WHERE kind = 'adult' AND role != 'guest' ORDER BY id") {
            (row) throws(StoreFailure) in
            Adult(
                id: row.identifier("id"), role: row.word("role"),
                household: row.identifier("household"))
        }
    }
}

extension Act {
    /// Whether the caller is root or the daemon's own user, and no member. At the machine, acts are allowed that
    /// elsewhere need the member's own word.
    var isAtMachine: Bool { if case .machine = caller { true } else { false } }

    /// Whether the caller is one of some members.
    func isOne(of members: [Identifier]) -> Bool { caller.memberID.map { members.contains($0) } ?? false }
}

extension Roster {
    /// Some members.
    func only(_ members: [Identifier]) -> Audience { Audience(members.compactMap { self[$0]?.number }) }
}
