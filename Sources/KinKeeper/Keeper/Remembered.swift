public import KinStore

/// A cache of values that an area reads from its tables, so that a question of every request goes to the database once.
/// It is emptied as soon as a statement writes to one of the tables, whoever runs it, or something is rolled back. It
/// belongs into an ``AreaMemory``. It is specialised in the module that uses it: requests ask it several times.
public struct Remembered<Key: Hashable, Value> {
    /// The tables that the values are read from: all that the query names.
    @usableFromInline let tables: TableSet
    /// The most values that are kept. When there would be more, all are dropped, and the common ones come back.
    @usableFromInline let most: Int
    @usableFromInline var values: [Key: Value] = [:]
    /// The tables' state in which the values were read.
    @usableFromInline var seen: TableState?

    /// An empty cache.
    @inlinable
    public init(of tables: [String], most: Int) {
        self.tables = TableSet(tables)
        self.most = most
    }

    /// The value of a key, if it is still valid.
    @inlinable
    public mutating func value(of key: Key, _ act: Act) -> Value? {
        let now = act.state(of: tables)
        guard now == seen else {
            forget()
            return nil
        }
        return values[key]
    }

    /// Keeps the value that was read for a key just now.
    @inlinable
    public mutating func remember(_ value: Value, of key: Key, _ act: Act) {
        let now = act.state(of: tables)
        if now != seen || values.count >= most { forget() }
        seen = now
        values[key] = value
    }

    /// Drops every value.
    @inlinable
    public mutating func forget() { values.removeAll(keepingCapacity: true) }
}

/// The counts of writes to some tables and of rollbacks: what was read from the tables is true as long as both stand.
@usableFromInline
struct TableState: Equatable {
    @usableFromInline let writes: Int
    @usableFromInline let rollbacks: Int

    fileprivate init(writes: Int, rollbacks: Int) { (self.writes, self.rollbacks) = (writes, rollbacks) }

    @inlinable
    static func == (one: TableState, two: TableState) -> Bool {
        one.writes == two.writes && one.rollbacks == two.rollbacks
    }
}

extension Act {
    @usableFromInline
    func state(of tables: TableSet) -> TableState {
        TableState(writes: keeper.store.database.writes(to: tables), rollbacks: keeper.store.database.rollbacks)
    }
}
