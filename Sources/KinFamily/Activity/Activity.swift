import KinModel
import KinStore

/// What the family is told. So far: announcements to everyone.
enum Activity {
    static let area = Area(
        "Activity",
        migrations: [
            Migration(
                number: 2, name: "announcements",
                sql: """
                    CREATE TABLE announcements (
                        id BLOB PRIMARY KEY, by BLOB, at INTEGER NOT NULL, text TEXT NOT NULL
                    ) STRICT, WITHOUT ROWID;
                    CREATE INDEX announcements_by ON announcements (by);
                    """)
        ],
        methods: [announce],
        events: [
            EventType(
                "activity.announced", "An admin tells everyone something; the author is told too.",
                data: .object([.required("text", .text(max: Limits.announcementCharactersMax))])),
            EventType(
                "activity.deleted", "An announcement is gone, because its author left and took it along.",
                data: .object([])),
        ],
        handOver: { (act, from, to) throws(Rejection) in
            try act.run("UPDATE announcements SET by = ? WHERE by = ?", .id(to), .id(from))
        },
        deleteOwned: { (act, member) throws(Rejection) in try deleteOwned(act, member) })

    static let announce = Method.command(
        "activity.announce", "Tells everyone something.", access: .admins,
        [.required("text", .text(max: Limits.announcementCharactersMax), "What to say; passed through unchanged.")],
        result: .object([.required("announcement", .object([.required("id", .id)]))]),
        route: Route("POST", "/api/activity/announcements", status: 201), events: ["activity.announced"],
        again: { (_, ids) throws(Rejection) in rendered(ids) },
        apply: { (act, params) throws(Rejection) in
            let text = try params.string("text")
            guard !text.isEmpty else { throw Rejection(.invalid, "text is empty; say something.", field: "text") }
            let id = act.newIdentifier()
            try act.run(
                "INSERT INTO announcements (id, by, at, text) VALUES (?, ?, ?, ?)",
                .id(id), Value(act.caller.memberID), .time(act.now), .text(text))
            try act.emit(
                "activity.announced", about: about(id), to: try act.roster.everyone, data: ["text": .string(text)])
            return .done(rendered([id]), ids: [id])
        })

    private static func rendered(_ ids: [Identifier]) -> JSON {
        ["announcement": .object(leavingOut: ["id": ids.first.map { .id($0) }])]
    }

    private static func about(_ id: Identifier) -> String { "announcement/\(id)" }

    /// Above this many deletions followers are given a fresh view instead of an event each.
    private static let deletionsToldMax = 100

    private static func deleteOwned(_ act: Act, _ member: Identifier) throws(Rejection) {
        let ids = try act.rows("SELECT id FROM announcements WHERE by = ?", .id(member)) { (row) throws(StoreFailure) in
            row.identifier(0)
        }
        try act.run("DELETE FROM announcements WHERE by = ?", .id(member))
        for id in ids { try act.erase(about: about(id)) }
        if ids.count > deletionsToldMax {
            try act.reset(try act.roster.everyone)
        } else {
            for id in ids {
                try act.emit("activity.deleted", about: about(id), to: try act.roster.everyone, data: [:])
            }
        }
    }
}
