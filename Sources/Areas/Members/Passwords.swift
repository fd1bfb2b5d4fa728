import KinCrypto
import KinKeeper
import KinModel
import KinStore

/// The path of a password: the work for a worker, and its result. Every method that sets a password goes through here,
/// so none is unjudged. A password is never stored, logged or put into an event.
enum Passwords {
    /// The work of judging and hashing a new password. Known words are what a guesser of this family tries first.
    static func hashing(_ password: String, for words: [String], _ act: Act) throws(Rejection) -> Outcome {
        .later(
            PasswordWork.newPassword(password, knownWords: try knownWords(words, act), salt: act.randomBytes(16)))
    }

    /// Words that guessers try first: those given, then the family's name and its households'.
    static func knownWords(_ words: [String], _ act: Act) throws(Rejection) -> [String] {
        try act.ask { (database) throws(StoreFailure) in
            var all = words + ["kinwire"]
            if let family = try People.family(database) { all.append(family.name) }
            all += try People.households(database, in: .all).map(\.name)
            return all
        }
    }

    /// The hash a worker made; a weak password is 1422 with the advice.
    static func hash(
        _ work: SlowResult, field: String = "password"
    ) throws(Rejection) -> (encoded: String, replacing: String?) {
        switch work.password {
        case .hash(let encoded, let replacing): return (encoded, replacing)
        case .weak(let advice): throw Rejection(.invalid, "This password is too weak. \(advice)", field: field)
        case .matched, nil: break
        }
        switch work {
        case .failed(let sentence): throw Rejection(.unavailable, sentence)
        case .crowdedOut: throw crowdedOut
        default: throw Rejection(.unavailable, "The password could not be checked; try again.")
        }
    }

