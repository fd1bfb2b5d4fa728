/// Whether what is stored fits together; for `kin doctor` and for verifying a backup.
public enum Integrity {
    /// Every problem found, a sentence each; empty when all is well. Reads the whole file: on a reader, on a worker.
    public static func check(_ database: Database) throws(StoreFailure) -> [String] {
        var problems = try database.rows("PRAGMA integrity_check(20)") { $0.text(0) }.filter { $0 != "ok" }
        problems += try database.rows("SELECT \"table\", parent FROM pragma_foreign_key_check") { row in
            "A row of \(row.text("table")) points to a row of \(row.text("parent")) that does not exist."
        }
        let state = try database.first("SELECT position, first_kept, bytes FROM log_state") { row in
            (position: row.int("position"), firstKept: row.int("first_kept"), bytes: row.int("bytes"))
        }
        guard let state else { return problems + ["The log has lost its counters."] }
        let log = try database.first(
            """
            SELECT coalesce(max(position), 0) AS last, coalesce(min(position), 0) AS first,
            coalesce(sum(length(payload) + \(Log.rowBytes)), 0) AS bytes FROM log
            """
        ) { (last: $0.int("last"), first: $0.int("first"), bytes: $0.int("bytes")) }
        if let log {
            if log.last > state.position {
                problems.append("The log's counter \(state.position) is behind its last row \(log.last).")
            }
            if log.first != 0, log.first <= state.firstKept {
                problems.append(
                    "Row \(log.first) of the log is kept, though all up to \(state.firstKept) should be gone.")
            }
            if log.bytes != state.bytes {
                problems.append("The log holds \(log.bytes) bytes, its counter says \(state.bytes).")
            }
        }
        let homeless = try database.first(
            "SELECT count(*) FROM log WHERE audience NOT IN (SELECT id FROM audiences)"
        ) { $0.int(0) }
        if let homeless, homeless > 0 { problems.append("\(homeless) rows of the log have no audience.") }
        let late = try database.first(
            "SELECT count(*) FROM epochs WHERE first > (SELECT position FROM log_state)"
        ) { $0.int(0) }
        if let late, late > 0 { problems.append("\(late) epochs begin beyond the end of the log.") }
        return problems
    }
}
