import KinKeeper
import KinModel
import KinStore

extension Map {
    static let report = Method.command(
        "position.report", "Says where the caller is or was, once or up to 1,000 times.", access: .signedIn,
        note: """
            About oneself only. Either one point's own parameters, or positions with a list of them; a wrong one refuses \
            all. Over HTTP the body may be the list itself. Late points fill the history and never move the dot; \
            repeated ones change nothing. A long list is taken in several turns, so that others have theirs; should the \
            daemon end in between, the same list once more brings the rest.
            """,
        Point.fields.map { .optional($0.name, $0.shape, $0.summary) } + [
            .optional(
                "positions", .list(.object(Point.fields), max: Limits.positionsPerReportMax),
                "Many points at once, instead of the other parameters.")
        ],
        result: .object([
            .optional(
                "position", position,
                "The caller's latest after this; left out for the scope report and for a session that waits.")
        ]),
        route: Route("POST", "/api/positions"), events: ["position"],
        again: { (act, _) throws(Rejection) in try reported(try Dot(try act.member.id, act).own, act) },
        apply: { (act, params) throws(Rejection) in
            let member = try act.member
            if let batch = act.carried as? Track.Batch {
                return try Track.take(batch, of: member.id, act) { (own) throws(Rejection) in
                    try reported(own, act)
                }
            }
            var points: [Point] = []
            if let list = params["positions"]?.array {
                guard params.object.members.count == 1 else {
                    throw Rejection(
                        .params, "Give either positions or one point's own parameters, not both.", field: "positions")
                }
                guard !list.isEmpty else {
                    throw Rejection(.invalid, "positions is empty; give at least one.", field: "positions")
                }
                let read = try PointList.read(list, act) { (element, index) throws(Rejection) in
                    try Point(element.object ?? JSON.Object(), path: "positions[\(index)].", act)
                }
                guard let all = read.points else { return .later(.rest(after: 0, carrying: read.rest)) }
                points = all
            } else {
                try Shape.check(params.object, fields: Point.fields)
                points.append(try Point(params.object, path: "", act))
            }
            guard try Track.takeQuota(points.count, for: member.id, act) else {
                throw Quota.usedUp(
                    "You told \(Limits.pointsPerDayMax) positions today, which is the most that is kept. Go on tomorrow.",
                    act, field: "positions")
            }
            for index in points.indices where points[index].device == nil {
                points[index].device = member.appPassword?.device
            }
            return try Track.take(Track.Batch(points), of: member.id, act) { (own) throws(Rejection) in
                try reported(own, act)
            }
        }
    ).scoped(.location, .report).takingList(as: "positions").doneInTurns("positions")

    private static func reported(_ own: Position?, _ act: Act) throws(Rejection) -> JSON {
        let member = try act.member
        guard member.scope != .report, !member.isWaiting else { return [:] }
        return .object(leavingOut: ["position": own?.json])
    }

    static let latest = Method.query(
        "position.latest", "The latest positions the caller may see: the own, and those of members who share.",
        access: .signedIn, note: "A guest sees the own, and those of members whose rules name the guest.",
        result: .object([.required("positions", .list(seen, max: Limits.membersMax))]),
        route: Route("GET", "/api/positions"),
        apply: { (act, _) throws(Rejection) in
            .done(["positions": try look(.live, act).json])
        }
    ).scoped(.location).forOwnWord().listing()

    static let history = Method.query(
        "position.history", "Where a member was between two times, both included, oldest first.",
        access: .signedIn,
        note: """
            The own, or that of a member whose rules show the caller the history: as much of each point as the caller \
            might see at its own time, when it arrived, and now. It is written down for the member (sharing.looks). \
            Other members in sight are answered 1403, those who are not 1404.
            """,
        [
            .required("member", .id), .required("from", .time), .required("to", .time),
            .optional("after", .token(max: 64), "next of the answer before, for the page after it."),
            .optional("limit", .integer(1...Int64(Limits.positionsPerAnswerMax)), "Positions in the answer."),
        ],
        result: .object([
            .required("positions", .list(position, max: Limits.positionsPerAnswerMax)),
            .required("more", .bool, "Whether there are more in this time."),
            .optional("next", .token(max: 64), "To be given as after; there when more is true."),
        ]),
        route: Route("GET", "/api/positions/{member}"), isSlow: true,
        apply: { (act, params) throws(Rejection) in
            let asked = try params.id("member")
            let consent = try shown(asked, to: try act.member, act)
            let from = try params.time("from")
            let to = try params.time("to")
            guard from <= to else { throw Rejection(.invalid, "to must not be before from.", field: "to") }
            let after = params.optionalString("after")
            let limit = params.optionalInt("limit") ?? Int64(Limits.positionsPerAnswerMax)
            if let consent {
                let mark = try after.map { (text) throws(Rejection) in try read(Track.Mark(text)) }
                var page = act.carried as? Track.Page ?? Track.Page(after: mark, limit: Int(limit))
                let number = try act.member.number
                let isWhole = try act.ask { (database) throws(StoreFailure) in
                    try Track.gather(&page, of: consent, for: number, from: from, to: to, now: act.now, database)
                }
                guard isWhole else {
                    return .later(.rest(after: 0, carrying: page))
                }
                try Looks.noteHistory(of: asked, from: from, to: to, act)
                return answer(page.positions, next: page.next?.text)
            }
            let place = try after.map { (text) throws(Rejection) in try read(Track.Place(text)) }
            let page = try act.ask { (database) throws(StoreFailure) in
                try Track.page(
                    of: try Consent.find(database, asked), from: from, to: to, after: place, limit: limit,
                    now: act.now, database)
            }
            try Looks.noteHistory(of: asked, from: from, to: to, act)
            return answer(page.positions, next: page.hasMore ? page.last?.text : nil)
        }
    ).forOwnWord()

    static func read<T>(_ after: T?) throws(Rejection) -> T {
        guard let after else {
            throw Rejection(.invalid, "after must be what an earlier answer gave as next.", field: "after")
        }
        return after
    }

    private static func answer(_ positions: [Position], next: String?) -> Outcome {
        .done(
            .object(leavingOut: [
                "positions": .array(positions.map(\.json)), "more": .bool(next != nil),
                "next": next.map { .string($0) },
            ]))
    }

    /// Whose history it is, where that is another than the caller and shows it; `nil` for the caller's own.
    static func shown(
        _ asked: Identifier, to caller: CallingMember, _ act: Act
    ) throws(Rejection) -> Consent? {
        guard asked != caller.id else { return nil }
        let consent = try act.ask { (database) throws(StoreFailure) in try Consent.find(database, asked) }
        if let consent, consent.viewers.historyPrecision(for: caller.number) != .off { return consent }
        guard let entry = try act.roster[asked], caller.role != .guest || entry.household == caller.household else {
            throw .notFound("member", asked.description, field: "member")
        }
        throw Rejection(.forbidden, "This member does not show you a history.", field: "member")
    }
}
