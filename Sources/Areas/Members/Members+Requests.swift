import KinKeeper
import KinModel
import KinStore

extension Members {
    static let requests = Method.query(
        "member.requests",
        "What waits for an answer: who asks to move, who is admitted, and which child asks to count as an adult.",
        access: [.signedIn, .machine], note: "what one asked oneself, what is about oneself, what one can answer",
        result: .object([
            .required("moves", .list(waitingMove, max: requestsMax)),
            .required("grown", .list(waitingChild, max: Limits.membersMax)),
        ]),
        route: Route("GET", "/api/requests"),
        apply: { (act, _) throws(Rejection) in
            guard let sight = act.sight else { throw Rejection(.notSignedIn, "Sign in first.") }
            var moves: [JSON] = []
            for (move, member) in try Move.all(act) {
                let isAnswered = act.isOne(of: try heads(of: move.household, besides: member.id, act))
                let movers = member.kind == .child ? try movers(of: member, act) : [member.id]
                let about = [member.id, move.by].compactMap(\.self) + movers
                guard isAnswered || act.isAtMachine || act.isOne(of: about) else { continue }
                let name = try act.first("SELECT name FROM households WHERE id = ?", .id(move.household)) { row in
                    row.text(0)
                }
                moves.append(
                    .object(leavingOut: [
                        "member": sight.show(member).json,
                        "household": Household(id: move.household, name: name ?? "").json,
                        "admitted": .bool(move.isAdmitted), "by": sight == .all ? move.by.map { .id($0) } : nil,
                        "at": .time(move.at), "ends": .time(move.ends),
                        "mayAnswer": .bool(isAnswered || act.isAtMachine),
                        "mayMove": .bool(act.isOne(of: movers) || act.isAtMachine),
                    ]))
            }
            var grown: [JSON] = []
            for wish in try Wish.open(act) {
                let found = try act.ask { (database) throws(StoreFailure) in try People.member(wish.child, database) }
                guard let child = found else { continue }
                let declarers = try declarers(of: child, act)
                let isAnswered = act.isAtMachine || act.isOne(of: declarers)
                guard isAnswered || act.isOneself(child.id) else { continue }
                grown.append([
                    "member": sight.show(child).json, "at": .time(wish.askedAt),
                    "ends": .time(wish.askedAt.adding(days: Limits.grownDays)), "mayAnswer": .bool(isAnswered),
                ])
            }
            return .done(["moves": .array(moves), "grown": .array(grown)])
        })

    /// One question of each member, and the admissions of each household.
    private static let requestsMax = Limits.membersMax + Limits.admissionsPerHouseholdMax * Limits.householdsMax

    private static let waitingMove = Shape.object([
        .required("member", Member.shape), .required("household", Household.shape),
        .required("admitted", .bool, "True: nobody has to answer any more; the member moves in by household.move."),
        .optional("by", .id, "Who asked, or who admits; absent for guests and where it was done at the machine."),
        .required("at", .time), .required("ends", .time),
        .required("mayAnswer", .bool, "Whether the caller can answer."),
        .required("mayMove", .bool, "Whether the caller can withdraw the question, or move in once it is admitted."),
    ])

    private static let waitingChild = Shape.object([
        .required("member", Member.shape), .required("at", .time),
        .required("ends", .time, "From when on it is so without an answer."),
        .required("mayAnswer", .bool, "Whether the caller can answer."),
    ])
}
