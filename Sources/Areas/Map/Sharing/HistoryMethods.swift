import KinKeeper
import KinModel
import KinStore

extension Map {
    static let latest = Method.query(
        "position.latest", "The latest positions the caller may see: the own, and those of members who share.",
        access: .signedIn, note: "A guest sees the own, and those of members whose rules name the guest.",
        result: .object([
            .required("positions", .list(seen, max: Limits.membersMax)),
            .optional(
                "unreported", .list(.id, max: Limits.membersMax),
                "Who shows the caller where they are, but nothing of it is known; absent for nobody."),
        ]),
        route: Route("GET", "/api/positions"),
        apply: { (act, _) throws(Rejection) in
            let seen = try look(.live, act)
            let unreported = try unreported(besides: Set(seen.members), act)
            return .done(
                .object(leavingOut: [
                    "positions": seen.json,
                    "unreported": unreported.isEmpty ? nil : .array(unreported.map { .id($0) }),
                ]))
        }
    ).scoped(.location).forOwnWord().listing()

    /// Who shows the caller something of which nothing is known: no phone reported since.
    private static func unreported(besides known: Set<Identifier>, _ act: Act) throws(Rejection) -> [Identifier] {
        let caller = try act.member
        return try MemberSharing.all(act).filter { sharing in
            sharing.isOn && sharing.member != caller.id && !known.contains(sharing.member)
                && sharing.viewers.precision(for: caller.number) != .off
        }.map(\.member).sorted()
    }

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
            let sharing = try shown(asked, to: try act.member, act)
            let from = try params.time("from")
            let to = try params.time("to")
            guard from <= to else { throw Rejection(.invalid, "to must not be before from.", field: "to") }
            let after = params.optionalString("after")
            let limit = params.optionalInt("limit") ?? Int64(Limits.positionsPerAnswerMax)
            if let sharing {
                let mark = try after.map { (text) throws(Rejection) in try read(Track.PageKey(text)) }
                var page = act.carried as? Track.Page ?? Track.Page(after: mark, limit: Int(limit))
                let number = try act.member.number
                let isWhole = try act.ask { (database) throws(StoreFailure) in
                    try Track.gather(&page, of: sharing, for: number, from: from, to: to, now: act.now, database)
                }
                guard isWhole else {
                    return .later(.rest(after: 0, carrying: page))
                }
                try Looks.noteHistory(of: asked, from: from, to: to, act)
                return answer(page.positions, next: page.next?.text)
            }
            let place = try after.map { (text) throws(Rejection) in try read(Track.RowKey(text)) }
            let page = try act.ask { (database) throws(StoreFailure) in
                try Track.page(
                    of: try MemberSharing.find(database, asked), from: from, to: to, after: place, limit: limit,
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
    ) throws(Rejection) -> MemberSharing? {
        guard asked != caller.id else { return nil }
        let sharing = try act.ask { (database) throws(StoreFailure) in try MemberSharing.find(database, asked) }
        if let sharing, sharing.viewers.historyPrecision(for: caller.number) != .off { return sharing }
        guard let entry = try act.roster[asked], caller.role != .guest || entry.household == caller.household else {
            throw .notFound("member", asked.description, field: "member")
        }
        throw Rejection(.forbidden, "This member does not show you a history.", field: "member")
    }
}
