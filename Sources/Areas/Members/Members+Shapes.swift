import KinKeeper
import KinModel

extension Shape {
    /// A password.
    static let password = Shape.secret(max: Limits.passwordBytesMax)

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
    static let memberResult = Member.Shown.shape
    /// `{"household":…}`.
    static let householdResult = Household.Shown.shape
    /// What a sign-in answers.
    static let signedIn = Shape.object(signedInFields)
    static let signedInFields: [Field] = [
        .required("token", .token(max: 64), "The session's secret, shown once."),
        .required("session", .id), .required("member", Member.shape), .required("family", Family.shape),
        .optional(
            "waitsUntil", .time,
            "Somebody else made the link or set the password: until then the session sees nobody's positions."),
        .optional("openedBy", .nullable(.id), "Who did, where the session waits; null: the machine."),
        .required(
            "knownDevice", .token(max: 64),
            "What the device shows at its next sign-in, to be spared from others' tries."),
    ]
}