    /// Counts a try at an account's password; 1429 when it has to wait.
    static func begin(_ username: String, by guesser: SignInSlowdown.Guesser, _ act: Act) throws(Rejection) {
        let wait = act.memory(SignInSlowdown.self).begin(account: username, by: guesser, now: act.uptime)
        guard let wait else { return }
        let isMember = try act.first("SELECT 1 FROM members WHERE username = ?", .text(username)) { row in row.bool(0) }
        act.noteRefusal(
            .signInSlowed,
            "Sign-ins as \(isMember == nil ? "a name that is nobody's" : username) from \(act.place) wait \(wait) s.")
        throw Rejection(
            .slowDown, "Too many failed sign-ins. Wait \(wait) s and try again.", retryAfter: wait)
    }

    /// Takes the try back: it was right.
    static func succeeded(_ username: String, by guesser: SignInSlowdown.Guesser, _ act: Act) {
        act.memory(SignInSlowdown.self).succeeded(account: username, by: guesser)
    }

    /// Refuses a password that no worker had time to check; it was no try.
    static func checkLookedAt(_ username: String, by guesser: SignInSlowdown.Guesser, _ act: Act) throws(Rejection) {
        guard act.work?.isCrowdedOut == true else { return }
        act.memory(SignInSlowdown.self).takeBack(account: username, by: guesser)
        throw crowdedOut
    }

    private static var crowdedOut: Rejection {
        Rejection(.slowDown, "Too many people sign in at once; try again.", retryAfter: 2)
    }

    /// Stores a hash. A new password was never seen by anybody.
    static func set(_ encoded: String, for member: Identifier, by makers: Makers?, _ act: Act) throws(Rejection) {
        try act.run(
            "UPDATE members SET password = ?, password_exposed_at = NULL, password_set_by = ? WHERE id = ?",
            .text(encoded), makers?.value ?? .null, .id(member))
        // Offers to set up a device that were made under the old password and not taken are void.
        try act.run("DELETE FROM set_up_offers WHERE member = ?", .id(member))
    }

    /// Those who set a member's password; `nil` where it was the member.
    static func makers(of member: Identifier, _ act: Act) throws(Rejection) -> Makers? {
        try act.first(
            "SELECT password_set_by FROM members WHERE id = ?", .id(member),
            map: { (row) throws(StoreFailure) in Makers(row.optionalBlob(0)) }
        ).flatMap(\.self)
    }

    static let keepAppPasswords = Field.optional(
        "keepAppPasswords", .bool,
        "With a new password: the app passwords, and so the phones that report, stay. Else they end.")

    /// Ends a member's app passwords with the old password, unless they are to be kept; the member is told of each.
    static func endAppPasswords(of member: Identifier, _ params: Params, _ act: Act) throws(Rejection) {
        guard params["keepAppPasswords"]?.bool != true else { return }
        let ended = try act.rows(
            "SELECT device, scope FROM app_passwords WHERE member = ? ORDER BY id", .id(member)
        ) { row in (device: row.text("device"), scope: row.text("scope")) }
        guard !ended.isEmpty else { return }
        try act.run("DELETE FROM app_passwords WHERE member = ?", .id(member))
        for (device, scope) in ended {
            try Members.tell(
                .appPasswordRevoked, of: member, act, device: device, scope: Scope(rawValue: scope))
        }
    }

    /// Refuses a right password that travelled in plain text over a network: a listener has it too.
    static func refuseExposed(_ member: Identifier, _ act: Act) throws(Rejection) {
        let isExposed = try act.first(
            "SELECT password_exposed_at IS NOT NULL FROM members WHERE id = ?", .id(member)
        ) { row in row.bool(0) }
        guard isExposed == true else { return }
        throw Rejection(
            .forbidden,
            "This password was seen in plain text on the network, so it no longer signs in. Change it on a device where "
                + "you are signed in, or ask an admin for a sign-in link and choose a new one there.")
    }

    static let change = Method.secretCommand(
        "password.change", "Changes the caller's password; the caller's other sessions end.", access: .signedIn,
        note: "oneself, with the old password",
        [.required("old", .secret(max: Limits.passwordBytesMax)), .required("new", .password)], result: .nothing,
        route: Route("PUT", "/api/password"), events: [Permission.changed], isSlow: true,
        apply: { (act, params) throws(Rejection) in
            let caller = try act.member
            let member = try act.member(caller.id)
            let stored = try act.first("SELECT password FROM members WHERE id = ?", .id(caller.id)) { row in row.text(0)
            }
            // A session answers for its own tries: nobody elsewhere can slow it, and it gives no second way to guess.
            let guesser = SignInSlowdown.Guesser.own(caller.session?.description ?? "machine")
            guard let work = act.work else {
                guard try params.string("old") != params.string("new") else {
                    throw Rejection(.invalid, "The new password is the old one; choose another.", field: "new")
                }
                try begin(member.username, by: guesser, act)
                return .later(
                    PasswordWork.changePassword(
                        old: try params.string("old"), encoded: stored ?? PasswordHash.decoy,
                        new: try params.string("new"),
                        knownWords: try knownWords([member.username, member.displayName], act),
                        salt: act.randomBytes(16)))
            }
            try checkLookedAt(member.username, by: guesser, act)
            if case .matched? = work.password {
                throw Rejection(.invalid, "The old password is not right.", field: "old")
            }
            succeeded(member.username, by: guesser, act)
            let (encoded, replacing) = try hash(work, field: "new")
            guard replacing == stored else {
                throw Rejection(.conflict, "The password was changed in between; sign in with the new one.")
            }
            // From a session that waits, and at the machine, it is as little the member's own as it was.
            let makers: Makers? = caller.isAtMachine ? .machine : caller.isWaiting ? caller.openedBy : nil
            try set(encoded, for: caller.id, by: makers, act)
            try Sessions.endAll(of: caller.id, except: caller.session, act)
            try Members.tell(.passwordChanged, of: caller.id, act)
            return .done([:], ids: [caller.id])
        })

    static let reset = Method.secretCommand(
        "password.reset",
        "Gives a member a new password; all of the member's sessions end, and the app passwords.", access: .machine,
        [.required("username", .username), .required("password", .password), keepAppPasswords], result: .memberResult,
        events: [Permission.changed, Sessions.accountChanged], isSlow: true,
        apply: { (act, params) throws(Rejection) in
            let username = try params.string("username")
            let found = try act.first(
                "SELECT id, display_name FROM members WHERE username = ? AND kind != 'wall'", .text(username)
            ) { row in (id: row.identifier("id"), displayName: row.text("display_name")) }
            guard let found else { throw Rejection.notFound("member", username, field: "username") }
            guard let work = act.work else {
                return try hashing(try params.string("password"), for: [username, found.displayName], act)
            }
            try set(try hash(work).encoded, for: found.id, by: .machine, act)
            try act.run("DELETE FROM links WHERE member = ?", .id(found.id))
            try Sessions.endAll(of: found.id, except: nil, act)
            try endAppPasswords(of: found.id, params, act)
            try Members.tell(.passwordChanged, of: found.id, act)
            try Sessions.tellAdults(.passwordSet, of: found.id, by: .machine, act)
            return .done(try act.show(found.id), ids: [found.id])
        })
}
