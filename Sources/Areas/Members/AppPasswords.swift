import KinKeeper
import KinModel
import KinStore

/// App passwords: random, one for each device, good for one scope. So a simple device carries nothing that opens more.
enum AppPasswords {
    static let methods = [create, list, revoke]

    /// The caller an app password stands for; `nil` when there is none such. Costs one digest and one look-up.
    static func caller(_ password: String, _ act: Act) throws(Rejection) -> CallingMember? {
        guard let found = try find(password, act) else { return nil }
        if found.usedAt.map({ $0.adding(seconds: Limits.useNotedSeconds) <= act.now }) ?? true,
            let id = found.member.appPassword?.0
        {
            try act.run("UPDATE app_passwords SET used_at = ? WHERE id = ?", .time(act.now), .id(id))
        }
        return found.member
    }

    /// Counts a wrong password at the gateway of calendars and contacts, so that guessing there is slow. (An app that
    /// reports positions may show an old password every few minutes, and is told each time that it is wrong.)
    static func guessed(for method: Method, _ act: Act) throws(Rejection) {
        guard method.scopes.contains(.calendar),
            let seconds = act.memory(Guesses<AppPasswords>.self).wrong(from: act.origin.addressKey, now: act.uptime)
        else { return }
        throw Rejection(
            .slowDown, "Too many wrong app passwords came from this address. Try again in \(seconds) seconds.",
            retryAfter: seconds)
    }

    /// Revokes one that was seen in plain text; false when it is none.
    static func revokeExposed(_ password: String, _ act: Act) throws(Rejection) -> Bool {
        guard let member = try find(password, act)?.member, let (id, device) = member.appPassword else {
            return false
        }
        try act.run("DELETE FROM app_passwords WHERE id = ?", .id(id))
        try Members.tell(
            .appPasswordRevoked, of: member.id, act, device: device, scope: member.scope)
        act.note(.secretExposed, "An app password was seen in plain text on the network; it is revoked.")
        return true
    }

    private static func find(
        _ password: String, _ act: Act
    ) throws(Rejection) -> (member: CallingMember, usedAt: Instant?)? {
        guard password.utf8.count <= 200 else { return nil }
        return try act.first(
            """
            SELECT m.id, m.number, m.role, m.kind, m.household, a.id AS password, a.device, a.scope, a.used_at
            FROM app_passwords a JOIN members m ON m.id = a.member WHERE a.hash = ?
            """, Secret.digest(Secret.typed(password))
        ) { (row) throws(StoreFailure) in
            guard let scope = Scope(rawValue: row.text("scope")) else {
                throw .corrupt("an app password has no scope that this program knows")
            }
            let member = try Sessions.member(
                row, session: nil, scope: scope, appPassword: (row.identifier("password"), device: row.text("device")))
            return (member, row.optionalInstant("used_at"))
        }
    }

    static let create = Method.secretCommand(
        "appPassword.create", "Makes an app password for one device and one scope; it is shown once.",
        access: .signedIn, note: "oneself; the scope metrics: admins",
        [
            .required("device", .name, "What the password is for, such as Ada's phone."),
            .required("scope", .scope),
        ],
        result: .object([
            .required("id", .id), .required("password", .token(max: 64)), .required("device", .name),
            .required("scope", .scope),
        ]),
        route: Route("POST", "/api/app-passwords", status: 201), events: [Permission.changed],
        apply: { (act, params) throws(Rejection) in
            let member = try act.member
            let device = try params.string("device")
            let scope = try params.string("scope")
            try act.require(
                scope != Scope.metrics.rawValue || member.role == .admin,
                "Metrics are for admins; ask one for an app password with this scope.")
            let made = try make(for: device, scope: scope, of: member.id, act)
            return .done(
                [
                    "id": .id(made.id), "password": .string(made.password), "device": .string(device),
                    "scope": .string(scope),
                ], ids: [made.id])
        }
    ).forOwnWord { $0.optionalString("scope") != Scope.report.rawValue }

    /// Refuses where a member has as many as one may have.
    static func requireRoom(_ member: Identifier, _ act: Act) throws(Rejection) {
        let count = try act.first("SELECT count(*) FROM app_passwords WHERE member = ?", .id(member)) { row in
            row.int(0)
        }
        guard (count ?? 0) < Limits.appPasswordsPerMemberMax else {
            throw Rejection(
                .tooLarge,
                "You have \(Limits.appPasswordsPerMemberMax) app passwords; revoke those you no longer use.")
        }
    }

    /// Makes one for a device of a member's, and tells the member.
    static func make(
        for device: String, scope: String, of member: Identifier, _ act: Act
    ) throws(Rejection) -> (id: Identifier, password: String) {
        try requireRoom(member, act)
        let id = act.newIdentifier()
        let password = Secret.readable(groups: 6, act)
        try act.run(
            """
            INSERT INTO app_passwords (id, hash, member, device, scope, created_at) VALUES (?, ?, ?, ?, ?, ?)
            """, .id(id), Secret.digest(password), .id(member), .text(device), .text(scope), .time(act.now))
        try Members.tell(.appPasswordMade, of: member, act, device: device, scope: Scope(rawValue: scope))
        return (id, password)
    }

    static let list = Method.query(
        "appPassword.list", "The caller's app passwords, without the passwords.", access: .signedIn, note: "oneself",
        result: .object([.required("appPasswords", .list(Listed.shape, max: Limits.appPasswordsPerMemberMax))]),
        route: Route("GET", "/api/app-passwords"),
        apply: { (act, _) throws(Rejection) in
            let all = try act.rows(
                "SELECT \(Listed.columns.names) FROM app_passwords WHERE member = ? ORDER BY id",
                .id(try act.member.id)
            ) { (row) throws(StoreFailure) in try Listed.columns.read(row).json }
            return .done(["appPasswords": .array(all)])
        })

    static let revoke = Method.command(
        "appPassword.revoke", "Revokes one of the caller's app passwords.", access: .signedIn, note: "oneself",
        [.required("appPassword", .id)], result: .nothing,
        route: Route("DELETE", "/api/app-passwords/{appPassword}"), events: [Permission.changed],
        apply: { (act, params) throws(Rejection) in
            let id = try params.id("appPassword")
            let gone = try act.run(
                "DELETE FROM app_passwords WHERE id = ? AND member = ?", .id(id), .id(try act.member.id))
            guard gone == 1 else {
                throw Rejection.notFound("app password", id.description, field: "appPassword")
            }
            try Members.tell(.appPasswordRevoked, of: try act.member.id, act)
            return .done([:], ids: [id])
        }
    ).freeingRoom()
}
