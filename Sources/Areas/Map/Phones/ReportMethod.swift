import KinKeeper
import KinModel
import KinStore

extension Map {
    static let report = Method.command(
        "position.report", "Says where the caller is or was, once or up to 1,000 times.", access: .signedIn,
        note: """
            About oneself only. Either one point's own parameters, or positions with a list of them; a wrong one refuses \
            all. Over HTTP the body may be the list itself. Late points fill the history and leave the latest position \
            as it is; repeated ones change nothing. A long list is taken in several turns, so that others have theirs; \
            should the daemon end in between, the same list once more brings the rest.
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
        route: Route("POST", "/api/positions"), events: [Position.seen],
        again: { (act, _) throws(Rejection) in try reported(try LatestPositions(try act.member.id, act).own, act) },
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
    ).scoped(.location, .report).takingList(as: "positions").doneInTurns("positions").patiently()

    private static func reported(_ own: Position?, _ act: Act) throws(Rejection) -> JSON {
        let member = try act.member
        guard member.scope != .report, !member.isWaiting else { return [:] }
        return .object(leavingOut: ["position": own?.json])
    }
}
