import KinModel
import KinStore

extension Act {
    /// Tables that say nothing about the family: member numbers go on from where they are, since none is ever used
    /// again, the key of remembered operations and the clock are the house's, and points are counted by their own table.
    private static let kept: Set<String> = ["member_numbers", "house", "clock", "point_count"]

    /// Deletes all that areas keep, every row of the log, every remembered `op`, all due work and all blobs.
    func wipe() throws(Rejection) {
        // Tables that refer to each other come in any order: references are checked at the end of the transaction.
        try run("PRAGMA defer_foreign_keys = ON")
        let abouts = try rows("SELECT DISTINCT about FROM log") { row in row.text(0) }
        for about in Set(abouts).union(["family"]) { try erase(about: about) }
        let there = Set(try rows("SELECT name FROM sqlite_schema WHERE type = 'table'") { row in row.text(0) })
        for table in Self.tables(keeper.registry.migrations) + ["ops", "due"] where there.contains(table) {
            if !Self.kept.contains(table) { try run("DELETE FROM \(table)") }
        }
        keeper.store.due.forget()
        // The words of deleted rows lie in a full-text index until it is made anew.
        try MeetingWords.rebuild(self)
        for blob in try ask({ (_) throws(StoreFailure) in try keeper.store.blobs.all() }) { dropBlob(blob) }
        keeper.signIns.forget()
        rosterChanged()
    }

    /// The tables that areas' migrations make and leave, read from their SQL so that no area can be forgotten.
    static func tables(_ migrations: [Migration]) -> [String] {
        var tables: [String] = []
        for migration in migrations {
            let words = migration.sql.split(whereSeparator: { $0.isWhitespace || $0 == "(" || $0 == ";" })
            for (index, word) in words.enumerated().dropFirst() where word.uppercased() == "TABLE" {
                let names = words[(index + 1)...].drop { ["IF", "NOT", "EXISTS"].contains($0.uppercased()) }
                guard let name = names.first.map({ String($0) }) else { continue }
                switch words[index - 1].uppercased() {
                case "CREATE", "VIRTUAL": tables.append(name)
                case "DROP": tables.removeAll { $0 == name }
                default: break
                }
            }
        }
        return tables
    }
}
