public import KinModel

/// The one ordered log: the queue of every client. Written by the keeper only, inside its transaction.
public final class Log {
    private let database: Database
    /// The counters as of ``seen``; read anew after a rollback.
    private var state = State()
    /// The count of rollbacks at which the state was read.
    private var seen = -1

    private struct State {
        var position: Int64 = 0
        var firstKept: Int64 = 0
        var latest: Int64 = 0
        var bytes: Int64 = 0
    }

    init(database: Database) { self.database = database }

    /// The bytes that a row counts for besides its payload, when the log's size is bounded.
    static let rowBytes: Int64 = 128

    /// The last position used, rows of the open transaction included. It comes from a stored counter, so it never goes
    /// back when rows are deleted. 0 when nothing was ever written.
    public var position: Int64 { current.position }

    /// The oldest position from which a replay is complete. After an older cursor some events are gone, so its client
    /// gets a `reset`.
    public var firstKept: Int64 { current.firstKept }

    /// When the last row was written, by the clock of then. A clock that was put back makes it earlier than rows
    /// before. 1970 when nothing was ever written.
    public var latest: Instant { Instant(milliseconds: current.latest) }

    /// The size of what is kept: payloads, and 128 bytes a row.
    public var byteCount: Int { Int(current.bytes) }

    // The hot path. Measured (release, savepoint and its share of COMMIT included, on a busy machine): 18 µs of CPU for a
    // row with a key, 26 µs for one without, 64 rows a turn; nearly all of it SQLite's and the kernel's.
    /// Adds a row, in the open transaction. A row with the same `key`, and the rows of the keys in `supersedes`, leave
    /// the log. Their positions are returned so that they leave the ring as well. The position alone tells which row
    /// came later.
    public func append(
        at: Instant, type: String, by: Identifier?, about: String, key: String?, supersedes keys: [String] = [],
        audience: Audience, salt: UInt64, payload: [UInt8]
    ) throws(StoreFailure) -> (row: LogRow, superseded: [Int64]) {
        hold(.logIsWrittenInATurn, database.isInTransaction)
        var next = current
        let superseded = try supersede((key.map { [$0] } ?? []) + keys, &next)
        let number = try database.intern(audience)
        next.position += 1
        next.latest = at.milliseconds
        next.bytes += Int64(payload.count) + Self.rowBytes
        try database.run(
            "INSERT INTO log (position, at, type, by, about, key, audience, salt, payload) VALUES (?,?,?,?,?,?,?,?,?)",
            .int(next.position), .int(next.latest), .text(type), Value(by), .text(about), Value(key), .int(number),
            .int(Int64(bitPattern: salt)), .blob(payload))
        try save(next)
        let row = LogRow(
            position: next.position, at: Instant(milliseconds: next.latest), type: type, by: by, about: about, key: key,
            audience: audience, salt: salt, payload: payload)
        return (row, superseded)
    }

    /// Removes the row of a key from the log with nothing in its place, in the open transaction. Returns its position.
    public func withdraw(key: String) throws(StoreFailure) -> [Int64] {
        hold(.logIsWrittenInATurn, database.isInTransaction)
        var next = current
        let withdrawn = try supersede([key], &next)
        if !withdrawn.isEmpty { try save(next) }
        return withdrawn
    }

    /// Deletes every row about a thing, in the open transaction. Returns their positions, so that they leave the ring
    /// as well. The caller then appends `….deleted`, and asks for the WAL to be truncated
    /// (``Store/requestTruncate(by:)``).
    ///
    /// Rows of the types in `keeping` stay: they tell somebody that the thing is hidden, and nothing else about it. The
    /// event that it was deleted does not go to members who no longer see it. So a member who is away would otherwise
    /// keep the thing for ever.
    ///
    /// With a `type` only rows of that type are deleted: others may be about the same thing and tell something else.
    public func erase(
        about: String, type: String? = nil, keeping: [String] = []
    ) throws(StoreFailure) -> [Int64] {
        hold(.logIsWrittenInATurn, database.isInTransaction)
        var next = current
        let gone = "about = ?1 AND type NOT IN (SELECT value FROM json_each(?3)) AND type = coalesce(?2, type)"
        let kept = Value.words(keeping)
        let rows = try database.rows(
            "SELECT position, length(payload) AS bytes FROM log WHERE \(gone)", .text(about), Value(type), kept
        ) {
            (position: $0.int("position"), bytes: $0.int("bytes"))
        }
        guard !rows.isEmpty else { return [] }
        try database.run("DELETE FROM log WHERE \(gone)", .text(about), Value(type), kept)
        for row in rows { next.bytes -= row.bytes + Self.rowBytes }
        try save(next)
        return rows.map(\.position)
    }

    /// Removes the oldest rows: those before `since`, and as many more as are needed to come down to `bytesMax` (see
    /// ``byteCount``). It removes at most `rowsMax` at once, so that a turn stays short. Returns how many were removed:
    /// call again in a later turn until it is 0. ``firstKept`` moves up.
    @discardableResult
    public func retain(since: Instant, bytesMax: Int?, rowsMax: Int = 2_000) throws(StoreFailure) -> Int {
        hold(.logIsWrittenInATurn, database.isInTransaction)
        var next = current
        let bytesMax = bytesMax.map { Int64($0) } ?? .max
        var removed = 0
        try database.each(
            "SELECT position, at, length(payload) AS bytes FROM log ORDER BY position LIMIT ?", Value(rowsMax)
        ) { row in
            guard row.int("at") < since.milliseconds || next.bytes > bytesMax else { return false }
            next.firstKept = row.int("position")
            next.bytes -= row.int("bytes") + Self.rowBytes
            removed += 1
            return true
        }
        guard removed > 0 else { return 0 }
        try raiseFloors(to: next.firstKept)
        try database.run("DELETE FROM log WHERE position <= ?", .int(next.firstKept))
        try save(next)
        try database.forgetUnusedAudiences()
        return removed
    }

