package import KinKeeper
import KinCalendar
package import KinModel
package import KinStore

/// How each member wants clients to look and speak: kept on the daemon, so that it is the same on every device, and seen
/// by the member alone. The rules stand in the documentation's page Settings.
package enum OwnSettings {
    package static let area = Area(
        "Settings", view: "settings", tables: [Table("settings")], migrations: migrations, methods: [show, set],
        events: [Settings.changed],
        hooks: Area.Hooks(
            settings: { (act, member) throws(Rejection) in
                try act.ask { (database) throws(StoreFailure) in try settings(of: member, database) }
            }),
        life: Area.Life(
            inherit: { (act, from, _) throws(Rejection) in try forget(from, act) },
            deleteOwned: { (act, member) throws(Rejection) in try forget(member, act) }),
        snapshot: [.required("settings", Settings.shape, "The looking member's own.")], snapshotBytesMax: 4 << 10,
        show: { (database, viewer, snapshot) throws(StoreFailure) in
            snapshot.settings = try settings(of: viewer.id, database)
        })

    /// One row for each setting that is set, by the name of its field: the value's fields are rows here and no columns, so
    /// that a new setting needs no migration.
    private static let migrations = [
        Migration(
            number: 27, name: "settings", tables: ["settings"],
            sql: """
                CREATE TABLE settings (
                    member BLOB NOT NULL REFERENCES members (id) ON DELETE CASCADE, name TEXT NOT NULL,
                    value TEXT NOT NULL, PRIMARY KEY (member, name)
                ) STRICT, WITHOUT ROWID;
                """)
    ]

    /// A member's settings, for whatever speaks to that member.
    package static func settings(of member: Identifier, _ database: Database) throws(StoreFailure) -> Settings {
        let kept = try database.rows("SELECT name, value FROM settings WHERE member = ?", .id(member)) { row in
            (name: row.text("name"), value: row.text("value"))
        }
        var json = JSON.Object()
        for (name, value) in kept { json[name] = Self.value(value) }
        return Settings(.object(json)) ?? Settings()
    }

    private static let result = Shape.object([.required("settings", Settings.shape)])

    private static let show = Method.query(
        "settings.show", "The caller's own settings; what is not set is left to the client.", access: .signedIn,
        note: "oneself", result: result, route: Route("GET", "/api/settings"),
        apply: { (act, _) throws(Rejection) in
            let member = try act.member.id
            let own = try act.ask { (database) throws(StoreFailure) in try settings(of: member, database) }
            return .done(["settings": own.json])
        }
    ).listing()

    private static let set = Method.command(
        "settings.set", "Sets some of the caller's settings; null leaves one to the client again.", access: .signedIn,
        note: "oneself",
        Settings.fields.list.map { .optional($0.name, .nullable($0.shape), $0.summary) }, result: result,
        route: Route("PATCH", "/api/settings"), events: [Settings.changed],
        again: { (act, _) throws(Rejection) in
            let member = try act.member.id
            let own = try act.ask { (database) throws(StoreFailure) in try settings(of: member, database) }
            return ["settings": own.json]
        },
        apply: { (act, params) throws(Rejection) in
            let member = try act.member.id
            try check(params, act)
            let before = try act.ask { (database) throws(StoreFailure) in try settings(of: member, database) }
            for field in Settings.fields.list {
                guard let given = params[field.name] else { continue }
                if given.isNull {
                    try act.run(
                        "DELETE FROM settings WHERE member = ? AND name = ?", .id(member), .text(field.name))
                } else {
                    try act.run(
                        "INSERT OR REPLACE INTO settings (member, name, value) VALUES (?,?,?)", .id(member),
                        .text(field.name), .text(text(given)))
                }
            }
            let after = try act.ask { (database) throws(StoreFailure) in try settings(of: member, database) }
            if after != before {
                try act.emit(
                    Settings.changed, .init(settings: after), about: about(member), to: try act.roster.only(member),
                    key: about(member))
            }
            return .done(["settings": after.json])
        })

    private static func about(_ member: Identifier) -> String { "settings/\(member)" }

    /// Checks what no shape can: zones and views must exist, and each view is named once.
    private static func check(_ params: Params, _ act: Act) throws(Rejection) {
        if let zone = params.optionalString("zone"), Zone(zone) == nil {
            throw Rejection(
                .invalid, "\(Text.quoted(zone)) is no time zone; zones are such as Europe/Berlin.", field: "zone")
        }
        let tabs = (params["tabs"]?.array ?? []).compactMap(\.string)
        for tab in tabs where !act.views.all.contains(tab) {
            throw Rejection(
                .invalid, "There is no tab \(Text.quoted(tab)); there are: \(act.views.all.joined(separator: ", ")).",
                field: "tabs")
        }
        guard Set(tabs).count == tabs.count else {
            throw Rejection(.invalid, "A tab stands in the bar once.", field: "tabs")
        }
    }

    /// A value in its column: text as it is, a number in digits, a list with spaces between its words.
    private static func text(_ value: JSON) -> String {
        if let list = value.array { return "[" + list.compactMap(\.string).joined(separator: " ") }
        return value.string ?? value.int.map { "\($0)" } ?? ""
    }

    private static func value(_ text: String) -> JSON {
        if text.hasPrefix("[") { return .array(text.dropFirst().split(separator: " ").map { .string(String($0)) }) }
        return Int64(text).map { .int($0) } ?? .string(text)
    }

    /// A member leaves, and the settings with them.
    private static func forget(_ member: Identifier, _ act: Act) throws(Rejection) {
        try act.run("DELETE FROM settings WHERE member = ?", .id(member))
        try act.withdraw(key: about(member))
    }
}
