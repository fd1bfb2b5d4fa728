import KinKeeper
import KinModel
import KinStore

extension Members {
    static let requests = Method.query(
        "member.requests",
        "What waits for an answer: who asks to move, who is admitted, and which child asks to count as an adult.",
        access: [.signedIn, .machine], note: "what one asked oneself, what is about oneself, what one can answer",
        result: .object([
            .required("moves", .list(WaitingMove.shape, max: requestsMax)),
            .required("grown", .list(WaitingChild.shape, max: Limits.membersMax)),
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
                    WaitingMove(
                        member: sight.show(member), household: Household(id: move.household, name: name ?? ""),
                        isAdmitted: move.isAdmitted, by: sight == .all ? move.by : nil, at: move.at, ends: move.ends,
                        mayAnswer: isAnswered || act.isAtMachine, mayMove: act.isOne(of: movers) || act.isAtMachine
                    ).json)
            }
            var grown: [JSON] = []
            for wish in try Wish.open(act) {
                let found = try act.ask { (database) throws(StoreFailure) in try People.member(wish.child, database) }
                guard let child = found else { continue }
                let declarers = try declarers(of: child, act)
                let isAnswered = act.isAtMachine || act.isOne(of: declarers)
                guard isAnswered || act.isOneself(child.id) else { continue }
                grown.append(
                    WaitingChild(
                        member: sight.show(child), at: wish.askedAt, ends: wish.askedAt.adding(days: Limits.grownDays),
                        mayAnswer: isAnswered
                    ).json)
            }
            return .done(["moves": .array(moves), "grown": .array(grown)])
        })

    /// One question of each member, and the admissions of each household.
    private static let requestsMax = Limits.membersMax + Limits.admissionsPerHouseholdMax * Limits.householdsMax

    /// A member who asks to move, or is admitted.
    private struct WaitingMove: WireRecord {
        let member: Member
        let household: Household
        let isAdmitted: Bool
        let by: Identifier?
        let at: Instant
        let ends: Instant
        let mayAnswer: Bool
        let mayMove: Bool

        static let fields = Fields(
            nil, WaitingMove.init(member:household:isAdmitted:by:at:ends:mayAnswer:mayMove:),
            .required("member", \.member, Member.form), .required("household", \.household, Household.form),
            .required(
                "admitted", \.isAdmitted, .bool,
                "True: nobody has to answer any more; the member moves in by household.move."),
            .optional(
                "by", \.by, .id,
                "Who asked, or who admits; absent for guests and where it was done at the machine."),
            .required("at", \.at, .time), .required("ends", \.ends, .time),
            .required("mayAnswer", \.mayAnswer, .bool, "Whether the caller can answer."),
            .required(
                "mayMove", \.mayMove, .bool,
                "Whether the caller can withdraw the question, or move in once it is admitted."))
    }

    /// A child who asks to count as an adult.
    private struct WaitingChild: WireRecord {
        let member: Member
        let at: Instant
        let ends: Instant
        let mayAnswer: Bool

        static let fields = Fields(
            nil, WaitingChild.init(member:at:ends:mayAnswer:), .required("member", \.member, Member.form),
            .required("at", \.at, .time),
            .required("ends", \.ends, .time, "From when on it is so without an answer."),
            .required("mayAnswer", \.mayAnswer, .bool, "Whether the caller can answer."))
    }
}
