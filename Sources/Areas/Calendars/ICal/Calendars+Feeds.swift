import KinKeeper
import KinModel
import KinStore

/// Addresses at which calendar programs read a calendar. Each contains a secret. It shows what its member sees, as long
/// as the member sees it.
extension Calendars {
    /// An address as its member sees it, without its secret.
    private struct Feed: WireRecord {
        let id: Identifier
        let name: String
        let calendar: Identifier?
        let made: Instant
        let used: Instant?

        static let fields = Fields(
            nil, Feed.init(id:name:calendar:made:used:),
            .required("id", \.id, .id), .required("name", \.name, .name),
            .optional("calendar", \.calendar, .id, "Absent: every entry in sight."),
            .required("made", \.made, .time, "When it was added."),
            .optional("used", \.used, .time, "When it was last read, by the day; absent: never."))

        /// The columns of `calendar_feeds`.
        static let columns = Columns<Feed>()
    }

    static let addFeed = Method.secretCommand(
        "calendar.addFeed",
        "Adds an address at which a calendar program reads a calendar as the caller sees it; shown once.",
        access: .signedIn, note: "who sees something of it",
        [
            .required("name", .name, "What it is called, such as Phone."),
            .optional("calendar", .id, "Every entry that the caller sees, if left out."),
        ],
        result: .object([
            .required("feed", Feed.shape),
            .required("secret", .token(max: 64), "What stands behind /feed/. Whoever knows it reads the calendar."),
        ]),
        route: Route("POST", "/api/calendars/feeds", status: 201), events: [],
        apply: { (act, params) throws(Rejection) in
            let member = try act.member.id
            let calendar = params.optionalID("calendar")
            _ = try CalendarFile(calendar, of: member, act)
            let count = try act.first("SELECT count(*) FROM calendar_feeds WHERE member = ?", .id(member)) { row in
                row.int(0)
            }
            guard (count ?? 0) < Limits.calendarFeedsMax else {
                throw Rejection(
                    .tooLarge, "You have \(Limits.calendarFeedsMax) addresses; remove those you no longer use.")
            }
            let (id, secret) = (act.newIdentifier(), "feed-" + act.newSecret())
            let feed = Feed(id: id, name: try params.string("name"), calendar: calendar, made: act.now, used: nil)
            try act.run(
                """
                INSERT INTO calendar_feeds (\(Feed.columns.names), member, secret)
                VALUES (\(Feed.columns.placeholders), ?, ?)
                """, values: Feed.columns.values(of: feed) + [.id(member), Secret.digest(secret)])
            return .done(["feed": feed.json, "secret": .string(secret)], ids: [id])
        }
    ).forOwnWord()

    static let listFeeds = Method.query(
        "calendar.feeds", "The caller's addresses of calendars, without their secrets.", access: .signedIn,
        note: "oneself", result: .object([.required("feeds", .list(Feed.shape, max: Int(Limits.calendarFeedsMax)))]),
        route: Route("GET", "/api/calendars/feeds"),
        apply: { (act, _) throws(Rejection) in
            .done(["feeds": .array(try feeds(of: try act.member.id, act).map(\.json))])
        })

    static let removeFeed = Method.command(
        "calendar.removeFeed", "Removes one of the caller's addresses: nothing is read there from here on.",
        access: .signedIn, note: "oneself", [.required("feed", .id)], result: .nothing,
        route: Route("DELETE", "/api/calendars/feeds/{feed}"), events: [],
        apply: { (act, params) throws(Rejection) in
            let id = try params.id("feed")
            let removed = try act.run(
                "DELETE FROM calendar_feeds WHERE id = ? AND member = ?", .id(id), .id(try act.member.id))
            guard removed > 0 else { throw .notFound("feed", id.description, field: "feed") }
            return .done([:], ids: [id])
        }
    ).freeingRoom()

    /// A piece of what an address shows, for the gateway.
    static let readFeed = Method.query(
        "calendar.feed", "What a calendar program reads at an address, by its secret.", access: .everybody,
        note: "For the daemon's own gateway; the secret is the credential.",
        [
            .required("secret", .token(max: 64), "What stands behind /feed/."),
            .optional(
                "tag", .token(max: 64), "The state that the program has: nothing is answered but that, where it is so."),
            .optional("after", .id, "next of the piece before."),
        ],
        result: .object([
            .optional("tag", .token(max: 64), "Names the state; with the first piece."),
            .optional("text", .text(max: 64 << 20), "The piece; absent where the program has that state."),
            .optional("next", .id, "To be given as after."),
        ]),
        apply: { (act, params) throws(Rejection) in
            let digest = Secret.digest(try params.string("secret"))
            let found = try act.first(
                "SELECT member, calendar, used FROM calendar_feeds WHERE secret = ?", digest
            ) { row in
                (
                    member: row.identifier("member"), calendar: row.optionalIdentifier("calendar"),
                    used: row.optionalInstant("used")
                )
            }
            guard let found, try act.roster[found.member] != nil else {
                let wait = act.memory(Guesses<CalendarMemory>.self).wrong(from: act.origin.addressKey, now: act.uptime)
                if let wait {
                    throw Rejection(
                        .slowDown, "Too many addresses that there are not. Wait \(wait) s and try again.",
                        retryAfter: wait)
                }
                throw Rejection(.forbidden, "There is no such address.")
            }
            let file = try CalendarFile(found.calendar, of: found.member, act)
            let after = params.optionalID("after")
            let tag = after == nil ? try file.tag(act) : nil
            // Programs ask every hour. Their use is noted once a day.
            if found.used.map({ act.now.milliseconds(since: $0) > 86_400_000 }) ?? true {
                try act.run("UPDATE calendar_feeds SET used = ? WHERE secret = ?", .time(act.now), digest)
            }
            if let tag, params.optionalString("tag")?.hasSameBytes(as: tag) == true {
                return .done(["tag": .string(tag)])
            }
            let piece = try file.piece(after: after, act)
            return .done(
                .object(leavingOut: [
                    "tag": tag.map { .string($0) },
                    "text": .string(String(decoding: piece.bytes, as: UTF8.self)),
                    "next": piece.next.map { .string($0) },
                ]))
        }
    ).forGateways()

    /// The secret was seen in plain text on the network: anybody who saw it could read the calendar.
    static let exposed: @Sendable (Act, String) throws(Rejection) -> Bool = { (act, secret) throws(Rejection) in
        let ended = try act.run("DELETE FROM calendar_feeds WHERE secret = ?", Secret.digest(secret)) > 0
        if ended {
            act.note(.secretExposed, "A calendar's address was seen in plain text on the network; it is revoked.")
        }
        return ended
    }

    private static func feeds(of member: Identifier, _ act: Act) throws(Rejection) -> [Feed] {
        try act.rows(
            "SELECT \(Feed.columns.names) FROM calendar_feeds WHERE member = ? ORDER BY made, id", .id(member)
        ) { (row) throws(StoreFailure) in try Feed.columns.read(row) }
    }
}
