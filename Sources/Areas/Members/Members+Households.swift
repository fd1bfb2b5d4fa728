import KinKeeper
import KinModel
import KinStore

extension Members {
    static let foundHousehold = Method.command(
        "household.found", "Founds a household and moves into it as its head; relations stay.",
        access: [.family, .machine],
        note: "adults for themselves; admins without moving anybody",
        [
            .required("name", .name),
            .optional("member", .id, "Who moves in: the caller if left out; somebody else only at the machine."),
            .optional("stay", .bool, "True: nobody moves in, it waits for an invite; admins."),
        ],
        result: .object([.required("household", Household.shape), .optional("member", Member.shape)]),
        route: Route("POST", "/api/households", status: 201),
        events: [
            Member.removed, Household.founded, Move.answered, Member.moved, Household.removed, Invites.revoked,
        ],
        isSlow: true, again: { (act, ids) throws(Rejection) in try shown(act, ids) },
        apply: { (act, params) throws(Rejection) in
            _ = try act.family()
            let mover = try mover(act, params)
            let count = try act.first("SELECT count(*) FROM households") { row in row.int(0) }
            guard (count ?? 0) < Limits.householdsMax else {
                throw Rejection(.tooLarge, "The family has \(Limits.householdsMax) households; that is the most.")
            }
            let household = Household(id: act.newIdentifier(), name: try params.string("name"))
            let role = mover?.role == .admin ? Role.admin : .head
            if let mover, let later = try act.losingFirst(mover.id, role: role, household: household.id) {
                return later
            }
            try growing(act) { () throws(Rejection) in try insert(household, act) }
            try tellFounded(household, act)
            if let mover { try move(mover, to: household.id, as: role, act) }
            return .done(try shown(act, [household.id] + [mover?.id].compactMap(\.self)), ids: [household.id])
        }
    ).forOwnWord()

    private static func mover(_ act: Act, _ params: Params) throws(Rejection) -> Member? {
        if params["stay"]?.bool == true {
            try act.require(
                act.isAdministrator, "Only admins found a household without moving into it.", asking: try act.admins)
            return nil
        }
        guard let id = params.optionalID("member") ?? act.caller.memberID else { return nil }
        let mover = try act.member(id)
        guard mover.kind == .adult else {
            throw Rejection(.conflict, "A child founds no household.", field: "member")
        }
        try act.require(
            act.isOneself(id) || act.isAtMachine, "Adults found their household themselves; nobody is moved into one.")
        guard mover.role != .guest else {
            throw Rejection(.conflict, "A guest founds no household.", field: "member")
        }
        return mover
    }

    private static func shown(_ act: Act, _ ids: [Identifier]) throws(Rejection) -> JSON {
        guard let id = ids.first else { return [:] }
        var result: JSON = ["household": try act.household(id).json]
        if ids.count > 1 { result["member"] = try act.show(ids[1])["member"] }
        return result
    }

    static let renameHousehold = Method.command(
        "household.rename", "Gives a household another name.", access: [.head, .admin, .machine],
        note: "heads: the own household", [.required("household", .id), .required("name", .name)],
        result: .householdResult, route: Route("PATCH", "/api/households/{household}"), events: [Household.renamed],
        again: { (act, ids) throws(Rejection) in try shown(act, ids) },
        apply: { (act, params) throws(Rejection) in
            var household = try act.household(try params.id("household"))
            try act.require(
                act.leads(household.id), "Only admins and the heads of a household rename it.",
                asking: try act.leaders(of: household.id))
            household.name = try params.string("name")
            try growing(act) { () throws(Rejection) in
                try act.run("UPDATE households SET name = ? WHERE id = ?", .text(household.name), .id(household.id))
            }
            let roster = try act.roster
            try act.emit(
                Household.renamed, .init(household: household), about: about(household: household.id),
                to: roster.everyone.union(roster.guests(of: household.id)))
            return .done(["household": household.json], ids: [household.id])
        })

    static let removeHousehold = Method.command(
        "household.remove", "Removes a household that nobody lives in.", access: .admins,
        [.required("household", .id)], result: .nothing, route: Route("DELETE", "/api/households/{household}"),
        events: [Household.removed, Member.removed, Move.answered, Invites.revoked],
        apply: { (act, params) throws(Rejection) in
            let household = try act.household(try params.id("household"))
            guard try removeIfEmpty(household.id, act) else {
                throw Rejection(
                    .conflict, "Somebody lives in this household; move them out first.",
                    field: "household")
            }
            return .done([:], ids: [household.id])
        }
    ).freeingRoom()

    // MARK: For the rest of the area

    static func insert(_ household: Household, _ act: Act) throws(Rejection) {
        try act.run(
            "INSERT INTO households (id, name, founded_at) VALUES (?, ?, ?)", .id(household.id), .text(household.name),
            .time(act.now))
    }

    static func tellFounded(_ household: Household, _ act: Act) throws(Rejection) {
        try act.emit(
            Household.founded, .init(household: household), about: about(household: household.id),
            to: try act.roster.everyone)
    }

    /// Removes a household in which nobody lives any more, with its screens on walls and its open invites. Answers
    /// whether it did.
    @discardableResult
    static func removeIfEmpty(_ household: Identifier, _ act: Act) throws(Rejection) -> Bool {
        let isLivedIn = try act.first(
            "SELECT 1 FROM members WHERE household = ? AND kind != 'wall'", .id(household)
        ) { row in row.bool(0) }
        guard isLivedIn == nil else { return false }
        // The household goes with the last of them.
        if let wall = try Walls.all(in: household, act).first {
            try removeWithAll(wall, act)
            return true
        }
        try Invites.endAll(into: household, act)
        try Move.endAll(into: household, act)
        try act.run("DELETE FROM households WHERE id = ?", .id(household))
        try act.erase(about: about(household: household))
        try act.emit(
            Household.removed, .init(household: household), about: about(household: household),
            to: try act.roster.everyone)
        return true
    }
}
