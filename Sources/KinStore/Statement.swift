internal import CSQLite

/// A prepared statement, kept by its connection under its text.
@safe final class Statement {
    let pointer: OpaquePointer
    /// The names of its result's columns, in their order. A name that two columns have finds neither of them.
    let columns: [String]
    /// The tables it writes to: by itself, by triggers, by foreign keys.
    let tablesWritten: TableSet
    /// Whether it is in use: the same text asked for again gets a second statement.
    var isBusy = false
    /// The first problem with a column that was read in this run. The code that lent the row throws it.
    private(set) var trouble: StoreFailure?
    /// The names that were read, with their places: filled at the first row that asks for a name.
    private var resolved: [(column: Column, place: Int32)] = []
    /// Where in them the next name is expected: every row is read in the order of the first.
    private var expected = 0
    /// So many names are known at most. Code in several places may read one statement, each with names of its own; when
    /// there would be more, all are dropped, and the common ones come back.
    private static let resolvedMax = 256

    init(_ pointer: OpaquePointer, writes tables: Set<String>) {
        unsafe self.pointer = pointer
        tablesWritten = TableSet(tables)
        let names = unsafe (0..<sqlite3_column_count(pointer)).map { place in
            unsafe sqlite3_column_name(pointer, place).map { unsafe String(cString: $0) } ?? ""
        }
        columns = names.enumerated().map { place, name in
            names.count { $0 == name } == 1 ? name : "\(name), column \(place)"
        }
    }

    deinit { unsafe sqlite3_finalize(pointer) }

    // MARK: Columns

    /// A column's place in the result; notes it when there is none. A name costs its look-up once, and then an index: rows
    /// are read in one order, so it mostly is the next of those that are known.
    func place(of column: Column) -> Int32? {
        if case .at(let place) = column.reference {
            if columns.indices.contains(Int(place)) { return place }
            noteUnknown("it has no column \(place)")
            return nil
        }
        // Asked again: whether it is NULL, and then what it is.
        if expected > 0, resolved[expected - 1].column.isSameName(as: column) { return resolved[expected - 1].place }
        var index = expected
        for _ in resolved.indices {
            if index >= resolved.count { index = 0 }
            if resolved[index].column.isSameName(as: column) {
                expected = index + 1
                return resolved[index].place
            }
            index += 1
        }
        return resolve(column)
    }

    /// Looks a name up among the result's columns, and keeps what it found.
    private func resolve(_ column: Column) -> Int32? {
        let name = column.name ?? ""
        guard let found = columns.firstIndex(of: name) else {
            noteUnknown("no single column is called \(name)")
            return nil
        }
        if resolved.count >= Self.resolvedMax { resolved.removeAll() }
        resolved.append((column, Int32(found)))
        expected = resolved.count
        return Int32(found)
    }

    /// Notes a column of another kind than was asked for.
    func note(_ place: Int32, holds found: String, not asked: String) {
        if trouble == nil { trouble = .corrupt("the column \(columns[Int(place)]) holds \(found), not \(asked)") }
    }

    private func noteUnknown(_ what: String) {
        guard trouble == nil else { return }
        let text = unsafe sqlite3_sql(pointer).map { unsafe String(cString: $0) } ?? ""
        trouble = .statement(code: SQLITE_MISUSE, message: what + " in: " + text)
    }

    // MARK: Values

    /// Binds the values from the first parameter on; values are copied, so nothing needs to outlive the call.
    func bind(_ values: [Value]) -> Int32 {
        var index: Int32 = 0
        for value in values {
            index += 1
            let code: Int32
            switch value {
            case .null: code = unsafe sqlite3_bind_null(pointer, index)
            case .int(let number): code = unsafe sqlite3_bind_int64(pointer, index, number)
            case .double(let number): code = unsafe sqlite3_bind_double(pointer, index, number)
            case .text(var text):
                code = text.withUTF8 { bytes in
                    unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
                        // An empty string may have no address, and no address would bind NULL.
                        unsafe kinwire_sqlite_bind_text(
                            pointer, index, characters.baseAddress ?? Self.nothing, UInt64(characters.count))
                    }
                }
            case .blob(let bytes):
                code = unsafe bytes.withUnsafeBytes { bytes in
                    unsafe bytes.isEmpty
                        ? sqlite3_bind_zeroblob(pointer, index, 0)
                        : kinwire_sqlite_bind_blob(pointer, index, bytes.baseAddress, UInt64(bytes.count))
                }
            }
            if code != SQLITE_OK { return code }
        }
        return SQLITE_OK
    }

    /// Resets the statement and drops its bound values.
    func reset() {
        unsafe sqlite3_reset(pointer)
        unsafe sqlite3_clear_bindings(pointer)
        isBusy = false
        trouble = nil
    }

    /// An address for empty text; never read, never freed.
    nonisolated(unsafe) private static let nothing = unsafe UnsafePointer(
        UnsafeMutablePointer<CChar>.allocate(capacity: 1))
}
