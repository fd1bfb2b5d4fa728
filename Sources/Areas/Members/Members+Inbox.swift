import KinKeeper
import KinModel
import KinStore

/// What inboxes say of who comes and goes, of what is asked and answered, and of one's own account.
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
        // Who joins is not told so.
        InboxRule(
            "member.joined", joined, .audience, by: { _ in nil },
            spares: { (_, told, hearer) throws(Rejection) in hearer == told.subject }),
        InboxRule(
            "member.added", joined, .audience, by: { _ in nil },
            spares: { (_, told, hearer) throws(Rejection) in hearer == told.subject }),
        InboxRule("member.removed", left, .audience),
        InboxRule("member.updated", roleChanged, .subject, when: isRoleChanged, word: role),
        InboxRule("member.moved", roleChanged, .subject, when: isRoleChanged, word: role),
        InboxRule(
            "permission.changed", permissionChanged, .audience, word: { $0.data["what"]?.string },
            name: { $0.data["device"]?.string }),
        // Nor that the first device is a new one.
        InboxRule(
            "session.opened", newDevice, .audience, name: { $0.data["device"]?.string },
            spares: { (act, _, hearer) throws(Rejection) in
                try act.first("SELECT joined_at FROM members WHERE id = ?", .id(hearer)) { row in row.instant(0) }
                    == act.now
            }),
        InboxRule("household.asked", moveAsked, .audience, name: { $0.data["household"]?.string }),
        InboxRule(
            "household.answered", moveAnswered, asker, when: { $0.data["answer"] != "withdrawn" },
            word: { $0.data["answer"]?.string }, name: { $0.data["household"]?.string }),
        InboxRule("member.grownAsked", grownAsked, .audience),
        InboxRule("member.grownAnswered", grownAnswered, .subject, word: grown),
        InboxRule(
            "account.changed", accountChanged, .audience, by: { $0.by ?? $0.data["setBy"]?.identifier },
            word: { $0.data["what"]?.string }, name: { $0.data["device"]?.string },
            time: { $0.data["until"]?.instant }),
    ]

    /// The member the event is about, and whoever asked for it.
    private static let asker = InboxRule.Hearers.members { (_, told) throws(Rejection) in
        let asker = told.data["askedBy"]?.identifier
        return [told.subject, asker == told.subject ? nil : asker].compactMap(\.self)
    }

    /// Guests of the household are told in an event of their own, without the username; one of the two is enough.
    @Sendable private static func isRoleChanged(_ told: Told) -> Bool {
        told.data["changed"]?.array?.contains("role") == true && told.data["member"]?["username"] != nil
    }

    @Sendable private static func role(_ told: Told) -> String? { told.data["member"]?["role"]?.string }

    @Sendable private static func grown(_ told: Told) -> String? {
        guard told.data["grown"] == true else { return "notYet" }
        return told.data["unanswered"] == true ? "unanswered" : "grown"
    }
}

/// What a member's account was given, or what was taken from it, as `permission.changed` says it.
enum Permission: String, CaseIterable {
    case appPasswordMade, appPasswordRevoked, signInLinkMade, passwordChanged
}
