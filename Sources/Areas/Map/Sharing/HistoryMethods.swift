import KinKeeper
import KinModel
import KinStore

extension Map {
    static let latest = Method.query(
        "position.latest", "The latest positions the caller may see: the own, and those of members who share.",
        access: .following, note: "A guest sees the own, and those of members whose rules name the guest.",
        result: .object([
            .required("positions", .list(seen, max: Limits.membersMax)),
            .required(
                "stays", .list(SeenStays.shape, max: Limits.membersMax),
                "At which place that the caller sees somebody is, of those whose position is exact."),
            .optional(
                "unreported", .list(.id, max: Limits.membersMax),
                "Who shows the caller where they are, but nothing of it is known; absent for nobody."),
        ]),
        route: Route("GET", "/api/positions"),
        apply: { (act, _) throws(Rejection) in
            let seen = try look(.live, act)
            let unreported = try unreported(besides: Set(seen.members), act)
            let viewer = try act.member.id
            let stays = try act.ask { (database) throws(StoreFailure) in
                try SeenStays.all(of: seen.positions, to: viewer, database)
            }
            return .done(
                .object(leavingOut: [
                    "positions": seen.json, "stays": .array(stays.map(\.json)),
                    "unreported": unreported.isEmpty ? nil : .array(unreported.map { .id($0) }),
                ]))
        }
    ).scoped(.location).forOwnWord().listing()

    /// Members who share with the caller, but of whom nothing is known: no phone has reported since.
    private static func unreported(besides known: Set<Identifier>, _ act: Act) throws(Rejection) -> [Identifier] {
        let caller = try act.member
        return try MemberSharing.all(act).filter { sharing in
            sharing.isOn && sharing.member != caller.id && !known.contains(sharing.member)
                && sharing.viewers.precision(for: caller.number) != .off
        }.map(\.member).sorted()
    }

    static let history = Method.longRead(
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
        route: Route("GET", "/api/positions/{member}"),
        admit: { (act, params, before: TrackAsked?) throws(Rejection) in
            let asked = try params.id("member")
            return try TrackAsked(
                asked, try shown(asked, to: try act.member, act), from: try params.time("from"),
                to: try params.time("to"), after: params.optionalString("after"),
                limit: params.optionalInt("limit").map { Int(clamping: $0) } ?? Limits.positionsPerAnswerMax,
                at: before?.at ?? act.now, act)
        },
        begin: { (_) in TrackFound() },
        read: { (database, asked, found, time) throws(StoreFailure) in
            try found.goOn(asked, time, database)
        },
        answer: { (act, _, asked, page) throws(Rejection) in
            try Looks.noteHistory(of: asked.member, from: asked.from, to: asked.to, act)
            return .done(
                .object(leavingOut: [
                    "positions": .array(page.positions.map(\.json)), "more": .bool(page.next != nil),
                    "next": page.next.map { .string($0) },
                ]))
        }
    ).forOwnWord()

    static func read<T>(_ after: T?) throws(Rejection) -> T {
        guard let after else {
            throw Rejection(.invalid, "after must be what an earlier answer gave as next.", field: "after")
        }
        return after
    }

    /// The other member whose history is meant, if that member shows it; `nil` for the caller's own.
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
