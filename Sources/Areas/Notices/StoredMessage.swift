import KinCodec
import KinKeeper
import KinModel
import KinStore

/// The messages that scripts sent to members, as they are stored. Tags are separated by spaces; buttons are JSON.
enum StoredMessage {
    static let kind = InboxKind("house", name: .optional("script", .name, "what the member calls the script."))

    static let inbox = [
        InboxRule(NoticeScript.told, kind, .audience, name: { $0.message.script })
    ]

    /// The beginning of the `about` of inbox entries about such messages.
    static let about = "house/"

    static func about(_ id: Identifier) -> String { about + id.description }

    private static let columns = Columns<HouseMessage>(elsewhere: ["tags", "actions"])
    private static let selected = "tags, actions, " + columns.names

    private static func read(_ row: borrowing Row) throws(StoreFailure) -> HouseMessage {
        var others: [String: JSON] = [:]
        others["tags"] = row.optionalText("tags").map { .array($0.split(separator: " ").map { .string(String($0)) }) }
        others["actions"] = row.optionalText("actions") { (text) -> JSON? in
            guard let all = try? JSON.parse(Array(text.utf8)), let list = all.array,
                list.allSatisfy({ HouseAction($0) != nil })
            else { return nil }
            return all
        }
        return try columns.read(row, others)
    }

    /// A message to a member; `nil` if it is gone, or belongs to another member.
    static func find(_ id: Identifier, of member: Identifier, _ act: Act) throws(Rejection) -> HouseMessage? {
        try act.first("SELECT \(selected) FROM notice_messages WHERE id = ? AND member = ?", .id(id), .id(member)) {
            (row) throws(StoreFailure) in try read(row)
        }
    }

    /// The script's message that an entry of the inbox is about, if there is one.
    static func find(about: String, of member: Identifier, _ act: Act) throws(Rejection) -> HouseMessage? {
        guard about.hasPrefix(Self.about), let id = Identifier(about.dropFirst(Self.about.count)) else { return nil }
        return try find(id, of: member, act)
    }

    /// A member's messages, newest first.
    static func all(
        of member: Identifier, before: Identifier?, count: Int, _ act: Act
    ) throws(Rejection) -> [HouseMessage] {
        try act.rows(
            "SELECT \(selected) FROM notice_messages WHERE member = ? AND id < ? ORDER BY id DESC LIMIT ?", .id(member),
            .id(before ?? Identifier(high: .max, low: .max)), Value(count)
        ) { (row) throws(StoreFailure) in try read(row) }
    }

    static func add(_ message: HouseMessage, to owner: Roster.Entry, _ act: Act) throws(Rejection) {
        let actions = message.actions.map { String(decoding: JSON.array($0.map(\.json)).bytes, as: UTF8.self) }
        try act.run(
            """
            INSERT INTO notice_messages (\(columns.names), member, tags, actions)
            VALUES (\(columns.placeholders), ?, ?, ?)
            """,
            values: columns.values(of: message) + [
                .id(owner.id), Value(message.tags?.joined(separator: " ")), Value(actions),
            ])
        try act.emit(
            NoticeScript.told, .init(message: message), about: about(message.id),
            to: try act.roster.only(owner.id), key: about(message.id),
            title: message.title.map { "\($0): \(message.text)" } ?? message.text)
    }

    /// The time at which the member can receive one more message, if the hour's limit is reached.
    static func room(_ member: Identifier, _ act: Act) throws(Rejection) -> Instant? {
        try act.first(
            "SELECT at FROM notice_messages WHERE member = ? AND at > ? ORDER BY at DESC LIMIT 1 OFFSET ?",
            .id(member), .time(act.now.adding(seconds: -3600)), .int(Int64(Limits.houseMessagesPerHourMax) - 1)
        ) { row in row.instant(0).adding(seconds: 3600) }
    }

    /// The number of messages of the highest priority that a member received since a moment.
    static func pressing(_ member: Identifier, since: Instant, _ act: Act) throws(Rejection) -> Int {
        try act.first(
            "SELECT count(*) FROM notice_messages WHERE member = ? AND at > ? AND priority >= 5", .id(member),
            .time(since)
        ) { row in Int(row.int(0)) } ?? 0
    }

    /// Removes old messages, also from the log.
    static func prune(_ act: Act) throws(Rejection) {
        let old = try act.rows(
            "SELECT id FROM notice_messages WHERE at < ?", .time(act.now.adding(days: -Limits.houseMessageDays))
        ) { row in row.identifier(0) }
        for id in old { try act.withdraw(key: about(id)) }
        for id in old { try act.run("DELETE FROM notice_messages WHERE id = ?", .id(id)) }
    }

    /// A member leaves, and the member's messages are removed.
    static func forget(_ member: Identifier, _ act: Act) throws(Rejection) {
        let all = try act.rows("SELECT id FROM notice_messages WHERE member = ?", .id(member)) { row in
            row.identifier(0)
        }
        for id in all { try act.withdraw(key: about(id)) }
    }
}
