public import KinModel

/// The record of a command that carried an `op`. By it a repeat is known. It holds no result and no parameters.
public struct Operation: Sendable, Equatable {
    /// The method's name.
    public let method: String
    /// A keyed digest of the parameters.
    public let digest: [UInt8]
    /// The identifiers that the command made, from which a repeat is answered anew.
    public let ids: [Identifier]
    /// When it was applied.
    public let at: Instant

    /// What is kept of a command.
    public init(method: String, digest: [UInt8], ids: [Identifier], at: Instant) {
        self.method = method
        self.digest = digest
        self.ids = ids
        self.at = at
    }

    /// Bytes that it takes, but for its scope and `op`.
    public var byteCount: Int { method.utf8.count + digest.count + 16 * ids.count + 8 }
}

/// The `op`s of the last 30 days. A scope is a member (or, before sign-in, an invite code): written as text.
public struct Operations {
    private let database: Database

    init(database: Database) { self.database = database }

    /// The command applied under this `op`, if there is one.
    public func find(scope: String, op: String) throws(StoreFailure) -> Operation? {
        try database.first(
            "SELECT method, digest, ids, at FROM ops WHERE scope = ? AND op = ?", .text(scope), .text(op)
        ) {
            row in
            let bytes = row.blob("ids")
            let ids = stride(from: 0, to: bytes.count - 15, by: 16).compactMap {
                Identifier(bytes: Array(bytes[$0..<$0 + 16]))
            }
            return Operation(method: row.text("method"), digest: row.blob("digest"), ids: ids, at: row.instant("at"))
        }
    }

    /// Remembers a command; a second one under the same `op` violates a constraint.
    public func insert(scope: String, op: String, _ operation: Operation) throws(StoreFailure) {
        try database.run(
            "INSERT INTO ops (scope, op, method, digest, ids, at) VALUES (?,?,?,?,?,?)", .text(scope), .text(op),
            .text(operation.method), .blob(operation.digest), .blob(operation.ids.flatMap(\.bytes)), .time(operation.at)
        )
    }

    /// Forgets commands applied before a moment (30 days ago), at most `rowsMax` at once. Returns how many.
    @discardableResult
    public func prune(before: Instant, rowsMax: Int = 2_000) throws(StoreFailure) -> Int {
        // Rows are stored in the order in which they were applied: only the removed ones are read, and no index on time
        // is needed.
        var last: Int64?
        try database.each("SELECT id, at FROM ops ORDER BY id LIMIT ?", Value(rowsMax)) { row in
            guard row.instant("at") < before else { return false }
            last = row.int("id")
            return true
        }
        guard let last else { return 0 }
        return try database.run("DELETE FROM ops WHERE id <= ?", .int(last))
    }

    /// Forgets everything of a scope: its member was removed.
    public func forget(scope: String) throws(StoreFailure) {
        try database.run("DELETE FROM ops WHERE scope = ?", .text(scope))
    }
}
