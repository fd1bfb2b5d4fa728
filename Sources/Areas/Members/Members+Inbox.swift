import KinKeeper
import KinModel
import KinStore

/// Lines of inboxes about members who come and go, about questions and answers, and about the reader's own account.
extension Members {
    private static let joined = InboxKind("memberJoined")
    private static let left = InboxKind("memberLeft")
    private static let roleChanged = InboxKind(
        "roleChanged", isOfficial: true, word: .optional("role", .role, "the role from now on."))
    private static let permissionChanged = InboxKind(
        "permissionChanged", isOfficial: true,
        word: .optional("what", .oneOf(Permission.allCases.map(\.rawValue)), "what was given, taken or made."),
        name: device)
    private static let newDevice = InboxKind("newDevice", name: device)
    static let moveAsked = InboxKind("moveAsked", isOfficial: true, name: household)
    private static let moveAnswered = InboxKind(
        "moveAnswered", isOfficial: true,
        word: .optional("answer", .oneOf(Move.Answer.allCases.map(\.rawValue)), "the answer."), name: household)
    static let grownAsked = InboxKind("grownAsked", isOfficial: true)
    private static let grownAnswered = InboxKind(
        "grownAnswered", isOfficial: true,
        word: .optional("answer", .oneOf(["grown", "notYet", "unanswered"]), "the answer."))
    static let accountChanged = InboxKind(
        "accountChanged", isOfficial: true,
        word: .optional("what", .oneOf(AccountChange.allCases.map(\.rawValue)), "what was given, taken or made."),
        name: device, time: .optional("until", .time, "until when the session waits."))

    private static let device = Field.optional("device", .text(max: 200), "the device's name.")
    private static let household = Field.optional("household", .id, "where to.")

    static let inboxKinds = [
        joined, left, roleChanged, permissionChanged, newDevice, moveAsked, moveAnswered, grownAsked, grownAnswered,
        accountChanged,
    ]

    static let inboxRules = [
        // A member who joins is not told of it.
        InboxRule(
            Member.joined, joined, .audience, by: { _ in nil },
            spares: { (_, told, hearer) throws(Rejection) in hearer == told.subject }),
        InboxRule(
            Member.added, joined, .audience, by: { _ in nil },
            spares: { (_, told, hearer) throws(Rejection) in hearer == told.subject }),
        InboxRule(Member.removed, left, .audience),
        InboxRule(Member.updated, roleChanged, .subject, when: isRoleChanged, word: \.member.role.rawValue),
        InboxRule(Member.moved, roleChanged, .subject, when: isRoleChanged, word: \.member.role.rawValue),
        InboxRule(Permission.changed, permissionChanged, .audience, word: \.what.rawValue, name: \.device),
        // Nor is a member told that the first device is a new one.
        InboxRule(
            Sessions.opened, newDevice, .audience, name: \.device,
            spares: { (act, _, hearer) throws(Rejection) in
                try act.first("SELECT joined_at FROM members WHERE id = ?", .id(hearer)) { row in row.instant(0) }
                    == act.now
            }),
        InboxRule(Move.asked, moveAsked, .audience, name: \.household.description),
        InboxRule(
            Move.answered, moveAnswered, asker, when: { $0.answer != .withdrawn }, word: \.answer.rawValue,
            name: \.household.description),
        InboxRule(Grown.asked, grownAsked, .audience),
        InboxRule(Grown.answered, grownAnswered, .subject, word: \.word),
        InboxRule(
            Sessions.accountChanged, accountChanged, .audience,
            by: { $0.by ?? $0[Sessions.accountChanged]?.setBy?.flatMap(\.self) }, word: \.what.rawValue,
            name: \.device, time: \.until),
    ]

    /// The member the event is about, and whoever asked for it.
    private static let asker = InboxRule.Hearers.members { (_, told) throws(Rejection) in
        let asker = told[Move.answered]?.askedBy
        return [told.subject, asker == told.subject ? nil : asker].compactMap(\.self)
    }

    /// Guests of the household are told in an event of their own, without the username; one of the two is enough.
    @Sendable private static func isRoleChanged(_ data: Member.Changed) -> Bool {
        data.changed.contains("role") && !data.member.username.isEmpty
    }
}

/// A change of what a member's account has: something was added or removed.
enum Permission: String, CaseIterable {
    case appPasswordMade, appPasswordRevoked, signInLinkMade, passwordChanged

    static let changed = EventType(
        "permission.changed", "What opens the member's account changed; the member.", Changed.self)

    /// The change itself.
    struct Changed: WireRecord {
        let what: Permission
        let device: String?
        let scope: Scope?

        static let fields = Fields(
            nil, Changed.init(what:device:scope:),
            .required("what", \.what, .word),
            .optional("device", \.device, .name, "The app password's device."),
            .optional("scope", \.scope, .word, "What the app password is good for."))
    }
}
