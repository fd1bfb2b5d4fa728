import KinKeeper
import KinModel
import KinStore

extension Members {
    static let moveHousehold = Method.command(
        "household.move",
        "Moves a member into another household: at once if the people there have admitted the member, else they are asked. "
            + "A head becomes a member there.",
        access: [.signedIn, .machine],
        note:
            "adults themselves; children: parents and holder; where there are none, who brought the child in, heads and "
            + "admins",
        [
            .required("member", .id),
            .required("household", .id, "The household it lives in already: the question is withdrawn."),
        ],
        result: .object([
            .required("member", Member.shape),
            .required("asked", .bool, "True: it lives where it lived, and an answer is waited for."),
        ]), route: Route("PUT", "/api/members/{member}/household"),
        events: [Move.asked, Move.answered, Member.moved, Member.removed, Household.removed, Invites.revoked],
        isSlow: true, again: { (act, ids) throws(Rejection) in try shownMove(ids[0], act) },
        apply: { (act, params) throws(Rejection) in
            let member = try act.member(try params.id("member"))
            try mayMove(member, act)
            let household = try params.id("household")
            if household == member.household {
                for move in try Move.all(of: member, act) where !move.isAdmitted { try move.end(.withdrawn, act) }
                return .done(try shownMove(member.id, act), ids: [member.id])
            }
            let found = try Move.find(member, household, act)
            let isAdmitted = found?.isAdmitted == true
            // A member who sees only one household learns of another by its admission.
            if isAdmitted { try act.requireClock() } else { _ = try act.household(household) }
            var isFree = isAdmitted
            if !isFree { isFree = try Self.isFree(member, household, act) }
            if isFree {
                let role = member.role == .head ? Role.member : member.role
                if let later = try act.losingFirst(member.id, role: role, household: household) { return later }
                try move(member, to: household, as: role, act)
            } else if found == nil {
                try askToMove(member, household, act)
            }
            return .done(try shownMove(member.id, act), ids: [member.id])
        }
    ).forOwnWord()

    static let admit = Method.command(
        "household.admit",
        "Answers who asks to move in; or admits somebody who has not asked yet, who then moves in by household.move.",
        access: [.family, .machine],
        note:
            "adult heads and admins who live there; where there are none, admins; where there is none but who moves, adults "
            + "who live there; never who moves",
        [
            .required("member", .id), .optional("household", .id, "The own household if left out."),
            .required("admit", .bool, "False: the question is refused, or the admission taken back."),
        ],
        result: .object([
            .required("member", Member.shape),
            .required("moved", .bool, "False with admit: it has not asked, and moves in when it likes."),
        ]), route: Route("PUT", "/api/members/{member}/admission"),
        events: [Move.answered, Member.moved, Member.removed, Household.removed, Invites.revoked],
        isSlow: true, again: { (act, ids) throws(Rejection) in try shownAdmission(ids[0], ids[1], act) },
        apply: { (act, params) throws(Rejection) in
            let member = try act.member(try params.id("member"))
            guard let into = params.optionalID("household") ?? act.ownHousehold else {
                throw Rejection(.params, "The parameter household is missing.", field: "household")
            }
            let household = try act.household(into).id
            let isHead = act.isOne(of: try heads(of: household, besides: member.id, act))
            try act.require(
                isHead || act.isAtMachine,
                act.isOneself(member.id)
                    ? "Somebody else of the household admits you, or an admin; nobody admits themselves."
                    : "Only the heads of a household and admins who live there admit people into it; where there are none, "
                        + "admins do.")
            guard household != member.household else {
                throw Rejection(.conflict, "This member lives in that household already.", field: "member")
            }
            let found = try Move.find(member, household, act)
            switch (params["admit"]?.bool == true, found) {
            case (true, let found?) where !found.isAdmitted:
                let role = member.role == .head ? Role.member : member.role
                if let later = try act.losingFirst(member.id, role: role, household: household) { return later }
                try move(member, to: household, as: role, act)
            case (true, nil):
                try checkAdmissions(household, act)
                let move = Move(
                    member: member.id, household: household, isAdmitted: true, by: act.caller.memberID, at: act.now)
                try move.save(act)
                try move.tell(.admitted, act)
            case (true, _): break
            case (false, let found?): if found.isAdmitted { try found.end(.ended, act) } else { try found.refuse(act) }
            case (false, nil):
                throw Rejection(.conflict, "This member does not ask to move into that household.", field: "member")
            }
            return .done(try shownAdmission(member.id, household, act), ids: [member.id, household])
        }
    ).forOwnWord { $0["admit"]?.bool == true }

