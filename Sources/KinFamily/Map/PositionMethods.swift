import KinModel
import KinStore

extension Map {
    static let report = Method.command(
        "position.report", "Says where the caller is or was, once or up to 1,000 times.", access: .signedIn,
        note: """
            About oneself only. Either one point's own parameters, or positions with a list of them; all are taken or \
            none. Over HTTP the body may be the list itself. Late points fill the history and never move the dot; \
            repeated ones change nothing.
            """,
        Point.fields.map { .optional($0.name, $0.shape, $0.summary) } + [
            .optional(
                "positions", .list(.object(Point.fields), max: Limits.positionsPerReportMax),
                "Many points at once, instead of the other parameters.")
        ],
        result: .object([.required("position", position, "The caller's latest after this.")]),
        route: Route("POST", "/api/positions"), events: ["position"],
        again: { (act, _) throws(Rejection) in try reported(act) },
        apply: { (act, params) throws(Rejection) in
            let member = try act.member
            var points: [Point] = []
            if let list = params["positions"]?.array {
                guard params.object.members.count == 1 else {
                    throw Rejection(
                        .params, "Give either positions or one point's own parameters, not both.", field: "positions")
                }
                guard !list.isEmpty else {
                    throw Rejection(.invalid, "positions is empty; give at least one.", field: "positions")
                }
                for (index, element) in list.enumerated() {
                    points.append(
                        try Point(element.object ?? JSON.Object(), path: "positions[\(index)].", now: act.now))
                }
            } else {
                try Shape.check(params.object, fields: Point.fields)
                points.append(try Point(params.object, path: "", now: act.now))
            }
            for index in points.indices where points[index].device == nil {
                points[index].device = member.appPassword?.device
            }
            try Track.take(points, of: member.id, act)
            return .done(try reported(act))
        }
    ).scoped(.location).takingList(as: "positions")

    private static func reported(_ act: Act) throws(Rejection) -> JSON {
        .object(leavingOut: ["position": try Dot(try act.member.id, act).own?.json])
    }

    static let latest = Method.query(
        "position.latest", "The latest positions the caller may see: the own, and those of members who share.",
        access: .signedIn, note: "A guest sees the own alone.",
        result: .object([.required("positions", .list(position, max: Limits.membersMax))]),
        route: Route("GET", "/api/positions"),
        apply: { (act, _) throws(Rejection) in
            let member = try act.member
            let seen = try act.ask { (database) throws(StoreFailure) in
                try visible(database, to: member.id, role: member.role)
            }
            return .done(["positions": .array(seen.map(\.json))])
        }
    ).scoped(.location)

    static let history = Method.query(
        "position.history", "Where the caller was between two times, both included, oldest first.",
        access: .signedIn,
        note: "The own history only: a member in sight is answered 1403, one who is not 1404.",
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
        apply: { (act, params) throws(Rejection) in
            let asked = try params.id("member")
            try permit(try act.member, asked, act)
            let from = try params.time("from")
            let to = try params.time("to")
            guard from <= to else { throw Rejection(.invalid, "to must not be before from.", field: "to") }
            var place: Track.Place?
            if let after = params.optionalString("after") {
                place = Track.Place(after)
                guard place != nil else {
                    throw Rejection(
                        .invalid, "after must be what an earlier answer gave as next.", field: "after")
                }
            }
            let page = try Track.page(
                of: asked, from: from, to: to, after: place,
                limit: params.optionalInt("limit") ?? Int64(Limits.positionsPerAnswerMax), act)
            return .done(
                .object(leavingOut: [
                    "positions": .array(page.positions.map(\.json)), "more": .bool(page.hasMore),
                    "next": page.hasMore ? page.last.map { .string($0.text) } : nil,
                ]))
        })

    /// Until it is written down who looked at what, a history is its owner's alone.
    private static func permit(_ caller: CallingMember, _ asked: Identifier, _ act: Act) throws(Rejection) {
        guard asked != caller.id else { return }
        guard let entry = try act.roster[asked], caller.role != .guest || entry.household == caller.household else {
            throw .notFound("member", asked.description, field: "member")
        }
        throw Rejection(.forbidden, "A history is for its own member only.", field: "member")
    }
}
