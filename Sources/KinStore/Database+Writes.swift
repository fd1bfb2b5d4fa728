internal import CSQLite
internal import Glibc
internal import Synchronization

/// Some tables, whose writes are counted (``Database/writes(to:)``): by numbers, because requests ask many times, and a name
/// would be hashed each time.
public struct TableSet: Sendable {
    let numbers: [Int]

    /// The tables of these names.
    public init(_ names: some Sequence<String>) { numbers = names.map { Self.number(of: $0) } }

    /// A table has the same number in every database. There are as many as the schema has tables.
    private static func number(of name: String) -> Int {
        known.withLock { known in
            if let number = known[name] { return number }
            known[name] = known.count
            return known.count - 1
        }
    }

    private static let known = Mutex<[String: Int]>([:])
}

extension Database {
    /// How often statements were run that write to one of these tables: directly, by triggers or by foreign keys.
    /// Values read from them are still true while this and ``rollbacks`` are unchanged. Only for the owner's
    /// connection, beside which nobody else writes.
    public func writes(to tables: TableSet) -> Int {
        var sum = 0
        for number in tables.numbers where number < writes.count { sum += writes[number] }
        return sum
    }

    /// Notes that a statement runs that writes to these tables.
    func noteWrite(to tables: TableSet) {
        for number in tables.numbers {
            while number >= writes.count { writes.append(0) }
            writes[number] += 1
        }
    }

    /// Has SQLite report for each statement that is prepared which tables it writes to (its authorizer). It refuses
    /// only what lies outside the bounds of a migration. Set once: setting it makes every prepared statement be
    /// prepared anew.
    func noteWrites() {
        // The connection is closed before this object is gone, so the address stays good.
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        _ = unsafe sqlite3_set_authorizer(
            connection,
            { context, action, first, second, _, _ in
                guard let context = unsafe context else { return SQLITE_OK }
                let database = unsafe Unmanaged<Database>.fromOpaque(context).takeUnretainedValue()
                if database.bounds != nil {
                    let names = unsafe (
                        first.map { unsafe String(cString: $0) }, second.map { unsafe String(cString: $0) }
                    )
                    if database.bounds?.allows(action, names.0 ?? "", names.1 ?? "") == false { return SQLITE_DENY }
                }
                guard [SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE].contains(action), let table = unsafe first else {
                    return SQLITE_OK
                }
                database.tablesWritten.insert(unsafe String(cString: table))
                return SQLITE_OK
            }, context)
    }

    /// Has SQLite note which rows of these tables are changed, whatever changes them: statements, triggers or foreign keys
    /// (its update hook). A row that another one replaces because of a conflict is not noted, and neither are rows of a
    /// table that is emptied as a whole. The tables have row numbers.
    package func noteRows(of tables: [String]) {
        tablesNoted = tables.map { ($0, Array($0.utf8CString)) }
        // The connection is closed before this object is gone, so the address stays good.
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        _ = unsafe sqlite3_update_hook(
            connection,
            { context, _, _, table, row in
                guard let context = unsafe context, let table = unsafe table else { return }
                let database = unsafe Unmanaged<Database>.fromOpaque(context).takeUnretainedValue()
                // For every row that is written anywhere: nothing is allocated.
                for noted in database.tablesNoted where unsafe strcmp(noted.bytes, table) == 0 {
                    database.rowsChanged.insert(ChangedRow(table: noted.name, number: row))
                }
            }, context)
    }

    /// The rows that were changed since this was asked before; also those whose change was rolled back.
    package func takeChangedRows() -> [ChangedRow] {
        guard !rowsChanged.isEmpty else { return [] }
        defer { rowsChanged.removeAll(keepingCapacity: true) }
        return rowsChanged.sorted { ($0.table, $0.number) < ($1.table, $1.number) }
    }
}

/// A row that was changed.
package struct ChangedRow: Sendable, Hashable {
    /// Its table.
    package let table: String
    /// Its number there.
    package let number: Int64
}