    /// Refuses unless the caller may move a member, or ask for it.
    private static func mayMove(_ member: Member, _ act: Act) throws(Rejection) {
        if act.isAtMachine { return }
        guard member.kind == .child else {
            return try act.require(
                act.isOneself(member.id),
                "Adults move by themselves. If you lead the household, admit them; they move when they "
                    + "like.")
        }
        try act.require(
            act.isOne(of: try movers(of: member, act)),
            "A child is moved by its parents and by who holds its sharing; only where it has neither by the heads of its "
                + "household, by whoever brought it in and by admins.")
    }

    /// Whether nobody has to be asked. That is so at the machine; when the caller moves a child into a household for
    /// which the caller admits people; and for a move into an empty household for which nobody else can answer, which
    /// is as good as founding one.
    private static func isFree(_ member: Member, _ household: Identifier, _ act: Act) throws(Rejection) -> Bool {
        if act.isAtMachine || !act.keeps(.moversAreAdmitted) { return true }
        let heads = try heads(of: household, besides: member.id, act)
        if act.isOne(of: heads) { return true }
        guard heads.isEmpty, member.kind == .adult, member.role != .guest else { return false }
        return try act.first("SELECT 1 FROM members WHERE household = ?", .id(household)) { row in row.bool(0) } == nil
    }

    private static func askToMove(_ member: Member, _ household: Identifier, _ act: Act) throws(Rejection) {
        guard try !heads(of: household, besides: member.id, act).isEmpty else {
            throw Rejection(
                .conflict,
                "Nobody in this household can answer. Found a household, or ask whoever runs the machine.",
                field: "household")
        }
        try Move.checkAgain(member.id, household, act)
        for move in try Move.all(of: member, act) where !move.isAdmitted { try move.end(.withdrawn, act) }
        let move = Move(
            member: member.id, household: household, isAdmitted: false, by: act.caller.memberID, at: act.now)
        try move.save(act)
        try move.tellAsked(act)
    }

    private static func checkAdmissions(_ household: Identifier, _ act: Act) throws(Rejection) {
        let count = try act.first(
            "SELECT count(*) FROM moves WHERE household = ? AND is_admitted = 1", .id(household)
        ) { row in row.int(0) }
        guard (count ?? 0) < Limits.admissionsPerHouseholdMax else {
            throw Rejection(
                .tooLarge,
                "\(Limits.admissionsPerHouseholdMax) members are admitted and have not moved in yet; take one back first."
            )
        }
    }

    private static func shownMove(_ id: Identifier, _ act: Act) throws(Rejection) -> JSON {
        let member = try act.ask { (database) throws(StoreFailure) in try People.member(id, database) }
        guard let member else { throw Rejection.notFound("member", id.description, field: "member") }
        // A guest who has moved sees the answer with the rights of the new household.
        let sight = act.isOneself(id) ? Sight(role: member.role, household: member.household) : act.sight
        guard let sight, sight.contains(member.household) else {
            throw Rejection.notFound("member", id.description, field: "member")
        }
        return [
            "member": sight.show(member).json,
            "asked": .bool(try Move.all(of: member, act).contains { !$0.isAdmitted }),
        ]
    }

    private static func shownAdmission(
        _ id: Identifier, _ household: Identifier, _ act: Act
    ) throws(Rejection) -> JSON {
        var result = try act.show(id)
        result["moved"] = .bool(result["member"]?["household"]?.identifier == household)
        return result
    }

    // MARK: For the rest of the area

    /// Moves a member. Guests of both households, and the member if it is a guest, see the family anew: who lives with
    /// them changed.
    static func move(_ member: Member, to household: Identifier, as role: Role, _ act: Act) throws(Rejection) {
        let before = try act.roster
        try act.run(
            "UPDATE members SET household = ?, role = ? WHERE id = ?", .id(household), .text(role.rawValue),
            .id(member.id))
        act.rosterChanged()
        let changed = ["household"] + (role == member.role ? [] : ["role"])
        try tell(Member.moved, member.id, act, changed: changed, isSeenByGuests: false)
        try Move.settle(member.id, in: household, act)
        try Invites.endUnfounded(by: member.id, act)
        try removeIfEmpty(member.household, act)
        let guests = before.guests(of: member.household).union(try act.roster.guests(of: household))
        try act.reset(guests)
        for area in act.areas { try area.life.acquaintances?(act, guests) }
    }
}
