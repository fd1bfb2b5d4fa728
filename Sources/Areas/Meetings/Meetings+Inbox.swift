import KinKeeper
import KinModel
import KinStore

/// What inboxes say of meetings: to those who are asked, and to the host.
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

    static let inboxRules = [
        InboxRule("meeting.proposed", invited, .audience),
        InboxRule("meeting.shown", invited, .audience, when: { $0.data["own"]?["isInvited"]?.bool == true }),
        InboxRule("meeting.updated", changed, .audience, when: isChanged, word: changes),
        InboxRule("meeting.deadlineNear", deadlineNear, .audience, time: { $0.data["deadline"]?.instant }),
        InboxRule("meeting.nudged", nudged, .audience),
        InboxRule("meeting.closed", closed, .audience),
        InboxRule("meeting.confirmed", confirmed, .audience),
        InboxRule("meeting.cancelled", cancelled, .audience),
        InboxRule("meeting.voted", voted, host, word: { _ in "voted" }),
        InboxRule("meeting.refused", voted, host, word: { _ in "refused" }),
        InboxRule(
            "meeting.voted", allReplied, host, when: haveAllReplied, by: { _ in nil }, word: replies, isToldOnce: true),
        InboxRule(
            "meeting.refused", allReplied, host, when: haveAllReplied, by: { _ in nil }, word: replies,
            isToldOnce: true),
        InboxRule("meeting.suggested", changed, host, word: { _ in "suggestions" }),
        InboxRule("meeting.handedOver", changed, host, word: { _ in "host" }),
        InboxRule("meeting.attended", goingChanged, host, word: { $0.data["answer"]?.string }),
    ]

    @Sendable private static func changes(_ told: Told) -> String? {
        told.data["changes"]?.array.map { $0.compactMap(\.string).joined(separator: " ") }
    }

    /// Who else is asked, and what somebody suggests, does not change what one has answered.
    @Sendable private static func isChanged(_ told: Told) -> Bool {
        told.data["changes"]?.array?.contains { $0 != "suggestions" && $0 != "invitees" } ?? false
    }

    @Sendable private static func haveAllReplied(_ told: Told) -> Bool { told.data["tally"]?["noReply"]?.int == 0 }

    /// How many replied. Not sent: it tells the last reply of all from a reply that is changed.
    @Sendable private static func replies(_ told: Told) -> String? {
        let tally = told.data["tally"]
        return "\((tally?["voted"]?.int ?? 0) + (tally?["refused"]?.int ?? 0))"
    }

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
