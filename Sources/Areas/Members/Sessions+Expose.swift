import KinCrypto
import KinKeeper
import KinModel
import KinStore

extension Sessions {
    /// The loop calls this for secrets that it saw in plain text from another machine. Tokens and app passwords end at
    /// once. A password costs what a sign-in costs and is slowed in the same way, and only the right one is marked:
    /// nobody can lock another out with a wrong one. The member's sessions stay, so that the member can choose a new
    /// password there.
    static let expose = Method.secretCommand(
        "session.expose", "Ends what was seen in plain text: a token, an app password, a password, a topic.",
        access: .everybody,
        [
            .optional("token", secret, "A session's token."), .optional("username", secret),
            .optional("password", secret, "An app password, or the password of the username or of the token's member."),
            .optional("topics", .list(secret, max: 16), "What devices that ring are told by."),
        ], result: .nothing, events: [], isSlow: true,
        apply: { (act, params) throws(Rejection) in
            guard act.work == nil else {
                try markExposed(act, params)
                return .done([:])
            }
            var username = params.optionalString("username")
            if let token = params.optionalString("token"), let caller = try caller(token: token, act) {
                if username == nil {
                    username = try act.first("SELECT username FROM members WHERE id = ?", .id(caller.id)) { row in
                        row.text(0)
                    }
                }
                if let session = caller.session {
                    try end(session, act)
                    try KnownDevices.forget(session: session, act)
                    act.revoke(.session(session))
                    act.note(
                        .secretExposed,
                        "A session's token was seen in plain text on the network; the session is revoked.")
                }
            }
            let password = params.optionalString("password")
            for shown in (params["topics"]?.array ?? []).compactMap(\.string) + [password].compactMap(\.self) {
                for ends in act.hooks.exposed { _ = try ends(act, shown) }
                _ = try SetUpOffers.end(exposed: shown, act)
            }
            guard let password, try !AppPasswords.revokeExposed(password, act),
                let username, (try? Passwords.begin(username, by: stranger(act), act)) != nil
            else { return .done([:]) }
            let stored = try found(username, act)?.password ?? PasswordHash.decoy
            return .later(PasswordWork.checkPassword(password, encoded: stored))
        }
    ).freeingRoom().forGateways().holdingConnection()

    private static let secret = Shape.secret(max: Limits.passwordBytesMax)

    private static func found(
        _ username: String, _ act: Act
    ) throws(Rejection) -> (id: Identifier, password: String)? {
        try act.first("SELECT id, password FROM members WHERE username = ?", .text(username)) { row in
            (id: row.identifier("id"), password: row.text("password"))
        }
    }

    private static func stranger(_ act: Act) -> SignInSlowdown.Guesser { .stranger(address: act.origin.addressKey) }

    private static func markExposed(_ act: Act, _ params: Params) throws(Rejection) {
        if let username = params.optionalString("username") {
            try Passwords.checkLookedAt(username, by: stranger(act), act)
        }
        guard case .matched(true, let encoded)? = act.work?.password else { return }
        // By the hash that was compared: it is the member's own, whatever the member is called by now.
        let found = try act.first("SELECT id, username FROM members WHERE password = ?", .text(encoded)) { row in
            (id: row.identifier("id"), username: row.text("username"))
        }
        guard let found else { return }
        Passwords.succeeded(found.username, by: stranger(act), act)
        try act.run(
            "UPDATE members SET password_exposed_at = ? WHERE id = ? AND password_exposed_at IS NULL", .time(act.now),
            .id(found.id))
        act.note(
            .secretExposed,
            "The password of \(found.username) was seen in plain text on the network; it signs in no more.")
    }
}
