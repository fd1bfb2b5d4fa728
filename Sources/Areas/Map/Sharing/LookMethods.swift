import KinKeeper
import KinModel
import KinStore

extension Looks {
    static let list = Method.query(
        "sharing.looks", "Who looked at where the caller is or was, newest first.", access: .signedIn,
        note: "The own, or those of a child whose settings the caller holds. Kept 90 days.",
        [
            .optional("before", .integer(1...Int64.max), "next of the answer before, for the looks before those."),
            .optional("limit", .integer(1...Int64(Limits.looksPerAnswerMax)), "Looks in the answer."),
            .optional("member", .id, "A child whose settings the caller holds; the caller if left out."),
        ],
        result: .object([
            .required("looks", .list(Told.shape, max: Limits.looksPerAnswerMax)),
            .optional("next", .integer(1...Int64.max), "To be given as before; there when there are more."),
        ]),
        route: Route("GET", "/api/sharing/looks"),
        apply: { (act, params) throws(Rejection) in
            let watched = try MemberSharing.settings(of: params.optionalID("member"), toChange: false, act)
            let limit = params.optionalInt("limit") ?? Int64(Limits.looksPerAnswerMax)
            let sharing = try act.ask { (database) throws(StoreFailure) in try MemberSharing.find(database, watched) }
            guard let sharing else { return .done(["looks": []]) }
            let names = try Map.names(act)
            let member = try act.member
            let seen = Set(
                try act.roster.entries.filter { member.role != .guest || $0.household == member.household }.map(\.id))
            let rows = try act.rows(
                """
                SELECT number, viewer, link, how, at_machine, first_at, last_at, count, from_at, to_at FROM looks
                WHERE track = ? AND number < ? ORDER BY number DESC LIMIT ?
                """, .int(sharing.track), .int(params.optionalInt("before") ?? .max), .int(limit + 1)
            ) { (row) throws(StoreFailure) -> (number: Int64, look: Told) in
                // A guest is not told of members out of sight.
                let viewer = row.optionalIdentifier("viewer").flatMap { seen.contains($0) ? $0 : nil }
                let look = Told(
                    how: row.word("how"), viewer: viewer, displayName: viewer.flatMap { names[$0] },
                    link: row.optionalIdentifier("link"), isAtMachine: row.bool("at_machine") ? true : nil,
                    first: row.instant("first_at"), last: row.instant("last_at"), count: row.int("count"),
                    from: row.optionalInstant("from_at"), to: row.optionalInstant("to_at"))
                return (row.int("number"), look)
            }
            let shown = rows.prefix(Int(limit))
            return .done(
                .object(leavingOut: [
                    "looks": .array(shown.map(\.look.json)),
                    "next": rows.count > shown.count ? shown.last.map { .int($0.number) } : nil,
                ]))
        }
    ).forOwnWord()

    /// A look, as who was looked at is told of it.
    private struct Told: WireRecord {
        let how: How
        let viewer: Identifier?
        let displayName: String?
        let link: Identifier?
        let isAtMachine: Bool?
        let first: Instant
        let last: Instant
        let count: Int64
        let from: Instant?
        let to: Instant?

        static let fields = Fields(
            "Look", Told.init(how:viewer:displayName:link:isAtMachine:first:last:count:from:to:),
            .required("how", \.how, .word, "phone is OwnTracks, export a file."),
            .optional(
                "viewer", \.viewer, .id,
                "Who; left out for a link and for members out of the caller's sight or gone."),
            .optional("displayName", \.displayName, .line(max: Limits.nameCharactersMax)),
            .optional("link", \.link, .id, "The guest link, where it was one."),
            .optional(
                "atMachine", \.isAtMachine, .bool, "True when it was at the machine itself, in the viewer's name."),
            .required("first", \.first, .time), .required("last", \.last, .time),
            .required(
                "count", \.count, .integer(Int64(1)...Int64.max), "How often; live viewing counts once a day."),
            .optional("from", \.from, .time, "From when the history was that was looked at."),
            .optional("to", \.to, .time))
    }

    /// Takes down looks that the loop saw: events of a member's position that went out to viewers who follow. It is
    /// called at most once for each viewer, member and day.
    static let followed = Method.command(
        "sharing.followed", "Notes who is shown a member's position live.", access: .machine,
        note: "For the daemon's own loop.",
        [
            .required("about", .token(max: 64), "The event's about."),
            .required("viewers", .list(.integer(1...Int64(Audience.memberMax)), max: Limits.membersMax)),
            .optional("atMachine", .bool, "Whether it was the machine that followed, in their names."),
        ],
        result: .object([]), events: [],
        apply: { (act, params) throws(Rejection) in
            guard let watched = Identifier(try params.string("about").split(separator: "/").last ?? "") else {
                return .done([:])
            }
            let isAtMachine = params["atMachine"]?.bool == true
            let numbers = Set((params["viewers"]?.array ?? []).compactMap { $0.int.flatMap { Int32(exactly: $0) } })
            for entry in try act.roster.entries where numbers.contains(entry.number) {
                try note(.live, at: watched, by: entry.id, isAtMachine: isAtMachine, act)
            }
            return .done([:])
        }
    ).forGateways()
}
