internal import CSQLite
import KinModel

/// One connection to SQLite, confined to the thread that uses it. Statements are prepared once and cached by their
/// text. So a text is a constant of the program, and every value that varies is bound.
///
/// A statement's failure may end the transaction. Then every later statement of the turn throws
/// ``StoreFailure/transactionGone``, until the turn is rolled back: nothing is ever written outside its transaction.
@safe public final class Database {
    // MARK: Fixed at birth

    /// The database file.
    public let path: String
    let connection: OpaquePointer

    /// The owner's lock on its directory. It is released after the connection is closed, whoever still has this object.
    let lock: FileLock?

    // MARK: Lives across turns

    /// Prepared statements by their text.
    private var statements: [StatementText: Statement] = [:]
    /// The most prepared statements that are cached. When there would be more, all are dropped, and the common ones
    /// come back.
    static let statementsMax = 512
    /// The count of rollbacks: of everything, to a savepoint, or by SQLite itself. When it has changed, cached values
    /// may be wrong.
    public internal(set) var rollbacks = 0
    /// Audiences by their number; they never change once written. Emptied after a rollback.
    var audiences = AudienceMemory()
    /// Pages in the WAL after the last commit; set by SQLite through ``countLogPages()``.
    var walPages = 0
    /// Statements run since the connection was opened: to show that a page needs as many of them as one row.
    package private(set) var statementCount = 0
    /// The counts of statements that write to a table, by the table's number (see ``writes(to:)``).
    var writes: [Int] = []
    /// The tables that the statement being prepared writes to.
    var tablesWritten: Set<String> = []
    /// What may be touched while a migration runs.
    var bounds: Bounds?
    /// The tables whose changed rows are noted (``noteRows(of:)``).
    var tablesNoted: [(name: String, bytes: [CChar])] = []
    /// Rows of those tables that were changed and not taken yet.
    var rowsChanged: Set<ChangedRow> = []
    /// Whether the statement that runs has to end (``interrupt(when:)``).
    var isOverdue: (() -> Bool)?
    /// Set when COMMIT failed so that its fate is unknown: this connection does nothing any more.
    private(set) var brokenBy: StoreFailure?

    // MARK: Changes within a turn

    /// Whether a transaction was begun through ``begin()`` and not ended yet.
    private var expectsTransaction = false
    /// The failure that ended the transaction.
    private(set) var lost: StoreFailure?

    init(path: String, connection: OpaquePointer, lock: FileLock?) {
        self.path = path
        self.lock = lock
        unsafe self.connection = connection
    }

    deinit {
        statements.removeAll()
        unsafe sqlite3_close_v2(connection)
    }

    // MARK: Statements

    /// Runs one statement to its end. Returns the rows it changed.
    @discardableResult
    public func run(_ sql: String, _ values: Value...) throws(StoreFailure) -> Int { try run(sql, values: values) }

    /// Runs one statement to its end. Returns the rows it changed.
    @discardableResult
    public func run(_ sql: String, values: [Value]) throws(StoreFailure) -> Int {
        let statement = try begin(sql, values)
        defer { statement.reset() }
        while try step(statement, sql) {}
        return unsafe sqlite3_stmt_readonly(statement.pointer) != 0 ? 0 : Int(sqlite3_changes(connection))
    }

    /// Every row of a result, mapped by `map`.
    public func rows<T>(
        _ sql: String, _ values: Value..., map: (borrowing Row) throws(StoreFailure) -> T
    ) throws(StoreFailure) -> [T] {
        try rows(sql, values: values, map: map)
    }

    /// Every row of a result, mapped by `map`.
    public func rows<T>(
        _ sql: String, values: [Value], map: (borrowing Row) throws(StoreFailure) -> T
    ) throws(StoreFailure) -> [T] {
        let statement = try begin(sql, values)
        defer { statement.reset() }
        var all: [T] = []
        while try step(statement, sql) {
            do throws(StoreFailure) { all.append(try map(Row(statement))) } catch { throw statement.trouble ?? error }
            try checkKinds(statement)
        }
        return all
    }

    /// The first row of a result, mapped by `map`; `nil` when there is none.
    public func first<T>(
        _ sql: String, _ values: Value..., map: (borrowing Row) throws(StoreFailure) -> T
    ) throws(StoreFailure) -> T? {
        try first(sql, values: values, map: map)
    }

