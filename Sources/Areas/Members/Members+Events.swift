import KinKeeper
import KinModel
import KinStore

extension Members {
    static let events: [any EventDeclaration] = [
        Family.founded, Family.renamed, Household.founded, Household.renamed, Household.removed, Member.added,
        Member.joined, Member.updated, Member.moved, Move.asked, Move.answered, Grown.asked, Grown.answered,
        Member.removed, Invites.created, Invites.revoked, Sessions.opened, Permission.changed, Sessions.accountChanged,
    ]

    /// The `about` of the log's rows about a member.
    static func about(_ member: Identifier) -> String { "member/\(member)" }

    /// The `about` of the log's rows about a household.
    static func about(household: Identifier) -> String { "household/\(household)" }

    /// Writes a new member to everybody who sees it: everything to everyone, to guests of the household what guests see.
    static func tell(_ type: EventType<Member.Shown>, _ id: Identifier, _ act: Act) throws(Rejection) {
        guard let member = try find(id, act) else { return }
        let roster = try act.roster
        for (seen, audience) in [
            (member, roster.everyone), (member.asGuestsSee, roster.guests(of: member.household)),
        ] {
            try act.emit(type, .init(member: seen), about: about(id), to: audience, title: member.displayName)
        }
    }

    /// Tells a member's present state to everybody who sees the member, except to those who get a fresh view.
    /// `isSeenByGuests` is false when nothing changed that guests see; `changed` names the fields that changed.
    static func tell(
        _ type: EventType<Member.Changed>, _ id: Identifier, _ act: Act, changed: [String],
        except: Audience = Audience(), isSeenByGuests: Bool = true
    ) throws(Rejection) {
        guard let member = try find(id, act) else { return }
        let roster = try act.roster
        try act.emit(
            type, .init(member: member, changed: changed), about: about(id), to: roster.everyone.subtracting(except))
        guard isSeenByGuests else { return }
        let seen = changed.filter { !["username", "parents", "partners"].contains($0) }
        try act.emit(
            type, .init(member: member.asGuestsSee, changed: seen), about: about(id),
            to: roster.guests(of: member.household).subtracting(except))
    }

    private static func find(_ id: Identifier, _ act: Act) throws(Rejection) -> Member? {
        try act.ask { (database) throws(StoreFailure) in try People.member(id, database) }
    }

    /// Tells a member what opens their account from now on, or no longer does.
    static func tell(
        _ what: Permission, of id: Identifier, _ act: Act, device: String? = nil, scope: Scope? = nil
    ) throws(Rejection) {
        try act.emit(
            Permission.changed, .init(what: what, device: device, scope: scope), about: about(id),
            to: try act.roster.only(id))
    }
}

extension Roster {
    /// The members who deal with a household's invites: admins and the household's heads.
    func leaders(of household: Identifier) -> Audience {
        Audience(
            entries.filter { $0.role == .admin || ($0.role == .head && $0.household == household) }.map(\.number))
    }
}
