import KinKeeper
import KinModel
import KinStore

extension Sessions {
    /// A session as its owner sees it.
    struct Listed: WireRecord {
        let id: Identifier
        let device: String
        let agent: String
        let address: String
        let openedAt: Instant
        let usedAt: Instant
        let isThisOne: Bool
        let waitsUntil: Instant?
        let openedBy: Identifier??

        static let fields = Fields(
            "Session", Listed.init(id:device:agent:address:openedAt:usedAt:isThisOne:waitsUntil:openedBy:),
            .required("id", \.id, .id),
            .required("device", \.device, .name),
            .required("agent", \.agent, .text(max: 200)),
            .required(
                "address", \.address, .text(max: 200), "From where it was opened; empty for the machine itself."),
            .required("openedAt", \.openedAt, .time),
            .required("usedAt", \.usedAt, .time, "Noted once an hour."),
            .required("isThisOne", \.isThisOne, .bool),
            .optional(
                "waitsUntil", \.waitsUntil, .time,
                "Until then it sees nobody's positions and shows nobody more, unless it is trusted before."),
            .optional(
                "openedBy", \.openedBy, .nullable(.id),
                "Who made the link or set the password that opened it; null: the machine. Left out: the member."))

        /// Of `sessions`. Its `opened_by` names all makers, of whom the last is told.
        static let columns = Columns<Listed>(elsewhere: ["isThisOne", "openedBy"])
    }
}

extension Sessions {
    /// The answer to a sign-in.
    struct SignedIn: WireRecord {
        let token: String
        let session: Identifier
        let member: Member
        let family: Family
        let waitsUntil: Instant?
        let openedBy: Identifier??
        let knownDevice: String

        static let fields = Fields(
            nil, SignedIn.init(token:session:member:family:waitsUntil:openedBy:knownDevice:),
            .required("token", \.token, .token(max: 64), "The session's secret, shown once."),
            .required("session", \.session, .id),
            .required("member", \.member, Member.form),
            .required("family", \.family, Family.form),
            .optional(
                "waitsUntil", \.waitsUntil, .time,
                "Somebody else made the link or set the password: until then the session sees nobody's positions."),
            .optional(
                "openedBy", \.openedBy, .nullable(.id), "Who did, where the session waits; null: the machine."),
            .required(
                "knownDevice", \.knownDevice, .token(max: 64),
                "What the device shows at its next sign-in, to be spared from others' tries."))
    }
}

extension AppPasswords {
    /// An app password as its owner sees it, without the password.
    struct Listed: WireRecord {
        let id: Identifier
        let device: String
        let scope: Scope
        let createdAt: Instant
        let usedAt: Instant?

        static let fields = Fields(
            "AppPassword", Listed.init(id:device:scope:createdAt:usedAt:),
            .required("id", \.id, .id),
            .required("device", \.device, .name),
            .required("scope", \.scope, .word),
            .required("createdAt", \.createdAt, .time),
            .optional("usedAt", \.usedAt, .time, "Noted once an hour."))

        /// Of `app_passwords`.
        static let columns = Columns<Listed>()
    }
}
