import KinKeeper
import KinModel

/// The inboxes' lines about alarms. Nothing mutes them, quiet hours let them pass, and they ring as loud as a phone
/// can.
extension Alarms {
    private static let kindWord = Field.optional(
        "alarm", .oneOf(Alarm.Kind.allCases.map(\.rawValue)), "what it is for.")

    static let raisedKind = InboxKind(
        "alarm", isOfficial: true, ringsWhileAsked: true, priority: 5, word: kindWord)
    static let overdueKind = InboxKind("alarmOverdue", isOfficial: true, priority: 5, word: kindWord)
    static let answeredKind = InboxKind(
        "alarmAnswered", isOfficial: true, priority: 4,
        word: .optional("reply", .oneOf(AlarmCall.Answer.allCases.map(\.rawValue)), "what was answered."))
    /// It passes quiet hours like the call that it ends: somebody may be on the way. It is no louder than other notices.
    static let overKind = InboxKind(
        "alarmOver", isOfficial: true, priority: 3, word: kindWord,
        name: .optional("of", .id, "who had raised the alarm."))

    private static let raiser = InboxRule.Hearers.members { (_, told) throws(Rejection) in
        [told.owner].compactMap(\.self)
    }

    static let inboxRules = [
        InboxRule(
            Alarm.raised, raisedKind, .audience, by: { $0[Alarm.raised]?.alarm.by }, word: { $0.alarm.kind.rawValue }),
        InboxRule(Alarm.answered, answeredKind, raiser, word: { $0.call.answer?.rawValue }),
        InboxRule(
            Alarm.updated, overdueKind, .audience, when: \.alarm.isOverdue, by: { _ in nil },
            word: { $0.alarm.kind.rawValue }, isToldOnce: true),
        // The lines of the alarm itself are gone by then, and this one takes their place. Whoever raised it is told where
        // another member has ended it.
        InboxRule(
            Alarm.ended, overKind, .audience,
            when: { $0.cause == .ended && ($0.kind == .sos || $0.kind == .come) },
            word: { $0.kind.rawValue }, name: { $0.raiser.description }),
    ]
}
