import KinKeeper
import KinModel
import KinStore

/// What a member wants to be told, and when.
struct InboxSettings {
    /// Names of kinds.
    var muted: [String]
    var quiet: QuietHours?
    /// Members whose acts ring nowhere.
    var still: [Identifier] = []
    /// The only members whose acts make phones sound; `nil`: everybody's acts do.
    var sound: [Identifier]?

    /// A member's settings; `nil` when there is no such member.
    static func of(_ member: Identifier, _ act: Act) throws(Rejection) -> InboxSettings? {
        try act.first(
            """
            SELECT muted, quiet_from, quiet_to, quiet_zone, quiet_days, still, sound_from FROM inbox_members
            WHERE member = ?
            """, .id(member)
        ) { row in
            InboxSettings(
                muted: row.text("muted").split(separator: " ").map { String($0) },
                quiet: QuietHours(
                    from: row.optionalInt("quiet_from"), to: row.optionalInt("quiet_to"),
                    zone: row.optionalText("quiet_zone"), days: row.optionalText("quiet_days")),
                still: ids(row.text("still")), sound: row.optionalText("sound_from").map(ids))
        }
    }

    /// Writes them down.
    func save(for member: Identifier, _ act: Act) throws(Rejection) {
        try act.run(
            """
            UPDATE inbox_members SET muted = ?, quiet_from = ?, quiet_to = ?, quiet_zone = ?, quiet_days = ?, still = ?,
            sound_from = ? WHERE member = ?
            """, .text(muted.joined(separator: " ")), Value(quiet?.from), Value(quiet?.to),
            Value(quiet?.zone), Value(quiet?.daysText), .text(Self.text(still)), Value(sound.map(Self.text)),
            .id(member))
    }

    /// As the wire has it.
    var json: JSON {
        [
            "mute": .array(muted.map { .string($0) }), "quiet": quiet?.json ?? .null,
            "still": .array(still.map { .id($0) }), "soundFrom": sound.map { .array($0.map { .id($0) }) } ?? .null,
        ]
    }

    private static func ids(_ text: String) -> [Identifier] { text.split(separator: " ").compactMap { Identifier($0) } }
    private static func text(_ ids: [Identifier]) -> String { ids.map(\.description).joined(separator: " ") }

    /// Somebody leaves: no rule names them any more.
    static func forget(_ member: Identifier, _ act: Act) throws(Rejection) {
        for column in ["still", "sound_from"] {
            try act.run(
                """
                UPDATE inbox_members SET \(column) = trim(replace(' ' || \(column) || ' ', ' ' || ?1 || ' ', ' '))
                WHERE instr(\(column), ?1)
                """, .text(member.description))
        }
    }

    /// How an entry rings, by its newest line. Official entries always sound. A digest has no author.
    static func loudness(
        of entry: InboxEntry, for member: Identifier, _ act: Act
    ) throws(Rejection) -> InboxHook.Loudness {
        let line = entry.lines.last
        if line?["kind"]?.string.flatMap({ act.inboxKinds[$0] })?.isQuiet ?? false { return .still }
        guard !entry.isOfficial, let settings = try of(member, act) else { return .sound }
        let by = line?["by"]?.identifier
        if let by, settings.still.contains(by) { return .still }
        if let sound = settings.sound, !(by.map(sound.contains) ?? false) { return .silent }
        return .sound
    }

    /// Until when the member is not to be told; `nil` when now is fine.
    func quietUntil(_ now: Instant) -> Instant? { quiet?.end(at: now) }
}
