import KinKeeper
import KinModel
import KinStore

extension Members {
    static let join = Method.secretCommand(
        "member.join", "Joins the family with an invite's code, and signs the new member in.",
        access: [.nobody, .machine], note: "whoever holds a code",
        [
            .required("code", .code), .required("username", .username), .required("password", .password),
            .required("displayName", .name),
            .optional("device", .name, "What the session is called in the list of sessions."),
            .optional(
                "asChild", .bool,
                "True: whoever joins knows that the invite is for a child; needed with such an invite."),
        ],
        result: .signedIn, route: Route("POST", "/api/members", status: 201),
        events: [Member.joined, Sessions.opened], isSlow: true,
        apply: { (act, params) throws(Rejection) in
            let invite = try Invites.find(try params.string("code"), act)
            guard invite.kind == .adult || params["asChild"]?.bool == true else {
                throw Rejection(
                    .invalid,
                    "This invite is for a child: an adult of the household can hold a child's location settings, and a "
                        + "child's parents can move it. If you are an adult, ask for an invite as an adult; if not, join "
                        + "as a child (asChild).", field: "asChild")
            }
            let member = Member(
                id: act.newIdentifier(), username: try params.string("username"),
                displayName: try params.string("displayName"), role: invite.role, kind: invite.kind,
                household: invite.household)
            try checkFree(member.username, act)
            guard let work = act.work else {
                return try Passwords.hashing(
                    try params.string("password"), for: [member.username, member.displayName], act)
            }
            let password = try Passwords.hash(work).encoded
            try act.run("UPDATE invites SET used = used + 1 WHERE id = ?", .id(invite.id))
            try growing(act) { () throws(Rejection) in try insert(member, password: password, broughtBy: invite.by, act)
            }
            try tell(Member.joined, member.id, act)
            return try Sessions.open(for: member.id, device: params.optionalString("device"), act)
        }
    ).openingSession()

    static let add = Method.secretCommand(
        "member.add", "Adds a member with a first password.", access: [.head, .admin, .machine],
        note: "heads: into the own household, as member or guest",
        [
            .required("username", .username), .required("password", .password), .required("displayName", .name),
            .required("household", .id), .required("role", .role), .required("kind", .kind),
        ],
        result: .memberResult, route: Route("POST", "/api/households/{household}/members", status: 201),
        events: [Member.added], isSlow: true,
        apply: { (act, params) throws(Rejection) in
            let household = try act.household(try params.id("household"))
            // The shapes were checked: these are roles and kinds.
            let role = Role(rawValue: try params.string("role")) ?? .guest
            let kind = MemberKind(rawValue: try params.string("kind")) ?? .child
            try act.mayBring(role, into: household.id)
            let member = Member(
                id: act.newIdentifier(), username: try params.string("username"),
                displayName: try params.string("displayName"), role: role, kind: kind, household: household.id)
            try checkFree(member.username, act)
            guard let work = act.work else {
                return try Passwords.hashing(
                    try params.string("password"), for: [member.username, member.displayName], act)
            }
            let password = try Passwords.hash(work).encoded
            try growing(act) { () throws(Rejection) in
                try insert(member, password: password, broughtBy: act.caller.memberID, act)
            }
            try act.run(
                "UPDATE members SET password_set_by = ? WHERE id = ?", act.makers.value, .id(member.id))
            try tell(Member.added, member.id, act)
            return .done(try act.show(member.id), ids: [member.id])
        })

    static let list = Method.query(
        "member.list", "The members of the family.", access: [.signedIn, .machine],
        note: "guests: the own household, without relations and usernames",
        result: .object([.required("members", .list(Member.shape, max: Limits.membersMax))]),
        route: Route("GET", "/api/members"),
        apply: { (act, _) throws(Rejection) in
            guard let sight = act.sight else { throw Rejection(.notSignedIn, "Sign in first.") }
            let seen = try act.ask { (database) throws(StoreFailure) in try People.members(database, in: sight) }
            return .done(["members": .array(seen.map(\.json))])
        }
    ).listing()

    static let showMember = Method.query(
        "member.show", "One member.", access: [.signedIn, .machine],
        note: "guests: of the own household, without relations and usernames", [.required("member", .id)],
        result: .memberResult, route: Route("GET", "/api/members/{member}"),
        apply: { (act, params) throws(Rejection) in .done(try act.show(try params.id("member"))) })

    // MARK: For the rest of the area

    /// Refuses a username that somebody has, or that is reserved. The answer is the same for both, so that it does not
    /// tell a guest who is in the family.
    static func checkFree(_ username: String, _ act: Act) throws(Rejection) {
        let isTaken = try act.first("SELECT 1 FROM members WHERE username = ?", .text(username)) { row in row.bool(0) }
        guard isTaken == nil, !reservedUsernames.contains(username) else {
            throw Rejection(.conflict, "This username is not to be had; choose another.", field: "username")
        }
    }

    /// Names that sound as if the house itself spoke.
    static let reservedUsernames: Set = [
        "admin", "administrator", "daemon", "everybody", "everyone", "household", "kin", "kinwire", "kinwired",
        "machine", "nobody", "root", "system",
    ]

    /// Writes a new member under the next number, which was never another's.
    static func insert(
        _ member: Member, password: String, broughtBy: Identifier?, _ act: Act
    ) throws(Rejection) {
        let count = try act.first("SELECT count(*) FROM members") { row in row.int(0) }
        guard (count ?? 0) < Limits.membersMax else {
            throw Rejection(.tooLarge, "The family has \(Limits.membersMax) members; that is the most.")
        }
        try act.run("UPDATE member_numbers SET last = last + 1")
        let number = try act.first("SELECT last FROM member_numbers") { row in row.int(0) } ?? 0
        guard (1...Int64(Audience.memberMax)).contains(number) else {
            throw Rejection(.tooLarge, "Member numbers are used up; found the family anew on a fresh directory.")
        }
        try act.run(
            """
            INSERT INTO members
            (id, number, username, display_name, role, kind, household, password, joined_at, brought_by)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, .id(member.id), .int(number), .text(member.username), .text(member.displayName),
            .text(member.role.rawValue), .text(member.kind.rawValue), .id(member.household), .text(password),
            .time(act.now), Value(broughtBy))
        act.rosterChanged()
    }
}
