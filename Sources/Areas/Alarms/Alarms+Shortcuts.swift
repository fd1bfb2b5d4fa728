import KinKeeper
import KinModel
import KinStore

/// A phone's shortcut raises an alarm by an address. Its secret permits that one act of that one member, and reads
/// nothing.
extension Alarms {
    /// What a shortcut raises.
    private struct Press: WireRecord {
        let kind: Alarm.Kind
        let text: String?
        let to: [Identifier]?

        static let fields = Fields(
            nil, Press.init(kind:text:to:), .required("kind", \.kind, .word, "sos, come, onTheWay, check."),
            .optional("text", \.text, Alarm.textForm),
            .optional(
                "to", \.to, .list(.id, max: Limits.alarmToMax),
                "Members and households; else as alarm.raise has it."))
    }

    /// A shortcut without its secret.
    private struct Shortcut: WireRecord {
        let id: Identifier
        let name: String
        let press: Press
        let made: Instant
        var used: Instant?

        static let fields = Fields(
            nil, Shortcut.init(id:name:press:made:used:), .required("id", \.id, .id),
            .required("name", \.name, .name), .all(of: \.press),
            .required("made", \.made, .time, "When it was added."),
            .optional("used", \.used, .time, "When it last raised an alarm; absent: never."))
    }

    /// Whom a shortcut names stands in the column `called`, separated by spaces.
    private static let shortcutColumns = Columns<Shortcut>(elsewhere: ["to"])
    private static let pressColumns = Columns<Press>(elsewhere: ["to"])

    static let shortcutAdd = Method.secretCommand(
        "alarm.addShortcut", "Adds an address by which a phone's shortcut raises an alarm for the caller; shown once.",
        access: .signedIn, note: "oneself",
        [.required("name", .name, "What it is called, such as Watch.")] + Press.fields.list,
        result: .object([
            .required("shortcut", Shortcut.shape),
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
            guard let press = Press(.object(params.object)) else {
                preconditionFailure("the shape of kind was checked")
            }
            let to = press.to ?? []
            let shortcut = Shortcut(
                id: act.newIdentifier(), name: try params.string("name"),
                press: Press(kind: press.kind, text: press.text, to: to.isEmpty ? nil : to), made: act.now)
            let secret = "alarm-" + act.newSecret()
            try act.run(
                """
                INSERT INTO alarm_shortcuts (\(shortcutColumns.names), called, member, secret)
                VALUES (\(shortcutColumns.placeholders), ?, ?, ?)
                """,
                values: shortcutColumns.values(of: shortcut) + [
                    .text(to.map(\.description).joined(separator: " ")), .id(member), Secret.digest(secret),
                ])
            return .done(["shortcut": shortcut.json, "secret": .string(secret)], ids: [shortcut.id])
        }
    ).forOwnWord()

    static let shortcutList = Method.query(
        "alarm.shortcuts", "The caller's shortcuts, without their secrets.", access: .signedIn, note: "oneself",
        result: .object([.required("shortcuts", .list(Shortcut.shape, max: Int(Limits.alarmShortcutsMax)))]),
        route: Route("GET", "/api/alarms/shortcuts"),
        apply: { (act, _) throws(Rejection) in
            let all = try act.rows(
                "SELECT called, \(shortcutColumns.names) FROM alarm_shortcuts WHERE member = ? ORDER BY made, id",
                .id(try act.member.id)
            ) { (row) throws(StoreFailure) in try shortcutColumns.read(row, called(row)) }
            return .done(["shortcuts": .array(all.map(\.json))])
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
        result: Press.shape,
        apply: { (act, params) throws(Rejection) in
            let digest = Secret.digest(try params.string("secret"))
            let found = try act.first(
                "SELECT member, called, \(pressColumns.names) FROM alarm_shortcuts WHERE secret = ?", digest
            ) { (row) throws(StoreFailure) in
                (member: row.identifier("member"), press: try pressColumns.read(row, called(row)))
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
            return .done(found.press.json)
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

    /// Whom a shortcut names, for ``Columns/read(_:_:)``.
    private static func called(_ row: borrowing Row) -> [String: JSON] {
        let to = row.text("called").split(separator: " ").compactMap { Identifier($0) }
        return to.isEmpty ? [:] : ["to": .array(to.map { .id($0) })]
    }
}
