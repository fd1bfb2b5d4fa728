public import KinModel

/// Something that falls due: a deadline, an expiry, a reminder.
public struct Due: Sendable, Equatable {
    /// When.
    public let at: Instant
    /// What is to be done: a word of the area that put it there.
    public let kind: String
    /// The thing it is about.
    public let about: String
}

/// Due work, in the database: what is overdue after a start runs before the daemon accepts. One entry for each kind and
/// thing; a newer one replaces it.
public struct DueTable {
    private let database: Database

    init(database: Database) { self.database = database }

    /// Puts down, or moves, what falls due.
    public func add(at: Instant, kind: String, about: String) throws(StoreFailure) {
        try database.run(
            "INSERT INTO due (at, kind, about) VALUES (?,?,?) ON CONFLICT (kind, about) DO UPDATE SET at = excluded.at",
            .time(at), .text(kind), .text(about))
    }

    /// Takes one entry away; without `kind` everything about the thing.
    public func remove(kind: String? = nil, about: String) throws(StoreFailure) {
        if let kind {
            try database.run("DELETE FROM due WHERE kind = ? AND about = ?", .text(kind), .text(about))
        } else {
            try database.run("DELETE FROM due WHERE about = ?", .text(about))
        }
    }

    /// When the next entry falls due.
    public func next() throws(StoreFailure) -> Instant? {
        try database.first("SELECT at FROM due ORDER BY at LIMIT 1") { $0.instant(0) }
    }

    /// Takes out what is due at `now`, the earliest first, at most `limit`.
    public func popDue(now: Instant, limit: Int = 256) throws(StoreFailure) -> [Due] {
        let due = try database.rows(
            "SELECT at, kind, about FROM due WHERE at <= ? ORDER BY at, kind, about LIMIT ?", .time(now), Value(limit)
        ) { Due(at: $0.instant(0), kind: $0.text(1), about: $0.text(2)) }
        for entry in due { try remove(kind: entry.kind, about: entry.about) }
        return due
    }
}
