internal import CSQLite
internal import KinCrypto

extension Database {
    /// The number of the row the last INSERT made.
    public var lastInsertedRow: Int64 { unsafe sqlite3_last_insert_rowid(connection) }

    /// How far a connection may go.
    enum Access {
        case owner, reader
        /// A file that was made elsewhere. Nobody writes to it in place: it is only replaced. Files beside it are
        /// ignored.
        case sealed
    }

    /// Opens a connection with everything off that is not needed. The file must be there.
    static func open(_ path: String, _ access: Access, files: any FileSystem, lock: FileLock? = nil)
        throws(StoreFailure) -> Database
    {
        precondition(prepared, "SQLite takes its settings before its first use")
        var connection: OpaquePointer?
        // Connections are confined to a thread each, so SQLite's own mutexes are left out.
        let flags =
            (access == .owner ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY) | SQLITE_OPEN_NOMUTEX
            | SQLITE_OPEN_EXRESCODE
        let name = access == .sealed ? "file:\(escaped(path))?immutable=1" : path
        let code = unsafe sqlite3_open_v2(
            name, &connection, access == .sealed ? flags | SQLITE_OPEN_URI : flags, files.vfsName)
        guard let connection = unsafe connection else { throw .statement(code: code, message: "no memory") }
        let database = unsafe Database(path: path, connection: connection, lock: lock)
        if code != SQLITE_OK {
            throw unsafe StoreFailure(code: code, message: String(cString: sqlite3_errmsg(connection)), path: path)
        }
        for (option, value) in [
            (SQLITE_DBCONFIG_DEFENSIVE, Int32(1)), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0), (SQLITE_DBCONFIG_DQS_DML, 0),
            (SQLITE_DBCONFIG_DQS_DDL, 0), (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0),
            // A statement's plan depends on its text alone. Otherwise a statement whose value could meet a partial
            // index's condition would be prepared anew for every value.
            (SQLITE_DBCONFIG_ENABLE_QPSG, 1),
            // Only the owner checkpoints, and it does so when it says so.
            (SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, access == .owner ? 0 : 1),
        ] {
            _ = unsafe kinwire_sqlite_db_config(connection, option, value)
        }
        // Sorting and temporary tables stay in memory, so that no temporary file can be left on the disk.
        try database.script("PRAGMA temp_store = MEMORY; PRAGMA mmap_size = 0; PRAGMA cell_size_check = ON")
        switch access {
        case .reader:
            // Only a checkpoint that restarts the WAL can be in the way, for moments.
            unsafe sqlite3_busy_timeout(connection, 2_000)
            try database.script("PRAGMA query_only = ON; PRAGMA cache_size = -1000")
        case .sealed:
            try database.script("PRAGMA query_only = ON; PRAGMA cache_size = -256")
        case .owner:
            unsafe sqlite3_busy_timeout(connection, 0)
            try database.script("PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON")
            database.countLogPages()
            database.noteWrites()
        }
        return database
    }

    /// A path within a URI, as SQLite reads it.
    private static func escaped(_ path: String) -> String {
        path.utf8.reduce(into: "") { text, byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "_"),
                UInt8(ascii: "."):
                text.unicodeScalars.append(Unicode.Scalar(byte))
            default: text += "%" + Hex.encode([byte])
            }
        }
    }

    /// Bounds the length of every value, and the steps of SQLite's machine in every statement: for a file whose maker
    /// nobody knows (https://www.sqlite.org/security.html).
    func guardAgainstStrangers(valueBytesMax: Int, stepsMax: Int) {
        unsafe sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, Int32(clamping: valueBytesMax))
        unsafe sqlite3_limit(connection, SQLITE_LIMIT_ATTACHED, 0)
        unsafe sqlite3_limit(connection, SQLITE_LIMIT_EXPR_DEPTH, 50)
        // Called once, after so many steps: by then the statement has used up its share.
        unsafe sqlite3_progress_handler(connection, Int32(clamping: stepsMax), { _ in 1 }, nil)
    }

    /// Gives up pages that are kept for reading again (`sqlite3_db_release_memory`).
    public func releaseMemory() { _ = unsafe sqlite3_db_release_memory(connection) }

    /// Bytes of pages that are kept (`SQLITE_DBSTATUS_CACHE_USED`).
    package var keptBytes: Int {
        var (now, most): (Int32, Int32) = (0, 0)
        guard unsafe sqlite3_db_status(connection, SQLITE_DBSTATUS_CACHE_USED, &now, &most, 0) == SQLITE_OK else {
            return 0
        }
        return Int(now)
    }

    /// From here on, closing neither checkpoints nor removes the WAL.
    func leaveFilesAlone() { _ = unsafe kinwire_sqlite_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1) }

    /// Has SQLite report after each commit how many pages the WAL holds. This replaces SQLite's own checkpoints, which
    /// use the same hook. `PRAGMA wal_autocheckpoint = 0` would remove the hook again.
    private func countLogPages() {
        // The connection is closed before this object is gone, so the address stays good.
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        _ = unsafe sqlite3_wal_hook(
            connection,
            { context, _, _, pages in
                if let context = unsafe context {
                    unsafe Unmanaged<Database>.fromOpaque(context).takeUnretainedValue().walPages = Int(pages)
                }
                return SQLITE_OK
            }, context)
    }

    /// Process-wide settings, before SQLite's first use: no statistics behind a global mutex.
    static let prepared: Bool = {
        kinwire_sqlite_config(SQLITE_CONFIG_MEMSTATUS, 0) == SQLITE_OK && CountingVFS.registered
    }()
}
