internal import CSQLite

extension Database {
    /// Writes a copy of this database, as one transaction sees it, to a new file that is on disk when this returns
    /// (SQLite's online backup). A file that is there is replaced. That transaction is the one that may outlive the 20 s
    /// of other reads: a copy in steps would begin anew with each write between two of them.
    func copy(to path: String, files: any FileSystem) throws(StoreFailure) {
        try files.remove(path)
        try files.touch(path)
        do throws(StoreFailure) {
            try pages(to: path, files: files)
            try files.sync(path)
        } catch {
            try? files.remove(path)
            throw error
        }
    }

    private func pages(to path: String, files: any FileSystem) throws(StoreFailure) {
        let target = try Database.open(path, .owner, files: files)
        // One sync at the end is enough: nobody relies on this file before.
        try target.script("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF")
        guard let backup = unsafe sqlite3_backup_init(target.connection, "main", connection, "main") else {
            throw .statement(
                code: unsafe sqlite3_extended_errcode(target.connection), message: "the copy did not begin")
        }
        let stepped = unsafe sqlite3_backup_step(backup, -1)
        let finished = unsafe sqlite3_backup_finish(backup)
        let code = stepped == SQLITE_DONE ? finished : stepped
        guard code == SQLITE_OK else { throw StoreFailure(code: code, message: "the copy failed", path: path) }
        // The copy is marked as a WAL database; as a single file it should not be.
        try target.script("PRAGMA journal_mode = DELETE")
    }

    /// Rows changed by this connection since it was opened.
    var totalChanges: Int { unsafe Int(sqlite3_total_changes(connection)) }
}
