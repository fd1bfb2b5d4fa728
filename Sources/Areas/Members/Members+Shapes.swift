import KinKeeper
import KinModel

extension Shape {
    /// A password.
    static let password = Shape.secret(max: Limits.passwordBytesMax)

    /// The family.
    static let family = Shape.named("Family", .object([.required("id", .id), .required("name", .name)]))
    /// A household as events and snapshots carry it.
    static let household = Shape.named("Household", .object([.required("id", .id), .required("name", .name)]))
    /// A member as events and snapshots carry it.
    static let member = Shape.named(
        "Member",
        .object([
            .required("id", .id),
            .optional("username", .username, "The name to sign in with; guests are not told it."),
            .required("displayName", .name, "The name people read."),
            .required("role", .role), .required("kind", .kind), .required("household", .id),
            .optional("picture", .token(max: 128), "The picture's name, which changes with the picture."),
            .required("parents", .list(.id, max: Limits.relationsPerMemberMax)),
            .required("partners", .list(.id, max: Limits.relationsPerMemberMax)),
        ]))
    /// An invite, without its code.
    static let invite = Shape.named(
        "Invite",
        .object([
            .required("id", .id), .required("household", .id), .required("role", .role), .required("kind", .kind),
            .required("uses", .integer(1...Limits.inviteUsesMax), "How many members it can bring."),
            .required("used", .integer(0...Limits.inviteUsesMax), "How many it has brought."),
            .optional("by", .id, "Who made it; absent for an administrator at the machine."),
            .required("expires", .time),
        ]))
    /// A session as its owner sees it.
    static let session = Shape.named(
        "Session",
        .object([
            .required("id", .id), .required("device", .name), .required("agent", .text(max: 200)),
            .required("address", .text(max: 200), "From where it was opened; empty for the machine itself."),
            .required("openedAt", .time), .required("usedAt", .time, "Noted once an hour."),
            .required("isThisOne", .bool),
            .optional(
                "waitsUntil", .time,
                "Until then it sees nobody's positions and shows nobody more, unless it is trusted before."),
            .optional(
                "openedBy", .nullable(.id),
                "Who made the link or set the password that opened it; null: the machine. Left out: the member."),
        ]))
    /// An app password as its owner sees it, without the password.
    static let appPassword = Shape.named(
        "AppPassword",
        .object([
            .required("id", .id), .required("device", .name), .required("scope", .scope),
            .required("createdAt", .time), .optional("usedAt", .time, "Noted once an hour."),
        ]))

    /// `{"member":…}`.
    static let memberResult = Shape.object([.required("member", .member)])
    /// `{"household":…}`.
    static let householdResult = Shape.object([.required("household", .household)])
    /// What a sign-in answers.
    static let signedIn = Shape.object(signedInFields)
    static let signedInFields: [Field] = [
        .required("token", .token(max: 64), "The session's secret, shown once."),
        .required("session", .id), .required("member", .member), .required("family", .family),
        .optional(
            "waitsUntil", .time,
            "Somebody else made the link or set the password: until then the session sees nobody's positions."),
        .optional("openedBy", .nullable(.id), "Who did, where the session waits; null: the machine."),
        .required(
            "knownDevice", .token(max: 64),
            "What the device shows at its next sign-in, to be spared from others' tries."),
    ]
}