    /// Raises the floor of each member who has own rows up to a position: they are about to be removed.
    private func raiseFloors(to position: Int64) throws(StoreFailure) {
        try database.run(
            """
            INSERT INTO log_floors (member, position)
            SELECT m.member, max(l.last) FROM (
                SELECT audience, max(position) AS last FROM log NOT INDEXED WHERE position <= ? GROUP BY audience
            ) l JOIN audience_members m ON m.audience = l.audience WHERE true GROUP BY m.member
            ON CONFLICT (member) DO UPDATE SET position = excluded.position
            """, .int(position))
    }

    /// Takes members out of the audience of rows, in the open transaction: of rows about `about` and what is under it
    /// (`stay/0198…/` is the beginning of many), or of those of one type. A row that nobody may see any more is
    /// deleted; the others keep their position and cursor. Rows of the types in `keeping`, which tell somebody that
    /// something is hidden, stay as they are.
    ///
    /// Returns the positions that left the log, and the new audiences of the others, so that the ring follows.
    public func narrow(
        about: String, type: String? = nil, keeping: [String] = [], by leaving: Audience
    ) throws(StoreFailure) -> (removed: [Int64], narrowed: [Int64: Audience]) {
        hold(.logIsWrittenInATurn, database.isInTransaction)
        var narrowed: [Int64: Audience] = [:]
        var gone: [Int64] = []
        guard !leaving.isEmpty else { return ([], [:]) }
        let rows = try database.rows(
            """
            SELECT position, audience FROM log WHERE about >= ?1 AND about < ?1 || char(1114111)
            AND type NOT IN (SELECT value FROM json_each(?3)) AND type = coalesce(?2, type)
            """, .text(about), Value(type), .words(keeping)
        ) { (position: $0.int("position"), audience: $0.int("audience")) }
        for row in rows {
            let audience = try database.audience(row.audience)
            let rest = audience.subtracting(leaving)
            guard rest != audience else { continue }
            guard !rest.isEmpty else {
                gone.append(row.position)
                continue
            }
            try database.run(
                "UPDATE log SET audience = ? WHERE position = ?", .int(try database.intern(rest)), .int(row.position))
            narrowed[row.position] = rest
        }
        try remove(gone)
        return (gone, narrowed)
    }

    /// Removes rows from the log, in the open transaction.
    public func remove(_ positions: [Int64]) throws(StoreFailure) {
        hold(.logIsWrittenInATurn, database.isInTransaction)
        guard !positions.isEmpty else { return }
        var next = current
        for position in positions {
            let bytes = try database.first("SELECT length(payload) FROM log WHERE position = ?", .int(position)) {
                $0.int(0)
            }
            guard let bytes else { continue }
            try database.run("DELETE FROM log WHERE position = ?", .int(position))
            next.bytes -= bytes + Self.rowBytes
        }
        try save(next)
    }

    // MARK: Inside

    private var current: State {
        if seen != database.rollbacks { load() }
        return state
    }

    /// Reads the stored counters. They are there since migration 0. A failure to read them shows in the next statement,
    /// which fails as well.
    private func load() {
        let stored = try? database.first("SELECT position, first_kept, latest, bytes FROM log_state") { row in
            State(
                position: row.int("position"), firstKept: row.int("first_kept"), latest: row.int("latest"),
                bytes: row.int("bytes"))
        }
        guard let stored = stored ?? nil else { return }
        state = stored
        seen = database.rollbacks
    }

    private func save(_ next: State) throws(StoreFailure) {
        try database.run(
            "UPDATE log_state SET position = ?, first_kept = ?, latest = ?, bytes = ?", .int(next.position),
            .int(next.firstKept), .int(next.latest), .int(next.bytes))
        state = next
    }

    /// Removes the rows of keys, two keys with one statement. (Tried: removing them only after the new row was added.
    /// Either order frees a page and takes it again with every row, when the last page holds only that row.)
    private func supersede(_ keys: [String], _ next: inout State) throws(StoreFailure) -> [Int64] {
        var superseded: [Int64] = []
        var rest = keys[...]
        while let key = rest.popFirst() {
            let older = try database.rows(
                "DELETE FROM log WHERE key IN (?, ?) RETURNING position, length(payload) AS bytes", .text(key),
                Value(rest.popFirst())
            ) { (position: $0.int("position"), bytes: $0.int("bytes")) }
            for row in older {
                superseded.append(row.position)
                next.bytes -= row.bytes + Self.rowBytes
            }
        }
        return superseded
    }
}

extension Value {
    /// Words without quotes or backslashes, for `json_each`.
    fileprivate static func words(_ words: [String]) -> Value {
        .text("[" + words.map { "\"\($0)\"" }.joined(separator: ",") + "]")
    }
}
