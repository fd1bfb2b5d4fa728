internal import KinModel

/// What one reading of the log brought.
public struct LogPage: Sendable {
    /// The rows this member may see, in order.
    public let rows: [LogRow]
    /// Everything visible up to here was returned.
    public let through: Int64
    /// There is more beyond ``through``.
    public let more: Bool
    /// None of the member's own rows between the position it began after and the first it returns is gone for its age.
    public let isWhole: Bool
}

extension Log {
    /// How many rows one reading looks at, visible or not: a bound on its time, not on what is returned.
    static let rowsLookedAtMax = 4_096

    /// Reads on from a cursor's position, for one member: the rows after `after` and up to `through` (`nil`: to the end)
    /// that name the member in their audience and whose type is wanted. A wanted type that ends in a dot is a beginning
    /// (`meeting.`), another is the whole type; `nil` wants all. Ends early at `bytesMax` of payload and envelopes (one
    /// row is always returned) and after 4,096 rows looked at; what lies before the first of the member's own is not
    /// looked at, so that nobody waits for what others do.
    ///
    /// Works on the owner's connection and on a reader's. The audience is checked here, in the one place.
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
            // What the envelope adds counts too: many small events are more than their payload.
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
