import KinKeeper
import KinModel
import KinStore

/// A phone's shortcut raises an alarm by an address. Its secret permits that one act of that one member, and reads
/// nothing.
extension Alarms {
    private static let text = Field.optional("text", Alarm.textForm.shape)
    private static let to = Field.optional(
        "to", .list(.id, max: Limits.alarmToMax), "Members and households; else as alarm.raise has it.")
    private static let kind = Field.required("kind", Form<Alarm.Kind>.word.shape, "sos, come, onTheWay, check.")

    private static let shortcut = Shape.object([
        .required("id", .id), .required("name", .name), kind, text, to,
        .required("made", .time, "When it was added."),
        .optional("used", .time, "When it last raised an alarm; absent: never."),
    ])

    static let shortcutAdd = Method.secretCommand(
        "alarm.addShortcut", "Adds an address by which a phone's shortcut raises an alarm for the caller; shown once.",
        access: .signedIn, note: "oneself",
        [.required("name", .name, "What it is called, such as Watch."), kind, text, to],
        result: .object([
            .required("shortcut", shortcut),
            .required("secret", .token(max: 64), "What stands behind /alarm/. Whoever knows it raises this alarm."),
        ]),
        route: Route("POST", "/api/alarms/shortcuts", status: 201), events: [],
        apply: { (act, params) throws(Rejection) in
            let member = try act.member.id
            let count = try act.first("SELECT count(*) FROM alarm_shortcuts WHERE member = ?", .id(member)) { row in
                row.int(0)
            }
            guard (count ?? 0) < Limits.alarmShortcutsMax else {
                throw Rejection(
                    .tooLarge, "You have \(Limits.alarmShortcutsMax) shortcuts; remove those you no longer use.")
            }
            let (id, secret) = (act.newIdentifier(), "alarm-" + act.newSecret())
            let to = (params["to"]?.array ?? []).compactMap(\.identifier)
            try act.run(
                """
                INSERT INTO alarm_shortcuts (id, member, name, kind, text, called, secret, made)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """, .id(id), .id(member), .text(try params.string("name")), .text(try params.string("kind")),
                Value(params.optionalString("text")), .text(to.map(\.description).joined(separator: " ")),
                Secret.digest(secret), .time(act.now))
            guard let made = try shortcuts(of: member, act).first(where: { $0["id"] == .id(id) }) else {
                throw .notFound("shortcut", id.description, field: "shortcut")
            }
            return .done(["shortcut": made, "secret": .string(secret)], ids: [id])
        }
    ).forOwnWord()

    static let shortcutList = Method.query(
        "alarm.shortcuts", "The caller's shortcuts, without their secrets.", access: .signedIn, note: "oneself",
        result: .object([.required("shortcuts", .list(shortcut, max: Int(Limits.alarmShortcutsMax)))]),
        route: Route("GET", "/api/alarms/shortcuts"),
        apply: { (act, _) throws(Rejection) in
            .done(["shortcuts": .array(try shortcuts(of: try act.member.id, act))])
        })

    static let shortcutRemove = Method.command(
        "alarm.removeShortcut", "Removes one of the caller's shortcuts: its address is good for nothing from here on.",
        access: .signedIn, note: "oneself", [.required("shortcut", .id)], result: .nothing,
        route: Route("DELETE", "/api/alarms/shortcuts/{shortcut}"), events: [],
        apply: { (act, params) throws(Rejection) in
            let id = try params.id("shortcut")
            let removed = try act.run(
                "DELETE FROM alarm_shortcuts WHERE id = ? AND member = ?", .id(id), .id(try act.member.id))
            guard removed > 0 else { throw .notFound("shortcut", id.description, field: "shortcut") }
            return .done([:], ids: [id])
        }
    ).freeingRoom()

    /// The alarm that an address raises. The gateway then raises it in the member's name.
    static let shortcutFind = Method.query(
        "alarm.shortcut", "What a shortcut raises, by its secret.", access: .everybody,
        note: "For the daemon's own gateway; the secret is the credential.",
        [.required("secret", .token(max: 64), "What stands behind /alarm/.")],
        result: .object([kind, text, to]),
        apply: { (act, params) throws(Rejection) in
            let digest = Secret.digest(try params.string("secret"))
            let found = try act.first(
                "SELECT member, kind, text, called FROM alarm_shortcuts WHERE secret = ?", digest
            ) { row in
                (
                    member: row.identifier("member"),
                    raised: raised(row.text("kind"), row.optionalText("text"), row.text("called"))
                )
            }
            guard let found, try act.roster[found.member] != nil else {
                if let wait = act.memory(Guesses<OpenAlarms>.self).wrong(from: act.origin.addressKey, now: act.uptime) {
                    throw Rejection(
                        .slowDown, "Too many shortcuts that there are not. Wait \(wait) s and try again.",
                        retryAfter: wait)
                }
                throw Rejection(.forbidden, "There is no such shortcut.")
            }
            try act.run("UPDATE alarm_shortcuts SET used = ? WHERE secret = ?", .time(act.now), digest)
            return .done(found.raised)
        }
    ).forGateways()

    /// The member whose secret this is, if the method raises an alarm.
    static let presser: @Sendable (Act, String, Method) throws(Rejection) -> Area.Answerer? = {
        (act, secret, method) throws(Rejection) in
        guard method.name == raise.name, secret.hasPrefix("alarm-") else { return nil }
        return try act.first("SELECT id, member FROM alarm_shortcuts WHERE secret = ?", Secret.digest(secret)) { row in
            Area.Answerer(member: row.identifier("member"), secret: row.identifier("id"))
        }
    }

    /// Ends a secret that was seen in plain text on the network: whoever saw it could raise alarms.
    static let exposed: @Sendable (Act, String) throws(Rejection) -> Bool = { (act, secret) throws(Rejection) in
        let ended = try act.run("DELETE FROM alarm_shortcuts WHERE secret = ?", Secret.digest(secret)) > 0
        if ended {
            act.note(.secretExposed, "A shortcut for an alarm was seen in plain text on the network; it is revoked.")
        }
        return ended
    }

    private static func raised(_ kind: String, _ text: String?, _ called: String) -> JSON {
        let to = called.split(separator: " ").compactMap { Identifier($0) }
        return .object(leavingOut: [
            "kind": .string(kind), "text": text.map { .string($0) },
            "to": to.isEmpty ? nil : .array(to.map { .id($0) }),
        ])
    }

    private static func shortcuts(of member: Identifier, _ act: Act) throws(Rejection) -> [JSON] {
        try act.rows(
            "SELECT id, name, kind, text, called, made, used FROM alarm_shortcuts WHERE member = ? ORDER BY made, id",
            .id(member)
        ) { row in
            var json = raised(row.text("kind"), row.optionalText("text"), row.text("called"))
            json["id"] = .id(row.identifier("id"))
            json["name"] = .string(row.text("name"))
            json["made"] = .time(row.instant("made"))
            if let used = row.optionalInstant("used") { json["used"] = .time(used) }
            return json
        }
    }
}
