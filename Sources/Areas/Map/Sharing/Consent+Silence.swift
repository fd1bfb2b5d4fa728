import KinKeeper
import KinModel
import KinStore

/// A phone that should report and does not: its member is told, once until it reports again.
///
/// Positions do not move the due entry: when it falls due, the last position says whether the phone was silent, and if
/// not, when to look again. So a phone that reports costs nothing but one look in ``Limits/phoneSilentHours``.
extension Consent {
    /// Due work that looks whether a sharing member's phone reports; its `about` is ``Dot/about(_:)``.
    static let silenceDue = "position.silence"

    /// From now on the phone is expected to report.
    func listen(_ act: Act) throws(Rejection) { try look(at: Self.latest(after: act.now), act) }

    private func look(at: Instant, _ act: Act) throws(Rejection) {
        try act.plan(Self.silenceDue, about: Dot.about(member), at: at)
    }

    private static func latest(after: Instant) -> Instant { after.adding(seconds: Limits.phoneSilentHours * 3600) }

    /// The phone is due to have reported.
    static func checkSilence(_ about: String, _ act: Act) throws(Rejection) {
        guard let member = Identifier(about.split(separator: "/").last ?? ""),
            var consent = try act.ask({ (database) throws(StoreFailure) in try find(database, member) }),
            consent.isOn, !consent.isSilent
        else { return }
        let last = try Dot(member, act).own?.at
        let limit = latest(after: max(last ?? consent.since, consent.since))
        guard limit <= act.now else { return try consent.look(at: limit, act) }
        consent.isSilent = true
        try consent.save(act)
        let cause = PhoneTrouble.likeliest(try Phone.all(of: member, act), last: last)
        try act.emit(
            "position.silent", about: about, to: try act.roster.only(member),
            data: .object(leavingOut: [
                "member": .id(member), "last": last.map { .time($0) }, "cause": .string(cause.rawValue),
            ]))
    }

    /// It reported again.
    mutating func isHeardAgain(_ act: Act) throws(Rejection) {
        isSilent = false
        try save(act)
        if isOn { try listen(act) }
    }
}
