import KinKeeper
import KinModel
import KinStore

/// Links that show a member's dot to people outside the family, until a time. They are under the master switch: while
/// sharing is off they show nothing. Only a digest of the secret is kept.
enum GuestLinks {
    /// Due work that removes links that ended; its `about` is `guestLink/ID`.
    static let endDue = "guestLink.ends"

    static let methods = [create, list, revoke, open]

    private static let precisions = [Precision.coarse.rawValue, Precision.exact.rawValue]

    private static let link = Shape.named(
        "GuestLink",
        .object([
            .required("id", .id), .required("precision", .oneOf(precisions)), .required("until", .time),
            .required("made", .time),
        ]))

    // MARK: For the member

    static let create = Method.secretCommand(
        "guestLink.create", "Makes a link that shows the caller's position to people outside the family, until a time.",
        access: .signedIn, note: "About oneself only, and not while somebody else holds the caller's sharing.",
        [
            .required("precision", .oneOf(precisions)),
            .required("until", .time, "When it ends by itself: at most \(Limits.guestLinkDaysMax) days from now."),
        ],
        result: .object([
            .required("guestLink", link),
            .required(
                "secret", .secret(max: 64), "Shown once. The page is /where/SECRET on any of the family's addresses."),
        ]),
        route: Route("POST", "/api/sharing/links", status: 201), events: [],
        apply: { (act, params) throws(Rejection) in
            let until = try params.time("until")
            guard until > act.now else {
                throw Rejection(.invalid, "until is \(until), which is over; give a later time.", field: "until")
            }
            guard until <= act.now.adding(days: Limits.guestLinkDaysMax) else {
                throw Rejection(
                    .invalid, "A guest link is good for at most \(Limits.guestLinkDaysMax) days.", field: "until")
            }
            let sharing = try MemberSharing.of(try MemberSharing.settings(of: nil, toChange: true, act), act)
            guard try count(sharing.track, act) < Limits.guestLinksPerMemberMax else {
                throw Rejection(
                    .tooLarge, "You have \(Limits.guestLinksPerMemberMax) guest links; revoke one you no longer need.")
            }
            let (id, secret) = (act.newIdentifier(), act.newSecret())
            try act.run(
                "INSERT INTO guest_links (id, track, secret, precision, until, made_at) VALUES (?, ?, ?, ?, ?, ?)",
                .id(id), .int(sharing.track), Secret.digest(secret), .text(try params.string("precision")),
                .time(until), .time(act.now))
            try act.plan(endDue, about: about(id), at: until)
            let made = try all(sharing.track, act).first { $0["id"]?.identifier == id }
            return .done(["guestLink": made ?? .null, "secret": .string(secret)], ids: [id])
        }
    ).forOwnWord()

    static let list = Method.query(
        "guestLink.list", "The caller's guest links that are good.", access: .signedIn,
        result: .object([.required("guestLinks", .list(link, max: Int(Limits.guestLinksPerMemberMax)))]),
        route: Route("GET", "/api/sharing/links"),
        apply: { (act, _) throws(Rejection) in
            let member = try act.member.id
            let sharing = try act.ask { (database) throws(StoreFailure) in try MemberSharing.find(database, member) }
            let links = try sharing.map { (sharing) throws(Rejection) in try all(sharing.track, act) }
            return .done(["guestLinks": .array(links ?? [])])
        })

    static let revoke = Method.command(
        "guestLink.revoke", "Ends a guest link.", access: .signedIn, note: "About oneself only.",
        [.required("guestLink", .id)], result: .object([]), route: Route("DELETE", "/api/sharing/links/{guestLink}"),
        events: [],
        apply: { (act, params) throws(Rejection) in
            let id = try params.id("guestLink")
            let ended = try act.run(
                "DELETE FROM guest_links WHERE id = ? AND track = (SELECT track FROM sharing WHERE member = ?)",
                .id(id),
                .id(try act.member.id))
            guard ended > 0 else { throw Rejection.notFound("guest link", id.description, field: "guestLink") }
            try act.unplan(endDue, about: about(id))
            return .done([:], ids: [id])
        }
    ).freeingRoom()

