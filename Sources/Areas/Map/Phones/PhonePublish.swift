import KinKeeper
import KinModel

extension Map {
    /// The method by which gateways hand over the points of apps that only need to hear that they were taken. As for
    /// OwnTracks, nothing authenticated is ever refused.
    static let publishPoints = Method.command(
        "phone.publish", "Takes the points that a phone's app posted.", access: .signedIn,
        note: "For the daemon's own gateways; points of no use have no effect.",
        [
            .required("app", .oneOf(PhoneApp.allCases.map(\.rawValue))),
            .optional("device", .text(max: Limits.nameCharactersMax), "The device's name; else the app password's."),
            .required("points", .list(.object(PhonePoint.fields), max: Limits.positionsPerReportMax)),
            .optional("unusable", .integer(0...Int64.max), "Points that the gateway could make nothing of."),
        ],
        result: .nothing, events: [Position.seen],
        apply: { (act, params) throws(Rejection) in
            let member = try act.member
            if let batch = act.carried as? Track.Batch {
                return try Track.take(batch, of: member.id, act) { (_) throws(Rejection) in [:] }
            }
            let app = PhoneApp(rawValue: try params.string("app")) ?? .traccar
            let named = params.optionalString("device").flatMap { $0.isEmpty ? nil : $0 }
            var phone = try Phone.posting(app, named: named, act)
            let all = params["points"]?.array ?? []
            let read = try PointList.read(all, act) { (element, _) in
                // Only an impossible time is left to refuse.
                guard let object = element.object,
                    var point = try? Point(object, path: "", act, isPhone: true)
                else { return nil }
                point.device = phone.name
                point.digest = object["digest"]?.int ?? 0
                return point
            }
            guard let points = read.points else { return .later(.rest(after: 0, carrying: read.rest)) }
            let ahead = points.count { !Point.isPossible($0.at, now: act.now) }
            let before = params.optionalInt("unusable").flatMap { Int(exactly: $0) } ?? 0
            let unusable = all.count - points.count + before
            if unusable > 0 {
                act.count(.pointsUnusable, unusable)
                act.note(
                    .phone,
                    "\(unusable) of \(all.count + before) points from \(app.title) were passed over: without a place or time that can be true."
                )
            }
            if ahead > 0 {
                act.count(.pointsUnusable, ahead)
                act.note(
                    .phone,
                    "\(ahead) of \(all.count + before) points from \(app.title) were kept apart: the phone's clock is ahead."
                )
            }
            phone.sent(points, now: act.now)
            try phone.save(act)
            guard !points.isEmpty else { return .done([:]) }
            let isKept = try Track.takePhoneQuota(points.count, for: member.id, act)
            return try Track.take(Track.Batch(points, isKept: isKept), of: member.id, act) { (_) throws(Rejection) in
                [:]
            }
        }
    ).scoped(.location, .report).forGateways().doneInTurns("points").patiently()
}
