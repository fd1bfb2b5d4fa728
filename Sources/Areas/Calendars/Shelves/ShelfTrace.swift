import KinKeeper
import KinModel
import KinStore

/// News for clients that keep a copy of calendars, besides the entries that exist: which entries went out of somebody's
/// sight, and which members' calendars are to be read anew. Each trace names the members who are told of it, so that
/// nobody else is.
enum ShelfTrace {
    private static let anywhere = Value.blob([])

    /// An entry went out of somebody's sight, or out of a calendar.
    static func leave(
        _ entry: Identifier, from calendar: Identifier, sightOf audience: Audience, at position: Int64, _ act: Act
    ) throws(Rejection) {
        guard !audience.isEmpty else { return }
        try act.run(
            "INSERT INTO shelf_traces (calendar, entry, position, audience, at) VALUES (?, ?, ?, ?, ?)", .id(calendar),
            .id(entry), .int(position), .blob(audience.bytes), .time(act.now))
    }

    /// Members were just told that they see more or less of calendars than before. Their clients begin anew. The trace
    /// stands for all that the same members were told earlier, so that there are no more of them than audiences. (A row
    /// for nobody is no such trace: an audience is never empty here.)
    static func turn(_ audience: Audience, _ act: Act) throws(Rejection) {
        guard !audience.isEmpty else { return }
        try act.run(
            "DELETE FROM shelf_traces WHERE entry IS NULL AND calendar = ? AND audience = ?", anywhere,
            .blob(audience.bytes))
        try act.run(
            "INSERT INTO shelf_traces (calendar, entry, position, audience, at) VALUES (?, NULL, ?, ?, ?)", anywhere,
            .int(act.logPosition), .blob(audience.bytes), .time(act.now))
    }

    /// So much of a calendar has changed that members' clients read it anew.
    static func turn(_ audience: Audience, in calendar: Identifier, _ act: Act) throws(Rejection) {
        guard !audience.isEmpty else { return }
        try act.run(
            "INSERT INTO shelf_traces (calendar, entry, position, audience, at) VALUES (?, NULL, ?, ?, ?)",
            .id(calendar), .int(act.logPosition), .blob(audience.bytes), .time(act.now))
    }

    // MARK: Reading

    /// A trace that a reader is told of.
    struct Told {
        let position: Int64
        /// The entry that went; `nil`: everything is to be read anew.
        let entry: Identifier?
    }

    /// The traces of calendars that a reader is told of, behind a position; the latest first.
    private static func each(
        _ shelf: Shelf, after position: Int64, _ act: Act, _ body: (Told) -> Bool
    ) throws(Rejection) {
        try act.ask { (database) throws(StoreFailure) in
            try database.each(
                """
                SELECT position, entry, audience FROM shelf_traces
                WHERE position > ?1 AND audience <> x'' AND (calendar = x'' OR \(shelf.tracesCondition))
                ORDER BY position DESC
                """, .int(position), .id(shelf.calendar.id)
            ) { (row) throws(StoreFailure) in
                guard Audience(bytes: row.blob("audience")).contains(shelf.reader.number) else { return true }
                return body(Told(position: row.int("position"), entry: row.optionalIdentifier("entry")))
            }
        }
    }

    /// The newest position.
    static func last(_ shelf: Shelf, _ act: Act) throws(Rejection) -> Int64 {
        var last: Int64 = 0
        try each(shelf, after: 0, act) { told in
            last = told.position
            return false
        }
        return last
    }

    /// The entries that went since a position; `nil` if everything is to be read anew, or older traces are forgotten.
    static func gone(
        _ shelf: Shelf, after position: Int64, _ act: Act
    ) throws(Rejection) -> [(entry: Identifier, position: Int64)]? {
        guard try forgotten(act) <= position else { return nil }
        var all: [(entry: Identifier, position: Int64)] = []
        var isAnew = false
        var seen: Set<Identifier> = []
        try each(shelf, after: position, act) { told in
            guard let entry = told.entry else {
                isAnew = true
                return false
            }
            if seen.insert(entry).inserted { all.append((entry, told.position)) }
            return true
        }
        return isAnew ? nil : all.reversed()
    }

    // MARK: Forgetting

    /// The position of the log from which on removals are remembered. It depends on time alone, so that nothing hidden moves
    /// it for any reader.
    private static func forgotten(_ act: Act) throws(Rejection) -> Int64 {
        try act.first(
            "SELECT max(position) FROM shelf_traces WHERE audience = x'' AND at < ?",
            .time(act.now.adding(days: -Limits.entryGoneDays))
        ) { row in row.optionalInt(0) }.flatMap(\.self) ?? 0
    }

    /// Forgets old traces.
    static func forget(_ act: Act) throws(Rejection) {
        let position = try forgotten(act)
        try act.run("DELETE FROM shelf_traces WHERE position < ?", .int(position))
        try act.run(
            "INSERT INTO shelf_traces (calendar, entry, position, audience, at) VALUES (?, NULL, ?, ?, ?)", anywhere,
            .int(act.logPosition), anywhere, .time(act.now))
        try act.run(
            """
            DELETE FROM shelf_names WHERE calendar <> x'' AND thing NOT IN (SELECT id FROM entries)
            AND thing NOT IN (SELECT entry FROM shelf_traces WHERE entry IS NOT NULL)
            AND thing NOT IN (SELECT id FROM entries_gone)
            """)
    }
}
