import KinCrypto
import KinGeo
import KinKeeper
import KinModel
import KinStore

/// Links that show a member's position to people outside the family, until a time. While sharing is off they show
/// nothing. Only a digest of the secret is stored. The link tells the name that the member wrote for it, and only the
/// names of places that were ticked for it.
enum GuestLinks {
    /// Due work that removes links that ended; its `about` is `guestLink/ID`.
    static let endDue = "guestLink.ends"

    static let methods = [create, list, revoke, open]

    private static let precisions = [Precision.coarse.rawValue, Precision.exact.rawValue]

    /// A link, as it is listed and stored.
    private struct Link: WireRecord {
        let id: Identifier
        let precision: String
        let until: Instant
        let made: Instant
        let name: String?
        var places: [Identifier]?

        static let fields = Fields(
            "GuestLink", Link.init(id:precision:until:made:name:places:), .required("id", \.id, .id),
            .required("precision", \.precision, .text(.oneOf(GuestLinks.precisions))),
            .required("until", \.until, .time), .required("made", \.made, .time),
            .optional(
                "name", \.name, .text(GuestLinks.name),
                "What the page calls the member; left out, it calls nobody by a name."),
            .optional(
                "places", \.places, .list(.id, max: Limits.guestLinkPlacesMax),
                "Those whose names the page tells while the member is there."))
        static let columns = Columns<Link>(called: ["made": "made_at"], elsewhere: ["places"])
    }

    private static let name = Shape.line(max: Limits.nameCharactersMax)
    private static let places = Shape.list(.id, max: Limits.guestLinkPlacesMax)

    // MARK: For the member

