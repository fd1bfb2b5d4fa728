import KinCrypto
import KinKeeper
import KinModel
import KinStore

extension Sessions {
    static let methods = [open, expose, resume, actAs, close, list, revoke, link, redeem, trust, waiting]

    private static let device = Field.optional("device", .name, "What the session is called in the list of sessions.")

    static let open = Method.secretCommand(
        "session.open", "Signs in with a username and a password.", access: .everybody,
        note: "slowed after failures, per account and address; a known device for its own alone",
        [
            .required("username", .username), .required("password", .secret(max: Limits.passwordBytesMax)), device,
            .optional("knownDevice", .code, "What the device's last sign-in answered under that name."),
        ],
        result: .signedIn, route: Route("POST", "/api/session", status: 201),
        events: [Sessions.opened, Sessions.accountChanged],
        isSlow: true,
        apply: { (act, params) throws(Rejection) in
            let username = try params.string("username")
            let found = try act.first(
                "SELECT id, password, password_set_by FROM members WHERE username = ?", .text(username)
            ) { row in
                (
                    id: row.identifier("id"), password: row.text("password"),
                    setBy: Makers(row.optionalBlob("password_set_by"))
                )
            }
            // An account that does not exist costs the same and gets the same answer.
            let stored = found?.password ?? PasswordHash.decoy
            let shown = params.optionalString("knownDevice")
            let guesser = try KnownDevices.guesser(of: username, showing: shown, act)
            guard let work = act.work else {
                try Passwords.begin(username, by: guesser, act)
                return .later(PasswordWork.checkPassword(try params.string("password"), encoded: stored))
            }
            try Passwords.checkLookedAt(username, by: guesser, act)
            guard case .matched(let isRight, let encoded)? = work.password else {
                throw Rejection(.unavailable, "The password could not be checked; try again.")
            }
            guard isRight, encoded == stored, let found else {
                act.noteRefusal(
                    .signInRefused,
                    "A sign-in as \(found == nil ? "a name that is nobody's" : username) from \(act.place) was refused."
                )
                throw Rejection(.notSignedIn, "The username or the password is not right.")
            }
            Passwords.succeeded(username, by: guesser, act)
            try Passwords.refuseExposed(found.id, act)
            return try open(
                for: found.id, device: params.optionalString("device"), by: found.setBy, knownDevice: shown, act)
        }
    ).freeingRoom().openingSession()

    static let resume = Method.query(
        "session.resume", "Signs this connection in with a session's token.", access: .everybody,
        [.required("token", .code)],
        result: .object([
            .required("session", .id), .required("member", Member.shape),
            .optional("waitsUntil", .time, "Until when the session waits, where it does."),
        ]),
        apply: { (act, params) throws(Rejection) in
            guard let caller = try caller(token: try params.string("token"), act), let session = caller.session else {
                throw Rejection(.notSignedIn, "This token is no longer good. Sign in again.")
            }
            return .done(
                try shown(
                    caller,
                    .object(leavingOut: [
                        "session": .id(session), "waitsUntil": caller.waitsUntil.map { .time($0) },
                    ]), act), effect: .signedIn(caller.identity))
        }
    ).openingSession()

    static let actAs = Method.query(
        "session.as", "Lets this connection at the machine act as a member.", access: .machine,
        [.required("username", .username)], result: .memberResult,
        apply: { (act, params) throws(Rejection) in
            let username = try params.string("username")
            let found = try act.first(
                "SELECT id, number, role, kind, household FROM members WHERE username = ?", .text(username)
            ) { (row) throws(StoreFailure) in try member(row, session: nil) }
            guard let found else { throw Rejection.notFound("member", username, field: "username") }
            return .done(try shown(found, [:], act), effect: .signedIn(found.identity))
        }
    ).openingSession()

    static let close = Method.command(
        "session.close", "Signs out: the session and its token end.", access: .signedIn, note: "oneself",
        result: .nothing, route: Route("DELETE", "/api/session"), events: [],
        apply: { (act, _) throws(Rejection) in
            if let session = try act.member.session {
                try end(session, act)
                act.revoke(.signedOut(session: session))
            }
            return .done([:], effect: .signedOut)
        }
    ).freeingRoom().closingSession()

    static let list = Method.query(
        "session.list", "The caller's sessions, newest use first.", access: .signedIn, note: "oneself",
        result: .object([
            .required("sessions", .list(Listed.shape, max: Limits.sessionsPerMemberMax)),
            .optional(
                "passwordSetBy", .nullable(.id),
                "Who set the password, until the member changes it; null: the machine. Left out where it was the member."
            ),
        ]),
        route: Route("GET", "/api/sessions"),
        apply: { (act, _) throws(Rejection) in
            let caller = try act.member
            let all = try act.rows(
                """
                SELECT \(Listed.columns.names), opened_by FROM sessions WHERE member = ?
                ORDER BY used_at DESC, id DESC
                """, .id(caller.id)
            ) { (row) throws(StoreFailure) in
                var others: [String: JSON] = ["isThisOne": .bool(row.identifier("id") == caller.session)]
                others["openedBy"] = Makers(row.optionalBlob("opened_by"))?.json
                return try Listed.columns.read(row, others).json
            }
            let setBy = try Passwords.makers(of: caller.id, act)
            return .done(.object(leavingOut: ["sessions": .array(all), "passwordSetBy": setBy?.json]))
        })

