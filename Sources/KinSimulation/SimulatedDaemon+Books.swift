import KinModel
import KinStore

/// What the checkers look up in the database themselves, beside what the daemon keeps.
extension SimulatedDaemon {
    /// Everybody in the family.
    func onlookers() throws(StoreFailure) -> [Onlooker] {
        try reader.rows("SELECT id, username, role, household FROM members") { row in
            Onlooker(
                id: row.identifier("id"), username: row.text("username"), role: row.text("role"),
                household: row.identifier("household"))
        }
    }

    /// What was due and is not done.
    func overdue(at clock: Instant) throws(StoreFailure) -> String? {
        try reader.first("SELECT kind, about, at FROM due WHERE at <= ?", .time(clock)) { row in
            "\(row.text("kind")) of \(row.text("about")) was due at \(row.instant("at"))"
        }
    }

    // MARK: Faults

    /// Spoils what the checkers of books look at, after a turn of the keeper.
    func spoil(_ fault: Fault, _ events: [LogRow]) {
        let statements = world.areas.flatMap { $0.spoil(fault, events) }
        guard !statements.isEmpty else { return }
        for sql in statements { _ = try? store.database.run(sql) }
        store.due.forget()
    }
}
