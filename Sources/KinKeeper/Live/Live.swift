import KinModel
import KinStore

/// Following the log. The loop carries it out; the keeper decides who may, and keeps named cursors.
package enum Live {
    /// The area of following, with the shapes of the areas' parts of a snapshot.
    private static func area(of areas: [Area]) -> Area {
        Area(
            "Live",
            tables: [Table("marks", dated: ["at"])],
            migrations: [
                Migration(
                    number: 4, name: "marks", tables: ["marks"],
                    sql: """
                        CREATE TABLE marks (
                            member BLOB NOT NULL, name TEXT NOT NULL, cursor TEXT NOT NULL, position INTEGER NOT NULL,
                            at INTEGER NOT NULL, PRIMARY KEY (member, name)
                        ) STRICT, WITHOUT ROWID;
                        """)
            ],
            methods: [follow(.snapshot(of: areas)), unfollow, at, mark, marks],
            events: [],
            upkeep: { (act) throws(Rejection) in
                try act.run("DELETE FROM marks WHERE at < ?", .time(act.now.adding(days: -Limits.markDays)))
            },
            life: Area.Life(deleteOwned: { (act, member) throws(Rejection) in
                try act.run("DELETE FROM marks WHERE member = ?", .id(member))
            }))
    }

    package static var area: Area {
        var area = area(of: [])
        area.completed = { (areas) in self.area(of: areas) }
        return area
    }

    private static func follow(_ snapshot: Shape) -> Method {
        Method.query(
            "live.follow", "Follows the family's log from a cursor, or from a snapshot.", access: .following,
            note: "a screen on a wall: members, the map and meetings only",
            [
                .optional(
                    "since", .nullable(.text(max: 4096)),
                    "The last cursor received; null or absent for a snapshot. One that means nothing is answered with a snapshot too."
                ),
                .optional(
                    "view", .nullable(.token(max: 128)),
                    "What to see: all, or areas with commas; or the view last received."),
                .optional(
                    "types", .nullable(.list(.token(max: 64), max: 64)),
                    "Only these types of events; a name that ends in a dot stands for all that begin with it."),
                .optional(
                    "passing", .bool,
                    "Also what passes, such as that somebody types: notifications `passing` without a cursor."),
            ],
            result: .object([
                .required("mode", .oneOf(["live", "replay", "reset"])), .required("cursor", .cursor),
                .required("view", .token(max: 128)), .required("snapshot", .nullable(snapshot)),
            ]),
            apply: { (act, params) throws(Rejection) in
                let member = try act.member
                let since = params.optionalString("since")
                let given = params.optionalString("view")
                var (view, isChanged) = try View.read(
                    given, of: act.views, for: member.id, isWaiting: member.isWaiting, isWall: member.isWall)
                // A waiting session goes on only from cursors of this very view; once it no longer waits, from none of
                // them.
                if member.isWaiting { isChanged = given != view.text }
                if !isChanged, let since, let session = member.session {
                    isChanged = try act.hooks.credentials.isOutlived(since, session, act)
                }
                let types = params["types"]?.array?.compactMap(\.string)
                for followed in act.hooks.followed { try followed(act, view) }
                return .done(
                    .null,
                    effect: .follow(
                        Follow(
                            identity: member.identity, since: since, view: view,
                            isViewChanged: isChanged, types: types,
                            takesPassing: params["passing"]?.bool ?? false)))
            }
        ).holdingConnection()
    }

    package static let unfollow = Method.query(
        "live.unfollow", "Ends following on this connection.", access: .following, result: .object([]),
        apply: { (_, _) throws(Rejection) in .done([:], effect: .unfollow) })

    package static let at = Method.query(
        "live.at", "The cursor that stands before everything since a time, as far as the log goes back.",
        access: .following, [.required("time", .time)], result: .object([.required("cursor", .cursor)]),
        route: Route("GET", "/api/live/at"),
        apply: { (act, params) throws(Rejection) in
            let time = try params.time("time")
            let number = try act.member.number
            let position = try act.ask { (database) throws(StoreFailure) in
                act.keeps(.marksAreOnesOwn)
                    ? try ownPosition(in: database, before: time, of: number) : try Log.position(database, before: time)
            }
            return .done(["cursor": .string(act.cursor(at: position))])
        })

    /// The position before everything that a member was told since a time. What others are told does not move it. The
    /// time compared is the one in the event: some events say only a rounded time.
    private static func ownPosition(
        in database: Database, before time: Instant, of member: Int32
    ) throws(StoreFailure) -> Int64 {
        var position = try Log.position(database, before: time)
        while let next = try Log.next(database, of: member, after: position) {
            guard let told = try toldAt(next, in: database), told < time else { break }
            position = next
        }
        if let newest = try Log.newest(database, of: member, upTo: position) { return newest }
        return try Log.floor(database, of: member)
    }

    private static func toldAt(_ position: Int64, in database: Database) throws(StoreFailure) -> Instant? {
        try Log.payload(database, at: position).flatMap { Event.moment("at", in: $0) }
    }

    /// Whether a position is behind another for a member: whether an event that the member sees lies between them.
    private static func isFurther(
        _ position: Int64, than other: Int64, for member: Int32, _ act: Act
    ) throws(Rejection) -> Bool {
        guard position > other else { return false }
        let own = try act.ask { (database) throws(StoreFailure) in
            try Log.newest(database, of: member, upTo: position)
        }
        return own.map { $0 > other } ?? false
    }

    package static let mark = Method.command(
        "live.mark", "Keeps a cursor under a name, forward only; without a cursor answers the one kept.",
        access: .signedIn,
        note: """
            Forward is where there is something between the two that the caller sees: a cursor that differs from the one \
            kept by what others are told is the same, and the one kept is answered.
            """,
        [
            .required("name", .token(max: 64)),
            .optional("cursor", .cursor, "The cursor to keep."),
        ],
        result: .object([.required("name", .token(max: 64)), .required("cursor", .nullable(.cursor))]), events: [],
        apply: { (act, params) throws(Rejection) in
            let member = try act.member
            let name = try params.string("name")
            let kept = try act.first(
                "SELECT cursor, position FROM marks WHERE member = ? AND name = ?", .id(member.id), .text(name)
            ) { (row) throws(StoreFailure) in (cursor: row.text("cursor"), position: row.int("position")) }
            guard let cursor = params.optionalString("cursor") else {
                return .done(["name": .string(name), "cursor": kept.map { .string($0.cursor) } ?? .null])
            }
            guard let position = act.position(of: cursor),
                position <= act.logPosition
            else {
                throw Rejection(.invalid, "This cursor is not of this family's log; follow anew.", field: "cursor")
            }
            if let kept, !(try isFurther(position, than: kept.position, for: member.number, act)) {
                try act.run(
                    "UPDATE marks SET at = ? WHERE member = ? AND name = ?", .time(act.now), .id(member.id),
                    .text(name))
                return .done(["name": .string(name), "cursor": .string(kept.cursor)])
            }
            if kept == nil {
                let count = try act.first("SELECT count(*) FROM marks WHERE member = ?", .id(member.id)) {
                    (row) throws(StoreFailure) in row.int(0)
                }
                guard (count ?? 0) < Limits.marksPerMemberMax else {
                    throw Rejection(
                        .tooLarge, "You keep \(Limits.marksPerMemberMax) named cursors already; use one of those.",
                        field: "name")
                }
            }
            try act.run(
                """
                INSERT INTO marks (member, name, cursor, position, at) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET cursor = excluded.cursor, position = excluded.position, at = excluded.at
                """, .id(member.id), .text(name), .text(cursor), .int(position), .time(act.now))
            return .done(["name": .string(name), "cursor": .string(cursor)])
        }
    ).forOwnWord { $0.optionalString("cursor") != nil }

    /// A named cursor, as it is stored and listed.
    private struct Mark: WireRecord {
        let name: String
        let cursor: String
        let at: Instant

        static let fields = Fields(
            nil, Mark.init(name:cursor:at:), .required("name", \.name, .token(max: 64)),
            .required("cursor", \.cursor, .text(.cursor)), .required("at", \.at, .time, "When it was last kept."))
        static let columns = Columns<Mark>()
    }

    package static let marks = Method.query(
        "live.marks", "The caller's named cursors.", access: .signedIn,
        result: .object([.required("marks", .list(Mark.shape, max: Limits.marksPerMemberMax))]),
        route: Route("GET", "/api/live/marks"),
        apply: { (act, _) throws(Rejection) in
            let marks = try act.rows(
                "SELECT \(Mark.columns.names) FROM marks WHERE member = ? ORDER BY name", .id(try act.member.id)
            ) { (row) throws(StoreFailure) in try Mark.columns.read(row) }
            return .done(["marks": .array(marks.map(\.json))])
        })
}
