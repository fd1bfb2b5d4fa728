import KinKeeper
import KinModel
import KinStore

/// Sessions, and how a request's credential becomes a caller. It is resolved inside the turn's transaction every time,
/// so that a credential that was revoked a moment ago is invalid.
enum Sessions {
    /// The caller of a credential. An invalid one is 1401, but not for methods that need no sign-in: a browser with an
    /// old cookie must be able to sign in.
    static func resolve(_ credential: Credential, for method: Method, _ act: Act) throws(Rejection) -> Caller {
        let found: Caller?
        switch credential {
        case .none: return .nobody
        case .machine: return .machine
        case .machineAs(let id): found = try machine(as: id, method, act)
        case .answer(let secret):
            var answerer: Area.Answerer?
            for whose in act.hooks.answer where answerer == nil { answerer = try whose(act, secret, method) }
            found = try answerer.flatMap { (one) throws(Rejection) in
                try member(one.member, session: one.secret, act).map { .member($0) }
            }
        case .session(let id):
            found = try caller(session: id, act).map { .member($0) }
        case .token(let token): found = try caller(token: token, act).map { .member($0) }
        case .appPassword(_, let password):
            found = try AppPasswords.caller(password, act).map { .member($0) }
            if found == nil { try AppPasswords.guessed(for: method, act) }
        }
        if let found { return found }
        if method.access.contains(.nobody) { return .nobody }
        throw Rejection(.notSignedIn, "You are signed out: what you signed in with is no longer good. Sign in again.")
    }

    /// A token's member; `nil` when it is unknown, revoked or was unused too long.
    static func caller(token: String, _ act: Act) throws(Rejection) -> CallingMember? {
        // Longer than any token: not worth a digest.
        guard token.utf8.count <= 200 else { return nil }
        guard let found = try find(sessionColumns + " WHERE s.hash = ?", Secret.digest(token), act) else { return nil }
        return try use(found, act)
    }