    static let create = Method.secretCommand(
        "guestLink.create", "Makes a link that shows the caller's position to people outside the family, until a time.",
        access: .signedIn, note: "About oneself only, and not while somebody else holds the caller's sharing.",
        [
            .required("precision", .oneOf(precisions)),
            .required("until", .time, "When it ends by itself: at most \(Limits.guestLinkDaysMax) days from now."),
            .optional("name", name, "What the page calls the caller; left out, it calls nobody by a name."),
            .optional(
                "places", places,
                "Places the caller sees that have a circle: the page tells their names while the caller is there."),
        ],
        result: .object([
            .required("guestLink", Link.shape),
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
            let named = try ticked(params, act)
            let (id, secret) = (act.newIdentifier(), act.newSecret())
            try act.run(
                """
                INSERT INTO guest_links (id, track, secret, precision, until, made_at, name)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """, .id(id), .int(sharing.track), Secret.digest(secret), .text(try params.string("precision")),
                .time(until), .time(act.now), Value(params.optionalString("name")))
            for place in named {
                try act.run(
                    "INSERT OR IGNORE INTO guest_link_places (link, place) VALUES (?, ?)", .id(id), .int(place.number))
            }
            try act.plan(endDue, about: about(id), at: until)
            let made = try all(sharing.track, act).first { $0.id == id }
            return .done(["guestLink": made?.json ?? .null, "secret": .string(secret)], ids: [id])
        }
    ).forOwnWord()

    static let list = Method.query(
        "guestLink.list", "The caller's guest links that are good, or a child's.", access: .signedIn,
        note: "One's own, or those of a child whose settings the caller may see (sharing.show).",
        [.optional("member", .id, "The child; the caller if left out.")],
        result: .object([.required("guestLinks", .list(Link.shape, max: Int(Limits.guestLinksPerMemberMax)))]),
        route: Route("GET", "/api/sharing/links"),
        apply: { (act, params) throws(Rejection) in
            let caller = try act.member.id
            let member = params.optionalID("member") ?? caller
            try MemberSharing.checkMayShow(member, act)
            let sharing = try act.ask { (database) throws(StoreFailure) in try MemberSharing.find(database, member) }
            let links = try sharing.map { (sharing) throws(Rejection) in
                try all(sharing.track, seenBy: member == caller ? nil : caller, act)
            }
            return .done(["guestLinks": .array((links ?? []).map(\.json))])
        })

    static let revoke = Method.command(
        "guestLink.revoke", "Ends a guest link.", access: .signedIn,
        note: "One's own, or one that guestLink.list shows of a child.",
        [.required("guestLink", .id)], result: .object([]), route: Route("DELETE", "/api/sharing/links/{guestLink}"),
        events: [],
        apply: { (act, params) throws(Rejection) in
            let id = try params.id("guestLink")
            let owner = try act.first(
                "SELECT s.member FROM guest_links g JOIN sharing s ON s.track = g.track WHERE g.id = ?", .id(id)
            ) { (row) throws(StoreFailure) in row.identifier(0) }
            guard let owner, try mayEnd(linkOf: owner, act) else {
                throw Rejection.notFound("guest link", id.description, field: "guestLink")
            }
            try act.run("DELETE FROM guest_links WHERE id = ?", .id(id))
            try act.unplan(endDue, about: about(id))
            return .done([:], ids: [id])
        }
    ).freeingRoom()

    // MARK: For whoever has the link

    /// What a link shows.
    private struct Shown: WireRecord {
        struct Near: WireRecord {
            let name: String
            let country: String

            static let fields = Fields(
                nil, Near.init(name:country:), .required("name", \.name, .text(max: 200)),
                .required("country", \.country, .text(max: 2), "ISO 3166."))
        }

        struct Around: WireRecord {
            let name: String
            let lat: Double
            let lon: Double

            static let fields = Fields(
                nil, Around.init(name:lat:lon:), .required("name", \.name, .text(max: 200)),
                .required("lat", \.lat, .number(Point.latBounds), "Of its middle."),
                .required("lon", \.lon, .number(Point.lonBounds), "Of its middle."))
        }

        let until: Instant
        let precision: String
        let state: String
        var isSame: Bool?
        var name: String?
        var lat: Double?
        var lon: Double?
        var at: Instant?
        var place: String?
        var town: Near?
        var around: [Around]?

        static let fields = Fields(
            nil, Shown.init(until:precision:state:isSame:name:lat:lon:at:place:town:around:),
            .required("until", \.until, .time),
            .required("precision", \.precision, .text(.oneOf(GuestLinks.precisions))),
            .required("state", \.state, .text(max: 64), "Another one with whatever else the link shows."),
            .optional("same", \.isSame, .bool, "The link shows what was seen; nothing more is told."),
            .optional("name", \.name, .text(GuestLinks.name), "As the member chose it for this link."),
            .optional("lat", \.lat, .number(Point.latBounds), "Left out while the member does not share."),
            .optional("lon", \.lon, .number(Point.lonBounds)), .optional("at", \.at, .time),
            .optional(
                "place", \.place, .text(GuestLinks.name),
                "Where the member is, if it is one of the places ticked for this link."),
            .optional(
                "town", \.town, Near.form,
                "The nearest within \(Limits.guestLinkTownMetres / 1000) km of what is shown."),
            .optional(
                "around", \.around, .list(Around.form, max: Limits.guestLinkTownsMax),
                "Towns around what is shown, for a small map. Left out where none is known."))
    }

    static let open = Method.command(
        "guestLink.open", "What a guest link shows now.", access: .everybody,
        note: "For the page /where/SECRET; whoever has the secret. Who guesses wrong often has to wait.",
        [
            .required("secret", .secret(max: 64)),
            .optional(
                "seen", .text(max: 64),
                "The state that the page shows by now. While it is the same, only that is told; this is no further opening."
            ),
            .optional("whole", .bool, "Tells everything, though it is what was seen."),
            .optional(
                "further", .bool,
                "Only for a page that is open: refused unless this link gave what was seen, today or yesterday."),
        ],
        result: Shown.shape, events: [], isSlow: true,
        apply: { (act, params) throws(Rejection) in
            let found = try Opened.find(try params.string("secret"), act)
            let shown = try found.shown(act)
            let place = shown == nil ? nil : try found.place(act)
            let state = State(found.id, word(for: found, shown, place, act), Looks.day(act.now))
            let seen = params.optionalString("seen")
            let given = seen.flatMap { State.day(of: $0, found.id, today: Looks.day(act.now)) }
            if params["further"]?.bool == true, given == nil { throw Opened.notGood }
            if seen == state.text, params["whole"]?.bool != true {
                return .done(
                    Shown(until: found.until, precision: found.precision, state: state.text, isSame: true).json)
            }
            var town: NearestTown?
            var around: [Shown.Around] = []
            if let shown {
                guard let work = act.work else { return .later(LinkSurroundings(lat: shown.lat, lon: shown.lon)) }
                // A link shows somebody without a town, too.
                let made = work.made(LinkSurroundings.Made.self)
                town = made?.town.flatMap { $0.metres <= Double(Limits.guestLinkTownMetres) ? $0 : nil }
                around = (made?.around ?? []).map { town in
                    Shown.Around(name: town.name, lat: town.at.lat, lon: town.at.lon)
                }
            }
            try Looks.noteLink(found.id, track: found.track, isFurther: given == Looks.day(act.now), act)
            return .done(
                Shown(
                    until: found.until, precision: found.precision, state: state.text, name: found.name,
                    lat: shown?.lat, lon: shown?.lon, at: shown?.at, place: place,
                    town: town.map { Shown.Near(name: $0.town.name, country: $0.town.country) },
                    around: around.isEmpty ? nil : around
                ).json)
        }
    ).forGateways()

    /// A word for what a link shows, made of that and of the day: on each day somebody looks at it is noted.
    private static func word(for found: Opened, _ shown: Position?, _ place: String?, _ act: Act) -> String {
        let spot = shown.map { "\($0.lat) \($0.lon) \($0.at)" }
        let day = String(Looks.day(act.now))
        let all = [day, found.precision, found.name, spot, place].map { $0 ?? "" }.joined(separator: "\n")
        return Hex.encode(Array(Digest.sha256(Array(all.utf8)).prefix(8)))
    }

    /// The state that an open page says it shows. Its seal is made with the link's identifier, which is not in the
    /// address. So nobody who merely opens a link can claim that the page was open before.
    private struct State {
        let text: String

        init(_ link: Identifier, _ word: String, _ day: Int64) { text = word + Self.seal(link, word, day) }

        private static func seal(_ link: Identifier, _ word: String, _ day: Int64) -> String {
            let code = Digest.hmacSHA256(key: Array("guestLink \(link)".utf8), Array("\(day) \(word)".utf8))
            return Hex.encode(Array(code.prefix(8)))
        }

        /// The day on which a link gave a state: today, or the one before; `nil` for what it did not give.
        static func day(of state: String, _ link: Identifier, today: Int64) -> Int64? {
            [today, today - 1].first { state == State(link, String(state.prefix(16)), $0).text }
        }
    }

    /// A good link that somebody opens.
    private struct Opened {
        let id: Identifier
        let track: Int64
        let precision: String
        let until: Instant
        let name: String?
        let member: Identifier
        let isOn: Bool

        /// Wrong and ended links are refused in the same way, and slowed down when there are many from one address.
        static func find(_ secret: String, _ act: Act) throws(Rejection) -> Opened {
            let found = try act.first(
                """
                SELECT g.id, g.track, g.precision, g.until, g.name, s.member, s.is_on
                FROM guest_links g JOIN sharing s ON s.track = g.track WHERE g.secret = ? AND g.until > ?
                """, Secret.digest(secret), .time(act.now)
            ) { (row) throws(StoreFailure) in
                Opened(
                    id: row.identifier("id"), track: row.int("track"), precision: row.text("precision"),
                    until: row.instant("until"), name: row.optionalText("name"), member: row.identifier("member"),
                    isOn: row.bool("is_on"))
            }
            if let found { return found }
            if let wait = act.memory(Guesses<GuestLinks>.self).wrong(from: act.origin.addressKey, now: act.uptime) {
                throw Rejection(
                    .slowDown, "Too many links that are not good. Wait \(wait) s and try again.", retryAfter: wait)
            }
            throw notGood
        }

        static let notGood = Rejection(.notFound, "This link is not good, or no longer.", field: "secret")

        func shown(_ act: Act) throws(Rejection) -> Position? {
            // Links end at a time. While the clock is doubted, they show nothing.
            guard isOn, !act.isClockDoubted else { return nil }
            let latest = try LatestPositions(member, act)
            return precision == Precision.exact.rawValue ? latest.shown : latest.coarse?.position(of: member)
        }

        /// The smallest of the places ticked for this link that the member is at, sees and agreed to. A place at which
        /// the member is not shown now is not told: stays continue while sharing is off.
        func place(_ act: Act) throws(Rejection) -> String? {
            let latest = try LatestPositions(member, act)
            guard let shown = latest.shown, latest.own?.at == shown.at else { return nil }
            return try act.first(
                """
                SELECT p.name FROM guest_link_places g JOIN places p ON p.number = g.place
                JOIN stays s ON s.place = p.number AND s.member = ?1
                JOIN place_sight v ON v.place = p.number AND v.member = ?1
                WHERE g.link = ?4 AND s.phase = ?3 AND \(PlaceAgreements.counts(act))
                ORDER BY p.radius, p.id LIMIT 1
                """, .id(member), .time(act.now), .int(Stay.Phase.inside.rawValue), .id(id)
            ) { (row) throws(StoreFailure) in row.text("name") }
        }
    }

    // MARK: For the rest of the area

    private static func about(_ link: Identifier) -> String { "guestLink/\(link)" }

    /// How many of a member's links are good.
    static func count(_ track: Int64, _ act: Act) throws(Rejection) -> Int64 {
        try act.first("SELECT count(*) FROM guest_links WHERE track = ? AND until > ?", .int(track), .time(act.now)) {
            (row) throws(StoreFailure) in row.int(0)
        } ?? 0
    }

    /// Whether the caller may end a member's links: to anybody else they are not there.
    private static func mayEnd(linkOf owner: Identifier, _ act: Act) throws(Rejection) -> Bool {
        do throws(Rejection) { try MemberSharing.checkMayShow(owner, act) } catch {
            guard [.forbidden, .notFound].contains(error.kind) else { throw error }
            return false
        }
        return true
    }

    /// A member's links. `viewer`: somebody else who looks, and reads only of places in the own sight.
    private static func all(
        _ track: Int64, seenBy viewer: Identifier? = nil, _ act: Act
    ) throws(Rejection) -> [Link] {
        let links = try act.rows(
            "SELECT \(Link.columns.names) FROM guest_links WHERE track = ? AND until > ? ORDER BY id",
            .int(track), .time(act.now)
        ) { (row) throws(StoreFailure) in try Link.columns.read(row) }
        var all: [Link] = []
        for var link in links {
            let named = try act.rows(
                """
                SELECT p.id FROM guest_link_places g JOIN places p ON p.number = g.place WHERE g.link = ?1 AND (?2 IS NULL
                OR EXISTS (SELECT 1 FROM place_sight v WHERE v.place = p.number AND v.member = ?2)) ORDER BY p.id
                """, .id(link.id), Value(viewer)
            ) { (row) throws(StoreFailure) in row.identifier("id") }
            if !named.isEmpty { link.places = named }
            all.append(link)
        }
        return all
    }

    /// Places that the caller sees, and at which somebody can be.
    private static func ticked(_ params: Params, _ act: Act) throws(Rejection) -> [StoredPlace] {
        var found: [StoredPlace] = []
        for id in (params["places"]?.array ?? []).compactMap(\.identifier) {
            let place = try StoredPlace.visible(act, id, field: "places")
            guard place.circle != nil else {
                throw Rejection(
                    .invalid, "A link names only places with a circle; \(place.name) has none.", field: "places")
            }
            found.append(place)
        }
        return found
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
