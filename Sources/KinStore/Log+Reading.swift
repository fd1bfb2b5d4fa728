internal import KinModel

/// The result of one read of the log.
public struct LogPage: Sendable {
    /// The rows this member may see, in order.
    public let rows: [LogRow]
    /// The position up to which everything visible was returned.
    public let through: Int64
    /// Whether there is more after ``through``.
    public let more: Bool
    /// Whether none of the member's own rows, between the start of the read and the first row returned, was removed for
    /// its age.
    public let isWhole: Bool
}

extension Log {
    /// The most rows that one read looks at, visible or not: a bound on its time, not on its result.
    static let rowsLookedAtMax = 4_096

    /// Reads on from a cursor's position, for one member: the rows after `after` and up to `through` (`nil`: to the
    /// end) whose audience has the member and whose type is wanted. A wanted type that ends in a dot is a prefix
    /// (`meeting.`); any other is the whole type; `nil` wants all. It ends early at `bytesMax` of payload and envelopes
    /// (one row is always returned), and after 4,096 rows looked at. Rows before the member's own first one are not
    /// looked at, so that nobody waits because of others' events.
    ///
    /// Works on the owner's connection and on a reader's. The audience is checked here, and nowhere else.
    public static func read(
        _ database: Database, after: Int64, through: Int64?, member: Int32, types: [String]?, bytesMax: Int
    ) throws(StoreFailure) -> LogPage {
        let end = min(through ?? .max, try database.first("SELECT position FROM log_state") { $0.int(0) } ?? 0)
        let isWhole = try floor(database, of: member) <= after
        guard after < end, let next = try next(database, of: member, after: after), next <= end else {
            return LogPage(rows: [], through: max(after, end), more: false, isWhole: isWhole)
        }
        var rows: [LogRow] = []
        var (bytes, looked, last, more) = (0, 0, next - 1, false)
        try database.each(
            """
            SELECT position, audience, type, at, by, about, key, salt, payload FROM log
            WHERE position > ? AND position <= ? ORDER BY position
            """, .int(next - 1), .int(end)
        ) { row throws(StoreFailure) in
            if looked == Self.rowsLookedAtMax {
                more = true
                return false
            }
            looked += 1
            let audience = try database.audience(row.int("audience"))
            guard audience.contains(member) else {
                last = row.int("position")
                return true
            }
            let type = row.text("type")
            if let types, !types.contains(where: { $0.hasSuffix(".") ? type.hasPrefix($0) : type == $0 }) {
                last = row.int("position")
                return true
            }
            // The envelope counts too: of many small events it is more than the payload.
            let size = row.byteCount("payload") + 256
            if !rows.isEmpty, bytes + size > bytesMax {
                more = true
                return false
            }
            bytes += size
            last = row.int("position")
            rows.append(
                LogRow(
                    position: last, at: row.instant("at"), type: type, by: row.optionalIdentifier("by"),
                    about: row.text("about"), key: row.optionalText("key"), audience: audience,
                    salt: UInt64(bitPattern: row.int("salt")),
                    payload: row.blob("payload")))
            return true
        }
        return LogPage(rows: rows, through: more ? last : end, more: more, isWhole: isWhole)
    }

    /// ``firstKept`` as a reader sees it.
    public static func firstKept(_ database: Database) throws(StoreFailure) -> Int64 {
        try database.first("SELECT first_kept FROM log_state") { $0.int(0) } ?? 0
    }

    /// ``position`` as a reader sees it: the last one committed.
    public static func position(_ database: Database) throws(StoreFailure) -> Int64 {
        try database.first("SELECT position FROM log_state") { $0.int(0) } ?? 0
    }
}