    /// The first row of a result, mapped by `map`; `nil` when there is none.
    public func first<T>(
        _ sql: String, values: [Value], map: (borrowing Row) throws(StoreFailure) -> T
    ) throws(StoreFailure) -> T? {
        let statement = try begin(sql, values)
        defer { statement.reset() }
        guard try step(statement, sql) else { return nil }
        var made: T?
        do throws(StoreFailure) { made = try map(Row(statement)) } catch { throw statement.trouble ?? error }
        try checkKinds(statement)
        return made
    }

    /// Row after row, until the end or until `body` answers `false`.
    public func each(
        _ sql: String, _ values: Value..., body: (borrowing Row) throws(StoreFailure) -> Bool
    ) throws(StoreFailure) {
        try each(sql, values: values, body: body)
    }

    /// Row after row, until the end or until `body` answers `false`.
    public func each(
        _ sql: String, values: [Value], body: (borrowing Row) throws(StoreFailure) -> Bool
    ) throws(StoreFailure) {
        let statement = try begin(sql, values)
        defer { statement.reset() }
        while try step(statement, sql) {
            let goesOn: Bool
            do throws(StoreFailure) { goesOn = try body(Row(statement)) } catch { throw statement.trouble ?? error }
            try checkKinds(statement)
            guard goesOn else { return }
        }
    }

    /// Several statements separated by semicolons, without values: migrations.
    func script(_ sql: String) throws(StoreFailure) {
        try refuseWhenLost()
        let code = unsafe sqlite3_exec(connection, sql, nil, nil, nil)
        if code != SQLITE_OK { throw failed(code, during: unsafe String(cString: sqlite3_errmsg(connection))) }
    }

    // MARK: Transactions

    /// Whether a transaction is open, as SQLite sees it.
    public var isInTransaction: Bool { unsafe sqlite3_get_autocommit(connection) == 0 }

    /// Begins a transaction that will write; on a reading connection, one that sees a single state.
    public func begin() throws(StoreFailure) {
        hold(.oneTransaction, !isInTransaction)
        lost = nil
        try run(isReader ? "BEGIN" : "BEGIN IMMEDIATE")
        expectsTransaction = true
    }

    /// Makes everything since ``begin()`` durable.
    ///
    /// Throws ``StoreFailure/full`` when the disk was full, and ``StoreFailure/transactionGone`` when SQLite had rolled
    /// back before: in both cases nothing was kept. Throws ``StoreFailure/constraint(_:)`` when a deferred constraint
    /// fails: rolled back, too. Throws ``StoreFailure/fateUnknown(code:)`` otherwise; the connection then refuses
    /// everything.
    ///
    /// Why a full disk has a known fate even during COMMIT: SQLite reports it only for a write that stored fewer bytes
    /// than it was given. The frame that commits is the last one written to the WAL, and an incomplete frame fails its
    /// checksum. Errors of sync and of the shared index come after that frame, so there the fate is unknown.
    public func commit() throws(StoreFailure) {
        if let brokenBy { throw brokenBy }
        if let reason = lost {
            rollback()
            throw reason == .full ? .full : .transactionGone
        }
        hold(.oneTransaction, isInTransaction)
        let code: Int32
        do throws(StoreFailure) {
            let statement = try prepared("COMMIT")
            code = unsafe sqlite3_step(statement.pointer)
            statement.reset()
        } catch { code = SQLITE_NOMEM }
        if code == SQLITE_DONE {
            expectsTransaction = false
            return
        }
        let failure = unsafe StoreFailure(code: code, message: String(cString: sqlite3_errmsg(connection)), path: path)
        let primary = code & 0xFF
        let stillOpen = isInTransaction
        rollback()
        if primary == SQLITE_FULL { throw .full }
        if stillOpen, primary == SQLITE_CONSTRAINT || primary == SQLITE_BUSY { throw failure }
        brokenBy = .fateUnknown(code: code)
        throw .fateUnknown(code: code)
    }

    /// Undoes everything since ``begin()``. It never fails: what cannot be rolled back is not on disk either.
    public func rollback() {
        if isInTransaction {
            unsafe sqlite3_exec(connection, "ROLLBACK", nil, nil, nil)
        }
        expectsTransaction = false
        lost = nil
        forget()
    }