    // MARK: For whoever has the link

    static let open = Method.command(
        "guestLink.open", "What a guest link shows now.", access: .everybody,
        note: "For the page /where/SECRET; whoever has the secret.",
        [.required("secret", .secret(max: 64))],
        result: .object([
            .required("until", .time), .required("precision", .oneOf(precisions)),
            .optional("lat", .number(Point.latBounds), "Left out while the member does not share."),
            .optional("lon", .number(Point.lonBounds)), .optional("at", .time),
        ]), events: [],
        apply: { (act, params) throws(Rejection) in
            let found = try act.first(
                """
                SELECT g.id, g.track, g.precision, g.until, s.member, s.is_on
                FROM guest_links g JOIN sharing s ON s.track = g.track WHERE g.secret = ? AND g.until > ?
                """, Secret.digest(try params.string("secret")), .time(act.now)
            ) { (row) throws(StoreFailure) in
                (
                    id: row.identifier("id"), track: row.int("track"), precision: row.text("precision"),
                    until: row.instant("until"),
                    member: row.identifier("member"), isOn: row.bool("is_on")
                )
            }
            guard let found else {
                throw Rejection(.notFound, "This link is not good, or no longer.", field: "secret")
            }
            try Looks.noteLink(found.id, track: found.track, act)
            let latest = try LatestPositions(found.member, act)
            let seen =
                found.precision == Precision.exact.rawValue ? latest.shown : latest.coarse?.position(of: found.member)
            // While nobody knows what time it is, a link, which has an end, shows nothing.
            let shown = found.isOn && !act.isClockDoubted ? seen : nil
            return .done(
                .object(leavingOut: [
                    "until": .time(found.until), "precision": .string(found.precision),
                    "lat": shown.map { .double($0.lat) }, "lon": shown.map { .double($0.lon) },
                    "at": shown.map { .time($0.at) },
                ]))
        }
    ).forGateways()

    // MARK: For the rest of the area

    private static func about(_ link: Identifier) -> String { "guestLink/\(link)" }

    /// How many of a member's links are good.
    static func count(_ track: Int64, _ act: Act) throws(Rejection) -> Int64 {
        try act.first("SELECT count(*) FROM guest_links WHERE track = ? AND until > ?", .int(track), .time(act.now)) {
            (row) throws(StoreFailure) in row.int(0)
        } ?? 0
    }

    private static func all(_ track: Int64, _ act: Act) throws(Rejection) -> [JSON] {
        try act.rows(
            "SELECT id, precision, until, made_at FROM guest_links WHERE track = ? AND until > ? ORDER BY id",
            .int(track), .time(act.now)
        ) { (row) throws(StoreFailure) in
            [
                "id": .id(row.identifier("id")), "precision": .string(row.text("precision")),
                "until": .time(row.instant("until")),
                "made": .time(row.instant("made_at")),
            ]
        }
    }

    /// A link reached its end.
    static func fellDue(_ about: String, _ act: Act) throws(Rejection) {
        guard let id = Identifier(about.split(separator: "/").last ?? "") else { return }
        try act.run("DELETE FROM guest_links WHERE id = ? AND until <= ?", .id(id), .time(act.now))
    }

    /// No link is good any more.
    static func endAll(_ act: Act) throws(Rejection) {
        for track in Set(try act.rows("SELECT track FROM guest_links") { (row) throws(StoreFailure) in row.int(0) }) {
            try endAll(of: track, act)
        }
    }

    /// No link of one member is good any more.
    static func endAll(of track: Int64, _ act: Act) throws(Rejection) {
        let links = try act.rows("SELECT id FROM guest_links WHERE track = ?", .int(track)) {
            (row) throws(StoreFailure) in row.identifier(0)
        }
        for link in links {
            try act.unplan(endDue, about: about(link))
        }
        try act.run("DELETE FROM guest_links WHERE track = ?", .int(track))
    }
}
