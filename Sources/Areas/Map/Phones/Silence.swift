import KinKeeper
import KinModel
import KinStore

/// A phone that should report and does not. Its member is told once, until it reports again.
///
/// Positions do not move the due entry. When it falls due, the last position tells whether the phone was silent, and if
/// not, when to look again. So a phone that reports costs only one look in ``Limits/phoneSilentHours``.
enum Silence {
    /// The phone is due to have reported.
    static func fellDue(_ about: String, _ act: Act) throws(Rejection) {
        guard let member = Identifier(about.split(separator: "/").last ?? ""),
            var sharing = try act.ask({ (database) throws(StoreFailure) in try MemberSharing.find(database, member) }),
            sharing.isOn, !sharing.isSilent
        else { return }
        let last = try LatestPositions(member, act).own?.at
        let limit = MemberSharing.latest(after: max(last ?? sharing.since, sharing.since))
        guard limit <= act.now else { return try sharing.look(at: limit, act) }
        sharing.isSilent = true
        try sharing.save(act)
        let cause = PhoneTrouble.likeliest(try Phone.all(of: member, act), last: last)
        try act.emit(
            event, .init(member: member, last: last, cause: cause), about: about, to: try act.roster.only(member))
    }

    static let event = EventType(
        "position.silent",
        "The member shares, but the phone has not reported for long; the member, once until it reports again.",
        Silent.self)

    /// The silent phone's owner, the beginning of the silence, and its reason.
    struct Silent: WireRecord {
        let member: Identifier
        let last: Instant?
        let cause: PhoneTrouble?

        static let fields = Fields(
            nil, Silent.init(member:last:cause:),
            .required("member", \.member, .id),
            .optional("last", \.last, .time, "Of when the last position is, if there is one."),
            .optional("cause", \.cause, .word, "The likeliest reason."))
    }
}
