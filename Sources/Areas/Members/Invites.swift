import KinKeeper
import KinModel
import KinStore

/// Codes that bring new members into a household. Only their digest is kept.
enum Invites {
    static let methods = [create, list, revoke, show]

    static let create = Method.secretCommand(
        "invite.create", "Makes a code that brings new members into a household; it is shown once.",
        access: [.head, .admin, .machine],
        note: "heads: into the own household, as member or guest",
        [
            .optional("household", .id, "The own household if left out."),
            .optional("role", .role, "What the new members may do: member if left out."),
            .optional("kind", .kind, "Grown or not: adult if left out."),
            .optional("uses", .integer(1...Limits.inviteUsesMax), "How many members it can bring: 1 if left out."),
            .optional("expires", .time, "Until when it is good: \(Limits.inviteDays) days if left out."),
        ],
        result: .object([.required("invite", Invites.Invite.shape), .required("code", .token(max: 64))]),
        route: Route("POST", "/api/invites", status: 201), events: [Invites.created],
        apply: { (act, params) throws(Rejection) in try create(act, params) })

    private static func create(_ act: Act, _ params: Params) throws(Rejection) -> Outcome {
        guard let into = params.optionalID("household") ?? act.ownHousehold else {
            throw Rejection(.params, "The parameter household is missing.", field: "household")
        }
        let household = try act.household(into)
        let role = params.optionalString("role").flatMap { Role(rawValue: $0) } ?? .member
        try act.mayBring(role, into: household.id)
        let expires = params.optionalTime("expires") ?? act.now.adding(days: Limits.inviteDays)
        guard expires > act.now, expires <= act.now.adding(days: Limits.inviteDaysMax) else {
            throw Rejection(
                .invalid, "expires must lie in the future, at most \(Limits.inviteDaysMax) days ahead.",
                field: "expires")
        }
        // Of this household alone: who may make invites into it sees all of them.
        let open = try act.first(
            "SELECT count(*) FROM invites WHERE household = ? AND expires_at > ? AND used < uses", .id(household.id),
            .time(act.now)
        ) { row in row.int(0) }
        guard (open ?? 0) < Limits.invitesPerHouseholdMax else {
            throw Rejection(
                .tooLarge,
                "There are \(Limits.invitesPerHouseholdMax) open invites into this household; revoke some first.")
        }
        let id = act.newIdentifier()
        let invite = Invite(
            id: id, household: household.id, role: role,
            kind: params.optionalString("kind").flatMap { MemberKind(rawValue: $0) } ?? .adult,
            uses: params.optionalInt("uses") ?? 1, used: 0, by: act.caller.memberID, expires: expires)
        let code = Secret.readable(groups: 5, act)
        try act.run(
            """
            INSERT INTO invites (\(Invite.columns.names), hash, created_at) VALUES (\(Invite.columns.placeholders), ?, ?)
            """, values: Invite.columns.values(of: invite) + [Secret.digest(code), .time(act.now)])
        try act.emit(
            created, .init(invite: invite), about: about(id), to: try act.roster.leaders(of: household.id))
        return .done(["invite": invite.json, "code": .string(code)], ids: [id])
    }

    static let list = Method.query(
        "invite.list", "The open invites, without their codes.", access: [.head, .admin, .machine],
        note: "heads: of the own household",
        result: .object([
            .required("invites", .list(Invites.Invite.shape, max: Limits.invitesPerHouseholdMax * Limits.householdsMax))
        ]),
        route: Route("GET", "/api/invites"),
        apply: { (act, _) throws(Rejection) in
            let seen = try all(act).filter { $0.isOpen(at: act.now) && act.leads($0.household) }
            return .done(["invites": .array(seen.map(\.json))])
        })

    static let revoke = Method.command(
        "invite.revoke", "Ends an invite: its code is no longer good.", access: [.head, .admin, .machine],
        note: "heads: of the own household", [.required("invite", .id)], result: .nothing,
        route: Route("DELETE", "/api/invites/{invite}"), events: [Invites.revoked],
        apply: { (act, params) throws(Rejection) in
            let id = try params.id("invite")
            guard let invite = try all(act).first(where: { $0.id == id }), act.leads(invite.household) else {
                throw Rejection.notFound("invite", id.description, field: "invite")
            }
            try end(invite, act)
            return .done([:], ids: [id])
        }
    ).freeingRoom()

