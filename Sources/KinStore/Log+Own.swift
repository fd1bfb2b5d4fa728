public import KinModel

/// The log as one member sees it: events for others do not count.
extension Log {
    /// The query for the newest own row up to a position; tests check that it uses the indices.
    static let newestOwn = """
        SELECT max(newest) FROM (
            SELECT (SELECT position FROM log WHERE audience = m.audience AND position <= ?2 ORDER BY position DESC LIMIT 1)
            AS newest FROM audience_members m WHERE m.member = ?1)
        """

    /// The query for the next own row after a position.
    static let nextOwn = """
        SELECT min(next) FROM (
            SELECT (SELECT position FROM log WHERE audience = m.audience AND position > ?2 ORDER BY position LIMIT 1)
            AS next FROM audience_members m WHERE m.member = ?1)
        """

    /// The newest row that a member sees, up to a position; `nil` when none of these is left.
    public static func newest(
        _ database: Database, of member: Int32, upTo position: Int64
    ) throws(StoreFailure) -> Int64? {
        try database.first(newestOwn, .int(Int64(member)), .int(position)) { $0.optionalInt(0) } ?? nil
    }

    /// The next row that a member sees, after a position.
    public static func next(
        _ database: Database, of member: Int32, after position: Int64
    ) throws(StoreFailure) -> Int64? {
        try database.first(nextOwn, .int(Int64(member)), .int(position)) { $0.optionalInt(0) } ?? nil
    }

    /// The position from which a replay is complete for a member: the member's own newest row that was removed for its
    /// age.
    public static func floor(_ database: Database, of member: Int32) throws(StoreFailure) -> Int64 {
        try database.first("SELECT max(position) FROM log_floors WHERE member IN (0, ?)", .int(Int64(member))) {
            $0.optionalInt(0)
        }.flatMap(\.self) ?? 0
    }

    /// The position after which every row was written at a time or later. Rows are in the order of their times, so a
    /// binary search finds it. The keeper's time goes back only when a wrong clock that was believed is put right; rows
    /// from later than now are then dated now.
    public static func position(_ database: Database, before time: Instant) throws(StoreFailure) -> Int64 {
        // Every row up to `low` is from before that time, and no row after `high` is.
        var (low, high) = (try firstKept(database), try position(database))
        while low < high {
            let middle = low + (high - low) / 2
            let row = try database.first(
                "SELECT position, at FROM log WHERE position > ? ORDER BY position LIMIT 1", .int(middle)
            ) { (position: $0.int("position"), at: $0.int("at")) }
            guard let row, row.position <= high else {
                high = middle
                continue
            }
            if row.at < time.milliseconds { low = row.position } else { high = middle }
        }
        return low
    }

    /// The content of a row, as it is sent; `nil` when the row is gone.
    public static func payload(_ database: Database, at position: Int64) throws(StoreFailure) -> [UInt8]? {
        try database.first("SELECT payload FROM log WHERE position = ?", .int(position)) { $0.blob(0) }
    }

    /// Whether a row of a type about a thing was written for a member after a position.
    public static func has(
        _ database: Database, about: String, type: String, for member: Int32, after position: Int64
    ) throws(StoreFailure) -> Bool {
        var isThere = false
        try database.each(
            "SELECT audience FROM log WHERE about = ? AND type = ? AND position > ?", .text(about), .text(type),
            .int(position)
        ) { row throws(StoreFailure) in
            isThere = try database.audience(row.int(0)).contains(member)
            return !isThere
        }
        return isThere
    }
}
