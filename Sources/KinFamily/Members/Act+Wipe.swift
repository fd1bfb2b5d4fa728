import KinModel
import KinStore

extension Act {
    /// Deletes all that areas keep, every row of the log, every remembered `op`, all due work and all blobs. The member
    /// numbers go on: none is ever used again. The tables are found in the schema, so no area can be forgotten.
    func wipe() throws(Rejection) {
        let kept: Set<String> = ["migrations", "epochs", "log", "log_state", "member_numbers"]
        let tables = try rows(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql IS NOT NULL AND name NOT LIKE 'sqlite%'"
        ) { row in row.text(0) }
        // A table that refers to another may come after it: references are checked at the end.
        try run("PRAGMA defer_foreign_keys = ON")
        try eraseLog()
        for table in tables where !kept.contains(table) { try run("DELETE FROM \"\(table)\"") }
        let blobs = try ask { (_) throws(StoreFailure) in try keeper.store.blobs.all() }
        for blob in blobs { dropBlob(blob) }
        keeper.signIns.forget()
        rosterChanged()
    }

    private func eraseLog() throws(Rejection) {
        for about in try rows("SELECT DISTINCT about FROM log", map: { row in row.text(0) }) { try erase(about: about) }
    }
}
