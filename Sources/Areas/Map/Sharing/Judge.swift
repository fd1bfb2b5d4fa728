import KinKeeper
import KinModel
import KinStore

/// One member's versions, looked up as points ask for them.
struct Judge {
    private let consent: Consent
    private var versions: [(version: Int64, since: Instant, showsHistory: Bool)]?
    private let showsHistoryNow: Bool

    init(_ consent: Consent) {
        self.consent = consent
        showsHistoryNow = !consent.viewers.history.isEmpty
    }

    /// Decides about a point of a time. Most are from since the version of now, and cost nothing.
    mutating func judge(_ at: Instant, _ act: Act) throws(Rejection) -> Judgement {
        let isShown = consent.shows(at)
        guard showsHistoryNow, let now = consent.version, !consent.isFromBefore(at) else {
            return Judgement(isShown: isShown, version: nil, taken: nil)
        }
        if at >= consent.versionSince { return Judgement(isShown: isShown, version: now, taken: nil) }
        if versions == nil { versions = try load(act) }
        guard let then = versions?.last(where: { $0.since <= at }), then.showsHistory else {
            return Judgement(isShown: isShown, version: nil, taken: nil)
        }
        return Judgement(isShown: isShown, version: then.version, taken: now)
    }

    private func load(_ act: Act) throws(Rejection) -> [(version: Int64, since: Instant, showsHistory: Bool)] {
        try act.rows(
            "SELECT version, since, viewers FROM sharing_versions WHERE track = ? ORDER BY version",
            .int(consent.track)
        ) { (row) throws(StoreFailure) in
            (row.int(0), row.instant(1), !Viewers(bytes: row.blob(2)).history.isEmpty)
        }
    }
}
