import KinKeeper
import KinModel
import KinStore

/// Scripts of the house send a member messages by ntfy's interface: `curl -d "Washing done" https://…/TOPIC`. A script
/// has a secret of its own that writes into this one inbox, and reads nothing.
extension Notices {
    /// A script as its member lists it.
    private struct ListedScript: WireRecord {
        let script: NoticeScript
        let made: Instant
        var used: Instant?

        static let fields = Fields(
            nil, ListedScript.init(script:made:used:), .all(of: \.script),
            .required("made", \.made, .time, "When it was added."),
            .optional("used", \.used, .time, "When it last told something; absent: never."))
        static let columns = Columns<ListedScript>()
    }

    static let scriptAdd = Method.secretCommand(
        "notice.addScript", "Adds a script that may tell the caller something; its topic is shown once.",
        access: .signedIn, note: "oneself", [.required("name", .name, "What it is called, such as Washing machine.")],
        result: .object([
            .required("script", NoticeScript.shape),
            .required("topic", .token(max: 64), "Where it publishes. Whoever knows it writes into the caller's inbox."),
        ]),
        route: Route("POST", "/api/notices/scripts", status: 201), events: [],
        apply: { (act, params) throws(Rejection) in
            let member = try act.member.id
            let count = try act.first("SELECT count(*) FROM notice_scripts WHERE member = ?", .id(member)) { row in
                row.int(0)
            }
            guard (count ?? 0) < Limits.noticeScriptsPerMemberMax else {
                throw Rejection(
                    .tooLarge,
                    "You have \(Limits.noticeScriptsPerMemberMax) scripts; remove those you no longer use.")
            }
            let script = NoticeScript(id: act.newIdentifier(), name: try params.string("name"))
            let topic = newTopic(act)
            let columns = ListedScript.columns
            try act.run(
                "INSERT INTO notice_scripts (\(columns.names), member, topic) VALUES (\(columns.placeholders), ?, ?)",
                values: columns.values(of: ListedScript(script: script, made: act.now))
                    + [.id(member), Secret.digest(topic)])
            return .done(["script": script.json, "topic": .string(topic)], ids: [script.id])
        }
    ).forOwnWord()

    static let scriptList = Method.query(
        "notice.scripts", "The caller's scripts, without their topics.", access: .signedIn, note: "oneself",
        result: .object([.required("scripts", .list(ListedScript.shape, max: Limits.noticeScriptsPerMemberMax))]),
        route: Route("GET", "/api/notices/scripts"),
        apply: { (act, _) throws(Rejection) in
            let all = try act.rows(
                "SELECT \(ListedScript.columns.names) FROM notice_scripts WHERE member = ? ORDER BY made, id",
                .id(try act.member.id)
            ) { (row) throws(StoreFailure) in try ListedScript.columns.read(row) }
            return .done(["scripts": .array(all.map(\.json))])
        })

    static let scriptRemove = Method.command(
        "notice.removeScript", "Removes one of the caller's scripts: its topic is good for nothing from here on.",
        access: .signedIn, note: "oneself", [.required("script", .id)], result: .nothing,
        route: Route("DELETE", "/api/notices/scripts/{script}"), events: [],
        apply: { (act, params) throws(Rejection) in
            let id = try params.id("script")
            let count = try act.run(
                "DELETE FROM notice_scripts WHERE id = ? AND member = ?", .id(id), .id(try act.member.id))
            guard count > 0 else { throw .notFound("script", id.description, field: "script") }
            return .done([:], ids: [id])
        }
    ).freeingRoom()

    static let messages = Method.query(
        "notice.messages", "What scripts of the house told the caller, newest first.", access: .signedIn,
        note: "oneself; kept for \(Limits.houseMessageDays) days",
        [
            .optional("before", .id, "Only what came before this one."),
            .optional("limit", .integer(1...Limits.houseMessagesPerAnswerMax), "How many; else 20."),
        ],
        result: .object([
            .required("messages", .list(HouseMessage.shape, max: Int(Limits.houseMessagesPerAnswerMax))),
            .optional("next", .id, "To be given as before; there while there are more."),
        ]),
        route: Route("GET", "/api/notices/messages"),
        apply: { (act, params) throws(Rejection) in
            let limit = Int(params.optionalInt("limit") ?? 20)
            let found = try StoredMessage.all(
                of: try act.member.id, before: params.optionalID("before"), count: limit + 1, act)
            let page = found.prefix(limit)
            return .done(
                .object(leavingOut: [
                    "messages": .array(page.map(\.json)),
                    "next": found.count > limit ? page.last.map { .id($0.id) } : nil,
                ]))
        })

    /// The word of the refusal when a member has received as many messages as an hour allows.
    package static let fullHour = "too-many-messages"

    /// The method by which the gateway hands over a script's message: the topic is the credential.
    static let publish = Method.command(
        "notice.publish", "A script tells its member something.", access: .everybody,
        note: "For the daemon's own gateway; a script's topic is the credential.",
        [
            .required("topic", .token(max: 64)),
            .required("text", .text(max: Limits.noticeTextCharactersMax)),
            .optional("title", .text(max: Limits.noticeTitleCharactersMax)),
            .optional("priority", .integer(Limits.noticePriorities)),
            .optional("tags", .list(.token(max: 32), max: Limits.noticeTagsMax)),
            .optional("click", .token(max: Limits.noticeAddressBytesMax)),
            .optional("actions", .list(HouseAction.shape, max: Limits.noticeAnswersMax)),
        ],
        result: .object([.required("message", HouseMessage.shape)]), route: nil,
        events: [NoticeScript.told],
        apply: { (act, params) throws(Rejection) in
            let script = try publisher(try params.string("topic"), act)
            if let room = try StoredMessage.room(script.owner.id, act) {
                var full = Rejection(
                    .slowDown, "At most \(Limits.houseMessagesPerHourMax) messages an hour reach one member.",
                    retryAfter: Int(clamping: max(1, (room.milliseconds(since: act.now) + 999) / 1000)))
                full.detail = fullHour
                throw full
            }
            let message = HouseMessage(
                id: act.newIdentifier(), at: act.now, script: script.name, title: params.optionalString("title"),
                text: try params.string("text"), priority: params.optionalInt("priority"),
                tags: params["tags"]?.array?.compactMap(\.string), click: params.optionalString("click"),
                actions: params["actions"]?.array?.compactMap(HouseAction.init))
            try StoredMessage.add(message, to: script.owner, act)
            try act.run("UPDATE notice_scripts SET used = ? WHERE id = ?", .time(act.now), .id(script.id))
            return .done(["message": message.json], ids: [message.id])
        }
    ).forGateways()

    /// The script of a topic. Unknown, former and devices' topics are refused alike, and guessing is slowed.
    private static func publisher(
        _ topic: String, _ act: Act
    ) throws(Rejection) -> (id: Identifier, name: String, owner: Roster.Entry) {
        let found = try act.first(
            "SELECT id, member, name FROM notice_scripts WHERE topic = ?", Secret.digest(topic)
        ) { row in (id: row.identifier("id"), name: row.text("name"), member: row.identifier("member")) }
        if let found, let owner = try act.roster[found.member] { return (found.id, found.name, owner) }
        if let wait = act.memory(Guesses<Notices>.self).wrong(from: act.origin.addressKey, now: act.uptime) {
            throw Rejection(
                .slowDown, "Too many topics that there are not. Wait \(wait) s and try again.", retryAfter: wait)
        }
        throw Rejection(.forbidden, "There is no such topic.")
    }
}
