import KinModel

/// Who is told what, of which event: the rules of every inbox, in one table. Nobody is told of their own act.
struct InboxRule: Sendable {
    /// Whom a rule is for.
    enum Hearers {
        /// Who sees the event.
        case audience
        /// The host of the meeting the event is about.
        case host
        /// The member the event is about.
        case oneself
        /// Who sees the event and asked to be told of such.
        case wishers
    }

    let event: String
    let kind: InboxKind
    let hearers: Hearers
    var applies: @Sendable (Told) -> Bool = { _ in true }
    var word: @Sendable (Told) -> String? = { _ in nil }
    var name: @Sendable (Told) -> String? = { _ in nil }
    var time: @Sendable (Told) -> Instant? = { _ in nil }

    static let all = [
        // Meetings: those who are asked.
        InboxRule("meeting.proposed", .invited, .audience),
        InboxRule("meeting.shown", .invited, .audience, when: { $0.data["own"]?["isInvited"]?.bool == true }),
        InboxRule(
            "meeting.updated", .meetingChanged, .audience, when: isChanged, word: changes),
        InboxRule("meeting.deadlineNear", .deadlineNear, .audience, time: { $0.data["deadline"]?.instant }),
        InboxRule("meeting.nudged", .nudged, .audience),
        InboxRule("meeting.closed", .closed, .audience),
        InboxRule("meeting.confirmed", .confirmed, .audience),
        InboxRule("meeting.cancelled", .cancelled, .audience),
        // Meetings: the host.
        InboxRule("meeting.voted", .voted, .host, word: { _ in "voted" }),
        InboxRule("meeting.refused", .voted, .host, word: { _ in "refused" }),
        InboxRule("meeting.voted", .allReplied, .host, when: haveAllReplied, word: replies),
        InboxRule("meeting.refused", .allReplied, .host, when: haveAllReplied, word: replies),
        InboxRule("meeting.suggested", .meetingChanged, .host, word: { _ in "suggestions" }),
        InboxRule("meeting.handedOver", .meetingChanged, .host, word: { _ in "host" }),
        InboxRule("meeting.attended", .goingChanged, .host, word: { $0.data["answer"]?.string }),
        // The family.
        InboxRule("member.joined", .memberJoined, .audience),
        InboxRule("member.added", .memberJoined, .audience),
        InboxRule("member.removed", .memberLeft, .audience),
        // Who arrives and leaves.
        InboxRule(
            "place.entered", .arrived, .wishers, name: { $0.data["name"]?.string }, time: { $0.data["at"]?.instant }),
        InboxRule(
            "place.left", .left, .wishers, name: { $0.data["name"]?.string }, time: { $0.data["at"]?.instant }),
        // Oneself.
        InboxRule("member.updated", .roleChanged, .oneself, when: isRoleChanged, word: role),
        InboxRule("member.moved", .roleChanged, .oneself, when: isRoleChanged, word: role),
        InboxRule(
            "permission.changed", .permissionChanged, .audience, word: { $0.data["what"]?.string },
            name: { $0.data["device"]?.string }),
        InboxRule(
            "sharing.changed", .sharingChanged, .audience, word: { $0.data["sharing"]?["state"]?.string }),
        InboxRule("session.opened", .newDevice, .audience, name: { $0.data["device"]?.string }),
        InboxRule(
            "position.silent", .phoneSilent, .audience, word: { $0.data["cause"]?.string },
            time: { $0.data["last"]?.instant }),
        InboxRule("position.asked", .positionAsked, .audience),
        InboxRule(Quota.nearType, .quotaNear, .audience, word: { $0.data["what"]?.string }),
        // activity.announced is no rule: its one row and one event are in every inbox (see InboxQuery).
    ]

    /// The rules of an event type.
    static let byEvent = Dictionary(grouping: all, by: \.event)

    init(
        _ event: String, _ kind: InboxKind, _ hearers: Hearers,
        when applies: @escaping @Sendable (Told) -> Bool = { _ in true },
        word: @escaping @Sendable (Told) -> String? = { _ in nil },
        name: @escaping @Sendable (Told) -> String? = { _ in nil },
        time: @escaping @Sendable (Told) -> Instant? = { _ in nil }
    ) {
        self.event = event
        self.kind = kind
        self.hearers = hearers
        self.applies = applies
        self.word = word
        self.name = name
        self.time = time
    }

    // MARK: What the table speaks of

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

    /// Guests of the household are told in an event of their own, without the username; one of the two is enough.
    @Sendable private static func isRoleChanged(_ told: Told) -> Bool {
        told.data["changed"]?.array?.contains("role") == true && told.data["member"]?["username"] != nil
    }

    @Sendable private static func role(_ told: Told) -> String? { told.data["member"]?["role"]?.string }
}
