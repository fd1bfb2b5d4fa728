public import KinModel

/// Something that falls due: a deadline, an expiry, a reminder.
public struct Due: Sendable, Equatable {
    /// When.
    public let at: Instant
    /// The work: a word of the area that planned it.
    public let kind: String
    /// The thing it is about.
    public let about: String
}

/// Due work, in the database: work that is overdue after a start runs before the daemon accepts connections. One entry
/// for each kind and thing; a newer one replaces it.
///
/// It is asked in every turn, and mostly nothing is due. So the moment of the next entry is cached, without asking
/// SQLite.
public final class DueTable {
    private let database: Database
    /// The moment of the next entry, and the count of rollbacks at which it was read; read anew after a rollback.
    private var known: (next: Instant?, seen: Int)?

    init(database: Database) { self.database = database }

    /// Adds an entry, or moves the one that is there.
    public func add(at: Instant, kind: String, about: String) throws(StoreFailure) {
        forget()
        try database.run(
            "INSERT INTO due (at, kind, about) VALUES (?,?,?) ON CONFLICT (kind, about) DO UPDATE SET at = excluded.at",
            .time(at), .text(kind), .text(about))
    }

    /// Puts an entry back whose work was refused, for another moment. One that was planned anew meanwhile stays as it is.
    public func addAgain(_ due: Due, at: Instant) throws(StoreFailure) {
        forget()
        try database.run(
            "INSERT INTO due (at, kind, about) VALUES (?,?,?) ON CONFLICT (kind, about) DO NOTHING", .time(at),
            .text(due.kind), .text(due.about))
    }

    /// Takes one entry away; without `kind` everything about the thing.
    public func remove(kind: String? = nil, about: String) throws(StoreFailure) {
        forget()
        if let kind {
            try database.run("DELETE FROM due WHERE kind = ? AND about = ?", .text(kind), .text(about))
        } else {
            try database.run("DELETE FROM due WHERE about = ?", .text(about))
        }
    }

    /// When the next entry falls due.
    public func next() throws(StoreFailure) -> Instant? {
        if let known, known.seen == database.rollbacks { return known.next }
        let next = try database.first("SELECT at FROM due ORDER BY at LIMIT 1") { $0.instant(0) }
        known = (next, database.rollbacks)
        return next
    }

    /// Drops the cache, after the table was changed by other statements on this connection.
    public func forget() { known = nil }

    /// Takes out the entries that are due at `now`, the earliest first, at most `limit`. `kinds`: only those; `nil`: every
    /// kind.
    public func popDue(
        now: Instant, limit: Int = 256, of kinds: Set<String>? = nil
    ) throws(StoreFailure) -> [Due] {
        guard let next = try next(), next <= now, kinds?.isEmpty != true else { return [] }
        forget()
        let named = (kinds ?? []).sorted().map { Value.text($0) }
        let only = kinds == nil ? "" : "AND kind IN (\(named.map { _ in "?" }.joined(separator: ", ")))"
        let due = try database.rows(
            "SELECT at, kind, about FROM due WHERE at <= ? \(only) ORDER BY at, kind, about LIMIT ?",
            values: [.time(now)] + named + [Value(limit)]
        ) { Due(at: $0.instant("at"), kind: $0.text("kind"), about: $0.text("about")) }
        for entry in due { try remove(kind: entry.kind, about: entry.about) }
        return due
    }
}
