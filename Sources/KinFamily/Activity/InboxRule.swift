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
        /// The member the event is about, and whoever asked for it.
        case asker
    }

    let event: String
    let kind: InboxKind
    let hearers: Hearers
    var applies: @Sendable (Told) -> Bool = { _ in true }
    var word: @Sendable (Told) -> String? = { _ in nil }
    var name: @Sendable (Told) -> String? = { _ in nil }
    var time: @Sendable (Told) -> Instant? = { _ in nil }
    /// Whether whoever did it is told as well.
    var isForDoerToo = false

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
            "sharing.changed", .sharingChanged, .audience, word: { $0.data["sharing"]?["state"]?.string }, name: changes
        ),
        InboxRule("session.opened", .newDevice, .audience, name: { $0.data["device"]?.string }),
        InboxRule(
            "position.silent", .phoneSilent, .audience, word: { $0.data["cause"]?.string },
            time: { $0.data["last"]?.instant }),
        InboxRule("position.asked", .positionAsked, .audience),
        // What is asked and answered.
        InboxRule("household.asked", .moveAsked, .audience, name: { $0.data["household"]?.string }),
        InboxRule(
            "household.answered", .moveAnswered, .asker, when: { $0.data["answer"] != "withdrawn" },
            word: { $0.data["answer"]?.string }, name: { $0.data["household"]?.string }),
        InboxRule("member.grownAsked", .grownAsked, .audience),
        InboxRule("member.grownAnswered", .grownAnswered, .oneself, word: grown),
        // Who came is whom it is about, whoever let them come.
        InboxRule(
            "sharing.asked", .sharingAsked, .audience, word: { $0.data["precision"]?.string },
            name: { $0.data["group"]?.string }),
        InboxRule("sharing.toConfirm", .sharingToConfirm, .audience, time: { $0.data["until"]?.instant }),
        InboxRule("sharing.child", .childSharing, .audience, when: { $0.data["what"] != "waits" }, word: what),
        // To be decided also by who made the other one go.
        InboxRule(
            "sharing.child", .childSharing, .audience, when: { $0.data["what"] == "waits" }, word: what,
            isForDoerToo: true),
        InboxRule(
            "account.changed", .accountChanged, .audience, word: { $0.data["what"]?.string },
            name: { $0.data["device"]?.string }, time: { $0.data["until"]?.instant }),
        InboxRule(
            "place.asked", .placeAsked, .audience, word: { $0.data["member"]?.string },
            name: { $0.data["name"]?.string }, time: { $0.data["until"]?.instant }),
        // The daemon's word, although it is one's own doing that comes to its end.
        InboxRule(Quota.nearType, .quotaNear, .audience, word: { $0.data["what"]?.string }, isForDoerToo: true),
        // activity.announced is no rule: its one row and one event are in every inbox (see InboxQuery).
    ]

    /// The rules of an event type.
    static let byEvent = Dictionary(grouping: all, by: \.event)

    init(
        _ event: String, _ kind: InboxKind, _ hearers: Hearers,
        when applies: @escaping @Sendable (Told) -> Bool = { _ in true },
        word: @escaping @Sendable (Told) -> String? = { _ in nil },
        name: @escaping @Sendable (Told) -> String? = { _ in nil },
        time: @escaping @Sendable (Told) -> Instant? = { _ in nil },
        isForDoerToo: Bool = false
    ) {
        self.event = event
        self.kind = kind
        self.hearers = hearers
        self.applies = applies
        self.word = word
        self.name = name
        self.time = time
        self.isForDoerToo = isForDoerToo
    }

    // MARK: What the table speaks of

    /// That nobody holds a child's settings any more says `sharing.child`, with what becomes of them.
    @Sendable private static func isOwnAgain(_ told: Told) -> Bool {
        told.data["changes"] == ["holder"] && told.data["sharing"]?["heldBy"] == nil
    }

    @Sendable private static func what(_ told: Told) -> String? { told.data["what"]?.string }

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

    @Sendable private static func grown(_ told: Told) -> String? {
        guard told.data["grown"] == true else { return "notYet" }
        return told.data["unanswered"] == true ? "unanswered" : "grown"
    }

    @Sendable private static func role(_ told: Told) -> String? { told.data["member"]?["role"]?.string }
}
