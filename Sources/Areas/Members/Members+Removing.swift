import KinKeeper
import KinModel
import KinStore

extension Members {
    static let remove = Method.command(
        "member.remove", "Removes a member, and hands over or deletes what the member owns.",
        access: [.signedIn, .machine], note: "oneself, admins",
        [
            .required("member", .id),
            .required("keep", .oneOf(["hand-over", "delete"]), "What becomes of what the member owns."),
            .optional("to", .id, "Who gets it: the caller if left out."),
        ],
        result: .nothing, route: Route("DELETE", "/api/members/{member}"),
        events: [Member.removed, Household.removed, Move.answered, Invites.revoked],
        apply: { (act, params) throws(Rejection) in
            let member = try act.member(try params.id("member"))
            try act.require(
                act.isOneself(member.id) || act.isAdministrator, "Only members themselves and admins remove somebody.",
                asking: try act.admins)
            if member.role == .admin { try checkOtherAdmin(than: member.id, act) }
            if try params.string("keep") == "hand-over" {
                let heir = try heir(of: member, act, params)
                for area in act.areas { try area.life.inherit?(act, member.id, heir) }
            }
            try removeWithAll(member, act)
            return .done([:], ids: [member.id], effect: act.isOneself(member.id) ? .signedOut : .none)
        }
    ).freeingRoom()

    /// Removes a member with everything that the areas keep of it.
    static func removeWithAll(_ member: Member, _ act: Act) throws(Rejection) {
        for area in act.areas { try area.life.deleteOwned?(act, member.id) }
        for things in act.areas.flatMap(\.shared) { try things.forget(member.id, act) }
        try remove(member, act)
    }

    private static func heir(of member: Member, _ act: Act, _ params: Params) throws(Rejection) -> Identifier {
        guard let id = params.optionalID("to") ?? act.caller.memberID, id != member.id else {
            throw Rejection(.invalid, "Say to whom it is handed over: another member.", field: "to")
        }
        let heir = try act.member(id, field: "to")
        guard heir.role != .guest else {
            throw Rejection(.invalid, "Nothing is handed over to a guest; name a member.", field: "to")
        }
        try Walls.mustNotBe(heir, field: "to")
        return heir.id
    }

    /// Deletes the member with everything this area keeps, and every row of the log about it.
    private static func remove(_ member: Member, _ act: Act) throws(Rejection) {
        let before = try act.roster
        let told = before.everyone.union(before.guests(of: member.household)).subtracting(before.only(member.id))
        let sessions = try act.rows("SELECT id FROM sessions WHERE member = ?", .id(member.id)) { row in
            row.identifier(0)
        }
        for session in sessions { try act.erase(about: "session/\(session)") }
        try act.erase(about: about(member.id))
        if let picture = member.picture { try act.dropBlob(picture) }
        try Invites.endAll(by: member.id, act)
        // Sessions, app passwords, links, relations and known addresses go with the row.
        try act.run("DELETE FROM members WHERE id = ?", .id(member.id))
        try act.forgetOperations(of: member.id)
        act.rosterChanged()
        act.revoke(.member(member.id))
        try act.emit(Member.removed, .init(member: member.id), about: about(member.id), to: told)
        try removeIfEmpty(member.household, act)
    }
}
