internal import CSQLite

/// The tables that a piece of work may touch, and those that it has touched.
struct Bounds {
    /// The tables that it may change.
    let tables: Set<String>
    /// Others that it may read.
    let reading: Set<String>
    /// Virtual tables. A table named after one of them, with a `_` and more behind, is its shadow table.
    fileprivate(set) var virtual: Set<String>
    /// The tables that it has changed, made or dropped.
    fileprivate(set) var changed: Set<String> = []
    /// The tables that it has read.
    fileprivate(set) var read: Set<String> = []
    /// The first table that was refused.
    fileprivate(set) var refused: String?

    /// The virtual table that a shadow table belongs to; for any other table, the table itself.
    private func owner(of table: String) -> String {
        virtual.first { table.hasPrefix($0 + "_") } ?? table
    }

    /// Whether a table may be changed, or read. Notes the answer.
    fileprivate mutating func allows(_ table: String, isRead: Bool) -> Bool {
        // A statement that writes to the schema's own tables is asked about by the name of its table, too.
        guard !table.hasPrefix("sqlite_") else { return true }
        let owner = owner(of: table)
        let isAllowed = tables.contains(owner) || (isRead && reading.contains(owner))
        if !isAllowed {
            if refused == nil { refused = owner }
        } else if isRead {
            read.insert(owner)
        } else {
            changed.insert(owner)
        }
        return isAllowed
    }

    /// Whether a statement that is being prepared may do one action: SQLite's question, in its words.
    mutating func allows(_ action: Int32, _ first: String, _ second: String) -> Bool {
        switch action {
        case SQLITE_READ: return allows(first, isRead: true)
        case SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE, SQLITE_CREATE_TABLE, SQLITE_DROP_TABLE, SQLITE_DROP_VTABLE,
            SQLITE_CREATE_VIEW, SQLITE_DROP_VIEW:
            return allows(first, isRead: false)
        case SQLITE_CREATE_VTABLE:
            virtual.insert(first)
            return allows(first, isRead: false)
        case SQLITE_CREATE_INDEX, SQLITE_DROP_INDEX, SQLITE_CREATE_TRIGGER, SQLITE_DROP_TRIGGER, SQLITE_ALTER_TABLE:
            return allows(second, isRead: false)
        default: return true
        }
    }
}

extension Database {
    /// Runs a body that may touch certain tables only, and answers which it touched. A statement that would touch
    /// another is not prepared; the failure names the table.
    ///
    /// SQLite asks while it prepares a statement, so statements that were prepared before are prepared anew.
    func bounded(
        _ tables: Set<String>, reading: Set<String>, _ what: String, _ body: () throws(StoreFailure) -> Void
    ) throws(StoreFailure) -> Bounds {
        let virtual = try rows("SELECT name FROM sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL TABLE%'") { $0.text(0) }
        forgetStatements()
        bounds = Bounds(tables: tables, reading: reading, virtual: Set(virtual))
        defer {
            bounds = nil
            forgetStatements()
        }
        var failure: StoreFailure?
        do throws(StoreFailure) { try body() } catch { failure = error }
        if let table = bounds?.refused {
            throw .statement(
                code: SQLITE_AUTH, message: what + " touches the table \(table), which it does not name")
        }
        if let failure { throw failure }
        return bounds ?? Bounds(tables: tables, reading: reading, virtual: [])
    }
}
