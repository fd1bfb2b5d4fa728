import KinModel
import KinStore

/// The truth, gathered beside the daemon: every row that was ever committed, and everything that was acknowledged.
struct Oracle {
    /// A row as the oracle remembers it.
    struct Truth {
        let type: String
        let audience: Audience
        /// Those of it who have to be given it still.
        var owed: Audience
        /// Rows with a key may be superseded before somebody sees them.
        var mayBeMissed: Bool
    }

    private(set) var rows: [Int64: Truth] = [:]
    private(set) var order: [Int64] = []
    /// Operations that a client was told are done, and by whose command.
    private(set) var acknowledged: [String: String] = [:]

    /// Takes rows a commit or the reopened log brought.
    mutating func take(_ new: [LogRow]) {
        for row in new where rows[row.position] == nil {
            rows[row.position] = Truth(
                type: row.type, audience: row.audience, owed: row.audience, mayBeMissed: row.key != nil)
            order.append(row.position)
        }
        order.sort()
    }

    /// After a turn of unknown fate the reopened log says what became of it, also of the rows it removed.
    mutating func believe(_ log: [LogRow]) {
        take(log)
        let kept = Set(log.map(\.position))
        forget(order.filter { !kept.contains($0) })
        narrow(Dictionary(uniqueKeysWithValues: log.map { ($0.position, $0.audience) }))
    }

    /// Rows that left the log need not be seen any more.
    mutating func forget(_ positions: [Int64]) {
        for position in positions { rows[position]?.mayBeMissed = true }
    }

    /// Rows that some may see no longer are owed to the others alone.
    mutating func narrow(_ narrowed: [Int64: Audience]) {
        for (position, audience) in narrowed { rows[position]?.owed = audience }
    }

    mutating func acknowledge(_ op: String, by username: String) { acknowledged[op] = username }

    /// Positions between two, exclusive below and inclusive above, that a member must have been given.
    func owed(to member: Int32, after: Int64, through: Int64) -> [Int64] {
        order.filter { position in
            guard position > after, position <= through, let truth = rows[position] else { return false }
            return !truth.mayBeMissed && truth.type != "reset" && truth.owed.contains(member)
        }
    }

    /// Whether a row for a member between two positions was not told: superseded, deleted or hidden before it was sent.
    /// A row that was superseded within its own turn reached nobody: only a gap among the positions is left of it, and
    /// it may have been for anybody.
    func isUntold(to member: Int32, after: Int64, through: Int64, told: Set<Int64>) -> Bool {
        if after < through, (after + 1...through).contains(where: { rows[$0] == nil }) { return true }
        return order.contains { position in
            guard position > after, position <= through, let truth = rows[position] else { return false }
            return truth.type != "reset" && truth.audience.contains(member) && !told.contains(position)
        }
    }

    /// Whether a member's stream begins anew between two positions.
    func beginsAnew(_ member: Int32, after: Int64, through: Int64) -> Bool {
        order.contains { position in
            guard position > after, position <= through, let truth = rows[position] else { return false }
            return truth.type == "reset" && truth.audience.contains(member)
        }
    }
}

/// Something a checker found.
public struct Finding: Error, Sendable, CustomStringConvertible {
    /// Which checker.
    public let checker: String
    /// What it saw.
    public let what: String
    /// The checker's name and what it saw.
    public var description: String { "\(checker): \(what)" }
}
