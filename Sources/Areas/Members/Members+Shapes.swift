import KinKeeper
import KinModel

extension Shape {
    /// A password.
    static let password = Shape.secret(max: Limits.passwordBytesMax)

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
