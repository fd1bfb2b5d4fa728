import KinKeeper
import KinModel
import KinStore

/// One member's versions, looked up as points ask for them.
struct Judge {
    private let sharing: MemberSharing
    private var versions: [(version: Int64, since: Instant, showsHistory: Bool)]?
    private let showsHistoryNow: Bool

    init(_ sharing: MemberSharing) {
        self.sharing = sharing
        showsHistoryNow = !sharing.viewers.history.isEmpty
    }

    /// Decides about a point by its time. Most points are newer than the present version, and cost nothing.
    mutating func judge(_ at: Instant, _ act: Act) throws(Rejection) -> Judgement {
        let isShown = sharing.shows(at)
        guard showsHistoryNow, let now = sharing.version, !sharing.isFromBefore(at) else {
            return Judgement(isShown: isShown, version: nil, taken: nil)
        }
        if at >= sharing.versionSince { return Judgement(isShown: isShown, version: now, taken: nil) }
        if versions == nil { versions = try load(act) }
        guard let then = versions?.last(where: { $0.since <= at }), then.showsHistory else {
            return Judgement(isShown: isShown, version: nil, taken: nil)
        }
        return Judgement(isShown: isShown, version: then.version, taken: now)
    }

    private func load(_ act: Act) throws(Rejection) -> [(version: Int64, since: Instant, showsHistory: Bool)] {
        try act.rows(
            "SELECT version, since, viewers FROM sharing_versions WHERE track = ? ORDER BY version",
            .int(sharing.track)
        ) { (row) throws(StoreFailure) in
            (row.int("version"), row.instant("since"), !Viewers(bytes: row.blob("viewers")).history.isEmpty)
        }
    }
}