    /// Opens a session for a member, tells the member, and answers what a sign-in answers. Where `makers` opened it and
    /// not the member, and the account was in use, the session waits.
    static func open(
        for id: Identifier, device: String?, by makers: Makers? = nil, knownDevice: String? = nil, _ act: Act
    ) throws(Rejection) -> Outcome {
        guard let entry = try act.roster[id],
            let member = try act.ask({ (database) throws(StoreFailure) in try People.member(id, database) })
        else { throw Rejection.notFound("member", id.description, field: "member") }
        let session = act.newIdentifier()
        let token = act.newSecret()
        let device = device ?? (act.origin.agent.isEmpty ? "a device" : Text.quoted(act.origin.agent))
        try act.run(
            """
            INSERT INTO sessions (id, hash, member, device, agent, address, opened_at, used_at, opened_by)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, .id(session), Secret.digest(token), .id(id), .text(device), .text(act.origin.agent),
            .text(act.origin.addressKey), .time(act.now), .time(act.now), makers?.value ?? .null)
        try makeRoom(for: id, keeping: session, act)
        let known = try KnownDevices.make(for: id, session, replacing: knownDevice, act)
        try act.emit(
            Sessions.opened, .init(session: session, device: device), about: "session/\(session)",
            to: try act.roster.only(id))
        let until = try wait(session, of: id, by: makers, act)
        return .done(
            SignedIn(
                token: token, session: session,
                member: Sight(role: entry.role, household: entry.household).show(member), family: try act.family(),
                waitsUntil: until, openedBy: until.flatMap { _ in makers.map(\.last) }, knownDevice: known
            ).json, ids: [session],
            effect: .signedIn(Identity(member: id, number: entry.number, session: session)))
    }

    /// Forgets a session. The caller says how its connections end.
    static func end(_ session: Identifier, _ act: Act) throws(Rejection) {
        let wait = try act.first(
            "SELECT member FROM sessions WHERE id = ? AND waits_until IS NOT NULL", .id(session)
        ) { row in row.identifier(0) }
        if let wait, let one = try Wait.all(of: wait, act).first(where: { $0.session == session }) {
            try settleQuestion(of: one, act)
        }
        try act.run("DELETE FROM sessions WHERE id = ?", .id(session))
    }

    /// Revokes a member's sessions, except one.
    static func endAll(of member: Identifier, except kept: Identifier?, _ act: Act) throws(Rejection) {
        let sessions = try act.rows("SELECT id FROM sessions WHERE member = ?", .id(member)) { row in row.identifier(0)
        }
        for session in sessions where session != kept {
            try end(session, act)
            act.revoke(.session(session))
        }
        try KnownDevices.forgetAll(of: member, except: kept, act)
        let username = try act.first("SELECT username FROM members WHERE id = ?", .id(member)) { row in row.text(0) }
        act.note(.sessionRevoked, "\(username ?? "A member") has a new password; the sessions of the old one ended.")
    }

    // MARK: Inside

    private static let sessionColumns = """
        SELECT s.id AS session, s.used_at, m.id, m.number, m.role, m.kind, m.household, s.waits_until, s.opened_by
        FROM sessions s JOIN members m ON m.id = s.member
        """

    /// The member of a session that a connection has. Every request asks it, and hardly ever is it another.
    private static func caller(session id: Identifier, _ act: Act) throws(Rejection) -> CallingMember? {
        let memory = act.memory(SessionMemory.self)
        if let known = memory.sessions.value(of: id, act) { return try use(known, act) }
        guard let found = try find(sessionColumns + " WHERE s.id = ?", .id(id), act) else { return nil }
        memory.sessions.remember(found, of: id, act)
        return try use(found, act)
    }

    private static func find(_ sql: String, _ value: Value, _ act: Act) throws(Rejection) -> SessionMemory.Session? {
        try act.first(sql, value) { (row) throws(StoreFailure) in
            SessionMemory.Session(
                usedAt: row.instant("used_at"),
                member: try member(
                    row, session: row.identifier("session"), waitsUntil: row.optionalInstant("waits_until"),
                    openedBy: Makers(row.optionalBlob("opened_by"))))
        }
    }

    /// Notes that a session is used; `nil` when it was unused too long.
    private static func use(_ found: SessionMemory.Session, _ act: Act) throws(Rejection) -> CallingMember? {
        guard act.isClockDoubted || found.usedAt.adding(days: Limits.sessionDays) > act.now else { return nil }
        if let session = found.member.session, found.usedAt.adding(seconds: Limits.useNotedSeconds) <= act.now {
            try act.run("UPDATE sessions SET used_at = ? WHERE id = ?", .time(act.now), .id(session))
        }
        return found.member
    }

    /// At the machine as a member, the caller is that member, except for methods that only the machine may call.
    private static func machine(as id: Identifier, _ method: Method, _ act: Act) throws(Rejection) -> Caller? {
        guard let found = try member(id, session: nil, act) else { return nil }
        let isForNoMember = method.access.isDisjoint(with: .signedIn) && method.access.contains(.machine)
        return isForNoMember ? .machine : .member(found)
    }

    /// A member as the caller, without a session's rights and waits.
    private static func member(
        _ id: Identifier, session: Identifier?, _ act: Act
    ) throws(Rejection) -> CallingMember? {
        try act.first("SELECT id, number, role, kind, household FROM members WHERE id = ?", .id(id)) {
            (row) throws(StoreFailure) in try member(row, session: session)
        }
    }

    /// Reads the columns id, number, role, kind and household of `members`.
    static func member(
        _ row: borrowing Row, session: Identifier?, scope: Scope? = nil,
        appPassword: (Identifier, device: String)? = nil, waitsUntil: Instant? = nil, openedBy: Makers? = nil
    ) throws(StoreFailure) -> CallingMember {
        guard let role = Role(rawValue: row.text("role")), let kind = MemberKind(rawValue: row.text("kind")),
            let number = Int32(exactly: row.int("number"))
        else { throw .corrupt("a member has no role, kind or number that this program knows") }
        return CallingMember(
            id: row.identifier("id"), number: number, role: role, kind: kind, household: row.identifier("household"),
            session: session, scope: scope, appPassword: appPassword, waitsUntil: waitsUntil, openedBy: openedBy)
    }

    /// The sessions unused longest make room for a new one.
    private static func makeRoom(for member: Identifier, keeping new: Identifier, _ act: Act) throws(Rejection) {
        let surplus = try act.rows(
            "SELECT id FROM sessions WHERE member = ? AND id != ? ORDER BY used_at DESC, id DESC LIMIT -1 OFFSET ?",
            .id(member), .id(new), Value(Limits.sessionsPerMemberMax - 1)
        ) { row in row.identifier(0) }
        for session in surplus {
            try end(session, act)
            act.revoke(.session(session))
        }
    }
}