    static let revoke = Method.command(
        "session.revoke", "Ends one of the caller's sessions; its connections close at once.", access: .signedIn,
        note: "oneself", [.required("session", .id)], result: .nothing,
        route: Route("DELETE", "/api/sessions/{session}"), events: [],
        apply: { (act, params) throws(Rejection) in
            let session = try params.id("session")
            let isOwn = try act.first(
                "SELECT 1 FROM sessions WHERE id = ? AND member = ?", .id(session), .id(try act.member.id)
            ) { row in row.bool(0) }
            guard isOwn == true else { throw Rejection.notFound("session", session.description, field: "session") }
            try end(session, act)
            try KnownDevices.forget(session: session, act)
            act.revoke(.session(session))
            act.note(.sessionRevoked, "\(try act.member(try act.member.id).username) ended one of their sessions.")
            return .done([:], ids: [session])
        }
    ).freeingRoom().holdingConnection()

    static let link = Method.secretCommand(
        "session.link", "Makes a one-time link that signs a member in, good for a day; an earlier one ends.",
        access: .admins, [.required("member", .id)],
        result: .object([.required("link", .token(max: 64)), .required("expires", .time)]),
        route: Route("POST", "/api/members/{member}/sign-in-link", status: 201),
        events: [Permission.changed, Sessions.accountChanged],
        apply: { (act, params) throws(Rejection) in
            let member = try act.member(try params.id("member"))
            let (secret, expires) = try makeLink(for: member.id, act)
            try Members.tell(.signInLinkMade, of: member.id, act)
            try tellAdults(.signInLinkMade, of: member.id, by: act.makers, act)
            return .done(["link": .string(secret), "expires": .time(expires)], ids: [member.id])
        })

    static let redeem = Method.secretCommand(
        "session.redeem", "Signs in with a one-time link, and with a new password if one is given.",
        access: .everybody, note: "whoever holds the link",
        [
            .required("link", .code), device,
            .optional("password", .password, "A new password; all earlier sessions end, and the app passwords."),
            Passwords.keepAppPasswords,
        ],
        result: .signedIn, route: Route("POST", "/api/session/link", status: 201),
        events: [Sessions.opened, Permission.changed, Sessions.accountChanged],
        isSlow: true,
        apply: { (act, params) throws(Rejection) in
            let hash = Secret.digest(try params.string("link"))
            let found = try act.first(
                """
                SELECT m.id, m.username, m.display_name, m.kind, l.made_by FROM links l JOIN members m ON m.id = l.member
                WHERE l.hash = ? AND l.kind = 'sign-in' AND l.expires_at > ?
                """, hash, .time(act.now)
            ) { row in
                (
                    id: row.identifier("id"), names: [row.text("username"), row.text("display_name")],
                    makers: Makers(row.optionalBlob("made_by")), isWall: row.text("kind") == MemberKind.wall.rawValue
                )
            }
            guard let found else {
                throw Rejection(
                    .notFound, "This link is unknown, used or expired. Ask an admin for a new one.", field: "link")
            }
            // Nobody knows who made one before it was written down.
            let made = found.makers ?? .machine
            // A screen on a wall has no password, and nobody of its own who could make the link.
            let makers = found.isWall || made.isAlone(found.id) ? nil : made
            try act.requireClock()
            if found.isWall { try Walls.pair(found.id, params, act) }
            if let password = params.optionalString("password") {
                guard let work = act.work else { return try Passwords.hashing(password, for: found.names, act) }
                try Passwords.set(try Passwords.hash(work).encoded, for: found.id, by: makers, act)
                try endAll(of: found.id, except: nil, act)
                try Passwords.endAppPasswords(of: found.id, params, act)
                try Members.tell(.passwordChanged, of: found.id, act)
                if let makers { try tellAdults(.passwordSet, of: found.id, by: makers, act) }
            }
            try act.run("DELETE FROM links WHERE hash = ?", hash)
            return try open(for: found.id, device: params.optionalString("device"), by: makers, act)
        }
    ).openingSession()

    /// A new link that signs a member in once; an earlier one ends.
    static func makeLink(for member: Identifier, _ act: Act) throws(Rejection) -> (secret: String, expires: Instant) {
        let secret = act.newSecret()
        let expires = act.now.adding(seconds: Limits.signInLinkSeconds)
        try act.run("DELETE FROM links WHERE kind = 'sign-in' AND member = ?", .id(member))
        try act.run(
            "INSERT INTO links (hash, kind, member, expires_at, made_by) VALUES (?, 'sign-in', ?, ?, ?)",
            Secret.digest(secret), .id(member), .time(expires), act.makers.value)
        return (secret, expires)
    }

    private static func shown(
        _ caller: CallingMember, _ more: JSON, _ act: Act
    ) throws(Rejection) -> JSON {
        let found = try act.ask { (database) throws(StoreFailure) in try People.member(caller.id, database) }
        guard let found else { throw Rejection.notFound("member", caller.id.description, field: "member") }
        var result = more
        result["member"] = Sight(role: caller.role, household: caller.household).show(found).json
        return result
    }
}
