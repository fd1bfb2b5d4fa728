import KinStore

/// What an area remembers of its tables' rows, so that what every request asks is asked of the database once: forgotten
/// as soon as a statement writes to one of the tables, whoever runs it, or something is rolled back. Belongs into an
/// ``AreaMemory``.
public struct Remembered<Key: Hashable, Value> {
    /// The tables that it is made of: all that the reading names.
    private let tables: [String]
    /// How many are remembered; beyond it all are let go, and the common ones come back.
    private let most: Int
    private var values: [Key: Value] = [:]
    /// The count of writes to the tables, and that of rollbacks, which the values belong to.
    private var seen = (writes: -1, rollbacks: -1)

    /// Nothing yet.
    public init(of tables: [String], most: Int) {
        self.tables = tables
        self.most = most
    }

    /// What is remembered of a key, if it is still so.
    public mutating func value(of key: Key, _ act: Act) -> Value? {
        let now = act.stateOf(tables)
        guard now == seen else {
            forget()
            return nil
        }
        return values[key]
    }

    /// Remembers what was read of a key just now.
    public mutating func remember(_ value: Value, of key: Key, _ act: Act) {
        let now = act.stateOf(tables)
        if now != seen || values.count >= most { forget() }
        seen = now
        values[key] = value
    }

    /// Nothing any more.
    public mutating func forget() { values.removeAll(keepingCapacity: true) }
}

extension Act {
    fileprivate func stateOf(_ tables: [String]) -> (writes: Int, rollbacks: Int) {
        (keeper.store.database.writes(to: tables), keeper.store.database.rollbacks)
    }
}
