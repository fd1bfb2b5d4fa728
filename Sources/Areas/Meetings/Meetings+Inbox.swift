import KinKeeper
import KinModel
import KinStore

/// Lines of inboxes about meetings: for invitees, and for the host.
extension Meetings {
    private static let invited = InboxKind("invited")
    private static let changed = InboxKind(
        "meetingChanged", mergesWords: true,
        word: .optional("changes", .list(.token(max: 64), max: 32), "what is not as it was."))
    private static let voted = InboxKind(
        "voted", word: .optional("reply", .oneOf(["voted", "refused"]), "what the reply was."))
    private static let allReplied = InboxKind("allReplied")
    private static let deadlineNear = InboxKind(
        "deadlineNear", time: .optional("deadline", .time, "until when a reply counts."))
    private static let closed = InboxKind("closed")
    private static let confirmed = InboxKind("confirmed")
    private static let cancelled = InboxKind("cancelled")
    private static let nudged = InboxKind("nudged")
    private static let goingChanged = InboxKind(
        "goingChanged", word: .optional("answer", .oneOf(["going", "notGoing"]), "the answer."))

    static let inboxKinds = [
        invited, changed, voted, allReplied, deadlineNear, closed, confirmed, cancelled, nudged, goingChanged,
    ]

    private static let host = InboxRule.Hearers.members { (_, told) throws(Rejection) in
        [told.owner].compactMap(\.self)
    }

    /// The host, once all who may vote have voted. At a public meeting these are more than the invitees.
    private static let hostOfAll = InboxRule.Hearers.members { (act, told) throws(Rejection) in
        guard let owner = told.owner, let stored = try StoredMeeting.of(told.about, act) else { return [] }
        let tally = stored.meeting.tally
        return tally.voted + tally.refused < stored.voters(try act.roster) ? [] : [owner]
    }

    static let inboxRules = [
        InboxRule(Meeting.proposed, invited, .audience),
        InboxRule(Meeting.shown, invited, .audience, when: \.own.isInvited),
        // Other invitees, and suggestions, do not change what the reader has answered.
        InboxRule(
            Meeting.updated, changed, .audience,
            when: { $0.changes.contains { $0 != .suggestions && $0 != .invitees } },
            word: { $0.changes.map(\.rawValue).joined(separator: " ") }),
        InboxRule(Meeting.deadlineNear, deadlineNear, .audience, time: \.deadline),
        InboxRule(Meeting.nudged, nudged, .audience),
        InboxRule(Meeting.closed, closed, .audience),
        InboxRule(Meeting.confirmed, confirmed, .audience),
        InboxRule(Meeting.cancelled, cancelled, .audience),
        InboxRule(Meeting.voted, voted, host, word: { _ in "voted" }),
        InboxRule(Meeting.refused, voted, host, word: { _ in "refused" }),
        InboxRule(
            Meeting.voted, allReplied, hostOfAll, when: { $0.tally.noReply == 0 }, by: { _ in nil },
            word: { replies($0.tally) }, isToldOnce: true),
        InboxRule(
            Meeting.refused, allReplied, hostOfAll, when: { $0.tally.noReply == 0 }, by: { _ in nil },
            word: { replies($0.tally) }, isToldOnce: true),
        InboxRule(Meeting.suggested, changed, host, word: { _ in "suggestions" }),
        InboxRule(Meeting.handedOver, changed, host, word: { _ in "host" }),
        InboxRule(Meeting.attended, goingChanged, host, word: \.answer.rawValue),
    ]

    /// How many replied. Not sent: it tells the last reply of all from a reply that is changed.
    private static func replies(_ tally: Tally) -> String { "\(tally.voted + tally.refused)" }

    /// Whether a meeting names a member, as its host or among the invitees.
    static func isNamed(_ member: Identifier, in meeting: Identifier, _ act: Act) throws(Rejection) -> Bool {
        try act.first(
            """
            SELECT 1 FROM meetings m LEFT JOIN meeting_people p ON p.meeting = m.number AND p.member = ?2
            WHERE m.id = ?1 AND (m.host = ?2 OR p.is_invited = 1)
            """, .id(meeting), .id(member)
        ) { row in row.bool(0) } ?? false
    }
}
