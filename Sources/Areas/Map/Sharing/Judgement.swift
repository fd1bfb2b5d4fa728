import KinKeeper
import KinModel
import KinStore

/// What is decided about a point when it arrives and stored with it: who could see it at its own time, and who when it
/// arrived. What a viewer gets of it later is the least of these two and of what the viewer may see then.
struct Judgement: Equatable {
    /// Whether it moves what others see now.
    let isShown: Bool
    /// The version at its own time; `nil` when nobody but the owner is ever to see it in the history.
    let version: Int64?
    /// The version when it arrived, where that is another.
    let taken: Int64?

    /// For the owner alone.
    static let hidden = Judgement(isShown: false, version: nil, taken: nil)
}

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
            (row.int("version"), row.instant("since"), !Viewers(bytes: row.blob("viewers")).history.isEmpty)
        }
    }
}
