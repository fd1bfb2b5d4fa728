import KinKeeper
import KinModel
import KinStore

/// What a member wants to be told, and when.
struct InboxSettings {
    /// Names of kinds.
    var muted: [String]
    var quiet: QuietHours?

    /// A member's settings; `nil` when there is no such member.
    static func of(_ member: Identifier, _ act: Act) throws(Rejection) -> InboxSettings? {
        try act.first(
            "SELECT muted, quiet_from, quiet_to, quiet_zone FROM inbox_members WHERE member = ?", .id(member)
        ) { row in
            InboxSettings(
                muted: row.text("muted").split(separator: " ").map { String($0) },
                quiet: QuietHours(
                    from: row.optionalInt("quiet_from"), to: row.optionalInt("quiet_to"),
                    zone: row.optionalText("quiet_zone")))
        }
    }

    /// Writes them down.
    func save(for member: Identifier, _ act: Act) throws(Rejection) {
        try act.run(
            "UPDATE inbox_members SET muted = ?, quiet_from = ?, quiet_to = ?, quiet_zone = ? WHERE member = ?",
            .text(muted.joined(separator: " ")), Value(quiet?.from), Value(quiet?.to),
            Value(quiet?.zone), .id(member))
    }

    /// As the wire has it.
    var json: JSON {
        ["mute": .array(muted.map { .string($0) }), "quiet": quiet?.json ?? .null]
    }

    /// Until when the member is not to be told; `nil` when now is fine.
    func quietUntil(_ now: Instant) -> Instant? { quiet?.end(at: now) }
}
