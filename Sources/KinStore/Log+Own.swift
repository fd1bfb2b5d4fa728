public import KinModel

/// The log as one member has it: what others are told is not counted.
extension Log {
    /// How the newest own row up to a position is found; tests hold it to the indices.
    static let newestOwn = """
        SELECT max(newest) FROM (
            SELECT (SELECT position FROM log WHERE audience = m.audience AND position <= ?2 ORDER BY position DESC LIMIT 1)
            AS newest FROM audience_members m WHERE m.member = ?1)
        """

    /// The same of the next one after a position.
    static let nextOwn = """
        SELECT min(next) FROM (
            SELECT (SELECT position FROM log WHERE audience = m.audience AND position > ?2 ORDER BY position LIMIT 1)
            AS next FROM audience_members m WHERE m.member = ?1)
        """

    /// The newest row that a member sees, up to a position; `nil` when none of those is kept.
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

    /// The position from which on a replay is whole for a member: its own newest row that is gone for its age.
    public static func floor(_ database: Database, of member: Int32) throws(StoreFailure) -> Int64 {
        try database.first("SELECT max(position) FROM log_floors WHERE member IN (0, ?)", .int(Int64(member))) {
            $0.optionalInt(0)
        }.flatMap(\.self) ?? 0
    }

    /// The position after which everything was written at a time or later. Rows are in the order of their times, so
    /// that this is a few looks, however many there are: the keeper's time does not go back, but where a clock that was
    /// believed is put right, and then rows from later than now are dated now.
    public static func position(_ database: Database, before time: Instant) throws(StoreFailure) -> Int64 {
        // Every row up to `low` is from before that time, none after `high` is.
        var (low, high) = (try firstKept(database), try position(database))
        while low < high {
            let middle = low + (high - low) / 2
            let row = try database.first(
                "SELECT position, at FROM log WHERE position > ? ORDER BY position LIMIT 1", .int(middle)
            ) { (position: $0.int(0), at: $0.int(1)) }
            guard let row, row.position <= high else {
                high = middle
                continue
            }
            if row.at < time.milliseconds { low = row.position } else { high = middle }
        }
        return low
    }

    /// What a row tells, as it is sent; `nil` when it is gone.
    public static func payload(_ database: Database, at position: Int64) throws(StoreFailure) -> [UInt8]? {
        try database.first("SELECT payload FROM log WHERE position = ?", .int(position)) { $0.blob(0) }
    }

    /// Whether a row about a thing, of a type, was written for a member after a position.
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
