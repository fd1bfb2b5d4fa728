import KinModel

extension Activity {
    private static let kinds = Shape.oneOf(InboxKind.allCases.map(\.rawValue))

    private static let answers =
        ["going", "notGoing"] + Move.Answer.allCases.map(\.rawValue) + ["grown", "notYet", "unanswered"]
    private static let accountWords = Set(
        Permission.allCases.map(\.rawValue) + AccountChange.allCases.map(\.rawValue) + Quota.allCases.map(\.rawValue)
    ).sorted()

    /// A line of an entry.
    static let line = Shape.named(
        "InboxLine",
        .object([
            .required("kind", kinds), .required("at", .time),
            .optional("by", .id, "Who did it; absent for the daemon and the machine."),
            .optional("atMachine", .bool, "True when it was at the machine, in that member's name."),
            .optional("count", .integer(2...Int64.max), "How often the same member did the same."),
            .optional("reply", .oneOf(["voted", "refused"]), "voted: what the reply was."),
            .optional(
                "changes", .list(.token(max: 64), max: 32), "meetingChanged, sharingChanged: what is not as it was."),
            .optional(
                "answer", .oneOf(answers), "goingChanged, moveAnswered, grownAnswered: the answer."),
            .optional("household", .id, "moveAsked, moveAnswered: where to."),
            .optional("role", .role, "roleChanged: the role from now on."),
            .optional(
                "what", .oneOf(accountWords),
                "permissionChanged, accountChanged: what was given, taken or made; quotaNear: what is nearly used up."),
            .optional("device", .text(max: 200), "newDevice, permissionChanged, accountChanged: the device's name."),
            .optional("place", .line(max: Limits.nameCharactersMax), "arrived, left, placeAsked: the place's name."),
            .optional("of", .id, "placeAsked: whose answer it is."),
            .optional(
                "until", .time,
                """
                accountChanged: until when the session waits; sharingToConfirm: when it ends without an answer; placeAsked: \
                until when places from before an update count.
                """),
            .optional("state", .oneOf(["on", "off"]), "sharingChanged: the sharing from now on."),
            .optional("group", .oneOf(["household", "everyone"]), "sharingAsked: the group whose rule it is about."),
            .optional(
                "precision", .oneOf(SharingRule.precisions.map(\.rawValue)), "sharingAsked: what they would see."),
            .optional("hold", .oneOf(Consent.childNews), "childSharing: what became of it."),
            .optional("deadline", .time, "deadlineNear: until when a reply counts."),
            .optional("last", .time, "phoneSilent: when the phone was last heard of."),
            .optional("cause", Map.trouble, "phoneSilent: the likeliest reason."),
            .optional("since", .time, "digest: when the oldest of what it sums up happened; arrived, left: when."),
            .optional(
                "kinds",
                .list(
                    .object([.required("kind", kinds), .required("count", .integer(1...Int64.max))]),
                    max: InboxKind.allCases.count),
                "digest: of how many entries, by the kind of their last line."),
        ]))

    /// An entry of an inbox.
    static let entry = Shape.named(
        "InboxEntry",
        .object([
            .required("id", .id), .required("about", .token(max: 128), "What it is about, such as meeting/0198…."),
            .required("official", .bool, "Stands apart: never merged with others, muted or held back."),
            .required("unread", .bool), .required("at", .time, "When its last line was added."),
            .optional(
                "title", .text(max: InboxEntry.titleCharactersMax),
                "The text of the thing when the entry began; the beginning of an announcement."),
            .required("lines", .list(line, max: InboxEntry.linesMax), "The latest, newest last."),
            .required("more", .integer(0...Int64.max), "How many lines there were before those."),
        ]))

    /// How many entries are unread.
    static let unread = Field.required(
        "unread", .integer(0...Inbox.unreadMax), "How many entries are unread; \(Inbox.unreadMax): that many or more.")

    /// The inbox in a snapshot.
    static let inbox = Shape.named(
        "Inbox",
        .object([
            .required("entries", .list(entry, max: Inbox.entriesMax), "The newest unread, newest first."), unread,
        ]))

    /// What a member wants to be told, and when.
    static let rules = Shape.object([
        .required("mute", .list(.oneOf(InboxKind.mutable.map(\.rawValue)), max: InboxKind.mutable.count)),
        .required("quiet", .nullable(quiet)),
    ])

    /// Quiet hours.
    static let quiet = Shape.object([
        .required("from", .token(max: 5), "Civil time, such as 22:00."),
        .required("to", .token(max: 5), "Civil time; earlier than from means the next day."),
        .required("zone", .token(max: 64), "The IANA time zone the times are of, such as Europe/Berlin."),
    ])
}

/// What a member's account was given, or what was taken from it, as `permission.changed` says it.
enum Permission: String, CaseIterable {
    case appPasswordMade, appPasswordRevoked, signInLinkMade, passwordChanged
}
