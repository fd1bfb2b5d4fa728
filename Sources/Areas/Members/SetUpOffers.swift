import KinKeeper
import KinModel
import KinStore

/// Secrets by which a device takes an app password once, within minutes. A QR code that somebody finds later is then
/// useless. The password is made when it is taken, and lies nowhere before.
enum SetUpOffers {
    static let methods = [offer, take]
    /// The beginning of every secret of this sort.
    private static let prefix = "profile-"

    static let offer = Method.secretCommand(
        "appPassword.offer",
        "Makes a secret by which one device takes an app password, once and within \(Limits.setUpOfferSeconds / 60) minutes.",
        access: .signedIn, note: "oneself",
        [
            .required("device", .name, "What the password is for, such as Ada's phone."),
            .required("scope", .oneOf([Scope.calendar.rawValue]), "What it is good for."),
        ],
        result: .object([
            .required("secret", .token(max: 64), "What stands behind /profile/."),
            .required("expires", .time, "When it is good no more."),
        ]),
        route: Route("POST", "/api/app-passwords/offers", status: 201), events: [],
        apply: { (act, params) throws(Rejection) in
            let member = try act.member
            try AppPasswords.requireRoom(member.id, act)
            // Only the newest few are good, however often somebody asks.
            try act.run(
                """
                DELETE FROM set_up_offers WHERE member = ?1 AND secret NOT IN
                (SELECT secret FROM set_up_offers WHERE member = ?1 ORDER BY expires_at DESC LIMIT ?2)
                """, .id(member.id), .int(Limits.setUpOffersMax - 1))
            let secret = prefix + act.newSecret()
            let expires = act.now.adding(seconds: Limits.setUpOfferSeconds)
            try act.run(
                "INSERT INTO set_up_offers (secret, member, device, scope, expires_at) VALUES (?, ?, ?, ?, ?)",
                Secret.digest(secret), .id(member.id), .text(try params.string("device")),
                .text(try params.string("scope")), .time(expires))
            return .done(["secret": .string(secret), "expires": .time(expires)])
        }
    ).forOwnWord()

    static let take = Method.secretCommand(
        "appPassword.take", "Makes the app password that was offered, and what a device needs beside it.",
        access: .everybody, note: "For the daemon's own gateway; the secret is the credential.",
        [.required("secret", .token(max: 64), "What stands behind /profile/.")],
        result: .object([
            .required("password", .token(max: 64)), .required("device", .name), .required("member", .id),
            .required("username", .text(max: 64)), .required("name", .name), .required("family", .name),
            .optional("language", .text(max: 8)),
        ]),
        events: [Permission.changed],
        apply: { (act, params) throws(Rejection) in
            guard let offer = try use(try params.string("secret"), act),
                let member = try act.ask({ (database) throws(StoreFailure) in
                    try People.member(offer.member, database)
                }), let family = try act.ask({ (database) throws(StoreFailure) in try People.family(database) })
            else {
                let wait = act.memory(Guesses<AppPasswords>.self).wrong(from: act.origin.addressKey, now: act.uptime)
                if let wait {
                    throw Rejection(
                        .slowDown, "Too many addresses that there are not. Wait \(wait) s and try again.",
                        retryAfter: wait)
                }
                throw Rejection(
                    .notFound,
                    "This address was good once, for \(Limits.setUpOfferSeconds / 60) minutes. Make a new one.")
            }
            let made = try AppPasswords.make(for: offer.device, scope: offer.scope, of: member.id, act)
            return .done(
                .object(leavingOut: [
                    "password": .string(made.password), "device": .string(offer.device), "member": .id(member.id),
                    "username": .string(member.username), "name": .string(member.displayName),
                    "family": .string(family.name),
                    "language": try act.hooks.settings?(act, member.id).language.map { .string($0.rawValue) },
                ]), ids: [made.id])
        }
    ).forGateways()

    private struct Offer {
        let member: Identifier
        let device: String
        let scope: String
        let expires: Instant
    }

    /// The offer of a secret, which is used up by it; `nil` where there is none that is good now.
    private static func use(_ secret: String, _ act: Act) throws(Rejection) -> Offer? {
        let found = try act.first(
            "DELETE FROM set_up_offers WHERE secret = ? RETURNING member, device, scope, expires_at",
            Secret.digest(secret)
        ) { row in
            Offer(
                member: row.identifier("member"), device: row.text("device"), scope: row.text("scope"),
                expires: row.instant("expires_at"))
        }
        // A clock that was put back prolongs nothing.
        guard let found, found.expires > act.now, found.expires <= act.now.adding(seconds: Limits.setUpOfferSeconds)
        else { return nil }
        return found
    }

    /// Ends one that was seen in plain text; false when it is none.
    static func end(exposed secret: String, _ act: Act) throws(Rejection) -> Bool {
        let ended = try act.run("DELETE FROM set_up_offers WHERE secret = ?", Secret.digest(secret)) > 0
        if ended {
            act.note(
                .secretExposed, "An address that sets a device up was seen in plain text on the network; it is revoked."
            )
        }
        return ended
    }

    /// Forgets what is good no more.
    static func prune(_ act: Act) throws(Rejection) {
        try act.run("DELETE FROM set_up_offers WHERE expires_at <= ?", .time(act.now))
    }
}