    /// Opens a savepoint: one command of a turn. `name` is a plain word of the program.
    public func savepoint(_ name: String) throws(StoreFailure) { try run("SAVEPOINT " + name) }
    /// Keeps what was done since the savepoint, as part of the transaction.
    public func release(_ name: String) throws(StoreFailure) { try run("RELEASE " + name) }
    /// Undoes what was done since the savepoint, and closes it.
    public func rollbackTo(_ name: String) throws(StoreFailure) {
        forget()
        try run("ROLLBACK TO " + name)
        try run("RELEASE " + name)
    }

    // MARK: Inside

    /// Opened for reading only.
    var isReader: Bool { unsafe sqlite3_db_readonly(connection, "main") == 1 }

    /// Drops every prepared statement that is not in use.
    func forgetStatements() { statements = statements.filter { $0.value.isBusy } }

    private func forget() {
        rollbacks += 1
        audiences.removeAll()
    }

    private func refuseWhenLost() throws(StoreFailure) {
        if let brokenBy { throw brokenBy }
        if lost != nil { throw .transactionGone }
    }

    private func begin(_ sql: String, _ values: [Value]) throws(StoreFailure) -> Statement {
        try refuseWhenLost()
        let statement = try prepared(sql)
        let code = statement.bind(values)
        if code != SQLITE_OK {
            statement.reset()
            throw failed(code, during: sql)
        }
        statement.isBusy = true
        statementCount += 1
        noteWrite(to: statement.tablesWritten)
        return statement
    }

    private func prepared(_ sql: String) throws(StoreFailure) -> Statement {
        let key = StatementText(sql: sql)
        if let kept = statements[key], !kept.isBusy { return kept }
        var pointer: OpaquePointer?
        var text = sql
        tablesWritten.removeAll()
        let code = text.withUTF8 { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
                unsafe sqlite3_prepare_v3(
                    connection, characters.baseAddress, Int32(characters.count), UInt32(SQLITE_PREPARE_PERSISTENT),
                    &pointer, nil)
            }
        }
        guard code == SQLITE_OK else {
            // A text that cannot be prepared holds no bound value: its message is safe to show.
            throw failed(code, during: unsafe String(cString: sqlite3_errmsg(connection)) + " in: " + sql)
        }
        guard let pointer = unsafe pointer else { throw .statement(code: SQLITE_MISUSE, message: "an empty statement") }
        let statement = unsafe Statement(pointer, writes: tablesWritten)
        if statements[key] == nil {
            if statements.count >= Self.statementsMax { statements = statements.filter { $0.value.isBusy } }
            statements[key] = statement
        }
        return statement
    }

    /// One step: whether there is a row.
    private func step(_ statement: Statement, _ sql: String) throws(StoreFailure) -> Bool {
        let code = unsafe sqlite3_step(statement.pointer)
        if code == SQLITE_ROW { return true }
        if code == SQLITE_DONE { return false }
        // Only a constraint's message is shown, since it names only the schema. Others may quote bound values.
        let message =
            code & 0xFF == SQLITE_CONSTRAINT
            ? unsafe String(cString: sqlite3_errmsg(connection))
            : unsafe String(cString: sqlite3_errstr(code)) + " in: " + sql
        throw failed(code, during: message)
    }

    /// Throws what a lent row noted, in place of the value made from it. (Written as one generic function around the
    /// closure, this crashes the optimising compiler of Swift 6.3.1.)
    private func checkKinds(_ statement: Statement) throws(StoreFailure) {
        if let trouble = statement.trouble { throw trouble }
    }

    /// The failure of a statement; notices when the transaction was lost with it.
    private func failed(_ code: Int32, during message: String) -> StoreFailure {
        let failure = StoreFailure(code: code, message: message, path: path)
        if expectsTransaction, !isInTransaction {
            lost = failure
            forget()
        }
        return failure
    }
}

extension StoreFailure {
    /// What an extended result code of SQLite means here.
    init(code: Int32, message: String, path: String) {
        switch code & 0xFF {
        case SQLITE_FULL: self = .full
        case SQLITE_IOERR: self = .io(code: code)
        case SQLITE_CORRUPT, SQLITE_NOTADB: self = .corrupt(message)
        case SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PERM: self = .notWritable(path: path)
        case SQLITE_CONSTRAINT: self = .constraint(message)
        case SQLITE_INTERRUPT: self = .overdue
        default: self = .statement(code: code, message: message)
        }
    }
}
