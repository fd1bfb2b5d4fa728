import KinStore

/// A cache of values that an area reads from its tables, so that a question of every request goes to the database once.
/// It is emptied as soon as a statement writes to one of the tables, whoever runs it, or something is rolled back. It
/// belongs into an ``AreaMemory``.
public struct Remembered<Key: Hashable, Value> {
    /// The tables that the values are read from: all that the query names.
    private let tables: [String]
    /// The most values that are kept. When there would be more, all are dropped, and the common ones come back.
    private let most: Int
    private var values: [Key: Value] = [:]
    /// The tables' state in which the values were read.
    private var seen: TableState?

    /// An empty cache.
    public init(of tables: [String], most: Int) {
        self.tables = tables
        self.most = most
    }

    /// The value of a key, if it is still valid.
    public mutating func value(of key: Key, _ act: Act) -> Value? {
        let now = act.state(of: tables)
        guard now == seen else {
            forget()
            return nil
        }
        return values[key]
    }

    /// Keeps the value that was read for a key just now.
    public mutating func remember(_ value: Value, of key: Key, _ act: Act) {
        let now = act.state(of: tables)
        if now != seen || values.count >= most { forget() }
        seen = now
        values[key] = value
    }

    /// Drops every value.
    public mutating func forget() { values.removeAll(keepingCapacity: true) }
}

/// The counts of writes to some tables and of rollbacks: what was read from the tables is true as long as both stand.
struct TableState: Equatable {
    let writes: Int
    let rollbacks: Int
}

extension Act {
    func state(of tables: [String]) -> TableState {
        TableState(writes: keeper.store.database.writes(to: tables), rollbacks: keeper.store.database.rollbacks)
    }
}