    static let show = Method.query(
        "invite.show", "What an invite is for: for the form that opens with its link.", access: .everybody,
        note: "whoever holds the code", [.required("code", .code)],
        result: .object([
            .required("family", .name), .required("household", .name), .optional("inviter", .name),
            .required("role", .role), .required("kind", .kind), .required("expires", .time),
        ]),
        apply: { (act, params) throws(Rejection) in
            let invite = try find(try params.string("code"), act)
            let names = try act.first(
                """
                SELECT f.name AS family, h.name AS household, (SELECT display_name FROM members WHERE id = ?) AS inviter
                FROM family f JOIN households h ON h.id = ?
                """, Value(invite.by), .id(invite.household)
            ) { row in
                (
                    family: row.text("family"), household: row.text("household"),
                    inviter: row.optionalText("inviter")
                )
            }
            guard let names else { throw unknown }
            return .done(
                .object(leavingOut: [
                    "family": .string(names.family), "household": .string(names.household),
                    "inviter": names.inviter.map { .string($0) }, "role": .string(invite.role.rawValue),
                    "kind": .string(invite.kind.rawValue), "expires": .time(invite.expires),
                ]))
        })

    // MARK: For the rest of the area

    /// An invite as the table has it.
    struct Invite: WireRecord {
        let id: Identifier
        let household: Identifier
        let role: Role
        let kind: MemberKind
        let uses: Int64
        let used: Int64
        let by: Identifier?
        let expires: Instant

        func isOpen(at now: Instant) -> Bool { used < uses && now < expires }

        /// As it is written, without its code.
        static let fields = Fields(
            "Invite", Invite.init(id:household:role:kind:uses:used:by:expires:),
            .required("id", \.id, .id),
            .required("household", \.household, .id),
            .required("role", \.role, .word),
            .required("kind", \.kind, .word),
            .required("uses", \.uses, someUses, "How many members it can bring."),
            .required("used", \.used, anyUses, "How many it has brought."),
            .optional("by", \.by, .id, "Who made it; absent for an administrator at the machine."),
            .required("expires", \.expires, .time))

        /// Of `invites`.
        static let columns = Columns<Invite>(called: ["by": "inviter", "expires": "expires_at"])

        private static let someUses = Form.integer(1...Limits.inviteUsesMax)
        private static let anyUses = Form.integer(0...Limits.inviteUsesMax)
    }

    static let created = EventType(
        "invite.created", "An invite was made; admins and heads of the household.", Created.self)
    static let revoked = EventType(
        "invite.revoked", "An invite is no longer good; admins and heads of the household.", Revoked.self)

    /// A new one.
    struct Created: WireRecord {
        let invite: Invite

        static let fields = Fields(nil, Created.init(invite:), .required("invite", \.invite, Invite.form))
    }

    /// One that is gone.
    struct Revoked: WireRecord {
        let invite: Identifier

        static let fields = Fields(nil, Revoked.init(invite:), .required("invite", \.invite, .id))
    }

    /// The open invite of a code; 1404 alike for codes that are unknown, used up, expired or revoked.
    static func find(_ code: String, _ act: Act) throws(Rejection) -> Invite {
        let found = try act.first(selected + " WHERE hash = ?", Secret.digest(Secret.typed(code)), map: read)
        guard let found, found.isOpen(at: act.now) else { throw unknown }
        try act.requireClock()
        return found
    }

    /// Ends an invite and tells those who deal with it.
    static func end(_ invite: Invite, _ act: Act) throws(Rejection) {
        try act.run("DELETE FROM invites WHERE id = ?", .id(invite.id))
        guard invite.isOpen(at: act.now) else { return }
        try act.emit(
            revoked, .init(invite: invite.id), about: about(invite.id),
            to: try act.roster.leaders(of: invite.household))
    }

    /// Ends a member's invites that the member could not make any more: who left, moved or lost a role no longer
    /// brings people in.
    static func endUnfounded(by member: Identifier, _ act: Act) throws(Rejection) {
        let entry = try act.roster[member]
        for invite in try all(act) where invite.by == member {
            if entry?.role == .admin { continue }
            if entry?.role == .head, entry?.household == invite.household, [.member, .guest].contains(invite.role) {
                continue
            }
            try end(invite, act)
        }
    }

    /// Ends a leaving member's invites.
    static func endAll(by member: Identifier, _ act: Act) throws(Rejection) {
        for invite in try all(act) where invite.by == member {
            try act.erase(about: about(invite.id))
            try end(invite, act)
        }
    }

    /// Ends the invites into a household.
    static func endAll(into household: Identifier, _ act: Act) throws(Rejection) {
        for invite in try all(act) where invite.household == household { try end(invite, act) }
    }

    private static func all(_ act: Act) throws(Rejection) -> [Invite] {
        try act.rows(selected + " ORDER BY id", map: read)
    }

    private static func about(_ invite: Identifier) -> String { "invite/\(invite)" }

    private static let unknown = Rejection(
        .notFound, "This code is unknown, used up or expired. Ask for a new one.", field: "code")

    private static let selected = "SELECT \(Invite.columns.names) FROM invites"

    private static func read(_ row: borrowing Row) throws(StoreFailure) -> Invite { try Invite.columns.read(row) }
}
