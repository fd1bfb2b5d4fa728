import KinKeeper
import KinModel
import KinStore

/// Since when a sharing member's phone is expected to report.
extension MemberSharing {
    /// Due work that looks whether a sharing member's phone reports; its `about` is ``LatestPositions/about(_:)``.
    static let silenceDue = "position.silence"

    /// From now on the phone is expected to report.
    func listen(_ act: Act) throws(Rejection) { try look(at: Self.latest(after: act.now), act) }

    /// Plans when to look again whether it did.
    func look(at: Instant, _ act: Act) throws(Rejection) {
        try act.plan(Self.silenceDue, about: LatestPositions.about(member), at: at)
    }

    /// By when it has to report.
    static func latest(after: Instant) -> Instant { after.adding(seconds: Limits.phoneSilentHours * 3600) }

    /// It reported again.
    mutating func isHeardAgain(_ act: Act) throws(Rejection) {
        isSilent = false
        try save(act)
        if isOn { try listen(act) }
    }
}
