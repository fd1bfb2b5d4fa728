import KinKeeper
import KinModel
import KinStore

/// Lines of inboxes about rooms. Everything said in a room is one entry, about the room; a burst is told once. A member
/// who muted a room is still told of mentions.
extension Chat {
    private static let shows = Field.optional(
        "shows", .oneOf(["picture", "spot"]), "what a message has besides words: pictures, or a spot.")
    private static let message = InboxKind("message", word: shows)
    private static let addressed = InboxKind("addressed")

    static let inboxKinds = [message, addressed]

    /// The kind under which a member is told of a message. A message that calls the member has a kind of its own.
    static func kind(isAddressed: Bool) -> String { isAddressed ? addressed.name : message.name }

    static let inboxRules = [
        InboxRule(
            Message.sent, message, .seers { (act, told) throws(Rejection) in try hearers(told, act) },
            // A document is no picture: of a message that has nothing else it is said that there is one.
            word: { data in
                if data.message.pictures.contains(where: { $0.document == nil }) { return "picture" }
                return data.message.spot != nil ? "spot" : nil
            },
            about: whole),
        InboxRule(
            Message.sent, addressed,
            .seers { (act, told) throws(Rejection) in try act.mentioned(in: told.title) },
            about: whole),
    ]

    /// The members to tell of a message. Left out are those who muted the room, and those who were told a moment ago
    /// and have not looked since. So a message that comes in a burst costs one row of the log, however many see it.
    private static func hearers(_ told: Told, _ act: Act) throws(Rejection) -> Set<Identifier> {
        guard let message = told[Message.sent]?.message else { return [] }
        let (memory, speaker) = (
            act.memory(RoomMemory.self), RoomMemory.Speaker(room: message.room, author: message.author)
        )
        if let quiet = memory.speaking.value(of: speaker, act)?.quiet, act.now < quiet { return [] }
        guard let room = try StoredRoom.known(message.room, act) else { return [] }
        let mentioned = try act.mentioned(in: message.text)
        let all = try act.rows(
            """
            UPDATE room_own SET told_at = ?2 WHERE room = ?1 AND member <> ?4
            AND (muted_until IS NULL OR muted_until <= ?2)
            AND (told_at IS NULL OR told_at <= ?3 OR \(OwnStand.hasOnlyNewest))
            RETURNING member
            """, .int(room.number), .time(act.now),
            .time(act.now.adding(seconds: -Limits.messageQuietSeconds)), .id(message.author), .id(message.id)
        ) { row in row.identifier(0) }
        // A member who muted the room is told once the muting is over, all others once the pause is.
        let next = try act.first(
            """
            SELECT min(iif(muted_until > ?2, muted_until, told_at + ?3)) FROM room_own
            WHERE room = ?1 AND member <> ?4
            """, .int(room.number), .time(act.now), .int(Limits.messageQuietSeconds * 1000), .id(message.author)
        ) { row in row.optionalInstant(0) }
        if let next = next.flatMap(\.self) {
            // What it wrote is no part of anybody's own state.
            memory.speaking.remember(.init(stand: nil, quiet: next), of: speaker, act)
        }
        return Set(all).subtracting(mentioned)
    }

    /// The room that something was said in.
    private static let whole: @Sendable (String) -> String = { about in
        about.split(separator: "/").prefix(2).joined(separator: "/")
    }
}
